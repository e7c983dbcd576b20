#!/usr/bin/env python3
# reader - what isolux-dicom-reader says of the files that files.py makes,
# and of those in a folder of others', without GIMP.
#
#   reader.py READER DIR [OTHERS]
#
# Compares every value with the numbers that went into the files, and with
# pydicom's reading where it has a decoder.  Reports by TAP.
#
# SPDX-License-Identifier: GPL-3.0-or-later

import json
import subprocess
import sys
import warnings
from pathlib import Path

import numpy as np
import pydicom

warnings.filterwarnings('ignore')
TYPES = {'u8': '=u1', 's8': '=i1', 'u16': '=u2', 's16': '=i2', 'u32': '=u4',
         's32': '=i4', 'f32': '=f4', 'f64': '=f8', 'rgb8': '=u1',
         'rgb16': '=u2'}


def records(raw):
    """[(fields, bytes)], fields a list of (key, value)"""
    out = []
    at = 0
    while at < len(raw):
        end = raw.index(b'\n\n', at)
        fields = [tuple(line.split('=', 1)) for line in
                  raw[at:end].decode('utf-8', 'replace').split('\n')]
        at = end + 2
        size = int(dict(fields).get('bytes', 0))
        out.append((fields, raw[at:at + size]))
        at += size
    return out


def read(reader, path, *options):
    run = subprocess.run([reader, *options, str(path)],
                         stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    return [r for r in records(run.stdout) if r[0][0][0] != 'progress']


def values(all_records):
    """frames x rows x columns (x 3) in real units"""
    header = dict(all_records[0][0])
    color = header['pixel'].startswith('rgb')
    shape = (int(header['rows']), int(header['columns'])) \
        + ((3,) if color else ())
    out = []
    for fields, raw in all_records[1:]:
        facts = dict(fields)
        if 'frame' not in facts:
            continue
        samples = np.frombuffer(raw, TYPES[header['pixel']]).reshape(shape)
        if color or header['pixel'][0] == 'f' and \
                float(facts['slope']) == 1 and float(facts['intercept']) == 0:
            out.append(samples)
        else:
            out.append(samples * float(facts['slope'])
                       + float(facts['intercept']))
    return np.stack(out)


count = 0
failed = False


def result(bad, text):
    global count, failed
    count += 1
    failed |= bool(bad)
    print(f'{"not ok" if bad else "ok"} {count} - {text}')
    if bad:
        print('#  ', bad)


def plan():
    print(f'1..{count}')
    return int(failed)


def difference(got, wanted, tolerance):
    if got.shape != wanted.shape:
        return f'{got.shape}, not {wanted.shape}'
    wrong = ~((np.abs(got - wanted.astype(float)) <= tolerance)
              | (np.isnan(got) & np.isnan(wanted.astype(float))))
    if wrong.any():
        at = tuple(np.argwhere(wrong)[0])
        return (f'{wrong.sum()} of {wrong.size} values, first at {at}: '
                f'{got[at]}, not {wanted[at]}')
    return None


def main():
    reader, folder = sys.argv[1], Path(sys.argv[2])
    for name in json.loads((folder / 'names.json').read_text()):
        expected = json.loads((folder / f'{name}.json').read_text())
        wanted = np.load(folder / f'{name}.npz')['values']
        try:
            got = read(reader, folder / f'{name}.dcm')
            if got[-1][0][0][0] != 'end':
                result(got[-1][0], name)
                continue
            got = values(got)
        except Exception as error:
            result(repr(error), name)
            continue
        result(difference(got, wanted, expected['tolerance']), name)
    return plan()


if __name__ == '__main__':
    sys.exit(main())
