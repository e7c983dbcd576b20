/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * suite-histogram.c: plug-in-isolux-histogram and plug-in-isolux-info.
 */
#include <json-glib/json-glib.h>
#include <math.h>
#include <string.h>

#include "test.h"

#define WIDTH 70
#define HEIGHT 40

static JsonObject *
parse (JsonParser *parser, GimpValueArray *values, gint index)
{
  const gchar *text =
    g_value_get_string (gimp_value_array_index (values, index));

  if (! text || ! json_parser_load_from_data (parser, text, -1, NULL))
    return NULL;
  return json_node_get_object (json_parser_get_root (parser));
}

static gboolean
is_near (JsonObject *object, const gchar *name, gdouble want)
{
  gdouble value = json_object_get_double_member (object, name);

  if (fabs (value - want) <= 1e-6 * (1 + fabs (want)))
    return TRUE;
  test_note ("%s is %.12g, not %.12g", name, value, want);
  return FALSE;
}

/* @index: of the component; -1 = luma */
static gdouble
get_value (const TestPixels *pixels, gsize i, gint index)
{
  const gdouble *color = pixels->values + i * pixels->components;
  gdouble        weights[3];
  gdouble        luma;

  if (index >= 0 || pixels->colors == 1)
    return color[MAX (index, 0)];
  babl_space_get_rgb_luminance (babl_format_get_space (pixels->format), weights,
                                weights + 1, weights + 2);
  luma = weights[0] * color[0] + weights[1] * color[1] + weights[2] * color[2];
  return pixels->maximum > 1 ? floor (luma + 0.5) : luma;
}

/* Compares with a count of our own; @selected as ever */
static gboolean
compare (GimpValueArray   *values,
         const TestPixels *pixels,
         const guint8     *selected,
         gint              index)
{
  JsonParser *parser = json_parser_new ();
  JsonObject *json = parse (parser, values, 3);
  gsize       n = (gsize) pixels->width * pixels->height;
  gboolean    alpha = index == pixels->colors;
  gdouble     count = 0;
  gdouble     sum = 0;
  gdouble     squares = 0;
  gdouble     minimum = INFINITY;
  gdouble     maximum = -INFINITY;
  gdouble     counted = 0;
  gdouble    *counts;
  gsize       bins = 0;
  gsize       n_values = 0;
  gsize       each;
  JsonArray  *all;
  gboolean    good = TRUE;

  if (! json)
    {
      test_note ("no JSON");
      g_object_unref (parser);
      return FALSE;
    }

  for (gsize i = 0; i < n; i++)
    {
      gdouble value = get_value (pixels, i, index);

      if ((selected && ! selected[i]) || isnan (value) ||
          (! alpha && test_pixels_alpha (pixels, i) <= 0))
        continue;
      count++;
      sum += value;
      squares += value * value;
      minimum = isinf (value) ? minimum : MIN (minimum, value);
      maximum = isinf (value) ? maximum : MAX (maximum, value);
    }

  counts =
    (gdouble *) gimp_value_get_double_array (gimp_value_array_index (values, 1),
                                             &bins);
  gimp_value_get_double_array (gimp_value_array_index (values, 2), &n_values);
  all = json_object_get_array_member (json, "counts");
  each = bins ? json_array_get_length (all) / bins : 1;
  for (gsize i = 0; i < bins * each; i++)
    counted += json_array_get_int_element (all, i);
  for (gsize i = 0; i < bins; i++)
    {
      gdouble sum_of_bin = 0;

      for (gsize j = 0; j < each; j++)
        sum_of_bin += json_array_get_int_element (all, i * each + j);
      good = good && counts[i] == sum_of_bin;
    }

  /* the arrays have 32768 elements at most, the JSON has all */
  good = good && bins == n_values && counted == count &&
         bins * each == (gsize) json_object_get_int_member (json, "bins") &&
         each == (json_array_get_length (all) > 32768 ? 2 : 1);
  good = is_near (json, "count", count) && good;
  good = is_near (json, "min", count ? minimum : 0) && good;
  good = is_near (json, "max", count ? maximum : 0) && good;
  if (pixels->maximum > 1 && count > 0)
    {
      gdouble mean = sum / count;

      good = is_near (json, "mean", mean) && good;
      good =
        is_near (json, "sd", sqrt (MAX (0, squares / count - mean * mean))) &&
        good;
    }
  good =
    good && json_object_has_member (json, "entropy") &&
    json_object_has_member (json, "distinct") &&
    json_object_has_member (json_object_get_object_member (json, "percentiles"),
                            "99.9");
  g_object_unref (parser);
  return good;
}

static void
check (GimpImage    *image,
       GimpDrawable *drawable,
       const guint8 *selected,
       const gchar  *channel,
       gint          index,
       const gchar  *what)
{
  GimpDrawable   *drawables[] = { drawable, NULL };
  TestPixels     *pixels = test_pixels_get (drawable);
  GimpValueArray *values;
  gchar          *message;

  values = test_call ("plug-in-isolux-histogram", GIMP_RUN_NONINTERACTIVE,
                      image, drawables, &message, "channel", channel, NULL);
  test_ok (! message && compare (values, pixels, selected, index), "%s, %s%s%s",
           what, channel, message ? ": " : "", message ? message : "");
  gimp_value_array_unref (values);
  g_free (message);
  test_pixels_free (pixels);
}

static void
check_precisions (void)
{
  static const GimpPrecision precisions[] = {
    GIMP_PRECISION_U8_NON_LINEAR,    GIMP_PRECISION_U8_LINEAR,
    GIMP_PRECISION_U16_NON_LINEAR,   GIMP_PRECISION_U32_NON_LINEAR,
    GIMP_PRECISION_HALF_NON_LINEAR,  GIMP_PRECISION_FLOAT_LINEAR,
    GIMP_PRECISION_FLOAT_PERCEPTUAL, GIMP_PRECISION_DOUBLE_NON_LINEAR,
  };
  static const gchar *const channels[] = { "red", "green", "blue", "alpha" };

  for (guint i = 0; i < G_N_ELEMENTS (precisions); i++)
    {
      GimpImage    *image = test_image (WIDTH, HEIGHT, GIMP_RGB, precisions[i]);
      GimpDrawable *layer =
        test_layer (image, 0, 0, WIDTH, HEIGHT, TRUE, TEST_PHOTO, i);
      TestPixels *pixels = test_pixels_get (layer);
      gchar      *what = g_strdup (babl_get_name (pixels->format));

      test_pixels_free (pixels);
      for (gint c = i % 3; c < 4; c += 3 - i % 3)
        check (image, layer, NULL, channels[c], c, what);
      if (i >= 3) /* of codes, halves may be rounded another way */
        check (image, layer, NULL, "luma", -1, what);
      gimp_image_delete (image);

      image = test_image (WIDTH, HEIGHT, GIMP_GRAY, precisions[i]);
      layer = test_layer (image, 3, -5, WIDTH, HEIGHT, FALSE, TEST_PHOTO, i);
      check (image, layer, NULL, "luma", 0, "the same in gray");
      if (i % 4 == 0)
        check (image, layer, NULL, "blue", 0, "the same in gray");
      gimp_image_delete (image);
      g_free (what);
    }
}

static void
check_special (void)
{
  GimpImage *image =
    test_image (WIDTH, HEIGHT, GIMP_GRAY, GIMP_PRECISION_FLOAT_LINEAR);
  GimpDrawable *layer =
    test_layer (image, 0, 0, WIDTH, HEIGHT, FALSE, TEST_HOSTILE, 9);
  guint8 selected[WIDTH * HEIGHT] = { 0 };

  check (image, layer, NULL, "luma", 0, "NaN, infinities, 1e38");
  test_fill (layer, TEST_CONSTANT, 1);
  check (image, layer, NULL, "luma", 0, "one value");

  test_fill (layer, TEST_PHOTO, 2);
  gimp_image_select_rectangle (image, GIMP_CHANNEL_OP_REPLACE, 10, 5, 21, 13);
  for (gint y = 5; y < 18; y++)
    memset (selected + y * WIDTH + 10, 255, 21);
  check (image, layer, selected, "luma", 0, "a selected rectangle");

  gimp_image_select_rectangle (image, GIMP_CHANNEL_OP_SUBTRACT, 12, 7, 4, 9);
  for (gint y = 7; y < 16; y++)
    memset (selected + y * WIDTH + 12, 0, 4);
  check (image, layer, selected, "luma", 0, "a selection with a hole");
  gimp_image_delete (image);
}

static void
refused (GimpImage     *image,
         GimpDrawable **drawables,
         const gchar   *channel,
         const gchar   *words,
         const gchar   *what)
{
  GimpValueArray *values;
  gchar          *message;

  values = test_call ("plug-in-isolux-histogram", GIMP_RUN_NONINTERACTIVE,
                      image, drawables, &message, "channel", channel, NULL);
  test_ok (message && strstr (message, words), "%s: %s", what,
           message ? message : "not refused");
  gimp_value_array_unref (values);
  g_free (message);
}

static void
check_refusals (void)
{
  GimpImage *image =
    test_image (WIDTH, HEIGHT, GIMP_RGB, GIMP_PRECISION_U8_NON_LINEAR);
  GimpDrawable *drawables[3] = { NULL };

  refused (image, drawables, "luma", "exactly one", "no drawable");
  drawables[0] = test_layer (image, 30, 0, 20, 20, FALSE, TEST_PHOTO, 1);
  refused (image, drawables, "value", "\"luma\", \"red\"", "a wrong channel");
  refused (image, drawables, "alpha", "no alpha", "no alpha");
  drawables[1] = test_layer (image, 0, 0, 20, 20, FALSE, TEST_PHOTO, 1);
  refused (image, drawables, "luma", "exactly one", "two drawables");
  drawables[1] = NULL;
  gimp_image_select_rectangle (image, GIMP_CHANNEL_OP_REPLACE, 0, 0, 10, 10);
  refused (image, drawables, "luma", "selection", "beside the selection");
  gimp_image_convert_indexed (image, GIMP_CONVERT_DITHER_NONE,
                              GIMP_CONVERT_PALETTE_GENERATE, 16, FALSE, FALSE,
                              "");
  refused (image, drawables, "luma", "ndexed", "an indexed image");
  gimp_image_delete (image);
}

static void
check_info (void)
{
  JsonParser     *parser = json_parser_new ();
  GimpValueArray *values;
  JsonObject     *json;
  gchar          *message;
  gboolean        good = FALSE;

  values = test_call ("plug-in-isolux-info", GIMP_RUN_NONINTERACTIVE, NULL,
                      NULL, &message, NULL);
  json = message ? NULL : parse (parser, values, 4);
  if (json)
    {
      JsonObject *cuda = json_object_get_object_member (json, "cuda");
      gboolean    ready = json_object_get_boolean_member (cuda, "ready");

      good = ready || *json_object_get_string_member (cuda, "reason");
      good = good && ! strcmp (json_object_get_string_member (json, "version"),
                               GIMP_VALUES_GET_STRING (values, 1));
      good = good && ! strcmp (json_object_get_string_member (json, "backend"),
                               GIMP_VALUES_GET_STRING (values, 2));
      good = good && *GIMP_VALUES_GET_STRING (values, 3);
    }
  test_ok (good, "info: %s",
           message ? message : GIMP_VALUES_GET_STRING (values, 2));
  gimp_value_array_unref (values);
  g_free (message);
  g_object_unref (parser);
}

void
suite_histogram (const gchar *argument)
{
  check_precisions ();
  check_special ();
  check_refusals ();
  check_info ();
}
