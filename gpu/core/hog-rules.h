/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Histograms of oriented gradients, as skimage.feature.hog computes them:
 * what decides, written once for the CPU and for CUDA.
 */
#ifndef ISOLUX_HOG_RULES_H
#define ISOLUX_HOG_RULES_H

#include "value-rules.h"

#define ISOLUX_HOG_ORIENTATIONS 64

/* IsoluxHogGradient and IsoluxHogPicture, which kernels cannot see. */
#define ISOLUX_PLAN_HOG_SOBEL 1
#define ISOLUX_PLAN_HOG_GLYPHS 0
#define ISOLUX_PLAN_HOG_ORIENTATION 1
#define ISOLUX_PLAN_HOG_MAGNITUDE 2

/*
 * The directions between the bins, i = 1 .. n - 1: bin i starts at edge i.
 * x, y: where it points, right and down, for the quick test; whole numbers
 * where it is at a multiple of 45 degrees (whole).  The rest is for gradients
 * next to it: cosine, sine and the angle as sums of two numbers, and the
 * angle in degrees as scikit-image rounds it.  lower: at 180 degrees or more.
 * closed: whether a gradient on a whole edge is in bin i, else in i - 1.
 */
typedef struct
{
  double  x[ISOLUX_HOG_ORIENTATIONS], y[ISOLUX_HOG_ORIENTATIONS];
  double  cosine[2][ISOLUX_HOG_ORIENTATIONS];
  double  sine[2][ISOLUX_HOG_ORIENTATIONS];
  double  angle[2][ISOLUX_HOG_ORIENTATIONS];
  double  degrees[ISOLUX_HOG_ORIENTATIONS];
  uint8_t whole[ISOLUX_HOG_ORIENTATIONS];
  uint8_t closed[ISOLUX_HOG_ORIENTATIONS];
  uint8_t lower[ISOLUX_HOG_ORIENTATIONS];
} IsoluxHogEdges;

/* Half the line that a bin draws: rows down and columns to the left. */
typedef struct
{
  double down[ISOLUX_HOG_ORIENTATIONS], left[ISOLUX_HOG_ORIENTATIONS];
} IsoluxHogLines;

/* edges is host memory in the core's plan; a backend puts its own copy in
 * its place. */
typedef struct
{
  int32_t        orientations;
  int32_t        cell;
  int32_t        is_signed;
  int32_t        square_root;
  int32_t        sobel;
  int32_t        half;
  int32_t        picture;
  int32_t        raw;
  double         maximum; /* the largest value of the destination's type */
  double         range;   /* of orientation, in degrees: 180 or 360 */
  double         shrink;  /* half: magnitudes are kept times this */
  int64_t        cells_x, cells_y; /* whole ones */
  IsoluxWeights  weights;
  IsoluxHogLines lines;

  const IsoluxHogEdges *edges;
} IsoluxHogPlan;

/* ---- Half precision ---------------------------------------------------- */

/* The nearest IEEE half (ties to even) of a value from 0 on; what is beyond
 * the largest finite one becomes that. */
ISOLUX_RULE uint16_t
isolux_half_of (double v)
{
  double scaled;

  if (! (v > 0.0))
    return 0;
  if (v >= 65504.0)
    return 0x7bff;
  /* below 2^-14: steps of 2^-24 */
  scaled = v * 16777216.0;
  if (v < 6.103515625e-05)
    return (uint16_t) rint (scaled);
  else
    {
      uint64_t bits;
      uint32_t exponent, rest;

      memcpy (&bits, &v, sizeof bits);
      exponent = (uint32_t) (bits >> 52) - 1023 + 15;
      rest = (uint32_t) (bits >> 42 & 1023);
      bits &= (UINT64_C (1) << 42) - 1;
      rest |= exponent << 10;
      if (bits > UINT64_C (1) << 41 ||
          (bits == UINT64_C (1) << 41 && (rest & 1)))
        rest++; /* may carry into the exponent, which is right */
      return (uint16_t) (rest > 0x7bff ? 0x7bff : rest);
    }
}

ISOLUX_RULE double
isolux_of_half (uint16_t half)
{
  const uint64_t exponent = half >> 10, rest = half & 1023;
  uint64_t       bits;
  double         v;

  if (exponent == 0)
    return (double) rest * 5.9604644775390625e-08;
  bits = (exponent - 15 + 1023) << 52 | rest << 42;
  memcpy (&v, &bits, sizeof v);
  return v;
}

/* ---- Gradients ---------------------------------------------------------- */

/* Square root of the values first: NaN for negative ones. */
ISOLUX_RULE double
isolux_hog_value (double v, int square_root)
{
  return square_root ? sqrt (v) : v;
}

/*
 * The magnitude of a gradient; 0 where it is not finite.  x, y: down and to
 * the right, as they come out of differences of values.
 */
ISOLUX_RULE double
isolux_hog_magnitude (double x, double y)
{
  const double m = sqrt (x * x + y * y);

  return isolux_is_finite (m) ? m : 0.0;
}

/* A magnitude as it is after having been kept in half precision. */
ISOLUX_RULE double
isolux_hog_half (double magnitude, double shrink)
{
  return isolux_of_half (isolux_half_of (magnitude * shrink)) / shrink;
}

/* A quarter of the sum of three differences, the middle one twice. */
ISOLUX_RULE double
isolux_hog_smooth (double before, double at, double after)
{
  return ((before + after) + 2.0 * at) * 0.25;
}

/* ---- Bins -------------------------------------------------------------- */

/* Nearer to an edge than this, by the sine, rounding may matter. */
#define ISOLUX_HOG_NEAR 2e-14

/* pi as the sum of two numbers. */
#define ISOLUX_PI_HIGH 3.141592653589793116
#define ISOLUX_PI_LOW 1.2246467991473532e-16

/* What a * b is more than its rounded product. */
ISOLUX_RULE double
isolux_product_rest (double a, double b, double product)
{
  const double a_big = a * 134217729.0, b_big = b * 134217729.0;
  const double a_high = a_big - (a_big - a), a_low = a - a_high;
  const double b_high = b_big - (b_big - b), b_low = b - b_high;

  return ((a_high * b_high - product) + a_high * b_low + a_low * b_high) +
         a_low * b_low;
}

/* What a + b is more than its rounded sum. */
ISOLUX_RULE double
isolux_sum_rest (double a, double b, double sum)
{
  const double part = sum - a;

  return (a - (sum - part)) + (b - part);
}

/*
 * For a gradient that all but lies on an edge: the same as the comparison of
 * two rounded angles in degrees, since there rounding decides, and square
 * roots of whole numbers do lie on edges at multiples of 15 and 22.5 degrees.
 * The angle is that of the edge and a little more, by its sine; it is rounded
 * once, as a good atan2() does.  half_turns: by so many the angle lies below
 * 0 for atan2().
 */
ISOLUX_RULE int
isolux_hog_next_to (const IsoluxHogEdges *e,
                    int                   edge,
                    double                x,
                    double                y,
                    int                   half_turns)
{
  const double across = e->cosine[0][edge] * y, along = e->sine[0][edge] * x;
  const double more = ((across - along) +
                       (isolux_product_rest (e->cosine[0][edge], y, across) -
                        isolux_product_rest (e->sine[0][edge], x, along)) +
                       (e->cosine[1][edge] * y - e->sine[1][edge] * x)) /
                      sqrt (x * x + y * y);
  const double turn = -half_turns * ISOLUX_PI_HIGH;
  const double high = e->angle[0][edge] + turn;
  const double low = isolux_sum_rest (e->angle[0][edge], turn, high) +
                     (e->angle[1][edge] - half_turns * ISOLUX_PI_LOW);
  double degrees = (high + (low + more)) * 57.29577951308232;

  if (half_turns)
    degrees += 180.0 * half_turns;
  return degrees >= e->degrees[edge];
}

/* Whether the direction of the gradient is that of an edge or beyond; lower:
 * at 180 degrees or more; half_turns: see above. */
ISOLUX_RULE int
isolux_hog_reaches (const IsoluxHogEdges *e,
                    int                   edge,
                    double                x,
                    double                y,
                    int                   lower,
                    int                   half_turns)
{
  const double side = e->x[edge] * y - e->y[edge] * x;
  const double near = (fabs (x) + fabs (y)) * ISOLUX_HOG_NEAR;

  if (lower != e->lower[edge])
    return lower;
  if (side > near || side < -near)
    return side > 0.0;
  if (side == 0.0 && e->whole[edge])
    return e->closed[edge];
  return isolux_hog_next_to (e, edge, x, y, half_turns);
}

/* Below this an angle less than pi by it is rounded to pi. */
#define ISOLUX_HOG_NO_ANGLE 3.44509284839767e-16

/* The bin of a gradient; any for (0, 0) and for what is not finite. */
ISOLUX_RULE int
isolux_hog_bin (const IsoluxHogEdges *e,
                int                   n,
                int                   is_signed,
                double                x,
                double                y)
{
  int half_turns = y < 0.0 ? 1 + is_signed : 0;
  int low = 0, high = n - 1, lower;

  if (y > 0.0 && y < -x * ISOLUX_HOG_NO_ANGLE)
    y = 0.0;
  lower = y < 0.0 || (y == 0.0 && x < 0.0);
  if (lower && ! is_signed)
    {
      x = -x;
      y = -y;
      lower = 0;
    }
  while (low < high)
    {
      const int middle = (low + high + 1) / 2;

      if (isolux_hog_reaches (e, middle, x, y, lower, half_turns))
        low = middle;
      else
        high = middle - 1;
    }
  return low;
}

/* ---- Bins of gradients of whole numbers ---------------------------------- */

/* The largest difference of u8. */
#define ISOLUX_HOG_MOST_CODE 255

/* No such gradient lies so near below a slope that this times it is not 1. */
#define ISOLUX_HOG_STEEP 1024.0f

/*
 * Unsigned bins of gradients of -255 .. 255, (0, 0) aside, by products in
 * single precision.  slope: of the edges below 90 degrees, upwards, but for
 * one at 45; times ISOLUX_HOG_STEEP, as all.  diagonal, mirror: of the edges
 * at 45 and 135 degrees, where has_diagonal.  Each lies amid the two
 * neighboring quotients of such numbers that it divides, so that none is met.
 * on_upright: there is an edge at 90 degrees, and it belongs to the bin that
 * it starts.
 */
typedef struct
{
  float   slope[ISOLUX_HOG_ORIENTATIONS / 2];
  float   diagonal, mirror;
  int32_t n;    /* of slope */
  int32_t last; /* the last bin */
  int32_t has_diagonal;
  int32_t on_upright;

  /* for gradients of any values: of all edges below 90 degrees */
  float   tangent[ISOLUX_HOG_ORIENTATIONS / 2];
  int32_t n_tangents;
} IsoluxHogSlopes;

/* A slope amid the quotients around tangent, which is none of them. */
ISOLUX_RULE float
isolux_hog_slope (double tangent)
{
  double low = 0.0, high = tangent + 1.0;
  int    x;

  for (x = 1; x <= ISOLUX_HOG_MOST_CODE; x++)
    {
      const int    passed = (int) (x * tangent);
      const double below = (double) passed / x, above = (passed + 1.0) / x;

      low = below > low ? below : low;
      high = above < high ? above : high;
    }
  return (float) ((low + high) * 0.5) * ISOLUX_HOG_STEEP;
}

ISOLUX_RULE void
isolux_hog_slopes_set (IsoluxHogSlopes *s, const IsoluxHogEdges *e, int n)
{
  const double beside = 1e-6; /* the nearest quotients are 1 / 255 away */
  int          i;

  s->n = s->n_tangents = 0;
  s->last = n - 1;
  s->has_diagonal = 0;
  s->on_upright = n % 2 == 0 && e->closed[n / 2];
  for (i = 1; 2 * i < n; i++)
    s->tangent[s->n_tangents++] = (float) (e->y[i] / e->x[i]);
  for (i = 1; 2 * i < n; i++)
    if (! e->whole[i])
      s->slope[s->n++] = isolux_hog_slope (e->y[i] / e->x[i]);
    else
      {
        s->has_diagonal = 1;
        s->diagonal =
          isolux_hog_slope (e->closed[i] ? 1.0 - beside : 1.0 + beside);
        s->mirror =
          isolux_hog_slope (e->closed[n - i] ? 1.0 + beside : 1.0 - beside);
      }
}

ISOLUX_RULE float
isolux_saturate (float v)
{
#ifdef __CUDA_ARCH__
  return __saturatef (v);
#else
  return v > 0.0f ? v < 1.0f ? v : 1.0f : 0.0f;
#endif
}

/* The bin of (x, y), a whole number.  plain: there are four slopes and
 * nothing else, as with 9 bins. */
ISOLUX_RULE float
isolux_hog_bin_of_codes (const IsoluxHogSlopes *s, int plain, float x, float y)
{
  const float across = fabsf (x), down = fabsf (y) * ISOLUX_HOG_STEEP;
  /* to the upper left or the lower right: 1, the bins run backwards; else 0 */
  const float turned = isolux_saturate (-x * y);
  const int   n = plain ? 4 : s->n;
  float       passed, bin;
  int         i;

  passed = n ? isolux_saturate (fmaf (across, -s->slope[0], down)) : 0.0f;
  for (i = 1; i < n; i++)
    passed += isolux_saturate (fmaf (across, -s->slope[i], down));
  if (! plain && s->has_diagonal)
    passed +=
      isolux_saturate (fmaf (across, turned > 0.0f ? -s->mirror : -s->diagonal,
                             down));
  bin = fmaf (turned, fmaf (-2.0f, passed, (float) s->last), passed);
  if (! plain && s->on_upright && x == 0.0f && y != 0.0f)
    bin += 1.0f;
  return bin;
}

/*
 * The bin of any gradient as isolux_hog_bin() has it, by single precision; -1:
 * it lies so near to an edge, or is so large or small, that this cannot tell.
 * What is rounded here, four numbers at an edge, comes to 2^-22 of them.
 */
ISOLUX_RULE int
isolux_hog_quick_bin (const IsoluxHogSlopes *s, int plain, double x, double y)
{
  const float doubt = 9.5367431640625e-07f;      /* 2^-20 */
  const float largest = 1.2676506002282294e+30f; /* 2^100 */
  const float smallest = 7.888609052210118e-31f; /* 2^-100 */
  const float across = fabsf ((float) x), down = fabsf ((float) y);
  const float most = fmaxf (across, down), least = fminf (across, down);
  const int   on_axis = x == 0.0 || y == 0.0;
  const int   turned = (x < 0.0) != (y < 0.0) && ! on_axis;
  const int   n = plain ? 4 : s->n_tangents;
  float       nearest = FLT_MAX;
  int         passed = 0, i;

  for (i = 0; i < n; i++)
    {
      const float side = fmaf (across, -s->tangent[i], down);

      passed += side > 0.0f;
      nearest = fminf (nearest, fabsf (side));
    }
  if (! (nearest > down * doubt && most > smallest && most < largest &&
         (least > most * doubt || on_axis)))
    return -1;
  if (turned)
    passed = s->last - passed;
  return passed + (! plain && x == 0.0 && s->on_upright);
}

/* ---- Cells -------------------------------------------------------------- */

/* Adds a magnitude to a cell's bin: in single precision, in the order of
 * the pixels, as scikit-image does; it stops at the largest number. */
ISOLUX_RULE float
isolux_hog_add (float total, double magnitude)
{
  const double sum = (double) total + magnitude;

  return sum < (double) FLT_MAX ? (float) sum : FLT_MAX;
}

/*
 * isolux_hog_add() of the square root of a whole number below 2^18, in single
 * precision, for processors whose double precision is slow.  root: 1 over the
 * square root, or over 1 if it is 0, to 2^-22 of itself.  Where *sure comes
 * out 0, which is one in 2^17, it is for the caller to add as above.
 *
 * The square root is guess + left * half, to 2^-45 of itself; left is exact,
 * and 0 for squares of whole numbers, whose sums often lie amid two numbers.
 * The total and it are sum + more; lost, what rounding took from the sum, is
 * exact, too.  Where more decides how the sum is rounded, it is at least 2^-25
 * of the sum, and so in doubt by 2^-20 of itself at most.  If neither end of
 * that changes the result, nor does what lies between, with the rounding to
 * double precision that isolux_hog_add() has before its own.
 */
ISOLUX_RULE float
isolux_hog_add_root (float total, float square, float root, int *sure)
{
  const float doubt = 1.9073486328125e-06f; /* 2^-19 */
  const float half = root * 0.5f, near = square * root;
  const float guess = fmaf (fmaf (-near, near, square), half, near);
  const float left = fmaf (-guess, guess, square);
  const float large = fmaxf (total, guess), small = fminf (total, guess);
  const float sum = large + small, lost = small - (sum - large);
  const float more = fmaf (left, half, lost);

  *sure = left == 0.0f ||
          fmaf (more, 1.0f + doubt, sum) == fmaf (more, 1.0f - doubt, sum);
  return sum + more;
}

ISOLUX_RULE float
isolux_hog_mean (float total, int cell)
{
  return total / (float) ((int64_t) cell * cell);
}

/* ---- Lines -------------------------------------------------------------- */

/* A line of pixels from (row, column), Bresenham's. */
typedef struct
{
  int64_t row, column;
  int32_t rows, columns; /* to the other end */
} IsoluxHogLine;

/* That of a bin in the cell whose middle is at (row, column).  Ends are cut
 * off towards 0 as scikit-image does. */
ISOLUX_RULE IsoluxHogLine
isolux_hog_line (const IsoluxHogLines *lines,
                 int                   is_signed,
                 int                   bin,
                 int64_t               row,
                 int64_t               column)
{
  const double  down = lines->down[bin], left = lines->left[bin];
  IsoluxHogLine line;

  line.row = is_signed ? row : (int64_t) ((double) row - down);
  line.column = is_signed ? column : (int64_t) ((double) column + left);
  line.rows = (int32_t) ((int64_t) ((double) row + down) - line.row);
  line.columns = (int32_t) ((int64_t) ((double) column - left) - line.column);
  return line;
}

/* Whether a pixel, which is near, lies on the line. */
ISOLUX_RULE int
isolux_hog_on_line (const IsoluxHogLine *line, int64_t row, int64_t column)
{
  const int32_t down = (int32_t) (row - line->row);
  const int32_t right = (int32_t) (column - line->column);
  int32_t       length = line->columns < 0 ? -line->columns : line->columns;
  int32_t       width = line->rows < 0 ? -line->rows : line->rows;
  int32_t       along = line->columns > 0 ? right : -right;
  int32_t       across = line->rows > 0 ? down : -down;
  int32_t       twice;

  if (width > length)
    {
      int32_t other = length;

      length = width;
      width = other;
      other = along;
      along = across;
      across = other;
    }
  if (along < 0 || along > length || across < 0 || across > width)
    return 0;
  /* across = floor ((2 * width * along + length) / (2 * length)) */
  twice = 2 * width * along + length - 2 * length * across;
  return twice >= 0 && (length == 0 || twice < 2 * length);
}

/* Where a line is: its pixels one after the other.  Those of
 * isolux_hog_on_line(), of which the first always is one. */
typedef struct
{
  int32_t left;          /* pixels after this one */
  int32_t error;         /* over twice the length: how far between two */
  int32_t length, width; /* steps along it, and across it meanwhile */
  int32_t along[2];      /* a step along it: right and down */
  int32_t across[2];     /* a step across it */
  int32_t column, row;   /* from where the line was asked for */
} IsoluxHogWalk;

/* column, row: of the pixel that others are counted from. */
ISOLUX_RULE IsoluxHogWalk
isolux_hog_walk (const IsoluxHogLine *line, int64_t row, int64_t column)
{
  const int32_t right = line->columns > 0 ? 1 : -1;
  const int32_t down = line->rows > 0 ? 1 : -1;
  const int32_t columns = line->columns * right, rows = line->rows * down;
  const int     steep = rows > columns;
  IsoluxHogWalk w;

  w.length = w.left = w.error = steep ? rows : columns;
  w.width = steep ? columns : rows;
  w.along[0] = steep ? 0 : right;
  w.along[1] = steep ? down : 0;
  w.across[0] = steep ? right : 0;
  w.across[1] = steep ? 0 : down;
  w.column = (int32_t) (line->column - column);
  w.row = (int32_t) (line->row - row);
  return w;
}

/* To the next pixel; 0: there is none. */
ISOLUX_RULE int
isolux_hog_step (IsoluxHogWalk *w)
{
  const int32_t beyond = w->error + 2 * w->width - 2 * w->length;
  const int     aside = beyond >= 0;

  if (w->left == 0)
    return 0;
  w->left--;
  w->error = aside ? beyond : beyond + 2 * w->length;
  w->column += w->along[0] + (aside ? w->across[0] : 0);
  w->row += w->along[1] + (aside ? w->across[1] : 0);
  return 1;
}

/* ---- Pictures ----------------------------------------------------------- */

/* The strongest bin of a cell, the first of equals; -1: all are 0. */
ISOLUX_RULE int
isolux_hog_dominant (const float *cell, int n)
{
  int best = -1, i;

  for (i = 0; i < n; i++)
    if (cell[i] > (best < 0 ? 0.0f : cell[best]))
      best = i;
  return best;
}

/* The middle of a bin in degrees; 0 for none. */
ISOLUX_RULE double
isolux_hog_angle (double range, int n, int bin)
{
  return bin < 0 ? 0.0 : range * (2 * bin + 1) / (2 * n);
}

/* What the cell (cell_x, cell_y) draws at a pixel, added to sum. */
ISOLUX_RULE double
isolux_hog_glyph_of (const IsoluxHogPlan *plan,
                     const float         *cells,
                     int64_t              cell_x,
                     int64_t              cell_y,
                     int64_t              x,
                     int64_t              y,
                     double               sum)
{
  const int     n = plan->orientations;
  const float  *cell = cells + (cell_y * plan->cells_x + cell_x) * n;
  const int64_t row = cell_y * plan->cell + plan->cell / 2;
  const int64_t column = cell_x * plan->cell + plan->cell / 2;
  int           i;

  for (i = 0; i < n; i++)
    {
      const IsoluxHogLine line =
        isolux_hog_line (&plan->lines, plan->is_signed, i, row, column);

      if (isolux_hog_on_line (&line, y, x))
        sum += (double) cell[i];
    }
  return sum;
}

/* The glyphs at a pixel.  A line leaves its cell only where a cell is a
 * single pixel. */
ISOLUX_RULE double
isolux_hog_glyph (const IsoluxHogPlan *plan,
                  const float         *cells,
                  int64_t              x,
                  int64_t              y)
{
  const int64_t cell_x = x / plan->cell, cell_y = y / plan->cell;
  const int64_t reach = plan->cell == 1;
  double        sum = 0.0;
  int64_t       i, j;

  for (j = cell_y - reach; j <= cell_y + reach; j++)
    for (i = cell_x - reach; i <= cell_x + reach; i++)
      if (i >= 0 && j >= 0 && i < plan->cells_x && j < plan->cells_y)
        sum = isolux_hog_glyph_of (plan, cells, i, j, x, y, sum);
  return sum;
}

/* What a picture shows at a pixel, in its own units; magnitude is that of
 * the pixel's gradient. */
ISOLUX_RULE double
isolux_hog_shown (const IsoluxHogPlan *plan,
                  const float         *cells,
                  int64_t              x,
                  int64_t              y,
                  double               magnitude)
{
  const int n = plan->orientations;

  if (plan->picture == ISOLUX_PLAN_HOG_MAGNITUDE)
    return magnitude;
  if (x >= plan->cells_x * plan->cell || y >= plan->cells_y * plan->cell)
    return 0.0;
  if (plan->picture == ISOLUX_PLAN_HOG_ORIENTATION)
    return isolux_hog_angle (plan->range, n,
                             isolux_hog_dominant (cells + ((y / plan->cell) *
                                                             plan->cells_x +
                                                           x / plan->cell) *
                                                            n,
                                                  n));
  return isolux_hog_glyph (plan, cells, x, y);
}

#endif /* ISOLUX_HOG_RULES_H */
