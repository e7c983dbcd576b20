/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * real-values.c: what the codes of an image stand for.
 */
#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "real-values.h"

/* What a conversion with rounding may be off, relative to its terms */
#define ROUNDING 1e-12

/* Codes that went through another type are this close to what they were */
#define SAME_CODE 0.45

/* What floats lose on the way to another curve and back, relatively */
#define BENDING 1e-5

/* Steps of the one curve in those of the other, at most: sRGB's in the dark,
 * and linear light's at white; and what rounding a code by a share of it does
 * to its light */
#define LINEAR_STEP 12.92
#define GAMMA_STEP 2.275
#define LINEAR_POWER 2.4

/* Integers that are closer than this to what they were can be told apart */
#define EXACT 0.1

/* step: half of the way between integers of 0 to 1, or of floats near 1 */
static const struct
{
  const gchar *word;
  gdouble      codes;
  gboolean     is_float;
  gdouble      step;
  const gchar *name;
} types[] = {
  { "u8", 255.0, FALSE, 0.5 / 255.0, N_("8-bit integer") },
  { "u16", 65535.0, FALSE, 0.5 / 65535.0, N_("16-bit integer") },
  { "u32", 1.0, FALSE, 0.5 / 4294967295.0, N_("32-bit integer") },
  { "half", 1.0, TRUE, 0x1p-12, N_("16-bit floating point") },
  { "float", 1.0, TRUE, 0x1p-25, N_("32-bit floating point") },
  { "double", 1.0, TRUE, 0x1p-54, N_("64-bit floating point") },
};

static const gchar *const encodings[] = { "linear", "non-linear",
                                          "perceptual" };

void
isolux_real_values_init (IsoluxRealValues *values)
{
  memset (values, 0, sizeof *values);
  values->slope = 1.0;
}

/* ---- Reading ------------------------------------------------------ */

/* Reads a number and moves @text behind it and the spaces that follow */
static gboolean
take_number (const gchar **text, gdouble *number)
{
  gchar *end;

  *number = g_ascii_strtod (*text, &end);
  if (end == *text || ! isfinite (*number))
    return FALSE;
  if (*end && ! g_ascii_isspace (*end))
    return FALSE;
  while (g_ascii_isspace (*end))
    end++;
  *text = end;
  return TRUE;
}

static gboolean
read_number (const gchar *text, gdouble *number)
{
  return take_number (&text, number) && ! *text;
}

static gboolean
read_bits (const gchar *text, gint *bits)
{
  gdouble number;

  if (! read_number (text, &number) || number < 1.0 || number > 64.0 ||
      number != floor (number))
    return FALSE;
  *bits = (gint) number;
  return TRUE;
}

/* As much of the text as fits, whole characters */
static void
read_word (const gchar *text, gchar *word, gsize size)
{
  const gchar *end = text + strlen (text);

  while ((gsize) (end - text) >= size)
    end = g_utf8_find_prev_char (text, end);
  memcpy (word, text, (gsize) (end - text));
  word[end - text] = '\0';
  g_strchomp (word);
}

static gboolean
read_windows (const gchar *text, IsoluxRealValues *values)
{
  gdouble center, width;

  values->n_windows = 0;
  while (*text)
    {
      if (! take_number (&text, &center) || ! take_number (&text, &width) ||
          width <= 0.0)
        return FALSE;
      if (values->n_windows < (gint) G_N_ELEMENTS (values->windows))
        {
          values->windows[values->n_windows][0] = center;
          values->windows[values->n_windows][1] = width;
          values->n_windows++;
        }
    }
  return TRUE;
}

static gboolean
read_spacing (const gchar *text, gdouble spacing[2])
{
  return take_number (&text, &spacing[0]) && take_number (&text, &spacing[1]) &&
         ! *text && spacing[0] > 0.0 && spacing[1] > 0.0;
}

static gboolean
read_line (const gchar *key, const gchar *text, IsoluxRealValues *values)
{
  if (! strcmp (key, "slope"))
    return read_number (text, &values->slope) && values->slope != 0.0;
  if (! strcmp (key, "intercept"))
    return read_number (text, &values->intercept);
  if (! strcmp (key, "padding"))
    return values->has_padding = read_number (text, &values->padding);
  if (! strcmp (key, "bits"))
    return read_bits (text, &values->bits);
  if (! strcmp (key, "window"))
    return read_windows (text, values);
  if (! strcmp (key, "spacing"))
    return read_spacing (text, values->spacing);
  if (! strcmp (key, "codes"))
    return read_number (text, &values->codes) && values->codes >= 1.0;
  if (! strcmp (key, "precision"))
    {
      read_word (text, values->precision, sizeof values->precision);
      if (isolux_precision_encoding (values->precision) ==
          ISOLUX_ENCODING_UNKNOWN)
        values->precision[0] = '\0';
      return TRUE;
    }

  if (! strcmp (key, "unit"))
    read_word (text, values->unit, sizeof values->unit);
  else if (! strcmp (key, "modality"))
    read_word (text, values->modality, sizeof values->modality);
  return TRUE;
}

/* Cuts a line in two, which are stripped; FALSE: it is none that says
 * anything.  @text is %NULL when there is no "=". */
static gboolean
split_line (gchar *line, const gchar **key, const gchar **text)
{
  gchar *equals;

  g_strstrip (line);
  if (! *line || *line == '#')
    return FALSE;

  equals = strchr (line, '=');
  *text = NULL;
  if (equals)
    {
      *equals = '\0';
      g_strchomp (line);
      *text = g_strchug (equals + 1);
    }
  *key = line;
  return TRUE;
}

gboolean
isolux_real_values_parse (const gchar *text, IsoluxRealValues *values)
{
  gchar  **lines;
  gboolean good = TRUE;

  isolux_real_values_init (values);
  if (! text)
    return TRUE;
  if (! g_utf8_validate (text, -1, NULL))
    return FALSE;

  lines = g_strsplit_set (text, "\r\n", -1);
  for (gint i = 0; lines[i] && good; i++)
    {
      const gchar *key, *value;

      if (split_line (lines[i], &key, &value))
        good = value && read_line (key, value, values);
    }
  g_strfreev (lines);

  if (! good)
    isolux_real_values_init (values);
  return good;
}

gchar *
isolux_real_values_get_key (const gchar *text, const gchar *wanted)
{
  gchar **lines = g_strsplit_set (text ? text : "", "\r\n", -1);
  gchar  *found = NULL;

  for (gint i = 0; lines[i]; i++)
    {
      const gchar *key, *value;

      if (split_line (lines[i], &key, &value) && value &&
          ! strcmp (key, wanted))
        {
          g_free (found);
          found = g_strdup (value);
        }
    }
  g_strfreev (lines);
  return found;
}

/* ---- Writing ------------------------------------------------------ */

/* The fewest digits that give the same number again */
static void
append_number (GString *text, gdouble number)
{
  gchar form[8], digits[G_ASCII_DTOSTR_BUF_SIZE];

  for (gint n = 1; n <= 17; n++)
    {
      g_snprintf (form, sizeof form, "%%.%dg", n);
      g_ascii_formatd (digits, sizeof digits, form, number);
      if (g_ascii_strtod (digits, NULL) == number)
        break;
    }
  g_string_append (text, digits);
}

/* A line of text, whatever a caller put into the struct */
static void
append_word (GString *text, const gchar *key, const gchar *word)
{
  gchar *line = g_strdelimit (g_strdup (word), "\r\n", ' ');

  if (*line)
    g_string_append_printf (text, "%s=%s\n", key, line);
  g_free (line);
}

static void
append_line (GString *text, const gchar *key, gdouble number)
{
  g_string_append_printf (text, "%s=", key);
  append_number (text, number);
  g_string_append_c (text, '\n');
}

gchar *
isolux_real_values_to_text (const IsoluxRealValues *values)
{
  GString *text = g_string_new (NULL);

  append_line (text, "slope", values->slope);
  append_line (text, "intercept", values->intercept);
  append_word (text, "unit", values->unit);
  if (values->has_padding)
    append_line (text, "padding", values->padding);
  if (values->bits > 0)
    g_string_append_printf (text, "bits=%d\n", values->bits);
  append_word (text, "modality", values->modality);

  for (gint i = 0; i < values->n_windows; i++)
    {
      g_string_append (text, i ? " " : "window=");
      append_number (text, values->windows[i][0]);
      g_string_append_c (text, ' ');
      append_number (text, values->windows[i][1]);
    }
  if (values->n_windows > 0)
    g_string_append_c (text, '\n');

  if (values->spacing[0] > 0.0 && values->spacing[1] > 0.0)
    {
      g_string_append (text, "spacing=");
      append_number (text, values->spacing[0]);
      g_string_append_c (text, ' ');
      append_number (text, values->spacing[1]);
      g_string_append_c (text, '\n');
    }
  if (values->codes > 0.0)
    append_line (text, "codes", values->codes);
  append_word (text, "precision", values->precision);
  return g_string_free (text, FALSE);
}

gchar *
isolux_real_values_set_key (const gchar *text,
                            const gchar *wanted,
                            const gchar *new_value)
{
  gchar  **lines = g_strsplit (text ? text : "", "\n", -1);
  GString *result = g_string_new (NULL);
  gchar   *line = NULL;

  if (new_value)
    line =
      g_strdelimit (g_strdup_printf ("%s=%s", wanted, new_value), "\r\n", ' ');

  for (gint i = 0; lines[i]; i++)
    {
      gchar       *copy = g_strdup (lines[i]);
      const gchar *key, *value;
      gboolean     says = split_line (copy, &key, &value);

      if (says && ! strcmp (key, wanted))
        {
          if (line)
            g_string_append_printf (result, "%s\n", line);
          g_clear_pointer (&line, g_free);
        }
      else if (lines[i + 1] || *lines[i]) /* no line behind the last end */
        {
          g_string_append_printf (result, "%s\n", lines[i]);
        }
      g_free (copy);
    }
  if (line)
    g_string_append_printf (result, "%s\n", line);

  g_free (line);
  g_strfreev (lines);
  return g_string_free (result, FALSE);
}

/* ---- Using -------------------------------------------------------- */

/* The type of a precision; -1 when it is none of GIMP's */
static gint
split_precision (const gchar *precision, IsoluxEncoding *encoding)
{
  const gchar *dash = strchr (precision, '-');

  *encoding = ISOLUX_ENCODING_UNKNOWN;
  if (! dash)
    return -1;
  for (gsize i = 0; i < G_N_ELEMENTS (encodings); i++)
    if (! strcmp (dash + 1, encodings[i]))
      *encoding = (IsoluxEncoding) i;
  if (*encoding == ISOLUX_ENCODING_UNKNOWN)
    return -1;

  for (gsize i = 0; i < G_N_ELEMENTS (types); i++)
    if (strlen (types[i].word) == (gsize) (dash - precision) &&
        g_str_has_prefix (precision, types[i].word))
      return (gint) i;
  *encoding = ISOLUX_ENCODING_UNKNOWN;
  return -1;
}

IsoluxEncoding
isolux_precision_encoding (const gchar *precision)
{
  IsoluxEncoding encoding;

  split_precision (precision, &encoding);
  return encoding;
}

IsoluxEncoding
isolux_real_values_bent (const IsoluxRealValues *values, const gchar *precision)
{
  IsoluxEncoding was = isolux_precision_encoding (values->precision);
  IsoluxEncoding is = isolux_precision_encoding (precision);

  return is == ISOLUX_ENCODING_UNKNOWN || was == is ? ISOLUX_ENCODING_UNKNOWN
                                                    : was;
}

/* Half of the way between two pixels of a type, as codes of the whole range
 * from 0 to 1, where they are farthest from each other */
static gdouble
half_step (const IsoluxRealValues *values, gint type, IsoluxEncoding encoding)
{
  IsoluxEncoding was = isolux_precision_encoding (values->precision);
  gdouble        step = types[type].step;

  if (types[type].is_float)
    {
      /* the larger the code, the more it is rounded */
      if (values->bits > 0 && values->codes > 1.0)
        step *= MIN (ldexp (1.0, values->bits) / values->codes, 1.0);
      if (was == ISOLUX_ENCODING_LINEAR && encoding != was)
        step *= LINEAR_POWER;
      return step;
    }
  if (was == ISOLUX_ENCODING_UNKNOWN || was == encoding)
    return step;
  if (encoding == ISOLUX_ENCODING_LINEAR)
    return step * LINEAR_STEP;
  return was == ISOLUX_ENCODING_LINEAR ? step * GAMMA_STEP : step;
}

static gboolean
is_changed (const IsoluxRealValues *values,
            const gchar            *precision,
            gint                   *was,
            gint                   *is,
            IsoluxEncoding         *encoding)
{
  IsoluxEncoding old;

  *was = split_precision (values->precision, &old);
  *is = split_precision (precision, encoding);
  return *was >= 0 && *is >= 0 && (*was != *is || old != *encoding);
}

void
isolux_real_values_fit (IsoluxRealValues *values, const gchar *precision)
{
  const IsoluxEncoding bent = isolux_real_values_bent (values, precision);
  const gdouble        old = values->codes;
  IsoluxEncoding       encoding;
  gint                 was, is;
  gdouble              codes, step = 0.0;

  is = split_precision (precision, &encoding);
  codes = is >= 0 && bent == ISOLUX_ENCODING_UNKNOWN ? types[is].codes : 1.0;
  if (is_changed (values, precision, &was, &is, &encoding))
    step = 1.01 * half_step (values, is, encoding) * codes;

  values->codes = codes;
  values->tolerance = 0.0;
  if (old != 0.0 && old != codes)
    {
      values->slope *= old / codes;
      values->bits = 0;
      if (old > 1.0)
        values->tolerance = SAME_CODE * codes / old;
    }
  values->tolerance = MAX (values->tolerance, step);
  if (bent != ISOLUX_ENCODING_UNKNOWN && values->has_padding)
    values->tolerance =
      MAX (values->tolerance,
           BENDING *
             fabs (isolux_real_values_to_code (values, values->padding)));
}

gdouble
isolux_real_values_error (const IsoluxRealValues *values,
                          const gchar            *precision)
{
  IsoluxEncoding encoding;
  gint           was, is;
  gdouble        step;

  if (! is_changed (values, precision, &was, &is, &encoding))
    return 0.0;
  if (types[was].is_float)
    return ! types[is].is_float || is < was - 1 ||
               (is < was && ! strcmp (types[is].word, "half"))
             ? INFINITY
             : 0.0;

  /* the two are one curve unless there is a profile with another */
  if (was == is && encoding != ISOLUX_ENCODING_LINEAR &&
      isolux_precision_encoding (values->precision) != ISOLUX_ENCODING_LINEAR)
    return 0.0;
  step = half_step (values, is, encoding);
  if (step < 2.0 * EXACT * types[was].step)
    return 0.0;
  return step * fabs (values->slope) * MAX (values->codes, 1.0);
}

gchar *
isolux_real_values_describe_error (const IsoluxRealValues *values,
                                   const gchar            *precision)
{
  const gdouble  error = isolux_real_values_error (values, precision);
  IsoluxEncoding encoding;
  gint           was, is;
  gchar          number[32];

  if (error == 0.0)
    return NULL;
  is_changed (values, precision, &was, &is, &encoding);
  if (isinf (error) && types[is].is_float)
    return g_strdup_printf (_("The precision was changed from %s to %s after "
                              "the values had been stored: they are rounded "
                              "to 11 bits, and what is too large for them is "
                              "lost."),
                            _ (types[was].name), _ (types[is].name));
  if (isinf (error))
    return g_strdup_printf (_("The precision was changed from %s to %s after "
                              "the values had been stored: what was below 0 "
                              "or above 1 is cut off."),
                            _ (types[was].name), _ (types[is].name));

  if (error < 100.0)
    g_snprintf (number, sizeof number, "%.3g", error);
  else
    g_snprintf (number, sizeof number, "%.0f", ceil (error));
  if (encoding == ISOLUX_ENCODING_LINEAR &&
      isolux_precision_encoding (values->precision) != ISOLUX_ENCODING_LINEAR)
    return g_strdup_printf (_("The precision was changed from %s to %s in "
                              "linear light after the values had been stored: "
                              "they are off by up to %s%s%s."),
                            _ (types[was].name), _ (types[is].name), number,
                            values->unit[0] ? " " : "", values->unit);
  return g_strdup_printf (_("The precision was changed from %s to %s after "
                            "the values had been stored: they are off by up "
                            "to %s%s%s."),
                          _ (types[was].name), _ (types[is].name), number,
                          values->unit[0] ? " " : "", values->unit);
}

gboolean
isolux_real_values_are_real (const IsoluxRealValues *values)
{
  return values->slope != 1.0 || values->intercept != 0.0 || values->unit[0];
}

gdouble
isolux_real_values_from_code (const IsoluxRealValues *values, gdouble code)
{
  return values->slope * code + values->intercept;
}

gdouble
isolux_real_values_to_code (const IsoluxRealValues *values, gdouble value)
{
  return (value - values->intercept) / values->slope;
}

gdouble
isolux_real_values_to_whole_code (const IsoluxRealValues *values, gdouble value)
{
  const gdouble code = isolux_real_values_to_code (values, value);
  const gdouble whole = floor (code + 0.5);
  const gdouble terms = (fabs (value) + fabs (values->intercept)) /
                        fabs (values->slope);

  return fabs (code - whole) <= ROUNDING * terms ? whole : code;
}
