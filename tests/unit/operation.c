/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Any operation by its struct, parts of surfaces, smaller pictures, ranges of
 * windows, and the tables of CLAHE. */
#include "unit.h"

#include "patterns.h"

#include <math.h>
#include <string.h>

static const IsoluxOperationKind kinds[] = {
  ISOLUX_OPERATION_GRAYSCALE,    ISOLUX_OPERATION_EQUALIZE,
  ISOLUX_OPERATION_CLAHE,        ISOLUX_OPERATION_WINDOW,
  ISOLUX_OPERATION_CONTRAST_MAP, ISOLUX_OPERATION_LBP,
  ISOLUX_OPERATION_HOG
};

static gpointer
random_pixels (gint64 width, gint64 height, gint components, IsoluxType type)
{
  const IsoluxImage image = { width, height, components, type, 0 };
  Random            random = random_new (test_seed (), 77);
  Buffer            buffer;
  gpointer          pixels;

  buffer_init (&buffer, &image, 0, 0);
  buffer_fill (&buffer, VALUES_RANDOM, &random);
  pixels = g_memdup2 (buffer.view.data, buffer.row_bytes * (gsize) height);
  buffer_clear (&buffer);
  return pixels;
}

/* ---- Operations -------------------------------------------------- */

static gboolean
run_directly (IsoluxOperationKind kind,
              IsoluxSurface      *source,
              IsoluxSurface      *destination,
              GError            **error)
{
  switch (kind)
    {
      case ISOLUX_OPERATION_GRAYSCALE:
        return isolux_grayscale (source, destination, NULL, NULL, error);
      case ISOLUX_OPERATION_EQUALIZE:
        return isolux_equalize (source, destination, NULL, NULL, error);
      case ISOLUX_OPERATION_CLAHE:
        return isolux_clahe (source, destination, NULL, NULL, error);
      case ISOLUX_OPERATION_WINDOW:
        return isolux_window (source, destination, NULL, NULL, error);
      case ISOLUX_OPERATION_CONTRAST_MAP:
        return isolux_contrast_map (source, destination, NULL, NULL, error);
      case ISOLUX_OPERATION_LBP:
        return isolux_lbp (source, destination, NULL, NULL, error);
      case ISOLUX_OPERATION_HOG:
        return isolux_hog_picture (source, destination, NULL, NULL, error);
    }
  return FALSE;
}

static void
test_run (void)
{
  IsoluxDevice *device = test_cpu (0);
  gpointer      pixels = random_pixels (60, 50, 3, ISOLUX_TYPE_U8);
  const gsize   bytes = 60 * 50 * 3;
  gsize         i;

  for (i = 0; i < G_N_ELEMENTS (kinds); i++)
    {
      IsoluxSurface  *source, *one, *other;
      IsoluxOperation operation;
      IsoluxReport    report;
      GError         *error = NULL;
      gpointer        a, b;

      source = surface_of (device, 60, 50, 3, ISOLUX_TYPE_U8, pixels);
      one = surface_of (device, 60, 50, 3, ISOLUX_TYPE_U8, pixels);
      other = surface_of (device, 60, 50, 3, ISOLUX_TYPE_U8, pixels);
      memset (&operation, 0x55, sizeof operation);
      isolux_operation_init (&operation, kinds[i]);
      g_assert_cmpint (operation.kind, ==, kinds[i]);
      g_assert_true (isolux_operation_run (&operation, source, one, &report,
                                           &error));
      g_assert_no_error (error);
      g_assert_cmpint (report.backend, ==, ISOLUX_BACKEND_CPU);
      g_assert_true (run_directly (kinds[i], source, other, &error));
      g_assert_no_error (error);
      a = pixels_of (one);
      b = pixels_of (other);
      g_assert_cmpmem (a, bytes, b, bytes);
      g_assert_true (memcmp (a, pixels, bytes) != 0);
      g_assert_cmpint (isolux_operation_is_cropped (&operation), ==,
                       kinds[i] != ISOLUX_OPERATION_GRAYSCALE);
      g_free (a);
      g_free (b);
      isolux_surface_unref (source);
      isolux_surface_unref (one);
      isolux_surface_unref (other);
    }
  g_free (pixels);
  isolux_device_unref (device);
}

static void
test_refused (void)
{
  IsoluxDevice  *device = test_cpu (0);
  const guint8   pixel = 3;
  IsoluxSurface *surface = surface_of (device, 1, 1, 1, ISOLUX_TYPE_U8, &pixel);
  IsoluxOperation operation;
  IsoluxReport    report;
  GError         *error = NULL;

  isolux_operation_init (&operation, (IsoluxOperationKind) 99);
  memset (&report, 0x55, sizeof report);
  g_assert_false (isolux_operation_run (&operation, surface, surface, &report,
                                        &error));
  assert_error (error, ISOLUX_ERROR_ARGUMENT);
  g_assert_cmpstr (report.warning, ==, "");
  isolux_operation_init (&operation, ISOLUX_OPERATION_CLAHE);
  operation.options.clahe.clip_limit = -1.0;
  g_assert_false (isolux_operation_run (&operation, surface, surface, NULL,
                                        &error));
  assert_error (error, ISOLUX_ERROR_ARGUMENT);
  isolux_surface_unref (surface);
  isolux_device_unref (device);
}

static void
assert_grid (const IsoluxOperation *operation,
             gint64                 width,
             gint64                 height,
             gint                   tiles_x,
             gint                   tiles_y,
             gint64                 tile_width,
             gint64                 tile_height)
{
  IsoluxClaheGrid grid;

  memset (&grid, 0x55, sizeof grid);
  isolux_operation_get_grid (operation, width, height, &grid);
  g_assert_cmpint (grid.tiles_x, ==, tiles_x);
  g_assert_cmpint (grid.tiles_y, ==, tiles_y);
  g_assert_cmpint (grid.tile_width, ==, tile_width);
  g_assert_cmpint (grid.tile_height, ==, tile_height);
  g_assert_cmpint (grid.channels, ==, 0);
  g_assert_cmpint (grid.bins, ==, 0);
}

static void
test_grid (void)
{
  IsoluxOperation operation;

  isolux_operation_init (&operation, ISOLUX_OPERATION_CLAHE);
  assert_grid (&operation, 80, 160, 8, 8, 10, 20);
  /* one side that is no multiple lets both grow */
  assert_grid (&operation, 81, 160, 8, 8, 11, 21);
  operation.options.clahe.tile_size = 32;
  assert_grid (&operation, 64, 97, 2, 4, 33, 25);
  isolux_operation_init (&operation, ISOLUX_OPERATION_CONTRAST_MAP);
  assert_grid (&operation, 79, 80, 2, 3, 32, 32);
  assert_grid (&operation, 1, 1, 1, 1, 32, 32);
  isolux_operation_init (&operation, ISOLUX_OPERATION_HOG);
  assert_grid (&operation, 23, 7, 2, 0, 8, 8);
  isolux_operation_init (&operation, ISOLUX_OPERATION_EQUALIZE);
  assert_grid (&operation, 23, 7, 0, 0, 0, 0);
}

/* ---- Parts of surfaces ------------------------------------------- */

static void
test_part (void)
{
  const IsoluxRectangle inside = { 5, 7, 20, 11 }, within = { 2, 1, 10, 9 };
  const IsoluxRectangle outside[] = {
    { -1, 0, 5, 5 }, { 0, 0, 0, 5 }, { 25, 0, 6, 1 }, { 0, 20, 5, 4 }
  };
  IsoluxDevice  *device = test_cpu (0);
  gpointer       pixels = random_pixels (30, 23, 2, ISOLUX_TYPE_U16);
  IsoluxSurface *whole =
    surface_of (device, 30, 23, 2, ISOLUX_TYPE_U16, pixels);
  IsoluxSurface *part, *second, *result;
  GError        *error = NULL;
  guint16       *a, *all;
  gsize          i;
  gint64         x, y;

  for (i = 0; i < G_N_ELEMENTS (outside); i++)
    {
      g_assert_null (isolux_surface_new_part (whole, &outside[i], &error));
      assert_error (error, ISOLUX_ERROR_ARGUMENT);
    }
  part = isolux_surface_new_part (whole, &inside, &error);
  g_assert_no_error (error);
  second = isolux_surface_new_part (part, &within, &error);
  g_assert_no_error (error);
  isolux_surface_unref (part);
  g_assert_cmpint (isolux_surface_get_image (second)->width, ==, 10);
  g_assert_cmpint (isolux_surface_get_backend (second), ==, ISOLUX_BACKEND_CPU);
  a = pixels_of (second);
  all = pixels;
  for (y = 0; y < 9; y++)
    for (x = 0; x < 20; x++)
      g_assert_cmpint (a[y * 20 + x], ==, all[(y + 8) * 60 + 7 * 2 + x]);
  g_free (a);

  /* what is done in the part is done in the whole, and nowhere else */
  result = isolux_surface_new_part (whole, &inside, &error);
  g_assert_true (isolux_equalize (result, result, NULL, NULL, &error));
  g_assert_no_error (error);
  isolux_surface_unref (result);
  a = pixels_of (whole);
  for (y = 0; y < 23; y++)
    for (x = 0; x < 60; x++)
      if (x < 10 || x >= 50 || y < 7 || y >= 18)
        g_assert_cmpint (a[y * 60 + x], ==, all[y * 60 + x]);
  g_assert_true (memcmp (a, all, 60 * 23 * sizeof *a) != 0);
  g_free (a);
  isolux_surface_unref (whole);
  /* a part keeps the whole alive */
  a = pixels_of (second);
  g_free (a);
  isolux_surface_unref (second);
  g_free (pixels);
  isolux_device_unref (device);
}

/* ---- Regions of others ------------------------------------------- */

static guint64
count_of (IsoluxSurface *surface)
{
  IsoluxHistogram *h = isolux_histogram (surface, NULL, NULL, NULL);
  const guint64    total = h->total[0];

  isolux_histogram_free (h);
  return total;
}

static void
test_share (void)
{
  const IsoluxRectangle r = { 2, 1, 4, 3 };
  const guint8          mask[12] = { 1, 0, 1, 1, 0, 0, 1, 1, 1, 1, 1, 0 };
  IsoluxDevice         *device = test_cpu (0), *elsewhere = test_cpu (0);
  guint8               *pixels = random_pixels (9, 6, 1, ISOLUX_TYPE_U8);
  IsoluxSurface *one = surface_of (device, 9, 6, 1, ISOLUX_TYPE_U8, pixels);
  IsoluxSurface *two = surface_of (device, 9, 6, 1, ISOLUX_TYPE_U8, pixels);
  IsoluxSurface *other =
    surface_of (elsewhere, 9, 6, 1, ISOLUX_TYPE_U8, pixels);
  IsoluxSurface *small = surface_of (device, 9, 5, 1, ISOLUX_TYPE_U8, pixels);
  GError        *error = NULL;
  gpointer       a;
  gint           x, y, changed = 0, white = 0;

  g_assert_true (isolux_surface_set_region (one, &r, mask, 4, &error));
  g_assert_true (isolux_surface_share_region (two, one, &error));
  g_assert_true (isolux_surface_share_region (two, one, &error));
  g_assert_true (isolux_surface_share_region (one, one, &error));
  g_assert_cmpuint (count_of (two), ==, 8);
  /* it outlives the one whose mask it uses */
  isolux_surface_unref (one);
  g_assert_cmpuint (count_of (two), ==, 8);
  g_assert_true (isolux_equalize (two, two, NULL, NULL, &error));
  a = pixels_of (two);
  for (y = 0; y < 6; y++)
    for (x = 0; x < 9; x++)
      {
        const gboolean inside = x >= 2 && x < 6 && y >= 1 && y < 4 &&
                                mask[(y - 1) * 4 + x - 2];

        if (! inside)
          g_assert_cmpint (((guint8 *) a)[y * 9 + x], ==, pixels[y * 9 + x]);
        else
          {
            changed += ((guint8 *) a)[y * 9 + x] != pixels[y * 9 + x];
            white += ((guint8 *) a)[y * 9 + x] == 255;
          }
      }
  g_assert_cmpint (changed, >, 0);
  g_free (a);
  /* what is left out here is left out here alone */
  g_assert_true (isolux_surface_leave_out (two, 255.0, 0.0, &error));
  g_assert_cmpint (white, >, 0);
  g_assert_cmpuint (count_of (two), ==, 8 - white);
  g_assert_true (isolux_surface_set_region (two, NULL, NULL, 0, &error));
  g_assert_cmpuint (count_of (two), ==, 54);

  g_assert_false (isolux_surface_share_region (two, other, &error));
  assert_error (error, ISOLUX_ERROR_ARGUMENT);
  g_assert_false (isolux_surface_share_region (two, small, &error));
  assert_error (error, ISOLUX_ERROR_ARGUMENT);
  g_assert_cmpuint (count_of (two), ==, 54);
  isolux_surface_unref (two);
  isolux_surface_unref (other);
  isolux_surface_unref (small);
  g_free (pixels);
  isolux_device_unref (device);
  isolux_device_unref (elsewhere);
}

static void
test_reason (void)
{
  IsoluxDevice    *device = test_cpu (0);
  IsoluxDeviceInfo info;
  gchar           *text;

  isolux_device_set_reason (device, "the cat sat on it");
  isolux_device_get_info (device, &info);
  g_assert_cmpstr (info.cuda_reason, ==, "the cat sat on it");
  text = isolux_device_describe (device);
  g_assert_nonnull (strstr (text, "the cat sat on it"));
  g_free (text);
  isolux_device_unref (device);
  device = isolux_device_open (ISOLUX_BACKEND_AUTO, 0, NULL);
  isolux_device_set_reason (device, "the cat sat on it");
  isolux_device_get_info (device, &info);
  g_assert_cmpstr (info.cuda_reason, !=, "the cat sat on it");
  isolux_device_unref (device);
}

/* ---- Smaller pictures -------------------------------------------- */

static void
test_reduce (void)
{
  IsoluxDevice   *device = test_cpu (0);
  const guint8    a[] = { 0, 1, 10, 20, 30, 255, 255, 254, 0, 0, 0, 1 };
  const gfloat    f[] = { 1.0f, NAN, -0.0f, INFINITY, -INFINITY, 3.0f };
  IsoluxSurface  *source = surface_of (device, 4, 3, 1, ISOLUX_TYPE_U8, a);
  IsoluxSurface  *to = surface_of (device, 2, 2, 1, ISOLUX_TYPE_U8, a);
  IsoluxSurface  *real = surface_of (device, 6, 1, 1, ISOLUX_TYPE_F32, f);
  IsoluxSurface  *three = surface_of (device, 3, 1, 1, ISOLUX_TYPE_F32, f);
  IsoluxSurface  *wide = surface_of (device, 6, 1, 1, ISOLUX_TYPE_U8, a);
  IsoluxRectangle part = { 1, 1, 2, 2 };
  GError         *error = NULL;
  guint8         *b;
  gfloat         *g;

  /* the first row, then two rows; halves go up */
  g_assert_true (isolux_reduce (source, NULL, to, NULL, &error));
  g_assert_no_error (error);
  b = pixels_of (to);
  g_assert_cmpint (b[0], ==, 1);
  g_assert_cmpint (b[1], ==, 15);
  g_assert_cmpint (b[2], ==, 71);
  g_assert_cmpint (b[3], ==, 128);
  g_free (b);
  g_assert_true (isolux_reduce (source, &part, to, NULL, &error));
  b = pixels_of (to);
  g_assert_cmpint (b[0], ==, 255);
  g_assert_cmpint (b[1], ==, 255);
  g_assert_cmpint (b[2], ==, 0);
  g_assert_cmpint (b[3], ==, 0);
  g_free (b);

  g_assert_true (isolux_reduce (real, NULL, three, NULL, &error));
  g = pixels_of (three);
  g_assert_true (isnan (g[0]));
  g_assert_true (isinf (g[1]) && g[1] > 0.0f);
  g_assert_true (isinf (g[2]) && g[2] < 0.0f);
  g_free (g);

  g_assert_false (isolux_reduce (source, NULL, wide, NULL, &error));
  assert_error (error, ISOLUX_ERROR_ARGUMENT);
  g_assert_false (isolux_reduce (source, NULL, three, NULL, &error));
  assert_error (error, ISOLUX_ERROR_ARGUMENT);
  part.x = 3;
  g_assert_false (isolux_reduce (source, &part, to, NULL, &error));
  assert_error (error, ISOLUX_ERROR_ARGUMENT);
  isolux_surface_unref (source);
  isolux_surface_unref (to);
  isolux_surface_unref (real);
  isolux_surface_unref (three);
  isolux_surface_unref (wide);
  isolux_device_unref (device);
}

/* ---- Windows ----------------------------------------------------- */

static void
check_window (IsoluxDevice              *device,
              IsoluxType                 type,
              gint                       components,
              const IsoluxWindowOptions *options)
{
  gpointer       pixels = random_pixels (40, 30, components, type);
  const gsize    bytes = 40 * 30 * (gsize) components * ref_size (type);
  IsoluxSurface *source = surface_of (device, 40, 30, components, type, pixels);
  IsoluxSurface *one = surface_of (device, 40, 30, components, type, pixels);
  IsoluxSurface *two = surface_of (device, 40, 30, components, type, pixels);
  gdouble        low[3], high[3];
  GError        *error = NULL;
  gpointer       a, b;
  gint           c;

  g_assert_true (isolux_window (source, one, options, NULL, &error));
  g_assert_no_error (error);
  g_assert_true (isolux_window_measure (source, options, low, high, NULL,
                                        &error));
  g_assert_no_error (error);
  for (c = 0; c < 3; c++)
    {
      g_assert_cmpfloat (low[c], <, high[c]);
      if (options->channels == ISOLUX_EQUALIZE_LUMA || components < 3)
        g_assert_cmpfloat (low[c], ==, low[0]);
    }
  g_assert_true (isolux_window_apply (source, two, options, low, high, NULL,
                                      &error));
  g_assert_no_error (error);
  a = pixels_of (one);
  b = pixels_of (two);
  g_assert_cmpmem (a, bytes, b, bytes);
  g_free (a);
  g_free (b);
  isolux_surface_unref (source);
  isolux_surface_unref (one);
  isolux_surface_unref (two);
  g_free (pixels);
}

static void
test_window (void)
{
  IsoluxDevice       *device = test_cpu (0);
  IsoluxWindowOptions options = ISOLUX_WINDOW_DEFAULTS;
  const guint8        flat[] = { 7, 7, 7, 7 };
  IsoluxSurface      *surface;
  gdouble             low[3], high[3];
  IsoluxReport        report;
  GError             *error = NULL;
  gint                type, components, mode, channels;

  options.gamma = 1.7;
  for (type = 0; type < 3; type++)
    for (components = 1; components <= 4; components++)
      for (mode = 0; mode < 3; mode++)
        for (channels = 0; channels < 2; channels++)
          {
            options.mode = (IsoluxWindowMode) mode;
            options.channels = (IsoluxEqualizeChannels) channels;
            check_window (device, (IsoluxType) type, components, &options);
          }

  surface = surface_of (device, 2, 2, 1, ISOLUX_TYPE_U8, flat);
  options.mode = ISOLUX_WINDOW_RANGE;
  g_assert_true (isolux_window_measure (surface, &options, low, high, &report,
                                        &error));
  g_assert_cmpfloat (low[0], ==, 7.0);
  g_assert_cmpfloat (high[0], ==, 7.0);
  g_assert_true (isolux_window_apply (surface, surface, &options, low, high,
                                      &report, &error));
  g_assert_true (report.unchanged);
  high[2] = NAN;
  g_assert_false (isolux_window_apply (surface, surface, &options, low, high,
                                       &report, &error));
  assert_error (error, ISOLUX_ERROR_ARGUMENT);
  options.gamma = 0.0;
  g_assert_false (isolux_window_measure (surface, &options, low, high, &report,
                                         &error));
  assert_error (error, ISOLUX_ERROR_ARGUMENT);
  isolux_surface_unref (surface);
  isolux_device_unref (device);
}

/* ---- The tables of CLAHE ----------------------------------------- */

/* One tile: its table is what becomes of each code. */
static void
test_one_tile (gconstpointer data)
{
  const IsoluxType       type = (IsoluxType) GPOINTER_TO_INT (data);
  const gboolean         wide = type == ISOLUX_TYPE_U16;
  IsoluxDevice          *device = test_cpu (0);
  IsoluxClaheOptions     options = ISOLUX_CLAHE_DEFAULTS;
  gpointer               pixels = random_pixels (200, 150, 1, type), result;
  IsoluxSurface         *surface, *to;
  IsoluxClaheMaps       *maps;
  const IsoluxClaheGrid *grid;
  GError                *error = NULL;
  gdouble               *curve;
  gint                   n, i;

  options.tiles_x = options.tiles_y = 1;
  surface = surface_of (device, 200, 150, 1, type, pixels);
  to = surface_of (device, 200, 150, 1, type, pixels);
  maps = isolux_clahe_maps_new (surface, &options, NULL, &error);
  g_assert_no_error (error);
  grid = isolux_clahe_maps_get_grid (maps);
  g_assert_cmpint (grid->tiles_x, ==, 1);
  g_assert_cmpint (grid->tile_width, ==, 200);
  g_assert_cmpint (grid->tile_height, ==, 150);
  g_assert_cmpint (grid->channels, ==, 1);
  g_assert_cmpfloat (grid->low, ==, 0.0);
  g_assert_cmpfloat (grid->high, ==, wide ? 65535.0 : 255.0);
  g_assert_cmpint (grid->bins, ==, wide ? 1024 : 256);
  n = (gint) grid->high + 1;
  curve = g_new (gdouble, (gsize) n);
  isolux_clahe_maps_get_curve (maps, 0, 0, 0, n, curve);
  for (i = 1; i < n; i++)
    g_assert_cmpfloat (curve[i - 1], <=, curve[i]);
  g_assert_cmpfloat (curve[n - 1], ==, grid->high);
  g_assert_true (isolux_clahe (surface, to, &options, NULL, &error));
  result = pixels_of (to);
  for (i = 0; i < 200 * 150; i++)
    if (wide)
      g_assert_cmpfloat (curve[((guint16 *) pixels)[i]], ==,
                         ((guint16 *) result)[i]);
    else
      g_assert_cmpfloat (curve[((guint8 *) pixels)[i]], ==,
                         ((guint8 *) result)[i]);
  g_free (result);
  g_free (curve);
  g_free (pixels);
  isolux_clahe_maps_free (maps);
  isolux_surface_unref (surface);
  isolux_surface_unref (to);
  isolux_device_unref (device);
}

/* What the manual says about interpolation, done by hand with the curves. */
static guint8
by_hand (const gdouble *curves,
         gint           tiles_x,
         gint           tiles_y,
         gint64         tile_width,
         gint64         tile_height,
         gint64         x,
         gint64         y,
         guint8         code)
{
  const gfloat fx = (gfloat) x * (1.0f / (gfloat) tile_width) - 0.5f;
  const gfloat fy = (gfloat) y * (1.0f / (gfloat) tile_height) - 0.5f;
  const gint   i = (gint) floorf (fx), j = (gint) floorf (fy);
  const gfloat a = fx - (gfloat) i, b = fy - (gfloat) j;
  const gint   i0 = MAX (i, 0), i1 = MIN (i + 1, tiles_x - 1);
  const gint   j0 = MAX (j, 0), j1 = MIN (j + 1, tiles_y - 1);
  gfloat       t[4];

  t[0] = (gfloat) curves[(j0 * tiles_x + MIN (i0, tiles_x - 1)) * 256 + code];
  t[1] = (gfloat) curves[(j0 * tiles_x + i1) * 256 + code];
  t[2] = (gfloat) curves[(j1 * tiles_x + MIN (i0, tiles_x - 1)) * 256 + code];
  t[3] = (gfloat) curves[(j1 * tiles_x + i1) * 256 + code];
  return (guint8) rintf ((t[0] * (1.0f - a) + t[1] * a) * (1.0f - b) +
                         (t[2] * (1.0f - a) + t[3] * a) * b);
}

static void
test_by_hand (void)
{
  IsoluxDevice          *device = test_cpu (0);
  IsoluxClaheOptions     options = ISOLUX_CLAHE_DEFAULTS;
  guint8                *pixels = random_pixels (101, 67, 1, ISOLUX_TYPE_U8);
  IsoluxSurface         *surface, *to;
  IsoluxClaheMaps       *maps = NULL;
  const IsoluxClaheGrid *grid;
  GError                *error = NULL;
  gdouble       curves[3 * 4 * 256], band[2][256], least[256], most[256];
  const gdouble percents[2] = { 0.0, 100.0 };
  guint8       *result;
  gint64        x, y;
  gint          i, k;

  options.tiles_x = 4;
  options.tiles_y = 3;
  surface = surface_of (device, 101, 67, 1, ISOLUX_TYPE_U8, pixels);
  to = surface_of (device, 101, 67, 1, ISOLUX_TYPE_U8, pixels);
  g_assert_true (isolux_clahe_with_maps (surface, to, &options, &maps, NULL,
                                         &error));
  g_assert_no_error (error);
  grid = isolux_clahe_maps_get_grid (maps);
  for (k = 0; k < 12; k++)
    isolux_clahe_maps_get_curve (maps, 0, k % 4, k / 4, 256, curves + k * 256);
  result = pixels_of (to);
  for (y = 0; y < 67; y++)
    for (x = 0; x < 101; x++)
      g_assert_cmpint (result[y * 101 + x], ==,
                       by_hand (curves, 4, 3, grid->tile_width,
                                grid->tile_height, x, y, pixels[y * 101 + x]));

  for (i = 0; i < 256; i++)
    {
      least[i] = most[i] = curves[i];
      for (k = 1; k < 12; k++)
        {
          least[i] = MIN (least[i], curves[k * 256 + i]);
          most[i] = MAX (most[i], curves[k * 256 + i]);
        }
    }
  isolux_clahe_maps_get_bands (maps, 0, 2, percents, 256, band[0]);
  g_assert_cmpmem (band[0], sizeof band[0], least, sizeof least);
  g_assert_cmpmem (band[1], sizeof band[1], most, sizeof most);
  g_free (result);
  g_free (pixels);
  isolux_clahe_maps_free (maps);
  isolux_surface_unref (surface);
  isolux_surface_unref (to);
  isolux_device_unref (device);
}

/* Floats on the curve's own points. */
static void
test_floats (void)
{
  IsoluxDevice          *device = test_cpu (0);
  IsoluxClaheOptions     options = ISOLUX_CLAHE_DEFAULTS;
  gfloat                 pixels[257], *result;
  gdouble                curve[257];
  IsoluxSurface         *surface, *to;
  IsoluxClaheMaps       *maps = NULL;
  const IsoluxClaheGrid *grid;
  GError                *error = NULL;
  gint                   i;

  for (i = 0; i < 257; i++)
    pixels[i] = -1.0f + (gfloat) i / 64.0f;
  options.tiles_x = options.tiles_y = 1;
  surface = surface_of (device, 257, 1, 1, ISOLUX_TYPE_F32, pixels);
  to = surface_of (device, 257, 1, 1, ISOLUX_TYPE_F32, pixels);
  g_assert_true (isolux_clahe_with_maps (surface, to, &options, &maps, NULL,
                                         &error));
  g_assert_no_error (error);
  grid = isolux_clahe_maps_get_grid (maps);
  g_assert_cmpfloat (grid->low, ==, -1.0);
  g_assert_cmpfloat (grid->high, ==, 3.0);
  isolux_clahe_maps_get_curve (maps, 0, 0, 0, 257, curve);
  result = pixels_of (to);
  for (i = 0; i < 257; i++)
    g_assert_cmpfloat_with_epsilon ((gdouble) result[i], curve[i], 1e-6);
  g_assert_cmpfloat (curve[256], ==, 1.0);
  g_free (result);
  isolux_clahe_maps_free (maps);
  isolux_surface_unref (surface);
  isolux_surface_unref (to);
  isolux_device_unref (device);
}

/* Constant images, tiles without pixels, wrong arguments. */
static void
test_edges (void)
{
  IsoluxDevice          *device = test_cpu (0);
  IsoluxClaheOptions     options = ISOLUX_CLAHE_DEFAULTS;
  guint8                *pixels = random_pixels (64, 64, 1, ISOLUX_TYPE_U8);
  guint16                flat[16] = { 0 };
  const IsoluxRectangle  corner = { 0, 0, 8, 8 };
  const gint64           inside[] = { 0, 5 }, outside[] = { 0, 64 };
  IsoluxSurface         *surface, *two, *constant;
  IsoluxClaheMaps       *maps;
  const IsoluxClaheGrid *grid;
  GError                *error = NULL;
  gdouble                curve[256];
  gint                   i;

  for (i = 0; i < 16; i++)
    flat[i] = 300;
  constant = surface_of (device, 4, 4, 1, ISOLUX_TYPE_U16, flat);
  maps = isolux_clahe_maps_new (constant, NULL, NULL, &error);
  g_assert_no_error (error);
  grid = isolux_clahe_maps_get_grid (maps);
  g_assert_cmpfloat (grid->high, ==, 511.0);
  isolux_clahe_maps_get_curve (maps, 0, 3, 4, 256, curve);
  for (i = 0; i < 256; i++)
    g_assert_cmpfloat (curve[i], ==, i * 511.0 / 255.0);
  isolux_clahe_maps_get_curves (maps, 0, 90.0, 256, curve);
  g_assert_cmpfloat (curve[255], ==, 511.0);

  surface = surface_of (device, 64, 64, 1, ISOLUX_TYPE_U8, pixels);
  two = surface_of (device, 2, 2, 1, ISOLUX_TYPE_U8, pixels);
  /* tables of another image; samples beyond the edge */
  g_assert_false (isolux_clahe_maps_sample (maps, surface, inside, inside, two,
                                            NULL, &error));
  assert_error (error, ISOLUX_ERROR_ARGUMENT);
  isolux_clahe_maps_free (maps);

  g_assert_true (isolux_surface_set_region (surface, &corner, NULL, 0, &error));
  maps = isolux_clahe_maps_new (surface, &options, NULL, &error);
  g_assert_no_error (error);
  g_assert_false (isolux_clahe_maps_sample (maps, surface, inside, outside, two,
                                            NULL, &error));
  assert_error (error, ISOLUX_ERROR_ARGUMENT);
  g_assert_false (isolux_clahe_maps_sample (maps, surface, outside, inside, two,
                                            NULL, &error));
  assert_error (error, ISOLUX_ERROR_ARGUMENT);
  g_assert_true (isolux_clahe_maps_sample (maps, surface, inside, inside, two,
                                           NULL, &error));
  g_assert_no_error (error);
  /* nothing counts near the last tile, so that it has no table */
  isolux_clahe_maps_get_curve (maps, 0, 7, 7, 256, curve);
  for (i = 0; i < 256; i++)
    g_assert_cmpfloat (curve[i], ==, i);
  isolux_clahe_maps_get_curve (maps, 0, 1, 1, 256, curve);
  g_assert_cmpfloat (curve[255], ==, 255.0);
  isolux_clahe_maps_get_curves (maps, 0, 0.0, 256, curve);
  g_assert_cmpfloat (curve[255], ==, 255.0);
  isolux_clahe_maps_free (maps);

  options.tiles_x = 0;
  g_assert_null (isolux_clahe_maps_new (surface, &options, NULL, &error));
  assert_error (error, ISOLUX_ERROR_ARGUMENT);
  g_assert_false (isolux_clahe_with_maps (surface, two, NULL, &maps, NULL,
                                          &error));
  assert_error (error, ISOLUX_ERROR_ARGUMENT);
  isolux_clahe_maps_free (NULL);
  g_free (pixels);
  isolux_surface_unref (constant);
  isolux_surface_unref (surface);
  isolux_surface_unref (two);
  isolux_device_unref (device);
}

/* ---- The cells of HOG -------------------------------------------- */

static void
check_cells (gint components, IsoluxType type)
{
  const IsoluxImage image = { 43, 35, components, type, 0 };
  IsoluxDevice     *device = test_cpu (0);
  Random            random = random_new (test_seed (), 5);
  IsoluxHogOptions  options = ISOLUX_HOG_DEFAULTS;
  Region            region;
  Buffer            buffer;
  RefImage          reference;
  IsoluxSurface    *surface;
  gint64            across = 0, down = 0, columns, rows;
  GError           *error = NULL;
  gfloat           *cells, *wanted;
  gsize             n;

  buffer_init (&buffer, &image, 0, 0);
  buffer_fill (&buffer, VALUES_RANDOM, &random);
  region_init (&region, REGION_MASK, 43, 35, &random);
  reference = buffer_to_ref (&buffer);
  region_to_ref (&region, &reference);
  wanted = ref_hog_cells (&reference, &options, &rows, &columns);
  surface = surface_of (device, 43, 35, components, type, buffer.view.data);
  g_assert_true (isolux_surface_set_region (surface, &region.rectangle,
                                            region.mask, region.mask_stride,
                                            &error));
  /* blocks and norm do not matter */
  options.block_size = -7;
  options.norm = (IsoluxHogNorm) 99;
  cells = isolux_hog_cells (surface, &options, &across, &down, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpint (across, ==, columns);
  g_assert_cmpint (down, ==, rows);
  n = (gsize) (rows * columns * options.orientations);
  g_assert_cmpmem (cells, n * sizeof *cells, wanted, n * sizeof *wanted);
  g_free (cells);
  g_free (wanted);

  options.cell_size = 36;
  g_assert_null (isolux_hog_cells (surface, &options, &across, &down, NULL,
                                   &error));
  g_assert_no_error (error);
  g_assert_cmpint (across, ==, 1);
  g_assert_cmpint (down, ==, 0);
  options.orientations = 0;
  g_assert_null (isolux_hog_cells (surface, &options, &across, &down, NULL,
                                   &error));
  assert_error (error, ISOLUX_ERROR_ARGUMENT);
  isolux_surface_unref (surface);
  region_clear (&region);
  buffer_clear (&buffer);
  isolux_device_unref (device);
}

static void
test_cells (void)
{
  gint components, type;

  for (components = 1; components <= 4; components++)
    for (type = 0; type < 3; type++)
      check_cells (components, (IsoluxType) type);
}

void
add_operation_tests (void)
{
  g_test_add_func ("/operation/run", test_run);
  g_test_add_func ("/operation/refused", test_refused);
  g_test_add_func ("/operation/grid", test_grid);
  g_test_add_func ("/surface/part", test_part);
  g_test_add_func ("/surface/share-region", test_share);
  g_test_add_func ("/device/set-reason", test_reason);
  g_test_add_func ("/reduce/known", test_reduce);
  g_test_add_func ("/window/measured", test_window);
  g_test_add_data_func ("/clahe-maps/one-tile/u8",
                        GINT_TO_POINTER (ISOLUX_TYPE_U8), test_one_tile);
  g_test_add_data_func ("/clahe-maps/one-tile/u16",
                        GINT_TO_POINTER (ISOLUX_TYPE_U16), test_one_tile);
  g_test_add_func ("/clahe-maps/by-hand", test_by_hand);
  g_test_add_func ("/clahe-maps/floats", test_floats);
  g_test_add_func ("/clahe-maps/edges", test_edges);
  g_test_add_func ("/hog/cells", test_cells);
}
