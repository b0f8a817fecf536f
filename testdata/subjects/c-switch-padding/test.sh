#!/bin/sh
# A proper program, in which a switch forgets a state and a job has a hole in front
# of its deadline, which follows a tag of one byte.
LC_ALL=C gcc -std=c11 -fsyntax-only -Wall -Wpadded -Werror=implicit-function-declaration -Werror=implicit-int small.c >out.txt 2>&1 || exit 1
grep -q "enumeration value 'ST_DRAINING' not handled in switch" out.txt || exit 1
grep -q "padding struct to align 'deadline'" out.txt
