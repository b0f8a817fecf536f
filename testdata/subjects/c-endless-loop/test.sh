#!/bin/sh
# With -O2 gcc makes an endless loop of one that ends, if sums wrap around, when a
# number becomes negative: without -O2 there is still a jump for that.
gcc -std=c11 -w -O2 -S -o fast.s small.c 2>/dev/null || exit 1
tr '\n' ' ' <fast.s | grep -Eq '\.L([0-9]+):[[:space:]]+jmp[[:space:]]+\.L\1[[:space:]]' || exit 1
gcc -std=c11 -w -O0 -S -o slow.s -Werror=implicit-function-declaration small.c 2>/dev/null || exit 1
grep -q 'jns' slow.s
