/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * dialog-messages.c: what the dialog has to say: bars above everything, the
 * small dialog in place of it when there is nothing to set, and the help.
 */
#include "dialog-private.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/* ---- Bars --------------------------------------------------------- */

static void
bar_response (GtkInfoBar *bar, gint response, IsoluxDialog *dialog)
{
  IsoluxNotice notice = dialog->notice;

  isolux_notice_hide (dialog, notice);
  if (response == GTK_RESPONSE_APPLY && notice == ISOLUX_NOTICE_GPU)
    isolux_dialog_try_gpu (dialog);
}

static GtkWidget *
text_new (const gchar *text, gboolean bold)
{
  GtkWidget     *label = gtk_label_new (text);
  PangoAttrList *attributes = pango_attr_list_new ();

  pango_attr_list_insert (attributes,
                          bold ? pango_attr_weight_new (PANGO_WEIGHT_BOLD)
                               : pango_attr_scale_new (0.9));
  gtk_label_set_attributes (GTK_LABEL (label), attributes);
  pango_attr_list_unref (attributes);
  gtk_label_set_xalign (GTK_LABEL (label), 0.0);
  gtk_label_set_line_wrap (GTK_LABEL (label), TRUE);
  gtk_label_set_selectable (GTK_LABEL (label), TRUE);
  gtk_widget_set_can_focus (label, FALSE);
  return label;
}

void
isolux_notice_show (IsoluxDialog *dialog,
                    IsoluxNotice  notice,
                    const gchar  *title,
                    const gchar  *text,
                    const gchar  *action,
                    const gchar  *tip)
{
  GtkWidget *bar;
  GtkWidget *box;
  GtkWidget *content;
  gboolean   quiet = notice == ISOLUX_NOTICE_DEPTH ||
                   notice == ISOLUX_NOTICE_CHANGED;
  AtkObject *accessible;

  /* the image is gone: nothing else matters any more */
  if (dialog->notice == ISOLUX_NOTICE_CLOSED && notice != ISOLUX_NOTICE_CLOSED)
    return;
  isolux_notice_hide (dialog, dialog->notice);

  bar = gtk_info_bar_new ();
  gtk_info_bar_set_message_type (GTK_INFO_BAR (bar), quiet
                                                       ? GTK_MESSAGE_INFO
                                                       : GTK_MESSAGE_WARNING);
  gtk_info_bar_set_show_close_button (GTK_INFO_BAR (bar),
                                      notice != ISOLUX_NOTICE_CLOSED);
  isolux_widget_add_class (bar, "isolux-notice");

  content = gtk_info_bar_get_content_area (GTK_INFO_BAR (bar));
  gtk_container_add (GTK_CONTAINER (content),
                     isolux_icon_new (quiet ? "dialog-information-symbolic"
                                            : "dialog-warning-symbolic",
                                      24));
  box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 1);
  isolux_widget_add_class (box, "isolux-clear");
  gtk_box_pack_start (GTK_BOX (box), text_new (title, TRUE), FALSE, FALSE, 0);
  if (text && *text)
    gtk_box_pack_start (GTK_BOX (box), text_new (text, FALSE), FALSE, FALSE, 0);
  gtk_box_pack_start (GTK_BOX (content), box, TRUE, TRUE, 0);
  if (tip && *tip)
    gtk_widget_set_tooltip_text (box, tip);
  if (action)
    gtk_info_bar_add_button (GTK_INFO_BAR (bar), action, GTK_RESPONSE_APPLY);
  g_signal_connect (bar, "response", G_CALLBACK (bar_response), dialog);

  accessible = gtk_widget_get_accessible (bar);
  if (accessible)
    {
      atk_object_set_role (accessible, ATK_ROLE_INFO_BAR);
      atk_object_set_name (accessible, title);
      if (text)
        atk_object_set_description (accessible, text);
    }
  gtk_widget_set_margin_bottom (bar, 8);
  gtk_widget_show_all (bar);
  gtk_box_pack_start (GTK_BOX (dialog->bars), bar, FALSE, FALSE, 0);
  gtk_widget_show (dialog->bars);
  dialog->bar = bar;
  dialog->notice = notice;
  isolux_dialog_log (dialog, "notice: %s (%s)", title, tip ? tip : "");
}

void
isolux_notice_hide (IsoluxDialog *dialog, IsoluxNotice notice)
{
  if (dialog->notice != notice || ! dialog->bar)
    return;
  gtk_widget_destroy (dialog->bar);
  dialog->bar = NULL;
  dialog->notice = ISOLUX_NOTICE_NONE;
  gtk_widget_hide (dialog->bars);
}

/* ---- Help --------------------------------------------------------- */

/* The folder "help" beside the program, which the installation and the build
 * put there */
static gchar *
find_page (const gchar *procedure)
{
  gchar              *program = g_file_read_link ("/proc/self/exe", NULL);
  gchar              *folder;
  gchar              *uri = NULL;
  const gchar *const *languages = g_get_language_names ();

  if (! program)
    return NULL;
  folder = g_path_get_dirname (program);
  for (gint i = 0; ! uri; i++)
    {
      const gchar *language = languages[i] ? languages[i] : "en";
      gchar       *path =
        g_build_filename (folder, "help", language, "isolux.html", NULL);

      if (g_file_test (path, G_FILE_TEST_IS_REGULAR))
        {
          gchar *base = g_filename_to_uri (path, NULL, NULL);

          uri = g_strdup_printf ("%s#%s", base, procedure);
          g_free (base);
        }
      g_free (path);
      if (! languages[i])
        break;
    }
  g_free (folder);
  g_free (program);
  return uri;
}

void
isolux_help_show (GtkWindow *parent, const gchar *procedure)
{
  gchar     *uri = find_page (procedure);
  GError    *error = NULL;
  GtkWidget *message;

  if (uri && gtk_show_uri_on_window (parent, uri, GDK_CURRENT_TIME, &error))
    {
      g_free (uri);
      return;
    }
  message = gtk_message_dialog_new (parent, GTK_DIALOG_MODAL, GTK_MESSAGE_INFO,
                                    GTK_BUTTONS_CLOSE, "%s",
                                    _("The help could not be opened"));
  gtk_message_dialog_format_secondary_text (
    GTK_MESSAGE_DIALOG (message), "%s\n%s",
    uri ? _("Open this address in a web browser:")
        : _("The page is not there. Is all of Isolux installed?"),
    uri ? uri : "");
  gtk_dialog_run (GTK_DIALOG (message));
  gtk_widget_destroy (message);
  g_clear_error (&error);
  g_free (uri);
}

/* ---- Refusals ----------------------------------------------------- */

/* What a refusal says */
typedef struct
{
  gchar *title;
  gchar *text;
  gchar *steps[2]; /* markup */
  gchar *foot;
} Refusal;

static gchar *
file_name (GimpImage *image)
{
  GFile *file = gimp_image_get_file (image);
  gchar *name;

  if (! file)
    file = gimp_image_get_imported_file (image);
  if (! file)
    return gimp_image_get_name (image);
  name = g_file_get_basename (file);
  g_object_unref (file);
  return name;
}

static void
refuse_indexed (Refusal      *refusal,
                const gchar  *name,
                GimpImage    *image,
                GimpDrawable *drawable,
                const gchar  *item)
{
  gchar       *file = file_name (image);
  GimpPalette *palette = gimp_image_get_palette (image);
  gint         colors = palette ? gimp_palette_get_color_count (palette) : 0;

  refusal->title =
    g_strdup_printf (_("%s can’t work on an indexed image"), name);
  refusal->text = g_strdup_printf (
    _("“%s” stores color numbers, not brightness, so there is no histogram to "
      "equalize. Convert the image first; nothing has been changed."),
    file);
  refusal->steps[0] = g_strdup (_("Choose <b>Image ▸ Mode ▸ RGB</b>, or "
                                  "<b>Grayscale</b> if it has no colors."));
  refusal->steps[1] =
    g_markup_printf_escaped (_("Start %s again: <b>Filters ▸ Repeat Last</b> "
                               "(Ctrl+F)."),
                             name);
  refusal->foot = g_strdup_printf (ngettext ("Layer “%s”, %d × %d, %d color.",
                                             "Layer “%s”, %d × %d, %d colors.",
                                             (gulong) colors),
                                   item, gimp_drawable_get_width (drawable),
                                   gimp_drawable_get_height (drawable), colors);
  g_free (file);
}

static void
describe (Refusal       *refusal,
          const gchar   *name,
          GimpImage     *image,
          GimpDrawable **drawables,
          const GError  *error)
{
  GimpDrawable *drawable = drawables ? drawables[0] : NULL;
  gchar        *item = NULL;

  if (error->domain == ISOLUX_TARGET_ERROR)
    {
      /* the first one that is refused for it */
      for (gint i = 0; drawables && drawables[i]; i++)
        {
          GPtrArray    *targets;
          GimpDrawable *one[2] = { drawables[i], NULL };

          targets = isolux_targets_look (image, one, FALSE, NULL);
          if (targets)
            {
              g_ptr_array_unref (targets);
              continue;
            }
          drawable = drawables[i];
          break;
        }
      if (drawable && gimp_item_is_valid (GIMP_ITEM (drawable)))
        item = gimp_item_get_name (GIMP_ITEM (drawable));

      if (item && error->code == ISOLUX_TARGET_ERROR_INDEXED)
        refuse_indexed (refusal, name, image, drawable, item);
      else if (item && error->code == ISOLUX_TARGET_ERROR_LOCKED)
        {
          refusal->title =
            g_strdup_printf (_("The pixels of “%s” are locked"), item);
          refusal->text =
            g_strdup_printf (_("Unlock them in the Layers dialog (lock "
                               "button), then start %s again."),
                             name);
        }
      else if (item && error->code == ISOLUX_TARGET_ERROR_OUTSIDE)
        {
          refusal->title =
            g_strdup_printf (_("The selection lies outside “%s”"), item);
          refusal->text = g_strdup (_("Move the selection onto the layer, or "
                                      "choose Select ▸ None."));
        }
      else if (error->code == ISOLUX_TARGET_ERROR_NONE)
        {
          refusal->title = g_strdup (_("No layer is selected"));
          refusal->text =
            g_strdup (_("Select a layer, channel or mask first."));
        }
    }
  if (! refusal->title)
    {
      refusal->title = g_strdup_printf (_("%s can’t work on this"), name);
      refusal->text = g_strdup (error->message);
    }
  g_free (item);
}

static GtkWidget *
refusal_label (const gchar *text, gdouble scale, gboolean bold)
{
  GtkWidget     *label = gtk_label_new (NULL);
  PangoAttrList *attributes = pango_attr_list_new ();

  pango_attr_list_insert (attributes, pango_attr_scale_new (scale));
  if (bold)
    pango_attr_list_insert (attributes,
                            pango_attr_weight_new (PANGO_WEIGHT_BOLD));
  gtk_label_set_attributes (GTK_LABEL (label), attributes);
  pango_attr_list_unref (attributes);
  gtk_label_set_text (GTK_LABEL (label), text);
  gtk_label_set_xalign (GTK_LABEL (label), 0.0);
  gtk_label_set_line_wrap (GTK_LABEL (label), TRUE);
  gtk_label_set_width_chars (GTK_LABEL (label), 44);
  gtk_label_set_max_width_chars (GTK_LABEL (label), 58);
  return label;
}

static GtkWidget *
refusal_content (const Refusal *refusal)
{
  GtkWidget *row = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 18);
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 10);
  GtkWidget *steps = gtk_box_new (GTK_ORIENTATION_VERTICAL, 4);
  GtkWidget *icon = isolux_icon_new ("dialog-warning-symbolic", 48);
  GtkWidget *label;

  gtk_widget_set_valign (icon, GTK_ALIGN_START);
  gtk_box_pack_start (GTK_BOX (row), icon, FALSE, FALSE, 0);
  gtk_box_pack_start (GTK_BOX (box), refusal_label (refusal->title, 1.15, TRUE),
                      FALSE, FALSE, 0);
  gtk_box_pack_start (GTK_BOX (box), refusal_label (refusal->text, 1.0, FALSE),
                      FALSE, FALSE, 0);
  for (gint i = 0; i < 2 && refusal->steps[i]; i++)
    {
      gchar *numbered = g_strdup_printf ("%d.  %s", i + 1, refusal->steps[i]);

      label = refusal_label ("", 1.0, FALSE);
      gtk_label_set_markup (GTK_LABEL (label), numbered);
      gtk_box_pack_start (GTK_BOX (steps), label, FALSE, FALSE, 0);
      g_free (numbered);
    }
  if (refusal->steps[0])
    gtk_box_pack_start (GTK_BOX (box), steps, FALSE, FALSE, 0);
  if (refusal->foot)
    {
      label = refusal_label (refusal->foot, 0.88, FALSE);
      isolux_widget_add_class (label, "isolux-dim");
      gtk_box_pack_start (GTK_BOX (box), label, FALSE, FALSE, 0);
    }
  gtk_box_pack_start (GTK_BOX (row), box, TRUE, TRUE, 0);
  gtk_container_set_border_width (GTK_CONTAINER (row), 24);
  gtk_widget_show_all (row);
  return row;
}

void
isolux_refusal_run (const gchar   *name,
                    GimpImage     *image,
                    GimpDrawable **drawables,
                    const GError  *error)
{
  Refusal    refusal = { 0 };
  GtkWidget *dialog;
  GtkWidget *content;
  GtkWidget *help;
  gint       response;

  isolux_gegl_init ();
  gimp_ui_init ("isolux");
  isolux_style_add ();
  describe (&refusal, name, image, drawables, error);

  dialog = g_object_new (GTK_TYPE_DIALOG, "use-header-bar", FALSE, "title",
                         name, "resizable", FALSE, NULL);
  gtk_window_set_role (GTK_WINDOW (dialog), "isolux-refusal");
  help =
    gtk_dialog_add_button (GTK_DIALOG (dialog), _("_Help"), GTK_RESPONSE_HELP);
  gtk_dialog_add_button (GTK_DIALOG (dialog), _("_Close"), GTK_RESPONSE_CLOSE);
  gtk_dialog_set_default_response (GTK_DIALOG (dialog), GTK_RESPONSE_CLOSE);
  gtk_button_box_set_child_secondary (
    GTK_BUTTON_BOX (gtk_widget_get_parent (help)), help, TRUE);
  gtk_widget_set_margin_start (gtk_widget_get_parent (help), 12);
  gtk_widget_set_margin_end (gtk_widget_get_parent (help), 12);
  gtk_widget_set_margin_bottom (gtk_widget_get_parent (help), 10);
  content = gtk_dialog_get_content_area (GTK_DIALOG (dialog));
  gtk_box_pack_start (GTK_BOX (content), refusal_content (&refusal), TRUE, TRUE,
                      0);
  isolux_widget_set_description (dialog, refusal.title);
  gtk_widget_realize (dialog);
  gimp_window_set_transient (GTK_WINDOW (dialog));

  do
    {
      response = gtk_dialog_run (GTK_DIALOG (dialog));
      if (response == GTK_RESPONSE_HELP)
        isolux_help_show (GTK_WINDOW (dialog), "refusals");
    }
  while (response == GTK_RESPONSE_HELP);

  gtk_widget_destroy (dialog);
  g_free (refusal.title);
  g_free (refusal.text);
  for (gint i = 0; i < 2; i++)
    g_free (refusal.steps[i]);
  g_free (refusal.foot);
}
