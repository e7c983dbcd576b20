/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * display.c: from pixels of a drawable to what a screen shows.
 *
 * Gray pixels go through a table of colors, which is made by babl for each
 * new range; colors through babl, after a table of their own values when
 * they are stretched.
 */
#include <libgimp/gimp.h>
#include <math.h>
#include <string.h>

#include "display.h"
#include "pixels.h"

/* Steps between black and white of floats: more than a screen can show, in
 * the dark parts of linear light too */
#define FLOAT_STEPS 16384

/* Tables are kept for two ranges: before and after */
#define TABLES 2

typedef struct
{
  gdouble  low;
  gdouble  high;
  guint32 *colors; /* gray: opaque ARGB of each value or step */
  gpointer values; /* colors, u8 and u16: stretched value of each value */
} Table;

struct _IsoluxDisplay
{
  const Babl *format;
  IsoluxType  type;
  gint        components;
  Table       tables[TABLES];
  gint        oldest;
};

/* From pixels to the screen; of gray pixels one value at a time */
static const Babl *
find_way (const Babl *format, gint components)
{
  if (components < 3)
    return babl_fish (isolux_format_float (format, 1),
                      babl_format ("R'G'B' u8"));
  return babl_fish (format, babl_format ("cairo-ARGB32"));
}

void
isolux_display_prepare (const Babl *format, gint components)
{
  find_way (format, components);
}

IsoluxDisplay *
isolux_display_new (const Babl *format, IsoluxType type, gint components)
{
  IsoluxDisplay *display = g_new0 (IsoluxDisplay, 1);

  display->format = format;
  display->type = type;
  display->components = components;
  return display;
}

static void
table_clear (Table *table)
{
  g_clear_pointer (&table->colors, g_free);
  g_clear_pointer (&table->values, g_free);
}

void
isolux_display_free (IsoluxDisplay *display)
{
  for (gint i = 0; i < TABLES; i++)
    table_clear (display->tables + i);
  g_free (display);
}

/* ---- Tables ------------------------------------------------------- */

static gint
table_size (IsoluxType type)
{
  switch (type)
    {
      case ISOLUX_TYPE_U8:
        return 256;
      case ISOLUX_TYPE_U16:
        return 65536;
      default:
        return FLOAT_STEPS;
    }
}

/* 0.0 .. 1.0 for the range */
static gdouble
place (gdouble value, gdouble low, gdouble high)
{
  return CLAMP ((value - low) / (high - low), 0.0, 1.0);
}

static void
make_colors (IsoluxDisplay *display, Table *table)
{
  gint        n = table_size (display->type);
  gfloat     *values = g_new (gfloat, n);
  guint8     *colors = g_new (guint8, 3 * (gsize) n);
  const Babl *fish = find_way (display->format, 1);

  for (gint i = 0; i < n; i++)
    values[i] = (gfloat) (display->type == ISOLUX_TYPE_F32
                            ? i / (gdouble) (n - 1)
                            : place (i, table->low, table->high));
  babl_process (fish, values, colors, n);

  table->colors = g_new (guint32, n);
  for (gint i = 0; i < n; i++)
    table->colors[i] = 0xff000000u | (guint32) colors[3 * i] << 16 |
                       (guint32) colors[3 * i + 1] << 8 | colors[3 * i + 2];
  g_free (colors);
  g_free (values);
}

static void
make_values (IsoluxDisplay *display, Table *table)
{
  gint n = table_size (display->type);

  if (display->type == ISOLUX_TYPE_U8)
    {
      guint8 *values = table->values = g_new (guint8, n);

      for (gint i = 0; i < n; i++)
        values[i] = (guint8) (place (i, table->low, table->high) * 255.0 + 0.5);
    }
  else if (display->type == ISOLUX_TYPE_U16)
    {
      guint16 *values = table->values = g_new (guint16, n);

      for (gint i = 0; i < n; i++)
        values[i] =
          (guint16) (place (i, table->low, table->high) * 65535.0 + 0.5);
    }
}

static Table *
find_table (IsoluxDisplay *display, gdouble low, gdouble high)
{
  Table *table;

  for (gint i = 0; i < TABLES; i++)
    {
      table = display->tables + i;
      if ((table->colors || table->values) && table->low == low &&
          table->high == high)
        return table;
    }

  table = display->tables + display->oldest;
  display->oldest = (display->oldest + 1) % TABLES;
  table_clear (table);
  table->low = low;
  table->high = high;
  if (display->components < 3)
    make_colors (display, table);
  else
    make_values (display, table);
  return table;
}

/* ---- Rows --------------------------------------------------------- */

static guint32
with_alpha (guint32 color, guint alpha)
{
  guint32 red = color >> 16 & 255;
  guint32 green = color >> 8 & 255;
  guint32 blue = color & 255;

  return alpha << 24 | (red * alpha + 127) / 255 << 16 |
         (green * alpha + 127) / 255 << 8 | (blue * alpha + 127) / 255;
}

/* Of a float; NaN is 0 */
static gint
float_step (gfloat value, gdouble low, gdouble high)
{
  gdouble step = (value - low) / (high - low) * (FLOAT_STEPS - 1) + 0.5;

  if (! (step > 0.0))
    return 0;
  return step >= FLOAT_STEPS ? FLOAT_STEPS - 1 : (gint) step;
}

static guint
float_alpha (gfloat value)
{
  return ! (value > 0.0f) ? 0
         : value >= 1.0f  ? 255
                          : (guint) (value * 255.0f + 0.5f);
}

static void
gray_row (IsoluxDisplay *display,
          const Table   *table,
          gconstpointer  pixels,
          guint32       *to,
          gint           n)
{
  gint           each = display->components;
  const guint8  *bytes = pixels;
  const guint16 *words = pixels;
  const gfloat  *floats = pixels;

  for (gint i = 0; i < n; i++)
    switch (display->type)
      {
        case ISOLUX_TYPE_U8:
          to[i] = table->colors[bytes[i * each]];
          if (each == 2)
            to[i] = with_alpha (to[i], bytes[i * each + 1]);
          break;
        case ISOLUX_TYPE_U16:
          to[i] = table->colors[words[i * each]];
          if (each == 2)
            to[i] = with_alpha (to[i], (words[i * each + 1] + 128u) / 257u);
          break;
        default:
          to[i] =
            table
              ->colors[float_step (floats[i * each], table->low, table->high)];
          if (each == 2)
            to[i] = with_alpha (to[i], float_alpha (floats[i * each + 1]));
          break;
      }
}

/* A row of colors, stretched, in the same format */
static void
stretch_row (IsoluxDisplay *display,
             const Table   *table,
             gconstpointer  pixels,
             gpointer       to,
             gint           n)
{
  gint each = display->components;

  for (gint i = 0; i < n * each; i++)
    {
      gboolean color = i % each < 3;

      if (display->type == ISOLUX_TYPE_U8)
        {
          guint8 value = ((const guint8 *) pixels)[i];

          ((guint8 *) to)[i] = color ? ((const guint8 *) table->values)[value]
                                     : value;
        }
      else if (display->type == ISOLUX_TYPE_U16)
        {
          guint16 value = ((const guint16 *) pixels)[i];

          ((guint16 *) to)[i] = color ? ((const guint16 *) table->values)[value]
                                      : value;
        }
      else
        {
          gdouble value = ((const gfloat *) pixels)[i];

          if (color)
            value = value == value ? place (value, table->low, table->high)
                                   : 0.0;
          ((gfloat *) to)[i] = (gfloat) value;
        }
    }
}

cairo_surface_t *
isolux_display_render (IsoluxDisplay *display,
                       gconstpointer  pixels,
                       gint           width,
                       gint           height,
                       gdouble        low,
                       gdouble        high)
{
  static const gint sizes[] = { 1, 2, 4 };
  static const gint tops[] = { 255, 65535, 1 };
  cairo_surface_t  *surface;
  const Babl       *fish = NULL;
  const Table      *table = NULL;
  const guint8     *from = pixels;
  guint8           *to;
  gpointer          stretched = NULL;
  gsize             row;
  gint              stride;
  gboolean          all = low >= high;

  surface = cairo_image_surface_create (CAIRO_FORMAT_ARGB32, width, height);
  if (cairo_surface_status (surface) != CAIRO_STATUS_SUCCESS)
    {
      cairo_surface_destroy (surface);
      return NULL;
    }

  if (all)
    {
      low = 0.0;
      high = tops[display->type];
    }
  if (display->components < 3 || ! all)
    table = find_table (display, low, high);

  row = (gsize) width * display->components * sizes[display->type];
  if (display->components >= 3)
    {
      fish = find_way (display->format, display->components);
      if (table)
        stretched = g_malloc (row);
    }

  to = cairo_image_surface_get_data (surface);
  stride = cairo_image_surface_get_stride (surface);
  for (gint y = 0; y < height; y++, from += row, to += stride)
    {
      if (! fish)
        gray_row (display, table, from, (guint32 *) (gpointer) to, width);
      else if (! stretched)
        babl_process (fish, from, to, width);
      else
        {
          stretch_row (display, table, from, stretched, width);
          babl_process (fish, stretched, to, width);
        }
    }
  g_free (stretched);
  cairo_surface_mark_dirty (surface);
  return surface;
}
