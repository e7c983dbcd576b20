/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * real-values.c: what the codes of an image stand for.
 */
#include <math.h>
#include <string.h>

#include "real-values.h"

/* What a conversion with rounding may be off, relative to its terms */
#define ROUNDING 1e-12

/* Codes that went through another type are this close to what they were */
#define SAME_CODE 0.45

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

gdouble
isolux_real_values_adapt (IsoluxRealValues *values, gdouble codes)
{
  const gdouble old = values->codes;

  values->codes = codes;
  if (old == 0.0 || old == codes)
    return 0.0;
  values->slope *= old / codes;
  return SAME_CODE * codes / old;
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
