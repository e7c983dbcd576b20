/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Histograms of oriented gradients.  Cells are filled in groups that lie side
 * by side, a row of pixels at a time, so that each cell sees its pixels in
 * their order.
 */
#include "cpu.h"
#include "kernels.h"

#include <omp.h>

/* Pixels of a row that are worked on at a time; no cell is wider. */
#define WIDTH ISOLUX_HOG_WIDTH
#define TILE_HEIGHT 32

/*
 * What a thread works with.  row: values above, at and below the row, one
 * pixel more on each side; codes: the same of u8 where they do not lie in
 * the image as they are needed.
 */
typedef struct
{
  gdouble  row[3][WIDTH + 2];
  gdouble *above, *at, *below;
  guint8   codes[3][WIDTH + 2];
  gdouble  x[WIDTH], y[WIDTH], magnitude[WIDTH], shown[WIDTH];
  guint16  bins[WIDTH];
  guint8   counts[WIDTH];
} Room;

/* codes: NULL, or gradients are those of u8 and quickly told. */
typedef struct
{
  const IsoluxKernels  *kernels;
  const IsoluxPixels   *source;
  const IsoluxHogPlan  *plan;
  const IsoluxHogCodes *codes;
  gfloat               *cells;
  const IsoluxPicture  *picture; /* NULL: the largest value is wanted */
  Room                 *rooms;
} Work;

/* ---- Gradients ---------------------------------------------------------- */

static void
load_row (const Work *work, gint64 x, gint64 y, gint64 n, gdouble *values)
{
  const IsoluxPixels *pixels = work->source;
  const gint64        left = MAX (x - 1, 0);
  const gint64        right = MIN (x + n + 1, pixels->width);

  if (y < 0 || y >= pixels->height)
    return;
  values += left - (x - 1);
  isolux_cpu_values (pixels, &work->plan->weights, left, y, right - left,
                     values);
  if (work->plan->square_root)
    for (gint64 i = 0; i < right - left; i++)
      values[i] = isolux_hog_value (values[i], TRUE);
}

static void
start_rows (const Work *work, Room *room, gint64 x, gint64 y, gint64 n)
{
  room->above = room->row[0];
  room->at = room->row[1];
  room->below = room->row[2];
  load_row (work, x, y - 1, n, room->at);
  load_row (work, x, y, n, room->below);
}

static void
next_row (const Work *work, Room *room, gint64 x, gint64 y, gint64 n)
{
  gdouble *free_row = room->above;

  room->above = room->at;
  room->at = room->below;
  room->below = free_row;
  load_row (work, x, y + 1, n, room->below);
}

/* The gradients of n pixels of row y, from x on. */
static void
row_gradients (const Work *work, Room *room, gint64 x, gint64 y, gint64 n)
{
  const IsoluxHogPlan *plan = work->plan;
  const gint64         last = work->source->width - 1;
  const gboolean       edge = y == 0 || y == work->source->height - 1;

  work->kernels->hog_gradients (plan->sobel, room->above, room->at, room->below,
                                (gint) n, room->x, room->y);
  if (edge)
    {
      memset (room->y, 0, (gsize) n * sizeof (gdouble));
      if (plan->sobel)
        memset (room->x, 0, (gsize) n * sizeof (gdouble));
    }
  if (x == 0)
    {
      room->x[0] = 0.0;
      if (plan->sobel)
        room->y[0] = 0.0;
    }
  if (x + n - 1 == last)
    {
      room->x[n - 1] = 0.0;
      if (plan->sobel)
        room->y[n - 1] = 0.0;
    }
  work->kernels->hog_magnitudes (room->x, room->y, (gint) n, room->magnitude);
  if (plan->half)
    for (gint64 i = 0; i < n; i++)
      room->magnitude[i] = isolux_hog_half (room->magnitude[i], plan->shrink);
}

/* ---- Gradients of u8 ---------------------------------------------------- */

/*
 * The tangent of an edge as a fraction of 65536, so that no |x| of u8 times
 * it passes another whole number than the edge itself does.  Two fractions
 * with denominators up to 255 differ by more than 1 / 65536: there always is
 * one.
 */
static guint16
part_of (gdouble tangent)
{
  const gint whole = (gint) tangent;
  gint       part = 0;

  for (gint x = 1; x < 256; x++)
    {
      const gint passed = (gint) (x * tangent) - x * whole;

      part = MAX (part, (passed * 65536 + x - 1) / x);
    }
  return (guint16) part;
}

static gboolean
set_codes (IsoluxHogCodes *codes, const IsoluxHogPlan *plan, gint type)
{
  const IsoluxHogEdges *edges = plan->edges;
  const gint            n = plan->orientations;

  if (type != ISOLUX_PLAN_U8 || plan->is_signed || plan->square_root ||
      plan->sobel || plan->half)
    return FALSE;
  memset (codes, 0, sizeof *codes);
  codes->orientations = n;
  for (gint i = 1; 2 * i < n; i++)
    if (edges->whole[i])
      {
        codes->diagonal = 1;
        codes->on_diagonal = edges->closed[i] != 0;
        codes->on_mirror = ! edges->closed[n - i];
      }
    else
      {
        const gdouble tangent = edges->y[i] / edges->x[i];

        codes->whole[codes->n] = (gint16) tangent;
        codes->part[codes->n] = part_of (tangent);
        codes->n++;
      }
  codes->on_upright = n % 2 == 0 && edges->closed[n / 2];
  /* what nothing passes */
  while (codes->n % ISOLUX_HOG_PASS)
    codes->beyond[codes->n++] = G_MAXINT16 / 2;
  return TRUE;
}

/* The codes of n pixels from x on, in the image or in the row given. */
static const guint8 *
codes_of (const Work *work, gint64 x, gint64 y, gint64 n, guint8 *row)
{
  const IsoluxPixels *pixels = work->source;
  const guint8       *in = (const guint8 *) isolux_cpu_row (pixels, y) +
                     x * pixels->components;

  if (pixels->components == 1)
    return in;
  for (gint64 i = 0; i < n; i++, in += pixels->components)
    row[i] =
      pixels->colors == 1
        ? in[0]
        : (guint8) isolux_luma_code (&work->plan->weights, in[0], in[1], in[2]);
  return row;
}

/* The first or the last pixel of a row, which has a neighbour on one side. */
static void
edge_code (const Work   *work,
           const guint8 *above,
           const guint8 *below,
           guint16      *bin,
           gdouble      *magnitude)
{
  const guint8 flat[3] = { 0 };

  work->kernels->hog_codes (work->codes, above, flat + 1, below, 1, bin,
                            magnitude);
}

/* Bins and magnitudes of n pixels of row y, from x on. */
static void
row_codes (const Work *work, Room *room, gint64 x, gint64 y, gint64 n)
{
  const gint64  left = MAX (x - 1, 0);
  const gint64  right = MIN (x + n + 1, work->source->width);
  const guint8 *at = codes_of (work, left, y, right - left, room->codes[1]);
  const guint8 *above = at, *below = at;
  /* of those with both neighbours */
  const gint64 first = x == 0, end = n - (right == x + n);

  if (y > 0 && y < work->source->height - 1)
    {
      above = codes_of (work, left, y - 1, right - left, room->codes[0]);
      below = codes_of (work, left, y + 1, right - left, room->codes[2]);
    }
  at += x - left;
  above += x - left;
  below += x - left;
  if (first < end)
    work->kernels->hog_codes (work->codes, above + first, at + first,
                              below + first, (gint) (end - first),
                              room->bins + first, room->magnitude + first);
  if (first)
    edge_code (work, above, below, room->bins, room->magnitude);
  if (end < n && n > first)
    edge_code (work, above + n - 1, below + n - 1, room->bins + n - 1,
               room->magnitude + n - 1);
}

/* ---- Cells -------------------------------------------------------------- */

static void
fill_cells (const Work *work,
            Room       *room,
            gint64      cell_x,
            gint64      cell_y,
            gint64      n_cells)
{
  const IsoluxKernels *kernels = work->kernels;
  const IsoluxHogPlan *plan = work->plan;
  const gint           bins = plan->orientations, cell = plan->cell;
  const gint64         x = cell_x * cell, n = n_cells * cell;
  const gboolean       all = isolux_cpu_all_count (work->source);
  gfloat *totals = work->cells + (cell_y * plan->cells_x + cell_x) * bins;
  gint64  y = cell_y * cell;

  memset (totals, 0, (gsize) (n_cells * bins) * sizeof (gfloat));
  if (! work->codes)
    start_rows (work, room, x, y, n);
  for (; y < (cell_y + 1) * cell; y++)
    {
      if (! work->codes)
        next_row (work, room, x, y, n);
      if (! all && ! isolux_cpu_counts (work->source, x, y, n, room->counts))
        continue;
      if (work->codes)
        row_codes (work, room, x, y, n);
      else
        {
          row_gradients (work, room, x, y, n);
          kernels->hog_bins (plan, room->x, room->y, room->magnitude, (gint) n,
                             room->bins);
        }
      if (! all)
        for (gint64 k = 0; k < n; k++)
          if (! room->counts[k])
            room->magnitude[k] = 0.0;
      kernels->hog_add (room->bins, room->magnitude, (gint) n_cells, cell, bins,
                        totals);
    }
  for (gint64 i = 0; i < n_cells * bins; i++)
    totals[i] = isolux_hog_mean (totals[i], cell);
}

static void
fill_all (const Work *work, gint threads)
{
  const IsoluxHogPlan *plan = work->plan;
  /* bins and magnitudes of half as many pixels stay in the first cache */
  const gint64 group = MAX (1, WIDTH / 2 / plan->cell);
  const gint64 groups = (plan->cells_x + group - 1) / group;
  const gint64 jobs = groups * plan->cells_y;
  /* a thread takes neighbours, as long as there are enough: two that add to
   * the same line of the cache wait for each other */
  const gint64 each = CLAMP (groups, 1, MAX (1, jobs / (8 * threads)));

#pragma omp parallel for num_threads(threads) schedule(dynamic, each)
  for (gint64 i = 0; i < jobs; i++)
    {
      const gint64 first = i % groups * group;

      fill_cells (work, &work->rooms[omp_get_thread_num ()], first, i / groups,
                  MIN (group, plan->cells_x - first));
    }
}

static gint
threads_for (IsoluxSurface *source)
{
  return isolux_cpu_threads (source->device, source->pixels.width,
                             source->pixels.height);
}

gboolean
isolux_cpu_hog_cells (IsoluxSurface       *source,
                      const IsoluxHogPlan *plan,
                      gfloat              *cells,
                      GError             **error)
{
  const gint     threads = threads_for (source);
  IsoluxHogCodes codes;
  Work           work = { 0 };

  work.kernels = isolux_cpu_kernels ();
  work.source = &source->pixels;
  work.plan = plan;
  work.codes = set_codes (&codes, plan, work.source->type) ? &codes : NULL;
  work.cells = cells;
  work.rooms = isolux_try_new (Room, (gsize) threads, error);
  if (! work.rooms)
    return FALSE;
  fill_all (&work, threads);
  g_free (work.rooms);
  return TRUE;
}

/* ---- Blocks ------------------------------------------------------------- */

gboolean
isolux_cpu_hog_blocks (IsoluxHog           *hog,
                       IsoluxDevice        *device,
                       const IsoluxHogPlan *plan,
                       IsoluxHogNorm        norm,
                       const gfloat        *cells,
                       GError             **error)
{
  const IsoluxKernels *kernels = isolux_cpu_kernels ();
  const gint           side = hog->block_size, n = hog->orientations;
  const gsize          block = (gsize) (side * side * n);
  const gsize          stride = (gsize) plan->cells_x * (gsize) n;
  const gint           threads =
    (gint) CLAMP (hog->blocks_y, 1, isolux_device_get_threads (device));
  const gsize row = (gsize) hog->blocks_x * block;
  /* the kernel clears a page when it is first written, a thread at a time */
  const gint64 page =
    (gint64) (ISOLUX_LARGE_PAGE / sizeof (gdouble) / MAX (row, 1));
  const gint64 each = CLAMP (page, 1, MAX (1, hog->blocks_y / (4 * threads)));
  gdouble     *room = isolux_try_new (gdouble, block * (gsize) threads, error);

  if (! room)
    return FALSE;
#pragma omp parallel for num_threads(threads) schedule(dynamic, each)
  for (gint64 y = 0; y < hog->blocks_y; y++)
    kernels->hog_blocks (cells + (gsize) y * stride, stride, n, side,
                         hog->blocks_x, norm,
                         room + block * (gsize) omp_get_thread_num (),
                         hog->values + (gsize) y * row);
  g_free (room);
  return TRUE;
}

/* ---- Pictures ----------------------------------------------------------- */

/* The part of a line in row y, added to pixels from x on. */
static void
add_line (const IsoluxHogLine *line,
          gdouble              v,
          gint64               x,
          gint64               y,
          gint64               n,
          gdouble             *shown)
{
  const gint64 top = MIN (line->row, line->row + line->rows);
  const gint64 bottom = MAX (line->row, line->row + line->rows);
  const gint64 left = MIN (line->column, line->column + line->columns);
  const gint64 right = MAX (line->column, line->column + line->columns);

  if (y < top || y > bottom)
    return;
  for (gint64 k = MAX (left - x, 0); k <= MIN (right - x, n - 1); k++)
    if (isolux_hog_on_line (line, y, x + k))
      shown[k] += v;
}

/* cells lie whole in a row or are cut off by it, as cells_x and the tile's
 * width have it */
static void
row_glyphs (const Work *work, Room *room, gint64 x, gint64 y, gint64 n)
{
  const IsoluxHogPlan *plan = work->plan;
  const gint           bins = plan->orientations, cell = plan->cell;
  const gint64         cell_y = y / cell;

  if (cell == 1)
    {
      for (gint64 k = 0; k < n; k++)
        room->shown[k] = isolux_hog_glyph (plan, work->cells, x + k, y);
      return;
    }
  memset (room->shown, 0, (gsize) n * sizeof (gdouble));
  if (cell_y >= plan->cells_y)
    return;
  for (gint64 i = x / cell; i < plan->cells_x && i * cell < x + n; i++)
    for (gint b = 0; b < bins; b++)
      {
        const IsoluxHogLine line =
          isolux_hog_line (&plan->lines, plan->is_signed, b,
                           cell_y * cell + cell / 2, i * cell + cell / 2);

        add_line (&line, work->cells[(cell_y * plan->cells_x + i) * bins + b],
                  x, y, n, room->shown);
      }
}

static void
row_orientations (const Work *work, Room *room, gint64 x, gint64 y, gint64 n)
{
  const IsoluxHogPlan *plan = work->plan;

  for (gint64 k = 0; k < n; k++)
    room->shown[k] = k > 0 && (x + k) % plan->cell
                       ? room->shown[k - 1]
                       : isolux_hog_shown (plan, work->cells, x + k, y, 0.0);
}

/* Returns the largest value that is shown. */
static gdouble
work_tile (const Work *work, Room *room, gint64 x, gint64 y)
{
  const IsoluxPixels *pixels = work->source;
  const gint          what = work->plan->picture;
  const gint64        n = MIN (WIDTH, pixels->width - x);
  const gint64        end = MIN (y + TILE_HEIGHT, pixels->height);
  gdouble             most = 0.0;

  if (what == ISOLUX_PLAN_HOG_MAGNITUDE)
    start_rows (work, room, x, y, n);
  for (; y < end; y++)
    {
      if (what == ISOLUX_PLAN_HOG_MAGNITUDE)
        next_row (work, room, x, y, n);
      if (isolux_cpu_counts (pixels, x, y, n, room->counts))
        {
          if (what == ISOLUX_PLAN_HOG_MAGNITUDE)
            {
              row_gradients (work, room, x, y, n);
              memcpy (room->shown, room->magnitude,
                      (gsize) n * sizeof (gdouble));
            }
          else if (what == ISOLUX_PLAN_HOG_ORIENTATION)
            row_orientations (work, room, x, y, n);
          else
            row_glyphs (work, room, x, y, n);
          for (gint64 k = 0; k < n; k++)
            if (room->counts[k] && room->shown[k] > most)
              most = room->shown[k];
        }
      if (work->picture)
        isolux_cpu_draw (work->picture, x, y, n, room->counts, room->shown);
    }
  return most;
}

static gdouble
work_all (const Work *work, gint threads)
{
  const IsoluxPixels *pixels = work->source;
  const gint64        columns = (pixels->width + WIDTH - 1) / WIDTH;
  const gint64        tiles = columns *
                       ((pixels->height + TILE_HEIGHT - 1) / TILE_HEIGHT);
  gdouble most = 0.0;

#pragma omp parallel for num_threads(threads) schedule(dynamic) \
  reduction(max : most)
  for (gint64 i = 0; i < tiles; i++)
    {
      const gdouble v = work_tile (work, &work->rooms[omp_get_thread_num ()],
                                   i % columns * WIDTH,
                                   i / columns * TILE_HEIGHT);

      most = MAX (most, v);
    }
  return most;
}

gboolean
isolux_cpu_hog_picture (IsoluxSurface       *source,
                        IsoluxSurface       *destination,
                        const IsoluxHogPlan *plan,
                        GError             **error)
{
  const gint     threads = threads_for (source);
  IsoluxPicture  picture = { &source->pixels, &destination->pixels,
                             &plan->weights,  plan->raw,
                             plan->range,     plan->maximum };
  IsoluxHogCodes codes;
  Work           work = { 0 };

  work.kernels = isolux_cpu_kernels ();
  work.source = &source->pixels;
  work.plan = plan;
  work.codes = set_codes (&codes, plan, work.source->type) ? &codes : NULL;
  work.rooms = isolux_try_new (Room, (gsize) threads, error);
  if (! work.rooms)
    return FALSE;
  if (plan->picture != ISOLUX_PLAN_HOG_MAGNITUDE)
    {
      work.cells =
        isolux_try_new (gfloat,
                        MAX (1, (gsize) (plan->cells_y * plan->cells_x) *
                                  (gsize) plan->orientations),
                        error);
      if (! work.cells)
        {
          g_free (work.rooms);
          return FALSE;
        }
      fill_all (&work, threads);
    }
  if (! plan->raw && plan->picture != ISOLUX_PLAN_HOG_ORIENTATION)
    picture.most = work_all (&work, threads);
  work.picture = &picture;
  work_all (&work, threads);
  g_free (work.cells);
  g_free (work.rooms);
  return TRUE;
}
