#!/bin/sh
# A pass of MLIR 16 changes the last operation in the body of a linalg.generic.
timeout 20 mlir-opt-16 --pass-pipeline='builtin.module(cse,sccp,convert-linalg-to-llvm,symbol-dce)' small.mlir >out.txt 2>&1 && exit 1
grep -q "expects regions to end with 'linalg.yield', found 'llvm.return'" out.txt
