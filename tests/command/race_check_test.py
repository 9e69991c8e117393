#!/usr/bin/env python3
"""race_check_test.py RACE-CHECK OLD.json: the check passes a race like the old one, and fails one in which a single number is
worse; with a fifth as the bound."""
import copy
import json
import os
import subprocess
import sys
import tempfile

check, old = sys.argv[1:]
kept = json.load(open(old, encoding="utf-8"))


def code(change):
    new = copy.deepcopy(kept)
    change(new["results"])
    with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
        json.dump(new, file)
        file.flush()
        return subprocess.run([check, file.name, old], env={**os.environ, "REEVE_RACE": ""}, stdout=subprocess.DEVNULL).returncode


def scale(field, factor):
    def change(results):
        first = next(r for r in results if r["engine"] == "reeve" and r[field])
        first[field] *= factor
    return change


cases = {"the same": (0, lambda results: None),
         "a ratio 15 % worse": (0, scale("ratio", 1.15)),
         "a ratio 25 % worse": (1, scale("ratio", 1.25)),
         "at equal accuracy 25 % worse": (1, scale("accurate_ratio", 1.25)),
         "a rival gone": (1, scale("ratio", 0)),
         "a race gone": (1, lambda results: results.remove(next(r for r in results if r["engine"] == "reeve"))),
         "fails": (1, lambda results: next(r for r in results if r["engine"] == "reeve").update(failed=True)),
         "an error of a thousandth": (1, lambda results: next(r for r in results if r["race"] == "moving tackle").update(error=1e-3))}
wrong = [name for name, (wanted, change) in cases.items() if code(change) != wanted]
if wrong:
    sys.exit(f"race-check is wrong of: {', '.join(wrong)}")
