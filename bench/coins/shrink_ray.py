"""Shrink Ray with the coins of main.go: go run ./coins -print -needed 5 >5.c; python shrink_ray.py 5.c RATE BACKGROUND FIRST LAST."""
import random, re, sys, time
import trio
from shrinkray.nondeterminism import NondeterminismPolicy
from shrinkray.problem import BasicReductionProblem, sort_key_for_initial, InvalidInitialExample
from shrinkray.reducer import ShrinkRay
from shrinkray.work import WorkContext, Volume

path, rate, less, first, last = sys.argv[1], *map(float, sys.argv[2:4]), *map(int, sys.argv[4:6])
initial = open(path, "rb").read()
words = sorted(set(re.findall(rb"need\d+", initial)), key=lambda w: int(w[4:]))


def has(file):
    at = 0
    for w in words:
        at = file.find(w, at)
        if at < 0:
            return False
        at += len(w)
    return True


for seed in range(first, last):
    coins = random.Random(seed)
    runs = 0

    async def interesting(file):
        global runs
        runs += 1
        await trio.lowlevel.checkpoint()
        return coins.random() < (rate if has(file) else less)

    async def main():
        work = WorkContext(random=random.Random(0), volume=Volume.quiet, parallelism=1)
        problem = BasicReductionProblem(initial, interesting, work, sort_key=sort_key_for_initial(initial),
                                        policy=NondeterminismPolicy())
        reducer = ShrinkRay(target=problem, enable_cpp_passes=True, restart_at_fixpoint=False)
        await reducer.run()
        return problem

    began = time.time()
    try:
        problem = trio.run(main)
    except InvalidInitialExample:
        print(seed, "refused", runs, flush=True)
        continue
    file = problem.current_test_case
    print(seed, "bytes", len(file), "tokens", len(re.findall(rb"\w+|[^\w\s]", file)), "runs", runs,
          "has" if has(file) else "LOST", "flaky" if problem.nondeterministic else "stable", f"{time.time()-began:.0f}s", flush=True)
