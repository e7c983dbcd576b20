/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * From which size on an image is done earlier by CUDA than by the CPU, on this
 * machine: whole calls of CLAHE, which is what most is asked for, measured.
 */
#include "internal.h"

#include <string.h>

#define SMALLEST_SIDE 256
#define SIZES 4 /* each side twice the one before */
#define ROUNDS 3

typedef struct
{
  guint8 *from, *to;
  gsize   stride;
} Picture;

static gboolean
read_rows (gint64 y, gint64 rows, gpointer data, gsize stride, gpointer of)
{
  const Picture *p = of;

  for (gint64 i = 0; i < rows; i++)
    memcpy ((guint8 *) data + (gsize) i * stride,
            p->from + (gsize) (y + i) * p->stride, p->stride);
  return TRUE;
}

static gboolean
write_rows (gint64 y, gint64 rows, gpointer data, gsize stride, gpointer of)
{
  const Picture *p = of;

  for (gint64 i = 0; i < rows; i++)
    memcpy (p->to + (gsize) (y + i) * p->stride,
            (const guint8 *) data + (gsize) i * stride, p->stride);
  return TRUE;
}

static gboolean
operate (IsoluxSurface *source,
         IsoluxSurface *destination,
         gpointer       user_data,
         IsoluxReport  *report,
         GError       **error)
{
  return isolux_clahe (source, destination, NULL, report, error);
}

/* The least time of some calls in microseconds, or -1. */
static gint64
measure (IsoluxDevice        *device,
         const IsoluxBackend *backend,
         const Picture       *picture)
{
  IsoluxProcess process = { 0 };
  gint64        least = -1;

  process.source.width = process.source.height = (gint64) picture->stride;
  process.source.components = 1;
  process.source.type = ISOLUX_TYPE_U8;
  process.destination = process.source;
  process.read = read_rows;
  process.write = write_rows;
  process.rows_data = (gpointer) picture;
  process.operation = operate;
  /* the first call loads kernels and makes memory */
  for (gint i = 0; i <= ROUNDS; i++)
    {
      const gint64 start = g_get_monotonic_time ();
      gint64       took;
      IsoluxReport report;

      isolux_report_clear (&report);
      if (! isolux_process_on (device, backend, &process, &report, NULL) ||
          report.warning[0])
        return -1;
      took = g_get_monotonic_time () - start;
      if (i > 0 && (least < 0 || took < least))
        least = took;
    }
  return least;
}

guint64
isolux_crossover (const guint64 *bytes,
                  const gint64  *cpu,
                  const gint64  *cuda,
                  gint           n)
{
  gdouble behind, gained;
  gint    i = n;

  while (i > 0 && cuda[i - 1] <= cpu[i - 1])
    i--;
  if (i < n)
    return i ? bytes[i] : 1;
  behind = (gdouble) (cuda[n - 1] - cpu[n - 1]);
  gained = (gdouble) (cuda[n - 2] - cpu[n - 2]) - behind;
  /* it does not catch up */
  if (gained <= 0.0 || behind / gained > 1e6)
    return G_MAXUINT64;
  return bytes[n - 1] +
         (guint64) ((gdouble) (bytes[n - 1] - bytes[n - 2]) * behind / gained);
}

gboolean
isolux_crossover_measure (IsoluxDevice *device, guint64 *from)
{
  const gsize most = (gsize) SMALLEST_SIDE << (SIZES - 1);
  guint64     bytes[SIZES];
  gint64      cpu[SIZES], cuda[SIZES];
  Picture     picture = { NULL, NULL, 0 };
  gboolean    success;

  picture.from = isolux_try_alloc (most, most, NULL);
  picture.to = isolux_try_alloc (most, most, NULL);
  success = picture.from && picture.to;
  if (success)
    for (gsize i = 0; i < most * most; i++)
      picture.from[i] = (guint8) (i * 31 / 64 + i / most * 7 / 8);
  for (gint i = 0; success && i < SIZES; i++)
    {
      picture.stride = (gsize) SMALLEST_SIDE << i;
      bytes[i] = (guint64) picture.stride * picture.stride;
      cpu[i] = measure (device, &isolux_backend_cpu, &picture);
      cuda[i] = measure (device, &isolux_backend_cuda, &picture);
      success = cpu[i] >= 0 && cuda[i] >= 0;
    }
  if (success)
    *from = isolux_crossover (bytes, cpu, cuda, SIZES);
  g_free (picture.from);
  g_free (picture.to);
  return success;
}
