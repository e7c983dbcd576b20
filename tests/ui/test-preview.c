/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * test-preview.c: the image preview: where pixels are, mouse and keyboard,
 * what assistive technologies are told, and how it looks.
 *
 * The pictures' pixels tell in their color where in the image they are, so
 * that a rendered pixel says whether it is the right one.
 *
 * With ISOLUX_UPDATE=FOLDER the reference renderings are written there; look
 * at them before they replace those in preview/.
 */
#include <gtk/gtk.h>
#include <math.h>
#include <string.h>

#include "image-preview.h"
#include "preview-geometry.h"

#define WIDTH 400
#define HEIGHT 300

/* Device pixels a pixel: the tests run with 1 and with 2 */
static gint unit;

/* ---- Numbers alone ---- */

static PreviewGeometry
random_geometry (void)
{
  PreviewGeometry geometry = { 0 };

  geometry.image_width = floor (exp2 (g_test_rand_double_range (0.0, 24.0)));
  geometry.image_height = floor (exp2 (g_test_rand_double_range (0.0, 24.0)));
  geometry.unit = g_test_rand_int_range (1, 4);
  geometry.view_width = geometry.unit * g_test_rand_int_range (1, 2000);
  geometry.view_height = geometry.unit * g_test_rand_int_range (1, 2000);
  if (g_test_rand_int_range (0, 4) > 0)
    geometry.zoom = exp2 (g_test_rand_double_range (-8.0, 7.0));
  geometry.center_x = g_test_rand_double_range (-0.5, 1.5) *
                      geometry.image_width;
  geometry.center_y = g_test_rand_double_range (-0.5, 1.5) *
                      geometry.image_height;
  preview_geometry_clamp (&geometry);
  return geometry;
}

/* What is seen lies in the image, is not empty, and fills the view where the
 * image is large enough. */
static void
test_part (void)
{
  for (gint i = 0; i < 20000; i++)
    {
      PreviewGeometry geometry = random_geometry ();
      gdouble         scale = preview_geometry_get_scale (&geometry);
      IsoluxRectangle part;
      gint            width, height;
      gdouble         left, top, right, bottom, x0, y0, x1, y1;

      preview_geometry_get_part (&geometry, &part, &width, &height);
      g_assert_cmpint (part.x, >=, 0);
      g_assert_cmpint (part.y, >=, 0);
      g_assert_cmpint (part.width, >=, 1);
      g_assert_cmpint (part.height, >=, 1);
      g_assert_cmpfloat (part.x + part.width, <=, geometry.image_width);
      g_assert_cmpfloat (part.y + part.height, <=, geometry.image_height);
      g_assert_cmpfloat (fabs (width - part.width * scale), <=, 1.0);
      g_assert_cmpfloat (fabs (height - part.height * scale), <=, 1.0);
      /* no more than the pixels that are cut off at the edges */
      g_assert_cmpfloat (width, <=, geometry.view_width + 2.0 * scale + 1.0);
      g_assert_cmpfloat (height, <=, geometry.view_height + 2.0 * scale + 1.0);

      preview_geometry_to_view (&geometry, part.x, part.y, &x0, &y0);
      preview_geometry_to_view (&geometry, part.x + part.width,
                                part.y + part.height, &x1, &y1);
      if (geometry.image_width * scale >= geometry.view_width)
        {
          g_assert_cmpfloat (x0, <=, 0.501);
          g_assert_cmpfloat (x1, >=, geometry.view_width - 0.501);
        }
      if (geometry.image_height * scale >= geometry.view_height)
        {
          g_assert_cmpfloat (y0, <=, 0.501);
          g_assert_cmpfloat (y1, >=, geometry.view_height - 0.501);
        }

      preview_geometry_get_visible (&geometry, &left, &top, &right, &bottom);
      g_assert_cmpfloat (left, >=, 0.0);
      g_assert_cmpfloat (left, <, right);
      g_assert_cmpfloat (right, <=, geometry.view_width);
      g_assert_cmpfloat (top, >=, 0.0);
      g_assert_cmpfloat (top, <, bottom);
      g_assert_cmpfloat (bottom, <=, geometry.view_height);
    }
}

static void
test_round_trip (void)
{
  for (gint i = 0; i < 20000; i++)
    {
      PreviewGeometry geometry = random_geometry ();
      gdouble         x = g_test_rand_double_range (0.0, geometry.view_width);
      gdouble         y = g_test_rand_double_range (0.0, geometry.view_height);
      gdouble         image_x, image_y, back_x, back_y;

      preview_geometry_to_image (&geometry, x, y, &image_x, &image_y);
      preview_geometry_to_view (&geometry, image_x, image_y, &back_x, &back_y);
      g_assert_cmpfloat (fabs (back_x - x), <, 1e-3);
      g_assert_cmpfloat (fabs (back_y - y), <, 1e-3);
    }
}

/* Whether a direction is held by a limit: all of the image is seen, or its
 * edge is the view's */
static gboolean
is_held (gdouble center, gdouble image, gdouble view)
{
  return image <= view * 1.000001 || center <= view / 2.0 * 1.000001 ||
         center >= (image - view / 2.0) * 0.999999;
}

/* The point under the pointer stays there, to half a device pixel, where no
 * limit is in the way. */
static void
test_zoom_about (void)
{
  gint free_across = 0;
  gint free_down = 0;

  for (gint i = 0; i < 20000; i++)
    {
      PreviewGeometry geometry = random_geometry ();
      gdouble         x = g_test_rand_double_range (0.0, geometry.view_width);
      gdouble         y = g_test_rand_double_range (0.0, geometry.view_height);
      gdouble         zoom = exp2 (g_test_rand_double_range (-8.0, 7.0));
      gdouble         scale = preview_geometry_get_scale (&geometry);
      gdouble         image_x, image_y, after_x, after_y;

      image_x = geometry.center_x + (x - geometry.view_width / 2.0) / scale;
      image_y = geometry.center_y + (y - geometry.view_height / 2.0) / scale;
      preview_geometry_zoom_about (&geometry, zoom, x, y);
      scale = preview_geometry_get_scale (&geometry);
      preview_geometry_to_view (&geometry, image_x, image_y, &after_x,
                                &after_y);
      if (! is_held (geometry.center_x, geometry.image_width,
                     geometry.view_width / scale))
        {
          g_assert_cmpfloat (fabs (after_x - x), <=, 0.502);
          free_across++;
        }
      if (! is_held (geometry.center_y, geometry.image_height,
                     geometry.view_height / scale))
        {
          g_assert_cmpfloat (fabs (after_y - y), <=, 0.502);
          free_down++;
        }
    }
  g_assert_cmpint (free_across, >, 1000);
  g_assert_cmpint (free_down, >, 1000);
}

/* In and out again about one point, and to and fro, end where they began. */
static void
test_there_and_back (void)
{
  gint done = 0;

  for (gint i = 0; i < 20000; i++)
    {
      PreviewGeometry geometry = random_geometry ();
      PreviewGeometry start;
      gdouble         x = g_test_rand_double_range (0.0, geometry.view_width);
      gdouble         y = g_test_rand_double_range (0.0, geometry.view_height);
      gdouble         dx = g_test_rand_double_range (-500.0, 500.0);
      gdouble         dy = g_test_rand_double_range (-500.0, 500.0);
      gdouble         scale = preview_geometry_get_scale (&geometry);
      gdouble         zoom;

      if (geometry.zoom <= 0.0)
        continue;
      start = geometry;
      zoom = MIN (geometry.zoom * 3.0, PREVIEW_ZOOM_MAXIMUM);
      preview_geometry_zoom_about (&geometry, zoom, x, y);
      preview_geometry_zoom_about (&geometry, start.zoom, x, y);
      g_assert_cmpfloat_with_epsilon (geometry.center_x, start.center_x,
                                      1e-6 * start.image_width);
      g_assert_cmpfloat_with_epsilon (geometry.center_y, start.center_y,
                                      1e-6 * start.image_height);

      geometry = start;
      preview_geometry_pan (&geometry, dx, dy);
      if (is_held (geometry.center_x, geometry.image_width,
                   geometry.view_width / scale) ||
          is_held (geometry.center_y, geometry.image_height,
                   geometry.view_height / scale))
        continue;
      g_assert_cmpfloat_with_epsilon (geometry.center_x,
                                      start.center_x - dx / scale,
                                      1e-6 * start.image_width);
      preview_geometry_pan (&geometry, -dx, -dy);
      g_assert_cmpfloat_with_epsilon (geometry.center_x, start.center_x,
                                      1e-6 * start.image_width);
      g_assert_cmpfloat_with_epsilon (geometry.center_y, start.center_y,
                                      1e-6 * start.image_height);
      done++;
    }
  g_assert_cmpint (done, >, 500);
}

/* Fitted: all of it, and one side fills the view */
static void
test_fit (void)
{
  for (gint i = 0; i < 20000; i++)
    {
      PreviewGeometry geometry = random_geometry ();
      IsoluxRectangle part;
      gint            width, height;
      gdouble         scale;

      geometry.zoom = 0.0;
      preview_geometry_clamp (&geometry);
      scale = preview_geometry_get_scale (&geometry);
      preview_geometry_get_part (&geometry, &part, &width, &height);
      g_assert_cmpfloat (part.width, ==, geometry.image_width);
      g_assert_cmpfloat (part.height, ==, geometry.image_height);
      g_assert_cmpfloat (width, <=, geometry.view_width);
      g_assert_cmpfloat (height, <=, geometry.view_height);
      if (scale < PREVIEW_ZOOM_MAXIMUM * geometry.unit)
        g_assert_true (width == geometry.view_width ||
                       height == geometry.view_height);
    }
}

/* Steps go up to the largest zoom and down to the least, through 100 %. */
static void
test_steps (void)
{
  const gdouble sizes[] = { 1, 100, 13256, 4e6 };

  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++)
    {
      PreviewGeometry geometry = { sizes[i], sizes[i], 762.0, 321.0, 1.0 };
      gboolean        through_1 = FALSE;
      gdouble         least = MIN (PREVIEW_ZOOM_MINIMUM, 321.0 / sizes[i]);
      gint            n;

      for (n = 0; n < 100; n++)
        {
          gdouble zoom = preview_geometry_get_step (&geometry, 1);

          if (zoom == geometry.zoom)
            break;
          g_assert_cmpfloat (zoom, >, geometry.zoom);
          geometry.zoom = zoom;
          through_1 |= (zoom == 1.0);
        }
      g_assert_cmpfloat (geometry.zoom, ==, PREVIEW_ZOOM_MAXIMUM);
      g_assert_true (through_1 || sizes[i] < 321.0);

      through_1 = FALSE;
      for (n = 0; n < 100; n++)
        {
          gdouble zoom = preview_geometry_get_step (&geometry, -1);

          if (zoom == geometry.zoom)
            break;
          g_assert_cmpfloat (zoom, <, geometry.zoom);
          geometry.zoom = zoom;
          through_1 |= (zoom == 1.0);
        }
      g_assert_cmpfloat (geometry.zoom, ==, least);
      g_assert_true (through_1);
    }
}

/* ---- A widget in a window ---- */

typedef struct
{
  GtkWidget          *window;
  GtkWidget          *first; /* buttons before and behind it */
  GtkWidget          *last;
  IsoluxImagePreview *preview;

  gint    views;
  gint    zooms;
  gint    splits;
  gint    keys;
  gint    key;
  gint    pixels;
  gint64  pixel_x;
  gint64  pixel_y;
  gint    picks;
  gint64  pick_x;
  gint64  pick_y;
  gint    drags;
  gint    drag_x;
  gint    drag_y;
  gint    drags_ended;
  gint    values;
  gdouble value;
} Fixture;

static void
count (GObject *object, gint *counter)
{
  (*counter)++;
}

static void
got_pixel (GObject *object, gint64 x, gint64 y, Fixture *f)
{
  f->pixels++;
  f->pixel_x = x;
  f->pixel_y = y;
}

static void
got_pick (GObject *object, gint64 x, gint64 y, Fixture *f)
{
  f->picks++;
  f->pick_x = x;
  f->pick_y = y;
}

static void
got_drag (GObject *object, gint dx, gint dy, gboolean ended, Fixture *f)
{
  f->drags++;
  f->drags_ended += ended;
  f->drag_x = dx;
  f->drag_y = dy;
}

static void
got_key (GObject *object, gint key, Fixture *f)
{
  f->keys++;
  f->key = key;
}

static void
got_value (AtkObject *object, gdouble value, const gchar *text, Fixture *f)
{
  f->values++;
  f->value = value;
}

static void
settle (void)
{
  while (gtk_events_pending ())
    gtk_main_iteration ();
}

/* Pixels that tell where they are: red and green are the low eight bits of x
 * and y, blue their next three, and one bit for after.  @step: every so
 * many-th pixel of the image is one of the picture. */
static cairo_surface_t *
make_picture (const IsoluxRectangle *part,
              gint                   step,
              gboolean               after,
              cairo_format_t         format)
{
  gint             width = MAX ((gint) (part->width / step), 1);
  gint             height = MAX ((gint) (part->height / step), 1);
  cairo_surface_t *surface = cairo_image_surface_create (format, width, height);
  guint8          *data = cairo_image_surface_get_data (surface);
  gint             stride = cairo_image_surface_get_stride (surface);

  for (gint y = 0; y < height; y++)
    for (gint x = 0; x < width; x++)
      {
        guint32 ix = (guint32) (part->x + (gint64) x * step);
        guint32 iy = (guint32) (part->y + (gint64) y * step);
        guint32 blue = (ix >> 8 & 7) | (iy >> 8 & 7) << 3 | (after ? 0x80 : 0);

        ((guint32 *) (gpointer) (data + (gsize) y * stride))[x] =
          0xff000000 | (ix & 255) << 16 | (iy & 255) << 8 | blue;
      }
  cairo_surface_mark_dirty (surface);
  return surface;
}

static void
set_part (Fixture *f, gint64 x, gint64 y, gint64 width, gint64 height)
{
  IsoluxRectangle  part = { x, y, width, height };
  cairo_surface_t *before = make_picture (&part, 1, FALSE, CAIRO_FORMAT_RGB24);
  cairo_surface_t *after = make_picture (&part, 1, TRUE, CAIRO_FORMAT_RGB24);

  isolux_image_preview_set_pictures (f->preview, &part, before, after, NULL);
  cairo_surface_destroy (before);
  cairo_surface_destroy (after);
}

static void
set_image (Fixture *f, gint64 width, gint64 height)
{
  isolux_image_preview_set_image_size (f->preview, width, height);
  set_part (f, 0, 0, width, height);
  settle ();
}

static void
set_up (Fixture *f, gconstpointer data)
{
  GtkWidget *fixed = gtk_fixed_new (); /* gives the size that is asked for */
  GtkWidget *widget = isolux_image_preview_new ();
  GdkEvent  *event = gdk_event_new (GDK_FOCUS_CHANGE);

  f->preview = ISOLUX_IMAGE_PREVIEW (widget);
  f->window = gtk_window_new (GTK_WINDOW_TOPLEVEL);
  f->first = gtk_button_new ();
  f->last = gtk_button_new ();
  gtk_widget_set_size_request (widget, WIDTH, HEIGHT);
  gtk_fixed_put (GTK_FIXED (fixed), f->first, 0, 0);
  gtk_fixed_put (GTK_FIXED (fixed), widget, 0, 50);
  gtk_fixed_put (GTK_FIXED (fixed), f->last, 0, 100 + HEIGHT);
  gtk_container_add (GTK_CONTAINER (f->window), fixed);
  gtk_widget_show_all (f->window);

  g_signal_connect (widget, "view-changed", G_CALLBACK (count), &f->views);
  g_signal_connect (widget, "zoom-changed", G_CALLBACK (count), &f->zooms);
  g_signal_connect (widget, "split-changed", G_CALLBACK (count), &f->splits);
  g_signal_connect (widget, "pixel", G_CALLBACK (got_pixel), f);
  g_signal_connect (widget, "picked", G_CALLBACK (got_pick), f);
  g_signal_connect (widget, "window-drag", G_CALLBACK (got_drag), f);
  g_signal_connect (widget, "toggle-key", G_CALLBACK (got_key), f);
  g_signal_connect (gtk_widget_get_accessible (widget), "value-changed",
                    G_CALLBACK (got_value), f);

  settle ();
  unit = gtk_widget_get_scale_factor (widget);
  g_assert_cmpint (gtk_widget_get_allocated_width (widget), ==, WIDTH);
  g_assert_cmpint (gtk_widget_get_allocated_height (widget), ==, HEIGHT);
  set_image (f, 800, 450);
  gtk_widget_grab_focus (widget);

  /* there is no window manager to do it */
  event->any.window = g_object_ref (gtk_widget_get_window (f->window));
  event->any.send_event = TRUE;
  event->focus_change.in = TRUE;
  gtk_widget_event (f->window, event);
  gdk_event_free (event);
}

static void
tear_down (Fixture *f, gconstpointer data)
{
  gtk_widget_destroy (f->window);
  settle ();
}

static GdkEvent *
new_event (Fixture *f, GdkEventType type, gboolean keyboard)
{
  GtkWidget *widget = GTK_WIDGET (f->preview);
  GdkSeat   *seat =
    gdk_display_get_default_seat (gtk_widget_get_display (widget));
  GdkEvent *event = gdk_event_new (type);

  event->any.window = g_object_ref (gtk_widget_get_window (widget));
  event->any.send_event = TRUE;
  gdk_event_set_device (event, keyboard ? gdk_seat_get_keyboard (seat)
                                        : gdk_seat_get_pointer (seat));
  return event;
}

static gboolean
send (Fixture *f, GdkEvent *event)
{
  gboolean handled = gtk_widget_event (GTK_WIDGET (f->preview), event);

  gdk_event_free (event);
  return handled;
}

static GdkEvent *
new_key (Fixture *f, guint keyval, guint state)
{
  GdkEvent  *event = new_event (f, GDK_KEY_PRESS, TRUE);
  GdkKeymap *keymap = gdk_keymap_get_for_display (gdk_display_get_default ());
  GdkKeymapKey *keys = NULL;
  gint          n = 0;

  event->key.keyval = keyval;
  event->key.state = state;
  if (gdk_keymap_get_entries_for_keyval (keymap, keyval, &keys, &n) && n)
    event->key.hardware_keycode = (guint16) keys[0].keycode;
  g_free (keys);
  return event;
}

static gboolean
key (Fixture *f, guint keyval, guint state)
{
  return send (f, new_key (f, keyval, state));
}

/* By way of the window, which moves the focus */
static void
tab (Fixture *f, gboolean back)
{
  GdkEvent *event = new_key (f, back ? GDK_KEY_ISO_Left_Tab : GDK_KEY_Tab,
                             back ? GDK_SHIFT_MASK : 0);

  g_set_object (&event->any.window, gtk_widget_get_window (f->window));
  gtk_widget_event (f->window, event);
  gdk_event_free (event);
}

static void
button (Fixture     *f,
        GdkEventType type,
        guint        number,
        gdouble      x,
        gdouble      y,
        guint        state)
{
  GdkEvent *event = new_event (f, type, FALSE);

  event->button.button = number;
  event->button.x = x;
  event->button.y = y;
  event->button.state = state;
  send (f, event);
}

static void
press (Fixture *f, guint number, gdouble x, gdouble y, guint state)
{
  button (f, GDK_BUTTON_PRESS, number, x, y, state);
}

static void
release (Fixture *f, guint number, gdouble x, gdouble y)
{
  button (f, GDK_BUTTON_RELEASE, number, x, y, 0);
}

static void
click (Fixture *f, gdouble x, gdouble y)
{
  press (f, 1, x, y, 0);
  release (f, 1, x, y);
}

static void
move (Fixture *f, gdouble x, gdouble y)
{
  GdkEvent *event = new_event (f, GDK_MOTION_NOTIFY, FALSE);

  event->motion.x = x;
  event->motion.y = y;
  send (f, event);
}

static void
leave (Fixture *f)
{
  send (f, new_event (f, GDK_LEAVE_NOTIFY, FALSE));
}

static void
wheel (Fixture *f, gdouble x, gdouble y, GdkScrollDirection direction)
{
  GdkEvent *event = new_event (f, GDK_SCROLL, FALSE);

  event->scroll.x = x;
  event->scroll.y = y;
  event->scroll.direction = direction;
  send (f, event);
}

static void
smooth_wheel (Fixture *f, gdouble x, gdouble y, gdouble dy)
{
  GdkEvent *event = new_event (f, GDK_SCROLL, FALSE);

  event->scroll.x = x;
  event->scroll.y = y;
  event->scroll.direction = GDK_SCROLL_SMOOTH;
  event->scroll.delta_y = dy;
  send (f, event);
}

static void
pinch (Fixture *f, gint phase, gdouble x, gdouble y, gdouble scale)
{
  GdkEvent *event = new_event (f, GDK_TOUCHPAD_PINCH, FALSE);

  event->touchpad_pinch.phase = phase;
  event->touchpad_pinch.n_fingers = 2;
  event->touchpad_pinch.x = x;
  event->touchpad_pinch.y = y;
  event->touchpad_pinch.scale = scale;
  send (f, event);
}

static gdouble
get_position (Fixture *f)
{
  return isolux_image_preview_get_split_position (f->preview);
}

static gdouble
get_zoom (Fixture *f)
{
  return isolux_image_preview_get_zoom (f->preview);
}

static IsoluxRectangle
get_part (Fixture *f)
{
  IsoluxRectangle part;
  gint            width, height;

  isolux_image_preview_get_view (f->preview, &part, &width, &height);
  return part;
}

/* The pixel under the pointer, by the signal */
static void
point (Fixture *f, gdouble x, gdouble y, gint64 *image_x, gint64 *image_y)
{
  move (f, x, y);
  *image_x = f->pixel_x;
  *image_y = f->pixel_y;
}

/* ---- Pixels of renderings ---- */

static cairo_surface_t *
render (Fixture *f)
{
  return isolux_image_preview_render (f->preview, WIDTH, HEIGHT, unit);
}

static guint32
get_pixel (cairo_surface_t *surface, gint x, gint y)
{
  const guint8 *data = cairo_image_surface_get_data (surface);
  gsize         stride = cairo_image_surface_get_stride (surface);

  g_assert_cmpint (x, <, cairo_image_surface_get_width (surface));
  g_assert_cmpint (y, <, cairo_image_surface_get_height (surface));
  return ((const guint32 *) (gconstpointer) (data + y * stride))[x] & 0xffffff;
}

/* Which pixel of the image a color stands for, and which side */
static void
decode (guint32 color, gint *x, gint *y, gboolean *after)
{
  *x = (gint) (color >> 16 & 255) | (gint) (color & 7) << 8;
  *y = (gint) (color >> 8 & 255) | (gint) (color >> 3 & 7) << 8;
  *after = (color & 0x80) != 0;
}

/* Every pixel that is drawn is the one that the pointer would name, or, as
 * far as cairo's fixed point numbers go, the one beside it. */
static void
check_pixels (Fixture *f)
{
  cairo_surface_t *surface = render (f);
  gint             checked = 0;

  leave (f);
  for (gint y = 4; y < HEIGHT * unit - 4; y += 7)
    for (gint x = 4; x < WIDTH * unit - 4; x += 5)
      {
        guint32  color = get_pixel (surface, x, y);
        gint     image_x, image_y;
        gint64   low_x, low_y, high_x, high_y;
        gboolean after;

        point (f, (x + 0.3) / unit, (y + 0.3) / unit, &low_x, &low_y);
        point (f, (x + 0.7) / unit, (y + 0.7) / unit, &high_x, &high_y);
        if (low_x < 0 || high_x < 0)
          {
            if (low_x == high_x)
              g_assert_cmphex (color, ==, 0x292929);
            continue;
          }
        decode (color, &image_x, &image_y, &after);
        g_assert_true (after);
        g_assert_true (image_x == low_x || image_x == high_x);
        g_assert_true (image_y == low_y || image_y == high_y);
        checked++;
      }
  g_assert_cmpint (checked, >, 100);
  cairo_surface_destroy (surface);
}

static void
test_pixels (Fixture *f, gconstpointer data)
{
  isolux_image_preview_set_split (f->preview, FALSE);
  /* 100 %: with two device pixels for one there is smoothing */
  if (unit == 1)
    {
      isolux_image_preview_set_zoom (f->preview, 1.0);
      check_pixels (f);
    }
  for (gint i = 0; i < 6; i++)
    {
      isolux_image_preview_set_zoom (f->preview,
                                     g_test_rand_double_range (2.6, 32.0));
      press (f, 2, 200, 150, 0);
      move (f, 200 + g_test_rand_int_range (-900, 900),
            150 + g_test_rand_int_range (-900, 900));
      release (f, 2, 200, 150);
      check_pixels (f);
    }

  /* smaller than the view: in its middle */
  set_image (f, 60, 30);
  isolux_image_preview_set_zoom (f->preview, 3.0);
  check_pixels (f);
}

/* A picture of the view's own size is shown as it is, at any zoom. */
static void
test_unscaled (Fixture *f, gconstpointer data)
{
  isolux_image_preview_set_split (f->preview, FALSE);
  isolux_image_preview_set_image_size (f->preview, 13256, 7544);
  settle ();
  for (gint i = 0; i < 20; i++)
    {
      IsoluxRectangle  part, size = { 0 };
      gint             width, height;
      cairo_surface_t *picture, *surface;
      gint             x, y, least_x = 10000, least_y = 10000, most_x = -1;
      gboolean         after;

      isolux_image_preview_set_zoom (f->preview,
                                     exp2 (g_test_rand_double_range (-4.4,
                                                                     0.9)));
      press (f, 2, 200, 150, 0);
      move (f, 200 + g_test_rand_int_range (-900, 900),
            150 + g_test_rand_int_range (-900, 900));
      release (f, 2, 200, 150);

      isolux_image_preview_get_view (f->preview, &part, &width, &height);
      size.width = width;
      size.height = height;
      picture = make_picture (&size, 1, FALSE, CAIRO_FORMAT_RGB24);
      isolux_image_preview_set_pictures (f->preview, &part, picture, picture,
                                         NULL);
      surface = render (f);
      for (gint at = 4; at < WIDTH * unit - 4; at++)
        {
          decode (get_pixel (surface, at, HEIGHT * unit / 2), &x, &y, &after);
          least_x = MIN (least_x, x);
          most_x = MAX (most_x, x);
          least_y = MIN (least_y, y);
          g_assert_cmpint (y, ==, least_y);
          /* neighbors are neighbors: nothing skipped, nothing blurred */
          g_assert_cmpint (x - least_x, ==, at - 4);
        }
      g_assert_cmpint (most_x - least_x, ==, WIDTH * unit - 9);
      cairo_surface_destroy (picture);
      cairo_surface_destroy (surface);
    }
}

/* Before is on one side of the divider, after on the other. */
static void
check_sides (Fixture *f, gboolean before_first)
{
  cairo_surface_t *surface = render (f);
  gboolean         turned = isolux_image_preview_get_turned (f->preview);
  gdouble          position = get_position (f);
  gint             width = WIDTH * unit;
  gint             line, x, y;
  gboolean         after;

  /* 800 x 450 fitted into 400 x 300: 400 x 225, from 37.5 on */
  line = turned ? (gint) (38 * unit + 225 * unit * position)
                : (gint) (width * position);
  for (gint i = 1; i < 20; i++)
    {
      gint at_x = turned ? width / 4 : width * i / 20;
      gint at_y = turned ? 38 * unit + 225 * unit * i / 20 : HEIGHT * unit / 3;
      gint at = turned ? at_y : at_x;

      if (ABS (at - line) < 20 * unit)
        continue;
      decode (get_pixel (surface, at_x, at_y), &x, &y, &after);
      g_assert_true (after == ((at < line) != before_first));
    }
  cairo_surface_destroy (surface);
}

static void
test_split (Fixture *f, gconstpointer data)
{
  check_sides (f, TRUE);
  isolux_image_preview_set_split_position (f->preview, 0.2);
  check_sides (f, TRUE);
  isolux_image_preview_set_swapped (f->preview, TRUE);
  check_sides (f, FALSE);
  isolux_image_preview_set_turned (f->preview, TRUE);
  check_sides (f, FALSE);
  isolux_image_preview_set_swapped (f->preview, FALSE);
  isolux_image_preview_set_split_position (f->preview, 0.8);
  check_sides (f, TRUE);
  g_assert_cmpint (f->splits, ==, 0);

  /* right to left: swapped, but only left and right are */
  gtk_widget_set_direction (GTK_WIDGET (f->preview), GTK_TEXT_DIR_RTL);
  check_sides (f, TRUE);
  isolux_image_preview_set_turned (f->preview, FALSE);
  check_sides (f, FALSE);
  isolux_image_preview_set_swapped (f->preview, TRUE);
  check_sides (f, TRUE);

  /* beyond the ends */
  isolux_image_preview_set_split_position (f->preview, 7.0);
  g_assert_cmpfloat (get_position (f), ==, 1.0);
  isolux_image_preview_set_split_position (f->preview, -7.0);
  g_assert_cmpfloat (get_position (f), ==, 0.0);
}

static gboolean
is_after (Fixture *f, gint x)
{
  cairo_surface_t *surface = render (f);
  gint             image_x, image_y;
  gboolean         after;

  decode (get_pixel (surface, x * unit, 100 * unit), &image_x, &image_y,
          &after);
  cairo_surface_destroy (surface);
  return after;
}

static void
test_compare (Fixture *f, gconstpointer data)
{
  IsoluxRectangle  part = { 0, 0, 800, 450 };
  cairo_surface_t *before;

  g_assert_true (is_after (f, 350));
  isolux_image_preview_set_compare (f->preview, TRUE);
  g_assert_false (is_after (f, 350));
  isolux_image_preview_set_compare (f->preview, FALSE);
  g_assert_true (is_after (f, 350));
  g_assert_false (is_after (f, 50));
  isolux_image_preview_set_split (f->preview, FALSE);
  g_assert_false (isolux_image_preview_get_split (f->preview));
  g_assert_true (is_after (f, 350));
  g_assert_true (is_after (f, 50));
  isolux_image_preview_set_compare (f->preview, TRUE);
  g_assert_false (is_after (f, 50));

  /* no result yet: the original, and no divider */
  isolux_image_preview_set_compare (f->preview, FALSE);
  isolux_image_preview_set_split (f->preview, TRUE);
  before = make_picture (&part, 1, FALSE, CAIRO_FORMAT_RGB24);
  isolux_image_preview_set_pictures (f->preview, &part, before, NULL, NULL);
  cairo_surface_destroy (before);
  g_assert_false (is_after (f, 350));
  press (f, 1, 200, 150, 0);
  move (f, 300, 150);
  release (f, 1, 300, 150);
  g_assert_cmpfloat (get_position (f), ==, 0.5);
}

/* Pictures of another part stay at their place, and before them what is known
 * of a larger one. */
static void
test_old_pictures (Fixture *f, gconstpointer data)
{
  cairo_surface_t *surface;
  IsoluxRectangle  part;
  gint             x, y, width, height;
  gboolean         after;

  isolux_image_preview_set_split (f->preview, FALSE);
  isolux_image_preview_set_zoom (f->preview, 4.0);
  part = get_part (f);
  set_part (f, part.x, part.y, part.width, part.height);
  /* pan by half the view: the right half has only the old picture */
  press (f, 2, 350, 150, 0);
  move (f, 150, 150);
  release (f, 2, 150, 150);
  surface = render (f);
  for (gint at = 20; at < WIDTH - 20; at += 20)
    {
      gint64 image_x, image_y;

      point (f, at, 150, &image_x, &image_y);
      decode (get_pixel (surface, at * unit, 150 * unit), &x, &y, &after);
      g_assert_true (after);
      g_assert_cmpint (x, ==, image_x);
      g_assert_cmpint (y, ==, image_y);
    }
  cairo_surface_destroy (surface);

  /* another image: nothing of the old one is left */
  isolux_image_preview_set_image_size (f->preview, 100, 75);
  surface = render (f);
  g_assert_cmphex (get_pixel (surface, WIDTH * unit / 2, HEIGHT * unit / 2), ==,
                   0x292929);
  cairo_surface_destroy (surface);
  isolux_image_preview_get_view (f->preview, &part, &width, &height);
  g_assert_cmpint (part.width, ==, 100);
  g_assert_true (isolux_image_preview_is_fitted (f->preview));

  set_image (f, 800, 450);
  isolux_image_preview_set_pictures (f->preview, NULL, NULL, NULL, NULL);
  surface = render (f);
  g_assert_cmphex (get_pixel (surface, WIDTH * unit / 2, HEIGHT * unit / 2), ==,
                   0x292929);
  cairo_surface_destroy (surface);
}

/* What is not selected keeps 40 %. */
static void
test_selection (Fixture *f, gconstpointer data)
{
  IsoluxRectangle  part = { 0, 0, 800, 450 };
  cairo_surface_t *white =
    cairo_image_surface_create (CAIRO_FORMAT_RGB24, 800, 450);
  cairo_surface_t *selected =
    cairo_image_surface_create (CAIRO_FORMAT_A8, 800, 450);
  cairo_surface_t *surface;
  guint8          *data_white = cairo_image_surface_get_data (white);
  guint8          *data_mask = cairo_image_surface_get_data (selected);

  memset (data_white, 255,
          (gsize) cairo_image_surface_get_stride (white) * 450);
  cairo_surface_mark_dirty (white);
  memset (data_mask, 255,
          (gsize) cairo_image_surface_get_stride (selected) * 225);
  cairo_surface_mark_dirty (selected);
  isolux_image_preview_set_split (f->preview, FALSE);
  isolux_image_preview_set_pictures (f->preview, &part, white, white, selected);
  surface = render (f);
  g_assert_cmphex (get_pixel (surface, 100 * unit, 80 * unit), ==, 0xffffff);
  g_assert_cmphex (get_pixel (surface, 100 * unit, 220 * unit), ==, 0x666666);
  cairo_surface_destroy (surface);
  cairo_surface_destroy (white);
  cairo_surface_destroy (selected);
}

/* Checks under what is transparent, and under nothing else */
static void
test_alpha (Fixture *f, gconstpointer data)
{
  IsoluxRectangle  part = { 0, 0, 800, 450 };
  cairo_surface_t *picture =
    cairo_image_surface_create (CAIRO_FORMAT_ARGB32, 800, 450);
  cairo_t         *cr = cairo_create (picture);
  cairo_surface_t *surface;
  gint             light = 0, dark = 0;

  cairo_set_source_rgb (cr, 0.0, 0.0, 1.0);
  cairo_rectangle (cr, 0, 0, 800, 225);
  cairo_fill (cr);
  cairo_destroy (cr);
  isolux_image_preview_set_split (f->preview, FALSE);
  isolux_image_preview_set_pictures (f->preview, &part, picture, picture, NULL);
  surface = render (f);
  for (gint x = 20; x < WIDTH - 20; x++)
    {
      g_assert_cmphex (get_pixel (surface, x * unit, 100 * unit), ==, 0x0000ff);
      light += get_pixel (surface, x * unit, 200 * unit) == 0x999999;
      dark += get_pixel (surface, x * unit, 200 * unit) == 0x666666;
    }
  g_assert_cmpint (light + dark, ==, WIDTH - 40);
  g_assert_cmpint (light, >, WIDTH / 3);
  g_assert_cmpint (dark, >, WIDTH / 3);
  /* the pasteboard has none */
  g_assert_cmphex (get_pixel (surface, 100 * unit, 10 * unit), ==, 0x292929);
  cairo_surface_destroy (surface);
  cairo_surface_destroy (picture);
}

static void
test_themes (Fixture *f, gconstpointer data)
{
  GtkSettings     *settings = gtk_settings_get_default ();
  cairo_surface_t *surface;

  g_object_set (settings, "gtk-application-prefer-dark-theme", FALSE, NULL);
  settle ();
  surface = render (f);
  g_assert_cmphex (get_pixel (surface, 100 * unit, 10 * unit), ==, 0xb8b8b8);
  cairo_surface_destroy (surface);
  g_object_set (settings, "gtk-application-prefer-dark-theme", TRUE, NULL);
  settle ();
  surface = render (f);
  g_assert_cmphex (get_pixel (surface, 100 * unit, 10 * unit), ==, 0x292929);
  cairo_surface_destroy (surface);
}

/* Up to 250 % smooth, above that squares: of black and white pixels, only
 * smoothing makes grays. */
static void
test_squares (Fixture *f, gconstpointer data)
{
  const gdouble    zooms[] = { 1.5, 2.5, 2.51, 8.0, 31.0 };
  IsoluxRectangle  part = { 0, 0, 800, 450 };
  cairo_surface_t *picture =
    cairo_image_surface_create (CAIRO_FORMAT_RGB24, 800, 450);
  guint8 *pixels = cairo_image_surface_get_data (picture);
  gint    stride = cairo_image_surface_get_stride (picture);

  for (gint y = 0; y < 450; y++)
    for (gint x = 0; x < 800; x++)
      memset (pixels + y * stride + x * 4, (x ^ y) & 1 ? 255 : 0, 4);
  cairo_surface_mark_dirty (picture);
  isolux_image_preview_set_split (f->preview, FALSE);
  isolux_image_preview_set_pictures (f->preview, &part, picture, picture, NULL);
  cairo_surface_destroy (picture);

  for (guint i = 0; i < G_N_ELEMENTS (zooms); i++)
    {
      cairo_surface_t *surface;
      gint             grays = 0, whites = 0, y;

      isolux_image_preview_set_zoom (f->preview, zooms[i]);
      surface = render (f);
      for (y = 20; y < HEIGHT * unit - 20; y++)
        {
          guint32 color = get_pixel (surface, 40 * unit, y);

          grays += color != 0x000000 && color != 0xffffff;
          whites += color == 0xffffff;
        }
      if (zooms[i] > 2.5)
        {
          g_assert_cmpint (grays, ==, 0);
          g_assert_cmpint (whites, >, y / 4);
        }
      else
        {
          g_assert_cmpint (grays, >, y / 4);
        }
      cairo_surface_destroy (surface);
    }
}

/* ---- The view ---- */

static void
test_view (Fixture *f, gconstpointer data)
{
  IsoluxRectangle part;
  gint            width, height;
  gint            views = f->views;

  g_assert_true (isolux_image_preview_is_fitted (f->preview));
  g_assert_cmpfloat (get_zoom (f), ==, 0.5);
  isolux_image_preview_get_view (f->preview, &part, &width, &height);
  g_assert_cmpint (part.width, ==, 800);
  g_assert_cmpint (part.height, ==, 450);
  g_assert_cmpint (width, ==, 400 * unit);
  g_assert_cmpint (height, ==, 225 * unit);

  isolux_image_preview_set_zoom (f->preview, 2.0);
  g_assert_false (isolux_image_preview_is_fitted (f->preview));
  g_assert_cmpint (f->views, ==, views + 1);
  isolux_image_preview_get_view (f->preview, &part, &width, &height);
  g_assert_cmpint (part.x, ==, 300);
  g_assert_cmpint (part.y, ==, 150);
  g_assert_cmpint (part.width, ==, 200);
  g_assert_cmpint (part.height, ==, 150);
  g_assert_cmpint (width, ==, 400 * unit);
  g_assert_cmpint (height, ==, 300 * unit);

  isolux_image_preview_set_zoom (f->preview, 2.0);
  g_assert_cmpint (f->views, ==, views + 1);

  /* another size of the widget, which comes with the next frame */
  gtk_widget_set_size_request (GTK_WIDGET (f->preview), 500, 300);
  while (gtk_widget_get_allocated_width (GTK_WIDGET (f->preview)) != 500)
    gtk_main_iteration ();
  settle ();
  g_assert_cmpint (f->views, ==, views + 2);
  isolux_image_preview_get_view (f->preview, &part, &width, &height);
  g_assert_cmpint (part.width, ==, 250);
  g_assert_cmpint (part.x, ==, 275);
  isolux_image_preview_set_zoom (f->preview, 0.0);
  g_assert_cmpfloat (get_zoom (f), ==, 500 / 800.0);
  g_assert_cmpint (f->views, ==, views + 3);
}

/* A zoom that is set before there is a window holds then. */
static void
test_before_window (void)
{
  GtkWidget          *widget = g_object_ref_sink (isolux_image_preview_new ());
  IsoluxImagePreview *preview = ISOLUX_IMAGE_PREVIEW (widget);
  cairo_surface_t    *surface;
  IsoluxRectangle     part;
  gint                width, height;

  isolux_image_preview_get_view (preview, &part, &width, &height);
  g_assert_cmpint (part.width, ==, 0);
  g_assert_cmpint (width, ==, 0);
  isolux_image_preview_set_zoom (preview, 2.0);
  isolux_image_preview_set_image_size (preview, 300, 200);
  g_assert_true (isolux_image_preview_is_fitted (preview));
  isolux_image_preview_set_zoom (preview, 2.0);
  g_assert_cmpfloat (isolux_image_preview_get_zoom (preview), ==, 2.0);
  surface = isolux_image_preview_render (preview, 50, 40, 2);
  g_assert_cmpint (cairo_image_surface_get_width (surface), ==, 100);
  g_assert_cmpint (cairo_image_surface_get_height (surface), ==, 80);
  cairo_surface_destroy (surface);
  gtk_widget_destroy (widget);
  g_object_unref (widget);
}

static void
test_sizes (Fixture *f, gconstpointer data)
{
  static const gint64 sizes[][2] = {
    { 1, 1 },     { 1, 100000 },     { 100000, 1 },
    { 3, 2 },     { 13256, 7544 },   { 262144, 262144 },
    { 2, 40000 }, { 2147483647, 7 }, { G_GINT64_CONSTANT (6000000000), 90000 }
  };

  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++)
    {
      IsoluxRectangle  part = { 0, 0, 1, 1 };
      cairo_surface_t *dot =
        cairo_image_surface_create (CAIRO_FORMAT_RGB24, 1, 1);
      gint width, height;

      isolux_image_preview_set_image_size (f->preview, sizes[i][0],
                                           sizes[i][1]);
      settle ();
      for (gint zoom = -3; zoom <= 8; zoom++)
        {
          cairo_surface_t *surface;

          isolux_image_preview_set_zoom (f->preview,
                                         zoom < -2 ? 0.0
                                                   : exp2 (zoom * 2.0 - 7.0));
          isolux_image_preview_get_view (f->preview, &part, &width, &height);
          g_assert_cmpint (part.width, >=, 1);
          g_assert_cmpint (part.height, >=, 1);
          g_assert_cmpint (part.x + part.width, <=, sizes[i][0]);
          g_assert_cmpint (part.y + part.height, <=, sizes[i][1]);
          g_assert_cmpint (width, <=, (WIDTH + 66) * unit);
          g_assert_cmpint (height, <=, (HEIGHT + 66) * unit);
          g_assert_cmpfloat (get_zoom (f), <=, 32.0);
          if (MAX (sizes[i][0], sizes[i][1]) < 19000)
            g_assert_cmpfloat (get_zoom (f), >=, 1.0 / 64.0);

          isolux_image_preview_set_grid (f->preview, 0, 0, sizes[i][0] / 8.0,
                                         sizes[i][1] / 8.0, 8, 8);
          isolux_image_preview_show_grid (f->preview, TRUE);
          isolux_image_preview_set_pick (f->preview, 3, 3);
          isolux_image_preview_set_pictures (f->preview, &part, dot, dot, NULL);
          surface = render (f);
          g_assert_cmpint (cairo_surface_status (surface), ==,
                           CAIRO_STATUS_SUCCESS);
          cairo_surface_destroy (surface);
          wheel (f, 300, 200, GDK_SCROLL_UP);
          key (f, GDK_KEY_Right, GDK_MOD1_MASK);
          click (f, 300, 200);
        }
      cairo_surface_destroy (dot);
    }

  /* nothing */
  isolux_image_preview_set_image_size (f->preview, 0, 0);
  g_assert_cmpint (get_part (f).width, ==, 0);
  wheel (f, 300, 200, GDK_SCROLL_UP);
  click (f, 300, 200);
  g_assert_false (key (f, GDK_KEY_plus, 0));
  isolux_image_preview_zoom_in (f->preview);
  cairo_surface_destroy (render (f));
}

/* ---- The mouse ---- */

/* What is under the pointer stays there: the pixel, where pixels are larger
 * than rounding; else one near it. */
static void
test_wheel (Fixture *f, gconstpointer data)
{
  for (gint i = 0; i < 200; i++)
    {
      gdouble x = g_test_rand_int_range (0, WIDTH);
      gdouble y = g_test_rand_int_range (0, HEIGHT);
      gdouble zoom = get_zoom (f);
      gint64  before_x, before_y, after_x, after_y;

      point (f, x + 0.3, y + 0.3, &before_x, &before_y);
      wheel (f, x + 0.3, y + 0.3,
             g_test_rand_int_range (0, 5) < 3 ? GDK_SCROLL_UP
                                              : GDK_SCROLL_DOWN);
      after_x = f->pixel_x;
      after_y = f->pixel_y;
      if (before_x < 0 || after_x < 0 || zoom * 800 < WIDTH * 3 ||
          get_zoom (f) * 450 < HEIGHT * 3)
        continue;
      /* not at the image's edges, which would not go past the view's */
      if (get_part (f).x == 0 || get_part (f).y == 0 ||
          get_part (f).x + get_part (f).width == 800 ||
          get_part (f).y + get_part (f).height == 450)
        continue;
      g_assert_cmpint (ABS (after_x - before_x), <=, 1);
      g_assert_cmpint (ABS (after_y - before_y), <=, 1);
    }

  /* clicks go through round numbers, down to 1/64 and up to 32 */
  isolux_image_preview_set_zoom (f->preview, 1.0);
  wheel (f, 200, 150, GDK_SCROLL_UP);
  g_assert_cmpfloat (get_zoom (f), ==, 1.5);
  smooth_wheel (f, 200, 150, -1.0);
  g_assert_cmpfloat (get_zoom (f), ==, 2.0);
  smooth_wheel (f, 200, 150, 0.5);
  g_assert_cmpfloat_with_epsilon (get_zoom (f), 2.0 / exp2 (0.25), 1e-9);
  for (gint i = 0; i < 40; i++)
    wheel (f, 200, 150, GDK_SCROLL_UP);
  g_assert_cmpfloat (get_zoom (f), ==, 32.0);
  for (gint i = 0; i < 40; i++)
    wheel (f, 200, 150, GDK_SCROLL_DOWN);
  g_assert_cmpfloat (get_zoom (f), ==, 1.0 / 64.0);
  g_assert_false (isolux_image_preview_is_fitted (f->preview));
}

static void
test_pinch (Fixture *f, gconstpointer data)
{
  gint64 before_x, before_y;

  isolux_image_preview_set_zoom (f->preview, 2.0);
  point (f, 120, 90, &before_x, &before_y);
  pinch (f, GDK_TOUCHPAD_GESTURE_PHASE_BEGIN, 120, 90, 1.0);
  pinch (f, GDK_TOUCHPAD_GESTURE_PHASE_UPDATE, 120, 90, 1.5);
  g_assert_cmpfloat (get_zoom (f), ==, 3.0);
  pinch (f, GDK_TOUCHPAD_GESTURE_PHASE_UPDATE, 120, 90, 3.0);
  pinch (f, GDK_TOUCHPAD_GESTURE_PHASE_END, 120, 90, 3.0);
  g_assert_cmpfloat (get_zoom (f), ==, 6.0);
  g_assert_cmpint (ABS (f->pixel_x - before_x), <=, 1);
  g_assert_cmpint (ABS (f->pixel_y - before_y), <=, 1);
}

static void
test_pan (Fixture *f, gconstpointer data)
{
  IsoluxRectangle start, part;
  gint            picks = f->picks;
  guint           button_of[] = { 1, 2 };

  isolux_image_preview_set_grid (f->preview, 0, 0, 100.0, 50.0, 8, 9);
  isolux_image_preview_set_zoom (f->preview, 4.0);
  start = get_part (f);
  for (guint i = 0; i < G_N_ELEMENTS (button_of); i++)
    {
      press (f, button_of[i], 100, 100, 0);
      move (f, 140, 60);
      move (f, 180, 80);
      part = get_part (f);
      g_assert_cmpint (part.x, ==, start.x - 20);
      g_assert_cmpint (part.y, ==, start.y + 5);
      release (f, button_of[i], 180, 80);
      move (f, 300, 200);
      g_assert_cmpint (get_part (f).x, ==, start.x - 20);

      press (f, button_of[i], 180, 80, 0);
      move (f, 100, 100);
      release (f, button_of[i], 100, 100);
      g_assert_cmpint (get_part (f).x, ==, start.x);
      g_assert_cmpint (get_part (f).y, ==, start.y);
    }

  /* cancelled, with the button still down */
  press (f, 1, 100, 100, 0);
  move (f, 190, 190);
  g_assert_cmpint (get_part (f).x, !=, start.x);
  g_assert_true (isolux_image_preview_cancel_drag (f->preview));
  g_assert_cmpint (get_part (f).x, ==, start.x);
  move (f, 10, 10);
  release (f, 1, 10, 10);
  g_assert_cmpint (get_part (f).x, ==, start.x);
  g_assert_cmpint (get_part (f).y, ==, start.y);
  g_assert_false (isolux_image_preview_cancel_drag (f->preview));

  /* not past the edges */
  press (f, 2, 200, 150, 0);
  move (f, 90000, 90000);
  g_assert_cmpint (get_part (f).x, ==, 0);
  g_assert_cmpint (get_part (f).y, ==, 0);
  move (f, -90000, -90000);
  release (f, 2, -90000, -90000);
  part = get_part (f);
  g_assert_cmpint (part.x + part.width, ==, 800);
  g_assert_cmpint (part.y + part.height, ==, 450);

  g_assert_cmpint (f->picks, ==, picks);
}

static void
test_divider_drag (Fixture *f, gconstpointer data)
{
  IsoluxRectangle start = get_part (f);

  /* seized beside the line: it does not jump */
  press (f, 1, 204, 60, 0);
  move (f, 204, 60);
  g_assert_cmpfloat (get_position (f), ==, 0.5);
  move (f, 304, 60);
  g_assert_cmpfloat (get_position (f), ==, 0.75);
  g_assert_cmpint (f->splits, ==, 1);
  /* told when the drag has ended */
  g_assert_cmpint (f->values, ==, 0);
  release (f, 1, 304, 60);
  g_assert_cmpint (f->values, ==, 1);
  g_assert_cmpfloat (f->value, ==, 75.0);
  check_sides (f, TRUE);

  /* cancelled; at its ends */
  press (f, 1, 300, 150, 0);
  move (f, 100, 150);
  g_assert_cmpfloat (get_position (f), ==, 0.25);
  move (f, -5000, 150);
  g_assert_cmpfloat (get_position (f), ==, 0.0);
  move (f, 5000, 150);
  g_assert_cmpfloat (get_position (f), ==, 1.0);
  g_assert_true (key (f, GDK_KEY_Escape, 0));
  g_assert_cmpfloat (get_position (f), ==, 0.75);
  release (f, 1, 5000, 150);
  g_assert_cmpfloat (get_position (f), ==, 0.75);

  /* elsewhere it is not seized */
  press (f, 1, 200, 60, 0);
  move (f, 100, 60);
  release (f, 1, 100, 60);
  g_assert_cmpfloat (get_position (f), ==, 0.75);

  /* Shift swaps, Ctrl turns */
  press (f, 1, 300, 150, GDK_SHIFT_MASK);
  release (f, 1, 300, 150);
  g_assert_true (isolux_image_preview_get_swapped (f->preview));
  check_sides (f, FALSE);
  press (f, 1, 300, 150, GDK_CONTROL_MASK);
  release (f, 1, 300, 150);
  g_assert_true (isolux_image_preview_get_turned (f->preview));
  check_sides (f, FALSE);
  g_assert_cmpfloat (get_position (f), ==, 0.75);

  /* 37.5 + 0.75 * 225 = 206 */
  press (f, 1, 40, 206, 0);
  move (f, 40, 206 - 45);
  release (f, 1, 40, 206 - 45);
  g_assert_cmpfloat_with_epsilon (get_position (f), 0.55, 0.005);
  check_sides (f, FALSE);

  g_assert_cmpint (get_part (f).x, ==, start.x);
  g_assert_cmpint (get_part (f).width, ==, start.width);
}

static void
test_click (Fixture *f, gconstpointer data)
{
  /* fitted: a tile of 100 x 50 pixels is 50 x 25 on the screen, and the
   * image begins at 37 or 38 */
  isolux_image_preview_set_grid (f->preview, 0, 0, 100.0, 50.0, 8, 9);
  click (f, 125, 100);
  g_assert_cmpint (f->picks, ==, 1);
  g_assert_cmpint (f->pick_x, ==, 2);
  g_assert_cmpint (f->pick_y, ==, 2);
  click (f, 360, 50);
  g_assert_cmpint (f->picks, ==, 2);
  g_assert_cmpint (f->pick_x, ==, 7);
  g_assert_cmpint (f->pick_y, ==, 0);
  click (f, 360, 50);
  g_assert_cmpint (f->picks, ==, 3);
  g_assert_cmpint (f->pick_x, ==, -1);
  g_assert_cmpint (f->pick_y, ==, -1);

  /* the pasteboard; the divider; a trembling hand; a pan */
  click (f, 100, 10);
  click (f, 200, 150);
  g_assert_cmpint (f->picks, ==, 3);
  press (f, 1, 125, 100, 0);
  move (f, 127, 101);
  release (f, 1, 127, 101);
  g_assert_cmpint (f->picks, ==, 4);
  g_assert_cmpint (f->pick_x, ==, 2);
  press (f, 1, 125, 100, 0);
  move (f, 325, 200);
  release (f, 1, 325, 200);
  g_assert_cmpint (f->picks, ==, 4);

  /* a grid that has it no more takes the pick away; and says so */
  isolux_image_preview_set_grid (f->preview, 0, 0, 100.0, 50.0, 8, 9);
  g_assert_cmpint (f->picks, ==, 4);
  isolux_image_preview_set_grid (f->preview, 0, 0, 400.0, 225.0, 2, 2);
  g_assert_cmpint (f->picks, ==, 5);
  g_assert_cmpint (f->pick_x, ==, -1);

  /* a grid in a selection */
  isolux_image_preview_set_grid (f->preview, 500, 100, 100.0, 100.0, 2, 2);
  click (f, 125, 100);
  g_assert_cmpint (f->picks, ==, 5);
  click (f, 340, 150);
  g_assert_cmpint (f->picks, ==, 6);
  g_assert_cmpint (f->pick_x, ==, 1);
  g_assert_cmpint (f->pick_y, ==, 1);

  /* by program: silent, and only what there is */
  isolux_image_preview_set_pick (f->preview, 0, 1);
  g_assert_cmpint (f->picks, ==, 6);
  isolux_image_preview_set_pick (f->preview, 2, 1);
  click (f, 340, 150);
  g_assert_cmpint (f->picks, ==, 7);
  g_assert_cmpint (f->pick_x, ==, 1);

  /* no grid: nothing to pick */
  isolux_image_preview_set_grid (f->preview, 0, 0, 0.0, 0.0, 0, 0);
  g_assert_cmpint (f->picks, ==, 8);
  click (f, 340, 150);
  g_assert_cmpint (f->picks, ==, 8);
}

static void
test_double_click (Fixture *f, gconstpointer data)
{
  gint64 before_x, before_y;

  isolux_image_preview_set_grid (f->preview, 0, 0, 100.0, 50.0, 8, 9);
  isolux_image_preview_set_pick (f->preview, 5, 5);
  point (f, 120, 90, &before_x, &before_y);

  click (f, 120, 90);
  g_assert_cmpint (f->pick_x, ==, 2);
  press (f, 1, 120, 90, 0);
  button (f, GDK_2BUTTON_PRESS, 1, 120, 90, 0);
  release (f, 1, 120, 90);
  /* the pick is what it was */
  g_assert_cmpint (f->pick_x, ==, 5);
  g_assert_cmpint (f->pick_y, ==, 5);
  g_assert_cmpfloat (get_zoom (f), ==, 1.0);
  g_assert_false (isolux_image_preview_is_fitted (f->preview));
  g_assert_cmpint (ABS (f->pixel_x - before_x), <=, 1);
  g_assert_cmpint (ABS (f->pixel_y - before_y), <=, 1);

  click (f, 120, 90);
  press (f, 1, 120, 90, 0);
  button (f, GDK_2BUTTON_PRESS, 1, 120, 90, 0);
  release (f, 1, 120, 90);
  g_assert_true (isolux_image_preview_is_fitted (f->preview));
  g_assert_cmpint (f->pick_x, ==, 5);
}

static void
test_window_drag (Fixture *f, gconstpointer data)
{
  IsoluxRectangle start = get_part (f);

  press (f, 3, 100, 100, 0);
  g_assert_cmpint (f->drags, ==, 0);
  move (f, 130, 90);
  g_assert_cmpint (f->drags, ==, 1);
  g_assert_cmpint (f->drag_x, ==, 30);
  g_assert_cmpint (f->drag_y, ==, -10);
  g_assert_cmpint (f->drags_ended, ==, 0);
  move (f, 140, 120);
  release (f, 3, 141, 121);
  g_assert_cmpint (f->drag_x, ==, 41);
  g_assert_cmpint (f->drag_y, ==, 21);
  g_assert_cmpint (f->drags_ended, ==, 1);
  move (f, 10, 10);
  g_assert_cmpint (f->drags, ==, 3);

  press (f, 3, 100, 100, 0);
  move (f, 130, 90);
  g_assert_true (isolux_image_preview_cancel_drag (f->preview));
  g_assert_cmpint (f->drag_x, ==, 0);
  g_assert_cmpint (f->drag_y, ==, 0);
  g_assert_cmpint (f->drags_ended, ==, 2);
  release (f, 3, 130, 90);
  g_assert_cmpint (f->drags, ==, 5);
  g_assert_cmpint (get_part (f).x, ==, start.x);
}

static void
test_pointer (Fixture *f, gconstpointer data)
{
  gint pixels;

  isolux_image_preview_set_zoom (f->preview, 1.0);
  move (f, 0.5, 0.5);
  g_assert_cmpint (f->pixel_x, ==, 200);
  g_assert_cmpint (f->pixel_y, ==, 75);
  pixels = f->pixels;
  move (f, 0.7, 0.7);
  g_assert_cmpint (f->pixels, ==, pixels);
  move (f, 399.5, 299.5);
  g_assert_cmpint (f->pixel_x, ==, 599);
  g_assert_cmpint (f->pixel_y, ==, 374);
  /* the image moves below the pointer */
  isolux_image_preview_set_zoom (f->preview, 0.0);
  g_assert_cmpint (f->pixel_x, ==, -1);
  isolux_image_preview_set_zoom (f->preview, 1.0);
  g_assert_cmpint (f->pixel_x, ==, 599);
  leave (f);
  g_assert_cmpint (f->pixel_x, ==, -1);
  g_assert_cmpint (f->pixel_y, ==, -1);
}

/* ---- The keyboard ---- */

static void
test_divider_keys (Fixture *f, gconstpointer data)
{
  g_assert_true (key (f, GDK_KEY_Left, 0));
  g_assert_cmpfloat_with_epsilon (get_position (f), 0.49, 1e-9);
  g_assert_cmpint (f->splits, ==, 1);
  g_assert_cmpint (f->values, ==, 1);
  g_assert_cmpfloat_with_epsilon (f->value, 49.0, 1e-9);
  key (f, GDK_KEY_Right, 0);
  key (f, GDK_KEY_Right, 0);
  g_assert_cmpfloat_with_epsilon (get_position (f), 0.51, 1e-9);
  key (f, GDK_KEY_Right, GDK_SHIFT_MASK);
  g_assert_cmpfloat_with_epsilon (get_position (f), 0.61, 1e-9);
  key (f, GDK_KEY_KP_Left, GDK_SHIFT_MASK);
  key (f, GDK_KEY_Left, GDK_SHIFT_MASK);
  g_assert_cmpfloat_with_epsilon (get_position (f), 0.41, 1e-9);
  key (f, GDK_KEY_End, 0);
  g_assert_cmpfloat (get_position (f), ==, 1.0);
  key (f, GDK_KEY_Right, 0);
  g_assert_cmpfloat (get_position (f), ==, 1.0);
  key (f, GDK_KEY_Home, 0);
  g_assert_cmpfloat (get_position (f), ==, 0.0);

  /* there and back a hundred times adds nothing up */
  for (gint i = 0; i < 100; i++)
    key (f, GDK_KEY_Right, 0);
  g_assert_cmpfloat (get_position (f), ==, 1.0);

  key (f, GDK_KEY_x, 0);
  g_assert_true (isolux_image_preview_get_swapped (f->preview));
  key (f, GDK_KEY_X, 0);
  g_assert_false (isolux_image_preview_get_swapped (f->preview));
  key (f, GDK_KEY_x, GDK_CONTROL_MASK);
  g_assert_true (isolux_image_preview_get_turned (f->preview));
  key (f, GDK_KEY_Up, 0);
  g_assert_cmpfloat_with_epsilon (get_position (f), 0.99, 1e-9);
  key (f, GDK_KEY_Down, GDK_SHIFT_MASK);
  g_assert_cmpfloat (get_position (f), ==, 1.0);
}

static void
test_zoom_keys (Fixture *f, gconstpointer data)
{
  IsoluxRectangle start;

  key (f, GDK_KEY_1, 0);
  g_assert_cmpfloat (get_zoom (f), ==, 1.0);
  key (f, GDK_KEY_plus, GDK_SHIFT_MASK);
  g_assert_cmpfloat (get_zoom (f), ==, 1.5);
  key (f, GDK_KEY_KP_Add, 0);
  g_assert_cmpfloat (get_zoom (f), ==, 2.0);
  key (f, GDK_KEY_minus, 0);
  g_assert_cmpfloat (get_zoom (f), ==, 1.5);
  start = get_part (f);
  g_assert_true (key (f, GDK_KEY_Right, GDK_MOD1_MASK));
  g_assert_cmpint (get_part (f).x, >, start.x);
  g_assert_true (key (f, GDK_KEY_Left, GDK_MOD1_MASK));
  g_assert_cmpint (ABS (get_part (f).x - start.x), <=, 1);
  g_assert_true (key (f, GDK_KEY_Down, GDK_MOD1_MASK));
  g_assert_cmpint (get_part (f).y, >, start.y);
  g_assert_true (key (f, GDK_KEY_Up, GDK_MOD1_MASK));
  g_assert_cmpint (ABS (get_part (f).y - start.y), <=, 1);
  key (f, GDK_KEY_f, 0);
  g_assert_true (isolux_image_preview_is_fitted (f->preview));

  /* Ctrl + and - are the histogram's */
  g_assert_false (key (f, GDK_KEY_plus, GDK_CONTROL_MASK));
  g_assert_true (isolux_image_preview_is_fitted (f->preview));

  key (f, GDK_KEY_s, 0);
  g_assert_cmpint (f->key, ==, 'S');
  key (f, GDK_KEY_G, GDK_SHIFT_MASK);
  g_assert_cmpint (f->key, ==, 'G');
  key (f, GDK_KEY_t, 0);
  g_assert_cmpint (f->key, ==, 'T');
  g_assert_cmpint (f->keys, ==, 3);
  g_assert_false (key (f, GDK_KEY_q, 0));
  g_assert_false (key (f, GDK_KEY_Escape, 0));
  g_assert_false (key (f, GDK_KEY_Return, 0));
}

static void
test_tiles_keys (Fixture *f, gconstpointer data)
{
  isolux_image_preview_set_grid (f->preview, 0, 0, 100.0, 50.0, 8, 9);
  gtk_widget_grab_focus (f->first);
  tab (f, FALSE);
  g_assert_true (gtk_widget_is_focus (GTK_WIDGET (f->preview)));
  key (f, GDK_KEY_Right, 0);
  g_assert_cmpfloat_with_epsilon (get_position (f), 0.51, 1e-9);

  /* to the tiles: from the middle of the view */
  tab (f, FALSE);
  g_assert_true (gtk_widget_is_focus (GTK_WIDGET (f->preview)));
  g_assert_true (key (f, GDK_KEY_Return, 0));
  g_assert_cmpint (f->picks, ==, 1);
  g_assert_cmpint (f->pick_x, ==, 4);
  g_assert_cmpint (f->pick_y, ==, 4);
  key (f, GDK_KEY_Left, 0);
  key (f, GDK_KEY_Up, 0);
  key (f, GDK_KEY_Up, 0);
  g_assert_cmpint (f->picks, ==, 1);
  key (f, GDK_KEY_Return, 0);
  g_assert_cmpint (f->pick_x, ==, 3);
  g_assert_cmpint (f->pick_y, ==, 2);
  key (f, GDK_KEY_End, 0);
  key (f, GDK_KEY_Right, 0);
  key (f, GDK_KEY_Up, GDK_SHIFT_MASK);
  key (f, GDK_KEY_KP_Enter, 0);
  g_assert_cmpint (f->pick_x, ==, 7);
  g_assert_cmpint (f->pick_y, ==, 0);
  g_assert_cmpfloat_with_epsilon (get_position (f), 0.51, 1e-9);
  /* again: none; Esc: none, then back to the divider, then the dialog's */
  key (f, GDK_KEY_Return, 0);
  g_assert_cmpint (f->pick_x, ==, -1);
  key (f, GDK_KEY_Return, 0);
  g_assert_cmpint (f->pick_x, ==, 7);
  g_assert_true (key (f, GDK_KEY_Escape, 0));
  g_assert_cmpint (f->pick_x, ==, -1);
  g_assert_true (key (f, GDK_KEY_Escape, 0));
  g_assert_false (key (f, GDK_KEY_Escape, 0));
  key (f, GDK_KEY_Left, 0);
  g_assert_cmpfloat_with_epsilon (get_position (f), 0.50, 1e-9);

  /* a tile out of sight comes into it */
  isolux_image_preview_set_zoom (f->preview, 4.0);
  tab (f, FALSE);
  key (f, GDK_KEY_Home, 0);
  g_assert_cmpint (get_part (f).x, ==, 0);

  /* on to the cross, out, and back through all */
  tab (f, FALSE);
  g_assert_cmpint (f->pixel_x, >=, 0);
  tab (f, FALSE);
  g_assert_true (gtk_widget_is_focus (f->last));
  tab (f, TRUE);
  g_assert_true (gtk_widget_is_focus (GTK_WIDGET (f->preview)));
  tab (f, TRUE);
  tab (f, TRUE);
  key (f, GDK_KEY_Left, 0);
  g_assert_cmpfloat_with_epsilon (get_position (f), 0.49, 1e-9);
  tab (f, TRUE);
  g_assert_true (gtk_widget_is_focus (f->first));
}

static void
test_cross_keys (Fixture *f, gconstpointer data)
{
  gint64 x, y;

  /* no split, no tiles: the arrows move the cross at once */
  isolux_image_preview_set_split (f->preview, FALSE);
  isolux_image_preview_set_zoom (f->preview, 1.0);
  leave (f);
  key (f, GDK_KEY_Right, 0);
  x = f->pixel_x;
  y = f->pixel_y;
  g_assert_cmpint (x, ==, 401);
  g_assert_cmpint (y, ==, 225);
  key (f, GDK_KEY_Down, GDK_SHIFT_MASK);
  g_assert_cmpint (f->pixel_y, ==, 235);
  key (f, GDK_KEY_Home, 0);
  g_assert_cmpint (f->pixel_x, ==, 0);
  g_assert_cmpint (get_part (f).x, ==, 0);
  key (f, GDK_KEY_Left, 0);
  g_assert_cmpint (f->pixel_x, ==, 0);
  key (f, GDK_KEY_End, 0);
  g_assert_cmpint (f->pixel_x, ==, 799);
  g_assert_cmpint (get_part (f).x, ==, 400);

  /* zooming keeps it in place */
  key (f, GDK_KEY_plus, 0);
  key (f, GDK_KEY_plus, 0);
  g_assert_cmpint (f->pixel_x, ==, 799);
  g_assert_cmpint (f->pixel_y, ==, 235);
  g_assert_cmpint (get_part (f).x + get_part (f).width, ==, 800);

  /* the mouse takes over */
  move (f, 10, 10);
  g_assert_cmpint (f->pixel_x, <, 799);
  leave (f);
  g_assert_cmpint (f->pixel_x, ==, -1);

  /* with tiles, Enter picks that of the pixel */
  isolux_image_preview_set_zoom (f->preview, 0.0);
  isolux_image_preview_set_grid (f->preview, 0, 0, 100.0, 50.0, 8, 9);
  gtk_widget_grab_focus (f->last);
  tab (f, TRUE);
  key (f, GDK_KEY_Home, 0);
  key (f, GDK_KEY_Return, 0);
  g_assert_cmpint (f->pick_x, ==, 0);
  g_assert_cmpint (f->pick_y, ==, 4);
}

/* ---- Assistive technologies ---- */

static void
assert_says (Fixture *f, const gchar *words)
{
  AtkObject   *accessible = gtk_widget_get_accessible (GTK_WIDGET (f->preview));
  const gchar *text = atk_object_get_description (accessible);

  if (! text || ! strstr (text, words))
    g_error ("\"%s\" is not in the description: %s", words, text);
}

static void
test_accessible (Fixture *f, gconstpointer data)
{
  AtkObject *accessible = gtk_widget_get_accessible (GTK_WIDGET (f->preview));
  AtkValue  *value;
  AtkRange  *range;
  gdouble    number;
  gchar     *text;

  g_assert_cmpstr (atk_object_get_name (accessible), ==, "Image preview");
  g_assert_true (ATK_IS_VALUE (accessible));
  value = ATK_VALUE (accessible);
  range = atk_value_get_range (value);
  g_assert_cmpfloat (atk_range_get_lower_limit (range), ==, 0.0);
  g_assert_cmpfloat (atk_range_get_upper_limit (range), ==, 100.0);
  atk_range_free (range);
  g_assert_cmpfloat (atk_value_get_increment (value), ==, 1.0);
  atk_value_get_value_and_text (value, &number, &text);
  g_assert_cmpfloat (number, ==, 50.0);
  g_assert_cmpstr (text, ==, "50 %");
  g_free (text);

  atk_value_set_value (value, 30.0);
  g_assert_cmpfloat (get_position (f), ==, 0.3);
  g_assert_cmpint (f->splits, ==, 1);
  g_assert_cmpint (f->values, ==, 1);
  atk_value_set_value (value, 130.0);
  g_assert_cmpfloat (get_position (f), ==, 1.0);
  atk_value_set_value (value, -3.0);
  g_assert_cmpfloat (get_position (f), ==, 0.0);
  isolux_image_preview_set_split_position (f->preview, 0.47);
  atk_value_get_value_and_text (value, &number, NULL);
  g_assert_cmpfloat_with_epsilon (number, 47.0, 1e-9);

  assert_says (f, "Before left, After right; divider at 47 %.");
  isolux_image_preview_set_labels (f->preview, "Original", "Result");
  assert_says (f, "Original left, Result right; divider at 47 %.");
  isolux_image_preview_set_swapped (f->preview, TRUE);
  assert_says (f, "Result left, Original right");
  isolux_image_preview_set_turned (f->preview, TRUE);
  assert_says (f, "Result above, Original below");
  assert_says (f, "Zoom 50 %.");
  isolux_image_preview_set_zoom (f->preview, 3.0);
  assert_says (f, "Zoom 300 %.");
  isolux_image_preview_set_grid (f->preview, 0, 0, 100.0, 50.0, 8, 9);
  isolux_image_preview_set_pick (f->preview, 1, 5);
  assert_says (f, "Picked: 2, 6 of 8 × 9.");
  isolux_image_preview_set_note (f->preview, "Stretched for viewing: 1–2");
  assert_says (f, "Stretched for viewing: 1–2");
  isolux_image_preview_set_compare (f->preview, TRUE);
  assert_says (f, "Shown: Original.");
  isolux_image_preview_set_compare (f->preview, FALSE);
  isolux_image_preview_set_split (f->preview, FALSE);
  assert_says (f, "Shown: Result.");
  isolux_image_preview_set_image_size (f->preview, 0, 0);
  assert_says (f, "nothing to be seen");

  /* the accessible may outlive the widget */
  g_object_ref (accessible);
  gtk_widget_destroy (GTK_WIDGET (f->preview));
  settle ();
  atk_value_get_value_and_text (value, &number, &text);
  g_assert_cmpfloat (number, ==, 0.0);
  g_free (text);
  atk_value_set_value (value, 10.0);
  g_object_unref (accessible);
}

/* ---- Looks ---- */

/*
 * Whether two pictures look the same: hardly a pixel is far off, and all
 * together are near.  Rasterizers differ in last bits along edges.
 */
static gboolean
looks_like (cairo_surface_t *a, cairo_surface_t *b)
{
  gint    width = cairo_image_surface_get_width (a);
  gint    height = cairo_image_surface_get_height (a);
  gint    far_off = 0;
  gdouble sum = 0.0;

  if (width != cairo_image_surface_get_width (b) ||
      height != cairo_image_surface_get_height (b))
    return FALSE;
  for (gint y = 0; y < height; y++)
    for (gint x = 0; x < width; x++)
      {
        guint32 p = get_pixel (a, x, y);
        guint32 q = get_pixel (b, x, y);
        gint    most = 0;

        for (gint shift = 0; shift < 24; shift += 8)
          most = MAX (most, ABS ((gint) (p >> shift & 255) -
                                 (gint) (q >> shift & 255)));
        far_off += most > 24;
        sum += most;
      }
  return far_off <= width * height / 2000 && sum <= 0.5 * width * height;
}

/* A picture with soft and hard edges: rings, and lines of one pixel */
static cairo_surface_t *
make_drawing (gboolean after, cairo_format_t format)
{
  cairo_surface_t *surface = cairo_image_surface_create (format, 240, 160);
  cairo_t         *cr = cairo_create (surface);
  gdouble          contrast = after ? 1.0 : 0.35;

  if (format == CAIRO_FORMAT_RGB24)
    cairo_paint (cr);
  for (gint i = 10; i > 0; i--)
    {
      gdouble gray = contrast * (i % 2 ? 0.9 : 0.3);

      cairo_set_source_rgba (cr, gray, gray, gray, i % 3 ? 1.0 : 0.5);
      cairo_arc (cr, 120.0, 80.0, 11.0 * i, 0.0, 2.0 * G_PI);
      cairo_fill (cr);
    }
  cairo_set_source_rgb (cr, contrast, contrast, 0.0);
  for (gint i = 0; i < 24; i++)
    cairo_rectangle (cr, 10.0 * i, 0.0, 1.0, 20.0);
  cairo_fill (cr);
  cairo_destroy (cr);
  return surface;
}

static void
set_drawing (IsoluxImagePreview *preview, cairo_format_t format, gboolean mask)
{
  IsoluxRectangle  part = { 0, 0, 240, 160 };
  cairo_surface_t *before = make_drawing (FALSE, format);
  cairo_surface_t *after = make_drawing (TRUE, format);
  cairo_surface_t *selected = NULL;

  if (mask)
    {
      cairo_t *cr;

      selected = cairo_image_surface_create (CAIRO_FORMAT_A8, 240, 160);
      cr = cairo_create (selected);
      cairo_arc (cr, 150.0, 70.0, 60.0, 0.0, 2.0 * G_PI);
      cairo_fill (cr);
      cairo_destroy (cr);
    }
  isolux_image_preview_set_image_size (preview, 240, 160);
  isolux_image_preview_set_pictures (preview, &part, before, after, selected);
  cairo_surface_destroy (before);
  cairo_surface_destroy (after);
  if (selected)
    cairo_surface_destroy (selected);
}

typedef struct
{
  const gchar   *name;
  cairo_format_t format;
  gboolean       mask;
  gdouble        zoom;
  gdouble        position;
  gboolean       turned;
  gboolean       swapped;
  gboolean       grid;
  gboolean       pick;
  gint           scale;
} Look;

static const Look looks[] = {
  { "split", CAIRO_FORMAT_RGB24, FALSE, 1.0, 0.4, .scale = 1 },
  { "swapped", CAIRO_FORMAT_RGB24, FALSE, 1.0, 0.4, .swapped = TRUE,
    .scale = 1 },
  { "turned", CAIRO_FORMAT_RGB24, FALSE, 0.0, 0.6, .turned = TRUE, .scale = 1 },
  { "tiles", CAIRO_FORMAT_RGB24, FALSE, 1.0, 0.7, .grid = TRUE, .pick = TRUE,
    .scale = 1 },
  { "cell", CAIRO_FORMAT_RGB24, FALSE, 0.5, 0.5, .pick = TRUE, .scale = 1 },
  { "squares", CAIRO_FORMAT_RGB24, FALSE, 6.0, 0.3, .scale = 1 },
  { "smooth", CAIRO_FORMAT_RGB24, FALSE, 2.0, 0.3, .scale = 1 },
  { "checks", CAIRO_FORMAT_ARGB32, FALSE, 1.0, 0.5, .scale = 1 },
  { "selection", CAIRO_FORMAT_RGB24, TRUE, 1.0, 0.5, .scale = 1 },
  { "twice", CAIRO_FORMAT_RGB24, FALSE, 1.0, 0.4, .grid = TRUE, .pick = TRUE,
    .scale = 2 },
};

/* No texts: fonts differ from machine to machine. */
static cairo_surface_t *
render_look (const Look *look)
{
  GtkWidget          *widget = g_object_ref_sink (isolux_image_preview_new ());
  IsoluxImagePreview *preview = ISOLUX_IMAGE_PREVIEW (widget);
  cairo_surface_t    *surface;

  set_drawing (preview, look->format, look->mask);
  isolux_image_preview_set_zoom (preview, look->zoom);
  isolux_image_preview_set_split_position (preview, look->position);
  isolux_image_preview_set_turned (preview, look->turned);
  isolux_image_preview_set_swapped (preview, look->swapped);
  isolux_image_preview_set_grid (preview, 0, 0, 30.0, 20.0, 8, 8);
  isolux_image_preview_show_grid (preview, look->grid);
  if (look->pick)
    isolux_image_preview_set_pick (preview, 5, 3);
  surface = isolux_image_preview_render (preview, 300, 140, look->scale);
  gtk_widget_destroy (widget);
  g_object_unref (widget);
  return surface;
}

static gchar *
get_reference (const Look *look)
{
  gchar *name = g_strdup_printf ("%s.png", look->name);
  gchar *path =
    g_test_build_filename (G_TEST_DIST, "ui", "preview", name, NULL);

  g_free (name);
  return path;
}

static void
test_look (gconstpointer data)
{
  const Look      *look = data;
  cairo_surface_t *surface = render_look (look);
  cairo_surface_t *reference;
  const gchar     *folder = g_getenv ("ISOLUX_UPDATE");
  gchar           *path = get_reference (look);

  if (folder)
    {
      gchar *update = g_strdup_printf ("%s/%s.png", folder, look->name);

      g_assert_cmpint (cairo_surface_write_to_png (surface, update), ==,
                       CAIRO_STATUS_SUCCESS);
      g_test_message ("written: %s", update);
      g_free (update);
    }
  else
    {
      reference = cairo_image_surface_create_from_png (path);
      g_assert_cmpint (cairo_surface_status (reference), ==,
                       CAIRO_STATUS_SUCCESS);
      g_assert_true (looks_like (surface, reference));
      cairo_surface_destroy (reference);
    }
  g_free (path);
  cairo_surface_destroy (surface);
}

/* The comparison tells apart what must be told apart: each reference from
 * each other one, and from itself with little things missing or moved. */
static void
test_look_fails (void)
{
  cairo_surface_t *references[G_N_ELEMENTS (looks)];

  for (guint i = 0; i < G_N_ELEMENTS (looks); i++)
    {
      gchar *path = get_reference (looks + i);

      references[i] = cairo_image_surface_create_from_png (path);
      g_free (path);
    }
  for (guint i = 0; i < G_N_ELEMENTS (looks); i++)
    {
      Look             other = looks[i];
      cairo_surface_t *surface;

      for (guint j = 0; j < G_N_ELEMENTS (looks); j++)
        g_assert_true (looks_like (references[i], references[j]) == (i == j));

      other.position += 0.01; /* 3 pixels */
      surface = render_look (&other);
      g_assert_false (looks_like (surface, references[i]));
      cairo_surface_destroy (surface);

      other = looks[i];
      other.grid = ! other.grid;
      surface = render_look (&other);
      g_assert_false (looks_like (surface, references[i]));
      cairo_surface_destroy (surface);

      other = looks[i];
      other.pick = ! other.pick;
      surface = render_look (&other);
      /* that tile is out of sight there */
      if (strcmp (other.name, "squares"))
        g_assert_false (looks_like (surface, references[i]));
      cairo_surface_destroy (surface);
    }
  for (guint i = 0; i < G_N_ELEMENTS (looks); i++)
    cairo_surface_destroy (references[i]);
}

/* How many pixels of a rectangle are nearly white, and how many nearly black */
static void
count_pixels (cairo_surface_t    *surface,
              const GdkRectangle *box,
              gint               *white,
              gint               *black)
{
  *white = *black = 0;
  for (gint y = box->y * unit; y < (box->y + box->height) * unit; y++)
    for (gint x = box->x * unit; x < (box->x + box->width) * unit; x++)
      {
        guint32 green = get_pixel (surface, x, y) >> 8 & 255;

        *white += green > 240;
        *black += green < 110;
      }
}

/* Pills with white text at the corners: on a gray image they are what is
 * white and dark there. */
static void
test_texts (Fixture *f, gconstpointer data)
{
  const GdkRectangle left = { 8, 45, 60, 22 };
  const GdkRectangle right = { WIDTH - 68, 45, 60, 22 };
  const GdkRectangle low = { 8, 230, 180, 28 };
  IsoluxRectangle    part = { 0, 0, 800, 450 };
  cairo_surface_t   *gray =
    cairo_image_surface_create (CAIRO_FORMAT_RGB24, 800, 450);
  cairo_surface_t *surface;
  gint             white, black;

  memset (cairo_image_surface_get_data (gray), 180,
          (gsize) cairo_image_surface_get_stride (gray) * 450);
  cairo_surface_mark_dirty (gray);
  isolux_image_preview_set_pictures (f->preview, &part, gray, gray, NULL);
  cairo_surface_destroy (gray);

  surface = render (f);
  count_pixels (surface, &left, &white, &black);
  g_assert_cmpint (white + black, ==, 0);
  cairo_surface_destroy (surface);

  isolux_image_preview_set_labels (f->preview, "Before", "After");
  isolux_image_preview_set_note (f->preview, "Stretched for viewing: 1–2");
  surface = render (f);
  count_pixels (surface, &left, &white, &black);
  g_assert_cmpint (white, >, 20 * unit * unit);
  g_assert_cmpint (black, >, 300 * unit * unit);
  count_pixels (surface, &right, &white, &black);
  g_assert_cmpint (white, >, 20 * unit * unit);
  g_assert_cmpint (black, >, 300 * unit * unit);
  count_pixels (surface, &low, &white, &black);
  g_assert_cmpint (white, >, 40 * unit * unit);
  g_assert_cmpint (black, >, 1000 * unit * unit);
  cairo_surface_destroy (surface);

  /* a name does not reach over the divider to the other side */
  isolux_image_preview_set_split_position (f->preview, 0.0);
  surface = render (f);
  count_pixels (surface, &left, &white, &black);
  g_assert_cmpint (black, <, 120 * unit * unit); /* the line's casing */
  count_pixels (surface, &right, &white, &black);
  g_assert_cmpint (black, >, 300 * unit * unit);
  cairo_surface_destroy (surface);

  isolux_image_preview_set_labels (f->preview, NULL, "");
  isolux_image_preview_set_note (f->preview, "");
  isolux_image_preview_set_split_position (f->preview, 0.5);
  surface = render (f);
  count_pixels (surface, &left, &white, &black);
  g_assert_cmpint (white + black, ==, 0);
  count_pixels (surface, &low, &white, &black);
  g_assert_cmpint (white + black, ==, 0);
  cairo_surface_destroy (surface);
}

/* With the keyboard in it, it has a ring; what the arrows move is marked. */
static void
test_focus (Fixture *f, gconstpointer data)
{
  cairo_surface_t *surfaces[4];

  isolux_image_preview_set_grid (f->preview, 0, 0, 100.0, 50.0, 8, 9);
  surfaces[3] = render (f);
  gtk_window_set_focus_visible (GTK_WINDOW (f->window), TRUE);

  gtk_widget_grab_focus (f->first);
  for (gint i = 0; i < 3; i++)
    {
      tab (f, FALSE);
      surfaces[i] = render (f);
      g_assert_cmphex (get_pixel (surfaces[i], unit + unit / 2, 100 * unit), ==,
                       0xffffff);
      for (gint j = 0; j < i; j++)
        g_assert_false (looks_like (surfaces[i], surfaces[j]));
      g_assert_false (looks_like (surfaces[i], surfaces[3]));
    }
  for (gint i = 0; i < 4; i++)
    cairo_surface_destroy (surfaces[i]);
}

/* What is on the screen is what is rendered. */
static void
test_screen (Fixture *f, gconstpointer data)
{
  GtkWidget       *widget = GTK_WIDGET (f->preview);
  cairo_surface_t *surface = render (f);
  cairo_surface_t *screen = cairo_image_surface_create (CAIRO_FORMAT_RGB24,
                                                        WIDTH * unit,
                                                        HEIGHT * unit);
  cairo_t         *cr = cairo_create (screen);

  cairo_scale (cr, unit, unit);
  gtk_widget_draw (widget, cr);
  cairo_destroy (cr);
  g_assert_true (looks_like (surface, screen));
  cairo_surface_destroy (screen);
  cairo_surface_destroy (surface);
}

int
main (int argc, char **argv)
{
  gtk_test_init (&argc, &argv, NULL);
  g_object_set (gtk_settings_get_default (), "gtk-theme-name", "Adwaita",
                "gtk-application-prefer-dark-theme", TRUE,
                "gtk-enable-animations", FALSE, NULL);

  g_test_add_func ("/preview/geometry/part", test_part);
  g_test_add_func ("/preview/geometry/round-trip", test_round_trip);
  g_test_add_func ("/preview/geometry/zoom-about", test_zoom_about);
  g_test_add_func ("/preview/geometry/there-and-back", test_there_and_back);
  g_test_add_func ("/preview/geometry/fit", test_fit);
  g_test_add_func ("/preview/geometry/steps", test_steps);

#define ADD(path, func) \
  g_test_add ("/preview/" path, Fixture, NULL, set_up, func, tear_down)

  ADD ("pixels", test_pixels);
  ADD ("unscaled", test_unscaled);
  ADD ("split", test_split);
  ADD ("compare", test_compare);
  ADD ("old-pictures", test_old_pictures);
  ADD ("selection", test_selection);
  ADD ("alpha", test_alpha);
  ADD ("themes", test_themes);
  ADD ("squares", test_squares);
  ADD ("view", test_view);
  g_test_add_func ("/preview/before-window", test_before_window);
  ADD ("sizes", test_sizes);
  ADD ("wheel", test_wheel);
  ADD ("pinch", test_pinch);
  ADD ("pan", test_pan);
  ADD ("divider-drag", test_divider_drag);
  ADD ("click", test_click);
  ADD ("double-click", test_double_click);
  ADD ("window-drag", test_window_drag);
  ADD ("pointer", test_pointer);
  ADD ("divider-keys", test_divider_keys);
  ADD ("zoom-keys", test_zoom_keys);
  ADD ("tiles-keys", test_tiles_keys);
  ADD ("cross-keys", test_cross_keys);
  ADD ("accessible", test_accessible);
  ADD ("texts", test_texts);
  ADD ("focus", test_focus);
  ADD ("screen", test_screen);

  for (guint i = 0; i < G_N_ELEMENTS (looks); i++)
    {
      gchar *path = g_strdup_printf ("/preview/look/%s", looks[i].name);

      g_test_add_data_func (path, looks + i, test_look);
      g_free (path);
    }
  g_test_add_func ("/preview/look/comparison-can-fail", test_look_fails);
  return g_test_run ();
}
