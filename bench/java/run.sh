#!/bin/bash
# Reduces programs that fail with an exception: bench/java/run.sh [PROGRAM…]. A program is one of testdata with the classes
# of org.json in the same file. WHITTLE is the program; LIMIT is the most tests. Each line of the table has the tokens,
# the tests, and the result. Needs a JDK, Maven and unzip.
set -eu
here=$(cd "$(dirname "$0")" && pwd)/testdata
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
mvn -q -B dependency:copy -Dartifact=org.json:json:20231013:jar:sources -DoutputDirectory=. >&2
unzip -q -- *.jar 'org/json/*.java'
programs=${*:-$(cd "$here" && ls | sed 's/\.java$//')}
for program in $programs; do
	{
		sed -n '/^import static org/d; /^import org/d; s/\r$//; /^import /p' org/json/*.java | sort -u
		cat "$here/$program.java"
		sed 's/\r$//; /^import /d; /^package /d; s/^public //' org/json/*.java
	} >Main.java
	${WHITTLE:-whittle} reduce -j 1 --fresh --no-journal --max-tests "${LIMIT:-1500}" -o Small.java --stats stats.json Main.java -- java Main.java >out 2>log </dev/null || tail -2 log
	echo "| $program | $(jq -r '"\(.tokens_before) → \(.tokens_after) | \(.tests_run)"' stats.json) | \`$(tr -s ' \n' ' ' <Small.java)\` |"
	rm -f Small.java*
done
