/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * expect.c: what should come out, computed the slow and plain way from the
 * definitions in isolux.h.  Shares no code with Isolux.
 */
#include <math.h>
#include <string.h>

#include "test.h"

/* Differences that are noted, before there is silence */
#define NOTES 3

/* ---- One channel ---------------------------------------------------- */

/*
 * A channel and what may come out of it: anything from low to high
 */
typedef struct
{
  gsize    n;
  gdouble *values;
  guint8  *counts;
  gdouble *low;
  gdouble *high;
} Channel;

static Channel *
channel_new (gsize n)
{
  Channel *channel = g_new0 (Channel, 1);

  channel->n = n;
  channel->values = g_new0 (gdouble, n);
  channel->counts = g_new0 (guint8, n);
  channel->low = g_new0 (gdouble, n);
  channel->high = g_new0 (gdouble, n);
  return channel;
}

static void
channel_free (Channel *channel)
{
  g_free (channel->values);
  g_free (channel->counts);
  g_free (channel->low);
  g_free (channel->high);
  g_free (channel);
}

static void
expect_unchanged (Channel *channel)
{
  memcpy (channel->low, channel->values, channel->n * sizeof (gdouble));
  memcpy (channel->high, channel->values, channel->n * sizeof (gdouble));
}

static gint
bin_of (gdouble value, gint maximum, gint bins, gdouble low, gdouble high)
{
  if (maximum > 1)
    return MIN ((gint) value, bins - 1);
  if (value >= high)
    return bins - 1;
  return value > low ? (gint) ((value - low) * (bins / (high - low))) : 0;
}

/* Fills the tables of what bins may become. */
static void
make_table (const gdouble *histogram,
            gint           bins,
            gdouble        total,
            gint           first,
            gint           maximum,
            gdouble        clip_limit,
            gdouble       *low,
            gdouble       *high)
{
  gdouble limit = clip_limit > 0 ? clip_limit * total / bins : G_MAXDOUBLE;
  gdouble excess = 0;
  gdouble base = 0;
  gdouble sum = 0;

  /* counts are held in 1/65536 */
  limit = limit < 1e12 ? floor (limit * 65536) / 65536 : limit;
  for (gint k = 0; k < bins; k++)
    excess += histogram[k] > limit ? histogram[k] - limit : 0;

  for (gint k = 0; k < bins; k++)
    {
      gdouble exact;

      sum += MIN (histogram[k], limit) + excess / bins;
      if (k == first)
        base = sum;
      if (k <= first)
        {
          low[k] = high[k] = 0;
          continue;
        }

      exact = (sum - base) * maximum / (total - base);
      if (maximum == 1)
        {
          gdouble slack = excess == 0 ? 1e-6 : 1e-6 + 2.0 / 65536 / total;

          low[k] = exact - slack;
          high[k] = exact + slack;
        }
      else if (maximum == 255 && excess == 0)
        {
          /* cv2.equalizeHist */
          gfloat scale = 255.0f / (gfloat) (total - base);

          low[k] = high[k] = rintf ((gfloat) (sum - base) * scale);
        }
      else
        {
          /* halves may go either way */
          gdouble slack = excess == 0 ? 1e-6 : 2.0 * maximum / 65536 / total;

          low[k] = rint (exact - slack);
          high[k] = rint (exact + slack);
        }
    }
}

/* @bits, @from, @to: of the histogram */
static void
expect_channel (Channel *channel,
                gint     maximum,
                gint     bits,
                gdouble  from,
                gdouble  to,
                gdouble  clip_limit)
{
  gint     bins = maximum == 1 ? 65536 : 1 << bits;
  gdouble *histogram = g_new0 (gdouble, bins);
  gdouble *low = g_new0 (gdouble, bins);
  gdouble *high = g_new0 (gdouble, bins);
  gdouble  total = 0;
  gint     first = -1;

  expect_unchanged (channel);
  for (gsize i = 0; i < channel->n; i++)
    if (channel->counts[i])
      {
        histogram[bin_of (channel->values[i], maximum, bins, from, to)]++;
        total++;
      }
  for (gint k = bins - 1; k >= 0; k--)
    if (histogram[k] > 0)
      first = k;

  if (first >= 0 && histogram[first] < total && (maximum > 1 || from < to))
    {
      make_table (histogram, bins, total, first, maximum, clip_limit, low,
                  high);
      for (gsize i = 0; i < channel->n; i++)
        if (channel->counts[i])
          {
            gint bin = bin_of (channel->values[i], maximum, bins, from, to);

            channel->low[i] = low[bin];
            channel->high[i] = high[bin];
          }
    }

  g_free (histogram);
  g_free (low);
  g_free (high);
}

/* ---- Equalization --------------------------------------------------- */

/* What one step of a drawable's own type is, at most */
static gdouble
get_step (const TestPixels *pixels)
{
  const gchar *type = babl_get_name (babl_format_get_type (pixels->format, 0));

  if (pixels->maximum > 1)
    return 0;
  return strcmp (type, "half") ? 1e-6 : 1e-3;
}

/* Infinite where a component is; the others decide to which side */
static gdouble
get_luma (const TestPixels *pixels, const gdouble *color)
{
  gdouble  weights[3];
  gdouble  luma = 0;
  gboolean finite = TRUE;

  if (pixels->colors == 1)
    return color[0];

  babl_space_get_rgb_luminance (babl_format_get_space (pixels->format), weights,
                                weights + 1, weights + 2);
  for (gint c = 0; c < 3; c++)
    {
      luma += weights[c] *
              (isinf (color[c]) ? copysign (G_MAXFLOAT, color[c]) : color[c]);
      finite = finite && ! isinf (color[c]);
    }
  luma /= weights[0] + weights[1] + weights[2];
  return finite || isnan (luma) ? luma : copysign (INFINITY, luma);
}

static void
widen_range (const Channel *channel, gdouble *from, gdouble *to)
{
  for (gsize i = 0; i < channel->n; i++)
    if (channel->counts[i] && isfinite (channel->values[i]))
      {
        *from = MIN (*from, channel->values[i]);
        *to = MAX (*to, channel->values[i]);
      }
}

/* The histogram's range: bits are those of all channels, but floats have a
 * range for each */
static void
get_range (Channel **channels,
           gint      n,
           gint      maximum,
           gdouble  *from,
           gdouble  *to,
           gint     *bits)
{
  *from = G_MAXDOUBLE;
  *to = -G_MAXDOUBLE;
  for (gint c = 0; c < n; c++)
    widen_range (channels[c], from, to);

  *bits = 8;
  while (maximum == 65535 && *bits < 16 && *to >= (gdouble) (1 << *bits))
    (*bits)++;
}

static gboolean
within (gdouble value, gdouble low, gdouble high, gdouble step)
{
  if (isnan (low))
    return isnan (value);
  if (isinf (low))
    return value == low;
  return value >= low - step * (1 + fabs (low)) &&
         value <= high + step * (1 + fabs (high));
}

/* Pixels that are selected in part become a mixture. */
static gboolean
is_mixed (const guint8 *selected, gsize i)
{
  return selected && selected[i] > 0 && selected[i] < 255;
}

/* Each component stands alone, or there is just one. */
static gboolean
compare_channel (const TestPixels *before,
                 const TestPixels *after,
                 const Channel    *channel,
                 const guint8     *selected,
                 gint              c,
                 gint             *notes)
{
  gdouble  step = get_step (before);
  gboolean same = TRUE;

  for (gsize i = 0; i < channel->n; i++)
    {
      gdouble value = after->values[i * after->components + c];

      if (is_mixed (selected, i) ||
          within (value, channel->low[i], channel->high[i], step))
        continue;
      same = FALSE;
      if ((*notes)++ < NOTES)
        test_note ("pixel %" G_GSIZE_FORMAT " component %d: %.9g became "
                   "%.9g, not %.9g .. %.9g",
                   i, c, channel->values[i], value, channel->low[i],
                   channel->high[i]);
    }
  return same;
}

/* The luma moved as its histogram says, and the color with it. */
static gboolean
compare_luma (const TestPixels *before,
              const TestPixels *after,
              const Channel    *channel,
              const guint8     *selected,
              gint             *notes)
{
  gdouble  maximum = before->maximum;
  gdouble  slack = MAX (maximum * 2e-3, maximum > 1 ? 2.0 : 0);
  gboolean same = TRUE;

  for (gsize i = 0; i < channel->n; i++)
    {
      const gdouble *in = before->values + i * before->components;
      const gdouble *out = after->values + i * after->components;
      gdouble        luma = get_luma (before, in);
      gdouble        new_luma = get_luma (after, out);
      gdouble        d[3];
      gdouble        e[3];
      gboolean       good = TRUE;
      gboolean       fits = TRUE;

      /* weights are held in 1/32768: a half may be rounded either way */
      if (maximum > 1 && fabs (luma - floor (luma) - 0.5) < maximum * 1e-4)
        continue;
      if (is_mixed (selected, i))
        continue;

      if (! channel->counts[i])
        {
          for (gint c = 0; c < 3; c++)
            good = good && (in[c] == out[c] || isnan (in[c]));
        }
      else if (! isfinite (luma))
        {
          for (gint c = 0; c < 3; c++)
            good = good && isfinite (out[c]);
        }
      else
        {
          good = within (new_luma, channel->low[i] - slack,
                         channel->high[i] + slack, get_step (before));
          for (gint c = 0; c < 3; c++)
            {
              d[c] = in[c] - luma;
              e[c] = out[c] - new_luma;
              fits = fits && channel->low[i] + d[c] >= slack &&
                     channel->high[i] + d[c] <= maximum - slack;
            }
          /* the same direction from gray, so the same hue; and the same
           * distance when there is room */
          for (gint c = 0; c < 3 && channel->low[i] != channel->values[i]; c++)
            {
              gint    o = (c + 1) % 3;
              gdouble cross = fabs (d[c] * e[o] - d[o] * e[c]);

              good = good &&
                     cross <= slack * (fabs (d[c]) + fabs (d[o]) + slack);
              good = good && (! fits || fabs (d[c] - e[c]) <= slack);
            }
        }

      if (! good)
        {
          same = FALSE;
          if ((*notes)++ < NOTES)
            test_note ("pixel %" G_GSIZE_FORMAT ": %.9g %.9g %.9g (luma %.9g) "
                       "became %.9g %.9g %.9g (luma %.9g, not %.9g)",
                       i, in[0], in[1], in[2], luma, out[0], out[1], out[2],
                       new_luma, channel->low[i]);
        }
    }
  return same;
}

gboolean
expect_equalized (const TestPixels *before,
                  const TestPixels *after,
                  const guint8     *selected,
                  gboolean          each,
                  gdouble           clip_limit)
{
  gsize    pixels = (gsize) before->width * before->height;
  gint     n = each ? before->colors : 1;
  Channel *channels[3];
  gdouble  from;
  gdouble  to;
  gint     bits;
  gint     notes = 0;
  gboolean same = TRUE;

  for (gint c = 0; c < n; c++)
    {
      channels[c] = channel_new (pixels);
      for (gsize i = 0; i < pixels; i++)
        {
          const gdouble *color = before->values + i * before->components;
          gdouble        value = each ? color[c] : get_luma (before, color);

          if (before->maximum > 1)
            value = floor (value + 0.5);
          channels[c]->values[i] = value;
          channels[c]->counts[i] = (! selected || selected[i]) &&
                                   test_pixels_alpha (before, i) > 0 &&
                                   ! isnan (value);
        }
    }

  get_range (channels, n, before->maximum, &from, &to, &bits);
  for (gint c = 0; c < n; c++)
    {
      if (before->maximum == 1)
        get_range (channels + c, 1, 1, &from, &to, &bits);
      expect_channel (channels[c], before->maximum, bits, from, to, clip_limit);
      if (n < before->colors)
        same = compare_luma (before, after, channels[c], selected, &notes) &&
               same;
      else
        same =
          compare_channel (before, after, channels[c], selected, c, &notes) &&
          same;
      channel_free (channels[c]);
    }

  if (! test_alpha_equal (before, after))
    {
      test_note ("alpha has changed");
      same = FALSE;
    }
  return same;
}

/* ---- Grayscale ------------------------------------------------------ */

static gdouble
weigh (const gdouble *color, gdouble r, gdouble g, gdouble b)
{
  return r * color[0] + g * color[1] + b * color[2];
}

/* What the methods make of codes; a half may be rounded either way */
static gdouble
gray_value (const TestPixels *pixels, const gdouble *color, const gchar *method)
{
  gboolean codes = pixels->maximum > 1;

  if (! strcmp (method, "luma-bt601"))
    {
      if (codes) /* cv2.cvtColor */
        return ((gint) color[0] * 9798ll + (gint) color[1] * 19235ll +
                (gint) color[2] * 3735ll + 16384) >>
               15;
      return weigh (color, 0.299, 0.587, 0.114);
    }
  if (! strcmp (method, "luma-bt709"))
    {
      if (codes)
        return ((gint) color[0] * 6966ll + (gint) color[1] * 23436ll +
                (gint) color[2] * 2366ll + 16384) >>
               15;
      return weigh (color, 0.2126, 0.7152, 0.0722);
    }
  if (! strcmp (method, "average"))
    {
      gdouble mean = (color[0] + color[1] + color[2]) / 3;

      return codes ? floor (mean + 0.5) : mean;
    }
  return MAX (MAX (color[0], color[1]), color[2]);
}

gboolean
expect_grayscale (const TestPixels *before,
                  const TestPixels *after,
                  const gchar      *method)
{
  gsize    pixels = (gsize) before->width * before->height;
  gdouble  step = get_step (before);
  gboolean same = TRUE;
  gint     notes = 0;

  if (before->colors == 1)
    return test_pixels_equal (before, after);

  for (gsize i = 0; i < pixels; i++)
    {
      const gdouble *in = before->values + i * before->components;
      const gdouble *out = after->values + i * after->components;
      gdouble        want = gray_value (before, in, method);
      gdouble        size = fabs (in[0]) + fabs (in[1]) + fabs (in[2]);
      gboolean       good = TRUE;

      for (gint c = 0; c < 3; c++)
        if (isnan (in[c]))
          want = NAN;
      for (gint c = 0; c < 3; c++)
        {
          if (isnan (want))
            good = good && isnan (out[c]);
          else if (isinf (want))
            good = good && out[c] == want;
          else
            good = good && fabs (out[c] - want) <= step * (1 + size);
        }

      if (! good)
        {
          same = FALSE;
          if (notes++ < NOTES)
            test_note ("pixel %" G_GSIZE_FORMAT ": %.9g %.9g %.9g became "
                       "%.9g %.9g %.9g, not %.9g",
                       i, in[0], in[1], in[2], out[0], out[1], out[2], want);
        }
    }

  if (! test_alpha_equal (before, after))
    {
      test_note ("alpha has changed");
      same = FALSE;
    }
  return same;
}
