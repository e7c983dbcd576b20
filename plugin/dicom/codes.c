/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "codes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Integers up to this are exact in single precision */
#define SINGLE_MAX (1 << 24)
/* The least offset for negative samples of more than 8 bits */
#define OFFSET_MIN 1024
/* Values that a range keeps */
#define RANGE_VALUES (1 << 18)
/* The percentiles of an automatic window */
#define RANGE_CUT 0.005

static gint
bits_of (gint64 code)
{
  gint bits = 1;

  while (bits < 62 && code >> bits)
    bits++;
  return bits;
}

void
codes_choose (Codes *codes, const DicomHeader *header)
{
  gint64 magnitude;

  memset (codes, 0, sizeof *codes);
  codes->bits = header->bits;
  switch (header->pixel)
    {
      case DICOM_RGB8:
        codes->kind = CODES_RGB8;
        return;

      case DICOM_RGB16:
        codes->kind = CODES_RGB16;
        return;

      case DICOM_U32:
      case DICOM_S32:
        magnitude = MAX (ABS (header->low), ABS (header->high));
        codes->kind = header->has_range && magnitude <= SINGLE_MAX
                        ? CODES_FLOAT
                        : CODES_DOUBLE;
        codes->bits = 0;
        return;

      case DICOM_F32:
        codes->kind = CODES_FLOAT;
        codes->bits = 0;
        return;

      case DICOM_F64:
        codes->kind = CODES_DOUBLE;
        codes->bits = 0;
        return;

      case DICOM_S8:
        codes->kind = CODES_U8;
        codes->offset = 128;
        codes->bits = 8;
        break;

      case DICOM_U8:
        codes->kind = CODES_U8;
        codes->bits = CLAMP (header->bits, 1, 8);
        break;

      case DICOM_S16:
        codes->kind = CODES_U16;
        if (! header->has_range)
          codes->offset = 32768;
        else if (header->low < 0)
          for (codes->offset = OFFSET_MIN;
               codes->offset < -header->low && codes->offset < 32768;)
            codes->offset *= 2;
        codes->bits = header->has_range ? bits_of (header->high + codes->offset)
                                        : 16;
        break;

      case DICOM_U16:
        codes->kind = CODES_U16;
        codes->bits = CLAMP (header->bits, 1, 16);
        if (header->has_range)
          codes->bits = bits_of (header->high);
        break;
    }
  codes->bits = MIN (codes->bits, codes->kind == CODES_U8 ? 8 : 16);
  if (header->inverted)
    codes->top = ((gint64) 1 << codes->bits) - 1;
}

gsize
codes_pixel_size (const Codes *codes)
{
  static const gsize sizes[] = { 1, 2, 4, 8, 3, 6 };

  return sizes[codes->kind];
}

/* --- Pixels --------------------------------------------------------------- */

static inline gdouble
sample_at (DicomPixel pixel, gconstpointer samples, gsize i)
{
  switch (pixel)
    {
      case DICOM_U8:
        return ((const guint8 *) samples)[i];
      case DICOM_S8:
        return ((const gint8 *) samples)[i];
      case DICOM_U16:
        return ((const guint16 *) samples)[i];
      case DICOM_S16:
        return ((const gint16 *) samples)[i];
      case DICOM_U32:
        return ((const guint32 *) samples)[i];
      case DICOM_S32:
        return ((const gint32 *) samples)[i];
      case DICOM_F32:
        return ((const gfloat *) samples)[i];
      default:
        return ((const gdouble *) samples)[i];
    }
}

static void
fill_codes (const Codes  *codes,
            DicomPixel    pixel,
            gconstpointer samples,
            gsize         n,
            gpointer      pixels)
{
  const gint64 max = codes->kind == CODES_U8 ? G_MAXUINT8 : G_MAXUINT16;

  for (gsize i = 0; i < n; i++)
    {
      gint64 code = (gint64) sample_at (pixel, samples, i) + codes->offset;

      if (codes->top > 0)
        code = codes->top - code;
      /* nothing is beyond unless the reader's range was wrong */
      code = CLAMP (code, 0, max);
      if (codes->kind == CODES_U8)
        ((guint8 *) pixels)[i] = (guint8) code;
      else
        ((guint16 *) pixels)[i] = (guint16) code;
    }
}

void
codes_fill (const Codes       *codes,
            const DicomHeader *header,
            const DicomFrame  *frame,
            gconstpointer      samples,
            gsize              n,
            gpointer           pixels)
{
  const gdouble sign = header->inverted ? -1.0 : 1.0;

  switch (codes->kind)
    {
      case CODES_RGB8:
      case CODES_RGB16:
        memcpy (pixels, samples, n * codes_pixel_size (codes));
        break;

      case CODES_U8:
      case CODES_U16:
        fill_codes (codes, header->pixel, samples, n, pixels);
        break;

      case CODES_FLOAT:
      case CODES_DOUBLE:
        for (gsize i = 0; i < n; i++)
          {
            gdouble value = sample_at (header->pixel, samples, i);

            value = sign * (frame->slope * value + frame->intercept);
            if (codes->kind == CODES_FLOAT)
              ((gfloat *) pixels)[i] = (gfloat) value;
            else
              ((gdouble *) pixels)[i] = value;
          }
        break;
    }
}

/* --- Values --------------------------------------------------------------- */

static gboolean
is_color (const Codes *codes)
{
  return codes->kind == CODES_RGB8 || codes->kind == CODES_RGB16;
}

static gboolean
is_floating (const Codes *codes)
{
  return codes->kind == CODES_FLOAT || codes->kind == CODES_DOUBLE;
}

/* GIMP's word for what the import makes of them */
static const gchar *
precision_of (const Codes *codes)
{
  static const gchar *const words[] = {
    [CODES_U8] = "u8-non-linear",       [CODES_U16] = "u16-non-linear",
    [CODES_FLOAT] = "float-non-linear", [CODES_DOUBLE] = "double-non-linear",
    [CODES_RGB8] = "u8-non-linear",     [CODES_RGB16] = "u16-non-linear",
  };

  return words[codes->kind];
}

void
codes_get_values (const Codes       *codes,
                  const DicomHeader *header,
                  const DicomFrame  *frame,
                  IsoluxRealValues  *values)
{
  isolux_real_values_init (values);
  values->bits = codes->bits;
  values->codes = codes->kind == CODES_U8 || codes->kind == CODES_RGB8
                    ? G_MAXUINT8
                  : is_floating (codes) ? 1.0
                                        : G_MAXUINT16;
  g_strlcpy (values->precision, precision_of (codes), sizeof values->precision);
  g_strlcpy (values->modality, header->modality, sizeof values->modality);
  memcpy (values->spacing, frame->spacing, sizeof values->spacing);
  if (is_color (codes))
    return;

  if (is_floating (codes))
    values->slope = header->inverted ? -1.0 : 1.0;
  else if (codes->top > 0)
    {
      values->slope = -frame->slope;
      values->intercept = frame->intercept +
                          frame->slope * (gdouble) (codes->top - codes->offset);
    }
  else
    {
      values->slope = frame->slope;
      values->intercept = frame->intercept -
                          frame->slope * (gdouble) codes->offset;
    }
  g_strlcpy (values->unit, frame->unit, sizeof values->unit);
  values->has_padding = header->has_padding;
  values->padding = header->has_padding
                      ? frame->slope * header->padding + frame->intercept
                      : 0.0;
  values->n_windows =
    (gint) MIN (frame->windows.n, G_N_ELEMENTS (values->windows));
  for (gint i = 0; i < values->n_windows; i++)
    memcpy (values->windows[i], frame->windows.pairs[i],
            sizeof values->windows[i]);
}

/* Whether real values of single precision may be a little off */
static gboolean
is_rounded (const Codes       *codes,
            const DicomHeader *header,
            const DicomFrame  *frame)
{
  gdouble largest;

  if (codes->kind != CODES_FLOAT ||
      (frame->slope == 1.0 && frame->intercept == 0.0))
    return FALSE;
  if (! header->has_range || frame->slope != rint (frame->slope) ||
      frame->intercept != rint (frame->intercept))
    return TRUE;
  largest = (gdouble) MAX (ABS (header->low), ABS (header->high));
  return fabs (frame->slope) * largest + fabs (frame->intercept) > SINGLE_MAX;
}

static void
add_loss (GString *text, const gchar *loss)
{
  g_string_append (text, text->len ? "; " : "");
  g_string_append (text, loss);
}

gchar *
codes_to_text (const Codes       *codes,
               const DicomHeader *header,
               const DicomFrame  *frame)
{
  IsoluxRealValues values;
  GString         *text, *loss = g_string_new (NULL);
  gchar           *known;

  codes_get_values (codes, header, frame, &values);
  known = isolux_real_values_to_text (&values);
  text = g_string_new (known);
  if (text->len > 0 && text->str[text->len - 1] != '\n')
    g_string_append_c (text, '\n');
  g_free (known);

  if (header->lossy[0])
    {
      add_loss (loss, "lossy compression before the import");
      if (strcmp (header->lossy, "unknown"))
        g_string_append_printf (loss, " (%s)", header->lossy);
    }
  if (header->converted)
    add_loss (loss, "colors converted from YBR to RGB");
  if (is_rounded (codes, header, frame))
    add_loss (loss, "values rounded to single precision");
  if (! is_color (codes) && frame->windows.n > 0)
    {
      if (frame->function == DICOM_FUNCTION_SIGMOID)
        add_loss (loss, "sigmoid window replaced by a linear one");
      else if (frame->function == DICOM_FUNCTION_TABLE)
        add_loss (loss, "table for display replaced by the nearest window");
    }
  if (header->has_padding && header->has_padding_limit)
    add_loss (loss, "of a range of padding values only one is kept");
  if (loss->len > 0)
    g_string_append_printf (text, "loss=%s\n", loss->str);
  if (header->body_part[0])
    g_string_append_printf (text, "body-part=%s\n", header->body_part);
  g_string_free (loss, TRUE);
  return g_string_free (text, FALSE);
}

/* --- Windows -------------------------------------------------------------- */

struct _CodesRange
{
  guint64  seen;
  guint64  next;
  guint64  step;
  gsize    n;
  gdouble *values;
};

CodesRange *
codes_range_new (void)
{
  CodesRange *range = g_new0 (CodesRange, 1);

  range->values = g_new (gdouble, RANGE_VALUES);
  return range;
}

void
codes_range_free (CodesRange *range)
{
  if (range == NULL)
    return;
  g_free (range->values);
  g_free (range);
}

static gdouble
pixel_at (const Codes *codes, gconstpointer pixels, gsize i)
{
  switch (codes->kind)
    {
      case CODES_U8:
        return ((const guint8 *) pixels)[i];
      case CODES_U16:
        return ((const guint16 *) pixels)[i];
      case CODES_FLOAT:
        return ((const gfloat *) pixels)[i];
      default:
        return ((const gdouble *) pixels)[i];
    }
}

void
codes_range_add (CodesRange        *range,
                 const Codes       *codes,
                 const DicomHeader *header,
                 const DicomFrame  *frame,
                 gconstpointer      pixels,
                 gsize              n)
{
  IsoluxRealValues values;
  gdouble          low, high;
  guint64          end = range->seen + n;

  if (is_color (codes))
    return;
  codes_get_values (codes, header, frame, &values);
  low = high = values.padding;
  if (header->has_padding_limit)
    {
      gdouble limit = frame->slope * header->padding_limit + frame->intercept;

      low = MIN (low, limit);
      high = MAX (high, limit);
    }
  /* every pixel of a small file, one of so many of a large one; an odd step
   * does not stay in the same columns */
  if (range->step == 0)
    range->step = ((guint64) header->columns * (guint64) header->rows *
                   header->chosen / RANGE_VALUES) /
                    2 * 2 +
                  1;

  for (; range->next < end; range->next += range->step)
    {
      gdouble value =
        values.slope *
          pixel_at (codes, pixels, (gsize) (range->next - range->seen)) +
        values.intercept;

      if (! isfinite (value) || range->n == RANGE_VALUES ||
          (header->has_padding && value >= low && value <= high))
        continue;
      range->values[range->n++] = value;
    }
  range->seen = end;
}

static gint
compare (gconstpointer a, gconstpointer b)
{
  gdouble x = *(const gdouble *) a, y = *(const gdouble *) b;

  return (x > y) - (x < y);
}

gboolean
codes_get_window (const Codes       *codes,
                  const DicomHeader *header,
                  const DicomFrame  *frame,
                  const CodesRange  *range,
                  gdouble           *center,
                  gdouble           *width)
{
  if (is_color (codes))
    {
      gint whole = codes->kind == CODES_RGB8 ? 8 : 16;

      if (codes->bits <= 0 || codes->bits >= whole)
        return FALSE;
      *width = (gdouble) (((gint64) 1 << codes->bits) - 1);
      *center = *width / 2.0;
      return TRUE;
    }
  if (frame->windows.n > 0)
    {
      *center = frame->windows.pairs[0][0];
      *width = frame->windows.pairs[0][1];
      return TRUE;
    }
  if (codes->kind == CODES_U8 && codes->bits == 8)
    return FALSE;
  if (codes->kind == CODES_U8 && codes->bits == 1)
    {
      *center = frame->slope * 0.5 + frame->intercept;
      *width = fabs (frame->slope);
      return TRUE;
    }
  if (range->n == 0)
    return FALSE;

  {
    gdouble *sorted = g_memdup2 (range->values, range->n * sizeof (gdouble));
    gdouble  last = (gdouble) (range->n - 1);
    gdouble  low, high;

    qsort (sorted, range->n, sizeof *sorted, compare);
    low = sorted[(gsize) rint (RANGE_CUT * last)];
    high = sorted[(gsize) rint ((1.0 - RANGE_CUT) * last)];
    g_free (sorted);
    *center = low + (high - low) / 2.0;
    *width = high - low;
    if (*width <= 0.0)
      *width = 1.0;
    return TRUE;
  }
}
