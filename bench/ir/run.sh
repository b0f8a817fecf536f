#!/bin/bash
# Reduces LLVM IR with whittle and llvm-reduce, and MLIR with whittle, and prints a table: bench/ir/run.sh [DIRECTORY…].
# Each directory has small.ll or small.mlir and its test.sh. One wrapper counts the tests of both programs and keeps
# their candidates. LLVM's verifier reads these afterwards. WHITTLE is the program, LIMIT the seconds of a reduction.
# Needs opt-16, llc-16, llvm-reduce-16, mlir-opt-16, and jq. Use a TMPDIR in memory.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
[ $# -gt 0 ] || set -- "$here"/testdata/*
mapfile -t cases < <(realpath -- "$@")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
whittle=${WHITTLE:-whittle}

# wrap writes a test around the commands of the case's test, in which whittle finds the version of opt.
wrap() {
	cat <<END
#!/bin/bash
# llvm-reduce gives the path of the file; whittle leaves it in the current directory.
if [ \$# -gt 0 ]; then mkdir -p $work/own && cp "\$1" "$work/own/small.ll" && cd $work/own; fi
cp small.* "$work/kept/\$(wc -l <$work/log)"
(
$(sed 1d case/test.sh)
)
status=\$?
echo "\$status" "\$(cat small.* | wc -c)" >>$work/log
exit \$status
END
}

tokens() { # FILE
	mkdir -p counted && cp "$1" "counted/$input"
	"$whittle" reduce -q --no-journal --no-valid --no-sandbox --target-tokens 100000000 --stats counted/stats.json -o counted/result case/test.sh "counted/$input" >&2
	jq .tokens_before counted/stats.json
}

row() { # PROGRAM VERIFIER…
	local program=$1 result=result.${input##*.} start=$EPOCHREALTIME seconds different candidate valid=0
	shift
	rm -rf kept result.* && mkdir kept && : >log
	case $program in
	whittle) timeout "${LIMIT:-600}" "$whittle" reduce -q -j 1 --no-valid --no-sandbox -o "$result" "$work/wrapper" "$input" ;;
	*) timeout "${LIMIT:-600}" "$program" --test="$work/wrapper" -o "$result" "$input" ;;
	esac >"$program.log" 2>&1 || program="$program, stopped"
	seconds=$(awk "BEGIN { print int($EPOCHREALTIME - $start + .5) }")
	different=$(md5sum kept/* | cut -c 1-32 | sort -u | wc -l)
	for candidate in kept/*; do
		if "$@" "$candidate"; then valid=$((valid + 1)); fi
	done >verified 2>&1
	echo "| ${directory##*/} | $program | $(tokens "$input") → $(tokens "$result") | $(wc -c <"$result")" \
		"$(awk -v all="$(wc -c <"$input")" -v valid=$valid -v different="$different" -v s="$seconds" '
			BEGIN { least = all }
			NR <= 30 && $1 == 0 && $2 < least { least = $2 }
			END { printf "| %d | %d | %d | %.1f%% | %d of %d |", NR, different, s, 100 - 100 * least / all, valid, NR }' log)"
}

echo '| case | program | tokens | bytes | tests | different | s | bytes gone after 30 tests | valid |'
echo '|---|---|---:|---:|---:|---:|---:|---:|---:|'
for directory in "${cases[@]}"; do
	rm -f case small.* && ln -s "$directory" case
	cp case/small.* .
	input=$(echo small.*)
	wrap >wrapper && chmod +x wrapper
	case $input in
	*.ll)
		row whittle opt-16 -passes=verify -disable-output
		row llvm-reduce-16 opt-16 -passes=verify -disable-output
		;;
	*) row whittle mlir-opt-16 ;;
	esac
done
