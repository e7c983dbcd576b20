# files - makes DICOM files of every kind that the import promises to open,
# and says what must come out of them.
#
#   files.py DIR          writes DIR/NAME.dcm and DIR/NAME.json, DIR/NAME.npz
#   files.py DIR window   only those that window.sh wants
#   files.py DIR series   only those that series.sh wants
#
# Each file is made with pydicom, and gdcmconv where pixels are compressed;
# what must come out is known from the numbers that went in, not from a
# decoder, but for lossy compression.  No file has anything of a person but
# the made-up name, which the tests look for afterwards.
#
# SPDX-License-Identifier: GPL-3.0-or-later

import io
import json
import subprocess
import sys
import warnings
from pathlib import Path

import numpy as np
import pydicom
from PIL import Image
from pydicom.dataset import Dataset, FileDataset, FileMetaDataset
from pydicom.encaps import encapsulate, generate_pixel_data_frame
from pydicom.sequence import Sequence
from pydicom.uid import (DeflatedExplicitVRLittleEndian, ExplicitVRBigEndian,
                         ExplicitVRLittleEndian, ImplicitVRLittleEndian,
                         JPEG2000Lossless, JPEGBaseline8Bit, RLELossless)

warnings.filterwarnings('ignore')

NAME = 'Doe^Jane^of^Nowhere'
PATIENT = 'PID-4711'
SECONDARY = '1.2.840.10008.5.1.4.1.1.7'
CT = '1.2.840.10008.5.1.4.1.1.2'
ENHANCED_MR = '1.2.840.10008.5.1.4.1.1.4.1'
random = np.random.default_rng(6)


def item(**elements):
    data = Dataset()
    for key, value in elements.items():
        setattr(data, key, value)
    return data


def dataset(syntax=ExplicitVRLittleEndian, sop=SECONDARY, modality='OT'):
    meta = FileMetaDataset()
    meta.MediaStorageSOPClassUID = sop
    meta.MediaStorageSOPInstanceUID = '1.2.826.0.1.3680043.8.498.1'
    meta.TransferSyntaxUID = syntax
    data = FileDataset(None, {}, file_meta=meta, preamble=b'\0' * 128)
    data.is_little_endian = syntax != ExplicitVRBigEndian
    data.is_implicit_VR = syntax == ImplicitVRLittleEndian
    data.SOPClassUID = sop
    data.SOPInstanceUID = meta.MediaStorageSOPInstanceUID
    data.Modality = modality
    data.PatientName = NAME
    data.PatientID = PATIENT
    data.PatientBirthDate = '19700101'
    data.InstitutionName = 'Hospital of Nowhere'
    data.StudyInstanceUID = '1.2.826.0.1.3680043.8.498.2'
    data.SeriesInstanceUID = '1.2.826.0.1.3680043.8.498.3'
    return data


def put_pixels(data, pixels, bits, allocated, high=None, signed=False,
               photometric='MONOCHROME2', frames=False, planar=0):
    """pixels: frames x rows x columns (x 3), whole samples"""
    color = pixels.ndim == 4
    data.Rows, data.Columns = pixels.shape[1:3]
    data.SamplesPerPixel = 3 if color else 1
    data.PhotometricInterpretation = photometric
    data.BitsAllocated = allocated
    data.BitsStored = bits
    data.HighBit = bits - 1 if high is None else high
    data.PixelRepresentation = int(signed)
    if color:
        data.PlanarConfiguration = planar
        if planar:
            pixels = pixels.transpose(0, 3, 1, 2)
    if frames or pixels.shape[0] > 1:
        data.NumberOfFrames = str(pixels.shape[0])
    order = '<' if data.is_little_endian else '>'
    mask = (1 << bits) - 1
    cells = (pixels.astype(np.int64) & mask) << (data.HighBit + 1 - bits)
    if allocated in (1, 12):
        # cells follow each other, the lowest bit first
        bitstream = ((cells.reshape(-1, 1) >> np.arange(allocated)) & 1)
        raw = np.packbits(bitstream.astype(np.uint8).ravel(),
                          bitorder='little').tobytes()
        if not data.is_little_endian:
            raise ValueError('not made for big endian')
    else:
        raw = cells.astype(f'{order}u{allocated // 8}').tobytes()
    if len(raw) % 2:
        raw += b'\0'
    if allocated == 8 and not data.is_little_endian:
        # OW of bytes: pairs, the other way round
        raw = np.frombuffer(raw, '<u2').astype('>u2').tobytes()
        data.add_new(0x7fe00010, 'OW', raw)
    else:
        data.add_new(0x7fe00010,
                     'OW' if allocated > 8 or not color and allocated != 1
                     else 'OB', raw)


def smooth(shape, low, high, frames=1):
    """A picture with slopes, edges and a little noise, both ends present"""
    rows, columns = shape
    y, x = np.mgrid[0:rows, 0:columns]
    out = []
    for frame in range(frames):
        t = 0.5 + 0.3 * np.sin(x / 7 + frame) * np.cos(y / 9)
        t += 0.2 * ((x // 8 + y // 8 + frame) % 2)
        t += random.normal(0, 0.01, shape)
        t = (t - t.min()) / (t.max() - t.min())
        out.append(np.rint(low + t * (high - low)).astype(np.int64))
    return np.stack(out)


def write(data, path):
    """path: or a stream"""
    if pydicom.__version__.startswith('2'):
        data.save_as(path, write_like_original=False)
    else:
        syntax = data.file_meta.TransferSyntaxUID
        pydicom.dcmwrite(path, data, enforce_file_format=True,
                         implicit_vr=syntax == ImplicitVRLittleEndian,
                         little_endian=syntax != ExplicitVRBigEndian)


class Maker:
    def __init__(self, folder):
        self.folder = Path(folder)
        self.folder.mkdir(parents=True, exist_ok=True)
        self.names = []

    def save(self, name, data, values, tolerance=0.0, **expected):
        """values: what GIMP must give, in the unit or as colors; frames x
        rows x columns (x 3)"""
        path = self.folder / f'{name}.dcm'
        write(data, path)
        self.expect(name, values, tolerance, **expected)
        return path

    def expect(self, name, values, tolerance=0.0, **expected):
        expected['tolerance'] = tolerance
        np.savez(self.folder / f'{name}.npz', values=values)
        (self.folder / f'{name}.json').write_text(json.dumps(expected))
        self.names.append(name)

    def convert(self, name, source, options, values, tolerance=0.0,
                **expected):
        path = self.folder / f'{name}.dcm'
        subprocess.run(['gdcmconv', *options, str(source), str(path)],
                       check=True, stdout=subprocess.DEVNULL,
                       stderr=subprocess.DEVNULL)
        self.expect(name, values, tolerance, **expected)
        return path


def native(maker):
    """Everything that is not compressed"""
    syntaxes = {'explicit': ExplicitVRLittleEndian,
                'implicit': ImplicitVRLittleEndian,
                'big': ExplicitVRBigEndian,
                'deflated': DeflatedExplicitVRLittleEndian}
    for word, syntax in syntaxes.items():
        for bits, allocated in ((8, 8), (12, 16), (16, 16), (32, 32)):
            pixels = smooth((11, 14), 0, (1 << bits) - 1)
            data = dataset(syntax)
            put_pixels(data, pixels, bits, allocated)
            maker.save(f'{word}-u{bits}', data, pixels,
                       precision={8: 'u8', 32: 'double'}.get(bits, 'u16'))
        pixels = smooth((11, 14), -1024, 1186)
        data = dataset(syntax, CT, 'CT')
        data.RescaleSlope, data.RescaleIntercept = '1', '0'
        put_pixels(data, pixels, 16, 16, signed=True)
        maker.save(f'{word}-ct', data, pixels, precision='u16', slope=1,
                   intercept=-1024, unit='HU', bits=12, modality='CT')

    # as old programs wrote them, without what comes in front
    whole = (maker.folder / 'implicit-ct.dcm').read_bytes()
    length = int.from_bytes(whole[140:144], 'little')
    (maker.folder / 'bare.dcm').write_bytes(whole[144 + length:])
    maker.expect('bare', np.load(maker.folder / 'implicit-ct.npz')['values'],
                 precision='u16', slope=1, intercept=-1024, unit='HU',
                 bits=12)

    # how far negative values go decides the offset
    for low, intercept, bits in ((-1, -1024, 12), (-1025, -2048, 12),
                                 (-32768, -32768, 16)):
        pixels = smooth((9, 12), low, 1500)
        data = dataset(sop=CT, modality='CT')
        put_pixels(data, pixels, 16, 16, signed=True)
        maker.save(f'offset{low}', data, pixels, precision='u16', slope=1,
                   intercept=intercept, bits=bits)
    pixels = smooth((9, 12), 3, 900)
    data = dataset(sop=CT, modality='CT')
    put_pixels(data, pixels, 16, 16, signed=True)
    data.add_new(0x00280120, 'SS', -2000)
    data.RescaleSlope, data.RescaleIntercept = '1', '-1024'
    data.RescaleType = 'HU'
    maker.save('signed-positive', data, pixels - 1024, precision='u16',
               slope=1, intercept=-1024, padding=-3024, bits=10, unit='HU')

    # slopes, units, windows, spacing
    pixels = smooth((10, 13), 0, 4095)
    data = dataset(modality='MR')
    data.RescaleSlope, data.RescaleIntercept = '3.774114', '0.000061'
    data.RescaleType = 'US'
    data.WindowCenter = ['1000', '40.5']
    data.WindowWidth = ['2000', '400']
    data.WindowCenterWidthExplanation = ['NORMAL', NAME]
    data.PixelSpacing = ['0.7', '0.4']
    data.BodyPartExamined = 'SHOULDER'
    put_pixels(data, pixels, 12, 16)
    maker.save('slope', data, pixels * 3.774114 + 0.000061, 1e-9,
               precision='u16', slope=3.774114, intercept=0.000061, bits=12,
               unit='', spacing='0.7 0.4', window='1000 2000 40.5 400')
    data = dataset(modality='PT')
    data.RescaleSlope, data.RescaleIntercept = '0.25', '0'
    data.Units = 'BQML'
    put_pixels(data, pixels, 16, 16)
    maker.save('pet', data, pixels * 0.25, precision='u16', unit='BQML',
               bits=12)

    # where a sample lies in its cell
    pixels = smooth((7, 10), 0, 4095)
    data = dataset()
    put_pixels(data, pixels, 12, 16, high=15)
    cells = np.frombuffer(data.PixelData, '<u2') | np.uint16(5)
    data.add_new(0x7fe00010, 'OW', cells.tobytes())
    maker.save('left', data, pixels, precision='u16', bits=12)
    pixels = smooth((7, 10), -2048, 2047)
    data = dataset()
    put_pixels(data, pixels, 12, 16, high=13, signed=True)
    maker.save('middle-signed', data, pixels, precision='u16',
               intercept=-2048, bits=12)
    pixels = smooth((7, 9), 0, 4095)
    data = dataset()
    put_pixels(data, pixels, 12, 12)
    maker.save('packed12', data, pixels, precision='u16', bits=12)
    pixels = (smooth((5, 7), 0, 1, frames=3))
    data = dataset(modality='SEG')
    put_pixels(data, pixels, 1, 1)
    maker.save('bits1', data, pixels, precision='u8', bits=1,
               filters=dict(center=0.5, width=1))
    pixels = smooth((7, 10), -128, 127)
    data = dataset()
    put_pixels(data, pixels, 8, 8, signed=True)
    maker.save('s8', data, pixels, precision='u8', intercept=-128)
    pixels = smooth((7, 10), 0, 200)
    data = dataset()
    put_pixels(data, pixels, 8, 16)
    maker.save('u8in16', data, pixels, precision='u8')
    pixels = smooth((7, 10), -70000, 1 << 20)
    data = dataset()
    data.RescaleSlope, data.RescaleIntercept = '2', '5'
    put_pixels(data, pixels, 32, 32, signed=True)
    maker.save('s32', data, pixels * 2 + 5, precision='float', slope=1,
               intercept=0)

    # MONOCHROME1: codes are turned round, values are not
    for bits, allocated, signed, low in ((8, 8, False, 0),
                                         (10, 16, False, 0),
                                         (16, 16, True, -500)):
        pixels = smooth((9, 11), low, 1000 if bits > 8 else 250)
        data = dataset(modality='CR')
        data.WindowCenter, data.WindowWidth = '300', '400'
        put_pixels(data, pixels, bits, allocated, signed=signed,
                   photometric='MONOCHROME1')
        maker.save(f'mono1-{bits}', data, pixels, slope=-1, inverted=True,
                   precision='u8' if bits == 8 else 'u16')

    # floating point
    values = (smooth((8, 9), -1000, 3000) / 7).astype(np.float32)
    values[0, 0, 0] = np.nan
    for word, vr, kind in (('float', 0x7fe00008, 'f4'),
                           ('double', 0x7fe00009, 'f8')):
        for order, syntax in (('<', ExplicitVRLittleEndian),
                              ('>', ExplicitVRBigEndian)):
            data = dataset(syntax)
            put_pixels(data, np.zeros(values.shape, int), 32, 32)
            del data.PixelData
            del data.BitsStored, data.HighBit, data.PixelRepresentation
            data.BitsAllocated = 32 if word == 'float' else 64
            data.add_new(vr, 'OF' if word == 'float' else 'OD',
                         values.astype(order + kind).tobytes())
            big = '' if order == '<' else '-big'
            maker.save(word + big, data, values.astype('<' + kind),
                       precision=word, slope=1, intercept=0)

    # a dose
    pixels = smooth((8, 9), 0, (1 << 32) - 1)
    data = dataset(sop='1.2.840.10008.5.1.4.1.1.481.2', modality='RTDOSE')
    data.DoseGridScaling = '1.5e-8'
    data.DoseUnits = 'GY'
    put_pixels(data, pixels, 32, 32)
    maker.save('dose', data, pixels * 1.5e-8, 1e-12, precision='double',
               unit='Gy')


def colors(maker):
    shape = (10, 12)
    rgb = np.stack([smooth(shape, 0, 255)[0], smooth(shape, 10, 200)[0],
                    smooth(shape, 255, 0)[0]], axis=-1)[None]
    for syntax, word in ((ExplicitVRLittleEndian, ''),
                         (ExplicitVRBigEndian, '-big')):
        for planar in (0, 1):
            data = dataset(syntax)
            put_pixels(data, rgb, 8, 8, photometric='RGB', planar=planar)
            maker.save(f'rgb8-{planar}{word}', data, rgb, precision='u8')
    for planar in (0, 1):
        data = dataset()
        two = np.concatenate([rgb, rgb[:, ::-1]])
        put_pixels(data, two * 257, 16, 16, photometric='RGB', planar=planar)
        maker.save(f'rgb16-{planar}', data, two * 257, precision='u16')

    def to_rgb(ybr):
        y, cb, cr = (ybr[..., c].astype(float) for c in range(3))
        out = np.stack([y + 1.402 * (cr - 128),
                        y - 0.34413629 * (cb - 128) - 0.71413629 * (cr - 128),
                        y + 1.772 * (cb - 128)], axis=-1)
        return np.clip(np.rint(out), 0, 255)
    ybr = rgb.copy()
    ybr[..., 1:] = 128 + (ybr[..., 1:] - 128) // 3
    for planar in (0, 1):
        data = dataset()
        put_pixels(data, ybr, 8, 8, photometric='YBR_FULL', planar=planar)
        maker.save(f'ybr-{planar}', data, to_rgb(ybr), 1.0, precision='u8',
                   loss='YBR')
    half = ybr.copy()
    half[:, :, 1::2, 1:] = half[:, :, 0::2, 1:]
    data = dataset()
    put_pixels(data, half, 8, 8, photometric='YBR_FULL_422')
    packed = np.stack([half[:, :, 0::2, 0], half[:, :, 1::2, 0],
                       half[:, :, 0::2, 1], half[:, :, 0::2, 2]], axis=-1)
    data.add_new(0x7fe00010, 'OB', packed.astype(np.uint8).tobytes())
    maker.save('ybr422', data, to_rgb(half), 1.0, precision='u8',
               loss='YBR')

    # the same of a part of the range: 16 to 235, colors 16 to 240
    partial = half.copy()
    partial[..., 0] = 16 + partial[..., 0] * 219 // 255
    partial[..., 1:] = 128 + (partial[..., 1:] - 128) * 224 // 255
    data = dataset()
    put_pixels(data, partial, 8, 8, photometric='YBR_PARTIAL_422')
    packed = np.stack([partial[:, :, 0::2, 0], partial[:, :, 1::2, 0],
                       partial[:, :, 0::2, 1], partial[:, :, 0::2, 2]],
                      axis=-1)
    data.add_new(0x7fe00010, 'OB', packed.astype(np.uint8).tobytes())
    full = partial.astype(float)
    full[..., 0] = (full[..., 0] - 16) * 255 / 219
    full[..., 1:] = 128 + (full[..., 1:] - 128) * 255 / 224
    maker.save('ybr-partial', data, to_rgb(full), 1.0, precision='u8',
               loss='YBR')

    # palettes: 8 bits, 8 bits in words, 16 bits, not from 0, segmented
    index = smooth(shape, 0, 255)
    table = np.stack([np.arange(256), 255 - np.arange(256),
                      (np.arange(256) * 7) % 256], axis=-1)

    def palette(data, table, first, bits, words):
        for c in range(3):
            data.add_new(0x00281101 + c, 'US',
                         [len(table) % 65536, first, bits])
            data.add_new(0x00281201 + c, 'OW', words(table[:, c]))

    def as_words(column):
        return column.astype('<u2').tobytes()

    def as_bytes(column):
        return column.astype(np.uint8).tobytes()

    for name, scale, bits, words in (('palette8', 1, 8, as_bytes),
                                     ('palette8in16', 1, 16, as_words),
                                     ('palette16', 257, 16, as_words)):
        data = dataset(modality='US')
        put_pixels(data, index, 8, 8, photometric='PALETTE COLOR')
        palette(data, table * scale, 0, bits, words)
        maker.save(name, data, (table * scale)[index],
                   precision='u16' if scale > 1 else 'u8')
    index = smooth(shape, 0, 700)
    data = dataset(modality='US')
    put_pixels(data, index, 16, 16, photometric='PALETTE COLOR')
    palette(data, table * 257, 300, 16, as_words)
    maker.save('palette-first', data,
               (table * 257)[np.clip(index - 300, 0, 255)], precision='u16')

    # discrete 4; linear 252 to 60000; then the same twice by reference
    index = smooth(shape, 0, 511)
    data = dataset(modality='US')
    put_pixels(data, index, 16, 16, photometric='PALETTE COLOR')
    head = [0, 4, 100, 200, 300, 400]
    segments = head + [1, 252, 60000] + [2, 2, 0, 0]
    once = [100, 200, 300, 400] + [
        int(400 + (60000 - 400) * i / 252 + 0.5) for i in range(1, 253)]
    expanded = np.array(once + once)
    for c in range(3):
        data.add_new(0x00281101 + c, 'US', [512, 0, 16])
        data.add_new(0x00281221 + c, 'OW',
                     np.array(segments, '<u2').tobytes())
    maker.save('palette-segments', data,
               np.repeat(expanded[index][..., None], 3, axis=-1),
               precision='u16')


def tables(maker):
    pixels = smooth((9, 12), 0, 255)
    curve = np.rint(4095 * (np.arange(256) / 255) ** 2).astype(int)
    for packed in (False, True):
        data = dataset(modality='CR')
        put_pixels(data, pixels, 8, 8)
        table = Dataset()
        entries = curve // 16 if packed else curve
        table.add_new(0x00283002, 'US', [256, 0, 8 if packed else 12])
        table.ModalityLUTType = 'OD'
        raw = entries.astype(np.uint8 if packed else '<u2').tobytes()
        table.add_new(0x00283006, 'OW', raw)
        data.ModalityLUTSequence = Sequence([table])
        maker.save(f'modality-table-{8 if packed else 12}', data,
                   entries[pixels], unit='OD',
                   precision='u8' if packed else 'u16')
    # signed values, a table that begins below 0
    pixels = smooth((9, 12), -150, 150)
    data = dataset(modality='CR')
    put_pixels(data, pixels, 16, 16, signed=True)
    table = Dataset()
    table.add_new(0x00283002, 'SS', [200, -100, 16])
    table.ModalityLUTType = 'US'
    entries = np.arange(200) * 300
    table.add_new(0x00283006, 'OW', entries.astype('<u2').tobytes())
    data.ModalityLUTSequence = Sequence([table])
    maker.save('modality-table-signed', data,
               entries[np.clip(pixels + 100, 0, 199)], unit='',
               precision='u16')

    # a table for display: 0 up to 1000, a ramp to 1799, flat above
    pixels = smooth((9, 12), 0, 4000)
    data = dataset(modality='DX')
    put_pixels(data, pixels, 12, 16)
    ramp = np.clip((np.arange(3000) - 1000) * 4095 / 799, 0, 4095)
    table = Dataset()
    table.add_new(0x00283002, 'US', [3000, 0, 12])
    table.add_new(0x00283006, 'OW', np.rint(ramp).astype('<u2').tobytes())
    data.VOILUTSequence = Sequence([table])
    maker.save('voi-table', data, pixels, precision='u16', loss='table',
               filters=dict(center=1400, width=784, within=4))
    data = dataset(modality='DX')
    put_pixels(data, pixels, 12, 16)
    data.WindowCenter, data.WindowWidth = '2000', '1000'
    data.VOILUTFunction = 'SIGMOID'
    maker.save('sigmoid', data, pixels, precision='u16', loss='igmoid',
               filters=dict(center=2000, width=1000))


def frames(maker):
    pixels = smooth((8, 10), 0, 4095, frames=12)
    data = dataset(modality='MR')
    put_pixels(data, pixels, 12, 16)
    maker.save('frames', data, pixels, precision='u16', frames=12, bits=12)

    # each frame its own slope, unit, window; spacing for all
    pixels = smooth((8, 10), 0, 1000, frames=4)
    data = dataset(sop=ENHANCED_MR, modality='MR')
    put_pixels(data, pixels, 12, 16)
    groups = []
    for frame in range(4):
        groups.append(item(
            PixelValueTransformationSequence=Sequence([item(
                RescaleSlope=str(frame + 0.5),
                RescaleIntercept=str(-10 * frame), RescaleType='US')]),
            FrameVOILUTSequence=Sequence([item(
                WindowCenter=str(100 * (frame + 1)), WindowWidth='300')])))
    data.PerFrameFunctionalGroupsSequence = Sequence(groups)
    data.SharedFunctionalGroupsSequence = Sequence([item(
        PixelMeasuresSequence=Sequence([item(
            PixelSpacing=['1.5', '2.5'], SliceThickness='3')]))])
    data.RescaleSlope, data.RescaleIntercept = '7', '7'   # not the frames'
    values = np.stack([p * (i + 0.5) - 10 * i for i, p in enumerate(pixels)])
    maker.save('enhanced', data, values, 1e-9, precision='u16', frames=4,
               slopes=[0.5, 1.5, 2.5, 3.5], spacing='1.5 2.5')


def overlays(maker):
    pixels = smooth((20, 24), 0, 4000)
    mask = (np.add.outer(np.arange(8), np.arange(10)) % 3 == 0)
    data = dataset(modality='DX')
    put_pixels(data, pixels, 12, 16)

    def add(group, mask, origin, **more):
        data.add_new((group, 0x0010), 'US', mask.shape[-2])
        data.add_new((group, 0x0011), 'US', mask.shape[-1])
        data.add_new((group, 0x0040), 'CS', 'G')
        data.add_new((group, 0x0050), 'SS', list(origin))
        data.add_new((group, 0x0100), 'US', 1)
        data.add_new((group, 0x0102), 'US', 0)
        for key, vr, value in more.get('elements', []):
            data.add_new((group, key), vr, value)
        raw = np.packbits(mask.ravel(), bitorder='little').tobytes()
        data.add_new((group, 0x3000), 'OW', raw + b'\0' * (len(raw) % 2))
    add(0x6000, mask, (3, 5))
    add(0x6002, ~mask, (-2, 20))
    maker.save('overlays', data, pixels, precision='u16', overlays=[
        dict(x=4, y=2, mask=mask.astype(int).tolist()),
        dict(x=19, y=-3, mask=(~mask).astype(int).tolist())])

    # in the unused bits of the pixels
    pixels = smooth((8, 10), 0, 4000)
    data = dataset(modality='DX')
    put_pixels(data, pixels, 12, 16)
    mask = (np.add.outer(np.arange(8), np.arange(10)) % 4 == 0)
    cells = np.frombuffer(data.PixelData, '<u2').reshape(8, 10)
    cells = cells | (mask.astype(np.uint16) << 13)
    data.add_new(0x7fe00010, 'OW', cells.astype('<u2').tobytes())
    data.add_new(0x60040010, 'US', 8)
    data.add_new(0x60040011, 'US', 10)
    data.add_new(0x60040040, 'CS', 'G')
    data.add_new(0x60040050, 'SS', [1, 1])
    data.add_new(0x60040100, 'US', 16)
    data.add_new(0x60040102, 'US', 13)
    maker.save('overlay-inside', data, pixels, precision='u16', overlays=[
        dict(x=0, y=0, mask=mask.astype(int).tolist())])

    # one for the second and third of four frames
    pixels = smooth((8, 10), 0, 4000, frames=4)
    data = dataset(modality='XA')
    put_pixels(data, pixels, 12, 16)
    masks = np.stack([mask, ~mask])
    add(0x6000, masks, (1, 1), elements=[(0x0015, 'IS', '2'),
                                         (0x0051, 'US', 2)])
    maker.save('overlay-frames', data, pixels, precision='u16', frames=4,
               overlays=[dict(x=0, y=0, frame=f + 2,
                              mask=masks[f].astype(int).tolist())
                         for f in range(2)])


def compressed(maker):
    sources = {}
    shape = (40, 50)

    def source(name, pixels, values=None, **how):
        data = dataset(modality=how.pop('modality', 'OT'))
        put_pixels(data, pixels, **how)
        path = maker.folder / f'source-{name}.dcm'
        write(data, path)
        sources[name] = (path, pixels if values is None else values)

    source('u8', smooth(shape, 0, 255), bits=8, allocated=8)
    source('u12', smooth(shape, 0, 4095), bits=12, allocated=16)
    source('u16', smooth(shape, 0, 65535), bits=16, allocated=16)
    source('s16', smooth(shape, -1024, 3000), bits=16, allocated=16,
           signed=True)
    source('s12', smooth(shape, -1024, 2047), bits=12, allocated=16,
           signed=True)
    source('frames', smooth(shape, 0, 4095, frames=3), bits=12, allocated=16)
    rgb = np.stack([smooth(shape, 0, 255)[0], smooth(shape, 10, 200)[0],
                    smooth(shape, 255, 0)[0]], axis=-1)[None]
    source('rgb', rgb, bits=8, allocated=8, photometric='RGB')
    source('rgbframes', np.concatenate([rgb, rgb[:, ::-1]]), bits=8,
           allocated=8, photometric='RGB')

    lossless = {'rle': ['--rle'], 'jpegls': ['--jpegls'], 'j2k': ['--j2k'],
                'jpegll': ['--jpeg']}
    for word, options in lossless.items():
        for name, (path, values) in sources.items():
            maker.convert(f'{word}-{name}', path, options, values,
                          lossy=False, frames=values.shape[0])
    # what another reader makes of lossy ones; how far they may be from what
    # was compressed
    lossy = {'jpeg': ['--jpeg', '--lossy', '-q', '95'],
             'near': ['--jpegls', '--lossy', '-e', '2'],
             'j2klossy': ['--j2k', '--lossy', '-r', '4']}
    for word, options in lossy.items():
        for name, (path, values) in sources.items():
            if word == 'jpeg' and name in ('u16', 's16'):
                continue   # baseline and extended JPEG have up to 12 bits
            made = maker.convert(f'{word}-{name}', path, options, values)
            decoded = decode(maker.folder, made)
            mean = np.abs(decoded - values).mean()
            if mean > 0.05 * (values.max() - values.min()):
                sys.exit(f'{made} is far from what was compressed: {mean}')
            maker.names.pop()
            maker.expect(f'{word}-{name}', decoded, 1.0, lossy=True,
                         frames=values.shape[0])


def decode(folder, path):
    """By libjpeg where it can, else by gdcmconv"""
    data = pydicom.dcmread(path)
    if data.file_meta.TransferSyntaxUID == JPEGBaseline8Bit:
        frames = []
        for frame in generate_pixel_data_frame(data.PixelData,
                                               data.get('NumberOfFrames', 1)):
            frames.append(np.asarray(Image.open(io.BytesIO(frame))))
        return np.stack(frames).astype(int)
    raw = folder / 'raw.dcm'
    subprocess.run(['gdcmconv', '--raw', str(path), str(raw)], check=True,
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    data = pydicom.dcmread(raw)
    kind = f'<{"i" if data.PixelRepresentation else "u"}' \
        f'{data.BitsAllocated // 8}'
    frames = int(data.get('NumberOfFrames', 1))
    shape = (frames, data.Rows, data.Columns) \
        + ((3,) if data.SamplesPerPixel == 3 else ())
    # as they stand: pydicom 3 drops bits beyond the stored ones
    pixels = np.frombuffer(data.PixelData, kind)[:np.prod(shape)]
    pixels = pixels.reshape(shape).astype(int)
    bits = data.BitsStored
    low = -(1 << (bits - 1)) if data.PixelRepresentation else 0
    return np.clip(pixels, low, low + (1 << bits) - 1)


def put_rle(data, frames):
    """frames: rows x columns x bytes of a pixel, the highest byte first"""
    encoded = []
    for frame in frames:
        segments = []
        for c in range(frame.shape[-1]):
            plane = frame[..., c].tobytes()
            # literal runs alone are RLE, too
            segment = b''.join(
                bytes([len(plane[i:i + 128]) - 1]) + plane[i:i + 128]
                for i in range(0, len(plane), 128))
            segments.append(segment + b'\0' * (len(segment) % 2))
        offsets = [64 + sum(map(len, segments[:i]))
                   for i in range(len(segments))]
        head = np.zeros(16, '<u4')
        head[0] = len(segments)
        head[1:1 + len(offsets)] = offsets
        encoded.append(head.tobytes() + b''.join(segments))
    data.file_meta.TransferSyntaxUID = RLELossless
    data.PixelData = encapsulate(encoded)
    data['PixelData'].VR = 'OB'
    data['PixelData'].is_undefined_length = True


def by_pillow(maker):
    """Color JPEG as devices write it: the label and the stream differ"""
    rgb = np.stack([smooth((40, 50), 0, 255)[0], smooth((40, 50), 10, 200)[0],
                    smooth((40, 50), 255, 0)[0]], axis=-1)
    picture = Image.fromarray(rgb.astype(np.uint8))
    for name, how in (('jfif', dict(subsampling=0)),
                      ('jfif422', dict(subsampling=1)),
                      ('rgb', dict(keep_rgb=True)),
                      ('progressive', dict(progressive=True))):
        stream = io.BytesIO()
        picture.save(stream, 'JPEG', quality=95, **how)
        for label in ('RGB', 'YBR_FULL_422', 'YBR_FULL'):
            data = dataset(JPEGBaseline8Bit, modality='US')
            put_pixels(data, rgb[None], 8, 8, photometric=label)
            data.PixelData = encapsulate([stream.getvalue()])
            data['PixelData'].VR = 'OB'
            data['PixelData'].is_undefined_length = True
            stream.seek(0)
            maker.save(f'pillow-{name}-{label}', data,
                       np.asarray(Image.open(stream))[None], 1.0,
                       precision='u8', lossy=True)
    for label, expected in (('YBR_RCT', rgb), ('RGB', rgb)):
        stream = io.BytesIO()
        picture.save(stream, 'JPEG2000', no_jp2=True, irreversible=False,
                     mct=1)
        data = dataset(JPEG2000Lossless, modality='US')
        put_pixels(data, rgb[None], 8, 8, photometric=label)
        data.PixelData = encapsulate([stream.getvalue()])
        data['PixelData'].VR = 'OB'
        data['PixelData'].is_undefined_length = True
        maker.save(f'pillow-j2k-{label}', data, expected[None],
                   precision='u8')

    # several fragments a frame, found by the table or by how frames begin
    two = []
    for shift in (0, 20):
        stream = io.BytesIO()
        Image.fromarray(np.roll(rgb[..., 0], shift).astype(np.uint8)).save(
            stream, 'JPEG', quality=95)
        two.append(stream.getvalue())
    wanted = np.stack([np.asarray(Image.open(io.BytesIO(f))) for f in two])
    for name, table in (('table', True), ('marks', False)):
        data = dataset(JPEGBaseline8Bit)
        put_pixels(data, wanted, 8, 8)
        data.PixelData = encapsulate(two, fragments_per_frame=3,
                                     has_bot=table)
        data['PixelData'].VR = 'OB'
        data['PixelData'].is_undefined_length = True
        maker.save(f'fragments-{name}', data, wanted, 1.0, precision='u8',
                   lossy=True, frames=2)

    # 32 bits by RLE, which gdcmconv does not write
    pixels = smooth((9, 12), 0, (1 << 32) - 1)
    data = dataset()
    put_pixels(data, pixels, 32, 32)
    put_rle(data, [pixels[0, ..., None].astype('>u4').view(np.uint8)])
    maker.save('rle-u32', data, pixels, precision='double')
    for planar in (0, 1):
        data = dataset()
        ybr = np.full((1, 8, 8, 3), 128)
        ybr[..., 0] = smooth((8, 8), 0, 255)
        put_pixels(data, ybr, 8, 8, photometric='YBR_FULL', planar=planar)
        put_rle(data, [ybr[0].astype(np.uint8)])
        maker.save(f'rle-ybr-{planar}', data,
                   np.repeat(ybr[..., :1], 3, axis=-1), 1.0, precision='u8')


def window(folder):
    """For the window: frames, and four blocks of known grays"""
    maker = Maker(folder)
    frames(maker)
    blocks = np.zeros((300, 400), int)
    # windowed from -1000 to 3095 they are 0, 51, 128 and 204 of 255
    blocks[:150, :200], blocks[:150, 200:] = -1000, -181
    blocks[150:, :200], blocks[150:, 200:] = 1055, 2276
    data = dataset(sop=CT, modality='CT')
    data.RescaleSlope, data.RescaleIntercept = '1', '0'
    data.WindowCenter, data.WindowWidth = '1047.5', '4095'
    data.BodyPartExamined = 'CHEST'
    put_pixels(data, blocks[None], 16, 16, signed=True)
    maker.save('blocks', data, blocks[None])
    many = np.zeros((4000, 16, 16), int)
    data = dataset(modality='MR')
    put_pixels(data, many, 12, 16)
    maker.save('many', data, many)


def series(folder):
    """100 slices of a CT"""
    maker = Maker(folder)
    rows, columns = np.mgrid[0:256, 0:256]
    for i in range(100):
        radius = np.hypot(rows - 128, columns - 128 - i / 4)
        hu = np.where(radius < 90, 40 + 10 * np.sin(radius + i), -1000)
        hu = np.where(radius < 20, 700, hu) + random.normal(0, 12, hu.shape)
        data = dataset(sop=CT, modality='CT')
        data.RescaleSlope, data.RescaleIntercept = '1', '-1024'
        data.WindowCenter, data.WindowWidth = '40', '400'
        data.PixelSpacing = ['0.7', '0.7']
        data.InstanceNumber = str(i + 1)
        pixels = np.clip(np.rint(hu) + 1024, 0, 4095).astype(int)
        put_pixels(data, pixels[None], 12, 16)
        maker.save(f'{i:03}', data, pixels[None] - 1024.0)


def main():
    if sys.argv[2:] == ['series']:
        series(sys.argv[1])
        return
    if sys.argv[2:] == ['window']:
        window(sys.argv[1])
        return
    maker = Maker(sys.argv[1])
    for make in (native, colors, tables, frames, overlays, compressed,
                 by_pillow):
        make(maker)
    (maker.folder / 'names.json').write_text(json.dumps(maker.names))
    print(len(maker.names), 'files')


if __name__ == '__main__':
    main()
