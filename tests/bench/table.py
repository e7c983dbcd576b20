#!/usr/bin/env python3
"""Tables for the README of what isolux-bench --json wrote.

  table.py FILE.json...

One line for each operation and type: of the photograph-like picture, of the
worst of the others, the floor (reading and writing the same bytes in the same
run), its share of the photograph's time, and the peer.  Several files are
taken together; a later one replaces what an earlier one says of the same.

SPDX-License-Identifier: GPL-3.0-or-later
"""
import json
import sys

COLORS = {1: 'gray', 2: 'gray-a', 3: 'rgb', 4: 'rgba'}


def load(paths):
    """Heads of the files, and all rows by what they are about."""
    heads, rows, tables = [], {}, []
    for path in paths:
        with open(path, encoding='utf-8') as file:
            data = json.load(file)
        heads.append({k: v for k, v in data.items() if isinstance(v, str)})
        tables += data.get('end to end', [])
        for row in data['rows']:
            key = tuple(row[k] for k in ('section', 'operation', 'type', 'data',
                                         'layout', 'on', 'width', 'height',
                                         'components', 'threads'))
            rows[key] = row
    return heads, list(rows.values()), tables


def number(value):
    """Three digits."""
    if value is None:
        return '-'
    return f'{value:.0f}' if value >= 100 else \
        f'{value:.1f}' if value >= 10 else f'{value:.2f}'


def size(row):
    """A name for the size of a row's picture."""
    if (row['width'], row['height']) == (1920, 1080):
        return '1080p'
    if row['width'] == row['height']:
        return f"{row['width']:.0f}²"
    return f"{row['width']:.0f}x{row['height']:.0f}"


def image(row):
    """What a row's picture is made of."""
    return f"{COLORS[int(row['components'])]} {row['type']}"


def line(cells):
    """A row of a table."""
    print('| ' + ' | '.join(cells) + ' |')


def head(cells):
    """A table's head; cells that begin with '>' are numbers."""
    line([c.lstrip('>') for c in cells])
    line(['---:' if c.startswith('>') else '---' for c in cells])


def grouped(rows, keys):
    """Rows by keys, in the order in which those first came."""
    groups = {}
    for row in rows:
        groups.setdefault(tuple(row[k] for k in keys), []).append(row)
    return groups.values()


def times(rows, scale):
    """Of the photograph, of the worst of the others, floor and share."""
    photo = [r['median'] for r in rows if r['data'] == 'photo']
    others = [r['median'] for r in rows if r['data'] != 'photo']
    median = photo[0] if photo else max(others)
    floor = rows[0]['floor']
    return [number(photo[0] * scale) if photo else '-',
            number(max(others) * scale) if others else '-',
            number(floor * scale) if floor else '-',
            f'{100 * floor / median:.0f}%' if floor else '-']


def device(rows):
    """Pixels on the GPU before and after, microseconds."""
    print('\nOn the GPU, microseconds:\n')
    head(['operation', 'image', 'size', '>photo', '>worst other', '>floor',
          '>share', 'peer', '>photo', '>worst other'])
    for group in grouped(rows, ('width', 'height', 'layout', 'operation',
                                'type')):
        row = group[0]
        layout = '' if row['layout'] == 'plain' else f" {row['layout']}"
        photo = [r['peer_median'] for r in group
                 if r['data'] == 'photo' and 'peer' in r]
        others = [r['peer_median'] for r in group
                  if r['data'] != 'photo' and 'peer' in r]
        line([row['operation'], image(row) + layout, size(row)]
             + times(group, 1000.0)
             + [row.get('peer', '-')]
             + [number(max(some) * 1000.0) if some else '-'
                for some in (photo, others)])


def cpu(rows):
    """On the CPU, milliseconds, threads beside each other."""
    print('\nOn the CPU, milliseconds:\n')
    head(['operation', 'image', 'size', '>threads', '>photo', '>worst other',
          '>floor', '>share', 'peer', '>peer', '>times'])
    for group in grouped(rows, ('width', 'height', 'layout', 'operation',
                                'type', 'threads')):
        row = next((r for r in group if r['data'] == 'photo'), group[0])
        peer = row.get('peer_median')
        line([row['operation'], image(row), size(row), f"{row['threads']:.0f}"]
             + times(group, 1.0)
             + [row.get('peer', '-'), number(peer),
                f"{peer / row['median']:.1f}" if peer else '-'])


def host(rows):
    """From host memory to host memory, milliseconds."""
    print('\nFrom host memory to host memory, milliseconds:\n')
    head(['operation', 'image', 'size', 'on', '>threads', '>photo', '>reading',
          '>operation', '>writing', '>floor'])
    for row in rows:
        if row['data'] == 'photo':
            line([row['operation'], image(row), size(row), row['on'],
                  f"{row['threads']:.0f}"]
                 + [number(row[k]) for k in ('median', 'read', 'operate',
                                             'write', 'floor')])


def main():
    """Prints the tables of the files that are named."""
    if len(sys.argv) < 2 or sys.argv[1].startswith('-'):
        print(__doc__.strip(), file=sys.stderr)
        return 2
    heads, rows, tables = load(sys.argv[1:])
    for one in heads:
        print(', '.join(f'{k}: {v}' for k, v in one.items() if k != 'unit'))
    for name, show in (('device', device), ('cpu', cpu), ('rows', host)):
        some = [r for r in rows if r['section'] == name]
        if some:
            show(some)
    if tables:
        print('\nFrames, and end to end:\n')
        for cells in tables:
            line(cells)
    return 0


if __name__ == '__main__':
    sys.exit(main())
