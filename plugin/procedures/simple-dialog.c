/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * simple-dialog.c: GIMP's standard dialog for procedures that show nothing
 * but their arguments.
 */
#include <libgimp/gimp.h>
#include <libgimp/gimpui.h>
#include <glib/gi18n-lib.h>
#include <string.h>

#include "simple-dialog.h"

/* A combo box for an argument that is a word, with its label.  The dialog
 * would show a text entry. */
static GtkWidget *
choice_row (GimpProcedure       *procedure,
            GimpProcedureConfig *config,
            const IsoluxRow     *row)
{
  GParamSpec   *spec = gimp_procedure_find_argument (procedure, row->name);
  GtkListStore *store = gtk_list_store_new (2, G_TYPE_STRING, G_TYPE_STRING);
  GtkWidget    *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  GtkWidget    *label, *combo;

  for (const IsoluxWord *word = row->words; word->word; word++)
    gtk_list_store_insert_with_values (store, NULL, -1, 0, word->word, 1,
                                       _ (word->label), -1);
  combo = gimp_prop_string_combo_box_new (G_OBJECT (config), row->name,
                                          GTK_TREE_MODEL (store), 0, 1);
  g_object_unref (store);
  gtk_widget_set_tooltip_text (combo, g_param_spec_get_blurb (spec));

  label = gtk_label_new_with_mnemonic (g_param_spec_get_nick (spec));
  gtk_label_set_mnemonic_widget (GTK_LABEL (label), combo);
  gtk_box_pack_start (GTK_BOX (box), label, FALSE, FALSE, 0);
  gtk_box_pack_start (GTK_BOX (box), combo, TRUE, TRUE, 0);
  gtk_widget_show_all (box);
  return box;
}

static void
set_sensitive (GimpProcedureDialog *dialog,
               GimpProcedureConfig *config,
               const IsoluxRow     *row)
{
  GimpValueArray *values = gimp_value_array_new (1);
  GValue          value = G_VALUE_INIT;

  g_value_init (&value, G_TYPE_STRING);
  g_value_set_string (&value, row->only_word);
  gimp_value_array_append (values, &value);
  g_value_unset (&value);
  /* takes the array */
  gimp_procedure_dialog_set_sensitive_if_in (dialog, row->name,
                                             G_OBJECT (config), row->only,
                                             values, TRUE);
}

gboolean
isolux_simple_dialog_run (GimpProcedure       *procedure,
                          GimpProcedureConfig *config,
                          const gchar         *title,
                          const IsoluxRow     *rows)
{
  GtkWidget *dialog, *choices, *content;
  GList     *names = NULL;
  gboolean   ok;

  gimp_ui_init ("isolux");
  dialog = gimp_procedure_dialog_new (procedure, config, title);
  content = gtk_dialog_get_content_area (GTK_DIALOG (dialog));
  choices = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6);

  for (const IsoluxRow *row = rows; row->name; row++)
    if (row->words)
      gtk_box_pack_start (GTK_BOX (choices),
                          choice_row (procedure, config, row), FALSE, FALSE, 0);
    else
      names = g_list_append (names, (gpointer) row->name);
  gimp_procedure_dialog_fill_list (GIMP_PROCEDURE_DIALOG (dialog), names);
  g_list_free (names);

  gtk_box_pack_start (GTK_BOX (content), choices, FALSE, FALSE, 0);
  gtk_box_reorder_child (GTK_BOX (content), choices, 0);
  gtk_widget_set_margin_bottom (choices, 6);
  gtk_widget_show (choices);
  for (const IsoluxRow *row = rows; row->name; row++)
    if (row->only && ! row->words)
      set_sensitive (GIMP_PROCEDURE_DIALOG (dialog), config, row);

  ok = gimp_procedure_dialog_run (GIMP_PROCEDURE_DIALOG (dialog));
  gtk_widget_destroy (dialog);
  return ok;
}

/* "word", "word", "word" */
static gchar *
list_words (const IsoluxWord *words)
{
  GString *text = g_string_new (NULL);

  for (const IsoluxWord *word = words; word->word; word++)
    g_string_append_printf (text, "%s\"%s\"", word == words ? "" : ", ",
                            word->word);
  return g_string_free (text, FALSE);
}

gchar *
isolux_describe_words (const gchar *blurb, const IsoluxWord *words)
{
  gchar *list = list_words (words);
  gchar *text = g_strdup_printf ("%s (%s)", blurb, list);

  g_free (list);
  return text;
}

gboolean
isolux_check_row_words (GimpProcedureConfig *config,
                        const IsoluxRow     *rows,
                        GError             **error)
{
  gboolean success = TRUE;

  for (const IsoluxRow *row = rows; row->name && success; row++)
    {
      const IsoluxWord *word = row->words;
      gchar            *text;

      if (! word)
        continue;
      g_object_get (config, row->name, &text, NULL);
      while (word->word && g_strcmp0 (word->word, text))
        word++;
      if (! word->word)
        {
          gchar *words = list_words (row->words);

          g_set_error (error, GIMP_PLUG_IN_ERROR, 0,
                       _("\"%s\" is no value of the argument \"%s\". There "
                         "are: %s."),
                       text ? text : "", row->name, words);
          g_free (words);
          success = FALSE;
        }
      g_free (text);
    }
  return success;
}
