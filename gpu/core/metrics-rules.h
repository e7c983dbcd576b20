/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What decides in comparing two images, and the order of the sums: lane x %
 * 32 adds the pixels of column x, row after row of a strip; the lanes of a
 * strip are added as a tree, the strips one after the other.  So every
 * backend gives the same numbers to the last bit.
 */
#ifndef ISOLUX_METRICS_RULES_H
#define ISOLUX_METRICS_RULES_H

#include "value-rules.h"

#define ISOLUX_METRICS_LANES 32
#define ISOLUX_METRICS_STRIPS 4096 /* at most */

/* The passes over the pixels, and what each adds up. */
#define ISOLUX_METRICS_FIRST 0  /* count, values, squared error, saturated */
#define ISOLUX_METRICS_SECOND 1 /* squared distances from the means */
#define ISOLUX_METRICS_SIMILARITY 2 /* windows, their similarity */
#define ISOLUX_METRICS_SUMS 6

#define ISOLUX_METRICS_REACH 3 /* of a window around its middle */
#define ISOLUX_METRICS_WINDOW (2 * ISOLUX_METRICS_REACH + 1)

/*
 * mask: one byte a pixel of the image, in the backend's memory, written by
 * the first pass: whether it counts.  top: the largest code of each image.
 */
typedef struct
{
  int32_t       pass;
  int64_t       strip; /* rows */
  int64_t       strips;
  uint8_t      *mask;
  double        top;
  double        mean[2];
  double        c1, c2;
  IsoluxWeights weights;
} IsoluxMetricsPlan;

ISOLUX_RULE int
isolux_metrics_counts (double a, double b)
{
  return isolux_is_finite (a) && isolux_is_finite (b);
}

ISOLUX_RULE double
isolux_metrics_saturated (double v, double top)
{
  return v <= 0.0 || v >= top ? 1.0 : 0.0;
}

/* What the pixel adds to each sum of the first pass. */
ISOLUX_RULE void
isolux_metrics_first (double a,
                      double b,
                      double top,
                      double added[ISOLUX_METRICS_SUMS])
{
  added[0] = 1.0;
  added[1] = a;
  added[2] = b;
  added[3] = (a - b) * (a - b);
  added[4] = isolux_metrics_saturated (a, top);
  added[5] = isolux_metrics_saturated (b, top);
}

/* ---- Similarity ------------------------------------------------------ */

/* Of the pixels of a column of a window, top to bottom; of a window, its
 * columns from left to right. */
typedef struct
{
  double a, b, aa, bb, ab;
} IsoluxSimilarity;

ISOLUX_RULE void
isolux_similarity_add (IsoluxSimilarity *s, double a, double b)
{
  s->a += a;
  s->b += b;
  s->aa += a * a;
  s->bb += b * b;
  s->ab += a * b;
}

ISOLUX_RULE void
isolux_similarity_join (IsoluxSimilarity *s, const IsoluxSimilarity *column)
{
  s->a += column->a;
  s->b += column->b;
  s->aa += column->aa;
  s->bb += column->bb;
  s->ab += column->ab;
}

/* The window's similarity; no finite number when a pixel is none. */
ISOLUX_RULE double
isolux_similarity (const IsoluxSimilarity *s, double c1, double c2)
{
  const double n = ISOLUX_METRICS_WINDOW * ISOLUX_METRICS_WINDOW;
  const double ma = s->a / n, mb = s->b / n;
  const double va = (n * s->aa - s->a * s->a) / (n * (n - 1.0));
  const double vb = (n * s->bb - s->b * s->b) / (n * (n - 1.0));
  const double vab = (n * s->ab - s->a * s->b) / (n * (n - 1.0));

  return ((2.0 * (ma * mb) + c1) * (2.0 * vab + c2)) /
         ((ma * ma + mb * mb + c1) * (va + vb + c2));
}

#endif /* ISOLUX_METRICS_RULES_H */
