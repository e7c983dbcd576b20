/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * suite-targets.c: all that a procedure can be called on.
 */
#include <string.h>

#include "test.h"

#define SIZE 50

static GimpImage *
gray_image (void)
{
  return test_image (SIZE, SIZE, GIMP_GRAY, GIMP_PRECISION_U8_NON_LINEAR);
}

static gboolean
was_equalized (TestPixels *before, GimpDrawable *drawable)
{
  TestPixels *after = test_pixels_get (drawable);
  gboolean    good = expect_equalized (before, after, NULL, FALSE, 0) &&
                  ! test_pixels_equal (before, after);

  test_pixels_free (after);
  return good;
}

/* Whether the image looks like @before equalized */
static gboolean
looks_equalized (TestPixels *before, GimpImage *image)
{
  GimpLayer *shown = gimp_layer_new_from_visible (image, image, "shown");
  gboolean   good;

  gimp_image_insert_layer (image, shown, NULL, 0);
  gimp_layer_flatten (shown);
  good = was_equalized (before, GIMP_DRAWABLE (shown));
  gimp_image_remove_layer (image, shown);
  return good;
}

static void
check_several (void)
{
  GimpImage      *image = gray_image ();
  GimpDrawable   *drawables[4] = { NULL };
  TestPixels     *before[3];
  GimpValueArray *values;
  gchar          *message;
  gboolean        good;

  for (gint i = 0; i < 3; i++)
    {
      drawables[i] =
        test_layer (image, i * 5, -i, SIZE - i, SIZE, i == 1, TEST_PHOTO, i);
      before[i] = test_pixels_get (drawables[i]);
    }
  values = test_call ("plug-in-isolux-equalize", GIMP_RUN_NONINTERACTIVE, image,
                      drawables, &message, NULL);
  good = ! message;
  for (gint i = 0; i < 3; i++)
    {
      good = was_equalized (before[i], drawables[i]) && good;
      test_pixels_free (before[i]);
    }
  test_ok (good, "three layers in one call, each by its own histogram");

  gimp_value_array_unref (values);
  g_free (message);
  gimp_image_delete (image);
}

static void
check_twice (void)
{
  GimpImage    *image = gray_image ();
  GimpDrawable *layer =
    test_layer (image, 0, 0, SIZE, SIZE, FALSE, TEST_PHOTO, 1);
  GimpDrawable   *drawables[] = { layer, layer, NULL };
  GimpValueArray *values;
  gchar          *message;

  values = test_call ("plug-in-isolux-equalize", GIMP_RUN_NONINTERACTIVE, image,
                      drawables, &message, "non-destructive", TRUE, NULL);
  test_ok (! message && test_count_filters (layer) == 1,
           "a layer named twice gets one filter");
  gimp_value_array_unref (values);
  g_free (message);
  gimp_image_delete (image);
}

static void
check_group (void)
{
  GimpImage      *image = gray_image ();
  GimpGroupLayer *group = gimp_group_layer_new (image, "group");
  GimpDrawable   *child;
  TestPixels     *before;
  gboolean        good;

  gimp_image_insert_layer (image, GIMP_LAYER (group), NULL, 0);
  child = test_layer (image, 0, 0, SIZE, SIZE, FALSE, TEST_PHOTO, 1);
  gimp_image_reorder_item (image, GIMP_ITEM (child), GIMP_ITEM (group), 0);
  before = test_pixels_get (child);

  good = test_run ("equalize", GIMP_DRAWABLE (group), NULL);
  test_ok (good && test_count_filters (GIMP_DRAWABLE (group)) == 1,
           "a group keeps the filter though merging was asked for");

  test_ok (looks_equalized (before, image), "and shows it");

  /* away from the corner, and with a selection */
  gimp_drawable_filter_delete (gimp_drawable_get_filters (GIMP_DRAWABLE (group))
                                 [0]);
  gimp_layer_set_offsets (GIMP_LAYER (child), 7, 3);
  good = test_run ("equalize", GIMP_DRAWABLE (group), NULL);
  gimp_image_resize (image, SIZE, SIZE, -7, -3);
  test_ok (good && looks_equalized (before, image),
           "a group away from the corner, too");

  test_pixels_free (before);
  gimp_image_delete (image);
}

static void
check_mask (void)
{
  GimpImage    *image = gray_image ();
  GimpDrawable *layer =
    test_layer (image, 4, 6, SIZE, SIZE, TRUE, TEST_PHOTO, 1);
  GimpDrawable *mask =
    GIMP_DRAWABLE (gimp_layer_create_mask (GIMP_LAYER (layer),
                                           GIMP_ADD_MASK_WHITE));
  TestPixels *before;
  TestPixels *layer_before = test_pixels_get (layer);
  TestPixels *layer_after;
  gboolean    good;

  gimp_layer_add_mask (GIMP_LAYER (layer), GIMP_LAYER_MASK (mask));
  test_fill (mask, TEST_PHOTO, 2);
  before = test_pixels_get (mask);
  good = test_run ("equalize", mask, NULL);
  layer_after = test_pixels_get (layer);
  test_ok (good && was_equalized (before, mask) &&
             test_pixels_equal (layer_before, layer_after),
           "a layer mask, and its layer stays");
  test_pixels_free (before);
  test_pixels_free (layer_before);
  test_pixels_free (layer_after);

  before = test_pixels_get (mask);
  good = test_run ("grayscale", mask, NULL);
  layer_after = test_pixels_get (mask);
  test_ok (good && test_pixels_equal (before, layer_after),
           "a mask is gray already");
  test_pixels_free (before);
  test_pixels_free (layer_after);
  gimp_image_delete (image);
}

static void
check_channel (void)
{
  GimpImage    *image = gray_image ();
  GeglColor    *color = gegl_color_new ("red");
  GimpDrawable *channel =
    GIMP_DRAWABLE (gimp_channel_new (image, "channel", SIZE, SIZE, 50.0,
                                     color));
  TestPixels *before;
  gboolean    good;

  gimp_image_insert_channel (image, GIMP_CHANNEL (channel), NULL, 0);
  test_fill (channel, TEST_PHOTO, 2);
  before = test_pixels_get (channel);
  good = test_run ("equalize", channel, NULL);
  test_ok (good && was_equalized (before, channel), "a channel");
  test_pixels_free (before);
  g_object_unref (color);
  gimp_image_delete (image);
}

static void
check_floating (gboolean non_destructive)
{
  GimpImage     *image = gray_image ();
  GimpDrawable  *drawables[] = { NULL, NULL };
  GimpDrawable **pasted;
  TestPixels    *before;
  gboolean       good;

  drawables[0] = test_layer (image, 0, 0, SIZE, SIZE, TRUE, TEST_PHOTO, 1);
  gimp_image_select_rectangle (image, GIMP_CHANNEL_OP_REPLACE, 10, 10, 30, 20);
  gimp_edit_copy ((const GimpDrawable **) drawables);
  pasted = gimp_edit_paste (drawables[0], FALSE);
  before = test_pixels_get (pasted[0]);
  good =
    gimp_layer_is_floating_sel (GIMP_LAYER (pasted[0])) &&
    test_run ("equalize", pasted[0], "non-destructive", non_destructive, NULL);
  if (non_destructive)
    {
      good = good && test_count_filters (pasted[0]) == 1;
      gimp_drawable_merge_filters (pasted[0]);
    }
  test_ok (good && was_equalized (before, pasted[0]), "a floating selection%s",
           non_destructive ? ", non-destructive" : "");
  test_pixels_free (before);
  g_free (pasted);
  gimp_image_delete (image);
}

static void
check_text (void)
{
  GimpImage     *image = gray_image ();
  GimpFont      *font = gimp_context_get_font ();
  GimpTextLayer *text = NULL;
  gboolean       good;

  if (font)
    text =
      gimp_text_layer_new (image, "Isolux", font, 20.0, gimp_unit_pixel ());
  if (! text)
    {
      test_skip ("a text layer: there are no fonts");
      gimp_image_delete (image);
      return;
    }

  gimp_image_insert_layer (image, GIMP_LAYER (text), NULL, 0);
  good =
    test_run ("equalize", GIMP_DRAWABLE (text), "non-destructive", TRUE, NULL);
  test_ok (good && test_count_filters (GIMP_DRAWABLE (text)) == 1 &&
             gimp_item_is_text_layer (GIMP_ITEM (text)),
           "a text layer keeps a filter and stays one");
  good = test_run ("equalize", GIMP_DRAWABLE (text), NULL);
  test_ok (good, "a text layer can be merged");
  gimp_image_delete (image);
}

static void
check_off_canvas (void)
{
  GimpImage    *image = gray_image ();
  GimpDrawable *layer =
    test_layer (image, -30, 2 * SIZE, SIZE, SIZE, FALSE, TEST_PHOTO, 1);
  TestPixels *before = test_pixels_get (layer);
  gboolean    good = test_run ("equalize", layer, NULL);

  test_ok (good && was_equalized (before, layer), "a layer all off the canvas");
  test_pixels_free (before);

  gimp_item_set_visible (GIMP_ITEM (layer), FALSE);
  test_fill (layer, TEST_PHOTO, 5);
  before = test_pixels_get (layer);
  good = test_run ("equalize", layer, NULL);
  test_ok (good && was_equalized (before, layer), "an invisible layer");
  test_pixels_free (before);
  gimp_image_delete (image);
}

/* Without interaction, "last values" are what the last call left */
static void
check_last_values (void)
{
  GimpImage      *image = gray_image ();
  GimpDrawable   *drawables[] = { NULL, NULL };
  GimpValueArray *values;
  gchar          *message;

  drawables[0] = test_layer (image, 0, 0, SIZE, SIZE, FALSE, TEST_PHOTO, 1);
  values = test_call ("plug-in-isolux-equalize", GIMP_RUN_WITH_LAST_VALS, image,
                      drawables, &message, NULL);
  test_ok (! message, "with the last values");
  gimp_value_array_unref (values);
  g_free (message);
  gimp_image_delete (image);
}

void
suite_targets (const gchar *argument)
{
  check_several ();
  check_twice ();
  check_group ();
  check_mask ();
  check_channel ();
  check_floating (FALSE);
  check_floating (TRUE);
  check_text ();
  check_off_canvas ();
  check_last_values ();
}
