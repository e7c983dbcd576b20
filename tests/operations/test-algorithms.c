/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * isolux:clahe, window, contrast-map, lbp and hog: that what comes out is what
 * libisolux, called with the same pixels and options, gives.  Whether that is
 * right is for the library's own suites.
 */
#include "images.h"

#include <gegl-plugin.h>
#include <math.h>
#include <string.h>

static const GeglRectangle extent = { 0, 0, 67, 45 };

typedef struct
{
  const gchar *name;
  const gchar *operation;
  gboolean     crop; /* sees no more than the box of the selection */
  Image *(*run) (const Image         *image,
                 const GeglRectangle *part,
                 const gchar         *roi);
  gboolean (*call) (IsoluxSurface *source,
                    IsoluxSurface *destination,
                    const gdouble  weights[3],
                    GError       **error);
} Case;

/* ---- The cases ------------------------------------------------------ */

/* run_NAME(): the operation with these properties */
#define RUN(name, ...)                                                     \
  static Image *run_##name (const Image *image, const GeglRectangle *part, \
                            const gchar *roi)                              \
  {                                                                        \
    return run_part (image, part, __VA_ARGS__, "roi", roi, NULL);          \
  }

/* call_NAME(): the library with these options */
#define CALL(name, function, Options, DEFAULTS, ...)                     \
  static gboolean call_##name (IsoluxSurface *source,                    \
                               IsoluxSurface *destination,               \
                               const gdouble weights[3], GError **error) \
  {                                                                      \
    Options options = DEFAULTS;                                          \
                                                                         \
    memcpy (options.weights, weights, sizeof (options.weights));         \
    __VA_ARGS__;                                                         \
    return function (source, destination, &options, NULL, error);        \
  }

/* clang-format off */
RUN (clahe, "isolux:clahe")
CALL (clahe, isolux_clahe, IsoluxClaheOptions, ISOLUX_CLAHE_DEFAULTS)

RUN (clahe_each, "isolux:clahe", "channels", ISOLUX_EQUALIZE_EACH,
     "clip-limit", 3.5, "tiles-x", 3, "tiles-y", 5, "bins", 2,
     "use-padding-value", TRUE, "padding-value", 30.0)
CALL (clahe_each, isolux_clahe, IsoluxClaheOptions, ISOLUX_CLAHE_DEFAULTS,
      options.channels = ISOLUX_EQUALIZE_EACH; options.clip_limit = 3.5;
      options.tiles_x = 3; options.tiles_y = 5; options.bins = 1024;
      options.use_padding_value = TRUE; options.padding_value = 30.0)

RUN (clahe_opencv, "isolux:clahe", "compatibility", ISOLUX_CLAHE_OPENCV,
     "clip-limit", 40.0, "tile-size", 16, "bins", 5)
CALL (clahe_opencv, isolux_clahe, IsoluxClaheOptions, ISOLUX_CLAHE_DEFAULTS,
      options.compatibility = ISOLUX_CLAHE_OPENCV; options.clip_limit = 40.0;
      options.tile_size = 16; options.bins = 65536)

RUN (window, "isolux:window")
CALL (window, isolux_window, IsoluxWindowOptions, ISOLUX_WINDOW_DEFAULTS)

RUN (window_center, "isolux:window", "mode", ISOLUX_WINDOW_WINDOW,
     "center", 60.5, "width", 70.25, "invert", TRUE, "gamma", 1.75)
CALL (window_center, isolux_window, IsoluxWindowOptions,
      ISOLUX_WINDOW_DEFAULTS, options.mode = ISOLUX_WINDOW_WINDOW;
      options.center = 60.5; options.width = 70.25; options.invert = TRUE;
      options.gamma = 1.75)

RUN (window_range, "isolux:window", "mode", ISOLUX_WINDOW_RANGE,
     "channels", ISOLUX_EQUALIZE_EACH)
CALL (window_range, isolux_window, IsoluxWindowOptions,
      ISOLUX_WINDOW_DEFAULTS, options.mode = ISOLUX_WINDOW_RANGE;
      options.channels = ISOLUX_EQUALIZE_EACH)

RUN (map, "isolux:contrast-map")
CALL (map, isolux_contrast_map, IsoluxContrastMapOptions,
      ISOLUX_CONTRAST_MAP_DEFAULTS)

RUN (map_colors, "isolux:contrast-map", "measure", ISOLUX_CONTRAST_DEVIATION,
     "colors", ISOLUX_CONTRAST_COLORS, "tile-size", 7)
CALL (map_colors, isolux_contrast_map, IsoluxContrastMapOptions,
      ISOLUX_CONTRAST_MAP_DEFAULTS,
      options.measure = ISOLUX_CONTRAST_DEVIATION;
      options.colors = ISOLUX_CONTRAST_COLORS; options.tile_size = 7)

RUN (lbp, "isolux:lbp")
CALL (lbp, isolux_lbp, IsoluxLbpOptions, ISOLUX_LBP_DEFAULTS)

RUN (lbp_uniform, "isolux:lbp", "method", ISOLUX_LBP_UNIFORM,
     "radius", 2.5, "points", 11)
CALL (lbp_uniform, isolux_lbp, IsoluxLbpOptions, ISOLUX_LBP_DEFAULTS,
      options.method = ISOLUX_LBP_UNIFORM; options.radius = 2.5;
      options.points = 11)

RUN (lbp_var, "isolux:lbp", "method", ISOLUX_LBP_VAR)
CALL (lbp_var, isolux_lbp, IsoluxLbpOptions, ISOLUX_LBP_DEFAULTS,
      options.method = ISOLUX_LBP_VAR)

RUN (hog, "isolux:hog")
CALL (hog, isolux_hog_picture, IsoluxHogOptions, ISOLUX_HOG_DEFAULTS)

RUN (hog_orientation, "isolux:hog", "picture", ISOLUX_HOG_ORIENTATION,
     "gradient", ISOLUX_HOG_SOBEL, "cell-size", 5, "orientations", 12,
     "signed-gradient", TRUE)
CALL (hog_orientation, isolux_hog_picture, IsoluxHogOptions,
      ISOLUX_HOG_DEFAULTS, options.picture = ISOLUX_HOG_ORIENTATION;
      options.gradient = ISOLUX_HOG_SOBEL; options.cell_size = 5;
      options.orientations = 12; options.is_signed = TRUE)

RUN (hog_magnitude, "isolux:hog", "picture", ISOLUX_HOG_MAGNITUDE,
     "sqrt", TRUE)
CALL (hog_magnitude, isolux_hog_picture, IsoluxHogOptions,
      ISOLUX_HOG_DEFAULTS, options.picture = ISOLUX_HOG_MAGNITUDE;
      options.square_root = TRUE)

#define CASE(name, operation, crop) \
  { #name, operation, crop, run_##name, call_##name }

static const Case cases[] = {
  CASE (clahe, "isolux:clahe", TRUE),
  CASE (clahe_each, "isolux:clahe", TRUE),
  CASE (clahe_opencv, "isolux:clahe", TRUE),
  CASE (window, "isolux:window", FALSE),
  CASE (window_center, "isolux:window", FALSE),
  CASE (window_range, "isolux:window", FALSE),
  CASE (map, "isolux:contrast-map", TRUE),
  CASE (map_colors, "isolux:contrast-map", TRUE),
  CASE (lbp, "isolux:lbp", TRUE),
  CASE (lbp_uniform, "isolux:lbp", TRUE),
  CASE (lbp_var, "isolux:lbp", TRUE),
  CASE (hog, "isolux:hog", TRUE),
  CASE (hog_orientation, "isolux:hog", TRUE),
  CASE (hog_magnitude, "isolux:hog", TRUE),
};
/* clang-format on */

/* ---- Comparing ------------------------------------------------------ */

/* What the library makes of a part of the image; the region is in the whole
 * image's coordinates.  FALSE: it cannot. */
static gboolean
call_library (const Case            *what,
              const Image           *image,
              RefImage              *ref, /* in and out */
              const IsoluxRectangle *part,
              const IsoluxRectangle *region,
              const guint8          *mask)
{
  IsoluxDevice   *device = isolux_device_open (ISOLUX_BACKEND_CPU, 0, NULL);
  IsoluxImage     shape = ref->image;
  IsoluxSurface  *source, *destination;
  IsoluxRectangle moved;
  IsoluxView      view;
  gdouble         weights[3], sum = 0.0;
  gboolean        success;
  GError         *error = NULL;
  gint            c;

  babl_space_get_rgb_luminance (image->space->space, &weights[0], &weights[1],
                                &weights[2]);
  for (c = 0; c < 3; c++)
    sum += weights[c];
  for (c = 0; c < 3; c++)
    weights[c] /= sum;

  shape.width = part->width;
  shape.height = part->height;
  view.stride = ref->stride;
  view.data = (guint8 *) ref->data + (gsize) part->y * ref->stride +
              (gsize) (part->x * shape.components) * ref_size (shape.type);
  source = isolux_surface_new (device, &shape, NULL);
  destination = isolux_surface_new (device, &shape, NULL);
  g_assert_true (isolux_surface_upload (source, &view, NULL, NULL));
  if (region)
    {
      moved = *region;
      moved.x -= part->x;
      moved.y -= part->y;
      g_assert_true (isolux_surface_set_region (source, &moved, mask,
                                                (gsize) region->width, NULL));
    }

  success = what->call (source, destination, weights, &error);
  if (success)
    g_assert_true (isolux_surface_download (destination, &view, NULL, NULL));
  else
    g_test_message ("%s", error->message);
  g_clear_error (&error);
  isolux_surface_unref (source);
  isolux_surface_unref (destination);
  isolux_device_unref (device);
  return success;
}

static IsoluxRectangle
intersect (const IsoluxRectangle *a, const Image *image)
{
  IsoluxRectangle box;

  box.x = MAX (a->x, 0);
  box.y = MAX (a->y, 0);
  box.width = MIN (a->x + a->width, (gint64) image->extent.width) - box.x;
  box.height = MIN (a->y + a->height, (gint64) image->extent.height) - box.y;
  return box;
}

/* Exact where the layer's type is the library's; pixels that do not count
 * have all of their bits. */
static void
check (const Case            *what,
       const Image           *before,
       const Image           *after,
       const IsoluxRectangle *region, /* nullable */
       const guint8          *mask)
{
  IsoluxRectangle part = { 0, 0, before->extent.width, before->extent.height };
  RefImage        source = image_to_ref (before);
  RefImage        wanted = image_to_ref (before);
  const gboolean  exact = image_is_integer (before) ||
                         ! strcmp (before->type->name, "float");
  gint i, c;

  note_case (before, what->name);
  if (region && what->crop)
    part = intersect (region, before);
  if (region)
    {
      source.has_region = TRUE;
      source.region = *region;
      source.mask = mask;
      source.mask_stride = (gsize) region->width;
    }
  if (part.width > 0 && part.height > 0)
    call_library (what, before, &wanted, &part, region, mask);

  assert_alpha_kept (before, after);
  for (i = 0; i < image_pixels (before); i++)
    {
      gint x = i % before->extent.width;
      gint y = i / before->extent.width;

      if (! ref_in_region (&source, x, y) || ! ref_has_alpha (&source, x, y))
        {
          g_assert_cmpmem (image_pixel (before, i), image_pixel_size (before),
                           image_pixel (after, i), image_pixel_size (after));
          continue;
        }
      for (c = 0; c < image_colors (before); c++)
        {
          gdouble found = image_get (after, i, c);
          gdouble right = ref_value (&wanted, i, c);
          gdouble tolerance = 0.0;

          if (! exact)
            tolerance = before->type->precision * MAX (fabs (right), 1.0);
          if ((isnan (right) && isnan (found)) || right == found)
            continue;
          if (! (fabs (found - right) <= tolerance))
            g_test_message ("pixel %d, %d, component %d: %.9g, wanted %.9g", x,
                            y, c, found, right);
          g_assert_cmpfloat (fabs (found - right), <=, tolerance);
        }
    }
  g_free (source.data);
  g_free (wanted.data);
}

/* ---- Formats -------------------------------------------------------- */

static void
test_formats (gconstpointer data)
{
  const Case *what = data;
  gsize       m, t, s;
  gint        changed = 0;

  for (s = 0; s < N_SPACES; s++)
    for (m = 0; m < N_MODELS; m++)
      for (t = 0; t < N_TYPES; t++)
        {
          Image *image = image_new (&models[m], &types[t], &spaces[s], &extent,
                                    (guint32) (m * 1000 + t * 10 + s));
          Image *after = what->run (image, &extent, "");

          check (what, image, after, NULL, NULL);
          if (memcmp (image->data, after->data, image_size (image)))
            changed++;
          image_free (image);
          image_free (after);
        }
  g_assert_cmpint (changed, ==, N_SPACES * N_MODELS * N_TYPES);
}

/* ---- What counts ---------------------------------------------------- */

static void
test_roi (gconstpointer data)
{
  const Case       *what = data;
  static const gint places[][2] = {
    { 0, 0 }, { -7, -5 }, { -60, -40 }, { 4, 3 }
  };
  static const gsize chosen[] = { 0, 5, 7 }; /* models */
  IsoluxRectangle    region = { 0, 0, 37, 21 };
  GRand             *random = g_rand_new_with_seed (11);
  guint8             mask[37 * 21];
  gsize              p, m, t, i, k;

  for (i = 0; i < sizeof (mask); i++)
    mask[i] = g_rand_double (random) < 0.5 ? 0 : (guint8) (1 + i % 255);

  for (k = 0; k < 2; k++)
    {
      const guint8 *given = k ? mask : NULL;
      gchar        *roi;

      roi = isolux_selection_to_string (region.width, region.height, given,
                                        (gsize) region.width, NULL);
      for (p = 0; p < G_N_ELEMENTS (places); p++)
        for (m = 0; m < G_N_ELEMENTS (chosen); m++)
          for (t = 0; t < N_TYPES; t++)
            {
              GeglRectangle place = extent;
              Image        *image, *after;

              place.x = places[p][0];
              place.y = places[p][1];
              region.x = -place.x;
              region.y = -place.y;
              image = image_new (&models[chosen[m]], &types[t], &spaces[1],
                                 &place, (guint32) (p * 100 + t));
              after = what->run (image, &place, roi);
              check (what, image, after, &region, given);
              image_free (image);
              image_free (after);
            }
      g_free (roi);
    }
  g_rand_free (random);
}

static void
test_roi_outside (gconstpointer data)
{
  const Case   *what = data;
  GeglRectangle place = { 100, 100, 20, 20 };
  Image *image = image_new (&models[7], &types[4], &spaces[0], &place, 1);
  Image *after = what->run (image, &place, "50x50");

  assert_same (image, after);
  image_free (image);
  image_free (after);
}

/* GIMP shows the operation the selection's box, or, over another filter and
 * after loading, the whole layer: the result is the same. */
static void
test_place (gconstpointer data)
{
  const Case   *what = data;
  GeglRectangle box = { 0, 0, 40, 30 };
  GeglRectangle layer = { -7, -5, 67, 45 };
  gsize         t;
  gint          x, y;

  for (t = 0; t < N_TYPES; t++)
    {
      Image *image = image_new (&models[7], &types[t], &spaces[0], &layer, 3);
      Image *small = image_new (&models[7], &types[t], &spaces[0], &box, 1);
      Image *after, *small_after;
      gsize  size = image_pixel_size (image);

      for (y = 0; y < box.height; y++)
        for (x = 0; x < box.width; x++)
          memcpy (small->data + (gsize) (y * box.width + x) * size,
                  image_pixel (image, (y + 5) * layer.width + x + 7), size);

      after = what->run (image, &layer, "40x30");
      small_after = what->run (small, &box, "40x30");
      note_case (image, what->name);
      for (y = 0; y < layer.height; y++)
        for (x = 0; x < layer.width; x++)
          {
            gint     i = y * layer.width + x;
            gint     j = (y - 5) * box.width + x - 7;
            gboolean inside;

            inside = x >= 7 && y >= 5 && x < 7 + box.width &&
                     y < 5 + box.height;
            g_assert_cmpmem (image_pixel (after, i), size,
                             inside ? image_pixel (small_after, j)
                                    : image_pixel (image, i),
                             size);
          }
      image_free (image);
      image_free (small);
      image_free (after);
      image_free (small_after);
    }
}

static void
test_alpha_0 (gconstpointer data)
{
  const Case *what = data;
  gsize       m, t;
  gint        i;

  for (m = 0; m < N_MODELS; m++)
    for (t = 0; t < N_TYPES; t++)
      if (models[m].components % 2 == 0)
        {
          Image *image =
            image_new (&models[m], &types[t], &spaces[0], &extent, 5);
          Image *after;

          for (i = 0; i < image_pixels (image); i++)
            image_set (image, i, models[m].components - 1, 0.0);
          after = what->run (image, &extent, "");
          note_case (image, what->name);
          assert_same (image, after);
          image_free (image);
          image_free (after);
        }
}

/* ---- Values and shapes ---------------------------------------------- */

static void
test_not_finite (gconstpointer data)
{
  const Case          *what = data;
  static const gsize   chosen[] = { 4, 5, 6, 7 };
  static const gdouble hostile[] = { NAN, HUGE_VAL, -HUGE_VAL, 1e38, -3.0 };
  gsize                m, t;

  for (m = 0; m < G_N_ELEMENTS (chosen); m++)
    for (t = 3; t < N_TYPES; t++) /* half, float, double */
      {
        Image *image = image_new (&models[chosen[m]], &types[t], &spaces[0],
                                  &extent, (guint32) t);
        Image *after;
        gint   i;

        for (i = 0; i < image_pixels (image); i += 13)
          image_set (image, i, i % image_colors (image),
                     hostile[i % G_N_ELEMENTS (hostile)]);
        after = what->run (image, &extent, "");
        check (what, image, after, NULL, NULL);
        image_free (image);
        image_free (after);
      }
}

static void
test_shapes (gconstpointer data)
{
  const Case                *what = data;
  static const GeglRectangle shapes[] = {
    { 0, 0, 1, 1 }, { 5, -5, 409, 1 },  { 0, 0, 1, 301 },
    { 0, 0, 2, 2 }, { -9, 9, 65, 130 },
  };
  gsize m, t, k;
  gint  i, c, flat;

  for (k = 0; k < G_N_ELEMENTS (shapes); k++)
    for (m = 4; m < 8; m++)
      for (t = 0; t < N_TYPES; t++)
        for (flat = 0; flat < 2; flat++)
          {
            Image *image = image_new (&models[m], &types[t], &spaces[0],
                                      &shapes[k], (guint32) k);
            Image *after;

            for (i = 1; flat && i < image_pixels (image); i++)
              for (c = 0; c < models[m].components; c++)
                image_set (image, i, c, image_get (image, 0, c));
            after = what->run (image, &shapes[k], "");
            check (what, image, after, NULL, NULL);
            image_free (image);
            image_free (after);
          }
}

/* Any part has the pixels that the whole has there */
static void
test_part (gconstpointer data)
{
  const Case                *what = data;
  static const GeglRectangle parts[] = {
    { 0, 0, 67, 1 }, { 3, 9, 7, 11 }, { 66, 44, 1, 1 }, { 35, 6, 20, 39 }
  };
  gsize t, k;
  gint  i;

  for (t = 0; t < N_TYPES; t++)
    {
      Image *image = image_new (&models[7], &types[t], &spaces[1], &extent, 3);
      Image *whole = what->run (image, &extent, "40x40");

      for (k = 0; k < G_N_ELEMENTS (parts); k++)
        {
          Image *part = what->run (image, &parts[k], "40x40");

          note_case (part, what->name);
          for (i = 0; i < image_pixels (part); i++)
            {
              gint x = parts[k].x + i % parts[k].width;
              gint y = parts[k].y + i / parts[k].width;

              g_assert_cmpmem (image_pixel (part, i), image_pixel_size (part),
                               image_pixel (whole, y * extent.width + x),
                               image_pixel_size (part));
            }
          image_free (part);
        }
      image_free (whole);
      image_free (image);
    }
}

/* ---- Pictures ------------------------------------------------------- */

/* Equal neighbors count as at least as bright, so all bits are set, but for
 * neighbors beyond the image, which are 0. */
static void
test_lbp_flat (void)
{
  gsize t;
  gint  x, y;

  for (t = 0; t < N_TYPES; t++)
    {
      Image  *image = image_new (&models[4], &types[t], &spaces[0], &extent, 3);
      Image  *after;
      gdouble white = types[t].surface == ISOLUX_TYPE_U8    ? 255.0
                      : types[t].surface == ISOLUX_TYPE_U16 ? 65535.0
                                                            : 1.0;

      for (x = 0; x < image_pixels (image); x++)
        image_set (image, x, 0, types[t].surface == ISOLUX_TYPE_F32 ? 0.1 : 77);
      after = run (image, "isolux:lbp", NULL);
      note_case (image, "flat");
      for (y = 1; y < extent.height - 1; y++)
        for (x = 1; x < extent.width - 1; x++)
          g_assert_cmpfloat (image_get (after, y * extent.width + x, 0), ==,
                             white);
      image_free (image);
      image_free (after);
    }
}

/* Pictures of RGB layers have three equal components */
static void
test_gray_pictures (void)
{
  static const gchar *const operations[] = { "isolux:lbp", "isolux:hog",
                                             "isolux:contrast-map" };
  gsize                     k;
  gint                      i;

  for (k = 0; k < G_N_ELEMENTS (operations); k++)
    {
      Image *image = image_new (&models[6], &types[1], &spaces[0], &extent, 3);
      Image *after = run (image, operations[k], NULL);

      note_case (image, operations[k]);
      for (i = 0; i < image_pixels (after); i++)
        {
          g_assert_cmpfloat (image_get (after, i, 0), ==,
                             image_get (after, i, 1));
          g_assert_cmpfloat (image_get (after, i, 0), ==,
                             image_get (after, i, 2));
        }
      image_free (image);
      image_free (after);
    }
}

/* ---- What README guarantees ----------------------------------------- */

/* The operations that leave an image without contrast as it is; the others
 * draw pictures, which are then black. */
static const gchar *const leaving[] = { "isolux:equalize", "isolux:clahe",
                                        "isolux:window" };
static const gchar *const drawing[] = { "isolux:contrast-map", "isolux:hog" };
static const gchar *const all[] = { "isolux:equalize", "isolux:clahe",
                                    "isolux:window",   "isolux:contrast-map",
                                    "isolux:hog",      "isolux:lbp" };

static void
fill (Image *image, gdouble color, gdouble alpha)
{
  gint i, c;

  for (i = 0; i < image_pixels (image); i++)
    for (c = 0; c < image->model->components; c++)
      image_set (image, i, c, c < image_colors (image) ? color : alpha);
}

static gdouble
white_of (const Image *image)
{
  return image->type->surface == ISOLUX_TYPE_U8    ? 255.0
         : image->type->surface == ISOLUX_TYPE_U16 ? 65535.0
                                                   : 1.0;
}

static void
assert_black (const Image *image)
{
  gint i, c;

  for (i = 0; i < image_pixels (image); i++)
    for (c = 0; c < image_colors (image); c++)
      g_assert_cmpfloat (image_get (image, i, c), ==, 0.0);
}

static void
test_constant (void)
{
  static const gdouble values[] = { 0.25, -3.0, 0x1p100, 0.0 };
  gsize                m, t, v, k;

  for (m = 4; m < 8; m++)
    for (t = 0; t < N_TYPES; t++)
      for (v = 0; v < (t < 4 ? 1 : G_N_ELEMENTS (values)); v++)
        {
          Image  *image, *after;
          gdouble scale;

          image = image_new (&models[m], &types[t], &spaces[0], &extent, 1);
          scale = image_is_integer (image) ? 100.0 : values[v];
          fill (image, scale, white_of (image));
          for (k = 0; k < G_N_ELEMENTS (leaving); k++)
            {
              note_case (image, leaving[k]);
              after = run (image, leaving[k], NULL);
              assert_same (image, after);
              image_free (after);
            }
          for (k = 0; k < G_N_ELEMENTS (drawing); k++)
            {
              note_case (image, drawing[k]);
              after = run (image, drawing[k], NULL);
              assert_black (after);
              image_free (after);
            }
          image_free (image);
        }
}

static void
test_two_levels (void)
{
  gsize t;
  gint  i;

  for (t = 0; t < N_TYPES; t++)
    {
      Image *image = image_new (&models[4], &types[t], &spaces[0], &extent, 1);
      Image *after;

      for (i = 0; i < image_pixels (image); i++)
        image_set (image, i, 0, (i % 3 ? 0.25 : 0.5) * (t < 2 ? 200.0 : 1.0));
      after = run (image, "isolux:equalize", NULL);
      note_case (image, "two levels");
      for (i = 0; i < image_pixels (after); i++)
        g_assert_cmpfloat (image_get (after, i, 0), ==,
                           i % 3 ? 0.0 : white_of (after));
      image_free (image);
      image_free (after);
    }
}

static void
test_nothing_counts (void)
{
  gsize m, t, k;

  for (m = 4; m < 8; m++)
    for (t = 3; t < N_TYPES; t++)
      {
        Image *image =
          image_new (&models[m], &types[t], &spaces[0], &extent, 1);

        fill (image, NAN, 1.0);
        for (k = 0; k < G_N_ELEMENTS (all); k++)
          {
            Image *after = run (image, all[k], NULL);
            gint   i, c;

            note_case (image, all[k]);
            assert_alpha_kept (image, after);
            for (i = 0; i < image_pixels (after); i++)
              for (c = 0; c < image_colors (after); c++)
                g_assert_true (isnan (image_get (after, i, c)));
            image_free (after);
          }
        image_free (image);
      }
}

static void
test_one_counts (void)
{
  gsize t, k;

  for (t = 0; t < N_TYPES; t++)
    {
      Image *image = image_new (&models[7], &types[t], &spaces[0], &extent, 1);
      gint   i;

      for (i = 0; i < image_pixels (image); i++)
        image_set (image, i, 3, i == 777 ? white_of (image) : 0.0);
      for (k = 0; k < G_N_ELEMENTS (leaving); k++)
        {
          Image *after = run (image, leaving[k], NULL);

          note_case (image, leaving[k]);
          assert_same (image, after);
          image_free (after);
        }
      image_free (image);
    }
}

/* No NaN comes of numbers */
static void
test_large (void)
{
  gsize m, t, k;

  for (m = 4; m < 8; m++)
    for (t = 4; t < N_TYPES; t++)
      {
        Image *image =
          image_new (&models[m], &types[t], &spaces[0], &extent, 1);
        gint i, c;

        for (i = 0; i < image_pixels (image); i++)
          for (c = 0; c < image_colors (image); c++)
            image_set (image, i, c,
                       (image_get (image, i, c) - 0.2) * (i % 2 ? 2e38 : 1.0));
        for (k = 0; k < G_N_ELEMENTS (all); k++)
          {
            Image *after = run (image, all[k], NULL);

            note_case (image, all[k]);
            assert_alpha_kept (image, after);
            for (i = 0; i < image_pixels (after); i++)
              for (c = 0; c < image_colors (after); c++)
                g_assert_true (isfinite (image_get (after, i, c)));
            image_free (after);
          }
        image_free (image);
      }
}

/* What the library refuses leaves the image as it is, and is said. */
static void
test_refused (void)
{
  Image *image = image_new (&models[4], &types[4], &spaces[0], &extent, 3);
  Image *after;
  gchar *said;
  gint   messages = messages_count ();

  after = run (image, "isolux:window", "low-percentile", 60.0,
               "high-percentile", 50.0, NULL);
  assert_same (image, after);
  g_assert_cmpint (messages_count (), ==, messages + 1);
  said = messages_last ();
  g_assert_nonnull (strstr (said, "Isolux Window could not be applied"));
  g_free (said);
  image_free (image);
  image_free (after);
}

void
add_algorithms_tests (void)
{
  static const struct
  {
    const gchar  *name;
    GTestDataFunc func;
  } tests[] = {
    { "formats", test_formats },         { "roi", test_roi },
    { "roi-outside", test_roi_outside }, { "place", test_place },
    { "alpha-0", test_alpha_0 },         { "not-finite", test_not_finite },
    { "shapes", test_shapes },           { "part", test_part },
  };
  gsize i, k;

  for (i = 0; i < G_N_ELEMENTS (cases); i++)
    for (k = 0; k < G_N_ELEMENTS (tests); k++)
      {
        gchar *path =
          g_strdup_printf ("/operations/%s/%s", cases[i].name, tests[k].name);

        g_test_add_data_func (path, &cases[i], tests[k].func);
        g_free (path);
      }
  g_test_add_func ("/operations/guaranteed/constant", test_constant);
  g_test_add_func ("/operations/guaranteed/two-levels", test_two_levels);
  g_test_add_func ("/operations/guaranteed/nothing", test_nothing_counts);
  g_test_add_func ("/operations/guaranteed/one", test_one_counts);
  g_test_add_func ("/operations/guaranteed/large", test_large);
  g_test_add_func ("/operations/lbp-flat", test_lbp_flat);
  g_test_add_func ("/operations/gray-pictures", test_gray_pictures);
  g_test_add_func ("/operations/refused", test_refused);
}
