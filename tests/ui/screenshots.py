#!/usr/bin/env python3
"""screenshots.py - brings the dialog into the states that are pictured, see
screenshots.sh.

    screenshots.py DIRECTORY PID SAMPLES MADE PICTURE...

SPDX-License-Identifier: GPL-3.0-or-later
"""
import os
import re
import subprocess
import sys
import time

import pyatspi
import windows as w
from windows import gimp, ok

SAMPLES, MADE = sys.argv[3:5]
SCALE = int(os.environ.get("GDK_SCALE", "1"))

# Names of procedures and of their dialogs
CLAHE = ("clahe", "CLAHE")
WINDOW = ("window", "Window/Level")
EQUALIZE = ("equalize", "Equalize")
HOG = ("hog", "HOG")


def path(name):
    folder = MADE if name.startswith("ct-") else SAMPLES
    return os.path.join(folder, name)


def open_image(name, layer, more=""):
    gimp("""
      (define image (gimp-file-load RUN-NONINTERACTIVE "%s"))
      (define layer (vector-ref (gimp-image-get-layers image) 0))
      (gimp-item-set-name layer "%s")
      %s
      (gimp-image-set-file image "%s")
      (define screen (gimp-display-new image))"""
         % (path(name), layer, more,
            os.path.join(MADE, os.path.splitext(name)[0] + ".xcf")), 180)


def close_image():
    gimp("(gimp-display-delete screen)")


def exact(dialog, seconds=120):
    """Waits until the result is that of all pixels, in any language."""
    def look():
        return "first exact result" in w.errors().split(": begin\n")[-1]
    w.wait_for("exact result", look, seconds)
    w.settle(1.5)
    return dialog


class Picture(w.Dialog):
    def __init__(self, procedure, wait=True):
        w.begin("""(catch "cancelled" (plug-in-isolux-%s
          #:run-mode RUN-INTERACTIVE #:image image
          #:drawables (vector layer)))""" % procedure[0])
        super().__init__(procedure[1])
        if wait:
            exact(self)

    def window(self):
        return w.wait_for("window " + self.title, lambda: w.windows(
            "^%s$" % self.title))[-1]

    def geometry(self):
        """The window without its frame, as ImageMagick writes it."""
        out = subprocess.run(["xwininfo", "-id", self.window()],
                             capture_output=True, text=True,
                             check=True).stdout
        return "%sx%s+%s+%s" % tuple(
            re.search(name + r": +(\d+)", out).group(1)
            for name in ("Width", "Height", "Absolute upper-left X",
                         "Absolute upper-left Y"))

    def shoot(self, name, settled=False):
        """The window, with what pops up over it, without its frame."""
        if not settled:
            w.settle(0.7)
        subprocess.run(["import", "-window", "root", "-crop",
                        self.geometry(), "+repage",
                        os.path.join(w.SCREENSHOTS, name + ".png")],
                       check=True)
        ok(True, "picture of " + name)

    def point(self, node, x, y, click=False):
        """Moves the pointer to a place in a widget, in parts of it."""
        box = node.queryComponent().getExtents(pyatspi.XY_SCREEN)
        place = [str(int((box.x + box.width * x) * SCALE)),
                 str(int((box.y + box.height * y) * SCALE))]
        for _ in range(2):
            subprocess.run(["xdotool", "mousemove", *place], check=True)
            time.sleep(0.2)
        if click:
            subprocess.run(["xdotool", "click", "1"], check=True)
        time.sleep(0.4)

    def part(self, role):
        """A part of the dialog that has a role of its own."""
        def look():
            for node in w.walk(self.app):
                if node.getRoleName() == role and w.is_showing(node):
                    return node
            return None
        return w.wait_for(role, look)

    def image(self):
        return self.part("slider")

    def histogram(self):
        return self.part("chart")

    def away(self):
        subprocess.run(["xdotool", "mousemove", "1", "1"], check=True)
        time.sleep(0.3)

    def full_size(self):
        self.press("100 %")
        time.sleep(1.0)

    def preset(self, name, begins="Presets:"):
        self.press(begins, begins=True)
        time.sleep(0.7)
        self.widget(name + ", ", begins=True).queryAction().doAction(0)
        time.sleep(1.0)

    def leave(self):
        subprocess.run(["xdotool", "windowactivate", "--sync", self.window()],
                       check=False)
        time.sleep(0.2)
        self.away()
        # the first ones let the tile go, and the tiles
        for _ in range(4):
            if w.applications("isolux"):
                subprocess.run(["xdotool", "key", "Escape"], check=True)
                time.sleep(1.0)
        self.gone()


def chest_clahe():
    """Picture 01, which most others are variants of."""
    open_image("chest-12bit.png", "Chest, PA")
    dialog = Picture(CLAHE)
    dialog.widget("Clip limit").queryValue().currentValue = 6.0
    time.sleep(1.5)
    return dialog


def pick_and_point(dialog):
    """A tile and a value."""
    dialog.point(dialog.image(), 0.42, 0.62, click=True)
    dialog.point(dialog.histogram(), 0.62, 0.3)


def end(dialog):
    dialog.leave()
    close_image()


def shoot_clahe():
    dialog = chest_clahe()
    dialog.preset("Chest X-ray")
    dialog.full_size()
    pick_and_point(dialog)
    dialog.shoot("clahe")
    end(dialog)


def variant(name):
    dialog = chest_clahe()
    pick_and_point(dialog)
    dialog.shoot(name)
    end(dialog)


def shoot_gray():
    """Picture 01 as well: before and after on one axis."""
    open_image("chest-8bit.png", "Chest, PA")
    dialog = Picture(CLAHE)
    dialog.press("Cumulative", "toggle button")
    dialog.set("Clip limit", 4.0)
    time.sleep(1.0)
    dialog.full_size()
    dialog.point(dialog.image(), 0.33, 0.4, click=True)
    dialog.point(dialog.histogram(), 0.4, 0.4)
    dialog.shoot("gray")
    dialog.press("Cumulative", "toggle button")
    dialog.press("Fit in the preview")
    end(dialog)


def shoot_window():
    open_image("ct-phantom.png", "Slice 87", """
      (plug-in-isolux-set-values #:image image #:drawables (vector layer)
                                 #:kind "unsigned-1024-hu")""")
    dialog = Picture(WINDOW)
    dialog.press("Abdomen", begins=True)
    dialog.full_size()
    dialog.point(dialog.image(), 0.6, 0.5)
    dialog.shoot("window")
    dialog.point(dialog.histogram(), 0.6, 0.3)
    dialog.shoot("window-units")
    end(dialog)


def retina():
    open_image("retina.jpg", "Background")
    dialog = Picture(EQUALIZE)
    dialog.full_size()
    dialog.set("Skip if already even", 0.05)
    dialog.press("Measure", "button")
    time.sleep(2.5)
    dialog.point(dialog.image(), 0.6, 0.5)
    return dialog


def shoot_equalize():
    dialog = retina()
    dialog.shoot("equalize")
    end(dialog)


def shoot_big_font():
    dialog = retina()
    dialog.shoot("big-font")
    end(dialog)


def shoot_channels():
    dialog = retina()
    dialog.point(dialog.widget("Channel", "combo box"), 0.5, 0.5, click=True)
    dialog.shoot("channels")
    subprocess.run(["xdotool", "key", "Escape"], check=True)
    time.sleep(0.5)
    end(dialog)


def shoot_ct_windows():
    """The slice through three presets, side by side."""
    parts = []
    for preset in ("ct-abdomen", "ct-lung", "ct-bone"):
        parts.append(os.path.join(MADE, preset + ".png"))
        gimp("""
          (define image (gimp-file-load RUN-NONINTERACTIVE "%s"))
          (define layers (gimp-image-get-layers image))
          (plug-in-isolux-set-values #:image image #:drawables layers
                                     #:kind "unsigned-1024-hu")
          (plug-in-isolux-enhance #:image image #:drawables layers
                                  #:window-preset "%s" #:use-clahe #f)
          (plug-in-isolux-export #:image image #:drawables layers
                                 #:picture-file "%s")
          (gimp-image-delete image)""" % (path("ct-phantom.png"), preset,
                                          parts[-1]))
    subprocess.run(["convert", *parts, "-crop", "480x380+16+66", "+repage",
                    "-resize", "300x", "-bordercolor", "white", "-border", "2",
                    "+append",
                    os.path.join(w.SCREENSHOTS, "ct-windows.png")], check=True)
    ok(True, "picture of ct-windows")


def shoot_hog():
    open_image("ct-phantom.png", "Slice 87", """
      (plug-in-isolux-set-values #:image image #:drawables (vector layer)
                                 #:kind "unsigned-1024-hu")
      (plug-in-isolux-window #:image image #:drawables (vector layer)
                             #:mode "window" #:width 400.0 #:center 40.0)
      (gimp-image-convert-precision image PRECISION-U8-NON-LINEAR)""")
    dialog = Picture(HOG)
    dialog.full_size()
    dialog.point(dialog.image(), 0.757, 0.77, click=True)
    dialog.point(dialog.histogram(), 0.1, 0.6)
    dialog.shoot("hog")
    end(dialog)


def shoot_loading():
    open_image("chest-12bit.png", "Chest, PA",
               "(gimp-image-scale image 16000 10000)")
    dialog = Picture(CLAHE, wait=False)
    strip = dialog.widget("Reading the layer…", "label").parent
    labels = [node.queryText() for node in w.walk(strip)
              if node.getRoleName() == "label"]
    end_of_try = time.monotonic() + 30
    # names are remembered here, texts are not
    while time.monotonic() < end_of_try and not any(
            re.match(r"([4-9]\d|1\d\d) of", text.getText(0, -1))
            for text in labels):
        pass
    dialog.shoot("loading", settled=True)
    end(dialog)


def shoot_refusal():
    open_image("retina.jpg", "Background", """
      (gimp-image-convert-indexed image CONVERT-DITHER-NONE
        CONVERT-PALETTE-GENERATE 18 #f #f "")""")
    dialog = Picture(CLAHE, wait=False)
    dialog.shoot("refusal")
    end(dialog)


def shoot_error():
    open_image("chest-12bit.png", "Chest, PA")
    dialog = Picture(CLAHE, wait=False)
    dialog.notice()
    w.settle(1.0)
    dialog.shoot("error")
    end(dialog)


def shoot_narrow():
    open_image("chest-12bit.png", "Chest, PA")
    dialog = Picture(CLAHE)
    dialog.set("Tiles across", 16)
    time.sleep(1.0)
    bins = dialog.widget("Bins", "combo box")
    bins.querySelection().selectChild(3)
    time.sleep(1.5)
    dialog.point(dialog.histogram(), 0.62, 0.3)
    dialog.shoot("narrow")
    end(dialog)


def save_preset(dialog, name, clip, tiles):
    dialog.set("Clip limit", clip)
    dialog.set("Tiles across", tiles)
    dialog.set("Tiles down", tiles)
    time.sleep(0.5)
    dialog.press("Save the settings as a preset")
    time.sleep(0.7)
    dialog.widget("Name of the preset").queryEditableText() \
        .setTextContents(name)
    dialog.press("Save", "button")
    time.sleep(0.7)


def shoot_presets():
    # some of one's own, and one that has been used
    dialog = chest_clahe()
    save_preset(dialog, "Nuclei, 63× oil", 4.2, 12)
    save_preset(dialog, "Gel scans", 1.5, 2)
    dialog.preset("Default")
    dialog.set("Clip limit", 2.8)
    time.sleep(1.0)
    dialog.ok()
    close_image()

    dialog = chest_clahe()
    dialog.preset("Chest X-ray")
    dialog.press("Presets:", begins=True)
    dialog.shoot("presets")
    dialog.away()
    subprocess.run(["xdotool", "key", "Escape"], check=True)
    time.sleep(0.5)
    end(dialog)


def shoot_compact():
    dialog = chest_clahe()
    dialog.widget("Clip limit").queryComponent().grabFocus()
    w.key("^CLAHE$", "F9")
    time.sleep(1.0)
    dialog.point(dialog.histogram(), 0.62, 0.3)
    dialog.shoot("compact")
    w.key("^CLAHE$", "F9")
    end(dialog)


def shoot_german():
    open_image("chest-12bit.png", "Thorax, PA")
    dialog = Picture(CLAHE)
    dialog.shoot("german")
    end(dialog)


def shoot_colors_off():
    """What the legend looks like where something is not shown."""
    open_image("retina.jpg", "Background")
    dialog = Picture(EQUALIZE)
    dialog.full_size()
    for name in ("Red", "Blue"):
        dialog.press(name, "toggle button")
    dialog.shoot("colors-off")
    for name in ("Red", "Blue"):
        dialog.press(name, "toggle button")
    end(dialog)


def other(name, procedure, title, sample, layer):
    open_image(sample, layer)
    dialog = Picture((procedure, title))
    dialog.shoot(name)
    end(dialog)


PICTURES = {
    "clahe": shoot_clahe,
    "gray": shoot_gray,
    "window": shoot_window,
    "ct-windows": shoot_ct_windows,
    "equalize": shoot_equalize,
    "channels": shoot_channels,
    "colors-off": shoot_colors_off,
    "hog": shoot_hog,
    "loading": shoot_loading,
    "refusal": shoot_refusal,
    "error": shoot_error,
    "narrow": shoot_narrow,
    "right-to-left": lambda: variant("right-to-left"),
    "high-contrast": lambda: variant("high-contrast"),
    "presets": shoot_presets,
    "compact": shoot_compact,
    "high-density": lambda: variant("high-density"),
    "german": shoot_german,
    "gray-theme": lambda: variant("gray-theme"),
    "big-font": shoot_big_font,
    "clahe-light": lambda: variant("clahe-light"),
    "contrast-map": lambda: other("contrast-map", "contrast-map",
                                  "Contrast Map", "chest-12bit.png",
                                  "Chest, PA"),
    "lbp": lambda: other("lbp", "lbp", "Local Binary Patterns",
                         "chest-8bit.png", "Chest, PA"),
    "grayscale": lambda: other("grayscale", "grayscale", "Grayscale",
                               "retina.jpg", "Background"),
}

for wanted in sys.argv[5:]:
    PICTURES[wanted]()
