#!/bin/sh
# A test on one of some machines by ssh, which share no directory with this one. The test
# proper is crash.sh beside this script.
host=$(printf '%s\n' ${HOSTS:-localhost} | shuf -n 1)
said=$({
	tar -cf - -C "$WHITTLE_TEST_DIR" crash.sh -C "$PWD" .
} | ssh -o BatchMode=yes -o ConnectTimeout=10 "$host" '
	dir=$(mktemp -d) && trap "rm -rf \"$dir\"" EXIT && cd "$dir" && tar -xf - || exit
	timeout 60 ./crash.sh >&2
	echo "code $?"')
case $said in
"code 124") exit 125 ;; # it took too long
"code "*) exit "${said#code }" ;;
esac
exit 75 # the machine does not answer
