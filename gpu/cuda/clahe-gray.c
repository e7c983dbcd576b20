/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Launches the kernels of clahe-gray.cu. */
#include "driver.h"

#define CLUSTER 8 /* blocks at most that any 9.0 has together */

/* Smaller tiles are not worth blocks of their own. */
#define LEAST_SIDE 32

/* Bins that have a word each. */
#define WORDS_BINS 16384

/* Shared memory that kernels have besides what they are launched with. */
#define OWN_SHARED 2048

/* Bins of the tables, at most where that is to be found out. */
static gint
bins_of (const IsoluxClaheArguments *a)
{
  const gint most = a->plan.most_bins;

  if (a->plan.measured && a->source.bits)
    return MIN (1 << a->source.bits, most);
  return most;
}

/* Whether codes have to be looked at before the tiles are counted. */
static gboolean
has_to_look (const IsoluxClaheArguments *a)
{
  return a->plan.measured &&
         (a->source.bits == 0 || 1 << a->source.bits > a->plan.most_bins);
}

/* Words of the list of a tile's block: a warp of full vectors leaves four
 * numbers at most, or, counted one by one, seven for each 256. */
static gint64
list_words (const IsoluxClaheArguments *a, gint blocks)
{
  const IsoluxGrid *grid = &a->plan.grid;
  const gint64      pixels = (grid->tile_height + blocks - 1) / blocks *
                        grid->tile_width;

  return 11 * (pixels / 256 + 1) + 64;
}

static gint64
tile_shared (const IsoluxClaheArguments *a, gint blocks)
{
  if (a->source.type == ISOLUX_PLAN_U8)
    return 0;
  if (a->bins <= WORDS_BINS)
    return (a->bins + a->bins / blocks) * (gint64) sizeof (guint32);
  return a->bins + (a->bins / blocks + list_words (a, blocks)) *
                     (gint64) sizeof (guint32);
}

/* How many blocks count a tile; 0: none can. */
static gint
tile_blocks (const CudaCall *call, const IsoluxClaheArguments *a)
{
  const IsoluxGrid *grid = &a->plan.grid;
  const gint64      tiles = (gint64) grid->tiles_x * grid->tiles_y;
  const gint64      limit = call->cuda->shared_limit - OWN_SHARED;
  const gint        processors = call->cuda->processors;
  gint              blocks = CLUSTER;

  /* One block a processor.  Clusters of more than two do not reach all of them
   * (124 of an H200's 132) nor share out evenly those that they reach. */
  while (blocks > 1 &&
         tiles * blocks > (blocks > 2 ? processors * 7 / 8 : processors) &&
         tile_shared (a, blocks / 2) <= limit)
    blocks /= 2;
  if (tile_shared (a, blocks) > limit || tiles * blocks < processors / 2)
    return 0;
  /* what a warp counts has to fit into half a word of the list */
  if (a->bins > WORDS_BINS &&
      list_words (a, blocks) / 11 * 256 / 32 + 512 > G_MAXINT16)
    return 0;
  return blocks;
}

/* What lies beyond the edge is mirrored but once. */
static gboolean
reflects_once (gint64 tiles, gint64 tile, gint64 size)
{
  return tiles * tile <= 2 * size - 1;
}

static gboolean
lies_in_words (const IsoluxPixels *p)
{
  return (gsize) p->data % 8 == 0 && p->stride % 8 == 0;
}

/* Steps over rows are numbers of 32 bits. */
static gboolean
has_short_rows (const IsoluxPixels *p)
{
  return p->stride <= G_MAXUINT32 / ISOLUX_COUNT_THREADS;
}

gboolean
isolux_clahe_is_gray (const CudaCall *call, const IsoluxClaheArguments *a)
{
  const IsoluxPixels  *p = &a->source;
  IsoluxClaheArguments own = *a;

  own.bins = bins_of (a);
  return a->plain && ! call->cuda->portable &&
         (own.bins <= WORDS_BINS ||
          (! a->plan.measured && p->data != a->destination.data)) &&
         isolux_pixels_gray (p) && lies_in_words (p) && has_short_rows (p) &&
         has_short_rows (&a->destination) && lies_in_words (&a->destination) &&
         reflects_once (a->plan.grid.tiles_x, a->plan.grid.tile_width,
                        a->plan.grid.width) &&
         reflects_once (a->plan.grid.tiles_y, a->plan.grid.tile_height,
                        a->plan.grid.height) &&
         a->plan.grid.tile_width >= LEAST_SIDE &&
         a->plan.grid.tile_height >= LEAST_SIDE &&
         a->plan.grid.tile_width * a->plan.grid.tile_height <= G_MAXINT32 &&
         tile_blocks (call, &own) > 0;
}

/* Finds out the range of codes and, where a bin will hold several, what share
 * each has. */
static gboolean
look (CudaCall *call, IsoluxClaheArguments *a, GError **error)
{
  CudaLaunch launch = { 0 };

  launch.kernel = KERNEL_isolux_clahe_range_u16;
  launch.block = ISOLUX_COUNT_THREADS;
  launch.grid = isolux_walk_set (&a->walk, &a->source, launch.block,
                                 (gint64) call->cuda->processors * 2);
  if (! isolux_call_launch_as (call, &launch, a, error))
    return FALSE;
  a->clear.bytes = 0;
  launch.kernel = KERNEL_isolux_clahe_seen_u16;
  launch.early = TRUE;
  return isolux_call_launch_as (call, &launch, a, error) &&
         isolux_call_launch (call, KERNEL_isolux_clahe_shares,
                             ISOLUX_BINS / ISOLUX_COUNT_THREADS,
                             ISOLUX_COUNT_THREADS, 0, a, error);
}

/* All pixels of a tile count, so that these are the same for each. */
static void
set_terms (IsoluxClaheArguments *a)
{
  const guint64 pixels = (guint64) a->plan.grid.tile_width *
                         (guint64) a->plan.grid.tile_height;

  a->scale =
    isolux_tile_scale (a->plan.whole, pixels,
                       a->source.type == ISOLUX_PLAN_U8 ? 255.0 : 65535.0);
  for (gint i = 0; i < ISOLUX_LIMITS; i++)
    a->limits[i] =
      isolux_tile_limit (a->plan.whole, a->plan.clip_limit, pixels, 1 << i);
}

static gboolean
make_tiles (CudaCall *call, IsoluxClaheArguments *a, GError **error)
{
  const IsoluxGrid *grid = &a->plan.grid;
  CudaLaunch        launch = { 0 };

  a->slices = tile_blocks (call, a);
  launch.kernel = a->source.type == ISOLUX_PLAN_U8
                    ? KERNEL_isolux_clahe_tiles_u8
                  : a->bins <= WORDS_BINS ? KERNEL_isolux_clahe_tiles_u16
                                          : KERNEL_isolux_clahe_tiles_u16_8;
  launch.grid = (guint) (grid->tiles_x * grid->tiles_y * a->slices);
  launch.block = ISOLUX_TILE_THREADS;
  launch.shared_bytes = (guint) tile_shared (a, a->slices);
  launch.cluster = (guint) a->slices;
  launch.early = has_to_look (a);
  return isolux_call_launch_as (call, &launch, a, error);
}

static gboolean
map (CudaCall *call, IsoluxClaheArguments *a, GError **error)
{
  const IsoluxGrid *grid = &a->plan.grid;
  const gint64      tiles = (gint64) grid->tiles_x * grid->tiles_y;
  const gint64      processors = call->cuda->processors;
  CudaLaunch        launch = { 0 };
  gint64            slots;

  launch.early = TRUE;
  if (a->source.type == ISOLUX_PLAN_U8)
    {
      launch.kernel = KERNEL_isolux_clahe_map_u8;
      launch.block = ISOLUX_MAP_THREADS;
      slots = 4 * processors;
    }
  else if (a->bins <= WORDS_BINS)
    {
      launch.kernel = KERNEL_isolux_clahe_map_u16;
      launch.block = ISOLUX_TILE_THREADS / (a->bins <= 4096 ? 2 : 1);
      launch.shared_bytes = (guint) a->bins * 8;
      slots = (a->bins <= 4096 ? 2 : 1) * processors;
    }
  else
    {
      launch.kernel = KERNEL_isolux_clahe_map_u16_parts;
      launch.block = ISOLUX_COUNT_THREADS;
      launch.shared_bytes = ISOLUX_MAP_CODES * 8;
      slots = processors;
    }
  /* all blocks at a time; the cells together are as large as the tiles */
  a->slices = (gint32) CLAMP (slots / tiles, 1, grid->tile_height / 16);
  launch.grid =
    (guint) ((grid->tiles_x + 1) *
             (a->slices * (grid->tiles_y - 1) + (a->slices + 1) / 2 * 2));
  return isolux_call_launch_as (call, &launch, a, error);
}

gboolean
isolux_call_clahe_gray (CudaCall *call, IsoluxClaheArguments *a, GError **error)
{
  const IsoluxGrid *grid = &a->plan.grid;
  const gsize       size = a->source.type == ISOLUX_PLAN_U8 ? 1 : 2;
  CudaAddress       memory;

  memory = isolux_call_memory (call,
                               (gsize) grid->tiles_x * (gsize) grid->tiles_y *
                                 (gsize) a->plan.most_bins * size,
                               error);
  if (! memory || ! isolux_call_zeros (call, 0, &a->clear, error))
    return FALSE;
  a->entries = (gpointer) memory;
  a->zeros = (IsoluxZeros *) call->zeros;
  a->bins = bins_of (a);
  set_terms (a);
  if (has_to_look (a) && ! look (call, a, error))
    return FALSE;
  return make_tiles (call, a, error) && map (call, a, error);
}
