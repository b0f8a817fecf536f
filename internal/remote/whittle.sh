#!/bin/sh
# whittle.sh SECONDS BLOCKS INPUT TEMPORARY OUTPUT CHECK PROGRAM [ARGUMENT...]
#
# Runs a test of whittle in a directory of its own, with a copy of the candidate, which the
# test may change. Prints one line, "whittle 1" and how the test ended; whatever else comes
# out was none of the test's doing. Exits with 0, so that servers remember it, but for what
# they should not.
seconds=$1 blocks=$2 input=$3 temporary=$4 output=$5 check=$6
shift 6

root=$(pwd -P) || exit 1
work=$root/whittle.work
mkdir "$work" && cp -RP "$root/candidate" "$work/test" && chmod -R u+w "$work/test" &&
	mkdir "$work/$temporary" || exit 1
[ "$input" = /dev/null ] || input=$work/test/$input
[ -r "$input" ] || exit 1
[ "$output" = /dev/null ] || output=$root/$output
: "${PATH:=/usr/local/bin:/usr/bin:/bin}"
WHITTLE_TEST_DIR=$root/test TMPDIR=$work/$temporary
TMP=$TMPDIR TEMP=$TMPDIR
export PATH WHITTLE_TEST_DIR TMPDIR TMP TEMP

# Files of the test have names from here on.
for word; do
	shift
	while case $word in *whittle-test:*) ;; *) false ;; esac; do
		word=${word%%whittle-test:*}$WHITTLE_TEST_DIR/${word#*whittle-test:}
	done
	set -- "$@" "$word"
done
if [ -n "$check" ] && ! (cd "$work" && /bin/sh -c "$check") </dev/null >/dev/null 2>&1; then
	echo "whittle 1 unfit"
	exit 1
fi
if ! command -v "$1" >/dev/null 2>&1; then
	echo "whittle 1 missing"
	exit 1
fi

group=
command -v setsid >/dev/null 2>&1 && group=setsid
ulimit -c 0 2>/dev/null
[ "$blocks" -eq 0 ] || ulimit -f "$blocks" 2>/dev/null
cd "$work/test" || exit 1

# The test has a group of its own, and in it somebody who watches: it ends the group if the
# test takes too long, or if this script is gone, as a server without a sandbox may kill it
# and its group. The watch is no child of the test, which may wait for all it has.
#
# Of what a signal ended the shell says so on its standard error, as exit codes from 129 do
# not tell; or there are codes that no program has.
{
	(exec $group /bin/sh -c '
		echo $$ >"$2.test"
		( (
			left=$3
			while kill -0 "$1"; do
				if [ "$3" -gt 0 ] && [ "$left" -eq 0 ]; then
					: >"$2.late"
					break
				fi
				left=$((left - 1))
				sleep 1 || exit
			done
			kill -9 "$4$$"
		) </dev/null >/dev/null 2>&1 &)
		shift 4
		exec "$@"
	' sh $$ "$root/whittle" "$seconds" "${group:+-}" "$@") <"$input" >"$output" 2>&1
	code=$?
} 2>"$root/whittle.died"
[ -z "$group" ] || { read -r test <"$root/whittle.test" && kill -9 "-$test" 2>/dev/null; }

# What fails where the worker has no room left says nothing of the candidate, unless that
# took the room. A limit of files holds for this shell, too.
room() {
	printf '%65536s' x >"$root/whittle.room"
} 2>/dev/null
if { [ "$blocks" -eq 0 ] || [ "$blocks" -ge 128 ]; } && ! room; then
	rm -rf "$work"
	room || exit 1
fi
signal=0
if [ "$code" -gt 256 ]; then
	signal=$((code % 128)) code=$((128 + code % 128))
elif [ "$code" -gt 128 ] && [ -s "$root/whittle.died" ]; then
	signal=$((code - 128))
fi
if [ "$code" -eq 137 ] && [ -e "$root/whittle.late" ]; then
	echo "whittle 1 late"
	exit 1
elif [ "$signal" -gt 0 ]; then
	echo "whittle 1 signal $signal"
else
	echo "whittle 1 $code"
fi
exit 0
