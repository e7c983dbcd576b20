#!/usr/bin/env python3
"""test-dialog.py - the dialog in real GIMP windows, see windows.sh.

    test-dialog.py DIRECTORY PID PART...

SPDX-License-Identifier: GPL-3.0-or-later
"""
import os
import re
import signal
import subprocess
import sys
import time

import pyatspi
import windows as w
from windows import equal, gimp, near, ok, procedure

# Pictures that are made, not loaded: a gradient, gray or in color
MAKE = """
(define (make-image width height type precision)
  (gimp-image-new-with-precision width height type precision))
(define (make-layer image name)
  (let ((layer (gimp-layer-new image name (gimp-image-get-width image)
                               (gimp-image-get-height image)
                               (if (= (gimp-image-get-base-type image) RGB)
                                   RGB-IMAGE GRAY-IMAGE)
                               100 LAYER-MODE-NORMAL)))
    (gimp-image-insert-layer image layer 0 0)
    (gimp-drawable-edit-gradient-fill layer GRADIENT-RADIAL 0 #f 1 0 #f
      20 30 (gimp-image-get-width image) (gimp-image-get-height image))
    layer))
(define (checksum drawable)
  (isolux-test-checksum #:image image #:drawables (vector drawable)))
(define (filters drawable)
  (vector-length (gimp-drawable-get-filters drawable)))
(gimp-context-set-foreground "#203040")
(gimp-context-set-background "#90a080")
"""

NAMES = {
    "grayscale": "Grayscale",
    "equalize": "Equalize",
    "clahe": "CLAHE",
    "window": "Window/Level",
    "contrast-map": "Contrast Map",
    "lbp": "Local Binary Patterns",
    "hog": "HOG",
}


def make(base="GRAY", precision="PRECISION-U8-NON-LINEAR", width=300,
         height=200):
    """A new image with a layer and a display; nothing to undo."""
    gimp(MAKE + """
      (define image (make-image %d %d %s %s))
      (gimp-image-undo-disable image)
      (define layer (make-layer image "layer"))
      (gimp-image-undo-enable image)
      (define screen (gimp-display-new image))
      (gimp-image-clean-all image)""" % (width, height, base, precision),
         seconds=400)


def drop():
    gimp("(gimp-display-delete screen)")


def state(drawable="layer"):
    """Checksum, filters, whether dirty."""
    return gimp("""(answer (checksum %s)) (answer (filters %s))
      (answer (gimp-image-is-dirty image))""" % (drawable, drawable))


# --- Every procedure, every control ---

def change_all(dialog):
    """Gives each control of the settings another value, and back."""
    changed = 0
    for node in list(w.walk(dialog.app)):
        role = w.role_of(node)
        if not w.is_showing(node) or not w.is_sensitive(node):
            continue
        if role == "spin button" and node.name:
            value = node.queryValue()
            old = value.currentValue
            step = value.minimumIncrement or 1.0
            new = old + step if old + step <= value.maximumValue \
                else old - step
            value.currentValue = new
            time.sleep(0.2)
            if abs(value.currentValue - old) > 1e-9:
                changed += 1
            else:
                print("# %s stays at %g" % (node.name, old))
            value.currentValue = old
        elif role == "check box" and node.name not in (
                "Preview on canvas", "Merge filter", "Attach a record"):
            node.queryAction().doAction(0)
            time.sleep(0.2)
            node.queryAction().doAction(0)
            changed += 1
        elif role == "combo box":
            selection = node.querySelection()
            items = [n for n in w.walk(node)
                     if n.getRoleName() == "menu item"]
            for index in range(min(len(items), 3)):
                selection.selectChild(index)
                time.sleep(0.2)
            selection.selectChild(0)
            changed += 1
    return changed


def part_open():
    make("RGB")
    before = state()
    for name, title in NAMES.items():
        dialog = procedure(name, title).loaded()
        w.picture("open-" + name)
        unnamed = [w.role_of(node) for node in w.walk(dialog.app)
                   if w.role_of(node) in ("spin button", "combo box",
                                             "button", "toggle button",
                                             "check box", "drawing area")
                   and w.is_showing(node) and not node.name]
        equal(unnamed, [], title + ": every control has a name")
        changed = change_all(dialog)
        ok(changed >= 2, "%s: %d controls changed" % (title, changed))
        time.sleep(0.5)
        dialog.loaded()
        w.picture("changed-" + name)
        dialog.cancel()
        equal(w.result(), w.CANCELLED, title + ": Cancel is cancelling")
        equal(state(), before, title + ": Cancel leaves no trace")
    drop()


# --- Numbers ---

def same_numbers(found, expected, text, digits):
    near(found["Minimum"], expected["min"], digits, text + ": minimum")
    near(found["Maximum"], expected["max"], digits, text + ": maximum")
    near(found["Mean"], expected["mean"], digits, text + ": mean")
    near(found["Standard deviation"], expected["sd"], digits,
         text + ": standard deviation")
    near(found["Entropy (bits)"], expected["entropy"], 0.0051,
         text + ": entropy")


def part_numbers():
    for base, precision, digits in (
            ("GRAY", "PRECISION-U8-NON-LINEAR", 0.051),
            ("GRAY", "PRECISION-U16-NON-LINEAR", 0.051),
            ("GRAY", "PRECISION-FLOAT-NON-LINEAR", 0.00051),
            ("RGB", "PRECISION-U8-NON-LINEAR", 0.051),
            ("RGB", "PRECISION-U16-NON-LINEAR", 0.051)):
        make(base, precision)
        text = "%s %s" % (base, precision)
        before = w.histogram()
        dialog = procedure("equalize", "Equalize").loaded()
        same_numbers(dialog.numbers("before"), before, text + " before",
                     digits)
        # with another setting, as the result is after OK
        dialog.set("Clip limit", 3.0)
        time.sleep(1)
        dialog.loaded()
        after = dialog.numbers("after")
        dialog.ok()
        equal(w.result(), w.DONE, text + ": OK")
        same_numbers(after, w.histogram(), text + " after", digits)
        drop()

    # what is selected counts
    make()
    gimp("(gimp-image-select-ellipse image CHANNEL-OP-REPLACE 20 30 100 80)")
    before = w.histogram()
    dialog = procedure("equalize", "Equalize").loaded()
    same_numbers(dialog.numbers("before"), before, "selection", 0.051)
    ok(" · selection" in dialog.subtitle(), "the header says so")
    dialog.cancel()
    drop()


# --- Undo ---

def part_undo():
    make()
    before = state()
    dialog = procedure("clahe", "CLAHE").loaded()
    dialog.set("Clip limit", 5.0)
    time.sleep(1)
    dialog.ok()
    after = state()
    ok(after[0] != before[0], "OK changes the pixels")
    equal(after[1], "0", "merged, so no filter stays")
    w.key("GIMP$", "ctrl+z")
    equal(state()[0], before[0], "one undo gives the original")
    w.key("GIMP$", "ctrl+y")
    equal(state()[0], after[0], "redo gives the result")
    w.key("GIMP$", "ctrl+z")

    # the dialog comes back with the last values; Reset knows two kinds
    dialog = procedure("clahe", "CLAHE").loaded()
    equal(dialog.get("Clip limit"), 5.0, "the last values are there")
    dialog.set("Clip limit", 7.0)
    dialog.press("Reset", "button")
    time.sleep(0.5)
    dialog.press("Initial Values")
    time.sleep(0.5)
    equal(dialog.get("Clip limit"), 5.0, "Initial Values")
    dialog.press("Reset", "button")
    time.sleep(0.5)
    dialog.press("Factory Defaults")
    time.sleep(0.5)
    equal(dialog.get("Clip limit"), 2.0, "Factory Defaults")

    # kept as a filter
    if dialog.checked("Merge filter"):
        dialog.press("Merge filter", "check box")
    dialog.ok()
    kept = state()
    equal(kept[:2], [before[0], "1"], "kept, the filter lies on the pixels")
    w.key("GIMP$", "ctrl+z")
    equal(state()[1], "0", "one undo removes it")
    drop()


# --- What it can be used on ---

def layers_more():
    gimp("""
      (gimp-image-undo-disable image)
      (define second (gimp-layer-copy layer))
      (gimp-image-insert-layer image second 0 0)
      (define group (gimp-group-layer-new image "group"))
      (gimp-image-insert-layer image group 0 0)
      (define inner (gimp-layer-copy layer))
      (gimp-image-insert-layer image inner group 0)
      (define channel (gimp-channel-new image "channel" 300 200 50 "red"))
      (gimp-image-insert-channel image channel 0 0)
      (gimp-drawable-edit-gradient-fill channel GRADIENT-LINEAR 0 #f 1 0 #f
                                        0 0 300 200)
      (define mask (gimp-layer-create-mask second ADD-MASK-COPY))
      (gimp-layer-add-mask second mask)
      (define text (car (list (gimp-text-font image -1 10 10 "Isolux" 5 #t 40
                                     (gimp-context-get-font)))))
      (gimp-image-undo-enable image)
      (gimp-image-clean-all image)""")


def part_drawables():
    make()
    layers_more()

    for name, words in (("group", "layer group"), ("channel", "channel"),
                        ("mask", "layer mask"), ("text", "text layer")):
        before = gimp("(answer (checksum %s))" % name)
        dialog = procedure("equalize", "Equalize",
                           "(vector %s)" % name).loaded()
        ok(words in dialog.subtitle(), "%s: %s" % (name, dialog.subtitle()))
        canvas = w.is_sensitive(dialog.widget("Preview on canvas"))
        merge = w.is_sensitive(dialog.widget("Merge filter"))
        pixels = name in ("channel", "mask")
        equal(canvas, not pixels, name + ": preview on the canvas")
        equal(merge, name == "text", name + ": choice of merging")
        equal(dialog.checked("Merge filter"), name != "group",
              name + ": merged or not")
        dialog.ok()
        equal(w.result(), w.DONE, name + ": OK")
        after = gimp("(answer (checksum %s))" % name)
        # the text has one value, which stays
        equal(after != before, pixels, name + ": pixels")
        if name == "group":
            equal(gimp("(answer (filters group))"), ["1"],
                  "group: has the filter")

    # a floating selection
    gimp("""(gimp-image-select-rectangle image CHANNEL-OP-REPLACE 20 30 90 70)
      (gimp-edit-copy (vector layer))
      (define floating (vector-ref (gimp-edit-paste layer #t) 0))""")
    dialog = procedure("equalize", "Equalize", "(vector floating)").loaded()
    ok("floating selection" in dialog.subtitle(), dialog.subtitle())
    dialog.cancel()
    gimp("""(gimp-floating-sel-remove floating)
      (gimp-selection-none image)""")

    # several at once
    before = gimp("(answer (checksum layer)) (answer (checksum inner))")
    dialog = procedure("equalize", "Equalize", "(vector layer inner)").loaded()
    ok(" · 2 layers" in dialog.subtitle(), "two layers: " + dialog.subtitle())
    dialog.set("Clip limit", 2.5)
    time.sleep(0.5)
    dialog.ok()
    after = gimp("(answer (checksum layer)) (answer (checksum inner))")
    ok(after[0] != before[0] and after[1] != before[1],
       "both layers are changed")
    w.key("GIMP$", "ctrl+z")
    equal(gimp("(answer (checksum layer)) (answer (checksum inner))"), before,
          "in one step")

    # a layer with an effect: the numbers are those with the effect
    gimp("""(gimp-image-undo-disable image)
      (define inverted (gimp-layer-copy layer))
      (gimp-image-insert-layer image inverted 0 0)
      (gimp-drawable-invert inverted #f)
      (define effect (gimp-drawable-append-new-filter layer
        "gegl:invert-gamma" "invert" LAYER-MODE-REPLACE 1.0))
      (gimp-image-undo-enable image)
      (gimp-image-clean-all image)""")
    images = gimp("(answer (vector-length (gimp-get-images)))")
    before = state()
    inverted = w.histogram("inverted")
    dialog = procedure("equalize", "Equalize").loaded()
    ok(" · 1 effect below" in dialog.subtitle(), dialog.subtitle())
    near(dialog.numbers("before")["Mean"] * 255.0, inverted["mean"], 0.6,
         "an effect below is applied")
    dialog.cancel()
    equal(state(), before, "and stays what it is")

    # a group with an effect
    gimp("""(gimp-image-undo-disable image)
      (gimp-drawable-append-new-filter group "gegl:invert-gamma" "invert"
                                       LAYER-MODE-REPLACE 1.0)
      (gimp-image-undo-enable image)
      (gimp-image-clean-all image)""")
    before = state("group")
    dialog = procedure("equalize", "Equalize", "(vector group)").loaded()
    ok(" · " in dialog.subtitle() and "below" in dialog.subtitle(),
       dialog.subtitle())
    dialog.cancel()
    equal(state("group"), before, "a group with effects stays what it is")
    equal(gimp("(answer (vector-length (gimp-get-images)))"), images,
          "nothing is left behind")
    drop()


# --- The image changes meanwhile ---

def part_changes():
    make()
    before = state()

    # from the menu, so that GIMP can be asked meanwhile
    w.menu("Equalize...")
    dialog = w.Dialog("Equalize").loaded()
    w.wait_for("filter on the canvas", lambda: state()[1] == "1")
    ok(True, "the canvas has the filter")
    equal(state()[2], before[2], "the image stays clean")
    dialog.press("Preview on canvas", "check box")
    w.wait_for("end of the filter", lambda: state()[1] == "0")
    ok(True, "and loses it by the switch")
    equal(state(), before, "which leaves no trace")
    dialog.press("Preview on canvas", "check box")
    w.wait_for("filter on the canvas", lambda: state()[1] == "1")

    # painted on
    numbers = dialog.numbers("before")
    time.sleep(1.5)  # the first look at it
    gimp("""(gimp-drawable-edit-fill layer FILL-BACKGROUND)
      (gimp-displays-flush)""")
    w.wait_for("numbers of the painted layer",
               lambda: dialog.numbers("before")["Minimum"]
               != numbers["Minimum"])
    dialog.loaded()
    numbers = dialog.numbers("before")
    ok(numbers["Minimum"] == numbers["Maximum"], "the layer is read again")
    w.wait_for("filter on the canvas", lambda: state()[1] == "1")
    ok(True, "and the filter comes back")

    # a selection
    time.sleep(1.5)
    gimp("""(gimp-image-select-rectangle image CHANNEL-OP-REPLACE 5 5 50 40)
      (gimp-displays-flush)""")
    w.wait_for("selection in the header",
               lambda: " · selection" in dialog.subtitle())
    dialog.loaded()
    ok(any("Selection: 2000 of 60000 pixels" in label
           for label in dialog.labels()), "the selection is followed")
    dialog.cancel()
    equal(state()[1], "0", "Cancel takes the filter away")

    # the layer taken away while the image stays
    gimp("(gimp-selection-none image)")
    w.menu("Equalize...")
    dialog = w.Dialog("Equalize").loaded()
    time.sleep(1.5)
    gimp("""(define spare (gimp-layer-copy layer))
      (gimp-image-insert-layer image spare 0 0)
      (gimp-image-remove-layer image layer)""")
    told = dialog.notice()
    w.picture("removed")
    ok("has been removed" in told, "a layer that is gone is told: " + told)
    dialog.cancel()
    w.key("GIMP$", "ctrl+z", "ctrl+z")

    # closed: nothing is left to change
    gimp("(gimp-selection-none image) (gimp-image-clean-all image)")
    w.menu("Equalize...")
    dialog = w.Dialog("Equalize").loaded()
    time.sleep(1.5)
    gimp("(gimp-display-delete screen)")
    ok("has been closed" in dialog.notice(), "the dialog says that it is gone")
    ok(not w.is_sensitive(dialog.widget("OK", "button")),
       "OK cannot be pressed")
    w.picture("closed")
    dialog.cancel()


# --- The plug-in dies ---

def part_crash():
    make()
    before = state()
    w.menu("CLAHE...")
    dialog = w.Dialog("CLAHE").loaded()
    w.wait_for("filter on the canvas", lambda: state()[1] == "1")
    os.kill(dialog.app.get_process_id(), signal.SIGKILL)
    dialog.gone()
    time.sleep(1)
    after = state()
    equal(after[0], before[0], "the pixels are what they were")
    equal(gimp("(answer (gimp-image-undo-is-enabled image))"), ["#t"],
          "undo still works")
    equal(after[1], "1", "the preview's filter stays, for the user to remove")
    gimp("""(gimp-drawable-filter-delete
             (vector-ref (gimp-drawable-get-filters layer) 0))
      (gimp-image-clean-all image)""")
    dialog = procedure("clahe", "CLAHE").loaded()
    dialog.cancel()
    equal(state(), before, "and the next dialog is as any")
    drop()


# --- Presets ---

def open_presets(dialog):
    dialog.press("Presets:", begins=True)
    time.sleep(0.7)


def choose_preset(dialog, name):
    open_presets(dialog)
    row = dialog.widget(name + ", ", begins=True)
    row.queryAction().doAction(0)
    time.sleep(0.7)


def preset_name(dialog):
    return dialog.widget("Presets: ", begins=True).name[len("Presets: "):]


def manage(dialog, entry):
    dialog.press("Manage presets")
    time.sleep(0.7)
    dialog.press(entry)
    time.sleep(0.7)


def part_presets():
    make()
    dialog = procedure("clahe", "CLAHE").loaded()
    equal(preset_name(dialog), "Default", "the settings are a preset")
    choose_preset(dialog, "Strong")
    equal(dialog.get("Clip limit"), 6.0, "a preset sets the clip limit")
    equal(preset_name(dialog), "Strong", "its name is shown")
    dialog.set("Clip limit", 4.2)
    time.sleep(0.5)
    equal(preset_name(dialog), "(Changed)", "a change is shown")

    dialog.press("Save the settings as a preset")
    time.sleep(0.7)
    dialog.widget("Name of the preset").queryEditableText() \
        .setTextContents("Nuclei, 63× oil")
    dialog.press("Save", "button")
    time.sleep(0.7)
    equal(preset_name(dialog), "Nuclei, 63× oil", "saved by its name")
    choose_preset(dialog, "Default")
    equal(dialog.get("Clip limit"), 2.0, "another one is chosen")
    choose_preset(dialog, "Nuclei, 63× oil")
    near(dialog.get("Clip limit"), 4.2, 1e-9, "and the saved one again")
    w.picture("presets")

    manage(dialog, "Rename…")
    dialog.widget("Name of the preset").queryEditableText() \
        .setTextContents("Gel scans")
    dialog.press("Save", "button")
    time.sleep(0.7)
    equal(preset_name(dialog), "Gel scans", "renamed")
    dialog.set("Clip limit", 1.5)
    time.sleep(0.3)
    manage(dialog, "Save Over")
    equal(preset_name(dialog), "Gel scans", "saved over")
    manage(dialog, "Delete")
    equal(preset_name(dialog), "(Changed)", "deleted")
    manage(dialog, "Reset All")
    equal(dialog.get("Clip limit"), 2.0, "all reset")
    dialog.set("Clip limit", 3.3)
    time.sleep(0.5)
    dialog.ok()

    dialog = procedure("clahe", "CLAHE").loaded()
    dialog.set("Clip limit", 1.0)
    open_presets(dialog)
    last = [node.name for node in w.walk(dialog.app)
            if w.role_of(node) == "button" and "clip 3.3" in node.name]
    equal(len(last), 1, "what was used last is there")
    dialog.cancel()
    drop()


# --- Keys ---

def part_keys():
    make()
    dialog = procedure("clahe", "CLAHE").loaded()
    name = "^CLAHE$"
    window = w.key(name)

    def size():
        out = subprocess.run(["xdotool", "getwindowgeometry", window],
                             capture_output=True, text=True, check=True)
        return [int(x) for x in
                re.search(r"(\d+)x(\d+)", out.stdout).groups()]
    wide = size()
    w.key(name, "F9")
    time.sleep(1)
    ok(size()[0] < 600, "F9 makes it narrow: %s" % size())
    ok(not w.is_showing(dialog.widget("Hold to compare")),
       "without the image")
    w.picture("compact")
    w.key(name, "F9")
    time.sleep(1)
    equal(size(), wide, "and F9 wide again")

    def focused():
        return [node.name for node in w.walk(dialog.app)
                if w.has(node, pyatspi.STATE_FOCUSED)]
    w.key(name, "F6")
    first = focused()
    w.key(name, "F6")
    second = focused()
    w.key(name, "F6")
    third = focused()
    ok(len({str(first), str(second), str(third)}) == 3,
       "F6 goes round: %s, %s, %s" % (first, second, third))

    w.key(name, "alt+l")
    time.sleep(0.3)
    ok("Clip limit" in focused(), "a mnemonic takes the focus")
    w.key(name, "Escape")
    dialog.gone()
    equal(w.result(), w.CANCELLED, "Esc cancels")

    # what was shown is remembered
    dialog = procedure("clahe", "CLAHE").loaded()
    w.key(name, "F9")
    time.sleep(0.7)
    dialog.cancel()
    dialog = procedure("clahe", "CLAHE").loaded()
    time.sleep(0.5)
    ok(not w.is_showing(dialog.widget("Hold to compare")),
       "the narrow form is remembered")
    w.key(name, "F9")
    time.sleep(0.7)
    dialog.cancel()
    drop()


# --- Refusals ---

def refused(drawables, words, text):
    dialog = procedure("clahe", "CLAHE", drawables)
    labels = [node.name for node in w.walk(dialog.app)
              if w.role_of(node) == "label"]
    ok(any(words in label for label in labels),
       "%s: %s" % (text, labels[:1]))
    w.picture("refused-" + text.split()[0])
    dialog.press("Close", "button")
    dialog.gone()
    equal(w.result(), w.CANCELLED, text + ": counts as cancelled")


def part_refusals():
    make("RGB")
    gimp("(gimp-item-set-lock-content layer #t)")
    refused("(vector layer)", "The pixels of “layer” are locked", "locked")
    gimp("""(gimp-item-set-lock-content layer #f)
      (gimp-layer-set-offsets layer 500 500)
      (gimp-image-select-rectangle image CHANNEL-OP-REPLACE 0 0 50 50)""")
    refused("(vector layer)", "The selection lies outside “layer”", "outside")
    refused("(vector)", "No layer is selected", "nothing")
    gimp("""(gimp-selection-none image)
      (gimp-layer-set-offsets layer 0 0)
      (gimp-image-convert-indexed image CONVERT-DITHER-NONE
        CONVERT-PALETTE-GENERATE 16 #f #f "")""")
    refused("(vector layer)", "CLAHE can’t work on an indexed image",
            "indexed")
    drop()

    # nothing that counts
    make("RGB")
    gimp("""(gimp-layer-add-alpha layer)
      (gimp-drawable-fill layer FILL-TRANSPARENT)""")
    dialog = procedure("clahe", "CLAHE")
    ok("has no visible pixel" in dialog.notice(), "transparent: it says so")
    dialog.cancel()
    drop()


# --- Languages and themes ---

def part_german():
    make()
    dialog = procedure("clahe", "CLAHE")
    time.sleep(3)
    w.picture("german")
    names = [node.name for node in w.walk(dialog.app)]
    ok("Vorher" in names, "the dialog speaks German")
    ok("Abbrechen" in [w.plain(name) for name in names], "and so do buttons")
    dialog.press("Abbrechen", "button")
    dialog.gone()
    drop()


def part_theme():
    make()
    dialog = procedure("clahe", "CLAHE").loaded()
    w.picture("theme")
    dialog.cancel()
    ok("CRITICAL" not in w.errors().split("isolux: dialog")[-1],
       "the dialog came and went")
    drop()


# --- Large images ---

def part_large():
    """100 megapixels: opens at once, can be left at once."""
    make("GRAY", "PRECISION-U16-NON-LINEAR", 12500, 8000)
    dialog = procedure("clahe", "CLAHE")
    start = time.monotonic()
    w.picture("loading")
    dialog.press("Cancel", "button")
    dialog.gone()
    ok(time.monotonic() - start < 10.0, "cancelled while loading")
    equal(w.result(), w.CANCELLED, "which is cancelling")
    dialog = procedure("clahe", "CLAHE").loaded(240)
    w.picture("loaded")
    dialog.set("Clip limit", 4.0)
    time.sleep(1)
    dialog.loaded(120)
    dialog.cancel()
    # OK need not wait for all of it to be read
    before = state()
    dialog = procedure("clahe", "CLAHE")
    dialog.press("OK", "button")
    dialog.gone()
    equal(w.result(120), w.DONE, "OK while loading")
    ok(state()[0] != before[0], "which changes all pixels")
    stalls = re.findall(r"longest stall ([\d.]+) ms", w.errors())
    print("# longest stalls of the main loop: %s ms" % ", ".join(stalls))
    drop()


PARTS = {name[5:]: part for name, part in list(globals().items())
         if name.startswith("part_")}

for wanted in sys.argv[3:]:
    PARTS[wanted]()
