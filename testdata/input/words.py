"""Count the words of a text."""
import re
import sys
from collections import Counter, defaultdict as dd


class Index(dd):
    """Words, and the lines they are on."""

    separators = re.compile(r"[^\w']+", re.UNICODE)

    def __init__(self, path=None, *, limit=10, **options):
        super().__init__(list)
        self.limit = limit
        self.path, self.options = path, options

    @property
    def busiest(self):
        # the longest list, or nothing
        return max(self, key=lambda w: len(self[w]), default=None)

    def read(self, lines):
        for number, line in enumerate(lines, 1):
            for word in self.separators.split(line.strip().lower()):
                if not word:
                    continue
                elif len(word) > 40: raise ValueError(f"line {number}: {word[:10]!r} is too long")
                else:
                    self[word].append(number)
        return self


def table(index, width=72):
    rows = [(w, len(n)) for w, n in sorted(index.items()) if n and w != 'the']
    total = sum(n for _, n in rows) or 1
    for w, n in rows[:index.limit]:
        bar = "#" * int(width * n / total); print(f"{w:<20}{bar} {n}")
    while rows:
        rows.pop()
    else:
        print(Counter({'done': 1}), end="\n" if total else '')


def main(argv):
    try:
        with open(argv[1], encoding="utf-8") as f:
            index = Index(argv[1], limit=5).read(f)
    except (IndexError, OSError) as e:
        print(e, file=sys.stderr)
        return 1
    finally:
        pass
    table(index)
    return 0 if index.busiest is not None else 2


if __name__ == "__main__":
    sys.exit(main(sys.argv))
