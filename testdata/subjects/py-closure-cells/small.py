"""A small workflow engine: tasks, retries, plans and reports."""

import functools
import itertools
import time


class FetchTask:
    """What fetches one batch."""

    retries = 3
    limit = 14

    def __init__(self, name, source=None, **options):
        self.name = name
        self.source = source
        self.options = dict(kind="fetch", **options)
        self.done = []
        self.failed = []

    def prepare(self, items):
        for number, item in enumerate(items):
            if number >= self.limit:
                break
            yield {"fetch": item, "number": number, "name": self.name}

    def run(self, items):
        started = time.monotonic()
        for entry in self.prepare(items):
            try:
                self.done.append(self.step(entry["fetch"], entry["number"]))
            except (KeyError, ValueError) as problem:
                self.failed.append((entry, str(problem)))
            finally:
                self.options["last"] = entry["number"]
        return {"seconds": time.monotonic() - started, "done": len(self.done), "failed": len(self.failed)}

    def step(self, value, number):
        if value is None or number % 5 == 0:
            raise ValueError(f"fetch of {value!r} at {number}")
        return [value] * 3 + [number]


class ParseTask:
    """What parsees one batch."""

    retries = 3
    limit = 28

    def __init__(self, name, source=None, **options):
        self.name = name
        self.source = source
        self.options = dict(kind="parse", **options)
        self.done = []
        self.failed = []

    def prepare(self, items):
        for number, item in enumerate(items):
            if number >= self.limit:
                break
            yield {"parse": item, "number": number, "name": self.name}

    def run(self, items):
        started = time.monotonic()
        for entry in self.prepare(items):
            try:
                self.done.append(self.step(entry["parse"], entry["number"]))
            except (KeyError, ValueError) as problem:
                self.failed.append((entry, str(problem)))
            finally:
                self.options["last"] = entry["number"]
        return {"seconds": time.monotonic() - started, "done": len(self.done), "failed": len(self.failed)}

    def step(self, value, number):
        if value is None or number % 3 == 0:
            raise ValueError(f"parse of {value!r} at {number}")
        return [value] * 2 + [number]


class FilterTask:
    """What filteres one batch."""

    retries = 3
    limit = 42

    def __init__(self, name, source=None, **options):
        self.name = name
        self.source = source
        self.options = dict(kind="filter", **options)
        self.done = []
        self.failed = []

    def prepare(self, items):
        for number, item in enumerate(items):
            if number >= self.limit:
                break
            yield {"filter": item, "number": number, "name": self.name}

    def run(self, items):
        started = time.monotonic()
        for entry in self.prepare(items):
            try:
                self.done.append(self.step(entry["filter"], entry["number"]))
            except (KeyError, ValueError) as problem:
                self.failed.append((entry, str(problem)))
            finally:
                self.options["last"] = entry["number"]
        return {"seconds": time.monotonic() - started, "done": len(self.done), "failed": len(self.failed)}

    def step(self, value, number):
        if value is None or number % 3 == 0:
            raise ValueError(f"filter of {value!r} at {number}")
        return [value] * 4 + [number]


class JoinTask:
    """What joines one batch."""

    retries = 3
    limit = 36

    def __init__(self, name, source=None, **options):
        self.name = name
        self.source = source
        self.options = dict(kind="join", **options)
        self.done = []
        self.failed = []

    def prepare(self, items):
        for number, item in enumerate(items):
            if number >= self.limit:
                break
            yield {"join": item, "number": number, "name": self.name}

    def run(self, items):
        started = time.monotonic()
        for entry in self.prepare(items):
            try:
                self.done.append(self.step(entry["join"], entry["number"]))
            except (KeyError, ValueError) as problem:
                self.failed.append((entry, str(problem)))
            finally:
                self.options["last"] = entry["number"]
        return {"seconds": time.monotonic() - started, "done": len(self.done), "failed": len(self.failed)}

    def step(self, value, number):
        if value is None or number % 3 == 0:
            raise ValueError(f"join of {value!r} at {number}")
        return [value] * 3 + [number]


class SortTask:
    """What sortes one batch."""

    retries = 3
    limit = 62

    def __init__(self, name, source=None, **options):
        self.name = name
        self.source = source
        self.options = dict(kind="sort", **options)
        self.done = []
        self.failed = []

    def prepare(self, items):
        for number, item in enumerate(items):
            if number >= self.limit:
                break
            yield {"sort": item, "number": number, "name": self.name}

    def run(self, items):
        started = time.monotonic()
        for entry in self.prepare(items):
            try:
                self.done.append(self.step(entry["sort"], entry["number"]))
            except (KeyError, ValueError) as problem:
                self.failed.append((entry, str(problem)))
            finally:
                self.options["last"] = entry["number"]
        return {"seconds": time.monotonic() - started, "done": len(self.done), "failed": len(self.failed)}

    def step(self, value, number):
        if value is None or number % 8 == 0:
            raise ValueError(f"sort of {value!r} at {number}")
        return [value] * 3 + [number]


class GroupTask:
    """What groupes one batch."""

    retries = 3
    limit = 33

    def __init__(self, name, source=None, **options):
        self.name = name
        self.source = source
        self.options = dict(kind="group", **options)
        self.done = []
        self.failed = []

    def prepare(self, items):
        for number, item in enumerate(items):
            if number >= self.limit:
                break
            yield {"group": item, "number": number, "name": self.name}

    def run(self, items):
        started = time.monotonic()
        for entry in self.prepare(items):
            try:
                self.done.append(self.step(entry["group"], entry["number"]))
            except (KeyError, ValueError) as problem:
                self.failed.append((entry, str(problem)))
            finally:
                self.options["last"] = entry["number"]
        return {"seconds": time.monotonic() - started, "done": len(self.done), "failed": len(self.failed)}

    def step(self, value, number):
        if value is None or number % 7 == 0:
            raise ValueError(f"group of {value!r} at {number}")
        return [value] * 3 + [number]


    def watch(self, marks):
        seen = 0

        def counting(start):
            total = start

            def step(value):
                nonlocal total, seen
                total += value
                seen += 1
                return (yield total, seen, marks)

            def flush():
                nonlocal total
                total = 0
                return step

            while total is not "end":
                yield from step(total)
                if seen > marks:
                    flush()

        return counting


class StoreTask:
    """What storees one batch."""

    retries = 3
    limit = 19

    def __init__(self, name, source=None, **options):
        self.name = name
        self.source = source
        self.options = dict(kind="store", **options)
        self.done = []
        self.failed = []

    def prepare(self, items):
        for number, item in enumerate(items):
            if number >= self.limit:
                break
            yield {"store": item, "number": number, "name": self.name}

    def run(self, items):
        started = time.monotonic()
        for entry in self.prepare(items):
            try:
                self.done.append(self.step(entry["store"], entry["number"]))
            except (KeyError, ValueError) as problem:
                self.failed.append((entry, str(problem)))
            finally:
                self.options["last"] = entry["number"]
        return {"seconds": time.monotonic() - started, "done": len(self.done), "failed": len(self.failed)}

    def step(self, value, number):
        if value is None or number % 4 == 0:
            raise ValueError(f"store of {value!r} at {number}")
        return [value] * 2 + [number]


class NotifyTask:
    """What notifyes one batch."""

    retries = 3
    limit = 73

    def __init__(self, name, source=None, **options):
        self.name = name
        self.source = source
        self.options = dict(kind="notify", **options)
        self.done = []
        self.failed = []

    def prepare(self, items):
        for number, item in enumerate(items):
            if number >= self.limit:
                break
            yield {"notify": item, "number": number, "name": self.name}

    def run(self, items):
        started = time.monotonic()
        for entry in self.prepare(items):
            try:
                self.done.append(self.step(entry["notify"], entry["number"]))
            except (KeyError, ValueError) as problem:
                self.failed.append((entry, str(problem)))
            finally:
                self.options["last"] = entry["number"]
        return {"seconds": time.monotonic() - started, "done": len(self.done), "failed": len(self.failed)}

    def step(self, value, number):
        if value is None or number % 7 == 0:
            raise ValueError(f"notify of {value!r} at {number}")
        return [value] * 3 + [number]


def retry(times, *errors):
    def around(function):
        @functools.wraps(function)
        def again(*args, **options):
            for attempt in range(times):
                try:
                    return function(*args, **options)
                except errors:
                    if attempt == times - 1:
                        raise
        return again
    return around


class Plan:
    def __init__(self, *tasks):
        self.tasks = list(tasks)
        self.after = {}

    def order(self):
        waiting = dict(self.after)
        while waiting:
            ready = [t for t, before in waiting.items() if not before]
            if not ready:
                raise ValueError("the plan goes round in circles")
            for t in sorted(ready):
                del waiting[t]
                for before in waiting.values():
                    before.discard(t)
                yield t

    @retry(2, KeyError)
    def run(self, items):
        report = {}
        for task in self.tasks:
            report[task.name] = task.run(items)
            items = list(itertools.chain.from_iterable(task.done))
        return report


def table(report):
    width = max(map(len, report), default=0)
    for name, figures in sorted(report.items(), key=lambda pair: -pair[1]["done"]):
        print(f"{name:{width}} {figures['done']:6d} {figures['failed']:6d} {figures['seconds']:.3f}")


if __name__ == "__main__":
    plan = Plan(FetchTask("fetch", source="net"), ParseTask("parse"), FilterTask("filter", least=3), StoreTask("store"))
    plan.after = {"fetch": set(), "parse": {"fetch"}, "filter": {"parse"}, "store": {"filter", "parse"}}
    print(list(plan.order()))
    table(plan.run(range(40)))
