/* SPDX-License-Identifier: GPL-3.0-or-later */
/* isolux:grayscale on every format */
#include "images.h"

#include <math.h>
#include <string.h>

static const gchar *const methods[] = { "luma-bt601", "luma-bt709", "luminance",
                                        "lightness",  "average",    "maximum" };

static const GeglRectangle extent = { -3, 5, 41, 23 };

static gdouble
to_light (const Image *image, Encoding encoding, gdouble v)
{
  switch (encoding)
    {
      case LINEAR:
        return v;
      case NONLINEAR:
        return image->space->to_linear (v);
      default:
        return srgb_to_linear (v);
    }
}

/* 0 to 1 for all types */
static gdouble
nominal (const Image *image, gint i, gint component)
{
  gdouble v = image_get (image, i, component);

  return image->type->surface == ISOLUX_TYPE_U8    ? v / 255.0
         : image->type->surface == ISOLUX_TYPE_U16 ? v / 65535.0
                                                   : v;
}

static gdouble
lightness (gdouble y)
{
  gdouble f = y > 216.0 / 24389.0 ? cbrt (y) : (24389.0 / 27.0 * y + 16) / 116;

  return (116.0 * f - 16.0) / 100.0;
}

/* The methods that look at light.  All of it is computed here anew, with the
 * curves' own formulas, which babl follows to 2e-4. */
static void
check_light (const Image *before, const Image *after, gboolean is_lightness)
{
  gdouble  weights[3];
  Encoding encoding = before->model->encoding;
  gboolean linear = encoding == LINEAR;
  gdouble  tolerance = before->type->precision * 1.2 + 2e-4;
  gint     i, c;

  babl_space_get_rgb_luminance (before->space->space, &weights[0], &weights[1],
                                &weights[2]);
  if (encoding == NONLINEAR && before->space->to_linear (0.5) == 0.5)
    linear = TRUE;

  for (i = 0; i < image_pixels (before); i++)
    {
      gdouble y = 0.0;
      gdouble found = nominal (after, i, 0);
      gdouble wanted;

      for (c = 0; c < 3; c++)
        y += weights[c] * to_light (before, encoding, nominal (before, i, c));

      if (! is_lightness)
        {
          /* the curve's slope takes the place of its inverse */
          gdouble light = to_light (after, encoding, found);
          gdouble step = to_light (after, encoding, found + 1e-4) - light;

          wanted = found + (y - light) / step * 1e-4;
        }
      else if (! linear)
        {
          wanted = lightness (y);
        }
      else
        {
          gboolean plain = before->space->to_linear (0.5) == 0.5;

          wanted =
            to_light (before, plain ? PERCEPTUAL : NONLINEAR, lightness (y));
        }
      if (fabs (found - wanted) > tolerance)
        g_test_message ("pixel %d: %.9g, wanted %.9g", i, found, wanted);
      g_assert_cmpfloat (fabs (found - wanted), <=, tolerance);
    }
}

static void
check_codes (const Image *before, const Image *after, IsoluxGrayMethod method)
{
  IsoluxGrayOptions options = ISOLUX_GRAY_DEFAULTS;
  RefImage          source = image_to_ref (before);
  RefImage          wanted = ref_like (&source);
  gint              i;

  options.method = method;
  ref_grayscale (&source, &wanted, &options, NULL);
  for (i = 0; i < image_pixels (before); i++)
    {
      gdouble difference =
        fabs (image_get (after, i, 0) - ref_value (&wanted, i, 0));

      if (image_is_integer (before))
        g_assert_cmpfloat (difference, ==, 0.0);
      else
        g_assert_cmpfloat (difference, <=, before->type->precision);
    }
  g_free (source.data);
  g_free (wanted.data);
}

static void
check_method (const Image *before, gsize method)
{
  Image *after = run (before, "isolux:grayscale", "method", method, NULL);
  gsize  size = (gsize) before->type->size;
  gint   i;

  note_case (before, methods[method]);
  for (i = 0; i < image_pixels (after); i++)
    {
      const guint8 *p = image_pixel (after, i);

      g_assert_cmpmem (p, size, p + size, size);
      g_assert_cmpmem (p, size, p + 2 * size, size);
    }
  assert_alpha_kept (before, after);

  if (method == ISOLUX_GRAY_LUMINANCE || method == ISOLUX_GRAY_LIGHTNESS)
    check_light (before, after, method == ISOLUX_GRAY_LIGHTNESS);
  else
    check_codes (before, after, (IsoluxGrayMethod) method);
  image_free (after);
}

static void
test_method (gconstpointer data)
{
  gsize m, t, s, method = 0;

  while (strcmp (methods[method], data))
    method++;

  for (s = 0; s < N_SPACES; s++)
    for (m = 0; m < N_MODELS; m++)
      for (t = 0; t < N_TYPES; t++)
        if (models[m].components >= 3)
          {
            Image *image = image_new (&models[m], &types[t], &spaces[s],
                                      &extent, (guint32) (m * 100 + t));

            check_method (image, method);
            image_free (image);
          }
}

static void
test_gray_stays (void)
{
  gsize m, t, method;

  for (m = 0; m < N_MODELS; m++)
    for (t = 0; t < N_TYPES; t++)
      for (method = 0; method < G_N_ELEMENTS (methods); method++)
        if (models[m].components < 3)
          {
            Image *image =
              image_new (&models[m], &types[t], &spaces[1], &extent, 7);
            Image *after =
              run (image, "isolux:grayscale", "method", method, NULL);

            note_case (image, methods[method]);
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
    { -3, 5, 41, 1 }, { 0, 9, 7, 11 }, { 37, 27, 1, 1 }, { -3, 6, 1, 22 }
  };
  gsize t, k, method;

  for (t = 0; t < N_TYPES; t++)
    for (method = 0; method < G_N_ELEMENTS (methods); method++)
      {
        Image *image =
          image_new (&models[7], &types[t], &spaces[1], &extent, 3);
        Image *whole = run (image, "isolux:grayscale", "method", method, NULL);

        for (k = 0; k < G_N_ELEMENTS (parts); k++)
          {
            Image *part = run_part (image, &parts[k], "isolux:grayscale",
                                    "method", method, NULL);
            gint   i;

            note_case (part, methods[method]);
            for (i = 0; i < image_pixels (part); i++)
              {
                gint x = parts[k].x - extent.x + i % parts[k].width;
                gint y = parts[k].y - extent.y + i / parts[k].width;

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

static void
test_not_finite (void)
{
  GeglRectangle row = { 0, 0, 3, 1 };
  gsize         t, method;

  for (t = 3; t < N_TYPES; t++) /* half, float, double */
    for (method = 0; method < G_N_ELEMENTS (methods); method++)
      {
        Image *image = image_new (&models[6], &types[t], &spaces[0], &row, 1);
        Image *after;

        image_set (image, 0, 1, (gdouble) NAN);
        image_set (image, 1, 0, HUGE_VAL);
        after = run (image, "isolux:grayscale", "method", method, NULL);
        note_case (image, methods[method]);
        g_assert_true (isnan (image_get (after, 0, 0)));
        g_assert_true (isnan (image_get (after, 0, 2)));
        if (method == ISOLUX_GRAY_LIGHTNESS)
          g_assert_cmpfloat (fabs (image_get (after, 1, 0) - 1.0), <, 1e-3);
        else
          g_assert_cmpfloat (image_get (after, 1, 0), >=, 65504.0);
        g_assert_false (isnan (image_get (after, 2, 0)));
        image_free (image);
        image_free (after);
      }
}

void
add_grayscale_tests (void)
{
  gsize i;

  for (i = 0; i < G_N_ELEMENTS (methods); i++)
    {
      gchar *path = g_strdup_printf ("/operations/grayscale/%s", methods[i]);

      g_test_add_data_func (path, methods[i], test_method);
      g_free (path);
    }
  g_test_add_func ("/operations/grayscale/gray-stays", test_gray_stays);
  g_test_add_func ("/operations/grayscale/part", test_part);
  g_test_add_func ("/operations/grayscale/not-finite", test_not_finite);
}
