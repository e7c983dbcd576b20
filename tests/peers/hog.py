#!/usr/bin/env python3
# hog - isolux_hog() and its glyphs against skimage.feature.hog.
#
#   hog.py LIBISOLUX [CASES]
#
# Random images and parameters, CASES of each type (default 1000);
# ISOLUX_TEST_SEED=N repeats a run, ISOLUX_BACKEND=cuda compares the GPU's.
# Descriptors, and so the values of glyphs, may differ by 1e-6 relative: numpy's
# hypot() rounds otherwise in rare cases; how many descriptors are equal to the
# bit is counted.  Reports by TAP; exit 77 where there is no skimage.
#
# SPDX-License-Identifier: GPL-3.0-or-later

import ctypes
import os
import sys
import warnings

# the arctan2() of numpy for AVX-512 is off by a bit or two, which moves
# gradients that lie on the edge of a bin; without it the C library's is used
os.environ.setdefault('NPY_DISABLE_CPU_FEATURES', 'AVX512F AVX512CD '
                      'AVX512_SKX AVX512_CLX AVX512_CNL AVX512_ICL')

try:
    import numpy as np
    from skimage.feature import hog
except ImportError as error:
    print(f'1..0 # SKIP {error}')
    sys.exit(77)

import library

NORMS = ['L1', 'L1-sqrt', 'L2', 'L2-Hys']


class Options(ctypes.Structure):
    _fields_ = [('orientations', ctypes.c_int), ('cell_size', ctypes.c_int),
                ('block_size', ctypes.c_int), ('norm', ctypes.c_int),
                ('is_signed', ctypes.c_int), ('square_root', ctypes.c_int),
                ('gradient', ctypes.c_int), ('picture', ctypes.c_int),
                ('half_gradients', ctypes.c_int), ('raw', ctypes.c_int),
                ('weights', ctypes.c_double * 3)]


class Hog(ctypes.Structure):
    _fields_ = [('blocks_y', ctypes.c_int64), ('blocks_x', ctypes.c_int64),
                ('block_size', ctypes.c_int), ('orientations', ctypes.c_int),
                ('values', ctypes.POINTER(ctypes.c_double)),
                ('n_values', ctypes.c_size_t)]


OPERATIONS = [
    ('hog', ctypes.POINTER(Hog), [library.POINTER, ctypes.POINTER(Options),
                                  library.POINTER, library.POINTER]),
    ('hog_free', None, [ctypes.POINTER(Hog)]),
    ('hog_picture', ctypes.c_int, [library.POINTER, library.POINTER,
                                   ctypes.POINTER(Options), library.POINTER,
                                   library.POINTER])]


def compare(lib, seed, number, dtype, tally):
    """one case: None when it is right, else what is wrong"""
    rng = np.random.default_rng((seed, number))
    bins = int(rng.choice([9, 9, 9, 6, 8, 12, 16, 18,
                           int(rng.integers(1, 65))]))
    cell = int(rng.choice([8, 8, 8, 6, 16, int(rng.integers(1, 14)),
                           int(rng.integers(1, 40))]))
    block = int(rng.choice([1, 2, 2, 3, 3, 4, 5]))
    norm = int(rng.integers(0, 4))
    square_root = int(rng.random() < 0.25)
    # not more cells than scikit-image does in good time
    height, width = (min(cell * block + int(rng.integers(0, 6 * cell)), 600)
                     for _ in 'yx')
    image = library.picture(rng, height, width, dtype)
    if square_root and dtype == np.float32:
        image = np.abs(image)
    what = (f'case {number} (seed {seed}): {width}x{height} '
            f'{np.dtype(dtype).name}, {bins} bins, cell {cell}, block {block}, '
            f'{NORMS[norm]}{", square root" if square_root else ""}')
    if height < cell * block or width < cell * block:
        return None
    with warnings.catch_warnings():
        warnings.simplefilter('ignore')
        # images of floats stay as they are
        wanted = hog(image.astype(np.float64), bins, (cell, cell),
                     (block, block), NORMS[norm], cell > 1,
                     bool(square_root), False)
    # scikit-image draws cells of one pixel beyond its picture's edge
    wanted, glyphs = wanted if cell > 1 else (wanted, None)

    options = Options(bins, cell, block, norm, 0, square_root, 0, 0, 0, 1,
                      library.BT601)
    source = lib.upload(image)
    found = lib.hog(source, options, None, None)
    if not found:
        return what + ': failed'
    h = found.contents
    shape = (h.blocks_y, h.blocks_x, h.block_size, h.block_size,
             h.orientations)
    if shape != wanted.shape or h.n_values != wanted.size:
        return f'{what}: shape {shape} for {wanted.shape}'
    actual = np.ctypeslib.as_array(h.values, shape).copy()
    lib.hog_free(found)
    error = np.abs(actual - wanted) / np.maximum(np.abs(wanted), 1e-300)
    error[actual == wanted] = 0
    tally['equal'] += bool((error == 0).all())
    tally['cases'] += 1
    tally['worst'] = max(tally['worst'], error.max())
    if not (error <= 1e-6).all():
        at = np.unravel_index(np.argmax(error), error.shape)
        return f'{what}: at {at} {actual[at]!r} for {wanted[at]!r}'

    if glyphs is None:
        lib.surface_unref(source)
        return None
    target = lib.surface(image.shape, np.float32)
    if not lib.hog_picture(source, target, options, None, None):
        return what + ': the picture failed'
    drawn = lib.download(target, image.shape, np.float32)
    lib.surface_unref(source)
    differ = ~np.isclose(drawn, glyphs, rtol=1e-6, atol=0)
    if differ.any():
        y, x = np.argwhere(differ)[0]
        return (f'{what}: {differ.sum()} pixels of glyphs differ, at '
                f'({x}, {y}) {drawn[y, x]!r} for {glyphs[y, x]!r}')
    return None


def main():
    lib = library.Library(sys.argv[1], OPERATIONS)
    cases = int(sys.argv[2]) if len(sys.argv) > 2 else 1000
    seed = library.seed_of_run()
    failed = False
    print('1..3')
    for number, dtype in enumerate([np.uint8, np.uint16, np.float32], 1):
        tally = {'equal': 0, 'cases': 0, 'worst': 0.0}
        results = [compare(lib, seed, number * 10**6 + i, dtype, tally)
                   for i in range(cases)]
        wrong = [text for text in results if text]
        for text in wrong[:10]:
            print('# ' + text)
        failed |= bool(wrong)
        print(f'{"not " if wrong else ""}ok {number} {np.dtype(dtype).name}: '
              f'{tally["cases"]} cases, {len(wrong)} differ, '
              f'{tally["equal"]} descriptors equal to the bit, '
              f'worst relative error {tally["worst"]:.2g} (seed {seed})')
    return int(failed)


if __name__ == '__main__':
    sys.exit(main())
