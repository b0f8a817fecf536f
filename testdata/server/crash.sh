#!/bin/sh
# A test server in shell: a file is interesting if the compiler crashes on it.
while read -r path; do
	cd "$(dirname "$path")" || exit
	if cc -c "$(basename "$path")" -o out.o </dev/null 2>&1 | grep -q 'internal compiler error'; then
		echo interesting
	else
		echo uninteresting
	fi
done
