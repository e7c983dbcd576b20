# library - libisolux for Python, as far as the comparisons need it.
#
# SPDX-License-Identifier: GPL-3.0-or-later

import ctypes
import os
import time

import numpy as np

TYPES = {np.dtype(np.uint8): 0, np.dtype(np.uint16): 1,
         np.dtype(np.float32): 2}
BT601 = (0.299, 0.587, 0.114)
POINTER = ctypes.c_void_p


class Image(ctypes.Structure):
    _fields_ = [('width', ctypes.c_int64), ('height', ctypes.c_int64),
                ('components', ctypes.c_int), ('type', ctypes.c_int),
                ('bits', ctypes.c_int)]


class View(ctypes.Structure):
    _fields_ = [('data', ctypes.c_void_p), ('stride', ctypes.c_size_t)]


class Library:
    """what is needed of libisolux; operations: name, result, arguments"""

    def __init__(self, path, operations):
        lib = ctypes.CDLL(path)
        for name, result, arguments in [
                ('device_get_default', POINTER, []),
                ('surface_new', POINTER,
                 [POINTER, ctypes.POINTER(Image), POINTER]),
                ('surface_unref', None, [POINTER]),
                ('surface_upload', ctypes.c_int,
                 [POINTER, ctypes.POINTER(View), POINTER, POINTER]),
                ('surface_download', ctypes.c_int,
                 [POINTER, ctypes.POINTER(View), POINTER, POINTER]),
                *operations]:
            function = getattr(lib, 'isolux_' + name)
            function.restype = result
            function.argtypes = arguments
            setattr(self, name, function)
        self.device = self.device_get_default()

    def surface(self, shape, dtype):
        """a surface for a gray picture"""
        image = Image(shape[1], shape[0], 1, TYPES[np.dtype(dtype)], 0)
        surface = self.surface_new(self.device, image, None)
        if not surface:
            raise RuntimeError('there is no surface')
        return surface

    def upload(self, picture):
        """a surface with the pixels of a gray picture"""
        surface = self.surface(picture.shape, picture.dtype)
        view = View(picture.ctypes.data, picture.strides[0])
        if not self.surface_upload(surface, view, None, None):
            raise RuntimeError('uploading failed')
        return surface

    def download(self, surface, shape, dtype):
        """the pixels of a surface, which is freed"""
        picture = np.empty(shape, dtype)
        view = View(picture.ctypes.data, picture.strides[0])
        done = self.surface_download(surface, view, None, None)
        self.surface_unref(surface)
        if not done:
            raise RuntimeError('downloading failed')
        return picture


def seed_of_run():
    """ISOLUX_TEST_SEED, or a new one"""
    return int(os.environ.get('ISOLUX_TEST_SEED') or
               time.time_ns() // 1000 % 10**9)


def picture(rng, height, width, dtype):
    """one of several kinds of pictures"""
    real = dtype == np.float32
    most = 65535 if real else int(np.iinfo(dtype).max)
    y, x = np.mgrid[0:height, 0:width]
    kind = int(rng.integers(0, 8))
    if kind == 0:
        p = rng.integers(0, most + 1, (height, width))
    elif kind == 1:
        p = most * (0.45 + 0.25 * np.sin(x / 37.0) * np.cos(y / 53.0))
        p = np.clip(np.rint(p + rng.normal(0, most * 0.04, p.shape)), 0, most)
    elif kind == 2:
        p = np.where(rng.random((height, width)) < 0.5, 3, most - 7)
    elif kind == 3:
        p = (x * 7 + y * 3) % (most + 1)
    elif kind == 4:   # few bits
        p = rng.integers(0, (most + 1) // 16, (height, width))
    elif kind == 5:   # narrow: many ties
        low = int(rng.integers(0, most - 20))
        p = low + rng.integers(0, 1 + int(rng.integers(1, 20)),
                               (height, width))
    elif kind == 6:   # flat, with spots
        p = np.full((height, width), int(rng.integers(0, most + 1)))
        p[rng.random(p.shape) < 0.02] = int(rng.integers(0, most + 1))
    else:
        p = np.full((height, width), int(rng.integers(0, most + 1)))
    if not real:
        return np.ascontiguousarray(p.astype(dtype))
    p = p / most * float(rng.choice([1.0, 1e-3, 255.0, 1e30]))
    if rng.random() < 0.5:
        p = p - p.max() / 3
    return np.ascontiguousarray(p.astype(np.float32))
