#!/usr/bin/env python3
# lbp - isolux_lbp() against skimage.feature.local_binary_pattern, bit for bit.
#
#   lbp.py LIBISOLUX [CASES]
#
# Random images, radii, points and methods, CASES of each type (default
# 1000); ISOLUX_TEST_SEED=N repeats a run, ISOLUX_BACKEND=cuda compares the
# GPU's.  f32: only where no four taps are equal, see isolux_lbp(), and
# nothing is infinite.  Reports by TAP; exit 77 where there is no skimage.
#
# SPDX-License-Identifier: GPL-3.0-or-later

import ctypes
import sys
import warnings

try:
    import numpy as np
    from skimage.feature import local_binary_pattern
except ImportError as error:
    print(f'1..0 # SKIP {error}')
    sys.exit(77)

import library

METHODS = ['default', 'ror', 'uniform', 'nri_uniform', 'var']


class Options(ctypes.Structure):
    _fields_ = [('radius', ctypes.c_double), ('points', ctypes.c_int),
                ('method', ctypes.c_int), ('raw', ctypes.c_int),
                ('weights', ctypes.c_double * 3)]


OPERATIONS = [
    ('lbp', ctypes.c_int, [library.POINTER, library.POINTER,
                           ctypes.POINTER(Options), library.POINTER,
                           library.POINTER]),
    ('lbp_histogram', ctypes.c_int, [
        library.POINTER, ctypes.POINTER(Options),
        ctypes.POINTER(ctypes.POINTER(ctypes.c_uint64)),
        ctypes.POINTER(ctypes.c_size_t), library.POINTER, library.POINTER])]


def has_flat_taps(image, points, radius):
    """whether four taps of a sample between pixels are equal"""
    reach = int(np.ceil(radius)) + 1
    around = np.pad(image, reach)
    height, width = around.shape
    angle = 2 * np.pi * np.arange(points) / points
    rows = np.round(-radius * np.sin(angle), 5)
    columns = np.round(radius * np.cos(angle), 5)
    y, x = np.mgrid[reach:height - reach, reach:width - reach]
    for row, column in zip(rows, columns):
        taps = [around[y + int(f(row)), x + int(g(column))]
                for f in (np.floor, np.ceil) for g in (np.floor, np.ceil)]
        if row == int(row) and column == int(column):
            continue
        if np.any((taps[0] == taps[1]) & (taps[0] == taps[2]) &
                  (taps[0] == taps[3])):
            return True
    return False


def compare(lib, seed, number, dtype):
    """one case: None when it is right, '' when it cannot be compared, else
    why not"""
    rng = np.random.default_rng((seed, number))
    height, width = int(rng.integers(1, 60)), int(rng.integers(1, 60))
    if rng.random() < 0.03:
        height, width = int(rng.integers(1, 70)), int(rng.integers(500, 1100))
    image = library.picture(rng, height, width, dtype)
    if dtype == np.float32 and rng.random() < 0.8:
        image = rng.random((height, width)).astype(np.float32)
    points, radius = [(8, 1.0), (8, 1.0), (16, 2.0), (24, 3.0), (4, 1.0),
                      (8, 1.5), (0, 0.0)][int(rng.integers(0, 7))]
    if points == 0:
        points = int(rng.integers(1, 25))
        radius = float(rng.uniform(0.1, 9.0))
    method = int(rng.integers(0, 5))
    if method == 1 and points > 20:
        points = 20
    what = (f'case {number} (seed {seed}): {width}x{height} '
            f'{np.dtype(dtype).name}, {points} points, radius {radius}, '
            f'{METHODS[method]}')
    if dtype == np.float32 and has_flat_taps(image, points, radius):
        return ''
    with warnings.catch_warnings():
        warnings.simplefilter('ignore')
        wanted = local_binary_pattern(image, points, radius, METHODS[method])
    with np.errstate(over='ignore'):
        wanted = wanted.astype(np.float32)

    options = Options(radius, points, method, 1, library.BT601)
    source = lib.upload(image)
    target = lib.surface(image.shape, np.float32)
    if not lib.lbp(source, target, options, None, None):
        return what + ': failed'
    actual = lib.download(target, image.shape, np.float32)
    differ = ~((actual == wanted) | (np.isnan(actual) & np.isnan(wanted)))
    if differ.any():
        y, x = np.argwhere(differ)[0]
        return (f'{what}: {differ.sum()} differ, at ({x}, {y}) '
                f'{actual[y, x]!r} for {wanted[y, x]!r}')
    if METHODS[method] != 'var' and points <= 16:
        counts = ctypes.POINTER(ctypes.c_uint64)()
        n = ctypes.c_size_t()
        if not lib.lbp_histogram(source, options, counts, n, None, None):
            return what + ': the histogram failed'
        found = np.ctypeslib.as_array(counts, (n.value,))
        if not np.array_equal(found, np.bincount(
                wanted.astype(np.int64).ravel(), minlength=n.value)):
            return what + ': another histogram'
        ctypes.CDLL(None).free(counts)
    lib.surface_unref(source)
    return None


def main():
    lib = library.Library(sys.argv[1], OPERATIONS)
    cases = int(sys.argv[2]) if len(sys.argv) > 2 else 1000
    seed = library.seed_of_run()
    failed = False
    print('1..3')
    for number, dtype in enumerate([np.uint8, np.uint16, np.float32], 1):
        compared, i, wrong = 0, 0, []
        while compared < cases:
            result = compare(lib, seed, number * 10**6 + i, dtype)
            i += 1
            if result != '':
                compared += 1
            if result:
                wrong.append(result)
        for text in wrong[:10]:
            print('# ' + text)
        failed |= bool(wrong)
        print(f'{"not " if wrong else ""}ok {number} {np.dtype(dtype).name}: '
              f'{compared} cases, {len(wrong)} differ (seed {seed})')
    return int(failed)


if __name__ == '__main__':
    sys.exit(main())
