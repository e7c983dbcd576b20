/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Histograms of oriented gradients.  Cells are filled in groups that lie side
 * by side, a row of pixels at a time, so that each cell sees its pixels in
 * their order.
 */
#include "cpu.h"

#include <math.h>
#include <omp.h>

/* Pixels of a row that are worked on at a time; no cell is wider. */
#define WIDTH 1024
#define TILE_HEIGHT 32

/* What a thread works with.  rows: values above, at and below the row, one
 * pixel more on each side. */
typedef struct
{
  gdouble  row[3][WIDTH + 2];
  gdouble *above, *at, *below;
  gdouble  x[WIDTH], y[WIDTH], magnitude[WIDTH], shown[WIDTH];
  gdouble  turned_x[WIDTH], turned_y[WIDTH], near[WIDTH], lower[WIDTH];
  gdouble  bin[WIDTH], doubt[WIDTH];
  guint8   counts[WIDTH];
} Room;

typedef struct
{
  const IsoluxPixels  *source;
  const IsoluxHogPlan *plan;
  gfloat              *cells;
  const IsoluxPicture *picture; /* NULL: the largest value is wanted */
  Room                *rooms;
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

/* a, b, c: the rows above, at and below, from the pixel left of the first. */
static void
central (const gdouble *restrict a,
         const gdouble *restrict b,
         const gdouble *restrict c,
         gint64 n,
         gdouble *restrict x,
         gdouble *restrict y)
{
  for (gint64 i = 0; i < n; i++)
    {
      x[i] = b[i + 2] - b[i];
      y[i] = c[i + 1] - a[i + 1];
    }
}

static void
sobel (const gdouble *restrict a,
       const gdouble *restrict b,
       const gdouble *restrict c,
       gint64 n,
       gdouble *restrict x,
       gdouble *restrict y)
{
  for (gint64 i = 0; i < n; i++)
    {
      x[i] =
        isolux_hog_smooth (a[i + 2] - a[i], b[i + 2] - b[i], c[i + 2] - c[i]);
      y[i] = isolux_hog_smooth (c[i] - a[i], c[i + 1] - a[i + 1],
                                c[i + 2] - a[i + 2]);
    }
}

static void
magnitudes (const gdouble *restrict x,
            const gdouble *restrict y,
            const guint8 *restrict counts,
            gint64 n,
            gdouble *restrict magnitude)
{
  for (gint64 i = 0; i < n; i++)
    {
      const gdouble m = isolux_hog_magnitude (x[i], y[i]);

      magnitude[i] = counts[i] ? m : 0.0;
    }
}

/* The gradients of n pixels of row y, from x on. */
static void
row_gradients (const Work *work, Room *room, gint64 x, gint64 y, gint64 n)
{
  const IsoluxHogPlan *plan = work->plan;
  const gint64         last = work->source->width - 1;
  const gboolean       edge = y == 0 || y == work->source->height - 1;

  if (plan->sobel)
    sobel (room->above, room->at, room->below, n, room->x, room->y);
  else
    central (room->above, room->at, room->below, n, room->x, room->y);
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
  magnitudes (room->x, room->y, room->counts, n, room->magnitude);
  if (plan->half)
    for (gint64 i = 0; i < n; i++)
      room->magnitude[i] = isolux_hog_half (room->magnitude[i], plan->shrink);
}

/* ---- Bins --------------------------------------------------------------- */

/*
 * The bins of a row: by all edges, one after the other, where no gradient is
 * near one, else by the rule.  All in doubles, so that compilers make vectors
 * of it.
 */

/* Turns gradients that point up round, unless is_signed: then lower is 1.
 * doubt is above 0 where the rule has to decide. */
static void
prepare_bins (const gdouble *restrict x,
              const gdouble *restrict y,
              gdouble turn,
              gint64  n,
              gdouble *restrict turned_x,
              gdouble *restrict turned_y,
              gdouble *restrict near,
              gdouble *restrict lower,
              gdouble *restrict doubt)
{
  for (gint64 i = 0; i < n; i++)
    {
      const gdouble sign = y[i] < 0.0 ? turn : 1.0;

      turned_x[i] = x[i] * sign;
      turned_y[i] = y[i] * sign;
      lower[i] = y[i] < 0.0 ? 1.0 : 0.0;
      near[i] = (fabs (x[i]) + fabs (y[i])) * ISOLUX_HOG_NEAR;
      /* next to 180 degrees */
      doubt[i] = fabs (y[i]) > near[i] ? 0.0 : x[i] > 0.0 ? 0.0 : 1.0;
    }
}

/* Adds 1 to the bins of gradients that reach an edge; on_edge: for those that
 * lie on it exactly; doubtful: whether that is in doubt. */
static void
pass_edge (const gdouble *restrict x,
           const gdouble *restrict y,
           const gdouble *restrict near,
           gdouble edge_x,
           gdouble edge_y,
           gdouble on_edge,
           gdouble doubtful,
           gint64  n,
           gdouble *restrict bin,
           gdouble *restrict doubt)
{
  for (gint64 i = 0; i < n; i++)
    {
      const gdouble side = edge_x * y[i] - edge_y * x[i];
      const gdouble beyond = side > 0.0 ? 1.0 : 0.0;
      const gdouble safe = fabs (side) > near[i] ? 0.0 : 1.0;

      bin[i] += side == 0.0 ? on_edge : beyond;
      doubt[i] += side == 0.0 ? doubtful : safe;
    }
}

/* The same where directions are signed. */
static void
pass_signed_edge (const gdouble *restrict x,
                  const gdouble *restrict y,
                  const gdouble *restrict near,
                  const gdouble *restrict lower,
                  gdouble edge_x,
                  gdouble edge_y,
                  gdouble edge_lower,
                  gdouble on_edge,
                  gdouble doubtful,
                  gint64  n,
                  gdouble *restrict bin,
                  gdouble *restrict doubt)
{
  for (gint64 i = 0; i < n; i++)
    {
      const gdouble side = edge_x * y[i] - edge_y * x[i];
      const gdouble beyond = side > 0.0 ? 1.0 : 0.0;
      const gdouble safe = fabs (side) > near[i] ? 0.0 : 1.0;
      const gdouble reached = side == 0.0 ? on_edge : beyond;

      bin[i] += lower[i] == edge_lower ? reached : lower[i];
      doubt[i] += side == 0.0 ? doubtful : safe;
    }
}

static void
row_bins (const IsoluxHogPlan *plan, Room *room, gint64 n)
{
  const IsoluxHogEdges *edges = plan->edges;

  memset (room->bin, 0, (gsize) n * sizeof (gdouble));
  prepare_bins (room->x, room->y, plan->is_signed ? 1.0 : -1.0, n,
                room->turned_x, room->turned_y, room->near, room->lower,
                room->doubt);
  for (gint i = 1; i < plan->orientations; i++)
    {
      const gdouble on_edge = edges->whole[i] && edges->closed[i];
      const gdouble doubtful = ! edges->whole[i];

      if (plan->is_signed)
        pass_signed_edge (room->turned_x, room->turned_y, room->near,
                          room->lower, edges->x[i], edges->y[i],
                          edges->lower[i], on_edge, doubtful, n, room->bin,
                          room->doubt);
      else
        pass_edge (room->turned_x, room->turned_y, room->near, edges->x[i],
                   edges->y[i], on_edge, doubtful, n, room->bin, room->doubt);
    }
  for (gint64 i = 0; i < n; i++)
    if (room->doubt[i] > 0.0 && room->magnitude[i] > 0.0)
      room->bin[i] = isolux_hog_bin (edges, plan->orientations, plan->is_signed,
                                     room->x[i], room->y[i]);
}

/* ---- Cells -------------------------------------------------------------- */

static void
fill_cells (const Work *work,
            Room       *room,
            gint64      cell_x,
            gint64      cell_y,
            gint64      n_cells)
{
  const IsoluxHogPlan *plan = work->plan;
  const gint           bins = plan->orientations, cell = plan->cell;
  const gint64         x = cell_x * cell, n = n_cells * cell;
  gfloat *totals = work->cells + (cell_y * plan->cells_x + cell_x) * bins;
  gint64  y = cell_y * cell;

  memset (totals, 0, (gsize) (n_cells * bins) * sizeof (gfloat));
  start_rows (work, room, x, y, n);
  for (; y < (cell_y + 1) * cell; y++)
    {
      const gdouble *magnitude = room->magnitude;

      next_row (work, room, x, y, n);
      if (! isolux_cpu_counts (work->source, x, y, n, room->counts))
        continue;
      row_gradients (work, room, x, y, n);
      row_bins (plan, room, n);
      for (gint64 i = 0; i < n_cells; i++)
        for (gint64 k = i * cell; k < (i + 1) * cell; k++)
          if (magnitude[k] > 0.0)
            {
              gfloat *total = totals + i * bins + (gint) room->bin[k];

              *total = isolux_hog_add (*total, magnitude[k]);
            }
    }
  for (gint64 i = 0; i < n_cells * bins; i++)
    totals[i] = isolux_hog_mean (totals[i], cell);
}

static void
fill_all (const Work *work, gint threads)
{
  const IsoluxHogPlan *plan = work->plan;
  const gint64         group = WIDTH / plan->cell;
  const gint64         groups = (plan->cells_x + group - 1) / group;

#pragma omp parallel for num_threads(threads) schedule(dynamic)
  for (gint64 i = 0; i < groups * plan->cells_y; i++)
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
  const gint threads = threads_for (source);
  Work       work = { &source->pixels, plan, cells, NULL, NULL };

  work.rooms = isolux_try_new (Room, (gsize) threads, error);
  if (! work.rooms)
    return FALSE;
  fill_all (&work, threads);
  g_free (work.rooms);
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
  const gint    threads = threads_for (source);
  IsoluxPicture picture = { &source->pixels, &destination->pixels,
                            &plan->weights,  plan->raw,
                            plan->range,     plan->maximum };
  Work          work = { &source->pixels, plan, NULL, NULL, NULL };

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
