/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * preview-paint.c: draws what an image preview shows.
 *
 * Everything is in device pixels; a "unit" is how many of them a pixel of
 * the screen has.  Lines over pictures are light with a dark casing, so that
 * they are seen on any picture.
 */
#include <math.h>

#include "preview-paint.h"

/* Above this zoom pixels are squares */
#define SMOOTH_UNTIL 2.5

#define GRIP_RADIUS 12.5

/* The picked tile: a color that the pictures' lines do not have */
#define MARK 1.0, 127 / 255.0, 80 / 255.0

typedef struct
{
  gdouble left;
  gdouble top;
  gdouble right;
  gdouble bottom;
} Box;

static gdouble
round_half (gdouble value)
{
  return floor (value + 0.5);
}

static Box
meet (Box a, Box b)
{
  Box box = { MAX (a.left, b.left), MAX (a.top, b.top), MIN (a.right, b.right),
              MIN (a.bottom, b.bottom) };

  box.right = MAX (box.right, box.left);
  box.bottom = MAX (box.bottom, box.top);
  return box;
}

static void
add_box (cairo_t *cr, Box box)
{
  cairo_rectangle (cr, box.left, box.top, box.right - box.left,
                   box.bottom - box.top);
}

static void
add_rounded (cairo_t *cr, Box box, gdouble radius)
{
  cairo_new_sub_path (cr);
  cairo_arc (cr, box.right - radius, box.top + radius, radius, -G_PI_2, 0.0);
  cairo_arc (cr, box.right - radius, box.bottom - radius, radius, 0.0, G_PI_2);
  cairo_arc (cr, box.left + radius, box.bottom - radius, radius, G_PI_2, G_PI);
  cairo_arc (cr, box.left + radius, box.top + radius, radius, G_PI, 1.5 * G_PI);
  cairo_close_path (cr);
}

static Box
get_view_box (const PreviewScene *scene)
{
  return (Box) { 0.0, 0.0, scene->geometry.view_width,
                 scene->geometry.view_height };
}

static Box
get_visible_box (const PreviewScene *scene)
{
  Box box;

  preview_geometry_get_visible (&scene->geometry, &box.left, &box.top,
                                &box.right, &box.bottom);
  return box;
}

/* ---- Where things are --------------------------------------------------- */

gdouble
preview_get_divider (const PreviewGeometry *geometry,
                     gboolean               turned,
                     gdouble                position)
{
  gdouble left, top, right, bottom;

  preview_geometry_get_visible (geometry, &left, &top, &right, &bottom);
  if (turned)
    return round_half (top + (bottom - top) * position);
  return round_half (left + (right - left) * position);
}

void
preview_get_grip (const PreviewGeometry *geometry,
                  gboolean               turned,
                  gdouble                position,
                  gdouble               *x,
                  gdouble               *y)
{
  gdouble left, top, right, bottom;
  gdouble line = preview_get_divider (geometry, turned, position) +
                 geometry->unit / 2.0;

  preview_geometry_get_visible (geometry, &left, &top, &right, &bottom);
  *x = turned ? (left + right) / 2.0 : line;
  *y = turned ? line : (top + bottom) / 2.0;
}

void
preview_get_tile (const PreviewGeometry *geometry,
                  const PreviewGrid     *grid,
                  const PreviewPoint    *tile,
                  GdkRectangle          *rectangle)
{
  gdouble x = grid->x + tile->x * grid->tile_width;
  gdouble y = grid->y + tile->y * grid->tile_height;
  gdouble left, top, right, bottom;

  preview_geometry_to_view (geometry, x, y, &left, &top);
  preview_geometry_to_view (geometry,
                            MIN (x + grid->tile_width, geometry->image_width),
                            MIN (y + grid->tile_height, geometry->image_height),
                            &right, &bottom);
  rectangle->x = (gint) CLAMP (round_half (left), G_MININT / 4, G_MAXINT / 4);
  rectangle->y = (gint) CLAMP (round_half (top), G_MININT / 4, G_MAXINT / 4);
  rectangle->width =
    (gint) CLAMP (round_half (right), G_MININT / 4, G_MAXINT / 4) -
    rectangle->x;
  rectangle->height =
    (gint) CLAMP (round_half (bottom), G_MININT / 4, G_MAXINT / 4) -
    rectangle->y;
}

/* ---- Pictures ----------------------------------------------------------- */

/* Where a part of the image is in the view */
static Box
get_part_box (const PreviewScene *scene, const IsoluxRectangle *part)
{
  Box box;

  preview_geometry_to_view (&scene->geometry, part->x, part->y, &box.left,
                            &box.top);
  preview_geometry_to_view (&scene->geometry, part->x + part->width,
                            part->y + part->height, &box.right, &box.bottom);
  return (Box) { round_half (box.left), round_half (box.top),
                 MAX (round_half (box.right), round_half (box.left) + 1.0),
                 MAX (round_half (box.bottom), round_half (box.top) + 1.0) };
}

/* A pattern that lays a surface over a part of the image */
static cairo_pattern_t *
make_pattern (const PreviewScene    *scene,
              const IsoluxRectangle *part,
              cairo_surface_t       *surface)
{
  cairo_pattern_t *pattern = cairo_pattern_create_for_surface (surface);
  gdouble          scale = preview_geometry_get_scale (&scene->geometry);
  gint             width = cairo_image_surface_get_width (surface);
  gint             height = cairo_image_surface_get_height (surface);
  gdouble          across, down, x, y;
  cairo_matrix_t   matrix;

  /* at least a device pixel, as cairo cannot scale to nothing */
  across = MAX (part->width * scale, 1.0);
  down = MAX (part->height * scale, 1.0);
  preview_geometry_to_view (&scene->geometry, part->x, part->y, &x, &y);
  cairo_pattern_set_extend (pattern, CAIRO_EXTEND_PAD);

  if (fabs (across - width) < 1.0 && fabs (down - height) < 1.0)
    {
      /* made for this very size: no pixel may be blurred */
      cairo_matrix_init_translate (&matrix, -round_half (x), -round_half (y));
      cairo_pattern_set_filter (pattern, CAIRO_FILTER_NEAREST);
    }
  else
    {
      gboolean squares = preview_geometry_get_zoom (&scene->geometry) >
                           SMOOTH_UNTIL &&
                         width >= part->width && height >= part->height;

      cairo_matrix_init_scale (&matrix, width / across, height / down);
      cairo_matrix_translate (&matrix, -x, -y);
      cairo_pattern_set_filter (pattern, squares ? CAIRO_FILTER_NEAREST
                                                 : CAIRO_FILTER_GOOD);
    }
  cairo_pattern_set_matrix (pattern, &matrix);
  return pattern;
}

/* GIMP's checks, which show what is transparent */
static void
paint_checks (const PreviewScene *scene, cairo_t *cr)
{
  cairo_surface_t *surface =
    cairo_image_surface_create (CAIRO_FORMAT_RGB24, 16, 16);
  cairo_t         *checks = cairo_create (surface);
  cairo_pattern_t *pattern;
  cairo_matrix_t   matrix;

  cairo_set_source_rgb (checks, 0.6, 0.6, 0.6);
  cairo_paint (checks);
  cairo_set_source_rgb (checks, 0.4, 0.4, 0.4);
  cairo_rectangle (checks, 0, 0, 8, 8);
  cairo_rectangle (checks, 8, 8, 8, 8);
  cairo_fill (checks);
  cairo_destroy (checks);

  pattern = cairo_pattern_create_for_surface (surface);
  cairo_matrix_init_scale (&matrix, 1.0 / scene->geometry.unit,
                           1.0 / scene->geometry.unit);
  cairo_pattern_set_matrix (pattern, &matrix);
  cairo_pattern_set_extend (pattern, CAIRO_EXTEND_REPEAT);
  cairo_pattern_set_filter (pattern, CAIRO_FILTER_NEAREST);
  cairo_set_source (cr, pattern);
  cairo_paint (cr);
  cairo_pattern_destroy (pattern);
  cairo_surface_destroy (surface);
}

static void
paint_picture (const PreviewScene    *scene,
               cairo_t               *cr,
               const PreviewPictures *pictures,
               gboolean               after,
               Box                    box)
{
  cairo_surface_t *surface = after && pictures->after ? pictures->after
                                                      : pictures->before;
  cairo_pattern_t *pattern;

  box = meet (box, get_part_box (scene, &pictures->part));
  if (! surface || box.right <= box.left || box.bottom <= box.top)
    return;

  cairo_save (cr);
  add_box (cr, box);
  cairo_clip (cr);
  if (cairo_surface_get_content (surface) != CAIRO_CONTENT_COLOR)
    paint_checks (scene, cr);
  pattern = make_pattern (scene, &pictures->part, surface);
  cairo_set_source (cr, pattern);
  cairo_paint (cr);
  cairo_pattern_destroy (pattern);
  if (pictures->shade)
    {
      pattern = make_pattern (scene, &pictures->part, pictures->shade);
      cairo_set_source_rgb (cr, 0.0, 0.0, 0.0);
      cairo_mask (cr, pattern);
      cairo_pattern_destroy (pattern);
    }
  cairo_restore (cr);
}

static void
paint_side (const PreviewScene *scene, cairo_t *cr, gboolean after, Box box)
{
  IsoluxRectangle        seen;
  const IsoluxRectangle *part = &scene->pictures->part;
  gint                   width, height;

  preview_geometry_get_part (&scene->geometry, &seen, &width, &height);
  if (scene->wide && (seen.x < part->x || seen.y < part->y ||
                      seen.x + seen.width > part->x + part->width ||
                      seen.y + seen.height > part->y + part->height))
    paint_picture (scene, cr, scene->wide, after, box);
  paint_picture (scene, cr, scene->pictures, after, box);
}

/* The parts of a box before and behind the divider */
static void
cut (const PreviewScene *scene, Box box, Box *first, Box *second)
{
  gdouble line =
    preview_get_divider (&scene->geometry, scene->turned, scene->position);

  *first = *second = box;
  if (scene->turned)
    first->bottom = second->top = CLAMP (line, box.top, box.bottom);
  else
    first->right = second->left = CLAMP (line, box.left, box.right);
}

static void
paint_sides (const PreviewScene *scene, cairo_t *cr)
{
  Box box = get_visible_box (scene);
  Box first, second;

  if (scene->show != PREVIEW_SHOW_BOTH)
    {
      paint_side (scene, cr, scene->show == PREVIEW_SHOW_AFTER, box);
      return;
    }
  cut (scene, box, &first, &second);
  paint_side (scene, cr, ! scene->before_first, first);
  paint_side (scene, cr, scene->before_first, second);
}

/* ---- Tiles and pixels --------------------------------------------------- */

static void
stroke (cairo_t *cr, gdouble width, gdouble gray, gdouble alpha)
{
  cairo_set_line_width (cr, width);
  cairo_set_source_rgba (cr, gray, gray, gray, alpha);
  cairo_stroke_preserve (cr);
}

/* Adds the lines of a grid in one direction that lie in low .. high. */
static void
add_lines (cairo_t *cr,
           gdouble  origin,
           gdouble  scale,
           gdouble  unit,
           gdouble  start,
           gdouble  tile,
           gint64   n,
           gdouble  image,
           Box      box,
           gboolean lying)
{
  gdouble low = lying ? box.top : box.left;
  gdouble high = lying ? box.bottom : box.right;
  gdouble first = ((low - origin) / scale - start) / tile;
  gint64  i = (gint64) CLAMP (floor (first), 0.0, (gdouble) n);

  for (; i <= n; i++)
    {
      gdouble at = start + i * tile;
      gdouble line = round_half (origin + at * scale) + unit / 2.0;

      if (line > high)
        break;
      /* the image's own edges need no line */
      if (line < low || at <= 0.0 || at >= image)
        continue;
      cairo_move_to (cr, lying ? box.left : line, lying ? line : box.top);
      cairo_line_to (cr, lying ? box.right : line, lying ? line : box.bottom);
    }
}

static void
paint_grid (const PreviewScene *scene, cairo_t *cr)
{
  const PreviewGrid     *grid = scene->grid;
  const PreviewGeometry *geometry = &scene->geometry;
  gdouble                scale = preview_geometry_get_scale (geometry);
  gdouble                unit = geometry->unit;
  gdouble                left, top;
  Box                    box;

  /* of smaller tiles only the lines would be seen */
  if (MIN (grid->tile_width, grid->tile_height) * scale < 4.0 * unit)
    return;

  preview_geometry_get_origin (geometry, &left, &top);
  box = (Box) { left + grid->x * scale, top + grid->y * scale,
                left + (grid->x + grid->columns * grid->tile_width) * scale,
                top + (grid->y + grid->rows * grid->tile_height) * scale };
  box.right += unit;
  box.bottom += unit;
  box = meet (box, get_visible_box (scene));

  add_lines (cr, left, scale, unit, grid->x, grid->tile_width, grid->columns,
             geometry->image_width, box, FALSE);
  add_lines (cr, top, scale, unit, grid->y, grid->tile_height, grid->rows,
             geometry->image_height, box, TRUE);
  stroke (cr, 3.0 * unit, 0.0, 0.22);
  stroke (cr, unit, 1.0, 0.34);
  cairo_new_path (cr);
}

/* A tile's frame; around a small tile, not in it */
static void
add_frame (const PreviewScene *scene, cairo_t *cr, const PreviewPoint *tile)
{
  gdouble      unit = scene->geometry.unit;
  gdouble      add;
  GdkRectangle place;

  preview_get_tile (&scene->geometry, scene->tiles, tile, &place);
  add = MIN (place.width, place.height) < 24.0 * unit ? unit : -unit / 2.0;
  cairo_rectangle (cr, place.x - add, place.y - add, place.width + 2.0 * add,
                   place.height + 2.0 * add);
}

static void
paint_pick (const PreviewScene *scene, cairo_t *cr)
{
  gdouble unit = scene->geometry.unit;

  add_frame (scene, cr, &scene->pick);
  stroke (cr, 5.0 * unit, 0.0, 0.7);
  cairo_set_line_width (cr, 2.5 * unit);
  cairo_set_source_rgb (cr, MARK);
  cairo_stroke (cr);
}

static void
paint_cursor (const PreviewScene *scene, cairo_t *cr)
{
  gdouble unit = scene->geometry.unit;
  gdouble dashes[] = { 4.0 * unit, 3.0 * unit };

  add_frame (scene, cr, &scene->cursor);
  stroke (cr, 3.0 * unit, 0.0, 0.8);
  cairo_set_dash (cr, dashes, 2, 0.0);
  stroke (cr, 1.5 * unit, 1.0, 1.0);
  cairo_new_path (cr);
  cairo_set_dash (cr, NULL, 0, 0.0);
}

static void
paint_cross (const PreviewScene *scene, cairo_t *cr)
{
  gdouble unit = scene->geometry.unit;
  gdouble least = 1.5 * unit;
  gdouble arm = 10.0 * unit;
  gdouble left, top, right, bottom, x, y, half;

  preview_geometry_to_view (&scene->geometry, scene->cross.x, scene->cross.y,
                            &left, &top);
  preview_geometry_to_view (&scene->geometry, scene->cross.x + 1,
                            scene->cross.y + 1, &right, &bottom);
  x = (left + right) / 2.0;
  y = (top + bottom) / 2.0;
  half = MAX ((right - left) / 2.0, least) + unit;

  cairo_rectangle (cr, x - half, y - half, 2.0 * half, 2.0 * half);
  cairo_move_to (cr, x - half - arm, y);
  cairo_line_to (cr, x - half, y);
  cairo_move_to (cr, x + half, y);
  cairo_line_to (cr, x + half + arm, y);
  cairo_move_to (cr, x, y - half - arm);
  cairo_line_to (cr, x, y - half);
  cairo_move_to (cr, x, y + half);
  cairo_line_to (cr, x, y + half + arm);
  stroke (cr, 3.0 * unit, 0.0, 0.75);
  stroke (cr, unit, 1.0, 1.0);
  cairo_new_path (cr);
}

/* ---- Divider, texts, focus ---------------------------------------------- */

/* Two arrowheads that point away from the divider */
static void
add_arrows (cairo_t *cr, gdouble x, gdouble y, gdouble unit, gboolean turned)
{
  for (gint side = -1; side <= 1; side += 2)
    {
      gdouble base = side * 3.0 * unit;
      gdouble tip = side * 8.5 * unit;
      gdouble half = 5.0 * unit;

      cairo_move_to (cr, x + (turned ? -half : base),
                     y + (turned ? base : -half));
      cairo_line_to (cr, x + (turned ? 0.0 : tip), y + (turned ? tip : 0.0));
      cairo_line_to (cr, x + (turned ? half : base),
                     y + (turned ? base : half));
      cairo_close_path (cr);
    }
}

static void
paint_divider (const PreviewScene *scene, cairo_t *cr)
{
  gdouble unit = scene->geometry.unit;
  Box     box = get_visible_box (scene);
  gdouble x, y;

  preview_get_grip (&scene->geometry, scene->turned, scene->position, &x, &y);
  if (scene->turned)
    {
      cairo_move_to (cr, box.left, y);
      cairo_line_to (cr, box.right, y);
    }
  else
    {
      cairo_move_to (cr, x, box.top);
      cairo_line_to (cr, x, box.bottom);
    }
  stroke (cr, 3.0 * unit, 0.0, 0.6);
  stroke (cr, unit, 1.0, 1.0);
  cairo_new_path (cr);

  cairo_arc (cr, x, y, (GRIP_RADIUS + 2.0) * unit, 0.0, 2.0 * G_PI);
  cairo_set_source_rgba (cr, 0.0, 0.0, 0.0, 0.45);
  cairo_fill (cr);
  cairo_arc (cr, x, y, GRIP_RADIUS * unit, 0.0, 2.0 * G_PI);
  cairo_set_source_rgba (cr, 1.0, 1.0, 1.0, 0.95);
  cairo_fill (cr);
  add_arrows (cr, x, y, unit, scene->turned);
  cairo_set_source_rgb (cr, 0.15, 0.15, 0.15);
  cairo_fill (cr);

  if (scene->grip_focus)
    {
      cairo_arc (cr, x, y, (GRIP_RADIUS + 4.0) * unit, 0.0, 2.0 * G_PI);
      stroke (cr, 4.0 * unit, 0.0, 0.75);
      stroke (cr, 2.0 * unit, 1.0, 1.0);
      cairo_new_path (cr);
    }
}

/*
 * A text in a dark pill.
 * @x, @y: a corner of the text; the right one when @right, the lower when
 *   @low
 */
static void
paint_pill (cairo_t     *cr,
            PangoLayout *layout,
            gdouble      unit,
            gdouble      x,
            gdouble      y,
            gboolean     right,
            gboolean     low)
{
  gint width, height;

  pango_layout_get_pixel_size (layout, &width, &height);
  x = round_half (right ? x - width * unit : x);
  y = round_half (low ? y - height * unit : y);

  add_rounded (cr,
               (Box) { x - 5.0 * unit, y - 2.0 * unit, x + (width + 5.0) * unit,
                       y + (height + 2.0) * unit },
               4.0 * unit);
  cairo_set_source_rgba (cr, 0.0, 0.0, 0.0, 0.62);
  cairo_fill (cr);

  cairo_save (cr);
  cairo_translate (cr, x, y);
  cairo_scale (cr, unit, unit);
  cairo_set_source_rgb (cr, 1.0, 1.0, 1.0);
  pango_cairo_update_layout (cr, layout);
  cairo_move_to (cr, 0.0, 0.0);
  pango_cairo_show_layout (cr, layout);
  cairo_restore (cr);
}

/* The names at the corners, each on its own side of the divider only */
static void
paint_label (const PreviewScene *scene, cairo_t *cr, gboolean after, Box box)
{
  PangoLayout *layout = after ? scene->after_label : scene->before_label;
  gboolean     second = (after == scene->before_first);
  gdouble      unit = scene->geometry.unit;
  gboolean     right = second;
  gboolean     low = second && scene->turned;
  Box          first_box, second_box;

  if (! layout)
    return;

  cairo_save (cr);
  if (scene->show == PREVIEW_SHOW_BOTH)
    {
      cut (scene, get_view_box (scene), &first_box, &second_box);
      add_box (cr, second ? second_box : first_box);
      cairo_clip (cr);
    }
  paint_pill (cr, layout, unit,
              right ? box.right - 14.0 * unit : box.left + 14.0 * unit,
              low ? box.bottom - 10.0 * unit : box.top + 9.0 * unit, right,
              low);
  cairo_restore (cr);
}

static gint
get_text_width (PangoLayout *layout)
{
  gint width = 0;

  if (layout)
    pango_layout_get_pixel_size (layout, &width, NULL);
  return width;
}

static void
paint_texts (const PreviewScene *scene, cairo_t *cr)
{
  gdouble unit = scene->geometry.unit;
  Box     view = get_view_box (scene);
  Box     box = get_visible_box (scene);
  gint    names = get_text_width (scene->before_label) +
               get_text_width (scene->after_label);
  gint note = get_text_width (scene->note);

  /* next to a picture that is too small, rather than upon it */
  if (box.right - box.left < (MAX (names, note) + 60) * unit)
    {
      box.left = view.left;
      box.right = view.right;
    }
  if (box.bottom - box.top < 80.0 * unit)
    {
      box.top = view.top;
      box.bottom = view.bottom;
    }

  if (scene->show != PREVIEW_SHOW_AFTER)
    paint_label (scene, cr, FALSE, box);
  if (scene->show != PREVIEW_SHOW_BEFORE)
    paint_label (scene, cr, TRUE, box);

  if (scene->note)
    {
      gdouble room = (view.right - view.left) / unit - 28.0;

      pango_layout_set_width (scene->note,
                              note > room ? (gint) MAX (room, 1.0) * PANGO_SCALE
                                          : -1);
      paint_pill (cr, scene->note, unit, box.left + 14.0 * unit,
                  box.bottom - 10.0 * unit, FALSE, TRUE);
    }
}

static void
paint_focus (const PreviewScene *scene, cairo_t *cr)
{
  gdouble unit = scene->geometry.unit;
  gdouble inset = 1.5 * unit;

  cairo_rectangle (cr, inset, inset, scene->geometry.view_width - 2.0 * inset,
                   scene->geometry.view_height - 2.0 * inset);
  stroke (cr, 3.0 * unit, 0.0, 0.75);
  stroke (cr, unit, 1.0, 1.0);
  cairo_new_path (cr);
}

void
preview_paint (const PreviewScene *scene, cairo_t *cr)
{
  if (scene->light)
    cairo_set_source_rgb (cr, 0xb8 / 255.0, 0xb8 / 255.0, 0xb8 / 255.0);
  else
    cairo_set_source_rgb (cr, 0x29 / 255.0, 0x29 / 255.0, 0x29 / 255.0);
  cairo_paint (cr);

  if (! preview_geometry_is_empty (&scene->geometry) &&
      scene->pictures->part.width > 0)
    {
      paint_sides (scene, cr);
      if (scene->grid)
        paint_grid (scene, cr);

      cairo_save (cr);
      add_box (cr, get_view_box (scene));
      cairo_clip (cr);
      if (scene->pick.x >= 0)
        paint_pick (scene, cr);
      if (scene->cursor.x >= 0)
        paint_cursor (scene, cr);
      if (scene->show == PREVIEW_SHOW_BOTH)
        paint_divider (scene, cr);
      if (scene->cross.x >= 0)
        paint_cross (scene, cr);
      cairo_restore (cr);

      paint_texts (scene, cr);
    }

  if (scene->focus)
    paint_focus (scene, cr);
}
