#!/bin/bash
# Reduces six programs that fail only sometimes, and prints a row of a table for each: bench/flaky/run.sh [NAME…].
# WHITTLE is the program; MINUTES is the limit of a reduction. Needs tcc, go, rustc, python3, and pip.
set -eu
here=$(cd "$(dirname "$0")" && pwd)/testdata
whittle=${WHITTLE:-whittle}
work=$(mktemp -d)
echo "$work" >&2
export LARK=$work/venv GOCACHE=$work/gocache

rate() { # TEST FILE RUNS
	local yes=0 copy
	copy=$(mktemp -d "$work/rate.XXXXXX")
	for _ in $(seq "$3"); do
		cp "$2" "$copy/$4"
		if (cd "$copy" && WHITTLE_TEST_DIR=$here "$1" >said 2>&1); then yes=$((yes + 1)); fi
	done
	echo "$yes of $3"
}

for file in ${*:-config.lark account.c router.go counter.rs locks.c reload.c}; do
	case $file in
	*.lark)
		test=lark
		python3 -m venv "$LARK" && "$LARK/bin/pip" -q install lark==1.1.5 >&2
		;;
	*) test=${file%.*} ;;
	esac
	before=$(rate "$here/$test.sh" "$here/$file" 40 "$file")
	mkdir "$work/$test"
	cp "$here"/* "$work/$test"
	(
		cd "$work/$test"
		$whittle reduce -j 1 --max-time "${MINUTES:-10}m" --stats stats.json -o small "$test.sh" "$file" 2>log || tail -3 log >&2
	)
	said=$(sed -n 's/.*; \([0-9,]* runs\) in all.*/\1/p' "$work/$test/log" | tail -1)
	size=$(sed -n 's/.*: \([0-9,]*\) -> \([0-9,]*\) tokens.*, \([0-9,]*\) tests in \([^;]*\).*/\1 → \2 | \3 | \4/p' "$work/$test/log" | tail -1)
	echo "| $file | $before | $(rate "$here/$test.sh" "$work/$test/small" 100 "$file") | $size | $said |"
done
