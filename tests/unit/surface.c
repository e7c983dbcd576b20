/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "unit.h"

#include <math.h>
#include <string.h>

#define P(n) (G_GINT64_CONSTANT (1) << (n))

static void
test_images (void)
{
  static const struct
  {
    IsoluxImage image;
    gboolean    good;
  } cases[] = {
    { { 1, 1, 1, ISOLUX_TYPE_U8, 0 }, TRUE },
    { { 0, 1, 1, ISOLUX_TYPE_U8, 0 }, FALSE },
    { { 1, 0, 1, ISOLUX_TYPE_U8, 0 }, FALSE },
    { { -1, 1, 1, ISOLUX_TYPE_U8, 0 }, FALSE },
    { { 1, -1, 1, ISOLUX_TYPE_U8, 0 }, FALSE },
    { { -1, -1, 1, ISOLUX_TYPE_U8, 0 }, FALSE },
    { { P (31) - 1, 1, 4, ISOLUX_TYPE_F32, 0 }, TRUE },
    { { P (31), 1, 1, ISOLUX_TYPE_U8, 0 }, FALSE },
    { { 1, P (31) - 1, 4, ISOLUX_TYPE_F32, 0 }, TRUE },
    { { 1, P (31), 1, ISOLUX_TYPE_U8, 0 }, FALSE },
    { { G_MAXINT64, G_MAXINT64, 1, ISOLUX_TYPE_U8, 0 }, FALSE },
    { { G_MININT64, 1, 1, ISOLUX_TYPE_U8, 0 }, FALSE },
    { { P (23), P (23), 4, ISOLUX_TYPE_F32, 0 }, TRUE },
    { { P (23) + 1, P (23), 1, ISOLUX_TYPE_U8, 0 }, FALSE },
    { { P (23), P (23) + 1, 1, ISOLUX_TYPE_U8, 0 }, FALSE },
    { { P (31) - 1, 32768, 1, ISOLUX_TYPE_U8, 0 }, TRUE },
    { { P (31) - 1, 32769, 1, ISOLUX_TYPE_U8, 0 }, FALSE },
    { { P (31) - 1, P (31) - 1, 1, ISOLUX_TYPE_U8, 0 }, FALSE },
    { { 1, 1, 0, ISOLUX_TYPE_U8, 0 }, FALSE },
    { { 1, 1, 5, ISOLUX_TYPE_U8, 0 }, FALSE },
    { { 1, 1, -1, ISOLUX_TYPE_U8, 0 }, FALSE },
    { { 1, 1, 4, ISOLUX_TYPE_U8, 0 }, TRUE },
    { { 1, 1, 1, (IsoluxType) 3, 0 }, FALSE },
    { { 1, 1, 1, (IsoluxType) -1, 0 }, FALSE },
    { { 1, 1, 1, ISOLUX_TYPE_U16, 7 }, FALSE },
    { { 1, 1, 1, ISOLUX_TYPE_U16, 8 }, TRUE },
    { { 1, 1, 1, ISOLUX_TYPE_U16, 16 }, TRUE },
    { { 1, 1, 1, ISOLUX_TYPE_U16, 17 }, FALSE },
    { { 1, 1, 1, ISOLUX_TYPE_U16, -1 }, FALSE },
    { { 1, 1, 1, ISOLUX_TYPE_U8, 99 }, TRUE }, /* ignored */
    { { 1, 1, 1, ISOLUX_TYPE_F32, -3 }, TRUE },
  };
  IsoluxDevice *device = test_cpu (1);
  gsize         i;

  for (i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      const IsoluxImage *image = &cases[i].image;
      GError            *error = NULL;
      IsoluxSurface     *surface;

      g_test_message ("case %" G_GSIZE_FORMAT, i);
      g_assert_true (isolux_image_check (image, &error) == cases[i].good);
      if (cases[i].good)
        g_assert_no_error (error);
      else
        {
          assert_error (error, ISOLUX_ERROR_ARGUMENT);
          g_assert_null (isolux_surface_new (device, image, &error));
          assert_error (error, ISOLUX_ERROR_ARGUMENT);
          g_assert_null (isolux_surface_new (device, image, NULL));
          continue;
        }
      /* exact, not in 32 bits */
      g_assert_cmpuint (isolux_image_row_bytes (image), ==,
                        (guint64) image->width * image->components *
                          ref_size (image->type));
      if (image->width < 10 && image->height < 10)
        {
          surface = isolux_surface_new (device, image, &error);
          g_assert_no_error (error);
          g_assert_cmpmem (isolux_surface_get_image (surface), sizeof *image,
                           image, sizeof *image);
          g_assert_cmpint (isolux_surface_get_backend (surface), ==,
                           ISOLUX_BACKEND_CPU);
          isolux_surface_unref (surface);
        }
      else if (image->width >= P (20) && image->height >= P (20))
        {
          /* a petabyte is not there, and that is said */
          g_assert_null (isolux_surface_new (device, image, &error));
          assert_error (error, ISOLUX_ERROR_MEMORY);
        }
    }
  isolux_surface_unref (NULL);
  isolux_device_unref (device);
}

/* Rectangles of random size to and from random places. */
static void
test_views (gconstpointer kind)
{
  IsoluxDevice *device =
    GPOINTER_TO_INT (kind) == ISOLUX_BACKEND_CUDA ? test_cuda () : test_cpu (2);
  gint n;

  if (! device)
    return;
  for (n = 0; n < 300; n++)
    {
      Random            random = random_new (test_seed (), 100u + (guint64) n);
      const IsoluxImage image = { 1 + (gint64) random_below (&random, 60),
                                  1 + (gint64) random_below (&random, 40),
                                  1 + (gint) random_below (&random, 4),
                                  (IsoluxType) random_below (&random, 3), 0 };
      const gsize       pixel = ref_size (image.type) * image.components;
      IsoluxSurface    *surface;
      Buffer            whole, part, back;
      IsoluxImage       part_image = image;
      GError           *error = NULL;
      gint              i;
      gint64            y;

      buffer_init (&whole, &image, 0, 0);
      buffer_fill (&whole, VALUES_RANDOM, &random);
      surface = isolux_surface_new (device, &image, &error);
      g_assert_no_error (error);
      g_assert_true (isolux_surface_upload (surface, &whole.view, NULL,
                                            &error));
      for (i = 0; i < 8; i++)
        {
          IsoluxRectangle        r;
          const IsoluxRectangle *given = &r;

          r.x = (gint64) random_below (&random, image.width);
          r.y = (gint64) random_below (&random, image.height);
          r.width = 1 + (gint64) random_below (&random, image.width - r.x);
          r.height = 1 + (gint64) random_below (&random, image.height - r.y);
          if (random_below (&random, 8) == 0)
            {
              r = (IsoluxRectangle) { 0, 0, image.width, image.height };
              given = NULL;
            }
          part_image.width = r.width;
          part_image.height = r.height;
          buffer_init (&part, &part_image, random_below (&random, 9),
                       random_below (&random, 9));
          if (i % 2)
            {
              buffer_fill (&part, VALUES_RANDOM, &random);
              g_assert_true (isolux_surface_upload (surface, &part.view, given,
                                                    &error));
              for (y = 0; y < r.height; y++)
                memcpy ((guint8 *) whole.view.data +
                          (gsize) (r.y + y) * whole.view.stride +
                          (gsize) r.x * pixel,
                        (guint8 *) part.view.data +
                          (gsize) y * part.view.stride,
                        part.row_bytes);
            }
          else
            {
              g_assert_true (isolux_surface_download (surface, &part.view,
                                                      given, &error));
              for (y = 0; y < r.height; y++)
                g_assert_cmpmem ((guint8 *) part.view.data +
                                   (gsize) y * part.view.stride,
                                 part.row_bytes,
                                 (guint8 *) whole.view.data +
                                   (gsize) (r.y + y) * whole.view.stride +
                                   (gsize) r.x * pixel,
                                 part.row_bytes);
            }
          g_assert_no_error (error);
          g_assert_true (buffer_guards_hold (&part));
          buffer_clear (&part);
        }
      buffer_init (&back, &image, 2, 1);
      g_assert_true (isolux_surface_download (surface, &back.view, NULL,
                                              &error));
      g_assert_true (buffer_equal (&whole, &back, &y, &y));
      g_assert_true (buffer_guards_hold (&back));
      buffer_clear (&back);
      buffer_clear (&whole);
      isolux_surface_unref (surface);
    }
  isolux_device_unref (device);
}

static void
test_view_arguments (void)
{
  static const IsoluxRectangle outside[] = {
    { -1, 0, 1, 1 },
    { 0, -1, 1, 1 },
    { 0, 0, 5, 1 },
    { 0, 0, 1, 4 },
    { 4, 0, 1, 1 },
    { 0, 3, 1, 1 },
    { 0, 0, 0, 1 },
    { 0, 0, 1, 0 },
    { 2, 0, -1, 1 },
    { G_MAXINT64, 0, 1, 1 },
    { 0, G_MAXINT64, 1, 1 },
    { 1, 0, G_MAXINT64, 1 },
    { G_MININT64, 0, G_MAXINT64, 1 },
    { 0, G_MININT64, 1, G_MININT64 },
    { 3, 0, 2, 1 },
    { 0, 2, 1, 2 },
  };
  guint16        pixels[12], before[12], area[64] = { 0 };
  IsoluxDevice  *device = test_cpu (1);
  IsoluxSurface *surface;
  IsoluxView     view = { area, 8 };
  GError        *error = NULL;
  guint16       *back;
  gsize          i;

  for (i = 0; i < 12; i++)
    before[i] = pixels[i] = (guint16) (1000 + i);
  surface = surface_of (device, 4, 3, 1, ISOLUX_TYPE_U16, pixels);

#define REFUSED(view, rectangle)                                               \
  G_STMT_START                                                                 \
  {                                                                            \
    g_assert_false (isolux_surface_upload (surface, view, rectangle, &error)); \
    assert_error (error, ISOLUX_ERROR_ARGUMENT);                               \
    g_assert_false (isolux_surface_download (surface, view, rectangle,         \
                                             &error));                         \
    assert_error (error, ISOLUX_ERROR_ARGUMENT);                               \
    g_assert_false (isolux_surface_download (surface, view, rectangle, NULL)); \
  }                                                                            \
  G_STMT_END

  for (i = 0; i < G_N_ELEMENTS (outside); i++)
    {
      g_test_message ("rectangle %" G_GSIZE_FORMAT, i);
      REFUSED (&view, &outside[i]);
    }
  view.stride = 6;
  REFUSED (&view, NULL);
  view.stride = 9;
  REFUSED (&view, NULL);
  view.stride = 0;
  REFUSED (&view, NULL);
  view.stride = 8;
  view.data = (guint8 *) area + 1;
  REFUSED (&view, NULL);
  view.data = NULL;
  REFUSED (&view, NULL);

  for (i = 0; i < G_N_ELEMENTS (area); i++)
    g_assert_cmpuint (area[i], ==, 0);
  back = pixels_of (surface);
  g_assert_cmpmem (back, sizeof before, before, sizeof before);
  g_free (back);

  /* a narrow rectangle goes with a narrow stride */
  view.data = area;
  view.stride = 2;
  g_assert_true (isolux_surface_download (surface, &view,
                                          &(IsoluxRectangle) { 2, 0, 1, 3 },
                                          &error));
  g_assert_no_error (error);
  g_assert_cmpuint (area[0], ==, 1002);
  g_assert_cmpuint (area[1], ==, 1006);
  g_assert_cmpuint (area[2], ==, 1010);
  g_assert_cmpuint (area[3], ==, 0);
  isolux_surface_unref (surface);
  isolux_device_unref (device);
}

static void
test_wrap_arguments (void)
{
  gfloat            pixels[8] = { 0 };
  const IsoluxImage image = { 2, 2, 2, ISOLUX_TYPE_F32, 0 };
  const IsoluxImage empty = { 2, 0, 2, ISOLUX_TYPE_F32, 0 };
  IsoluxDevice     *device = test_cpu (1);
  IsoluxView        view = { pixels, 16 };
  IsoluxSurface    *surface;
  GError           *error = NULL;

  g_assert_null (isolux_surface_wrap (device, &empty, &view, NULL, &error));
  assert_error (error, ISOLUX_ERROR_ARGUMENT);
  view.stride = 12;
  g_assert_null (isolux_surface_wrap (device, &image, &view, NULL, &error));
  assert_error (error, ISOLUX_ERROR_ARGUMENT);
  view.stride = 17;
  g_assert_null (isolux_surface_wrap (device, &image, &view, NULL, &error));
  assert_error (error, ISOLUX_ERROR_ARGUMENT);
  view.stride = 16;
  view.data = (guint8 *) pixels + 2;
  g_assert_null (isolux_surface_wrap (device, &image, &view, NULL, &error));
  assert_error (error, ISOLUX_ERROR_ARGUMENT);
  view.data = NULL;
  g_assert_null (isolux_surface_wrap (device, &image, &view, NULL, &error));
  assert_error (error, ISOLUX_ERROR_ARGUMENT);
  view.data = pixels;
  surface = isolux_surface_wrap (device, &image, &view, NULL, &error);
  g_assert_no_error (error);
  pixels[7] = 5.0f; /* it is the same memory */
  {
    gfloat *back = pixels_of (surface);

    g_assert_cmpfloat (back[7], ==, 5.0f);
    g_free (back);
  }
  isolux_surface_unref (surface);
  g_assert_cmpfloat (pixels[7], ==, 5.0f);
  isolux_device_unref (device);

  /* nobody knows yet whose memory it would have to be */
  {
    IsoluxDevice *either = isolux_device_open (ISOLUX_BACKEND_AUTO, 0, NULL);

    g_assert_null (isolux_surface_wrap (either, &image, &view, NULL, &error));
    g_assert_error (error, ISOLUX_ERROR, ISOLUX_ERROR_ARGUMENT);
    g_clear_error (&error);
    isolux_device_unref (either);
  }
}

/* ---- Regions ---------------------------------------------------------- */

static guint64
counted (IsoluxSurface *surface)
{
  GError          *error = NULL;
  IsoluxHistogram *h = isolux_histogram (surface, NULL, NULL, &error);
  guint64          total;

  g_assert_no_error (error);
  total = h->total[0];
  isolux_histogram_free (h);
  return total;
}

static void
test_regions (void)
{
  static const struct
  {
    IsoluxRectangle rectangle;
    guint64         total;
  } cases[] = {
    { { 0, 0, 7, 5 }, 35 },
    { { 2, 1, 3, 2 }, 6 },
    { { -2, -1, 3, 3 }, 2 },
    { { 5, 3, 100, 100 }, 4 },
    { { 0, 0, 0, 5 }, 0 },
    { { 0, 0, 7, 0 }, 0 },
    { { 7, 0, 3, 3 }, 0 },
    { { 0, 5, 3, 3 }, 0 },
    { { -3, 0, 3, 3 }, 0 },
    { { G_MININT64, G_MININT64, 5, 5 }, 0 },
    { { G_MAXINT64, G_MAXINT64, 5, 5 }, 0 },
    { { -1, -1, G_MAXINT64, G_MAXINT64 }, 35 },
    { { 6, 4, G_MAXINT64, G_MAXINT64 }, 1 },
    { { G_MININT64, 0, G_MAXINT64, 5 }, 0 },
  };
  guint8         pixels[35], mask[40];
  IsoluxDevice  *device = test_cpu (1);
  IsoluxSurface *surface;
  GError        *error = NULL;
  gsize          i;

  for (i = 0; i < 35; i++)
    pixels[i] = (guint8) i;
  surface = surface_of (device, 7, 5, 1, ISOLUX_TYPE_U8, pixels);
  g_assert_cmpuint (counted (surface), ==, 35);
  for (i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_test_message ("rectangle %" G_GSIZE_FORMAT, i);
      g_assert_true (isolux_surface_set_region (surface, &cases[i].rectangle,
                                                NULL, 0, &error));
      g_assert_no_error (error);
      g_assert_cmpuint (counted (surface), ==, cases[i].total);
    }

  /* refused: what was set stays */
  g_assert_true (isolux_surface_set_region (surface,
                                            &(IsoluxRectangle) { 1, 1, 2, 2 },
                                            NULL, 0, &error));
  g_assert_false (isolux_surface_set_region (surface,
                                             &(IsoluxRectangle) { 0, 0, -1, 2 },
                                             NULL, 0, &error));
  assert_error (error, ISOLUX_ERROR_ARGUMENT);
  g_assert_false (isolux_surface_set_region (surface,
                                             &(IsoluxRectangle) { 0, 0, 2,
                                                                  G_MININT64 },
                                             NULL, 0, &error));
  assert_error (error, ISOLUX_ERROR_ARGUMENT);
  memset (mask, 1, sizeof mask);
  g_assert_false (isolux_surface_set_region (surface,
                                             &(IsoluxRectangle) { 0, 0, 3, 2 },
                                             mask, 2, &error));
  assert_error (error, ISOLUX_ERROR_ARGUMENT);
  g_assert_false (isolux_surface_set_region (surface, NULL, mask, 6, NULL));
  g_assert_cmpuint (counted (surface), ==, 4);

  /* a mask alone is one of the whole surface; it is copied */
  memset (mask, 0, sizeof mask);
  mask[0] = mask[8 + 6] = mask[4 * 8 + 3] = 200;
  mask[7] = 255; /* between the rows */
  g_assert_true (isolux_surface_set_region (surface, NULL, mask, 8, &error));
  memset (mask, 1, sizeof mask);
  g_assert_cmpuint (counted (surface), ==, 3);

  /* a mask of which a part lies outside */
  memset (mask, 0, sizeof mask);
  mask[2 * 4 + 1] = 1; /* at 0,1 */
  mask[0] = 1;         /* at -1,-1 */
  g_assert_true (isolux_surface_set_region (surface,
                                            &(IsoluxRectangle) { -1, -1, 4, 4 },
                                            mask, 4, &error));
  g_assert_cmpuint (counted (surface), ==, 1);
  {
    IsoluxHistogram *h = isolux_histogram (surface, NULL, NULL, &error);

    g_assert_cmpuint (h->counts[7], ==, 1);
    isolux_histogram_free (h);
  }

  g_assert_true (isolux_surface_set_region (surface, NULL, NULL, 0, &error));
  g_assert_no_error (error);
  g_assert_cmpuint (counted (surface), ==, 35);
  isolux_surface_unref (surface);
  isolux_device_unref (device);
}

/* What is left of 35 pixels */
static guint64
left (IsoluxSurface *surface, gdouble value, gdouble tolerance)
{
  GError *error = NULL;

  g_assert_true (isolux_surface_leave_out (surface, value, tolerance, &error));
  g_assert_no_error (error);
  return counted (surface);
}

static void
test_leave_out (void)
{
  IsoluxDevice  *device = test_cpu (1);
  IsoluxSurface *surface;
  GError        *error = NULL;
  guint8         codes[35], colors[35 * 4];
  gfloat         floats[35];

  for (gsize i = 0; i < 35; i++)
    codes[i] = (guint8) (i % 7);
  surface = surface_of (device, 7, 5, 1, ISOLUX_TYPE_U8, codes);
  g_assert_cmpuint (left (surface, 7.0, 0.0), ==, 35); /* nobody's */
  g_assert_cmpuint (left (surface, 2.5, 0.0), ==, 35);
  g_assert_cmpuint (left (surface, -1.0, 0.0), ==, 35);
  g_assert_cmpuint (left (surface, 1e300, 0.0), ==, 35);
  g_assert_cmpuint (left (surface, 2.0, 0.0), ==, 30);
  g_assert_cmpuint (left (surface, 2.0, 0.0), ==, 30);
  g_assert_cmpuint (left (surface, 4.5, 0.5), ==, 20); /* and they add up */

  /* it narrows what was set, and setting it starts anew */
  g_assert_true (isolux_surface_set_region (surface,
                                            &(IsoluxRectangle) { 2, 1, 9, 2 },
                                            NULL, 0, &error));
  g_assert_cmpuint (counted (surface), ==, 10);
  g_assert_cmpuint (left (surface, 6.0, 0.0), ==, 8);
  g_assert_cmpuint (left (surface, 0.0, 0.0), ==, 8); /* outside */
  g_assert_true (isolux_surface_set_region (surface, NULL, NULL, 0, &error));
  g_assert_cmpuint (counted (surface), ==, 35);
  g_assert_true (isolux_surface_set_region (surface,
                                            &(IsoluxRectangle) { 0, 0, 0, 0 },
                                            NULL, 0, &error));
  g_assert_cmpuint (left (surface, 0.0, 0.0), ==, 0);

  /* refused: the region stays */
  g_assert_true (isolux_surface_set_region (surface,
                                            &(IsoluxRectangle) { 0, 0, 7, 1 },
                                            NULL, 0, &error));
  g_assert_false (isolux_surface_leave_out (surface, NAN, 0.0, &error));
  assert_error (error, ISOLUX_ERROR_ARGUMENT);
  g_assert_false (isolux_surface_leave_out (surface, 1.0, -1.0, &error));
  assert_error (error, ISOLUX_ERROR_ARGUMENT);
  g_assert_false (isolux_surface_leave_out (surface, 1.0, NAN, NULL));
  g_assert_false (isolux_surface_leave_out (surface, 1.0, INFINITY, NULL));
  g_assert_cmpuint (counted (surface), ==, 7);
  isolux_surface_unref (surface);

  /* all colors must have it, alpha need not */
  for (gsize i = 0; i < 35; i++)
    {
      memset (colors + 4 * i, i < 10 ? 9 : 8, 3);
      colors[4 * i + 3] = 255;
    }
  colors[1] = 8;
  surface = surface_of (device, 7, 5, 4, ISOLUX_TYPE_U8, colors);
  g_assert_cmpuint (left (surface, 9.0, 0.0), ==, 26);
  isolux_surface_unref (surface);

  /* floats: rounded to single precision; NaN never, infinity by its name */
  for (gsize i = 0; i < 35; i++)
    floats[i] = i < 5 ? -2000.1f : (gfloat) i;
  floats[30] = NAN;
  floats[31] = INFINITY;
  surface = surface_of (device, 7, 5, 1, ISOLUX_TYPE_F32, floats);
  g_assert_cmpuint (counted (surface), ==, 34);
  g_assert_cmpuint (left (surface, -2000.1, 0.0), ==, 29);
  g_assert_cmpuint (left (surface, INFINITY, 0.0), ==, 28);
  isolux_surface_unref (surface);
  isolux_device_unref (device);
}

/* A text that does not fit loses whole characters, not parts of one. */
static void
test_texts (void)
{
  const gchar *text = "\xe5\x9b\xbe\xe5\x83\x8f";
  gchar        small[6], large[7];

  isolux_set_text (small, sizeof small, text);
  g_assert_cmpstr (small, ==, "\xe5\x9b\xbe");
  isolux_set_text (large, sizeof large, text);
  g_assert_cmpstr (large, ==, text);
}

void
add_surface_tests (void)
{
  g_test_add_func ("/unit/surface/images", test_images);
  g_test_add_data_func ("/unit/surface/views/cpu",
                        GINT_TO_POINTER (ISOLUX_BACKEND_CPU), test_views);
  g_test_add_data_func ("/unit/surface/views/cuda",
                        GINT_TO_POINTER (ISOLUX_BACKEND_CUDA), test_views);
  g_test_add_func ("/unit/surface/view-arguments", test_view_arguments);
  g_test_add_func ("/unit/surface/wrap-arguments", test_wrap_arguments);
  g_test_add_func ("/unit/surface/texts", test_texts);
  g_test_add_func ("/unit/surface/regions", test_regions);
  g_test_add_func ("/unit/surface/leave-out", test_leave_out);
}
