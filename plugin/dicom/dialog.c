/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * dialog.c: what is in the file, above the choices that it leaves.
 */
#include <libgimp/gimp.h>
#include <libgimp/gimpui.h>
#include <glib/gi18n-lib.h>

#include "dialog.h"
#include "frames.h"
#include "presets.h"

gboolean
dicom_dialog_is_needed (GimpProcedureConfig *config, const DicomHeader *header)
{
  gboolean ask = TRUE;

  g_object_get (config, "ask", &ask, NULL);
  return ask || header->frames > 1 || header->overlays > 0;
}

static void
add_fact (GtkGrid *grid, const gchar *name, const gchar *text)
{
  GtkWidget *label = gtk_label_new (name);
  GtkWidget *value = gtk_label_new (text);
  gint       row;

  for (row = 0; gtk_grid_get_child_at (grid, 0, row); row++)
    ;
  gtk_label_set_xalign (GTK_LABEL (label), 1.0f);
  gtk_style_context_add_class (gtk_widget_get_style_context (label),
                               GTK_STYLE_CLASS_DIM_LABEL);
  gtk_label_set_xalign (GTK_LABEL (value), 0.0f);
  gtk_label_set_selectable (GTK_LABEL (value), TRUE);
  gtk_widget_set_can_focus (value, FALSE);
  gtk_grid_attach (grid, label, 0, row, 1, 1);
  gtk_grid_attach (grid, value, 1, row, 1, 1);
}

static GtkWidget *
make_facts (const DicomHeader *header)
{
  GtkWidget *grid = gtk_grid_new ();
  GString   *text = g_string_new (header->modality);
  gboolean color = header->pixel == DICOM_RGB8 || header->pixel == DICOM_RGB16;

  gtk_grid_set_column_spacing (GTK_GRID (grid), 12);
  gtk_grid_set_row_spacing (GTK_GRID (grid), 3);

  if (header->body_part[0])
    g_string_append_printf (text, "%s%s", text->len ? ", " : "",
                            header->body_part);
  if (text->len > 0)
    add_fact (GTK_GRID (grid), _("Examination"), text->str);

  g_string_printf (text, _("%d \303\227 %d pixels"), header->columns,
                   header->rows);
  g_string_append (text, ", ");
  if (color)
    g_string_append (text, _("color"));
  else if (header->bits == 0)
    g_string_append (text, _("floating point"));
  else
    g_string_append_printf (text, ngettext ("%d bit", "%d bits", header->bits),
                            header->bits);
  if (header->lossy[0])
    g_string_append (text, _(", compressed with loss"));
  add_fact (GTK_GRID (grid), _("Picture"), text->str);

  if (header->frames > 1)
    {
      g_string_printf (text, "%u", header->frames);
      add_fact (GTK_GRID (grid), _("Frames in it"), text->str);
    }
  if (header->overlays > 0)
    {
      g_string_printf (text, "%u", header->overlays);
      add_fact (GTK_GRID (grid), _("Overlays in it"), text->str);
    }
  if (header->windows.n > 0)
    {
      g_string_printf (text, _("center %g, width %g"),
                       header->windows.pairs[0][0],
                       header->windows.pairs[0][1]);
      add_fact (GTK_GRID (grid), _("Window"), text->str);
    }
  g_string_free (text, TRUE);
  return grid;
}

/* Whether a preset is made for such files; the unit is known with the frames */
static gboolean
is_for (const IsoluxPreset *preset, const DicomHeader *header)
{
  gchar  **kinds = g_strsplit (preset->modality, " ", -1);
  gboolean is =
    ! *preset->modality ||
    g_strv_contains ((const gchar *const *) kinds, header->modality);

  g_strfreev (kinds);
  return is && preset->kind != ISOLUX_PRESET_LAST;
}

/* A choice of the window that the picture is shown through */
static GtkWidget *
make_window_row (GimpProcedureConfig *config, const DicomHeader *header)
{
  GtkWidget     *row = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 12);
  GtkWidget     *label = gtk_label_new_with_mnemonic (_("Window _preset"));
  GtkWidget     *choice = gtk_combo_box_text_new ();
  GtkComboBox   *box = GTK_COMBO_BOX (choice);
  IsoluxPresets *presets = isolux_presets_new (DICOM_PRESETS, "isolux:window");
  const IsoluxPreset *const *list = isolux_presets_list (presets);
  gchar                     *name = NULL;

  gtk_combo_box_text_append (GTK_COMBO_BOX_TEXT (choice), DICOM_WINDOW_OF_FILE,
                             _("The file's own"));
  for (; *list; list++)
    if (is_for (*list, header))
      gtk_combo_box_text_append (GTK_COMBO_BOX_TEXT (choice), (*list)->id,
                                 (*list)->name);
  isolux_presets_free (presets);

  /* the last one may be for files of another kind */
  g_object_get (config, "window-preset", &name, NULL);
  if (! name || ! gtk_combo_box_set_active_id (box, name))
    {
      gtk_combo_box_set_active_id (box, DICOM_WINDOW_OF_FILE);
      g_object_set (config, "window-preset", DICOM_WINDOW_OF_FILE, NULL);
    }
  g_free (name);
  g_object_bind_property (config, "window-preset", choice, "active-id",
                          G_BINDING_BIDIRECTIONAL);
  g_object_bind_property (config, "windowed", row, "sensitive",
                          G_BINDING_SYNC_CREATE);
  gtk_label_set_mnemonic_widget (GTK_LABEL (label), choice);
  gtk_box_pack_start (GTK_BOX (row), label, FALSE, FALSE, 0);
  gtk_box_pack_start (GTK_BOX (row), choice, TRUE, TRUE, 0);
  return row;
}

/* A list of frames that makes no sense cannot be opened */
static void
frames_changed (GObject *config, GParamSpec *pspec, gpointer data)
{
  const guint n_frames =
    GPOINTER_TO_UINT (g_object_get_data (G_OBJECT (data), "isolux-frames"));
  GtkWidget *note = g_object_get_data (G_OBJECT (data), "isolux-note");
  gchar     *frames = NULL;
  guint8    *chosen;

  g_object_get (config, "frames", &frames, NULL);
  chosen = frames_select (frames ? frames : "", n_frames);
  gtk_dialog_set_response_sensitive (GTK_DIALOG (data), GTK_RESPONSE_OK,
                                     chosen != NULL);
  if (note)
    gtk_widget_set_visible (note, chosen == NULL);
  g_free (chosen);
  g_free (frames);
}

static GtkWidget *
make_note (const gchar *text)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  GtkWidget *label = gtk_label_new (text);

  gtk_label_set_line_wrap (GTK_LABEL (label), TRUE);
  gtk_label_set_max_width_chars (GTK_LABEL (label), 48);
  gtk_label_set_xalign (GTK_LABEL (label), 0.0f);
  gtk_box_pack_start (GTK_BOX (box),
                      gtk_image_new_from_icon_name ("dialog-warning",
                                                    GTK_ICON_SIZE_BUTTON),
                      FALSE, FALSE, 0);
  gtk_box_pack_start (GTK_BOX (box), label, TRUE, TRUE, 0);
  gtk_widget_show_all (box);
  return box;
}

gboolean
dicom_dialog_run (GimpProcedure       *procedure,
                  GimpProcedureConfig *config,
                  const DicomHeader   *header)
{
  GtkWidget *dialog, *area, *box;
  gchar     *frames = NULL;
  guint8    *chosen;
  gulong     handler;
  gboolean   go_on;
  GList     *names = NULL;

  /* a list for another file may name frames that this one has not */
  g_object_get (config, "frames", &frames, NULL);
  chosen = frames_select (frames ? frames : "", header->frames);
  if (chosen == NULL || header->frames == 1)
    g_object_set (config, "frames", "all", NULL);
  g_free (chosen);
  g_free (frames);

  gimp_ui_init ("isolux-dicom");
  dialog =
    gimp_procedure_dialog_new (procedure, config, _("Open DICOM Picture"));
  gimp_procedure_dialog_set_ok_label (GIMP_PROCEDURE_DIALOG (dialog),
                                      _("_Open"));

  if (header->frames > 1)
    names = g_list_append (names, (gpointer) "frames");
  names = g_list_append (names, (gpointer) "windowed");
  if (header->overlays > 0)
    names = g_list_append (names, (gpointer) "overlays");
  names = g_list_append (names, (gpointer) "keep-tags");
  names = g_list_append (names, (gpointer) "ask");
  gimp_procedure_dialog_fill_list (GIMP_PROCEDURE_DIALOG (dialog), names);
  g_list_free (names);

  area = gtk_dialog_get_content_area (GTK_DIALOG (dialog));
  box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6);
  gtk_container_set_border_width (GTK_CONTAINER (box), 12);
  gtk_box_pack_start (GTK_BOX (box), make_facts (header), FALSE, FALSE, 0);
  if (header->burned_in)
    gtk_box_pack_start (GTK_BOX (box),
                        make_note (_("The file says that its picture itself "
                                     "shows whose it is.")),
                        FALSE, FALSE, 0);
  gtk_box_pack_start (GTK_BOX (box), make_window_row (config, header), FALSE,
                      FALSE, 0);
  gtk_widget_show_all (box);
  if (header->frames > 1)
    {
      GtkWidget *note =
        make_note (_("Frames: \"all\", or numbers and ranges between "
                     "commas, such as 1-10,15."));

      gtk_box_pack_start (GTK_BOX (box), note, FALSE, FALSE, 0);
      g_object_set_data (G_OBJECT (dialog), "isolux-note", note);
      g_object_set_data (G_OBJECT (dialog), "isolux-frames",
                         GUINT_TO_POINTER (header->frames));
    }
  else
    g_object_set_data (G_OBJECT (dialog), "isolux-frames",
                       GUINT_TO_POINTER (1));
  gtk_box_pack_start (GTK_BOX (area), box, FALSE, FALSE, 0);
  gtk_box_reorder_child (GTK_BOX (area), box, 0);

  handler = g_signal_connect (config, "notify::frames",
                              G_CALLBACK (frames_changed), dialog);
  frames_changed (G_OBJECT (config), NULL, dialog);
  go_on = gimp_procedure_dialog_run (GIMP_PROCEDURE_DIALOG (dialog));
  g_signal_handler_disconnect (config, handler);
  gtk_widget_destroy (dialog);
  return go_on;
}

/* --- Progress ------------------------------------------------------------- */

struct _DicomProgress
{
  GtkWidget *dialog;
  GtkWidget *bar;
  gint64     drawn; /* when, in microseconds */
  gboolean   is_stopped;
};

static void
stop (GtkDialog *dialog, gint response, gpointer data)
{
  DicomProgress *progress = data;

  progress->is_stopped = TRUE;
}

DicomProgress *
dicom_progress_begin (const gchar *file_name)
{
  DicomProgress *progress = g_new0 (DicomProgress, 1);
  GtkWidget     *area, *box, *label;
  gchar         *text;

  gimp_ui_init ("isolux-dicom");
  progress->dialog = gtk_dialog_new_with_buttons (_("Opening DICOM Picture"),
                                                  NULL, 0, _("_Cancel"),
                                                  GTK_RESPONSE_CANCEL, NULL);
  gtk_window_set_position (GTK_WINDOW (progress->dialog), GTK_WIN_POS_CENTER);
  text = g_strdup_printf (_("Opening '%s'"), file_name);
  label = gtk_label_new (text);
  g_free (text);
  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_MIDDLE);
  gtk_label_set_width_chars (GTK_LABEL (label), 40);
  gtk_label_set_xalign (GTK_LABEL (label), 0.0f);
  progress->bar = gtk_progress_bar_new ();

  box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6);
  gtk_container_set_border_width (GTK_CONTAINER (box), 12);
  gtk_box_pack_start (GTK_BOX (box), label, FALSE, FALSE, 0);
  gtk_box_pack_start (GTK_BOX (box), progress->bar, FALSE, FALSE, 0);
  area = gtk_dialog_get_content_area (GTK_DIALOG (progress->dialog));
  gtk_box_pack_start (GTK_BOX (area), box, TRUE, TRUE, 0);
  g_signal_connect (progress->dialog, "response", G_CALLBACK (stop), progress);
  /* closing the window is the same; it goes away at the end */
  g_signal_connect (progress->dialog, "delete-event",
                    G_CALLBACK (gtk_widget_hide_on_delete), NULL);
  gtk_widget_show_all (progress->dialog);
  dicom_progress_update (progress, 0.0);
  return progress;
}

gboolean
dicom_progress_update (DicomProgress *progress, gdouble fraction)
{
  const gint64 now = g_get_monotonic_time ();

  /* drawing for each of a thousand frames would take longer than they do */
  if (now - progress->drawn > G_USEC_PER_SEC / 25)
    {
      gtk_progress_bar_set_fraction (GTK_PROGRESS_BAR (progress->bar),
                                     CLAMP (fraction, 0.0, 1.0));
      while (gtk_events_pending ())
        gtk_main_iteration ();
      progress->drawn = now;
    }
  return ! progress->is_stopped;
}

void
dicom_progress_end (DicomProgress *progress)
{
  if (progress == NULL)
    return;
  gtk_widget_destroy (progress->dialog);
  while (gtk_events_pending ())
    gtk_main_iteration ();
  g_free (progress);
}
