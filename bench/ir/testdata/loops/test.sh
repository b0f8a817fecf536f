#!/bin/sh
# Passes of MLIR 16 use a value where it is not defined. The module is valid before them.
mlir-opt-16 small.mlir >out.txt 2>&1 || exit 1
timeout 20 mlir-opt-16 --pass-pipeline='builtin.module(func.func(affine-loop-fusion,affine-data-copy-generate,cse))' \
	small.mlir >out.txt 2>&1 && exit 1
grep -q 'operand #[0-9]* does not dominate this use' out.txt
