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
import os
import sys
import time

try:
    import cv2
    import numpy as np
except ImportError as error:
    print(f'1..0 # SKIP {error}')
    sys.exit(77)

U8, U16 = 0, 1
ISOLUX, OPENCV = 0, 1


class Image(ctypes.Structure):
    _fields_ = [('width', ctypes.c_int64), ('height', ctypes.c_int64),
                ('components', ctypes.c_int), ('type', ctypes.c_int),
                ('bits', ctypes.c_int)]


class View(ctypes.Structure):
    _fields_ = [('data', ctypes.c_void_p), ('stride', ctypes.c_size_t)]


class Options(ctypes.Structure):
    _fields_ = [('channels', ctypes.c_int), ('clip_limit', ctypes.c_double),
                ('tiles_x', ctypes.c_int), ('tiles_y', ctypes.c_int),
                ('tile_size', ctypes.c_int), ('bins', ctypes.c_int),
                ('use_padding_value', ctypes.c_int),
                ('padding_value', ctypes.c_double),
                ('compatibility', ctypes.c_int),
                ('weights', ctypes.c_double * 3)]


class Library:
    """what is needed of libisolux"""

    def __init__(self, path):
        lib = ctypes.CDLL(path)
        pointer = ctypes.c_void_p
        for name, result, arguments in [
                ('device_get_default', pointer, []),
                ('surface_new', pointer,
                 [pointer, ctypes.POINTER(Image), pointer]),
                ('surface_unref', None, [pointer]),
                ('surface_upload', ctypes.c_int,
                 [pointer, ctypes.POINTER(View), pointer, pointer]),
                ('surface_download', ctypes.c_int,
                 [pointer, ctypes.POINTER(View), pointer, pointer]),
                ('clahe', ctypes.c_int,
                 [pointer, pointer, ctypes.POINTER(Options), pointer,
                  pointer])]:
            function = getattr(lib, 'isolux_' + name)
            function.restype = result
            function.argtypes = arguments
            setattr(self, name, function)
        self.device = self.device_get_default()

    def apply(self, image, clip, grid, compatibility):
        """isolux_clahe() of a gray picture"""
        height, width = image.shape
        options = Options(0, clip, grid[0], grid[1], 0, 0, 0, 0.0,
                          compatibility, (0.299, 0.587, 0.114))
        kind = U8 if image.dtype == np.uint8 else U16
        shape = Image(width, height, 1, kind, 0)
        result = np.empty_like(image)
        surface = self.surface_new(self.device, shape, None)
        there = View(image.ctypes.data, image.strides[0])
        back = View(result.ctypes.data, result.strides[0])
        done = (surface and self.surface_upload(surface, there, None, None)
                and self.clahe(surface, surface, options, None, None)
                and self.surface_download(surface, back, None, None))
        self.surface_unref(surface)
        if not done:
            raise RuntimeError('the library failed')
        return result


def picture(rng, height, width, dtype):
    """one of several kinds of pictures"""
    most = int(np.iinfo(dtype).max)
    y, x = np.mgrid[0:height, 0:width]
    kind = int(rng.integers(0, 8))
    if kind == 0:
        return rng.integers(0, most + 1, (height, width)).astype(dtype)
    if kind == 1:
        p = most * (0.45 + 0.25 * np.sin(x / 37.0) * np.cos(y / 53.0))
        p += rng.normal(0, most * 0.04, (height, width))
        return np.clip(np.rint(p), 0, most).astype(dtype)
    if kind == 2:
        return np.where(rng.random((height, width)) < 0.5, 3,
                        most - 7).astype(dtype)
    if kind == 3:
        return ((x * 7 + y * 3) % (most + 1)).astype(dtype)
    if kind == 4:   # few bits
        return rng.integers(0, (most + 1) // 16, (height, width)).astype(dtype)
    if kind == 5:   # narrow
        low = int(rng.integers(0, most - 20))
        return (low + rng.integers(0, 20, (height, width))).astype(dtype)
    if kind == 6:   # flat, with spots
        p = np.full((height, width), int(rng.integers(0, most + 1)), dtype)
        p[rng.random((height, width)) < 0.02] = int(rng.integers(0, most + 1))
        return p
    return np.full((height, width), int(rng.integers(0, most + 1)), dtype)


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
        return np.array_equal(lib.apply(image, clip, grid, ISOLUX), image)
    wanted = cv2.createCLAHE(clip, grid).apply(image)
    got = lib.apply(image, clip, grid, compatibility)
    if np.array_equal(got, wanted):
        return True
    print(f'# {np.dtype(dtype).name} {width}x{height}, grid {grid}, clip '
          f'{clip}: {int((got != wanted).sum())} differ; seed {seed}, case '
          f'{number}')
    return False


def main():
    lib = Library(sys.argv[1])
    cases = int(sys.argv[2]) if len(sys.argv) > 2 else 1000
    seed = int(os.environ.get('ISOLUX_TEST_SEED', int(time.time())))
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
