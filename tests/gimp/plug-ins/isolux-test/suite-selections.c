/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * suite-selections.c: what is selected counts and changes, nothing else.
 */
#include <string.h>

#include "test.h"

#define WIDTH 90
#define HEIGHT 70

typedef enum
{
  RECTANGLE,
  ELLIPSE,
  FEATHERED,
  INVERTED,
  PARTLY_OUTSIDE,
  ALL,
  SHAPES
} Shape;

static const gchar *const shape_names[SHAPES] = { "rectangle",      "ellipse",
                                                  "feathered",      "inverted",
                                                  "partly outside", "all" };

static void
select_shape (GimpImage *image, Shape shape)
{
  gimp_context_set_antialias (TRUE);
  gimp_context_set_feather (FALSE);
  switch (shape)
    {
      case RECTANGLE:
        gimp_image_select_rectangle (image, GIMP_CHANNEL_OP_REPLACE, 20, 15, 40,
                                     30);
        break;
      case ELLIPSE:
        gimp_image_select_ellipse (image, GIMP_CHANNEL_OP_REPLACE, 15, 10, 50,
                                   45);
        break;
      case FEATHERED:
        gimp_image_select_rectangle (image, GIMP_CHANNEL_OP_REPLACE, 30, 25, 30,
                                     20);
        gimp_selection_feather (image, 9.0);
        break;
      case INVERTED:
        gimp_image_select_rectangle (image, GIMP_CHANNEL_OP_REPLACE, 30, 20, 20,
                                     20);
        gimp_selection_invert (image);
        break;
      case PARTLY_OUTSIDE:
        gimp_image_select_rectangle (image, GIMP_CHANNEL_OP_REPLACE, 50, 40,
                                     100, 100);
        break;
      default:
        gimp_selection_all (image);
        break;
    }
}

/* Whether pixels that are selected in part lie between what they were and
 * what they would be if selected (@full) */
static gboolean
check_mixture (const TestPixels *before,
               const TestPixels *after,
               const guint8     *selected,
               const TestPixels *full)
{
  gsize    n = (gsize) before->width * before->height * before->components;
  gdouble  step = after->maximum == 1 ? 1e-5 : 1;
  gboolean good = TRUE;

  for (gsize i = 0; i < n; i++)
    {
      gdouble low = MIN (before->values[i], full->values[i]);
      gdouble high = MAX (before->values[i], full->values[i]);
      guint8  much = selected[i / before->components];

      if (much == 0 || much == 255)
        continue;
      if (after->values[i] < low - step || after->values[i] > high + step)
        {
          test_note ("a partly selected pixel became %g, not %g .. %g",
                     after->values[i], low, high);
          good = FALSE;
        }
    }
  return good;
}

/* The layer as it would be with the same pixels counted, but fully selected:
 * a copy where the selection is made hard. */
static TestPixels *
make_full (GimpImage *image)
{
  GimpImage     *copy = gimp_image_duplicate (image);
  GimpLayer    **layers = gimp_image_get_layers (copy);
  GimpDrawable  *layer = GIMP_DRAWABLE (layers[0]);
  GimpSelection *selection = gimp_image_get_selection (copy);
  GeglBuffer    *buffer = gimp_drawable_get_buffer (GIMP_DRAWABLE (selection));
  const Babl    *format = babl_format ("Y float");
  gint size = gegl_buffer_get_width (buffer) * gegl_buffer_get_height (buffer);
  gfloat     *mask = g_new (gfloat, size);
  TestPixels *pixels;

  gegl_buffer_get (buffer, NULL, 1.0, format, mask, GEGL_AUTO_ROWSTRIDE,
                   GEGL_ABYSS_NONE);
  for (gint i = 0; i < size; i++)
    mask[i] = mask[i] > 0 ? 1 : 0;
  gegl_buffer_set (buffer, NULL, 0, format, mask, GEGL_AUTO_ROWSTRIDE);
  g_object_unref (buffer);
  gimp_drawable_update (GIMP_DRAWABLE (selection), 0, 0,
                        gimp_image_get_width (copy),
                        gimp_image_get_height (copy));

  test_run ("equalize", layer, NULL);
  pixels = test_pixels_get (layer);
  g_free (mask);
  g_free (layers);
  gimp_image_delete (copy);
  return pixels;
}

static void
check_shape (Shape         shape,
             GimpPrecision precision,
             gint          x,
             gint          y,
             gboolean      alpha,
             gboolean      non_destructive)
{
  GimpImage    *image = test_image (WIDTH, HEIGHT, GIMP_GRAY, precision);
  GimpDrawable *layer = test_layer (image, x, y, WIDTH - 10, HEIGHT - 5, alpha,
                                    TEST_PHOTO, shape + 1);
  TestPixels   *before = test_pixels_get (layer);
  TestPixels   *after;
  TestPixels   *full;
  guint8       *selected;
  gboolean      good;

  select_shape (image, shape);
  full = make_full (image);
  selected = test_selection (layer);
  good = test_run ("equalize", layer, "non-destructive", non_destructive, NULL);
  if (non_destructive)
    {
      good = good && test_count_filters (layer) == 1;
      gimp_drawable_merge_filters (layer);
    }
  after = test_pixels_get (layer);
  good = good && ! test_pixels_equal (before, after) &&
         expect_equalized (before, full, selected, FALSE, 0);
  good = check_mixture (before, after, selected, full) && good;
  good = good && expect_equalized (before, after, selected, FALSE, 0);
  test_ok (good, "%s, layer at %d,%d, %s%s%s", shape_names[shape], x, y,
           before->maximum == 255 ? "u8" : "float", alpha ? ", alpha" : "",
           non_destructive ? ", non-destructive" : "");

  test_pixels_free (before);
  test_pixels_free (after);
  test_pixels_free (full);
  g_free (selected);
  gimp_image_delete (image);
}

void
suite_selections (const gchar *argument)
{
  for (gint shape = 0; shape < SHAPES; shape++)
    {
      check_shape (shape, GIMP_PRECISION_U8_NON_LINEAR, 0, 0, FALSE, FALSE);
      check_shape (shape, GIMP_PRECISION_U8_NON_LINEAR, -12, 7, TRUE, FALSE);
      check_shape (shape, GIMP_PRECISION_FLOAT_LINEAR, 9, -6, TRUE, FALSE);
      check_shape (shape, GIMP_PRECISION_U8_NON_LINEAR, 5, 5, TRUE, TRUE);
    }
}
