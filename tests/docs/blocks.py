#!/usr/bin/env python3
# blocks - writes the fenced blocks of a Markdown file to files.
#
#   blocks.py FILE.md DIR
#
# DIR/01.scheme, DIR/02.sh, ...: named by their place and kind.
#
# SPDX-License-Identifier: GPL-3.0-or-later

import re
import sys
from pathlib import Path


def main():
    text = Path(sys.argv[1]).read_text(encoding='utf-8')
    folder = Path(sys.argv[2])
    blocks = re.findall(r'^```(\w*)\n(.*?)^```$', text,
                        re.DOTALL | re.MULTILINE)
    for number, (kind, body) in enumerate(blocks, 1):
        name = f'{number:02}.{kind or "text"}'
        (folder / name).write_text(body, encoding='utf-8')


if __name__ == '__main__':
    main()
