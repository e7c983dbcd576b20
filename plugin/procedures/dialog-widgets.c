/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * dialog-widgets.c: little helpers of the dialog, and its style sheet.
 */
#include "dialog-private.h"

GtkWidget *
isolux_label_new (const gchar *text, gdouble scale, gboolean dim)
{
  GtkWidget *label = gtk_label_new (text);

  gtk_label_set_xalign (GTK_LABEL (label), 0.0);
  if (scale != 1.0)
    {
      PangoAttrList *attributes = pango_attr_list_new ();

      pango_attr_list_insert (attributes, pango_attr_scale_new (scale));
      gtk_label_set_attributes (GTK_LABEL (label), attributes);
      pango_attr_list_unref (attributes);
    }
  if (dim)
    isolux_widget_add_class (label, "isolux-dim");
  return label;
}

void
isolux_label_tabular (GtkWidget *label)
{
  isolux_widget_add_class (label, "isolux-num");
}

GtkWidget *
isolux_icon_new (const gchar *icon, gint pixels)
{
  GtkWidget *image = gtk_image_new_from_icon_name (icon, GTK_ICON_SIZE_MENU);

  gtk_image_set_pixel_size (GTK_IMAGE (image), pixels);
  return image;
}

static void
set_icon (GtkWidget *button, const gchar *icon, const gchar *tooltip)
{
  gtk_container_add (GTK_CONTAINER (button), isolux_icon_new (icon, 16));
  gtk_widget_set_tooltip_text (button, tooltip);
  isolux_widget_set_name (button, tooltip);
  isolux_widget_add_class (button, "image-button");
}

GtkWidget *
isolux_icon_button_new (const gchar *icon, const gchar *tooltip)
{
  GtkWidget *button = gtk_button_new ();

  set_icon (button, icon, tooltip);
  return button;
}

GtkWidget *
isolux_icon_toggle_new (const gchar *icon, const gchar *tooltip)
{
  GtkWidget *button = gtk_toggle_button_new ();

  set_icon (button, icon, tooltip);
  return button;
}

GtkWidget *
isolux_menu_new (void)
{
  GtkWidget *popover = gtk_popover_new (NULL);
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);

  gtk_container_set_border_width (GTK_CONTAINER (box), 6);
  gtk_widget_show (box);
  gtk_container_add (GTK_CONTAINER (popover), box);
  return popover;
}

GtkWidget *
isolux_menu_add (GtkWidget   *menu,
                 const gchar *text,
                 GCallback    func,
                 gpointer     data)
{
  GtkWidget *box = gtk_bin_get_child (GTK_BIN (menu));
  GtkWidget *entry;

  if (! text)
    {
      entry = gtk_separator_new (GTK_ORIENTATION_HORIZONTAL);
      gtk_widget_set_margin_top (entry, 4);
      gtk_widget_set_margin_bottom (entry, 4);
    }
  else
    {
      /* a click closes the popover */
      entry = gtk_model_button_new ();
      g_object_set (entry, "text", text, NULL);
      g_signal_connect (entry, "clicked", func, data);
    }
  gtk_widget_show (entry);
  gtk_box_pack_start (GTK_BOX (box), entry, FALSE, FALSE, 0);
  return entry;
}

GtkWidget *
isolux_linked_new (GtkWidget *first, ...)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0);
  GtkWidget *child = first;
  va_list    arguments;

  isolux_widget_add_class (box, "linked");
  va_start (arguments, first);
  while (child)
    {
      gtk_box_pack_start (GTK_BOX (box), child, FALSE, FALSE, 0);
      child = va_arg (arguments, GtkWidget *);
    }
  va_end (arguments);
  return box;
}

void
isolux_widget_add_class (GtkWidget *widget, const gchar *name)
{
  gtk_style_context_add_class (gtk_widget_get_style_context (widget), name);
}

void
isolux_widget_set_name (GtkWidget *widget, const gchar *name)
{
  AtkObject *accessible = gtk_widget_get_accessible (widget);

  if (accessible)
    atk_object_set_name (accessible, name);
}

void
isolux_widget_set_description (GtkWidget *widget, const gchar *text)
{
  AtkObject *accessible = gtk_widget_get_accessible (widget);

  if (accessible)
    atk_object_set_description (accessible, text);
}

/* ---- Style -------------------------------------------------------- */

/* GIMP's themes paint boxes of their own in the dialog's color, set checked
 * labels bold, and give small buttons the room of large ones. */
static const gchar style[] =
  ".isolux-bar button, .isolux-bar combobox button {"
  "  padding: 1px 7px; min-height: 22px; min-width: 16px; }"
  ".isolux-bar button.image-button { padding: 1px 4px; }"
  ".isolux-tissues button { padding: 3px 4px; }"
  ".isolux-reset { padding: 0 3px; min-height: 20px; min-width: 18px; }"
  ".isolux-dim { opacity: .78; }"
  ".isolux-num { font-feature-settings: \"tnum\"; }"
  ".isolux-clear, .isolux-clear box, .isolux-clear label {"
  "  background: none; }"
  ".isolux-strip { background-color: @theme_bg_color;"
  "  border-top: 1px solid alpha(currentColor, .25); }"
  ".isolux-strip progressbar trough, .isolux-strip progressbar progress {"
  "  min-height: 6px; border-radius: 3px; }"
  "button.isolux-chip { font-weight: normal; padding: 1px 4px; }"
  "button.isolux-chip:checked { background: none; font-weight: normal;"
  "  border-color: transparent; box-shadow: none; }"
  "infobar.isolux-notice > revealer > box { padding: 4px 6px; }"
  ".isolux-list button { padding: 1px 4px; min-height: 20px;"
  "  font-weight: normal; }";

/* The high contrast theme fills spin scales in a strong blue, under dark
 * text */
static const gchar high_contrast[] =
  "GimpSpinScale entry progress { background-color: #c9d9ee;"
  "  background-image: none; border: none; }"
  ".isolux-dim { opacity: 1; }"
  "button.isolux-chip:checked { color: @theme_fg_color;"
  "  background-image: none; }"
  ".isolux-strip { border: 1px solid @theme_fg_color; }"
  "scrolledwindow viewport, paned separator {"
  "  background-color: @theme_bg_color; }";

static void
load_style (GtkCssProvider *provider)
{
  gchar *theme = NULL;
  gchar *text;

  g_object_get (gtk_settings_get_default (), "gtk-theme-name", &theme, NULL);
  text = g_strconcat (style,
                      theme && g_str_has_prefix (theme, "HighContrast")
                        ? high_contrast
                        : "",
                      NULL);
  gtk_css_provider_load_from_data (provider, text, -1, NULL);
  g_free (text);
  g_free (theme);
}

static void
theme_changed (GtkSettings    *settings,
               GParamSpec     *spec,
               GtkCssProvider *provider)
{
  load_style (provider);
}

void
isolux_style_add (void)
{
  static GtkCssProvider *provider = NULL;

  if (provider)
    return;
  provider = gtk_css_provider_new ();
  load_style (provider);
  /* over GIMP's own, which comes at the priority of the application */
  gtk_style_context_add_provider_for_screen (
    gdk_screen_get_default (), GTK_STYLE_PROVIDER (provider),
    GTK_STYLE_PROVIDER_PRIORITY_APPLICATION + 100);
  g_signal_connect (gtk_settings_get_default (), "notify::gtk-theme-name",
                    G_CALLBACK (theme_changed), provider);
}
