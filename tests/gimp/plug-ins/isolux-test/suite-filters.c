/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * suite-filters.c: filters that stay filters give the same pixels as merged
 * ones, now, over others, and after the image was saved and loaded.
 */
#include <string.h>

#include "test.h"

#define WIDTH 80
#define HEIGHT 60

typedef enum
{
  NOTHING,
  RECTANGLE,
  ELLIPSE,
  SELECTIONS
} Selection;

static const gchar *const names[SELECTIONS] = { "nothing selected", "rectangle",
                                                "ellipse" };

static GimpImage *
new_image (GimpImageBaseType type, GimpPrecision precision, Selection selection)
{
  GimpImage *image = test_image (WIDTH, HEIGHT, type, precision);

  test_layer (image, 5, -4, WIDTH - 20, HEIGHT, TRUE, TEST_PHOTO, 3);
  gimp_context_set_antialias (TRUE);
  if (selection == RECTANGLE)
    gimp_image_select_rectangle (image, GIMP_CHANNEL_OP_REPLACE, 20, 10, 30,
                                 25);
  else if (selection == ELLIPSE)
    gimp_image_select_ellipse (image, GIMP_CHANNEL_OP_REPLACE, 15, 8, 40, 30);
  return image;
}

static GimpDrawable *
top_layer (GimpImage *image)
{
  GimpLayer   **layers = gimp_image_get_layers (image);
  GimpDrawable *layer = GIMP_DRAWABLE (layers[0]);

  g_free (layers);
  return layer;
}

/* Whether pixels are the same where they are not selected in part only: GIMP
 * blends soft edges in another space after loading than before. */
static gboolean
equal_but_for_edges (const TestPixels *a,
                     const TestPixels *b,
                     const guint8     *selected)
{
  gsize n = (gsize) a->width * a->height;
  gsize size = a->bytes / n;

  if (! test_alpha_equal (a, b))
    return FALSE;
  for (gsize i = 0; i < n; i++)
    if ((selected[i] == 0 || selected[i] == 255) &&
        memcmp (a->data + i * size, b->data + i * size, size))
      return FALSE;
  return TRUE;
}

static void
check (GimpImageBaseType type, GimpPrecision precision, Selection selection)
{
  GimpImage    *image = new_image (type, precision, selection);
  GimpImage    *loaded;
  GimpDrawable *layer = top_layer (image);
  TestPixels   *before = test_pixels_get (layer);
  TestPixels   *merged;
  TestPixels   *later;
  guint8       *selected;
  gboolean      good = test_run ("equalize", layer, "clip-limit", 4.0, NULL);

  merged = test_pixels_get (layer);
  test_ok (good && ! test_pixels_equal (before, merged), "%s, %s, merged",
           names[selection], babl_get_name (before->format));
  gimp_image_delete (image);

  image = new_image (type, precision, selection);
  layer = top_layer (image);
  good = test_run ("equalize", layer, "clip-limit", 4.0, "non-destructive",
                   TRUE, NULL) &&
         test_count_filters (layer) == 1;
  later = test_pixels_get (layer);
  test_ok (good && test_pixels_equal (before, later),
           "a filter leaves the layer's pixels alone");
  test_pixels_free (later);

  /* the selection is the filter's own from now on */
  selected = test_selection (layer);
  gimp_selection_none (image);
  loaded = test_save_and_load (image);

  gimp_drawable_merge_filters (layer);
  later = test_pixels_get (layer);
  test_ok (test_pixels_equal (merged, later),
           "merged later, it gives the same pixels");
  test_pixels_free (later);
  gimp_image_delete (image);

  layer = top_layer (loaded);
  good = test_count_filters (layer) == 1;
  gimp_drawable_merge_filters (layer);
  later = test_pixels_get (layer);
  test_ok (good && equal_but_for_edges (merged, later, selected),
           "saved, loaded and merged, too");
  test_pixels_free (later);
  gimp_image_delete (loaded);

  g_free (selected);
  test_pixels_free (before);
  test_pixels_free (merged);
}

/* The layer with two filters, one over the other, which are merged at once;
 * after saving and loading when @load */
static TestPixels *
run_stack (GimpPrecision precision, Selection selection, gboolean load)
{
  GimpImage    *image = new_image (GIMP_RGB, precision, selection);
  GimpDrawable *layer = top_layer (image);
  TestPixels   *pixels;

  test_run ("grayscale", layer, "non-destructive", TRUE, NULL);
  test_run ("equalize", layer, "non-destructive", TRUE, NULL);
  gimp_selection_none (image);
  if (load)
    {
      GimpImage *loaded = test_save_and_load (image);

      gimp_image_delete (image);
      image = loaded;
      layer = top_layer (image);
    }
  if (test_count_filters (layer) != 2)
    test_note ("there are %d filters", test_count_filters (layer));
  gimp_drawable_merge_filters (layer);
  pixels = test_pixels_get (layer);
  gimp_image_delete (image);
  return pixels;
}

/* The largest difference of 8-bit components, edges of the selection left
 * out */
static gint
most_levels (const TestPixels *a, const TestPixels *b, const guint8 *selected)
{
  const gsize n = (gsize) a->width * (gsize) a->height;
  const gsize size = (gsize) babl_format_get_bytes_per_pixel (a->format);
  gint        most = 0;

  for (gsize i = 0; i < n; i++)
    if (selected[i] == 0 || selected[i] == 255)
      for (gsize k = i * size; k < (i + 1) * size; k++)
        most = MAX (most, ABS ((gint) a->data[k] - (gint) b->data[k]));
  return most;
}

/*
 * What a filter over another one sees are the same pixels, whatever GIMP
 * shows it: linear floats, for which the filter knows the layer's encoding.
 * Where the layer has 8 bits, the floats are not rounded to them in between,
 * which can make one level.
 */
static void
check_stack (Selection selection)
{
  const GimpPrecision precision = GIMP_PRECISION_FLOAT_LINEAR;
  GimpImage          *image = new_image (GIMP_RGB, precision, selection);
  GimpDrawable       *layer = top_layer (image);
  guint8             *selected = test_selection (layer);
  TestPixels         *merged;
  TestPixels         *live;
  TestPixels         *loaded;

  test_run ("grayscale", layer, NULL);
  test_run ("equalize", layer, NULL);
  merged = test_pixels_get (layer);
  gimp_image_delete (image);

  live = run_stack (precision, selection, FALSE);
  loaded = run_stack (precision, selection, TRUE);
  test_ok (equal_but_for_edges (merged, live, selected),
           "one filter over the other, %s", names[selection]);
  test_ok (equal_but_for_edges (merged, loaded, selected), "and loaded");
  test_pixels_free (merged);
  test_pixels_free (live);
  test_pixels_free (loaded);

  /* soft edges of the first are seen by the second */
  if (selection == ELLIPSE)
    {
      g_free (selected);
      return;
    }

  image = new_image (GIMP_RGB, GIMP_PRECISION_U8_NON_LINEAR, selection);
  layer = top_layer (image);
  test_run ("grayscale", layer, NULL);
  test_run ("equalize", layer, NULL);
  merged = test_pixels_get (layer);
  gimp_image_delete (image);

  live = run_stack (GIMP_PRECISION_U8_NON_LINEAR, selection, FALSE);
  loaded = run_stack (GIMP_PRECISION_U8_NON_LINEAR, selection, TRUE);
  test_ok (equal_but_for_edges (live, loaded, selected),
           "with 8 bits, loading changes nothing");
  test_ok (most_levels (merged, live, selected) <= 1,
           "and it differs from merging one by one by %d levels",
           most_levels (merged, live, selected));
  test_pixels_free (merged);
  test_pixels_free (live);
  test_pixels_free (loaded);
  g_free (selected);
}

void
suite_filters (const gchar *argument)
{
  for (gint selection = 0; selection < SELECTIONS; selection++)
    {
      check (GIMP_GRAY, GIMP_PRECISION_U8_NON_LINEAR, selection);
      check (GIMP_RGB, GIMP_PRECISION_U8_NON_LINEAR, selection);
      check (GIMP_RGB, GIMP_PRECISION_U16_LINEAR, selection);
      check (GIMP_RGB, GIMP_PRECISION_FLOAT_LINEAR, selection);
      check_stack (selection);
    }
}
