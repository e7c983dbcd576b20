/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * dialog-image.c: the image before and after, what switches it, and how far
 * reading is.
 */
#include "dialog-private.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "format.h"

/* So many pixels of dragging change a window by all of the values */
#define WINDOW_DRAG 600.0

static IsoluxImagePreview *
preview_of (IsoluxDialog *dialog)
{
  return ISOLUX_IMAGE_PREVIEW (dialog->view);
}

/* ---- What is shown ------------------------------------------------ */

/* The least and the largest value before, of all channels */
static gboolean
get_occupied (IsoluxDialog *dialog, gdouble *low, gdouble *high)
{
  IsoluxHistogram *histogram = dialog->result ? dialog->result->before.histogram
                                              : NULL;

  if (! histogram)
    return FALSE;
  *low = histogram->minimum[0];
  *high = histogram->maximum[0];
  for (gint i = 1; i < histogram->channels; i++)
    {
      *low = MIN (*low, histogram->minimum[i]);
      *high = MAX (*high, histogram->maximum[i]);
    }
  return *low < *high;
}

/* Whether values would be hard to see as they are */
static gboolean
wants_stretch (IsoluxDialog *dialog)
{
  IsoluxHistogram *histogram = dialog->result->before.histogram;
  gdouble          low;
  gdouble          high;

  if (! get_occupied (dialog, &low, &high))
    return FALSE;
  if (histogram->type == ISOLUX_TYPE_U16)
    return histogram->bits < 16;
  return histogram->type == ISOLUX_TYPE_F32 &&
         (low < -0.01 || high > 1.01 || high - low < 0.1);
}

static void
set_toggle (GtkWidget *toggle, gboolean active, gpointer handler, gpointer data)
{
  g_signal_handlers_block_by_func (toggle, handler, data);
  gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (toggle), active);
  g_signal_handlers_unblock_by_func (toggle, handler, data);
}

static void stretch_toggled (GtkToggleButton *toggle, IsoluxDialog *dialog);

/* The range that is shown black to white; low >= high: as it is */
static void
get_stretch (IsoluxDialog *dialog, gdouble *low, gdouble *high)
{
  if (! dialog->stretch_set && dialog->result)
    set_toggle (dialog->stretch, wants_stretch (dialog), stretch_toggled,
                dialog);

  if (! gtk_widget_get_visible (dialog->stretch) ||
      ! gtk_toggle_button_get_active (GTK_TOGGLE_BUTTON (dialog->stretch)) ||
      ! get_occupied (dialog, low, high))
    *low = *high = 0.0;
}

static void
update_note (IsoluxDialog *dialog, gdouble low, gdouble high)
{
  gchar *range;
  gchar *note;

  if (low >= high)
    {
      isolux_image_preview_set_note (preview_of (dialog), NULL);
      return;
    }
  range = isolux_dialog_format_range (dialog, low, high);
  /* Translators: %s is a range of values: "120–3,000" */
  note = isolux_dialog_has_output (dialog)
           ? g_strdup_printf (_("Original stretched for viewing: %s"), range)
           : g_strdup_printf (_("Stretched for viewing: %s"), range);
  isolux_image_preview_set_note (preview_of (dialog), note);
  g_free (note);
  g_free (range);
}

static gboolean
is_same (const IsoluxRectangle *a, const IsoluxRectangle *b)
{
  return a->x == b->x && a->y == b->y && a->width == b->width &&
         a->height == b->height;
}

/* What is selected of what is shown; NULL when that is all */
static cairo_surface_t *
render_selected (IsoluxDialog *dialog, const IsoluxEngineResult *result)
{
  const IsoluxTarget    *target = dialog->target;
  const IsoluxRectangle *part = &result->part;
  gint                   width = (gint) result->image.width;
  gint                   height = (gint) result->image.height;
  cairo_surface_t       *surface;
  guint8                *data;
  gint                   stride;

  if (! dialog->has_selection)
    return NULL;
  surface = cairo_image_surface_create (CAIRO_FORMAT_A8, width, height);
  if (cairo_surface_status (surface) != CAIRO_STATUS_SUCCESS)
    {
      cairo_surface_destroy (surface);
      return NULL;
    }

  data = cairo_image_surface_get_data (surface);
  stride = cairo_image_surface_get_stride (surface);
  for (gint j = 0; j < height; j++)
    {
      gint64 y = part->y + (2 * j + 1) * part->height / (2 * height) -
                 target->y;

      for (gint i = 0; i < width; i++)
        {
          gint64 x = part->x + (2 * i + 1) * part->width / (2 * width) -
                     target->x;
          gboolean inside = x >= 0 && y >= 0 && x < target->width &&
                            y < target->height;

          data[j * stride + i] =
            inside && (! target->mask || target->mask[y * target->width + x])
              ? 255
              : 0;
        }
    }
  cairo_surface_mark_dirty (surface);
  return surface;
}

static void
update_grid (IsoluxDialog *dialog)
{
  const IsoluxClaheGrid *grid;

  if (! dialog->result)
    return;
  grid = &dialog->result->grid;
  isolux_image_preview_set_grid (preview_of (dialog), dialog->target->x,
                                 dialog->target->y, (gdouble) grid->tile_width,
                                 (gdouble) grid->tile_height, grid->tiles_x,
                                 grid->tiles_y);
}

void
isolux_image_update (IsoluxDialog *dialog)
{
  IsoluxEngineResult *result = dialog->shown;
  cairo_surface_t    *after;
  cairo_surface_t    *selected;
  gdouble             low;
  gdouble             high;
  gboolean            output;

  if (! result || ! dialog->opened || ! result->before_pixels)
    return;

  get_stretch (dialog, &low, &high);
  output = isolux_dialog_has_output (dialog);
  if (! dialog->before_surface || dialog->before_read != result->read ||
      ! is_same (&dialog->before_part, &result->part) ||
      cairo_image_surface_get_width (dialog->before_surface) !=
        result->image.width ||
      cairo_image_surface_get_height (dialog->before_surface) !=
        result->image.height ||
      dialog->before_range[0] != low || dialog->before_range[1] != high)
    {
      g_clear_pointer (&dialog->before_surface, cairo_surface_destroy);
      dialog->before_surface =
        isolux_display_render (dialog->display, result->before_pixels,
                               (gint) result->image.width,
                               (gint) result->image.height, low, high);
      dialog->before_part = result->part;
      dialog->before_read = result->read;
      dialog->before_range[0] = low;
      dialog->before_range[1] = high;
    }
  after = isolux_display_render (dialog->display, result->after_pixels,
                                 (gint) result->image.width,
                                 (gint) result->image.height,
                                 output ? 0.0 : low, output ? 0.0 : high);
  selected = render_selected (dialog, result);
  isolux_image_preview_set_pictures (preview_of (dialog), &result->part,
                                     dialog->before_surface, after, selected);
  g_clear_pointer (&after, cairo_surface_destroy);
  g_clear_pointer (&selected, cairo_surface_destroy);

  update_note (dialog, low, high);
  update_grid (dialog);
}

void
isolux_image_source_opened (IsoluxDialog *dialog)
{
  g_clear_pointer (&dialog->display, isolux_display_free);
  g_clear_pointer (&dialog->before_surface, cairo_surface_destroy);
  dialog->display = isolux_display_new (dialog->source->format,
                                        dialog->source->image.type,
                                        dialog->source->image.components);
  gtk_widget_set_visible (dialog->stretch,
                          dialog->source->image.type != ISOLUX_TYPE_U8);
  isolux_image_preview_set_image_size (preview_of (dialog),
                                       dialog->source->image.width,
                                       dialog->source->image.height);
}

/* ---- Reading ------------------------------------------------------ */

/* "38" of 100, or "0.4" of 2.5 */
static gchar *
format_megapixels (gdouble pixels, gdouble all)
{
  return isolux_format_number (pixels / 1e6, all >= 2e7 ? 0 : 1);
}

void
isolux_image_update_strip (IsoluxDialog *dialog)
{
  gdouble all = (gdouble) dialog->width * dialog->height;
  gdouble read = (gdouble) dialog->width * (gdouble) dialog->rows_read;
  gchar  *text;

  if (dialog->loaded || dialog->failed || dialog->closed)
    {
      gtk_widget_hide (dialog->strip);
      return;
    }

  if (all < 1e6)
    text = g_strdup ("");
  else
    {
      gchar *part = format_megapixels (read, all);
      gchar *whole = format_megapixels (all, all);

      text = dialog->shown && dialog->rows_read > 0
               /* Translators: the first %s is a number of megapixels */
               ? g_strdup_printf (_("%s of %s megapixels · reduced version "
                                    "shown"),
                                  part, whole)
               : g_strdup_printf (_("%s of %s megapixels"), part, whole);
      g_free (whole);
      g_free (part);
    }
  gtk_label_set_text (GTK_LABEL (dialog->strip_text), text);
  gtk_progress_bar_set_fraction (GTK_PROGRESS_BAR (dialog->strip_bar),
                                 all > 0.0 ? read / all : 0.0);
  gtk_widget_show (dialog->strip);
  g_free (text);
}

static GtkWidget *
strip_new (IsoluxDialog *dialog)
{
  GtkWidget     *strip = gtk_event_box_new ();
  GtkWidget     *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 12);
  PangoAttrList *attributes = pango_attr_list_new ();

  dialog->strip = strip;
  dialog->strip_label = gtk_label_new (_("Reading the layer…"));
  pango_attr_list_insert (attributes,
                          pango_attr_weight_new (PANGO_WEIGHT_BOLD));
  pango_attr_list_insert (attributes, pango_attr_scale_new (0.95));
  gtk_label_set_attributes (GTK_LABEL (dialog->strip_label), attributes);
  pango_attr_list_unref (attributes);

  dialog->strip_bar = gtk_progress_bar_new ();
  gtk_widget_set_valign (dialog->strip_bar, GTK_ALIGN_CENTER);
  isolux_widget_set_name (dialog->strip_bar, _("Reading the layer…"));
  dialog->strip_text = isolux_label_new ("", 0.88, FALSE);
  isolux_label_tabular (dialog->strip_text);
  gtk_label_set_ellipsize (GTK_LABEL (dialog->strip_text), PANGO_ELLIPSIZE_END);

  gtk_box_pack_start (GTK_BOX (box), dialog->strip_label, FALSE, FALSE, 0);
  gtk_box_pack_start (GTK_BOX (box), dialog->strip_bar, TRUE, TRUE, 0);
  gtk_box_pack_start (GTK_BOX (box), dialog->strip_text, FALSE, TRUE, 0);
  gtk_container_set_border_width (GTK_CONTAINER (box), 8);
  gtk_widget_set_margin_start (box, 4);
  gtk_widget_set_margin_end (box, 4);
  isolux_widget_add_class (box, "isolux-clear");
  isolux_widget_add_class (strip, "isolux-strip");
  gtk_container_add (GTK_CONTAINER (strip), box);
  gtk_widget_set_valign (strip, GTK_ALIGN_END);
  gtk_widget_show_all (box);
  return strip;
}

/* ---- The pixel under the pointer ---------------------------------- */

/* "34, 45, 73" */
static gchar *
format_pixel (IsoluxDialog *dialog, const gdouble values[4], gboolean output)
{
  gint     colors = dialog->source->image.components >= 3 ? 3 : 1;
  GString *text = g_string_new (NULL);

  for (gint i = 0; i < colors; i++)
    {
      gchar *value = isolux_dialog_format_value (dialog, values[i], 0, output);

      if (i > 0)
        g_string_append (text, ", ");
      g_string_append (text, value);
      g_free (value);
    }
  return g_string_free (text, FALSE);
}

/* "Cell 67, 49 of 80 × 60" */
static gchar *
format_cell (IsoluxDialog *dialog)
{
  const IsoluxClaheGrid *grid = &dialog->result->grid;
  gint64                 x = dialog->pixel_x - dialog->target->x;
  gint64                 y = dialog->pixel_y - dialog->target->y;

  if (grid->tile_width < 1 || grid->tile_height < 1 || x < 0 || y < 0 ||
      x / grid->tile_width >= grid->tiles_x ||
      y / grid->tile_height >= grid->tiles_y)
    return NULL;
  return g_strdup_printf (_("Cell %d, %d of %d × %d"),
                          (gint) (x / grid->tile_width) + 1,
                          (gint) (y / grid->tile_height) + 1, grid->tiles_x,
                          grid->tiles_y);
}

void
isolux_image_update_pixel (IsoluxDialog *dialog)
{
  gdouble before[4];
  gdouble after[4];
  gint    known = 0;
  gchar  *text = NULL;
  gchar  *from;
  gchar  *to;

  if (dialog->opened && dialog->pixel_x >= 0)
    known = isolux_engine_get_pixel (dialog->engine, dialog->pixel_x,
                                     dialog->pixel_y, before, after);
  if (known > 0 && dialog->kind == ISOLUX_OPERATION_HOG && dialog->result)
    text = format_cell (dialog);
  if (known > 0 && ! text)
    {
      from = format_pixel (dialog, before, FALSE);
      to = known > 1 ? format_pixel (dialog, after, TRUE) : NULL;
      /* Translators: a pixel's place, and its value before and after */
      text = to ? g_strdup_printf (_("%d, %d:  %s → %s"),
                                   (gint) dialog->pixel_x,
                                   (gint) dialog->pixel_y, from, to)
                : g_strdup_printf (_("%d, %d:  %s"), (gint) dialog->pixel_x,
                                   (gint) dialog->pixel_y, from);
      g_free (to);
      g_free (from);
    }
  gtk_label_set_text (GTK_LABEL (dialog->pixel), text ? text : "");
  g_free (text);
}

/* ---- Signals ------------------------------------------------------ */

static void
view_changed (IsoluxImagePreview *view, IsoluxDialog *dialog)
{
  IsoluxRectangle part;
  gint            width;
  gint            height;

  isolux_image_preview_get_view (view, &part, &width, &height);
  if (dialog->opened && part.width > 0 && part.height > 0 && width > 0 &&
      height > 0)
    isolux_engine_set_view (dialog->engine, &part, width, height);
}

static void fit_toggled (GtkToggleButton *toggle, IsoluxDialog *dialog);
static void original_toggled (GtkToggleButton *toggle, IsoluxDialog *dialog);

static void
zoom_changed (IsoluxImagePreview *view, IsoluxDialog *dialog)
{
  gdouble  zoom = isolux_image_preview_get_zoom (view);
  gboolean fitted = isolux_image_preview_is_fitted (view);
  gchar   *text = isolux_format_percent (zoom, zoom < 0.0995 ? 1 : 0);

  gtk_label_set_text (GTK_LABEL (dialog->zoom_label), text);
  g_free (text);
  set_toggle (dialog->fit, fitted, fit_toggled, dialog);
  set_toggle (dialog->original, ! fitted && zoom == 1.0, original_toggled,
              dialog);
  dialog->memory.zoom = fitted ? 0.0 : zoom;
}

static void
fit_toggled (GtkToggleButton *toggle, IsoluxDialog *dialog)
{
  isolux_image_preview_set_zoom (preview_of (dialog), 0.0);
  zoom_changed (preview_of (dialog), dialog);
}

static void
original_toggled (GtkToggleButton *toggle, IsoluxDialog *dialog)
{
  isolux_image_preview_set_zoom (preview_of (dialog), 1.0);
  zoom_changed (preview_of (dialog), dialog);
}

static void
zoom_out_clicked (GtkButton *button, IsoluxDialog *dialog)
{
  isolux_image_preview_zoom_out (preview_of (dialog));
}

static void
zoom_in_clicked (GtkButton *button, IsoluxDialog *dialog)
{
  isolux_image_preview_zoom_in (preview_of (dialog));
}

static void
split_toggled (GtkToggleButton *toggle, IsoluxDialog *dialog)
{
  dialog->memory.split = gtk_toggle_button_get_active (toggle);
  isolux_image_preview_set_split (preview_of (dialog), dialog->memory.split);
}

static void
grid_toggled (GtkToggleButton *toggle, IsoluxDialog *dialog)
{
  dialog->memory.grid = gtk_toggle_button_get_active (toggle);
  isolux_image_preview_show_grid (preview_of (dialog), dialog->memory.grid);
}

static void
stretch_toggled (GtkToggleButton *toggle, IsoluxDialog *dialog)
{
  dialog->stretch_set = TRUE;
  isolux_image_update (dialog);
}

static void
compare_pressed (GtkButton *button, IsoluxDialog *dialog)
{
  isolux_dialog_compare (dialog, TRUE);
}

static void
compare_released (GtkButton *button, IsoluxDialog *dialog)
{
  isolux_dialog_compare (dialog, FALSE);
}

static void
pixel_changed (IsoluxImagePreview *view,
               gint64              x,
               gint64              y,
               IsoluxDialog       *dialog)
{
  dialog->pixel_x = x;
  dialog->pixel_y = y;
  isolux_image_update_pixel (dialog);
}

static void
picked (IsoluxImagePreview *view,
        gint64              column,
        gint64              row,
        IsoluxDialog       *dialog)
{
  dialog->pick_x = column;
  dialog->pick_y = row;
  isolux_engine_set_pick (dialog->engine, column, row);
}

static void
toggle_key (IsoluxImagePreview *view, gint key, IsoluxDialog *dialog)
{
  GtkWidget *toggle = NULL;

  switch (g_ascii_toupper ((gchar) key))
    {
      case 'S':
        toggle = dialog->split;
        break;
      case 'G':
        toggle = dialog->grid;
        break;
      case 'T':
        toggle = dialog->stretch;
        break;
    }
  if (toggle && gtk_widget_get_visible (toggle))
    gtk_toggle_button_set_active (
      GTK_TOGGLE_BUTTON (toggle),
      ! gtk_toggle_button_get_active (GTK_TOGGLE_BUTTON (toggle)));
}

/* Across is the width, up is the level */
static void
window_dragged (IsoluxImagePreview *view,
                gint                dx,
                gint                dy,
                gboolean            ended,
                IsoluxDialog       *dialog)
{
  IsoluxHistogram *histogram;
  gdouble          low;
  gdouble          high;
  gdouble          range;

  if (dialog->kind != ISOLUX_OPERATION_WINDOW || ! dialog->result ||
      ! dialog->result->before.histogram)
    return;

  if (! dialog->dragging)
    {
      low = isolux_real_values_from_code (&dialog->values,
                                          dialog->result->window_low);
      high = isolux_real_values_from_code (&dialog->values,
                                           dialog->result->window_high);
      dialog->drag_center = (low + high) / 2.0;
      dialog->drag_width = ABS (high - low);
      dialog->dragging = TRUE;
    }

  histogram = dialog->result->before.histogram;
  range = ABS (dialog->values.slope) * (histogram->high - histogram->low);
  g_object_set (dialog->config, "mode", "window", "width",
                CLAMP (dialog->drag_width + dx * range / WINDOW_DRAG,
                       range * 1e-5 + 1e-6, 1e9),
                "center",
                CLAMP (dialog->drag_center - dy * range / WINDOW_DRAG, -1e9,
                       1e9),
                NULL);
  if (ended)
    dialog->dragging = FALSE;
}

/* ---- Building ----------------------------------------------------- */

static GtkWidget *
compare_new (IsoluxDialog *dialog)
{
  GtkWidget *button = gtk_button_new ();
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 5);

  gtk_box_pack_start (GTK_BOX (box),
                      isolux_icon_new ("gimp-visible-symbolic", 16), FALSE,
                      FALSE, 0);
  gtk_box_pack_start (GTK_BOX (box),
                      isolux_label_new (_("Hold to compare"), 0.92, FALSE),
                      FALSE, FALSE, 0);
  gtk_container_add (GTK_CONTAINER (button), box);
  gtk_widget_set_tooltip_text (button,
                               _("Shows the original while pressed (F2)"));
  isolux_widget_set_name (button, _("Hold to compare"));
  g_signal_connect (button, "pressed", G_CALLBACK (compare_pressed), dialog);
  g_signal_connect (button, "released", G_CALLBACK (compare_released), dialog);
  return button;
}

static gboolean
has_grid (IsoluxDialog *dialog)
{
  return dialog->kind == ISOLUX_OPERATION_CLAHE ||
         dialog->kind == ISOLUX_OPERATION_CONTRAST_MAP ||
         dialog->kind == ISOLUX_OPERATION_HOG;
}

static GtkWidget *
bar_new (IsoluxDialog *dialog)
{
  GtkWidget *bar = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 4);
  GtkWidget *out;
  GtkWidget *in;
  GtkWidget *separator = gtk_separator_new (GTK_ORIENTATION_VERTICAL);

  isolux_widget_add_class (bar, "isolux-bar");

  out = isolux_icon_button_new ("zoom-out-symbolic", _("Zoom out"));
  in = isolux_icon_button_new ("zoom-in-symbolic", _("Zoom in"));
  g_signal_connect (out, "clicked", G_CALLBACK (zoom_out_clicked), dialog);
  g_signal_connect (in, "clicked", G_CALLBACK (zoom_in_clicked), dialog);
  dialog->fit =
    isolux_icon_toggle_new ("zoom-fit-best-symbolic", _("Fit in the preview"));
  dialog->original =
    isolux_icon_toggle_new ("zoom-original-symbolic", _("100 %"));
  g_signal_connect (dialog->fit, "toggled", G_CALLBACK (fit_toggled), dialog);
  g_signal_connect (dialog->original, "toggled", G_CALLBACK (original_toggled),
                    dialog);
  dialog->zoom_label = isolux_label_new ("", 0.92, FALSE);
  isolux_label_tabular (dialog->zoom_label);
  gtk_label_set_width_chars (GTK_LABEL (dialog->zoom_label), 6);
  isolux_widget_set_description (dialog->zoom_label, _("Zoom"));

  dialog->split =
    isolux_icon_toggle_new ("object-flip-horizontal-symbolic",
                            _("Split view: original left, result right"));
  isolux_widget_set_name (dialog->split, _("Split view"));
  dialog->grid = isolux_icon_toggle_new ("gimp-grid-symbolic",
                                         dialog->kind == ISOLUX_OPERATION_HOG
                                           ? _("Cell grid")
                                           : _("Tile grid"));
  dialog->stretch =
    isolux_icon_toggle_new ("gimp-display-filter-contrast-symbolic",
                            _("Stretch the preview from the lowest to the "
                              "highest value; the image "
                              "is not changed"));
  isolux_widget_set_name (dialog->stretch, _("Stretch"));
  gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (dialog->split),
                                dialog->memory.split);
  gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (dialog->grid),
                                dialog->memory.grid);
  g_signal_connect (dialog->split, "toggled", G_CALLBACK (split_toggled),
                    dialog);
  g_signal_connect (dialog->grid, "toggled", G_CALLBACK (grid_toggled), dialog);
  g_signal_connect (dialog->stretch, "toggled", G_CALLBACK (stretch_toggled),
                    dialog);

  dialog->compare = compare_new (dialog);
  dialog->pixel = isolux_label_new ("", 0.88, TRUE);
  isolux_label_tabular (dialog->pixel);
  gtk_label_set_xalign (GTK_LABEL (dialog->pixel), 1.0);
  gtk_label_set_ellipsize (GTK_LABEL (dialog->pixel), PANGO_ELLIPSIZE_END);
  isolux_widget_set_description (dialog->pixel, _("Pixel under the pointer"));

  gtk_widget_set_margin_start (separator, 3);
  gtk_widget_set_margin_end (separator, 3);
  gtk_box_pack_start (GTK_BOX (bar), isolux_linked_new (out, in, NULL), FALSE,
                      FALSE, 0);
  gtk_box_pack_start (GTK_BOX (bar),
                      isolux_linked_new (dialog->fit, dialog->original, NULL),
                      FALSE, FALSE, 0);
  gtk_box_pack_start (GTK_BOX (bar), dialog->zoom_label, FALSE, FALSE, 0);
  gtk_box_pack_start (GTK_BOX (bar), separator, FALSE, FALSE, 0);
  gtk_box_pack_start (GTK_BOX (bar),
                      isolux_linked_new (dialog->split, dialog->grid,
                                         dialog->stretch, NULL),
                      FALSE, FALSE, 0);
  gtk_box_pack_start (GTK_BOX (bar), dialog->compare, FALSE, FALSE, 0);
  gtk_box_pack_start (GTK_BOX (bar), dialog->pixel, TRUE, TRUE, 4);
  gtk_widget_show_all (bar);
  gtk_widget_set_no_show_all (dialog->stretch, TRUE);
  gtk_widget_set_no_show_all (dialog->grid, TRUE);
  gtk_widget_set_visible (dialog->grid, has_grid (dialog));
  gtk_widget_set_visible (dialog->stretch, dialog->depth != 8);
  return bar;
}

GtkWidget *
isolux_image_pane_new (IsoluxDialog *dialog)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 5);
  GtkWidget *frame = gtk_frame_new (NULL);
  GtkWidget *overlay = gtk_overlay_new ();

  dialog->view = isolux_image_preview_new ();
  dialog->pixel_x = dialog->pixel_y = -1;
  dialog->pick_x = dialog->pick_y = -1;
  isolux_image_preview_set_labels (preview_of (dialog), _("Before"),
                                   _("After"));
  isolux_image_preview_set_split (preview_of (dialog), dialog->memory.split);
  isolux_image_preview_show_grid (preview_of (dialog),
                                  dialog->memory.grid && has_grid (dialog));

  gtk_frame_set_shadow_type (GTK_FRAME (frame), GTK_SHADOW_IN);
  gtk_container_add (GTK_CONTAINER (overlay), dialog->view);
  gtk_overlay_add_overlay (GTK_OVERLAY (overlay), strip_new (dialog));
  gtk_container_add (GTK_CONTAINER (frame), overlay);
  gtk_widget_show_all (frame);
  gtk_widget_set_no_show_all (dialog->strip, TRUE);

  gtk_box_pack_start (GTK_BOX (box), frame, TRUE, TRUE, 0);
  gtk_box_pack_start (GTK_BOX (box), bar_new (dialog), FALSE, FALSE, 0);

  g_signal_connect (dialog->view, "view-changed", G_CALLBACK (view_changed),
                    dialog);
  g_signal_connect (dialog->view, "zoom-changed", G_CALLBACK (zoom_changed),
                    dialog);
  g_signal_connect (dialog->view, "pixel", G_CALLBACK (pixel_changed), dialog);
  g_signal_connect (dialog->view, "picked", G_CALLBACK (picked), dialog);
  g_signal_connect (dialog->view, "toggle-key", G_CALLBACK (toggle_key),
                    dialog);
  g_signal_connect (dialog->view, "window-drag", G_CALLBACK (window_dragged),
                    dialog);
  isolux_image_preview_set_zoom (preview_of (dialog), dialog->memory.zoom);
  zoom_changed (preview_of (dialog), dialog);
  gtk_widget_show (box);
  return box;
}
