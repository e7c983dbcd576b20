#!/usr/bin/env python3
"""window.py - presses the buttons in window.sh, by way of AT-SPI.

    window.py DIRECTORY PID

The files in DIRECTORY are how it takes turns with window.scm; PID is GIMP's.
Writes TAP lines.

SPDX-License-Identifier: GPL-3.0-or-later
"""
import os
import subprocess
import sys
import time

import numpy as np
import pyatspi
from PIL import Image

DIRECTORY, GIMP = sys.argv[1], int(sys.argv[2])
SCREENSHOTS = os.environ.get("ISOLUX_SCREENSHOTS", DIRECTORY)
TITLE = "Open DICOM Picture"


def ok(good, text):
    print("ok -" if good else "not ok -", text, flush=True)


def wait_for(what, find, seconds=60):
    """Calls find until it gives something."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        try:
            found = find()
        except Exception:  # things go away while they are looked at
            found = None
        if found:
            return found
        os.kill(GIMP, 0)
        time.sleep(0.1)
    picture("timeout")
    sys.exit("no " + what)


def picture(name):
    subprocess.run(["xdotool", "mousemove", "1270", "890"], check=False)
    time.sleep(1)
    path = os.path.join(SCREENSHOTS, name + ".png")
    subprocess.run(["import", "-window", "root", path], check=False)
    return path


def walk(node):
    yield node
    for index in range(node.childCount):
        child = node.getChildAtIndex(index)
        if child is not None:
            yield from walk(child)


def dialog(title=TITLE):
    def find():
        for app in pyatspi.Registry.getDesktop(0):
            if app and app.name.startswith("isolux-dicom"):
                for node in walk(app):
                    if node.name == title and node.getRoleName() == "dialog":
                        return node
        return None
    return wait_for("dialog", find)


def gone():
    wait_for("end of the dialog", lambda: not any(
        app and app.name.startswith("isolux-dicom")
        for app in pyatspi.Registry.getDesktop(0)))


def find(root, role, name=None):
    """Of any role, when it is ""; roles have changed their names."""
    for node in walk(root):
        if role in ("", node.getRoleName()) and (
                name is None or node.name.replace("_", "") == name):
            return node
    return None


def press(root, name):
    find(root, "", name).queryAction().doAction(0)


def is_sensitive(node):
    return node.getState().contains(pyatspi.STATE_SENSITIVE)


def at(name):
    path = os.path.join(DIRECTORY, "at-" + name)
    wait_for(name, lambda: os.path.isdir(path))


def go(name):
    with open(os.path.join(DIRECTORY, "go-" + name), "w", encoding="ascii"):
        pass


def window_choice(root):
    return next(n for n in walk(root) if n.getRoleName() == "combo box"
                and find(n, "", "The file's own"))


def choose(root, name):
    choice = window_choice(root)
    names = [n.name for n in walk(choice) if n.getRoleName() == "menu item"]
    choice.querySelection().selectChild(names.index(name))


def chosen(root):
    return window_choice(root).name


def check_blocks(name, *grays):
    """The file has four blocks of 200 x 150 pixels."""
    screen = np.asarray(Image.open(picture(name)).convert("RGB"))
    for gray in grays:
        area = max((screen == level).all(axis=-1).sum() for level in gray)
        ok(area >= 0.9 * 200 * 150,
           "gray %d is on the screen, %d pixels" % (gray[0], area))


def main():
    # frames
    root = dialog()
    picture("dicom-1-frames")
    words = " ".join(n.name for n in walk(root))
    ok("MR" in words and "12" in words, "the dialog tells what is in the file")
    entry = find(root, "text")
    open_button = find(root, "", "Open")
    ok(is_sensitive(open_button), "all frames can be opened")
    ok(entry.queryText().getText(0, -1) == "all", "all is what it begins with")
    entry.queryEditableText().setTextContents("2-3,99")
    time.sleep(1)
    picture("dicom-2-wrong")
    ok(not is_sensitive(open_button), "frames that there are not cannot")
    entry.queryEditableText().setTextContents("2-3")
    time.sleep(1)
    ok(is_sensitive(open_button), "two of them can")
    press(root, "Open")
    gone()

    root = dialog()
    ok(find(root, "text").queryText().getText(0, -1) == "2-3",
       "the dialog opens with what was opened last")
    press(root, "Cancel")
    gone()
    at("cancelled")

    root = dialog()
    find(root, "text").queryEditableText().setTextContents("all")
    time.sleep(0.5)
    press(root, "Open")
    root = dialog("Opening DICOM Picture")
    time.sleep(1)
    picture("dicom-5-progress")
    press(root, "Cancel")
    gone()
    at("stopped")

    root = dialog()
    picture("dicom-3-single")
    ok(find(root, "text") is None, "one frame leaves no choice of frames")
    choose(root, "Lung")
    time.sleep(0.5)
    press(root, "Open")
    gone()
    at("lung")
    time.sleep(3)
    # -1000 and -181 HU between -1350 and 150; the others are above
    check_blocks("dicom-6-lung", (59, 60), (198, 199), (255,))
    go("lung")

    root = dialog()
    ok(chosen(root) == "Lung", "the window is that of the last time")
    choose(root, "The file's own")
    time.sleep(0.5)
    press(root, "Ask before opening single pictures, too")
    time.sleep(0.5)
    press(root, "Open")
    gone()
    at("shown")
    time.sleep(3)
    check_blocks("dicom-4-shown", (0,), (51,), (128,), (204,))
    go("1")
    at("again")


if __name__ == "__main__":
    main()
