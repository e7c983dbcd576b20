#!/usr/bin/env python3
"""phantom.py - a made CT slice of an abdomen, for pictures.

    phantom.py OUT.png

16-bit codes, Hounsfield units + 1024.  Drawn from ellipses with the values
that such tissues have; nobody was scanned.

SPDX-License-Identifier: GPL-3.0-or-later
"""
import sys

import numpy as np
from PIL import Image

SIZE = 512
random = np.random.default_rng(7)
y, x = np.mgrid[0:SIZE, 0:SIZE].astype(float)


def ellipse(cx, cy, rx, ry, angle=0.0):
    c, s = np.cos(np.radians(angle)), np.sin(np.radians(angle))
    u = (x - cx) * c + (y - cy) * s
    v = -(x - cx) * s + (y - cy) * c
    return (u / rx) ** 2 + (v / ry) ** 2 <= 1.0


def blur(values, weight):
    """A little: a middle and its neighbors, across and down."""
    for axis in (0, 1):
        values = (values + weight * (np.roll(values, 1, axis)
                                     + np.roll(values, -1, axis))) \
            / (1.0 + 2.0 * weight)
    return values


def main():
    slice_ = np.full((SIZE, SIZE), -1000.0)
    slice_[ellipse(256, 262, 214, 158)] = -95.0          # fat
    slice_[ellipse(256, 264, 194, 138)] = 45.0           # wall
    slice_[ellipse(256, 252, 176, 118)] = -80.0          # fat inside
    slice_[ellipse(172, 226, 86, 78, 12)] = 62.0         # liver
    slice_[ellipse(354, 214, 40, 48, -20)] = 50.0        # spleen
    slice_[ellipse(300, 176, 46, 28, 8)] = 25.0          # stomach
    slice_[ellipse(306, 164, 30, 14, 4)] = -870.0        # gas
    slice_[ellipse(176, 318, 30, 40, -12)] = 160.0       # kidneys
    slice_[ellipse(340, 318, 30, 40, 12)] = 165.0
    slice_[ellipse(184, 318, 10, 16, -12)] = -60.0
    slice_[ellipse(332, 318, 10, 16, 12)] = -60.0
    slice_[ellipse(262, 290, 17, 17)] = 210.0            # aorta
    slice_[ellipse(226, 286, 15, 12)] = 130.0            # vena cava
    slice_[ellipse(256, 336, 36, 32)] = 420.0            # vertebra
    slice_[ellipse(256, 334, 28, 24)] = 210.0
    slice_[ellipse(256, 374, 13, 11)] = 25.0             # canal
    slice_[ellipse(256, 398, 8, 16)] = 480.0
    for side in (-1, 1):                                 # ribs
        for angle, height in ((24, 196), (52, 320)):
            slice_[ellipse(256 + side * 186, height, 9, 20,
                           side * angle)] = 620.0
    for cx, cy in ((236, 200), (262, 214), (284, 232), (250, 236)):
        slice_[ellipse(cx, cy, 15, 12)] = 35.0           # bowel
        slice_[ellipse(cx, cy - 3, 7, 4)] = -700.0
    for _ in range(26):                                  # vessels of the liver
        cx, cy = random.normal((172, 226), (42, 36))
        if ellipse(172, 226, 78, 70, 12)[int(cy) % SIZE, int(cx) % SIZE]:
            slice_[ellipse(cx, cy, random.uniform(2, 6),
                           random.uniform(2, 5))] = 115.0
    slice_[ellipse(200, 248, 13, 12)] = 18.0             # a cyst

    # the scanner's sharpness and noise
    blurred = blur(blur(slice_, 0.8), 0.5)
    noise = blur(random.normal(0.0, 26.0, (SIZE, SIZE)), 0.4)
    codes = np.clip(np.rint(blurred + noise) + 1024.0, 0, 4095)
    Image.fromarray(codes.astype(np.uint16)).save(sys.argv[1])


main()
