/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Each allocation and each call of the CUDA driver is made to fail in turn,
 * once and for good.  Whatever happens, a call gives the right bytes or a
 * clear error, the input is untouched, nothing leaks (the sanitizer's leak
 * check sees to that) and the next call works.
 */
#include "support.h"

#include <string.h>

typedef enum
{
  JOB_GRAYSCALE,
  JOB_LIGHTNESS, /* needs tables */
  JOB_HISTOGRAM,
  JOB_EQUALIZE,
  JOB_EQUALIZE_EACH,
  JOB_EQUALIZE_IN_PLACE,
  JOB_LUT,
  JOB_CLAHE,
  JOB_WINDOW,
  JOB_CONTRAST_MAP,
  JOB_METRICS,
  JOB_LEAVE_OUT,
  JOB_REDUCE,
  JOB_MAPS,
  JOB_SAMPLE,
  JOB_PROCESS,
  JOB_PROCESS_HISTOGRAM,
  N_JOBS
} JobKind;

static const gchar *const job_names[] = {
  "grayscale",        "lightness",         "histogram",    "equalize",
  "equalize-each",    "equalize-in-place", "lut",          "clahe",
  "window",           "contrast-map",      "metrics",      "leave-out",
  "reduce",           "clahe-maps",        "clahe-sample", "process",
  "process-histogram"
};

#define BINS 65536

/* What one run of a job gives: pixels or counts. */
typedef struct
{
  Buffer  pixels;
  guint64 counts[BINS];
} Result;

typedef struct
{
  JobKind         kind;
  Buffer          input, before;
  guint8         *mask;
  IsoluxRectangle region;
  Result         *result; /* of the run under way */
} Job;

static void
job_init (Job *job, JobKind kind, IsoluxType type)
{
  const IsoluxImage image = { 61, 47, 4, type, 0 };
  Random            random = random_new (test_seed (), 1u + kind);
  gsize             i;

  job->kind = kind;
  job->region = (IsoluxRectangle) { -3, 5, 50, 60 };
  job->mask = g_malloc (50 * 60);
  for (i = 0; i < 50 * 60; i++)
    job->mask[i] = random_below (&random, 4) ? 255 : 0;
  buffer_init (&job->input, &image, 3, 0);
  buffer_fill (&job->input, VALUES_RANDOM, &random);
  buffer_init (&job->before, &image, 3, 0);
  memcpy (job->before.block, job->input.block, job->input.size);
}

static void
job_clear (Job *job)
{
  g_free (job->mask);
  buffer_clear (&job->input);
  buffer_clear (&job->before);
}

static Result *
result_new (const Job *job)
{
  Result *result = g_new0 (Result, 1);

  buffer_init (&result->pixels, &job->input.image, 0, 0);
  return result;
}

static void
result_free (Result *result)
{
  buffer_clear (&result->pixels);
  g_free (result);
}

static void
assert_result (const Job *job, const Result *a, const Result *b)
{
  gint64 x, y;

  if (job->kind == JOB_HISTOGRAM || job->kind == JOB_PROCESS_HISTOGRAM ||
      job->kind == JOB_METRICS || job->kind == JOB_MAPS)
    g_assert_cmpmem (a->counts, sizeof a->counts, b->counts, sizeof b->counts);
  if (job->kind != JOB_HISTOGRAM && job->kind != JOB_PROCESS_HISTOGRAM &&
      job->kind != JOB_METRICS)
    g_assert_true (buffer_equal (&a->pixels, &b->pixels, &x, &y));
  g_assert_true (buffer_guards_hold (&a->pixels));
}

static gboolean
histogram_of (IsoluxSurface *surface,
              Result        *result,
              IsoluxReport  *report,
              GError       **error)
{
  IsoluxHistogram *h = isolux_histogram (surface, NULL, report, error);

  if (! h)
    return FALSE;
  memset (result->counts, 0, sizeof result->counts);
  memcpy (result->counts, h->counts, sizeof (guint64) * h->bins);
  isolux_histogram_free (h);
  return TRUE;
}

static gboolean
lut_of (IsoluxSurface *source,
        IsoluxSurface *destination,
        IsoluxReport  *report,
        GError       **error)
{
  IsoluxHistogram *h = isolux_histogram (source, NULL, report, error);
  IsoluxLut       *lut = h ? isolux_lut_new_equalize (h, NULL, error) : NULL;
  gboolean         success;

  success = lut &&
            isolux_lut_apply (source, destination, lut, NULL, report, error);
  isolux_lut_free (lut);
  isolux_histogram_free (h);
  return success;
}

/* The image against its gray, as bytes. */
static gboolean
metrics_of (IsoluxSurface *source,
            IsoluxSurface *destination,
            Result        *result,
            IsoluxReport  *report,
            GError       **error)
{
  IsoluxReport  step;
  IsoluxMetrics metrics;

  G_STATIC_ASSERT (sizeof metrics <= sizeof result->counts);
  memset (result->counts, 0, sizeof result->counts);
  if (! isolux_grayscale (source, destination, NULL, &step, error) ||
      ! isolux_metrics (source, destination, NULL, &metrics, report, error))
    return FALSE;
  isolux_report_add (report, &step);
  memcpy (result->counts, &metrics, sizeof metrics);
  return TRUE;
}

/* A part of the image, smaller, in a corner of a copy. */
static gboolean
reduce_of (IsoluxSurface *source,
           IsoluxSurface *destination,
           IsoluxReport  *report,
           GError       **error)
{
  const IsoluxRectangle part = { 3, 5, 40, 33 }, corner = { 1, 2, 11, 9 };
  IsoluxReport          step;
  IsoluxSurface        *small;
  gboolean              success;

  if (! isolux_grayscale (source, destination, NULL, report, error))
    return FALSE;
  small = isolux_surface_new_part (destination, &corner, error);
  success = small && isolux_reduce (source, &part, small, &step, error);
  if (success)
    isolux_report_add (report, &step);
  isolux_surface_unref (small);
  return success;
}

/* The median of all tables, and the picture. */
static gboolean
maps_of (IsoluxSurface *source,
         IsoluxSurface *destination,
         Result        *result,
         IsoluxReport  *report,
         GError       **error)
{
  IsoluxClaheMaps *maps = NULL;
  gdouble          curve[256];

  if (! isolux_clahe_with_maps (source, destination, NULL, &maps, report,
                                error))
    return FALSE;
  isolux_clahe_maps_get_curves (maps, 0, 50.0, 256, curve);
  memset (result->counts, 0, sizeof result->counts);
  memcpy (result->counts, curve, sizeof curve);
  isolux_clahe_maps_free (maps);
  return TRUE;
}

/* All pixels as samples. */
static gboolean
sample_of (IsoluxSurface *source,
           IsoluxSurface *destination,
           IsoluxReport  *report,
           GError       **error)
{
  IsoluxClaheMaps *maps = isolux_clahe_maps_new (source, NULL, report, error);
  IsoluxReport     step;
  gint64           places[61];
  gboolean         success;
  gint             i;

  for (i = 0; i < 61; i++)
    places[i] = i;
  success = maps && isolux_clahe_maps_sample (maps, source, places, places,
                                              destination, &step, error);
  isolux_clahe_maps_free (maps);
  return success;
}

static gboolean
operate (IsoluxSurface *source,
         IsoluxSurface *destination,
         gpointer       user_data,
         IsoluxReport  *report,
         GError       **error)
{
  Job                  *job = user_data;
  IsoluxGrayOptions     gray = ISOLUX_GRAY_DEFAULTS;
  IsoluxEqualizeOptions equalize = ISOLUX_EQUALIZE_DEFAULTS;

  equalize.clip_limit = 2.0;
  switch (job->kind)
    {
      case JOB_LIGHTNESS:
        gray.method = ISOLUX_GRAY_LIGHTNESS;
        return isolux_grayscale (source, destination, &gray, report, error);
      case JOB_GRAYSCALE:
        return isolux_grayscale (source, destination, NULL, report, error);
      case JOB_HISTOGRAM:
      case JOB_PROCESS_HISTOGRAM:
        return histogram_of (source, job->result, report, error);
      case JOB_EQUALIZE_EACH:
        equalize.channels = ISOLUX_EQUALIZE_EACH;
        return isolux_equalize (source, destination, &equalize, report, error);
      case JOB_EQUALIZE:
      case JOB_EQUALIZE_IN_PLACE:
      case JOB_PROCESS:
        return isolux_equalize (source, destination, &equalize, report, error);
      case JOB_CLAHE:
        return isolux_clahe (source, destination, NULL, report, error);
      case JOB_LUT:
        return lut_of (source, destination, report, error);
      case JOB_WINDOW:
        return isolux_window (source, destination, NULL, report, error);
      case JOB_CONTRAST_MAP:
        return isolux_contrast_map (source, destination, NULL, report, error);
      case JOB_METRICS:
        return metrics_of (source, destination, job->result, report, error);
      case JOB_LEAVE_OUT:
        return isolux_surface_leave_out (source, 0.0, 64.0, error) &&
               isolux_equalize (source, destination, &equalize, report, error);
      case JOB_REDUCE:
        return reduce_of (source, destination, report, error);
      case JOB_MAPS:
        return maps_of (source, destination, job->result, report, error);
      case JOB_SAMPLE:
        return sample_of (source, destination, report, error);
      case N_JOBS:
        break;
    }
  g_assert_not_reached ();
}

static gboolean
rows_read (gint64   y,
           gint64   rows,
           gpointer data,
           gsize    stride,
           gpointer user_data)
{
  Job *job = user_data;

  for (; rows > 0; rows--, y++, data = (guint8 *) data + stride)
    memcpy (data,
            (guint8 *) job->input.view.data +
              (gsize) y * job->input.view.stride,
            job->input.row_bytes);
  return TRUE;
}

static gboolean
rows_write (gint64   y,
            gint64   rows,
            gpointer data,
            gsize    stride,
            gpointer user_data)
{
  Buffer *pixels = &((Job *) user_data)->result->pixels;

  for (; rows > 0; rows--, y++, data = (guint8 *) data + stride)
    memcpy ((guint8 *) pixels->view.data + (gsize) y * pixels->view.stride,
            data, pixels->row_bytes);
  return TRUE;
}

static gboolean
run_process (Job          *job,
             IsoluxDevice *device,
             IsoluxReport *report,
             GError      **error)
{
  IsoluxProcess process = { 0 };

  process.source = process.destination = job->input.image;
  process.region = &job->region;
  process.mask = job->mask;
  process.mask_stride = 50;
  process.read = rows_read;
  process.write = job->kind == JOB_PROCESS ? rows_write : NULL;
  process.rows_data = job;
  process.operation = operate;
  process.operation_data = job;
  return isolux_process (device, &process, report, error);
}

/* Runs a job with a failure to come; disarms it.  Returns success and says
 * whether the failure came. */
static gboolean
run_job (Job          *job,
         IsoluxDevice *device,
         IsoluxFault   fault,
         guint         count,
         gboolean      sticky,
         gboolean     *came,
         IsoluxReport *report,
         GError      **error)
{
  IsoluxSurface *source = NULL, *destination = NULL;
  gboolean       success;

  memset (report, 0, sizeof *report);
  isolux_fault_arm (fault, count, sticky);
  if (job->kind == JOB_PROCESS || job->kind == JOB_PROCESS_HISTOGRAM)
    success = run_process (job, device, report, error);
  else
    {
      source = isolux_surface_new (device, &job->input.image, error);
      if (job->kind == JOB_EQUALIZE_IN_PLACE)
        destination = source ? isolux_surface_ref (source) : NULL;
      else if (source)
        destination = isolux_surface_new (device, &job->input.image, error);
      success = source && destination &&
                isolux_surface_set_region (source, &job->region, job->mask, 50,
                                           error) &&
                isolux_surface_upload (source, &job->input.view, NULL, error);
      if (success)
        {
          success = operate (source, destination, job, report, error) &&
                    isolux_surface_download (destination,
                                             &job->result->pixels.view, NULL,
                                             error);
          *came = count && isolux_fault_calls (fault) >= count;
          isolux_fault_arm (fault, 0, FALSE);
          /* the source surface is untouched as well, whatever happened */
          if (destination != source)
            {
              Result *back = result_new (job);
              gint64  x, y;

              g_assert_true (isolux_surface_download (source,
                                                      &back->pixels.view, NULL,
                                                      NULL));
              g_assert_true (buffer_equal (&back->pixels, &job->before, &x,
                                           &y));
              result_free (back);
            }
          isolux_surface_unref (destination);
          isolux_surface_unref (source);
          return success;
        }
    }
  *came = count && isolux_fault_calls (fault) >= count;
  isolux_fault_arm (fault, 0, FALSE);
  isolux_surface_unref (destination);
  isolux_surface_unref (source);
  return success;
}

/* Runs it unharmed. */
static void
run_well (Job *job, IsoluxDevice *device, const Result *expected)
{
  Result      *result = result_new (job);
  IsoluxReport report;
  GError      *error = NULL;
  gboolean     came, success;

  job->result = result;
  success = run_job (job, device, ISOLUX_FAULT_MEMORY, 0, FALSE, &came, &report,
                     &error);
  g_assert_no_error (error);
  g_assert_true (success);
  g_assert_cmpstr (report.warning, ==, "");
  assert_result (job, result, expected);
  result_free (result);
}

static void
check_failure (IsoluxFault fault, const gchar *name, guint count, GError *error)
{
  g_assert_nonnull (error);
  g_assert_true (error->domain == ISOLUX_ERROR);
  g_assert_cmpuint (strlen (error->message), >, 5);
  g_assert_true (g_utf8_validate (error->message, -1, NULL));
  if (fault == ISOLUX_FAULT_MEMORY)
    g_assert_cmpint (error->code, ==, ISOLUX_ERROR_MEMORY);
  else
    g_assert_true (error->code == ISOLUX_ERROR_MEMORY ||
                   error->code == ISOLUX_ERROR_DEVICE);
}

/* All failures of a job, one after the other, until none comes. */
static void
fail_in_turn (Job          *job,
              IsoluxDevice *device,
              IsoluxFault   fault,
              gboolean      sticky,
              const Result *expected)
{
  guint    count, failed = 0, recovered = 0;
  gboolean came = TRUE;

  for (count = 1; came; count++)
    {
      Result       *result = result_new (job);
      GError       *error = NULL;
      IsoluxReport  report;
      IsoluxDevice *used = device;
      gboolean      success;
      gint64        x, y;

      g_assert_cmpuint (count, <, 5000);
      /* on the CPU a new device each time: nothing is in its pool */
      if (! used)
        used = test_cpu (2);
      job->result = result;
      success =
        run_job (job, used, fault, count, sticky, &came, &report, &error);
      if (success)
        {
          g_assert_no_error (error);
          assert_result (job, result, expected);
          recovered += came;
          if (device && report.backend == ISOLUX_BACKEND_CPU)
            g_assert_cmpstr (report.warning, !=, "");
          else
            g_assert_cmpstr (report.warning, ==, "");
        }
      else
        {
          g_assert_true (came);
          check_failure (fault, job_names[job->kind], count, error);
          g_clear_error (&error);
          failed++;
        }
      g_assert_true (buffer_equal (&job->input, &job->before, &x, &y));
      g_assert_true (buffer_guards_hold (&job->input));
      run_well (job, used, expected);
      if (! device)
        isolux_device_unref (used);
      result_free (result);
    }
  g_test_message ("%s, %s, %s: %u failures: %u errors, %u right results",
                  job_names[job->kind],
                  job->input.image.type == ISOLUX_TYPE_F32   ? "f32"
                  : job->input.image.type == ISOLUX_TYPE_U16 ? "u16"
                                                             : "u8",
                  sticky ? "for good" : "once", count - 2, failed, recovered);
  /* a test that makes nothing fail proves nothing */
  g_assert_cmpuint (count - 2, >, 0);
  if (fault == ISOLUX_FAULT_MEMORY && ! device)
    g_assert_cmpuint (failed, >, 0);
}

static Result *
expect (Job *job)
{
  IsoluxDevice *device = test_cpu (1);
  Result       *expected = result_new (job);
  IsoluxReport  report;
  GError       *error = NULL;
  gboolean      came, success;

  job->result = expected;
  success = run_job (job, device, ISOLUX_FAULT_MEMORY, 0, FALSE, &came, &report,
                     &error);
  g_assert_no_error (error);
  g_assert_true (success);
  isolux_device_unref (device);
  return expected;
}

static void
test_job (IsoluxDevice *device, JobKind kind, IsoluxFault fault)
{
  gint type, sticky;

  for (type = 0; type < 3; type++)
    {
      Job     job;
      Result *expected;

      job_init (&job, kind, (IsoluxType) type);
      expected = expect (&job);
      for (sticky = 0; sticky < 2; sticky++)
        fail_in_turn (&job, device, fault, sticky, expected);
      result_free (expected);
      job_clear (&job);
    }
}

static void
test_memory_cpu (gconstpointer kind)
{
  test_job (NULL, (JobKind) GPOINTER_TO_INT (kind), ISOLUX_FAULT_MEMORY);
}

static void
test_memory_cuda (gconstpointer kind)
{
  IsoluxDevice *device = test_cuda ();

  if (! device)
    return;
  test_job (device, (JobKind) GPOINTER_TO_INT (kind), ISOLUX_FAULT_MEMORY);
  isolux_device_unref (device);
}

static void
test_calls_cuda (gconstpointer kind)
{
  IsoluxDevice *device = test_cuda ();

  if (! device)
    return;
  test_job (device, (JobKind) GPOINTER_TO_INT (kind), ISOLUX_FAULT_CUDA);
  isolux_device_unref (device);
}

/* Opening a device. */
static void
open_in_turn (IsoluxBackendKind kind, IsoluxFault fault)
{
  guint    count;
  gboolean came = TRUE;
  gint     sticky;

  for (sticky = 0; sticky < 2; sticky++)
    for (count = 1, came = TRUE; came; count++)
      {
        GError       *error = NULL;
        IsoluxDevice *device;

        g_assert_cmpuint (count, <, 1000);
        isolux_fault_arm (fault, count, sticky);
        device = isolux_device_open (kind, 0, &error);
        came = isolux_fault_calls (fault) >= count;
        isolux_fault_arm (fault, 0, FALSE);
        if (device)
          g_assert_no_error (error);
        else
          {
            g_assert_true (came);
            check_failure (fault, "open", count, error);
            g_clear_error (&error);
          }
        isolux_device_unref (device);
      }
  g_assert_cmpuint (count, >, 2);
}

static void
test_open_cpu (void)
{
  open_in_turn (ISOLUX_BACKEND_CPU, ISOLUX_FAULT_MEMORY);
  open_in_turn (ISOLUX_BACKEND_AUTO, ISOLUX_FAULT_MEMORY);
}

static void
test_open_cuda (void)
{
  IsoluxDevice *device = test_cuda ();

  if (! device)
    return;
  isolux_device_unref (device);
  open_in_turn (ISOLUX_BACKEND_CUDA, ISOLUX_FAULT_CUDA);
  open_in_turn (ISOLUX_BACKEND_CUDA, ISOLUX_FAULT_MEMORY);
}

/* Things that work without a device. */
static void
test_plain (void)
{
  static const gint64 width = 100, height = 90;
  guint8             *selected = g_malloc0 (100 * 90);
  guint64             counts[256] = { 5, 0, 7 };
  IsoluxHistogram    *given;
  gint                what, sticky;
  gchar              *text;

  selected[77] = 1;
  text = isolux_selection_to_string (width, height, selected, 100, NULL);
  g_assert_nonnull (text);
  given = isolux_histogram_new (ISOLUX_TYPE_U8, 8, 1, 256, 0, 0, counts, NULL);
  g_assert_nonnull (given);
  for (what = 0; what < 4; what++)
    for (sticky = 0; sticky < 2; sticky++)
      {
        gboolean came = TRUE;
        guint    count;

        for (count = 1; came; count++)
          {
            GError         *error = NULL;
            gpointer        made = NULL;
            IsoluxRectangle rectangle;
            guint8         *mask = NULL;

            g_assert_cmpuint (count, <, 100);
            isolux_fault_arm (ISOLUX_FAULT_MEMORY, count, sticky);
            switch (what)
              {
                case 0:
                  made = isolux_selection_to_string (width, height, selected,
                                                     100, &error);
                  break;
                case 1:
                  if (isolux_selection_from_string (text, &rectangle, &mask,
                                                    &error))
                    made = mask;
                  break;
                case 2:
                  made = isolux_histogram_new (ISOLUX_TYPE_U8, 8, 1, 256, 0, 0,
                                               counts, &error);
                  break;
                case 3:
                  made = isolux_lut_new_equalize (given, NULL, &error);
                  break;
              }
            came = isolux_fault_calls (ISOLUX_FAULT_MEMORY) >= count;
            isolux_fault_arm (ISOLUX_FAULT_MEMORY, 0, FALSE);
            g_assert_true (came == (made == NULL));
            if (! made)
              {
                check_failure (ISOLUX_FAULT_MEMORY, "plain", count, error);
                g_clear_error (&error);
              }
            else
              g_assert_no_error (error);
            if (what < 2)
              g_free (made);
            else if (what == 2)
              isolux_histogram_free (made);
            else
              isolux_lut_free (made);
          }
        g_assert_cmpuint (count, >, 2);
      }
  isolux_histogram_free (given);
  g_free (text);
  g_free (selected);
}

/* The self-test: some of its many allocations. */
static void
test_self_test (void)
{
  gboolean came = TRUE;
  guint    count;

  for (count = 1; came; count += 1 + count / 3)
    {
      IsoluxDevice *device = test_cpu (2);
      GError       *error = NULL;
      gchar        *text = NULL;
      gboolean      right;

      isolux_fault_arm (ISOLUX_FAULT_MEMORY, count, FALSE);
      right = isolux_self_test (device, &text, &error);
      came = isolux_fault_calls (ISOLUX_FAULT_MEMORY) >= count;
      isolux_fault_arm (ISOLUX_FAULT_MEMORY, 0, FALSE);
      if (error)
        {
          g_assert_true (came && ! right && ! text);
          check_failure (ISOLUX_FAULT_MEMORY, "self-test", count, error);
          g_clear_error (&error);
        }
      else
        g_assert_true (right && text);
      g_free (text);
      isolux_device_unref (device);
    }
  g_assert_cmpuint (count, >, 200);
}

/* ISOLUX_FAULT, which reaches into a running GIMP. */
static void
test_environment (void)
{
  static const struct
  {
    const gchar *text;
    gboolean     fails;
  } cases[] = { { "memory:1", TRUE },  { "memory:2+", TRUE },
                { "memory:0", FALSE }, { "memory:100000", FALSE },
                { "memory", FALSE },   { "memory:", FALSE },
                { "disk:1", FALSE },   { "", FALSE } };
  Job   job;
  gsize i;

  job_init (&job, JOB_PROCESS, ISOLUX_TYPE_U8);
  for (i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      IsoluxDevice *device = test_cpu (1);
      Result       *result = result_new (&job);
      IsoluxReport  report;
      GError       *error = NULL;
      gboolean      success;

      job.result = result;
      g_setenv ("ISOLUX_FAULT", cases[i].text, TRUE);
      success = run_process (&job, device, &report, &error);
      g_unsetenv ("ISOLUX_FAULT");
      isolux_fault_arm (ISOLUX_FAULT_MEMORY, 0, FALSE);
      g_assert_true (success == ! cases[i].fails);
      if (cases[i].fails)
        assert_error (error, ISOLUX_ERROR_MEMORY);
      g_assert_no_error (error);
      result_free (result);
      isolux_device_unref (device);
    }
  job_clear (&job);
}

int
main (int argc, char **argv)
{
  gint kind;

  g_test_init (&argc, &argv, NULL);
  test_seed ();
  g_test_add_func ("/fault/memory/cpu/open", test_open_cpu);
  g_test_add_func ("/fault/memory/plain", test_plain);
  g_test_add_func ("/fault/memory/cpu/self-test", test_self_test);
  g_test_add_func ("/fault/environment", test_environment);
  for (kind = 0; kind < N_JOBS; kind++)
    {
      static const struct
      {
        const gchar  *name;
        GTestDataFunc function;
      } tests[] = { { "memory/cpu", test_memory_cpu },
                    { "memory/cuda", test_memory_cuda },
                    { "calls/cuda", test_calls_cuda } };
      gsize i;

      for (i = 0; i < G_N_ELEMENTS (tests); i++)
        {
          gchar *path =
            g_strdup_printf ("/fault/%s/%s", tests[i].name, job_names[kind]);

          g_test_add_data_func (path, GINT_TO_POINTER (kind),
                                tests[i].function);
          g_free (path);
        }
    }
  g_test_add_func ("/fault/calls/cuda/open", test_open_cuda);
  return g_test_run ();
}
