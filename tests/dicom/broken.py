# broken - makes DICOM files that are damaged or made to do harm.
#
#   broken.py DIR GOOD_DIR
#
# GOOD_DIR is what files.py made.  DIR/broken.json says what must be said of
# each: a part of the message.
#
# SPDX-License-Identifier: GPL-3.0-or-later

import json
import struct
import sys
import warnings
from pathlib import Path

import numpy as np
import pydicom
from pydicom.encaps import encapsulate
from pydicom.uid import (ExplicitVRLittleEndian, JPEG2000Lossless,
                         JPEGBaseline8Bit, JPEGLosslessSV1, RLELossless)

import files

warnings.filterwarnings('ignore')
DAMAGED = 'damaged'


def good(syntax=ExplicitVRLittleEndian):
    data = files.dataset(syntax)
    files.put_pixels(data, files.smooth((16, 20), 0, 4095), 12, 16)
    return data


def raw_of(data):
    buffer = pydicom.filebase.DicomBytesIO()
    files.write(data, buffer)
    return buffer.getvalue()


def put_frames(data, frames):
    data.PixelData = encapsulate(frames)
    data['PixelData'].VR = 'OB'
    data['PixelData'].is_undefined_length = True


def element(group, number, vr, value, length=None):
    """An explicit little endian element, whatever it says of its length"""
    length = len(value) if length is None else length
    head = struct.pack('<HH2s', group, number, vr)
    if vr in (b'OB', b'OW', b'SQ', b'UN', b'UT', b'OF'):
        return head + struct.pack('<HI', 0, length) + value
    return head + struct.pack('<H', length) + value


def main():
    folder, made = Path(sys.argv[1]), Path(sys.argv[2])
    folder.mkdir(parents=True, exist_ok=True)
    said = {}

    def write(name, raw, words):
        (folder / f'{name}.dcm').write_bytes(raw)
        said[name] = words

    def change(name, words, **elements):
        data = good()
        for key, value in elements.items():
            if value is None:
                del data[key]
            else:
                setattr(data, key, value)
        write(name, raw_of(data), words)

    # no DICOM at all
    write('empty', b'', 'no DICOM file')
    write('text', b'This is a letter, and no picture.\n' * 40,
          'no DICOM file')
    write('mark-alone', bytes(128) + b'DICM', '')
    write('noise', np.random.default_rng(1).bytes(5000), 'no DICOM file')
    write('marked-noise', bytes(128) + b'DICM'
          + np.random.default_rng(2).bytes(5000), '')

    # cut off, everywhere
    whole = raw_of(good())
    for part in (140, 200, 300, len(whole) // 2, len(whole) - 300,
                 len(whole) - 2):
        write(f'cut-{part}', whole[:part], '')
    for name in ('jpegll-u12', 'j2k-u12', 'jpegls-u12', 'rle-u12',
                 'jpeg-u12', 'deflated-u16', 'implicit-u16', 'big-u16'):
        raw = (made / f'{name}.dcm').read_bytes()
        write(f'cut-{name}', raw[:len(raw) * 2 // 3], '')

    # tags that are missing or make no sense
    change('no-rows', 'how large', Rows=None)
    change('no-columns', 'how large', Columns=0)
    change('no-bits', 'bits', BitsAllocated=None)
    change('many-bits', 'bits', BitsAllocated=64)
    change('no-pixels', 'no picture', PixelData=None)
    change('huge', '', Rows=65535, Columns=65535)
    change('many-frames', '', NumberOfFrames='999999')
    change('too-many-frames', '', NumberOfFrames='2147483647')
    change('four-samples', 'components', SamplesPerPixel=4)
    change('colors', 'Colors', PhotometricInterpretation='HSV')
    change('samples-color', 'Colors', PhotometricInterpretation='RGB')
    change('palette-missing', 'table',
           PhotometricInterpretation='PALETTE COLOR')
    data = good()
    data.file_meta.TransferSyntaxUID = '1.2.840.10008.1.2.4.100'
    put_frames(data, [bytes(700)])
    write('video', raw_of(data), 'compressed')
    data = good()
    data.file_meta.TransferSyntaxUID = '1.2.3.4.5'
    write('unknown-syntax', raw_of(data), '1.2.3.4.5')
    data = good()
    table = pydicom.Dataset()
    table.add_new(0x00283002, 'US', [0, 0, 16])
    table.add_new(0x00283006, 'OW', b'\1\2\3\4')
    data.ModalityLUTSequence = pydicom.Sequence([table])
    write('short-table', raw_of(data), 'table')

    # lengths that lie
    head = whole[:whole.index(b'\x28\x00\x02\x00US')]
    write('long-text', head + element(0x0028, 0x0004, b'CS', b'M', 0xfffe),
          '')
    write('long-pixels', head
          + element(0x7fe0, 0x0010, b'OW', b'1234', 0xfffffff0), '')
    write('endless', head
          + element(0x7fe0, 0x0010, b'OB', b'1234' * 100, 0xffffffff), '')

    # sequences in sequences in sequences
    for depth in (100, 100000):
        nest = b''
        for _ in range(depth):
            nest += element(0x0008, 0x1140, b'SQ', b'', 0xffffffff) \
                + struct.pack('<HHI', 0xfffe, 0xe000, 0xffffffff)
        write(f'nested-{depth}', head + nest, '')

    # frames that are not what they should be
    cells = np.arange(320, dtype='<u2')
    for name, syntax in (('jpeg', JPEGBaseline8Bit),
                         ('jpegll', JPEGLosslessSV1),
                         ('j2k', JPEG2000Lossless), ('rle', RLELossless)):
        for what, frame in (('noise', np.random.default_rng(3).bytes(700)),
                            ('nothing', b'\0\0'), ('zeros', bytes(700))):
            data = good()
            data.file_meta.TransferSyntaxUID = syntax
            put_frames(data, [frame])
            write(f'{name}-{what}', raw_of(data), '')
    # another size than the file says
    for name in ('j2k-u12', 'jpegll-u12', 'jpegls-u12', 'rle-u12'):
        data = pydicom.dcmread(made / f'{name}.dcm')
        data.Rows, data.Columns = 200, 300
        write(f'other-{name}', raw_of(data), 'Frame 1 is damaged')
        data.Rows, data.Columns = 60000, 60000
        write(f'bomb-{name}', raw_of(data), '')
    # a frame that says that it is huge
    raw = (made / 'j2k-u12.dcm').read_bytes()
    at = raw.index(b'\xff\x4f\xff\x51') + 8
    write('bomb-inside', raw[:at] + struct.pack('>II', 0x7fffffff, 0x7fffffff)
          + raw[at + 8:], 'Frame 1 is damaged')
    data = pydicom.dcmread(made / 'rle-frames.dcm')
    data.NumberOfFrames = '9'
    write('frames-missing', raw_of(data), 'ends before')
    del cells

    (folder / 'broken.json').write_text(json.dumps(said))
    print(len(said), 'broken files')


if __name__ == '__main__':
    main()
