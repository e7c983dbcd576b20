/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The dialog's engine: what it gives is what the library's functions give when
 * they are called directly; newest settings win; estimates, picks, pixels,
 * failures.  Needs no display.  Where there is a GPU, on CUDA as well.
 *
 *   ISOLUX_TEST_SEED=N   repeats a run
 */
#include "engine-work.h"

#include <malloc.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- Random numbers ------------------------------------------------------ */

static GRand *random_source;

static gint64
below (gint64 n)
{
  return g_rand_int_range (random_source, 0, (gint32) n);
}

static gdouble
unit (void)
{
  return g_rand_double (random_source);
}

/* ---- Pictures ------------------------------------------------------------ */

typedef struct
{
  IsoluxEngineImage info;
  gsize             pixel, stride;
  guint8           *pixels;
  guint8           *mask; /* nullable */
} Picture;

static gsize
type_size (IsoluxType type)
{
  return type == ISOLUX_TYPE_U8 ? 1 : type == ISOLUX_TYPE_U16 ? 2 : 4;
}

static gpointer
at (const Picture *p, gint64 x, gint64 y)
{
  return p->pixels + (gsize) y * p->stride + (gsize) x * p->pixel;
}

static void
put (const Picture *p, gint64 x, gint64 y, gint c, gdouble v)
{
  gpointer to = at (p, x, y);

  if (p->info.image.type == ISOLUX_TYPE_U8)
    ((guint8 *) to)[c] = (guint8) (v * 255.0);
  else if (p->info.image.type == ISOLUX_TYPE_U16)
    ((guint16 *) to)[c] = (guint16) (v * 4095.0);
  else
    ((gfloat *) to)[c] = (gfloat) (v * 1.5 - 0.25);
}

/* A wavy picture with noise; some transparent pixels; of floats some that are
 * no numbers or infinite. */
static Picture *
picture_new (gint64 width, gint64 height, gint components, IsoluxType type)
{
  Picture *p = g_new0 (Picture, 1);
  gint64   x, y;
  gint     c;

  p->info.image = (IsoluxImage) { width, height, components, type, 0 };
  p->info.box = (IsoluxRectangle) { 0, 0, width, height };
  p->info.weights[0] = 0.2126;
  p->info.weights[1] = 0.7152;
  p->info.weights[2] = 0.0722;
  p->pixel = (gsize) components * type_size (type);
  p->stride = (gsize) width * p->pixel;
  p->pixels = g_malloc (p->stride * (gsize) height);
  for (y = 0; y < height; y++)
    for (x = 0; x < width; x++)
      for (c = 0; c < components; c++)
        {
          const gdouble v = 0.4 +
                            0.3 * sin ((gdouble) (x + 40 * c) / 31.0) *
                              cos ((gdouble) y / 23.0) +
                            0.15 * (unit () - 0.5);

          put (p, x, y, c, v);
          if (components % 2 == 0 && c == components - 1)
            put (p, x, y, c, below (9) ? 1.0 : 0.0);
          if (type == ISOLUX_TYPE_F32 && below (500) == 0)
            ((gfloat *) at (p, x, y))[c] = below (2) ? NAN : INFINITY;
        }
  return p;
}

static void
picture_select (Picture *p, gboolean masked)
{
  const gint64 width = p->info.image.width, height = p->info.image.height;
  gsize        n, i;

  p->info.box.x = below (width / 2);
  p->info.box.y = below (height / 2);
  p->info.box.width = width / 3 + below (width / 6 + 1);
  p->info.box.height = height / 3 + below (height / 6 + 1);
  if (! masked)
    return;
  n = (gsize) (p->info.box.width * p->info.box.height);
  p->mask = g_malloc (n);
  for (i = 0; i < n; i++)
    p->mask[i] = below (4) ? 255 : 0;
  p->info.mask = p->mask;
}

static void
picture_free (Picture *p)
{
  g_free (p->pixels);
  g_free (p->mask);
  g_free (p);
}

static gboolean
is_selected (const Picture *p, gint64 x, gint64 y)
{
  const IsoluxRectangle *box = &p->info.box;

  x -= box->x;
  y -= box->y;
  return x >= 0 && y >= 0 && x < box->width && y < box->height &&
         (! p->mask || p->mask[y * box->width + x]);
}

/* ---- Engines ------------------------------------------------------------- */

/* What an engine has told. */
typedef struct
{
  IsoluxEngine       *engine;
  IsoluxEngineResult *numbers, *pixels; /* the newest ones */
  gint                n_results, n_quick, n_estimated, n_errors, n_backend;
  gint                n_busy, n_idle;
  guint64             serial;
  gchar              *warning;
  gboolean            measured;
  IsoluxMetrics       metrics;
  gchar              *metrics_error;
} Watch;

static void
keep (IsoluxEngineResult **place, IsoluxEngineResult *result)
{
  isolux_engine_result_ref (result);
  if (*place)
    isolux_engine_result_unref (*place);
  *place = result;
}

static void
on_result (IsoluxEngine *engine, IsoluxEngineResult *result, Watch *watch)
{
  /* newer than any before, or more about the same settings */
  g_assert_cmpuint (result->serial, >=, watch->serial);
  watch->serial = result->serial;
  watch->n_results++;
  if (result->report.warning[0])
    {
      g_free (watch->warning);
      watch->warning = g_strdup (result->report.warning);
    }
  if (result->error)
    {
      watch->n_errors++;
      keep (&watch->numbers, result);
      return;
    }
  g_assert_cmpfloat (result->milliseconds, >=, 0.0);
  g_assert_cmpfloat (result->read, >, 0.0);
  g_assert_cmpfloat (result->read, <=, 1.0);
  watch->n_quick += ! result->numbers;
  watch->n_estimated += result->estimated;
  if (result->numbers)
    keep (&watch->numbers, result);
  if (result->before_pixels)
    keep (&watch->pixels, result);
}

static void
on_busy (IsoluxEngine *engine, gboolean busy, Watch *watch)
{
  if (busy)
    watch->n_busy++;
  else
    watch->n_idle++;
  g_assert_cmpint (watch->n_busy - watch->n_idle, ==, busy != FALSE);
}

static void
on_backend (IsoluxEngine *engine, Watch *watch)
{
  watch->n_backend++;
}

static void
on_measured (IsoluxEngine        *engine,
             const IsoluxMetrics *metrics,
             const GError        *error,
             Watch               *watch)
{
  g_assert_true ((metrics == NULL) != (error == NULL));
  watch->measured = TRUE;
  if (metrics)
    watch->metrics = *metrics;
  g_free (watch->metrics_error);
  watch->metrics_error = error ? g_strdup (error->message) : NULL;
}

static Watch *
watch_new (IsoluxBackendKind kind)
{
  Watch *watch = g_new0 (Watch, 1);

  watch->engine = isolux_engine_new ();
  g_signal_connect (watch->engine, "result", G_CALLBACK (on_result), watch);
  g_signal_connect (watch->engine, "busy", G_CALLBACK (on_busy), watch);
  g_signal_connect (watch->engine, "backend-changed", G_CALLBACK (on_backend),
                    watch);
  g_signal_connect (watch->engine, "measured", G_CALLBACK (on_measured), watch);
  isolux_engine_set_backend (watch->engine, kind);
  isolux_engine_settle (watch->engine);
  return watch;
}

static void
watch_free (Watch *watch)
{
  g_object_unref (watch->engine);
  if (watch->numbers)
    isolux_engine_result_unref (watch->numbers);
  if (watch->pixels)
    isolux_engine_result_unref (watch->pixels);
  g_free (watch->warning);
  g_free (watch->metrics_error);
  g_free (watch);
}

static void
begin (Watch *watch, const Picture *p)
{
  GError *error = NULL;

  g_assert_true (isolux_engine_begin_image (watch->engine, &p->info, &error));
  g_assert_no_error (error);
}

static void
give_rows (Watch *watch, const Picture *p, gint64 y, gint64 rows)
{
  gsize  stride;
  gint64 i;

  for (i = y; i < y + rows; i++)
    memcpy (isolux_engine_get_rows (watch->engine, i, &stride), at (p, 0, i),
            p->stride);
  isolux_engine_add_rows (watch->engine, y, rows);
}

static void
load (Watch *watch, const Picture *p)
{
  begin (watch, p);
  give_rows (watch, p, 0, p->info.image.height);
}

static void
view_all (Watch *watch, const Picture *p, gint width, gint height)
{
  const IsoluxRectangle all = { 0, 0, p->info.image.width,
                                p->info.image.height };

  isolux_engine_set_view (watch->engine, &all, width, height);
}

/* ---- The library, called directly ---------------------------------------- */

/* The box and what becomes of it, and the whole image with it. */
typedef struct
{
  IsoluxDevice  *device;
  IsoluxSurface *box, *result;
  guint8        *after; /* all of the image, rows without gaps */
} Direct;

static IsoluxSurface *
surface_of (IsoluxDevice          *device,
            const Picture         *p,
            const IsoluxRectangle *part,
            gconstpointer          pixels)
{
  IsoluxImage image = p->info.image;
  const gsize first = (gsize) part->y * p->stride + (gsize) part->x * p->pixel;
  IsoluxView  view = { (guint8 *) pixels + first, p->stride };
  GError     *error = NULL;
  IsoluxSurface *surface;

  image.width = part->width;
  image.height = part->height;
  surface = isolux_surface_new (device, &image, &error);
  g_assert_no_error (error);
  g_assert_true (isolux_surface_upload (surface, &view, NULL, &error));
  return surface;
}

static void
set_region (IsoluxSurface *surface, const Picture *p)
{
  GError *error = NULL;

  g_assert_true (isolux_surface_set_region (surface, NULL, p->mask,
                                            (gsize) p->info.box.width, &error));
  g_assert_no_error (error);
}

static void
direct_init (Direct *direct, const Picture *p, const IsoluxOperation *operation)
{
  const gsize           bytes = p->stride * (gsize) p->info.image.height;
  const IsoluxRectangle box = p->info.box;
  IsoluxView            view = { NULL, p->stride };
  GError               *error = NULL;
  gint64                x, y;

  direct->device = isolux_device_open (ISOLUX_BACKEND_CPU, 0, &error);
  g_assert_no_error (error);
  direct->box = surface_of (direct->device, p, &box, p->pixels);
  direct->result = surface_of (direct->device, p, &box, p->pixels);
  set_region (direct->box, p);
  if (p->info.has_padding)
    g_assert_true (isolux_surface_leave_out (direct->box, p->info.padding,
                                             p->info.tolerance, NULL));
  g_assert_true (isolux_operation_run (operation, direct->box, direct->result,
                                       NULL, &error));
  g_assert_no_error (error);
  g_assert_true (isolux_surface_share_region (direct->result, direct->box,
                                              NULL));
  direct->after = g_memdup2 (p->pixels, bytes);
  view.data = direct->after + (gsize) box.y * p->stride +
              (gsize) box.x * p->pixel;
  g_assert_true (isolux_surface_download (direct->result, &view, NULL, NULL));
  if (operation->kind != ISOLUX_OPERATION_GRAYSCALE)
    return;
  /* it knows no selection, GIMP does */
  for (y = 0; y < p->info.image.height; y++)
    for (x = 0; x < p->info.image.width; x++)
      if (! is_selected (p, x, y))
        memcpy (direct->after + (gsize) y * p->stride + (gsize) x * p->pixel,
                at (p, x, y), p->pixel);
}

static void
direct_clear (Direct *direct)
{
  isolux_surface_unref (direct->box);
  isolux_surface_unref (direct->result);
  isolux_device_unref (direct->device);
  g_free (direct->after);
}

/* ---- Comparing ----------------------------------------------------------- */

static void
assert_histogram (const IsoluxHistogram *a, const IsoluxHistogram *b)
{
  gint c;

  g_assert_cmpint (a->type, ==, b->type);
  g_assert_cmpint (a->bits, ==, b->bits);
  g_assert_cmpint (a->channels, ==, b->channels);
  g_assert_cmpint (a->bins, ==, b->bins);
  g_assert_cmpfloat (a->low, ==, b->low);
  g_assert_cmpfloat (a->high, ==, b->high);
  for (c = 0; c < a->channels; c++)
    {
      g_assert_cmpuint (a->total[c], ==, b->total[c]);
      g_assert_cmpfloat (a->minimum[c], ==, b->minimum[c]);
      g_assert_cmpfloat (a->maximum[c], ==, b->maximum[c]);
    }
  g_assert_cmpmem (a->counts, (gsize) (a->channels * a->bins) * 8, b->counts,
                   (gsize) (b->channels * b->bins) * 8);
}

static gboolean
is_color (const Picture *p)
{
  return p->info.image.components >= 3;
}

/* The channel that there is. */
static IsoluxEngineChannel
channel_of (const Picture *p, IsoluxEngineChannel channel)
{
  if (channel == ISOLUX_ENGINE_ALPHA)
    return p->info.image.components % 2 ? ISOLUX_ENGINE_VALUE : channel;
  return is_color (p) ? channel : ISOLUX_ENGINE_VALUE;
}

static IsoluxHistogram *
histogram_of (const Picture *p, IsoluxSurface *surface, IsoluxChannel channel)
{
  IsoluxHistogramOptions options = ISOLUX_HISTOGRAM_DEFAULTS;
  GError                *error = NULL;
  IsoluxHistogram       *h;

  options.channel = channel;
  memcpy (options.weights, p->info.weights, sizeof options.weights);
  h = isolux_histogram (surface, &options, NULL, &error);
  g_assert_no_error (error);
  return h;
}

/* Largest components, by a gray surface. */
static IsoluxHistogram *
histogram_of_value (const Picture *p, IsoluxSurface *surface)
{
  IsoluxGrayOptions options = ISOLUX_GRAY_DEFAULTS;
  IsoluxImage       image = *isolux_surface_get_image (surface);
  IsoluxSurface    *gray;
  IsoluxHistogram  *h;
  IsoluxDevice     *device;

  if (! is_color (p))
    return histogram_of (p, surface, ISOLUX_CHANNEL_LUMA);
  device = isolux_device_open (ISOLUX_BACKEND_CPU, 0, NULL);
  options.method = ISOLUX_GRAY_MAXIMUM;
  image.components -= 2;
  /* on the surface's own device there is none to be had: by the host */
  {
    const gsize    bytes = (gsize) image.width * p->pixel;
    guint8        *pixels = g_malloc (bytes * (gsize) image.height);
    IsoluxView     view = { pixels, bytes };
    IsoluxImage    colors = *isolux_surface_get_image (surface);
    IsoluxSurface *copy = isolux_surface_new (device, &colors, NULL);

    g_assert_true (isolux_surface_download (surface, &view, NULL, NULL));
    g_assert_true (isolux_surface_upload (copy, &view, NULL, NULL));
    gray = isolux_surface_new (device, &image, NULL);
    g_assert_true (isolux_grayscale (copy, gray, &options, NULL, NULL));
    isolux_surface_unref (copy);
    g_free (pixels);
  }
  set_region (gray, p);
  h = histogram_of (p, gray, ISOLUX_CHANNEL_LUMA);
  isolux_surface_unref (gray);
  isolux_device_unref (device);
  return h;
}

/* Counts one by one what the library cannot. */
static void
assert_special (const Picture          *p,
                const guint8           *pixels,
                IsoluxEngineChannel     channel,
                const IsoluxEngineSide *side)
{
  const gint    n = p->info.image.components, colors = is_color (p) ? 3 : 1;
  const gdouble top = p->info.image.type == ISOLUX_TYPE_U8    ? 255.0
                      : p->info.image.type == ISOLUX_TYPE_U16 ? 65535.0
                                                              : 1.0;
  guint64       ends = 0, bad = 0, infinite = 0, total = 0;
  gint64        x, y;

  for (y = 0; y < p->info.image.height; y++)
    for (x = 0; x < p->info.image.width; x++)
      {
        const guint8 *pixel = pixels + (gsize) y * p->stride +
                              (gsize) x * p->pixel;
        gdouble v[4], value;
        gint    c;

        for (c = 0; c < n; c++)
          v[c] = p->info.image.type == ISOLUX_TYPE_U8 ? pixel[c]
                 : p->info.image.type == ISOLUX_TYPE_U16
                   ? ((const guint16 *) pixel)[c]
                   : (gdouble) ((const gfloat *) pixel)[c];
        if (! is_selected (p, x, y))
          continue;
        if (channel != ISOLUX_ENGINE_ALPHA && n % 2 == 0 && ! (v[n - 1] > 0.0))
          continue;
        value = v[0];
        if (channel == ISOLUX_ENGINE_ALPHA)
          value = v[n - 1];
        else if (colors == 3 && channel >= ISOLUX_ENGINE_RED)
          value = v[channel - ISOLUX_ENGINE_RED];
        else if (colors == 3 && channel == ISOLUX_ENGINE_VALUE)
          value = isnan (v[0] + v[1] + v[2]) ? NAN
                                             : MAX (MAX (v[0], v[1]), v[2]);
        else if (colors == 3)
          {
            value = (p->info.weights[0] * v[0] + p->info.weights[1] * v[1]) +
                    p->info.weights[2] * v[2];
            if (p->info.image.type != ISOLUX_TYPE_F32)
              continue; /* by the histogram */
          }
        if (isnan (value))
          {
            bad++;
            continue;
          }
        total++;
        ends += value <= 0.0 || value >= top;
        infinite += isinf (value) != 0;
      }
  if (p->info.image.type == ISOLUX_TYPE_F32 && channel != ISOLUX_ENGINE_ALPHA)
    {
      g_assert_cmpuint (side->not_numbers, ==, bad);
      g_assert_cmpuint (side->infinite, ==, infinite);
    }
  if (total)
    g_assert_cmpfloat (fabs (side->saturated -
                             (gdouble) ends / (gdouble) total),
                       <, 1e-12);
}

static void
assert_side (const Picture          *p,
             IsoluxSurface          *surface,
             const guint8           *pixels,
             IsoluxEngineChannel     wanted,
             const IsoluxEngineSide *side)
{
  const IsoluxEngineChannel channel = channel_of (p, wanted);
  IsoluxHistogram          *h, *luma = NULL;
  IsoluxStatistics          statistics;

  switch (channel)
    {
      case ISOLUX_ENGINE_RGB:
        h = histogram_of (p, surface, ISOLUX_CHANNEL_EACH);
        luma = histogram_of (p, surface, ISOLUX_CHANNEL_LUMA);
        break;
      case ISOLUX_ENGINE_VALUE:
        h = histogram_of_value (p, surface);
        break;
      case ISOLUX_ENGINE_LUMINANCE:
        h = histogram_of (p, surface, ISOLUX_CHANNEL_LUMA);
        break;
      case ISOLUX_ENGINE_ALPHA:
        h = histogram_of (p, surface, ISOLUX_CHANNEL_ALPHA);
        break;
      default:
        h = histogram_of (p, surface,
                          (IsoluxChannel) (ISOLUX_CHANNEL_RED + channel -
                                           ISOLUX_ENGINE_RED));
        break;
    }
  assert_histogram (side->histogram, h);
  g_assert_cmpint (side->luma != NULL, ==, luma != NULL);
  if (luma)
    assert_histogram (side->luma, luma);
  isolux_histogram_get_statistics (luma ? luma : h, 0, &statistics);
  g_assert_cmpmem (&side->statistics, sizeof statistics, &statistics,
                   sizeof statistics);
  assert_special (p, pixels, channel, side);
  isolux_histogram_free (h);
  isolux_histogram_free (luma);
}

/* Means of the pixels that become one, for codes and floats alike. */
static void
assert_pixels (const Picture            *p,
               const guint8             *all,
               const IsoluxEngineResult *result,
               const guint8             *pixels)
{
  const IsoluxRectangle whole = { 0, 0, p->info.image.width,
                                  p->info.image.height };
  IsoluxDevice  *device = isolux_device_open (ISOLUX_BACKEND_CPU, 0, NULL);
  IsoluxSurface *surface = surface_of (device, p, &whole, all);
  IsoluxImage    image = p->info.image;
  const gsize    row = (gsize) result->image.width * p->pixel;
  const gsize    bytes = row * (gsize) result->image.height;
  guint8        *wanted = g_malloc (bytes);
  IsoluxView     view = { wanted, row };
  IsoluxSurface *small;
  GError        *error = NULL;

  image.width = result->image.width;
  image.height = result->image.height;
  small = isolux_surface_new (device, &image, NULL);
  g_assert_true (isolux_reduce (surface, &result->part, small, NULL, &error));
  g_assert_no_error (error);
  g_assert_true (isolux_surface_download (small, &view, NULL, NULL));
  g_assert_cmpmem (pixels, bytes, wanted, bytes);
  g_free (wanted);
  isolux_surface_unref (small);
  isolux_surface_unref (surface);
  isolux_device_unref (device);
}

static gdouble
maximum_of (const Picture *p)
{
  return p->info.image.type == ISOLUX_TYPE_U8    ? 255.0
         : p->info.image.type == ISOLUX_TYPE_U16 ? 65535.0
                                                 : 1.0;
}

/* Channels whose values go through an operation's table: 0 .. 2, or -1. */
static gint
table_of (const Picture         *p,
          IsoluxEngineChannel    wanted,
          IsoluxEqualizeChannels channels,
          gboolean               every)
{
  const IsoluxEngineChannel channel = channel_of (p, wanted);

  if (channel == ISOLUX_ENGINE_ALPHA)
    return -1;
  if (! is_color (p))
    return 0;
  if (channels == ISOLUX_EQUALIZE_EACH)
    return channel < ISOLUX_ENGINE_RED ? -1
                                       : (gint) channel - ISOLUX_ENGINE_RED;
  return every || channel == ISOLUX_ENGINE_RGB ||
             channel == ISOLUX_ENGINE_LUMINANCE
           ? 0
           : -1;
}

static void
assert_clahe (const Picture            *p,
              const Direct             *direct,
              const IsoluxOperation    *operation,
              IsoluxEngineChannel       channel,
              gint64                    column,
              gint64                    row,
              const IsoluxEngineResult *r)
{
  const IsoluxClaheOptions *options = &operation->options.clahe;
  const gint       table = table_of (p, channel, options->channels, FALSE);
  GError          *error = NULL;
  IsoluxClaheMaps *maps =
    isolux_clahe_maps_new (direct->box, options, NULL, &error);
  const IsoluxClaheGrid *grid;
  gboolean               picked;
  gdouble               *values;
  gint                   i, n = r->curve_n;

  g_assert_no_error (error);
  grid = isolux_clahe_maps_get_grid (maps);
  g_assert_cmpmem (&r->grid, sizeof *grid, grid, sizeof *grid);
  if (table < 0)
    {
      g_assert_cmpint (n, ==, 0);
      isolux_clahe_maps_free (maps);
      return;
    }
  g_assert_cmpint (n, >=, 256);
  picked = column >= 0 && column < grid->tiles_x && row >= 0 &&
           row < grid->tiles_y;
  g_assert_cmpint (r->curve_tile_x, ==, picked ? column : -1);
  g_assert_cmpint (r->curve_tile_y, ==, picked ? row : -1);
  values = g_new (gdouble, 3 * (gsize) n);
  isolux_clahe_maps_get_curves (maps, table, 10.0, n, values);
  isolux_clahe_maps_get_curves (maps, table, 90.0, n, values + n);
  if (picked)
    isolux_clahe_maps_get_curve (maps, table, (gint) column, (gint) row, n,
                                 values + 2 * n);
  else
    isolux_clahe_maps_get_curves (maps, table, 50.0, n, values + 2 * n);
  for (i = 0; i < n; i++)
    {
      g_assert_cmpfloat (r->curve_x[i], ==,
                         grid->low + i * (grid->high - grid->low) / (n - 1));
      g_assert_cmpfloat (r->curve_low[i], ==, values[i] / maximum_of (p));
      g_assert_cmpfloat (r->curve_high[i], ==, values[n + i] / maximum_of (p));
      g_assert_cmpfloat (r->curve_y[i], ==, values[2 * n + i] / maximum_of (p));
    }
  g_free (values);
  isolux_clahe_maps_free (maps);
}

/* A gray image has what the curve says where its codes lie. */
static void
assert_curve_of_gray (const Picture            *p,
                      const Direct             *direct,
                      const IsoluxEngineResult *r)
{
  const gboolean wide = p->info.image.type == ISOLUX_TYPE_U16;
  gint64         x, y;
  gint           i, seen = 0;

  for (i = 1; i < r->curve_n; i++)
    g_assert_cmpfloat (r->curve_x[i - 1], <, r->curve_x[i]);
  if (is_color (p) || p->info.image.type == ISOLUX_TYPE_F32)
    return;
  for (y = 0; y < p->info.image.height; y++)
    for (x = 0; x < p->info.image.width; x++)
      {
        const gsize   at_pixel = (gsize) y * p->stride + (gsize) x * p->pixel;
        const guint8 *in = p->pixels + at_pixel,
                     *out = direct->after + at_pixel;
        const gint v = wide ? *(const guint16 *) in : *in;
        const gint w = wide ? *(const guint16 *) out : *out;

        if (! is_selected (p, x, y) || v >= r->curve_n || r->curve_x[v] != v ||
            (p->info.image.components == 2 &&
             ! (wide ? ((const guint16 *) in)[1] : in[1])))
          continue;
        g_assert_cmpfloat (fabs (r->curve_y[v] * maximum_of (p) - w), <=, 0.51);
        seen++;
      }
  g_assert_cmpint (seen, >, 50);
}

static void
assert_equalize (const Picture            *p,
                 const Direct             *direct,
                 const IsoluxOperation    *operation,
                 IsoluxEngineChannel       channel,
                 const IsoluxEngineResult *r)
{
  const IsoluxEqualizeOptions *options = &operation->options.equalize;
  const gint table = table_of (p, channel, options->channels, FALSE);
  IsoluxHistogramOptions counting = ISOLUX_HISTOGRAM_DEFAULTS;
  IsoluxHistogram       *h;
  gdouble                uniformity = 0.0;
  gint                   c;

  memcpy (counting.weights, options->weights, sizeof counting.weights);
  if (is_color (p) && options->channels == ISOLUX_EQUALIZE_EACH)
    counting.channel = ISOLUX_CHANNEL_EACH;
  if (counting.channel == ISOLUX_CHANNEL_EACH && table >= 0 &&
      p->info.image.type == ISOLUX_TYPE_F32)
    counting.channel = (IsoluxChannel) (ISOLUX_CHANNEL_RED + table);
  h = isolux_histogram (direct->box, &counting, NULL, NULL);
  for (c = 0; c < h->channels; c++)
    if (h->channels == 1 || table < 0 || c == table)
      uniformity = MAX (uniformity, isolux_histogram_uniformity (h, c));
  g_assert_cmpfloat (r->uniformity, ==, uniformity);
  isolux_histogram_free (h);
  g_assert_cmpint (r->curve_n > 0, ==, table >= 0);
  if (table >= 0)
    assert_curve_of_gray (p, direct, r);
}

static void
assert_window (const Picture            *p,
               const Direct             *direct,
               const IsoluxOperation    *operation,
               IsoluxEngineChannel       channel,
               const IsoluxEngineResult *r)
{
  const IsoluxWindowOptions *options = &operation->options.window;
  const gint table = table_of (p, channel, options->channels, TRUE);
  gdouble    low[3], high[3];

  g_assert_true (isolux_window_measure (direct->box, options, low, high, NULL,
                                        NULL));
  g_assert_cmpfloat (r->window_low, ==, low[MAX (table, 0)]);
  g_assert_cmpfloat (r->window_high, ==, high[MAX (table, 0)]);
  g_assert_cmpint (r->curve_n > 0, ==, table >= 0);
  if (table >= 0)
    assert_curve_of_gray (p, direct, r);
}

static void
assert_shares (const gfloat  *cells,
               gint64         n_cells,
               gint           n,
               const gdouble *shares)
{
  gdouble *sums = g_new0 (gdouble, (gsize) n), total = 0.0, all = 0.0;
  gint64   i;
  gint     k;

  for (i = 0; i < n_cells * n; i++)
    {
      sums[i % n] += (gdouble) cells[i];
      total += (gdouble) cells[i];
    }
  for (k = 0; k < n; k++)
    {
      all += shares[k];
      g_assert_cmpfloat (fabs (shares[k] * total - sums[k]), <=,
                         1e-9 * (1.0 + total));
    }
  g_assert_cmpfloat (fabs (all - (total > 0.0 ? 1.0 : 0.0)), <, 1e-9);
  g_free (sums);
}

static void
assert_hog (const Direct             *direct,
            const IsoluxOperation    *operation,
            gint64                    column,
            gint64                    row,
            const IsoluxEngineResult *r)
{
  const IsoluxHogOptions *options = &operation->options.hog;
  gint64                  columns, rows;
  gfloat                 *cells =
    isolux_hog_cells (direct->box, options, &columns, &rows, NULL, NULL);
  const gboolean picked = column >= 0 && column < columns && row >= 0 &&
                          row < rows;

  g_assert_cmpint (r->grid.tiles_x, ==, columns);
  g_assert_cmpint (r->grid.tiles_y, ==, rows);
  g_assert_cmpint (r->orientations, ==, options->orientations);
  assert_shares (cells, columns * rows, options->orientations,
                 r->orientation_shares);
  g_assert_cmpint (r->cell_shares != NULL, ==, picked);
  if (picked)
    assert_shares (cells + (row * columns + column) * options->orientations, 1,
                   options->orientations, r->cell_shares);
  g_free (cells);
}

static void
assert_codes (const Direct             *direct,
              const IsoluxOperation    *operation,
              const IsoluxEngineResult *r)
{
  const IsoluxHistogram *h = r->after.histogram;
  guint64               *counts = NULL, sum = 0;
  gsize                  n = 0, i, each;

  g_assert_true (isolux_lbp_histogram (direct->box, &operation->options.lbp,
                                       &counts, &n, NULL, NULL));
  each = MAX (1, n / (gsize) h->bins);
  for (i = 0; i < n; i += each)
    {
      gsize   k;
      guint64 wanted = 0;

      for (k = i; k < MIN (i + each, n); k++)
        wanted += counts[k];
      g_assert_cmpuint (h->counts[i / each], ==, wanted);
      sum += wanted;
    }
  g_assert_cmpuint (h->total[0], ==, sum);
  g_assert_cmpuint (r->after.statistics.count, ==, sum);
  g_free (counts);
}

/* All that a result says. */
static void
assert_result (const Picture            *p,
               const IsoluxOperation    *operation,
               IsoluxEngineChannel       channel,
               gint64                    column,
               gint64                    row,
               const IsoluxEngineResult *r)
{
  const IsoluxHistogram *h;
  IsoluxClaheGrid        grid;
  Direct                 direct;

  g_assert_no_error (r->error);
  g_assert_true (r->numbers);
  g_assert_false (r->estimated);
  g_assert_cmpfloat (r->read, ==, 1.0);
  direct_init (&direct, p, operation);
  assert_side (p, direct.box, p->pixels, channel, &r->before);
  isolux_operation_get_grid (operation, p->info.box.width, p->info.box.height,
                             &grid);
  g_assert_cmpint (r->grid.tiles_x, ==, grid.tiles_x);
  g_assert_cmpint (r->grid.tile_height, ==, grid.tile_height);
  if (operation->kind == ISOLUX_OPERATION_LBP &&
      operation->options.lbp.method != ISOLUX_LBP_VAR)
    assert_codes (&direct, operation, r);
  else
    assert_side (p, direct.result, direct.after, channel, &r->after);
  if (operation->kind == ISOLUX_OPERATION_CLAHE)
    assert_clahe (p, &direct, operation, channel, column, row, r);
  else if (operation->kind == ISOLUX_OPERATION_EQUALIZE)
    assert_equalize (p, &direct, operation, channel, r);
  else if (operation->kind == ISOLUX_OPERATION_WINDOW)
    assert_window (p, &direct, operation, channel, r);
  else if (operation->kind == ISOLUX_OPERATION_HOG)
    assert_hog (&direct, operation, column, row, r);
  else
    g_assert_cmpint (r->curve_n, ==, 0);
  h = r->before.luma ? r->before.luma : r->before.histogram;
  if (channel_of (p, channel) != ISOLUX_ENGINE_ALPHA &&
      (operation->kind == ISOLUX_OPERATION_CLAHE ||
       operation->kind == ISOLUX_OPERATION_EQUALIZE))
    g_assert_cmpfloat (r->clip_mean, ==, (gdouble) h->total[0] / h->bins);
  else
    g_assert_cmpfloat (r->clip_mean, ==, 0.0);
  if (r->before_pixels)
    {
      assert_pixels (p, p->pixels, r, r->before_pixels);
      /* single pixels that became one are partly selected, perhaps */
      if (operation->kind != ISOLUX_OPERATION_GRAYSCALE || ! p->mask)
        assert_pixels (p, direct.after, r, r->after_pixels);
    }
  direct_clear (&direct);
}

/* ---- Settings ------------------------------------------------------------ */

static void
choose_operation (IsoluxOperation *operation, IsoluxOperationKind kind)
{
  isolux_operation_init (operation, kind);
  switch (kind)
    {
      case ISOLUX_OPERATION_GRAYSCALE:
        operation->options.grayscale.method = (IsoluxGrayMethod) below (6);
        break;
      case ISOLUX_OPERATION_EQUALIZE:
        operation->options.equalize.channels =
          (IsoluxEqualizeChannels) below (2);
        operation->options.equalize.clip_limit = (gdouble) below (4);
        break;
      case ISOLUX_OPERATION_CLAHE:
        operation->options.clahe.channels = (IsoluxEqualizeChannels) below (2);
        operation->options.clahe.clip_limit = 0.5 + 4.0 * unit ();
        operation->options.clahe.tiles_x = 1 + (gint) below (8);
        operation->options.clahe.tiles_y = 1 + (gint) below (8);
        break;
      case ISOLUX_OPERATION_WINDOW:
        operation->options.window.mode = (IsoluxWindowMode) below (3);
        operation->options.window.center = 100.0;
        operation->options.window.width = 120.0;
        operation->options.window.gamma = 0.5 + unit ();
        operation->options.window.invert = below (2);
        operation->options.window.channels = (IsoluxEqualizeChannels) below (2);
        break;
      case ISOLUX_OPERATION_CONTRAST_MAP:
        operation->options.contrast_map.tile_size = 2 + (gint) below (30);
        operation->options.contrast_map.colors =
          (IsoluxContrastColors) below (2);
        break;
      case ISOLUX_OPERATION_LBP:
        operation->options.lbp.method = (IsoluxLbpMethod) below (5);
        operation->options.lbp.points = 4 + (gint) below (13);
        break;
      case ISOLUX_OPERATION_HOG:
        operation->options.hog.picture = (IsoluxHogPicture) below (3);
        operation->options.hog.orientations = 2 + (gint) below (12);
        operation->options.hog.cell_size = 2 + (gint) below (12);
        break;
    }
}

static IsoluxOperationKind
any_kind (void)
{
  return (IsoluxOperationKind) below (ISOLUX_OPERATION_HOG + 1);
}

/* CUDA where it is asked for and there; else the test is skipped. */
static Watch *
watch_on (gconstpointer data)
{
  const IsoluxBackendKind kind = (IsoluxBackendKind) GPOINTER_TO_INT (data);
  IsoluxDeviceInfo        info;
  Watch                  *watch = watch_new (kind);

  if (kind == ISOLUX_BACKEND_CPU)
    return watch;
  isolux_device_get_info (isolux_engine_get_device (watch->engine), &info);
  if (info.cuda_ready)
    return watch;
  g_test_skip (info.cuda_reason);
  watch_free (watch);
  return NULL;
}

/* ---- Tests --------------------------------------------------------------- */

static void
check_results (Watch *watch, IsoluxType type, gint components)
{
  Picture *p = picture_new (150, 110, components, type);
  gint     kind, channel;

  channel = (gint) below (ISOLUX_ENGINE_ALPHA + 1);
  if (below (3))
    picture_select (p, below (2));
  load (watch, p);
  for (kind = 0; kind <= ISOLUX_OPERATION_HOG; kind++)
    {
      const gint64    column = below (9) - 1, row = below (9) - 1;
      IsoluxRectangle part = { below (40), below (40), 60 + below (80),
                               40 + below (80) };
      IsoluxOperation operation;

      choose_operation (&operation, (IsoluxOperationKind) kind);
      channel = (channel + 1) % (ISOLUX_ENGINE_ALPHA + 1);
      isolux_engine_set_operation (watch->engine, &operation);
      isolux_engine_set_channel (watch->engine, (IsoluxEngineChannel) channel);
      isolux_engine_set_pick (watch->engine, column, row);
      isolux_engine_set_view (watch->engine, &part, 1 + (gint) below (99),
                              1 + (gint) below (99));
      isolux_engine_settle (watch->engine);
      assert_result (p, &operation, (IsoluxEngineChannel) channel, column, row,
                     watch->numbers);
      g_assert_cmpint (watch->pixels->part.x, ==, part.x);
      assert_pixels (p, p->pixels, watch->pixels, watch->pixels->before_pixels);
      g_assert_null (watch->warning);
    }
  picture_free (p);
}

static void
test_results (gconstpointer data)
{
  Watch *watch = watch_on (data);
  gint   type, components;

  if (! watch)
    return;
  for (type = 0; type < 3; type++)
    for (components = 1; components <= 4; components++)
      check_results (watch, (IsoluxType) type, components);
  watch_free (watch);
}

/* Every channel of every side, for one operation. */
static void
test_channels (gconstpointer data)
{
  Watch          *watch = watch_on (data);
  IsoluxOperation operation;
  gint            type, channel;

  if (! watch)
    return;
  isolux_operation_init (&operation, ISOLUX_OPERATION_EQUALIZE);
  for (type = 0; type < 3; type++)
    {
      Picture *p = picture_new (90, 70, 4, (IsoluxType) type);

      picture_select (p, TRUE);
      load (watch, p);
      isolux_engine_set_operation (watch->engine, &operation);
      for (channel = 0; channel <= ISOLUX_ENGINE_ALPHA; channel++)
        {
          isolux_engine_set_channel (watch->engine,
                                     (IsoluxEngineChannel) channel);
          isolux_engine_settle (watch->engine);
          assert_result (p, &operation, (IsoluxEngineChannel) channel, -1, -1,
                         watch->numbers);
        }
      picture_free (p);
    }
  watch_free (watch);
}

/* Newest wins: 200 changes at random moments. */
static void
test_storm (gconstpointer data)
{
  Watch              *watch = watch_on (data);
  Picture            *p;
  IsoluxOperation     operation;
  IsoluxEngineChannel channel = ISOLUX_ENGINE_RGB;
  gint64              column = -1, row = -1;
  guint64             changes = 0;
  gint                i;

  if (! watch)
    return;
  p = picture_new (300, 200, 3, ISOLUX_TYPE_U16);
  picture_select (p, TRUE);
  load (watch, p);
  choose_operation (&operation, ISOLUX_OPERATION_CLAHE);
  for (i = 0; i < 200; i++)
    {
      switch (below (4))
        {
          case 0:
            channel = (IsoluxEngineChannel) below (ISOLUX_ENGINE_ALPHA + 1);
            isolux_engine_set_channel (watch->engine, channel);
            break;
          case 1:
            column = below (10) - 1;
            row = below (10) - 1;
            isolux_engine_set_pick (watch->engine, column, row);
            break;
          case 2:
            view_all (watch, p, 1 + (gint) below (300), 1 + (gint) below (200));
            break;
          default:
            choose_operation (&operation, any_kind ());
            isolux_engine_set_operation (watch->engine, &operation);
            changes++;
            break;
        }
      if (below (3) == 0)
        g_usleep ((gulong) below (3000));
      while (below (2) && g_main_context_iteration (NULL, FALSE))
        ;
    }
  if (changes == 0)
    isolux_engine_set_operation (watch->engine, &operation);
  isolux_engine_settle (watch->engine);
  assert_result (p, &operation, channel, column, row, watch->numbers);
  g_assert_cmpint (watch->n_errors, ==, 0);
  g_test_message ("%d results for 200 changes", watch->n_results);
  picture_free (p);
  watch_free (watch);
}

/* ---- While rows come ----------------------------------------------------- */

static void
shuffle (gint64 *values, gint n)
{
  gint i;

  for (i = n - 1; i > 0; i--)
    {
      const gint64 k = below (i + 1), v = values[i];

      values[i] = values[k];
      values[k] = v;
    }
}

/* Of a small image an estimate counts all that has come, and nothing else. */
static void
check_estimate (const Picture            *p,
                const guint8             *there,
                const IsoluxEngineResult *r)
{
  const IsoluxRectangle box = p->info.box;
  guint8               *mask = g_malloc ((gsize) (box.width * box.height));
  IsoluxDevice    *device = isolux_device_open (ISOLUX_BACKEND_CPU, 0, NULL);
  IsoluxSurface   *surface = surface_of (device, p, &box, p->pixels);
  IsoluxHistogram *h;
  gint64           x, y, nearest, i, read = 0;

  for (y = 0; y < box.height; y++)
    for (x = 0; x < box.width; x++)
      mask[y * box.width + x] = there[box.y + y] &&
                                is_selected (p, box.x + x, box.y + y);
  g_assert_true (isolux_surface_set_region (surface, NULL, mask,
                                            (gsize) box.width, NULL));
  h = histogram_of (p, surface, ISOLUX_CHANNEL_LUMA);
  assert_histogram (r->before.histogram, h);
  g_assert_cmpuint (r->after.statistics.count, ==, h->total[0]);
  isolux_histogram_free (h);
  isolux_surface_unref (surface);
  isolux_device_unref (device);
  g_free (mask);

  /* rows that are missing look like one of the nearest ones */
  for (y = 0; y < p->info.image.height; y++)
    {
      const guint8 *row = r->before_pixels + (gsize) y * p->stride;

      read += there[y];
      for (nearest = 0, i = 0; i < p->info.image.height && ! nearest; i++)
        nearest = (y >= i && there[y - i] &&
                   ! memcmp (row, at (p, 0, y - i), p->stride)) ||
                  (y + i < p->info.image.height && there[y + i] &&
                   ! memcmp (row, at (p, 0, y + i), p->stride));
      g_assert_true (nearest);
    }
  g_assert_cmpfloat (r->read, ==,
                     (gdouble) read / (gdouble) p->info.image.height);
}

static void
test_loading (gconstpointer data)
{
  Watch          *watch = watch_on (data);
  Picture        *p;
  IsoluxOperation operation;
  gint64          order[20];
  guint8          there[240] = { 0 };
  gint            i;

  if (! watch)
    return;
  p = picture_new (320, 240, 1, ISOLUX_TYPE_U16);
  picture_select (p, TRUE);
  choose_operation (&operation, ISOLUX_OPERATION_CLAHE);
  isolux_engine_set_operation (watch->engine, &operation);
  begin (watch, p);
  view_all (watch, p, 320, 240);
  isolux_engine_settle (watch->engine);
  g_assert_cmpint (watch->n_results, ==, 0);
  g_assert_false (isolux_engine_get_pixel (watch->engine, 1, 1,
                                           (gdouble[4]) { 0.0 },
                                           (gdouble[4]) { 0.0 }));
  for (i = 0; i < 20; i++)
    order[i] = 12 * i;
  shuffle (order, 20);
  for (i = 0; i < 20; i++)
    {
      const gint before = watch->n_results;

      give_rows (watch, p, order[i], 12);
      memset (there + order[i], 1, 12);
      isolux_engine_settle (watch->engine);
      if (watch->n_results == before)
        continue;
      g_assert_no_error (watch->numbers->error);
      g_assert_cmpint (watch->numbers->estimated, ==, i < 19);
      if (i < 19)
        check_estimate (p, there, watch->numbers);
    }
  assert_result (p, &operation, ISOLUX_ENGINE_RGB, -1, -1, watch->numbers);
  g_assert_cmpint (watch->n_estimated, >, 5);

  /* another image in the middle of one */
  begin (watch, p);
  give_rows (watch, p, 100, 100);
  load (watch, p);
  isolux_engine_settle (watch->engine);
  assert_result (p, &operation, ISOLUX_ENGINE_RGB, -1, -1, watch->numbers);
  picture_free (p);
  watch_free (watch);
}

/* Each operation, from half of the rows of an image that is larger than an
 * estimate. */
static void
test_estimates (void)
{
  Watch          *watch = watch_new (ISOLUX_BACKEND_CPU);
  Picture        *p = picture_new (1400, 1100, 3, ISOLUX_TYPE_U8);
  IsoluxOperation operation;
  gint            kind;

  begin (watch, p);
  view_all (watch, p, 200, 150);
  give_rows (watch, p, 500, 550);
  for (kind = 0; kind <= ISOLUX_OPERATION_HOG; kind++)
    {
      const IsoluxEngineResult *r;
      gsize                     i, differing = 0;

      isolux_operation_init (&operation, (IsoluxOperationKind) kind);
      isolux_engine_set_operation (watch->engine, &operation);
      isolux_engine_settle (watch->engine);
      r = watch->numbers;
      g_assert_no_error (r->error);
      g_assert_true (r->estimated && r->numbers);
      g_assert_cmpfloat (r->read, ==, 0.5);
      /* counts are those of what was looked at */
      g_assert_cmpuint (r->before.statistics.count, >, 400000);
      g_assert_cmpuint (r->before.statistics.count, <, 600000);
      g_assert_cmpint (r->image.width, ==, 200);
      g_assert_cmpint (r->image.height, ==, 150);
      for (i = 0; i < 200 * 150 * 3; i++)
        differing += r->before_pixels[i] != r->after_pixels[i];
      g_assert_cmpuint (differing, >, 20000);
    }
  g_assert_cmpint (watch->n_errors, ==, 0);
  picture_free (p);
  watch_free (watch);
}

/* ---- Views and single pixels --------------------------------------------- */

static void
test_views (gconstpointer data)
{
  static const IsoluxRectangle parts[] = {
    { 0, 0, 120, 90 },       { 30, 20, 40, 30 },   { -50, -50, 100, 100 },
    { 100, 80, 1000, 1000 }, { 500, 500, 10, 10 }, { 7, 9, 1, 1 },
    { 0, 0, 0, 0 }
  };
  Watch          *watch = watch_on (data);
  Picture        *p;
  IsoluxOperation operation;
  gsize           i;

  if (! watch)
    return;
  p = picture_new (120, 90, 3, ISOLUX_TYPE_U8);
  picture_select (p, FALSE);
  isolux_operation_init (&operation, ISOLUX_OPERATION_EQUALIZE);
  load (watch, p);
  isolux_engine_set_operation (watch->engine, &operation);
  isolux_engine_settle (watch->engine);
  g_assert_nonnull (watch->numbers);
  g_assert_null (watch->pixels);
  g_assert_null (watch->numbers->before_pixels);
  for (i = 0; i < G_N_ELEMENTS (parts); i++)
    {
      const gint before = watch->n_results;
      Direct     direct;

      isolux_engine_set_view (watch->engine, &parts[i], 55, 1000);
      isolux_engine_settle (watch->engine);
      g_assert_cmpint (watch->n_results, >, before);
      if (i == 4 || i == 6)
        continue; /* nothing to be seen */
      g_assert_cmpint (watch->pixels->image.width, ==,
                       MIN (55, watch->pixels->part.width));
      g_assert_cmpint (watch->pixels->image.height, ==,
                       watch->pixels->part.height);
      /* the numbers stay, and nothing but pixels is told */
      g_assert_false (watch->pixels->numbers);
      direct_init (&direct, p, &operation);
      assert_pixels (p, p->pixels, watch->pixels, watch->pixels->before_pixels);
      assert_pixels (p, direct.after, watch->pixels,
                     watch->pixels->after_pixels);
      direct_clear (&direct);
    }
  picture_free (p);
  watch_free (watch);
}

static gdouble
component (const Picture *p, const guint8 *pixels, gint64 x, gint64 y, gint c)
{
  const guint8 *pixel = pixels + (gsize) y * p->stride + (gsize) x * p->pixel;

  return p->info.image.type == ISOLUX_TYPE_U8 ? pixel[c]
         : p->info.image.type == ISOLUX_TYPE_U16
           ? ((const guint16 *) pixel)[c]
           : (gdouble) ((const gfloat *) pixel)[c];
}

static void
test_pixels (gconstpointer data)
{
  Watch          *watch = watch_on (data);
  IsoluxOperation operation;
  gint            type, kind;

  if (! watch)
    return;
  for (type = 0; type < 3; type++)
    for (kind = 0; kind <= ISOLUX_OPERATION_WINDOW; kind++)
      {
        Picture *p =
          picture_new (100, 80, 1 + (gint) below (4), (IsoluxType) type);
        Direct  direct;
        gdouble before[4], after[4];
        gint    i, c;

        picture_select (p, TRUE);
        choose_operation (&operation, (IsoluxOperationKind) kind);
        load (watch, p);
        isolux_engine_set_operation (watch->engine, &operation);
        isolux_engine_settle (watch->engine);
        direct_init (&direct, p, &operation);
        for (i = 0; i < 200; i++)
          {
            const gint64 x = below (100), y = below (80);

            g_assert_cmpint (isolux_engine_get_pixel (watch->engine, x, y,
                                                      before, after),
                             ==, 2);
            for (c = 0; c < p->info.image.components; c++)
              {
                const gdouble b = component (p, p->pixels, x, y, c);
                const gdouble a = component (p, direct.after, x, y, c);

                g_assert_true (before[c] == b ||
                               (isnan (before[c]) && isnan (b)));
                g_assert_true (after[c] == a ||
                               (isnan (after[c]) && isnan (a)));
              }
          }
        g_assert_cmpint (isolux_engine_get_pixel (watch->engine, -1, 0, before,
                                                  after),
                         ==, 0);
        g_assert_cmpint (isolux_engine_get_pixel (watch->engine, 0, 80, before,
                                                  after),
                         ==, 0);
        direct_clear (&direct);
        picture_free (p);
      }
  watch_free (watch);
}

/* ---- Other questions ----------------------------------------------------- */

static void
test_measure (gconstpointer data)
{
  Watch          *watch = watch_on (data);
  Picture        *p;
  IsoluxOperation operation;
  IsoluxMetrics   metrics;
  Direct          direct;

  if (! watch)
    return;
  p = picture_new (100, 80, 3, ISOLUX_TYPE_U8);
  picture_select (p, TRUE);
  isolux_operation_init (&operation, ISOLUX_OPERATION_CLAHE);
  begin (watch, p);
  isolux_engine_set_operation (watch->engine, &operation);
  /* asked for too early: it is answered when there is a result */
  isolux_engine_measure (watch->engine);
  give_rows (watch, p, 0, 80);
  isolux_engine_settle (watch->engine);
  g_assert_true (watch->measured);
  g_assert_null (watch->metrics_error);
  direct_init (&direct, p, &operation);
  g_assert_true (isolux_metrics (direct.box, direct.result, p->info.weights,
                                 &metrics, NULL, NULL));
  g_assert_cmpmem (&watch->metrics, sizeof metrics, &metrics, sizeof metrics);
  direct_clear (&direct);
  picture_free (p);
  watch_free (watch);
}

static void
test_padding (gconstpointer data)
{
  Watch          *watch = watch_on (data);
  IsoluxOperation operation;
  gint            type;

  if (! watch)
    return;
  for (type = 0; type < 3; type++)
    {
      Picture      *p = picture_new (80, 60, 1, (IsoluxType) type);
      const gdouble value = component (p, p->pixels, 7, 9, 0);
      guint64       padded = 0, bad = 0, total;
      gint64        x, y;

      picture_select (p, TRUE);
      p->info.has_padding = TRUE;
      p->info.padding = isfinite (value) ? value : 0.25;
      p->info.tolerance = type == ISOLUX_TYPE_F32 ? 0.05 : 3.0;
      for (y = 0; y < 60; y++)
        for (x = 0; x < 80; x++)
          {
            const gdouble v = component (p, p->pixels, x, y, 0);

            padded += is_selected (p, x, y) &&
                      fabs (v - p->info.padding) <= p->info.tolerance;
            bad += is_selected (p, x, y) && isnan (v);
          }
      choose_operation (&operation, ISOLUX_OPERATION_EQUALIZE);
      load (watch, p);
      isolux_engine_set_operation (watch->engine, &operation);
      isolux_engine_settle (watch->engine);
      total = watch->numbers->before.histogram->total[0];
      g_assert_no_error (watch->numbers->error);
      g_assert_cmpuint (watch->numbers->before.not_numbers, ==, bad);
      /* the limits are rounded to single precision */
      g_assert_cmpuint (watch->numbers->after.histogram->total[0], ==, total);
      for (y = 0; y < 60; y++)
        for (x = 0; x < 80; x++)
          total += is_selected (p, x, y) == FALSE;
      g_assert_cmpuint (total + padded + bad, >=, 80 * 60 - 2);
      g_assert_cmpuint (total + padded + bad, <=, 80 * 60 + 2);
      picture_free (p);
    }
  watch_free (watch);
}

static void
test_decode (void)
{
  Watch          *watch = watch_new (ISOLUX_BACKEND_CPU);
  Picture        *p = picture_new (60, 50, 3, ISOLUX_TYPE_U8);
  gfloat         *table = g_new (gfloat, 3 * 256), *copy;
  IsoluxOperation operation;
  gint            i;

  for (i = 0; i < 3 * 256; i++)
    table[i] = (gfloat) pow (i % 256 / 255.0, 1.8);
  copy = g_memdup2 (table, 3 * 256 * sizeof *table);
  isolux_operation_init (&operation, ISOLUX_OPERATION_GRAYSCALE);
  operation.options.grayscale.method = ISOLUX_GRAY_LUMINANCE;
  operation.options.grayscale.decode = table;
  load (watch, p);
  isolux_engine_set_operation (watch->engine, &operation);
  /* it is the engine's own from now on */
  g_free (table);
  isolux_engine_settle (watch->engine);
  operation.options.grayscale.decode = copy;
  assert_result (p, &operation, ISOLUX_ENGINE_RGB, -1, -1, watch->numbers);
  g_free (copy);
  picture_free (p);
  watch_free (watch);
}

static void
test_refused (void)
{
  Watch          *watch = watch_new (ISOLUX_BACKEND_CPU);
  Picture        *p = picture_new (60, 50, 1, ISOLUX_TYPE_U8);
  IsoluxOperation operation;
  GError         *error = NULL;

  isolux_operation_init (&operation, ISOLUX_OPERATION_CLAHE);
  operation.options.clahe.clip_limit = -3.0;
  load (watch, p);
  isolux_engine_set_operation (watch->engine, &operation);
  isolux_engine_settle (watch->engine);
  g_assert_cmpint (watch->n_errors, ==, 1);
  g_assert_error (watch->numbers->error, ISOLUX_ERROR, ISOLUX_ERROR_ARGUMENT);
  /* the next setting is none the worse for it */
  operation.options.clahe.clip_limit = 3.0;
  isolux_engine_set_operation (watch->engine, &operation);
  isolux_engine_settle (watch->engine);
  assert_result (p, &operation, ISOLUX_ENGINE_RGB, -1, -1, watch->numbers);
  p->info.box.x = 1;
  g_assert_false (isolux_engine_begin_image (watch->engine, &p->info, &error));
  g_assert_error (error, ISOLUX_ERROR, ISOLUX_ERROR_ARGUMENT);
  g_clear_error (&error);
  isolux_engine_settle (watch->engine);
  picture_free (p);
  watch_free (watch);
}

static void
test_backends (void)
{
  Watch           *watch = watch_new (ISOLUX_BACKEND_AUTO);
  Picture         *p = picture_new (60, 50, 1, ISOLUX_TYPE_U8);
  IsoluxOperation  operation;
  IsoluxDeviceInfo info;
  gint             before;

  g_assert_cmpint (isolux_engine_get_backend (watch->engine), ==,
                   ISOLUX_BACKEND_AUTO);
  isolux_operation_init (&operation, ISOLUX_OPERATION_EQUALIZE);
  load (watch, p);
  isolux_engine_set_operation (watch->engine, &operation);
  isolux_engine_settle (watch->engine);
  /* so small an image stays on the CPU */
  g_assert_cmpint (watch->numbers->report.backend, ==, ISOLUX_BACKEND_CPU);
  assert_result (p, &operation, ISOLUX_ENGINE_RGB, -1, -1, watch->numbers);

  before = watch->n_backend;
  isolux_engine_set_backend (watch->engine, ISOLUX_BACKEND_CUDA);
  g_assert_cmpint (isolux_engine_get_backend (watch->engine), ==,
                   ISOLUX_BACKEND_CUDA);
  g_assert_true (isolux_engine_is_starting (watch->engine));
  isolux_engine_settle (watch->engine);
  g_assert_false (isolux_engine_is_starting (watch->engine));
  g_assert_cmpint (watch->n_backend, >, before);
  isolux_device_get_info (isolux_engine_get_device (watch->engine), &info);
  g_assert_cmpint (watch->numbers->report.backend, ==,
                   info.cuda_ready ? ISOLUX_BACKEND_CUDA : ISOLUX_BACKEND_CPU);
  g_assert_cmpint (info.cuda_reason[0] == '\0', ==, info.cuda_ready);
  assert_result (p, &operation, ISOLUX_ENGINE_RGB, -1, -1, watch->numbers);
  g_test_message ("CUDA: %s",
                  info.cuda_ready ? info.cuda_name : info.cuda_reason);

  isolux_engine_set_backend (watch->engine, ISOLUX_BACKEND_CPU);
  isolux_engine_set_operation (watch->engine, &operation);
  isolux_engine_settle (watch->engine);
  g_assert_cmpint (watch->numbers->report.backend, ==, ISOLUX_BACKEND_CPU);
  isolux_device_get_info (isolux_engine_get_device (watch->engine), &info);
  g_assert_false (info.cuda_ready);
  g_assert_null (watch->warning);
  picture_free (p);
  watch_free (watch);
}

/* ---- Failures ------------------------------------------------------------ */

static gboolean
take_rows (gint64 y, gint64 rows, gpointer data, gsize stride, gpointer unused)
{
  *(guint8 *) data = 0;
  return TRUE;
}

static gboolean
do_nothing (IsoluxSurface *source,
            IsoluxSurface *destination,
            gpointer       unused,
            IsoluxReport  *report,
            GError       **error)
{
  return TRUE;
}

/* Has what ISOLUX_FAULT says fail from now on: opening a device reads it. */
static void
arm (void)
{
  isolux_device_unref (isolux_device_open (ISOLUX_BACKEND_CPU, 0, NULL));
}

/* Lets nothing fail any more: the next image is processed with a count of 0. */
static void
disarm (void)
{
  IsoluxProcess process = { 0 };

  setenv ("ISOLUX_FAULT", "memory:0", 1);
  process.source = (IsoluxImage) { 1, 1, 1, ISOLUX_TYPE_U8, 0 };
  process.read = take_rows;
  process.operation = do_nothing;
  isolux_process (isolux_device_get_default (), &process, NULL, NULL);
  setenv ("ISOLUX_FAULT", "cuda:0", 1);
  isolux_process (isolux_device_get_default (), &process, NULL, NULL);
  unsetenv ("ISOLUX_FAULT");
}

/* Each allocation of the library's fails in turn. */
static void
check_memory (const Picture         *p,
              const IsoluxOperation *operation,
              gint                   count,
              gboolean               sticky,
              gint                  *failed)
{
  gchar  *fault = g_strdup_printf ("memory:%d%s", count, sticky ? "+" : "");
  GError *error = NULL;
  Watch  *watch;

  setenv ("ISOLUX_FAULT", fault, 1);
  watch = watch_new (ISOLUX_BACKEND_CPU);
  if (isolux_engine_begin_image (watch->engine, &p->info, &error))
    {
      view_all (watch, p, 30, 20);
      give_rows (watch, p, 0, p->info.image.height / 2);
      isolux_engine_set_operation (watch->engine, operation);
      isolux_engine_settle (watch->engine);
      give_rows (watch, p, p->info.image.height / 2,
                 p->info.image.height - p->info.image.height / 2);
      isolux_engine_settle (watch->engine);
      g_assert_nonnull (watch->numbers);
      if (watch->n_errors)
        (*failed)++;
      if (watch->numbers->error)
        {
          g_assert_error (watch->numbers->error, ISOLUX_ERROR,
                          ISOLUX_ERROR_MEMORY);
          g_assert_cmpuint (strlen (watch->numbers->error->message), >, 5);
        }
    }
  else
    {
      g_assert_error (error, ISOLUX_ERROR, ISOLUX_ERROR_MEMORY);
      g_clear_error (&error);
      (*failed)++;
    }
  disarm ();
  /* and then all is well */
  load (watch, p);
  isolux_engine_set_operation (watch->engine, operation);
  isolux_engine_settle (watch->engine);
  assert_result (p, operation, ISOLUX_ENGINE_RGB, -1, -1, watch->numbers);
  watch_free (watch);
  g_free (fault);
}

static void
test_memory (void)
{
  Picture        *p = picture_new (70, 50, 3, ISOLUX_TYPE_U16);
  IsoluxOperation operation;
  gint            count, kind, failed = 0;

  picture_select (p, TRUE);
  for (kind = 0; kind <= ISOLUX_OPERATION_HOG; kind++)
    {
      isolux_operation_init (&operation, (IsoluxOperationKind) kind);
      for (count = 1; count < 60; count += 1 + count / 4)
        {
          check_memory (p, &operation, count, FALSE, &failed);
          check_memory (p, &operation, count, TRUE, &failed);
        }
    }
  g_assert_cmpint (failed, >, 50);
  g_test_message ("%d failures", failed);
  picture_free (p);
}

/* Calls of the driver fail in turn: the CPU goes on, and says so. */
static void
test_cuda_fails (void)
{
  Watch          *watch = watch_on (GINT_TO_POINTER (ISOLUX_BACKEND_CUDA));
  Picture        *p;
  IsoluxOperation operation;
  gint            count, fell_back = 0;

  if (! watch)
    return;
  watch_free (watch);
  p = picture_new (300, 200, 1, ISOLUX_TYPE_U16);
  isolux_operation_init (&operation, ISOLUX_OPERATION_CLAHE);
  for (count = 1; count < 120; count += 1 + count / 6)
    {
      gchar *fault = g_strdup_printf ("cuda:%d+", count);

      /* its start does not fail */
      watch = watch_new (ISOLUX_BACKEND_CUDA);
      setenv ("ISOLUX_FAULT", fault, 1);
      arm ();
      load (watch, p);
      view_all (watch, p, 30, 20);
      isolux_engine_set_operation (watch->engine, &operation);
      isolux_engine_settle (watch->engine);
      disarm ();
      assert_result (p, &operation, ISOLUX_ENGINE_RGB, -1, -1, watch->numbers);
      if (watch->warning)
        {
          IsoluxDeviceInfo info;

          fell_back++;
          g_assert_cmpint (watch->numbers->report.backend, ==,
                           ISOLUX_BACKEND_CPU);
          isolux_device_get_info (isolux_engine_get_device (watch->engine),
                                  &info);
          g_assert_false (info.cuda_ready);
          g_assert_cmpstr (info.cuda_reason, ==, watch->warning);
          /* and once more, from its start */
          isolux_engine_set_backend (watch->engine, ISOLUX_BACKEND_CUDA);
          isolux_engine_set_operation (watch->engine, &operation);
          isolux_engine_settle (watch->engine);
          g_assert_cmpint (watch->numbers->report.backend, ==,
                           ISOLUX_BACKEND_CUDA);
          assert_result (p, &operation, ISOLUX_ENGINE_RGB, -1, -1,
                         watch->numbers);
        }
      watch_free (watch);
      g_free (fault);
    }
  g_assert_cmpint (fell_back, >, 5);
  picture_free (p);
}

/* ---- Large images -------------------------------------------------------- */

/* What is shown before the whole is done is what the whole shows, where a
 * pixel is a pixel. */
static void
check_quick (IsoluxDevice          *device,
             const Picture         *p,
             const IsoluxOperation *operation)
{
  IsoluxWorkSettings  settings = { 0 };
  IsoluxWorkImage    *image;
  IsoluxWorkStage    *stage;
  IsoluxEngineResult *quick, *whole, *small;
  GError             *error = NULL;
  gsize               bytes;
  gint64              y;

  image = isolux_work_image_new (device, &p->info, &error);
  g_assert_no_error (error);
  for (y = 0; y < p->info.image.height; y++)
    memcpy (isolux_work_image_at (image, 0, y), at (p, 0, y), p->stride);
  stage = isolux_work_stage_new (device, image, &error);
  g_assert_no_error (error);
  settings.has_operation = TRUE;
  settings.operation = *operation;
  settings.part = (IsoluxRectangle) { 5, 3, 90, 70 };
  settings.width = 90;
  settings.height = 70;
  settings.view_serial = settings.operation_serial = 1;
  g_assert_true (isolux_work_is_quick (stage, &settings));
  quick = isolux_work_result_new (&settings, image);
  g_assert_true (isolux_work_quick (stage, &settings, quick, &error));
  g_assert_no_error (error);
  g_assert_cmpuint (stage->after_serial, ==, 0);
  whole = isolux_work_result_new (&settings, image);
  g_assert_true (isolux_work_stage_run (stage, &settings, &error));
  g_assert_true (isolux_work_stage_pixels (stage, &settings, whole, &error));
  g_assert_no_error (error);
  bytes = 90 * 70 * p->pixel;
  g_assert_cmpmem (quick->before_pixels, bytes, whole->before_pixels, bytes);
  g_assert_cmpmem (quick->after_pixels, bytes, whole->after_pixels, bytes);
  g_assert_true (memcmp (whole->after_pixels, whole->before_pixels, bytes));

  /* smaller, it is of the size that was asked for */
  settings.width = 31;
  settings.height = 17;
  settings.view_serial = 2;
  small = isolux_work_result_new (&settings, image);
  g_assert_true (isolux_work_quick (stage, &settings, small, &error));
  g_assert_no_error (error);
  g_assert_cmpint (small->image.width, ==, 31);
  g_assert_cmpint (small->image.height, ==, 17);
  assert_pixels (p, p->pixels, small, small->before_pixels);
  isolux_engine_result_unref (small);
  isolux_engine_result_unref (quick);
  isolux_engine_result_unref (whole);
  isolux_work_stage_free (stage);
  isolux_work_image_unref (image);
}

static void
test_quick (void)
{
  IsoluxDevice   *device = isolux_device_open (ISOLUX_BACKEND_CPU, 0, NULL);
  IsoluxOperation operation;
  gint            type, components, kind;

  for (type = 0; type < 3; type++)
    for (components = 1; components <= 4; components++)
      for (kind = 0; kind <= ISOLUX_OPERATION_WINDOW; kind++)
        {
          Picture *p = picture_new (100, 80, components, (IsoluxType) type);

          if (below (4))
            picture_select (p, below (2));
          choose_operation (&operation, (IsoluxOperationKind) kind);
          if (kind == ISOLUX_OPERATION_EQUALIZE)
            operation.options.equalize.channels = ISOLUX_EQUALIZE_LUMA;
          if (kind == ISOLUX_OPERATION_GRAYSCALE && components < 3)
            operation.kind = ISOLUX_OPERATION_CLAHE;
          if (operation.kind == ISOLUX_OPERATION_CLAHE)
            isolux_operation_init (&operation, ISOLUX_OPERATION_CLAHE);
          check_quick (device, p, &operation);
          picture_free (p);
        }
  isolux_device_unref (device);
}

/* A large image's changes are answered by a quick look, then by the whole. */
static void
test_order (void)
{
  Watch          *watch = watch_new (ISOLUX_BACKEND_CPU);
  Picture        *p = picture_new (2600, 2500, 1, ISOLUX_TYPE_U16);
  IsoluxRectangle part = { 700, 800, 300, 200 };
  IsoluxOperation operation;
  gint            i;

  isolux_device_set_threads (isolux_engine_get_device (watch->engine), 1);
  isolux_operation_init (&operation, ISOLUX_OPERATION_CLAHE);
  isolux_engine_set_view (watch->engine, &part, 300, 200);
  load (watch, p);
  for (i = 0; i < 3; i++)
    {
      const guint64 before = watch->serial;

      operation.options.clahe.clip_limit = 1.0 + i;
      isolux_engine_set_operation (watch->engine, &operation);
      while (! watch->numbers || watch->numbers->serial <= before)
        g_main_context_iteration (NULL, TRUE);
      isolux_engine_settle (watch->engine);
      g_assert_cmpuint (watch->numbers->serial, ==, watch->serial);
    }
  g_assert_cmpint (watch->n_quick, >, 0);
  assert_result (p, &operation, ISOLUX_ENGINE_RGB, -1, -1, watch->numbers);
  picture_free (p);
  watch_free (watch);
}

static gint64
since (gint64 start)
{
  return g_get_monotonic_time () - start;
}

#define CHANGES 12

#define TIMES (1 + 3 * CHANGES)
#define LONGEST 50000 /* microseconds */

static gint64
longest_of (const gint64 times[TIMES])
{
  gint64 longest = 0;
  gint   i;

  for (i = 0; i < TIMES; i++)
    longest = MAX (longest, times[i]);
  return longest;
}

/* Has the C library fill what it gives out with something, 0: not. */
static void
fill_memory (gint with)
{
#ifdef M_PERTURB
  mallopt (M_PERTURB, with);
#endif
}

/*
 * No call of the main thread takes long, whatever the thread does.  Memory
 * comes as it does for people here: Meson has it filled, so that a large image
 * is touched at once, 0.1 s where pages come slowly.
 */
static void
test_main_thread (void)
{
  Watch          *watch = watch_new (ISOLUX_BACKEND_CPU);
  Picture        *p = picture_new (4096, 4096, 1, ISOLUX_TYPE_U16);
  IsoluxOperation operation;
  gdouble         before[4], after[4];
  gint64          best[TIMES], start;
  gint            round, i;

  fill_memory (0);
  /* the machine may have other work: what counts is the best of some tries */
  for (i = 0; i < TIMES; i++)
    best[i] = G_MAXINT64;
  isolux_operation_init (&operation, ISOLUX_OPERATION_CLAHE);
  for (round = 0; round < 4 || (round < 16 && longest_of (best) >= LONGEST);
       round++)
    {
      gint64 *to = best;

      start = g_get_monotonic_time ();
      begin (watch, p);
      *to = MIN (*to, since (start));
      give_rows (watch, p, 0, 4096);
      view_all (watch, p, 800, 600);
      for (i = 0; i < CHANGES; i++)
        {
          operation.options.clahe.clip_limit = 1.0 + i;
          start = g_get_monotonic_time ();
          isolux_engine_set_operation (watch->engine, &operation);
          to++;
          *to = MIN (*to, since (start));
          start = g_get_monotonic_time ();
          isolux_engine_get_pixel (watch->engine, 100, 100, before, after);
          to++;
          *to = MIN (*to, since (start));
          start = g_get_monotonic_time ();
          while (g_main_context_iteration (NULL, FALSE))
            ;
          to++;
          *to = MIN (*to, since (start));
          g_usleep (15000);
        }
      isolux_engine_settle (watch->engine);
    }
  g_test_message ("%d tries: begin_image %.1f ms, all %.1f ms at most", round,
                  (gdouble) best[0] / 1000.0,
                  (gdouble) longest_of (best) / 1000.0);
  g_assert_cmpint (longest_of (best), <, LONGEST);
  g_assert_cmpint (watch->n_errors, ==, 0);
  picture_free (p);
  watch_free (watch);
  if (g_getenv ("MALLOC_PERTURB_"))
    fill_memory (atoi (g_getenv ("MALLOC_PERTURB_")));
}

static void
test_busy (void)
{
  Watch          *watch = watch_new (ISOLUX_BACKEND_CPU);
  Picture        *p = picture_new (2500, 2500, 1, ISOLUX_TYPE_F32);
  Picture        *small = picture_new (20, 20, 1, ISOLUX_TYPE_U8);
  IsoluxOperation operation;

  isolux_operation_init (&operation, ISOLUX_OPERATION_LBP);
  operation.options.lbp.points = 24;
  operation.options.lbp.radius = 20.0;
  /* long enough on any machine */
  isolux_device_set_threads (isolux_engine_get_device (watch->engine), 1);
  load (watch, p);
  isolux_engine_set_operation (watch->engine, &operation);
  isolux_engine_settle (watch->engine);
  g_assert_cmpint (watch->n_busy, ==, 1);
  g_assert_cmpint (watch->n_idle, ==, 1);
  /* nothing is said about what is done at once */
  isolux_operation_init (&operation, ISOLUX_OPERATION_EQUALIZE);
  isolux_engine_set_operation (watch->engine, &operation);
  load (watch, small);
  isolux_engine_settle (watch->engine);
  g_assert_cmpint (watch->n_busy, ==, watch->n_idle);
  picture_free (small);
  picture_free (p);
  watch_free (watch);
}

/* A large picture that is made at once. */
static Picture *
stripes_new (gint64 width, gint64 height, gint components, IsoluxType type)
{
  Picture *p = picture_new (width, 1, components, type);
  gint64   y;

  p->info.image.height = p->info.box.height = height;
  p->pixels = g_realloc (p->pixels, p->stride * (gsize) height);
  for (y = 1; y < height; y++)
    memcpy (at (p, 0, y), p->pixels, p->stride);
  return p;
}

/* Where a whole result takes long, and settings never rest, there are quick
 * looks and, from time to time, numbers, be they estimated; then the exact
 * ones. */
static void
test_never_rests (void)
{
  Watch          *watch = watch_new (ISOLUX_BACKEND_CPU);
  Picture        *p = stripes_new (3600, 3000, 3, ISOLUX_TYPE_F32);
  IsoluxRectangle part = { 700, 800, 300, 200 };
  IsoluxOperation operation;
  gint64          start, told_at, longest = 0;
  guint64         told;
  gint            n = 0;

  isolux_device_set_threads (isolux_engine_get_device (watch->engine), 1);
  isolux_operation_init (&operation, ISOLUX_OPERATION_WINDOW);
  operation.options.window.mode = ISOLUX_WINDOW_WINDOW;
  isolux_engine_set_operation (watch->engine, &operation);
  isolux_engine_set_view (watch->engine, &part, 300, 200);
  load (watch, p);
  isolux_engine_settle (watch->engine);
  g_test_message ("a whole result takes %.0f ms", watch->numbers->milliseconds);
  told = watch->numbers->serial;
  start = told_at = g_get_monotonic_time ();
  while (since (start) < 3 * G_USEC_PER_SEC)
    {
      operation.options.window.width = 0.5 + (gdouble) (since (start) / 50000) /
                                               1000.0;
      isolux_engine_set_operation (watch->engine, &operation);
      g_usleep (20000);
      while (g_main_context_iteration (NULL, FALSE))
        ;
      if (watch->numbers->serial > told)
        {
          told = watch->numbers->serial;
          n++;
          longest = MAX (longest, since (told_at));
          told_at = g_get_monotonic_time ();
        }
    }
  g_test_message ("%d times numbers, %.0f ms apart at most, %d quick looks", n,
                  (gdouble) longest / 1000.0, watch->n_quick);
  g_assert_cmpint (n, >=, 2);
  g_assert_cmpint (watch->n_quick, >, n);
  g_assert_nonnull (watch->pixels);
  g_assert_cmpint (watch->n_errors, ==, 0);
  isolux_engine_settle (watch->engine);
  g_assert_false (watch->numbers->estimated);
  g_assert_cmpuint (watch->numbers->serial, ==, watch->serial);
  picture_free (p);
  watch_free (watch);
}

/* A stopped engine is silent, and its last step is its thread's business. */
static void
test_stop (void)
{
  Watch          *watch = watch_new (ISOLUX_BACKEND_CPU);
  Picture        *p = stripes_new (3000, 2000, 1, ISOLUX_TYPE_U8);
  IsoluxOperation operation;
  gint64          start, stopped;
  gint            results, busy;

  isolux_operation_init (&operation, ISOLUX_OPERATION_LBP);
  operation.options.lbp.points = 24;
  operation.options.lbp.radius = 20.0;
  isolux_device_set_threads (isolux_engine_get_device (watch->engine), 1);
  load (watch, p);
  isolux_engine_set_operation (watch->engine, &operation);
  start = g_get_monotonic_time ();
  while (since (start) < G_USEC_PER_SEC / 5)
    g_main_context_iteration (NULL, FALSE);
  /* the whole is being done, which nothing stops */
  g_assert_true (! watch->numbers || watch->numbers->estimated);
  results = watch->n_results;
  busy = watch->n_busy;
  start = g_get_monotonic_time ();
  isolux_engine_stop (watch->engine);
  isolux_engine_set_operation (watch->engine, &operation);
  stopped = since (start);
  g_assert_cmpint (stopped, <, 50000);
  start = g_get_monotonic_time ();
  while (since (start) < G_USEC_PER_SEC / 5)
    g_main_context_iteration (NULL, FALSE);
  g_assert_cmpint (watch->n_results, ==, results);
  g_assert_cmpint (watch->n_busy, ==, busy);
  watch_free (watch);
  picture_free (p);
}

/* Engines that go while their threads are at work. */
static void
test_leave (void)
{
  Picture        *p = picture_new (800, 600, 1, ISOLUX_TYPE_F32);
  IsoluxOperation operation;
  gint            i;

  isolux_operation_init (&operation, ISOLUX_OPERATION_HOG);
  for (i = 0; i < 5; i++)
    {
      Watch *watch =
        watch_new (i % 2 ? ISOLUX_BACKEND_CPU : ISOLUX_BACKEND_AUTO);

      load (watch, p);
      view_all (watch, p, 100, 100);
      isolux_engine_set_operation (watch->engine, &operation);
      isolux_engine_measure (watch->engine);
      g_usleep ((gulong) (i * 4000));
      while (i > 2 && g_main_context_iteration (NULL, FALSE))
        ;
      watch_free (watch);
    }
  picture_free (p);
}

/* ---- All ----------------------------------------------------------------- */

static void
add (const gchar *name, GTestDataFunc func)
{
  gchar *cpu = g_strdup_printf ("/engine/cpu/%s", name);
  gchar *cuda = g_strdup_printf ("/engine/cuda/%s", name);

  g_test_add_data_func (cpu, GINT_TO_POINTER (ISOLUX_BACKEND_CPU), func);
  g_test_add_data_func (cuda, GINT_TO_POINTER (ISOLUX_BACKEND_CUDA), func);
  g_free (cpu);
  g_free (cuda);
}

int
main (int argc, char **argv)
{
  const gchar *seed = g_getenv ("ISOLUX_TEST_SEED");
  guint32      number;

  g_test_init (&argc, &argv, NULL);
  number = seed ? (guint32) g_ascii_strtoull (seed, NULL, 10)
                : (guint32) g_get_real_time () % 1000000;
  g_test_message ("ISOLUX_TEST_SEED=%u", number);
  random_source = g_rand_new_with_seed (number);
  add ("results", test_results);
  add ("channels", test_channels);
  add ("storm", test_storm);
  add ("loading", test_loading);
  add ("views", test_views);
  add ("pixels", test_pixels);
  add ("measure", test_measure);
  add ("padding", test_padding);
  g_test_add_func ("/engine/estimates", test_estimates);
  g_test_add_func ("/engine/decode", test_decode);
  g_test_add_func ("/engine/refused", test_refused);
  g_test_add_func ("/engine/backends", test_backends);
  g_test_add_func ("/engine/memory", test_memory);
  g_test_add_func ("/engine/cuda-fails", test_cuda_fails);
  g_test_add_func ("/engine/quick", test_quick);
  g_test_add_func ("/engine/order", test_order);
  g_test_add_func ("/engine/main-thread", test_main_thread);
  g_test_add_func ("/engine/busy", test_busy);
  g_test_add_func ("/engine/never-rests", test_never_rests);
  g_test_add_func ("/engine/stop", test_stop);
  g_test_add_func ("/engine/leave", test_leave);
  return g_test_run ();
}
