/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What codes stand for: the text and back, exactly; damaged text. */
#include <math.h>
#include <string.h>

#include "common.h"
#include "real-values.h"

/* ---- Help --------------------------------------------------------- */

static void
assert_same (const IsoluxRealValues *a, const IsoluxRealValues *b)
{
  g_assert_cmpfloat (a->slope, ==, b->slope);
  g_assert_cmpfloat (a->intercept, ==, b->intercept);
  g_assert_cmpstr (a->unit, ==, b->unit);
  g_assert_cmpint (a->has_padding, ==, b->has_padding);
  g_assert_cmpfloat (a->padding, ==, b->padding);
  g_assert_cmpint (a->bits, ==, b->bits);
  g_assert_cmpstr (a->modality, ==, b->modality);
  g_assert_cmpint (a->n_windows, ==, b->n_windows);
  for (gint i = 0; i < a->n_windows; i++)
    for (gint j = 0; j < 2; j++)
      g_assert_cmpfloat (a->windows[i][j], ==, b->windows[i][j]);
  for (gint j = 0; j < 2; j++)
    g_assert_cmpfloat (a->spacing[j], ==, b->spacing[j]);
  g_assert_cmpfloat (a->codes, ==, b->codes);
  g_assert_cmpstr (a->precision, ==, b->precision);
}

static void
assert_plain (const IsoluxRealValues *values)
{
  IsoluxRealValues plain;

  isolux_real_values_init (&plain);
  assert_same (values, &plain);
}

/* Any finite number: of few digits, of many, tiny, huge, subnormal */
static gdouble
any_number (Random *random)
{
  guint64 bits;
  gdouble number;

  switch (random_below (random, 4))
    {
      case 0:
        return (gdouble) random_below (random, 20000) - 10000.0;
      case 1:
        return ((gdouble) random_below (random, 2000000) - 1e6) / 1000.0;
      case 2:
        return (random_unit (random) - 0.5) * 4096.0;
      default:
        do
          {
            bits = random_bits (random);
            memcpy (&number, &bits, sizeof number);
          }
        while (! isfinite (number));
        return number;
    }
}

static gdouble
above_zero (Random *random)
{
  gdouble number;

  do
    number = fabs (any_number (random));
  while (number == 0.0);
  return number;
}

static void
any_values (Random *random, IsoluxRealValues *values)
{
  static const gchar *const units[] = {
    "", "HU", "mm²/s", "cm-1", "US", "a unit with spaces = and signs"
  };
  static const gchar *const modalities[] = { "", "CT", "MR",
                                             "SIXTEEN_LETTERS_" };

  static const gchar *const precisions[] = { "", "u8-linear", "u16-non-linear",
                                             "double-perceptual" };

  isolux_real_values_init (values);
  do
    values->slope = any_number (random);
  while (values->slope == 0.0);
  values->intercept = any_number (random);
  g_strlcpy (values->unit, units[random_below (random, G_N_ELEMENTS (units))],
             sizeof values->unit);
  if (random_below (random, 2))
    {
      values->has_padding = TRUE;
      values->padding = any_number (random);
    }
  values->bits = (gint) random_below (random, 65);
  g_strlcpy (values->modality,
             modalities[random_below (random, G_N_ELEMENTS (modalities))],
             sizeof values->modality);
  values->n_windows = (gint) random_below (random, 9);
  for (gint i = 0; i < values->n_windows; i++)
    {
      values->windows[i][0] = any_number (random);
      values->windows[i][1] = above_zero (random);
    }
  if (random_below (random, 2))
    {
      values->spacing[0] = above_zero (random);
      values->spacing[1] = above_zero (random);
    }
  if (random_below (random, 2))
    values->codes = 65535.0;
  g_strlcpy (values->precision,
             precisions[random_below (random, G_N_ELEMENTS (precisions))],
             sizeof values->precision);
}

/* ---- Tests -------------------------------------------------------- */

static void
test_example (void)
{
  IsoluxRealValues values;

  g_assert_true (
    isolux_real_values_parse ("slope=1\nintercept=-1024\nunit=HU\n"
                              "padding=-2000\nbits=12\nmodality=CT\n"
                              "window=40 400 -600 1500\nspacing=0.7 0.65\n"
                              "loss=nothing\nfuture=42\n",
                              &values));
  g_assert_cmpfloat (values.slope, ==, 1.0);
  g_assert_cmpfloat (values.intercept, ==, -1024.0);
  g_assert_cmpstr (values.unit, ==, "HU");
  g_assert_true (values.has_padding);
  g_assert_cmpfloat (values.padding, ==, -2000.0);
  g_assert_cmpint (values.bits, ==, 12);
  g_assert_cmpstr (values.modality, ==, "CT");
  g_assert_cmpint (values.n_windows, ==, 2);
  g_assert_cmpfloat (values.windows[0][0], ==, 40.0);
  g_assert_cmpfloat (values.windows[0][1], ==, 400.0);
  g_assert_cmpfloat (values.windows[1][0], ==, -600.0);
  g_assert_cmpfloat (values.windows[1][1], ==, 1500.0);
  g_assert_cmpfloat (values.spacing[0], ==, 0.7);
  g_assert_cmpfloat (values.spacing[1], ==, 0.65);
  g_assert_true (isolux_real_values_are_real (&values));
}

static void
test_nothing (void)
{
  static const gchar *const texts[] = { NULL,          "",
                                        "\n",          "  \n\r\n",
                                        "# slope=2\n", "other=1" };
  IsoluxRealValues          values;

  for (gsize i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      g_assert_true (isolux_real_values_parse (texts[i], &values));
      assert_plain (&values);
      g_assert_false (isolux_real_values_are_real (&values));
    }
}

static void
test_spaces (void)
{
  IsoluxRealValues values;

  g_assert_true (isolux_real_values_parse (
    "\r\n  slope =\t2.5 \r\nunit= cm 2 \nslope=3\r\nwindow=\n", &values));
  g_assert_cmpfloat (values.slope, ==, 3.0);
  g_assert_cmpstr (values.unit, ==, "cm 2");
  g_assert_cmpint (values.n_windows, ==, 0);
}

static void
test_damaged (void)
{
  static const gchar *const texts[] = {
    "slope=",
    "slope=0",
    "slope=-0.0",
    "slope=one",
    "slope=1,5",
    "slope=1 2",
    "slope=nan",
    "slope=inf",
    "slope=1e999",
    "slope=1\nintercept=-inf",
    "intercept=--3",
    "padding=none",
    "padding=1x",
    "bits=0",
    "bits=12.5",
    "bits=65",
    "bits=1e9",
    "window=40",
    "window=40 400 80",
    "window=40 0",
    "window=40 -400",
    "window=40,400",
    "spacing=1",
    "spacing=1 0",
    "spacing=1 1 1",
    "codes=0",
    "a line without a sign",
    "slope=1\nunit=\xff\xfe",
  };
  IsoluxRealValues values;

  for (gsize i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      if (isolux_real_values_parse (texts[i], &values))
        g_test_message ("taken for good: \"%s\"", texts[i]);
      g_assert_false (isolux_real_values_parse (texts[i], &values));
      assert_plain (&values);
    }
}

static void
test_long (void)
{
  /* 31 bytes are left; the 16th character of two bytes would be half */
  static const gchar long_unit[] = "unit=µµµµµµµµµµµµµµµµµµµµ\n"
                                   "modality=MANY_MORE_THAN_SIXTEEN\n"
                                   "window=1 1 2 2 3 3 4 4 5 5 6 6 7 7 8 8 9 9";
  IsoluxRealValues   values;

  g_assert_true (isolux_real_values_parse (long_unit, &values));
  g_assert_cmpstr (values.unit, ==, "µµµµµµµµµµµµµµµ");
  g_assert_cmpstr (values.modality, ==, "MANY_MORE_THAN_S");
  g_assert_cmpint (values.n_windows, ==, 8);
  g_assert_cmpfloat (values.windows[7][1], ==, 8.0);
}

static void
test_round_trip (void)
{
  for (guint n = 0; n < 20000; n++)
    {
      Random           random = random_new (test_seed (), n);
      IsoluxRealValues values, again;
      gchar           *text, *same;

      any_values (&random, &values);
      text = isolux_real_values_to_text (&values);
      g_assert_true (isolux_real_values_parse (text, &again));
      assert_same (&values, &again);
      same = isolux_real_values_to_text (&again);
      g_assert_cmpstr (text, ==, same);
      g_free (same);
      g_free (text);
    }
}

static void
test_short (void)
{
  IsoluxRealValues values;
  gchar           *text;

  isolux_real_values_init (&values);
  values.slope = 0.1;
  values.intercept = -1024;
  text = isolux_real_values_to_text (&values);
  g_assert_cmpstr (text, ==, "slope=0.1\nintercept=-1024\n");
  g_free (text);
}

/* Whatever is read, what comes out is usable and reads back the same */
static void
test_hostile (void)
{
  static const gchar bytes[] =
    "0123456789.-+eEnainfx= \t\r\n#slopeunit\x80\xc3";
  guint good = 0;

  for (guint n = 0; n < 50000; n++)
    {
      Random           random = random_new (test_seed (), 100000u + n);
      IsoluxRealValues values, again;
      GString         *text;
      gchar           *written;

      any_values (&random, &values);
      written = isolux_real_values_to_text (&values);
      text = g_string_new (written);
      g_free (written);

      for (guint64 k = random_below (&random, 4); k > 0; k--)
        {
          const gsize place = random_below (&random, text->len);
          const gchar byte = bytes[random_below (&random, sizeof bytes - 1)];

          switch (random_below (&random, 4))
            {
              case 0:
                g_string_truncate (text, MAX (place, 1));
                break;
              case 1:
                g_string_insert_c (text, (gssize) place, byte);
                break;
              case 2:
                g_string_erase (text, (gssize) place, 1);
                g_string_append_c (text, byte);
                break;
              default:
                text->str[place] = byte;
                break;
            }
        }

      if (! isolux_real_values_parse (text->str, &values))
        {
          assert_plain (&values);
        }
      else
        {
          good++;
          g_assert_true (isfinite (values.slope) && values.slope != 0.0);
          g_assert_true (isfinite (values.intercept));
          g_assert_true (g_utf8_validate (values.unit, -1, NULL));
          g_assert_true (g_utf8_validate (values.modality, -1, NULL));
          g_assert_cmpint (values.n_windows, <=, 8);
          for (gint i = 0; i < values.n_windows; i++)
            g_assert_cmpfloat (values.windows[i][1], >, 0.0);
          written = isolux_real_values_to_text (&values);
          g_assert_true (isolux_real_values_parse (written, &again));
          assert_same (&values, &again);
          g_free (written);
        }
      g_string_free (text, TRUE);
    }
  g_test_message ("%u of 50000 texts were good", good);
  g_assert_cmpuint (good, >, 5000);
  g_assert_cmpuint (good, <, 45000);
}

static void
test_keys (void)
{
  const gchar *text = "slope=2\n# said by hand\nfuture = 4\n\nloss=old";
  gchar       *found, *changed, *again;

  found = isolux_real_values_get_key (text, "loss");
  g_assert_cmpstr (found, ==, "old");
  g_free (found);
  g_assert_null (isolux_real_values_get_key (text, "said"));
  g_assert_null (isolux_real_values_get_key (NULL, "loss"));

  changed = isolux_real_values_set_key (text, "loss", "new\nline");
  g_assert_cmpstr (changed, ==,
                   "slope=2\n# said by hand\nfuture = 4\n\nloss=new line\n");
  again = isolux_real_values_set_key (changed, "unit", "HU");
  g_assert_cmpstr (again, ==,
                   "slope=2\n# said by hand\nfuture = 4\n\nloss=new line\n"
                   "unit=HU\n");
  g_free (changed);
  changed = isolux_real_values_set_key (again, "loss", NULL);
  g_assert_cmpstr (changed, ==,
                   "slope=2\n# said by hand\nfuture = 4\n\nunit=HU\n");
  g_free (again);
  g_free (changed);

  changed = isolux_real_values_set_key (NULL, "slope", "3");
  g_assert_cmpstr (changed, ==, "slope=3\n");
  g_free (changed);
}

static void
test_codes (void)
{
  IsoluxRealValues values;

  isolux_real_values_init (&values);
  values.slope = -2.0;
  values.intercept = 100.0;
  g_assert_cmpfloat (isolux_real_values_from_code (&values, 30.0), ==, 40.0);
  g_assert_cmpfloat (isolux_real_values_to_code (&values, 40.0), ==, 30.0);
}

/* Padding is some code's value, whatever rounding made of it */
static void
test_whole_codes (void)
{
  IsoluxRealValues values;

  for (guint n = 0; n < 100000; n++)
    {
      Random  random = random_new (test_seed (), 200000u + n);
      gdouble code = (gdouble) random_below (&random, 65536);
      gdouble value;

      isolux_real_values_init (&values);
      values.slope = (random_unit (&random) - 0.5) * 20.0;
      values.intercept = (random_unit (&random) - 0.5) * 70000.0;
      value = isolux_real_values_from_code (&values, code);
      g_assert_cmpfloat (isolux_real_values_to_whole_code (&values, value), ==,
                         code);
    }

  /* but what lies between codes does */
  isolux_real_values_init (&values);
  values.slope = 0.001;
  g_assert_cmpfloat (isolux_real_values_to_whole_code (&values, 1.0005), ==,
                     isolux_real_values_to_code (&values, 1.0005));
}

/* Codes of another kind */
static void
test_fit (void)
{
  IsoluxRealValues values;

  isolux_real_values_parse ("slope=2\nintercept=-7\ncodes=65535", &values);
  isolux_real_values_fit (&values, "u16-linear");
  g_assert_cmpfloat (values.tolerance, ==, 0.0);
  g_assert_cmpfloat (values.slope, ==, 2.0);

  isolux_real_values_fit (&values, "float-non-linear");
  g_assert_cmpfloat (values.tolerance, >, 0.0);
  g_assert_cmpfloat (values.tolerance, <, 0.5 / 65535.0);
  g_assert_cmpfloat (isolux_real_values_from_code (&values, 0.5), ==,
                     65535.0 - 7.0);

  /* what kind of codes was not told */
  isolux_real_values_parse ("slope=2", &values);
  isolux_real_values_fit (&values, "u32-linear");
  g_assert_cmpfloat (values.tolerance, ==, 0.0);
  g_assert_cmpfloat (values.slope, ==, 2.0);
}

static void
test_precision (void)
{
  static const gchar *const bad[] = { "",         "u16",       "u16-",
                                      "-linear",  "u1-linear", "u16-linear-",
                                      "u16linear" };

  g_assert_cmpint (isolux_precision_encoding ("u16-linear"), ==,
                   ISOLUX_ENCODING_LINEAR);
  g_assert_cmpint (isolux_precision_encoding ("half-non-linear"), ==,
                   ISOLUX_ENCODING_NON_LINEAR);
  g_assert_cmpint (isolux_precision_encoding ("double-perceptual"), ==,
                   ISOLUX_ENCODING_PERCEPTUAL);
  for (gsize i = 0; i < G_N_ELEMENTS (bad); i++)
    {
      IsoluxRealValues values;
      gchar           *text = g_strdup_printf ("precision=%s", bad[i]);

      g_assert_cmpint (isolux_precision_encoding (bad[i]), ==,
                       ISOLUX_ENCODING_UNKNOWN);
      g_assert_true (isolux_real_values_parse (text, &values));
      g_assert_cmpstr (values.precision, ==, "");
      g_free (text);
    }
}

/* What changes of precision cost: the bound against conversions done here */
static void
test_precision_error (void)
{
  /* precision, before and after; codes it is off, at most; -1: all */
  static const struct
  {
    const gchar *was;
    gdouble      codes;
    const gchar *is;
    gdouble      least;
    gdouble      most;
    const gchar *words;
  } rows[] = {
    { "u16-non-linear", 65535, "u16-non-linear", 0, 0, NULL },
    { "u16-non-linear", 65535, "u16-perceptual", 0, 0, NULL },
    { "u16-non-linear", 65535, "u8-non-linear", 128.5, 128.5, "to 129 HU" },
    { "u16-non-linear", 65535, "u8-linear", 1660, 1661, "to 1661 HU" },
    { "u16-non-linear", 65535, "u16-linear", 6.45, 6.47, "linear light" },
    { "u16-non-linear", 65535, "u32-non-linear", 0, 0, NULL },
    { "u16-non-linear", 65535, "u32-linear", 0, 0, NULL },
    { "u16-non-linear", 65535, "half-non-linear", 0.99, 1.01,
      "off by up to 1" },
    { "u16-non-linear", 65535, "float-linear", 0, 0, NULL },
    { "u16-non-linear", 65535, "double-non-linear", 0, 0, NULL },
    { "u16-linear", 65535, "u16-non-linear", 1.13, 1.14, "by up to 1" },
    { "u16-linear", 65535, "half-linear", 0.99, 1.01, "off by up to 1" },
    { "u16-linear", 65535, "half-perceptual", 2.39, 2.41, "off by up to 2" },
    { "u8-non-linear", 255, "u16-non-linear", 0, 0, NULL },
    { "u8-non-linear", 255, "half-linear", 0, 0, NULL },
    { "float-non-linear", 1, "double-linear", 0, 0, NULL },
    { "float-non-linear", 1, "u16-non-linear", INFINITY, INFINITY, "cut off" },
    { "double-non-linear", 1, "u32-linear", INFINITY, INFINITY, "cut off" },
    { "float-non-linear", 1, "half-non-linear", INFINITY, INFINITY, "11 bits" },
    { "double-linear", 1, "half-linear", INFINITY, INFINITY, "11 bits" },
    { "double-linear", 1, "float-linear", 0, 0, NULL },
    { "", 65535, "u8-linear", 0, 0, NULL },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      IsoluxRealValues values;
      gdouble          error;
      gchar           *words;

      isolux_real_values_init (&values);
      values.bits = rows[i].codes > 255.0 ? 12 : 0;
      values.codes = rows[i].codes;
      g_strlcpy (values.unit, "HU", sizeof values.unit);
      g_strlcpy (values.precision, rows[i].was, sizeof values.precision);
      error = isolux_real_values_error (&values, rows[i].is);
      words = isolux_real_values_describe_error (&values, rows[i].is);
      g_test_message ("%s to %s: %g, %s", rows[i].was, rows[i].is, error,
                      words);
      g_assert_cmpfloat (error, >=, rows[i].least);
      g_assert_cmpfloat (error, <=, rows[i].most);
      if (rows[i].words)
        g_assert_nonnull (strstr (words, rows[i].words));
      else
        g_assert_null (words);
      g_free (words);
    }
}

void
add_real_values_tests (void)
{
  g_test_add_func ("/real-values/example", test_example);
  g_test_add_func ("/real-values/nothing", test_nothing);
  g_test_add_func ("/real-values/spaces", test_spaces);
  g_test_add_func ("/real-values/damaged", test_damaged);
  g_test_add_func ("/real-values/long", test_long);
  g_test_add_func ("/real-values/round-trip", test_round_trip);
  g_test_add_func ("/real-values/short", test_short);
  g_test_add_func ("/real-values/hostile", test_hostile);
  g_test_add_func ("/real-values/keys", test_keys);
  g_test_add_func ("/real-values/codes", test_codes);
  g_test_add_func ("/real-values/fit", test_fit);
  g_test_add_func ("/real-values/precision", test_precision);
  g_test_add_func ("/real-values/precision-error", test_precision_error);
  g_test_add_func ("/real-values/whole-codes", test_whole_codes);
}
