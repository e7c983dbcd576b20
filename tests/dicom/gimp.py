#!/usr/bin/env python3
# gimp - what GIMP has of the files that files.py and broken.py make, and of
# those in a folder of others'.
#
#   gimp.py list WORK WHICH [OTHERS]    writes WORK/list for isolux-dump
#   gimp.py check WORK WHICH [OTHERS]   reports by TAP what it wrote
#   gimp.py series FOLDER               reports what it wrote of a series
#
# WHICH is "all", or "some": a few of each kind, since GIMP takes its time for
# each file; reader.py reads all of them.
#
# WORK/files and WORK/broken hold the files.  Values are compared with the
# numbers that went into the files, and with pydicom's reading of OTHERS.
#
# SPDX-License-Identifier: GPL-3.0-or-later

import json
import re
import sys
import warnings
from pathlib import Path

import numpy as np
import pydicom

try:
    from pydicom.pixels import (apply_color_lut, apply_modality_lut,
                                apply_windowing)
except ImportError:   # pydicom 2
    from pydicom.pixel_data_handlers.util import (
        apply_color_lut, apply_modality_lut, apply_windowing)

import files
from reader import difference, result, plan

warnings.filterwarnings('ignore')
TYPES = {"Y' u8": ('u1', 1), "Y' u16": ('u2', 1), "Y' float": ('f4', 1),
         "Y' double": ('f8', 1), "R'G'B' u8": ('u1', 3),
         "R'G'B' u16": ('u2', 3), "Y'A u8": ('u1', 2), "Y'A u16": ('u2', 2),
         "R'G'B'A u8": ('u1', 4), "R'G'B'A u16": ('u2', 4)}
PRECISION = {'u8': 150, 'u16': 250, 'float': 650, 'double': 750}

# (name, file, options): opened once more by the procedure's own name
EXTRA = [
    ('overlays+', 'overlays', 'overlays'),
    ('overlay-inside+', 'overlay-inside', 'overlays'),
    ('overlay-frames+', 'overlay-frames', 'overlays'),
    ('frames-some', 'frames', 'frames=2-4,11'),
    ('frames-last', 'j2k-frames', 'frames=3'),
    ('frames-all', 'frames', 'frames=all'),
    ('frames-beyond', 'frames', 'frames=3-13'),
    ('frames-words', 'frames', 'frames=some'),
    ('frames-none', 'frames', 'frames=0'),
    ('plain', 'slope', 'windowed=0'),
    ('preset-lung', 'implicit-ct', 'preset=ct-lung'),
    ('preset-image', 'implicit-ct', 'preset=image'),
    ('preset-unit', 'slope', 'preset=ct-lung'),
    ('preset-none', 'implicit-ct', 'preset=ct-lunge'),
    ('tags', 'slope', 'tags'),
    ('tags-implicit', 'implicit-ct', 'tags'),
]


# "some" leaves these out, since others go the same way in GIMP
ALIKE = re.compile(
    r'(implicit|big|deflated)-(u8|u12|u32)|(float|double)-big|rgb8-1.*|'
    r'rgb8-0-big|rgb16-1|ybr-1|palette8in16|palette-first|'
    r'(rle|jpegls|j2k|jpegll|near|jpeg|j2klossy)-(u8|u16|s12|rgbframes)|'
    r'(rle|jpegls|jpegll)-(rgb|frames)|near-(s16|rgb|frames)|'
    r'j2klossy-(s16|frames)|jpeg-frames|pillow-(jfif422|progressive)-.*|'
    r'pillow-.*-YBR_FULL|rle-ybr-1|fragments-marks')
BROKEN = re.compile(
    r'empty|text|mark-alone|cut-648|cut-1294|cut-jpeg-u12|cut-deflated-u16|'
    r'no-rows|no-pixels|huge|colors|palette-missing|video|long-pixels|'
    r'nested-100000|j2k-noise|other-j2k-u12|bomb-inside|frames-missing')


def names_of(work, which):
    names = json.loads((work / 'files/names.json').read_text())
    return [n for n in names if which == 'all' or not ALIKE.fullmatch(n)]


def broken_of(work, which):
    said = json.loads((work / 'broken/broken.json').read_text())
    return {n: words for n, words in said.items()
            if which == 'all' or BROKEN.fullmatch(n)}


def others(folder):
    return sorted(Path(folder).glob('*.dcm')) if folder else []


def write_list(work, which, folder):
    lines = []

    def add(name, path, options=''):
        out = work / 'out' / name
        out.mkdir(parents=True)
        lines.append(f'{out}|{path}|{options}')
    for name in names_of(work, which):
        add(name, work / f'files/{name}.dcm')
    for name, file, options in EXTRA:
        add(name, work / f'files/{file}.dcm', options)
    for name in broken_of(work, which):
        add(f'broken-{name}', work / f'broken/{name}.dcm')
    for path in others(folder):
        add(f'other-{path.stem}', path)
    (work / 'list').write_text('\n'.join(lines) + '\n')


class Image:
    def __init__(self, folder):
        self.folder = folder
        self.facts = json.loads((folder / 'image.json').read_text())
        self.layers = self.facts.get('layers', [])

    def pixels(self, index):
        layer = self.layers[index]
        kind, n = TYPES[layer['encoding']]
        _x, _y, columns, rows = layer['box']
        raw = np.fromfile(self.folder / f'layer-{index}.raw', '=' + kind)
        return raw.reshape((rows, columns, n) if n > 1 else (rows, columns))

    def seen(self):
        """The first frame as people see it, 8 bits"""
        _x, _y, columns, rows = self.layers[0]['box']
        raw = np.fromfile(self.folder / 'flat.raw', 'u1')
        return raw.reshape(rows, columns, -1)

    def parasite(self, index):
        text = self.layers[index]['parasites']['isolux-values']
        return dict(line.split('=', 1) for line in text.strip('\0\n')
                    .split('\n'))

    def values(self, index):
        """Real values, by the parasite"""
        facts = self.parasite(index)
        pixels = self.pixels(index)
        slope, intercept = float(facts['slope']), float(facts['intercept'])
        if pixels.ndim == 3 or slope == 1 and intercept == 0:
            return pixels
        return pixels * slope + intercept


def check_window(name, image, index, wanted):
    """What people see of a frame is the window's linear ramp"""
    filters = image.layers[index]['filters']
    if len(filters) != 1 or 'center' not in filters[0]:
        return f'filters: {filters}'
    center, width = filters[0]['center'], filters[0]['width']
    if filters[0]['mode'] == 'percentile' and abs(image.values(index)).max() \
            > 1e9:
        return None   # the filter takes no numbers as large as these
    if wanted:
        within = wanted.get('within', 1e-9)
        if abs(center - wanted['center']) > within \
                or abs(width - wanted['width']) > within:
            return f'{center}, {width}, not {wanted}'
    if filters[0].get('values') != \
            image.layers[index]['parasites']['isolux-values'].strip('\0'):
        return 'the filter does not know what codes are'
    if index > 0:
        return None
    ramp = np.clip((image.values(0) - center) / width + 0.5, 0, 1) * 255
    if float(image.parasite(0)['slope']) < 0:
        ramp = 255 - ramp
    good = ~np.isnan(ramp)
    off = np.abs(image.seen()[..., 0] - ramp)[good].max()
    return f'seen up to {off} levels off' if off > 1.01 else None


def check_file(name, work, out, rows):
    """A file of files.py; rows: which of its frames"""
    expected = json.loads((work / f'files/{name}.json').read_text())
    wanted = np.load(work / f'files/{name}.npz')['values']
    image = Image(work / 'out' / out)
    bad = []

    def expect(got, want, what):
        if got != want:
            bad.append(f'{what} is {got}, not {want}')
    if 'error' in image.facts:
        return [image.facts['error']]
    frames = [i for i, layer in enumerate(image.layers)
              if 'isolux-values' in layer['parasites']]
    rows = list(range(len(wanted))) if rows is None else rows
    expect(len(frames), len(rows), 'number of frames')
    for layer, frame in zip(frames, rows):
        problem = difference(image.values(layer), wanted[frame],
                             expected['tolerance'])
        if problem:
            bad.append(f'frame {frame + 1}: {problem}')
        facts = image.parasite(layer)
        title = image.layers[layer]['name']
        if len(wanted) > 1:
            expect(title.split(' (')[0], f'Frame {frame + 1}', 'name')
        expect('lossy' in title, bool(expected.get('lossy')), 'lossy in name')
        expect('lossy compression' in facts.get('loss', ''),
               bool(expected.get('lossy')), 'lossy in loss')
        if 'slopes' in expected:
            expect(float(facts['slope']), expected['slopes'][frame], 'slope')
    facts = image.parasite(frames[0])
    if 'precision' in expected:
        expect(image.facts['precision'], PRECISION[expected['precision']],
               'precision')
    expect(PRECISION[facts['precision'].split('-non-linear')[0]],
           image.facts['precision'], 'precision of the values')
    expect(image.facts['profile'], False, 'profile')
    for key in ('slope', 'intercept', 'bits', 'padding'):
        if key in expected:
            expect(float(facts.get(key, 'nan')), expected[key], key)
    for key in ('unit', 'modality', 'spacing'):
        if key in expected:
            expect(facts.get(key, ''), expected[key], key)
    if 'window' in expected:
        expect(list(map(float, facts.get('window', '').split())),
               list(map(float, expected['window'].split())), 'window')
    if 'loss' in expected and expected['loss'] not in facts.get('loss', ''):
        bad.append(f'loss is {facts.get("loss")}')
    if 'spacing' in expected:
        down, right = map(float, expected['spacing'].split())
        expect([round(r, 6) for r in image.facts['resolution']],
               [round(25.4 / right, 6), round(25.4 / down, 6)], 'resolution')
    expect(image.facts['left'], 0, 'images left')
    if out == 'plain':
        expect(image.layers[0]['filters'], [], 'filters')
    elif image.layers[frames[0]]['filters'] or 'filters' in expected \
            or image.layers[frames[0]]['encoding'] == "Y' u16":
        for layer in frames:
            problem = check_window(name, image, layer, None if layer
                                   else expected.get('filters'))
            if problem:
                bad.append(f'window: {problem}')
    if out.endswith('+'):
        bad += check_overlays(image, expected['overlays'])
    return bad


def check_overlays(image, wanted):
    found = [i for i, layer in enumerate(image.layers)
             if layer['name'].startswith('Overlay')]
    bad = []
    if len(found) != len(wanted):
        return [f'{len(found)} overlays, not {len(wanted)}']
    for overlay in wanted:
        mask = np.array(overlay['mask'])
        match = [i for i in found
                 if image.layers[i]['box'][:2] == [overlay['x'], overlay['y']]
                 and image.layers[i]['box'][2:] == list(mask.shape[::-1])
                 and ((image.pixels(i)[..., -1] > 0) == (mask > 0)).all()]
        if not match:
            bad.append(f'no overlay at {overlay["x"]}, {overlay["y"]}')
            continue
        if image.pixels(match[0])[..., 0][mask > 0].min() < 255:
            bad.append('not white')
        if 'frame' in overlay and image.layers[match[0] + 1]['name'] != \
                f'Frame {overlay["frame"]}':
            bad.append('not above its frame')
    return bad


def check_other(path, out):
    """Somebody else's file, by pydicom; what it cannot decode by gdcmconv"""
    image = Image(out)
    if 'error' in image.facts:
        return image.facts['error']
    data = pydicom.dcmread(path)
    try:
        pixels = data.pixel_array
    except Exception:
        pixels = files.decode(out, path)
    if 'PaletteColor' in ''.join(data.dir('PaletteColor')):
        pixels = apply_color_lut(pixels, data)
    rgb = data.SamplesPerPixel == 3 or pixels.shape[-1:] == (3,)
    pixels = pixels.reshape(-1, *(pixels.shape[-3:] if rgb
                                  else pixels.shape[-2:]))
    if not rgb:
        pixels = pixels.astype(float) * float(data.get('RescaleSlope', 1)) \
            + float(data.get('RescaleIntercept', 0))
    lossy = 'lossy' in image.layers[0]['name']
    if len(image.layers) != len(pixels):
        return f'{len(image.layers)} layers, not {len(pixels)}'
    for index, frame in enumerate(pixels):
        problem = difference(image.values(index), frame,
                             1.0 if lossy else 1e-6)
        if problem:
            return problem
    return None if rgb or lossy else check_windowing(image, data)


def windowed_by_pydicom(data, function):
    """The first frame, 0 to 255; two more values, which are far below and
    above every window, show what pydicom makes black and white"""
    data.VOILUTFunction = function
    values = apply_modality_lut(data.pixel_array, data).astype(float)
    values = values.reshape(-1, data.Rows, data.Columns)[0]
    ends = np.append(values.ravel(), [-1e7, 1e7])
    out = apply_windowing(ends, data)
    out = (out - out[-2]) / (out[-1] - out[-2]) * 255
    return out[:-2].reshape(values.shape)


def check_windowing(image, data):
    """What is seen is pydicom's window: the file's own, else with the numbers
    that the import chose"""
    chosen = image.layers[0]['filters'][0]
    if 'WindowCenter' not in data:
        data.WindowCenter = str(chosen['center'])
        data.WindowWidth = str(chosen['width'])
    center = float(np.ravel(data.WindowCenter)[0])
    width = float(np.ravel(data.WindowWidth)[0])
    if (chosen['center'], chosen['width']) != (center, width):
        return f'window {chosen}, not {center}, {width}'
    seen = image.seen()[..., 0].astype(float)
    if data.PhotometricInterpretation == 'MONOCHROME1':
        seen = 255 - seen
    # LINEAR is half a value beside LINEAR_EXACT, and a value narrower
    for function, far in (('LINEAR_EXACT', 1.01), ('LINEAR', 1.01 + 255 / width)):
        off = np.abs(seen - windowed_by_pydicom(data, function)).max()
        if off > far:
            return f'up to {off} levels beside pydicom\'s {function}'
    return None


def check(work, which, folder):
    for name in names_of(work, which):
        result(check_file(name, work, name, None), name)
    some = {'frames-some': [1, 2, 3, 10], 'frames-last': [2]}
    for name, file, _options in EXTRA:
        image = Image(work / 'out' / name)
        words = {'frames-beyond': 'frames 1 to 12',
                 'frames-words': 'names no frames',
                 'frames-none': 'names no frames',
                 'preset-unit': '"Lung" is in HU, and the values',
                 'preset-none': 'no window preset "ct-lunge". There are: '
                                '"image", "ct-brain"'}.get(name)
        if words:
            said = image.facts.get('error', '')
            result(words not in said and said or 'opened'
                   if words not in said else image.facts['left'], name)
            continue
        result(check_file(file, work, name, some.get(name)), name)
        if name == 'preset-lung':
            result(check_window(name, image, 0, {'center': -600,
                                                 'width': 1500}),
                   'a preset is the window that is seen')

    # privacy: nothing of the patient without being asked for
    secrets = [files.NAME, files.PATIENT, 'Nowhere', '19700101',
               '1.2.826.0.1.3680043']
    told = []
    for path in sorted((work / 'out').glob('*/image.json')):
        text = path.read_text()
        asked = path.parent.name.startswith('tags')
        if not asked and any(secret in text for secret in secrets):
            told.append(path.parent.name)
        if asked and not all(secret in text for secret in secrets):
            told.append(f'{path.parent.name} does not tell')
    result(told, 'the patient is named when asked for, and only then')
    image = Image(work / 'out/slope')
    result(image.facts['parasites'], 'the image itself keeps nothing')
    known = {'slope', 'intercept', 'unit', 'padding', 'bits', 'modality',
             'window', 'spacing', 'codes', 'precision', 'loss',
             'body-part'}
    result(set(image.parasite(0)) - known, 'a layer keeps what README lists')
    image = Image(work / 'out/tags')
    result(image.facts['parasites'].get('dcm/0010-0010-PN', '').strip('\0 ')
           != files.NAME, 'tags are where GIMP keeps them')

    for name, words in broken_of(work, which).items():
        image = Image(work / 'out' / f'broken-{name}')
        said = image.facts.get('error', '')
        bad = None
        if not said:
            bad = 'it opened, or there are no words'
        elif words not in said or 'no return values' in said:
            bad = said
        elif image.facts['left']:
            bad = 'an image is left'
        result(bad, f'broken: {name}: {said[:90]}')

    for path in others(folder):
        result(check_other(path, work / 'out' / f'other-{path.stem}'),
               path.name)
    return plan()


def check_series(folder):
    """Time and memory do not grow from file to file"""
    *lines, named = (folder / 'series').read_text().split('\n')[:-1]
    seconds, memory, computed = np.array([list(map(float, line.split()))
                                          for line in lines]).T
    half = len(lines) // 2
    result(half != 100 and f'{half} files', 'one after the other, and layers')
    # GIMP's own computing, which other programs do not slow down; of the
    # import's the same, since it is a new process each time
    for what, begin, end, factor in (('files', 5, half, 1.5),
                                     ('layers', half + 5, 2 * half, 2)):
        first = computed[begin + 25] - computed[begin]
        last = computed[end - 1] - computed[end - 26]
        result(last > factor * first + 0.3
               and f'{first} s for the first 25, {last} for the last',
               f'time: {np.median(seconds[begin:end]):.2f} s for each of '
               f'100 {what}; GIMP\'s part {first:.2f} s for the first 25, '
               f'{last:.2f} for the last')
    early, late = memory[20], memory[half - 1]
    result(late > early + 40 and f'{early} MiB after 20 files, then {late}',
           f'memory: {early:.0f} MiB after 20 files, {late:.0f} after {half}')
    grown = memory[-1] - memory[half]
    # 256 x 256 pixels of 2 bytes, and as much again for what is shown
    result(grown > 100 and f'{grown} MiB for 100 layers',
           f'memory: {grown:.0f} MiB for 100 layers')
    result(named != '100 100' and named, 'all layers keep values and window')
    return plan()


def main():
    verb, work = sys.argv[1], Path(sys.argv[2])
    if verb == 'series':
        return check_series(work)
    which = sys.argv[3]
    folder = sys.argv[4] if len(sys.argv) > 4 else ''
    if verb == 'list':
        write_list(work, which, folder)
        return 0
    return check(work, which, folder)


if __name__ == '__main__':
    sys.exit(main())
