/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Launches the kernels of hog.cu. */
#include "driver.h"

/* Pixels in a row that a block is given cells for. */
#define GROUP_WIDTH 256

static gsize
cells_bytes (const IsoluxHogPlan *plan)
{
  return (gsize) (plan->cells_y * plan->cells_x) * (gsize) plan->orientations *
         sizeof (gfloat);
}

static gboolean
all_count (const IsoluxPixels *p)
{
  return ! p->mask && p->region_width == p->width &&
         p->region_height == p->height;
}

/* Whether the kernels for gray can fill the cells. */
static gboolean
is_gray (const IsoluxPixels *p, const IsoluxHogPlan *plan)
{
  return isolux_pixels_gray (p) && all_count (p) &&
         plan->cell == ISOLUX_HOG_GRAY_CELL && ! plan->is_signed &&
         ! plan->square_root && ! plan->sobel && ! plan->half;
}

/* edges: on the device, but for u8 */
static gboolean
fill_gray (CudaCall                 *call,
           const IsoluxHogArguments *a,
           const IsoluxHogEdges     *edges,
           GError                  **error)
{
  const IsoluxPixels    *p = &a->source;
  const IsoluxHogPlan   *plan = &a->plan;
  const gint             n = plan->orientations;
  IsoluxHogGrayArguments gray = { 0 };

  gray.data = p->data;
  gray.stride = p->stride;
  gray.cells_x = (guint32) plan->cells_x;
  gray.cells = (guint32) (plan->cells_x * plan->cells_y);
  gray.width = (gint32) p->width;
  gray.height = (gint32) p->height;
  gray.orientations = n;
  gray.aligned = (gsize) p->data % ISOLUX_HOG_GRAY_CELL == 0 &&
                 p->stride % ISOLUX_HOG_GRAY_CELL == 0;
  gray.totals = a->cells;
  gray.edges = edges;
  isolux_hog_slopes_set (&gray.slopes, plan->edges, n);
  return isolux_call_launch (call,
                             p->type == ISOLUX_PLAN_U16
                               ? KERNEL_isolux_hog_gray_u16
                             : p->type == ISOLUX_PLAN_F32
                               ? KERNEL_isolux_hog_gray_f32
                             : n == 9 && gray.aligned
                               ? KERNEL_isolux_hog_gray_9_u8
                               : KERNEL_isolux_hog_gray_u8,
                             (gray.cells + ISOLUX_HOG_GRAY_THREADS - 1) /
                               ISOLUX_HOG_GRAY_THREADS,
                             ISOLUX_HOG_GRAY_THREADS,
                             (guint) (ISOLUX_HOG_GRAY_THREADS * n) *
                               (guint) sizeof (gfloat),
                             &gray, error);
}

/* Enqueues the filling of all cells. */
static gboolean
fill (CudaCall *call, IsoluxHogArguments *a, GError **error)
{
  IsoluxHogPlan        *plan = &a->plan;
  const gint            type = a->source.type;
  const gboolean        gray = is_gray (&a->source, plan);
  const IsoluxHogEdges *edges;

  if (cells_bytes (plan) == 0)
    return TRUE;
  if (gray && type == ISOLUX_PLAN_U8)
    return fill_gray (call, a, NULL, error);
  if (! isolux_call_put (call, ISOLUX_SCRATCH_EDGES, plan->edges,
                         sizeof *plan->edges, error))
    return FALSE;
  edges = (const IsoluxHogEdges *) (call->lane->scratch + ISOLUX_SCRATCH_EDGES);
  if (gray)
    return fill_gray (call, a, edges, error);
  plan->edges = edges;
  a->group = MAX (1, MIN (GROUP_WIDTH / plan->cell,
                          ISOLUX_HOG_BINS / plan->orientations));
  a->group = (gint32) MIN ((gint64) a->group, plan->cells_x);
  a->groups = (plan->cells_x + a->group - 1) / a->group;
  a->rows = MIN (plan->cell, ISOLUX_HOG_PIXELS / (a->group * plan->cell));
  return isolux_call_launch (call,
                             type == ISOLUX_PLAN_U8 ? KERNEL_isolux_hog_cells_u8
                             : type == ISOLUX_PLAN_U16
                               ? KERNEL_isolux_hog_cells_u16
                               : KERNEL_isolux_hog_cells_f32,
                             (guint) MIN (a->groups * plan->cells_y,
                                          (gint64) call->cuda->processors * 64),
                             ISOLUX_HOG_THREADS, 0, a, error);
}

gboolean
isolux_cuda_hog_cells (IsoluxSurface       *source,
                       const IsoluxHogPlan *plan,
                       gfloat              *cells,
                       GError             **error)
{
  const IsoluxBackend *backend = source->backend;
  const gsize          bytes = cells_bytes (plan);
  IsoluxHogArguments   a = { 0 };
  gpointer             memory;
  CudaCall             call;
  gboolean             success;

  if (bytes == 0)
    return TRUE;
  if (! backend->alloc (source->device, bytes, &memory, error))
    return FALSE;
  a.source = source->pixels;
  a.plan = *plan;
  a.cells = memory;
  success = isolux_call_begin (&call, isolux_device_get_cuda (source->device),
                               source->stream, error);
  if (success)
    success = isolux_call_end (&call, fill (&call, &a, error), TRUE, error);
  if (success)
    {
      const gsize row = bytes / (gsize) plan->cells_y;

      success = backend->read (source->device, cells, row, memory, row, row,
                               plan->cells_y, source->stream, error);
    }
  backend->release (source->device, memory, bytes);
  return success;
}

static gboolean
measure (CudaCall *call, IsoluxHogArguments *a, guint grid, GError **error)
{
  if (! isolux_call_zeros (call, 0, &a->clear, error))
    return FALSE;
  a->zeros = (IsoluxZeros *) call->zeros;
  return isolux_call_launch (call, KERNEL_isolux_hog_measure, grid,
                             ISOLUX_HOG_THREADS, 0, a, error);
}

/* Whether the kernels for glyphs of u8 can draw them: the source's pixels
 * are not looked at. */
static gboolean
are_glyphs (const IsoluxHogArguments *a)
{
  const IsoluxPixels *p = &a->destination;

  return a->plan.picture == ISOLUX_PLAN_HOG_GLYPHS && ! a->plan.raw &&
         a->plan.cell == ISOLUX_HOG_GRAY_CELL && p->type == ISOLUX_PLAN_U8 &&
         a->source.type == ISOLUX_PLAN_U8 && isolux_pixels_gray (p) &&
         all_count (&a->source) && ! a->source.has_alpha;
}

static gboolean
draw_glyphs (CudaCall *call, IsoluxHogArguments *a, GError **error)
{
  const IsoluxPixels *p = &a->destination;
  const guint shared = ISOLUX_HOG_GLYPH_THREADS * ISOLUX_HOG_GLYPH_PIXELS *
                       (guint) sizeof (gdouble);
  gint64 cells;
  guint  grid;

  isolux_tiles_set (&a->tiles,
                    (p->width + ISOLUX_HOG_GRAY_CELL - 1) /
                      ISOLUX_HOG_GRAY_CELL,
                    (p->height + ISOLUX_HOG_GRAY_CELL - 1) /
                      ISOLUX_HOG_GRAY_CELL,
                    1);
  cells = a->tiles.total;
  grid =
    (guint) ((cells + ISOLUX_HOG_GLYPH_THREADS - 1) / ISOLUX_HOG_GLYPH_THREADS);
  a->aligned = (gsize) p->data % ISOLUX_HOG_GRAY_CELL == 0 &&
               p->stride % ISOLUX_HOG_GRAY_CELL == 0;
  if (! isolux_call_zeros (call, 0, &a->clear, error))
    return FALSE;
  a->zeros = (IsoluxZeros *) call->zeros;
  return isolux_call_launch (call, KERNEL_isolux_hog_glyphs_measure, grid,
                             ISOLUX_HOG_GLYPH_THREADS, shared, a, error) &&
         isolux_call_launch (call, KERNEL_isolux_hog_glyphs_draw_u8, grid,
                             ISOLUX_HOG_GLYPH_THREADS, shared, a, error);
}

/* Enqueues filling, measuring and drawing. */
static gboolean
draw (CudaCall *call, IsoluxHogArguments *a, GError **error)
{
  const gint picture = a->plan.picture;
  guint      grid;

  if (picture != ISOLUX_PLAN_HOG_MAGNITUDE && ! fill (call, a, error))
    return FALSE;
  if (are_glyphs (a))
    return draw_glyphs (call, a, error);
  isolux_tiles_set_blocks (&a->tiles, a->source.width, a->source.height,
                           ISOLUX_HOG_THREADS);
  grid = isolux_tiles_grid (&a->tiles, call->cuda);
  if (! a->plan.raw && picture != ISOLUX_PLAN_HOG_ORIENTATION &&
      ! measure (call, a, grid, error))
    return FALSE;
  return isolux_call_launch (call, KERNEL_isolux_hog_draw, grid,
                             ISOLUX_HOG_THREADS, 0, a, error);
}

gboolean
isolux_cuda_hog_picture (IsoluxSurface       *source,
                         IsoluxSurface       *destination,
                         const IsoluxHogPlan *plan,
                         GError             **error)
{
  const IsoluxBackend *backend = source->backend;
  const gboolean       cells = plan->picture != ISOLUX_PLAN_HOG_MAGNITUDE;
  const gsize          bytes = MAX (cells_bytes (plan), 1);
  IsoluxHogArguments   a = { 0 };
  gpointer             memory = NULL;
  CudaCall             call;
  gboolean             success;

  if (cells && ! backend->alloc (source->device, bytes, &memory, error))
    return FALSE;
  a.source = source->pixels;
  a.destination = destination->pixels;
  a.plan = *plan;
  a.cells = memory;
  success = isolux_call_begin (&call, isolux_device_get_cuda (source->device),
                               isolux_cuda_stream (source, destination), error);
  /* the cells are given back at once, so nothing is left to a caller's
   * stream */
  if (success)
    success = isolux_call_end (&call, draw (&call, &a, error), TRUE, error);
  if (memory)
    backend->release (source->device, memory, bytes);
  return success;
}
