/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Times the library's calls, on CUDA where there is a GPU and on the CPU.
 *
 *   isolux-bench [--quick] [--cpu] [SIDE]
 *
 * Gray images of SIDE x SIDE pixels (4096); --quick: 256, few repetitions;
 * --cpu: not on CUDA.  All figures are medians.
 *
 *   device   time on the GPU from the first to the last kernel of a call
 *   call     the call with its waiting, pixels on the GPU before and after
 *   rows     isolux_process(): rows from host memory and back
 *   cpu      the call on the CPU
 *   copy     of the image, on the GPU (read and written once)
 *   memcpy   of the image, in host memory, one thread
 */
#include "cuda/driver.h"

#include <gmodule.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define REPETITIONS 20

typedef enum
{
  OP_HISTOGRAM,
  OP_EQUALIZE,
  OP_GRAYSCALE,
  N_OPS
} Op;

typedef enum
{
  DATA_PHOTO,
  DATA_UNIFORM,
  DATA_CONSTANT,
  N_DATA
} Data;

static const gchar *const op_names[] = { "histogram", "equalize", "grayscale" };
static const gchar *const type_names[] = { "u8", "u16", "f32" };
static const gchar *const data_names[] = { "photo", "uniform", "constant" };

static gint64 side = 4096;
static gint   repetitions = REPETITIONS;

/* ---- Pictures ------------------------------------------------------ */

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
value_at (Data data, gint64 x, gint64 y)
{
  const guint32 bits = hash ((guint32) (y * side + x));
  const gdouble noise = (gdouble) bits / 4294967296.0;

  switch (data)
    {
      case DATA_UNIFORM:
        return noise;
      case DATA_PHOTO:
        return CLAMP (0.45 +
                        0.2 * sin ((gdouble) x / 137.0) *
                          cos ((gdouble) y / 153.0) +
                        0.1 * (noise - 0.5),
                      0.0, 1.0);
      default:
        return 1.0 / 3.0;
    }
}

static gpointer
picture_new (IsoluxType type, gint components, Data data)
{
  const gsize n = (gsize) side * (gsize) side * (gsize) components;
  gpointer    pixels = g_malloc (n * isolux_type_size (type));

#pragma omp parallel for
  for (gint64 i = 0; i < (gint64) n; i++)
    {
      const gdouble v =
        value_at (data, i / components % side, i / components / side);

      if (type == ISOLUX_TYPE_U8)
        ((guint8 *) pixels)[i] = (guint8) (v * 255.0);
      else if (type == ISOLUX_TYPE_U16)
        ((guint16 *) pixels)[i] = (guint16) (v * 65535.0);
      else
        ((gfloat *) pixels)[i] = (gfloat) v;
    }
  return pixels;
}

/* ---- Clocks -------------------------------------------------------- */

static gint
compare (gconstpointer a, gconstpointer b)
{
  const gdouble x = *(const gdouble *) a, y = *(const gdouble *) b;

  return x < y ? -1 : x > y;
}

static gdouble
median (gdouble *values, gint n)
{
  qsort (values, (gsize) n, sizeof *values, compare);
  return n ? values[n / 2] : NAN;
}

/* A failure ends the program: there is nothing to measure then. */
static void
must (gboolean success, GError *error)
{
  if (success)
    return;
  fprintf (stderr, "timing: %s\n", error ? error->message : "failed");
  exit (1);
}

static void
operate (Op             op,
         IsoluxSurface *source,
         IsoluxSurface *destination,
         IsoluxReport  *report)
{
  GError *error = NULL;

  if (op == OP_HISTOGRAM)
    {
      IsoluxHistogram *h = isolux_histogram (source, NULL, report, &error);

      must (h != NULL, error);
      isolux_histogram_free (h);
    }
  else if (op == OP_EQUALIZE)
    must (isolux_equalize (source, destination, NULL, report, &error), error);
  else
    must (isolux_grayscale (source, destination, NULL, report, &error), error);
}

/* Milliseconds of a call on surfaces. */
static gdouble
time_call (Op op, IsoluxSurface *source, IsoluxSurface *destination)
{
  gdouble values[REPETITIONS];
  gint64  begin = g_get_monotonic_time ();
  gint    n;

  operate (op, source, destination, NULL);
  for (n = 0; n < repetitions; n++)
    {
      const gint64 start = g_get_monotonic_time ();

      if (n >= 5 && start - begin > 500000)
        break;
      operate (op, source, destination, NULL);
      values[n] = (gdouble) (g_get_monotonic_time () - start) / 1000.0;
    }
  return median (values, n);
}

/* ---- The GPU's clock ----------------------------------------------- */

/* What the library does without. */
typedef struct
{
  IsoluxCuda *cuda;
  CudaResult (*elapsed) (gfloat *ms, gpointer start, gpointer end);
  CudaResult (*copy) (CudaAddress destination,
                      CudaAddress source,
                      gsize       bytes,
                      gpointer    stream);
  gpointer stream, start, end;
} Gpu;

static gboolean
gpu_open (Gpu *gpu, IsoluxDevice *device)
{
  GModule          *module = g_module_open ("libcuda.so.1", 0);
  const CudaDriver *driver;

  gpu->cuda = isolux_device_get_cuda (device);
  if (! module || ! gpu->cuda ||
      ! g_module_symbol (module, "cuEventElapsedTime",
                         (gpointer *) &gpu->elapsed) ||
      ! g_module_symbol (module, "cuMemcpyDtoDAsync_v2",
                         (gpointer *) &gpu->copy))
    return FALSE;
  driver = &gpu->cuda->driver;
  return driver->cuCtxPushCurrent_v2 (gpu->cuda->context) == 0 &&
         driver->cuStreamCreate (&gpu->stream, 1) == 0 &&
         driver->cuEventCreate (&gpu->start, 0) == 0 &&
         driver->cuEventCreate (&gpu->end, 0) == 0;
}

static gdouble
gpu_elapsed (Gpu *gpu)
{
  gfloat ms = NAN;

  gpu->cuda->driver.cuEventSynchronize (gpu->end);
  gpu->elapsed (&ms, gpu->start, gpu->end);
  return ms;
}

/* Microseconds on the device; NAN for calls that wait for themselves. */
static gdouble
time_device (Gpu *gpu, Op op, IsoluxSurface *source, IsoluxSurface *destination)
{
  const IsoluxImage *image = isolux_surface_get_image (source);
  const IsoluxImage *other = isolux_surface_get_image (destination);
  const IsoluxView   from = { source->pixels.data, source->pixels.stride };
  const IsoluxView   to = { destination->pixels.data,
                            destination->pixels.stride };
  const CudaDriver  *driver = &gpu->cuda->driver;
  gdouble            values[REPETITIONS];
  GError            *error = NULL;
  IsoluxSurface     *a, *b;
  gint               i;

  if (op == OP_HISTOGRAM)
    return NAN;
  a = isolux_surface_wrap (source->device, image, &from, gpu->stream, &error);
  must (a != NULL, error);
  b = isolux_surface_wrap (source->device, other, &to, gpu->stream, &error);
  must (b != NULL, error);
  operate (op, a, b, NULL);
  for (i = 0; i < repetitions; i++)
    {
      driver->cuStreamSynchronize (gpu->stream);
      driver->cuEventRecord (gpu->start, gpu->stream);
      operate (op, a, b, NULL);
      driver->cuEventRecord (gpu->end, gpu->stream);
      values[i] = gpu_elapsed (gpu) * 1000.0;
    }
  isolux_surface_unref (a);
  isolux_surface_unref (b);
  return median (values, repetitions);
}

static gdouble
time_device_copy (Gpu           *gpu,
                  IsoluxSurface *source,
                  IsoluxSurface *destination,
                  gsize          bytes)
{
  const CudaDriver *driver = &gpu->cuda->driver;
  gdouble           values[REPETITIONS];
  gint              i;

  for (i = 0; i < repetitions; i++)
    {
      driver->cuStreamSynchronize (gpu->stream);
      driver->cuEventRecord (gpu->start, gpu->stream);
      gpu->copy ((CudaAddress) destination->pixels.data,
                 (CudaAddress) source->pixels.data, bytes, gpu->stream);
      driver->cuEventRecord (gpu->end, gpu->stream);
      values[i] = gpu_elapsed (gpu) * 1000.0;
    }
  return median (values, repetitions);
}

/* ---- Rows ---------------------------------------------------------- */

typedef struct
{
  const guint8 *from;
  guint8       *to;
  gsize         row_bytes;
  Op            op;
} Rows;

static gboolean
read_rows (gint64 y, gint64 n, gpointer data, gsize stride, gpointer user_data)
{
  const Rows *rows = user_data;
  gint64      i;

  for (i = 0; i < n; i++)
    memcpy ((guint8 *) data + (gsize) i * stride,
            rows->from + (gsize) (y + i) * rows->row_bytes, rows->row_bytes);
  return TRUE;
}

static gboolean
write_rows (gint64 y, gint64 n, gpointer data, gsize stride, gpointer user_data)
{
  const Rows *rows = user_data;
  gint64      i;

  for (i = 0; i < n; i++)
    memcpy (rows->to + (gsize) (y + i) * rows->row_bytes,
            (const guint8 *) data + (gsize) i * stride, rows->row_bytes);
  return TRUE;
}

static gboolean
operate_process (IsoluxSurface *source,
                 IsoluxSurface *destination,
                 gpointer       user_data,
                 IsoluxReport  *report,
                 GError       **error)
{
  operate (((Rows *) user_data)->op, source, destination, report);
  return TRUE;
}

/* Milliseconds from host memory to host memory; those of each part. */
static gdouble
time_rows (IsoluxDevice      *device,
           Op                 op,
           const IsoluxImage *image,
           const guint8      *from,
           guint8            *to,
           gdouble            parts[3])
{
  Rows    rows = { from, to, isolux_image_row_bytes (image), op };
  gdouble values[REPETITIONS], split[3][REPETITIONS];
  gint    i, k;

  for (i = -2; i < repetitions; i++)
    {
      const gint64  start = g_get_monotonic_time ();
      IsoluxProcess process = { 0 };
      IsoluxReport  report;
      GError       *error = NULL;

      process.source = process.destination = *image;
      process.read = read_rows;
      process.write = op == OP_HISTOGRAM ? NULL : write_rows;
      process.rows_data = &rows;
      process.operation = operate_process;
      process.operation_data = &rows;
      must (isolux_process (device, &process, &report, &error), error);
      if (report.warning[0])
        fprintf (stderr, "timing: warning: %s\n", report.warning);
      if (i < 0)
        continue;
      values[i] = (gdouble) (g_get_monotonic_time () - start) / 1000.0;
      split[0][i] = report.upload_ms;
      split[1][i] = report.compute_ms;
      split[2][i] = report.download_ms;
    }
  for (k = 0; k < 3; k++)
    parts[k] = median (split[k], repetitions);
  return median (values, repetitions);
}

static gdouble
time_memcpy (guint8 *to, const guint8 *from, gsize bytes)
{
  gdouble values[REPETITIONS];
  gint    i;

  for (i = 0; i < repetitions; i++)
    {
      const gint64 start = g_get_monotonic_time ();

      memcpy (to, from, bytes);
      values[i] = (gdouble) (g_get_monotonic_time () - start) / 1000.0;
    }
  return median (values, repetitions);
}

/* ---- The table ----------------------------------------------------- */

static void
print_time (gdouble value, gint decimals)
{
  if (isnan (value))
    printf ("%10s", "-");
  else
    printf ("%10.*f", decimals, value);
}

static void
surfaces_new (IsoluxDevice      *device,
              const IsoluxImage *image,
              const guint8      *pixels,
              IsoluxSurface    **source,
              IsoluxSurface    **destination)
{
  const IsoluxView view = { (gpointer) pixels, isolux_image_row_bytes (image) };
  GError          *error = NULL;

  *source = isolux_surface_new (device, image, &error);
  must (*source != NULL, error);
  *destination = isolux_surface_new (device, image, &error);
  must (*destination != NULL, error);
  must (isolux_surface_upload (*source, &view, NULL, &error), error);
  must (isolux_surface_upload (*destination, &view, NULL, &error), error);
}

static void
measure (IsoluxDevice *cpu,
         IsoluxDevice *cuda,
         Gpu          *gpu,
         Op            op,
         IsoluxType    type,
         Data          data)
{
  const IsoluxImage image = { side, side, op == OP_GRAYSCALE ? 3 : 1, type, 0 };
  const gsize       bytes = isolux_image_row_bytes (&image) * (gsize) side;
  guint8           *from = picture_new (type, image.components, data);
  guint8           *to = g_malloc0 (bytes);
  IsoluxSurface    *source, *destination;
  gdouble           device = NAN, call = NAN, rows = NAN, copy = NAN, host;
  gdouble           parts[3] = { NAN, NAN, NAN }, serial;

  if (cuda)
    {
      surfaces_new (cuda, &image, from, &source, &destination);
      if (gpu)
        {
          device = time_device (gpu, op, source, destination);
          copy = time_device_copy (gpu, source, destination, bytes);
        }
      call = time_call (op, source, destination) * 1000.0;
      isolux_surface_unref (source);
      isolux_surface_unref (destination);
      rows = time_rows (cuda, op, &image, from, to, parts);
    }
  surfaces_new (cpu, &image, from, &source, &destination);
  serial = time_call (op, source, destination);
  isolux_surface_unref (source);
  isolux_surface_unref (destination);
  host = time_memcpy (to, from, bytes);

  printf ("%-10s %-4s %-9s", op_names[op], type_names[type], data_names[data]);
  print_time (device, 1);
  print_time (copy, 1);
  print_time (call, 1);
  print_time (rows, 2);
  print_time (parts[0], 2);
  print_time (parts[1], 2);
  print_time (parts[2], 2);
  print_time (serial, 2);
  print_time (host, 2);
  putchar ('\n');
  fflush (stdout);
  g_free (from);
  g_free (to);
}

int
main (int argc, char **argv)
{
  IsoluxDevice *cpu, *cuda = NULL;
  Gpu           gpu = { 0 };
  gboolean      clock = FALSE, only_cpu = FALSE;
  GError       *error = NULL;
  gchar        *text;
  gint          i, op, type, data;

  for (i = 1; i < argc; i++)
    if (strcmp (argv[i], "--quick") == 0)
      {
        side = 256;
        repetitions = 3;
      }
    else if (strcmp (argv[i], "--cpu") == 0)
      only_cpu = TRUE;
    else
      side = CLAMP (g_ascii_strtoll (argv[i], NULL, 10), 1, 32768);

  cpu = isolux_device_open (ISOLUX_BACKEND_CPU, 0, &error);
  must (cpu != NULL, error);
  if (! only_cpu)
    {
      const gint64 start = g_get_monotonic_time ();

      cuda = isolux_device_open (ISOLUX_BACKEND_CUDA, 0, &error);
      if (cuda)
        printf ("CUDA started in %.0f ms\n",
                (gdouble) (g_get_monotonic_time () - start) / 1000.0);
      else
        {
          printf ("CUDA: off (%s)\n", error->message);
          g_clear_error (&error);
        }
    }
  text = isolux_device_describe (cuda ? cuda : cpu);
  printf ("%s\n", text);
  g_free (text);
  if (cuda)
    clock = gpu_open (&gpu, cuda);

  printf ("%" G_GINT64_FORMAT " x %" G_GINT64_FORMAT " (grayscale: RGB), "
          "medians of %d\n"
          "%-25s%10s%10s%10s%10s%10s%10s%10s%10s%10s\n"
          "%-25s%10s%10s%10s%10s%10s%10s%10s%10s%10s\n",
          side, side, repetitions, "", "device", "copy", "call", "rows",
          "upload", "compute", "download", "cpu", "memcpy", "", "us", "us",
          "us", "ms", "ms", "ms", "ms", "ms", "ms");
  for (op = 0; op < N_OPS; op++)
    for (type = ISOLUX_TYPE_U8; type <= ISOLUX_TYPE_F32; type++)
      for (data = 0; data < N_DATA; data++)
        measure (cpu, cuda, clock ? &gpu : NULL, (Op) op, (IsoluxType) type,
                 (Data) data);

  if (clock)
    {
      gpu.cuda->driver.cuEventDestroy_v2 (gpu.start);
      gpu.cuda->driver.cuEventDestroy_v2 (gpu.end);
      gpu.cuda->driver.cuStreamDestroy_v2 (gpu.stream);
      isolux_cuda_leave (gpu.cuda);
    }
  isolux_device_unref (cuda);
  isolux_device_unref (cpu);
  return 0;
}
