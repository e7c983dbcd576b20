#!/usr/bin/env python3
# corpus - what the fuzzer found worth keeping, through the reader as it is
# installed.
#
#   corpus.py READER CORPUS
#
# Each file must end in time, and with a whole stream of records; only GDCM's
# own assertions may end the reader, and, of the files named crash-*, what
# GDCM's faults do: it depends on how memory lies.  Reports by TAP.
#
# SPDX-License-Identifier: GPL-3.0-or-later

import subprocess
import sys
from pathlib import Path

from reader import plan, records, result


def trouble(reader, path):
    try:
        run = subprocess.run([reader, '--overlays', '--tags', str(path)],
                             stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                             timeout=60, check=False)
    except subprocess.TimeoutExpired:
        return 'it does not end'
    said = run.stderr.decode('utf-8', 'replace')
    if path.name.startswith('crash-') and (
            run.returncode < 0 or 'libgdcm' in said and 'Sanitizer' in said):
        return None
    if run.returncode == -6 and 'Source/' in said and 'Assertion' in said:
        return None
    if run.returncode not in (0, 1):
        return f'status {run.returncode}: {said[-300:]}'
    try:
        last = records(run.stdout)[-1][0][0][0]
    except (IndexError, ValueError) as error:
        return f'no records: {error}'
    if last != ('end' if run.returncode == 0 else 'error'):
        return f'the last record is {last}, the status {run.returncode}'
    return None


def main():
    reader, folder = sys.argv[1], Path(sys.argv[2])
    files = sorted(folder.iterdir())
    bad = []
    for path in files:
        problem = trouble(reader, path)
        if problem:
            bad.append(f'{path.name}: {problem}')
    result(len(files) < 50 and len(files), f'there are {len(files)} files')
    result(bad, 'each ends with a whole stream')
    return plan()


if __name__ == '__main__':
    sys.exit(main())
