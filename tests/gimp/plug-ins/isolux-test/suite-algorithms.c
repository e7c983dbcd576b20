/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * suite-algorithms.c: CLAHE, window, contrast map, LBP and HOG, with what
 * belongs to them: vectors, histograms of patterns, metrics, records.
 *
 * What should come out is asked of libisolux, called with the same pixels.
 */
#include <glib/gstdio.h>
#include <json-glib/json-glib.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

#include "isolux.h"
#include "test.h"

#define WIDTH 61
#define HEIGHT 47

static const GimpPrecision precisions[] = {
  GIMP_PRECISION_U8_LINEAR,         GIMP_PRECISION_U8_NON_LINEAR,
  GIMP_PRECISION_U8_PERCEPTUAL,     GIMP_PRECISION_U16_LINEAR,
  GIMP_PRECISION_U16_NON_LINEAR,    GIMP_PRECISION_U16_PERCEPTUAL,
  GIMP_PRECISION_U32_LINEAR,        GIMP_PRECISION_U32_NON_LINEAR,
  GIMP_PRECISION_U32_PERCEPTUAL,    GIMP_PRECISION_HALF_LINEAR,
  GIMP_PRECISION_HALF_NON_LINEAR,   GIMP_PRECISION_HALF_PERCEPTUAL,
  GIMP_PRECISION_FLOAT_LINEAR,      GIMP_PRECISION_FLOAT_NON_LINEAR,
  GIMP_PRECISION_FLOAT_PERCEPTUAL,  GIMP_PRECISION_DOUBLE_LINEAR,
  GIMP_PRECISION_DOUBLE_NON_LINEAR, GIMP_PRECISION_DOUBLE_PERCEPTUAL,
};

/* ---- The library ---------------------------------------------------- */

static gboolean
call (const gchar   *name,
      IsoluxSurface *source,
      IsoluxSurface *result,
      const gdouble  weights[3])
{
  IsoluxClaheOptions       clahe = ISOLUX_CLAHE_DEFAULTS;
  IsoluxWindowOptions      window = ISOLUX_WINDOW_DEFAULTS;
  IsoluxContrastMapOptions map = ISOLUX_CONTRAST_MAP_DEFAULTS;
  IsoluxLbpOptions         lbp = ISOLUX_LBP_DEFAULTS;
  IsoluxHogOptions         hog = ISOLUX_HOG_DEFAULTS;
  const gsize              size = sizeof (gdouble) * 3;

  memcpy (clahe.weights, weights, size);
  memcpy (window.weights, weights, size);
  memcpy (map.weights, weights, size);
  memcpy (lbp.weights, weights, size);
  memcpy (hog.weights, weights, size);

  if (! strcmp (name, "clahe"))
    return isolux_clahe (source, result, &clahe, NULL, NULL);
  if (! strcmp (name, "window"))
    return isolux_window (source, result, &window, NULL, NULL);
  if (! strcmp (name, "contrast-map"))
    return isolux_contrast_map (source, result, &map, NULL, NULL);
  if (! strcmp (name, "lbp"))
    return isolux_lbp (source, result, &lbp, NULL, NULL);
  return isolux_hog_picture (source, result, &hog, NULL, NULL);
}

static IsoluxType
get_type (const TestPixels *pixels)
{
  return pixels->maximum == 255     ? ISOLUX_TYPE_U8
         : pixels->maximum == 65535 ? ISOLUX_TYPE_U16
                                    : ISOLUX_TYPE_F32;
}

/* A surface with a part of the pixels, which are u8, u16 or float */
static IsoluxSurface *
make_surface (IsoluxDevice        *device,
              const TestPixels    *pixels,
              const GeglRectangle *part)
{
  IsoluxImage image = { part->width, part->height, pixels->components,
                        get_type (pixels), 0 };
  gsize       size = pixels->bytes / ((gsize) pixels->width * pixels->height);
  IsoluxView  view = { NULL, size * pixels->width };
  IsoluxSurface *surface = isolux_surface_new (device, &image, NULL);

  view.data = pixels->data + part->y * view.stride + part->x * size;
  isolux_surface_upload (surface, &view, NULL, NULL);
  return surface;
}

static void
get_weights (const TestPixels *pixels, gdouble weights[3])
{
  gdouble sum;

  babl_space_get_rgb_luminance (babl_format_get_space (pixels->format), weights,
                                weights + 1, weights + 2);
  sum = weights[0] + weights[1] + weights[2];
  for (gint i = 0; i < 3; i++)
    weights[i] /= sum;
}

/* Changes the part of the pixels as the library does */
static void
expect (TestPixels *pixels, const gchar *name, const GeglRectangle *part)
{
  IsoluxDevice  *device = isolux_device_open (ISOLUX_BACKEND_CPU, 0, NULL);
  IsoluxSurface *source = make_surface (device, pixels, part);
  IsoluxSurface *result = make_surface (device, pixels, part);
  gsize      size = pixels->bytes / ((gsize) pixels->width * pixels->height);
  IsoluxView view = { NULL, size * pixels->width };
  gdouble    weights[3];

  get_weights (pixels, weights);
  view.data = pixels->data + part->y * view.stride + part->x * size;
  if (! call (name, source, result, weights) ||
      ! isolux_surface_download (result, &view, NULL, NULL))
    test_note ("the library fails");
  isolux_surface_unref (source);
  isolux_surface_unref (result);
  isolux_device_unref (device);
}

/* ---- Pixels --------------------------------------------------------- */

static const gchar *const names[] = { "clahe", "window", "contrast-map", "lbp",
                                      "hog" };

static void
check_precisions (void)
{
  for (guint p = 0; p < G_N_ELEMENTS (precisions); p++)
    for (guint n = 0; n < G_N_ELEMENTS (names); n++)
      {
        gboolean          gray = (p + n) % 3 == 0;
        GeglRectangle     part = { 0, 0, WIDTH, HEIGHT };
        GimpImageBaseType kind = gray ? GIMP_GRAY : GIMP_RGB;
        GimpImage    *image = test_image (WIDTH, HEIGHT, kind, precisions[p]);
        GimpDrawable *layer =
          test_layer (image, 0, 0, WIDTH, HEIGHT, p % 2 == 0, TEST_PHOTO, p);
        TestPixels  *before = test_pixels_get (layer);
        TestPixels  *after;
        const gchar *type =
          babl_get_name (babl_format_get_type (before->format, 0));
        gboolean good;

        good = test_run (names[n], layer, NULL);
        after = test_pixels_get (layer);
        good = good && ! test_pixels_equal (before, after) &&
               test_alpha_equal (before, after) &&
               before->format == after->format;
        if (before->maximum > 1 || ! strcmp (type, "float"))
          {
            expect (before, names[n], &part);
            good = good && test_pixels_equal (before, after);
          }
        test_ok (good, "%s: %s", names[n],
                 babl_format_get_encoding (before->format));
        test_pixels_free (before);
        test_pixels_free (after);
        gimp_image_delete (image);
      }
}

/* A selected rectangle: as the library makes it of that part alone. */
static void
check_selections (void)
{
  for (guint n = 0; n < G_N_ELEMENTS (names); n++)
    {
      GeglRectangle part = { 9, 4, 37, 33 };
      GimpImage    *image =
        test_image (WIDTH, HEIGHT, GIMP_RGB, GIMP_PRECISION_U16_NON_LINEAR);
      GimpDrawable *layer =
        test_layer (image, -3, 2, WIDTH, HEIGHT, TRUE, TEST_PHOTO, n);
      TestPixels *before = test_pixels_get (layer);
      TestPixels *after;
      gboolean    good;

      gimp_image_select_rectangle (image, GIMP_CHANNEL_OP_REPLACE, part.x - 3,
                                   part.y + 2, part.width, part.height);
      good = test_run (names[n], layer, NULL);
      after = test_pixels_get (layer);
      expect (before, names[n], &part);
      test_ok (good && test_pixels_equal (before, after),
               "%s: a selected rectangle", names[n]);
      test_pixels_free (before);
      test_pixels_free (after);
      gimp_image_delete (image);
    }
}

/* The same pixels from effects that are merged one by one, and from a filter
 * over another one, after saving and loading too: GIMP shows that filter the
 * whole layer, not the selection's box. */
static void
check_filters (void)
{
  for (guint n = 0; n < G_N_ELEMENTS (names); n++)
    {
      GimpImage *image =
        test_image (WIDTH, HEIGHT, GIMP_RGB, GIMP_PRECISION_FLOAT_LINEAR);
      GimpImage    *loaded;
      GimpDrawable *layer =
        test_layer (image, 0, 0, WIDTH, HEIGHT, TRUE, TEST_PHOTO, n);
      GimpDrawable *other =
        GIMP_DRAWABLE (gimp_layer_copy (GIMP_LAYER (layer)));
      TestPixels *merged;
      TestPixels *live;
      TestPixels *later;
      GimpLayer **layers;

      gimp_image_insert_layer (image, GIMP_LAYER (other), NULL, 1);
      test_run ("grayscale", other, NULL);
      test_run ("grayscale", layer, "non-destructive", TRUE, NULL);
      gimp_image_select_rectangle (image, GIMP_CHANNEL_OP_REPLACE, 11, 7, 35,
                                   30);
      test_run (names[n], other, NULL);
      merged = test_pixels_get (other);
      test_run (names[n], layer, "non-destructive", TRUE, NULL);
      gimp_selection_none (image);
      loaded = test_save_and_load (image);

      gimp_drawable_merge_filters (layer);
      live = test_pixels_get (layer);
      layers = gimp_image_get_layers (loaded);
      gimp_drawable_merge_filters (GIMP_DRAWABLE (layers[0]));
      later = test_pixels_get (GIMP_DRAWABLE (layers[0]));
      test_ok (test_pixels_equal (merged, live), "%s: over another filter",
               names[n]);
      test_ok (test_pixels_equal (merged, later), "%s: saved and loaded",
               names[n]);
      g_free (layers);
      test_pixels_free (merged);
      test_pixels_free (live);
      test_pixels_free (later);
      gimp_image_delete (image);
      gimp_image_delete (loaded);
    }
}

/* ---- HOG vectors ---------------------------------------------------- */

static gchar *
temporary_file (const gchar *ending)
{
  gchar *name = g_strdup_printf ("isolux-test-%d%s", (gint) getpid (), ending);
  gchar *path = g_build_filename (g_get_tmp_dir (), name, NULL);

  g_free (name);
  return path;
}

static gboolean
same_file (const gchar *path, const IsoluxHog *hog)
{
  gchar   *contents = NULL;
  gsize    length = 0;
  gsize    head;
  gchar   *shape;
  gboolean good;

  if (! g_file_get_contents (path, &contents, &length, NULL) || length < 10)
    return FALSE;
  head = 10 + (guint8) contents[8] + 256 * (gsize) (guint8) contents[9];
  shape = g_strdup_printf ("'shape': (%d, %d, %d, %d, %d)",
                           (gint) hog->blocks_y, (gint) hog->blocks_x,
                           hog->block_size, hog->block_size, hog->orientations);
  good =
    ! memcmp (contents, "\x93NUMPY\x01", 8) && head % 64 == 0 &&
    length == head + hog->n_values * sizeof (gdouble) &&
    contents[head - 1] == '\n' &&
    g_strstr_len (contents + 10, (gssize) head - 10, shape) &&
    ! memcmp (contents + head, hog->values, hog->n_values * sizeof (gdouble));
  g_free (shape);
  g_free (contents);
  return good;
}

static gboolean
same_json (const gchar *text, const IsoluxHog *hog)
{
  JsonParser *parser = json_parser_new ();
  gboolean    good = FALSE;

  if (text && json_parser_load_from_data (parser, text, -1, NULL))
    {
      JsonObject *all = json_node_get_object (json_parser_get_root (parser));
      JsonArray  *shape = json_object_get_array_member (all, "shape");
      JsonArray  *values = json_object_get_array_member (all, "values");

      good = json_array_get_length (shape) == 5 &&
             json_array_get_int_element (shape, 1) == hog->blocks_x &&
             json_array_get_length (values) == hog->n_values;
      for (gsize i = 0; good && i < hog->n_values; i++)
        good = json_array_get_double_element (values, (guint) i) ==
               hog->values[i];
    }
  g_object_unref (parser);
  return good;
}

static void
check_vector (void)
{
  IsoluxHogOptions options = ISOLUX_HOG_DEFAULTS;
  GeglRectangle    part = { 5, 3, 50, 40 };
  IsoluxDevice    *device = isolux_device_open (ISOLUX_BACKEND_CPU, 0, NULL);
  GimpImage       *image =
    test_image (WIDTH, HEIGHT, GIMP_GRAY, GIMP_PRECISION_U8_NON_LINEAR);
  GimpDrawable *layer =
    test_layer (image, 0, 0, WIDTH, HEIGHT, FALSE, TEST_PHOTO, 1);
  GimpDrawable   *drawables[3] = { layer, NULL, NULL };
  TestPixels     *before = test_pixels_get (layer);
  TestPixels     *after;
  IsoluxSurface  *surface = make_surface (device, before, &part);
  gchar          *path = temporary_file (".npy");
  GFile          *file = g_file_new_for_path (path);
  GFile          *nowhere = g_file_new_for_path ("/nonexistent/v.npy");
  GimpValueArray *values;
  IsoluxHog      *hog;
  gchar          *message;

  gimp_image_select_rectangle (image, GIMP_CHANNEL_OP_REPLACE, part.x, part.y,
                               part.width, part.height);
  options.cell_size = 6;
  options.norm = ISOLUX_HOG_L1_SQRT;
  options.is_signed = TRUE;
  hog = isolux_hog (surface, &options, NULL, NULL);

  values = test_call ("plug-in-isolux-hog", GIMP_RUN_NONINTERACTIVE, image,
                      drawables, &message, "draw", FALSE, "return-vector", TRUE,
                      "vector-file", file, "cell-size", 6, "norm", "l1-sqrt",
                      "signed-gradient", TRUE, NULL);
  after = test_pixels_get (layer);
  test_ok (! message && test_pixels_equal (before, after),
           "a vector without a picture%s%s", message ? ": " : "",
           message ? message : "");
  test_ok (! message && same_json (GIMP_VALUES_GET_STRING (values, 1), hog),
           "the vector as JSON");
  test_ok (same_file (path, hog), "the vector as a file");
  gimp_value_array_unref (values);
  g_free (message);
  test_pixels_free (after);

  values = test_call ("plug-in-isolux-hog", GIMP_RUN_NONINTERACTIVE, image,
                      drawables, &message, "vector-file", nowhere, NULL);
  after = test_pixels_get (layer);
  test_ok (message && strstr (message, "cannot be written") &&
             test_pixels_equal (before, after),
           "a file that cannot be written: %s", message ? message : "");
  gimp_value_array_unref (values);
  g_free (message);
  test_pixels_free (after);

  drawables[1] = test_layer (image, 0, 0, WIDTH, HEIGHT, FALSE, TEST_PHOTO, 2);
  values = test_call ("plug-in-isolux-hog", GIMP_RUN_NONINTERACTIVE, image,
                      drawables, &message, "return-vector", TRUE, NULL);
  after = test_pixels_get (layer);
  test_ok (message && strstr (message, "exactly one") &&
             test_pixels_equal (before, after),
           "a vector of two layers: %s", message ? message : "");
  gimp_value_array_unref (values);
  g_free (message);
  test_pixels_free (after);

  g_remove (path);
  isolux_hog_free (hog);
  isolux_surface_unref (surface);
  isolux_device_unref (device);
  test_pixels_free (before);
  g_object_unref (file);
  g_object_unref (nowhere);
  g_free (path);
  gimp_image_delete (image);
}

/* ---- Histograms of patterns ----------------------------------------- */

static void
check_patterns (void)
{
  GimpImage *image =
    test_image (WIDTH, HEIGHT, GIMP_GRAY, GIMP_PRECISION_U8_NON_LINEAR);
  GimpDrawable *layer =
    test_layer (image, 0, 0, WIDTH, HEIGHT, FALSE, TEST_PHOTO, 1);
  GimpDrawable   *drawables[2] = { layer, NULL };
  gdouble         wanted[256] = { 0 };
  const gdouble  *counts;
  GimpValueArray *values;
  TestPixels     *picture;
  gchar          *message;
  gsize           n = 0;

  values = test_call ("plug-in-isolux-lbp-histogram", GIMP_RUN_NONINTERACTIVE,
                      image, drawables, &message, NULL);
  test_run ("lbp", layer, NULL);
  picture = test_pixels_get (layer);
  for (gsize i = 0; i < picture->bytes; i++)
    wanted[picture->data[i]]++;
  counts =
    message
      ? NULL
      : gimp_value_get_double_array (gimp_value_array_index (values, 1), &n);
  test_ok (n == 256 && ! memcmp (counts, wanted, sizeof wanted),
           "the counts are those of the picture");
  test_ok (! message &&
             strstr (GIMP_VALUES_GET_STRING (values, 2), "\"n-codes\":256"),
           "and JSON has the number of codes");
  gimp_value_array_unref (values);
  g_free (message);

  values = test_call ("plug-in-isolux-lbp-histogram", GIMP_RUN_NONINTERACTIVE,
                      image, drawables, &message, "points", 20, NULL);
  if (! message)
    gimp_value_get_double_array (gimp_value_array_index (values, 1), &n);
  test_ok (! message && n == 32768, "a million codes are 32768 numbers");
  gimp_value_array_unref (values);
  g_free (message);

  values = test_call ("plug-in-isolux-lbp-histogram", GIMP_RUN_NONINTERACTIVE,
                      image, drawables, &message, "method", "var", NULL);
  test_ok (message && strstr (message, "no codes"), "variances: %s",
           message ? message : "");
  gimp_value_array_unref (values);
  g_free (message);
  test_pixels_free (picture);
  gimp_image_delete (image);
}

/* ---- Metrics -------------------------------------------------------- */

static GimpValueArray *
compare (GimpDrawable *first, GimpDrawable *second, gchar **message)
{
  return test_call ("plug-in-isolux-metrics", GIMP_RUN_NONINTERACTIVE, NULL,
                    NULL, message, "first", first, "second", second, NULL);
}

static void
refused (GimpDrawable *first, GimpDrawable *second, const gchar *words)
{
  gchar          *message;
  GimpValueArray *values = compare (first, second, &message);

  test_ok (message && strstr (message, words), "metrics: %s",
           message ? message : "not refused");
  gimp_value_array_unref (values);
  g_free (message);
}

static void
check_metrics (void)
{
  IsoluxDevice *device = isolux_device_open (ISOLUX_BACKEND_CPU, 0, NULL);
  GimpImage    *image =
    test_image (WIDTH, HEIGHT, GIMP_RGB, GIMP_PRECISION_U16_NON_LINEAR);
  GimpImage *other =
    test_image (WIDTH, HEIGHT, GIMP_RGB, GIMP_PRECISION_U16_NON_LINEAR);
  GimpDrawable *first =
    test_layer (image, 0, 0, WIDTH, HEIGHT, TRUE, TEST_PHOTO, 1);
  GimpDrawable *second =
    test_layer (other, 0, 0, WIDTH, HEIGHT, TRUE, TEST_PHOTO, 1);
  GimpDrawable   *small;
  GimpValueArray *values;
  TestPixels     *pixels[2];
  IsoluxSurface  *surfaces[2];
  GeglRectangle   part = { 0, 0, WIDTH, HEIGHT };
  IsoluxMetrics   metrics;
  gdouble         weights[3];
  gchar          *message;

  values = compare (first, second, &message);
  test_ok (! message && GIMP_VALUES_GET_DOUBLE (values, 1) == 1 &&
             GIMP_VALUES_GET_DOUBLE (values, 2) > 1e300 &&
             GIMP_VALUES_GET_DOUBLE (values, 3) == 0 &&
             GIMP_VALUES_GET_DOUBLE (values, 4) == 0 &&
             strstr (GIMP_VALUES_GET_STRING (values, 7), "\"psnr\":null"),
           "metrics of equal layers of two images%s%s", message ? ": " : "",
           message ? message : "");
  gimp_value_array_unref (values);
  g_free (message);

  test_run ("equalize", second, NULL);
  pixels[0] = test_pixels_get (first);
  pixels[1] = test_pixels_get (second);
  surfaces[0] = make_surface (device, pixels[0], &part);
  surfaces[1] = make_surface (device, pixels[1], &part);
  get_weights (pixels[0], weights);
  isolux_metrics (surfaces[0], surfaces[1], weights, &metrics, NULL, NULL);
  values = compare (first, second, &message);
  test_ok (! message && GIMP_VALUES_GET_DOUBLE (values, 1) == metrics.ssim &&
             GIMP_VALUES_GET_DOUBLE (values, 2) == metrics.psnr &&
             GIMP_VALUES_GET_DOUBLE (values, 3) == metrics.mse &&
             GIMP_VALUES_GET_DOUBLE (values, 4) == metrics.ambe &&
             GIMP_VALUES_GET_DOUBLE (values, 5) == metrics.entropy[0] &&
             GIMP_VALUES_GET_DOUBLE (values, 6) == metrics.entropy[1] &&
             metrics.ssim < 1 && metrics.mse > 0,
           "metrics before and after: the library's%s%s", message ? ": " : "",
           message ? message : "");
  gimp_value_array_unref (values);
  g_free (message);
  for (gint i = 0; i < 2; i++)
    {
      isolux_surface_unref (surfaces[i]);
      test_pixels_free (pixels[i]);
    }
  isolux_device_unref (device);

  small = test_layer (image, 0, 0, WIDTH - 1, HEIGHT, TRUE, TEST_PHOTO, 1);
  refused (first, small, "same size");
  small = test_layer (image, 0, 0, WIDTH, HEIGHT, FALSE, TEST_PHOTO, 1);
  refused (first, small, "differ in precision");
  gimp_image_convert_precision (other, GIMP_PRECISION_FLOAT_LINEAR);
  refused (first, second, "differ in precision");
  gimp_image_delete (image);
  gimp_image_delete (other);
}

/* ---- Records -------------------------------------------------------- */

static gchar *
sha256 (const TestPixels *pixels)
{
  return g_compute_checksum_for_data (G_CHECKSUM_SHA256, pixels->data,
                                      pixels->bytes);
}

static gboolean
has_text (JsonObject *object, const gchar *name, const gchar *want)
{
  const gchar *text = json_object_get_string_member (object, name);

  if (! g_strcmp0 (text, want))
    return TRUE;
  test_note ("%s is %s, not %s", name, text ? text : "nothing", want);
  return FALSE;
}

static void
check_record (void)
{
  JsonParser *parser = json_parser_new ();
  GimpImage  *image =
    test_image (WIDTH, HEIGHT, GIMP_RGB, GIMP_PRECISION_U16_NON_LINEAR);
  GimpDrawable *layer =
    test_layer (image, 0, 0, WIDTH, HEIGHT, TRUE, TEST_PHOTO, 1);
  GimpDrawable   *drawables[2] = { layer, NULL };
  TestPixels     *before = test_pixels_get (layer);
  TestPixels     *after;
  GimpParasite   *parasite;
  GimpValueArray *values;
  gchar          *message;
  gchar          *input;
  gchar          *output;
  gboolean        good = FALSE;

  test_run ("equalize", layer, "clip-limit", 2.5, NULL);
  test_ok (! gimp_item_get_parasite (GIMP_ITEM (layer), "isolux"),
           "no record that was not asked for");
  test_pixels_free (before);
  before = test_pixels_get (layer);

  test_run ("clahe", layer, "audit", TRUE, "clip-limit", 3.5, "bins", "1024",
            NULL);
  after = test_pixels_get (layer);
  parasite = gimp_item_get_parasite (GIMP_ITEM (layer), "isolux");
  input = sha256 (before);
  output = sha256 (after);
  if (parasite)
    {
      guint32      size;
      const gchar *text = gimp_parasite_get_data (parasite, &size);

      if (json_parser_load_from_data (parser, text, (gssize) strlen (text),
                                      NULL))
        {
          JsonObject *all =
            json_node_get_object (json_parser_get_root (parser));
          JsonObject *set = json_object_get_object_member (all, "parameters");

          good = has_text (all, "operation", "isolux:clahe") &&
                 has_text (all, "version", isolux_version ()) &&
                 has_text (all, "format", "R'G'B'A u16") &&
                 has_text (all, "input", input) &&
                 has_text (all, "output", output) &&
                 has_text (set, "bins", "1024") &&
                 json_object_get_double_member (set, "clip-limit") == 3.5 &&
                 json_object_get_int_member (set, "tiles-x") == 8 &&
                 json_object_has_member (all, "backend") &&
                 json_object_has_member (all, "device") &&
                 ! json_object_has_member (all, "mask");
        }
      gimp_parasite_free (parasite);
    }
  test_ok (good, "a record with the checksums");
  test_pixels_free (before);

  values = test_call ("plug-in-isolux-clahe", GIMP_RUN_NONINTERACTIVE, image,
                      drawables, &message, "audit", TRUE, "non-destructive",
                      TRUE, NULL);
  before = test_pixels_get (layer);
  test_ok (message && strstr (message, "merged") &&
             test_pixels_equal (before, after) &&
             test_count_filters (layer) == 0,
           "a record of a filter: %s", message ? message : "");
  gimp_value_array_unref (values);
  g_free (message);

  test_pixels_free (before);
  test_pixels_free (after);
  g_free (input);
  g_free (output);
  g_object_unref (parser);
  gimp_image_delete (image);
}

/* ---- Refusals and the self-test ------------------------------------- */

static void
check_refusals (void)
{
  static const struct
  {
    const gchar *procedure;
    const gchar *argument;
    const gchar *word;
    const gchar *words;
  } wrong[] = {
    { "clahe", "bins", "512", "\"auto\", \"256\", \"1024\"" },
    { "clahe", "compatibility", "cv", "\"isolux\", \"opencv\"" },
    { "window", "mode", "level", "\"window\", \"percentile\", \"range\"" },
    { "contrast-map", "colors", "viridis", "\"gray\", \"heat\"" },
    { "contrast-map", "measure", "", "\"entropy\", \"deviation\"" },
    { "lbp", "method", "LBP", "\"default\", \"ror\", \"uniform\"" },
    { "hog", "norm", "L2", "\"l1\", \"l1-sqrt\", \"l2\", \"l2-hys\"" },
    { "hog", "picture", "stars", "\"glyphs\", \"orientation\"" },
    { "lbp-histogram", "method", "x", "\"default\", \"ror\"" },
  };
  GimpImage *image =
    test_image (WIDTH, HEIGHT, GIMP_RGB, GIMP_PRECISION_U8_NON_LINEAR);
  GimpDrawable *drawables[2] = { NULL, NULL };
  gchar        *before;
  gchar        *after;

  drawables[0] = test_layer (image, 0, 0, WIDTH, HEIGHT, FALSE, TEST_PHOTO, 1);
  before = test_checksum (drawables);
  for (guint i = 0; i <= G_N_ELEMENTS (wrong); i++)
    {
      GimpValueArray *values;
      gchar          *message;

      if (i < G_N_ELEMENTS (wrong))
        {
          gchar *name =
            g_strconcat ("plug-in-isolux-", wrong[i].procedure, NULL);

          values = test_call (name, GIMP_RUN_NONINTERACTIVE, image, drawables,
                              &message, wrong[i].argument, wrong[i].word, NULL);
          g_free (name);
        }
      else
        {
          values = test_call ("plug-in-isolux-window", GIMP_RUN_NONINTERACTIVE,
                              image, drawables, &message, "low-percentile",
                              50.0, "high-percentile", 50.0, NULL);
        }
      test_ok (message &&
                 strstr (message, i < G_N_ELEMENTS (wrong) ? wrong[i].words
                                                           : "less than") &&
                 GIMP_VALUES_GET_ENUM (values, 0) == GIMP_PDB_CALLING_ERROR,
               "%s", message ? message : "not refused");
      gimp_value_array_unref (values);
      g_free (message);
    }
  after = test_checksum (drawables);
  test_ok (! strcmp (before, after), "and nothing has changed");
  g_free (before);
  g_free (after);
  gimp_image_delete (image);
}

static void
check_self_test (void)
{
  gchar          *message;
  GimpValueArray *values;

  values = test_call ("plug-in-isolux-self-test", GIMP_RUN_NONINTERACTIVE, NULL,
                      NULL, &message, NULL);
  test_ok (! message && GIMP_VALUES_GET_BOOLEAN (values, 1) &&
             *GIMP_VALUES_GET_STRING (values, 2),
           "self-test%s%s", message ? ": " : "", message ? message : "");
  gimp_value_array_unref (values);
  g_free (message);
}

void
suite_algorithms (const gchar *argument)
{
  check_precisions ();
  check_selections ();
  check_filters ();
  check_vector ();
  check_patterns ();
  check_metrics ();
  check_record ();
  check_refusals ();
  check_self_test ();
}
