/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Local binary patterns and oriented gradients while each allocation and each
 * call of the CUDA driver fails in turn, once and for good: the right result
 * or a clear error, nothing leaks, and the next call works.
 */
#include "patterns.h"

#include <string.h>

typedef enum
{
  JOB_LBP,
  JOB_LBP_VAR,
  JOB_LBP_HISTOGRAM,
  JOB_HOG,
  JOB_GLYPHS,
  JOB_MAGNITUDE,
  N_JOBS
} JobKind;

static const gchar *const job_names[] = { "lbp", "lbp-var", "lbp-histogram",
                                          "hog", "glyphs",  "magnitude" };

/* What a run gave. */
typedef struct
{
  JobKind  kind;
  gpointer values;
  gsize    size;
} Job;

static gboolean
run_job (IsoluxSurface *source,
         IsoluxSurface *destination,
         gpointer       user_data,
         GError       **error)
{
  IsoluxLbpOptions lbp = ISOLUX_LBP_DEFAULTS;
  IsoluxHogOptions hog = ISOLUX_HOG_DEFAULTS;
  Job             *job = user_data;
  guint64         *counts;
  IsoluxHog       *found;
  gsize            n;

  switch (job->kind)
    {
      case JOB_LBP:
        return isolux_lbp (source, destination, &lbp, NULL, error);
      case JOB_LBP_VAR:
        lbp.method = ISOLUX_LBP_VAR;
        return isolux_lbp (source, destination, &lbp, NULL, error);
      case JOB_LBP_HISTOGRAM:
        if (! isolux_lbp_histogram (source, &lbp, &counts, &n, NULL, error))
          return FALSE;
        job->values = counts;
        job->size = n * sizeof (guint64);
        return TRUE;
      case JOB_HOG:
        found = isolux_hog (source, &hog, NULL, error);
        if (! found)
          return FALSE;
        job->size = found->n_values * sizeof (gdouble);
        job->values = g_memdup2 (found->values, job->size);
        isolux_hog_free (found);
        return TRUE;
      case JOB_MAGNITUDE:
        hog.picture = ISOLUX_HOG_MAGNITUDE;
        return isolux_hog_picture (source, destination, &hog, NULL, error);
      default:
        return isolux_hog_picture (source, destination, &hog, NULL, error);
    }
}

static gboolean
run_once (IsoluxDevice *device, const Buffer *input, Job *job, GError **error)
{
  const gboolean picture = job->kind != JOB_HOG &&
                           job->kind != JOB_LBP_HISTOGRAM;
  Buffer   output;
  gboolean success;

  buffer_init (&output, &input->image, 0, 0);
  success = patterns_run (device, FALSE, NULL, input, NULL,
                          picture ? &output : NULL, run_job, job, error);
  if (success && picture)
    {
      job->size = output.row_bytes * (gsize) output.image.height;
      job->values = g_memdup2 (output.view.data, job->size);
    }
  buffer_clear (&output);
  return success;
}

static void
fail_in_turn (IsoluxDevice *device, JobKind kind, IsoluxFault fault)
{
  const IsoluxImage image = { 61, 47, 4, ISOLUX_TYPE_U16, 0 };
  Random            random = random_new (test_seed (), kind);
  Job               wanted = { kind, NULL, 0 };
  GError           *error = NULL;
  Buffer            input;
  guint             calls, i, sticky;

  buffer_init (&input, &image, 0, 0);
  buffer_fill (&input, VALUES_RANDOM, &random);
  /* the first run fills what is kept */
  g_assert_true (run_once (device, &input, &wanted, &error));
  g_free (wanted.values);
  isolux_fault_arm (fault, 0, FALSE);
  g_assert_true (run_once (device, &input, &wanted, &error));
  calls = isolux_fault_calls (fault);
  g_assert_cmpuint (calls, >, 0);
  for (i = 1; i <= calls; i++)
    for (sticky = 0; sticky < 2; sticky++)
      {
        Job      job = { kind, NULL, 0 };
        gboolean success;

        isolux_fault_arm (fault, i, (gboolean) sticky);
        success = run_once (device, &input, &job, &error);
        isolux_fault_arm (fault, 0, FALSE);
        if (success)
          g_assert_cmpmem (job.values, job.size, wanted.values, wanted.size);
        else
          assert_error (error, fault == ISOLUX_FAULT_MEMORY
                                 ? ISOLUX_ERROR_MEMORY
                                 : ISOLUX_ERROR_DEVICE);
        g_assert_no_error (error);
        g_free (job.values);
        g_assert_true (run_once (device, &input, &job, &error));
        g_assert_cmpmem (job.values, job.size, wanted.values, wanted.size);
        g_free (job.values);
      }
  g_free (wanted.values);
  buffer_clear (&input);
}

static void
test_cpu_memory (gconstpointer kind)
{
  IsoluxDevice *device = test_cpu (2);

  fail_in_turn (device, (JobKind) GPOINTER_TO_INT (kind), ISOLUX_FAULT_MEMORY);
  isolux_device_unref (device);
}

static void
test_cuda_calls (gconstpointer kind)
{
  IsoluxDevice *device = test_cuda ();

  if (! device)
    return;
  fail_in_turn (device, (JobKind) GPOINTER_TO_INT (kind), ISOLUX_FAULT_CUDA);
  fail_in_turn (device, (JobKind) GPOINTER_TO_INT (kind), ISOLUX_FAULT_MEMORY);
  isolux_device_unref (device);
}

int
main (int argc, char **argv)
{
  gint kind;

  g_test_init (&argc, &argv, NULL);
  test_seed ();
  for (kind = 0; kind < N_JOBS; kind++)
    {
      gchar *path = g_strdup_printf ("/fault/cpu/%s", job_names[kind]);

      g_test_add_data_func (path, GINT_TO_POINTER (kind), test_cpu_memory);
      g_free (path);
      path = g_strdup_printf ("/fault/cuda/%s", job_names[kind]);
      g_test_add_data_func (path, GINT_TO_POINTER (kind), test_cuda_calls);
      g_free (path);
    }
  return g_test_run ();
}
