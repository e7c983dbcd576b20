/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What decides in CLAHE: tiles, bins, the table of a tile, and the weights
 * of the four tables that a pixel lies between.  Geometry and single
 * precision follow cv2.createCLAHE operation by operation.
 */
#ifndef ISOLUX_CLAHE_RULES_H
#define ISOLUX_CLAHE_RULES_H

#include "rules.h"

/* ---- Tiles -------------------------------------------------------------- */

/* inverse: 1 / the tile's side, rounded once. */
typedef struct
{
  int64_t width, height; /* of the image */
  int64_t tile_width, tile_height;
  int32_t tiles_x, tiles_y;
  float   inverse_x, inverse_y;
} IsoluxGrid;

/*
 * When one side of the image is no multiple of its tiles, both sides are
 * continued to the next greater multiple: tiles of a side that divides grow
 * by a pixel, too.
 */
ISOLUX_RULE IsoluxGrid
isolux_grid (int64_t width, int64_t height, int tiles_x, int tiles_y)
{
  const int  rest = width % tiles_x != 0 || height % tiles_y != 0;
  IsoluxGrid g;

  g.width = width;
  g.height = height;
  g.tile_width = width / tiles_x + rest;
  g.tile_height = height / tiles_y + rest;
  g.tiles_x = tiles_x;
  g.tiles_y = tiles_y;
  g.inverse_x = 1.0f / (float) g.tile_width;
  g.inverse_y = 1.0f / (float) g.tile_height;
  return g;
}

/* Where a pixel beyond the edge is taken from: mirrored, the edge itself
 * not repeated.  at: 2 * (size - 1) at most. */
ISOLUX_RULE int64_t
isolux_reflect_once (int64_t at, int64_t size)
{
  return at < size ? at : 2 * (size - 1) - at;
}

/* The same back and forth as often as needed. */
ISOLUX_RULE int64_t
isolux_reflect (int64_t at, int64_t size)
{
  if (at < size)
    return at;
  if (size == 1)
    return 0;
  return isolux_reflect_once (at % (2 * (size - 1)), size);
}

/* The place of a pixel among the middles of the tiles: the middle of tile k
 * is at about k.  At least -0.5. */
ISOLUX_RULE float
isolux_place (int64_t at, float inverse)
{
  return (float) at * inverse - 0.5f;
}

/*
 * The tiles before and behind a pixel, and the weight of the one behind: the
 * whole part of the place says which, its fraction is the weight; before the
 * first middle and behind the last one both are the same tile.
 */
typedef struct
{
  int   before, behind;
  float weight;
} IsoluxBetween;

ISOLUX_RULE IsoluxBetween
isolux_between (float place, int whole, int tiles)
{
  IsoluxBetween b;

  b.before = whole < 0 ? 0 : whole < tiles ? whole : tiles - 1;
  b.behind = whole + 1 < tiles ? whole + 1 : tiles - 1;
  b.weight = place - (float) whole;
  return b;
}

/*
 * Pixels of one side between two middles are a cell; there is one more than
 * there are tiles, and the places in cell i have the whole part i - 1.
 * Returns the first pixel of a cell, size when it has none.
 */
ISOLUX_RULE int64_t
isolux_cell_begin (int     cell,
                   int     tiles,
                   float   inverse,
                   int64_t tile,
                   int64_t size)
{
  int64_t middle, slack, low, high;

  if (cell <= 0)
    return 0;
  if (cell > tiles)
    return size;
  middle = (2 * (int64_t) cell - 1) * tile / 2;
  slack = 2 + (middle >> 20); /* four times what single precision is off */
  low = middle - slack < 0 ? 0 : middle - slack;
  low = low < size ? low : size;
  high = middle + slack < size ? middle + slack : size;
  while (low < high)
    {
      const int64_t at = low + (high - low) / 2;

      if (isolux_place (at, inverse) >= (float) (cell - 1))
        high = at;
      else
        low = at + 1;
    }
  return low;
}

/* One number from four, in the order of cv2. */
ISOLUX_RULE float
isolux_blend (float a, float b, float c, float d, float x, float y)
{
  const float x1 = 1.0f - x, y1 = 1.0f - y;

  return (a * x1 + b * x) * y1 + (c * x1 + d * x) * y;
}

/* To the nearest whole number, halves to even; for 0 .. 2^22. */
ISOLUX_RULE float
isolux_round_f32 (float v)
{
  return (v + 12582912.0f) - 12582912.0f;
}

/* The same as a whole number of 16 bits: the sum's last ones. */
ISOLUX_RULE uint16_t
isolux_round_code (float v)
{
  uint32_t bits;

  v += 12582912.0f;
  memcpy (&bits, &v, sizeof bits);
  return (uint16_t) bits;
}

ISOLUX_RULE uint32_t
isolux_blend_code (float v, uint32_t maximum)
{
  const uint32_t code = (uint32_t) (int32_t) isolux_round_f32 (v);

  return code < maximum ? code : maximum;
}

ISOLUX_RULE float
isolux_blend_f32 (float v)
{
  return v < 0.0f ? 0.0f : v > 1.0f ? 1.0f : v;
}

/* ---- Bins --------------------------------------------------------------- */

/* How many bins a tile may have that shall hold each pixels of its pixels in
 * the mean: a power of two from 256 to 65536. */
ISOLUX_RULE int
isolux_tile_bins (int64_t pixels, int each)
{
  int bins = 256;

  while (bins < 65536 && 2 * (int64_t) bins * each <= pixels)
    bins *= 2;
  return bins;
}

/* The last code of so many significant bits, and beyond it. */
ISOLUX_RULE uint32_t
isolux_code_within (uint32_t code, int bits)
{
  const uint32_t last = (1u << bits) - 1u;

  return code < last ? code : last;
}

/* How many bits less than a code its bin's number has. */
ISOLUX_RULE int
isolux_bin_shift (int bits, int bins)
{
  int shift = 0;

  while (bins << shift < 1 << bits)
    shift++;
  return shift;
}

/*
 * Where a bin holds several codes, each has a share of what the bin adds to
 * the cumulative count: as if the codes from the least to the largest one of
 * the bin that occur in the image had come equally often.  So no level is
 * lost, and where but one code of a bin occurs it is as if it had the bin
 * alone.
 */
ISOLUX_RULE float
isolux_code_share (uint32_t code, uint32_t least, uint32_t most)
{
  return (float) (code - least + 1u) / (float) (most - least + 1u);
}

/* The bin of a value, see isolux_bin_f32(), and how far into it the value
 * is. */
ISOLUX_RULE void
isolux_value_share (double v,
                    double low,
                    double scale,
                    int    bins,
                    int   *bin,
                    float *share)
{
  const double t = (v - low) * scale;

  *bin = 0;
  *share = 0.0f;
  if (t >= (double) bins)
    {
      *bin = bins - 1;
      *share = 1.0f;
    }
  else if (t > 0.0)
    {
      *bin = (int) t;
      *share = (float) (t - (double) *bin);
    }
}

/* before: the entry of the bin before, 0 for the first one. */
ISOLUX_RULE float
isolux_share (float before, float entry, float share)
{
  return before + (entry - before) * share;
}

/* ---- The table of a tile ------------------------------------------------ */

/*
 * Two ways.  whole: cv2's, in whole counts: the limit is cut down to one, at
 * least 1, and of what it cuts off the rest of an even share goes to every
 * step-th bin, one each.  Else counts are in 1/65536 and all is shared out
 * evenly.
 */
typedef struct
{
  uint64_t limit;
  uint64_t even;     /* of what the limit cuts off, an even share */
  uint32_t residual; /* and what that leaves */
  uint32_t step;
  double   scale; /* of a cumulative count to the maximum */
  int32_t  shift; /* 2^shift bins */
  int32_t  whole;
} IsoluxTileTerms;

ISOLUX_RULE uint64_t
isolux_tile_limit (int whole, double clip_limit, uint64_t pixels, int bins)
{
  uint64_t limit;

  if (! whole)
    return isolux_clip_count (clip_limit, pixels, bins);
  if (! (clip_limit > 0.0))
    return UINT64_MAX;
  /* at most 65536 * 2^47 / 256 */
  limit = (uint64_t) (clip_limit * (double) pixels / (double) bins);
  return limit ? limit : 1;
}

ISOLUX_RULE uint64_t
isolux_tile_kept (int whole, uint64_t count, uint64_t limit)
{
  if (! whole)
    return isolux_clipped (count, limit);
  return count < limit ? count : limit;
}

/* Of a cumulative count to the maximum; pixels is not 0. */
ISOLUX_RULE double
isolux_tile_scale (int whole, uint64_t pixels, double maximum)
{
  return whole ? (double) ((float) maximum / (float) pixels)
               : maximum / (double) (pixels << ISOLUX_FIXED_SHIFT);
}

/* With 2^shift bins and a scale that are known. */
ISOLUX_RULE IsoluxTileTerms
isolux_tile_terms_of (int      whole,
                      uint64_t pixels,
                      uint64_t limit,
                      uint64_t kept,
                      int      shift,
                      double   scale)
{
  const uint64_t  total = whole ? pixels : pixels << ISOLUX_FIXED_SHIFT;
  const uint64_t  excess = total - kept;
  const uint32_t  bins = 1u << shift;
  IsoluxTileTerms t;

  t.limit = limit;
  t.shift = shift;
  t.even = excess >> shift;
  t.residual = (uint32_t) (excess & (bins - 1u));
  t.step = t.residual ? bins / t.residual : 1;
  t.scale = scale;
  t.whole = whole;
  return t;
}

/* kept: the sum of isolux_tile_kept() over the bins; pixels is not 0. */
ISOLUX_RULE IsoluxTileTerms
isolux_tile_terms (int      whole,
                   uint64_t pixels,
                   uint64_t limit,
                   uint64_t kept,
                   int      bins,
                   double   maximum)
{
  int shift = 0;

  while (1 << shift < bins)
    shift++;
  return isolux_tile_terms_of (whole, pixels, limit, kept, shift,
                               isolux_tile_scale (whole, pixels, maximum));
}

/* The cumulative count of a bin, from that of isolux_tile_kept(). */
ISOLUX_RULE uint64_t
isolux_tile_sum (const IsoluxTileTerms *t, uint64_t kept, int bin)
{
  uint64_t more = (uint64_t) bin + 1;

  kept += t->even * more;
  if (! t->whole)
    return kept + (t->residual * more >> t->shift);
  more = (uint32_t) bin / t->step + 1;
  return kept + (more < t->residual ? more : t->residual);
}

ISOLUX_RULE uint32_t
isolux_tile_code (const IsoluxTileTerms *t, uint64_t sum, uint32_t maximum)
{
  const double v = t->whole ? (double) rintf ((float) sum * (float) t->scale)
                            : rint ((double) sum * t->scale);

  return v > (double) maximum ? maximum : (uint32_t) v;
}

ISOLUX_RULE float
isolux_tile_f32 (const IsoluxTileTerms *t, uint64_t sum)
{
  const double v = (double) sum * t->scale;

  return v > 1.0 ? 1.0f : (float) v;
}

#endif /* ISOLUX_CLAHE_RULES_H */
