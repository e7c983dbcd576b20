#!/usr/bin/env python3
# contrast-colors - writes contrast-colors.h: black, blue, red, yellow, white,
# with a CIE L* that grows evenly from 0 to 100.  Hue and chroma of CIELAB
# (D65) follow the ramps below; every color lies inside sRGB.
#
# SPDX-License-Identifier: GPL-3.0-or-later

import math

ENTRIES = 256
WHITE = (0.4124564 + 0.3575761 + 0.1804375, 1.0,
         0.0193339 + 0.1191920 + 0.9503041)
TO_RGB = ((3.2404542, -1.5371385, -0.4985314),
          (-0.9692660, 1.8760108, 0.0415560),
          (0.0556434, -0.2040259, 1.0572252))


def linear(lightness, chroma, hue):
    """linear sRGB of a color"""
    a = chroma * math.cos(math.radians(hue))
    b = chroma * math.sin(math.radians(hue))
    fy = (lightness + 16) / 116
    xyz = []
    for f, white in zip((fy + a / 500, fy, fy - b / 200), WHITE):
        xyz.append(white * (f ** 3 if f > 6 / 29
                            else 3 * (6 / 29) ** 2 * (f - 4 / 29)))
    return [sum(m * v for m, v in zip(row, xyz)) for row in TO_RGB]


def inside(lightness, chroma, hue):
    return all(-1e-6 <= v <= 1 + 1e-6 for v in linear(lightness, chroma, hue))


def largest(lightness, hue):
    """the most chroma that sRGB has there"""
    low, high = 0.0, 150.0
    for _ in range(50):
        middle = (low + high) / 2
        if inside(lightness, middle, hue):
            low = middle
        else:
            high = middle
    return low


def encode(v):
    v = min(max(v, 0.0), 1.0)
    v = 12.92 * v if v <= 0.0031308 else 1.055 * v ** (1 / 2.4) - 0.055
    return round(v * 65535)


def colors():
    hues, limits = [], []
    for k in range(ENTRIES):
        t = k / (ENTRIES - 1)
        hues.append(285 + 170 * t)
        limits.append(0.9 * largest(100 * t, hues[-1]))
    # chroma that never jumps: at most 70, and no steeper than a little a step
    limits[0] = limits[-1] = 0.0
    chroma = [min(limit, 70.0) for limit in limits]
    for order in (range(1, ENTRIES), range(ENTRIES - 2, -1, -1)):
        for k in order:
            near = chroma[k - 1] if order.step > 0 else chroma[k + 1]
            chroma[k] = min(chroma[k], near + 0.6)
    for k in range(ENTRIES):
        rgb = linear(100 * k / (ENTRIES - 1), chroma[k], hues[k])
        yield [encode(v) for v in rgb]


def main():
    print('/* SPDX-License-Identifier: GPL-3.0-or-later */')
    print('/* Written by contrast-colors.py: sRGB in 1/65535, CIE L* from 0 '
          'to 100. */')
    print('/* clang-format off */')
    print('{')
    line = ' '
    for rgb in colors():
        entry = ' { %d, %d, %d },' % tuple(rgb)
        if len(line + entry) > 78:
            print(line)
            line = ' '
        line += entry
    print(line.rstrip(','))
    print('}')
    print('/* clang-format on */')


if __name__ == '__main__':
    main()
