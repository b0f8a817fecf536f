#!/bin/sh
# A test on a cluster with Slurm. The test proper is crash.sh beside this script; the nodes
# see both, and the directory of the candidate: whittle -j 32 --work-dir /shared/tmp ...
# What srun exits with is not believed, but what the node has written.
said=$(srun --quiet --ntasks=1 --immediate=60 --time=2 --chdir="$PWD" \
	sh -c '"$1" >&2; echo "code $?"' sh "$WHITTLE_TEST_DIR/crash.sh")
case $said in
"code "*) exit "${said#code }" ;;
esac
exit 75 # no node was free, or it went away
