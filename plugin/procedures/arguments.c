/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * arguments.c: from the parameters of an operation to the arguments of a
 * procedure, and back.
 */
#include <libgimp/gimp.h>
#include <glib/gi18n-lib.h>
#include <string.h>

#include "arguments.h"
#include "parameters.h"

gchar *
isolux_with_mnemonic (const gchar *label, GString *taken)
{
  for (gint pass = 0; pass < 2; pass++)
    {
      gboolean starts = TRUE;

      for (const gchar *at = label; *at; at++)
        {
          gchar letter = g_ascii_tolower (*at);

          if (g_ascii_isalpha (*at) && (starts || pass == 1) &&
              ! memchr (taken->str, letter, taken->len))
            {
              g_string_append_c (taken, letter);
              return g_strdup_printf ("%.*s_%s", (int) (at - label), label, at);
            }
          starts = (*at == ' ');
        }
    }
  return g_strdup (label);
}

/* "word", "word", "word" */
static gchar *
list_words (const IsoluxParameter *parameter)
{
  GString *text = g_string_new (NULL);

  for (const IsoluxWord *word = parameter->words; word->word; word++)
    g_string_append_printf (text, "%s\"%s\"",
                            word == parameter->words ? "" : ", ", word->word);
  return g_string_free (text, FALSE);
}

/*
 * A choice is a string here, not GIMP's own choice type: of that, an unknown
 * word becomes the default before anybody can object to it.
 */
static void
add_argument (GimpProcedure         *procedure,
              const IsoluxParameter *parameter,
              GString               *taken)
{
  gchar       *nick = isolux_with_mnemonic (_ (parameter->nick), taken);
  const gchar *blurb = _ (parameter->blurb);
  gchar       *words;
  gchar       *help;

  switch (parameter->type)
    {
      case ISOLUX_PARAMETER_CHOICE:
        words = list_words (parameter);
        help = g_strdup_printf ("%s (%s)", blurb, words);
        gimp_procedure_add_string_argument (procedure, parameter->name, nick,
                                            help, parameter->word,
                                            G_PARAM_READWRITE);
        g_free (help);
        g_free (words);
        break;

      case ISOLUX_PARAMETER_DOUBLE:
        gimp_procedure_add_double_argument (procedure, parameter->name, nick,
                                            blurb, parameter->minimum,
                                            parameter->maximum,
                                            parameter->value,
                                            G_PARAM_READWRITE);
        break;

      case ISOLUX_PARAMETER_INT:
        gimp_procedure_add_int_argument (procedure, parameter->name, nick,
                                         blurb, (gint) parameter->minimum,
                                         (gint) parameter->maximum,
                                         (gint) parameter->value,
                                         G_PARAM_READWRITE);
        break;

      case ISOLUX_PARAMETER_BOOLEAN:
        gimp_procedure_add_boolean_argument (procedure, parameter->name, nick,
                                             blurb, parameter->value != 0.0,
                                             G_PARAM_READWRITE);
        break;
    }

  g_free (nick);
}

void
isolux_add_arguments (GimpProcedure *procedure,
                      const gchar   *operation,
                      GString       *taken)
{
  const IsoluxParameter *parameter = isolux_parameters (operation);

  for (; parameter->name; parameter++)
    if (! gimp_procedure_find_argument (procedure, parameter->name))
      add_argument (procedure, parameter, taken);
}

static gboolean
is_word (const IsoluxParameter *parameter, const gchar *text)
{
  for (const IsoluxWord *word = parameter->words; word->word; word++)
    if (! g_strcmp0 (word->word, text))
      return TRUE;
  return FALSE;
}

gboolean
isolux_check_words (GimpProcedureConfig *config,
                    const gchar         *operation,
                    gboolean             repair,
                    GError             **error)
{
  const IsoluxParameter *parameter = isolux_parameters (operation);
  gboolean               success = TRUE;

  for (; parameter->name && success; parameter++)
    {
      gchar *text;

      if (parameter->type != ISOLUX_PARAMETER_CHOICE)
        continue;

      g_object_get (config, parameter->name, &text, NULL);
      if (is_word (parameter, text))
        ;
      else if (repair)
        g_object_set (config, parameter->name, parameter->word, NULL);
      else
        {
          gchar *words = list_words (parameter);

          g_set_error (error, GIMP_PLUG_IN_ERROR, 0,
                       _("\"%s\" is no value of the argument \"%s\". There "
                         "are: %s."),
                       text ? text : "", parameter->name, words);
          g_free (words);
          success = FALSE;
        }
      g_free (text);
    }
  return success;
}

gint
isolux_get_choice (GimpProcedureConfig *config,
                   const gchar         *operation,
                   const gchar         *name)
{
  const IsoluxParameter *parameter = isolux_parameters (operation);
  gchar                 *text;
  gint                   index = 0;

  while (strcmp (parameter->name, name))
    parameter++;

  g_object_get (config, name, &text, NULL);
  while (parameter->words[index].word &&
         g_strcmp0 (parameter->words[index].word, text))
    index++;
  g_free (text);
  return index;
}
