/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * reader.cc - libFuzzer's way into the DICOM reader: an input is a file.
 *
 * What the reader writes goes through the parser of the plug-in and on to
 * codes, and must be a whole stream, whatever the file is.
 *
 * GDCM has assertions, as Debian builds it, which damaged files do not meet.
 * In the plug-in they end the reader, which is one of its ways to say that a
 * file is damaged; here the search goes on behind them.  What GDCM had
 * allocated is lost then.
 */
#include <csetjmp>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include <glib.h>

#include "codes.h"
#include "dicom.h"
#include "reader/reader.h"

/* The reader has its own operator new, over malloc */
extern "C" const char *
__asan_default_options ()
{
  return "alloc_dealloc_mismatch=0:detect_leaks=0";
}

static jmp_buf next_input;

extern "C" void
__assert_fail (const char *, const char *, unsigned int, const char *)
{
  std::longjmp (next_input, 1);
}

namespace
{

/* More than any input of a few kilobytes shall become */
constexpr gsize OUTPUT_MAX = 96 << 20;

gboolean
collect (gconstpointer bytes, gsize n, gpointer data)
{
  GByteArray *array = (GByteArray *) data;

  if (array->len + n > OUTPUT_MAX)
    return FALSE;
  g_byte_array_append (array, (const guint8 *) bytes, (guint) n);
  return TRUE;
}

struct Source
{
  const guint8 *bytes;
  gsize         n;
};

gsize
give (gpointer bytes, gsize n, gpointer data)
{
  Source *source = (Source *) data;

  n = MIN (n, source->n);
  std::memcpy (bytes, source->bytes, n);
  source->bytes += n;
  source->n -= n;
  return n;
}

void
demand (bool holds, const char *what)
{
  if (! holds)
    {
      std::fprintf (stderr, "broken promise: %s\n", what);
      std::abort ();
    }
}

/* TRUE when the stream is whole and its last record is "end" */
bool
take (GByteArray *output)
{
  Source             source = { output->data, output->len };
  DicomStream       *stream = dicom_stream_new (give, &source);
  const DicomRecord *record;
  GError            *error = nullptr;
  Codes              codes;
  guint              n_frames = 0;
  bool               ended = false;

  while (! ended && (record = dicom_stream_next (stream, &error)))
    {
      if (record->kind == DICOM_RECORD_HEADER)
        codes_choose (&codes, &record->header);
      else if (record->kind == DICOM_RECORD_FRAME)
        {
          const gsize n = (gsize) record->header.columns *
                          (gsize) record->header.rows;
          gpointer    pixels = g_malloc (n * codes_pixel_size (&codes));
          CodesRange *range = codes_range_new ();
          gchar      *text;
          gdouble     center, width;

          codes_fill (&codes, &record->header, &record->frame, record->bytes, n,
                      pixels);
          codes_range_add (range, &codes, &record->header, &record->frame,
                           pixels, n);
          if (codes_get_window (&codes, &record->header, &record->frame, range,
                                &center, &width))
            demand (width > 0.0, "a width is above 0");
          text = codes_to_text (&codes, &record->header, &record->frame);
          g_free (text);
          codes_range_free (range);
          g_free (pixels);
          n_frames++;
        }
      else if (record->kind == DICOM_RECORD_END)
        {
          demand (n_frames == record->header.chosen, "all frames come");
          ended = true;
        }
    }
  if (! ended)
    demand (error->code == DICOM_ERROR_FILE, error->message);
  g_clear_error (&error);
  dicom_stream_free (stream);
  return ended;
}

}  // namespace

extern "C" int
LLVMFuzzerTestOneInput (const guint8 *data, size_t size)
{
  static const ReaderOptions options = { "all", FALSE, TRUE, TRUE };
  static GByteArray         *output = g_byte_array_new ();
  bool                       said_end;

  g_log_set_always_fatal ((GLogLevelFlags) (G_LOG_LEVEL_CRITICAL |
                                            G_LOG_LEVEL_WARNING));
  g_byte_array_set_size (output, 0);
  if (setjmp (next_input))
    return 0;
  said_end = reader_read_memory (data, size, &options, collect, output);
  /* the stream may have been cut where the output became too long */
  if (output->len < OUTPUT_MAX / 2)
    demand (take (output) == said_end, "the last record is as the result");
  return 0;
}
