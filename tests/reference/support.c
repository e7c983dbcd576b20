/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "support.h"

#include <gmodule.h>

#include <float.h>
#include <math.h>
#include <string.h>

#define GUARD 64

/* Under the address sanitizer, too: memory that is not there is an error of
 * the library's, not the end of the test. */
const char *__asan_default_options (void);

const char *
__asan_default_options (void)
{
  return "allocator_may_return_null=1";
}

/* ---- Random numbers --------------------------------------------------- */

static guint64
mix (guint64 v)
{
  v += G_GUINT64_CONSTANT (0x9e3779b97f4a7c15);
  v = (v ^ v >> 30) * G_GUINT64_CONSTANT (0xbf58476d1ce4e5b9);
  v = (v ^ v >> 27) * G_GUINT64_CONSTANT (0x94d049bb133111eb);
  return v ^ v >> 31;
}

guint64
test_seed (void)
{
  static gsize   once;
  static guint64 seed;

  if (g_once_init_enter (&once))
    {
      const gchar *text = g_getenv ("ISOLUX_TEST_SEED");

      seed = text && *text ? g_ascii_strtoull (text, NULL, 0)
                           : mix ((guint64) g_get_real_time ()) % 1000000000;
      g_test_message ("ISOLUX_TEST_SEED=%" G_GUINT64_FORMAT, seed);
      g_once_init_leave (&once, 1);
    }
  return seed;
}

Random
random_new (guint64 seed, guint64 number)
{
  Random random = { mix (mix (seed) + number) };

  return random;
}

guint64
random_bits (Random *random)
{
  random->state += G_GUINT64_CONSTANT (0x9e3779b97f4a7c15);
  return mix (random->state);
}

guint64
random_below (Random *random, guint64 n)
{
  return random_bits (random) % n;
}

gdouble
random_unit (Random *random)
{
  return (gdouble) (random_bits (random) >> 11) * 0x1p-53;
}

/* ---- Buffers ---------------------------------------------------------- */

static guint8
pattern (gsize i)
{
  return (guint8) (0xa7 ^ i * 29);
}

void
buffer_init (Buffer *buffer, const IsoluxImage *image, gsize pad, gsize shift)
{
  const gsize size = ref_size (image->type);
  gsize       i;

  buffer->image = *image;
  buffer->row_bytes = (gsize) image->width * image->components * size;
  buffer->view.stride = buffer->row_bytes + pad * size;
  buffer->offset = GUARD + shift * size;
  buffer->size = buffer->offset + buffer->view.stride * (gsize) image->height +
                 GUARD;
  buffer->block = g_malloc (buffer->size);
  buffer->view.data = buffer->block + buffer->offset;
  for (i = 0; i < buffer->size; i++)
    buffer->block[i] = pattern (i);
}

void
buffer_clear (Buffer *buffer)
{
  g_clear_pointer (&buffer->block, g_free);
}

static gboolean
guard_holds (const Buffer *buffer, gsize from, gsize to)
{
  for (; from < to; from++)
    if (buffer->block[from] != pattern (from))
      return FALSE;
  return TRUE;
}

gboolean
buffer_guards_hold (const Buffer *buffer)
{
  gsize  at = buffer->offset;
  gint64 y;

  if (! guard_holds (buffer, 0, at))
    return FALSE;
  for (y = 0; y < buffer->image.height; y++)
    {
      if (! guard_holds (buffer, at + buffer->row_bytes,
                         at + buffer->view.stride))
        return FALSE;
      at += buffer->view.stride;
    }
  return guard_holds (buffer, at, buffer->size);
}

gboolean
buffer_equal (const Buffer *a, const Buffer *b, gint64 *x, gint64 *y)
{
  const gsize size = ref_size (a->image.type);
  gint64      row;
  gsize       i;

  g_assert_cmpuint (a->row_bytes, ==, b->row_bytes);
  for (row = 0; row < a->image.height; row++)
    {
      const guint8 *p = (guint8 *) a->view.data + row * a->view.stride;
      const guint8 *q = (guint8 *) b->view.data + row * b->view.stride;

      if (memcmp (p, q, a->row_bytes) == 0)
        continue;
      for (i = 0; i < a->row_bytes && p[i] == q[i]; i++)
        ;
      *x = (gint64) (i / size);
      *y = row;
      return FALSE;
    }
  return TRUE;
}

gchar *
buffer_format (const Buffer *buffer, gint64 x, gint64 y)
{
  const gsize   size = ref_size (buffer->image.type);
  const guint8 *p = (guint8 *) buffer->view.data + y * buffer->view.stride +
                    x * size;
  guint16 u16;
  guint32 u32;
  gfloat  f32;

  if (size == 1)
    return g_strdup_printf ("%u", *p);
  if (size == 2)
    {
      memcpy (&u16, p, sizeof u16);
      return g_strdup_printf ("%u", u16);
    }
  memcpy (&u32, p, sizeof u32);
  memcpy (&f32, p, sizeof f32);
  return g_strdup_printf ("%.9g (0x%08x)", f32, u32);
}

RefImage
buffer_to_ref (const Buffer *buffer)
{
  RefImage image = { buffer->image, buffer->view.data, buffer->view.stride };

  return image;
}

/* ---- Pictures --------------------------------------------------------- */

const gchar *
values_name (Values values)
{
  static const gchar *const names[] = { "random",  "constant", "two",
                                        "ramp",    "few-bits", "narrow",
                                        "extreme", "uniform",  "alpha-0",
                                        "all-nan", "signed",   "infinite" };

  G_STATIC_ASSERT (G_N_ELEMENTS (names) == N_VALUES);
  return names[values];
}

static gfloat
from_bits (guint32 bits)
{
  gfloat f;

  memcpy (&f, &bits, sizeof f);
  return f;
}

static gfloat
extreme (Random *random)
{
  switch (random_below (random, 16))
    {
      case 0:
        return from_bits (0x7fc00000);
      case 1:
        return from_bits (0xffc12345); /* NaNs keep their bits */
      case 2:
        return from_bits (0x7f812345);
      case 3:
        return INFINITY;
      case 4:
        return -INFINITY;
      case 5:
        return 1e38f;
      case 6:
        return -1e38f;
      case 7:
        return FLT_MAX;
      case 8:
        return -FLT_MAX;
      case 9:
        return from_bits (1);
      case 10:
        return from_bits (0x80000001);
      case 11:
        return from_bits (0x007fffff);
      case 12:
        return -0.0f;
      case 13:
        return 0.0f;
      case 14:
        return (gfloat) (random_unit (random) * 3.0 - 1.0);
      default:
        return from_bits ((guint32) random_bits (random));
    }
}

static void
put (guint8 *p, IsoluxType type, guint code, gfloat value)
{
  const guint16 u16 = (guint16) code;

  if (type == ISOLUX_TYPE_U8)
    *p = (guint8) code;
  else if (type == ISOLUX_TYPE_U16)
    memcpy (p, &u16, sizeof u16);
  else
    memcpy (p, &value, sizeof value);
}

void
buffer_fill (Buffer *buffer, Values values, Random *random)
{
  const IsoluxImage *image = &buffer->image;
  const gsize        size = ref_size (image->type);
  const guint        maximum = image->type == ISOLUX_TYPE_U8 ? 255 : 65535;
  const gint alpha = image->components % 2 == 0 ? image->components - 1 : -1;
  /* alpha: all full, or partly 0 */
  const gboolean holes = random_below (random, 2);
  guint          code[2];
  gfloat         value[2];
  guint          low;
  gint64         x, y;
  gint           i, k;

  for (k = 0; k < 2; k++)
    {
      code[k] = (guint) random_below (random, maximum + 1);
      value[k] = (gfloat) random_unit (random);
    }
  code[1] = (code[0] + 1 + code[1] % maximum) % (maximum + 1); /* another */
  low = (guint) random_below (random, maximum - 40);

  for (y = 0; y < image->height; y++)
    for (x = 0; x < image->width; x++)
      for (i = 0; i < image->components; i++)
        {
          guint8 *p = (guint8 *) buffer->view.data +
                      (gsize) y * buffer->view.stride +
                      (gsize) (x * image->components + i) * size;
          guint  c = (guint) random_below (random, maximum + 1);
          gfloat v = (gfloat) random_unit (random);

          if (i == alpha)
            {
              if (values == VALUES_ALPHA_0)
                put (p, image->type, 0,
                     random_below (random, 3)   ? 0.0f
                     : random_below (random, 2) ? -0.5f
                                                : from_bits (0x7fc00000));
              else if (! holes)
                put (p, image->type, maximum, 1.0f);
              else if (random_below (random, 4) == 0)
                put (p, image->type, 0, 0.0f);
              else if (values == VALUES_EXTREME)
                put (p, image->type, c & 1, extreme (random));
              else
                put (p, image->type, c, v);
              continue;
            }
          switch (values)
            {
              case VALUES_RANDOM:
              case VALUES_ALPHA_0:
                break;
              case VALUES_CONSTANT:
                c = code[0];
                v = value[0];
                break;
              case VALUES_TWO:
                k = c & 1;
                c = code[k];
                v = value[k];
                break;
              case VALUES_RAMP:
                c = (guint) (x * 7 + y * 3 + i * 11) % (maximum + 1);
                v = (gfloat) (x + y) / (gfloat) (image->width + image->height);
                break;
              case VALUES_FEW_BITS:
                c &= maximum == 255 ? 63 : 4095;
                v = (gfloat) (c & 15) / 15.0f;
                break;
              case VALUES_NARROW:
                c = low + c % 40;
                v = 0.25f + v * 1e-6f;
                break;
              case VALUES_EXTREME:
                c = c & 1 ? maximum : 0;
                v = extreme (random);
                break;
              case VALUES_UNIFORM:
                c = (guint) (y * image->width + x) % (maximum + 1);
                v = (gfloat) (y * image->width + x) /
                    (gfloat) (image->width * image->height);
                break;
              case VALUES_ALL_NAN:
                c = 0;
                v = from_bits (0x7fc00000 + (c & 0xff));
                break;
              case VALUES_SIGNED:
                c = c & 1 ? c : maximum - c / 16;
                v = (v - 0.5f) * 4096.0f;
                break;
              case VALUES_INFINITE:
                k = c % 3;
                c = code[k & 1];
                v = k == 0 ? value[0] : k == 1 ? INFINITY : -INFINITY;
                break;
              case N_VALUES:
                g_assert_not_reached ();
            }
          put (p, image->type, c, v);
        }
}

/* ---- Regions ---------------------------------------------------------- */

void
region_init (Region    *region,
             RegionKind kind,
             gint64     width,
             gint64     height,
             Random    *random)
{
  IsoluxRectangle *r = &region->rectangle;
  gint64           x, y;

  memset (region, 0, sizeof *region);
  region->kind = kind;
  region->given = kind != REGION_NONE;
  if (kind == REGION_NONE)
    return;

  r->x = (gint64) random_below (random, width);
  r->y = (gint64) random_below (random, height);
  r->width = 1 + (gint64) random_below (random, width - r->x);
  r->height = 1 + (gint64) random_below (random, height - r->y);
  if (kind == REGION_CLIPPED || kind == REGION_MASK_CLIPPED)
    {
      r->x -= (gint64) random_below (random, width + 2);
      r->y -= (gint64) random_below (random, height + 2);
      r->width += (gint64) random_below (random, width + 2);
      r->height += (gint64) random_below (random, height + 2);
    }
  else if (kind == REGION_OUTSIDE)
    switch (random_below (random, 4))
      {
        case 0:
          r->x = width + (gint64) random_below (random, 3);
          break;
        case 1:
          r->y = -r->height - (gint64) random_below (random, 3);
          break;
        case 2:
          r->width = 0;
          break;
        case 3:
          r->height = 0;
          break;
      }

  if (kind >= REGION_MASK)
    {
      region->mask_stride = (gsize) r->width + random_below (random, 5);
      region->mask = g_malloc (region->mask_stride * (gsize) r->height);
      for (y = 0; y < r->height; y++)
        for (x = 0; x < (gint64) region->mask_stride; x++)
          {
            guint8 *m = region->mask + (gsize) y * region->mask_stride + x;

            if (x >= r->width)
              *m = 255; /* between the rows */
            else if (kind == REGION_MASK_EMPTY || random_below (random, 3) == 0)
              *m = 0;
            else
              *m = (guint8) (1 + random_below (random, 255));
          }
    }
}

void
region_clear (Region *region)
{
  g_clear_pointer (&region->mask, g_free);
}

void
region_to_ref (const Region *region, RefImage *image)
{
  image->has_region = region->given;
  image->region = region->rectangle;
  image->mask = region->mask;
  image->mask_stride = region->mask_stride;
}

/* ---- Devices ---------------------------------------------------------- */

IsoluxDevice *
test_cpu (gint threads)
{
  GError       *error = NULL;
  IsoluxDevice *device = isolux_device_open (ISOLUX_BACKEND_CPU, 0, &error);

  g_assert_no_error (error);
  g_assert_nonnull (device);
  isolux_device_set_threads (device, threads);
  return device;
}

IsoluxDevice *
test_cuda (void)
{
  GError       *error = NULL;
  IsoluxDevice *device = isolux_device_open (ISOLUX_BACKEND_CUDA, 0, &error);

  if (! device)
    {
      g_assert_error (error, ISOLUX_ERROR, ISOLUX_ERROR_DEVICE);
      g_assert_cmpstr (error->message, !=, "");
      g_test_skip (error->message);
      g_clear_error (&error);
    }
  return device;
}

/* ---- Streams ---------------------------------------------------------- */

#ifdef _WIN32
#define DRIVER "nvcuda.dll"
#define DRIVER_CALL __stdcall
#else
#define DRIVER "libcuda.so.1"
#define DRIVER_CALL
#endif

typedef struct
{
  gint (DRIVER_CALL *init) (guint flags);
  gint (DRIVER_CALL *device_get) (gint *device, gint ordinal);
  gint (DRIVER_CALL *retain) (gpointer *context, gint device);
  gint (DRIVER_CALL *push) (gpointer context);
  gint (DRIVER_CALL *pop) (gpointer *context);
  gint (DRIVER_CALL *create) (gpointer *stream, guint flags);
  gint (DRIVER_CALL *destroy) (gpointer stream);
} Driver;

/* The driver stays loaded and the primary context retained: this is but a
 * test. */
static const Driver *
driver_get (gpointer *context)
{
  static Driver   driver;
  static gpointer primary;
  static gboolean tried, there;
  const struct
  {
    const gchar *name;
    gpointer     function;
  } symbols[] = { { "cuInit", &driver.init },
                  { "cuDeviceGet", &driver.device_get },
                  { "cuDevicePrimaryCtxRetain", &driver.retain },
                  { "cuCtxPushCurrent_v2", &driver.push },
                  { "cuCtxPopCurrent_v2", &driver.pop },
                  { "cuStreamCreate", &driver.create },
                  { "cuStreamDestroy_v2", &driver.destroy } };
  gint  device;
  gsize i;

  if (! tried)
    {
      GModule *module = g_module_open (DRIVER, G_MODULE_BIND_LAZY);

      tried = TRUE;
      there = module != NULL;
      for (i = 0; there && i < G_N_ELEMENTS (symbols); i++)
        there = g_module_symbol (module, symbols[i].name, symbols[i].function);
      there = there && driver.init (0) == 0 &&
              driver.device_get (&device, 0) == 0 &&
              driver.retain (&primary, device) == 0;
    }
  *context = primary;
  return there ? &driver : NULL;
}

gpointer
test_stream_new (void)
{
  gpointer      context, stream = NULL;
  const Driver *driver = driver_get (&context);

  if (! driver || driver->push (context) != 0)
    return NULL;
  if (driver->create (&stream, 1) != 0) /* does not wait for stream 0 */
    stream = NULL;
  driver->pop (&context);
  return stream;
}

void
test_stream_free (gpointer stream)
{
  gpointer      context;
  const Driver *driver = stream ? driver_get (&context) : NULL;

  if (driver && driver->push (context) == 0)
    {
      driver->destroy (stream);
      driver->pop (&context);
    }
}
