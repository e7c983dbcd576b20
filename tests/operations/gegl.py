#!/usr/bin/env python3
"""The operations in the gegl program, on picture files.

What comes out is compared with the definitions, written here in numpy.
Reports by TAP.

    gegl.py

SPDX-License-Identifier: GPL-3.0-or-later
"""
import os
import re
import subprocess
import sys
import tempfile

import numpy as np
from PIL import Image

count = 0
failed = 0
work = tempfile.TemporaryDirectory()
line = re.compile(
    r"^isolux: (?P<name>[a-z-]+) (?P<size>\d+x\d+) (?P<pixels>\w+) on CPU "
    r"\(\d+ threads\): read [\d.]+ ms, compute [\d.]+ ms, write [\d.]+ ms, "
    r"total [\d.]+ ms; (un)?changed; CUDA: .+$", re.MULTILINE)


def check(text, good, detail=""):
    global count, failed
    count += 1
    print(f"{'ok' if good else 'not ok'} {count} - {text}")
    if not good:
        failed += 1
        for row in str(detail).splitlines():
            print(f"# {row}")


def save(pixels):
    name = os.path.join(work.name, "in.png")
    Image.fromarray(pixels).save(name)
    return name


def gegl(name, *operations, **variables):
    """Runs the program on a file; gives the pixels and what it said."""
    out = os.path.join(work.name, "out.png")
    if os.path.exists(out):
        os.remove(out)
    run = subprocess.run(
        ["gegl", name, "-o", out, "--", *operations],
        env={**os.environ, "ISOLUX_BACKEND": "cpu", "ISOLUX_VERBOSE": "1",
             **variables},
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
        timeout=120, check=False)
    if run.returncode != 0 or not os.path.exists(out):
        return None, f"status {run.returncode}\n{run.stdout}"
    return np.asarray(Image.open(out)), run.stdout


def to_8_bits(pixels):
    """The program writes 16 bits a component, also of 8-bit images."""
    if pixels is None or pixels.dtype == np.uint8:
        return pixels
    return (pixels.astype(np.uint32) // 257).astype(np.uint8)


def same(text, found, wanted, said):
    if found is None:
        check(text, False, said)
        return
    good = found.shape == wanted.shape and np.array_equal(found, wanted)
    check(text, good, f"{np.count_nonzero(found != wanted)} of {wanted.size} "
                      f"values differ" if found.shape == wanted.shape
          else f"{found.shape}, wanted {wanted.shape}")


def equalize_8(pixels):
    """cv2.equalizeHist"""
    counts = np.bincount(pixels.ravel(), minlength=256)
    first = int(np.nonzero(counts)[0][0])
    above = np.cumsum(counts) - counts[first]
    above[:first] = 0
    scale = np.float32(255) / np.float32(pixels.size - counts[first])
    table = np.rint(above.astype(np.float32) * scale)
    return table.astype(np.uint8)[pixels]


def equalize_16(pixels, bits, clip_limit):
    counts = np.bincount(pixels.ravel(), minlength=1 << bits).astype(float)
    total = counts.sum()
    first = int(np.nonzero(counts)[0][0])
    if clip_limit:
        limit = clip_limit * total / counts.size
        excess = np.maximum(counts - limit, 0).sum()
        counts = np.minimum(counts, limit) + excess / counts.size
    sums = np.cumsum(counts)
    table = (sums - sums[first]) * 65535 / (total - sums[first])
    table[:first] = 0
    return np.rint(table).astype(np.uint16)[pixels]


def main():
    rng = np.random.default_rng(5)
    gray8 = (rng.random((190, 301)) ** 2 * 180 + 20).astype(np.uint8)
    gray12 = (rng.random((190, 301)) ** 3 * 3000 + 700).astype(np.uint16)
    color = rng.integers(0, 256, (97, 131, 4)).astype(np.uint8)

    found, said = gegl(save(gray8), "isolux:equalize")
    same("8 bits: as cv2.equalizeHist", to_8_bits(found), equalize_8(gray8),
         said)
    lines = [m.groupdict() for m in line.finditer(said)]
    check("it was computed once, and the log says so",
          len(lines) == 1 and lines[0]["name"] == "equalize" and
          lines[0]["size"] == "301x190" and lines[0]["pixels"] == "u8x1", said)

    found, said = gegl(save(gray12), "isolux:equalize")
    same("12 of 16 bits", found, equalize_16(gray12, 12, 0), said)
    check("16 bits stay 16 bits", "u16x1" in said, said)

    found, said = gegl(save(gray12), "isolux:equalize", "clip-limit=3")
    wanted = equalize_16(gray12, 12, 3)
    check("clip limit 3", found is not None and
          np.abs(found.astype(int) - wanted).max() <= 1, said)

    found, said = gegl(save(gray8), "isolux:equalize", "skip-threshold=0.9")
    same("skip threshold", to_8_bits(found), gray8, said)

    found, said = gegl(save(gray8), "isolux:equalize", "roi=100x50")
    wanted = gray8.copy()
    wanted[:50, :100] = equalize_8(gray8[:50, :100])
    same("region of interest", to_8_bits(found), wanted, said)

    found, said = gegl(save(color), "isolux:grayscale")
    wide = color.astype(np.int64)
    gray = ((9798 * wide[..., 0] + 19235 * wide[..., 1] + 3735 * wide[..., 2] +
             16384) >> 15).astype(np.uint8)
    wanted = np.dstack([gray, gray, gray, color[..., 3]])
    same("grayscale, as cv2.cvtColor, alpha kept", to_8_bits(found), wanted,
         said)

    found, said = gegl(save(color), "isolux:grayscale", "method=maximum")
    gray = color[..., :3].max(axis=2)
    same("grayscale, another method", to_8_bits(found),
         np.dstack([gray, gray, gray, color[..., 3]]), said)

    found, said = gegl(save(color), "isolux:equalize", "channels=each",
                       "isolux:grayscale", "method=average")
    check("two in a chain", found is not None and
          [m["name"] for m in line.finditer(said)] == ["equalize", "grayscale"],
          said)

    found, said = gegl(save(gray12), "isolux:window", "mode=range")
    least, most = int(gray12.min()), int(gray12.max())
    wanted = (gray12.astype(float) - least) / (most - least) * 65535
    check("window: the range in use becomes all", found is not None and
          np.abs(found - wanted).max() <= 1, said)

    found, said = gegl(save(gray12), "isolux:window", "mode=window",
                       "center=2000", "width=1000", "invert=true")
    wanted = 65535 - np.clip((gray12 - 1500.0) / 1000, 0, 1) * 65535
    check("window: center and width, inverted", found is not None and
          np.abs(found - wanted).max() <= 1, said)

    found, said = gegl(save(gray8), "isolux:lbp")
    wide = np.pad(gray8, 1).astype(int)
    steps = [(0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1), (1, 0),
             (1, 1)]
    # those between pixels are interpolated, those on the axes are not
    axes = sum(int(bit % 2 == 0) << bit for bit in range(8))
    wanted = sum((wide[1 + y:191 + y, 1 + x:302 + x] >= gray8).astype(int)
                 << bit for bit, (y, x) in enumerate(steps))
    found = to_8_bits(found)
    check("local binary patterns: the bits of the four direct neighbors",
          found is not None and np.array_equal(found & axes, wanted & axes),
          said)

    found, said = gegl(save(gray12), "isolux:clahe", "clip-limit=2.5")
    check("CLAHE: more contrast, 16 bits", found is not None and
          found.dtype == np.uint16 and found.std() > gray12.std() * 2, said)

    for name in "isolux:hog", "isolux:contrast-map":
        found, said = gegl(save(gray8), name)
        check(f"{name}: a picture", found is not None and
              found.shape == gray8.shape and found.max() > found.min(), said)

    one = save(np.full((1, 1), 77, np.uint8))
    found, said = gegl(one, "isolux:equalize")
    same("1 x 1", to_8_bits(found), np.full((1, 1), 77, np.uint8), said)

    name = save(gray8)
    found, said = gegl(name, "isolux:equalize", ISOLUX_FAULT="memory:1+")
    same("no memory: the image as it was", to_8_bits(found), gray8, said)
    check("no memory: said once, in words",
          said.count("Isolux Equalize could not be applied") == 1 and
          "isolux: equalize 301x190 u8x1 copied: " in said, said)

    found, said = gegl(name, "isolux:equalize", ISOLUX_VERBOSE="")
    check("nothing is said when nothing is asked",
          found is not None and "isolux" not in said.lower(), said)

    print(f"1..{count}")
    return 1 if failed else 0


sys.exit(main())
