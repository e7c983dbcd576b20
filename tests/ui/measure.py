#!/usr/bin/env python3
"""measure.py - how quick the dialog is; a driver of windows.sh.

    measure.py DIRECTORY PID [WIDTHxHEIGHT[xBITS]...]

Opens CLAHE on made images of 16 bits, or 8, drags the clip limit for five seconds, and
says what the dialog wrote down: when its window was there, when all rows were
read, how many results a second came while the slider moved, and for how long
the main loop stood still at most (with other programs at work, only its own
part of that is the dialog's).

SPDX-License-Identifier: GPL-3.0-or-later
"""
import re
import sys
import time

import windows as w
from windows import gimp, ok, procedure

MAKE = """
(define image (gimp-image-new-with-precision %(width)d %(height)d GRAY
               PRECISION-U%(bits)d-NON-LINEAR))
(gimp-image-undo-disable image)
(define layer (gimp-layer-new image "layer" %(width)d %(height)d GRAY-IMAGE
                              100 LAYER-MODE-NORMAL))
(gimp-image-insert-layer image layer 0 0)
(gimp-drawable-edit-gradient-fill layer GRADIENT-LINEAR 0 #f 1 0 #f
                                  0 0 %(width)d %(height)d)
"""


def last(pattern, text):
    found = re.findall(pattern, text)
    return found[-1] if found else "?"


def work_of_an_update(log):
    """The process' own time by what came while the slider moved."""
    lines = [tuple(map(float, line)) for line in re.findall(
        r"dialog ([\d.]+) ms \(([\d.]+) of this process\): ([\d.]+) updates",
        log)]
    updates = sum((after[0] - before[0]) / 1000.0 * after[2]
                  for before, after in zip(lines, lines[1:]))
    return (lines[-1][1] - lines[0][1]) / updates if updates else 0.0


def measure(width, height, bits=16):
    gimp(MAKE % {"width": width, "height": height, "bits": bits}, seconds=400)
    dialog = procedure("clahe", "CLAHE").loaded(300)
    if dialog.checked("Preview on canvas"):
        dialog.press("Preview on canvas", "check box")
    time.sleep(3)
    slider = dialog.widget("Clip limit").queryValue()
    end = time.monotonic() + 5.0
    step = 0
    while time.monotonic() < end:
        step += 1
        slider.currentValue = 1.0 + step % 80 / 10.0
        time.sleep(1 / 120)
    dialog.loaded(300).cancel()
    gimp("(gimp-image-delete image)")

    log = w.errors().split(": begin\n")[-1]
    number = r"dialog ([\d.]+) ms \([\d.]+ of this process\): "
    rates = [float(rate) for rate in
             re.findall(r"([\d.]+) updates a second", log)]
    print("# processor time of an update: %.0f ms" % work_of_an_update(log))
    print("# %d x %d, %d bits: window after %s ms, drawn %s (%s of work), "
          "read %s, exact %s; "
          "%.0f updates a second; longest stall %s ms, of which own work "
          "at most %s ms"
          % (width, height, bits, last(number + "window mapped", log),
             last(number + "window drawn", log),
             last(r"\(([\d.]+) of this process\): window drawn", log),
             last(number + "all rows read", log),
             last(number + "first exact result", log),
             max(rates, default=0.0),
             last(r"longest stall ([\d.]+) ms", log),
             last(r"longest stall .*, work ([\d.]+) ms", log)), flush=True)
    ok(rates, "%d x %d, %d bits: measured" % (width, height, bits))


for size in sys.argv[3:] or ["1000x1000", "4096x4096x8", "4096x4096",
                             "12500x8000"]:
    measure(*[int(side) for side in size.split("x")])
