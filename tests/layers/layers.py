#!/usr/bin/env python3
# layers - who includes whom, and what the rooms must not do (see
# CONTRIBUTING.md).
#
#   layers.py SOURCE_DIR
#
# Reports by TAP.  Each rule is first shown to find a planted violation, so
# that a rule which never fires cannot pass for one that holds.
#
# SPDX-License-Identifier: GPL-3.0-or-later

import re
import sys
from pathlib import Path

SOURCES = ('.c', '.h', '.cc', '.cu', '.cuh', '.inc')

# What a room may include with <...>, besides the C library and GLib
C_LIBRARY = (
    r'(assert|ctype|errno|fcntl|float|inttypes|limits|locale|math|setjmp|'
    r'signal|stdalign|stdarg|stdatomic|stdbool|stddef|stdint|stdio|stdlib|'
    r'string|strings|time|unistd|sched)\.h|sys/[a-z]+\.h')
GLIB = r'glib\.h|glib/[a-z0-9-]+\.h|glib-object\.h|gobject/[a-z]+\.h'

# Own headers are written relative to the file.
ROOMS = [
    # (name, folder, allowed in <...>, allowed in "...")
    ('gpu/core', 'gpu/core',
     [C_LIBRARY, GLIB, r'gmodule\.h', r'gio/gio\.h', r'omp\.h'],
     [r'(\.\./)?isolux\.h', r'[a-z0-9-]+\.(h|inc)']),
    ('gpu/cpu', 'gpu/cpu',
     [C_LIBRARY, GLIB, r'omp\.h', r'[a-z]*intrin\.h', r'arm_neon\.h'],
     [r'(\.\./)?isolux\.h', r'\.\./core/[a-z0-9-]+\.(h|inc)',
      r'[a-z0-9-]+\.(h|inc)']),
    ('gpu/cuda', 'gpu/cuda',
     [C_LIBRARY, GLIB, r'gmodule\.h', r'cuda\.h', r'cuda_fp16\.h'],
     [r'(\.\./)?isolux\.h', r'\.\./core/[a-z0-9-]+\.(h|inc)',
      r'[a-z0-9-]+\.(h|cuh|inc)']),
    ('plugin/common', 'plugin/common',
     [C_LIBRARY, GLIB],
     [r'isolux\.h', r'[a-z0-9-]+\.h']),
    ('plugin/operations', 'plugin/operations',
     [C_LIBRARY, GLIB, r'isolux\.h', r'gegl[a-z-]*\.h', r'babl/babl\.h',
      r'gio/gio\.h'],
     [r'isolux\.h', r'config\.h', r'gegl-op\.h', r'settings\.h',
      r'real-values\.h', r'[a-z0-9-]+\.[ch]']),
    ('plugin/procedures', 'plugin/procedures',
     [C_LIBRARY, GLIB, r'isolux\.h',
      r'libgimp/(gimp|gimpui|stdplugins-intl)\.h',
      r'gegl(-paramspecs)?\.h', r'gtk/gtk\.h', r'gio/gio\.h',
      r'babl/babl\.h', r'json-glib/json-glib\.h'],
     [r'isolux\.h', r'(\.\./)*ui/[a-z0-9-]+\.h',
      r'(\.\./)?[a-z0-9-]+\.h']),
    ('plugin/dicom', 'plugin/dicom',
     [C_LIBRARY, GLIB, r'gio/gio\.h', r'glib/gstdio\.h',
      r'libgimp/(gimp|gimpui)\.h'],
     [r'real-values\.h', r'(\.\./)?[a-z0-9-]+\.h']),
    ('plugin/dicom/reader', 'plugin/dicom/reader',
     [C_LIBRARY, GLIB, r'gio/gio\.h', r'gdcm[A-Za-z]+\.h',
      r'c(errno|math|stdio|stdlib|string)|algorithm|fstream|istream|new|'
      r'streambuf|string|utility|vector'],
     [r'\.\./frames\.h', r'[a-z0-9-]+\.h']),
    ('ui', 'ui',
     [C_LIBRARY, GLIB, r'isolux\.h', r'gtk/gtk(-a11y)?\.h', r'gdk/[a-z]+\.h',
      r'cairo\.h', r'gdk-pixbuf/gdk-pixbuf\.h', r'gio/gio\.h',
      r'pango/pangocairo\.h'],
     [r'isolux\.h', r'[a-z0-9-]+\.h']),
]

# What a room must not say: (room's folder, pattern, why, planted violation)
PRINTING = (r'\b(v?f?printf|f?puts|putchar|perror|g_print|g_printerr|g_log|'
            r'g_message|g_warning|g_critical|g_error|g_debug|g_info|'
            r'g_log_structured)\s*\(')
ENDING = (r'\b(_?exit|_Exit|quick_exit|abort|raise|__trap|g_abort|'
          r'g_on_error_query|g_assert_not_reached)\s*\(')
WORDS = [
    ('gpu', ENDING, 'the library never ends the process', 'abort ();'),
    ('gpu', PRINTING, 'the library never prints', 'printf ("x");'),
    ('gpu',
     r'\b(Gimp|Gegl|Gtk|Gdk|Babl)[A-Z]\w+|\b(gimp|gegl|gtk|gdk|babl)_\w+',
     'the library knows no GIMP, GEGL or GTK', 'gegl_init (NULL, NULL);'),
    ('gpu', r'\bcuda(Malloc|Free|Memcpy|Launch|Stream|Get|Set)\w*\s*\(|<<<',
     'CUDA goes through the driver\'s table, nothing is linked',
     'cudaMalloc (&p, 1);'),
    ('plugin', ENDING, 'GIMP is not ours to end', 'exit (1);'),
    ('ui', ENDING, 'GIMP is not ours to end', 'exit (1);'),
    ('plugin/operations',
     r'\b(Gimp|Gtk|Gdk)[A-Z]\w+|\b(gimp|gtk|gdk)_[a-z]\w+',
     'operations know GEGL alone', 'gimp_message ("x");'),
    ('ui', r'\b(Gimp|Gegl|Babl)[A-Z]\w+|\b(gimp|gegl|babl)_[a-z]\w+',
     'widgets know GTK and libisolux alone', 'gimp_message ("x");'),
]

INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*([<"])([^>"]+)[>"]',
                     re.MULTILINE)
TOKENS = re.compile(
    r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'',
    re.DOTALL)


def blank(match):
    return ''.join('\n' if c == '\n' else ' ' for c in match.group())


def without_comments(text):
    return TOKENS.sub(
        lambda m: blank(m) if m.group().startswith('/') else m.group(), text)


def code_only(text):
    """text without comments and strings, lines kept"""
    return TOKENS.sub(blank, text)


def line_of(text, position):
    return text.count('\n', 0, position) + 1


def check_includes(text, system, own):
    """Yields (line, message) for what a room must not include."""
    text = without_comments(text)
    for match in INCLUDE.finditer(text):
        allowed = system if match.group(1) == '<' else own
        name = match.group(2)
        if not any(re.fullmatch(pattern, name) for pattern in allowed):
            yield line_of(text, match.start()), f'includes {name}'


def check_words(text, pattern):
    text = code_only(text)
    for match in re.finditer(pattern, text):
        yield line_of(text, match.start()), match.group().strip()


def sources(top, folder):
    base = top / folder
    if not base.is_dir():
        return []
    return sorted(p for p in base.rglob('*')
                  if p.suffix in SOURCES and p.is_file())


class Tap:
    def __init__(self):
        self.count = 0
        self.failed = False

    def report(self, name, problems):
        self.count += 1
        state = 'not ok' if problems else 'ok'
        self.failed |= bool(problems)
        print(f'{state} {self.count} - {name}')
        for problem in problems:
            print(f'#   {problem}')

    def finish(self):
        print(f'1..{self.count}')
        return 1 if self.failed else 0


def self_check(tap):
    """Each rule finds what is planted, and nothing in comments."""
    bad = {
        'gpu/core': ['<gegl.h>', '<gtk/gtk.h>', '<libgimp/gimp.h>',
                     '<cuda_runtime.h>', '<cuda.h>', '"../cuda/driver.h"',
                     '"../plugin/operations/shared.h"'],
        'gpu/cpu': ['<cuda.h>', '"../cuda/driver.h"', '<gegl.h>'],
        'gpu/cuda': ['"../cpu/backend.h"', '<cuda_runtime.h>', '<gegl.h>'],
        'plugin/common': ['<gegl.h>', '<libgimp/gimp.h>', '<gtk/gtk.h>',
                          '"../operations/bridge.h"'],
        'plugin/operations': ['<libgimp/gimp.h>', '<gtk/gtk.h>',
                              '"core/surface.h"', '<cuda.h>'],
        'plugin/procedures': ['"core/surface.h"', '<cuda.h>',
                              '"../operations/isolux-rows.h"'],
        'plugin/dicom': ['<gdcmReader.h>', '<gegl.h>', '"core/surface.h"',
                         '<isolux.h>'],
        'plugin/dicom/reader': ['<libgimp/gimp.h>', '<gtk/gtk.h>',
                                '"../codes.h"'],
        'ui': ['<libgimp/gimpui.h>', '<gegl.h>', '"core/surface.h"'],
    }
    for name, _folder, system, own in ROOMS:
        missed = [name + ' may include ' + header for header in bad[name]
                  if not list(check_includes(f'#include {header}\n',
                                             system, own))]
        missed += ['comment taken for code'
                   for _ in check_includes('/* #include <x/y.h> */\n',
                                           system, own)]
        tap.report(f'planted includes are found in {name}', missed)
    for folder, pattern, why, planted in WORDS:
        missed = []
        if not list(check_words(planted, pattern)):
            missed.append(f'not found: {planted}')
        if list(check_words(f'/* {planted} */ "{planted}"\n// {planted}\n',
                            pattern)):
            missed.append(f'comment or string taken for code: {planted}')
        tap.report(f'planted violation is found in {folder}: {why}', missed)


def main():
    top = Path(sys.argv[1])
    tap = Tap()
    self_check(tap)

    for name, folder, system, own in ROOMS:
        # a room inside a room has rules of its own
        inner = [top / other for _name, other, _system, _own in ROOMS
                 if other.startswith(folder + '/')]
        problems = [f'{path.relative_to(top)}:{line}: {message}'
                    for path in sources(top, folder)
                    if not any(room in path.parents for room in inner)
                    for line, message in check_includes(
                        path.read_text(encoding='utf-8'), system, own)]
        tap.report(f'{name} includes what it may', problems)
    for folder, pattern, why, _planted in WORDS:
        problems = [f'{path.relative_to(top)}:{line}: {message}'
                    for path in sources(top, folder)
                    for line, message in check_words(
                        path.read_text(encoding='utf-8'), pattern)]
        tap.report(f'{folder}: {why}', problems)

    # the public header stands alone
    header = (top / 'gpu' / 'isolux.h').read_text(encoding='utf-8')
    problems = [f'gpu/isolux.h:{line}: {message}' for line, message
                in check_includes(header, [r'glib\.h'], [])]
    tap.report('the public header needs GLib alone', problems)

    # a check of nothing is none
    tap.report('there are sources to check',
               [f'no sources in {folder}'
                for folder in ('gpu', 'plugin/operations',
                               'plugin/procedures')
                if len(sources(top, folder)) < 2])
    return tap.finish()


if __name__ == '__main__':
    sys.exit(main())
