/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * image-preview.c: an image before | after: what it has and tells.
 *
 * Where things are is in preview-geometry.c, how they look in
 * preview-paint.c, what the user does with them in preview-input.c.
 */
#include <glib/gi18n-lib.h>
#include <gtk/gtk.h>
#include <gtk/gtk-a11y.h>
#include <math.h>

#include "image-preview.h"
#include "palette.h"
#include "preview-private.h"

/* What is not selected keeps 40 % of its brightness */
#define SHADE_PERCENT 60

guint preview_signals[PREVIEW_N_SIGNALS];

G_DEFINE_TYPE (IsoluxImagePreview, isolux_image_preview, GTK_TYPE_DRAWING_AREA)

/* ---- For assistive technologies ---- */

typedef struct
{
  GtkWidgetAccessible parent_instance;
} IsoluxImagePreviewAccessible;

typedef struct
{
  GtkWidgetAccessibleClass parent_class;
} IsoluxImagePreviewAccessibleClass;

static GType isolux_image_preview_accessible_get_type (void);
static void  accessible_value_init (AtkValueIface *iface);

G_DEFINE_TYPE_WITH_CODE (IsoluxImagePreviewAccessible,
                         isolux_image_preview_accessible,
                         GTK_TYPE_WIDGET_ACCESSIBLE,
                         G_IMPLEMENT_INTERFACE (ATK_TYPE_VALUE,
                                                accessible_value_init))

static IsoluxImagePreview *
get_preview (gpointer accessible)
{
  GtkWidget *widget = gtk_accessible_get_widget (GTK_ACCESSIBLE (accessible));

  return widget ? ISOLUX_IMAGE_PREVIEW (widget) : NULL;
}

gint
preview_get_percent (IsoluxImagePreview *preview)
{
  return (gint) floor (preview->position * 100.0 + 0.5);
}

static gchar *
get_value_text (IsoluxImagePreview *preview)
{
  return g_strdup_printf (_("%d %%"), preview_get_percent (preview));
}

static void
accessible_get_value_and_text (AtkValue *value, gdouble *number, gchar **text)
{
  IsoluxImagePreview *preview = get_preview (value);

  if (number)
    *number = preview ? preview->position * 100.0 : 0.0;
  if (text)
    *text = preview ? get_value_text (preview) : NULL;
}

static AtkRange *
accessible_get_range (AtkValue *value)
{
  return atk_range_new (0.0, 100.0, NULL);
}

static gdouble
accessible_get_increment (AtkValue *value)
{
  return 1.0;
}

static void
accessible_set_value (AtkValue *value, const gdouble number)
{
  IsoluxImagePreview *preview = get_preview (value);

  if (! preview || isnan (number))
    return;
  isolux_image_preview_set_split_position (preview, number / 100.0);
  g_signal_emit (preview, preview_signals[PREVIEW_SPLIT_CHANGED], 0);
}

static void
accessible_value_init (AtkValueIface *iface)
{
  iface->get_value_and_text = accessible_get_value_and_text;
  iface->get_range = accessible_get_range;
  iface->get_increment = accessible_get_increment;
  iface->set_value = accessible_set_value;
}

static void
accessible_initialize (AtkObject *accessible, gpointer data)
{
  ATK_OBJECT_CLASS (isolux_image_preview_accessible_parent_class)
    ->initialize (accessible, data);

  /* what the keys move first */
  accessible->role = ATK_ROLE_SLIDER;
  atk_object_set_name (accessible, _("Image preview"));
}

static void
isolux_image_preview_accessible_class_init (IsoluxImagePreviewAccessibleClass
                                              *klass)
{
  ATK_OBJECT_CLASS (klass)->initialize = accessible_initialize;
}

static void
isolux_image_preview_accessible_init (IsoluxImagePreviewAccessible *accessible)
{
}

gboolean
preview_is_empty (IsoluxImagePreview *preview)
{
  return preview->geometry.image_width < 1.0 ||
         preview->geometry.image_height < 1.0;
}

PreviewShow
preview_get_show (IsoluxImagePreview *preview)
{
  if (preview->compare || ! preview->pictures.after)
    return PREVIEW_SHOW_BEFORE;
  return preview->split ? PREVIEW_SHOW_BOTH : PREVIEW_SHOW_AFTER;
}

/* Whether before is left or at the top */
static gboolean
is_before_first (IsoluxImagePreview *preview)
{
  gboolean mirrored = ! preview->turned &&
                      gtk_widget_get_direction (GTK_WIDGET (preview)) ==
                        GTK_TEXT_DIR_RTL;

  return mirrored == preview->swapped;
}

static void
describe_sides (IsoluxImagePreview *preview, GString *text)
{
  const gchar *before = preview->before_label ? preview->before_label
                                              : _("Before");
  const gchar *after = preview->after_label ? preview->after_label
                                            : _("After");
  gboolean     first = is_before_first (preview);

  switch (preview_get_show (preview))
    {
      case PREVIEW_SHOW_BEFORE:
        g_string_append_printf (text, _("Shown: %s."), before);
        break;

      case PREVIEW_SHOW_AFTER:
        g_string_append_printf (text, _("Shown: %s."), after);
        break;

      case PREVIEW_SHOW_BOTH:
        g_string_append_printf (text,
                                preview->turned
                                  ? _("%s above, %s below; divider at %d %%.")
                                  : _("%s left, %s right; divider at %d %%."),
                                first ? before : after, first ? after : before,
                                preview_get_percent (preview));
        break;
    }
}

/* What is to be seen, in words; changes while something is dragged come
 * together when that ends. */
void
preview_update_description (IsoluxImagePreview *preview)
{
  AtkObject *accessible = gtk_widget_get_accessible (GTK_WIDGET (preview));
  GString   *text;

  if (! accessible || preview->drag != PREVIEW_DRAG_NONE)
    return;

  text = g_string_new (NULL);
  if (preview_is_empty (preview) || preview->pictures.part.width < 1)
    {
      g_string_append (text, _("There is nothing to be seen yet."));
    }
  else
    {
      describe_sides (preview, text);
      g_string_append_c (text, ' ');
      g_string_append_printf (text, _("Zoom %.4g %%."),
                              preview_geometry_get_zoom (&preview->geometry) *
                                100.0);
      if (preview->pick.x >= 0)
        {
          g_string_append_c (text, ' ');
          g_string_append_printf (text, _("Picked: %d, %d of %d × %d."),
                                  (gint) preview->pick.x + 1,
                                  (gint) preview->pick.y + 1,
                                  (gint) preview->grid.columns,
                                  (gint) preview->grid.rows);
        }
      if (preview->stop == PREVIEW_STOP_TILES && preview->cursor.x >= 0)
        {
          g_string_append_c (text, ' ');
          g_string_append_printf (text, _("At: %d, %d."),
                                  (gint) preview->cursor.x + 1,
                                  (gint) preview->cursor.y + 1);
        }
      if (preview->note)
        g_string_append_printf (text, " %s", preview->note);
    }

  if (g_strcmp0 (atk_object_get_description (accessible), text->str))
    atk_object_set_description (accessible, text->str);
  g_string_free (text, TRUE);
}

void
preview_tell_value (IsoluxImagePreview *preview)
{
  AtkObject *accessible = gtk_widget_get_accessible (GTK_WIDGET (preview));
  gchar     *text;

  if (! accessible || preview->drag != PREVIEW_DRAG_NONE)
    return;
  text = get_value_text (preview);
  g_object_notify (G_OBJECT (accessible), "accessible-value");
  g_signal_emit_by_name (accessible, "value-changed", preview->position * 100.0,
                         text);
  g_free (text);
}

/* ---- What has changed ---- */

static void
clear_pictures (PreviewPictures *pictures)
{
  g_clear_pointer (&pictures->before, cairo_surface_destroy);
  g_clear_pointer (&pictures->after, cairo_surface_destroy);
  g_clear_pointer (&pictures->shade, cairo_surface_destroy);
  pictures->part = (IsoluxRectangle) { 0 };
}

/* The pixel at a point of the view; PREVIEW_NOWHERE outside of the image */
PreviewPoint
preview_get_pixel (IsoluxImagePreview *preview, gdouble view_x, gdouble view_y)
{
  gdouble x, y;

  if (preview_geometry_is_empty (&preview->geometry))
    return PREVIEW_NOWHERE;
  preview_geometry_to_image (&preview->geometry, view_x, view_y, &x, &y);
  if (x < 0.0 || y < 0.0 || x >= preview->geometry.image_width ||
      y >= preview->geometry.image_height)
    return PREVIEW_NOWHERE;
  return (PreviewPoint) { (gint64) x, (gint64) y };
}

/* The tile that a pixel is in; PREVIEW_NOWHERE when it is in none */
PreviewPoint
preview_get_tile_at (IsoluxImagePreview *preview, PreviewPoint pixel)
{
  const PreviewGrid *grid = &preview->grid;
  gdouble            x, y;

  if (grid->columns < 1 || pixel.x < 0)
    return PREVIEW_NOWHERE;
  x = floor ((pixel.x + 0.5 - grid->x) / grid->tile_width);
  y = floor ((pixel.y + 0.5 - grid->y) / grid->tile_height);
  if (x < 0.0 || y < 0.0 || x >= grid->columns || y >= grid->rows)
    return PREVIEW_NOWHERE;
  return (PreviewPoint) { (gint64) x, (gint64) y };
}

void
preview_update_pixel (IsoluxImagePreview *preview)
{
  PreviewPoint pixel = PREVIEW_NOWHERE;

  if (preview->stop == PREVIEW_STOP_CROSS && preview->cross.x >= 0)
    pixel = preview->cross;
  else if (preview->pointer_inside)
    pixel = preview_get_pixel (preview, preview->pointer_x, preview->pointer_y);

  if (pixel.x == preview->told_pixel.x && pixel.y == preview->told_pixel.y)
    return;
  preview->told_pixel = pixel;
  g_signal_emit (preview, preview_signals[PREVIEW_PIXEL], 0, pixel.x, pixel.y);
}

/* After each change of the geometry */
void
preview_update (IsoluxImagePreview *preview)
{
  PreviewGeometry *geometry = &preview->geometry;
  IsoluxRectangle  part;
  gint             width, height;
  gdouble          zoom;
  gboolean         fitted = (geometry->zoom <= 0.0);

  g_clear_handle_id (&preview->idle, g_source_remove);
  preview_geometry_clamp (geometry);
  preview_geometry_get_part (geometry, &part, &width, &height);
  zoom = preview_geometry_get_zoom (geometry);

  if (zoom != preview->told_zoom || fitted != preview->told_fitted)
    {
      preview->told_zoom = zoom;
      preview->told_fitted = fitted;
      g_signal_emit (preview, preview_signals[PREVIEW_ZOOM_CHANGED], 0);
    }
  if (part.x != preview->told_part.x || part.y != preview->told_part.y ||
      part.width != preview->told_part.width ||
      part.height != preview->told_part.height ||
      width != preview->told_width || height != preview->told_height)
    {
      preview->told_part = part;
      preview->told_width = width;
      preview->told_height = height;
      g_signal_emit (preview, preview_signals[PREVIEW_VIEW_CHANGED], 0);
    }
  preview_update_pixel (preview);
  preview_update_description (preview);
  gtk_widget_queue_draw (GTK_WIDGET (preview));
}

static gboolean
update_idle (gpointer data)
{
  IsoluxImagePreview *preview = data;

  preview->idle = 0;
  preview_update (preview);
  return G_SOURCE_REMOVE;
}

static void
update_size (IsoluxImagePreview *preview)
{
  GtkWidget *widget = GTK_WIDGET (preview);

  preview->geometry.unit = gtk_widget_get_scale_factor (widget);
  preview->geometry.view_width = gtk_widget_get_allocated_width (widget) *
                                 preview->geometry.unit;
  preview->geometry.view_height = gtk_widget_get_allocated_height (widget) *
                                  preview->geometry.unit;

  /* who hears the signals may want to change widgets, which does no good
   * amid an allocation */
  if (! preview->idle)
    preview->idle =
      g_idle_add_full (GTK_PRIORITY_RESIZE + 1, update_idle, preview, NULL);
}

static void
set_position (IsoluxImagePreview *preview, gdouble position)
{
  position = CLAMP (position, 0.0, 1.0);
  if (position == preview->position)
    return;
  preview->position = position;
  preview_tell_value (preview);
  preview_update_description (preview);
  gtk_widget_queue_draw (GTK_WIDGET (preview));
}

void
preview_move_divider (IsoluxImagePreview *preview, gdouble position)
{
  gdouble before = preview->position;

  set_position (preview, position);
  if (preview->position != before)
    g_signal_emit (preview, preview_signals[PREVIEW_SPLIT_CHANGED], 0);
}

void
preview_zoom_about (IsoluxImagePreview *preview,
                    gdouble             zoom,
                    gdouble             x,
                    gdouble             y)
{
  if (preview_geometry_is_empty (&preview->geometry))
    return;
  preview_geometry_zoom_about (&preview->geometry, zoom, x, y);
  preview_update (preview);
}

/* Zooms about what the keyboard points at, else the middle. */
void
preview_zoom_here (IsoluxImagePreview *preview, gdouble zoom)
{
  gdouble x = preview->geometry.view_width / 2.0;
  gdouble y = preview->geometry.view_height / 2.0;

  if (preview->stop == PREVIEW_STOP_CROSS && preview->cross.x >= 0)
    preview_geometry_to_view (&preview->geometry, preview->cross.x + 0.5,
                              preview->cross.y + 0.5, &x, &y);
  preview_zoom_about (preview, zoom, x, y);
}

void
preview_fit (IsoluxImagePreview *preview)
{
  preview->geometry.zoom = 0.0;
  preview_update (preview);
}

void
preview_pick (IsoluxImagePreview *preview, PreviewPoint tile)
{
  if (tile.x == preview->pick.x && tile.y == preview->pick.y)
    return;
  preview->pick = tile;
  preview_update_description (preview);
  gtk_widget_queue_draw (GTK_WIDGET (preview));
  g_signal_emit (preview, preview_signals[PREVIEW_PICKED], 0, tile.x, tile.y);
}

void
preview_swap (IsoluxImagePreview *preview)
{
  isolux_image_preview_set_swapped (preview, ! preview->swapped);
  g_signal_emit (preview, preview_signals[PREVIEW_SPLIT_CHANGED], 0);
}

void
preview_turn (IsoluxImagePreview *preview)
{
  isolux_image_preview_set_turned (preview, ! preview->turned);
  g_signal_emit (preview, preview_signals[PREVIEW_SPLIT_CHANGED], 0);
}

/* ---- Drawing ---- */

static PangoLayout *
make_layout (IsoluxImagePreview *preview,
             const gchar        *text,
             gdouble             size,
             PangoWeight         weight)
{
  PangoLayout   *layout;
  PangoAttrList *attributes;

  if (! text)
    return NULL;
  layout = gtk_widget_create_pango_layout (GTK_WIDGET (preview), text);
  attributes = pango_attr_list_new ();
  pango_attr_list_insert (attributes, pango_attr_scale_new (size));
  pango_attr_list_insert (attributes, pango_attr_weight_new (weight));
  pango_attr_list_insert (attributes, pango_attr_font_features_new ("tnum=1"));
  pango_layout_set_attributes (layout, attributes);
  pango_layout_set_ellipsize (layout, PANGO_ELLIPSIZE_MIDDLE);
  pango_attr_list_unref (attributes);
  return layout;
}

static void
paint (IsoluxImagePreview    *preview,
       const PreviewGeometry *geometry,
       cairo_t               *cr)
{
  GtkWidget   *widget = GTK_WIDGET (preview);
  gboolean     keys = gtk_widget_has_visible_focus (widget);
  PreviewScene scene = {
    .geometry = *geometry,
    .light = isolux_palette_of (widget) != ISOLUX_PALETTE_DARK,
    .wide = &preview->wide,
    .pictures = &preview->pictures,
    .show = preview_get_show (preview),
    .before_first = is_before_first (preview),
    .turned = preview->turned,
    .position = preview->position,
    .grid = preview->show_grid && preview->grid.columns > 0 ? &preview->grid
                                                            : NULL,
    .tiles = &preview->grid,
    .pick = preview->pick,
    .cursor = keys && preview->stop == PREVIEW_STOP_TILES ? preview->cursor
                                                          : PREVIEW_NOWHERE,
    .cross = preview->stop == PREVIEW_STOP_CROSS ? preview->cross
                                                 : PREVIEW_NOWHERE,
    .focus = keys,
    .grip_focus = keys && preview->stop == PREVIEW_STOP_DIVIDER,
  };

  if (preview->wide.part.width < 1)
    scene.wide = NULL;
  scene.before_label =
    make_layout (preview, preview->before_label, 0.9, PANGO_WEIGHT_BOLD);
  scene.after_label =
    make_layout (preview, preview->after_label, 0.9, PANGO_WEIGHT_BOLD);
  scene.note = make_layout (preview, preview->note, 0.82, PANGO_WEIGHT_NORMAL);
  preview_paint (&scene, cr);
  g_clear_object (&scene.before_label);
  g_clear_object (&scene.after_label);
  g_clear_object (&scene.note);
}

/* Painted into memory first: not every X server scales as well as cairo. */
static gboolean
draw (GtkWidget *widget, cairo_t *cr)
{
  IsoluxImagePreview *preview = ISOLUX_IMAGE_PREVIEW (widget);
  cairo_surface_t    *surface;
  cairo_t            *memory;
  gdouble             unit = preview->geometry.unit;

  if (preview->geometry.view_width < 1.0 || preview->geometry.view_height < 1.0)
    return FALSE;

  surface = cairo_image_surface_create (CAIRO_FORMAT_RGB24,
                                        (gint) preview->geometry.view_width,
                                        (gint) preview->geometry.view_height);
  memory = cairo_create (surface);
  paint (preview, &preview->geometry, memory);
  cairo_destroy (memory);

  cairo_save (cr);
  cairo_scale (cr, 1.0 / unit, 1.0 / unit);
  cairo_set_source_surface (cr, surface, 0.0, 0.0);
  cairo_pattern_set_filter (cairo_get_source (cr), CAIRO_FILTER_NEAREST);
  cairo_paint (cr);
  cairo_restore (cr);
  cairo_surface_destroy (surface);
  return FALSE;
}

static void
get_preferred_width (GtkWidget *widget, gint *minimum, gint *natural)
{
  *minimum = 240;
  *natural = 640;
}

static void
get_preferred_height (GtkWidget *widget, gint *minimum, gint *natural)
{
  *minimum = 120;
  *natural = 320;
}

static void
size_allocate (GtkWidget *widget, GtkAllocation *allocation)
{
  GTK_WIDGET_CLASS (isolux_image_preview_parent_class)
    ->size_allocate (widget, allocation);
  update_size (ISOLUX_IMAGE_PREVIEW (widget));
}

static void
direction_changed (GtkWidget *widget, GtkTextDirection previous)
{
  preview_update_description (ISOLUX_IMAGE_PREVIEW (widget));
  GTK_WIDGET_CLASS (isolux_image_preview_parent_class)
    ->direction_changed (widget, previous);
}

/* ---- The object ---- */

static void
dispose (GObject *object)
{
  IsoluxImagePreview *preview = ISOLUX_IMAGE_PREVIEW (object);

  g_clear_handle_id (&preview->idle, g_source_remove);
  g_clear_object (&preview->pinch);
  clear_pictures (&preview->pictures);
  clear_pictures (&preview->wide);
  G_OBJECT_CLASS (isolux_image_preview_parent_class)->dispose (object);
}

static void
finalize (GObject *object)
{
  IsoluxImagePreview *preview = ISOLUX_IMAGE_PREVIEW (object);

  g_free (preview->before_label);
  g_free (preview->after_label);
  g_free (preview->note);
  G_OBJECT_CLASS (isolux_image_preview_parent_class)->finalize (object);
}

static void
isolux_image_preview_class_init (IsoluxImagePreviewClass *klass)
{
  GObjectClass   *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  GType           type = G_TYPE_FROM_CLASS (klass);

  object_class->dispose = dispose;
  object_class->finalize = finalize;
  widget_class->draw = draw;
  widget_class->get_preferred_width = get_preferred_width;
  widget_class->get_preferred_height = get_preferred_height;
  widget_class->size_allocate = size_allocate;
  widget_class->direction_changed = direction_changed;
  preview_input_class_init (widget_class);
  gtk_widget_class_set_accessible_type (
    widget_class, isolux_image_preview_accessible_get_type ());

  preview_signals[PREVIEW_VIEW_CHANGED] =
    g_signal_new ("view-changed", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                  G_TYPE_NONE, 0);
  preview_signals[PREVIEW_PIXEL] =
    g_signal_new ("pixel", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                  G_TYPE_NONE, 2, G_TYPE_INT64, G_TYPE_INT64);
  preview_signals[PREVIEW_PICKED] =
    g_signal_new ("picked", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                  G_TYPE_NONE, 2, G_TYPE_INT64, G_TYPE_INT64);
  preview_signals[PREVIEW_WINDOW_DRAG] =
    g_signal_new ("window-drag", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                  G_TYPE_NONE, 3, G_TYPE_INT, G_TYPE_INT, G_TYPE_BOOLEAN);
  preview_signals[PREVIEW_SPLIT_CHANGED] =
    g_signal_new ("split-changed", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                  G_TYPE_NONE, 0);
  preview_signals[PREVIEW_ZOOM_CHANGED] =
    g_signal_new ("zoom-changed", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                  G_TYPE_NONE, 0);
  preview_signals[PREVIEW_TOGGLE_KEY] =
    g_signal_new ("toggle-key", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                  G_TYPE_NONE, 1, G_TYPE_INT);
}

static void
isolux_image_preview_init (IsoluxImagePreview *preview)
{
  preview->geometry.unit = 1.0;
  preview->split = TRUE;
  preview->position = 0.5;
  preview->pick = preview->cursor = preview->cross = PREVIEW_NOWHERE;
  preview->told_pixel = PREVIEW_NOWHERE;
  preview->told_fitted = TRUE;

  preview_input_init (preview);
  g_signal_connect (preview, "notify::scale-factor", G_CALLBACK (update_size),
                    NULL);
}

GtkWidget *
isolux_image_preview_new (void)
{
  return g_object_new (ISOLUX_TYPE_IMAGE_PREVIEW, NULL);
}

void
isolux_image_preview_set_image_size (IsoluxImagePreview *preview,
                                     gint64              width,
                                     gint64              height)
{
  PreviewGeometry *geometry;

  g_return_if_fail (ISOLUX_IS_IMAGE_PREVIEW (preview));

  geometry = &preview->geometry;
  if (width < 1 || height < 1)
    width = height = 0;
  if (geometry->image_width == width && geometry->image_height == height)
    return;

  isolux_image_preview_cancel_drag (preview);
  geometry->image_width = width;
  geometry->image_height = height;
  geometry->center_x = width / 2.0;
  geometry->center_y = height / 2.0;
  geometry->zoom = 0.0;
  preview->cross = PREVIEW_NOWHERE;
  clear_pictures (&preview->pictures);
  clear_pictures (&preview->wide);
  preview_update (preview);
}

static gboolean
contains (const IsoluxRectangle *outer, const IsoluxRectangle *inner)
{
  return inner->x >= outer->x && inner->y >= outer->y &&
         inner->x + inner->width <= outer->x + outer->width &&
         inner->y + inner->height <= outer->y + outer->height;
}

static gdouble
get_area (const IsoluxRectangle *rectangle)
{
  return (gdouble) rectangle->width * rectangle->height;
}

/* How much black goes over each pixel */
static cairo_surface_t *
make_shade (cairo_surface_t *selected)
{
  gint             width = cairo_image_surface_get_width (selected);
  gint             height = cairo_image_surface_get_height (selected);
  gint             from_stride = cairo_image_surface_get_stride (selected);
  cairo_surface_t *shade =
    cairo_image_surface_create (CAIRO_FORMAT_A8, width, height);
  gint          to_stride = cairo_image_surface_get_stride (shade);
  const guint8 *from;
  guint8       *to;

  cairo_surface_flush (selected);
  from = cairo_image_surface_get_data (selected);
  to = cairo_image_surface_get_data (shade);
  for (gint y = 0; from && to && y < height; y++)
    for (gint x = 0; x < width; x++)
      to[(gsize) y * to_stride + x] =
        (255 - from[(gsize) y * from_stride + x]) * SHADE_PERCENT / 100;
  cairo_surface_mark_dirty (shade);
  return shade;
}

static gboolean
is_picture (cairo_surface_t *surface)
{
  return cairo_surface_get_type (surface) == CAIRO_SURFACE_TYPE_IMAGE &&
         cairo_image_surface_get_width (surface) > 0 &&
         cairo_image_surface_get_height (surface) > 0;
}

void
isolux_image_preview_set_pictures (IsoluxImagePreview    *preview,
                                   const IsoluxRectangle *part,
                                   cairo_surface_t       *before,
                                   cairo_surface_t       *after,
                                   cairo_surface_t       *selected)
{
  PreviewPictures pictures = { 0 };

  g_return_if_fail (ISOLUX_IS_IMAGE_PREVIEW (preview));
  g_return_if_fail (! before || is_picture (before));
  g_return_if_fail (! after || is_picture (after));
  g_return_if_fail (! selected || (is_picture (selected) &&
                                   cairo_image_surface_get_format (selected) ==
                                     CAIRO_FORMAT_A8));

  if ((! before && ! after) || ! part || part->width < 1 || part->height < 1)
    {
      clear_pictures (&preview->pictures);
      clear_pictures (&preview->wide);
      preview_update (preview);
      return;
    }

  pictures.part = *part;
  if (before)
    pictures.before = cairo_surface_reference (before);
  if (after)
    pictures.after = cairo_surface_reference (after);
  if (selected)
    pictures.shade = make_shade (selected);

  /* the largest part that is known stays behind the new one */
  if (contains (part, &preview->wide.part))
    clear_pictures (&preview->wide);
  if (! contains (part, &preview->pictures.part) &&
      get_area (&preview->pictures.part) > get_area (&preview->wide.part))
    {
      clear_pictures (&preview->wide);
      preview->wide = preview->pictures;
      preview->pictures = (PreviewPictures) { 0 };
    }
  clear_pictures (&preview->pictures);
  preview->pictures = pictures;
  preview_update_description (preview);
  gtk_widget_queue_draw (GTK_WIDGET (preview));
}

void
isolux_image_preview_get_view (IsoluxImagePreview *preview,
                               IsoluxRectangle    *part,
                               gint               *width,
                               gint               *height)
{
  PreviewGeometry geometry;

  g_return_if_fail (ISOLUX_IS_IMAGE_PREVIEW (preview));

  geometry = preview->geometry;
  preview_geometry_clamp (&geometry);
  preview_geometry_get_part (&geometry, part, width, height);
}

void
isolux_image_preview_set_zoom (IsoluxImagePreview *preview, gdouble zoom)
{
  g_return_if_fail (ISOLUX_IS_IMAGE_PREVIEW (preview));
  g_return_if_fail (! isnan (zoom));

  if (zoom <= 0.0)
    preview_fit (preview);
  else if (preview_geometry_is_empty (&preview->geometry))
    preview->geometry.zoom =
      CLAMP (zoom, PREVIEW_ZOOM_MINIMUM, PREVIEW_ZOOM_MAXIMUM);
  else
    preview_zoom_here (preview, zoom);
}

gdouble
isolux_image_preview_get_zoom (IsoluxImagePreview *preview)
{
  g_return_val_if_fail (ISOLUX_IS_IMAGE_PREVIEW (preview), 1.0);

  return preview_geometry_get_zoom (&preview->geometry);
}

gboolean
isolux_image_preview_is_fitted (IsoluxImagePreview *preview)
{
  g_return_val_if_fail (ISOLUX_IS_IMAGE_PREVIEW (preview), TRUE);

  return preview->geometry.zoom <= 0.0;
}

void
isolux_image_preview_zoom_in (IsoluxImagePreview *preview)
{
  g_return_if_fail (ISOLUX_IS_IMAGE_PREVIEW (preview));

  preview_zoom_here (preview,
                     preview_geometry_get_step (&preview->geometry, 1));
}

void
isolux_image_preview_zoom_out (IsoluxImagePreview *preview)
{
  g_return_if_fail (ISOLUX_IS_IMAGE_PREVIEW (preview));

  preview_zoom_here (preview,
                     preview_geometry_get_step (&preview->geometry, -1));
}

void
isolux_image_preview_set_split (IsoluxImagePreview *preview, gboolean split)
{
  g_return_if_fail (ISOLUX_IS_IMAGE_PREVIEW (preview));

  preview->split = ! ! split;
  preview_update_description (preview);
  gtk_widget_queue_draw (GTK_WIDGET (preview));
}

gboolean
isolux_image_preview_get_split (IsoluxImagePreview *preview)
{
  g_return_val_if_fail (ISOLUX_IS_IMAGE_PREVIEW (preview), FALSE);

  return preview->split;
}

void
isolux_image_preview_set_split_position (IsoluxImagePreview *preview,
                                         gdouble             position)
{
  g_return_if_fail (ISOLUX_IS_IMAGE_PREVIEW (preview));
  g_return_if_fail (! isnan (position));

  set_position (preview, position);
}

gdouble
isolux_image_preview_get_split_position (IsoluxImagePreview *preview)
{
  g_return_val_if_fail (ISOLUX_IS_IMAGE_PREVIEW (preview), 0.5);

  return preview->position;
}

void
isolux_image_preview_set_turned (IsoluxImagePreview *preview, gboolean turned)
{
  g_return_if_fail (ISOLUX_IS_IMAGE_PREVIEW (preview));

  preview->turned = ! ! turned;
  preview_update_description (preview);
  preview_update_pointer (preview);
  gtk_widget_queue_draw (GTK_WIDGET (preview));
}

gboolean
isolux_image_preview_get_turned (IsoluxImagePreview *preview)
{
  g_return_val_if_fail (ISOLUX_IS_IMAGE_PREVIEW (preview), FALSE);

  return preview->turned;
}

void
isolux_image_preview_set_swapped (IsoluxImagePreview *preview, gboolean swapped)
{
  g_return_if_fail (ISOLUX_IS_IMAGE_PREVIEW (preview));

  preview->swapped = ! ! swapped;
  preview_update_description (preview);
  gtk_widget_queue_draw (GTK_WIDGET (preview));
}

gboolean
isolux_image_preview_get_swapped (IsoluxImagePreview *preview)
{
  g_return_val_if_fail (ISOLUX_IS_IMAGE_PREVIEW (preview), FALSE);

  return preview->swapped;
}

void
isolux_image_preview_set_compare (IsoluxImagePreview *preview, gboolean compare)
{
  g_return_if_fail (ISOLUX_IS_IMAGE_PREVIEW (preview));

  preview->compare = ! ! compare;
  preview_update_description (preview);
  gtk_widget_queue_draw (GTK_WIDGET (preview));
}

void
isolux_image_preview_set_grid (IsoluxImagePreview *preview,
                               gint64              x,
                               gint64              y,
                               gdouble             tile_width,
                               gdouble             tile_height,
                               gint64              columns,
                               gint64              rows)
{
  PreviewGrid grid = { x, y, tile_width, tile_height, columns, rows };

  g_return_if_fail (ISOLUX_IS_IMAGE_PREVIEW (preview));

  if (columns < 1 || rows < 1 || ! (tile_width > 0.0) || ! (tile_height > 0.0))
    grid = (PreviewGrid) { 0 };
  preview->grid = grid;

  if (preview->cursor.x >= grid.columns || preview->cursor.y >= grid.rows)
    {
      preview->cursor = PREVIEW_NOWHERE;
      if (preview->stop == PREVIEW_STOP_TILES)
        preview_get_stop (preview);
    }
  if (preview->pick.x >= grid.columns || preview->pick.y >= grid.rows)
    preview_pick (preview, PREVIEW_NOWHERE);
  preview_update_description (preview);
  gtk_widget_queue_draw (GTK_WIDGET (preview));
}

void
isolux_image_preview_show_grid (IsoluxImagePreview *preview, gboolean show)
{
  g_return_if_fail (ISOLUX_IS_IMAGE_PREVIEW (preview));

  preview->show_grid = ! ! show;
  gtk_widget_queue_draw (GTK_WIDGET (preview));
}

void
isolux_image_preview_set_pick (IsoluxImagePreview *preview,
                               gint64              column,
                               gint64              row)
{
  g_return_if_fail (ISOLUX_IS_IMAGE_PREVIEW (preview));

  if (column < 0 || row < 0 || column >= preview->grid.columns ||
      row >= preview->grid.rows)
    preview->pick = PREVIEW_NOWHERE;
  else
    preview->pick = (PreviewPoint) { column, row };
  preview_update_description (preview);
  gtk_widget_queue_draw (GTK_WIDGET (preview));
}

static void
set_text (IsoluxImagePreview *preview, gchar **text, const gchar *value)
{
  if (value && ! *value)
    value = NULL;
  if (! g_strcmp0 (*text, value))
    return;
  g_free (*text);
  *text = g_strdup (value);
  preview_update_description (preview);
  gtk_widget_queue_draw (GTK_WIDGET (preview));
}

void
isolux_image_preview_set_note (IsoluxImagePreview *preview, const gchar *note)
{
  g_return_if_fail (ISOLUX_IS_IMAGE_PREVIEW (preview));

  set_text (preview, &preview->note, note);
}

void
isolux_image_preview_set_labels (IsoluxImagePreview *preview,
                                 const gchar        *before,
                                 const gchar        *after)
{
  g_return_if_fail (ISOLUX_IS_IMAGE_PREVIEW (preview));

  set_text (preview, &preview->before_label, before);
  set_text (preview, &preview->after_label, after);
}

cairo_surface_t *
isolux_image_preview_render (IsoluxImagePreview *preview,
                             gint                width,
                             gint                height,
                             gint                scale)
{
  PreviewGeometry  geometry;
  cairo_surface_t *surface;
  cairo_t         *cr;

  g_return_val_if_fail (ISOLUX_IS_IMAGE_PREVIEW (preview), NULL);
  g_return_val_if_fail (width > 0 && height > 0 && scale > 0, NULL);

  geometry = preview->geometry;
  geometry.unit = scale;
  geometry.view_width = (gdouble) width * scale;
  geometry.view_height = (gdouble) height * scale;
  preview_geometry_clamp (&geometry);

  surface = cairo_image_surface_create (CAIRO_FORMAT_ARGB32, width * scale,
                                        height * scale);
  cr = cairo_create (surface);
  paint (preview, &geometry, cr);
  cairo_destroy (cr);
  return surface;
}
