/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Oriented gradients.  Where the time goes, 4096 x 4096 u8 on one core: a
 * square root in double precision a pixel and one addition in single
 * precision to a bin, which no vector does, since the order of a cell's
 * pixels counts; for blocks, two divisions a value, and memory for eight
 * bytes a value.
 */

/* ---- Gradients of u8 ---------------------------------------------------- */

/* Adds how many of the edges of a pass lie before the gradient. */
static inline void
pass_codes (const IsoluxHogCodes *c,
            gint                  first,
            const gint16 *restrict across,
            const gint16 *restrict down,
            gint n,
            gint16 *restrict passed)
{
  const gint16  w0 = c->whole[first], w1 = c->whole[first + 1];
  const gint16  w2 = c->whole[first + 2], w3 = c->whole[first + 3];
  const guint16 p0 = c->part[first], p1 = c->part[first + 1];
  const guint16 p2 = c->part[first + 2], p3 = c->part[first + 3];
  const gint16  b0 = c->beyond[first], b1 = c->beyond[first + 1];
  const gint16  b2 = c->beyond[first + 2], b3 = c->beyond[first + 3];

  for (gint i = 0; i < n; i++)
    {
      const gint16  x = across[i], y = down[i];
      const guint16 u = (guint16) x;
      const gint16 e0 = (gint16) (x * w0 + (gint16) ((u * (guint32) p0) >> 16));
      const gint16 e1 = (gint16) (x * w1 + (gint16) ((u * (guint32) p1) >> 16));
      const gint16 e2 = (gint16) (x * w2 + (gint16) ((u * (guint32) p2) >> 16));
      const gint16 e3 = (gint16) (x * w3 + (gint16) ((u * (guint32) p3) >> 16));
      gint16       q = passed[i];

      q -= (gint16) - (y > (gint16) (e0 + b0));
      q -= (gint16) - (y > (gint16) (e1 + b1));
      q -= (gint16) - (y > (gint16) (e2 + b2));
      q -= (gint16) - (y > (gint16) (e3 + b3));
      passed[i] = q;
    }
}

static void
hog_codes (const IsoluxHogCodes *codes,
           const guint8 *restrict above,
           const guint8 *restrict at,
           const guint8 *restrict below,
           gint n,
           guint16 *restrict bins,
           gdouble *restrict magnitudes)
{
  gint16       across[ISOLUX_HOG_WIDTH], down[ISOLUX_HOG_WIDTH];
  gint16       passed[ISOLUX_HOG_WIDTH], turned[ISOLUX_HOG_WIDTH];
  const gint16 diagonal = codes->diagonal;
  const gint16 on = codes->on_diagonal, on_mirror = codes->on_mirror;
  const gint16 upright = codes->on_upright;
  const gint16 last = (gint16) (codes->orientations - 1);

  for (gint i = 0; i < n; i++)
    {
      const gint16 x = (gint16) (at[i + 1] - at[i - 1]);
      const gint16 y = (gint16) (below[i] - above[i]);

      across[i] = (gint16) (x < 0 ? -x : x);
      down[i] = (gint16) (y < 0 ? -y : y);
      /* to the upper left or the lower right: the bins run backwards */
      turned[i] = (gint16) ((x ^ y) >> 15 & -(x != 0) & -(y != 0));
      passed[i] = 0;
    }
  for (gint i = 0; i < n; i++)
    magnitudes[i] = sqrt ((gdouble) ((gint) across[i] * across[i] +
                                     (gint) down[i] * down[i]));
  for (gint first = 0; first < codes->n; first += ISOLUX_HOG_PASS)
    pass_codes (codes, first, across, down, n, passed);
  if (diagonal)
    for (gint i = 0; i < n; i++)
      {
        const gint16 more = (turned[i] & on_mirror) | (~turned[i] & on);

        passed[i] -= (gint16) - (down[i] + more > across[i]);
      }
  for (gint i = 0; i < n; i++)
    {
      const gint16 q = passed[i], t = turned[i];
      const gint16 up = -(across[i] == 0) & -(down[i] != 0) & upright;

      bins[i] = (guint16) (((t & (last - q)) | (~t & q)) + up);
    }
}

/* ---- Gradients of any values --------------------------------------------- */

/* above, at, below: from the pixel left of the first. */
static void
hog_gradients (gboolean sobel,
               const gdouble *restrict above,
               const gdouble *restrict at,
               const gdouble *restrict below,
               gint n,
               gdouble *restrict x,
               gdouble *restrict y)
{
  if (! sobel)
    for (gint i = 0; i < n; i++)
      {
        x[i] = at[i + 2] - at[i];
        y[i] = below[i + 1] - above[i + 1];
      }
  else
    for (gint i = 0; i < n; i++)
      {
        x[i] = isolux_hog_smooth (above[i + 2] - above[i], at[i + 2] - at[i],
                                  below[i + 2] - below[i]);
        y[i] = isolux_hog_smooth (below[i] - above[i],
                                  below[i + 1] - above[i + 1],
                                  below[i + 2] - above[i + 2]);
      }
}

static void
hog_magnitudes (const gdouble *restrict x,
                const gdouble *restrict y,
                gint n,
                gdouble *restrict magnitudes)
{
  for (gint i = 0; i < n; i++)
    magnitudes[i] = isolux_hog_magnitude (x[i], y[i]);
}

/* Gradients whose bins are found at a time: they stay in the first cache. */
#define BINS_PART 256

/* x, y: turned so that y is not below 0, unless is_signed, when lower is set
 * for those.  near: less than this beside an edge is in doubt.  lower and
 * doubt: all bits where that is so, else none. */
typedef struct
{
  gdouble x[BINS_PART], y[BINS_PART], near[BINS_PART];
  gint64  lower[BINS_PART], bin[BINS_PART], doubt[BINS_PART];
} Turned;

/* All bits when the condition holds: as wide as a double, so that both make
 * vectors of the same length. */
#define MASK(condition) (-(gint64) (condition))

static inline void
turn (Turned *restrict t,
      const gdouble *restrict x,
      const gdouble *restrict y,
      gboolean is_signed,
      gint     n)
{
  for (gint i = 0; i < n; i++)
    {
      const gdouble near = (fabs (x[i]) + fabs (y[i])) * ISOLUX_HOG_NEAR;

      t->lower[i] = MASK (y[i] < 0.0);
      t->near[i] = near;
      t->bin[i] = 0;
      /* next to 180 degrees */
      t->doubt[i] = ~MASK (fabs (y[i]) > near) & ~MASK (x[i] > 0.0);
      t->x[i] = x[i];
      t->y[i] = y[i];
    }
  if (! is_signed)
    for (gint i = 0; i < n; i++)
      {
        t->x[i] = y[i] < 0.0 ? -x[i] : x[i];
        t->y[i] = fabs (y[i]);
      }
}

/* Adds 1 to the bins of gradients that reach an edge; on_edge: for those that
 * lie on it exactly; doubtful: whether that is in doubt. */
static inline void
pass_edge (Turned *restrict t,
           gdouble edge_x,
           gdouble edge_y,
           gint64  on_edge,
           gint64  doubtful,
           gint    n)
{
  for (gint i = 0; i < n; i++)
    {
      const gdouble side = edge_x * t->y[i] - edge_y * t->x[i];
      const gint64  zero = MASK (side == 0.0);

      t->bin[i] -= MASK (side > 0.0) | (zero & on_edge);
      t->doubt[i] |= ~MASK (fabs (side) > t->near[i]) & (~zero | doubtful);
    }
}

/* The same where directions are signed. */
static inline void
pass_signed_edge (Turned *restrict t,
                  gdouble edge_x,
                  gdouble edge_y,
                  gint64  edge_lower,
                  gint64  on_edge,
                  gint64  doubtful,
                  gint    n)
{
  for (gint i = 0; i < n; i++)
    {
      const gdouble side = edge_x * t->y[i] - edge_y * t->x[i];
      const gint64  zero = MASK (side == 0.0), lower = t->lower[i];
      const gint64  reached = MASK (side > 0.0) | (zero & on_edge);
      const gint64  other = lower ^ edge_lower;

      t->bin[i] -= (other & lower) | (~other & reached);
      t->doubt[i] |= ~MASK (fabs (side) > t->near[i]) & (~zero | doubtful);
    }
}

static inline void
find_bins (const IsoluxHogPlan *plan,
           const gdouble *restrict x,
           const gdouble *restrict y,
           const gdouble *restrict magnitudes,
           gint n,
           guint16 *restrict bins)
{
  const IsoluxHogEdges *edges = plan->edges;
  Turned                t;

  turn (&t, x, y, plan->is_signed, n);
  for (gint i = 1; i < plan->orientations; i++)
    {
      const gint64 on_edge = MASK (edges->whole[i] && edges->closed[i]);
      const gint64 doubtful = MASK (! edges->whole[i]);

      if (plan->is_signed)
        pass_signed_edge (&t, edges->x[i], edges->y[i], MASK (edges->lower[i]),
                          on_edge, doubtful, n);
      else
        pass_edge (&t, edges->x[i], edges->y[i], on_edge, doubtful, n);
    }
  for (gint i = 0; i < n; i++)
    bins[i] = (guint16) t.bin[i];
  for (gint i = 0; i < n; i++)
    if (G_UNLIKELY (t.doubt[i]) && magnitudes[i] > 0.0)
      bins[i] = (guint16) isolux_hog_bin (edges, plan->orientations,
                                          plan->is_signed, x[i], y[i]);
}

/* All edges, one after the other, where no gradient is near one, else the
 * rule: all in doubles, of which compilers make vectors. */
static void
hog_bins (const IsoluxHogPlan *plan,
          const gdouble *restrict x,
          const gdouble *restrict y,
          const gdouble *restrict magnitudes,
          gint n,
          guint16 *restrict bins)
{
  for (gint i = 0; i < n; i += BINS_PART)
    find_bins (plan, x + i, y + i, magnitudes + i, MIN (BINS_PART, n - i),
               bins + i);
}

/* ---- Cells -------------------------------------------------------------- */

/* A pixel of each cell after the other, so that none waits for the one
 * before: a cell's own come in their order. */
static void
hog_add (const guint16 *restrict bins,
         const gdouble *restrict magnitudes,
         gint n_cells,
         gint cell,
         gint orientations,
         gfloat *restrict totals)
{
  for (gint x = 0; x < cell; x++)
    {
      const guint16 *bin = bins + x;
      const gdouble *magnitude = magnitudes + x;
      gfloat        *total = totals;

      for (gint i = 0; i < n_cells; i++)
        {
          total[*bin] = isolux_hog_add (total[*bin], *magnitude);
          bin += cell;
          magnitude += cell;
          total += orientations;
        }
    }
}

/* ---- Blocks ------------------------------------------------------------- */

/* What keeps the norm of a flat block from being 0. */
#define EPSILON 1e-5

/* A sum in the order of numpy's. */
static inline gdouble
pairwise_sum (const gdouble *values, gint n)
{
  gdouble sums[8], sum;
  gint    i;

  if (n < 8)
    {
      for (sum = 0.0, i = 0; i < n; i++)
        sum += values[i];
      return sum;
    }
  for (gint k = 0; k < 8; k++)
    sums[k] = values[k];
  for (i = 8; i + 8 <= n; i += 8)
    for (gint k = 0; k < 8; k++)
      sums[k] += values[i + k];
  sum = ((sums[0] + sums[1]) + (sums[2] + sums[3])) +
        ((sums[4] + sums[5]) + (sums[6] + sums[7]));
  for (; i < n; i++)
    sum += values[i];
  return sum;
}

static gdouble
long_sum (const gdouble *values, gint n)
{
  if (n > 128)
    {
      const gint half = n / 2 - n / 2 % 8;

      return long_sum (values, half) + long_sum (values + half, n - half);
    }
  return pairwise_sum (values, n);
}

static inline gdouble
sum_of (const gdouble *values, gint n)
{
  return n > 128 ? long_sum (values, n) : pairwise_sum (values, n);
}

/* Blocks whose norms are found at a time, so that none waits for the square
 * root or the sum of another one. */
#define BLOCKS_PART 16

/* n_row: floats of a block in a row of cells; rows: of them. */
static inline __attribute__ ((always_inline)) void
load_block (const gfloat *restrict cells,
            gsize stride,
            gint  n_row,
            gint  rows,
            gdouble *restrict values)
{
  for (gint row = 0; row < rows; row++)
    for (gint i = 0; i < n_row; i++)
      values[row * n_row + i] =
        (gdouble) cells[(gsize) row * stride + (gsize) i];
}

static inline __attribute__ ((always_inline)) gdouble
sum_of_squares (const gdouble *restrict values, gint n, gdouble *restrict room)
{
  for (gint i = 0; i < n; i++)
    room[i] = values[i] * values[i];
  return sum_of (room, n);
}

static inline __attribute__ ((always_inline)) void
divide (gdouble *restrict values, gint n, gdouble divisor)
{
  for (gint i = 0; i < n; i++)
    values[i] /= divisor;
}

/* n_blocks: at most BLOCKS_PART; what they hold is not negative. */
static inline __attribute__ ((always_inline)) void
make_blocks (const gfloat *restrict cells,
             gsize         stride,
             gint          step,
             gint          n_row,
             gint          rows,
             gint          n_blocks,
             IsoluxHogNorm norm,
             gdouble *restrict room,
             gdouble *restrict values)
{
  const gint n = n_row * rows;
  gdouble    norms[BLOCKS_PART] = { 0 };

  for (gint b = 0; b < n_blocks; b++)
    {
      gdouble *block = values + (gsize) b * (gsize) n;

      load_block (cells + (gsize) b * (gsize) step, stride, n_row, rows, block);
      if (norm == ISOLUX_HOG_L1 || norm == ISOLUX_HOG_L1_SQRT)
        norms[b] = sum_of (block, n);
      else
        norms[b] = sum_of_squares (block, n, room);
    }
  for (gint b = 0; b < BLOCKS_PART; b++)
    norms[b] = norm == ISOLUX_HOG_L1 || norm == ISOLUX_HOG_L1_SQRT
                 ? norms[b] + EPSILON
                 : sqrt (norms[b] + EPSILON * EPSILON);
  for (gint b = 0; b < n_blocks; b++)
    {
      gdouble *block = values + (gsize) b * (gsize) n;

      divide (block, n, norms[b]);
      if (norm == ISOLUX_HOG_L1_SQRT)
        for (gint i = 0; i < n; i++)
          block[i] = sqrt (block[i]);
      if (norm == ISOLUX_HOG_L2_HYS)
        {
          for (gint i = 0; i < n; i++)
            block[i] = block[i] < 0.2 ? block[i] : 0.2;
          norms[b] = sum_of_squares (block, n, room);
        }
    }
  if (norm != ISOLUX_HOG_L2_HYS)
    return;
  for (gint b = 0; b < BLOCKS_PART; b++)
    norms[b] = sqrt (norms[b] + EPSILON * EPSILON);
  for (gint b = 0; b < n_blocks; b++)
    divide (values + (gsize) b * (gsize) n, n, norms[b]);
}

static void
hog_blocks (const gfloat *restrict cells,
            gsize         stride,
            gint          orientations,
            gint          side,
            gint64        n_blocks,
            IsoluxHogNorm norm,
            gdouble *restrict room,
            gdouble *restrict values)
{
  const gint n_row = side * orientations;

  for (gint64 b = 0; b < n_blocks; b += BLOCKS_PART)
    {
      const gint n = (gint) MIN (BLOCKS_PART, n_blocks - b);

      /* the usual ones, of which the compiler knows all numbers */
      if (n_row == 18 && side == 2 && norm == ISOLUX_HOG_L2_HYS)
        make_blocks (cells, stride, 9, 18, 2, n, ISOLUX_HOG_L2_HYS, room,
                     values);
      else if (n_row == 27 && side == 3 && norm == ISOLUX_HOG_L2_HYS)
        make_blocks (cells, stride, 9, 27, 3, n, ISOLUX_HOG_L2_HYS, room,
                     values);
      else
        make_blocks (cells, stride, orientations, n_row, side, n, norm, room,
                     values);
      cells += (gsize) n * (gsize) orientations;
      values += (gsize) n * (gsize) (n_row * side);
    }
}
