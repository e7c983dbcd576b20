/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * suite-fault.c: memory is short (GIMP runs with ISOLUX_FAULT set): the
 * pixels are the right ones, or those from before.
 *
 * Every other call goes past the procedures, whose own processes have that
 * trouble, too.
 */
#include "test.h"

#define SIZE 64

void
suite_fault (const gchar *argument)
{
  for (gint i = 0; i < 8; i++)
    {
      gboolean   color = i & 2;
      GimpImage *image = test_image (SIZE, SIZE, color ? GIMP_RGB : GIMP_GRAY,
                                     i < 4 ? GIMP_PRECISION_U8_NON_LINEAR
                                           : GIMP_PRECISION_FLOAT_LINEAR);
      GimpDrawable *layer =
        test_layer (image, 0, 0, SIZE, SIZE, i < 2, TEST_PHOTO, i);
      TestPixels *before = test_pixels_get (layer);
      TestPixels *after;
      gboolean    same;

      if (i % 2)
        test_run ("equalize", layer, "channels", "each", NULL);
      else
        gimp_drawable_merge_new_filter (layer, "isolux:equalize", "fault",
                                        GIMP_LAYER_MODE_REPLACE, 1.0,
                                        "channels", "each", NULL);
      after = test_pixels_get (layer);
      same = test_pixels_equal (before, after);
      test_ok (same || expect_equalized (before, after, NULL, TRUE, 0),
               "call %d with %s: %s", i + 1, argument,
               same ? "left as it is" : "equalized");
      test_pixels_free (before);
      test_pixels_free (after);
      gimp_image_delete (image);
    }
}
