#!/bin/sh
# A lost update between threads: two runs print different numbers.
rustc --edition 2021 -C panic=abort -C debuginfo=0 -o counter counter.rs 2>&1 || exit 125
one=$(timeout 5 ./counter 2>&1) && two=$(timeout 5 ./counter 2>&1) && [ "$one" != "$two" ]
