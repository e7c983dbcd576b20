/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "format.h"

#include <locale.h>
#include <math.h>
#include <string.h>

#include <glib/gi18n-lib.h>
#include <gtk/gtk.h>

#define MINUS "\342\210\222"
#define NO_BREAK_SPACE "\302\240"
#define LEFT_TO_RIGHT_ISOLATE "\342\201\246"
#define POP_ISOLATE "\342\201\251"

#define MOST_DIGITS 9
/* From here on a double does not tell all its integers apart */
#define TOO_LARGE 1e15

/* ---- Pieces ---- */

/* Replaces spaces, which translators can see, by ones that do not break */
static gchar *
keep_together (gchar *text)
{
  gchar **parts = g_strsplit (text, " ", -1);
  gchar  *kept = g_strjoinv (NO_BREAK_SPACE, parts);

  g_strfreev (parts);
  g_free (text);
  return kept;
}

/* What reads from left to right in any text */
static gchar *
isolate (gchar *text)
{
  gchar *isolated;

  if (gtk_widget_get_default_direction () != GTK_TEXT_DIR_RTL)
    return text;
  isolated = g_strconcat (LEFT_TO_RIGHT_ISOLATE, text, POP_ISOLATE, NULL);
  g_free (text);
  return isolated;
}

/* The locale's text is in the locale's encoding */
static gchar *
of_locale (const gchar *text, const gchar *otherwise)
{
  gchar *utf8 = NULL;

  if (text && *text)
    utf8 = g_locale_to_utf8 (text, -1, NULL, NULL, NULL);
  return utf8 ? utf8 : g_strdup (otherwise);
}

/*
 * Writes what g_ascii_formatd() wrote ("-1234.5", "1.5e+30") as the locale
 * writes it.
 */
static gchar *
localize (const gchar *ascii)
{
  const struct lconv *conventions = localeconv ();
  GString            *text = g_string_new (NULL);
  const gchar        *start = *ascii == '-' ? ascii + 1 : ascii;
  gsize               whole = strspn (start, "0123456789");
  const gchar        *grouping = conventions->grouping;
  gchar              *separator = of_locale (conventions->thousands_sep, "");
  gchar              *point = of_locale (conventions->decimal_point, ".");
  gsize               left = whole;
  const gchar        *rest = start + whole;

  g_string_append_len (text, start, whole);
  while (*separator && *grouping > 0 && *grouping < G_MAXINT8 &&
         left > (gsize) *grouping)
    {
      left -= *grouping;
      g_string_insert (text, left, separator);
      if (grouping[1]) /* the last group's size repeats */
        grouping++;
    }

  for (; *rest; rest++)
    if (*rest == '.')
      g_string_append (text, point);
    else if (*rest == '-')
      g_string_append (text, MINUS);
    else if (*rest == 'e')
      {
        g_string_append_c (text, 'e');
        if (rest[1] == '-')
          g_string_append (text, MINUS);
        rest++; /* the sign */
        while (rest[1] == '0' && rest[2])
          rest++;
      }
    else
      g_string_append_c (text, *rest);

  /* -0.00 is no number that anybody wants to read */
  if (*ascii == '-' && strpbrk (start, "123456789"))
    g_string_prepend (text, MINUS);

  g_free (separator);
  g_free (point);
  return g_string_free (text, FALSE);
}

/* Takes zeros at the end of decimals away, and the point with them */
static void
shorten (gchar *ascii)
{
  gchar *point = strchr (ascii, '.');
  gchar *exponent = strchr (ascii, 'e');
  gchar *end = exponent ? exponent : ascii + strlen (ascii);
  gchar *last = end;

  if (! point)
    return;
  while (last > point && (last[-1] == '0' || last[-1] == '.'))
    if (*--last == '.')
      break;
  memmove (last, end, strlen (end) + 1);
}

static gchar *
name_of (gdouble value)
{
  if (isnan (value))
    return g_strdup (_("NaN"));
  if (value < 0)
    return g_strconcat (MINUS, _("Infinity"), NULL);
  return g_strdup (_("Infinity"));
}

static gchar *
scientific (gdouble value, gint digits)
{
  gchar ascii[G_ASCII_DTOSTR_BUF_SIZE];
  gchar format[8];

  g_snprintf (format, sizeof format, "%%.%de", CLAMP (digits, 0, 15));
  g_ascii_formatd (ascii, sizeof ascii, format, value);
  shorten (ascii);
  return localize (ascii);
}

/* A number that is no isolate yet */
static gchar *
plain (gdouble value, gint digits, gboolean brief)
{
  gchar ascii[64];
  gchar format[8];

  if (! isfinite (value))
    return name_of (value);
  digits = CLAMP (digits, 0, MOST_DIGITS);
  if (fabs (value) >= TOO_LARGE)
    return scientific (value, MAX (digits, 3));

  g_snprintf (format, sizeof format, "%%.%df", digits);
  g_ascii_formatd (ascii, sizeof ascii, format, value);
  if (brief)
    shorten (ascii);
  return localize (ascii);
}

/* @number, which is freed, and a unit */
static gchar *
with_unit (gchar *number, const gchar *unit)
{
  gchar *text;

  if (! unit || ! *unit)
    return number;
  /* a number and its unit: 240 HU */
  text = keep_together (g_strdup_printf (C_("number and unit", "%1$s %2$s"),
                                         number, unit));
  g_free (number);
  return text;
}

/* ---- Numbers ---- */

gchar *
isolux_format_number (gdouble value, gint digits)
{
  return isolate (plain (value, digits, FALSE));
}

gchar *
isolux_format_short (gdouble value, gint digits)
{
  return isolate (plain (value, digits, TRUE));
}

gchar *
isolux_format_value (gdouble value, gint digits, const gchar *unit)
{
  return isolate (with_unit (plain (value, digits, FALSE), unit));
}

gchar *
isolux_format_range (gdouble low, gdouble high, gint digits, const gchar *unit)
{
  gchar *from = plain (low, digits, FALSE);
  gchar *to = plain (high, digits, FALSE);
  /* a dash beside a minus sign is hard to read */
  gchar *text =
    g_str_has_prefix (from, MINUS) || g_str_has_prefix (to, MINUS)
      ? keep_together (g_strdup_printf (C_("range", "%s to %s"), from, to))
      : g_strconcat (from, "\342\200\223", to, NULL);

  g_free (from);
  g_free (to);
  return isolate (with_unit (text, unit));
}

gchar *
isolux_format_step (gdouble value, gdouble step)
{
  gint decimals;

  step = fabs (step);
  if (! isfinite (value) || ! isfinite (step) || step <= 0 ||
      (step > 1e-7 && fabs (value) < TOO_LARGE))
    return isolux_format_number (value, isolux_format_digits (step));

  if (fabs (value) < step / 2)
    return isolux_format_number (0, 0);
  decimals = (gint) (floor (log10 (fabs (value))) - floor (log10 (step)));
  return isolate (scientific (value, decimals));
}

gchar *
isolux_format_percent (gdouble share, gint digits)
{
  gchar *number = plain (100.0 * share, digits, FALSE);
  gchar *text = keep_together (g_strdup_printf (C_("share", "%s %%"), number));

  g_free (number);
  return isolate (text);
}

gchar *
isolux_format_count (gdouble count)
{
  static const struct
  {
    gdouble      size;
    const gchar *prefix;
  } sizes[] = { { 1e12, NC_("thousands", "T") },
                { 1e9, NC_("thousands", "G") },
                { 1e6, NC_("thousands", "M") },
                { 1e3, NC_("thousands", "k") } };
  gsize k;

  for (k = 0; k < G_N_ELEMENTS (sizes); k++)
    /* 999,600 is 1 M in three digits */
    if (fabs (count) >= sizes[k].size * (1.0 - 0.0005))
      {
        gdouble scaled = count / sizes[k].size;
        gint digits = fabs (scaled) < 9.995 ? 2 : fabs (scaled) < 99.95 ? 1 : 0;

        return isolate (with_unit (plain (scaled, digits, TRUE),
                                   g_dpgettext2 (GETTEXT_PACKAGE, "thousands",
                                                 sizes[k].prefix)));
      }
  return isolate (plain (count, 0, FALSE));
}

gchar *
isolux_format_bytes (guint64 bytes)
{
  /* GLib's units are translated */
  return isolate (keep_together (g_format_size (bytes)));
}

gchar *
isolux_format_time (gdouble milliseconds)
{
  gdouble absolute = fabs (milliseconds);

  if (absolute < 999.5)
    return isolux_format_value (milliseconds,
                                absolute < 0.0095 && absolute > 0 ? 3
                                : absolute < 0.995                ? 2
                                : absolute < 9.95                 ? 1
                                                                  : 0,
                                _("ms"));
  return isolux_format_value (milliseconds / 1000.0, absolute < 99500 ? 1 : 0,
                              _("s"));
}

gint
isolux_format_digits (gdouble step)
{
  if (! (fabs (step) > 0) || ! isfinite (step))
    return 0;
  return (gint) CLAMP (ceil (-log10 (fabs (step)) - 1e-6), 0, MOST_DIGITS);
}
