#!/usr/bin/env python3
"""dialog.py - presses the buttons in dialog.sh, by way of AT-SPI.

    dialog.py DIRECTORY PID

The files in DIRECTORY are how it takes turns with dialog.scm; PID is GIMP's.
Writes TAP lines.

SPDX-License-Identifier: GPL-3.0-or-later
"""
import os
import subprocess
import sys
import time

import pyatspi

DIRECTORY, GIMP = sys.argv[1], int(sys.argv[2])
SCREENSHOTS = os.environ.get("ISOLUX_SCREENSHOTS")


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
    if SCREENSHOTS:
        subprocess.run(["xdotool", "mousemove", "1270", "890"], check=False)
        time.sleep(1)
        subprocess.run(["import", "-window", "root",
                        os.path.join(SCREENSHOTS, name + ".png")], check=False)


def application(name):
    def find():
        for app in pyatspi.Registry.getDesktop(0):
            if app and app.name.startswith(name):
                return app
        return None
    return wait_for("application " + name, find)


def walk(node):
    yield node
    for index in range(node.childCount):
        child = node.getChildAtIndex(index)
        if child is not None:
            yield from walk(child)


def widget(app, name, role=None):
    def find():
        for node in walk(app):
            if (node.name.replace("_", "") == name
                    and (role is None or node.getRoleName() == role)):
                return node
        return None
    return wait_for("%s %s" % (role or "widget", name), find)


def press(app, name, role=None):
    widget(app, name, role).queryAction().doAction(0)


def is_checked(node):
    return node.getState().contains(pyatspi.STATE_CHECKED)


def turn(name):
    open(os.path.join(DIRECTORY, name), "w").close()


def at(name):
    path = os.path.join(DIRECTORY, "at-" + name)
    wait_for(name, lambda: os.path.isdir(path))


def dialog():
    """The plug-in's program, with its dialog open."""
    app = application("isolux")
    widget(app, "Equalize", "dialog")
    time.sleep(1)  # the preview
    return app


def gone():
    """Waits until the plug-in has ended."""
    wait_for("end of the plug-in", lambda: not any(
        app and app.name.startswith("isolux")
        for app in pyatspi.Registry.getDesktop(0)))


def undo_entry():
    """The label of Edit > Undo."""
    def find():
        for node in walk(application("gimp")):
            if (node.getRoleName() == "menu item"
                    and node.name.replace("_", "").startswith("Undo")
                    and "History" not in node.name):
                return node
        return None
    return wait_for("menu entry Undo", find)


def key(keys):
    def find():
        out = subprocess.run(["xdotool", "search", "--onlyvisible", "--name",
                              "GIMP$"], capture_output=True, text=True).stdout
        return out.split()
    window = wait_for("GIMP's window", find)[-1]
    subprocess.run(["xdotool", "windowactivate", "--sync", window], check=False)
    time.sleep(0.3)
    subprocess.run(["xdotool", "key", keys], check=False)
    time.sleep(1)


def main():
    # Cancel, after changes
    app = dialog()
    picture("1-dialog")
    ok(is_checked(widget(app, "Preview on canvas", "check box")), "the preview is on")
    widget(app, "Clip limit").queryValue().currentValue = 2.0
    time.sleep(1)
    picture("2-clip-limit")
    press(app, "Preview on canvas", "check box")
    time.sleep(1)
    picture("3-no-preview")
    press(app, "Preview on canvas", "check box")
    time.sleep(0.5)
    press(app, "Cancel")
    gone()
    at("cancelled")

    menu = widget(application("gimp"), "Isolux", "menu")
    names = [node.name.replace("_", "") for node in walk(menu)]
    ok("Grayscale..." in names and "Equalize..." in names,
       "Filters > Isolux has the operations")

    key("ctrl+z")
    turn("go-1")

    # OK
    app = dialog()
    widget(app, "Clip limit").queryValue().currentValue = 3.0
    time.sleep(1)
    picture("4-before-ok")
    press(app, "OK")
    gone()
    at("done")
    picture("5-done")
    name = undo_entry().name.replace("_", "")
    ok(name == "Undo Equalize", "the step to undo is called: " + name)
    key("ctrl+z")
    picture("6-undone")
    turn("go-2")
    at("undone")
    key("ctrl+y")
    turn("go-3")

    # keeping the filter
    app = dialog()
    ok(widget(app, "Clip limit").queryValue().currentValue == 3.0,
       "the dialog opens with the last values")
    press(app, "Merge filter", "check box")
    press(app, "OK")
    gone()
    at("kept")
    picture("7-kept")
    key("ctrl+z")
    turn("go-4")

    # a group and a channel
    app = dialog()
    picture("8-group")
    press(app, "OK")
    gone()
    at("both")
    key("ctrl+z")
    turn("go-5")

    # a channel alone: nothing to preview
    at("channel")
    app = dialog()
    picture("9-channel")
    for name in "Preview on canvas", "Merge filter":
        box = widget(app, name, "check box")
        ok(not box.getState().contains(pyatspi.STATE_SENSITIVE),
           name + " is no choice for a channel")
    press(app, "Cancel")
    gone()


main()
