"""windows.py - what drivers of GIMP's windows share (see windows.sh).

Code for GIMP is Script-Fu, which runs while nobody has a dialog open: begin()
starts a procedure whose dialog is then driven here, and result() has what
the code said with (answer ...).

SPDX-License-Identifier: GPL-3.0-or-later
"""
import json
import os
import subprocess
import sys
import time

import pyatspi

DIRECTORY, GIMP = sys.argv[1], int(sys.argv[2])
SCREENSHOTS = os.environ.get("ISOLUX_SCREENSHOTS")

# What a call of a procedure answers
DONE, CANCELLED = ["()"], ["(#f)"]

count = 0


def ok(good, text):
    print("ok -" if good else "not ok -", text, flush=True)
    return good


def equal(found, expected, text):
    if not ok(found == expected, text):
        print("# found %r, expected %r" % (found, expected), flush=True)


def near(found, expected, tolerance, text):
    if not ok(abs(found - expected) <= tolerance, text):
        print("# found %r, expected %r" % (found, expected), flush=True)


def wait_for(what, find, seconds=30):
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


def settle(seconds=0.5):
    time.sleep(seconds)


# --- GIMP ---

def begin(code):
    """Code for GIMP, which need not have ended when this returns."""
    global count
    count += 1
    path = os.path.join(DIRECTORY, "code-%d" % count)
    with open(path + ".new", "w", encoding="utf-8") as file:
        file.write(code)
    os.rename(path + ".new", path)


def result(seconds=60):
    """What the code has answered, as a list of lines."""
    done = os.path.join(DIRECTORY, "done-%d" % count)
    wait_for("answer to code %d" % count, lambda: os.path.isdir(done), seconds)
    with open(os.path.join(DIRECTORY, "result-%d" % count),
              encoding="utf-8") as file:
        lines = file.read().split("\n")[:-1]
    if "ERROR" in lines:
        sys.exit("code %d failed: %s" % (count, errors()[-1000:]))
    return lines


def gimp(code, seconds=60):
    begin(code)
    return result(seconds)


def errors():
    """What GIMP and the plug-in have written to standard error."""
    with open(os.path.join(DIRECTORY, "errors"), errors="replace",
              encoding="utf-8") as file:
        return file.read()


# --- Widgets ---

def applications(name):
    return [app for app in pyatspi.Registry.getDesktop(0)
            if app and app.name.startswith(name)]


def walk(node):
    yield node
    for index in range(node.childCount):
        child = node.getChildAtIndex(index)
        if child is not None:
            yield from walk(child)


def has(node, state):
    return node.getState().contains(state)


def is_checked(node):
    return has(node, pyatspi.STATE_CHECKED)


def is_sensitive(node):
    return has(node, pyatspi.STATE_SENSITIVE)


def is_showing(node):
    return has(node, pyatspi.STATE_SHOWING)


def plain(name):
    return name.replace("_", "")


def role_of(node):
    """The role's name; AT-SPI has renamed one."""
    role = node.getRoleName()
    return "button" if role == "push button" else role


def find(root, name, role=None, begins=False):
    """The first widget of a name, or None."""
    for node in walk(root):
        found = plain(node.name)
        if ((found == name or begins and found.startswith(name))
                and (role is None or role_of(node) == role)):
            return node
    return None


class Dialog:
    """An open dialog of Isolux'."""

    def __init__(self, title):
        def look():
            for app in applications("isolux"):
                for node in walk(app):
                    if node.getRoleName() == "dialog" and node.name == title:
                        return app
            return None
        self.title = title
        self.app = wait_for("dialog " + title, look)

    def widget(self, name, role=None, begins=False, seconds=30):
        return wait_for("%s %s" % (role or "widget", name),
                        lambda: find(self.app, name, role, begins), seconds)

    def has(self, name, role=None, begins=False):
        return find(self.app, name, role, begins) is not None

    def press(self, name, role=None, begins=False):
        self.widget(name, role, begins).queryAction().doAction(0)

    def set(self, name, value):
        self.widget(name).queryValue().currentValue = value

    def get(self, name):
        return self.widget(name).queryValue().currentValue

    def checked(self, name):
        return is_checked(self.widget(name, "check box"))

    def number(self, name, side=None):
        """A number of the table, as text: "Mean", "after"."""
        wanted = "%s, %s" % (name, side) if side else name
        for node in walk(self.app):
            if node.description == wanted and node.getRoleName() == "label":
                return node.name
        return None

    def numbers(self, side):
        found = {}
        for name in ("Minimum", "Maximum", "Mean", "Standard deviation",
                     "Entropy (bits)", "Saturated"):
            text = self.number(name, side) or "nan"
            found[name] = float(text.replace("≈", "").replace("%", "")
                                .replace("\u2212", "-").split()[0])
        return found

    def loaded(self, seconds=60):
        """Waits until numbers are those of all pixels."""
        def look():
            text = self.number("Mean", "after") or self.number("Cells")
            return text and "≈" not in text
        wait_for("exact numbers", look, seconds)
        return self

    def labels(self):
        return [node.name for node in walk(self.app)
                if node.getRoleName() == "label"]

    def subtitle(self):
        return next(name for name in self.labels() if " · " in name)

    def notice(self, seconds=30):
        """The title of the bar above everything."""
        def look():
            for node in walk(self.app):
                if node.getRoleName() in ("info bar", "info-bar"):
                    return node.name
            return None
        return wait_for("info bar", look, seconds)

    def gone(self, seconds=60):
        wait_for("end of the plug-in", lambda: not applications("isolux"),
                 seconds)

    def cancel(self):
        self.press("Cancel", "button")
        self.gone()

    def ok(self):
        self.press("OK", "button")
        self.gone()


def procedure(name, title, drawables="(vector layer)", arguments=""):
    """Starts a procedure's dialog on `image` and `layer`."""
    begin("""(answer (plug-in-isolux-%s #:run-mode RUN-INTERACTIVE
      #:image image #:drawables %s %s))""" % (name, drawables, arguments))
    return Dialog(title)


def menu(*names):
    """Activates an entry of GIMP's menus, which need not be open."""
    def look():
        for app in applications("gimp"):
            for node in walk(app):
                if (role_of(node) == "menu item"
                        and plain(node.name) in names):
                    return node
        return None
    wait_for("menu entry " + names[0], look).queryAction().doAction(0)


def windows(name):
    out = subprocess.run(["xdotool", "search", "--onlyvisible", "--name",
                          name], capture_output=True, text=True, check=False)
    return out.stdout.split()


def key(window, *keys):
    """Presses keys in the first window whose name matches."""
    found = wait_for("window " + window, lambda: windows(window))[-1]
    subprocess.run(["xdotool", "windowactivate", "--sync", found],
                   check=False)
    time.sleep(0.3)
    for name in keys:
        subprocess.run(["xdotool", "key", name], check=False)
        time.sleep(0.3)
    return found


def picture(name, window=None):
    """The screen, or a window of it, when pictures are wanted."""
    if not SCREENSHOTS:
        return
    subprocess.run(["xdotool", "mousemove", "1", "1"], check=False)
    time.sleep(0.7)
    path = os.path.join(SCREENSHOTS, name + ".png")
    if window:
        window = wait_for("window " + window, lambda: windows(window))[-1]
    subprocess.run(["import", "-window", window or "root", path], check=False)


def histogram(drawable="layer", channel="luma"):
    """The library's numbers of a drawable."""
    lines = gimp("""(answer (list-ref (plug-in-isolux-histogram
      #:image image #:drawables (vector %s) #:channel "%s") 2))"""
                 % (drawable, channel))
    return json.loads("\n".join(lines))
