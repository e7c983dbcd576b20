/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "reference.h"

#include <float.h>
#include <math.h>
#include <string.h>

__extension__ typedef unsigned __int128 Wide;

static const guint32 canonical_nan = 0x7fc00000;

gsize
ref_size (IsoluxType type)
{
  return type == ISOLUX_TYPE_U8 ? 1 : type == ISOLUX_TYPE_U16 ? 2 : 4;
}

static guint8 *
ref_at (const RefImage *image, gint64 x, gint64 y, gint component)
{
  return image->data + (gsize) y * image->stride +
         (gsize) (x * image->image.components + component) *
           ref_size (image->image.type);
}

gdouble
ref_get (const RefImage *image, gint64 x, gint64 y, gint component)
{
  const guint8 *p = ref_at (image, x, y, component);
  guint16       u16;
  gfloat        f32;

  switch (image->image.type)
    {
      case ISOLUX_TYPE_U8:
        return *p;
      case ISOLUX_TYPE_U16:
        memcpy (&u16, p, sizeof u16);
        return u16;
      case ISOLUX_TYPE_F32:
        break;
    }
  memcpy (&f32, p, sizeof f32);
  return f32;
}

void
ref_put (const RefImage *image,
         gint64          x,
         gint64          y,
         gint            component,
         gdouble         value)
{
  guint8 *p = ref_at (image, x, y, component);
  guint16 u16 = 0;
  gfloat  f32 = 0;

  switch (image->image.type)
    {
      case ISOLUX_TYPE_U8:
        *p = (guint8) value;
        break;
      case ISOLUX_TYPE_U16:
        u16 = (guint16) value;
        memcpy (p, &u16, sizeof u16);
        break;
      case ISOLUX_TYPE_F32:
        f32 = (gfloat) value;
        if (isnan (value))
          memcpy (&f32, &canonical_nan, sizeof f32);
        memcpy (p, &f32, sizeof f32);
        break;
    }
}

void
ref_copy_component (const RefImage *source,
                    gint            from,
                    const RefImage *destination,
                    gint            to,
                    gint64          x,
                    gint64          y)
{
  memmove (ref_at (destination, x, y, to), ref_at (source, x, y, from),
           ref_size (source->image.type));
}

static gint
ref_colors (const RefImage *image)
{
  return image->image.components < 3 ? 1 : 3;
}

static gboolean
ref_alpha (const RefImage *image)
{
  return image->image.components % 2 == 0;
}

gboolean
ref_in_region (const RefImage *image, gint64 x, gint64 y)
{
  const IsoluxRectangle *r = &image->region;

  if (! image->has_region)
    return TRUE;
  if (x < r->x || y < r->y || x - r->x >= r->width || y - r->y >= r->height)
    return FALSE;
  return image->mask == NULL ||
         image->mask[(gsize) (y - r->y) * image->mask_stride +
                     (gsize) (x - r->x)] != 0;
}

gboolean
ref_has_alpha (const RefImage *image, gint64 x, gint64 y)
{
  return ! ref_alpha (image) ||
         ref_get (image, x, y, image->image.components - 1) > 0.0;
}

void
ref_weights (const gdouble weights[3], gint whole[3])
{
  whole[0] = (gint) rint (weights[0] * 32768.0);
  whole[1] = (gint) rint (weights[1] * 32768.0);
  whole[1] = MIN (whole[1], 32768 - whole[0]);
  whole[2] = 32768 - whole[0] - whole[1];
}

/* ---- Gray ------------------------------------------------------------- */

static gdouble
ref_maximum (IsoluxType type)
{
  return type == ISOLUX_TYPE_U8    ? 255.0
         : type == ISOLUX_TYPE_U16 ? 65535.0
                                   : 1.0;
}

/* The curve of sRGB, for all codes; computed once. */
static gfloat
ref_srgb (gint code, gint maximum)
{
  static gsize   once[2];
  static gfloat *tables[2];
  const gint     wide = maximum > 255;
  gint           k;

  if (g_once_init_enter (&once[wide]))
    {
      tables[wide] = g_new (gfloat, maximum + 1);
      for (k = 0; k <= maximum; k++)
        {
          const long double v = (long double) k / maximum;

          tables[wide][k] = (gfloat) (v <= 0.04045L
                                        ? v / 12.92L
                                        : powl ((v + 0.055L) / 1.055L, 2.4L));
        }
      g_once_init_leave (&once[wide], 1);
    }
  return tables[wide][code];
}

/* L* / 100 */
static long double
ref_lightness (long double y)
{
  if (! (y > 0.0L))
    return 0.0L;
  if (y > 1.0L)
    return 1.0L;
  return (y > 216.0L / 24389.0L ? 116.0L * cbrtl (y) - 16.0L
                                : y * 24389.0L / 27.0L) /
         100.0L;
}

/* The code of the gray whose luminance is nearest to y; doubtful when the
 * next one is as near. */
static gint
ref_nearest (const gdouble *gray, gint maximum, gdouble y, gboolean *doubtful)
{
  gint        low = 0, high = maximum;
  long double beyond;

  /* the last code whose luminance is not above y */
  while (low < high)
    {
      const gint middle = (low + high + 1) / 2;

      if (gray[middle] <= y)
        low = middle;
      else
        high = middle - 1;
    }
  *doubtful = FALSE;
  if (low == maximum)
    return low;
  beyond = 2.0L * y - ((long double) gray[low] + gray[low + 1]);
  *doubtful = fabsl (beyond) < 1e-15L * y;
  return beyond >= 0.0L ? low + 1 : low;
}

static gboolean
ref_is_doubtful (long double v, IsoluxType type)
{
  if (type == ISOLUX_TYPE_F32)
    {
      const gfloat      f = (gfloat) v;
      const gfloat      up = nextafterf (f, INFINITY);
      const gfloat      down = nextafterf (f, -INFINITY);
      const long double a = fabsl (v - ((long double) f + up) / 2);
      const long double b = fabsl (v - ((long double) f + down) / 2);

      return fminl (a, b) < fabsl (v) * 1e-13L;
    }
  return fabsl (v - floorl (v) - 0.5L) < 1e-9L;
}

void
ref_grayscale (const RefImage          *source,
               const RefImage          *destination,
               const IsoluxGrayOptions *options,
               guint8                  *doubtful)
{
  const IsoluxType type = source->image.type;
  const gint64     width = source->image.width;
  const gint64     height = source->image.height;
  const gdouble    maximum = ref_maximum (type);
  const gint       m = (gint) maximum;
  const gdouble   *w = options->weights;
  gfloat          *decode = NULL;
  gdouble         *gray = NULL;
  gint64           x, y;
  gint             i, k;

  if (type != ISOLUX_TYPE_F32 && ref_colors (source) == 3 &&
      (options->method == ISOLUX_GRAY_LUMINANCE ||
       options->method == ISOLUX_GRAY_LIGHTNESS))
    {
      decode = g_new (gfloat, 3 * (gsize) (m + 1));
      gray = g_new (gdouble, m + 1);
      for (k = 0; k <= m; k++)
        {
          for (i = 0; i < 3; i++)
            decode[i * (m + 1) + k] = options->decode
                                        ? options->decode[i * (m + 1) + k]
                                        : ref_srgb (k, m);
          gray[k] = (w[0] * decode[k] + w[1] * decode[m + 1 + k]) +
                    w[2] * decode[2 * (m + 1) + k];
        }
    }

  for (y = 0; y < height; y++)
    for (x = 0; x < width; x++)
      {
        const gint  colors = ref_colors (destination);
        gdouble     c[3], result = 0.0;
        long double exact = 0.0L;
        gdouble     luminance;

        for (i = 0; i < 3; i++)
          c[i] = ref_get (source, x, y, ref_colors (source) == 3 ? i : 0);

        if (ref_colors (source) == 1)
          {
            guint8 pixel[4];

            memcpy (pixel, ref_at (source, x, y, 0), ref_size (type));
            if (ref_alpha (source) && ref_alpha (destination))
              ref_copy_component (source, 1, destination, colors, x, y);
            else if (ref_alpha (destination))
              ref_put (destination, x, y, colors, maximum);
            for (i = 0; i < colors; i++)
              memcpy (ref_at (destination, x, y, i), pixel, ref_size (type));
            continue;
          }

        if (decode)
          luminance =
            (w[0] * decode[(gint) c[0]] + w[1] * decode[m + 1 + (gint) c[1]]) +
            w[2] * decode[2 * (m + 1) + (gint) c[2]];
        else
          luminance = (w[0] * c[0] + w[1] * c[1]) + w[2] * c[2];

        switch (options->method)
          {
            case ISOLUX_GRAY_LUMA_BT601:
              if (type == ISOLUX_TYPE_F32)
                result = (0.299 * c[0] + 0.587 * c[1]) + 0.114 * c[2];
              else
                result = floor ((9798.0 * c[0] + 19235.0 * c[1] +
                                 3735.0 * c[2] + 16384.0) /
                                32768.0);
              break;
            case ISOLUX_GRAY_LUMA_BT709:
              if (type == ISOLUX_TYPE_F32)
                result = (0.2126 * c[0] + 0.7152 * c[1]) + 0.0722 * c[2];
              else
                result = floor ((6966.0 * c[0] + 23436.0 * c[1] +
                                 2366.0 * c[2] + 16384.0) /
                                32768.0);
              break;
            case ISOLUX_GRAY_LUMINANCE:
              result = luminance;
              if (decode)
                {
                  gboolean tie;

                  result = ref_nearest (gray, m, luminance, &tie);
                  if (doubtful)
                    doubtful[y * width + x] = tie;
                }
              break;
            case ISOLUX_GRAY_LIGHTNESS:
              exact = ref_lightness (luminance);
              if (type == ISOLUX_TYPE_F32)
                result = (gdouble) (gfloat) exact;
              else
                result = (gdouble) floorl (exact * maximum + 0.5L);
              if (isnan (luminance))
                result = NAN;
              else if (doubtful)
                doubtful[y * width + x] =
                  ref_is_doubtful (type == ISOLUX_TYPE_F32 ? exact
                                                           : exact * maximum,
                                   type);
              break;
            case ISOLUX_GRAY_AVERAGE:
              result = ((c[0] + c[1]) + c[2]) / 3.0;
              if (type != ISOLUX_TYPE_F32)
                result = floor (result + 0.5);
              break;
            case ISOLUX_GRAY_MAXIMUM:
              result = c[0] > c[1] ? c[0] : c[1];
              result = result > c[2] ? result : c[2];
              break;
          }
        if (isnan (c[0]) || isnan (c[1]) || isnan (c[2]))
          result = NAN;

        /* in place: alpha first, then over the colors */
        if (ref_alpha (source) && ref_alpha (destination))
          ref_copy_component (source, 3, destination, colors, x, y);
        else if (ref_alpha (destination))
          ref_put (destination, x, y, colors, maximum);
        for (i = 0; i < colors; i++)
          ref_put (destination, x, y, i, result);
      }
  g_free (decode);
  g_free (gray);
}

/* ---- What counts ------------------------------------------------------ */

gdouble
ref_finite (gdouble v)
{
  return v > FLT_MAX ? FLT_MAX : v < -FLT_MAX ? -FLT_MAX : v;
}

/* An infinite component counts as infinite, on the side where the luma with
 * the largest finite number in its place lies. */
gdouble
ref_luma (const RefImage *image,
          gint64          x,
          gint64          y,
          const gdouble   weights[3],
          gboolean        finite)
{
  gdouble c[3], sum;
  gint    whole[3];
  gint    i;

  for (i = 0; i < 3; i++)
    c[i] = ref_get (image, x, y, i);
  if (image->image.type != ISOLUX_TYPE_F32)
    {
      ref_weights (weights, whole);
      return floor ((whole[0] * c[0] + whole[1] * c[1] + whole[2] * c[2] +
                     16384.0) /
                    32768.0);
    }
  if (isnan (c[0]) || isnan (c[1]) || isnan (c[2]))
    return NAN;
  sum = (weights[0] * ref_finite (c[0]) + weights[1] * ref_finite (c[1])) +
        weights[2] * ref_finite (c[2]);
  if (! finite && (isinf (c[0]) || isinf (c[1]) || isinf (c[2])))
    return sum > 0.0 ? INFINITY : -INFINITY;
  return sum;
}

/* channel: -1 luma, else a component */
static gdouble
ref_value (const RefImage *image,
           gint64          x,
           gint64          y,
           gint            channel,
           const gdouble   weights[3])
{
  return channel < 0 ? ref_luma (image, x, y, weights, FALSE)
                     : ref_get (image, x, y, channel);
}

static gint
ref_bits_of (gdouble largest)
{
  gint bits = 8;

  while (bits < 16 && largest > ldexp (1.0, bits) - 1.0)
    bits++;
  return bits;
}

static gint
ref_bin (IsoluxType type,
         gint       bits,
         gint       bins,
         gdouble    low,
         gdouble    high,
         gdouble    v)
{
  gdouble t;

  if (type != ISOLUX_TYPE_F32)
    {
      const gint codes = 1 << bits;
      const gint code = v >= codes ? codes - 1 : (gint) v;

      return (gint) ((gint64) code * bins / codes);
    }
  if (! (low < high))
    return 0;
  if (v >= high)
    return bins - 1;
  if (v <= low)
    return 0;
  t = floor ((v - low) * (bins / (high - low)));
  return t >= bins ? bins - 1 : (gint) t;
}

typedef struct
{
  gint    channels;
  gint    component[3]; /* -1: luma */
  gint    ignore_alpha;
  gdouble minimum[3], maximum[3];
  gdouble largest; /* of all that counts */
} RefScan;

static void
ref_scan (const RefImage *image, RefScan *scan, const gdouble weights[3])
{
  gint64 x, y;
  gint   i;

  scan->largest = 0.0;
  for (i = 0; i < scan->channels; i++)
    {
      scan->minimum[i] = INFINITY;
      scan->maximum[i] = -INFINITY;
      for (y = 0; y < image->image.height; y++)
        for (x = 0; x < image->image.width; x++)
          {
            gdouble v;

            if (! ref_in_region (image, x, y) ||
                (! scan->ignore_alpha && ! ref_has_alpha (image, x, y)))
              continue;
            v = ref_value (image, x, y, scan->component[i], weights);
            if (isnan (v) || isinf (v))
              continue;
            scan->minimum[i] = MIN (scan->minimum[i], v);
            scan->maximum[i] = MAX (scan->maximum[i], v);
            scan->largest = MAX (scan->largest, v);
          }
    }
}

static guint64
ref_count (const RefImage *image,
           const RefScan  *scan,
           gint            channel,
           const gdouble   weights[3],
           gint            bits,
           gint            bins,
           gdouble         low,
           gdouble         high,
           guint64        *counts)
{
  guint64 total = 0;
  gint64  x, y;

  for (y = 0; y < image->image.height; y++)
    for (x = 0; x < image->image.width; x++)
      {
        gdouble v;

        if (! ref_in_region (image, x, y) ||
            (! scan->ignore_alpha && ! ref_has_alpha (image, x, y)))
          continue;
        v = ref_value (image, x, y, scan->component[channel], weights);
        if (isnan (v))
          continue;
        counts[ref_bin (image->image.type, bits, bins, low, high, v)]++;
        total++;
      }
  return total;
}

static gint
ref_find_bits (const RefImage *image, gdouble largest)
{
  if (image->image.type == ISOLUX_TYPE_U8)
    return 8;
  if (image->image.type == ISOLUX_TYPE_F32)
    return 0;
  return image->image.bits ? image->image.bits : ref_bits_of (largest);
}

void
ref_histogram (const RefImage               *image,
               const IsoluxHistogramOptions *options,
               RefHistogram                 *h)
{
  const gboolean f32 = image->image.type == ISOLUX_TYPE_F32;
  RefScan        scan = { 1, { 0, 1, 2 }, FALSE };
  gint           i;

  switch (options->channel)
    {
      case ISOLUX_CHANNEL_LUMA:
        scan.component[0] = ref_colors (image) == 3 ? -1 : 0;
        break;
      case ISOLUX_CHANNEL_EACH:
        scan.channels = ref_colors (image);
        break;
      case ISOLUX_CHANNEL_RED:
      case ISOLUX_CHANNEL_GREEN:
      case ISOLUX_CHANNEL_BLUE:
        if (ref_colors (image) == 3)
          scan.component[0] = (gint) options->channel - ISOLUX_CHANNEL_RED;
        break;
      case ISOLUX_CHANNEL_ALPHA:
        scan.component[0] = image->image.components - 1;
        scan.ignore_alpha = TRUE;
        break;
    }
  ref_scan (image, &scan, options->weights);

  h->channels = scan.channels;
  h->bits = ref_find_bits (image, scan.largest);
  h->bins = options->bins;
  if (h->bins == 0)
    h->bins = f32 ? 65536 : 1 << h->bits;
  else if (! f32)
    h->bins = MIN (h->bins, 1 << h->bits);
  h->low = 0.0;
  h->high = f32 ? 0.0 : (1 << h->bits) - 1.0;
  if (f32 && options->low < options->high)
    {
      h->low = options->low;
      h->high = options->high;
    }
  else if (f32)
    {
      gdouble low = INFINITY, high = -INFINITY;

      for (i = 0; i < scan.channels; i++)
        {
          low = MIN (low, scan.minimum[i]);
          high = MAX (high, scan.maximum[i]);
        }
      if (low <= high)
        {
          h->low = low;
          h->high = high;
        }
    }
  h->counts = g_new0 (guint64, (gsize) h->channels * h->bins);
  for (i = 0; i < 3; i++)
    {
      h->total[i] = 0;
      h->minimum[i] = h->maximum[i] = 0.0;
    }
  for (i = 0; i < h->channels; i++)
    {
      h->total[i] = ref_count (image, &scan, i, options->weights, h->bits,
                               h->bins, h->low, h->high,
                               h->counts + (gsize) i * h->bins);
      if (scan.minimum[i] <= scan.maximum[i])
        {
          h->minimum[i] = scan.minimum[i];
          h->maximum[i] = scan.maximum[i];
        }
    }
}

void
ref_histogram_clear (RefHistogram *histogram)
{
  g_clear_pointer (&histogram->counts, g_free);
}

gdouble
ref_uniformity (const guint64 *counts, gint bins)
{
  guint64 total = 0, sum = 0;
  Wide    most = 0;
  gint    k;

  for (k = 0; k < bins; k++)
    total += counts[k];
  if (total == 0)
    return 0.0;
  for (k = 0; k < bins; k++)
    {
      Wide a, b;

      sum += counts[k];
      a = (Wide) sum * bins;
      b = (Wide) total * (k + 1);
      a = a > b ? a - b : b - a;
      most = MAX (most, a);
    }
  return (gdouble) most / ((gdouble) total * bins);
}

/* ---- Tables ----------------------------------------------------------- */

gboolean
ref_table (IsoluxType     type,
           const guint64 *counts,
           gint           bins,
           gdouble        clip_limit,
           gdouble        skip_threshold,
           gpointer       entries)
{
  Wide     total = 0, excess = 0, sum, base, rest, limit = 0;
  gboolean cut = FALSE;
  gint     first = -1;
  gint     k;

  for (k = 0; k < bins; k++)
    {
      if (counts[k] && first < 0)
        first = k;
      total += counts[k];
    }
  if (total == 0 || counts[first] == total)
    return TRUE;
  if (skip_threshold > 0.0 && ref_uniformity (counts, bins) <= skip_threshold)
    return TRUE;

  if (clip_limit > 0.0)
    {
      const gdouble l = clip_limit * ((gdouble) total / bins) * 65536.0;

      if (l < 9e18)
        {
          limit = (Wide) l;
          for (k = 0; k < bins; k++)
            if ((Wide) counts[k] * 65536 > limit)
              {
                excess += (Wide) counts[k] * 65536 - limit;
                cut = TRUE;
              }
        }
    }

  if (! cut)
    {
      base = counts[first];
      rest = total - base;
      for (sum = 0, k = 0; k < bins; k++)
        {
          guint64 above;

          sum += counts[k];
          above = k <= first ? 0 : (guint64) (sum - base);
          if (type == ISOLUX_TYPE_U8)
            {
              const gfloat scale = 255.0f / (gfloat) (guint64) rest;
              const gfloat v = rintf ((gfloat) above * scale);

              ((guint8 *) entries)[k] = (guint8) MIN (v, 255.0f);
            }
          else if (type == ISOLUX_TYPE_U16)
            {
              const gdouble scale = 65535.0 / (gdouble) (guint64) rest;
              const gdouble v = rint ((gdouble) above * scale);

              ((guint16 *) entries)[k] = (guint16) MIN (v, 65535.0);
            }
          else
            {
              const gdouble scale = 1.0 / (gdouble) (guint64) rest;
              const gdouble v = (gdouble) above * scale;

              ((gfloat *) entries)[k] = (gfloat) MIN (v, 1.0);
            }
        }
      return FALSE;
    }

  /* in 1/65536: the cumulative count is that of the cut bins and of the
   * share of the excess that all bins up to here get */
  base = 0;
  for (sum = 0, k = 0; k < bins; k++)
    {
      const gdouble most = ref_maximum (type);
      Wide          s;
      gdouble       v;

      sum += MIN ((Wide) counts[k] * 65536, limit);
      s = sum + excess * (Wide) (k + 1) / (Wide) bins;
      if (k == first)
        base = s;
      rest = total * 65536 - base;
      v = 0.0;
      if (k > first)
        v = (gdouble) (guint64) (s - base) * (most / (gdouble) (guint64) rest);
      if (type != ISOLUX_TYPE_F32)
        v = rint (v);
      v = MIN (v, most);
      if (type == ISOLUX_TYPE_U8)
        ((guint8 *) entries)[k] = (guint8) v;
      else if (type == ISOLUX_TYPE_U16)
        ((guint16 *) entries)[k] = (guint16) v;
      else
        ((gfloat *) entries)[k] = (gfloat) v;
    }
  return FALSE;
}

/* ---- Applying --------------------------------------------------------- */

static gdouble
ref_entry (IsoluxType type, gconstpointer entries, gsize k)
{
  switch (type)
    {
      case ISOLUX_TYPE_U8:
        return ((const guint8 *) entries)[k];
      case ISOLUX_TYPE_U16:
        return ((const guint16 *) entries)[k];
      case ISOLUX_TYPE_F32:
        break;
    }
  return ((const gfloat *) entries)[k];
}

/* Moves the luma of a color from from to to; chroma shortened as needed. */
void
ref_move (IsoluxType    type,
          const gdouble in[3],
          gdouble       from,
          gdouble       to,
          gdouble       out[3])
{
  const gdouble maximum = ref_maximum (type);
  gint          i;

  if (type == ISOLUX_TYPE_F32)
    {
      gdouble factor = 1.0;

      to = CLAMP (to, 0.0, 1.0);
      for (i = 0; i < 3; i++)
        {
          const gdouble d = ref_finite (in[i]) - from;

          if (d > 0.0 && d > 1.0 - to)
            factor = MIN (factor, (1.0 - to) / d);
          if (d < 0.0 && -d > to)
            factor = MIN (factor, to / -d);
        }
      for (i = 0; i < 3; i++)
        {
          const gdouble v = to + factor * (ref_finite (in[i]) - from);

          out[i] = CLAMP (v, 0.0, 1.0);
        }
    }
  else
    {
      gint64 numerator = 1, denominator = 1;

      for (i = 0; i < 3; i++)
        {
          const gint64 d = (gint64) (in[i] - from);
          const gint64 room = (gint64) (d > 0 ? maximum - to : to);

          if (d != 0 && room * denominator < numerator * ABS (d))
            {
              numerator = room;
              denominator = ABS (d);
            }
        }
      for (i = 0; i < 3; i++)
        {
          const gint64  d = (gint64) (in[i] - from) * numerator;
          const gdouble shift =
            (gdouble) ((2 * ABS (d) + denominator) / (2 * denominator));

          out[i] = d < 0 ? to - shift : to + shift;
        }
    }
}

/* One pixel through tables. */
typedef struct
{
  gint          channels; /* 1 for gray or luma */
  gint          bins[3];
  gint          bits[3];
  gdouble       low[3], high[3];
  gboolean      identity[3];
  gconstpointer entries[3];
} RefTables;

static void
ref_apply (const RefImage  *source,
           const RefImage  *destination,
           const RefTables *tables,
           const gdouble    weights[3])
{
  const IsoluxType type = source->image.type;
  gint64           x, y;
  gint             i;

  for (y = 0; y < source->image.height; y++)
    for (x = 0; x < source->image.width; x++)
      {
        const gint colors = ref_colors (source);
        gdouble    in[3], out[3];
        gint       changed = 0;

        for (i = 0; i < colors; i++)
          in[i] = ref_get (source, x, y, i);
        if (ref_in_region (source, x, y) && ref_has_alpha (source, x, y))
          {
            if (colors == 3 && tables->channels == 1)
              {
                const gdouble v = ref_luma (source, x, y, weights, FALSE);

                if (! isnan (v) && ! tables->identity[0])
                  {
                    const gint k = ref_bin (type, tables->bits[0],
                                            tables->bins[0], tables->low[0],
                                            tables->high[0], v);

                    ref_move (type, in, ref_luma (source, x, y, weights, TRUE),
                              ref_entry (type, tables->entries[0], k), out);
                    changed = 7;
                  }
              }
            else
              for (i = 0; i < colors; i++)
                if (! isnan (in[i]) && ! tables->identity[i])
                  {
                    const gint k = ref_bin (type, tables->bits[i],
                                            tables->bins[i], tables->low[i],
                                            tables->high[i], in[i]);

                    out[i] = ref_entry (type, tables->entries[i], k);
                    changed |= 1 << i;
                  }
          }
        for (i = 0; i < source->image.components; i++)
          if (changed & 1 << i)
            ref_put (destination, x, y, i, out[i]);
          else
            ref_copy_component (source, i, destination, i, x, y);
      }
}

gboolean
ref_equalize (const RefImage              *source,
              const RefImage              *destination,
              const IsoluxEqualizeOptions *options)
{
  const IsoluxType type = source->image.type;
  const gboolean   luma = ref_colors (source) == 3 &&
                        options->channels == ISOLUX_EQUALIZE_LUMA;
  RefScan   scan = { 1, { 0, 1, 2 }, FALSE };
  RefTables tables = { 0 };
  gboolean  unchanged = TRUE;
  gint      i;

  scan.channels = luma ? 1 : ref_colors (source);
  if (luma)
    scan.component[0] = -1;
  ref_scan (source, &scan, options->weights);

  /* the bits are found out over all channels; else each is on its own: its
   * range, its table */
  tables.channels = scan.channels;
  for (i = 0; i < scan.channels; i++)
    {
      const gint bits = ref_find_bits (source, scan.largest);
      const gint bins = type == ISOLUX_TYPE_F32 ? 65536 : 1 << bits;
      guint64   *counts = g_new0 (guint64, bins);
      gpointer   entries = g_malloc0 ((gsize) bins * ref_size (type));

      tables.bits[i] = bits;
      tables.bins[i] = bins;
      tables.entries[i] = entries;
      if (scan.minimum[i] < scan.maximum[i])
        {
          tables.low[i] = scan.minimum[i];
          tables.high[i] = scan.maximum[i];
        }
      ref_count (source, &scan, i, options->weights, bits, bins, tables.low[i],
                 tables.high[i], counts);
      tables.identity[i] = ref_table (type, counts, bins, options->clip_limit,
                                      options->skip_threshold, entries);
      unchanged = unchanged && tables.identity[i];
      g_free (counts);
    }
  ref_apply (source, destination, &tables, options->weights);
  for (i = 0; i < scan.channels; i++)
    g_free ((gpointer) tables.entries[i]);
  return unchanged;
}

void
ref_lut_apply (const RefImage  *source,
               const RefImage  *destination,
               const IsoluxLut *lut,
               const gdouble    weights[3])
{
  RefTables tables = { 0 };
  gint      i;

  tables.channels = lut->channels;
  for (i = 0; i < 3; i++)
    {
      tables.bins[i] = lut->bins;
      tables.bits[i] = lut->type == ISOLUX_TYPE_U8 ? 8 : lut->bits;
      if (i < lut->channels)
        tables.entries[i] = (const guint8 *) lut->entries +
                            (gsize) i * lut->bins * ref_size (lut->type);
      tables.low[i] = lut->low;
      tables.high[i] = lut->high;
      tables.identity[i] = lut->identity[i];
    }
  ref_apply (source, destination, &tables, weights);
}
