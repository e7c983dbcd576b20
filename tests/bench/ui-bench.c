/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How fast the dialog's engine follows a slider: CLAHE's clip limit changes 60
 * times a second, as in a drag, and each result that comes is counted.
 *
 *   isolux-ui-bench [--quick] [--cpu] [SIDE]
 *
 * Gray images of SIDE x SIDE pixels (4096), shown in 900 x 600; --quick: 512
 * and short drags; --cpu: not on CUDA.  Milliseconds are medians.
 *
 *   library  the operation and its tables, on pixels that are there
 *   whole    a result with histograms, statistics, curves and pixels
 *   quick    a result of the visible part alone ("-": none was needed)
 *   rest     from the last change to the result with numbers
 *   busy     processor time of all threads for that, however busy others keep
 *            the machine
 *   pixels   results a second
 *   numbers  results with numbers a second
 */
#include "engine.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define MOST_RESULTS 4096
#define VIEW_WIDTH 900
#define VIEW_HEIGHT 600
#define FRAME_MS 16

static gint64  side = 4096;
static gdouble seconds = 4.0;

/* ---- Medians ----------------------------------------------------------- */

typedef struct
{
  gdouble values[MOST_RESULTS];
  gint    n;
} Values;

static void
values_add (Values *values, gdouble value)
{
  if (values->n < MOST_RESULTS)
    values->values[values->n++] = value;
}

static gint
compare (gconstpointer a, gconstpointer b)
{
  const gdouble x = *(const gdouble *) a, y = *(const gdouble *) b;

  return x < y ? -1 : x > y;
}

static void
print_median (Values *values)
{
  qsort (values->values, (gsize) values->n, sizeof (gdouble), compare);
  if (values->n)
    printf ("%10.1f", values->values[values->n / 2]);
  else
    printf ("%10s", "-");
}

/* ---- A drag -------------------------------------------------------------- */

typedef struct
{
  IsoluxEngine   *engine;
  IsoluxOperation operation;
  gint            changes;
  gboolean        dragging;
  Values          library, whole, quick;
  gint            n_pixels, n_numbers;
} Drag;

static void
on_result (IsoluxEngine *engine, IsoluxEngineResult *result, Drag *drag)
{
  if (result->error)
    {
      fprintf (stderr, "isolux-ui-bench: %s\n", result->error->message);
      exit (1);
    }
  if (result->report.warning[0])
    fprintf (stderr, "isolux-ui-bench: %s\n", result->report.warning);
  if (! drag->dragging)
    return;
  drag->n_pixels += result->after_pixels != NULL;
  drag->n_numbers += result->numbers;
  if (! result->numbers)
    values_add (&drag->quick, result->milliseconds);
  else
    {
      values_add (&drag->library, result->operation_milliseconds);
      values_add (&drag->whole, result->milliseconds);
    }
}

static gboolean
move (gpointer data)
{
  Drag *drag = data;

  drag->operation.options.clahe.clip_limit =
    1.0 + 7.0 * fabs (sin (drag->changes++ / 40.0));
  isolux_engine_set_operation (drag->engine, &drag->operation);
  return G_SOURCE_CONTINUE;
}

static gdouble
milliseconds_since (gint64 start)
{
  return (gdouble) (g_get_monotonic_time () - start) / 1000.0;
}

/* Of all threads. */
static gdouble
processor_milliseconds (void)
{
  return (gdouble) clock () * 1000.0 / CLOCKS_PER_SEC;
}

static void
run_drag (Drag *drag)
{
  const gint64 end = g_get_monotonic_time () + (gint64) (seconds * 1e6);
  guint        clock;

  drag->dragging = TRUE;
  clock = g_timeout_add (FRAME_MS, move, drag);
  while (g_get_monotonic_time () < end)
    g_main_context_iteration (NULL, TRUE);
  g_source_remove (clock);
  drag->dragging = FALSE;
}

/* ---- Pictures ------------------------------------------------------------ */

static guint32
hash (guint32 x)
{
  x ^= x >> 16;
  x *= 0x7feb352du;
  x ^= x >> 15;
  x *= 0x846ca68bu;
  return x ^ x >> 16;
}

/* Waves with noise, as rows of the image come. */
static void
give_rows (IsoluxEngine *engine, IsoluxType type, gint bits)
{
  const gdouble last = (1 << bits) - 1;
  gint64        x, y;

  for (y = 0; y < side; y++)
    {
      gsize    stride;
      gpointer row = isolux_engine_get_rows (engine, y, &stride);

      for (x = 0; x < side; x++)
        {
          const gdouble noise = hash ((guint32) (y * side + x)) / 4294967296.0;
          const gdouble v =
            0.45 + 0.3 * sin ((gdouble) x / 137.0) * cos ((gdouble) y / 153.0) +
            0.1 * (noise - 0.5);

          if (type == ISOLUX_TYPE_U8)
            ((guint8 *) row)[x] = (guint8) (v * last);
          else
            ((guint16 *) row)[x] = (guint16) (v * last);
        }
    }
  isolux_engine_add_rows (engine, 0, side);
}

static void
measure (const gchar *name, IsoluxBackendKind kind, IsoluxType type, gint bits)
{
  const IsoluxRectangle all = { 0, 0, side, side };
  IsoluxEngineImage     image = { 0 };
  Drag                 *drag = g_new0 (Drag, 1);
  IsoluxDeviceInfo      info;
  Values                rest = { .n = 0 }, busy = { .n = 0 };
  GError               *error = NULL;
  gint                  i;

  drag->engine = isolux_engine_new ();
  g_signal_connect (drag->engine, "result", G_CALLBACK (on_result), drag);
  isolux_engine_set_backend (drag->engine, kind);
  isolux_engine_settle (drag->engine);
  isolux_device_get_info (isolux_engine_get_device (drag->engine), &info);
  if (kind == ISOLUX_BACKEND_CUDA && ! info.cuda_ready)
    {
      printf ("CUDA: %s\n", info.cuda_reason);
      g_object_unref (drag->engine);
      g_free (drag);
      return;
    }
  image.image = (IsoluxImage) { side, side, 1, type, 0 };
  image.box = all;
  image.weights[1] = 1.0;
  if (! isolux_engine_begin_image (drag->engine, &image, &error))
    {
      fprintf (stderr, "isolux-ui-bench: %s\n", error->message);
      exit (1);
    }
  give_rows (drag->engine, type, bits);
  isolux_engine_set_view (drag->engine, &all, VIEW_WIDTH, VIEW_HEIGHT);
  isolux_operation_init (&drag->operation, ISOLUX_OPERATION_CLAHE);
  for (i = 0; i < 9; i++)
    {
      const gint64  start = g_get_monotonic_time ();
      const gdouble before = processor_milliseconds ();

      move (drag);
      isolux_engine_settle (drag->engine);
      /* the first ones have to count the original, and to find their pace */
      if (i < 2)
        continue;
      values_add (&rest, milliseconds_since (start));
      values_add (&busy, processor_milliseconds () - before);
    }
  run_drag (drag);
  isolux_engine_settle (drag->engine);

  printf ("%-6s %-10s", kind == ISOLUX_BACKEND_CUDA ? "CUDA" : "CPU", name);
  print_median (&drag->library);
  print_median (&drag->whole);
  print_median (&drag->quick);
  print_median (&rest);
  print_median (&busy);
  printf ("%10.1f%10.1f\n", drag->n_pixels / seconds,
          drag->n_numbers / seconds);
  g_object_unref (drag->engine);
  g_free (drag);
}

int
main (int argc, char **argv)
{
  gboolean cuda = TRUE;
  gint     i;

  for (i = 1; i < argc; i++)
    if (! strcmp (argv[i], "--quick"))
      {
        side = 512;
        seconds = 0.5;
      }
    else if (! strcmp (argv[i], "--cpu"))
      cuda = FALSE;
    else
      side = atoi (argv[i]);
  if (side < 16 || side > 32768)
    {
      fprintf (stderr, "usage: isolux-ui-bench [--quick] [--cpu] [SIDE]\n");
      return 1;
    }
  printf ("CLAHE, %d x %d, view %d x %d, %u processors\n", (gint) side,
          (gint) side, VIEW_WIDTH, VIEW_HEIGHT, g_get_num_processors ());
  printf ("%-17s%10s%10s%10s%10s%10s%10s%10s\n", "", "library", "whole",
          "quick", "rest", "busy", "pixels", "numbers");
  printf ("%-17s%10s%10s%10s%10s%10s%10s%10s\n", "", "ms", "ms", "ms", "ms",
          "ms", "1/s", "1/s");
  for (i = 0; i < 2; i++)
    if (i == 0 || cuda)
      {
        const IsoluxBackendKind kind = i ? ISOLUX_BACKEND_CUDA
                                         : ISOLUX_BACKEND_CPU;

        measure ("u8", kind, ISOLUX_TYPE_U8, 8);
        measure ("u16, 12", kind, ISOLUX_TYPE_U16, 12);
        measure ("u16, 16", kind, ISOLUX_TYPE_U16, 16);
      }
  return 0;
}
