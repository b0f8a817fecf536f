#!/bin/sh
# The interestingness test of the demonstration:
#
#     whittle reduce test.sh ledger.c
#
# ledger.c prints "refund: 4294966546".  Three tea tins at 2.50 came back, so
# it should say -750.  Which part of the program gets this wrong?
#
# A test is any executable.  It is run without arguments in a fresh directory
# that holds the candidate under its own name, and it exits 0 if the candidate
# is still interesting: here, if it is a proper C program that still prints
# the wrong line.  It may leave files behind, and several copies may run at the
# same time, each in its own directory.

# 1. Cheap questions first: most candidates are bad, so say no early.
grep -q 'refund: ' ledger.c || exit 1

# 2. Limit everything.  Candidates loop for ever, fill the disk or eat all the
#    memory sooner or later.  Not every system knows every limit.
ulimit -c 0 2>/dev/null             # no core dumps
ulimit -t 10 2>/dev/null            # seconds of processor time
ulimit -f 16384 2>/dev/null         # size of a file, in blocks of 512 bytes
ulimit -v 2000000 2>/dev/null       # memory, in kilobytes

if command -v timeout >/dev/null 2>&1; then
    limit() { timeout "$@"; }
else
    limit() { shift; "$@"; }        # the limits above have to do
fi

# 3. Ask for a proper program.  A reducer takes whatever you let pass: without
#    these errors the result calls functions that do not exist, or prints
#    variables that were never set, and shows some other bug than yours.
limit 10 ${CC:-cc} -std=c99 -O0 -pipe -o ledger ledger.c \
    -pedantic-errors \
    -Werror=implicit-function-declaration \
    -Werror=implicit-int \
    -Werror=int-conversion \
    -Werror=incompatible-pointer-types \
    -Werror=return-type \
    -Werror=strict-prototypes \
    -Werror=uninitialized \
    -Werror=format \
    >/dev/null 2>&1 || exit 1

# 4. Run it: it has to end well, and soon.
(ulimit -t 2; limit 2 ./ledger) >out 2>/dev/null </dev/null || exit 1

# 5. Ask for the symptom exactly: the whole line, the very number.  "Not -750"
#    or "any large number" would let the reducer slip to a different bug.
grep -qx 'refund: 4294966546' out
