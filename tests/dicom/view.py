#!/usr/bin/env python3
"""view.py - a DICOM file as it opens, and Window/Level on it, in GIMP's window:
values are in the unit, and the window that was there gives way or comes back.

    windows.sh BUILD_DIR view.py

SPDX-License-Identifier: GPL-3.0-or-later
"""
import os
import subprocess
import sys

import windows as w
from windows import equal, gimp, near, ok

FOLDER = os.path.join(sys.argv[1], "files")
FILES = os.path.join(os.path.dirname(os.path.realpath(__file__)), "files.py")


def filters():
    """Whether each filter of the layer is visible, and the image changed"""
    return gimp("""
      (for-each
        (lambda (filter) (answer (gimp-drawable-filter-get-visible filter)))
        (vector->list (gimp-drawable-get-filters layer)))
      (answer (gimp-image-is-dirty image))""")


def dialog():
    shown = w.procedure("window", "Window/Level")
    shown.loaded()
    w.settle(1.5)
    return shown


def main():
    subprocess.run([sys.executable, FILES, FOLDER, "window"], check=True,
                   stdout=subprocess.DEVNULL)
    gimp("""
      (define image (gimp-file-load RUN-NONINTERACTIVE "%s/blocks.dcm"))
      (define layer (vector-ref (gimp-image-get-layers image) 0))
      (define screen (gimp-display-new image))""" % FOLDER)
    before = filters()
    equal(before, ["#t", "#f"], "the file opens with one window")

    shown = dialog()
    ok("Hounsfield" in shown.subtitle(), "the dialog is in HU: "
       + shown.subtitle())
    ok("effect" not in shown.subtitle(), "of the values, not of a picture")
    near(shown.numbers("before")["Minimum"], -1000.0, 0.5, "the least value")
    shown.set("Window width", 1200.0)
    w.settle(2.0)
    shown.cancel()
    equal(filters(), before, "Cancel leaves all as it was")

    shown = dialog()
    shown.press("Abdomen", begins=True)
    w.settle(2.0)
    shown.ok()
    equal(filters(), ["#t"], "merged, the window is gone")
    equal(gimp("""(answer (gimp-item-get-name layer))"""),
          ["CT (Isolux Window)"], "and the name says so")
    gimp("(gimp-display-delete screen)")


if __name__ == "__main__":
    main()
