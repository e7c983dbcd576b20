/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * expression.c: conditions on an object's properties.
 */
#include <string.h>

#include "expression.h"

/* How deep parentheses and negations may be nested */
#define DEPTH 32

typedef struct
{
  const gchar *at;
  GObject     *object;
  gint         depth;
} Reader;

static gboolean read_or (Reader *reader, gboolean *value);

static void
skip_space (Reader *reader)
{
  while (g_ascii_isspace (*reader->at))
    reader->at++;
}

/* Takes a sign if it comes next. */
static gboolean
take (Reader *reader, gchar sign)
{
  skip_space (reader);
  if (*reader->at != sign)
    return FALSE;
  reader->at++;
  return TRUE;
}

/* A name or a word, to be freed; NULL when none comes next */
static gchar *
read_name (Reader *reader)
{
  const gchar *start;

  skip_space (reader);
  start = reader->at;
  while (g_ascii_isalnum (*reader->at) || *reader->at == '-' ||
         *reader->at == '_')
    reader->at++;
  return reader->at > start ? g_strndup (start, reader->at - start) : NULL;
}

/* The words in braces; whether @text is one of them */
static gboolean
read_words (Reader *reader, const gchar *text, gboolean *value)
{
  *value = FALSE;
  do
    {
      gchar *word = read_name (reader);

      if (! word)
        return FALSE;
      *value |= ! g_strcmp0 (word, text);
      g_free (word);
    }
  while (take (reader, ','));
  return take (reader, '}');
}

static gboolean
read_text (Reader *reader, const gchar *text, gboolean *value)
{
  if (take (reader, '{'))
    return read_words (reader, text, value);
  *value = text && *text;
  return TRUE;
}

static gboolean
read_property (Reader *reader, const gchar *name, gboolean *value)
{
  GParamSpec *spec =
    g_object_class_find_property (G_OBJECT_GET_CLASS (reader->object), name);
  GValue   content = G_VALUE_INIT;
  GValue   number = G_VALUE_INIT;
  gboolean success = TRUE;

  if (! spec)
    return FALSE;

  g_value_init (&content, spec->value_type);
  g_value_init (&number, G_TYPE_DOUBLE);
  g_object_get_property (reader->object, name, &content);
  if (G_VALUE_HOLDS_STRING (&content))
    success = read_text (reader, g_value_get_string (&content), value);
  else if (G_VALUE_HOLDS_BOOLEAN (&content))
    *value = g_value_get_boolean (&content);
  else if (g_value_transform (&content, &number))
    *value = g_value_get_double (&number) != 0.0;
  else
    success = FALSE;
  g_value_unset (&number);
  g_value_unset (&content);
  return success;
}

static gboolean
read_term (Reader *reader, gboolean *value)
{
  gboolean success;
  gchar   *name;

  *value = FALSE;
  if (reader->depth >= DEPTH)
    return FALSE;
  if (take (reader, '!'))
    {
      reader->depth++;
      success = read_term (reader, value);
      reader->depth--;
      *value = ! *value;
      return success;
    }
  if (take (reader, '('))
    {
      reader->depth++;
      success = read_or (reader, value) && take (reader, ')');
      reader->depth--;
      return success;
    }

  name = read_name (reader);
  if (! name)
    return FALSE;
  if (! strcmp (name, "0") || ! strcmp (name, "1"))
    {
      *value = (*name == '1');
      success = TRUE;
    }
  else
    {
      success = read_property (reader, name, value);
    }
  g_free (name);
  return success;
}

static gboolean
read_and (Reader *reader, gboolean *value)
{
  gboolean next;

  if (! read_term (reader, value))
    return FALSE;
  while (take (reader, '&'))
    {
      if (! read_term (reader, &next))
        return FALSE;
      *value = *value && next;
    }
  return TRUE;
}

static gboolean
read_or (Reader *reader, gboolean *value)
{
  gboolean next;

  if (! read_and (reader, value))
    return FALSE;
  while (take (reader, '|'))
    {
      if (! read_and (reader, &next))
        return FALSE;
      *value = *value || next;
    }
  return TRUE;
}

gboolean
isolux_expression_evaluate (const gchar *expression,
                            GObject     *object,
                            gboolean    *value)
{
  Reader reader = { expression, object, 0 };

  *value = TRUE;
  if (! expression)
    return TRUE;
  if (read_or (&reader, value))
    {
      skip_space (&reader);
      if (! *reader.at)
        return TRUE;
    }
  *value = TRUE;
  return FALSE;
}
