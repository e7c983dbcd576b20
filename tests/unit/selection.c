/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "unit.h"

#include <string.h>

static void
test_round_trip (void)
{
  gint n;

  for (n = 0; n < 300; n++)
    {
      Random          random = random_new (test_seed (), 2000u + (guint64) n);
      const gint64    width = 1 + (gint64) random_below (&random, 80);
      const gint64    height = 1 + (gint64) random_below (&random, 80);
      const gsize     stride = (gsize) width + random_below (&random, 4);
      const guint64   sparse = 1 + random_below (&random, 200);
      guint8         *mask = g_malloc (stride * (gsize) height);
      guint8         *back = (gpointer) 1;
      IsoluxRectangle r;
      GError         *error = NULL;
      gchar          *text, *prefix;
      gsize           i;
      gint64          x, y;

      for (i = 0; i < stride * (gsize) height; i++)
        mask[i] = random_below (&random, sparse)
                    ? 0
                    : (guint8) (1 + random_below (&random, 255));
      text = isolux_selection_to_string (width, height, mask, stride, &error);
      g_assert_no_error (error);
      g_assert_true (g_str_is_ascii (text));
      prefix = g_strdup_printf ("%" G_GINT64_FORMAT "x%" G_GINT64_FORMAT ":",
                                width, height);
      g_assert_true (g_str_has_prefix (text, prefix));
      g_assert_true (isolux_selection_from_string (text, &r, &back, &error));
      g_assert_no_error (error);
      g_assert_cmpint (r.x, ==, 0);
      g_assert_cmpint (r.y, ==, 0);
      g_assert_cmpint (r.width, ==, width);
      g_assert_cmpint (r.height, ==, height);
      for (y = 0; y < height; y++)
        for (x = 0; x < width; x++)
          g_assert_cmpuint (back[y * width + x], ==,
                            mask[(gsize) y * stride + (gsize) x] ? 255 : 0);
      g_free (back);
      g_free (prefix);
      g_free (text);
      g_free (mask);
    }
}

static void
test_rectangles (void)
{
  static const gint64 sizes[][2] = {
    { 1, 1 }, { 640, 480 }, { 0x7fffffff, 1 }, { 0x7fffffff, 0x7fffffff }
  };
  gsize i;

  for (i = 0; i < G_N_ELEMENTS (sizes); i++)
    {
      GError         *error = NULL;
      IsoluxRectangle r = { 9, 9, 9, 9 };
      guint8         *mask = (gpointer) 1;
      gchar          *text;

      text =
        isolux_selection_to_string (sizes[i][0], sizes[i][1], NULL, 0, &error);
      g_assert_no_error (error);
      g_assert_true (isolux_selection_from_string (text, &r, &mask, &error));
      g_assert_no_error (error);
      g_assert_null (mask);
      g_assert_cmpint (r.x, ==, 0);
      g_assert_cmpint (r.y, ==, 0);
      g_assert_cmpint (r.width, ==, sizes[i][0]);
      g_assert_cmpint (r.height, ==, sizes[i][1]);
      g_free (text);
    }
}

static void
test_arguments (void)
{
  static const gint64 sizes[][2] = { { 0, 1 },
                                     { 1, 0 },
                                     { -1, 1 },
                                     { 1, -1 },
                                     { G_GINT64_CONSTANT (1) << 31, 1 },
                                     { 1, G_MAXINT64 },
                                     { G_MININT64, G_MININT64 } };
  guint8              mask[16] = { 0 };
  GError             *error = NULL;
  gsize               i;

  for (i = 0; i < G_N_ELEMENTS (sizes); i++)
    {
      g_assert_null (isolux_selection_to_string (sizes[i][0], sizes[i][1], NULL,
                                                 0, &error));
      assert_error (error, ISOLUX_ERROR_ARGUMENT);
    }
  g_assert_null (isolux_selection_to_string (4, 4, mask, 3, &error));
  assert_error (error, ISOLUX_ERROR_ARGUMENT);
  g_assert_null (isolux_selection_to_string (4, 4, mask, 3, NULL));
}

static void
refuse (const gchar *text)
{
  GError         *error = NULL;
  IsoluxRectangle r;
  guint8         *mask = NULL;

  g_assert_false (isolux_selection_from_string (text, &r, &mask, &error));
  assert_error (error, ISOLUX_ERROR_ARGUMENT);
  g_assert_null (mask);
  g_assert_false (isolux_selection_from_string (text, &r, &mask, NULL));
}

static void
test_damaged (void)
{
  static const gchar *const texts[] = {
    "10",
    "x",
    "10x",
    "x10",
    "10x0",
    "0x10",
    "-1x3",
    "+1x3",
    " 1x3",
    "1x3 ",
    "1 x3",
    "1X3",
    "0x1x3",
    "1x3x4",
    "2147483648x1",
    "1x2147483648",
    "99999999999999999999x1",
    "18446744073709551617x1",
    "10x10:",
    "10x10:AAAA",
    "10x10:!!!!",
    "10x10: ",
    "1e1x3",
    "10.5x3",
    "10x10;AAAA",
    "nonsense",
    "\xff\xfe",
    "::",
    "10x10:eJwDAAAAAAE=", /* nothing, well packed */
    "2147483647x2147483647:eJxjYGAAAAADAAE="
  };
  Random          random = random_new (test_seed (), 2500);
  guint8          selected[30 * 20];
  gchar          *text, *other;
  IsoluxRectangle r;
  guint8         *mask;
  GError         *error = NULL;
  gsize           i, length;

  for (i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      gchar *shown = g_strescape (texts[i], NULL);

      g_test_message ("%s", shown);
      g_free (shown);
      refuse (texts[i]);
    }

  /* no selection, which is no error */
  g_assert_false (isolux_selection_from_string (NULL, &r, &mask, &error));
  g_assert_no_error (error);
  g_assert_false (isolux_selection_from_string ("", &r, &mask, &error));
  g_assert_no_error (error);

  for (i = 0; i < sizeof selected; i++)
    selected[i] = (guint8) random_below (&random, 2);
  text = isolux_selection_to_string (30, 20, selected, 30, NULL);
  length = strlen (text);

  /* of another size */
  other = g_strconcat ("30x21", strchr (text, ':'), NULL);
  refuse (other);
  g_free (other);
  other = g_strconcat ("30x19", strchr (text, ':'), NULL);
  refuse (other);
  g_free (other);
  other = g_strconcat ("33x20", strchr (text, ':'), NULL);
  refuse (other);
  g_free (other);
  other = g_strconcat ("30000x20000", strchr (text, ':'), NULL);
  refuse (other);
  g_free (other);

  /* cut off anywhere */
  for (i = 6; i + 4 < length; i += 3)
    {
      other = g_strndup (text, i);
      refuse (other);
      g_free (other);
    }

  /* a letter changed anywhere: refused, or (base64 has spare bits) the same */
  for (i = 0; i < 3000; i++)
    {
      const gsize at = (gsize) random_below (&random, length);

      other = g_strdup (text);
      other[at] = (gchar) (1 + random_below (&random, 255));
      mask = NULL;
      if (isolux_selection_from_string (other, &r, &mask, &error))
        {
          gsize k;

          g_assert_no_error (error);
          if (mask && r.width == 30 && r.height == 20)
            for (k = 0; k < sizeof selected; k++)
              g_assert_cmpuint (mask[k], ==, selected[k] ? 255 : 0);
        }
      else
        assert_error (error, ISOLUX_ERROR_ARGUMENT);
      g_free (mask);
      g_free (other);
    }
  g_free (text);
}

void
add_selection_tests (void)
{
  g_test_add_func ("/unit/selection/round-trip", test_round_trip);
  g_test_add_func ("/unit/selection/rectangles", test_rectangles);
  g_test_add_func ("/unit/selection/arguments", test_arguments);
  g_test_add_func ("/unit/selection/damaged", test_damaged);
}
