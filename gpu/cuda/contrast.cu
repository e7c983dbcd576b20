/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The contrast map: a block measures a tile, then a thread draws a pixel.  A
 * thread reads its pixel before it writes it.
 */
#include "picture.h"

#define CONTRAST_WARPS (ISOLUX_CONTRAST_THREADS / 32)

/* No counter of 32 bits passes this many pixels of a tile. */
#define CONTRAST_MOST_PIXELS (INT64_C (1) << 31)

static __device__ const uint16_t contrast_colors[256][3] =
#include "../core/contrast-colors.h"
  ;

struct ContrastTile
{
  int64_t left, top, right, bottom;
};

__device__ __forceinline__ ContrastTile
contrast_tile (const IsoluxContrastArguments &a, int64_t i)
{
  const IsoluxContrastPlan &p = a.plan;
  const int64_t             y = i / p.tiles_x, x = i - y * p.tiles_x;
  ContrastTile              t;

  t.left = isolux_contrast_begin (x, p.tiles_x, p.tile, a.source.width);
  t.right = isolux_contrast_begin (x + 1, p.tiles_x, p.tile, a.source.width);
  t.top = isolux_contrast_begin (y, p.tiles_y, p.tile, a.source.height);
  t.bottom = isolux_contrast_begin (y + 1, p.tiles_y, p.tile, a.source.height);
  return t;
}

/* Hands the codes of this thread's pixels in the rows top .. bottom - 1 to
 * add; 2^shift threads share a row. */
template <typename T, typename Add>
__device__ __forceinline__ void
contrast_codes (const IsoluxContrastArguments &a,
                const ContrastTile            &t,
                int64_t                        top,
                int64_t                        bottom,
                Add                            add)
{
  const int across = 1 << a.shift, down = ISOLUX_CONTRAST_THREADS >> a.shift;
  const int first_x = threadIdx.x & (across - 1);
  const int first_y = threadIdx.x >> a.shift;

  for (int64_t y = top + first_y; y < bottom; y += down)
    for (int64_t x = t.left + first_x; x < t.right; x += across)
      if (isolux_pixel_counts<T> (a.source, x, y))
        add (isolux_contrast_code (&a.plan,
                                   isolux_value (a.plan.weights,
                                                 isolux_pixel<T> (a.source, x,
                                                                  y),
                                                 a.source.colors),
                                   a.source.type == ISOLUX_PLAN_F32));
}

/* ---- Entropy ----------------------------------------------------- */

template <typename T>
__device__ __forceinline__ double
contrast_entropy (const IsoluxContrastArguments &a, const ContrastTile &t)
{
  __shared__ uint32_t           counters[ISOLUX_CONTRAST_BINS];
  __shared__ double             terms[ISOLUX_CONTRAST_BINS];
  __shared__ unsigned long long total;
  const int                     k = threadIdx.x; /* as many threads as bins */
  const int64_t most = CONTRAST_MOST_PIXELS / (t.right - t.left);
  uint64_t      count = 0;

  if (k == 0)
    total = 0;
  for (int64_t top = t.top; top < t.bottom; top += most)
    {
      const int64_t bottom = top + most < t.bottom ? top + most : t.bottom;

      counters[k] = 0;
      __syncthreads ();
      contrast_codes<T> (a, t, top, bottom, [&] (uint32_t code) {
        atomicAdd (&counters[isolux_contrast_bin (&a.plan, code)], 1u);
      });
      __syncthreads ();
      count += counters[k];
    }
  terms[k] = isolux_contrast_term (count);
  if (count)
    atomicAdd (&total, (unsigned long long) count);
  __syncthreads ();
  for (int step = ISOLUX_CONTRAST_BINS / 2; step > 0; step >>= 1)
    {
      if (k < step)
        terms[k] += terms[k + step];
      __syncthreads ();
    }

  const double v = isolux_contrast_entropy ((uint64_t) total, terms[0]);

  __syncthreads (); /* before the next tile writes */
  return v;
}

/* ---- Deviation and range ----------------------------------------- */

/* Whole numbers: the order does not matter. */
__device__ __forceinline__ void
contrast_join (IsoluxContrastSums *s, const IsoluxContrastSums &other)
{
  s->n += other.n;
  s->squares += other.squares;
  s->distance += other.distance;
  s->least = other.least < s->least ? other.least : s->least;
  s->most = other.most > s->most ? other.most : s->most;
}

__device__ __forceinline__ IsoluxContrastSums
contrast_other_lane (const IsoluxContrastSums &s, int step)
{
  IsoluxContrastSums other;

  other.n = __shfl_xor_sync (0xffffffffu, (unsigned long long) s.n, step);
  other.squares =
    __shfl_xor_sync (0xffffffffu, (unsigned long long) s.squares, step);
  other.distance = __shfl_xor_sync (0xffffffffu, (long long) s.distance, step);
  other.least = __shfl_xor_sync (0xffffffffu, s.least, step);
  other.most = __shfl_xor_sync (0xffffffffu, s.most, step);
  return other;
}

/* What counts for thread 0. */
template <typename T>
__device__ __forceinline__ double
contrast_spread (const IsoluxContrastArguments &a, const ContrastTile &t)
{
  __shared__ IsoluxContrastSums warps[CONTRAST_WARPS];
  IsoluxContrastSums            s = { 0, 0, 0, 0xffffffffu, 0 };

  contrast_codes<T> (a, t, t.top, t.bottom, [&] (uint32_t code) {
    isolux_contrast_add (&a.plan, &s, code);
  });
  __syncwarp ();
  for (int step = 16; step > 0; step >>= 1)
    contrast_join (&s, contrast_other_lane (s, step));
  if ((threadIdx.x & 31) == 0)
    warps[threadIdx.x >> 5] = s;
  __syncthreads ();
  s = warps[0];
  for (int i = 1; i < CONTRAST_WARPS; i++)
    contrast_join (&s, warps[i]);
  __syncthreads (); /* before the next tile writes */
  return isolux_contrast_spread (&a.plan, &s);
}

template <typename T>
__device__ __forceinline__ void
contrast_measure (const IsoluxContrastArguments &a)
{
  const int64_t tiles = a.plan.tiles_x * a.plan.tiles_y;

  for (int64_t i = blockIdx.x; i < tiles; i += gridDim.x)
    {
      const ContrastTile t = contrast_tile (a, i);
      const double       v = a.plan.measure == ISOLUX_PLAN_ENTROPY
                               ? contrast_entropy<T> (a, t)
                               : contrast_spread<T> (a, t);

      if (threadIdx.x == 0)
        a.measures[i] = v;
    }
}

KERNEL (ISOLUX_CONTRAST_THREADS)
isolux_contrast_measure_u8 (const IsoluxContrastArguments a)
{
  contrast_measure<uint8_t> (a);
}

KERNEL (ISOLUX_CONTRAST_THREADS)
isolux_contrast_measure_u16 (const IsoluxContrastArguments a)
{
  contrast_measure<uint16_t> (a);
}

KERNEL (ISOLUX_CONTRAST_THREADS)
isolux_contrast_measure_f32 (const IsoluxContrastArguments a)
{
  contrast_measure<float> (a);
}

/* ---- The picture ------------------------------------------------- */

template <typename T>
__device__ __forceinline__ void
contrast_pixel (const IsoluxContrastArguments &a,
                int64_t                        x,
                int64_t                        y,
                const IsoluxContrastPlace     &across,
                const IsoluxContrastPlace     &down)
{
  const IsoluxContrastPlan &p = a.plan;
  const bool                counts = isolux_pixel_counts<T> (a.source, x, y);
  double                    v = 0.0;

  if (counts)
    v = isolux_contrast_blend (a.measures, p.tiles_x, &across, &down);
  isolux_draw<T> (a.source, a.destination, p.weights, x, y, counts,
                  isolux_shown (v, 1.0, p.maximum, T ()));
  if (counts && p.colored)
    {
      T *out = (T *) isolux_pixel<T> (a.destination, x, y);

#pragma unroll
      for (int c = 0; c < 3; c++)
        out[c] = isolux_shown (isolux_contrast_color (contrast_colors, v, c),
                               1.0, p.maximum, T ());
    }
}

/* Where the columns and the rows of a tile of the picture lie among the
 * measured ones takes long divisions: a thread each, for all its pixels. */
template <typename T>
__device__ __forceinline__ void
contrast_picture (const IsoluxContrastArguments &a)
{
  __shared__ IsoluxContrastPlace across[ISOLUX_CONTRAST_COLUMNS];
  __shared__ IsoluxContrastPlace down[ISOLUX_CONTRAST_ROWS];
  const IsoluxContrastPlan      &p = a.plan;
  const int                      k = threadIdx.x;
  const int                      column = k % ISOLUX_CONTRAST_COLUMNS;

  for (int64_t tile = blockIdx.x; tile < a.tiles.total; tile += gridDim.x)
    {
      const int64_t row = tile / a.tiles.columns;
      const int64_t left = (tile - row * a.tiles.columns) *
                           ISOLUX_CONTRAST_COLUMNS;
      const int64_t top = row * ISOLUX_CONTRAST_ROWS;
      const int64_t rest = a.source.height - top;
      const int     rows = rest < ISOLUX_CONTRAST_ROWS ? (int) rest
                                                       : ISOLUX_CONTRAST_ROWS;

      if (k < ISOLUX_CONTRAST_COLUMNS)
        across[k] =
          isolux_contrast_place (left + k, p.tiles_x, p.tile, a.source.width);
      else if (k - ISOLUX_CONTRAST_COLUMNS < ISOLUX_CONTRAST_ROWS)
        down[k - ISOLUX_CONTRAST_COLUMNS] =
          isolux_contrast_place (top + k - ISOLUX_CONTRAST_COLUMNS, p.tiles_y,
                                 p.tile, a.source.height);
      __syncthreads ();
      if (left + column < a.source.width)
        for (int i = k / ISOLUX_CONTRAST_COLUMNS; i < rows;
             i += ISOLUX_CONTRAST_THREADS / ISOLUX_CONTRAST_COLUMNS)
          contrast_pixel<T> (a, left + column, top + i, across[column],
                             down[i]);
      __syncthreads (); /* before the next tile's are written */
    }
}

KERNEL (ISOLUX_CONTRAST_THREADS)
isolux_contrast_draw_u8 (const IsoluxContrastArguments a)
{
  contrast_picture<uint8_t> (a);
}

KERNEL (ISOLUX_CONTRAST_THREADS)
isolux_contrast_draw_u16 (const IsoluxContrastArguments a)
{
  contrast_picture<uint16_t> (a);
}

KERNEL (ISOLUX_CONTRAST_THREADS)
isolux_contrast_draw_f32 (const IsoluxContrastArguments a)
{
  contrast_picture<float> (a);
}
