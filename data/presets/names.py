#!/usr/bin/env python3
# names - the names of the presets, in a form that xgettext reads.
#
#   names.py [--check]
#
# Writes names.h beside the presets, or says whether it is up to date.
#
# SPDX-License-Identifier: GPL-3.0-or-later

import re
import sys
from pathlib import Path

FOLDER = Path(__file__).resolve().parent


def main():
    lines = ['/* SPDX-License-Identifier: GPL-3.0-or-later */',
             '/* Made by names.py for xgettext; nothing includes it. */',
             '/* clang-format off */']
    seen = set()
    for path in sorted(FOLDER.glob('*.ini')):
        names = re.findall(r'^Name=(.*)$', path.read_text(encoding='utf-8'),
                           re.MULTILINE)
        for name in names:
            if name not in seen:
                seen.add(name)
                lines.append(f'/* a preset of {path.stem} */')
                lines.append(f'N_("{name}")')
    text = '\n'.join(lines) + '\n'

    target = FOLDER / 'names.h'
    if '--check' in sys.argv[1:]:
        if not target.exists() or target.read_text(encoding='utf-8') != text:
            sys.exit('data/presets/names.h is out of date: run names.py')
        return
    target.write_text(text, encoding='utf-8')


if __name__ == '__main__':
    main()
