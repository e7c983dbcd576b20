/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Selections as text: "WxH" or "WxH:" + base64 (zlib (one bit a pixel)). */
#include "internal.h"

#include <inttypes.h>

#include <gio/gio.h>

#define MAXIMUM_SIDE G_GINT64_CONSTANT (0x7fffffff)

/* Bytes of the bits of a mask; rows start at a byte. */
static gboolean
bits_size (gint64 width, gint64 height, gsize *row, gsize *size)
{
  *row = (gsize) (width + 7) / 8;
  return g_size_checked_mul (size, *row, (gsize) height) &&
         *size <= G_MAXSSIZE / 2;
}

static gboolean
check_size (gint64 width, gint64 height, GError **error)
{
  if (width < 1 || height < 1 || width > MAXIMUM_SIDE || height > MAXIMUM_SIDE)
    return isolux_argument_error (error,
                                  _("A selection of %" PRId64 " x %" PRId64
                                     " pixels is empty or too large."),
                                  width, height);
  return TRUE;
}

/*
 * Runs a converter over all of in; out gives room for the whole result.
 * Returns the result's length, or -1.
 */
static gssize
convert (GConverter   *converter,
         gconstpointer in,
         gsize         in_size,
         gpointer      out,
         gsize         out_size)
{
  gsize done_in = 0, done_out = 0;

  for (;;)
    {
      gsize            read = 0, written = 0;
      GConverterResult result;

      result =
        g_converter_convert (converter, (const guint8 *) in + done_in,
                             in_size - done_in, (guint8 *) out + done_out,
                             out_size - done_out, G_CONVERTER_INPUT_AT_END,
                             &read, &written, NULL);
      done_in += read;
      done_out += written;
      if (result == G_CONVERTER_FINISHED)
        return (gssize) done_out;
      /* there is always room to spare, unless the text claims too little */
      if (result != G_CONVERTER_CONVERTED || done_out == out_size)
        return -1;
    }
}

gchar *
isolux_selection_to_string (gint64        width,
                            gint64        height,
                            const guint8 *mask,
                            gsize         mask_stride,
                            GError      **error)
{
  GZlibCompressor *compressor;
  guint8          *bits = NULL, *packed = NULL;
  gsize            row, size, room;
  gssize           packed_size = -1;
  gint64           x, y;
  gchar           *code, *text = NULL;

  if (! check_size (width, height, error))
    return NULL;
  if (! mask)
    return g_strdup_printf ("%" PRId64 "x%" PRId64, width, height);
  if (mask_stride < (gsize) width)
    {
      isolux_argument_error (error,
                             _("A mask's stride of %zu bytes is less than its "
                               "width."),
                             mask_stride);
      return NULL;
    }
  if (! bits_size (width, height, &row, &size))
    {
      g_set_error_literal (error, ISOLUX_ERROR, ISOLUX_ERROR_MEMORY,
                           _("There is not enough memory."));
      return NULL;
    }
  room = size + size / 512 + 64;
  bits = isolux_try_alloc (size, 1, error);
  packed = bits ? isolux_try_alloc (room, 1, error) : NULL;
  if (! packed)
    {
      g_free (bits);
      return NULL;
    }
  for (y = 0; y < height; y++)
    for (x = 0; x < width; x++)
      if (mask[(gsize) y * mask_stride + (gsize) x])
        bits[(gsize) y * row + (gsize) x / 8] |= (guint8) (1 << (x & 7));
  compressor = g_zlib_compressor_new (G_ZLIB_COMPRESSOR_FORMAT_ZLIB, 9);
  packed_size = convert (G_CONVERTER (compressor), bits, size, packed, room);
  g_object_unref (compressor);
  if (packed_size >= 0)
    {
      code = g_base64_encode (packed, (gsize) packed_size);
      text =
        g_strdup_printf ("%" PRId64 "x%" PRId64 ":%s", width, height, code);
      g_free (code);
    }
  else
    g_set_error_literal (error, ISOLUX_ERROR, ISOLUX_ERROR_MEMORY,
                         _("There is not enough memory."));
  g_free (packed);
  g_free (bits);
  return text;
}

static gboolean
parse_number (const gchar **text, gint64 *number)
{
  gchar *end;

  if (! g_ascii_isdigit (**text))
    return FALSE;
  *number = (gint64) g_ascii_strtoull (*text, &end, 10);
  *text = end;
  return *number >= 1 && *number <= MAXIMUM_SIDE;
}

/* The mask of what follows the colon. */
static gboolean
parse_mask (const gchar *code,
            gint64       width,
            gint64       height,
            guint8     **mask,
            gboolean    *damaged,
            GError     **error)
{
  GZlibDecompressor *decompressor;
  guint8            *packed, *bits;
  gsize              packed_size = 0, row, size, pixels;
  gint64             x, y;

  if (! bits_size (width, height, &row, &size) ||
      ! g_size_checked_mul (&pixels, (gsize) width, (gsize) height))
    return FALSE;
  packed = g_base64_decode (code, &packed_size);
  /* zlib packs 1032 : 1 at best: larger claims are not worth the memory */
  if (! packed || packed_size < 8 || size / 1040 > packed_size)
    {
      g_free (packed);
      return FALSE;
    }
  *damaged = FALSE;
  bits = isolux_try_alloc (size + 1, 1, error);
  if (! bits)
    {
      g_free (packed);
      return FALSE;
    }
  decompressor = g_zlib_decompressor_new (G_ZLIB_COMPRESSOR_FORMAT_ZLIB);
  *damaged = convert (G_CONVERTER (decompressor), packed, packed_size, bits,
                      size + 1) != (gssize) size;
  g_object_unref (decompressor);
  g_free (packed);
  if (! *damaged && (*mask = isolux_try_alloc (pixels, 1, error)) != NULL)
    for (y = 0; y < height; y++)
      for (x = 0; x < width; x++)
        if (bits[(gsize) y * row + (gsize) x / 8] >> (x & 7) & 1)
          (*mask)[y * width + x] = 255;
  g_free (bits);
  return *mask != NULL;
}

gboolean
isolux_selection_from_string (const gchar     *text,
                              IsoluxRectangle *rectangle,
                              guint8         **mask,
                              GError         **error)
{
  const gchar *cursor = text;
  gint64       width, height;
  gboolean     damaged = TRUE;

  *mask = NULL;
  memset (rectangle, 0, sizeof *rectangle);
  if (! text || ! *text)
    return FALSE;
  if (parse_number (&cursor, &width) && *cursor++ == 'x' &&
      parse_number (&cursor, &height) &&
      (*cursor == '\0' ||
       (*cursor == ':' &&
        parse_mask (cursor + 1, width, height, mask, &damaged, error))))
    {
      rectangle->width = width;
      rectangle->height = height;
      return TRUE;
    }
  if (damaged)
    isolux_argument_error (error, _("The stored selection is damaged."));
  return FALSE;
}
