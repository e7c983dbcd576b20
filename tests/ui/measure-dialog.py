#!/usr/bin/env python3
"""measure-dialog.py - how fast the dialog is, see windows.sh:

    UI_MEASURE=1 windows.sh BUILD_DIR measure-dialog.py

Opens CLAHE on 16 megapixels of 8 and of 16 bits, twice each, and drags the
clip limit by the mouse for some seconds.  The dialog says on standard error
when its window was drawn, how long its main loop stalled, and how many
results a second it showed; here they are put together.

SPDX-License-Identifier: GPL-3.0-or-later
"""
import os
import re
import subprocess
import time

import pyatspi
import windows as w
from windows import gimp, ok

SIDE = 4096
SECONDS = 5.0


def log():
    """What the dialog that is open has said so far."""
    return w.errors().split(": begin\n")[-1]


def number(pattern, text):
    found = re.findall(pattern, text)
    return float(found[-1]) if found else float("nan")


def drag(dialog):
    """Up and down the clip limit with the button held, 50 moves a second."""
    box = dialog.widget("Clip limit").queryComponent() \
        .getExtents(pyatspi.XY_SCREEN)
    y = box.y + box.height * 3 // 4
    left, right = box.x + box.width // 8, box.x + box.width // 2
    moves = []
    step = 3
    x = left
    for _ in range(int(SECONDS * 50)):
        x += step
        if x >= right or x <= left:
            step = -step
        moves += ["mousemove", str(x), str(y), "sleep", "0.02"]
    subprocess.run(["xdotool", "mousemove", str(left), str(y), "mousedown",
                    "1", *moves, "mouseup", "1"], check=True)


def measure(bits):
    gimp("""
      (define image (gimp-image-new-with-precision %d %d GRAY
                      PRECISION-U%d-NON-LINEAR))
      (gimp-image-undo-disable image)
      (define layer (gimp-layer-new image "layer" %d %d GRAY-IMAGE 100
                                    LAYER-MODE-NORMAL))
      (gimp-image-insert-layer image layer 0 0)
      (gimp-drawable-fill layer FILL-WHITE)
      (gimp-drawable-merge-new-filter layer "gegl:plasma" "plasma"
                                      LAYER-MODE-REPLACE 1.0 "seed" 7)
      (gimp-image-undo-enable image)
      (define screen (gimp-display-new image))
      (gimp-image-clean-all image)""" % (SIDE, SIDE, bits, SIDE, SIDE), 300)
    for canvas in (True, False):
        dialog = w.procedure("clahe", "CLAHE")
        if dialog.checked("Preview on canvas") != canvas:
            dialog.press("Preview on canvas", "check box")
        w.wait_for("exact result", lambda: "first exact result" in log(), 120)
        time.sleep(4.0)
        loading = log()
        start = number(r"dialog ([\d.]+) ms [^\n]*window drawn", loading)
        work = number(r"\(([\d.]+) of this process\): window drawn", loading)
        read = number(r"dialog ([\d.]+) ms [^\n]*all rows read", loading)
        exact = number(r"dialog ([\d.]+) ms [^\n]*first exact", loading)
        stall = number(r"stalled for ([\d.]+) ms", loading)
        drag(dialog)
        time.sleep(1.5)
        dragging = log()[len(loading):]
        rates = [float(x) for x in
                 re.findall(r"([\d.]+) updates a second", dragging)]
        longest = number(r"stalled for ([\d.]+) ms", dragging)
        print("# 16 Mpx u%d, canvas %s: window drawn after %.0f ms (%.0f ms of "
              "processor time), all read %.0f ms, exact %.0f ms, longest stall "
              "%.0f ms while loading" % (bits, "on" if canvas else "off",
                                         start, work, read, exact, stall))
        print("#   dragging: updates a second %s; stall beyond that: %.0f ms"
              % (", ".join("%.1f" % rate for rate in rates), longest))
        ok(rates and max(rates) > 0.0, "u%d was measured" % bits)
        dialog.cancel()
        w.result()
    gimp("(gimp-display-delete screen)")


print("# load of the machine: %.1f" % os.getloadavg()[0])
measure(8)
measure(16)
print("# load of the machine: %.1f" % os.getloadavg()[0], flush=True)
