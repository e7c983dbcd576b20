/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * dialog-header.c: what the dialog is about, where it computes, and the
 * switch of the image preview.
 */
#include "dialog-private.h"

#include <glib/gi18n-lib.h>

#include "format.h"

static const IsoluxBackendKind backends[3] = { ISOLUX_BACKEND_AUTO,
                                               ISOLUX_BACKEND_CUDA,
                                               ISOLUX_BACKEND_CPU };

/* ---- Second line -------------------------------------------------- */

static void
add_part (GString *text, gchar *part)
{
  if (text->len > 0)
    g_string_append (text, " · ");
  g_string_append (text, part);
  g_free (part);
}

static gchar *
describe_format (IsoluxDialog *dialog)
{
  gint bits = ABS (dialog->depth);

  if (dialog->is_rgb)
    return dialog->depth < 0 ? g_strdup_printf (_("RGB, %d-bit float"), bits)
                             : g_strdup_printf (_("RGB, %d-bit"), bits);
  return dialog->depth < 0 ? g_strdup_printf (_("gray, %d-bit float"), bits)
                           : g_strdup_printf (_("gray, %d-bit"), bits);
}

/* ", 12 bits used (0–4,095)" behind the format, when it is less than all */
static void
add_bits (IsoluxDialog *dialog, GString *text)
{
  IsoluxHistogram *histogram = dialog->result ? dialog->result->before.histogram
                                              : NULL;
  gchar           *most;

  if (! histogram || histogram->type != ISOLUX_TYPE_U16 ||
      histogram->bits >= 16)
    return;
  most = isolux_format_number (histogram->high, 0);
  /* Translators: behind "gray, 16-bit"; %s is the largest value */
  g_string_append_printf (text, _(", %d bits used (0–%s)"), histogram->bits,
                          most);
  g_free (most);
}

void
isolux_header_update (IsoluxDialog *dialog)
{
  IsoluxSource *source = dialog->opened ? dialog->source : NULL;
  GString      *text = g_string_new (NULL);
  gchar        *width = isolux_format_number (dialog->width, 0);
  gchar        *height = isolux_format_number (dialog->height, 0);

  add_part (text, g_strdup (dialog->image_name));
  if (dialog->compact)
    {
      /* Translators: the name of a layer */
      add_part (text, g_strdup_printf (_("“%s”"), dialog->item_name));
    }
  else
    {
      add_part (text, g_strdup (dialog->item_text));
      /* Translators: width and height in pixels */
      add_part (text, g_strdup_printf (_("%s × %s"), width, height));
      add_part (text, describe_format (dialog));
      add_bits (dialog, text);
    }

  if (dialog->is_real && ! g_strcmp0 (dialog->values.unit, "HU"))
    add_part (text, g_strdup (_("rescaled to Hounsfield units")));
  else if (dialog->is_real && dialog->values.unit[0])
    add_part (text, g_strdup_printf (_("values in %s"), dialog->values.unit));
  else if (source && source->profile && dialog->is_rgb)
    add_part (text, g_strdup (source->profile));

  if (dialog->has_selection)
    add_part (text, g_strdup (_("selection")));
  if (source && source->effects > 0)
    add_part (text,
              g_strdup_printf (ngettext ("%d effect below", "%d effects below",
                                         (gulong) source->effects),
                               source->effects));
  if (dialog->targets->len > 1)
    add_part (text, g_strdup_printf (ngettext ("%u layer", "%u layers",
                                               dialog->targets->len),
                                     dialog->targets->len));

  gtk_label_set_text (GTK_LABEL (dialog->subtitle), text->str);
  gtk_widget_set_tooltip_text (dialog->subtitle, text->str);
  g_free (height);
  g_free (width);
  g_string_free (text, TRUE);
}

/* ---- Backend ------------------------------------------------------ */

static gchar *
describe_threads (gint threads)
{
  return g_strdup_printf (ngettext ("CPU, %d thread", "CPU, %d threads",
                                    (gulong) threads),
                          threads);
}

/* "CUDA · NVIDIA H200 · 0.21 ms" */
static gchar *
describe_backend (IsoluxDialog *dialog)
{
  IsoluxDeviceInfo info;
  GString         *text = g_string_new (NULL);
  gboolean         cuda;

  isolux_device_get_info (isolux_engine_get_device (dialog->engine), &info);
  cuda = dialog->result ? dialog->result->report.backend == ISOLUX_BACKEND_CUDA
                        : FALSE;
  if (cuda)
    {
      add_part (text, g_strdup ("CUDA"));
      if (! dialog->compact && info.cuda_name[0])
        add_part (text, g_strdup (info.cuda_name));
    }
  else if (dialog->compact)
    add_part (text, g_strdup (_("CPU")));
  else
    add_part (text, describe_threads (info.threads));

  if (! cuda && isolux_engine_is_starting (dialog->engine))
    add_part (text, g_strdup (_("starting CUDA…")));
  else if (dialog->result)
    add_part (text, isolux_format_time (dialog->milliseconds));
  return g_string_free (text, FALSE);
}

void
isolux_header_update_backend (IsoluxDialog *dialog)
{
  IsoluxDevice *device = isolux_engine_get_device (dialog->engine);
  gchar        *text = describe_backend (dialog);
  gboolean      spin;
  gchar        *full;
  gchar        *lines;

  gtk_label_set_text (GTK_LABEL (dialog->backend_label), text);
  full = g_strdup_printf ("%s: %s", _("Where the filter is computed"), text);
  isolux_widget_set_name (dialog->backend_button, full);
  g_free (full);
  g_free (text);

  spin = dialog->busy || isolux_engine_is_starting (dialog->engine);
  gtk_stack_set_visible_child_name (GTK_STACK (dialog->backend_stack),
                                    spin ? "spinner" : "icon");
  g_object_set (gtk_stack_get_child_by_name (GTK_STACK (dialog->backend_stack),
                                             "spinner"),
                "active", spin, NULL);

  if (! gtk_widget_get_mapped (dialog->backend_text))
    return;
  lines = isolux_device_describe (device);
  text = g_strdup_printf ("Isolux %s · %s\n%s\n\n%s", isolux_version (),
                          _("not a medical device"), lines,
                          _("All give the same result. The filter in the "
                            "image chooses by itself."));
  gtk_label_set_text (GTK_LABEL (dialog->backend_text), text);
  g_free (text);
  g_free (lines);
}

static void
backend_chosen (GtkToggleButton *radio, IsoluxDialog *dialog)
{
  if (! gtk_toggle_button_get_active (radio))
    return;
  for (gint i = 0; i < 3; i++)
    if (dialog->backend_radios[i] == GTK_WIDGET (radio))
      isolux_engine_set_backend (dialog->engine, backends[i]);
  isolux_header_update_backend (dialog);
}

static void
popover_mapped (GtkWidget *text, IsoluxDialog *dialog)
{
  isolux_header_update_backend (dialog);
}

static GtkWidget *
backend_popover (IsoluxDialog *dialog)
{
  static const gchar *const labels[3] = { N_("_Automatic"), N_("_GPU"),
                                          N_("_CPU") };
  GtkWidget                *popover = gtk_popover_new (NULL);
  GtkWidget                *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 4);
  GtkWidget *separator = gtk_separator_new (GTK_ORIENTATION_HORIZONTAL);
  GtkWidget *radio = NULL;

  gtk_container_set_border_width (GTK_CONTAINER (box), 8);
  for (gint i = 0; i < 3; i++)
    {
      radio = gtk_radio_button_new_with_mnemonic_from_widget (
        radio ? GTK_RADIO_BUTTON (radio) : NULL, _ (labels[i]));
      dialog->backend_radios[i] = radio;
      if (backends[i] == isolux_engine_get_backend (dialog->engine))
        gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (radio), TRUE);
      gtk_box_pack_start (GTK_BOX (box), radio, FALSE, FALSE, 0);
    }
  for (gint i = 0; i < 3; i++)
    g_signal_connect (dialog->backend_radios[i], "toggled",
                      G_CALLBACK (backend_chosen), dialog);

  gtk_box_pack_start (GTK_BOX (box), separator, FALSE, FALSE, 2);
  dialog->backend_text = isolux_label_new ("", 0.88, TRUE);
  gtk_label_set_line_wrap (GTK_LABEL (dialog->backend_text), TRUE);
  gtk_label_set_max_width_chars (GTK_LABEL (dialog->backend_text), 48);
  gtk_label_set_selectable (GTK_LABEL (dialog->backend_text), TRUE);
  g_signal_connect (dialog->backend_text, "map", G_CALLBACK (popover_mapped),
                    dialog);
  gtk_box_pack_start (GTK_BOX (box), dialog->backend_text, FALSE, FALSE, 0);
  gtk_widget_show_all (box);
  gtk_container_add (GTK_CONTAINER (popover), box);
  return popover;
}

static GtkWidget *
backend_new (IsoluxDialog *dialog)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  GtkWidget *spinner = gtk_spinner_new ();

  dialog->backend_button = gtk_menu_button_new ();
  dialog->backend_stack = gtk_stack_new ();
  gtk_stack_add_named (GTK_STACK (dialog->backend_stack),
                       isolux_icon_new ("gimp-dashboard-symbolic", 16), "icon");
  gtk_stack_add_named (GTK_STACK (dialog->backend_stack), spinner, "spinner");

  dialog->backend_label = isolux_label_new ("", 0.92, FALSE);
  isolux_label_tabular (dialog->backend_label);
  gtk_label_set_ellipsize (GTK_LABEL (dialog->backend_label),
                           PANGO_ELLIPSIZE_END);

  gtk_box_pack_start (GTK_BOX (box), dialog->backend_stack, FALSE, FALSE, 0);
  gtk_box_pack_start (GTK_BOX (box), dialog->backend_label, TRUE, TRUE, 0);
  gtk_box_pack_start (GTK_BOX (box), isolux_icon_new ("pan-down-symbolic", 16),
                      FALSE, FALSE, 0);
  gtk_container_remove (GTK_CONTAINER (dialog->backend_button),
                        gtk_bin_get_child (GTK_BIN (dialog->backend_button)));
  gtk_container_add (GTK_CONTAINER (dialog->backend_button), box);
  gtk_menu_button_set_popover (GTK_MENU_BUTTON (dialog->backend_button),
                               backend_popover (dialog));
  gtk_widget_set_tooltip_text (dialog->backend_button,
                               _("Where the filter is computed"));
  gtk_widget_set_valign (dialog->backend_button, GTK_ALIGN_CENTER);
  return dialog->backend_button;
}

/* ---- All of it ---------------------------------------------------- */

static void
preview_toggled (GtkToggleButton *toggle, IsoluxDialog *dialog)
{
  isolux_dialog_set_compact (dialog, ! gtk_toggle_button_get_active (toggle));
}

GtkWidget *
isolux_header_new (IsoluxDialog *dialog)
{
  GtkWidget     *header = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 10);
  GtkWidget     *texts = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  GtkWidget     *icon;
  GtkWidget     *title;
  PangoAttrList *attributes = pango_attr_list_new ();
  gchar         *symbolic;

  symbolic = g_strconcat (gimp_procedure_get_icon_name (dialog->procedure),
                          "-symbolic", NULL);
  icon = isolux_icon_new (symbolic, 32);
  g_free (symbolic);
  gtk_box_pack_start (GTK_BOX (header), icon, FALSE, FALSE, 0);

  title = gtk_label_new (dialog->name);
  gtk_label_set_xalign (GTK_LABEL (title), 0.0);
  pango_attr_list_insert (attributes, pango_attr_scale_new (1.18));
  pango_attr_list_insert (attributes,
                          pango_attr_weight_new (PANGO_WEIGHT_BOLD));
  gtk_label_set_attributes (GTK_LABEL (title), attributes);
  pango_attr_list_unref (attributes);

  dialog->subtitle = isolux_label_new ("", 0.88, TRUE);
  isolux_label_tabular (dialog->subtitle);
  gtk_label_set_ellipsize (GTK_LABEL (dialog->subtitle),
                           PANGO_ELLIPSIZE_MIDDLE);
  gtk_box_pack_start (GTK_BOX (texts), title, FALSE, FALSE, 0);
  gtk_box_pack_start (GTK_BOX (texts), dialog->subtitle, FALSE, FALSE, 0);
  gtk_widget_set_valign (texts, GTK_ALIGN_CENTER);
  gtk_box_pack_start (GTK_BOX (header), texts, TRUE, TRUE, 0);

  gtk_box_pack_start (GTK_BOX (header), backend_new (dialog), FALSE, FALSE, 0);

  dialog->preview_toggle =
    isolux_icon_toggle_new ("gimp-image-symbolic",
                            _("Show the image preview (F9)"));
  isolux_widget_set_name (dialog->preview_toggle, _("Image preview"));
  gtk_widget_set_valign (dialog->preview_toggle, GTK_ALIGN_CENTER);
  gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (dialog->preview_toggle),
                                ! dialog->compact);
  g_signal_connect (dialog->preview_toggle, "toggled",
                    G_CALLBACK (preview_toggled), dialog);
  gtk_box_pack_start (GTK_BOX (header), dialog->preview_toggle, FALSE, FALSE,
                      0);

  gtk_widget_set_margin_start (header, 12);
  gtk_widget_set_margin_end (header, 12);
  gtk_widget_set_margin_top (header, 6);
  gtk_widget_set_margin_bottom (header, 8);
  gtk_widget_show_all (header);
  return header;
}
