/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * From parameters to options.  An object of strings and numbers stands for a
 * GIMP procedure's config; the GEGL operations themselves are looked at in
 * the suite operations.
 */
#include <string.h>

#include "bag.h"
#include "common.h"
#include "settings.h"

static const gdouble weights[3] = { 0.25, 0.5, 0.25 };

/* Reads settings given as for g_object_set() */
static IsoluxOperation
read (const gchar            *name,
      const IsoluxRealValues *values,
      const gchar            *first,
      ...)
{
  GObject        *object = g_object_new (bag_get_type (), NULL);
  IsoluxOperation operation;
  va_list         arguments;

  va_start (arguments, first);
  g_object_set_valist (object, first, arguments);
  va_end (arguments);
  isolux_settings_read (&operation, name, object, weights, values);
  g_object_unref (object);
  return operation;
}

/* ---- Tests -------------------------------------------------------- */

static void
test_kinds (void)
{
  g_assert_cmpint (isolux_settings_kind ("isolux:clahe"), ==,
                   ISOLUX_OPERATION_CLAHE);
  g_assert_cmpint (isolux_settings_kind ("isolux:hog"), ==,
                   ISOLUX_OPERATION_HOG);
  g_assert_cmpint (isolux_settings_kind ("gegl:nop"), ==, -1);
  g_assert_cmpint (isolux_settings_kind ("clahe"), ==, -1);
  g_assert_cmpint (isolux_settings_kind (NULL), ==, -1);
}

/* An object without any of the parameters gives the defaults */
static void
test_defaults (void)
{
  static const IsoluxClaheOptions clahe = ISOLUX_CLAHE_DEFAULTS;
  static const IsoluxHogOptions   hog = ISOLUX_HOG_DEFAULTS;
  GObject                        *object = g_object_new (G_TYPE_OBJECT, NULL);
  IsoluxOperation                 operation;

  isolux_settings_read (&operation, "isolux:clahe", object, weights, NULL);
  g_assert_cmpint (operation.kind, ==, ISOLUX_OPERATION_CLAHE);
  g_assert_cmpfloat (operation.options.clahe.clip_limit, ==, clahe.clip_limit);
  g_assert_cmpint (operation.options.clahe.tiles_x, ==, clahe.tiles_x);
  g_assert_false (operation.options.clahe.use_padding_value);
  g_assert_cmpmem (operation.options.clahe.weights, sizeof weights, weights,
                   sizeof weights);

  isolux_settings_read (&operation, "isolux:hog", object, weights, NULL);
  g_assert_cmpint (operation.options.hog.norm, ==, hog.norm);
  g_assert_cmpint (operation.options.hog.orientations, ==, hog.orientations);
  g_object_unref (object);
}

static void
test_words (void)
{
  IsoluxOperation o;

  o = read ("isolux:clahe", NULL, "bins", "4096", "channels", "each",
            "compatibility", "opencv", "clip-limit", 3.5, "tiles-x", 3,
            "tiles-y", 5, "tile-size", 64, NULL);
  g_assert_cmpint (o.options.clahe.bins, ==, 4096);
  g_assert_cmpint (o.options.clahe.channels, ==, ISOLUX_EQUALIZE_EACH);
  g_assert_cmpint (o.options.clahe.compatibility, ==, ISOLUX_CLAHE_OPENCV);
  g_assert_cmpfloat (o.options.clahe.clip_limit, ==, 3.5);
  g_assert_cmpint (o.options.clahe.tiles_x, ==, 3);
  g_assert_cmpint (o.options.clahe.tiles_y, ==, 5);
  g_assert_cmpint (o.options.clahe.tile_size, ==, 64);

  /* unknown words are the default; procedures refuse them before */
  o = read ("isolux:clahe", NULL, "bins", "7", "channels", NULL, NULL);
  g_assert_cmpint (o.options.clahe.bins, ==, 0);
  g_assert_cmpint (o.options.clahe.channels, ==, ISOLUX_EQUALIZE_LUMA);

  o = read ("isolux:lbp", NULL, "method", "var", "radius", 2.5, "points", 12,
            NULL);
  g_assert_cmpint (o.options.lbp.method, ==, ISOLUX_LBP_VAR);
  g_assert_cmpfloat (o.options.lbp.radius, ==, 2.5);
  g_assert_cmpint (o.options.lbp.points, ==, 12);

  o = read ("isolux:hog", NULL, "signed-gradient", TRUE, "sqrt", TRUE,
            "picture", "magnitude", "norm", "l1", "gradient", "sobel",
            "orientations", 4, "cell-size", 6, "block-size", 2, NULL);
  g_assert_true (o.options.hog.is_signed);
  g_assert_true (o.options.hog.square_root);
  g_assert_cmpint (o.options.hog.picture, ==, ISOLUX_HOG_MAGNITUDE);
  g_assert_cmpint (o.options.hog.norm, ==, ISOLUX_HOG_L1);
  g_assert_cmpint (o.options.hog.gradient, ==, ISOLUX_HOG_SOBEL);
  g_assert_cmpint (o.options.hog.orientations, ==, 4);
  g_assert_cmpint (o.options.hog.cell_size, ==, 6);
  g_assert_cmpint (o.options.hog.block_size, ==, 2);
}

static void
test_window_units (void)
{
  IsoluxRealValues values;
  IsoluxOperation  o;

  o = read ("isolux:window", NULL, "mode", "window", "center", 40.0, "width",
            400.0, NULL);
  g_assert_cmpfloat (o.options.window.center, ==, 40.0);
  g_assert_cmpfloat (o.options.window.width, ==, 400.0);

  isolux_real_values_parse ("slope=0.5\nintercept=-1000\nunit=HU", &values);
  o = read ("isolux:window", &values, "mode", "window", "center", 40.0, "width",
            400.0, NULL);
  g_assert_cmpfloat (o.options.window.center, ==, 2080.0);
  g_assert_cmpfloat (o.options.window.width, ==, 800.0);

  /* codes fall when values rise: the same window from the other side */
  isolux_real_values_parse ("slope=-2\nintercept=4095", &values);
  o = read ("isolux:window", &values, "mode", "window", "center", 95.0, "width",
            200.0, "invert", FALSE, NULL);
  g_assert_cmpfloat (o.options.window.center, ==, 2000.0);
  g_assert_cmpfloat (o.options.window.width, ==, 100.0);
  g_assert_false (o.options.window.invert);
}

static void
test_padding_units (void)
{
  IsoluxRealValues values;
  IsoluxOperation  o;
  gdouble          code;

  /* the image's own is left out when none is named */
  isolux_real_values_parse ("intercept=-1024\npadding=-1000", &values);
  o = read ("isolux:clahe", &values, "use-padding-value", FALSE, NULL);
  g_assert_true (o.options.clahe.use_padding_value);
  g_assert_cmpfloat (o.options.clahe.padding_value, ==, 24.0);
  o = read ("isolux:clahe", &values, "use-padding-value", TRUE, "padding-value",
            -1024.0, NULL);
  g_assert_cmpfloat (o.options.clahe.padding_value, ==, 0.0);

  isolux_real_values_parse ("intercept=-1024", &values);
  o = read ("isolux:clahe", &values, "use-padding-value", FALSE, NULL);
  g_assert_false (o.options.clahe.use_padding_value);

  /* operations without such a parameter: their surface leaves it out */
  isolux_real_values_parse ("slope=0.1\nintercept=-3\npadding=-2.7", &values);
  g_assert_true (isolux_settings_leave_out ("isolux:window", &values, &code));
  g_assert_cmpfloat (code, ==, 3.0);
  g_assert_true (isolux_settings_leave_out ("isolux:equalize", &values, &code));
  g_assert_false (isolux_settings_leave_out ("isolux:clahe", &values, &code));
  g_assert_false (isolux_settings_leave_out ("isolux:lbp", &values, &code));
  isolux_real_values_init (&values);
  g_assert_false (isolux_settings_leave_out ("isolux:window", &values, &code));
  g_assert_false (isolux_settings_leave_out ("isolux:window", NULL, &code));
}

void
add_settings_tests (void)
{
  g_test_add_func ("/settings/kinds", test_kinds);
  g_test_add_func ("/settings/defaults", test_defaults);
  g_test_add_func ("/settings/words", test_words);
  g_test_add_func ("/settings/window-units", test_window_units);
  g_test_add_func ("/settings/padding-units", test_padding_units);
}
