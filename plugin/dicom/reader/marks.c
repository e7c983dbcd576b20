/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "marks.h"

#include <string.h>

static guint
get16 (const guint8 *p)
{
  return (guint) p[0] << 8 | p[1];
}

static guint32
get32 (const guint8 *p)
{
  return (guint32) get16 (p) << 16 | get16 (p + 2);
}

/* The frame header: precision, rows, columns, components and for each a
 * letter, its sampling, and its table */
static gboolean
read_frame_header (const guint8 *p,
                   gsize         n,
                   Marks        *marks,
                   gboolean     *has_letters,
                   gboolean     *is_subsampled)
{
  if (n < 6)
    return FALSE;
  marks->precision = p[0];
  marks->rows = get16 (p + 1);
  marks->columns = get16 (p + 3);
  marks->components = p[5];
  if (n < 6 + 3 * (gsize) marks->components)
    return FALSE;
  if (marks->components == 3)
    {
      *has_letters = p[6] == 'R' && p[9] == 'G' && p[12] == 'B';
      *is_subsampled = p[7] != p[10] || p[7] != p[13];
    }
  return TRUE;
}

static gboolean
read_jpeg (const guint8 *stream, gsize n, Marks *marks)
{
  gboolean has_jfif = FALSE, has_letters = FALSE, is_subsampled = FALSE;
  gint     transform = -1;
  gsize    at = 2;

  while (at + 4 <= n)
    {
      guint         mark = stream[at + 1];
      gsize         length;
      const guint8 *p;

      if (stream[at] != 0xff)
        return FALSE;
      if (mark == 0xff) /* filling */
        {
          at++;
          continue;
        }
      length = get16 (stream + at + 2);
      if (length < 2 || n - at - 2 < length)
        return FALSE;
      p = stream + at + 4;

      if (mark == 0xe0 && length >= 7 && ! memcmp (p, "JFIF", 5))
        has_jfif = TRUE;
      else if (mark == 0xee && length >= 14 && ! memcmp (p, "Adobe", 5))
        transform = p[11];
      else if (mark == 0xf7 || (mark >= 0xc0 && mark <= 0xcf && mark != 0xc4 &&
                                mark != 0xc8 && mark != 0xcc))
        {
          if (! read_frame_header (p, length - 2, marks, &has_letters,
                                   &is_subsampled))
            return FALSE;
          if (marks->components != 3 || mark == 0xf7)
            return TRUE;
          if (transform == 0 || has_letters)
            marks->color = MARKS_COLOR_RGB;
          else if (transform == 1 || has_jfif || is_subsampled)
            marks->color = MARKS_COLOR_YBR;
          return TRUE;
        }
      at += 2 + length;
    }
  return FALSE;
}

/* SIZ comes first, COD follows somewhere before the first tile */
static gboolean
read_codestream (const guint8 *stream, gsize n, Marks *marks)
{
  gboolean has_size = FALSE;
  gsize    at = 2;

  while (at + 4 <= n)
    {
      guint         mark = stream[at + 1];
      gsize         length = get16 (stream + at + 2);
      const guint8 *p = stream + at + 4;

      if (stream[at] != 0xff || length < 2 || n - at - 2 < length)
        return FALSE;
      if (mark == 0x51)
        {
          guint32 x, y, x0, y0;

          if (length < 41)
            return FALSE;
          x = get32 (p + 2);
          y = get32 (p + 6);
          x0 = get32 (p + 10);
          y0 = get32 (p + 14);
          if (x0 >= x || y0 >= y)
            return FALSE;
          marks->columns = x - x0;
          marks->rows = y - y0;
          marks->components = get16 (p + 34);
          marks->precision = (p[36] & 0x7f) + 1;
          has_size = TRUE;
        }
      else if (mark == 0x52 && has_size)
        {
          if (length < 7)
            return FALSE;
          if (marks->components == 3 && p[4] == 1)
            marks->color = MARKS_COLOR_RGB;
          return TRUE;
        }
      else if (mark == 0x90)
        return has_size;
      at += 2 + length;
    }
  return FALSE;
}

/* An end of image is the last thing but for padding, of which some write
 * much */
static gboolean
has_end (const guint8 *stream, gsize n)
{
  for (gsize at = n; at >= 2; at--)
    if (stream[at - 2] == 0xff && stream[at - 1] == 0xd9)
      return TRUE;
  return FALSE;
}

gboolean
marks_read (const guint8 *stream, gsize n, Marks *marks)
{
  memset (marks, 0, sizeof *marks);
  marks->is_whole = has_end (stream, n);
  if (n >= 4 && ! memcmp (stream, "\xff\xd8", 2))
    return read_jpeg (stream, n, marks);
  if (n >= 4 && ! memcmp (stream, "\xff\x4f", 2))
    return read_codestream (stream, n, marks);
  /* a JPEG 2000 file around the codestream, which DICOM does not want */
  if (n >= 12 && ! memcmp (stream + 4, "jP  ", 4))
    for (gsize at = 12; at + 4 <= n; at++)
      if (! memcmp (stream + at, "\xff\x4f\xff\x51", 4))
        return read_codestream (stream + at, n - at, marks);
  return FALSE;
}
