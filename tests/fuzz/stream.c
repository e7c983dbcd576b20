/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * stream.c - libFuzzer's way into the parser of what the reader says: an
 * input is a stream, which a reader that was taken over may have written.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "codes.h"
#include "dicom.h"

int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size);

typedef struct
{
  const guint8 *bytes;
  gsize         n;
} Source;

static gsize
give (gpointer bytes, gsize n, gpointer data)
{
  Source *source = data;

  /* pipes give less than what was asked for */
  n = MIN (MIN (n, source->n), 1 + source->n % 700);
  memcpy (bytes, source->bytes, n);
  source->bytes += n;
  source->n -= n;
  return n;
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  Source             source = { data, size };
  DicomStream       *stream = dicom_stream_new (give, &source);
  const DicomRecord *record;
  GError            *error = NULL;
  Codes              codes;

  g_log_set_always_fatal (G_LOG_LEVEL_CRITICAL | G_LOG_LEVEL_WARNING);
  while ((record = dicom_stream_next (stream, &error)))
    {
      if (record->kind == DICOM_RECORD_HEADER)
        codes_choose (&codes, &record->header);
      else if (record->kind == DICOM_RECORD_FRAME)
        {
          const gsize n = (gsize) record->header.columns *
                          (gsize) record->header.rows;
          gpointer    pixels = malloc (n * codes_pixel_size (&codes));
          CodesRange *range = codes_range_new ();
          gdouble     center, width;

          if (pixels == NULL)
            abort ();
          codes_fill (&codes, &record->header, &record->frame, record->bytes, n,
                      pixels);
          codes_range_add (range, &codes, &record->header, &record->frame,
                           pixels, n);
          if (codes_get_window (&codes, &record->header, &record->frame, range,
                                &center, &width) &&
              ! (width > 0.0))
            abort ();
          free (codes_to_text (&codes, &record->header, &record->frame));
          codes_range_free (range);
          free (pixels);
        }
    }
  if (error == NULL || error->message == NULL)
    abort ();
  g_error_free (error);
  dicom_stream_free (stream);
  return 0;
}
