/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * suite-pixels.c: every precision, kind of image and hostile content, in the
 * drawable's own values.
 */
#include <string.h>

#include "test.h"

#define WIDTH 61
#define HEIGHT 47

static const struct
{
  GimpPrecision precision;
  gboolean      floats;
} precisions[] = {
  { GIMP_PRECISION_U8_LINEAR, FALSE },
  { GIMP_PRECISION_U8_NON_LINEAR, FALSE },
  { GIMP_PRECISION_U8_PERCEPTUAL, FALSE },
  { GIMP_PRECISION_U16_LINEAR, FALSE },
  { GIMP_PRECISION_U16_NON_LINEAR, FALSE },
  { GIMP_PRECISION_U16_PERCEPTUAL, FALSE },
  { GIMP_PRECISION_U32_LINEAR, FALSE },
  { GIMP_PRECISION_U32_NON_LINEAR, FALSE },
  { GIMP_PRECISION_U32_PERCEPTUAL, FALSE },
  { GIMP_PRECISION_HALF_LINEAR, TRUE },
  { GIMP_PRECISION_HALF_NON_LINEAR, TRUE },
  { GIMP_PRECISION_HALF_PERCEPTUAL, TRUE },
  { GIMP_PRECISION_FLOAT_LINEAR, TRUE },
  { GIMP_PRECISION_FLOAT_NON_LINEAR, TRUE },
  { GIMP_PRECISION_FLOAT_PERCEPTUAL, TRUE },
  { GIMP_PRECISION_DOUBLE_LINEAR, TRUE },
  { GIMP_PRECISION_DOUBLE_NON_LINEAR, TRUE },
  { GIMP_PRECISION_DOUBLE_PERCEPTUAL, TRUE },
};

static const gchar *const methods[] = { "luma-bt601", "luma-bt709", "average",
                                        "maximum" };

/* Layers of one image, which are done in one call */
typedef struct
{
  GimpImage    *image;
  gint          n;
  GimpDrawable *layers[2 * TEST_PATTERNS + 1];
  TestPattern   patterns[2 * TEST_PATTERNS];
  TestPixels   *before[2 * TEST_PATTERNS];
  gchar        *message;
} Layers;

static Layers *
layers_new (GimpImageBaseType type, GimpPrecision precision, gboolean floats)
{
  Layers *layers = g_new0 (Layers, 1);

  layers->image = test_image (WIDTH, HEIGHT, type, precision);
  for (gint alpha = 0; alpha < 2; alpha++)
    for (gint pattern = 0; pattern < TEST_PATTERNS; pattern++)
      if (floats || pattern != TEST_HOSTILE)
        {
          layers->patterns[layers->n] = pattern;
          layers->layers[layers->n++] = test_layer (layers->image, pattern,
                                                    -alpha, WIDTH, HEIGHT,
                                                    alpha == 1, pattern, 1);
        }
  return layers;
}

static void
layers_free (Layers *layers)
{
  gimp_image_delete (layers->image);
  g_free (layers);
}

static void
fill (Layers *layers, guint32 seed)
{
  for (gint i = 0; i < layers->n; i++)
    {
      test_fill (layers->layers[i], layers->patterns[i], seed + i);
      layers->before[i] = test_pixels_get (layers->layers[i]);
    }
}

/* Compares all and says so; @method is NULL for equalize. */
static void
compare (Layers      *layers,
         guint32      seed,
         gboolean     each,
         gdouble      clip_limit,
         const gchar *method)
{
  for (gint i = 0; i < layers->n; i++)
    {
      TestPixels  *before = layers->before[i];
      TestPixels  *after = test_pixels_get (layers->layers[i]);
      const gchar *format = babl_get_name (before->format);
      const gchar *pattern = test_pattern_names[layers->patterns[i]];
      gboolean     good = ! layers->message;

      if (method)
        {
          good = expect_grayscale (before, after, method) && good;
          test_ok (good, "grayscale, %s, %s, %s, seed %u", method, format,
                   pattern, seed + i);
        }
      else
        {
          good = expect_equalized (before, after, NULL, each, clip_limit) &&
                 good;
          test_ok (good, "equalize %s, clip limit %g, %s, %s, seed %u",
                   each ? "each" : "luma", clip_limit, format, pattern,
                   seed + i);
        }
      test_pixels_free (before);
      test_pixels_free (after);
    }
  if (layers->message)
    test_note ("%s", layers->message);
  g_clear_pointer (&layers->message, g_free);
}

static void
check_equalize (Layers *layers, guint32 seed, gboolean each, gdouble clip_limit)
{
  GimpValueArray *values;

  fill (layers, seed);
  values = test_call ("plug-in-isolux-equalize", GIMP_RUN_NONINTERACTIVE,
                      layers->image, layers->layers, &layers->message,
                      "channels", each ? "each" : "luma", "clip-limit",
                      clip_limit, NULL);
  gimp_value_array_unref (values);
  compare (layers, seed, each, clip_limit, NULL);
}

static void
check_grayscale (Layers *layers, guint32 seed, const gchar *method)
{
  GimpValueArray *values;

  fill (layers, seed);
  values = test_call ("plug-in-isolux-grayscale", GIMP_RUN_NONINTERACTIVE,
                      layers->image, layers->layers, &layers->message, "method",
                      method, NULL);
  gimp_value_array_unref (values);
  compare (layers, seed, FALSE, 0, method);
}

/* Luminance and lightness give grays, in the range of colors. */
static void
check_linear_light (Layers *layers, const gchar *method)
{
  GimpDrawable *layer = layers->layers[1];
  TestPixels   *before;
  TestPixels   *after;
  gboolean      good;
  gsize         n;

  test_fill (layer, TEST_UNIFORM, 77);
  before = test_pixels_get (layer);
  good = test_run ("grayscale", layer, "method", method, NULL);
  after = test_pixels_get (layer);
  n = (gsize) after->width * after->height;
  for (gsize i = 0; i < n && good; i++)
    {
      const gdouble *in = before->values + i * after->components;
      const gdouble *out = after->values + i * after->components;
      gdouble        step = after->maximum == 1 ? 1e-3 : 1;

      good = out[0] == out[1] && out[1] == out[2];
      if (! strcmp (method, "luminance"))
        good = good && out[0] >= MIN (MIN (in[0], in[1]), in[2]) - step &&
               out[0] <= MAX (MAX (in[0], in[1]), in[2]) + step;
      else
        good = good && out[0] >= -step && out[0] <= after->maximum + step;
      if (! good)
        test_note ("%g %g %g became %g %g %g", in[0], in[1], in[2], out[0],
                   out[1], out[2]);
    }
  test_ok (good && test_alpha_equal (before, after), "grayscale, %s, %s",
           method, babl_get_name (before->format));
  test_pixels_free (before);
  test_pixels_free (after);
}

static void
check_precision (guint which)
{
  gboolean floats = precisions[which].floats;
  Layers  *layers = layers_new (GIMP_GRAY, precisions[which].precision, floats);
  guint32  seed = which * 1000;

  check_equalize (layers, seed, FALSE, 0);
  check_equalize (layers, seed + 100, FALSE, 2.5);
  layers_free (layers);

  layers = layers_new (GIMP_RGB, precisions[which].precision, floats);
  check_equalize (layers, seed + 200, FALSE, 0);
  check_equalize (layers, seed + 300, TRUE, which % 2 ? 0 : 3.5);
  check_grayscale (layers, seed + 400, methods[which % 4]);
  check_grayscale (layers, seed + 500, methods[(which / 3 + 1) % 4]);
  check_linear_light (layers, which % 2 ? "luminance" : "lightness");
  layers_free (layers);
}

/* A profile whose curve is a straight line, on an image that says that it is
 * not linear */
static void
check_linear_profile (void)
{
  GimpColorProfile *profile = gimp_color_profile_new_rgb_srgb_linear ();
  Layers *layers = layers_new (GIMP_RGB, GIMP_PRECISION_U16_NON_LINEAR, FALSE);

  test_note ("with a linear profile:");
  gimp_image_set_color_profile (layers->image, profile);
  check_equalize (layers, 90000, TRUE, 0);
  check_equalize (layers, 90100, FALSE, 0);
  check_grayscale (layers, 90200, "luma-bt601");
  check_linear_light (layers, "luminance");
  layers_free (layers);
  g_object_unref (profile);
}

/* Sizes at which things go wrong */
static void
check_sizes (void)
{
  static const gint sizes[][2] = {
    { 1, 1 }, { 2, 1 }, { 1, 300 }, { 513, 3 }, { 257, 129 }
  };

  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++)
    {
      GimpImage    *image = test_image (sizes[i][0], sizes[i][1], GIMP_GRAY,
                                        GIMP_PRECISION_U8_NON_LINEAR);
      GimpDrawable *layer = test_layer (image, 0, 0, sizes[i][0], sizes[i][1],
                                        FALSE, TEST_PHOTO, i);
      TestPixels   *before = test_pixels_get (layer);
      TestPixels   *after;
      gboolean      good = test_run ("equalize", layer, NULL);

      after = test_pixels_get (layer);
      test_ok (good && expect_equalized (before, after, NULL, FALSE, 0),
               "equalize, %d x %d", sizes[i][0], sizes[i][1]);
      test_pixels_free (before);
      test_pixels_free (after);
      gimp_image_delete (image);
    }
}

/* Only what is even enough is left alone. */
static void
check_skip_threshold (void)
{
  GimpImage *image =
    test_image (WIDTH, HEIGHT, GIMP_GRAY, GIMP_PRECISION_U8_NON_LINEAR);
  GimpDrawable *layer =
    test_layer (image, 0, 0, WIDTH, HEIGHT, FALSE, TEST_UNIFORM, 1);
  TestPixels *before = test_pixels_get (layer);
  TestPixels *after;

  test_run ("equalize", layer, "skip-threshold", 0.2, NULL);
  after = test_pixels_get (layer);
  test_ok (test_pixels_equal (before, after),
           "a uniform image is skipped with a threshold of 0.2");
  test_pixels_free (before);
  test_pixels_free (after);

  test_fill (layer, TEST_PHOTO, 1);
  before = test_pixels_get (layer);
  test_run ("equalize", layer, "skip-threshold", 0.2, NULL);
  after = test_pixels_get (layer);
  test_ok (expect_equalized (before, after, NULL, FALSE, 0),
           "any other is not");
  test_pixels_free (before);
  test_pixels_free (after);
  gimp_image_delete (image);
}

void
suite_pixels (const gchar *argument)
{
  for (guint i = 0; i < G_N_ELEMENTS (precisions); i++)
    check_precision (i);
  check_linear_profile ();
  check_sizes ();
  check_skip_threshold ();
}
