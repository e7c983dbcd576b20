#!/usr/bin/env python3
# clahe - isolux_clahe() against cv2.createCLAHE, byte for byte.
#
#   clahe.py LIBISOLUX [CASES]
#
# Random images, grids and clip limits, CASES of each type (default 1000);
# ISOLUX_TEST_SEED=N repeats a run, ISOLUX_BACKEND=cuda compares the GPU's.
# Reports by TAP; exit 77 where there is no cv2.
#
# SPDX-License-Identifier: GPL-3.0-or-later

import ctypes
import sys

try:
    import cv2
    import numpy as np
except ImportError as error:
    print(f'1..0 # SKIP {error}')
    sys.exit(77)

from library import BT601, POINTER, Library, picture, seed_of_run

ISOLUX, OPENCV = 0, 1


class Options(ctypes.Structure):
    _fields_ = [('channels', ctypes.c_int), ('clip_limit', ctypes.c_double),
                ('tiles_x', ctypes.c_int), ('tiles_y', ctypes.c_int),
                ('tile_size', ctypes.c_int), ('bins', ctypes.c_int),
                ('use_padding_value', ctypes.c_int),
                ('padding_value', ctypes.c_double),
                ('compatibility', ctypes.c_int),
                ('weights', ctypes.c_double * 3)]


def apply(lib, image, clip, grid, compatibility):
    """isolux_clahe() of a gray picture"""
    options = Options(0, clip, grid[0], grid[1], 0, 0, 0, 0.0, compatibility,
                      BT601)
    surface = lib.upload(image)
    if not lib.clahe(surface, surface, options, None, None):
        raise RuntimeError('the library failed')
    return lib.download(surface, image.shape, image.dtype)


def compare(lib, seed, number, dtype, compatibility):
    """True, False, or None where the definitions differ on purpose"""
    rng = np.random.default_rng([seed, number])
    side = 40 if rng.random() < 0.3 else 400
    height, width = (int(v) for v in rng.integers(1, side, 2))
    deepest = 12 if dtype == np.uint16 else 24
    grid = tuple(int(v) for v in rng.integers(1, deepest, 2))
    clip = float(rng.choice([0, 0.001, 0.5, 1, 2, 3, 4.5, 40, 1000,
                             rng.random() * 10]))
    image = picture(rng, height, width, dtype)
    constant = image.min() == image.max()
    if constant and compatibility == ISOLUX:
        return np.array_equal(apply(lib, image, clip, grid, ISOLUX), image)
    wanted = cv2.createCLAHE(clip, grid).apply(image)
    got = apply(lib, image, clip, grid, compatibility)
    if np.array_equal(got, wanted):
        return True
    print(f'# {np.dtype(dtype).name} {width}x{height}, grid {grid}, clip '
          f'{clip}: {int((got != wanted).sum())} differ; seed {seed}, case '
          f'{number}')
    return False


def main():
    lib = Library(sys.argv[1], [
        ('clahe', ctypes.c_int,
         [POINTER, POINTER, ctypes.POINTER(Options), POINTER, POINTER])])
    cases = int(sys.argv[2]) if len(sys.argv) > 2 else 1000
    seed = seed_of_run()
    tests = [('u8, isolux', np.uint8, ISOLUX), ('u8, opencv', np.uint8, OPENCV),
             ('u16, opencv', np.uint16, OPENCV)]
    good = True
    print(f'1..{len(tests)}')
    print(f'# cv2 {cv2.__version__}, ISOLUX_TEST_SEED={seed}')
    for i, (name, dtype, compatibility) in enumerate(tests):
        wrong = sum(not compare(lib, seed, cases * i + k, dtype, compatibility)
                    for k in range(cases))
        good = good and not wrong
        print(f'{"not " if wrong else ""}ok {i + 1} {name}: {cases} cases, '
              f'{wrong} differ', flush=True)
    return 0 if good else 1


if __name__ == '__main__':
    sys.exit(main())
