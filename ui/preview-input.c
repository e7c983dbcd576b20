/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * preview-input.c: what the user does with an image preview: mouse, fingers,
 * keyboard.
 */
#include <math.h>

#include "preview-private.h"

/* How near the divider and its grip can be seized, in screen pixels */
#define REACH 6.0
#define GRIP_REACH 14.0

/* How far Alt and an arrow key pan, in screen pixels */
#define PAN_STEP 64.0

static GtkWidgetClass *
get_parent_class (void)
{
  return g_type_class_peek (GTK_TYPE_DRAWING_AREA);
}

/* Picks a tile, or, when it is the one that is picked, none. */
static void
toggle_pick (IsoluxImagePreview *preview, PreviewPoint tile)
{
  if (tile.x == preview->pick.x && tile.y == preview->pick.y)
    tile = PREVIEW_NOWHERE;
  preview_pick (preview, tile);
}

/* ---- The mouse ---- */

static gboolean
is_on_divider (IsoluxImagePreview *preview, gdouble x, gdouble y)
{
  const PreviewGeometry *geometry = &preview->geometry;
  gdouble                grip_x, grip_y, left, top, right, bottom;

  if (preview_get_show (preview) != PREVIEW_SHOW_BOTH ||
      preview_geometry_is_empty (geometry))
    return FALSE;

  preview_get_grip (geometry, preview->turned, preview->position, &grip_x,
                    &grip_y);
  if (hypot (x - grip_x, y - grip_y) <= GRIP_REACH * geometry->unit)
    return TRUE;
  preview_geometry_get_visible (geometry, &left, &top, &right, &bottom);
  if (preview->turned)
    return fabs (y - grip_y) <= REACH * geometry->unit && x >= left &&
           x < right;
  return fabs (x - grip_x) <= REACH * geometry->unit && y >= top && y < bottom;
}

/* The divider's position at a point of the view */
static gdouble
get_position (IsoluxImagePreview *preview, gdouble x, gdouble y)
{
  gdouble left, top, right, bottom;

  preview_geometry_get_visible (&preview->geometry, &left, &top, &right,
                                &bottom);
  return preview->turned ? (y - top) / (bottom - top)
                         : (x - left) / (right - left);
}

void
preview_update_pointer (IsoluxImagePreview *preview)
{
  GtkWidget   *widget = GTK_WIDGET (preview);
  const gchar *name = NULL;
  GdkCursor   *cursor = NULL;

  if (! gtk_widget_get_realized (widget))
    return;
  if (preview->drag == PREVIEW_DRAG_PAN)
    name = "grabbing";
  else if (preview->drag == PREVIEW_DRAG_WINDOW)
    name = "all-scroll";
  else if (preview->drag == PREVIEW_DRAG_DIVIDER ||
           (preview->drag == PREVIEW_DRAG_NONE && preview->pointer_inside &&
            is_on_divider (preview, preview->pointer_x, preview->pointer_y)))
    name = preview->turned ? "row-resize" : "col-resize";

  if (name)
    cursor = gdk_cursor_new_from_name (gtk_widget_get_display (widget), name);
  gdk_window_set_cursor (gtk_widget_get_window (widget), cursor);
  g_clear_object (&cursor);
}

static void
set_pointer (IsoluxImagePreview *preview, gdouble x, gdouble y)
{
  preview->pointer_inside = TRUE;
  preview->pointer_x = x * preview->geometry.unit;
  preview->pointer_y = y * preview->geometry.unit;
}

static void
begin_drag (IsoluxImagePreview   *preview,
            PreviewDrag           drag,
            const GdkEventButton *event)
{
  gdouble line = preview_get_divider (&preview->geometry, preview->turned,
                                      preview->position);

  preview->drag = drag;
  preview->drag_button = event->button;
  preview->drag_x = event->x;
  preview->drag_y = event->y;
  preview->drag_position = preview->position;
  preview->drag_geometry = preview->geometry;
  preview->drag_offset =
    (preview->turned ? event->y : event->x) * preview->geometry.unit - line;
  preview_update_pointer (preview);
}

static void
end_drag (IsoluxImagePreview *preview)
{
  gboolean divider = (preview->drag == PREVIEW_DRAG_DIVIDER);

  preview->drag = PREVIEW_DRAG_NONE;
  if (divider)
    preview_tell_value (preview);
  preview_update_description (preview);
  preview_update_pointer (preview);
}

static void
drag_to (IsoluxImagePreview *preview, gdouble x, gdouble y)
{
  gdouble unit = preview->geometry.unit;
  gdouble dx = x - preview->drag_x;
  gdouble dy = y - preview->drag_y;

  switch (preview->drag)
    {
      case PREVIEW_DRAG_PAN:
        /* the size may have changed meanwhile, so only the center is taken */
        preview->geometry.center_x = preview->drag_geometry.center_x;
        preview->geometry.center_y = preview->drag_geometry.center_y;
        preview_geometry_pan (&preview->geometry, dx * unit, dy * unit);
        preview_update (preview);
        break;

      case PREVIEW_DRAG_DIVIDER:
        preview_move_divider (preview,
                              get_position (preview,
                                            x * unit - preview->drag_offset,
                                            y * unit - preview->drag_offset));
        break;

      case PREVIEW_DRAG_WINDOW:
        g_signal_emit (preview, preview_signals[PREVIEW_WINDOW_DRAG], 0,
                       (gint) dx, (gint) dy, FALSE);
        break;

      case PREVIEW_DRAG_CLICK:
      case PREVIEW_DRAG_NONE:
        break;
    }
}

static void
double_click (IsoluxImagePreview *preview)
{
  preview->drag = PREVIEW_DRAG_NONE;
  if (preview->click_picked)
    {
      /* the first of the two clicks was not meant to pick */
      preview->click_picked = FALSE;
      preview_pick (preview, preview->click_pick);
    }

  if (preview->geometry.zoom > 0.0)
    preview_fit (preview);
  else
    preview_zoom_about (preview, 1.0, preview->pointer_x, preview->pointer_y);
}

static gboolean
button_press_event (GtkWidget *widget, GdkEventButton *event)
{
  IsoluxImagePreview *preview = ISOLUX_IMAGE_PREVIEW (widget);
  guint mods = event->state & gtk_accelerator_get_default_mod_mask ();

  set_pointer (preview, event->x, event->y);
  if (preview_geometry_is_empty (&preview->geometry))
    return FALSE;
  if (event->type == GDK_2BUTTON_PRESS)
    {
      if (event->button == GDK_BUTTON_PRIMARY &&
          preview->drag == PREVIEW_DRAG_CLICK)
        double_click (preview);
      return TRUE;
    }
  if (event->type != GDK_BUTTON_PRESS || preview->drag != PREVIEW_DRAG_NONE)
    return TRUE;

  if (! gtk_widget_has_focus (widget))
    gtk_widget_grab_focus (widget);

  if (event->button == GDK_BUTTON_MIDDLE)
    begin_drag (preview, PREVIEW_DRAG_PAN, event);
  else if (event->button == GDK_BUTTON_SECONDARY)
    begin_drag (preview, PREVIEW_DRAG_WINDOW, event);
  else if (event->button != GDK_BUTTON_PRIMARY)
    return FALSE;
  else if (! is_on_divider (preview, preview->pointer_x, preview->pointer_y))
    begin_drag (preview, PREVIEW_DRAG_CLICK, event);
  else if (mods == GDK_SHIFT_MASK)
    preview_swap (preview);
  else if (mods == GDK_CONTROL_MASK)
    preview_turn (preview);
  else
    {
      preview->stop = PREVIEW_STOP_DIVIDER;
      begin_drag (preview, PREVIEW_DRAG_DIVIDER, event);
    }
  return TRUE;
}

static gboolean
motion_notify_event (GtkWidget *widget, GdkEventMotion *event)
{
  IsoluxImagePreview *preview = ISOLUX_IMAGE_PREVIEW (widget);

  set_pointer (preview, event->x, event->y);
  /* the mouse takes over from the keyboard's cross */
  if (preview->stop == PREVIEW_STOP_CROSS && preview->cross.x >= 0)
    {
      preview->cross = PREVIEW_NOWHERE;
      gtk_widget_queue_draw (widget);
    }

  if (preview->drag == PREVIEW_DRAG_CLICK &&
      gtk_drag_check_threshold (widget, (gint) preview->drag_x,
                                (gint) preview->drag_y, (gint) event->x,
                                (gint) event->y))
    preview->drag = PREVIEW_DRAG_PAN;
  if (preview->drag != PREVIEW_DRAG_NONE)
    drag_to (preview, event->x, event->y);
  preview_update_pixel (preview);
  preview_update_pointer (preview);
  return TRUE;
}

static void
click (IsoluxImagePreview *preview)
{
  PreviewPoint tile =
    preview_get_tile_at (preview,
                         preview_get_pixel (preview, preview->pointer_x,
                                            preview->pointer_y));

  preview->click_picked = FALSE;
  if (tile.x < 0)
    return;
  preview->stop = PREVIEW_STOP_TILES;
  preview->cursor = tile;
  preview->click_picked = TRUE;
  preview->click_pick = preview->pick;
  toggle_pick (preview, tile);
}

static gboolean
button_release_event (GtkWidget *widget, GdkEventButton *event)
{
  IsoluxImagePreview *preview = ISOLUX_IMAGE_PREVIEW (widget);
  PreviewDrag         drag = preview->drag;

  if (drag == PREVIEW_DRAG_NONE || event->button != preview->drag_button)
    return TRUE;

  set_pointer (preview, event->x, event->y);
  if (drag != PREVIEW_DRAG_WINDOW)
    drag_to (preview, event->x, event->y);
  end_drag (preview);
  if (drag == PREVIEW_DRAG_CLICK)
    click (preview);
  else if (drag == PREVIEW_DRAG_WINDOW)
    g_signal_emit (preview, preview_signals[PREVIEW_WINDOW_DRAG], 0,
                   (gint) (event->x - preview->drag_x),
                   (gint) (event->y - preview->drag_y), TRUE);
  return TRUE;
}

static gboolean
grab_broken_event (GtkWidget *widget, GdkEventGrabBroken *event)
{
  isolux_image_preview_cancel_drag (ISOLUX_IMAGE_PREVIEW (widget));
  return FALSE;
}

static gboolean
leave_notify_event (GtkWidget *widget, GdkEventCrossing *event)
{
  IsoluxImagePreview *preview = ISOLUX_IMAGE_PREVIEW (widget);

  if (preview->drag == PREVIEW_DRAG_NONE)
    {
      preview->pointer_inside = FALSE;
      preview_update_pixel (preview);
    }
  return FALSE;
}

static gboolean
scroll_event (GtkWidget *widget, GdkEventScroll *event)
{
  IsoluxImagePreview *preview = ISOLUX_IMAGE_PREVIEW (widget);
  gdouble             zoom = preview_geometry_get_zoom (&preview->geometry);
  gdouble             dx, dy;

  if (preview_geometry_is_empty (&preview->geometry))
    return FALSE;
  if (preview->drag != PREVIEW_DRAG_NONE)
    return TRUE;

  if (! gdk_event_get_scroll_deltas ((GdkEvent *) event, &dx, &dy))
    {
      if (event->direction == GDK_SCROLL_UP)
        dy = -1.0;
      else if (event->direction == GDK_SCROLL_DOWN)
        dy = 1.0;
      else
        return FALSE;
    }
  if (dy == 0.0)
    return TRUE;

  /* a wheel goes through round numbers, a touchpad is smooth */
  if (fabs (dy) == 1.0)
    zoom = preview_geometry_get_step (&preview->geometry, dy < 0.0 ? 1 : -1);
  else
    zoom *= exp2 (-CLAMP (dy, -4.0, 4.0) / 2.0);

  set_pointer (preview, event->x, event->y);
  preview_zoom_about (preview, zoom, preview->pointer_x, preview->pointer_y);
  preview_update_pointer (preview);
  return TRUE;
}

static void
pinch_begin (GtkGesture         *gesture,
             GdkEventSequence   *sequence,
             IsoluxImagePreview *preview)
{
  /* the first finger has been taken for the mouse */
  isolux_image_preview_cancel_drag (preview);
  preview->pinch_zoom = preview_geometry_get_zoom (&preview->geometry);
  gtk_gesture_set_state (gesture, GTK_EVENT_SEQUENCE_CLAIMED);
}

static void
pinch_scale (GtkGesture *gesture, gdouble scale, IsoluxImagePreview *preview)
{
  gdouble unit = preview->geometry.unit;
  gdouble x, y;

  if (gtk_gesture_get_bounding_box_center (gesture, &x, &y) && scale > 0.0)
    preview_zoom_about (preview, preview->pinch_zoom * scale, x * unit,
                        y * unit);
}

gboolean
isolux_image_preview_cancel_drag (IsoluxImagePreview *preview)
{
  PreviewDrag drag;

  g_return_val_if_fail (ISOLUX_IS_IMAGE_PREVIEW (preview), FALSE);

  drag = preview->drag;
  if (drag == PREVIEW_DRAG_NONE)
    return FALSE;

  end_drag (preview);
  if (drag == PREVIEW_DRAG_PAN)
    {
      preview->geometry.center_x = preview->drag_geometry.center_x;
      preview->geometry.center_y = preview->drag_geometry.center_y;
      preview_update (preview);
    }
  else if (drag == PREVIEW_DRAG_DIVIDER)
    {
      preview_move_divider (preview, preview->drag_position);
    }
  else if (drag == PREVIEW_DRAG_WINDOW)
    {
      g_signal_emit (preview, preview_signals[PREVIEW_WINDOW_DRAG], 0, 0, 0,
                     TRUE);
    }
  return TRUE;
}

/* ---- The keyboard ---- */

static gboolean
has_stop (IsoluxImagePreview *preview, gint stop)
{
  if (preview_is_empty (preview) || preview->pictures.part.width < 1)
    return FALSE;
  switch (stop)
    {
      case PREVIEW_STOP_DIVIDER:
        return preview_get_show (preview) == PREVIEW_SHOW_BOTH;
      case PREVIEW_STOP_TILES:
        return preview->grid.columns > 0;
      default:
        return TRUE;
    }
}

static PreviewPoint
get_middle (IsoluxImagePreview *preview)
{
  return preview_get_pixel (preview, preview->geometry.view_width / 2.0,
                            preview->geometry.view_height / 2.0);
}

/* Where the cross begins: not under the divider's grip */
static PreviewPoint
get_cross_start (IsoluxImagePreview *preview)
{
  gdouble      x, y;
  PreviewPoint pixel;

  if (preview_get_show (preview) != PREVIEW_SHOW_BOTH)
    return get_middle (preview);
  preview_get_grip (&preview->geometry, preview->turned, preview->position, &x,
                    &y);
  if (preview->turned)
    y += (y > preview->geometry.view_height / 2.0 ? -40.0 : 40.0) *
         preview->geometry.unit;
  else
    x += (x > preview->geometry.view_width / 2.0 ? -40.0 : 40.0) *
         preview->geometry.unit;
  pixel = preview_get_pixel (preview, x, y);
  return pixel.x >= 0 ? pixel : get_middle (preview);
}

static void
set_stop (IsoluxImagePreview *preview, PreviewStop stop)
{
  preview->stop = stop;
  if (stop == PREVIEW_STOP_CROSS && preview->cross.x < 0)
    preview->cross = get_cross_start (preview);
  if (stop == PREVIEW_STOP_TILES && preview->cursor.x < 0)
    {
      preview->cursor = preview->pick;
      if (preview->cursor.x < 0)
        preview->cursor = preview_get_tile_at (preview, get_middle (preview));
      if (preview->cursor.x < 0)
        preview->cursor = (PreviewPoint) { 0, 0 };
    }
  preview_update_pixel (preview);
  preview_update_description (preview);
  gtk_widget_queue_draw (GTK_WIDGET (preview));
}

/* What the arrow keys move now: what they moved may be no more. */
PreviewStop
preview_get_stop (IsoluxImagePreview *preview)
{
  if (! has_stop (preview, preview->stop))
    set_stop (preview, has_stop (preview, PREVIEW_STOP_DIVIDER)
                         ? PREVIEW_STOP_DIVIDER
                         : PREVIEW_STOP_CROSS);
  return preview->stop;
}

static gboolean
focus (GtkWidget *widget, GtkDirectionType direction)
{
  IsoluxImagePreview *preview = ISOLUX_IMAGE_PREVIEW (widget);
  gboolean            forward = (direction == GTK_DIR_TAB_FORWARD);
  gboolean            inside = gtk_widget_is_focus (widget);
  gint                stop = preview->stop;
  gint                step = forward ? 1 : -1;

  if (! forward && direction != GTK_DIR_TAB_BACKWARD)
    return get_parent_class ()->focus (widget, direction);

  if (! inside)
    stop = forward ? -1 : PREVIEW_N_STOPS;
  do
    stop += step;
  while (stop >= 0 && stop < PREVIEW_N_STOPS && ! has_stop (preview, stop));

  if (stop >= 0 && stop < PREVIEW_N_STOPS)
    set_stop (preview, (PreviewStop) stop);
  else if (inside)
    return FALSE;
  if (! inside)
    gtk_widget_grab_focus (widget);
  return TRUE;
}

static gboolean
focus_out_event (GtkWidget *widget, GdkEventFocus *event)
{
  IsoluxImagePreview *preview = ISOLUX_IMAGE_PREVIEW (widget);

  preview->cross = PREVIEW_NOWHERE;
  preview_update_pixel (preview);
  return get_parent_class ()->focus_out_event (widget, event);
}

/* The letter on a key, also with a keyboard of other letters */
static guint
get_key (GtkWidget *widget, const GdkEventKey *event)
{
  GdkKeymap    *keymap;
  GdkKeymapKey *keys = NULL;
  guint        *keyvals = NULL;
  guint         keyval = event->keyval;
  gint          n = 0;

  /* Latin-1 and function keys; what is in between are letters of others */
  if ((keyval >= 0x100 && keyval < 0xfd00) || keyval >= 0x1000000)
    {
      keymap = gdk_keymap_get_for_display (gtk_widget_get_display (widget));
      gdk_keymap_get_entries_for_keycode (keymap, event->hardware_keycode,
                                          &keys, &keyvals, &n);
      for (gint i = 0; i < n; i++)
        if (keys[i].level == 0 && keyvals[i] < 0x80)
          {
            keyval = keyvals[i];
            break;
          }
      g_free (keys);
      g_free (keyvals);
    }
  return gdk_keyval_to_upper (keyval);
}

/* Where an arrow key points; FALSE for other keys */
static gboolean
get_arrow (guint key, gint *dx, gint *dy)
{
  *dx = *dy = 0;
  switch (key)
    {
      case GDK_KEY_Left:
      case GDK_KEY_KP_Left:
        *dx = -1;
        return TRUE;
      case GDK_KEY_Right:
      case GDK_KEY_KP_Right:
        *dx = 1;
        return TRUE;
      case GDK_KEY_Up:
      case GDK_KEY_KP_Up:
        *dy = -1;
        return TRUE;
      case GDK_KEY_Down:
      case GDK_KEY_KP_Down:
        *dy = 1;
        return TRUE;
      default:
        return FALSE;
    }
}

/* Home is -1, End 1, other keys 0 */
static gint
get_end (guint key)
{
  if (key == GDK_KEY_Home || key == GDK_KEY_KP_Home)
    return -1;
  return key == GDK_KEY_End || key == GDK_KEY_KP_End;
}

static gboolean
divider_key (IsoluxImagePreview *preview, guint key, gboolean far)
{
  gint end = get_end (key);
  gint dx, dy;

  if (end)
    {
      preview_move_divider (preview, end > 0 ? 1.0 : 0.0);
      return TRUE;
    }
  get_arrow (key, &dx, &dy);
  if (preview->turned)
    dx = dy;
  if (dx == 0)
    return FALSE;
  /* from percent to percent, so that nothing adds up */
  preview_move_divider (preview,
                        (preview_get_percent (preview) + dx * (far ? 10 : 1)) /
                          100.0);
  return TRUE;
}

/* Moves a point within columns x rows; FALSE when the key does not move */
static gboolean
move_point (PreviewPoint *point,
            guint         key,
            gboolean      far,
            gint64        columns,
            gint64        rows)
{
  gint end = get_end (key);
  gint dx, dy;

  if (end)
    point->x = end > 0 ? columns - 1 : 0;
  else if (! get_arrow (key, &dx, &dy))
    return FALSE;
  else
    {
      point->x = CLAMP (point->x + dx * (far ? 10 : 1), 0, columns - 1);
      point->y = CLAMP (point->y + dy * (far ? 10 : 1), 0, rows - 1);
    }
  return TRUE;
}

static gboolean
tiles_key (IsoluxImagePreview *preview, guint key, gboolean far)
{
  const PreviewGrid *grid = &preview->grid;

  if (! move_point (&preview->cursor, key, far, grid->columns, grid->rows))
    return FALSE;
  preview_geometry_show (&preview->geometry,
                         grid->x + preview->cursor.x * grid->tile_width,
                         grid->y + preview->cursor.y * grid->tile_height,
                         grid->tile_width, grid->tile_height);
  preview_update (preview);
  return TRUE;
}

static gboolean
cross_key (IsoluxImagePreview *preview, guint key, gboolean far)
{
  PreviewPoint cross = preview->cross;

  if (cross.x < 0)
    cross = get_middle (preview);
  if (! move_point (&cross, key, far, (gint64) preview->geometry.image_width,
                    (gint64) preview->geometry.image_height))
    return FALSE;
  preview->cross = cross;
  preview_geometry_show (&preview->geometry, cross.x, cross.y, 1.0, 1.0);
  preview_update (preview);
  return TRUE;
}

static gboolean
enter_key (IsoluxImagePreview *preview, PreviewStop stop)
{
  PreviewPoint tile = PREVIEW_NOWHERE;

  if (stop == PREVIEW_STOP_TILES)
    tile = preview->cursor;
  else if (stop == PREVIEW_STOP_CROSS)
    tile = preview_get_tile_at (preview, preview->cross);
  /* where there is nothing to pick, Enter is the dialog's */
  if (tile.x < 0)
    return FALSE;
  toggle_pick (preview, tile);
  return TRUE;
}

/* Steps back: the tile that is picked, then the tiles or the cross. */
static gboolean
escape_key (IsoluxImagePreview *preview, PreviewStop stop)
{
  if (isolux_image_preview_cancel_drag (preview))
    return TRUE;
  if (stop == PREVIEW_STOP_TILES && preview->pick.x >= 0)
    preview_pick (preview, PREVIEW_NOWHERE);
  else if (stop != PREVIEW_STOP_DIVIDER &&
           has_stop (preview, PREVIEW_STOP_DIVIDER))
    {
      preview->cross = PREVIEW_NOWHERE;
      set_stop (preview, PREVIEW_STOP_DIVIDER);
    }
  else
    return FALSE;
  return TRUE;
}

static gboolean
plain_key (IsoluxImagePreview *preview, guint key, gboolean shift)
{
  PreviewStop stop;

  switch (key)
    {
      case GDK_KEY_plus:
      case GDK_KEY_equal:
      case GDK_KEY_KP_Add:
        isolux_image_preview_zoom_in (preview);
        return TRUE;

      case GDK_KEY_minus:
      case GDK_KEY_underscore:
      case GDK_KEY_KP_Subtract:
        isolux_image_preview_zoom_out (preview);
        return TRUE;

      case GDK_KEY_F:
        preview_fit (preview);
        return TRUE;

      case GDK_KEY_1:
      case GDK_KEY_KP_1:
        preview_zoom_here (preview, 1.0);
        return TRUE;

      case GDK_KEY_S:
      case GDK_KEY_G:
      case GDK_KEY_T:
        g_signal_emit (preview, preview_signals[PREVIEW_TOGGLE_KEY], 0,
                       (gint) key);
        return TRUE;

      case GDK_KEY_X:
        preview_swap (preview);
        return TRUE;

      default:
        break;
    }

  stop = preview_get_stop (preview);
  if (key == GDK_KEY_Return || key == GDK_KEY_KP_Enter ||
      key == GDK_KEY_ISO_Enter)
    return enter_key (preview, stop);
  if (key == GDK_KEY_Escape)
    return escape_key (preview, stop);
  if (stop == PREVIEW_STOP_DIVIDER)
    return divider_key (preview, key, shift);
  if (stop == PREVIEW_STOP_TILES)
    return tiles_key (preview, key, shift);
  return cross_key (preview, key, shift);
}

static gboolean
key_press_event (GtkWidget *widget, GdkEventKey *event)
{
  IsoluxImagePreview *preview = ISOLUX_IMAGE_PREVIEW (widget);
  guint    mods = event->state & gtk_accelerator_get_default_mod_mask ();
  guint    key = get_key (widget, event);
  gdouble  unit = preview->geometry.unit;
  gboolean handled = FALSE;
  gint     dx, dy;

  if (preview_is_empty (preview) || preview->pictures.part.width < 1)
    handled = FALSE;
  else if (mods == GDK_CONTROL_MASK && key == GDK_KEY_X)
    {
      preview_turn (preview);
      handled = TRUE;
    }
  else if (mods == GDK_MOD1_MASK && get_arrow (key, &dx, &dy))
    {
      /* the view goes where the arrow points */
      preview_geometry_pan (&preview->geometry, -dx * PAN_STEP * unit,
                            -dy * PAN_STEP * unit);
      preview_update (preview);
      handled = TRUE;
    }
  else if ((mods & ~GDK_SHIFT_MASK) == 0)
    handled = plain_key (preview, key, mods != 0);

  return handled || get_parent_class ()->key_press_event (widget, event);
}

/* ---- The object ---- */

void
preview_input_class_init (GtkWidgetClass *klass)
{
  klass->button_press_event = button_press_event;
  klass->button_release_event = button_release_event;
  klass->motion_notify_event = motion_notify_event;
  klass->leave_notify_event = leave_notify_event;
  klass->grab_broken_event = grab_broken_event;
  klass->scroll_event = scroll_event;
  klass->key_press_event = key_press_event;
  klass->focus = focus;
  klass->focus_out_event = focus_out_event;
}

void
preview_input_init (IsoluxImagePreview *preview)
{
  GtkWidget *widget = GTK_WIDGET (preview);

  gtk_widget_set_can_focus (widget, TRUE);
  gtk_widget_add_events (widget,
                         GDK_BUTTON_PRESS_MASK | GDK_BUTTON_RELEASE_MASK |
                           GDK_POINTER_MOTION_MASK | GDK_LEAVE_NOTIFY_MASK |
                           GDK_SCROLL_MASK | GDK_SMOOTH_SCROLL_MASK |
                           GDK_KEY_PRESS_MASK | GDK_FOCUS_CHANGE_MASK |
                           GDK_TOUCHPAD_GESTURE_MASK);

  preview->pinch = gtk_gesture_zoom_new (widget);
  gtk_event_controller_set_propagation_phase (GTK_EVENT_CONTROLLER (preview
                                                                      ->pinch),
                                              GTK_PHASE_TARGET);
  g_signal_connect (preview->pinch, "begin", G_CALLBACK (pinch_begin), preview);
  g_signal_connect (preview->pinch, "scale-changed", G_CALLBACK (pinch_scale),
                    preview);
}
