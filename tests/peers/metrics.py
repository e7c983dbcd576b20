#!/usr/bin/env python3
# metrics - isolux_metrics() against skimage.metrics, and against the same
# definitions written in numpy, within 1e-6 for the structural similarity.
#
#   metrics.py LIBISOLUX [CASES]
#
# Random pairs of images, CASES of each type (default 300);
# ISOLUX_TEST_SEED=N repeats a run, ISOLUX_BACKEND=cuda compares the GPU's.
# f32: values around 0 to 1.  Reports by TAP; exit 77 where there is no numpy;
# the comparison with skimage is skipped where that is missing.
#
# SPDX-License-Identifier: GPL-3.0-or-later

import ctypes
import sys

try:
    import numpy as np
except ImportError as error:
    print(f'1..0 # SKIP {error}')
    sys.exit(77)

try:
    from skimage import metrics as peer
except ImportError:
    peer = None

import library

PEAKS = {np.dtype(np.uint8): 255.0, np.dtype(np.uint16): 65535.0,
         np.dtype(np.float32): 1.0}


class Metrics(ctypes.Structure):
    _fields_ = [('count', ctypes.c_uint64), ('entropy', ctypes.c_double * 2),
                ('rms_contrast', ctypes.c_double * 2),
                ('saturated', ctypes.c_double * 2),
                ('mean', ctypes.c_double * 2), ('ambe', ctypes.c_double),
                ('mse', ctypes.c_double), ('psnr', ctypes.c_double),
                ('ssim', ctypes.c_double)]


OPERATIONS = [
    ('metrics', ctypes.c_int, [library.POINTER, library.POINTER,
                               library.POINTER, ctypes.POINTER(Metrics),
                               library.POINTER, library.POINTER])]


def similarity(a, b, peak):
    """structural similarity, windows of 7 x 7, sample covariance"""
    x = np.lib.stride_tricks.sliding_window_view(a, (7, 7))
    y = np.lib.stride_tricks.sliding_window_view(b, (7, 7))
    c1, c2 = (0.01 * peak) ** 2, (0.03 * peak) ** 2
    mx, my = x.mean((2, 3)), y.mean((2, 3))
    dx, dy = x - mx[..., None, None], y - my[..., None, None]
    vx, vy = (dx * dx).sum((2, 3)) / 48, (dy * dy).sum((2, 3)) / 48
    vxy = (dx * dy).sum((2, 3)) / 48
    return float((((2 * mx * my + c1) * (2 * vxy + c2)) /
                  ((mx * mx + my * my + c1) * (vx + vy + c2))).mean())


def expected(a, b, peak, with_entropy):
    x, y = a.astype(np.float64), b.astype(np.float64)
    mse = float(((x - y) ** 2).mean())
    result = {'mse': mse, 'ambe': abs(float(x.mean() - y.mean())),
              'mean0': float(x.mean()), 'mean1': float(y.mean()),
              'rms_contrast0': float(x.std()) / peak,
              'rms_contrast1': float(y.std()) / peak,
              'ssim': similarity(x, y, peak)}
    if mse > 0:
        result['psnr'] = 10 * np.log10(peak * peak / mse)
    if with_entropy:
        for i, image in enumerate((a, b)):
            share = np.unique(image, return_counts=True)[1] / image.size
            result[f'entropy{i}'] = float(-(share * np.log2(share)).sum())
    return result


def of_peer(a, b, peak):
    x, y = a.astype(np.float64), b.astype(np.float64)
    result = {'ssim': float(peer.structural_similarity(x, y,
                                                       data_range=peak)),
              'mse': float(peer.mean_squared_error(x, y))}
    if result['mse'] > 0:
        result['psnr'] = float(peer.peak_signal_noise_ratio(x, y,
                                                            data_range=peak))
    return result


def pair(rng, dtype):
    height, width = int(rng.integers(7, 90)), int(rng.integers(7, 90))
    if dtype == np.float32:
        first = rng.random((height, width)).astype(np.float32) * 1.2 - 0.1
        first = np.float32(first).astype(np.float32)
    else:
        first = library.picture(rng, height, width, dtype)
    kind = int(rng.integers(0, 4))
    if kind == 0:
        return first, first.copy()
    peak = PEAKS[np.dtype(dtype)]
    if kind == 1:
        second = first + rng.normal(0, peak * 0.02, first.shape)
    elif kind == 2:
        second = first * 0.7 + peak * 0.1
    else:
        second = rng.random(first.shape) * peak
    if dtype == np.float32:
        return first, np.ascontiguousarray(second.astype(np.float32))
    second = np.clip(np.rint(second), 0, peak).astype(dtype)
    return first, np.ascontiguousarray(second)


def differences(found, wanted, peak):
    for name, value in wanted.items():
        actual = getattr(found, name.rstrip('01'))
        if name[-1] in '01':
            actual = actual[int(name[-1])]
        scale = peak * peak if name == 'mse' else \
            peak if name in ('ambe', 'mean0', 'mean1') else 1.0
        limit = 1e-6 if name == 'ssim' else 1e-9 * max(scale, abs(value))
        if not abs(actual - value) <= limit:
            yield f'{name} is {actual!r}, not {value!r}'


def main():
    lib = library.Library(sys.argv[1], OPERATIONS)
    cases = int(sys.argv[2]) if len(sys.argv) > 2 else 300
    seed = library.seed_of_run()
    failed = False
    print('1..6')
    for number, dtype in enumerate([np.uint8, np.uint16, np.float32]):
        peak = PEAKS[np.dtype(dtype)]
        wrong = [[], []]
        for i in range(cases):
            rng = np.random.default_rng((seed, number * 10**6 + i))
            first, second = pair(rng, dtype)
            a, b = lib.upload(first), lib.upload(second)
            found = Metrics()
            if not lib.metrics(a, b, None, found, None, None):
                wrong[0].append(f'case {i}: failed')
            lib.surface_unref(a)
            lib.surface_unref(b)
            checks = [expected(first, second, peak, dtype != np.float32)]
            if peer:
                checks.append(of_peer(first, second, peak))
            for k, check in enumerate(checks):
                wrong[k] += [f'case {i} (seed {seed}): {text}'
                             for text in differences(found, check, peak)]
        for k, name in enumerate(('numpy', 'skimage')):
            for text in wrong[k][:10]:
                print('# ' + text)
            failed |= bool(wrong[k])
            skip = ' # SKIP there is no skimage' if k and not peer else ''
            print(f'{"not " if wrong[k] else ""}ok {2 * number + k + 1} '
                  f'{np.dtype(dtype).name} against {name}: {cases} cases, '
                  f'{len(wrong[k])} differ (seed {seed}){skip}')
    return int(failed)


if __name__ == '__main__':
    sys.exit(main())
