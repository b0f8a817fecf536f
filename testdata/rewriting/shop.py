"""Accounts of a small shop."""
import sys
from collections import defaultdict


class Account:
    def __init__(self, owner, balance=0):
        self.owner = owner
        self.balance = balance
        self.history = []

    def deposit(self, amount):
        if amount < 0:
            raise ValueError("negative")
        self.balance += amount
        self.history.append(("deposit", amount))
        return self

    def withdraw(self, amount):
        if amount > self.balance:
            raise ValueError("too much")
        self.balance -= amount
        self.history.append(("withdraw", amount))
        return self


def average(values):
    total = 0
    for v in values:
        total += v
    return total / len(values)


def report(accounts, only=None):
    by_owner = defaultdict(list)
    for a in accounts:
        by_owner[a.owner].append(a.balance)
    lines = []
    for owner, balances in sorted(by_owner.items()):
        if only is not None and owner != only:
            balances = []
        mean = average(balances)
        lines.append(f"{owner}: {mean:.2f}")
    return "\n".join(lines)


def main(argv):
    accounts = [Account("ann", 10), Account("bob").deposit(5), Account("ann").deposit(7)]
    accounts[0].withdraw(3)
    only = argv[1] if len(argv) > 1 else "ann"
    print(report(accounts, only))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))
