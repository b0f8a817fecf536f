#!/bin/sh
# measure.sh CASE...: reduces the BaseX cases, each a folder with input.xml and
# test.sh, by the test and by BaseXServer, and prints the rows of a table. JOBS
# are the numbers of jobs, JARS the folder of basex.jar and Saxon-HE.jar.
set -e
here=$(cd "$(dirname "$0")" && pwd)
jars=${JARS:-/usr/share/java}
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
javac -cp "$jars/basex.jar:$jars/Saxon-HE.jar" -d "$tmp" "$here/BaseXServer.java"
cat >"$tmp/server.sh" <<END
exec java -XX:TieredStopAtLevel=1 -XX:+UseSerialGC -Dorg.basex.path="\$TMPDIR" \\
	-cp "$tmp:$jars/basex.jar:$jars/Saxon-HE.jar" BaseXServer "\$(cat "\$1")"
END

# reduce NAME ARG...: prints the seconds that it took, and those of the
# processors in whittle and all that it started.
reduce() {
	(
		name=$1
		shift
		whittle reduce -q --no-journal -j "$jobs" --stats "$tmp/$name.json" -o "$tmp/$name.xml" "$@" >&2
		figure wall_seconds "$name"
		times >"$tmp/times"
		awk -F'[ms ]+' 'NR == 2 { print 60 * $1 + $2 + 60 * $3 + $4 }' "$tmp/times"
	)
}
figure() { sed -n "s/^  \"$1\": \([0-9.]*\),\{0,1\}$/\1/p" "$tmp/$2.json"; }

echo '| case | jobs | tests | seconds by test.sh | by the server | times faster | processor seconds by test.sh | by the server | times less | bytes left | same bytes |'
echo '|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---|'
for case; do
	sed -n "s/^Q='\(.*\)'$/\1/p" "$case/test.sh" >"$tmp/query"
	for jobs in ${JOBS:-1 2}; do
		slow=$(reduce slow "$case/test.sh" "$case/input.xml")
		fast=$(reduce fast --server "sh $tmp/server.sh $tmp/query" "$case/input.xml")
		cmp -s "$tmp/slow.xml" "$tmp/fast.xml" && same=yes || same=no
		echo "$(basename "$case") $jobs $(figure tests_run fast) $(wc -c <"$tmp/fast.xml") $same" $slow $fast | awk '{
			printf "| %s | %d | %d | %.1f | %.1f | %.1f | %.1f | %.1f | %.1f | %d | %s |\n", $1, $2, $3, $6, $8, $6 / $8, $7, $9, $7 / $9, $4, $5 }'
	done
done
