/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Every operation on every backend against the reference, byte for byte:
 * each type and number of components, odd sizes, padded and shifted rows,
 * hostile values, regions and options.
 *
 *   ISOLUX_TEST_SEED=N      repeats a run
 *   ISOLUX_PARITY_CASE=N    runs nothing but the case of this number
 *   ISOLUX_PARITY_QUICK=1   a small part of it, for slow checkers
 *   ISOLUX_PARITY_MORE=N    N random cases more for each operation and type
 */
#include "support.h"

#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef enum
{
  OP_GRAYSCALE,
  OP_HISTOGRAM,
  OP_EQUALIZE,
  OP_LUT_APPLY,
  N_OPS
} Op;

/* How pixels come to the library and back. */
typedef enum
{
  ACCESS_VIEW,
  ACCESS_ROWS,
  ACCESS_WRAP,
  N_ACCESSES
} Access;

static const gchar *const op_names[] = { "grayscale", "histogram", "equalize",
                                         "lut-apply" };
static const gchar *const type_names[] = { "u8", "u16", "f32" };
static const gchar *const access_names[] = { "view", "rows", "wrap" };

static const gint64 sizes[][2] = { { 1, 1 },     { 1, 7 },     { 7, 1 },
                                   { 2, 2 },     { 3, 3 },     { 31, 17 },
                                   { 32, 8 },    { 129, 5 },   { 255, 3 },
                                   { 64, 64 },   { 4099, 1 },  { 1, 4099 },
                                   { 257, 33 },  { 521, 257 }, { 613, 331 },
                                   { 1023, 513 } };
#define N_SMALL 13
/* From here on the CPU takes two threads, and three. */
#define MANY_PIXELS (2 * 65536)

static const gint64 quick_sizes[][2] = { { 1, 1 }, { 7, 1 }, { 31, 17 } };

typedef struct
{
  guint64                number;
  Op                     op;
  IsoluxImage            image, out_image;
  Values                 values;
  Region                 region;
  Access                 access;
  gsize                  pad[2], shift[2];
  gboolean               in_place;
  IsoluxGrayOptions      gray;
  IsoluxHistogramOptions histogram;
  IsoluxEqualizeOptions  equalize;
  IsoluxLut              lut;
  Buffer                 source, expected;
  guint8                *doubtful;
  gboolean               settled; /* the doubtful ones */
  RefHistogram           counts;
  gboolean               unchanged;
} Case;

typedef struct
{
  const gchar      *name;
  IsoluxBackendKind kind;
  guint             mask;
  IsoluxDevice     *device[3];
  gint              devices;
  gpointer          stream; /* nullable */
} Target;

static guint64 cases_run, comparisons;
static gint    failures;

/* ---- Making a case ---------------------------------------------------- */

static void
choose_weights (Random *random, gdouble weights[3])
{
  static const gdouble known[][3] = { { 0.299, 0.587, 0.114 },
                                      { 0.2126, 0.7152, 0.0722 },
                                      { 1.0, 0.0, 0.0 },
                                      { 0.0, 0.0, 1.0 },
                                      { 1.0 / 3, 1.0 / 3, 1.0 / 3 } };
  const guint64        k = random_below (random, 7);

  if (k < G_N_ELEMENTS (known))
    memcpy (weights, known[k], sizeof known[k]);
  else
    {
      weights[0] = random_unit (random);
      weights[1] = random_unit (random) * (1.0 - weights[0]);
      weights[2] = 1.0 - weights[0] - weights[1];
    }
}

static gdouble
choose_clip (Random *random)
{
  static const gdouble known[] = { 0.0, 0.0, 1e-9, 0.01, 0.5,
                                   1.0, 1.7, 3.0,  40.0, 65536.0 };
  const guint64        k = random_below (random, G_N_ELEMENTS (known) + 2);

  return k < G_N_ELEMENTS (known) ? known[k] : random_unit (random) * 8.0;
}

static void
choose_range (Random *random, gdouble *low, gdouble *high)
{
  static const gdouble known[][2] = { { 0.0, 1.0 },   { 0.0, 0.0 },
                                      { 1.0, 0.0 },   { -2.0, 2.0 },
                                      { 0.25, 0.75 }, { -1e38, 1e38 },
                                      { 0.0, 1e-45 } };
  const guint64        k = random_below (random, G_N_ELEMENTS (known));

  *low = known[k][0];
  *high = known[k][1];
}

/* One of a few curves for each type, made when first needed. */
static const gfloat *
choose_decode (Random *random, gint codes)
{
  static gfloat *curves[2][4];
  const guint    which = (guint) random_below (random, 4);
  gfloat       **curve = &curves[codes > 256][which];
  gfloat        *decode = *curve;
  Random         own = random_new (test_seed (), which);
  gint           i, k;

  if (decode)
    return decode;
  decode = *curve = g_new (gfloat, 3 * codes);
  for (i = 0; i < 3; i++)
    {
      const gdouble gamma = 0.6 + 2.0 * random_unit (&own);

      for (k = 0; k < codes; k++)
        {
          gfloat *at = decode + i * codes + k;

          *at = (gfloat) pow ((gdouble) k / (codes - 1), gamma);
          if (k > 0 && ! (at[0] > at[-1]))
            *at = nextafterf (at[-1], INFINITY);
        }
      /* strictly increasing, and not above 1 */
      for (k = codes - 1; k >= 0; k--)
        {
          gfloat *at = decode + i * codes + k;

          if (*at > 1.0f)
            *at = 1.0f;
          if (k < codes - 1 && ! (at[0] < at[1]))
            *at = nextafterf (at[1], -INFINITY);
        }
    }
  return decode;
}

static void
choose_lut (Case *c, Random *random)
{
  IsoluxLut     *lut = &c->lut;
  const gint     colors = c->image.components < 3 ? 1 : 3;
  gsize          size = ref_size (c->image.type);
  gsize          i, n;
  gdouble        low, high;
  const gboolean f32 = c->image.type == ISOLUX_TYPE_F32;

  lut->type = c->image.type;
  lut->channels = colors == 3 && random_below (random, 2) ? 3 : 1;
  lut->bits = lut->type == ISOLUX_TYPE_U8 ? 8
              : lut->type == ISOLUX_TYPE_U16
                ? 8 + (gint) random_below (random, 9)
                : 0;
  lut->bins = 2 << random_below (random, f32 ? 16 : lut->bits);
  if (f32)
    {
      do
        choose_range (random, &low, &high);
      while (! (low < high));
      lut->low = low;
      lut->high = high;
    }
  for (i = 0; i < 3; i++)
    lut->identity[i] = random_below (random, 6) == 0;
  n = (gsize) lut->channels * lut->bins;
  lut->entries = g_malloc (n * size);
  for (i = 0; i < n; i++)
    {
      const guint64 v = random_bits (random);

      if (lut->type == ISOLUX_TYPE_U8)
        ((guint8 *) lut->entries)[i] = (guint8) v;
      else if (lut->type == ISOLUX_TYPE_U16)
        ((guint16 *) lut->entries)[i] = (guint16) v;
      else
        ((gfloat *) lut->entries)[i] =
          (gfloat) (random_unit (random) * 3.0 - 1.0);
    }
}

/* Computes what is to come out. */
static void
case_expect (Case *c)
{
  RefImage source = buffer_to_ref (&c->source);
  RefImage destination = buffer_to_ref (&c->expected);

  region_to_ref (&c->region, &source);
  switch (c->op)
    {
      case OP_GRAYSCALE:
        c->doubtful = g_malloc0 ((gsize) (c->image.width * c->image.height));
        ref_grayscale (&source, &destination, &c->gray, c->doubtful);
        break;
      case OP_HISTOGRAM:
        ref_histogram (&source, &c->histogram, &c->counts);
        break;
      case OP_EQUALIZE:
        c->unchanged = ref_equalize (&source, &destination, &c->equalize);
        break;
      case OP_LUT_APPLY:
        ref_lut_apply (&source, &destination, &c->lut, c->equalize.weights);
        c->unchanged =
          c->lut.identity[0] &&
          (c->lut.channels == 1 || (c->lut.identity[1] && c->lut.identity[2]));
        break;
      case N_OPS:
        g_assert_not_reached ();
    }
}

static void
case_init (Case      *c,
           guint64    number,
           Op         op,
           IsoluxType type,
           gint       components,
           gint64     width,
           gint64     height,
           Values     values,
           RegionKind region)
{
  static const gdouble skips[] = { 0.0, 0.0, 0.0, 0.01, 0.1, 0.3, 1.0 };
  Random               random = random_new (test_seed (), number);
  gint                 i;

  memset (c, 0, sizeof *c);
  c->number = number;
  c->op = op;
  c->image.width = width;
  c->image.height = height;
  c->image.components = components;
  c->image.type = type;
  if (type == ISOLUX_TYPE_U16 && random_below (&random, 2))
    c->image.bits = 8 + (gint) random_below (&random, 9);
  c->out_image = c->image;
  c->values = values;
  for (i = 0; i < 2; i++)
    {
      static const guint8 pads[] = { 0, 0, 1, 3, 5, 16, 37 };

      c->pad[i] = pads[random_below (&random, G_N_ELEMENTS (pads))];
      c->shift[i] = random_below (&random, 3) ? random_below (&random, 9) : 0;
    }
  c->access = (Access) random_below (&random, N_ACCESSES);
  c->in_place = random_below (&random, 3) == 0;
  region_init (&c->region, region, width, height, &random);

  c->gray.method = (IsoluxGrayMethod) random_below (&random, 6);
  choose_weights (&random, c->gray.weights);
  if (op == OP_GRAYSCALE)
    {
      if (c->in_place == FALSE)
        c->out_image.components = 1 + (gint) random_below (&random, 4);
      if (type != ISOLUX_TYPE_F32 && random_below (&random, 4) == 0)
        c->gray.decode =
          choose_decode (&random, type == ISOLUX_TYPE_U8 ? 256 : 65536);
    }

  c->histogram.channel =
    (IsoluxChannel) random_below (&random, components % 2 ? 5 : 6);
  c->histogram.bins = 0;
  if (random_below (&random, 2))
    c->histogram.bins = 2 << random_below (&random, type == ISOLUX_TYPE_F32 ? 16
                                                    : type == ISOLUX_TYPE_U8 ? 8
                                                    : c->image.bits
                                                      ? c->image.bits
                                                      : 8);
  choose_range (&random, &c->histogram.low, &c->histogram.high);
  choose_weights (&random, c->histogram.weights);

  c->equalize.channels = (IsoluxEqualizeChannels) random_below (&random, 2);
  c->equalize.clip_limit = choose_clip (&random);
  c->equalize.skip_threshold =
    skips[random_below (&random, G_N_ELEMENTS (skips))];
  choose_weights (&random, c->equalize.weights);
  if (op == OP_LUT_APPLY)
    choose_lut (c, &random);

  buffer_init (&c->source, &c->image, c->pad[0], c->shift[0]);
  buffer_fill (&c->source, values, &random);
  buffer_init (&c->expected, &c->out_image, 0, 0);
  case_expect (c);
}

static void
case_clear (Case *c)
{
  region_clear (&c->region);
  buffer_clear (&c->source);
  buffer_clear (&c->expected);
  ref_histogram_clear (&c->counts);
  g_free (c->doubtful);
  g_free (c->lut.entries);
}

static void
case_describe (const Case *c, const Target *target, gint device)
{
  g_test_message ("case %" G_GUINT64_FORMAT
                  " (ISOLUX_TEST_SEED=%" G_GUINT64_FORMAT
                  " ISOLUX_PARITY_CASE=%" G_GUINT64_FORMAT
                  "): %s %s on %s, device %d",
                  c->number, test_seed (), c->number, op_names[c->op],
                  type_names[c->image.type], target->name, device);
  g_test_message ("  %" G_GINT64_FORMAT "x%" G_GINT64_FORMAT
                  ", %d -> %d components, bits %d, values %s, access %s%s, "
                  "pad %" G_GSIZE_FORMAT "/%" G_GSIZE_FORMAT
                  ", shift %" G_GSIZE_FORMAT "/%" G_GSIZE_FORMAT,
                  c->image.width, c->image.height, c->image.components,
                  c->out_image.components, c->image.bits,
                  values_name (c->values), access_names[c->access],
                  c->in_place ? ", in place" : "", c->pad[0], c->pad[1],
                  c->shift[0], c->shift[1]);
  g_test_message ("  region %d: %" G_GINT64_FORMAT ",%" G_GINT64_FORMAT
                  " %" G_GINT64_FORMAT "x%" G_GINT64_FORMAT "%s",
                  c->region.kind, c->region.rectangle.x, c->region.rectangle.y,
                  c->region.rectangle.width, c->region.rectangle.height,
                  c->region.mask ? " with mask" : "");
  switch (c->op)
    {
      case OP_GRAYSCALE:
        g_test_message ("  method %d, weights %.17g %.17g %.17g%s",
                        c->gray.method, c->gray.weights[0], c->gray.weights[1],
                        c->gray.weights[2],
                        c->gray.decode ? ", own decode" : "");
        break;
      case OP_HISTOGRAM:
        g_test_message ("  channel %d, bins %d, range %g .. %g, "
                        "weights %.17g %.17g %.17g",
                        c->histogram.channel, c->histogram.bins,
                        c->histogram.low, c->histogram.high,
                        c->histogram.weights[0], c->histogram.weights[1],
                        c->histogram.weights[2]);
        break;
      case OP_EQUALIZE:
        g_test_message ("  channels %d, clip %.17g, skip %g, "
                        "weights %.17g %.17g %.17g",
                        c->equalize.channels, c->equalize.clip_limit,
                        c->equalize.skip_threshold, c->equalize.weights[0],
                        c->equalize.weights[1], c->equalize.weights[2]);
        break;
      case OP_LUT_APPLY:
        g_test_message ("  channels %d, bins %d, bits %d, range %g .. %g, "
                        "identity %d %d %d, weights %.17g %.17g %.17g",
                        c->lut.channels, c->lut.bins, c->lut.bits, c->lut.low,
                        c->lut.high, c->lut.identity[0], c->lut.identity[1],
                        c->lut.identity[2], c->equalize.weights[0],
                        c->equalize.weights[1], c->equalize.weights[2]);
        break;
      case N_OPS:
        break;
    }
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
  va_list arguments;
  gchar  *text;

  va_start (arguments, format);
  text = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  case_describe (c, target, device);
  g_test_message ("  %s", text);
  g_free (text);
  g_test_fail ();
  if (++failures >= 10)
    {
      g_test_message ("ten cases failed, no more are tried");
      exit (1);
    }
}

/* ---- Running it ------------------------------------------------------- */

/* What one run uses besides the case. */
typedef struct
{
  const Case      *c;
  Buffer           input, output;
  IsoluxHistogram *histogram;
} Run;

static gboolean
run_operation (IsoluxSurface *source,
               IsoluxSurface *destination,
               gpointer       user_data,
               IsoluxReport  *report,
               GError       **error)
{
  Run        *run = user_data;
  const Case *c = run->c;

  switch (c->op)
    {
      case OP_GRAYSCALE:
        return isolux_grayscale (source, destination, &c->gray, report, error);
      case OP_HISTOGRAM:
        g_clear_pointer (&run->histogram, isolux_histogram_free);
        run->histogram =
          isolux_histogram (source, &c->histogram, report, error);
        return run->histogram != NULL;
      case OP_EQUALIZE:
        return isolux_equalize (source, destination, &c->equalize, report,
                                error);
      case OP_LUT_APPLY:
        return isolux_lut_apply (source, destination, &c->lut,
                                 c->equalize.weights, report, error);
      case N_OPS:
        break;
    }
  g_assert_not_reached ();
}

static gboolean
set_region (IsoluxSurface *surface, const Case *c, GError **error)
{
  return ! c->region.given ||
         isolux_surface_set_region (surface, &c->region.rectangle,
                                    c->region.mask, c->region.mask_stride,
                                    error);
}

static gboolean
run_by_views (Run          *run,
              IsoluxDevice *device,
              IsoluxReport *report,
              GError      **error)
{
  const Case    *c = run->c;
  IsoluxSurface *source, *destination = NULL;
  gboolean       success;

  source = isolux_surface_new (device, &c->image, error);
  if (c->in_place)
    destination = source ? isolux_surface_ref (source) : NULL;
  else if (source)
    destination = isolux_surface_new (device, &c->out_image, error);
  success =
    source && destination &&
    isolux_surface_upload (source, &run->input.view, NULL, error) &&
    set_region (source, c, error) &&
    run_operation (source, destination, run, report, error) &&
    (c->op == OP_HISTOGRAM ||
     isolux_surface_download (destination, &run->output.view, NULL, error));
  /* the source is read only */
  if (success && destination != source)
    {
      Buffer back;
      gint64 x, y;

      buffer_init (&back, &c->image, 1, 0);
      success = isolux_surface_download (source, &back.view, NULL, error);
      if (success && ! buffer_equal (&back, &c->source, &x, &y))
        {
          g_set_error (error, ISOLUX_ERROR, ISOLUX_ERROR_ARGUMENT,
                       "the source surface was changed at component "
                       "%" G_GINT64_FORMAT " of row %" G_GINT64_FORMAT,
                       x, y);
          success = FALSE;
        }
      buffer_clear (&back);
    }
  isolux_surface_unref (destination);
  isolux_surface_unref (source);
  return success;
}

static gboolean
rows_read (gint64   y,
           gint64   rows,
           gpointer data,
           gsize    stride,
           gpointer user_data)
{
  Run   *run = user_data;
  gint64 i;

  for (i = 0; i < rows; i++)
    memcpy ((guint8 *) data + (gsize) i * stride,
            (guint8 *) run->input.view.data +
              (gsize) (y + i) * run->input.view.stride,
            run->input.row_bytes);
  return TRUE;
}

static gboolean
rows_write (gint64   y,
            gint64   rows,
            gpointer data,
            gsize    stride,
            gpointer user_data)
{
  Run   *run = user_data;
  gint64 i;

  for (i = 0; i < rows; i++)
    memcpy ((guint8 *) run->output.view.data +
              (gsize) (y + i) * run->output.view.stride,
            (guint8 *) data + (gsize) i * stride, run->output.row_bytes);
  return TRUE;
}

static gboolean
run_by_rows (Run          *run,
             IsoluxDevice *device,
             IsoluxReport *report,
             GError      **error)
{
  const Case   *c = run->c;
  IsoluxProcess process = { 0 };

  process.source = c->image;
  process.destination = c->out_image;
  if (c->region.given)
    process.region = &c->region.rectangle;
  process.mask = c->region.mask;
  process.mask_stride = c->region.mask_stride;
  process.read = rows_read;
  if (c->op != OP_HISTOGRAM)
    process.write = rows_write;
  process.rows_data = run;
  process.operation = run_operation;
  process.operation_data = run;
  return isolux_process (device, &process, report, error);
}

/* The whole block of a buffer, guards included, in the device's memory. */
static gboolean
wrap_buffer (IsoluxDevice        *device,
             const IsoluxBackend *backend,
             gpointer             stream,
             Buffer              *buffer,
             gpointer            *memory,
             IsoluxSurface      **surface,
             GError             **error)
{
  IsoluxView view = buffer->view;

  if (backend->kind == ISOLUX_BACKEND_CUDA)
    {
      if (! backend->alloc (device, buffer->size, memory, error) ||
          ! backend->write (device, *memory, buffer->size, buffer->block,
                            buffer->size, buffer->size, 1, NULL, error))
        return FALSE;
      view.data = (guint8 *) *memory + buffer->offset;
    }
  *surface = isolux_surface_wrap (device, &buffer->image, &view, stream, error);
  return *surface != NULL;
}

static gboolean
run_by_wrapping (Run          *run,
                 IsoluxDevice *device,
                 const Target *target,
                 gpointer      stream,
                 IsoluxReport *report,
                 GError      **error)
{
  const Case          *c = run->c;
  const IsoluxBackend *backend = target->kind == ISOLUX_BACKEND_CUDA
                                   ? &isolux_backend_cuda
                                   : &isolux_backend_cpu;
  Buffer              *buffers[2] = { &run->input, &run->output };
  gpointer             memory[2] = { NULL, NULL };
  IsoluxSurface       *surface[2] = { NULL, NULL };
  gboolean             success;
  const gint           n = c->in_place || c->op == OP_HISTOGRAM ? 1 : 2;
  gint                 i;

  for (success = TRUE, i = 0; success && i < n; i++)
    success = wrap_buffer (device, backend, stream, buffers[i], &memory[i],
                           &surface[i], error);
  success = success && set_region (surface[0], c, error) &&
            run_operation (surface[0], surface[n - 1], run, report, error);
  for (i = 0; i < n; i++)
    {
      if (success && memory[i])
        success = backend->read (device, buffers[i]->block, buffers[i]->size,
                                 memory[i], buffers[i]->size, buffers[i]->size,
                                 1, stream, error);
      isolux_surface_unref (surface[i]);
      if (memory[i])
        backend->release (device, memory[i], buffers[i]->size);
    }
  return success;
}

/* ---- Comparing -------------------------------------------------------- */

static void
compare_histograms (const Case            *c,
                    const IsoluxHistogram *h,
                    const Target          *target,
                    gint                   device)
{
  const RefHistogram *r = &c->counts;
  gint                i, k;

  if (h->type != c->image.type || h->bits != r->bits || h->bins != r->bins ||
      h->channels != r->channels || h->low != r->low || h->high != r->high)
    {
      fail (c, target, device,
            "shape: type %d, bits %d (%d), channels %d (%d), bins %d (%d), "
            "range %.17g .. %.17g (%.17g .. %.17g)",
            h->type, h->bits, r->bits, h->channels, r->channels, h->bins,
            r->bins, h->low, h->high, r->low, r->high);
      return;
    }
  for (i = 0; i < r->channels; i++)
    {
      if (h->total[i] != r->total[i] || h->minimum[i] != r->minimum[i] ||
          h->maximum[i] != r->maximum[i])
        {
          fail (c, target, device,
                "channel %d: total %" G_GUINT64_FORMAT " (%" G_GUINT64_FORMAT
                "), minimum %.17g (%.17g), maximum %.17g (%.17g)",
                i, h->total[i], r->total[i], h->minimum[i], r->minimum[i],
                h->maximum[i], r->maximum[i]);
          return;
        }
      for (k = 0; k < r->bins; k++)
        if (h->counts[(gsize) i * r->bins + k] !=
            r->counts[(gsize) i * r->bins + k])
          {
            fail (c, target, device,
                  "channel %d, bin %d: %" G_GUINT64_FORMAT
                  ", should be %" G_GUINT64_FORMAT,
                  i, k, h->counts[(gsize) i * r->bins + k],
                  r->counts[(gsize) i * r->bins + k]);
            return;
          }
    }
}

/* Where two results are right, the first run says which it is. */
static void
settle (Case *c, const Buffer *actual)
{
  const gsize size = ref_size (c->image.type);
  gint64      x, y;
  gint        i;

  if (c->settled || ! c->doubtful)
    return;
  c->settled = TRUE;
  for (y = 0; y < c->image.height; y++)
    for (x = 0; x < c->image.width; x++)
      for (i = 0; i < (c->out_image.components < 3 ? 1 : 3); i++)
        if (c->doubtful[y * c->image.width + x])
          {
            const gsize at = (gsize) (x * c->out_image.components + i) * size;
            guint8     *e = (guint8 *) c->expected.view.data +
                        (gsize) y * c->expected.view.stride + at;
            const guint8 *a = (guint8 *) actual->view.data +
                              (gsize) y * actual->view.stride + at;
            guint32 p = 0, q = 0;

            /* neighbors as whole numbers, also as those of f32 */
            memcpy (&p, e, size);
            memcpy (&q, a, size);
            if (q - p + 1 <= 2)
              memcpy (e, a, size);
          }
}

static void
compare (Case         *c,
         Run          *run,
         const Target *target,
         gint          device,
         const Buffer *actual)
{
  gint64 x, y;

  settle (c, actual);
  if (! buffer_equal (actual, &c->expected, &x, &y))
    {
      gchar *a = buffer_format (actual, x, y);
      gchar *e = buffer_format (&c->expected, x, y);
      gint64 pixel = x / c->out_image.components;
      gchar *in[4] = { NULL, NULL, NULL, NULL };
      gint   i;

      for (i = 0; i < c->image.components; i++)
        in[i] = buffer_format (&c->source, pixel * c->image.components + i, y);
      fail (c, target, device,
            "pixel %" G_GINT64_FORMAT ",%" G_GINT64_FORMAT
            " component %" G_GINT64_FORMAT ": %s, should be %s; "
            "it was %s %s %s %s",
            pixel, y, x % c->out_image.components, a, e, in[0],
            in[1] ? in[1] : "", in[2] ? in[2] : "", in[3] ? in[3] : "");
      g_free (a);
      g_free (e);
      for (i = 0; i < 4; i++)
        g_free (in[i]);
    }
}

static void
run_case (Case *c, const Target *target, gint device)
{
  Run          run = { c };
  IsoluxReport report;
  GError      *error = NULL;
  gboolean     success = FALSE;
  gint64       x, y;
  /* half on a stream of the caller's, of them half so that nothing waits */
  gpointer       stream = c->number & 1 ? target->stream : NULL;
  const gboolean unreported = c->access == ACCESS_WRAP && stream &&
                              (c->number & 2);

  memset (&report, 0x55, sizeof report);
  buffer_init (&run.input, &c->image, c->pad[0], c->shift[0]);
  memcpy (run.input.block, c->source.block, c->source.size);
  buffer_init (&run.output, &c->out_image, c->pad[1], c->shift[1]);

  isolux_backend_mask = target->mask;
  switch (c->access)
    {
      case ACCESS_VIEW:
        success = run_by_views (&run, target->device[device], &report, &error);
        break;
      case ACCESS_ROWS:
        success = run_by_rows (&run, target->device[device], &report, &error);
        break;
      case ACCESS_WRAP:
        success = run_by_wrapping (&run, target->device[device], target, stream,
                                   unreported ? NULL : &report, &error);
        break;
      case N_ACCESSES:
        break;
    }
  isolux_backend_mask = ISOLUX_TWIN_ALL;
  comparisons++;

  if (! success)
    {
      fail (c, target, device, "failed: %s",
            error ? error->message : "without an error");
      g_clear_error (&error);
    }
  else
    {
      const gboolean changed_input = c->access == ACCESS_WRAP && c->in_place &&
                                     c->op != OP_HISTOGRAM;
      const IsoluxBackendKind kind =
        target->mask == ISOLUX_TWIN_ALL ? target->kind : ISOLUX_BACKEND_CPU;

      if (error)
        fail (c, target, device, "error set on success: %s", error->message);
      g_clear_error (&error);
      if (c->op == OP_HISTOGRAM)
        compare_histograms (c, run.histogram, target, device);
      else
        compare (c, &run, target, device,
                 changed_input ? &run.input : &run.output);
      if (! buffer_guards_hold (&run.input))
        fail (c, target, device, "bytes beside the source were changed");
      if (! buffer_guards_hold (&run.output))
        fail (c, target, device, "bytes beside the result were changed");
      if (! changed_input && ! buffer_equal (&run.input, &c->source, &x, &y))
        fail (c, target, device, "the source was changed");
      if (unreported)
        goto compared;
      if (report.backend != kind)
        fail (c, target, device, "backend %d is reported, not %d",
              report.backend, kind);
      if (report.warning[0])
        fail (c, target, device, "warning: %s", report.warning);
      if (report.unchanged != c->unchanged)
        fail (c, target, device, "unchanged is reported as %d",
              report.unchanged);
      if (! (report.compute_ms >= 0.0 && report.compute_ms < 1e6) ||
          ! (report.upload_ms >= 0.0 && report.upload_ms < 1e6) ||
          ! (report.download_ms >= 0.0 && report.download_ms < 1e6))
        fail (c, target, device, "times: %g %g %g", report.upload_ms,
              report.compute_ms, report.download_ms);
    }

compared:
  isolux_histogram_free (run.histogram);
  buffer_clear (&run.input);
  buffer_clear (&run.output);
}

/* ---- All cases -------------------------------------------------------- */

static guint64
env_number (const gchar *name)
{
  const gchar *text = g_getenv (name);

  return text ? g_ascii_strtoull (text, NULL, 10) : 0;
}

static void
try_case (const Target *target,
          guint64       number,
          Op            op,
          IsoluxType    type,
          gint          components,
          gint64        width,
          gint64        height,
          Values        values,
          RegionKind    region)
{
  const guint64 wanted = env_number ("ISOLUX_PARITY_CASE");
  Case          c;
  gint          i;

  if (wanted && wanted != number)
    return;
  case_init (&c, number, op, type, components, width, height, values, region);
  /* small images are the work of one thread, whatever is allowed */
  if (width * height < MANY_PIXELS)
    run_case (&c, target, (gint) (number % (guint64) target->devices));
  else
    for (i = 0; i < target->devices; i++)
      run_case (&c, target, i);
  cases_run++;
  case_clear (&c);
}

static void
run_all (const Target *target, Op op, IsoluxType type)
{
  const gboolean quick = env_number ("ISOLUX_PARITY_QUICK") != 0;
  const guint64  before = cases_run, compared = comparisons;
  const guint64  base = 1000000u * (1 + 3 * (guint64) op + (guint64) type);
  guint64        number = base;
  guint64        i, more;
  gint           components, v;
  gsize          s;

  for (components = 1; components <= 4; components++)
    for (v = 0; v < N_VALUES; v++)
      {
        if (quick)
          {
            static const guint8 few[N_VALUES] = {
              [VALUES_RANDOM] = 1, [VALUES_EXTREME] = 1, [VALUES_CONSTANT] = 1
            };

            for (s = 0; s < G_N_ELEMENTS (quick_sizes) && few[v]; s++)
              {
                number++;
                try_case (target, number, op, type, components,
                          quick_sizes[s][0], quick_sizes[s][1], (Values) v,
                          (RegionKind) (number % N_REGIONS));
              }
            continue;
          }
        for (s = 0; s < N_SMALL; s++)
          {
            gint r;

            /* every region on one small size, a few on each other one */
            for (r = 0; r < N_REGIONS; r++)
              {
                number++;
                if (s == 5 || r == REGION_NONE ||
                    r == (gint) (number / N_REGIONS % N_REGIONS))
                  try_case (target, number, op, type, components, sizes[s][0],
                            sizes[s][1], (Values) v, (RegionKind) r);
              }
          }
        for (; s < G_N_ELEMENTS (sizes); s++)
          {
            number++;
            /* the largest once in a while */
            if (v == VALUES_RANDOM || v == VALUES_EXTREME ||
                (v == VALUES_NARROW && s + 1 < G_N_ELEMENTS (sizes)))
              try_case (target, number, op, type, components, sizes[s][0],
                        sizes[s][1], (Values) v,
                        (RegionKind) (number % N_REGIONS));
          }
      }

  number = base + 500000;
  more = quick ? 0 : 150 + env_number ("ISOLUX_PARITY_MORE");
  for (i = 0; i < more; i++)
    {
      Random random = random_new (test_seed (), number);
      gint64 width = 1 + (gint64) random_below (&random, 90);
      gint64 height = 1 + (gint64) random_below (&random, 60);

      components = 1 + (gint) random_below (&random, 4);
      v = (gint) random_below (&random, N_VALUES);
      try_case (target, number, op, type, components, width, height, (Values) v,
                (RegionKind) random_below (&random, N_REGIONS));
      number++;
    }
  g_test_message ("%" G_GUINT64_FORMAT " cases, %" G_GUINT64_FORMAT
                  " comparisons",
                  cases_run - before, comparisons - compared);
  if (! env_number ("ISOLUX_PARITY_CASE"))
    g_assert_cmpuint (cases_run - before, >, 30);
}

/* ---- Tests ------------------------------------------------------------ */

typedef struct
{
  Op         op;
  IsoluxType type;
} Part;

static void
test_on_cpu (gconstpointer data)
{
  const Part *part = data;
  Target      target = { "CPU", ISOLUX_BACKEND_CPU, ISOLUX_TWIN_ALL };
  gint        i;

  for (i = 0; i < 3; i++)
    target.device[i] = test_cpu (i + 1);
  target.devices = 3;
  run_all (&target, part->op, part->type);
  for (i = 0; i < 3; i++)
    isolux_device_unref (target.device[i]);
}

static void
test_on_cuda (gconstpointer data)
{
  const Part *part = data;
  Target      target = { "CUDA", ISOLUX_BACKEND_CUDA, ISOLUX_TWIN_ALL };

  target.device[0] = test_cuda ();
  target.devices = 1;
  if (! target.device[0])
    return;
  target.stream = test_stream_new ();
  run_all (&target, part->op, part->type);
  test_stream_free (target.stream);
  isolux_device_unref (target.device[0]);
}

/* Without a twin the pixels go to the CPU and back. */
static void
test_masked (gconstpointer data)
{
  const Part    *part = data;
  Target         target = { "CUDA without the twin", ISOLUX_BACKEND_CUDA, 0 };
  const gboolean quick = env_number ("ISOLUX_PARITY_QUICK") != 0;
  gint           components, type, v;
  guint64        number = 100000000u + 100000u * (guint64) part->op;

  target.device[0] = test_cuda ();
  target.devices = 1;
  if (! target.device[0])
    return;
  for (type = 0; type < 3; type++)
    for (components = 1; components <= 4; components++)
      for (v = 0; v < N_VALUES; v++)
        {
          number++;
          if (quick && v != VALUES_RANDOM)
            continue;
          try_case (&target, number, part->op, (IsoluxType) type, components,
                    31, 17, (Values) v, (RegionKind) (number % N_REGIONS));
        }
  isolux_device_unref (target.device[0]);
}

int
main (int argc, char **argv)
{
  static Part parts[N_OPS][3];
  gint        op, type;
  int         status;

  setlocale (LC_ALL, "");
  g_test_init (&argc, &argv, NULL);
  test_seed ();
  for (op = 0; op < N_OPS; op++)
    for (type = 0; type < 3; type++)
      {
        gchar *path;

        parts[op][type].op = (Op) op;
        parts[op][type].type = (IsoluxType) type;
        path =
          g_strdup_printf ("/parity/cpu/%s/%s", op_names[op], type_names[type]);
        g_test_add_data_func (path, &parts[op][type], test_on_cpu);
        g_free (path);
        path = g_strdup_printf ("/parity/cuda/%s/%s", op_names[op],
                                type_names[type]);
        g_test_add_data_func (path, &parts[op][type], test_on_cuda);
        g_free (path);
        if (type == 0)
          {
            path = g_strdup_printf ("/parity/cuda/masked/%s", op_names[op]);
            g_test_add_data_func (path, &parts[op][type], test_masked);
            g_free (path);
          }
      }
  status = g_test_run ();
  printf ("# %" G_GUINT64_FORMAT " cases, %" G_GUINT64_FORMAT " comparisons\n",
          cases_run, comparisons);
  return status;
}
