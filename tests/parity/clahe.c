/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * isolux_clahe() on every backend against the reference, byte for byte: each
 * type and number of components, odd sizes and grids, padded and shifted
 * rows, hostile values, regions and options.
 *
 *   ISOLUX_TEST_SEED=N      repeats a run
 *   ISOLUX_PARITY_CASE=N    runs nothing but the case of this number
 *   ISOLUX_PARITY_QUICK=1   a small part of it, for slow checkers
 *   ISOLUX_PARITY_MORE=N    N random cases more for each type
 */
#include "support.h"

#include <locale.h>
#include <stdlib.h>
#include <string.h>

static const gchar *const type_names[] = { "u8", "u16", "f32" };

static const gint64 sizes[][2] = { { 1, 1 },     { 1, 7 },    { 7, 1 },
                                   { 2, 2 },     { 31, 17 },  { 64, 48 },
                                   { 129, 5 },   { 1, 1023 }, { 1023, 1 },
                                   { 100, 77 },  { 97, 61 },  { 160, 160 },
                                   { 257, 131 }, { 521, 257 } };
#define N_QUICK 5
/* From here on the CPU takes two threads. */
#define MANY_PIXELS (2 * 65536)

typedef struct
{
  guint64            number;
  IsoluxImage        image;
  Values             values;
  Region             region;
  gboolean           wrapped, in_place;
  gsize              pad[2], shift[2];
  IsoluxClaheOptions options;
  Buffer             source, expected;
  gboolean           unchanged;
} Case;

typedef struct
{
  IsoluxBackendKind kind;
  guint             mask;
  IsoluxDevice     *device[3];
  gint              devices;
  gpointer          stream; /* nullable */
} Target;

static guint64 cases_run, comparisons;
static gint    failures;

static guint64
env_number (const gchar *name)
{
  const gchar *text = g_getenv (name);

  return text ? g_ascii_strtoull (text, NULL, 10) : 0;
}

/* ---- Making a case ------------------------------------------------------ */

static void
choose_options (Case *c, Random *random)
{
  static const gdouble clips[] = { 0.0, 1e-9, 0.01, 0.5,  1.0,
                                   2.0, 2.0,  3.7,  40.0, 65536.0 };
  static const gint    bins[] = { 0, 0, 0, 256, 1024, 4096, 16384, 65536 };
  static const gint    tile_sizes[] = { 1, 2, 5, 16, 33, 64, 1000 };
  IsoluxClaheOptions  *o = &c->options;
  const guint64        area = (guint64) (c->image.width * c->image.height);
  gint                 most;

  *o = (IsoluxClaheOptions) ISOLUX_CLAHE_DEFAULTS;
  o->channels = (IsoluxEqualizeChannels) random_below (random, 2);
  o->clip_limit = random_below (random, 3)
                    ? clips[random_below (random, G_N_ELEMENTS (clips))]
                    : random_unit (random) * 8.0;
  o->compatibility = (IsoluxClaheCompatibility) (random_below (random, 3) == 0);
  o->bins = bins[random_below (random, G_N_ELEMENTS (bins))];
  /* the reference is slow with many bins */
  most = o->compatibility == ISOLUX_CLAHE_OPENCV &&
             c->image.type == ISOLUX_TYPE_U16
           ? 3
         : random_below (random, 2) ? 11
                                    : 3;
  o->tiles_x = 1 + (gint) random_below (random, most);
  o->tiles_y = 1 + (gint) random_below (random, most);
  if (random_below (random, 5) == 0 && most == 11)
    {
      o->tile_size =
        tile_sizes[random_below (random, G_N_ELEMENTS (tile_sizes))];
      if (area > 2000)
        o->tile_size = MAX (o->tile_size, 16);
      if (random_below (random, 2))
        o->tiles_x = -1; /* not looked at */
    }
  o->use_padding_value = random_below (random, 4) == 0;
  if (o->use_padding_value)
    /* often one that there is */
    o->padding_value =
      random_below (random, 8)
        ? ref_get (&(RefImage) { c->image, c->source.view.data,
                                 c->source.view.stride },
                   (gint64) random_below (random, c->image.width),
                   (gint64) random_below (random, c->image.height), 0)
        : (random_unit (random) - 0.5) * 1e6;
  if (o->padding_value != o->padding_value)
    o->padding_value = 0.0;
  if (random_below (random, 2))
    {
      o->weights[0] = random_unit (random);
      o->weights[1] = random_unit (random) * (1.0 - o->weights[0]);
      o->weights[2] = 1.0 - o->weights[0] - o->weights[1];
    }
}

static void
case_init (Case      *c,
           guint64    number,
           IsoluxType type,
           gint       components,
           gint64     width,
           gint64     height,
           Values     values,
           RegionKind region,
           gboolean   plain)
{
  static const guint8 pads[] = { 0, 0, 1, 3, 5, 16, 37 };
  Random              random = random_new (test_seed (), number);
  RefImage            source, destination;
  gint                i;

  memset (c, 0, sizeof *c);
  c->number = number;
  c->image = (IsoluxImage) { width, height, components, type, 0 };
  if (type == ISOLUX_TYPE_U16 && random_below (&random, 2))
    c->image.bits = 8 + (gint) random_below (&random, 9);
  c->values = values;
  for (i = 0; i < 2; i++)
    {
      c->pad[i] = pads[random_below (&random, G_N_ELEMENTS (pads))];
      c->shift[i] = random_below (&random, 3) ? random_below (&random, 9) : 0;
    }
  /* rows that lie alike in source and destination have a path of their own */
  if (plain || random_below (&random, 2))
    {
      c->pad[1] = c->pad[0];
      c->shift[1] = c->shift[0];
    }
  c->wrapped = random_below (&random, 2);
  c->in_place = random_below (&random, 3) == 0;
  region_init (&c->region, region, width, height, &random);
  buffer_init (&c->source, &c->image, c->pad[0], c->shift[0]);
  buffer_fill (&c->source, values, &random);
  choose_options (c, &random);
  if (plain)
    {
      c->options.tiles_x = 1 + (gint) random_below (&random, 3);
      c->options.tiles_y = 1 + (gint) random_below (&random, 3);
      c->options.tile_size = 0;
      c->options.use_padding_value = FALSE;
      /* a bin for each code, rows as the library lays them */
      if (type == ISOLUX_TYPE_U16 && random_below (&random, 2))
        {
          c->wrapped = FALSE;
          c->options.bins = 65536;
        }
    }

  buffer_init (&c->expected, &c->image, 0, 0);
  source = buffer_to_ref (&c->source);
  destination = buffer_to_ref (&c->expected);
  region_to_ref (&c->region, &source);
  c->unchanged = ref_clahe (&source, &destination, &c->options);
}

static void
case_clear (Case *c)
{
  region_clear (&c->region);
  buffer_clear (&c->source);
  buffer_clear (&c->expected);
}

static void fail (const Case   *c,
                  const Target *target,
                  gint          device,
                  const gchar  *format,
                  ...) G_GNUC_PRINTF (4, 5);

static void
fail (const Case   *c,
      const Target *target,
      gint          device,
      const gchar  *format,
      ...)
{
  const IsoluxClaheOptions *o = &c->options;
  va_list                   arguments;
  gchar                    *text;

  va_start (arguments, format);
  text = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  g_test_message ("case %" G_GUINT64_FORMAT
                  " (ISOLUX_TEST_SEED=%" G_GUINT64_FORMAT
                  " ISOLUX_PARITY_CASE=%" G_GUINT64_FORMAT
                  "): %s on %s, device %d",
                  c->number, test_seed (), c->number, type_names[c->image.type],
                  target->kind == ISOLUX_BACKEND_CUDA ? "CUDA" : "the CPU",
                  device);
  g_test_message ("  %" G_GINT64_FORMAT "x%" G_GINT64_FORMAT
                  ", %d components, bits %d, "
                  "values %s%s%s, pad %" G_GSIZE_FORMAT "/%" G_GSIZE_FORMAT
                  ", shift %" G_GSIZE_FORMAT "/%" G_GSIZE_FORMAT ", region %d",
                  c->image.width, c->image.height, c->image.components,
                  c->image.bits, values_name (c->values),
                  c->wrapped ? ", wrapped" : "",
                  c->in_place ? ", in place" : "", c->pad[0], c->pad[1],
                  c->shift[0], c->shift[1], c->region.kind);
  g_test_message ("  channels %d, clip %.17g, grid %dx%d, tile size %d, bins "
                  "%d, padding %d %.17g, compatibility %d, "
                  "weights %.17g %.17g %.17g",
                  o->channels, o->clip_limit, o->tiles_x, o->tiles_y,
                  o->tile_size, o->bins, o->use_padding_value, o->padding_value,
                  o->compatibility, o->weights[0], o->weights[1],
                  o->weights[2]);
  g_test_message ("  %s", text);
  g_free (text);
  g_test_fail ();
  if (++failures >= 10)
    {
      g_test_message ("ten cases failed, no more are tried");
      exit (1);
    }
}

/* ---- Running it --------------------------------------------------------- */

/* A surface in a buffer's own block, guards included, or with a copy of its
 * pixels. */
static IsoluxSurface *
make_surface (const Case   *c,
              const Target *target,
              IsoluxDevice *device,
              Buffer       *buffer,
              gpointer      stream,
              gpointer     *memory,
              GError      **error)
{
  const IsoluxBackend *cuda = &isolux_backend_cuda;
  IsoluxView           view = buffer->view;
  IsoluxSurface       *surface;

  if (! c->wrapped)
    {
      surface = isolux_surface_new (device, &c->image, error);
      if (surface && ! isolux_surface_upload (surface, &view, NULL, error))
        g_clear_pointer (&surface, isolux_surface_unref);
      return surface;
    }
  if (target->kind == ISOLUX_BACKEND_CUDA)
    {
      if (! cuda->alloc (device, buffer->size, memory, error) ||
          ! cuda->write (device, *memory, buffer->size, buffer->block,
                         buffer->size, buffer->size, 1, NULL, error))
        return NULL;
      view.data = (guint8 *) *memory + buffer->offset;
    }
  return isolux_surface_wrap (device, &c->image, &view, stream, error);
}

static gboolean
fetch (const Case    *c,
       const Target  *target,
       IsoluxDevice  *device,
       IsoluxSurface *surface,
       Buffer        *buffer,
       gpointer       stream,
       gpointer       memory,
       GError       **error)
{
  if (! c->wrapped)
    return isolux_surface_download (surface, &buffer->view, NULL, error);
  return target->kind != ISOLUX_BACKEND_CUDA ||
         isolux_backend_cuda.read (device, buffer->block, buffer->size, memory,
                                   buffer->size, buffer->size, 1, stream,
                                   error);
}

static gboolean
run (const Case   *c,
     const Target *target,
     IsoluxDevice *device,
     Buffer       *buffers,
     gpointer      stream,
     IsoluxReport *report,
     GError      **error)
{
  IsoluxSurface *surface[2] = { NULL, NULL };
  gpointer       memory[2] = { NULL, NULL };
  const gint     n = c->in_place ? 1 : 2;
  gboolean       success = TRUE;
  gint           i;

  for (i = 0; success && i < n; i++)
    {
      surface[i] = make_surface (c, target, device, &buffers[i], stream,
                                 &memory[i], error);
      success = surface[i] != NULL;
    }
  success =
    success &&
    (! c->region.given ||
     isolux_surface_set_region (surface[0], &c->region.rectangle,
                                c->region.mask, c->region.mask_stride,
                                error)) &&
    isolux_clahe (surface[0], surface[n - 1], &c->options, report, error);
  for (i = 0; i < n; i++)
    {
      success = success && fetch (c, target, device, surface[i], &buffers[i],
                                  stream, memory[i], error);
      isolux_surface_unref (surface[i]);
      if (memory[i])
        isolux_backend_cuda.release (device, memory[i], buffers[i].size);
    }
  return success;
}

static void
run_case (Case *c, const Target *target, gint device)
{
  Buffer       buffers[2];
  Buffer      *result = &buffers[c->in_place ? 0 : 1];
  IsoluxReport report;
  GError      *error = NULL;
  gint64       x, y;
  /* half on a stream of the caller's, of them half so that nothing waits */
  gpointer       stream = c->number & 1 && c->wrapped ? target->stream : NULL;
  const gboolean unreported = stream && (c->number & 2);
  gboolean       success;

  memset (&report, 0x55, sizeof report);
  buffer_init (&buffers[0], &c->image, c->pad[0], c->shift[0]);
  memcpy (buffers[0].block, c->source.block, c->source.size);
  buffer_init (&buffers[1], &c->image, c->pad[1], c->shift[1]);

  isolux_backend_mask = target->mask;
  success = run (c, target, target->device[device], buffers, stream,
                 unreported ? NULL : &report, &error);
  isolux_backend_mask = ISOLUX_TWIN_ALL;
  comparisons++;
  if (! success)
    fail (c, target, device, "failed: %s",
          error ? error->message : "without an error");
  else if (error)
    fail (c, target, device, "error set on success: %s", error->message);
  else if (! buffer_equal (result, &c->expected, &x, &y))
    {
      const gint n = c->image.components;
      gchar     *a = buffer_format (result, x, y);
      gchar     *e = buffer_format (&c->expected, x, y);
      gchar     *in = buffer_format (&c->source, x, y);

      fail (c, target, device,
            "pixel %" G_GINT64_FORMAT ",%" G_GINT64_FORMAT
            " component %" G_GINT64_FORMAT ": %s, should be %s; it was %s",
            x / n, y, x % n, a, e, in);
      g_free (a);
      g_free (e);
      g_free (in);
    }
  else
    {
      if (! buffer_guards_hold (&buffers[0]) ||
          ! buffer_guards_hold (&buffers[1]))
        fail (c, target, device, "bytes beside the pixels were changed");
      if (! c->in_place && ! buffer_equal (&buffers[0], &c->source, &x, &y))
        fail (c, target, device, "the source was changed");
      if (! unreported && report.unchanged != c->unchanged)
        fail (c, target, device, "unchanged is reported as %d",
              report.unchanged);
      if (! unreported &&
          report.backend != (target->mask ? target->kind : ISOLUX_BACKEND_CPU))
        fail (c, target, device, "backend %d is reported", report.backend);
      if (! unreported && report.warning[0])
        fail (c, target, device, "warning: %s", report.warning);
    }
  g_clear_error (&error);
  buffer_clear (&buffers[0]);
  buffer_clear (&buffers[1]);
}

/* ---- All cases ---------------------------------------------------------- */

static void
try_case (const Target *target,
          guint64       number,
          IsoluxType    type,
          gint          components,
          gint64        width,
          gint64        height,
          Values        values,
          RegionKind    region,
          gboolean      plain)
{
  const guint64 wanted = env_number ("ISOLUX_PARITY_CASE");
  Case          c;
  gint          i;

  if (wanted && wanted != number)
    return;
  case_init (&c, number, type, components, width, height, values, region,
             plain);
  if (width * height < MANY_PIXELS)
    run_case (&c, target, (gint) (number % (guint64) target->devices));
  else
    for (i = 0; i < target->devices; i++)
      run_case (&c, target, i);
  cases_run++;
  case_clear (&c);
}

static void
run_all (const Target *target, IsoluxType type)
{
  const gboolean quick = env_number ("ISOLUX_PARITY_QUICK") != 0;
  const guint64  before = cases_run, compared = comparisons;
  guint64        number = 1000000u * (1 + (guint64) type), i, more;
  gint           components, v;
  gsize          s;

  for (components = 1; components <= 4; components++)
    for (v = 0; v < N_VALUES; v++)
      for (s = 0; s < (quick ? N_QUICK : G_N_ELEMENTS (sizes)); s++)
        {
          number++;
          if (quick && v != VALUES_RANDOM && v != VALUES_EXTREME)
            continue;
          /* the larger ones once in a while */
          if (s >= 11 && (v + components) % 5)
            continue;
          try_case (target, number, type, components, sizes[s][0], sizes[s][1],
                    (Values) v, (RegionKind) (number % N_REGIONS), FALSE);
        }

  number = 1000000u * (1 + (guint64) type) + 500000;
  more = quick ? 0 : 300 + env_number ("ISOLUX_PARITY_MORE");
  for (i = 0; i < more; i++, number++)
    {
      Random random = random_new (test_seed (), number);
      gint64 width = 1 + (gint64) random_below (&random, 140);
      gint64 height = 1 + (gint64) random_below (&random, 110);
      /* large tiles of gray, all of which counts, have paths of their own */
      const gboolean plain = i % 3 == 0;
      RegionKind     region = REGION_NONE;

      if (! plain && random_below (&random, 2))
        region = (RegionKind) random_below (&random, N_REGIONS);

      components = plain || random_below (&random, 2)
                     ? 1
                     : 1 + (gint) random_below (&random, 4);
      try_case (target, number, type, components, width, height,
                (Values) random_below (&random, N_VALUES), region, plain);
    }
  g_test_message ("%" G_GUINT64_FORMAT " cases, %" G_GUINT64_FORMAT
                  " comparisons",
                  cases_run - before, comparisons - compared);
  if (! env_number ("ISOLUX_PARITY_CASE"))
    g_assert_cmpuint (cases_run - before, >, 30);
}

/* ---- Tests -------------------------------------------------------------- */

static void
test_on_cpu (gconstpointer type)
{
  Target target = { ISOLUX_BACKEND_CPU, ISOLUX_TWIN_ALL };
  gint   i;

  for (i = 0; i < 3; i++)
    target.device[i] = test_cpu (i + 1);
  target.devices = 3;
  run_all (&target, (IsoluxType) GPOINTER_TO_INT (type));
  for (i = 0; i < 3; i++)
    isolux_device_unref (target.device[i]);
}

static void
test_on_cuda (gconstpointer type)
{
  Target target = { ISOLUX_BACKEND_CUDA, ISOLUX_TWIN_ALL };

  target.device[0] = test_cuda ();
  target.devices = 1;
  if (! target.device[0])
    return;
  target.stream = test_stream_new ();
  run_all (&target, (IsoluxType) GPOINTER_TO_INT (type));
  test_stream_free (target.stream);
  isolux_device_unref (target.device[0]);
}

/* Without a twin the pixels go to the CPU and back. */
static void
test_masked (void)
{
  Target  target = { ISOLUX_BACKEND_CUDA, 0 };
  guint64 number = 100000000u;
  gint    components, type;

  target.device[0] = test_cuda ();
  target.devices = 1;
  if (! target.device[0])
    return;
  for (type = 0; type < 3; type++)
    for (components = 1; components <= 4; components++, number++)
      try_case (&target, number, (IsoluxType) type, components, 31, 17,
                VALUES_RANDOM, (RegionKind) (number % N_REGIONS), FALSE);
  isolux_device_unref (target.device[0]);
}

int
main (int argc, char **argv)
{
  gint type;

  setlocale (LC_ALL, "");
  g_test_init (&argc, &argv, NULL);
  test_seed ();
  for (type = 0; type < 3; type++)
    {
      gchar *cpu = g_strdup_printf ("/parity/cpu/clahe/%s", type_names[type]);
      gchar *cuda = g_strdup_printf ("/parity/cuda/clahe/%s", type_names[type]);

      g_test_add_data_func (cpu, GINT_TO_POINTER (type), test_on_cpu);
      g_test_add_data_func (cuda, GINT_TO_POINTER (type), test_on_cuda);
      g_free (cpu);
      g_free (cuda);
    }
  g_test_add_func ("/parity/cuda/masked/clahe", test_masked);
  return g_test_run ();
}
