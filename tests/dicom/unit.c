/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * unit.c - the parts of the DICOM import that know no GIMP and no GDCM:
 * lists of frames, pixel cells, marks of compressed frames, the stream of
 * records, codes and windows, and what becomes of readers that misbehave.
 */
#include <glib.h>
#include <glib/gstdio.h>
#include <math.h>
#include <string.h>

#include "child.h"
#include "codes.h"
#include "dicom.h"
#include "frames.h"
#include "reader/marks.h"
#include "reader/pixels.h"

/* --- Lists of frames ------------------------------------------------------ */

static void
test_frames (void)
{
  static const struct
  {
    const gchar *text;
    const gchar *chosen; /* of 12 frames; NULL: refused */
  } rows[] = {
    { "all", "111111111111" },
    { "", "111111111111" },
    { " ALL ", "111111111111" },
    { "1", "100000000000" },
    { "12", "000000000001" },
    { "2-4", "011100000000" },
    { "2-4,11", "011100000010" },
    { " 2 - 4 , 11 ", "011100000010" },
    { "3,3,2-3", "011000000000" },
    { "1-12", "111111111111" },
    { "0", NULL },
    { "13", NULL },
    { "1-13", NULL },
    { "4-2", NULL },
    { "1,", NULL },
    { ",1", NULL },
    { "1 2", NULL },
    { "one", NULL },
    { "-3", NULL },
    { "all,1", NULL },
    { "99999999999999999999", NULL },
    { "1-99999999999999", NULL },
  };

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      guint8 *chosen = frames_select (rows[i].text, 12);

      g_test_message ("\"%s\"", rows[i].text);
      g_assert_cmpint (chosen != NULL, ==, rows[i].chosen != NULL);
      for (guint k = 0; chosen && k < 12; k++)
        g_assert_cmpint (chosen[k], ==, rows[i].chosen[k] - '0');
      g_free (chosen);
    }
  g_assert_true (frames_is_list ("1-13"));
  g_assert_false (frames_is_list ("1-"));
  g_assert_null (frames_select ("all", 0));
  g_assert_null (frames_select ("all", FRAMES_MAX + 1));
}

/* --- Pixels --------------------------------------------------------------- */

/* Cells of every width and place, against the definition bit by bit */
static void
test_cells (void)
{
  static const guint widths[] = { 1, 5, 8, 12, 16, 24, 32 };
  guint8             bytes[64];
  guint32            out[16];

  for (guint i = 0; i < sizeof bytes; i++)
    bytes[i] = (guint8) (i * 77 + 19);
  for (guint w = 0; w < G_N_ELEMENTS (widths); w++)
    for (guint stored = 1; stored <= widths[w]; stored++)
      for (guint high = stored - 1; high < widths[w]; high++)
        for (gint is_signed = 0; is_signed < 2; is_signed++)
          {
            PixelCell cell = { widths[w], stored, high, is_signed };
            gsize     size = pixels_sample_size (&cell);

            pixels_unpack (&cell, bytes, 3, 8, out);
            for (guint i = 0; i < 8; i++)
              {
                gint64 wanted = 0, got;

                for (guint b = 0; b < stored; b++)
                  {
                    guint at = (3 + i) * widths[w] + high + 1 - stored + b;

                    wanted |= (gint64) (bytes[at / 8] >> (at % 8) & 1) << b;
                  }
                if (is_signed && wanted >> (stored - 1))
                  wanted -= (gint64) 1 << stored;
                if (size == 1)
                  got = is_signed ? ((gint8 *) out)[i] : ((guint8 *) out)[i];
                else if (size == 2)
                  got = is_signed ? ((gint16 *) out)[i] : ((guint16 *) out)[i];
                else
                  got = is_signed ? (gint64) ((gint32 *) out)[i]
                                  : (gint64) out[i];
                g_assert_cmpint (got, ==, wanted);
              }
          }
}

static void
test_loose (void)
{
  const gint16 lossy[] = { -3000, -2049, -2048, 0, 2047, 2048, 4100 };
  gint16       got[7];
  PixelCell    cell = { 16, 12, 11, TRUE };

  pixels_unpack_loose (&cell, (const guint8 *) lossy, 7, got);
  for (guint i = 0; i < 7; i++)
    g_assert_cmpint (got[i], ==, CLAMP (lossy[i], -2048, 2047));
}

static void
test_segments (void)
{
  const guint16 good[] = { 0, 2, 10, 20, 1, 4, 60, 2, 2, 0, 0 };
  const guint16 wanted[] = { 10, 20, 30, 40, 50, 60, 10, 20, 30, 40, 50, 60 };
  const guint16 falling[] = { 0, 1, 100, 1, 4, 0 };
  guint16       got[12];

  g_assert_true (pixels_expand_segments (good, G_N_ELEMENTS (good), got, 12));
  g_assert_cmpmem (got, sizeof got, wanted, sizeof wanted);
  g_assert_true (pixels_expand_segments (falling, 6, got, 5));
  g_assert_cmpint (got[1], ==, 75);
  g_assert_cmpint (got[4], ==, 0);
  /* cut off anywhere, too long, repeating itself, and of no kind */
  for (gsize n = 0; n < G_N_ELEMENTS (good); n++)
    g_assert_false (pixels_expand_segments (good, n, got, 12));
  g_assert_false (pixels_expand_segments (good, 11, got, 11));
  {
    const guint16 itself[] = { 0, 1, 5, 2, 1, 6, 0 };
    const guint16 nested[] = { 0, 1, 5, 2, 1, 0, 0, 2, 1, 6, 0 };
    const guint16 first[] = { 1, 2, 5 };
    const guint16 other[] = { 7, 2, 5, 5 };

    g_assert_false (pixels_expand_segments (itself, 7, got, 12));
    g_assert_false (pixels_expand_segments (nested, 11, got, 12));
    g_assert_false (pixels_expand_segments (first, 3, got, 2));
    g_assert_false (pixels_expand_segments (other, 4, got, 2));
  }
}

static void
test_ramp (void)
{
  guint16    entries[1000];
  PixelTable table = { entries, 1000, -200 };
  gdouble    center, width;

  for (gint i = 0; i < 1000; i++)
    entries[i] = (guint16) CLAMP ((i - 300) * 10, 0, 4000);
  g_assert_true (pixels_table_ramp (&table, &center, &width));
  g_assert_cmpfloat (fabs (center - 300.0), <, 5.0);
  g_assert_cmpfloat (fabs (width - 400.0), <, 12.0);
  for (gint i = 0; i < 500; i++)
    {
      guint16 one = entries[i];

      entries[i] = entries[999 - i];
      entries[999 - i] = one;
    }
  g_assert_true (pixels_table_ramp (&table, &center, &width));
  g_assert_cmpfloat (width, <, 0.0);
  memset (entries, 0, sizeof entries);
  g_assert_false (pixels_table_ramp (&table, &center, &width));
}

/* --- Marks ---------------------------------------------------------------- */

static void
test_marks (void)
{
  /* SOI, APP0 JFIF, SOF0 of 3 x 16 x 32, EOI */
  guint8 jpeg[] = "\xff\xd8\xff\xe0\0\x09JFIF\0\1\1\xff\xc0\0\x11\x8\0\x10\0"
                  "\x20\3\1\x11\0\2\x11\0\3\x11\0\xff\xd9";
  Marks  marks;

  g_assert_true (marks_read (jpeg, sizeof jpeg - 1, &marks));
  g_assert_cmpint (marks.rows, ==, 16);
  g_assert_cmpint (marks.columns, ==, 32);
  g_assert_cmpint (marks.components, ==, 3);
  g_assert_cmpint (marks.precision, ==, 8);
  g_assert_cmpint (marks.color, ==, MARKS_COLOR_YBR);
  g_assert_true (marks.is_whole);
  g_assert_true (marks_read (jpeg, sizeof jpeg - 3, &marks));
  g_assert_false (marks.is_whole);
  memcpy (jpeg + 6, "JFIX", 4);
  g_assert_true (marks_read (jpeg, sizeof jpeg - 1, &marks));
  g_assert_cmpint (marks.color, ==, MARKS_COLOR_UNKNOWN);
  for (gsize n = 0; n < 32; n++)
    g_assert_false (marks_read (jpeg, n, &marks));
}

/* --- Streams -------------------------------------------------------------- */

typedef struct
{
  const gchar *bytes;
  gsize        n;
  gsize        step; /* that are given at a time */
} Source;

static gsize
give (gpointer bytes, gsize n, gpointer data)
{
  Source *source = data;

  n = MIN (MIN (n, source->n), source->step);
  memcpy (bytes, source->bytes, n);
  source->bytes += n;
  source->n -= n;
  return n;
}

#define HEADER                                                         \
  "isolux-dicom=1\npixel=u16\ncolumns=3\nrows=2\nframes=5\nchosen=2\n" \
  "bits=12\nmodality=CT\nwindow=40 400\n\n"
#define FRAME(n)                                                        \
  "frame=" n "\nslope=2\nintercept=-10\nunit=HU\nwindow=1 2\nwindow=3 " \
  "4\nfunction=SIGMOID\nspacing=0.5 0.25\nbytes=12\n\n"                 \
  "abcdefghijkl"

static void
test_stream (void)
{
  static const gchar text[] = "progress=0.5\n\n" HEADER FRAME ("2")
    FRAME ("4") "overlay=1\nframe=2\ncolumns=2\nrows=2\nx=-1\ny=1\nbytes="
                "4\n\n\1\0\0\1"
                "tag=0010-0020-LO\nbytes=3\n\nabctag=0010-0021-LO\n\nend=1\n\n";

  for (gsize step = 1; step < 40; step += 13)
    {
      Source                 source = { text, sizeof text - 1, step };
      DicomStream           *stream = dicom_stream_new (give, &source);
      const DicomRecord     *record;
      static const DicomKind kinds[] = {
        DICOM_RECORD_PROGRESS, DICOM_RECORD_HEADER,  DICOM_RECORD_FRAME,
        DICOM_RECORD_FRAME,    DICOM_RECORD_OVERLAY, DICOM_RECORD_TAG,
        DICOM_RECORD_TAG,      DICOM_RECORD_END
      };
      GError *error = NULL;

      for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
        {
          record = dicom_stream_next (stream, &error);
          g_assert_no_error (error);
          g_assert_cmpint (record->kind, ==, kinds[i]);
          if (i == 1)
            {
              g_assert_cmpint (record->header.columns, ==, 3);
              g_assert_cmpint (record->header.bits, ==, 12);
              g_assert_cmpstr (record->header.modality, ==, "CT");
              g_assert_cmpfloat (record->header.windows.pairs[0][1], ==, 400);
              g_assert_false (record->header.has_range);
            }
          if (i == 3)
            {
              g_assert_cmpint (record->frame.number, ==, 4);
              g_assert_cmpfloat (record->frame.intercept, ==, -10.0);
              g_assert_cmpint (record->frame.windows.n, ==, 2);
              g_assert_cmpint (record->frame.function, ==,
                               DICOM_FUNCTION_SIGMOID);
              g_assert_cmpmem (record->bytes, record->n_bytes, "abcdefghijkl",
                               12);
            }
          if (i == 4)
            g_assert_cmpint (record->overlay.x, ==, -1);
          if (i == 6)
            g_assert_cmpuint (record->n_bytes, ==, 0);
        }
      g_assert_null (dicom_stream_next (stream, &error));
      g_assert_error (error, DICOM_ERROR, DICOM_ERROR_ENDED);
      g_clear_error (&error);
      dicom_stream_free (stream);
    }
}

/* Returns the error that the stream ends with */
static GError *
error_of (const gchar *text, gsize n)
{
  Source             source = { text, n, 4096 };
  DicomStream       *stream = dicom_stream_new (give, &source);
  const DicomRecord *record;
  GError            *error = NULL;

  while ((record = dicom_stream_next (stream, &error)) &&
         record->kind != DICOM_RECORD_END)
    ;
  dicom_stream_free (stream);
  return error;
}

static void
test_bad_streams (void)
{
  static const gchar *const bad[] = {
    "\n",
    "nonsense\n\n",
    "frame=1\n\n",
    "end=1\n\n",
    "progress=2\n\n",
    "progress=x\n\n",
    "isolux-dicom=2\npixel=u16\ncolumns=3\nrows=2\nframes=1\nchosen=1\n\n",
    "isolux-dicom=1\npixel=u64\ncolumns=3\nrows=2\nframes=1\nchosen=1\n\n",
    "isolux-dicom=1\npixel=u8\ncolumns=0\nrows=2\nframes=1\nchosen=1\n\n",
    "isolux-dicom=1\npixel=u8\nrows=2\nframes=1\nchosen=1\n\n",
    "isolux-dicom=1\npixel=u8\ncolumns=3\nrows=65536\nframes=1\nchosen=1\n\n",
    "isolux-dicom=1\npixel=f64\ncolumns=65535\nrows=65535\nframes=1\n"
    "chosen=1\n\n",
    "isolux-dicom=1\npixel=u8\ncolumns=3\nrows=2\nframes=1\nchosen=2\n\n",
    "isolux-dicom=1\npixel=u8\ncolumns=3\nrows=2\nchosen=1\n\n",
    "isolux-dicom=1\npixel=u8\ncolumns=3\nrows=2\nframes=1\nchosen=1\n"
    "low=5\nhigh=4\n\n",
    "isolux-dicom=1\npixel=u8\ncolumns=3\nrows=2\nframes=1\nchosen=1\n"
    "modality=ABCDEFGHIJKLMNOPQRS\n\n",
    "isolux-dicom=1\npixel=u8\ncolumns=3\nrows=2\nframes=1\nchosen=1\n"
    "window=1\n\n",
    "isolux-dicom=1\npixel=u8\ncolumns=3\nrows=2\nframes=1\nchosen=1\n"
    "padding=nan\n\n",
    HEADER HEADER,
    HEADER "frame=6\nbytes=12\n\nabcdefghijkl",
    HEADER "frame=0\nbytes=12\n\nabcdefghijkl",
    HEADER "frame=1\nbytes=11\n\nabcdefghijk",
    HEADER "frame=1\nslope=0\nbytes=12\n\nabcdefghijkl",
    HEADER "frame=1\nslope=inf\nbytes=12\n\nabcdefghijkl",
    HEADER "frame=1\nspacing=0 1\nbytes=12\n\nabcdefghijkl",
    HEADER "frame=1\nunit=\xff\xfe\nbytes=12\n\nabcdefghijkl",
    HEADER FRAME ("1") FRAME ("2") FRAME ("3"),
    HEADER "overlay=1\ncolumns=2\nrows=2\nbytes=5\n\nabcde",
    HEADER "overlay=1\ncolumns=65536\nrows=2\nbytes=5\n\nabcde",
    HEADER "tag=0010-0020-lo\nbytes=3\n\nabc",
    HEADER "tag=0010+0020-LO\nbytes=3\n\nabc",
    HEADER "tag=0010-0020-LO\nbytes=-3\n\nabc",
    HEADER "tag=0010-0020-LO\nbytes=99999\n\nabc",
    HEADER "other=1\n\n",
    "error=of no kind\ndetail=\n\n",
  };
  static const gchar whole[] = HEADER FRAME ("2") FRAME ("4") "end=1\n\n";
  gchar                              *lines;
  GError                             *error;

  for (guint i = 0; i < G_N_ELEMENTS (bad); i++)
    {
      g_test_message ("%s", bad[i]);
      error = error_of (bad[i], strlen (bad[i]));
      g_assert_error (error, DICOM_ERROR, DICOM_ERROR_STREAM);
      g_clear_error (&error);
    }
  /* cut off anywhere */
  for (gsize n = 0; n + 1 < sizeof whole; n++)
    {
      error = error_of (whole, n);
      g_assert_error (error, DICOM_ERROR, DICOM_ERROR_ENDED);
      g_clear_error (&error);
    }
  g_assert_no_error (error_of (whole, sizeof whole - 1));
  /* a NUL, a line and a record without an end */
  error = error_of ("a\0b=1\n\n", 7);
  g_assert_error (error, DICOM_ERROR, DICOM_ERROR_STREAM);
  g_clear_error (&error);
  lines = g_strnfill (100000, 'a');
  error = error_of (lines, 100000);
  g_assert_error (error, DICOM_ERROR, DICOM_ERROR_STREAM);
  g_clear_error (&error);
  for (gint i = 0; i < 100000; i += 4)
    memcpy (lines + i, "a=b\n", 4);
  error = error_of (lines, 100000);
  g_assert_error (error, DICOM_ERROR, DICOM_ERROR_STREAM);
  g_clear_error (&error);
  g_free (lines);
}

static void
test_errors (void)
{
  static const gchar *const codes[] = {
    "cannot-open", "not-dicom", "damaged", "cut-short", "no-picture", "size",
    "too-large",   "overlay",   "table",   "memory",    "syntax",     "samples",
    "photometric", "bits",      "frames",  "decode"
  };

  for (guint i = 0; i < G_N_ELEMENTS (codes); i++)
    {
      gchar  *text = g_strdup_printf ("error=%s\ndetail=1.2.3\n\n", codes[i]);
      GError *error = error_of (text, strlen (text));

      g_assert_error (error, DICOM_ERROR, DICOM_ERROR_FILE);
      g_assert_cmpint (strstr (error->message, "1.2.3") != NULL, ==, i >= 10);
      g_error_free (error);
      g_free (text);
    }
}

/* --- Codes ---------------------------------------------------------------- */

static DicomHeader
header_of (DicomPixel pixel, gint bits, gint64 low, gint64 high)
{
  DicomHeader header = { 0 };

  header.pixel = pixel;
  header.columns = header.rows = 2;
  header.frames = header.chosen = 1;
  header.bits = bits;
  header.has_range = low <= high;
  header.low = low;
  header.high = high;
  return header;
}

static void
test_offsets (void)
{
  static const struct
  {
    gint64 low, high;
    gint64 offset;
    gint   bits;
  } rows[] = {
    { 0, 4000, 0, 12 },         { 0, 4096, 0, 13 },
    { -1, 10, 1024, 11 },       { -1024, 1186, 1024, 12 },
    { -1025, 1186, 2048, 12 },  { -2000, 3071, 2048, 13 },
    { -32768, 0, 32768, 16 },   { -32768, 32767, 32768, 16 },
    { -1024, 32767, 1024, 16 }, { -16385, 5, 32768, 16 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    for (gint inverted = 0; inverted < 2; inverted++)
      {
        DicomHeader header =
          header_of (DICOM_S16, 16, rows[i].low, rows[i].high);
        DicomFrame       frame = { 1, 2.0, -7.0, "", { 0 }, 0, { 0 } };
        Codes            codes;
        gint16           samples[2];
        guint16          pixels[2];
        IsoluxRealValues values;

        header.inverted = inverted;
        codes_choose (&codes, &header);
        g_assert_cmpint (codes.kind, ==, CODES_U16);
        g_assert_cmpint (codes.offset, ==, rows[i].offset);
        g_assert_cmpint (codes.bits, ==, rows[i].bits);
        samples[0] = (gint16) rows[i].low;
        samples[1] = (gint16) rows[i].high;
        codes_fill (&codes, &header, &frame, samples, 2, pixels);
        codes_get_values (&codes, &header, &frame, &values);
        for (guint k = 0; k < 2; k++)
          {
            g_assert_cmpint (pixels[k] >> rows[i].bits, ==, 0);
            g_assert_cmpfloat (values.slope * pixels[k] + values.intercept, ==,
                               2.0 * samples[k] - 7.0);
          }
        /* the darker one has the smaller code */
        g_assert_cmpint (pixels[0] < pixels[1], ==, ! inverted);
      }
}

static void
test_kinds (void)
{
  static const struct
  {
    DicomPixel pixel;
    gint       bits;
    gint64     low, high;
    CodesKind  kind;
    gint       bits_of_codes;
  } rows[] = {
    { DICOM_U8, 8, 1, 0, CODES_U8, 8 },
    { DICOM_U8, 1, 1, 0, CODES_U8, 1 },
    { DICOM_S8, 8, 1, 0, CODES_U8, 8 },
    { DICOM_U16, 12, 1, 0, CODES_U16, 12 },
    { DICOM_U16, 16, 0, 3000, CODES_U16, 12 },
    { DICOM_U32, 32, 0, 1 << 24, CODES_FLOAT, 0 },
    { DICOM_U32, 32, 0, (1 << 24) + 1, CODES_DOUBLE, 0 },
    { DICOM_S32, 32, -(1 << 24) - 1, 0, CODES_DOUBLE, 0 },
    { DICOM_U32, 32, 1, 0, CODES_DOUBLE, 0 },
    { DICOM_F32, 0, 1, 0, CODES_FLOAT, 0 },
    { DICOM_F64, 0, 1, 0, CODES_DOUBLE, 0 },
    { DICOM_RGB8, 8, 1, 0, CODES_RGB8, 8 },
    { DICOM_RGB16, 10, 1, 0, CODES_RGB16, 10 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      DicomHeader header =
        header_of (rows[i].pixel, rows[i].bits, rows[i].low, rows[i].high);
      Codes codes;

      codes_choose (&codes, &header);
      g_assert_cmpint (codes.kind, ==, rows[i].kind);
      g_assert_cmpint (codes.bits, ==, rows[i].bits_of_codes);
    }
}

static void
test_windows (void)
{
  DicomHeader header = header_of (DICOM_U16, 12, 1, 0);
  DicomFrame  frame = { 1, 1.0, -1000.0, "HU", { 0 }, 0, { 0 } };
  Codes       codes;
  CodesRange *range = codes_range_new ();
  guint16    *pixels = g_new (guint16, 1001);
  gdouble     center, width;

  /* values -1000 to 0, among many that are padding */
  header.columns = 1001;
  header.rows = 100;
  header.has_padding = TRUE;
  header.padding = 4000;
  codes_choose (&codes, &header);
  for (gint y = 0; y < 100; y++)
    {
      for (guint16 i = 0; i < 1001; i++)
        pixels[i] = y < 90 ? 4000 : i;
      codes_range_add (range, &codes, &header, &frame, pixels, 1001);
    }
  g_assert_true (codes_get_window (&codes, &header, &frame, range, &center,
                                   &width));
  g_assert_cmpfloat (fabs (center - -500.0), <=, 1.0);
  g_assert_cmpfloat (fabs (width - 990.0), <=, 2.0);

  frame.windows.n = 1;
  frame.windows.pairs[0][0] = 40.0;
  frame.windows.pairs[0][1] = 400.0;
  g_assert_true (codes_get_window (&codes, &header, &frame, range, &center,
                                   &width));
  g_assert_cmpfloat (center, ==, 40.0);
  g_assert_cmpfloat (width, ==, 400.0);
  g_free (pixels);
  codes_range_free (range);
}

/* --- Readers that misbehave ----------------------------------------------- */

/* Runs a script in place of the reader; what it ends with */
static GError *
child_error (const gchar *script, guint patience)
{
  ChildOptions       options = { "all", FALSE, TRUE, TRUE, patience };
  gchar             *folder = g_dir_make_tmp ("isolux-dicom-XXXXXX", NULL);
  gchar             *path = g_build_filename (folder, "reader", NULL);
  gchar             *text = g_strdup_printf ("#!/bin/sh\n%s\n", script);
  const DicomRecord *record = NULL;
  Child             *child;
  GError            *error = NULL;

  g_assert_true (g_file_set_contents_full (path, text, -1,
                                           G_FILE_SET_CONTENTS_NONE, 0755,
                                           NULL));
  child = child_start (path, "/nonexistent", &options, &error);
  while (child && (record = child_next (child, &error)) &&
         record->kind != DICOM_RECORD_END)
    ;
  child_free (child);
  g_remove (path);
  g_rmdir (folder);
  g_free (text);
  g_free (path);
  g_free (folder);
  return error;
}

static void
test_children (void)
{
  static const struct
  {
    const gchar *script;
    DicomError   code;
    const gchar *words;
  } rows[] = {
    { "exit 0", DICOM_ERROR_READER, "gave up" },
    { "kill -SEGV $$", DICOM_ERROR_READER, "gave up" },
    { "printf a=b; exit 1", DICOM_ERROR_READER, "gave up" },
    { "echo hello; echo", DICOM_ERROR_STREAM, "makes no sense" },
    { "exec sleep 100", DICOM_ERROR_READER, "1 seconds" },
    { "printf 'progress=0.5\\n\\nprogr'; exec sleep 100", DICOM_ERROR_READER,
      "1 seconds" },
    { "printf 'error=size\\n\\n'", DICOM_ERROR_FILE, "how large" },
    { "exec cat /dev/zero", DICOM_ERROR_STREAM, "makes no sense" },
    { "while :; do printf 'progress=0.5\\n\\n'; sleep 0.3; n=x$n; "
      "[ $n != xxxxxxx ] || exit; done",
      DICOM_ERROR_READER, "gave up" },
  };
  const gint64 begin = g_get_monotonic_time ();
  ChildOptions options = { "all", FALSE, FALSE, FALSE, 1 };
  GError      *error = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_test_message ("%s", rows[i].script);
      error = child_error (rows[i].script, 1);
      g_assert_error (error, DICOM_ERROR, (gint) rows[i].code);
      g_assert_nonnull (strstr (error->message, rows[i].words));
      g_clear_error (&error);
    }
  g_assert_null (child_start ("/nonexistent/reader", "/x", &options, &error));
  g_assert_error (error, DICOM_ERROR, DICOM_ERROR_READER);
  g_clear_error (&error);
  /* none was waited for until its own end */
  g_assert_cmpint (g_get_monotonic_time () - begin, <, 60 * G_USEC_PER_SEC);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/dicom/frames", test_frames);
  g_test_add_func ("/dicom/cells", test_cells);
  g_test_add_func ("/dicom/loose", test_loose);
  g_test_add_func ("/dicom/segments", test_segments);
  g_test_add_func ("/dicom/ramp", test_ramp);
  g_test_add_func ("/dicom/marks", test_marks);
  g_test_add_func ("/dicom/stream", test_stream);
  g_test_add_func ("/dicom/bad-streams", test_bad_streams);
  g_test_add_func ("/dicom/errors", test_errors);
  g_test_add_func ("/dicom/offsets", test_offsets);
  g_test_add_func ("/dicom/kinds", test_kinds);
  g_test_add_func ("/dicom/windows", test_windows);
  g_test_add_func ("/dicom/children", test_children);
  return g_test_run ();
}
