#!/usr/bin/env python3
"""phantom.py - a made CT slice through the upper abdomen, in code values of
Hounsfield units + 1024, as a gray PNG of 16 bits.

    phantom.py FILE.png

No patient was involved: ellipses with the densities of tissues, the blur of
a reconstruction and its noise.

SPDX-License-Identifier: GPL-3.0-or-later
"""
import sys

import numpy as np
from PIL import Image

SIZE = 512
AIR, FAT, MUSCLE = -1000.0, -105.0, 55.0

rng = np.random.default_rng(87)
y, x = np.mgrid[0:SIZE, 0:SIZE].astype(float)
x = (x - SIZE / 2) / (SIZE / 2)
y = (y - SIZE / 2) / (SIZE / 2)


def blur(values, sigma):
    """Gaussian, through the frequencies."""
    f = np.fft.fftfreq(SIZE)
    gain = np.exp(-2.0 * (np.pi * sigma) ** 2 * (f[:, None] ** 2 + f ** 2))
    return np.fft.ifft2(np.fft.fft2(values) * gain).real


# organs are no ellipses: places are bent a little first
bend_x = blur(rng.normal(size=(SIZE, SIZE)), 22.0)
bend_y = blur(rng.normal(size=(SIZE, SIZE)), 22.0)
bend_x *= 0.016 / bend_x.std()
bend_y *= 0.016 / bend_y.std()


def ellipse(cx, cy, rx, ry, angle=0.0, bent=1.0):
    turn = np.radians(angle)
    dx, dy = x + bent * bend_x - cx, y + bent * bend_y - cy
    u = dx * np.cos(turn) + dy * np.sin(turn)
    v = dy * np.cos(turn) - dx * np.sin(turn)
    return (u / rx) ** 2 + (v / ry) ** 2 < 1.0


hu = np.full((SIZE, SIZE), AIR)
# the table
arc = np.hypot(x, y + 0.95)
hu[(arc > 1.67) & (arc < 1.685) & (np.abs(x) < 0.75)] = -350.0
hu[(arc > 1.685) & (arc < 1.74) & (np.abs(x) < 0.75)] = -930.0
hu[(arc > 1.74) & (arc < 1.75) & (np.abs(x) < 0.75)] = -350.0

body = ellipse(0, 0, 0.88, 0.66)
hu[body] = 20.0                                   # skin
hu[ellipse(0, 0, 0.868, 0.648)] = FAT
wall = ellipse(0, 0.01, 0.79, 0.565)
hu[wall] = MUSCLE
inside = ellipse(0, -0.02, 0.735, 0.505)
hu[inside] = FAT
# the back: muscles beside the spine, with fat between them
for side in (-1, 1):
    hu[ellipse(side * 0.19, 0.43, 0.17, 0.12, side * 12)] = MUSCLE
    hu[ellipse(side * 0.145, 0.23, 0.07, 0.1, side * -10)] = MUSCLE

# liver, spleen, stomach with its air and contrast
liver = ellipse(-0.40, -0.06, 0.32, 0.36, 18) | ellipse(-0.12, -0.25, 0.3,
                                                         0.17, -14)
liver &= inside
hu[liver] = 108.0
for cx, cy, rx, ry, angle in ((-0.33, -0.08, 0.15, 0.018, 35),
                              (-0.45, 0.05, 0.14, 0.016, -25),
                              (-0.28, -0.2, 0.12, 0.014, -40),
                              (-0.5, -0.17, 0.1, 0.013, 60)):
    hu[ellipse(cx, cy, rx, ry, angle, 3.0) & liver] = 165.0
hu[ellipse(-0.52, 0.1, 0.045, 0.04)] = 8.0        # a cyst
hu[ellipse(-0.21, -0.03, 0.075, 0.055, 30)] = 12.0  # gall bladder
spleen = ellipse(0.55, 0.08, 0.13, 0.21, -22) & inside
hu[spleen] = 122.0
stomach = ellipse(0.32, -0.22, 0.27, 0.19, 18) & inside
hu[stomach] = 62.0
lumen = ellipse(0.32, -0.22, 0.24, 0.162, 18) & inside
hu[lumen] = 25.0
hu[lumen & (y < -0.235)] = -960.0
# pancreas, bowel
hu[ellipse(0.12, 0.02, 0.2, 0.05, -16, 2.0) & inside] = 92.0
for cx, cy, r, air in ((0.36, 0.05, 0.075, 0.035), (0.24, 0.13, 0.06, 0),
                       (0.47, -0.03, 0.06, 0), (-0.02, -0.4, 0.07, 0.05),
                       (0.14, -0.42, 0.06, 0.03)):
    ring = ellipse(cx, cy, r, r * 0.85, 0, 1.5) & inside
    hu[ring] = 58.0
    hu[ellipse(cx, cy, r * 0.75, r * 0.6, 0, 1.5) & inside] = 30.0
    if air:
        hu[ellipse(cx, cy - r * 0.25, air, air * 0.6, 0, 1.5)] = -930.0
# kidneys: cortex, medulla, fat with the pelvis
for side in (-1, 1):
    kidney = ellipse(side * 0.37, 0.26, 0.115, 0.155, side * 25)
    hu[kidney] = 205.0
    for turn in range(0, 360, 45):
        a = np.radians(turn)
        hu[ellipse(side * 0.37 + 0.06 * np.cos(a), 0.26 + 0.085 * np.sin(a),
                   0.026, 0.032, 0, 1.5) & kidney] = 135.0
    hu[ellipse(side * 0.335, 0.25, 0.045, 0.065, side * 25)] = FAT + 15
    hu[ellipse(side * 0.33, 0.25, 0.022, 0.03)] = 30.0
# vessels
hu[ellipse(0.045, 0.13, 0.05, 0.05)] = 245.0      # aorta
hu[ellipse(0.088, 0.12, 0.011, 0.018)] = 780.0    # its calcified wall
hu[ellipse(-0.095, 0.115, 0.06, 0.045, -15)] = 160.0  # vena cava
hu[ellipse(0.03, 0.035, 0.022, 0.02)] = 240.0
# spine: body, canal, arch
hu[ellipse(0, 0.27, 0.115, 0.09)] = 520.0
vertebra = ellipse(0, 0.27, 0.1, 0.076)
hu[vertebra] = 190.0
arch = ellipse(0, 0.395, 0.09, 0.075)
hu[arch] = 560.0
for side in (-1, 1):
    hu[ellipse(side * 0.12, 0.385, 0.085, 0.024, side * 14)] = 480.0
hu[ellipse(0, 0.48, 0.022, 0.08)] = 520.0
hu[ellipse(0, 0.385, 0.05, 0.043)] = FAT + 60
hu[ellipse(0, 0.385, 0.038, 0.034)] = 35.0
# ribs, cut aslant
for turn in (12, 30, 50, 130, 150, 168, 208, 228, 312, 332):
    a = np.radians(turn)
    cx, cy = 0.755 * np.cos(a), 0.525 * np.sin(a)
    slope = np.degrees(np.arctan2(0.535 * np.cos(a), -0.765 * np.sin(a)))
    hu[ellipse(cx, cy, 0.07, 0.028, slope)] = 760.0
    hu[ellipse(cx, cy, 0.052, 0.014, slope)] = 240.0

# marbling of fat, grain of the bone's inside
fine = blur(rng.normal(size=(SIZE, SIZE)), 2.2)
fine /= fine.std()
hu[vertebra] += 45.0 * fine[vertebra]
soft = (hu > -150) & (hu < 130)
hu[soft] += 5.0 * fine[soft]
hu = blur(hu, 0.75)
# noise grows towards the middle, where rays have the longest way
noise = blur(rng.normal(size=(SIZE, SIZE)), 0.8)
noise /= noise.std()
depth = np.clip(1.0 - (x / 0.88) ** 2 - (y / 0.66) ** 2, 0.0, 1.0)
hu += noise * (5.0 + 9.0 * depth)

codes = np.clip(np.rint(hu), -1024, 3071) + 1024
codes[hu < -1024] = 0
Image.fromarray(codes.astype(np.uint16)).save(sys.argv[1])
