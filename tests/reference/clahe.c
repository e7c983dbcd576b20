/* SPDX-License-Identifier: GPL-3.0-or-later */
/* isolux_clahe() as isolux.h defines it: pixel by pixel. */
#include "reference.h"

#include <math.h>
#include <string.h>

__extension__ typedef unsigned __int128 Wide;

typedef struct
{
  const RefImage           *source;
  const IsoluxClaheOptions *options;
  gint                      tiles_x, tiles_y;
  gint64                    tile_width, tile_height;
  gboolean                  cv2; /* its tables, in whole counts */
  gboolean                  luma;
  gint                      channels;
  gint                      bits, bins;
  guint8                    seen[65536];       /* codes that count, of u16 */
  gdouble                   least[3], most[3]; /* least > most: none counts */
  gboolean                  identity[3];
  guint64                  *counts;  /* tiles * bins, of one channel */
  gdouble                  *entries; /* channels * tiles * bins */
} Ref;

/* cv2.BORDER_REFLECT_101 */
static gint64
reflect (gint64 p, gint64 n)
{
  if (n == 1)
    return 0;
  while (p < 0 || p >= n)
    p = p < 0 ? -p : 2 * n - 2 - p;
  return p;
}

static gboolean
is_padding (const Ref *r, gint64 x, gint64 y)
{
  const gint colors = r->source->image.components < 3 ? 1 : 3;
  gint       i;

  if (! r->options->use_padding_value)
    return FALSE;
  for (i = 0; i < colors; i++)
    {
      const gdouble v = ref_get (r->source, x, y, i);

      if (r->source->image.type == ISOLUX_TYPE_F32
            ? (gfloat) v != (gfloat) r->options->padding_value
            : v != r->options->padding_value)
        return FALSE;
    }
  return TRUE;
}

/* A channel's value, NaN when the pixel does not count. */
static gdouble
value_at (const Ref *r, gint c, gint64 x, gint64 y)
{
  if (! ref_in_region (r->source, x, y) || ! ref_has_alpha (r->source, x, y) ||
      is_padding (r, x, y))
    return NAN;
  return r->luma ? ref_luma (r->source, x, y, r->options->weights, FALSE)
                 : ref_get (r->source, x, y, c);
}

/* The place of a value among the bins' lower edges, or their own values. */
static gdouble
position (const Ref *r, gint c, gdouble v, gint steps)
{
  const gdouble t = (v - r->least[c]) *
                    ((gdouble) steps / (r->most[c] - r->least[c]));

  return CLAMP (t, 0.0, (gdouble) steps);
}

static gint
bin_of (const Ref *r, gint c, gdouble v)
{
  if (r->source->image.type == ISOLUX_TYPE_F32)
    return MIN ((gint) position (r, c, v, r->bins), r->bins - 1);
  v = MIN (v, ldexp (1.0, r->bits) - 1.0);
  return (gint) floor (v * r->bins / ldexp (1.0, r->bits));
}

/* ---- Ranges ------------------------------------------------------------- */

static void
find_ranges (Ref *r)
{
  const IsoluxImage *image = &r->source->image;
  gdouble            largest = 0.0;
  gint64             x, y, area = r->tile_width * r->tile_height;
  gint               c;

  for (c = 0; c < r->channels; c++)
    {
      r->least[c] = HUGE_VAL;
      r->most[c] = -HUGE_VAL;
      for (y = 0; y < image->height; y++)
        for (x = 0; x < image->width; x++)
          {
            const gdouble v = value_at (r, c, x, y);

            if (isfinite (v))
              {
                if (image->type == ISOLUX_TYPE_U16)
                  r->seen[(gint) v] = 1;
                r->least[c] = MIN (r->least[c], v);
                r->most[c] = MAX (r->most[c], v);
                largest = MAX (largest, v);
              }
          }
      r->identity[c] = ! (r->least[c] < r->most[c]);
      /* cv2 knows no exception for one value */
      if (r->cv2 && r->options->compatibility == ISOLUX_CLAHE_OPENCV)
        r->identity[c] = r->least[c] > r->most[c];
    }

  r->bins = 256;
  r->bits = 8;
  if (image->type == ISOLUX_TYPE_U8)
    return;
  while (r->bins * 2 * (r->options->bins ? 1 : 16) <= area && r->bins < 65536)
    r->bins *= 2;
  if (r->options->bins)
    r->bins = MIN (r->bins, r->options->bins);
  if (image->type == ISOLUX_TYPE_F32)
    return;
  while (largest >= ldexp (1.0, r->bits))
    r->bits++;
  if (image->bits)
    r->bits = image->bits;
  if (r->cv2)
    r->bits = 16;
  r->bins = r->cv2 ? 65536 : MIN (r->bins, 1 << r->bits);
  for (c = 1 << r->bits; c < 65536; c++)
    r->seen[(1 << r->bits) - 1] |= r->seen[c];
}

/* ---- Tables ------------------------------------------------------------- */

static void
count_tile (Ref *r, gint c, gint tx, gint ty, guint64 *counts)
{
  const IsoluxImage *image = &r->source->image;
  gint64             x, y;

  for (y = ty * r->tile_height; y < (ty + 1) * r->tile_height; y++)
    for (x = tx * r->tile_width; x < (tx + 1) * r->tile_width; x++)
      {
        const gdouble v = value_at (r, c, reflect (x, image->width),
                                    reflect (y, image->height));

        if (! isnan (v))
          counts[bin_of (r, c, v)]++;
      }
}

static guint64
total_of (const Ref *r, const guint64 *counts)
{
  guint64 sum = 0;
  gint    k;

  for (k = 0; k < r->bins; k++)
    sum += counts[k];
  return sum;
}

/* The counts of a tile, or of the smallest square of tiles around it that
 * has any. */
static guint64
counts_for (const Ref *r, gint tx, gint ty, guint64 *counts)
{
  gint reach, x, y, k;

  for (reach = 0; reach < MAX (r->tiles_x, r->tiles_y); reach++)
    {
      guint64 total;

      memset (counts, 0, r->bins * sizeof *counts);
      for (y = MAX (ty - reach, 0); y <= MIN (ty + reach, r->tiles_y - 1); y++)
        for (x = MAX (tx - reach, 0); x <= MIN (tx + reach, r->tiles_x - 1);
             x++)
          for (k = 0; k < r->bins; k++)
            counts[k] += r->counts[((gsize) y * r->tiles_x + x) * r->bins + k];
      total = total_of (r, counts);
      if (total)
        return total;
    }
  return 0;
}

static void
cv2_entries (const Ref *r, guint64 total, guint64 *counts, gdouble *entries)
{
  const gint    bins = r->bins;
  const gfloat  scale = (gfloat) (bins - 1) / (gfloat) total;
  const gdouble limit =
    MAX (1.0, floor (r->options->clip_limit * (gdouble) total / bins));
  guint64 clipped = 0, sum = 0;
  gint    k;

  if (r->options->clip_limit > 0.0)
    {
      guint64 residual;

      for (k = 0; k < bins; k++)
        if ((gdouble) counts[k] > limit)
          {
            clipped += counts[k] - (guint64) limit;
            counts[k] = (guint64) limit;
          }
      residual = clipped % bins;
      for (k = 0; k < bins; k++)
        counts[k] += clipped / bins;
      if (residual)
        {
          const gint step = MAX (bins / (gint) residual, 1);

          for (k = 0; k < bins && residual > 0; k += step, residual--)
            counts[k]++;
        }
    }
  for (k = 0; k < bins; k++)
    {
      sum += counts[k];
      entries[k] = MIN (nearbyintf ((gfloat) sum * scale), (gfloat) (bins - 1));
    }
}

static void
fine_entries (const Ref *r, guint64 total, guint64 *counts, gdouble *entries)
{
  const gboolean real = r->source->image.type == ISOLUX_TYPE_F32;
  const guint64  all = total * 65536;
  const gdouble  maximum = real                                      ? 1.0
                           : r->source->image.type == ISOLUX_TYPE_U8 ? 255.0
                                                                     : 65535.0;
  const gdouble  scale = maximum / (gdouble) all;
  guint64        limit = G_MAXUINT64, kept = 0, sum = 0;
  gint           k;

  if (r->options->clip_limit > 0.0)
    {
      const gdouble mean = (gdouble) total / r->bins;
      const gdouble v = r->options->clip_limit * mean * 65536.0;

      limit = v < 9e18 ? (guint64) v : G_MAXUINT64;
    }
  for (k = 0; k < r->bins; k++)
    kept += MIN (counts[k] * 65536, limit);
  for (k = 0; k < r->bins; k++)
    {
      const Wide spread = (Wide) (all - kept) * (k + 1) / r->bins;
      gdouble    v;

      sum += MIN (counts[k] * 65536, limit);
      v = MIN ((gdouble) (sum + (guint64) spread) * scale, maximum);
      entries[k] = real ? (gfloat) v : nearbyint (v);
    }
}

static void
make_tables (Ref *r, gint c)
{
  const gsize tiles = (gsize) r->tiles_x * r->tiles_y;
  guint64    *counts = g_new (guint64, r->bins);
  gint        tx, ty;

  memset (r->counts, 0, tiles * r->bins * sizeof (guint64));
  for (ty = 0; ty < r->tiles_y; ty++)
    for (tx = 0; tx < r->tiles_x; tx++)
      count_tile (r, c, tx, ty,
                  r->counts + ((gsize) ty * r->tiles_x + tx) * r->bins);
  for (ty = 0; ty < r->tiles_y; ty++)
    for (tx = 0; tx < r->tiles_x; tx++)
      {
        const guint64 total = counts_for (r, tx, ty, counts);
        gdouble      *entries = r->entries +
                           (c * tiles + (gsize) ty * r->tiles_x + tx) *
                             (gsize) r->bins;

        if (total == 0)
          continue;
        if (r->cv2)
          cv2_entries (r, total, counts, entries);
        else
          fine_entries (r, total, counts, entries);
      }
  g_free (counts);
}

/* ---- Pixels ------------------------------------------------------------- */

/* The cumulative entry within a bin. */
static gfloat
entry_of (const Ref *r, gint c, gint tx, gint ty, gint bin, gfloat share)
{
  const gdouble *entries = r->entries +
                           (((gsize) c * r->tiles_y + ty) * r->tiles_x + tx) *
                             (gsize) r->bins;
  const gfloat a = bin > 0 ? (gfloat) entries[bin - 1] : 0.0f;
  const gfloat b = (gfloat) entries[bin];

  return a + (b - a) * share;
}

static gdouble
new_value (const Ref *r, gint c, gint64 x, gint64 y, gdouble v)
{
  const gboolean real = r->source->image.type == ISOLUX_TYPE_F32;
  const gfloat   fx = (gfloat) x * (1.0f / (gfloat) r->tile_width) - 0.5f;
  const gfloat   fy = (gfloat) y * (1.0f / (gfloat) r->tile_height) - 0.5f;
  gint           x1 = (gint) floorf (fx), y1 = (gint) floorf (fy);
  const gfloat   xa = fx - (gfloat) x1, ya = fy - (gfloat) y1;
  const gint     x2 = MIN (x1 + 1, r->tiles_x - 1);
  const gint     y2 = MIN (y1 + 1, r->tiles_y - 1);
  gint           bin;
  gfloat         share, top, bottom, result;

  x1 = MAX (x1, 0);
  y1 = MAX (y1, 0);
  bin = bin_of (r, c, v);
  if (real)
    share = (gfloat) (position (r, c, v, r->bins) - bin);
  else
    {
      const gint width = (1 << r->bits) / r->bins;
      const gint code = (gint) MIN (v, ldexp (1.0, r->bits) - 1.0);
      gint       first = bin * width, last = first + width - 1;

      while (first < code && ! r->seen[first])
        first++;
      while (last > code && ! r->seen[last])
        last--;
      share = (gfloat) (code - first + 1) / (gfloat) (last - first + 1);
    }
  top = entry_of (r, c, x1, y1, bin, share) * (1.0f - xa) +
        entry_of (r, c, x2, y1, bin, share) * xa;
  bottom = entry_of (r, c, x1, y2, bin, share) * (1.0f - xa) +
           entry_of (r, c, x2, y2, bin, share) * xa;
  result = top * (1.0f - ya) + bottom * ya;
  if (real)
    return CLAMP (result, 0.0f, 1.0f);
  return MIN (nearbyintf (result),
              r->source->image.type == ISOLUX_TYPE_U8 ? 255.0f : 65535.0f);
}

static void
change_pixel (const Ref *r, const RefImage *destination, gint64 x, gint64 y)
{
  const gint components = r->source->image.components;
  gdouble    in[3], out[3];
  gboolean   changed[4] = { FALSE };
  gint       c;

  if (r->luma)
    {
      const gdouble v = value_at (r, 0, x, y);

      if (! isnan (v) && ! r->identity[0])
        {
          for (c = 0; c < 3; c++)
            in[c] = ref_get (r->source, x, y, c);
          ref_move (r->source->image.type, in,
                    ref_luma (r->source, x, y, r->options->weights, TRUE),
                    new_value (r, 0, x, y, v), out);
          changed[0] = changed[1] = changed[2] = TRUE;
        }
    }
  else
    for (c = 0; c < r->channels; c++)
      {
        const gdouble v = value_at (r, c, x, y);

        changed[c] = ! isnan (v) && ! r->identity[c];
        if (changed[c])
          out[c] = new_value (r, c, x, y, v);
      }
  for (c = 0; c < components; c++)
    if (changed[c])
      ref_put (destination, x, y, c, out[c]);
    else
      ref_copy_component (r->source, c, destination, c, x, y);
}

gboolean
ref_clahe (const RefImage           *source,
           const RefImage           *destination,
           const IsoluxClaheOptions *options)
{
  const IsoluxImage *image = &source->image;
  const gint64       w = image->width, h = image->height;
  Ref                r = { source, options };
  gint64             x, y;
  gboolean           unchanged = TRUE;
  gint               c;

  r.tiles_x = options->tiles_x;
  r.tiles_y = options->tiles_y;
  if (options->tile_size)
    {
      r.tiles_x = (gint) MIN (ceil ((gdouble) w / options->tile_size), 1024.0);
      r.tiles_y = (gint) MIN (ceil ((gdouble) h / options->tile_size), 1024.0);
    }
  r.tile_width = w / r.tiles_x;
  r.tile_height = h / r.tiles_y;
  if (w % r.tiles_x || h % r.tiles_y)
    {
      r.tile_width = (w + r.tiles_x - w % r.tiles_x) / r.tiles_x;
      r.tile_height = (h + r.tiles_y - h % r.tiles_y) / r.tiles_y;
    }
  r.luma = options->channels == ISOLUX_EQUALIZE_LUMA && image->components > 2;
  r.channels = r.luma || image->components < 3 ? 1 : 3;
  r.cv2 = image->type == ISOLUX_TYPE_U8 ||
          (image->type == ISOLUX_TYPE_U16 &&
           options->compatibility == ISOLUX_CLAHE_OPENCV);
  /* 8 bits with a number of bins that was chosen are counted as 16 */
  if (image->type == ISOLUX_TYPE_U8 && options->bins &&
      options->compatibility == ISOLUX_CLAHE_ISOLUX)
    r.cv2 = FALSE;
  find_ranges (&r);
  r.counts = g_new (guint64, (gsize) r.tiles_x * r.tiles_y * r.bins);
  r.entries =
    g_new0 (gdouble, (gsize) r.channels * r.tiles_x * r.tiles_y * r.bins);
  for (c = 0; c < r.channels; c++)
    {
      unchanged = unchanged && r.identity[c];
      if (! r.identity[c])
        make_tables (&r, c);
    }
  for (y = 0; y < h; y++)
    for (x = 0; x < w; x++)
      change_pixel (&r, destination, x, y);
  g_free (r.counts);
  g_free (r.entries);
  return unchanged;
}
