"""scenes.py - the scenes of screenshots.sh; a driver of tests/ui/windows.sh.

    scenes.py DIRECTORY PID SCENE

SPDX-License-Identifier: GPL-3.0-or-later
"""
import re
import subprocess
import sys
import time

import pyatspi
import windows as w
from windows import gimp, ok

TITLES = {
    "clahe": "CLAHE",
    "window": "Window/Level",
    "equalize": "Equalize",
    "hog": "HOG",
}


def image():
    """The image that GIMP was started with."""
    gimp("""
      (define image (vector-ref (gimp-get-images) 0))
      (define layer (vector-ref (gimp-image-get-layers image) 0))
      (gimp-image-clean-all image)""")


def opened(name, arguments=""):
    image()
    return w.procedure(name, TITLES[name], arguments=arguments)


def xdotool(*arguments):
    subprocess.run(["xdotool", *[str(a) for a in arguments]], check=False)


def place(widget):
    """Where a widget is on the screen, in pixels of the screen."""
    box = widget.queryComponent().getExtents(pyatspi.DESKTOP_COORDS)
    return box.x, box.y, box.width, box.height


def pointer(widget, across, down):
    x, y, width, height = place(widget)
    xdotool("mousemove", int(x + across * width), int(y + down * height))
    time.sleep(0.4)


def shot(name, title, at=None):
    """The window without its frame; at: a widget and where the pointer is in
    it, across and down."""
    window = w.wait_for("window " + title,
                        lambda: w.windows("^" + title + "$"))[-1]
    xdotool("windowactivate", "--sync", window)
    if at:
        pointer(at[0], at[1] - 0.02, at[2])
        pointer(*at)
    else:
        away()
    time.sleep(1.0)
    subprocess.run(["import", "-window", window,
                    "%s/%s.png" % (w.SCREENSHOTS, name)], check=True)
    ok(True, "picture of " + name)


def away():
    xdotool("mousemove", 2, 2)
    time.sleep(0.3)


def clahe(name, clip=3.0, pick=True, hover=True, cumulative=True):
    dialog = opened("clahe").loaded()
    dialog.set("Clip limit", clip)
    if cumulative:
        chip = dialog.widget("Cumulative")
        if not w.is_checked(chip):
            chip.queryAction().doAction(0)
    time.sleep(0.7)
    dialog.loaded()
    if pick:
        pointer(dialog.widget("Image preview", "slider"), 0.42, 0.62)
        xdotool("click", 1)
        time.sleep(0.6)
    shot(name, "CLAHE", (dialog.widget("Histogram", "chart"), 0.62, 0.4)
         if hover else None)
    return dialog


def scene_clahe_dark():
    clahe("clahe-dark").cancel()


def scene_window_level_light():
    image()
    gimp("""(gimp-item-attach-parasite layer (list "isolux-values" 1
      "slope=1\\nintercept=-1024\\nunit=HU\\nmodality=CT\\nwindow=40 400\\n"))
      (gimp-item-set-name layer "Slice 87")""")
    dialog = w.procedure("window", "Window/Level").loaded()
    time.sleep(0.7)
    shot("window-level-light", "Window/Level",
         (dialog.widget("Image preview", "slider"), 0.55, 0.45))
    dialog.cancel()


def scene_equalize_rgb(name="equalize-rgb"):
    dialog = opened("equalize").loaded()
    dialog.set("Clip limit", 2.0)
    dialog.set("Skip threshold", 0.05)
    time.sleep(0.7)
    dialog.loaded().press("Measure", "button")
    time.sleep(1.5)
    shot(name, "Equalize",
         (dialog.widget("Image preview", "slider"), 0.6, 0.45))
    dialog.cancel()


def scene_channel_chooser():
    dialog = opened("equalize").loaded()
    pointer(dialog.widget("Channel", "combo box"), 0.5, 0.5)
    xdotool("click", 1)
    time.sleep(1.0)
    window = w.windows("^Equalize$")[-1]
    # the list is a window of its own, above it
    out = subprocess.run(["xwininfo", "-id", window], capture_output=True,
                         text=True, check=True).stdout
    g = [re.search(name + r":\s+(\d+)", out).group(1)
         for name in ("Width", "Height", "Absolute upper-left X",
                      "Absolute upper-left Y")]
    subprocess.run(["import", "-window", "root", "-crop", "%sx%s+%s+%s" %
                    tuple(g), "+repage",
                    w.SCREENSHOTS + "/channel-chooser.png"], check=True)
    ok(True, "picture of channel-chooser")
    xdotool("key", "Escape")
    time.sleep(0.5)
    dialog.cancel()


def scene_hog():
    dialog = opened("hog").loaded()
    dialog.set("Cell size", 16)
    dialog.press("100 %")
    time.sleep(1.0)
    dialog.loaded()
    pointer(dialog.widget("Image preview", "slider"), 0.6, 0.66)
    xdotool("click", 1)
    time.sleep(0.7)
    shot("hog", "HOG", (dialog.widget("Image preview", "slider"), 0.6, 0.66))
    dialog.cancel()


def scene_loading():
    image()
    gimp("""(gimp-image-undo-disable image)
      (gimp-context-set-interpolation INTERPOLATION-LINEAR)
      (gimp-image-scale image 13256 11400)
      (gimp-image-clean-all image)""", seconds=300)
    w.begin("""(plug-in-isolux-clahe #:run-mode RUN-INTERACTIVE #:image image
      #:drawables (vector layer))""")
    window = w.wait_for("window", lambda: w.windows("^CLAHE$"))[-1]
    time.sleep(1.6)
    subprocess.run(["import", "-window", window,
                    w.SCREENSHOTS + "/loading.png"], check=True)
    dialog = w.Dialog("CLAHE")
    ok(True, "picture of loading")
    dialog.press("Cancel", "button")
    dialog.gone()


def scene_refusal():
    image()
    gimp("""(gimp-image-convert-indexed image CONVERT-DITHER-NONE
      CONVERT-PALETTE-GENERATE 18 #f #f "")""")
    dialog = w.procedure("clahe", "CLAHE")
    shot("refusal", "CLAHE")
    dialog.press("Close", "button")
    dialog.gone()


def scene_closed():
    image()
    w.menu("CLAHE...")
    dialog = w.Dialog("CLAHE").loaded()
    time.sleep(2)
    w.menu("Close View")
    dialog.notice()
    shot("closed", "CLAHE")
    dialog.cancel()


def scene_narrow():
    image()
    dialog = w.procedure("clahe", "CLAHE").loaded()
    dialog.set("Tiles across", 64)
    dialog.set("Tiles down", 64)
    combo = dialog.widget("Bins", "combo box")
    combo.querySelection().selectChild(3)
    time.sleep(1.0)
    dialog.loaded()
    window = w.windows("^CLAHE$")[-1]
    xdotool("windowsize", "--sync", window, 1024, 570)
    xdotool("windowmove", "--sync", window, 0, 0)
    time.sleep(1.0)
    shot("narrow", "CLAHE", (dialog.widget("Histogram", "chart"), 0.6, 0.35))
    dialog.cancel()


def scene_right_to_left():
    image()
    w.begin("""(plug-in-isolux-clahe #:run-mode RUN-INTERACTIVE #:image image
      #:drawables (vector layer))""")
    w.wait_for("window", lambda: w.windows("^CLAHE$"))
    time.sleep(4)
    shot("right-to-left", "CLAHE")
    xdotool("key", "Escape")
    time.sleep(2)


def scene_high_contrast():
    clahe("high-contrast").cancel()


def scene_presets():
    image()
    dialog = w.procedure("clahe", "CLAHE").loaded()
    dialog.set("Clip limit", 4.2)
    time.sleep(0.3)
    dialog.press("Save the settings as a preset")
    time.sleep(0.7)
    dialog.widget("Name of the preset").queryEditableText() \
        .setTextContents("Nuclei, 63× oil")
    dialog.press("Save", "button")
    time.sleep(0.7)
    dialog.set("Clip limit", 2.8)
    time.sleep(0.3)
    dialog.ok()
    dialog = w.procedure("clahe", "CLAHE").loaded()
    dialog.press("Presets:", begins=True)
    time.sleep(0.7)
    dialog.press("Chest X-ray, ", begins=True)
    time.sleep(1.0)
    dialog.loaded().press("Presets:", begins=True)
    time.sleep(0.7)
    shot("presets", "CLAHE")
    xdotool("key", "Escape")
    time.sleep(0.5)
    dialog.cancel()


def scene_compact():
    dialog = opened("clahe").loaded()
    dialog.set("Clip limit", 3.0)
    w.key("^CLAHE$", "F9")
    time.sleep(1.0)
    shot("compact", "CLAHE", (dialog.widget("Histogram", "chart"), 0.6, 0.35))
    w.key("^CLAHE$", "F9")
    time.sleep(0.5)
    dialog.cancel()


def scene_clahe_2x():
    clahe("clahe-2x", hover=False).cancel()


def scene_german():
    image()
    w.begin("""(plug-in-isolux-clahe #:run-mode RUN-INTERACTIVE #:image image
      #:drawables (vector layer))""")
    w.wait_for("window", lambda: w.windows("^CLAHE$"))
    time.sleep(4)
    shot("german", "CLAHE")
    xdotool("key", "Escape")
    time.sleep(2)


def scene_gray_theme():
    clahe("gray-theme").cancel()


def scene_big_font():
    scene_equalize_rgb("big-font")


def scene_measure():
    """Opens the dialog, drags a slider for some seconds, closes it."""
    if not gimp("(answer (vector-length (gimp-get-images)))")[0] == "0":
        sizes = [None]
        image()
    else:
        sizes = [(4096, 4096), (12500, 8000)]
    for size in sizes:
        if size:
            gimp("""
              (define image (gimp-image-new-with-precision %d %d GRAY
                             PRECISION-U16-NON-LINEAR))
              (gimp-image-undo-disable image)
              (define layer (gimp-layer-new image "layer" %d %d GRAY-IMAGE 100
                                            LAYER-MODE-NORMAL))
              (gimp-image-insert-layer image layer 0 0)
              (gimp-drawable-edit-gradient-fill layer GRADIENT-LINEAR 0 #f 1 0
                                                #f 0 0 %d %d)""" %
                 (size * 3), seconds=400)
        dialog = w.procedure("clahe", "CLAHE").loaded(300)
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
        if size:
            gimp("(gimp-image-delete image)")
    ok(True, "measured")


globals()["scene_" + sys.argv[3].replace("-", "_")]()
