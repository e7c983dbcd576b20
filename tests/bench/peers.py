#!/usr/bin/env python3
# peers - times OpenCV and scikit-image for isolux-bench.
#
# Says which versions there are, then answers lines on standard input:
#
#   OPERATION TYPE WIDTH HEIGHT COMPONENTS THREADS SECONDS FILE   (tabs between)
#
# with "NAME<tab>milliseconds ..." or "-" for what neither of them has.
# FILE holds the pixels.
#
# SPDX-License-Identifier: GPL-3.0-or-later

import sys
import time

import cv2
import numpy as np
import skimage
from skimage import exposure, feature

MOST = 200
DTYPES = {'u8': np.uint8, 'u16': np.uint16, 'u12': np.uint16,
          'f32': np.float32}

CV2 = 'OpenCV'
SKIMAGE = 'scikit-image'


def calc_hist(image, bins, high):
    return lambda: cv2.calcHist([image], [0], None, [bins], [0, high])


def work_of(operation, kind, image):
    """Who does the same, and how: (name, function), or None"""
    code = kind != 'f32'
    bins = 256 if kind == 'u8' else 65536
    if operation == 'histogram':
        if code:
            return f'{CV2} calcHist', calc_hist(image, bins, bins)
        return f'{SKIMAGE} histogram', \
            lambda: exposure.histogram(image, nbins=bins)
    if operation == 'equalize':
        if kind == 'u8':
            return f'{CV2} equalizeHist', lambda: cv2.equalizeHist(image)
        return f'{SKIMAGE} equalize_hist', \
            lambda: exposure.equalize_hist(image, nbins=bins)
    if operation in ('clahe', 'clahe-cv') and code:
        clahe = cv2.createCLAHE(2.0, (8, 8))
        return f'{CV2} CLAHE', lambda: clahe.apply(image)
    if operation == 'lut' and kind == 'u8':
        table = np.arange(255, -1, -1, np.uint8)
        return f'{CV2} LUT', lambda: cv2.LUT(image, table)
    lbp = {'lbp': (8, 1, 'default'), 'lbp-uniform': (8, 1, 'uniform'),
           'lbp-16-2': (16, 2, 'uniform')}.get(operation)
    if lbp and code:
        return f'{SKIMAGE} LBP', \
            lambda: feature.local_binary_pattern(image, *lbp)
    if operation == 'hog':
        return f'{SKIMAGE} hog', lambda: feature.hog(
            image, orientations=9, pixels_per_cell=(8, 8),
            cells_per_block=(2, 2), block_norm='L2-Hys')
    if operation == 'grayscale':
        return f'{CV2} cvtColor', \
            lambda: cv2.cvtColor(image, cv2.COLOR_RGB2GRAY)
    return None


def times_of(work, seconds):
    start = time.perf_counter()
    work()
    first = (time.perf_counter() - start) * 1000.0
    if first > 1500.0 * seconds:   # seconds long: once is enough
        return [first]
    times = []
    begin = time.perf_counter()
    while len(times) < MOST and (len(times) < 5 or
                                 time.perf_counter() - begin < seconds):
        start = time.perf_counter()
        work()
        times.append((time.perf_counter() - start) * 1000.0)
    return times


def main():
    print(f'OpenCV {cv2.__version__}, scikit-image {skimage.__version__}, '
          f'NumPy {np.__version__}', flush=True)
    for line in sys.stdin:
        (operation, kind, width, height, components, threads, seconds,
         path) = line.rstrip('\n').split('\t')
        shape = (int(height), int(width))
        if components != '1':
            shape += (int(components),)
        cv2.setNumThreads(int(threads))
        work = None
        if int(components) in (1, 3):
            image = np.fromfile(path, DTYPES[kind]).reshape(shape)
            work = work_of(operation, kind, image)
        if work:
            times = times_of(work[1], float(seconds))
            print(work[0], ' '.join(f'{t:.4f}' for t in times), sep='\t',
                  flush=True)
        else:
            print('-', flush=True)


if __name__ == '__main__':
    main()
