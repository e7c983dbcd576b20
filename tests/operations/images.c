/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "images.h"

#include <glib/gstdio.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

/* ---- Formats ------------------------------------------------------ */

const Model models[N_MODELS] = {
  { "Y", LINEAR, 1 },          { "YA", LINEAR, 2 },
  { "RGB", LINEAR, 3 },        { "RGBA", LINEAR, 4 },
  { "Y'", NONLINEAR, 1 },      { "Y'A", NONLINEAR, 2 },
  { "R'G'B'", NONLINEAR, 3 },  { "R'G'B'A", NONLINEAR, 4 },
  { "Y~", PERCEPTUAL, 1 },     { "Y~A", PERCEPTUAL, 2 },
  { "R~G~B~", PERCEPTUAL, 3 }, { "R~G~B~A", PERCEPTUAL, 4 },
};

const Type types[N_TYPES] = {
  { "u8", ISOLUX_TYPE_U8, 1, 1.0 / 255 },
  { "u16", ISOLUX_TYPE_U16, 2, 1.0 / 65535 },
  { "u32", ISOLUX_TYPE_F32, 4, 2e-7 },
  { "half", ISOLUX_TYPE_F32, 2, 1.0 / 2048 },
  { "float", ISOLUX_TYPE_F32, 4, 1e-7 },
  { "double", ISOLUX_TYPE_F32, 8, 1e-7 },
};

Space spaces[N_SPACES];

gdouble
srgb_to_linear (gdouble v)
{
  return v <= 0.04045 ? v / 12.92 : pow ((v + 0.055) / 1.055, 2.4);
}

static gdouble
adobe_to_linear (gdouble v)
{
  return v <= 0.0 ? 0.0 : pow (v, 2.2);
}

static gdouble
linear_to_linear (gdouble v)
{
  return v;
}

void
spaces_init (void)
{
  const Babl *linear = babl_trc ("linear");

  spaces[0] = (Space) { "sRGB", babl_space ("sRGB"), srgb_to_linear };
  spaces[1] = (Space) { "Adobish", babl_space ("Adobish"), adobe_to_linear };
  spaces[2] = (Space) {
    "linear Rec. 2020",
    babl_space_from_chromaticities (NULL, 0.3127, 0.3290, 0.708, 0.292, 0.170,
                                    0.797, 0.131, 0.046, linear, NULL, NULL,
                                    BABL_SPACE_FLAG_EQUALIZE),
    linear_to_linear
  };
}

/* ---- Images ------------------------------------------------------- */

gdouble
half_to_double (guint16 half)
{
  gint    exponent = (half >> 10) & 31;
  gint    mantissa = half & 1023;
  gdouble v;

  if (exponent == 31)
    v = mantissa ? (gdouble) NAN : HUGE_VAL;
  else if (exponent)
    v = ldexp (1024 + mantissa, exponent - 25);
  else
    v = ldexp (mantissa, -24);
  return half & 0x8000 ? -v : v;
}

guint16
double_to_half (gdouble v)
{
  guint16 sign = signbit (v) ? 0x8000 : 0;
  gint    exponent;

  v = fabs (v);
  if (isnan (v))
    return sign | 0x7e00;
  if (v >= 65520.0)
    return sign | 0x7c00;
  if (v < ldexp (1, -14))
    return sign | (guint16) rint (ldexp (v, 24));

  frexp (v, &exponent);
  /* a mantissa that is rounded up to 2048 carries into the exponent */
  return sign | (guint16) (((exponent + 13) << 10) +
                           (gint) rint (ldexp (v, 11 - exponent)));
}

gint
image_colors (const Image *image)
{
  return image->model->components < 3 ? 1 : 3;
}

gboolean
image_has_alpha (const Image *image)
{
  return image->model->components % 2 == 0;
}

gboolean
image_is_integer (const Image *image)
{
  return image->type->surface != ISOLUX_TYPE_F32;
}

gint
image_pixels (const Image *image)
{
  return image->extent.width * image->extent.height;
}

gsize
image_pixel_size (const Image *image)
{
  return (gsize) image->model->components * (gsize) image->type->size;
}

gsize
image_size (const Image *image)
{
  return (gsize) image_pixels (image) * image_pixel_size (image);
}

const guint8 *
image_pixel (const Image *image, gint i)
{
  return image->data + (gsize) i * image_pixel_size (image);
}

/* A code of u8 and u16, else a value of nominally 0 to 1 */
gdouble
image_get (const Image *image, gint i, gint component)
{
  const guint8 *p = image_pixel (image, i) + component * image->type->size;
  guint16       u16;
  guint32       u32;
  gfloat        f;
  gdouble       d;

  switch (image->type - types)
    {
      case 0:
        return *p;
      case 1:
        memcpy (&u16, p, 2);
        return u16;
      case 2:
        memcpy (&u32, p, 4);
        return u32 / 4294967295.0;
      case 3:
        memcpy (&u16, p, 2);
        return half_to_double (u16);
      case 4:
        memcpy (&f, p, 4);
        return f;
      default:
        memcpy (&d, p, 8);
        return d;
    }
}

void
image_set (Image *image, gint i, gint component, gdouble v)
{
  guint8 *p = (guint8 *) image_pixel (image, i) + component * image->type->size;
  guint16 u16;
  guint32 u32;
  gfloat  f;

  switch (image->type - types)
    {
      case 0:
        *p = (guint8) v;
        break;
      case 1:
        u16 = (guint16) v;
        memcpy (p, &u16, 2);
        break;
      case 2:
        u32 = (guint32) rint (v * 4294967295.0);
        memcpy (p, &u32, 4);
        break;
      case 3:
        u16 = double_to_half (v);
        memcpy (p, &u16, 2);
        break;
      case 4:
        f = (gfloat) v;
        memcpy (p, &f, 4);
        break;
      default:
        memcpy (p, &v, 8);
    }
}

static Image *
image_alloc (const Model         *model,
             const Type          *type,
             const Space         *space,
             const GeglRectangle *extent)
{
  Image *image = g_new0 (Image, 1);
  gchar *name = g_strdup_printf ("%s %s", model->name, type->name);

  image->model = model;
  image->type = type;
  image->space = space;
  image->format = babl_format_with_space (name, space->space);
  image->extent = *extent;
  image->data = g_malloc0 (MAX (image_size (image), 1));
  g_free (name);
  g_assert_cmpuint (image_pixel_size (image), ==,
                    babl_format_get_bytes_per_pixel (image->format));
  return image;
}

Image *
image_new_empty (const Image *like)
{
  return image_alloc (like->model, like->type, like->space, &like->extent);
}

Image *
image_new (const Model         *model,
           const Type          *type,
           const Space         *space,
           const GeglRectangle *extent,
           guint32              seed)
{
  Image  *image = image_alloc (model, type, space, extent);
  GRand  *random = g_rand_new_with_seed (seed);
  gdouble top = type->surface == ISOLUX_TYPE_U8    ? 255.0
                : type->surface == ISOLUX_TYPE_U16 ? 65535.0
                                                   : 1.0;
  gint    i, c;

  for (i = 0; i < image_pixels (image); i++)
    {
      gdouble base = 0.1 + 0.3 * pow (g_rand_double (random), 2.0);

      for (c = 0; c < image_colors (image); c++)
        image_set (image, i, c,
                   (base + 0.1 * c * g_rand_double (random)) * top);
      if (image_has_alpha (image))
        image_set (image, i, c,
                   g_rand_double (random) < 0.1 ? 0.0
                                                : g_rand_double (random) * top);
    }
  g_rand_free (random);
  return image;
}

void
image_free (Image *image)
{
  g_free (image->data);
  g_free (image);
}

GeglBuffer *
image_to_buffer (const Image *image)
{
  GeglBuffer *buffer = gegl_buffer_new (&image->extent, image->format);

  gegl_buffer_set (buffer, &image->extent, 0, image->format, image->data,
                   GEGL_AUTO_ROWSTRIDE);
  return buffer;
}

RefImage
ref_like (const RefImage *image)
{
  RefImage copy = *image;

  copy.data = g_malloc0 (MAX ((gsize) copy.image.height * copy.stride, 1));
  return copy;
}

gdouble
ref_value (const RefImage *image, gint i, gint component)
{
  return ref_get (image, i % image->image.width, i / image->image.width,
                  component);
}

RefImage
image_to_ref (const Image *image)
{
  RefImage ref = { 0 };
  gint     components = image->model->components;
  gint     i, c;

  ref.image.width = image->extent.width;
  ref.image.height = image->extent.height;
  ref.image.components = components;
  ref.image.type = image->type->surface;
  ref.stride = (gsize) (components * image->extent.width) *
               ref_size (ref.image.type);
  ref = ref_like (&ref);

  if (image_is_integer (image))
    {
      memcpy (ref.data, image->data, image_size (image));
    }
  else
    {
      for (i = 0; i < image_pixels (image); i++)
        for (c = 0; c < components; c++)
          ((gfloat *) ref.data)[i * components + c] =
            (gfloat) image_get (image, i, c);
    }
  return ref;
}

/* ---- Operations --------------------------------------------------- */

static Image *
run_valist (const Image         *image,
            const GeglRectangle *part,
            const gchar         *operation,
            const gchar         *first,
            va_list              properties)
{
  GeglBuffer *buffer = image_to_buffer (image);
  GeglNode   *graph = gegl_node_new ();
  GeglNode   *source, *node;
  Image      *result;

  result = image_alloc (image->model, image->type, image->space, part);
  source = gegl_node_new_child (graph, "operation", "gegl:buffer-source",
                                "buffer", buffer, NULL);
  node = gegl_node_new_child (graph, "operation", operation, NULL);
  if (first)
    gegl_node_set_valist (node, first, properties);
  gegl_node_link (source, node);
  gegl_node_blit (node, 1.0, part, image->format, result->data,
                  GEGL_AUTO_ROWSTRIDE, GEGL_BLIT_DEFAULT);

  g_object_unref (graph);
  g_object_unref (buffer);
  return result;
}

Image *
run (const Image *image, const gchar *operation, ...)
{
  va_list      list;
  const gchar *first;
  Image       *result;

  va_start (list, operation);
  first = va_arg (list, const gchar *);
  result = run_valist (image, &image->extent, operation, first, list);
  va_end (list);
  return result;
}

Image *
run_part (const Image         *image,
          const GeglRectangle *part,
          const gchar         *operation,
          ...)
{
  va_list      list;
  const gchar *first;
  Image       *result;

  va_start (list, operation);
  first = va_arg (list, const gchar *);
  result = run_valist (image, part, operation, first, list);
  va_end (list);
  return result;
}

void
assert_same (const Image *a, const Image *b)
{
  g_assert_true (a->format == b->format);
  g_assert_cmpmem (a->data, image_size (a), b->data, image_size (b));
}

void
assert_alpha_kept (const Image *before, const Image *after)
{
  gsize size = (gsize) before->type->size;
  gsize offset = image_pixel_size (before) - size;
  gint  i;

  if (! image_has_alpha (before))
    return;
  for (i = 0; i < image_pixels (before); i++)
    g_assert_cmpmem (image_pixel (before, i) + offset, size,
                     image_pixel (after, i) + offset, size);
}

void
note_case (const Image *image, const gchar *what)
{
  g_test_message ("%s: %s, %dx%d at %d,%d", what, babl_get_name (image->format),
                  image->extent.width, image->extent.height, image->extent.x,
                  image->extent.y);
}

/* ---- What is said ------------------------------------------------- */

static GMutex mutex;
static gint   count;
static gchar *last;

static void
log_message (const gchar   *domain,
             GLogLevelFlags level,
             const gchar   *message,
             gpointer       data)
{
  if ((level & G_LOG_LEVEL_MASK) != G_LOG_LEVEL_MESSAGE)
    {
      g_log_default_handler (domain, level, message, data);
      return;
    }

  g_mutex_lock (&mutex);
  count++;
  g_free (last);
  last = g_strdup (message);
  g_mutex_unlock (&mutex);
}

void
messages_init (void)
{
  g_log_set_default_handler (log_message, NULL);
}

gint
messages_count (void)
{
  return count;
}

gchar *
messages_last (void)
{
  return g_strdup (last);
}

static gint   saved_stderr = -1;
static gint   captured = -1;
static gchar *captured_name;

void
capture_begin (void)
{
  fflush (stderr);
  captured = g_file_open_tmp ("isolux-XXXXXX", &captured_name, NULL);
  g_assert_cmpint (captured, >=, 0);
  saved_stderr = dup (STDERR_FILENO);
  dup2 (captured, STDERR_FILENO);
}

gchar *
capture_end (void)
{
  gchar *text = NULL;

  fflush (stderr);
  dup2 (saved_stderr, STDERR_FILENO);
  close (saved_stderr);
  close (captured);
  g_file_get_contents (captured_name, &text, NULL, NULL);
  g_unlink (captured_name);
  g_free (captured_name);
  return text;
}

gint
count_lines (const gchar *text, const gchar *part)
{
  gchar **lines = g_strsplit (text, "\n", -1);
  gint    n = 0;
  gint    i;

  for (i = 0; lines[i]; i++)
    n += strstr (lines[i], part) != NULL;
  g_strfreev (lines);
  return n;
}
