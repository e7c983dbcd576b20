/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * codes.h: what samples become in an image, and back to values.
 *
 * Samples of up to 16 bits become codes, without loss:
 *
 *   code = sample + offset                 MONOCHROME2
 *   code = 2^bits - 1 - (sample + offset)  MONOCHROME1, so that it looks right
 *
 * and value = slope * code + intercept gives the file's real value again.
 * offset is 0 when no sample of the file is negative, else 128 for 8 bits,
 * and for more the least power of two from 1024 on that makes all of them
 * codes.  bits are the stored bits of the file; where those say nothing
 * (signed samples, 16 of 16 bits) as many as the largest code needs.
 *
 * All others become floating point and are the real values: single precision
 * where it holds them (32-bit integers up to 2^24, floats), else double.
 * Those of MONOCHROME1 have the other sign, and slope -1.
 */
#ifndef ISOLUX_CODES_H
#define ISOLUX_CODES_H

#include <glib.h>

#include "dicom.h"
#include "real-values.h"

G_BEGIN_DECLS

typedef enum
{
  CODES_U8,
  CODES_U16,
  CODES_FLOAT,
  CODES_DOUBLE,
  CODES_RGB8,
  CODES_RGB16
} CodesKind;

typedef struct
{
  CodesKind kind;
  gint64    offset;
  gint64    top;  /* 2^bits - 1 when codes are turned round, else 0 */
  gint      bits; /* 0 for floating point */
} Codes;

void codes_choose (Codes *codes, const DicomHeader *header);

/* Bytes of a pixel */
gsize codes_pixel_size (const Codes *codes);

/*
 * codes_fill:
 * @samples: of the frame, from the pixel `first` on
 * @n: pixels
 * @pixels: (out): n pixels as the layer has them
 */
void codes_fill (const Codes       *codes,
                 const DicomHeader *header,
                 const DicomFrame  *frame,
                 gconstpointer      samples,
                 gsize              n,
                 gpointer           pixels);

/* What the codes of a frame stand for */
void codes_get_values (const Codes       *codes,
                       const DicomHeader *header,
                       const DicomFrame  *frame,
                       IsoluxRealValues  *values);

/* The text of the parasite: the values, "loss" with what the import could
 * not keep, and "body-part" */
gchar *codes_to_text (const Codes       *codes,
                      const DicomHeader *header,
                      const DicomFrame  *frame);

/* --- Windows -------------------------------------------------------------- */

/* Looks at pixels for a window where the file has none */
typedef struct _CodesRange CodesRange;

CodesRange *codes_range_new (void);
void        codes_range_free (CodesRange *range);

/* n pixels of a frame, as codes_fill() gave them */
void codes_range_add (CodesRange        *range,
                      const Codes       *codes,
                      const DicomHeader *header,
                      const DicomFrame  *frame,
                      gconstpointer      pixels,
                      gsize              n);

/*
 * codes_get_window: how a frame shall be shown: the first window of the file,
 *   or else from the 0.5th to the 99.5th percentile of what was added, without
 *   the padding value
 *
 * @center, @width: (out): in the unit of the values
 *
 * Returns: FALSE when it shall be shown as it is: 8 bits without a window
 */
gboolean codes_get_window (const Codes       *codes,
                           const DicomHeader *header,
                           const DicomFrame  *frame,
                           const CodesRange  *range,
                           gdouble           *center,
                           gdouble           *width);

G_END_DECLS

#endif /* ISOLUX_CODES_H */
