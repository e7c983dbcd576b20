/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Histograms of oriented gradients.  Gradients and their bins are found by
 * all threads of a block and kept in shared memory; then one thread a cell
 * adds them up, in the order of the pixels.
 */
#include "picture.h"

/* ---- Gradients ---------------------------------------------------------- */

template <typename T>
__device__ __forceinline__ double
hog_value (const IsoluxHogArguments &a, int64_t x, int64_t y)
{
  return isolux_hog_value (isolux_value (a.plan.weights,
                                         isolux_pixel<T> (a.source, x, y),
                                         a.source.colors),
                           a.plan.square_root);
}

/* to the right and down */
template <typename T>
__device__ __forceinline__ void
hog_gradient (const IsoluxHogArguments &a,
              int64_t                   x,
              int64_t                   y,
              double                   *right,
              double                   *down)
{
  const bool inside_x = x > 0 && x < a.source.width - 1;
  const bool inside_y = y > 0 && y < a.source.height - 1;

  *right = *down = 0.0;
  if (! a.plan.sobel)
    {
      if (inside_x)
        *right = hog_value<T> (a, x + 1, y) - hog_value<T> (a, x - 1, y);
      if (inside_y)
        *down = hog_value<T> (a, x, y + 1) - hog_value<T> (a, x, y - 1);
    }
  else if (inside_x && inside_y)
    {
      const double nw = hog_value<T> (a, x - 1, y - 1);
      const double n = hog_value<T> (a, x, y - 1);
      const double ne = hog_value<T> (a, x + 1, y - 1);
      const double w = hog_value<T> (a, x - 1, y);
      const double e = hog_value<T> (a, x + 1, y);
      const double sw = hog_value<T> (a, x - 1, y + 1);
      const double s = hog_value<T> (a, x, y + 1);
      const double se = hog_value<T> (a, x + 1, y + 1);

      *right = isolux_hog_smooth (ne - nw, e - w, se - sw);
      *down = isolux_hog_smooth (sw - nw, s - n, se - ne);
    }
}

/* ---- Cells -------------------------------------------------------------- */

__device__ __forceinline__ void
hog_keep (double magnitude, double, double *to)
{
  *to = magnitude;
}

__device__ __forceinline__ void
hog_keep (double magnitude, double shrink, uint16_t *to)
{
  *to = isolux_half_of (magnitude * shrink);
}

__device__ __forceinline__ double
hog_kept (double from, double)
{
  return from;
}

__device__ __forceinline__ double
hog_kept (uint16_t from, double shrink)
{
  return isolux_of_half (from) / shrink;
}

/* Kept: how a magnitude is kept, double or uint16_t (half precision). */
template <typename T, typename Kept>
__device__ __forceinline__ void
hog_fill_cells (const IsoluxHogArguments &a,
                const IsoluxHogEdges     *edges,
                Kept                     *magnitudes,
                uint8_t                  *bins,
                float                    *totals)
{
  const IsoluxHogPlan &p = a.plan;
  const int            n = p.orientations, cell = p.cell;

  for (int64_t unit = blockIdx.x; unit < a.groups * p.cells_y;
       unit += gridDim.x)
    {
      const int64_t cell_y = unit / a.groups;
      const int64_t first = (unit - cell_y * a.groups) * a.group;
      const int cells = p.cells_x - first < a.group ? (int) (p.cells_x - first)
                                                    : a.group;
      const int width = cells * cell;

      for (int i = threadIdx.x; i < a.group * n; i += ISOLUX_HOG_THREADS)
        totals[i] = 0.0f;
      for (int row = 0; row < cell; row += a.rows)
        {
          const int rows = cell - row < a.rows ? cell - row : a.rows;

          for (int i = threadIdx.x; i < rows * width; i += ISOLUX_HOG_THREADS)
            {
              const int64_t x = first * cell + i % width;
              const int64_t y = cell_y * cell + row + i / width;
              double        right = 0.0, down = 0.0;

              if (isolux_pixel_counts<T> (a.source, x, y))
                hog_gradient<T> (a, x, y, &right, &down);
              hog_keep (isolux_hog_magnitude (right, down), p.shrink,
                        &magnitudes[i]);
              bins[i] =
                (uint8_t) isolux_hog_bin (edges, n, p.is_signed, right, down);
            }
          __syncthreads ();
          for (int c = threadIdx.x; c < cells; c += ISOLUX_HOG_THREADS)
            for (int i = 0; i < rows; i++)
              for (int k = 0; k < cell; k++)
                {
                  const int    at = i * width + c * cell + k;
                  const double m = hog_kept (magnitudes[at], p.shrink);
                  float       *total = &totals[bins[at] * a.group + c];

                  if (m > 0.0)
                    *total = isolux_hog_add (*total, m);
                }
          __syncthreads ();
        }
      for (int i = threadIdx.x; i < cells * n; i += ISOLUX_HOG_THREADS)
        a.cells[(cell_y * p.cells_x + first) * n + i] =
          isolux_hog_mean (totals[i % n * a.group + i / n], cell);
      __syncthreads ();
    }
}

template <typename T>
__device__ __forceinline__ void
hog_cells (const IsoluxHogArguments &a)
{
  __shared__ double         magnitudes[ISOLUX_HOG_PIXELS];
  __shared__ uint8_t        bins[ISOLUX_HOG_PIXELS];
  __shared__ float          totals[ISOLUX_HOG_BINS];
  __shared__ IsoluxHogEdges edges;

  /* threads look at different edges at a time */
  for (int i = threadIdx.x; i < (int) (sizeof edges / sizeof (uint32_t));
       i += ISOLUX_HOG_THREADS)
    ((uint32_t *) &edges)[i] = ((const uint32_t *) a.plan.edges)[i];
  __syncthreads ();
  if (a.plan.half)
    hog_fill_cells<T> (a, &edges, (uint16_t *) magnitudes, bins, totals);
  else
    hog_fill_cells<T> (a, &edges, magnitudes, bins, totals);
}

KERNEL (ISOLUX_HOG_THREADS)
isolux_hog_cells_u8 (const IsoluxHogArguments a)
{
  hog_cells<uint8_t> (a);
}

KERNEL (ISOLUX_HOG_THREADS)
isolux_hog_cells_u16 (const IsoluxHogArguments a)
{
  hog_cells<uint16_t> (a);
}

KERNEL (ISOLUX_HOG_THREADS)
isolux_hog_cells_f32 (const IsoluxHogArguments a)
{
  hog_cells<float> (a);
}

/* ---- Cells of gray of 8 bits --------------------------------------------- */

/*
 * Floors at 4096 x 4096 and 9 bins: 17 MB are read and 9 MB written, which
 * takes 6 us of an H200; 40 instructions a pixel take 22.  So all is done in
 * single precision, and what is not sure with it is done again.
 */

#define GRAY_CELL ISOLUX_HOG_GRAY_CELL

/* 1 over a square root, to 2^-22.9 of itself; v: not below 1. */
__device__ __forceinline__ float
hog_root (float v)
{
#ifdef __CUDA_ARCH__
  float root;

  asm ("rsqrt.approx.ftz.f32 %0, %1;" : "=f"(root) : "f"(v));
  return root;
#else
  return rsqrtf (v);
#endif
}

/* A byte of a word as 2^23 and the byte, in single precision. */
__device__ __forceinline__ float
hog_code (uint32_t word, int byte)
{
  return __uint_as_float (__byte_perm (word, 0x4b000000u, 0x7440 | byte));
}

/* A cell's pixels in a row, and the ones beside it. */
struct HogRow
{
  uint32_t words[2], left, right;

  /* to_left, to_right: where the ones beside it are, from the first */
  __device__ __forceinline__ void
  load (const uint8_t *at, bool aligned, int to_left, int to_right)
  {
    if (aligned)
      {
        const uint2 both = __ldg ((const uint2 *) at);

        words[0] = both.x;
        words[1] = both.y;
      }
    else
      {
        words[0] = words[1] = 0;
        for (int i = 0; i < GRAY_CELL; i++)
          words[i / 4] |= (uint32_t) __ldg (at + i) << i % 4 * 8;
      }
    left = __ldg (at + to_left);
    right = __ldg (at + to_right);
  }

  /* v: one more on each side */
  __device__ __forceinline__ void
  codes (float (&v)[GRAY_CELL + 2]) const
  {
    v[0] = hog_code (left, 0);
    v[GRAY_CELL + 1] = hog_code (right, 0);
#pragma unroll
    for (int i = 0; i < GRAY_CELL; i++)
      v[i + 1] = hog_code (words[i / 4], i % 4);
  }
};

__device__ __noinline__ float
hog_add_surely (float total, float square)
{
  return isolux_hog_add (total, sqrt ((double) square));
}

/* From one bin to the next of a thread's totals. */
#define GRAY_STEP ((uint32_t) (32 * sizeof (float)))

/* 2^23 and a number below it have that number as their last bits. */
#define GRAY_BIG 8388608.0f
#define GRAY_BIG_BITS 0x4b000000u

/* totals: where in shared memory those of this thread would be if bins were
 * numbered from - GRAY_BIG_BITS on.  The whole warp must call it. */
template <bool PLAIN>
__device__ __forceinline__ void
hog_add_gray (const IsoluxHogSlopes &slopes, uint32_t totals, float x, float y)
{
  const float    square = fmaf (x, x, y * y);
  const float    bin = isolux_hog_bin_of_codes (&slopes, PLAIN, x, y);
  const uint32_t offset = __float_as_uint (bin + GRAY_BIG) * GRAY_STEP + totals;
  float         *at = (float *) ((char *) isolux_shared + offset);
  int            sure;
  float          sum;

  sum =
    isolux_hog_add_root (*at, square, hog_root (fmaxf (square, 1.0f)), &sure);
  /* asked together, so that nobody has to wait for the others afterwards */
  if (__any_sync (0xffffffffu, ! sure))
    sum = hog_add_surely (*at, square);
  *at = sum;
}

/*
 * All pixels of a cell.  Where a neighbor would lie outside the image, the
 * opposite one takes its place: the difference is 0, as it has to be.
 */
template <bool PLAIN>
__device__ __forceinline__ void
hog_fill_gray (const IsoluxHogGrayArguments &a, uint32_t cell, uint32_t totals)
{
  const uint32_t cell_y = cell / a.cells_x;
  const int32_t  x = (int32_t) (cell - cell_y * a.cells_x) * GRAY_CELL;
  const int32_t  y = (int32_t) cell_y * GRAY_CELL;
  const int      to_left = x > 0 ? -1 : 1;
  const int      to_right = x + GRAY_CELL < a.width ? GRAY_CELL : GRAY_CELL - 2;
  const bool     aligned = PLAIN || a.aligned;
  const uint8_t *first = (const uint8_t *) a.data + (size_t) y * a.stride + x;
  const uint8_t *next = first;
  float          above[GRAY_CELL + 2], at[GRAY_CELL + 2];
  HogRow         row;

  row.load (y > 0 ? first - a.stride : first + a.stride, aligned, to_left,
            to_right);
  row.codes (above);
  row.load (first, aligned, to_left, to_right);
  row.codes (at);
  next += a.stride;
  row.load (next, aligned, to_left, to_right);
#pragma unroll 2
  for (int i = 0; i < GRAY_CELL; i++)
    {
      float below[GRAY_CELL + 2];

      row.codes (below);
      if (i < GRAY_CELL - 2)
        next += a.stride;
      else if (y + GRAY_CELL < a.height)
        next = first + GRAY_CELL * a.stride;
      else
        next = first + (GRAY_CELL - 2) * a.stride;
      if (i < GRAY_CELL - 1)
        row.load (next, aligned, to_left, to_right);
#pragma unroll
      for (int k = 0; k < GRAY_CELL; k++)
        hog_add_gray<PLAIN> (a.slopes, totals, at[k + 2] - at[k],
                             below[k + 1] - above[k + 1]);
#pragma unroll
      for (int k = 0; k < GRAY_CELL + 2; k++)
        {
          above[k] = at[k];
          at[k] = below[k];
        }
    }
}

/* ---- Cells of gray of other types ---------------------------------------- */

/* As above, but for square roots and sums, which are of double precision:
 * they take most of the time.  Floors: 34 or 67 MB are read. */

__device__ __noinline__ int
hog_bin_surely (const IsoluxHogEdges *edges, int n, double x, double y)
{
  return isolux_hog_bin (edges, n, 0, x, y);
}

/* totals: this thread's.  The whole warp must call it. */
__device__ __forceinline__ void
hog_add_real (const IsoluxHogGrayArguments &a,
              bool                          plain,
              float                        *totals,
              double                        x,
              double                        y)
{
  const double m = isolux_hog_magnitude (x, y);
  int          bin = isolux_hog_quick_bin (&a.slopes, plain, x, y);

  if (! (m > 0.0))
    bin = 0;
  if (__any_sync (0xffffffffu, bin < 0))
    bin = hog_bin_surely (a.edges, a.orientations, x, y);
  if (m > 0.0)
    totals[bin * 32] = isolux_hog_add (totals[bin * 32], m);
}

/* T's values are exact in single precision.  NaN does not count, and its
 * difference from itself is not 0. */
template <typename T>
__device__ __forceinline__ void
hog_fill_real (const IsoluxHogGrayArguments &a,
               bool                          plain,
               uint32_t                      cell,
               float                        *totals)
{
  const uint32_t cell_y = cell / a.cells_x;
  const int32_t  x = (int32_t) (cell - cell_y * a.cells_x) * GRAY_CELL;
  const int32_t  y = (int32_t) cell_y * GRAY_CELL;
  const int      to_left = x > 0 ? -1 : 1;
  const int      to_right = x + GRAY_CELL < a.width ? GRAY_CELL : GRAY_CELL - 2;
  const uint8_t *row = (const uint8_t *) a.data + (size_t) y * a.stride +
                       (size_t) x * sizeof (T);
  const T *up = (const T *) (y > 0 ? row - a.stride : row + a.stride);
  float    above[GRAY_CELL], at[GRAY_CELL];

#pragma unroll
  for (int k = 0; k < GRAY_CELL; k++)
    {
      above[k] = (float) __ldg (up + k);
      at[k] = (float) __ldg ((const T *) row + k);
    }
#pragma unroll 1
  for (int i = 0; i < GRAY_CELL; i++)
    {
      const bool  last = y + i == a.height - 1, edge = y + i == 0 || last;
      const T    *down = (const T *) (last ? row - a.stride : row + a.stride);
      const float left = (float) __ldg ((const T *) row + to_left);
      const float right = (float) __ldg ((const T *) row + to_right);
      float       below[GRAY_CELL];

#pragma unroll
      for (int k = 0; k < GRAY_CELL; k++)
        below[k] = (float) __ldg (down + k);
#pragma unroll
      for (int k = 0; k < GRAY_CELL; k++)
        {
          const float before = k ? at[k - 1] : left;
          const float after = k < GRAY_CELL - 1 ? at[k + 1] : right;
          const bool  side = x + k == 0 || x + k == a.width - 1;
          double      across = (double) after - (double) before;
          double      along = (double) below[k] - (double) above[k];

          if (side || isolux_is_nan (at[k]))
            across = 0.0;
          if (edge || isolux_is_nan (at[k]))
            along = 0.0;
          hog_add_real (a, plain, totals, across, along);
        }
#pragma unroll
      for (int k = 0; k < GRAY_CELL; k++)
        {
          above[k] = at[k];
          at[k] = below[k];
        }
      row += a.stride;
    }
}

/* ---- Kernels of gray ----------------------------------------------------- */

/* Each warp has room for the totals of 32 cells, which lie in a row in the
 * result: bin by bin first, then cell by cell.  fill (cell, totals) fills a
 * cell; lanes beyond the last one do it, too. */
template <typename Fill>
__device__ __forceinline__ void
hog_gray (const IsoluxHogGrayArguments &a, int n, Fill fill)
{
  const int      lane = threadIdx.x & 31;
  const uint32_t first = blockIdx.x * ISOLUX_HOG_GRAY_THREADS +
                         (threadIdx.x & ~31u);
  float *totals = (float *) isolux_shared + (threadIdx.x & ~31u) * n;
  float *to = a.totals + (size_t) first * n;
  int    cells;

  for (int i = 0; i < n; i++)
    totals[i * 32 + lane] = 0.0f;
  if (first >= a.cells)
    return;
  cells = a.cells - first < 32 ? (int) (a.cells - first) : 32;
  fill (first + (lane < cells ? lane : cells - 1), totals + lane);
  __syncwarp ();
  for (int i = lane; i < cells * n; i += 32)
    to[i] = isolux_hog_mean (totals[i % n * 32 + i / n], GRAY_CELL);
}

template <bool PLAIN>
__device__ __forceinline__ void
hog_gray_u8 (const IsoluxHogGrayArguments &a)
{
  hog_gray (a, PLAIN ? 9 : a.orientations, [&] (uint32_t cell, float *totals) {
    hog_fill_gray<PLAIN> (a, cell,
                          (uint32_t) ((char *) totals -
                                      (char *) isolux_shared) -
                            GRAY_BIG_BITS * GRAY_STEP);
  });
}

template <typename T>
__device__ __forceinline__ void
hog_gray_real (const IsoluxHogGrayArguments &a)
{
  hog_gray (a, a.orientations, [&] (uint32_t cell, float *totals) {
    /* the number of slopes is known then */
    if (a.orientations == 9)
      hog_fill_real<T> (a, true, cell, totals);
    else
      hog_fill_real<T> (a, false, cell, totals);
  });
}

KERNEL (ISOLUX_HOG_GRAY_THREADS)
isolux_hog_gray_u16 (const IsoluxHogGrayArguments a)
{
  hog_gray_real<uint16_t> (a);
}

KERNEL (ISOLUX_HOG_GRAY_THREADS)
isolux_hog_gray_f32 (const IsoluxHogGrayArguments a)
{
  hog_gray_real<float> (a);
}

/* Any number of bins, rows that lie anyhow. */
KERNEL (ISOLUX_HOG_GRAY_THREADS)
isolux_hog_gray_u8 (const IsoluxHogGrayArguments a)
{
  hog_gray_u8<false> (a);
}

/* 9 bins, aligned rows. */
KERNEL (ISOLUX_HOG_GRAY_THREADS)
isolux_hog_gray_9_u8 (const IsoluxHogGrayArguments a)
{
  hog_gray_u8<true> (a);
}

/* ---- Pictures ----------------------------------------------------------- */

/* What is shown at a pixel that counts. */
template <typename T>
__device__ __forceinline__ double
hog_shown (const IsoluxHogArguments &a, int64_t x, int64_t y)
{
  double right, down, magnitude = 0.0;

  if (a.plan.picture == ISOLUX_PLAN_HOG_MAGNITUDE)
    {
      hog_gradient<T> (a, x, y, &right, &down);
      magnitude = isolux_hog_magnitude (right, down);
      if (a.plan.half)
        magnitude = isolux_hog_half (magnitude, a.plan.shrink);
    }
  return isolux_hog_shown (&a.plan, a.cells, x, y, magnitude);
}

template <typename T>
__device__ __forceinline__ double
hog_largest_shown (const IsoluxHogArguments &a)
{
  double most = 0.0;

  for (int64_t tile = blockIdx.x; tile < a.tiles.total; tile += gridDim.x)
    {
      int64_t x, y;

      if (isolux_item<ISOLUX_HOG_THREADS> (a.tiles, tile, &x, &y) &&
          isolux_pixel_counts<T> (a.source, x, y))
        {
          const double v = hog_shown<T> (a, x, y);

          most = v > most ? v : most;
        }
    }
  return most;
}

/* The whole warp must call it. */
__device__ __forceinline__ void
hog_add_most (IsoluxZeros *zeros, double most)
{
  unsigned long long key = isolux_key (most);

  for (int step = 16; step > 0; step >>= 1)
    {
      const unsigned long long other = __shfl_xor_sync (0xffffffffu, key, step);

      key = other > key ? other : key;
    }
  if ((threadIdx.x & 31) == 0)
    atomicMax ((unsigned long long *) &zeros->most[0], key);
}

KERNEL (ISOLUX_HOG_THREADS)
isolux_hog_measure (const IsoluxHogArguments a)
{
  isolux_clear (a.clear);
  hog_add_most (a.zeros, a.source.type == ISOLUX_PLAN_U8
                           ? hog_largest_shown<uint8_t> (a)
                         : a.source.type == ISOLUX_PLAN_U16
                           ? hog_largest_shown<uint16_t> (a)
                           : hog_largest_shown<float> (a));
}

template <typename T>
__device__ __forceinline__ void
hog_draw (const IsoluxHogArguments &a)
{
  const IsoluxHogPlan &p = a.plan;
  const double         most = p.raw ? 0.0
                              : p.picture == ISOLUX_PLAN_HOG_ORIENTATION
                                ? p.range
                                : isolux_value_of_key (a.zeros->most[0]);

  for (int64_t tile = blockIdx.x; tile < a.tiles.total; tile += gridDim.x)
    {
      double  v = 0.0;
      int64_t x, y;
      bool    counts;

      if (! isolux_item<ISOLUX_HOG_THREADS> (a.tiles, tile, &x, &y))
        continue;
      counts = isolux_pixel_counts<T> (a.source, x, y);
      if (counts)
        v = hog_shown<T> (a, x, y);
      if (p.raw)
        *(float *) isolux_pixel<float> (a.destination, x, y) =
          isolux_canonical ((float) v);
      else
        isolux_draw<T> (a.source, a.destination, p.weights, x, y, counts,
                        isolux_shown (v, most, p.maximum, T ()));
    }
}

KERNEL (ISOLUX_HOG_THREADS)
isolux_hog_draw (const IsoluxHogArguments a)
{
  if (a.source.type == ISOLUX_PLAN_U8)
    hog_draw<uint8_t> (a);
  else if (a.source.type == ISOLUX_PLAN_U16)
    hog_draw<uint16_t> (a);
  else
    hog_draw<float> (a);
}

/* ---- Glyphs of cells of 8 pixels ----------------------------------------- */

/*
 * A cell a thread, of which all pixels count; those that are cut off by the
 * image are 0.  Its pixels' sums lie in shared memory; each bin adds to those
 * on its line, the first bin first, as the rule has it.  Floors at
 * 4096 x 4096 and 9 bins: 9 MB are read to measure, 9 read and 17 written to
 * draw, 3 and 8 us of an H200; some 15 and 20 instructions a pixel take 9
 * and 12.
 */

#define GLYPH_PIXELS ISOLUX_HOG_GLYPH_PIXELS

/* The sums of the pixels of this thread's cell: 32 from one to the next. */
__device__ __forceinline__ double *
hog_glyph_sums (void)
{
  return (double *) isolux_shared + (threadIdx.x & ~31u) * GLYPH_PIXELS +
         (threadIdx.x & 31);
}

__device__ __forceinline__ void
hog_glyph (const IsoluxHogArguments &a,
           int64_t                   cell_x,
           int64_t                   cell_y,
           double                   *sums)
{
  const IsoluxHogPlan &p = a.plan;
  const int64_t        x = cell_x * GRAY_CELL, y = cell_y * GRAY_CELL;
  const float *cell = a.cells + (cell_y * p.cells_x + cell_x) * p.orientations;

#pragma unroll 8
  for (int i = 0; i < GLYPH_PIXELS; i++)
    sums[i * 32] = 0.0;
  for (int i = 0; i < p.orientations; i++)
    {
      const double        v = (double) __ldg (cell + i);
      const IsoluxHogLine line = isolux_hog_line (&p.lines, p.is_signed, i,
                                                  y + GRAY_CELL / 2,
                                                  x + GRAY_CELL / 2);
      IsoluxHogWalk       walk = isolux_hog_walk (&line, y, x);

      do
        sums[(walk.row * GRAY_CELL + walk.column) * 32] += v;
      while (isolux_hog_step (&walk));
    }
}

KERNEL (ISOLUX_HOG_GLYPH_THREADS)
isolux_hog_glyphs_measure (const IsoluxHogArguments a)
{
  const int64_t total = a.plan.cells_x * a.plan.cells_y;
  const int64_t step = (int64_t) gridDim.x * ISOLUX_HOG_GLYPH_THREADS;
  double       *sums = hog_glyph_sums ();
  double        most = 0.0;

  isolux_clear (a.clear);
  for (int64_t i = blockIdx.x * ISOLUX_HOG_GLYPH_THREADS + threadIdx.x;
       i < total; i += step)
    {
      const int64_t cell_y = (uint32_t) i / (uint32_t) a.plan.cells_x;

      hog_glyph (a, i - cell_y * a.plan.cells_x, cell_y, sums);
#pragma unroll 8
      for (int k = 0; k < GLYPH_PIXELS; k++)
        most = fmax (most, sums[k * 32]);
    }
  hog_add_most (a.zeros, most);
}

/* isolux_picture_code() without a division, which it needs only next to the
 * middle between two codes.  scale: maximum / most, or 0 without any. */
__device__ __forceinline__ uint32_t
hog_picture_code (double v, double most, double maximum, double scale)
{
  const double big = 6755399441055744.0; /* 1.5 * 2^52 */
  const double near = v * scale, code = (near + big) - big;

  if (fabs (near - code) > 0.499999)
    return isolux_picture_code (v, most, maximum);
  return (uint32_t) (int32_t) code;
}

/* tiles: of cells, cut off ones too. */
KERNEL (ISOLUX_HOG_GLYPH_THREADS)
isolux_hog_glyphs_draw_u8 (const IsoluxHogArguments a)
{
  const IsoluxHogPlan &p = a.plan;
  const double         most = isolux_value_of_key (a.zeros->most[0]);
  const double         scale = most > 0.0 ? p.maximum / most : 0.0;
  const int64_t        step = (int64_t) gridDim.x * ISOLUX_HOG_GLYPH_THREADS;
  double              *sums = hog_glyph_sums ();

  for (int64_t i = blockIdx.x * ISOLUX_HOG_GLYPH_THREADS + threadIdx.x;
       i < a.tiles.total; i += step)
    {
      const int64_t cell_y = (uint32_t) i / (uint32_t) a.tiles.columns;
      const int64_t cell_x = i - cell_y * a.tiles.columns;
      const int64_t x = cell_x * GRAY_CELL, y = cell_y * GRAY_CELL;
      const bool    whole = cell_x < p.cells_x && cell_y < p.cells_y;
      const int     rows = y + GRAY_CELL <= a.destination.height
                             ? GRAY_CELL
                             : (int) (a.destination.height - y);
      const int     columns = x + GRAY_CELL <= a.destination.width
                                ? GRAY_CELL
                                : (int) (a.destination.width - x);

      if (whole)
        hog_glyph (a, cell_x, cell_y, sums);
      for (int row = 0; row < rows; row++)
        {
          uint8_t *to =
            (uint8_t *) isolux_row<uint8_t> (a.destination, y + row) + x;
          uint32_t words[2] = { 0, 0 };

          if (whole)
#pragma unroll
            for (int k = 0; k < GRAY_CELL; k++)
              {
                const double v = sums[(row * GRAY_CELL + k) * 32];

                /* the same pixels of most cells are 0 */
                if (v > 0.0)
                  words[k / 4] |= hog_picture_code (v, most, p.maximum, scale)
                                  << k % 4 * 8;
              }
          if (whole && a.aligned)
            *(uint2 *) to = make_uint2 (words[0], words[1]);
          else
            for (int k = 0; k < columns; k++)
              to[k] = (uint8_t) (words[k / 4] >> k % 4 * 8);
        }
    }
}
