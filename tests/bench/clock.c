/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The host's clock: repetitions, medians, the floor of memory. */
#include "bench.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

Patience patience = { 0.4, 5, 200 };
gboolean processor_time;

gdouble
now_ms (void)
{
  struct timespec t;

  if (processor_time && clock_gettime (CLOCK_PROCESS_CPUTIME_ID, &t) == 0)
    return (gdouble) t.tv_sec * 1000.0 + (gdouble) t.tv_nsec / 1e6;
  return (gdouble) g_get_monotonic_time () / 1000.0;
}

static gint
compare (gconstpointer a, gconstpointer b)
{
  const gdouble x = *(const gdouble *) a, y = *(const gdouble *) b;

  return x < y ? -1 : x > y;
}

void
times_of (Times *times, gdouble *values, gint n)
{
  memset (times, 0, sizeof *times);
  if (n < 1)
    return;
  qsort (values, (gsize) n, sizeof *values, compare);
  times->n = n;
  times->least = values[0];
  times->low = values[n / 4];
  times->median = values[n / 2];
  times->high = values[n - 1 - n / 4];
}

gboolean
enough (gint n, gdouble begin_ms)
{
  return n >= patience.most ||
         (n >= patience.least &&
          now_ms () - begin_ms > patience.seconds * 1000.0);
}

gboolean
time_work (WorkFunc work, gpointer data, Times *times, GError **error)
{
  gdouble *values = g_new (gdouble, patience.most);
  gdouble  begin;
  gint     n = 0;
  gboolean success = work (data, error);

  begin = now_ms ();
  while (success && ! enough (n, begin))
    {
      const gdouble start = now_ms ();

      success = work (data, error);
      values[n++] = now_ms () - start;
    }
  times_of (times, values, success ? n : 0);
  g_free (values);
  return success;
}

/* ---- The floor ---------------------------------------------------------- */

typedef struct
{
  guint8  *from, *to;
  gsize    reads, writes;
  gint     threads;
  guint64 *sums; /* so that nothing is left out */
} Floor;

/* A thread's share: what is written is copied, the rest is read. */
static guint64
floor_share (const Floor *f, gint i)
{
  const gsize first = f->writes * (gsize) i / (gsize) f->threads;
  const gsize last = f->writes * (gsize) (i + 1) / (gsize) f->threads;
  const gsize more = f->reads > f->writes ? f->reads - f->writes : 0;
  const gsize begin = more * (gsize) i / (gsize) f->threads / 64 * 64;
  const gsize end = more * (gsize) (i + 1) / (gsize) f->threads / 64 * 64;
  guint64     sum[8] = { 0 };

  memcpy (f->to + first, f->from + first, last - first);
  for (gsize at = f->writes / 64 * 64 + begin; at < f->writes / 64 * 64 + end;
       at += 64)
    {
      guint64 line[8];

      memcpy (line, f->from + at, sizeof line);
      for (gint k = 0; k < 8; k++)
        sum[k] += line[k];
    }
  return sum[0] + sum[1] + sum[2] + sum[3] + sum[4] + sum[5] + sum[6] + sum[7];
}

static gboolean
floor_work (gpointer data, GError **error)
{
  Floor *f = data;

#pragma omp parallel for num_threads(f->threads) schedule(static)
  for (gint i = 0; i < f->threads; i++)
    f->sums[i * 8] += floor_share (f, i);
  return TRUE;
}

gdouble
time_host_floor (gsize reads, gsize writes, gint threads)
{
  static gsize   last_reads, last_writes;
  static gint    last_threads;
  static gdouble last;
  Floor          f = { 0 };
  Times          times;

  if (reads == last_reads && writes == last_writes && threads == last_threads)
    return last;
  f.reads = reads;
  f.writes = MIN (writes, reads);
  f.threads = threads;
  f.from = g_malloc (reads + 64);
  f.to = g_malloc (writes + 64);
  f.sums = g_new0 (guint64, threads * 8);
  memset (f.from, 1, reads + 64);
  memset (f.to, 1, writes + 64);
  time_work (floor_work, &f, &times, NULL);
  g_free (f.from);
  g_free (f.to);
  g_free (f.sums);
  last_reads = reads;
  last_writes = writes;
  last_threads = threads;
  last = times.median;
  return last;
}

/* ---- Rows --------------------------------------------------------------- */

static gboolean
read_rows (gint64 y, gint64 n, gpointer data, gsize stride, gpointer user_data)
{
  const Rows *rows = user_data;

  for (gint64 i = 0; i < n; i++)
    memcpy ((guint8 *) data + (gsize) i * stride,
            rows->from + (gsize) (y + i) * rows->from_bytes, rows->from_bytes);
  return TRUE;
}

static gboolean
write_rows (gint64 y, gint64 n, gpointer data, gsize stride, gpointer user_data)
{
  const Rows *rows = user_data;

  for (gint64 i = 0; i < n; i++)
    memcpy (rows->to + (gsize) (y + i) * rows->to_bytes,
            (const guint8 *) data + (gsize) i * stride, rows->to_bytes);
  return TRUE;
}

static gboolean
operate (IsoluxSurface *source,
         IsoluxSurface *destination,
         gpointer       user_data,
         IsoluxReport  *report,
         GError       **error)
{
  const Rows *rows = user_data;

  return rows->c->operation->run (rows->c, source, destination, NULL, report,
                                  error);
}

void
rows_init (Rows          *rows,
           IsoluxProcess *process,
           const Case    *c,
           const guint8  *from)
{
  memset (process, 0, sizeof *process);
  process->source = case_source_image (c);
  process->destination = case_result_image (c);
  rows->c = c;
  rows->from = from;
  rows->from_bytes = isolux_image_row_bytes (&process->source);
  rows->to_bytes = isolux_image_row_bytes (&process->destination);
  rows->to = g_malloc0 (MAX (1, image_bytes (&process->destination)));
  process->read = read_rows;
  process->write = c->operation->result ? write_rows : NULL;
  process->rows_data = rows;
  process->operation = operate;
  process->operation_data = rows;
}

gboolean
time_rows (IsoluxDevice *device,
           const Case   *c,
           Times        *times,
           gdouble       parts[3],
           GError      **error)
{
  IsoluxProcess process;
  Rows          rows;
  gdouble      *values = g_new (gdouble, 4 * patience.most);
  gdouble       begin = 0.0;
  gboolean      success = TRUE;
  gint          n = -2; /* two to warm up */

  rows_init (&rows, &process, c, case_pixels (c));
  while (success && (n < 1 || ! enough (n, begin)))
    {
      const gdouble start = now_ms ();
      IsoluxReport  report;

      success = isolux_process (device, &process, &report, error);
      if (success && n >= 0)
        {
          values[n] = now_ms () - start;
          values[patience.most + n] = report.upload_ms;
          values[2 * patience.most + n] = report.compute_ms;
          values[3 * patience.most + n] = report.download_ms;
        }
      if (++n == 0)
        begin = now_ms ();
    }
  for (gint i = 3; i >= 0; i--)
    {
      times_of (times, values + i * patience.most, success ? n : 0);
      if (i > 0)
        parts[i - 1] = times->median;
    }
  g_free (rows.to);
  g_free (values);
  return success;
}
