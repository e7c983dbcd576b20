/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Local binary patterns of any points, tile after tile: the values of a tile
 * and of what lies around it (0 outside the image) are made first, then every
 * sample is taken for a row of pixels at a time.
 */
#include "cpu.h"
#include "kernels.h"

#include <omp.h>

#define TILE_WIDTH 512
#define TILE_HEIGHT 32

/* Counts of up to so many codes are kept for each thread. */
#define OWN_COUNTS 65536

/* What a thread works with.  values: of the tile and reach pixels around it;
 * fraction: of each column, for each sample. */
typedef struct
{
  gdouble *values;
  gsize    stride;
  gdouble *fraction;
  gdouble  sum[TILE_WIDTH], squares[TILE_WIDTH], shown[TILE_WIDTH];
  guint32  signs[TILE_WIDTH], codes[TILE_WIDTH];
  guint8   counts[TILE_WIDTH];
  guint64 *table; /* of codes; NULL: draw */
} Room;

typedef struct
{
  const IsoluxKernels *kernels;
  const IsoluxPixels  *source;
  const IsoluxLbpPlan *plan;
  const IsoluxPicture *picture; /* NULL: count */
  guint64             *counts;
  gboolean             own;  /* counts of a thread's own */
  guint32             *code; /* of all signs; nullable */
} Work;

/* ---- Rooms -------------------------------------------------------------- */

static void
rooms_free (Room *rooms, gint n)
{
  for (gint i = 0; rooms && i < n; i++)
    {
      g_free (rooms[i].values);
      g_free (rooms[i].fraction);
      g_free (rooms[i].table);
    }
  g_free (rooms);
}

static Room *
rooms_new (const Work *work, gint n, GError **error)
{
  const gsize reach = (gsize) work->plan->reach;
  Room       *rooms = isolux_try_new (Room, (gsize) n, error);
  gboolean    success = rooms != NULL;

  for (gint i = 0; success && i < n; i++)
    {
      Room *room = &rooms[i];

      room->stride = TILE_WIDTH + 2 * reach;
      room->values = isolux_try_new (gdouble,
                                     room->stride * (TILE_HEIGHT + 2 * reach),
                                     error);
      room->fraction =
        room->values
          ? isolux_try_new (gdouble, (gsize) work->plan->points * TILE_WIDTH,
                            error)
          : NULL;
      success = room->fraction != NULL;
      if (success && work->own)
        {
          room->table = isolux_try_new (guint64, work->plan->codes, error);
          success = room->table != NULL;
        }
    }
  if (! success)
    {
      rooms_free (rooms, n);
      return NULL;
    }
  return rooms;
}

/* ---- A tile ------------------------------------------------------------- */

static void
load_values (const Work *work, Room *room, gint64 x, gint64 y, gint64 rows)
{
  const IsoluxPixels *pixels = work->source;
  const gint64        reach = work->plan->reach;
  const gint64        left = MAX (x - reach, 0);
  const gint64        right = MIN (x + TILE_WIDTH + reach, pixels->width);
  const gsize         before = (gsize) (left - (x - reach));

  for (gint64 row = y - reach; row < y + rows + reach; row++)
    {
      gdouble *values = room->values +
                        room->stride * (gsize) (row - (y - reach));

      if (row < 0 || row >= pixels->height)
        {
          memset (values, 0, room->stride * sizeof (gdouble));
          continue;
        }
      memset (values, 0, before * sizeof (gdouble));
      isolux_cpu_values (pixels, &work->plan->weights, left, row, right - left,
                         values + before);
      memset (values + before + (right - left), 0,
              (room->stride - before - (gsize) (right - left)) *
                sizeof (gdouble));
    }
}

static void
load_fractions (const IsoluxLbpPlan *plan, Room *room, gint64 x)
{
  for (gint i = 0; i < plan->points; i++)
    for (gint k = 0; k < TILE_WIDTH; k++)
      room->fraction[i * TILE_WIDTH + k] =
        isolux_lbp_fraction (x + k, plan->column[i], plan->left[i]);
}

/* at: the value of the row's first pixel */
static void
row_samples (const Work    *work,
             Room          *room,
             const gdouble *at,
             gint64         y,
             gint64         n)
{
  const IsoluxKernels *kernels = work->kernels;
  const IsoluxLbpPlan *plan = work->plan;
  const gssize         stride = (gssize) room->stride;
  gdouble              samples[TILE_WIDTH];

  memset (room->signs, 0, sizeof room->signs);
  memset (room->sum, 0, sizeof room->sum);
  memset (room->squares, 0, sizeof room->squares);
  for (gint i = 0; i < plan->points; i++)
    {
      const gdouble *top = at + plan->top[i] * stride;
      const gdouble *bottom = at + plan->bottom[i] * stride;
      const gdouble *fraction = room->fraction + (gsize) i * TILE_WIDTH;
      const gdouble *from = samples;
      const gdouble  dr = isolux_lbp_fraction (y, plan->row[i], plan->top[i]);

      if (plan->top[i] == plan->bottom[i] && plan->left[i] == plan->right[i])
        from = top + plan->left[i]; /* a pixel's middle */
      else
        kernels->lbp_sample (top + plan->left[i], top + plan->right[i],
                             bottom + plan->left[i], bottom + plan->right[i],
                             fraction, dr, plan->flat, (gint) n, samples);
      if (plan->method == ISOLUX_PLAN_LBP_VAR)
        kernels->lbp_add_squares (from, (gint) n, room->sum, room->squares);
      else
        kernels->lbp_add_sign (from, at, i, (gint) n, room->signs);
    }
}

static void
count_codes (const Work *work, Room *room, gint64 n)
{
  guint64 *table = work->own ? room->table : work->counts;

  for (gint64 k = 0; k < n; k++)
    if (! room->counts[k])
      continue;
    else if (work->own)
      table[room->codes[k]]++;
    else
      {
#pragma omp atomic
        table[room->codes[k]]++;
      }
}

static void
work_tile (const Work *work, Room *room, gint64 x, gint64 y)
{
  const IsoluxLbpPlan *plan = work->plan;
  const IsoluxPixels  *pixels = work->source;
  const gint64         n = MIN (TILE_WIDTH, pixels->width - x);
  const gint64         rows = MIN (TILE_HEIGHT, pixels->height - y);
  gboolean             loaded = FALSE;

  for (gint64 row = y; row < y + rows; row++)
    {
      if (isolux_cpu_counts (pixels, x, row, n, room->counts))
        {
          const gdouble *at = room->values +
                              room->stride * (gsize) (row - y + plan->reach) +
                              plan->reach;

          if (! loaded)
            {
              load_values (work, room, x, y, rows);
              load_fractions (plan, room, x);
              loaded = TRUE;
            }
          row_samples (work, room, at, row, n);
          if (work->code)
            for (gint64 k = 0; k < n; k++)
              room->codes[k] = work->code[room->signs[k]];
          else
            for (gint64 k = 0; k < n; k++)
              room->codes[k] =
                isolux_lbp_code (room->signs[k], plan->points, plan->method);
          if (! work->picture)
            count_codes (work, room, n);
          else if (plan->method != ISOLUX_PLAN_LBP_VAR)
            for (gint64 k = 0; k < n; k++)
              room->shown[k] = (gdouble) room->codes[k];
          else
            for (gint64 k = 0; k < n; k++)
              {
                const gdouble variance = isolux_lbp_variance (room->sum[k],
                                                              room->squares[k],
                                                              plan->points);

                room->shown[k] = plan->raw
                                   ? isolux_lbp_raw (plan, 0, variance)
                                   : isolux_lbp_shown (plan, 0, variance);
              }
        }
      if (work->picture)
        isolux_cpu_draw (work->picture, x, row, n, room->counts, room->shown);
    }
}

/* Codes of all signs, where there are few and they take time to find. */
static gboolean
make_codes (Work *work, GError **error)
{
  const IsoluxLbpPlan *plan = work->plan;
  const gint64         all = (gint64) 1 << plan->points;

  if (plan->method == ISOLUX_PLAN_LBP_DEFAULT ||
      plan->method == ISOLUX_PLAN_LBP_VAR || all > OWN_COUNTS ||
      all > work->source->width * work->source->height)
    return TRUE;
  work->code = isolux_try_new (guint32, (gsize) all, error);
  if (! work->code)
    return FALSE;
  for (gint64 k = 0; k < all; k++)
    work->code[k] = isolux_lbp_code ((guint32) k, plan->points, plan->method);
  return TRUE;
}

static gboolean
work_all (Work *work, IsoluxDevice *device, GError **error)
{
  const IsoluxPixels *pixels = work->source;
  const gint64        columns = (pixels->width + TILE_WIDTH - 1) / TILE_WIDTH;
  const gint64        tiles = columns *
                       ((pixels->height + TILE_HEIGHT - 1) / TILE_HEIGHT);
  const gint threads =
    (gint) MIN ((gint64) isolux_cpu_threads (device, pixels->width,
                                             pixels->height),
                tiles);
  Room *rooms;

  if (! make_codes (work, error))
    return FALSE;
  rooms = rooms_new (work, threads, error);
  if (! rooms)
    {
      g_free (work->code);
      return FALSE;
    }
#pragma omp parallel for num_threads(threads) schedule(dynamic)
  for (gint64 i = 0; i < tiles; i++)
    work_tile (work, &rooms[omp_get_thread_num ()], i % columns * TILE_WIDTH,
               i / columns * TILE_HEIGHT);
  if (work->own)
    for (gint i = 0; i < threads; i++)
      for (guint32 k = 0; k < work->plan->codes; k++)
        work->counts[k] += rooms[i].table[k];
  rooms_free (rooms, threads);
  g_free (work->code);
  return TRUE;
}

/* ---- Whole images ------------------------------------------------------- */

gboolean
isolux_cpu_lbp (IsoluxSurface       *source,
                IsoluxSurface       *destination,
                const IsoluxLbpPlan *plan,
                GError             **error)
{
  const IsoluxPicture picture = { &source->pixels, &destination->pixels,
                                  &plan->weights,  plan->raw,
                                  plan->most,      plan->maximum };
  Work                work = { 0 };

  if (plan->simple)
    return isolux_cpu_lbp_simple (source, plan, &picture, NULL, error);
  work.kernels = isolux_cpu_kernels ();
  work.source = &source->pixels;
  work.plan = plan;
  work.picture = &picture;
  return work_all (&work, source->device, error);
}

gboolean
isolux_cpu_lbp_histogram (IsoluxSurface       *source,
                          const IsoluxLbpPlan *plan,
                          guint64             *counts,
                          GError             **error)
{
  Work work = { 0 };

  memset (counts, 0, plan->codes * sizeof (guint64));
  if (plan->simple)
    return isolux_cpu_lbp_simple (source, plan, NULL, counts, error);
  work.kernels = isolux_cpu_kernels ();
  work.source = &source->pixels;
  work.plan = plan;
  work.counts = counts;
  work.own = plan->codes <= OWN_COUNTS;
  return work_all (&work, source->device, error);
}
