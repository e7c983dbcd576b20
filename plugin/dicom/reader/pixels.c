/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "pixels.h"

#include <string.h>

gsize
pixels_sample_size (const PixelCell *cell)
{
  return cell->stored <= 8 ? 1 : cell->stored <= 16 ? 2 : 4;
}

guint64
pixels_cells_size (const PixelCell *cell, guint64 n_cells)
{
  return (n_cells * cell->allocated + 7) / 8;
}

/* --- Cells ---------------------------------------------------------------- */

static inline guint32
cut_out (const PixelCell *cell, guint32 bits)
{
  guint32 mask = cell->stored < 32 ? (1u << cell->stored) - 1 : G_MAXUINT32;

  return (bits >> (cell->high + 1 - cell->stored)) & mask;
}

static inline gint32
extend (const PixelCell *cell, guint32 bits)
{
  guint32 sign = 1u << (cell->stored - 1);

  /* what does not fit wraps round, as two's complement does */
  return (gint32) ((bits ^ sign) - sign);
}

/* A cell of any width, bit by bit from the lowest */
static guint32
gather (const PixelCell *cell, const guint8 *cells, guint64 index)
{
  guint64 at = index * cell->allocated;
  guint32 bits = 0;

  for (guint i = 0; i < cell->allocated; i++, at++)
    bits |= (guint32) ((cells[at / 8] >> (at % 8)) & 1) << i;
  return bits;
}

static inline guint32
take (const PixelCell *cell, const guint8 *cells, guint64 index)
{
  guint16 word;
  guint32 longer;

  switch (cell->allocated)
    {
      case 8:
        return cells[index];
      case 16:
        memcpy (&word, cells + index * 2, sizeof word);
        return word;
      case 32:
        memcpy (&longer, cells + index * 4, sizeof longer);
        return longer;
      default:
        return gather (cell, cells, index);
    }
}

static inline void
put (gpointer samples, gsize size, gsize index, guint32 bits)
{
  if (size == 1)
    ((guint8 *) samples)[index] = (guint8) bits;
  else if (size == 2)
    ((guint16 *) samples)[index] = (guint16) bits;
  else
    ((guint32 *) samples)[index] = bits;
}

void
pixels_unpack (const PixelCell *cell,
               const guint8    *cells,
               guint64          first,
               gsize            n,
               gpointer         samples)
{
  const gsize size = pixels_sample_size (cell);

  for (gsize i = 0; i < n; i++)
    {
      guint32 bits = cut_out (cell, take (cell, cells, first + i));

      if (cell->is_signed)
        bits = (guint32) extend (cell, bits);
      put (samples, size, i, bits);
    }
}

void
pixels_unpack_loose (const PixelCell *cell,
                     const guint8    *cells,
                     gsize            n,
                     gpointer         samples)
{
  const gsize  size = pixels_sample_size (cell);
  const gint64 range = (gint64) 1 << cell->stored;
  const gint64 low = cell->is_signed ? -range / 2 : 0;
  PixelCell    whole = *cell;

  whole.stored = whole.allocated;
  whole.high = whole.allocated - 1;
  for (gsize i = 0; i < n; i++)
    {
      guint32 bits = take (&whole, cells, i);
      gint64  value = cell->is_signed ? (gint64) extend (&whole, bits)
                                      : (gint64) bits;

      value = CLAMP (value, low, low + range - 1);
      put (samples, size, i, (guint32) value);
    }
}

/* --- Samples -------------------------------------------------------------- */

static inline gint64
sample_at (const PixelCell *cell, gconstpointer samples, gsize index)
{
  switch (pixels_sample_size (cell))
    {
      case 1:
        return cell->is_signed ? ((const gint8 *) samples)[index]
                               : ((const guint8 *) samples)[index];
      case 2:
        return cell->is_signed ? ((const gint16 *) samples)[index]
                               : ((const guint16 *) samples)[index];
      default:
        return cell->is_signed ? (gint64) ((const gint32 *) samples)[index]
                               : (gint64) ((const guint32 *) samples)[index];
    }
}

void
pixels_range (const PixelCell *cell,
              gconstpointer    samples,
              gsize            n,
              gint64          *low,
              gint64          *high)
{
  for (gsize i = 0; i < n; i++)
    {
      gint64 sample = sample_at (cell, samples, i);

      *low = MIN (*low, sample);
      *high = MAX (*high, sample);
    }
}

void
pixels_swap_halves (gpointer words, gsize n)
{
  guint32 *word = words;

  for (gsize i = 0; i < n; i++)
    word[i] = word[i] << 16 | word[i] >> 16;
}

void
pixels_interleave (gconstpointer planes, gsize n, gsize size, gpointer triples)
{
  for (gsize c = 0; c < 3; c++)
    if (size == 1)
      for (gsize i = 0; i < n; i++)
        ((guint8 *) triples)[3 * i + c] = ((const guint8 *) planes)[c * n + i];
    else
      for (gsize i = 0; i < n; i++)
        ((guint16 *) triples)[3 * i + c] =
          ((const guint16 *) planes)[c * n + i];
}

/* --- RLE ------------------------------------------------------------------ */

static guint32
get_little (const guint8 *p)
{
  return (guint32) p[0] | (guint32) p[1] << 8 | (guint32) p[2] << 16 |
         (guint32) p[3] << 24;
}

/* One plane of bytes, which come to every step-th place */
static gboolean
decode_plane (const guint8 *p,
              const guint8 *end,
              guint8       *to,
              gsize         n,
              gsize         step)
{
  gsize i = 0;

  while (i < n)
    {
      gsize    length;
      gboolean is_run;

      if (p == end)
        return FALSE;
      if (*p == 128) /* nothing */
        {
          p++;
          continue;
        }
      is_run = *p > 128;
      length = is_run ? 257 - (gsize) *p : (gsize) *p + 1;
      p++;
      if ((gsize) (end - p) < (is_run ? 1 : length) || n - i < length)
        return FALSE;
      for (gsize k = 0; k < length; k++, i++)
        to[i * step] = is_run ? *p : p[k];
      p += is_run ? 1 : length;
    }
  return TRUE;
}

gboolean
pixels_decode_rle (const guint8 *stream,
                   gsize         n,
                   gsize         n_pixels,
                   gsize         n_samples,
                   gsize         size,
                   guint8       *cells)
{
  const gsize n_planes = n_samples * size;
  const gsize step = n_planes;

  if (n < 64 || n_planes > 15 || get_little (stream) != n_planes)
    return FALSE;
  for (gsize plane = 0; plane < n_planes; plane++)
    {
      const gsize begin = get_little (stream + 4 * (plane + 1));
      const gsize end =
        plane + 1 < n_planes ? get_little (stream + 4 * (plane + 2)) : n;
      /* the highest byte of a sample comes first */
      gsize byte = plane % size;

      if (G_BYTE_ORDER == G_LITTLE_ENDIAN)
        byte = size - 1 - byte;
      if (begin < 64 || begin > end || end > n ||
          ! decode_plane (stream + begin, stream + end,
                          cells + plane / size * size + byte, n_pixels, step))
        return FALSE;
    }
  return TRUE;
}

/* --- Colors --------------------------------------------------------------- */

static inline guint
to_code (gdouble value, gdouble max)
{
  value = CLAMP (value, 0.0, max);
  return (guint) (value + 0.5);
}

void
pixels_ybr_to_rgb (gpointer  triples,
                   gsize     n,
                   gsize     size,
                   guint     stored,
                   PixelsYbr kind)
{
  const gdouble max = (gdouble) ((1u << stored) - 1);
  const gdouble middle = (gdouble) (1u << (stored - 1));
  /* partial range: luma has 219 of 255 steps from 16, chroma 224 */
  const gdouble unit = (max + 1.0) / 256.0;
  const gdouble foot = kind == PIXELS_YBR_PARTIAL ? 16.0 * unit : 0.0;
  const gdouble y_scale = kind == PIXELS_YBR_PARTIAL ? 255.0 / 219.0 : 1.0;
  const gdouble c_scale = kind == PIXELS_YBR_PARTIAL ? 255.0 / 224.0 : 1.0;
  guint8       *bytes = triples;
  guint16      *words = triples;

  for (gsize i = 0; i < 3 * n; i += 3)
    {
      gdouble y = size == 1 ? bytes[i] : words[i];
      gdouble cb = size == 1 ? bytes[i + 1] : words[i + 1];
      gdouble cr = size == 1 ? bytes[i + 2] : words[i + 2];
      guint   rgb[3];

      y = (y - foot) * y_scale;
      cb = (cb - middle) * c_scale;
      cr = (cr - middle) * c_scale;
      rgb[0] = to_code (y + 1.402 * cr, max);
      rgb[1] =
        to_code (y - (0.114 * 1.772 * cb + 0.299 * 1.402 * cr) / 0.587, max);
      rgb[2] = to_code (y + 1.772 * cb, max);
      for (guint c = 0; c < 3; c++)
        if (size == 1)
          bytes[i + c] = (guint8) rgb[c];
        else
          words[i + c] = (guint16) rgb[c];
    }
}

void
pixels_spread_422 (gconstpointer packed, gsize n, gsize size, gpointer triples)
{
  static const gsize from[6] = { 0, 2, 3, 1, 2, 3 };

  for (gsize pair = 0; pair < n / 2; pair++)
    for (gsize i = 0; i < 6; i++)
      if (size == 1)
        ((guint8 *) triples)[6 * pair + i] =
          ((const guint8 *) packed)[4 * pair + from[i]];
      else
        ((guint16 *) triples)[6 * pair + i] =
          ((const guint16 *) packed)[4 * pair + from[i]];
}

/* --- Tables --------------------------------------------------------------- */

typedef struct
{
  guint16 *entries;
  gsize    capacity;
  gsize    n;
} Entries;

/* One segment that begins at word `at`.  Returns how many words it has, 0
 * when it is damaged or does not fit.  A segment that repeats others is not
 * allowed inside one that repeats. */
static gsize
expand_one (const guint16 *words,
            gsize          n_words,
            gsize          at,
            gboolean       repeats_allowed,
            Entries       *out)
{
  guint16 kind, length;

  if (n_words - at < 2)
    return 0;
  kind = words[at];
  length = words[at + 1];

  if (kind == 0)
    {
      if (n_words - at - 2 < length || out->capacity - out->n < length)
        return 0;
      memcpy (out->entries + out->n, words + at + 2, length * sizeof (guint16));
      out->n += length;
      return 2 + (gsize) length;
    }
  if (kind == 1)
    {
      gdouble from, to;

      if (n_words - at < 3 || out->n == 0 || length == 0 ||
          out->capacity - out->n < length)
        return 0;
      from = out->entries[out->n - 1];
      to = words[at + 2];
      for (guint i = 1; i <= length; i++)
        out->entries[out->n++] =
          (guint16) (from + (to - from) * i / length + 0.5);
      return 3;
    }
  if (kind == 2 && repeats_allowed)
    {
      gsize from;

      if (n_words - at < 4)
        return 0;
      /* an offset in bytes, its lower half first */
      from = ((gsize) words[at + 3] << 16 | words[at + 2]) / 2;
      for (guint16 i = 0; i < length; i++)
        {
          gsize taken =
            from < at ? expand_one (words, n_words, from, FALSE, out) : 0;

          if (taken == 0)
            return 0;
          from += taken;
        }
      return 4;
    }
  return 0;
}

gboolean
pixels_expand_segments (const guint16 *words,
                        gsize          n_words,
                        guint16       *entries,
                        gsize          n_entries)
{
  Entries out = { entries, n_entries, 0 };
  gsize   at = 0;

  while (out.n < n_entries && at < n_words)
    {
      gsize taken = expand_one (words, n_words, at, TRUE, &out);

      if (taken == 0)
        return FALSE;
      at += taken;
    }
  return out.n == n_entries;
}

void
pixels_look_up (const PixelCell  *cell,
                gconstpointer     samples,
                gsize             n,
                const PixelTable *table,
                gsize             size,
                gsize             step,
                gpointer          values)
{
  const gint64 last = (gint64) table->n_entries - 1;

  for (gsize i = 0; i < n; i++)
    {
      gint64  index = sample_at (cell, samples, i) - table->first;
      guint16 entry = table->entries[CLAMP (index, 0, last)];

      if (size == 1)
        ((guint8 *) values)[i * step] = (guint8) entry;
      else
        ((guint16 *) values)[i * step] = entry;
    }
}

gboolean
pixels_table_ramp (const PixelTable *table, gdouble *center, gdouble *width)
{
  const gsize n = table->n_entries;
  guint       low = G_MAXUINT16, high = 0;
  gdouble     foot, top;
  gsize       begin = 0, end = 0;
  gboolean    falls;

  for (gsize i = 0; i < n; i++)
    {
      low = MIN (low, table->entries[i]);
      high = MAX (high, table->entries[i]);
    }
  if (n < 2 || low == high)
    return FALSE;

  falls = table->entries[0] > table->entries[n - 1];
  foot = low + 0.01 * (high - low);
  top = high - 0.01 * (high - low);
  /* the last at one end before the first at the other */
  for (gsize i = 0; i < n; i++)
    {
      gsize at = falls ? n - 1 - i : i;
      guint entry = table->entries[at];

      if (entry <= foot)
        begin = at;
      if (entry >= top)
        {
          end = at;
          break;
        }
    }
  *center = table->first + ((gdouble) begin + (gdouble) end) / 2.0;
  *width = (gdouble) end - (gdouble) begin;
  return *width != 0.0;
}
