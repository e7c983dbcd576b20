/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The example of isolux.h, as it stands there, linked with the library that
 * users get. */
#include "isolux.h"

gboolean
equalize_gray (guint8 *pixels, gint width, gint height, GError **error);

static void
test_example (void)
{
  guint8  pixels[64 * 48];
  GError *error = NULL;
  gsize   i;
  guint   least = 255, most = 0;

  for (i = 0; i < G_N_ELEMENTS (pixels); i++)
    pixels[i] = (guint8) (100 + i * 7 % 50);
  g_assert_true (equalize_gray (pixels, 64, 48, &error));
  g_assert_no_error (error);
  for (i = 0; i < G_N_ELEMENTS (pixels); i++)
    {
      least = MIN (least, pixels[i]);
      most = MAX (most, pixels[i]);
    }
  /* 50 codes with 61.4 pixels each, at most 36 of them stay; the rest is
   * spread over 256 bins, also those above the brightest */
  g_assert_cmpuint (least, ==, 0);
  g_assert_cmpuint (most, ==, 202);
}

static void
test_refused (void)
{
  guint8  pixel = 77;
  GError *error = NULL;

  g_assert_false (equalize_gray (&pixel, 0, 1, &error));
  g_assert_error (error, ISOLUX_ERROR, ISOLUX_ERROR_ARGUMENT);
  g_clear_error (&error);
  g_assert_cmpuint (pixel, ==, 77);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/example/equalizes", test_example);
  g_test_add_func ("/example/refused", test_refused);
  return g_test_run ();
}
