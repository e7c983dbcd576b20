/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What all launches need: streams, and how an image is cut into tiles. */
#include "driver.h"

/* Blocks a multiprocessor gets one after the other at most. */
#define BLOCKS_PER_PROCESSOR 16

gpointer
isolux_cuda_stream (IsoluxSurface *source, IsoluxSurface *destination)
{
  return ! source->stream && destination ? destination->stream : source->stream;
}

gboolean
isolux_cuda_async (IsoluxSurface *source, IsoluxSurface *destination)
{
  return source->stream && destination->stream;
}

/* most: the most that shift may be */
static void
set_tiles (IsoluxTiles *tiles,
           gint64       items,
           gint64       rows,
           gint         threads,
           gint         most)
{
  gint64 columns, groups;
  gint   shift = 0;

  while (shift < most && 1 << shift < threads && 1 << shift < items)
    shift++;
  columns = (items + (1 << shift) - 1) >> shift;
  groups = (rows + (threads >> shift) - 1) / (threads >> shift);
  tiles->items = items;
  tiles->rows = rows;
  tiles->columns = columns;
  tiles->total = columns * groups;
  tiles->shift = shift;
}

void
isolux_tiles_set (IsoluxTiles *tiles, gint64 items, gint64 rows, gint threads)
{
  set_tiles (tiles, items, rows, threads, 30);
}

void
isolux_tiles_set_blocks (IsoluxTiles *tiles,
                         gint64       items,
                         gint64       rows,
                         gint         threads)
{
  set_tiles (tiles, items, rows, threads, 5);
}

guint
isolux_tiles_grid (const IsoluxTiles *tiles, const IsoluxCuda *cuda)
{
  return (guint) CLAMP (tiles->total, 1,
                        (gint64) cuda->processors * BLOCKS_PER_PROCESSOR);
}

gint64
isolux_row_vectors (gsize row_bytes)
{
  /* at worst the first byte is the last of its vector */
  return (gint64) ((row_bytes + 2 * (ISOLUX_VECTOR_BYTES - 1)) /
                   ISOLUX_VECTOR_BYTES);
}

gsize
isolux_pixel_size (const IsoluxPixels *pixels)
{
  return (gsize) pixels->components * (pixels->type == ISOLUX_PLAN_U8    ? 1
                                       : pixels->type == ISOLUX_PLAN_U16 ? 2
                                                                         : 4);
}

gboolean
isolux_pixels_tight (const IsoluxPixels *pixels)
{
  return pixels->height == 1 ||
         pixels->stride == (gsize) pixels->width * isolux_pixel_size (pixels);
}

void
isolux_pixels_flatten (IsoluxPixels *pixels)
{
  pixels->width *= pixels->height;
  pixels->height = 1;
  pixels->region_width *= pixels->region_height;
  pixels->region_height = pixels->region_height ? 1 : 0;
}

gboolean
isolux_pixels_gray (const IsoluxPixels *pixels)
{
  return pixels->components == 1 &&
         pixels->width <= (gint64) G_MAXINT32 / pixels->height;
}

gboolean
isolux_pixels_alike (const IsoluxPixels *a, const IsoluxPixels *b)
{
  return ((gsize) a->data - (gsize) b->data) % ISOLUX_VECTOR_BYTES == 0 &&
         (a->height == 1 || (a->stride - b->stride) % ISOLUX_VECTOR_BYTES == 0);
}

void
isolux_walk_step (IsoluxWalk *walk, guint step)
{
  walk->step = step;
  walk->step_rows = step / walk->columns;
  walk->step_columns = step % walk->columns;
}

guint
isolux_walk_set (IsoluxWalk         *walk,
                 const IsoluxPixels *pixels,
                 guint               threads,
                 gint64              most)
{
  const gsize  row = (gsize) pixels->width * isolux_pixel_size (pixels);
  const gsize  lead = (gsize) pixels->data % ISOLUX_VECTOR_BYTES;
  const gint64 vectors =
    pixels->height == 1 || pixels->stride % ISOLUX_VECTOR_BYTES == 0
      ? (gint64) ((lead + row + ISOLUX_VECTOR_BYTES - 1) / ISOLUX_VECTOR_BYTES)
      : isolux_row_vectors (row);
  guint grid;

  walk->columns = (guint32) vectors;
  walk->total = (guint32) (vectors * pixels->height);
  grid = (guint) CLAMP (((gint64) walk->total + threads - 1) / threads, 1,
                        MAX (most, 1));
  isolux_walk_step (walk, grid * threads);
  return grid;
}
