#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""extract.py HEADER OUTPUT: the C example of a header's comment, as a file."""
import re
import sys

header, output = sys.argv[1:]
with open(header, encoding='utf-8') as file:
    examples = re.findall(r'\|\[<!-- language="C" -->\n(.*?)^ \* \]\|$',
                          file.read(), re.DOTALL | re.MULTILINE)
if len(examples) != 1:
    sys.exit(f'{header} has {len(examples)} examples, not one')
lines = [line[3:] for line in examples[0].splitlines()]
with open(output, 'w', encoding='utf-8') as file:
    file.write('#include "isolux.h"\n\n')
    file.write('gboolean equalize_gray (guint8 *pixels, gint width, '
               'gint height, GError **error);\n\n')
    file.write('\n'.join(lines) + '\n')
