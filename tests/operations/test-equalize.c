/* SPDX-License-Identifier: GPL-3.0-or-later */
/* isolux:equalize on every format */
#include "images.h"

#include <gegl-plugin.h>
#include <math.h>
#include <string.h>

typedef struct
{
  const gchar *name;
  gint         channels;
  gdouble      clip_limit;
  gdouble      skip_threshold;
} Setting;

static const Setting settings[] = {
  { "luma", ISOLUX_EQUALIZE_LUMA, 0.0, 0.0 },
  { "each", ISOLUX_EQUALIZE_EACH, 0.0, 0.0 },
  { "clip-luma", ISOLUX_EQUALIZE_LUMA, 1.5, 0.0 },
  { "clip-each", ISOLUX_EQUALIZE_EACH, 4.0, 0.0 },
  { "skip", ISOLUX_EQUALIZE_EACH, 0.0, 0.9 },
};

static const GeglRectangle extent = { 0, 0, 67, 45 };

static Image *
equalize (const Image *image, const Setting *setting, const gchar *roi)
{
  return run (image, "isolux:equalize", "channels", setting->channels,
              "clip-limit", setting->clip_limit, "skip-threshold",
              setting->skip_threshold, "roi", roi, NULL);
}

/* After is what the definition gives; a pixel that does not count has kept
 * all of its bits, and alpha everywhere. */
static void
check (const Image           *before,
       const Image           *after,
       const Setting         *setting,
       const IsoluxRectangle *region, /* of the surface; nullable */
       const guint8          *mask)
{
  IsoluxEqualizeOptions options = ISOLUX_EQUALIZE_DEFAULTS;
  RefImage              source = image_to_ref (before);
  RefImage              wanted = ref_like (&source);
  gdouble               sum = 0.0;
  gint                  i, c;

  options.channels = (IsoluxEqualizeChannels) setting->channels;
  options.clip_limit = setting->clip_limit;
  options.skip_threshold = setting->skip_threshold;
  babl_space_get_rgb_luminance (before->space->space, &options.weights[0],
                                &options.weights[1], &options.weights[2]);
  for (c = 0; c < 3; c++)
    sum += options.weights[c];
  for (c = 0; c < 3; c++)
    options.weights[c] /= sum;

  if (region)
    {
      source.has_region = TRUE;
      source.region = *region;
      source.mask = mask;
      source.mask_stride = (gsize) region->width;
    }
  ref_equalize (&source, &wanted, &options);

  note_case (before, setting->name);
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

          if (! image_is_integer (before))
            tolerance = before->type->precision * MAX (fabs (right), 1.0);
          if (isnan (right) && isnan (found))
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

static void
test_formats (gconstpointer data)
{
  const Setting *setting = data;
  gsize          m, t, s;
  gint           changed = 0;

  for (s = 0; s < N_SPACES; s++)
    for (m = 0; m < N_MODELS; m++)
      for (t = 0; t < N_TYPES; t++)
        {
          Image *image = image_new (&models[m], &types[t], &spaces[s], &extent,
                                    (guint32) (m * 1000 + t * 10 + s));
          Image *after = equalize (image, setting, "");

          check (image, after, setting, NULL, NULL);
          if (memcmp (image->data, after->data, image_size (image)))
            changed++;
          if (setting->skip_threshold > 0.0)
            assert_same (image, after);
          image_free (image);
          image_free (after);
        }
  if (setting->skip_threshold > 0.0)
    g_assert_cmpint (changed, ==, 0);
  else
    g_assert_cmpint (changed, ==, N_SPACES * N_MODELS * N_TYPES);
}

/* ---- What counts --------------------------------------------------- */

static void
test_roi (gconstpointer data)
{
  gboolean          with_mask = GPOINTER_TO_INT (data);
  static const gint places[][2] = {
    { 0, 0 }, { -7, -5 }, { -60, -40 }, { 4, 3 }
  };
  static const gsize chosen[] = { 0, 1, 5, 7 }; /* models */
  IsoluxRectangle    region = { 0, 0, 37, 21 };
  GRand             *random = g_rand_new_with_seed (11);
  guint8            *mask = NULL;
  gchar             *roi;
  gsize              p, m, t, i;

  if (with_mask)
    {
      mask = g_malloc ((gsize) (region.width * region.height));
      for (i = 0; i < (gsize) (region.width * region.height); i++)
        mask[i] = g_rand_double (random) < 0.5 ? 0 : (guint8) (1 + i % 255);
    }
  roi = isolux_selection_to_string (region.width, region.height, mask,
                                    (gsize) region.width, NULL);
  g_assert_nonnull (roi);

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
          image = image_new (&models[chosen[m]], &types[t], &spaces[1], &place,
                             (guint32) (p * 100 + t));
          after = equalize (image, &settings[0], roi);
          check (image, after, &settings[0], &region, mask);
          g_assert_cmpint (memcmp (image->data, after->data,
                                   image_size (image)),
                           !=, 0);
          image_free (image);
          image_free (after);
        }

  g_free (roi);
  g_free (mask);
  g_rand_free (random);
}

/* A selection beside the image: nothing counts, nothing changes */
static void
test_roi_outside (void)
{
  GeglRectangle place = { 100, 100, 20, 20 };
  Image *image = image_new (&models[7], &types[4], &spaces[0], &place, 1);
  Image *after = equalize (image, &settings[0], "50x50");

  assert_same (image, after);
  image_free (image);
  image_free (after);
}

static void
test_alpha_0 (void)
{
  gsize m, t;
  gint  i;

  for (m = 0; m < N_MODELS; m++)
    for (t = 0; t < N_TYPES; t++)
      if (models[m].components % 2 == 0)
        {
          Image *image =
            image_new (&models[m], &types[t], &spaces[0], &extent, 5);
          Image *after;

          for (i = 0; i < image_pixels (image); i++)
            image_set (image, i, models[m].components - 1, 0.0);
          after = equalize (image, &settings[0], "");
          note_case (image, "alpha 0");
          assert_same (image, after);
          image_free (image);
          image_free (after);
        }
}

static void
test_not_finite (void)
{
  static const gsize chosen[] = { 4, 5, 6, 7 };
  gsize              m, t, k;

  for (m = 0; m < G_N_ELEMENTS (chosen); m++)
    for (t = 3; t < N_TYPES; t++) /* half, float, double */
      for (k = 0; k < 2; k++)
        {
          Image *image = image_new (&models[chosen[m]], &types[t], &spaces[0],
                                    &extent, (guint32) t);
          Image *after;
          gint   i;

          for (i = 0; i < image_pixels (image); i += 13)
            image_set (image, i, i % image_colors (image),
                       i % 3 == 0   ? (gdouble) NAN
                       : i % 3 == 1 ? HUGE_VAL
                                    : -HUGE_VAL);
          after = equalize (image, &settings[k], "");
          check (image, after, &settings[k], NULL, NULL);
          for (i = 0; i < image_pixels (image); i++)
            if (isnan (image_get (image, i, 0)))
              g_assert_true (isnan (image_get (after, i, 0)));
            else if (k == 1 &&
                     (! image_has_alpha (image) ||
                      image_get (image, i, image->model->components - 1) > 0.0))
              g_assert_true (isfinite (image_get (after, i, 0)));
          image_free (image);
          image_free (after);
        }
}

/* ---- Shapes -------------------------------------------------------- */

static void
test_shapes (void)
{
  static const GeglRectangle shapes[] = {
    { 0, 0, 1, 1 }, { 5, -5, 4099, 1 },  { 0, 0, 1, 3001 },
    { 0, 0, 2, 2 }, { -9, 9, 129, 257 },
  };
  gsize m, t, k;

  for (k = 0; k < G_N_ELEMENTS (shapes); k++)
    for (m = 4; m < 8; m++)
      for (t = 0; t < N_TYPES; t++)
        {
          Image *image = image_new (&models[m], &types[t], &spaces[0],
                                    &shapes[k], (guint32) k);
          Image *after = equalize (image, &settings[0], "");

          check (image, after, &settings[0], NULL, NULL);
          if (k == 0)
            assert_same (image, after);
          image_free (image);
          image_free (after);
        }
}

static void
test_constant (void)
{
  gsize m, t, k;
  gint  i, c;

  for (m = 0; m < N_MODELS; m++)
    for (t = 0; t < N_TYPES; t++)
      for (k = 0; k < 4; k++)
        {
          Image *image =
            image_new (&models[m], &types[t], &spaces[2], &extent, 1);
          Image *after;

          for (i = 1; i < image_pixels (image); i++)
            for (c = 0; c < models[m].components; c++)
              image_set (image, i, c, image_get (image, 0, c));
          after = equalize (image, &settings[k], "");
          note_case (image, settings[k].name);
          assert_same (image, after);
          image_free (image);
          image_free (after);
        }
}

/* Any part has the pixels that the whole has there */
static void
test_part (void)
{
  static const GeglRectangle parts[] = {
    { 0, 0, 67, 1 }, { 3, 9, 7, 11 }, { 66, 44, 1, 1 }, { 0, 6, 1, 22 }
  };
  gsize t, k;
  gint  i;

  for (t = 0; t < N_TYPES; t++)
    {
      Image *image = image_new (&models[7], &types[t], &spaces[1], &extent, 3);
      Image *whole = equalize (image, &settings[2], "40x40");

      for (k = 0; k < G_N_ELEMENTS (parts); k++)
        {
          Image *part = run_part (image, &parts[k], "isolux:equalize",
                                  "clip-limit", 1.5, "roi", "40x40", NULL);

          note_case (part, "part");
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

/* GEGL asks for the picture piece by piece, and the work is done once for
 * each change of a property */
static void
test_once (void)
{
  GeglRectangle place = { 0, 0, 700, 500 };
  Image      *image = image_new (&models[4], &types[0], &spaces[0], &place, 1);
  GeglBuffer *buffer = image_to_buffer (image);
  GeglNode   *graph = gegl_node_new ();
  GeglNode   *source, *node;
  guint8     *data = g_malloc (image_size (image));
  gchar      *text;
  gint        change, x, y;

  source = gegl_node_new_child (graph, "operation", "gegl:buffer-source",
                                "buffer", buffer, NULL);
  node = gegl_node_new_child (graph, "operation", "isolux:equalize", NULL);
  gegl_node_link (source, node);

  g_setenv ("ISOLUX_VERBOSE", "1", TRUE);
  capture_begin ();
  for (change = 0; change < 3; change++)
    {
      gegl_node_set (node, "clip-limit", (gdouble) change, NULL);
      for (y = 0; y < 500; y += 125)
        for (x = 0; x < 700; x += 175)
          gegl_node_blit (node, 1.0, GEGL_RECTANGLE (x, y, 175, 125),
                          image->format, data, GEGL_AUTO_ROWSTRIDE,
                          GEGL_BLIT_CACHE);
    }
  text = capture_end ();
  g_unsetenv ("ISOLUX_VERBOSE");
  g_assert_cmpint (count_lines (text, "isolux: equalize 700x500 u8x1 on "), ==,
                   3);

  g_free (text);
  g_free (data);
  g_object_unref (graph);
  g_object_unref (buffer);
  image_free (image);
}

/* The virtual functions themselves: all of the input is asked for, and a
 * part of the output is filled when only a part is asked for */
static void
test_virtual (void)
{
  GeglRectangle              place = { -5, -3, 201, 150 };
  static const GeglRectangle part = { 20, 60, 70, 40 };
  gsize                      t;
  gint                       x, y;

  for (t = 0; t < N_TYPES; t++)
    {
      Image *image = image_new (&models[5], &types[t], &spaces[0], &place, 9);
      Image *whole = equalize (image, &settings[0], "");
      Image *result = image_new_empty (image);
      GeglBuffer    *buffer = image_to_buffer (image);
      GeglBuffer    *output = gegl_buffer_new (&place, image->format);
      GeglNode      *graph = gegl_node_new ();
      GeglNode      *source, *node;
      GeglOperation *operation;
      GeglRectangle  box;

      source = gegl_node_new_child (graph, "operation", "gegl:buffer-source",
                                    "buffer", buffer, NULL);
      node = gegl_node_new_child (graph, "operation", "isolux:equalize", NULL);
      gegl_node_link (source, node);
      box = gegl_node_get_bounding_box (node);
      g_assert_true (gegl_rectangle_equal (&box, &place));

      operation = gegl_node_get_gegl_operation (node);
      box = gegl_operation_get_required_for_output (operation, "input", &part);
      g_assert_true (gegl_rectangle_equal (&box, &place));
      box = gegl_operation_get_cached_region (operation, &part);
      g_assert_true (gegl_rectangle_equal (&box, &place));
      box =
        gegl_operation_get_invalidated_by_change (operation, "input", &part);
      g_assert_true (gegl_rectangle_equal (&box, &place));

      gegl_operation_prepare (operation);
      g_assert_true (GEGL_OPERATION_FILTER_GET_CLASS (operation)
                       ->process (operation, buffer, output, &part, 0));
      gegl_buffer_get (output, &place, 1.0, image->format, result->data,
                       GEGL_AUTO_ROWSTRIDE, GEGL_ABYSS_NONE);
      note_case (image, "part");
      for (y = 0; y < place.height; y++)
        for (x = 0; x < place.width; x++)
          {
            static const guint8 zero[16] = { 0 };
            gint                i = y * place.width + x;
            gsize               size = image_pixel_size (image);
            gboolean            inside;

            inside = x + place.x >= part.x && y + place.y >= part.y &&
                     x + place.x < part.x + part.width &&
                     y + place.y < part.y + part.height;
            g_assert_cmpmem (image_pixel (result, i), size,
                             inside ? image_pixel (whole, i) : zero, size);
          }

      g_object_unref (graph);
      g_object_unref (buffer);
      g_object_unref (output);
      image_free (image);
      image_free (whole);
      image_free (result);
    }
}

void
add_equalize_tests (void)
{
  gsize i;

  for (i = 0; i < G_N_ELEMENTS (settings); i++)
    {
      gchar *path =
        g_strdup_printf ("/operations/equalize/formats/%s", settings[i].name);

      g_test_add_data_func (path, &settings[i], test_formats);
      g_free (path);
    }
  g_test_add_data_func ("/operations/equalize/roi/rectangle",
                        GINT_TO_POINTER (FALSE), test_roi);
  g_test_add_data_func ("/operations/equalize/roi/mask", GINT_TO_POINTER (TRUE),
                        test_roi);
  g_test_add_func ("/operations/equalize/roi/outside", test_roi_outside);
  g_test_add_func ("/operations/equalize/alpha-0", test_alpha_0);
  g_test_add_func ("/operations/equalize/not-finite", test_not_finite);
  g_test_add_func ("/operations/equalize/shapes", test_shapes);
  g_test_add_func ("/operations/equalize/constant", test_constant);
  g_test_add_func ("/operations/equalize/part", test_part);
  g_test_add_func ("/operations/equalize/once", test_once);
  g_test_add_func ("/operations/equalize/virtual", test_virtual);
}
