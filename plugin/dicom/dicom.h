/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * dicom.h: what isolux-dicom-reader writes, and how it is read.
 *
 * A stream of records.  A record is lines "key=value", an empty line, and, if
 * one of the lines is "bytes=N", N bytes.  The first key says its kind:
 *
 *   isolux-dicom=1   the header, version 1, before anything else but
 *                    progress: pixel, columns, rows, frames, chosen (how
 *                    many frames follow), bits (stored bits of a sample, 0
 *                    for floating point), inverted (MONOCHROME1), low and
 *                    high (of all samples that follow; signed ones of more
 *                    than 8 bits, and unsigned ones of 16), padding and
 *                    padding-limit (samples that are none), modality,
 *                    body-part, lossy (its method, or "unknown"), converted
 *                    (YBR), burned-in, overlays (how many), and of the first
 *                    frame, when pixels are not asked for, windows
 *   frame=N          its slope, intercept, unit, windows, function (SIGMOID,
 *                    TABLE: what the window stands for), spacing (mm between
 *                    rows and columns), samples
 *   overlay=N        frame (none: all), columns, rows, x, y, a byte of 0 or
 *                    1 for each pixel
 *   tag=GGGG-EEEE-VR an element of the file
 *   progress=F       0 to 1
 *   end=1            the last one: all went well
 *   error=CODE       the last one: what is wrong; detail
 *
 * pixel is u8, s8, u16, s16, u32, s32, f32, f64 for gray, rgb8 and rgb16;
 * samples are in the byte order of the machine, row after row.
 *
 * The stream is not trusted: whatever comes, a record is right or an error.
 */
#ifndef ISOLUX_DICOM_H
#define ISOLUX_DICOM_H

#include <glib.h>

G_BEGIN_DECLS

#define DICOM_ERROR (dicom_error_quark ())
GQuark dicom_error_quark (void);

/*
 * DicomError:
 * @DICOM_ERROR_FILE: the file cannot be opened; the message says why
 * @DICOM_ERROR_ENDED: the stream ended early
 * @DICOM_ERROR_STREAM: what came is no such stream
 * @DICOM_ERROR_MEMORY: there is not enough memory for a record
 * @DICOM_ERROR_READER: the reader cannot be started, crashed or hung
 */
typedef enum
{
  DICOM_ERROR_FILE,
  DICOM_ERROR_ENDED,
  DICOM_ERROR_STREAM,
  DICOM_ERROR_MEMORY,
  DICOM_ERROR_READER
} DicomError;

typedef enum
{
  DICOM_U8,
  DICOM_S8,
  DICOM_U16,
  DICOM_S16,
  DICOM_U32,
  DICOM_S32,
  DICOM_F32,
  DICOM_F64,
  DICOM_RGB8,
  DICOM_RGB16
} DicomPixel;

#define DICOM_WINDOWS_MAX 8

/* Center and width pairs, in the unit; widths above 0 */
typedef struct
{
  guint   n;
  gdouble pairs[DICOM_WINDOWS_MAX][2];
} DicomWindows;

/* Texts are UTF-8 and "" when not told; see above */
typedef struct
{
  DicomPixel   pixel;
  gint         columns;
  gint         rows;
  guint        frames;
  guint        chosen;
  gint         bits;
  gboolean     inverted;
  gboolean     has_range;
  gint64       low;
  gint64       high;
  gboolean     has_padding;
  gdouble      padding;
  gboolean     has_padding_limit;
  gdouble      padding_limit;
  gchar        modality[17];
  gchar        body_part[17];
  gchar        lossy[17];
  gboolean     converted;
  gboolean     burned_in;
  guint        overlays;
  DicomWindows windows;
} DicomHeader;

typedef enum
{
  DICOM_FUNCTION_LINEAR,
  DICOM_FUNCTION_SIGMOID,
  DICOM_FUNCTION_TABLE
} DicomFunction;

/* number counts from 1; slope is not 0; spacing is 0 when not told */
typedef struct
{
  guint         number;
  gdouble       slope;
  gdouble       intercept;
  gchar         unit[32];
  DicomWindows  windows;
  DicomFunction function;
  gdouble       spacing[2];
} DicomFrame;

/* number counts from 1; frame is 0 for all frames; x and y of its upper left
 * corner in the picture, which may be outside */
typedef struct
{
  guint number;
  guint frame;
  gint  columns;
  gint  rows;
  gint  x;
  gint  y;
} DicomOverlay;

typedef enum
{
  DICOM_RECORD_HEADER,
  DICOM_RECORD_FRAME,
  DICOM_RECORD_OVERLAY,
  DICOM_RECORD_TAG,
  DICOM_RECORD_PROGRESS,
  DICOM_RECORD_END
} DicomKind;

/*
 * DicomRecord: what was read last
 * @header: from the first record on
 * @frame, @overlay, @progress: of such a record
 * @tag: GGGG-EEEE-VR, hexadecimal digits, and two letters
 * @bytes, @n_bytes: (unowned): until the next record is read
 */
typedef struct
{
  DicomKind     kind;
  DicomHeader   header;
  DicomFrame    frame;
  DicomOverlay  overlay;
  gdouble       progress;
  gchar         tag[16];
  const guint8 *bytes;
  gsize         n_bytes;
} DicomRecord;

/* Gives up to n bytes; 0 at the end, or when there is an error */
typedef gsize (*DicomRead) (gpointer bytes, gsize n, gpointer data);

typedef struct _DicomStream DicomStream;

/* Returns: (transfer full): free with dicom_stream_free() */
DicomStream *dicom_stream_new (DicomRead read, gpointer data);
void         dicom_stream_free (DicomStream *stream);

/*
 * dicom_stream_next: reads a record
 *
 * Returns: (nullable): the record, the stream's own; NULL with an error,
 *   after which there are no more.  The first record that is not progress is
 *   the header; after it come header->chosen frames; END is the last.
 */
const DicomRecord *dicom_stream_next (DicomStream *stream, GError **error);

/* Bytes of a pixel: all components of it */
gsize dicom_pixel_size (DicomPixel pixel);

G_END_DECLS

#endif /* ISOLUX_DICOM_H */
