/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The tables of CLAHE, for those who want to see or to sample them. */
#include "internal.h"

#include <math.h>
#include <stdlib.h>

/* shares: of each code, for tables of codes whose bins hold several: those of
 * the tables, and what they leave open.  room: for a number a tile. */
struct _IsoluxClaheMaps
{
  IsoluxClaheGrid   grid;
  IsoluxImage       image;
  IsoluxClahePlan   plan;
  IsoluxClaheTables tables;
  gfloat           *shares;
  gdouble          *room;
};

void
isolux_clahe_tables_clear (IsoluxClaheTables *tables)
{
  g_free (tables->shares);
  g_free (tables->entries);
  memset (tables, 0, sizeof *tables);
}

/* ---- Making them -------------------------------------------------------- */

/*
 * The tables have shares for the codes from the least to the largest one of a
 * bin that occur.  A curve passes through the others as well: all of the way
 * beyond them, none before, and evenly where a bin is empty.
 */
static gboolean
set_shares (IsoluxClaheMaps *maps, GError **error)
{
  const IsoluxClaheTables *t = &maps->tables;
  const gint               codes = 1 << t->bits, each = 1 << t->shift;
  gint                     start, k;

  if (! t->shares)
    return TRUE;
  maps->shares = isolux_try_new (gfloat, (gsize) codes, error);
  if (! maps->shares)
    return FALSE;
  for (start = 0; start < codes; start += each)
    {
      gfloat   last = 0.0f;
      gboolean empty = TRUE;

      for (k = start; k < start + each; k++)
        empty = empty && t->shares[k] == 0.0f;
      for (k = start; k < start + each; k++)
        {
          last = MAX (last, t->shares[k]);
          maps->shares[k] = empty ? (gfloat) (k - start + 1) / (gfloat) each
                                  : last;
        }
    }
  return TRUE;
}

static void
set_grid (IsoluxClaheMaps *maps)
{
  const IsoluxClaheTables *t = &maps->tables;
  const IsoluxGrid        *from = &maps->plan.grid;
  IsoluxClaheGrid         *grid = &maps->grid;
  gboolean                 any = FALSE;
  gint                     c;

  grid->tiles_x = from->tiles_x;
  grid->tiles_y = from->tiles_y;
  grid->tile_width = from->tile_width;
  grid->tile_height = from->tile_height;
  grid->channels = t->channels;
  grid->bins = t->bins;
  if (maps->image.type != ISOLUX_TYPE_F32)
    {
      grid->high = (1 << t->bits) - 1;
      return;
    }
  for (c = 0; c < t->channels; c++)
    if (t->low[c] < t->high[c] || ! t->identity[c])
      {
        grid->low = any ? MIN (grid->low, t->low[c]) : t->low[c];
        grid->high = any ? MAX (grid->high, t->high[c]) : t->high[c];
        any = TRUE;
      }
  if (! any)
    {
      grid->low = t->low[0];
      grid->high = t->high[0];
    }
}

gboolean
isolux_clahe_with_maps (IsoluxSurface            *source,
                        IsoluxSurface            *destination,
                        const IsoluxClaheOptions *options,
                        IsoluxClaheMaps         **result,
                        IsoluxReport             *report,
                        GError                  **error)
{
  IsoluxClaheMaps *maps = isolux_try_new (IsoluxClaheMaps, 1, error);

  if (! maps)
    return FALSE;
  maps->image = source->image;
  if (! isolux_clahe_run (source, destination, options, &maps->plan,
                          &maps->tables, report, error) ||
      ! set_shares (maps, error))
    {
      isolux_clahe_maps_free (maps);
      return FALSE;
    }
  set_grid (maps);
  maps->room =
    isolux_try_new (gdouble,
                    (gsize) maps->grid.tiles_x * (gsize) maps->grid.tiles_y,
                    error);
  if (! maps->room)
    {
      isolux_clahe_maps_free (maps);
      return FALSE;
    }
  *result = maps;
  return TRUE;
}

IsoluxClaheMaps *
isolux_clahe_maps_new (IsoluxSurface            *source,
                       const IsoluxClaheOptions *options,
                       IsoluxReport             *report,
                       GError                  **error)
{
  IsoluxClaheMaps *maps = NULL;

  isolux_clahe_with_maps (source, NULL, options, &maps, report, error);
  return maps;
}

void
isolux_clahe_maps_free (IsoluxClaheMaps *maps)
{
  if (! maps)
    return;
  isolux_clahe_tables_clear (&maps->tables);
  g_free (maps->shares);
  g_free (maps->room);
  g_free (maps);
}

const IsoluxClaheGrid *
isolux_clahe_maps_get_grid (const IsoluxClaheMaps *maps)
{
  return &maps->grid;
}

/* ---- Curves ------------------------------------------------------------- */

static gsize
table_of (const IsoluxClaheMaps *maps, gint channel, gint tile_x, gint tile_y)
{
  const IsoluxClaheGrid *g = &maps->grid;

  return (((gsize) channel * (gsize) g->tiles_y + (gsize) tile_y) *
            (gsize) g->tiles_x +
          (gsize) tile_x) *
         maps->tables.stride;
}

static gdouble
entry_of (const IsoluxClaheMaps *maps, gsize at)
{
  switch (maps->image.type)
    {
      case ISOLUX_TYPE_U8:
        return ((const guint8 *) maps->tables.entries)[at];
      case ISOLUX_TYPE_U16:
        return ((const guint16 *) maps->tables.entries)[at];
      default:
        return (gdouble) ((const gfloat *) maps->tables.entries)[at];
    }
}

/* A table ends with the largest value; that of a tile near which nothing
 * counts is empty. */
static gboolean
has_table (const IsoluxClaheMaps *maps, gint channel, gsize table)
{
  return ! maps->tables.identity[channel] &&
         entry_of (maps, table + (gsize) maps->tables.bins - 1) > 0.0;
}

static gdouble
point_of (const IsoluxClaheGrid *grid, gint i, gint n)
{
  return i == n - 1 ? grid->high
                    : grid->low + i * (grid->high - grid->low) / (n - 1);
}

/* Where a value lies in any table of a channel; code: of u8 and u16. */
typedef struct
{
  gint   bin;
  gfloat share;
} Place;

static Place
place_of (const IsoluxClaheMaps *maps, gint channel, gdouble value)
{
  const IsoluxClaheTables *t = &maps->tables;
  Place                    place = { 0, 1.0f };

  if (maps->image.type == ISOLUX_TYPE_F32)
    isolux_value_share (value, t->low[channel], t->scale[channel], t->bins,
                        &place.bin, &place.share);
  else
    {
      const guint32 code = (guint32) floor (value + 0.5);

      place.bin = (gint) (code >> t->shift);
      if (maps->shares)
        place.share = maps->shares[code];
    }
  return place;
}

static gdouble
value_at (const IsoluxClaheMaps *maps, gsize table, const Place *place)
{
  const gsize  at = table + (gsize) place->bin;
  const gfloat v =
    isolux_share (place->bin ? (gfloat) entry_of (maps, at - 1) : 0.0f,
                  (gfloat) entry_of (maps, at), place->share);

  switch (maps->image.type)
    {
      case ISOLUX_TYPE_U8:
        return isolux_blend_code (v, 255);
      case ISOLUX_TYPE_U16:
        return isolux_blend_code (v, 65535);
      default:
        return (gdouble) isolux_blend_f32 (v);
    }
}

void
isolux_clahe_maps_get_curve (const IsoluxClaheMaps *maps,
                             gint                   channel,
                             gint                   tile_x,
                             gint                   tile_y,
                             gint                   n,
                             gdouble               *values)
{
  const gsize    table = table_of (maps, channel, tile_x, tile_y);
  const gboolean there = has_table (maps, channel, table);
  gint           i;

  for (i = 0; i < n; i++)
    {
      values[i] = point_of (&maps->grid, i, n);
      if (there)
        {
          const Place place = place_of (maps, channel, values[i]);

          values[i] = value_at (maps, table, &place);
        }
    }
}

static gint
compare (gconstpointer a, gconstpointer b)
{
  const gdouble x = *(const gdouble *) a, y = *(const gdouble *) b;

  return x < y ? -1 : x > y;
}

void
isolux_clahe_maps_get_curves (const IsoluxClaheMaps *maps,
                              gint                   channel,
                              gdouble                percent,
                              gint                   n,
                              gdouble               *values)
{
  const gdouble percents[1] = { percent };

  isolux_clahe_maps_get_bands (maps, channel, 1, percents, n, values);
}

/* A value for each tile that has a table, at one point, in order; how many. */
static gsize
values_at (const IsoluxClaheMaps *maps, gint channel, gdouble value)
{
  gdouble *values = maps->room;
  gsize    tiles = 0;
  Place    place;
  gint     x, y;

  if (maps->tables.identity[channel])
    return 0;
  place = place_of (maps, channel, value);
  for (y = 0; y < maps->grid.tiles_y; y++)
    for (x = 0; x < maps->grid.tiles_x; x++)
      {
        const gsize table = table_of (maps, channel, x, y);

        if (has_table (maps, channel, table))
          values[tiles++] = value_at (maps, table, &place);
      }
  qsort (values, tiles, sizeof (gdouble), compare);
  return tiles;
}

void
isolux_clahe_maps_get_bands (const IsoluxClaheMaps *maps,
                             gint                   channel,
                             gint                   n_percents,
                             const gdouble         *percents,
                             gint                   n,
                             gdouble               *values)
{
  gint i, k;

  for (i = 0; i < n; i++)
    {
      const gdouble value = point_of (&maps->grid, i, n);
      const gsize   tiles = values_at (maps, channel, value);

      for (k = 0; k < n_percents; k++)
        {
          const gdouble percent = CLAMP (percents[k], 0.0, 100.0);
          const gdouble rank = ceil (percent * (gdouble) tiles / 100.0);

          values[k * n + i] = tiles ? maps->room[(gsize) MAX (rank, 1.0) - 1]
                                    : value;
        }
    }
}

/* ---- Samples ------------------------------------------------------------ */

static gboolean
sample_twin (const IsoluxBackend *backend,
             IsoluxSurface       *source,
             IsoluxSurface       *destination,
             gpointer             data,
             GError             **error)
{
  return backend->clahe_sample (source, destination, data, error);
}

static gboolean
check_places (const gint64 *places, gint64 n, gint64 size, GError **error)
{
  gint64 i;

  for (i = 0; i < n; i++)
    if (places[i] < 0 || places[i] >= size)
      return isolux_argument_error (error, _("A sample does not lie inside "
                                             "the image."));
  return TRUE;
}

gboolean
isolux_clahe_maps_sample (const IsoluxClaheMaps *maps,
                          IsoluxSurface         *source,
                          const gint64          *columns,
                          const gint64          *rows,
                          IsoluxSurface         *destination,
                          IsoluxReport          *report,
                          GError               **error)
{
  const IsoluxImage *image = &source->image, *made = &maps->image;
  IsoluxSurface      alike = *destination;
  IsoluxClaheSample  sample = { &maps->plan, &maps->tables, columns, rows };

  isolux_report_clear (report);
  if (image->width != made->width || image->height != made->height ||
      image->type != made->type || image->components != made->components)
    return isolux_argument_error (error, _("The tables are those of another "
                                           "image."));
  alike.image.width = image->width;
  alike.image.height = image->height;
  return isolux_surfaces_check (source, &alike, TRUE, error) &&
         check_places (columns, destination->image.width, image->width,
                       error) &&
         check_places (rows, destination->image.height, image->height, error) &&
         isolux_run (ISOLUX_TWIN_CLAHE_SAMPLE, sample_twin, source, destination,
                     &sample, report, error);
}
