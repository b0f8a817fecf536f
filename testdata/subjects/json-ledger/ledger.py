"""Tells whether a ledger has an entry that should not be: above the day's limit of the
account it comes from, to an account of another currency that was closed, at a
known rate, with parts that come to its amount."""
import json
import sys

try:
    with open("small.json", encoding="utf-8") as file:
        ledger = json.load(file)
    accounts = {a["id"]: a for a in ledger["accounts"]}
    closed = [c["account"] for c in ledger["closed"]]
    for entry in ledger["book"]:
        here, there = accounts[entry["from"]], accounts[entry["to"]]
        rate = ledger["bank"]["rates"][here["currency"]].get(there["currency"]) if here["currency"] != there["currency"] else None
        parts = entry.get("parts", [])
        if rate and there["id"] in closed and entry["amount"] > here["limits"]["day"] and \
                len(parts) > 1 and sum(p["amount"] for p in parts) == entry["amount"]:
            sys.exit(0)
except (KeyError, TypeError, ValueError, AttributeError):
    pass
sys.exit(1)
