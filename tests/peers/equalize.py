#!/usr/bin/env python3
# equalize - isolux_equalize() and isolux_grayscale() against cv2, byte for
# byte.
#
#   equalize.py LIBISOLUX [CASES]
#
# Random images, CASES of each test (default 1000); ISOLUX_TEST_SEED=N repeats
# a run, ISOLUX_BACKEND=cuda compares the GPU's.  Reports by TAP; exit 77 where
# there is no cv2.
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

from library import (BT601, POINTER, TYPES, Image, Library, View, picture,
                     seed_of_run)


class EqualizeOptions(ctypes.Structure):
    _fields_ = [('channels', ctypes.c_int), ('clip_limit', ctypes.c_double),
                ('skip_threshold', ctypes.c_double),
                ('weights', ctypes.c_double * 3)]


def equalize(lib, rng, dtype):
    """whether an equalized picture is cv2's"""
    image = picture(rng, *(int(v) for v in rng.integers(1, 300, 2)), dtype)
    surface = lib.upload(image)
    options = EqualizeOptions(0, 0.0, 0.0, BT601)
    if not lib.equalize(surface, surface, options, None, None):
        raise RuntimeError('the library failed')
    return np.array_equal(lib.download(surface, image.shape, dtype),
                          cv2.equalizeHist(image))


def grayscale(lib, rng, dtype):
    """whether a color picture becomes cv2's gray"""
    height, width = (int(v) for v in rng.integers(1, 300, 2))
    color = np.ascontiguousarray(
        np.stack([picture(rng, height, width, dtype) for _ in range(3)], 2))
    shape = Image(width, height, 3, TYPES[np.dtype(dtype)], 0)
    surface = lib.surface_new(lib.device, shape, None)
    view = View(color.ctypes.data, color.strides[0])
    gray = lib.surface((height, width), dtype)
    if not (lib.surface_upload(surface, view, None, None)
            and lib.grayscale(surface, gray, None, None, None)):
        raise RuntimeError('the library failed')
    lib.surface_unref(surface)
    return np.array_equal(lib.download(gray, (height, width), dtype),
                          cv2.cvtColor(color, cv2.COLOR_RGB2GRAY))


def main():
    lib = Library(sys.argv[1], [
        ('equalize', ctypes.c_int,
         [POINTER, POINTER, ctypes.POINTER(EqualizeOptions), POINTER,
          POINTER]),
        ('grayscale', ctypes.c_int, [POINTER] * 5)])
    cases = int(sys.argv[2]) if len(sys.argv) > 2 else 1000
    seed = seed_of_run()
    tests = [('equalize u8', equalize, np.uint8),
             ('grayscale u8', grayscale, np.uint8),
             ('grayscale u16', grayscale, np.uint16)]
    good = True
    print(f'1..{len(tests)}')
    print(f'# cv2 {cv2.__version__}, ISOLUX_TEST_SEED={seed}')
    for i, (name, compare, dtype) in enumerate(tests):
        wrong = 0
        for k in range(cases):
            rng = np.random.default_rng([seed, i, k])
            if not compare(lib, rng, dtype):
                print(f'# {name}: case {k} differs; seed {seed}')
                wrong += 1
        good = good and not wrong
        print(f'{"not " if wrong else ""}ok {i + 1} {name}: {cases} cases, '
              f'{wrong} differ', flush=True)
    return 0 if good else 1


if __name__ == '__main__':
    sys.exit(main())
