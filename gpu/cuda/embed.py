#!/usr/bin/env python3
# embed - makes C of the fat binary, so that it travels in the library.
#
#   embed.py OUTPUT.c TOOLKIT [FATBIN]
#
# TOOLKIT is the version of CUDA that made it, as drivers count (13000 is
# 13.0).  Without FATBIN the image is empty.
#
# SPDX-License-Identifier: GPL-3.0-or-later

import sys
from pathlib import Path

BYTES_PER_LINE = 32


def literal(data):
    """data as C string literals, one a line"""
    escaped = [f'\\{byte:03o}' for byte in range(256)]
    for start in range(0, max(len(data), 1), BYTES_PER_LINE):
        line = data[start:start + BYTES_PER_LINE]
        yield '  "' + ''.join(escaped[byte] for byte in line) + '"'


def main():
    output, toolkit = sys.argv[1:3]
    data = Path(sys.argv[3]).read_bytes() if len(sys.argv) > 3 else b''
    lines = [
        '/* Made by embed.py. */',
        '#include "cuda/driver.h"',
        '',
        f'const gsize isolux_cuda_image_size = {len(data)};',
        f'const gint  isolux_cuda_image_toolkit = {int(toolkit)};',
        '',
        '/* aligned as the driver wants it */',
        'const guint8 isolux_cuda_image[] __attribute__ ((aligned (64))) =',
        *literal(data),
        '  ;',
        '',
    ]
    Path(output).write_text('\n'.join(lines), encoding='ascii')


if __name__ == '__main__':
    main()
