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
            const IsoluxRow     *row,
            GtkSizeGroup        *labels)
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
  gtk_label_set_xalign (GTK_LABEL (label), 0.0f);
  gtk_size_group_add_widget (labels, label);
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

/* A box of rows that the dialog makes itself, up to the next choice */
static GtkWidget *
plain_rows (GimpProcedureDialog *dialog, const IsoluxRow **row)
{
  gchar     *id = g_strdup_printf ("from-%s", (*row)->name);
  GList     *names = NULL;
  GtkWidget *box;

  for (; (*row)->name && ! (*row)->words; (*row)++)
    names = g_list_append (names, (gpointer) (*row)->name);
  box = gimp_procedure_dialog_fill_box_list (dialog, id, names);
  gtk_box_set_spacing (GTK_BOX (box), 6);
  gtk_orientable_set_orientation (GTK_ORIENTABLE (box),
                                  GTK_ORIENTATION_VERTICAL);
  gtk_widget_show (box);
  g_list_free (names);
  g_free (id);
  return box;
}

gboolean
isolux_simple_dialog_run (GimpProcedure       *procedure,
                          GimpProcedureConfig *config,
                          const gchar         *title,
                          const IsoluxRow     *rows)
{
  const IsoluxRow *row = rows;
  GtkWidget       *dialog, *column, *content;
  GtkSizeGroup    *labels;
  gboolean         ok;

  gimp_ui_init ("isolux");
  dialog = gimp_procedure_dialog_new (procedure, config, title);
  content = gtk_dialog_get_content_area (GTK_DIALOG (dialog));
  column = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6);
  labels = gtk_size_group_new (GTK_SIZE_GROUP_HORIZONTAL);

  while (row->name)
    {
      GtkWidget *part;

      if (row->words)
        part = choice_row (procedure, config, row++, labels);
      else
        part = plain_rows (GIMP_PROCEDURE_DIALOG (dialog), &row);
      gtk_box_pack_start (GTK_BOX (column), part, FALSE, FALSE, 0);
    }
  g_object_unref (labels);

  gtk_box_pack_start (GTK_BOX (content), column, FALSE, FALSE, 0);
  gtk_box_reorder_child (GTK_BOX (content), column, 0);
  gtk_container_set_border_width (GTK_CONTAINER (column), 12);
  gtk_widget_show (column);
  for (row = rows; row->name; row++)
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
