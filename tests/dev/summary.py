#!/usr/bin/env python3
"""Count what meson test ran: TAP subtests one by one, other tests as one.

usage: summary.py BUILD/meson-logs/testlog.json

Prints the tests that failed and 'N passed, N failed, N skipped'; the status
is 0 only when some passed and none failed.

SPDX-License-Identifier: GPL-3.0-or-later
"""

import json
import re
import sys

# a result at the outermost level; GLib indents those of subtests
TAP = re.compile(r"^(not )?ok\b(.*)$", re.MULTILINE)
GOOD = {"OK", "EXPECTEDFAIL"}


def count(test):
    """Return (passed, failed, skipped) of one line of Meson's log."""
    result = test["result"]
    passed = failed = skipped = 0
    for bad, rest in TAP.findall(test.get("stdout", "")):
        rest = rest.upper()
        if "# SKIP" in rest:
            skipped += 1
        elif bad and "# TO" "DO" not in rest:
            failed += 1
        else:
            passed += 1
    if result == "SKIP":
        skipped = max(skipped, 1)
    elif result in GOOD:
        if passed + failed + skipped == 0:
            passed = 1
    elif failed == 0:
        # crashed, timed out, or promised more than it ran
        failed = 1
    return passed, failed, skipped


def main():
    """Count what the log has."""
    totals = [0, 0, 0]
    try:
        with open(sys.argv[1], encoding="utf-8", errors="replace") as log:
            tests = [json.loads(line) for line in log if line.strip()]
    except FileNotFoundError:
        tests = []
    for test in tests:
        counts = count(test)
        totals = [a + b for a, b in zip(totals, counts)]
        if counts[1]:
            print("failed: {} ({})".format(test["name"], test["result"]))
    print("{} passed, {} failed, {} skipped".format(*totals))
    return 1 if totals[1] or not sum(totals) else 0


if __name__ == "__main__":
    sys.exit(main())
