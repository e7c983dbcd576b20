/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What decides in the contrast map: tiles, their measures, and what a pixel
 * between the middles of tiles gets.
 */
#ifndef ISOLUX_CONTRAST_RULES_H
#define ISOLUX_CONTRAST_RULES_H

#include "value-rules.h"
#include "window-rules.h"

#define ISOLUX_CONTRAST_BINS 256

/* IsoluxContrastMeasure, which kernels cannot see. */
#define ISOLUX_PLAN_ENTROPY 0
#define ISOLUX_PLAN_DEVIATION 1
#define ISOLUX_PLAN_RANGE 2

/*
 * bits: of the codes; f32 is measured in 16 bits from low on, see
 * isolux_bin_f32().  maximum: see isolux_picture_maximum().
 */
typedef struct
{
  int32_t       measure;
  int32_t       colored; /* three colors in the destination */
  int32_t       bits;
  int64_t       tile;
  int64_t       tiles_x, tiles_y;
  double        low, scale;
  double        maximum;
  IsoluxWeights weights;
} IsoluxContrastPlan;

/* ---- Tiles ----------------------------------------------------------- */

/* A rest of less than half a tile belongs to the last one. */
ISOLUX_RULE int64_t
isolux_contrast_tiles (int64_t size, int64_t tile)
{
  const int64_t n = size / tile + (2 * (size % tile) >= tile ? 1 : 0);

  return n > 1 ? n : 1;
}

/* The first pixel of a tile; of the one behind the last, size. */
ISOLUX_RULE int64_t
isolux_contrast_begin (int64_t k, int64_t tiles, int64_t tile, int64_t size)
{
  return k < tiles ? k * tile : size;
}

/* Twice the place of a tile's middle, where pixel x reaches from x to x + 1. */
ISOLUX_RULE int64_t
isolux_contrast_middle (int64_t k, int64_t tiles, int64_t tile, int64_t size)
{
  return isolux_contrast_begin (k, tiles, tile, size) +
         isolux_contrast_begin (k + 1, tiles, tile, size);
}

/* The tiles whose middles lie before and behind a pixel, and the weight of
 * the one behind. */
typedef struct
{
  int64_t before, behind;
  double  weight;
} IsoluxContrastPlace;

ISOLUX_RULE IsoluxContrastPlace
isolux_contrast_place (int64_t x, int64_t tiles, int64_t tile, int64_t size)
{
  const int64_t       at = 2 * x + 1;
  IsoluxContrastPlace p;
  int64_t             first, second;

  p.before = p.behind = 0;
  p.weight = 0.0;
  if (tiles < 2 || at <= tile)
    return p;
  p.before = (at - tile) / (2 * tile);
  p.before = p.before < tiles - 2 ? p.before : tiles - 2;
  p.behind = p.before + 1;
  first = isolux_contrast_middle (p.before, tiles, tile, size);
  second = isolux_contrast_middle (p.behind, tiles, tile, size);
  p.weight = at < second ? (double) (at - first) / (double) (second - first)
                         : 1.0;
  return p;
}

/* ---- Measures -------------------------------------------------------- */

ISOLUX_RULE uint32_t
isolux_contrast_code (const IsoluxContrastPlan *p, double v, int real)
{
  const uint32_t last = (1u << p->bits) - 1u;

  if (real)
    return (uint32_t) isolux_bin_f32 (v, p->low, p->scale, 65536);
  return v < (double) last ? (uint32_t) v : last;
}

ISOLUX_RULE uint32_t
isolux_contrast_bin (const IsoluxContrastPlan *p, uint32_t code)
{
  return code >> (p->bits - 8);
}

/* distance: from the middle of the codes; squares of 2^33 pixels fit. */
typedef struct
{
  uint64_t n;
  uint64_t squares;
  int64_t  distance;
  uint32_t least, most;
} IsoluxContrastSums;

ISOLUX_RULE void
isolux_contrast_add (const IsoluxContrastPlan *p,
                     IsoluxContrastSums       *s,
                     uint32_t                  code)
{
  const int64_t d = (int64_t) code - ((int64_t) 1 << (p->bits - 1));

  s->n++;
  s->distance += d;
  s->squares += (uint64_t) (d * d);
  s->least = code < s->least ? code : s->least;
  s->most = code > s->most ? code : s->most;
}

/* A tile's measure, 0 .. 1; negative when nothing counts. */
ISOLUX_RULE double
isolux_contrast_spread (const IsoluxContrastPlan *p,
                        const IsoluxContrastSums *s)
{
  const double range = (double) ((1u << p->bits) - 1u);
  double       mean, variance, v;

  if (s->n == 0)
    return -1.0;
  if (s->least == s->most)
    return 0.0;
  if (p->measure == ISOLUX_PLAN_RANGE)
    return (double) (s->most - s->least) / range;
  mean = (double) s->distance / (double) s->n;
  variance = (double) s->squares / (double) s->n - mean * mean;
  v = variance > 0.0 ? sqrt (variance) / (range / 2.0) : 0.0;
  return v < 1.0 ? v : 1.0;
}

/* What a bin adds; the bins are added as a tree, 128 apart first. */
ISOLUX_RULE double
isolux_contrast_term (uint64_t count)
{
  return count > 1 ? (double) count * isolux_log2 ((double) count) : 0.0;
}

ISOLUX_RULE double
isolux_contrast_entropy (uint64_t n, double terms)
{
  double all, v;

  if (n == 0)
    return -1.0;
  all = isolux_contrast_term (n);
  v = (all - terms) / (double) n / 8.0;
  return v > 0.0 ? (v < 1.0 ? v : 1.0) : 0.0;
}

/* ---- The picture ----------------------------------------------------- */

/* From the measures of four tiles, of which those where nothing counts are
 * left out. */
ISOLUX_RULE double
isolux_contrast_blend (const double              *measures,
                       int64_t                    tiles_x,
                       const IsoluxContrastPlace *x,
                       const IsoluxContrastPlace *y)
{
  const double *above = measures + y->before * tiles_x;
  const double *below = measures + y->behind * tiles_x;
  const double  values[4] = { above[x->before], above[x->behind],
                              below[x->before], below[x->behind] };
  const double  weights[4] = { (1.0 - x->weight) * (1.0 - y->weight),
                               x->weight * (1.0 - y->weight),
                               (1.0 - x->weight) * y->weight,
                               x->weight * y->weight };
  double        sum = 0.0, weight = 0.0;
  int           i;

  for (i = 0; i < 4; i++)
    if (values[i] >= 0.0)
      {
        sum += values[i] * weights[i];
        weight += weights[i];
      }
  if (! (weight > 0.0))
    return 0.0;
  sum /= weight;
  return sum < 1.0 ? sum : 1.0;
}

/* A component of the color of a measure, 0 .. 1; colors: 256 of them. */
ISOLUX_RULE double
isolux_contrast_color (const uint16_t (*colors)[3], double v, int component)
{
  const double at = v * 255.0;
  const int    k = at < 254.0 ? (int) at : 254;
  const double a = (double) colors[k][component];
  const double b = (double) colors[k + 1][component];

  return (a + (b - a) * (at - (double) k)) / 65535.0;
}

#endif /* ISOLUX_CONTRAST_RULES_H */
