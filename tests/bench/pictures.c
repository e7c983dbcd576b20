/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pictures to measure with, and surfaces that hold them. */
#include "bench.h"

#include <math.h>
#include <string.h>

/* Of the photograph, repeated as in mirrors. */
#define TILE 1024

const gchar *const type_names[] = { "u8", "u16", "u12", "f32" };
const gchar *const data_names[] = { "photo", "uniform", "constant", "two" };
const gchar *const layout_names[] = { "plain", "odd", "mask" };

/* ---- Values ------------------------------------------------------------- */

static guint32
hash (guint32 x)
{
  x ^= x >> 16;
  x *= 0x7feb352du;
  x ^= x >> 15;
  x *= 0x846ca68bu;
  return x ^ x >> 16;
}

static gdouble
noise_at (gint64 x, gint64 y, guint32 seed)
{
  return hash ((guint32) (x + y * 65599) ^ hash (seed)) / 4294967296.0;
}

static gdouble
smooth (gdouble t)
{
  return t * t * (3.0 - 2.0 * t);
}

/* Noise of one frequency. */
static gdouble
wave_at (gint x, gint y, gint period)
{
  const gint    i = x / period, j = y / period;
  const gdouble u = smooth ((gdouble) (x % period) / period);
  const gdouble v = smooth ((gdouble) (y % period) / period);
  const guint32 seed = (guint32) period;

  return (noise_at (i, j, seed) * (1.0 - u) + noise_at (i + 1, j, seed) * u) *
           (1.0 - v) +
         (noise_at (i, j + 1, seed) * (1.0 - u) +
          noise_at (i + 1, j + 1, seed) * u) *
           v;
}

/* As photographs are: the finer the weaker, with edges. */
static const gfloat *
photograph (void)
{
  static gfloat *tile;

  if (tile)
    return tile;
  tile = g_new (gfloat, TILE * TILE);
#pragma omp parallel for
  for (gint y = 0; y < TILE; y++)
    for (gint x = 0; x < TILE; x++)
      {
        gdouble v = -0.62, weight = 0.75;

        for (gint period = TILE / 4; period >= 2; period /= 2, weight *= 0.6)
          v += weight * wave_at (x, y, period);
        /* a few shapes with an outline */
        if (wave_at (y, x, TILE / 6) > 0.62)
          v = 0.3 + 0.6 * v;
        tile[y * TILE + x] = (gfloat) CLAMP (v, 0.0, 1.0);
      }
  return tile;
}

static gint
mirrored (gint64 at)
{
  const gint64 place = at % (2 * TILE);

  return (gint) (place < TILE ? place : 2 * TILE - 1 - place);
}

static gdouble
value_at (Data data, const gfloat *tile, gint64 x, gint64 y, gint channel)
{
  const gdouble noise = noise_at (x, y, 7u + (guint32) channel);

  switch (data)
    {
      case DATA_UNIFORM:
        return noise;
      case DATA_TWO:
        return noise < 0.5 ? 0.2 : 0.8;
      case DATA_PHOTO:
        {
          const gdouble v = (gdouble) tile[mirrored (y) * TILE + mirrored (x)];

          /* the sensor's noise: a code or two of 8 bits */
          return CLAMP (0.05 + 0.85 * v + 0.03 * channel + (noise - 0.5) / 96.0,
                        0.0, 1.0);
        }
      default:
        return 1.0 / 3.0;
    }
}

/* ---- Cases -------------------------------------------------------------- */

IsoluxImage
case_source_image (const Case *c)
{
  IsoluxImage image = { c->size.width, c->size.height, c->operation->components,
                        ISOLUX_TYPE_U8, 0 };

  if (c->layout == LAYOUT_ODD && image.width > 3)
    image.width -= 3;
  if (c->type == TYPE_F32)
    image.type = ISOLUX_TYPE_F32;
  else if (c->type != TYPE_U8)
    image.type = ISOLUX_TYPE_U16;
  return image;
}

IsoluxImage
case_result_image (const Case *c)
{
  IsoluxImage image = case_source_image (c);

  image.components = c->operation->result;
  return image;
}

gsize
image_bytes (const IsoluxImage *image)
{
  return image->components
           ? isolux_image_row_bytes (image) * (gsize) image->height
           : 0;
}

void
case_bytes (const Case *c, gsize *reads, gsize *writes)
{
  const IsoluxImage source = case_source_image (c);
  const IsoluxImage result = case_result_image (c);

  *reads = (gsize) c->operation->reads * image_bytes (&source);
  *writes = (gsize) c->operation->writes * image_bytes (&result);
  if (c->layout == LAYOUT_MASK)
    *reads += (gsize) c->operation->reads * (gsize) source.width *
              (gsize) source.height;
}

static void
fill_row (const Case        *c,
          const IsoluxImage *image,
          const gfloat      *tile,
          gint64             y,
          gpointer           row)
{
  const gint n = image->components;

  for (gint64 i = 0; i < image->width * n; i++)
    {
      const gdouble v = value_at (c->data, tile, i / n, y, (gint) (i % n));

      if (c->type == TYPE_U8)
        ((guint8 *) row)[i] = (guint8) (v * 255.0);
      else if (c->type == TYPE_F32)
        ((gfloat *) row)[i] = (gfloat) v;
      else
        ((guint16 *) row)[i] =
          (guint16) (v * (c->type == TYPE_U12 ? 4095.0 : 65535.0));
    }
}

gconstpointer
case_pixels (const Case *c)
{
  static Case        last;
  static IsoluxImage last_image;
  static guint8     *pixels;
  const IsoluxImage  image = case_source_image (c);
  const gsize        row = isolux_image_row_bytes (&image);
  const gfloat      *tile = photograph ();

  if (pixels && last.type == c->type && last.data == c->data &&
      last_image.width == image.width && last_image.height == image.height &&
      last_image.components == image.components)
    return pixels;
  g_free (pixels);
  pixels = g_malloc (row * (gsize) image.height);
  last = *c;
  last_image = image;
#pragma omp parallel for
  for (gint64 y = 0; y < image.height; y++)
    fill_row (c, &image, tile, y, pixels + (gsize) y * row);
  return pixels;
}

/* ---- Surfaces ----------------------------------------------------------- */

/* A surface on memory whose rows begin anywhere, or that of the library. */
static IsoluxSurface *
surface_of (Surfaces          *s,
            gint               i,
            IsoluxDevice      *device,
            const IsoluxImage *image,
            Layout             layout,
            gpointer           stream,
            GError           **error)
{
  const gsize size = isolux_type_size (image->type);
  IsoluxImage larger = *image;
  IsoluxView  view;

  if (layout == LAYOUT_ODD)
    {
      larger.width += 1;
      larger.height += 1;
    }
  s->owned[i] = isolux_surface_new (device, &larger, error);
  if (! s->owned[i])
    return NULL;
  view.data = s->owned[i]->pixels.data;
  view.stride = s->owned[i]->pixels.stride;
  if (layout == LAYOUT_ODD)
    {
      view.data = (guint8 *) view.data + size;
      view.stride = isolux_image_row_bytes (image) + size;
    }
  return isolux_surface_wrap (device, image, &view, stream, error);
}

static gboolean
set_mask (IsoluxSurface *surface, const IsoluxImage *image, GError **error)
{
  const gsize n = (gsize) image->width * (gsize) image->height;
  guint8     *mask = g_malloc (n);
  gboolean    success;

  for (gsize i = 0; i < n; i++)
    mask[i] = i % 3 ? 255 : 0;
  success = isolux_surface_set_region (surface, NULL, mask,
                                       (gsize) image->width, error);
  g_free (mask);
  return success;
}

gboolean
surfaces_init (Surfaces     *s,
               IsoluxDevice *device,
               const Case   *c,
               gpointer      stream,
               GError      **error)
{
  const IsoluxImage source = case_source_image (c);
  const IsoluxImage result = case_result_image (c);
  const IsoluxView  view = { (gpointer) case_pixels (c),
                             isolux_image_row_bytes (&source) };
  gboolean          success;

  memset (s, 0, sizeof *s);
  s->source = surface_of (s, 0, device, &source, c->layout, stream, error);
  success = s->source &&
            isolux_surface_upload (s->source, &view, NULL, error) &&
            (c->layout != LAYOUT_MASK || set_mask (s->source, &source, error));
  if (success && result.components)
    {
      s->destination =
        surface_of (s, 1, device, &result, c->layout, stream, error);
      success = s->destination != NULL;
    }
  if (! success)
    surfaces_clear (s);
  return success;
}

void
surfaces_clear (Surfaces *s)
{
  isolux_surface_unref (s->source);
  isolux_surface_unref (s->destination);
  isolux_surface_unref (s->owned[0]);
  isolux_surface_unref (s->owned[1]);
  memset (s, 0, sizeof *s);
}

gboolean
surfaces_run (Surfaces     *s,
              const Case   *c,
              GByteArray   *numbers,
              IsoluxReport *report,
              GError      **error)
{
  return c->operation->run (c, s->source, s->destination, numbers, report,
                            error);
}

GByteArray *
case_result (IsoluxDevice *device, const Case *c, GError **error)
{
  const IsoluxImage result = case_result_image (c);
  const gsize       row = isolux_image_row_bytes (&result);
  GByteArray       *bytes = g_byte_array_new ();
  Surfaces          s;
  gboolean          success;

  if (! surfaces_init (&s, device, c, NULL, error))
    {
      g_byte_array_unref (bytes);
      return NULL;
    }
  success = surfaces_run (&s, c, bytes, NULL, error);
  if (success && s.destination)
    {
      IsoluxView  view = { NULL, row };
      const guint before = bytes->len;

      g_byte_array_set_size (bytes,
                             before + (guint) (row * (gsize) result.height));
      view.data = bytes->data + before;
      success = isolux_surface_download (s.destination, &view, NULL, error);
    }
  surfaces_clear (&s);
  if (! success)
    {
      g_byte_array_unref (bytes);
      return NULL;
    }
  return bytes;
}
