#!/usr/bin/env python3
# histogram - pictures side by side, each above its histogram.
#
#   histogram.py OUT.png TITLE CAPTION PICTURE.png HISTOGRAM.json...
#
# The JSON is what plug-in-isolux-histogram returns.  The first picture is
# the one before; its histogram is drawn as an outline, also over those of
# the others, which are filled.
#
# SPDX-License-Identifier: GPL-3.0-or-later

import json
import sys

from PIL import Image, ImageDraw, ImageFont

SCALE = 2           # drawn larger, then reduced: smooth lines
WIDTH = 340         # of a column
GAP = 24
PLOT = 150          # height of a histogram
COLUMNS = 128       # of a histogram: each stands for as many bins

PAPER = '#ffffff'
INK = '#1f2733'
FAINT = '#77818e'
GRID = '#e3e7eb'
BEFORE = '#e08600'
AFTER = '#8fa9c6'

FONTS = ('DejaVuSans.ttf', '/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf')


def font(size):
    for name in FONTS:
        try:
            return ImageFont.truetype(name, size * SCALE)
        except OSError:
            pass
    try:
        return ImageFont.load_default(size * SCALE)
    except TypeError:
        return ImageFont.load_default()


def as_shown(path):
    """A picture as a screen shows it: 8 bits, nothing stretched."""
    picture = Image.open(path)
    if picture.mode.startswith('I'):    # 16 bits
        picture = picture.convert('I').point(lambda v: v * (1 / 256))
        picture = picture.convert('L')
    if picture.mode in ('LA', 'PA', 'RGBA', 'P'):
        picture = picture.convert('RGBA')
        board = Image.new('RGBA', picture.size, '#cccccc')
        board.alpha_composite(picture)
        picture = board
    return picture.convert('RGB')


def columns(histogram, low, high):
    """COLUMNS shares of the pixels over the axis low .. high, scaled to the
    height 1; one or two spikes, such as a black rim, are cut off."""
    counts = histogram['counts']
    bins = len(counts)
    first, last = histogram['low'], histogram['high']
    result = [0.0] * COLUMNS
    # u8 and u16: high is the largest code; float: the last bin's upper edge
    step = (last - first + (1 if histogram['codes'] else 0)) / bins
    span = (high - low) or 1
    for k, count in enumerate(counts):
        if count:
            middle = first + (k + 0.5) * step
            at = int((middle - low) / span * COLUMNS)
            result[min(max(at, 0), COLUMNS - 1)] += count
    top = sorted(result)[-3] * 1.15 or max(result) or 1
    return [min(value / top, 1) for value in result]


def axis_of(histograms):
    """Low and high of the axis that all of them fit on."""
    for h in histograms:
        h['codes'] = h['type'] != 'f32'
    if all(h['codes'] for h in histograms):
        return 0, 256 if all(h['type'] == 'u8' for h in histograms) else 65536
    return (min([0.0] + [h['min'] for h in histograms]),
            max([1.0] + [h['max'] for h in histograms]))


def number(value):
    if abs(value - round(value)) < 1e-9:
        return f'{round(value):,}'
    return f'{value:,.1f}' if abs(value) >= 10 else f'{value:.3f}'


def draw_histogram(draw, box, before, after):
    x0, y0, x1, y1 = box
    width, height = x1 - x0, y1 - y0
    for quarter in range(5):
        x = x0 + width * quarter / 4
        draw.line((x, y0, x, y1), fill=GRID, width=SCALE)
    top = height - 4 * SCALE

    def corners(values):
        points = [(x0, y1)]
        for k, value in enumerate(values):
            y = y1 - value * top
            points += [(x0 + width * k / COLUMNS, y),
                       (x0 + width * (k + 1) / COLUMNS, y)]
        return points + [(x1, y1)]

    if after:
        draw.polygon(corners(after), fill=AFTER)
    draw.line(corners(before), fill=BEFORE, width=int(1.5 * SCALE),
              joint='curve')
    draw.line((x0, y1, x1, y1), fill=INK, width=SCALE)


def main():
    if len(sys.argv) < 6 or len(sys.argv) % 3:
        sys.exit('usage: histogram.py OUT.png TITLE '
                 'CAPTION PICTURE.png HISTOGRAM.json...')
    out, title, parts = sys.argv[1], sys.argv[2], sys.argv[3:]
    captions, pictures, histograms = [], [], []
    for caption, picture, path in zip(parts[::3], parts[1::3], parts[2::3]):
        captions.append(caption)
        pictures.append(as_shown(picture))
        with open(path, encoding='utf-8') as file:
            histograms.append(json.load(file))

    low, high = axis_of(histograms)
    shapes = [columns(h, low, high) for h in histograms]
    w, h = pictures[0].size
    factor = min(WIDTH / w, WIDTH * 1.25 / h)
    shown = (max(1, round(w * factor)), max(1, round(h * factor)))
    tops = 46
    total = (GAP + (WIDTH + GAP) * len(pictures),
             tops + 24 + shown[1] + 16 + PLOT + 74)
    sheet = Image.new('RGB', (total[0] * SCALE, total[1] * SCALE), PAPER)
    draw = ImageDraw.Draw(sheet)
    large, middle, small = font(16), font(13), font(11)
    draw.text((GAP * SCALE, 16 * SCALE), title, font=large, fill=INK)

    for k, picture in enumerate(pictures):
        x = GAP + k * (WIDTH + GAP)
        y = tops
        draw.text((x * SCALE, y * SCALE), captions[k], font=middle, fill=INK)
        y += 24
        resample = Image.LANCZOS if factor < 1 else Image.BICUBIC
        sheet.paste(picture.resize((shown[0] * SCALE, shown[1] * SCALE),
                                   resample),
                    ((x + (WIDTH - shown[0]) // 2) * SCALE, y * SCALE))
        y += shown[1] + 16
        draw_histogram(draw, (x * SCALE, y * SCALE, (x + WIDTH) * SCALE,
                              (y + PLOT) * SCALE),
                       shapes[0], shapes[k] if k else None)
        y += PLOT + 4
        draw.text((x * SCALE, y * SCALE), number(low), font=small, fill=FAINT)
        last = number(high - 1 if histograms[k]['codes'] else high)
        draw.text(((x + WIDTH) * SCALE, y * SCALE), last, font=small,
                  fill=FAINT, anchor='ra')
        data = histograms[k]
        y += 20
        for line in (
                f'values {number(data["min"])} to {number(data["max"])}, '
                f'{data["distinct"]:,} different ones',
                f'mean {number(data["mean"])}, entropy '
                f'{data["entropy"]:.2f} bits'):
            draw.text((x * SCALE, y * SCALE), line, font=small, fill=FAINT)
            y += 16

    sheet.resize(total, Image.LANCZOS).save(out, optimize=True)


if __name__ == '__main__':
    main()
