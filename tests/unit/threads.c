/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One device, several threads: the bytes are those of one alone. */
#include "unit.h"

#include <string.h>

#define THREADS 8
#define ROUNDS 12

typedef struct
{
  IsoluxDevice  *device;
  IsoluxSurface *shared; /* read by all */
  guint64       *shared_counts;
  gint           number;
  gboolean       good;
} Worker;

/* A picture of its own for each round, its operation, and what comes out. */
static gboolean
work_once (Worker *worker, gint round)
{
  Random random =
    random_new (test_seed (),
                5000u + (guint64) (worker->number * ROUNDS + round));
  const IsoluxImage     image = { 1 + (gint64) random_below (&random, 400),
                                  1 + (gint64) random_below (&random, 300),
                                  1 + (gint) random_below (&random, 4),
                                  (IsoluxType) random_below (&random, 3), 0 };
  IsoluxEqualizeOptions equalize = ISOLUX_EQUALIZE_DEFAULTS;
  IsoluxGrayOptions     gray = ISOLUX_GRAY_DEFAULTS;
  const gboolean        is_gray = round % 2;
  IsoluxSurface        *surface, *destination;
  IsoluxHistogram      *h;
  Buffer                in, expected, out;
  RefImage              source, wanted;
  gboolean              good;
  gint64                x, y;

  equalize.clip_limit = round % 3;
  equalize.channels = (IsoluxEqualizeChannels) (round % 2);
  gray.method = (IsoluxGrayMethod) (round % 3);
  buffer_init (&in, &image, 1, 0);
  buffer_init (&expected, &image, 0, 0);
  buffer_init (&out, &image, 2, 0);
  buffer_fill (&in, VALUES_RANDOM, &random);
  source = buffer_to_ref (&in);
  wanted = buffer_to_ref (&expected);
  if (is_gray)
    ref_grayscale (&source, &wanted, &gray, NULL);
  else
    ref_equalize (&source, &wanted, &equalize);

  surface = isolux_surface_new (worker->device, &image, NULL);
  destination = isolux_surface_new (worker->device, &image, NULL);
  good = isolux_surface_upload (surface, &in.view, NULL, NULL) &&
         (is_gray
            ? isolux_grayscale (surface, destination, &gray, NULL, NULL)
            : isolux_equalize (surface, destination, &equalize, NULL, NULL)) &&
         isolux_surface_download (destination, &out.view, NULL, NULL) &&
         buffer_equal (&out, &expected, &x, &y) && buffer_guards_hold (&out);
  isolux_surface_unref (surface);
  isolux_surface_unref (destination);
  buffer_clear (&in);
  buffer_clear (&expected);
  buffer_clear (&out);

  h = isolux_histogram (worker->shared, NULL, NULL, NULL);
  good =
    good && h &&
    memcmp (h->counts, worker->shared_counts, sizeof (guint64) * h->bins) == 0;
  isolux_histogram_free (h);
  return good;
}

static gpointer
work (gpointer data)
{
  Worker *worker = data;
  gint    round;

  for (round = 0; round < ROUNDS && worker->good; round++)
    worker->good = work_once (worker, round);
  return NULL;
}

static void
test_threads (gconstpointer kind)
{
  const IsoluxImage image = { 700, 500, 3, ISOLUX_TYPE_U16, 0 };
  IsoluxDevice     *device =
    GPOINTER_TO_INT (kind) == ISOLUX_BACKEND_CUDA ? test_cuda () : test_cpu (2);
  Random           random = random_new (test_seed (), 4999);
  Worker           workers[THREADS];
  GThread         *threads[THREADS];
  Buffer           buffer;
  IsoluxSurface   *shared;
  IsoluxHistogram *h;
  gint             i;

  if (! device)
    return;
  buffer_init (&buffer, &image, 0, 0);
  buffer_fill (&buffer, VALUES_RANDOM, &random);
  shared = surface_of (device, 700, 500, 3, ISOLUX_TYPE_U16, buffer.view.data);
  h = isolux_histogram (shared, NULL, NULL, NULL);
  for (i = 0; i < THREADS; i++)
    {
      workers[i] = (Worker) { device, shared, h->counts, i, TRUE };
      threads[i] = g_thread_new ("worker", work, &workers[i]);
    }
  for (i = 0; i < THREADS; i++)
    g_thread_join (threads[i]);
  for (i = 0; i < THREADS; i++)
    g_assert_true (workers[i].good);
  isolux_histogram_free (h);
  isolux_surface_unref (shared);
  buffer_clear (&buffer);
  isolux_device_unref (device);
}

static gpointer
get_default (gpointer unused)
{
  return isolux_device_get_default ();
}

static void
test_default (void)
{
  GThread *threads[THREADS];
  gpointer devices[THREADS];
  gint     i;

  for (i = 0; i < THREADS; i++)
    threads[i] = g_thread_new ("default", get_default, NULL);
  for (i = 0; i < THREADS; i++)
    devices[i] = g_thread_join (threads[i]);
  g_assert_nonnull (devices[0]);
  for (i = 1; i < THREADS; i++)
    g_assert_true (devices[i] == devices[0]);
}

void
add_thread_tests (void)
{
  g_test_add_data_func ("/unit/threads/cpu",
                        GINT_TO_POINTER (ISOLUX_BACKEND_CPU), test_threads);
  g_test_add_data_func ("/unit/threads/cuda",
                        GINT_TO_POINTER (ISOLUX_BACKEND_CUDA), test_threads);
  g_test_add_func ("/unit/threads/default", test_default);
}
