/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The engine: settings in, results out.  A thread works on the newest settings
 * and on nothing else; the main thread only leaves notes for it.
 *
 * One mutex guards what both threads look at.  Surfaces belong to the thread,
 * but for single pixels that the main thread reads; it does so only when the
 * stage's own mutex is free at once.
 */
#include "engine-work.h"

#include <glib/gi18n-lib.h>
#include <stdlib.h>
#include <string.h>

/* Milliseconds. */
#define BUSY_AFTER 100
/* A whole result that takes longer is preceded by a quick look. */
#define QUICK_ABOVE 60.0
/* Numbers are at least so new while settings change. */
#define NUMBERS_EVERY 500
/* A whole result that takes longer than this waits for a rest; so does an
 * estimate for more rows. */
#define SLOW_ABOVE 500.0
#define REST 300
#define ESTIMATE_EVERY 150

/* What came out and has not been told yet. */
typedef struct
{
  IsoluxEngineResult *pixels;  /* a quick look or another view */
  IsoluxEngineResult *numbers; /* older than pixels when there are both */
  gboolean            backend;
  gboolean            measured;
  IsoluxMetrics       metrics;
  GError             *metrics_error;
} News;

/* What the thread has done last; of no interest to the main thread. */
typedef struct
{
  guint64       generation;
  gboolean      complete;
  IsoluxDevice *device; /* compared, not used */
  guint64       operation, channel, view, pick;
  gint64        rows;
  gint64        estimated_at, numbers_at;
  guint64       quick_operation, quick_view; /* of the last quick look */
  gboolean      slow;                        /* and whether to rest then */
} Done;

/* How long whole results take. */
typedef struct
{
  guint64             generation;
  IsoluxOperationKind kind;
  gdouble             milliseconds;
} Pace;

struct _IsoluxEngine
{
  GObject       parent_instance;
  GMainContext *context;
  GThread      *thread;
  GThread      *opener; /* of CUDA */

  GMutex             mutex; /* of what follows */
  GCond              cond;
  gboolean           quit;
  gboolean           idle; /* the thread waits for a change */
  IsoluxWorkSettings settings;
  gint64             changed_at;
  IsoluxWorkImage   *image;
  guint64            generation;
  gboolean           measure;
  News               news;
  GSource           *source;          /* will tell the news */
  IsoluxBackendKind  kind, automatic; /* what automatic means */
  gint               ordinal;
  IsoluxDevice      *cpu, *cuda;
  gboolean           opening, cuda_failed;
  gchar              warning[256]; /* of CUDA's failure, to be told once */

  GMutex           stage_mutex; /* of the stage's surfaces */
  IsoluxWorkStage *stage;

  /* of the thread */
  IsoluxWorkEstimate *estimate;
  Done                done;
  Pace                pace;

  /* of the main thread */
  guint64  shown;    /* the newest result's serial */
  guint64  answered; /* the newest serial that nothing is awaited for */
  gboolean busy;
  GSource *busy_source;
};

enum
{
  SIGNAL_RESULT,
  SIGNAL_BUSY,
  SIGNAL_BACKEND_CHANGED,
  SIGNAL_MEASURED,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (IsoluxEngine, isolux_engine, G_TYPE_OBJECT)

/* ---- News, in the main thread -------------------------------------------- */

static void
news_clear (News *news)
{
  g_clear_pointer (&news->pixels, isolux_engine_result_unref);
  g_clear_pointer (&news->numbers, isolux_engine_result_unref);
  g_clear_error (&news->metrics_error);
  memset (news, 0, sizeof *news);
}

static void
forget_busy (IsoluxEngine *engine)
{
  if (! engine->busy_source)
    return;
  g_source_destroy (engine->busy_source);
  g_clear_pointer (&engine->busy_source, g_source_unref);
}

static void
set_busy (IsoluxEngine *engine, gboolean busy)
{
  forget_busy (engine);
  if (engine->busy == busy)
    return;
  engine->busy = busy;
  g_signal_emit (engine, signals[SIGNAL_BUSY], 0, busy);
}

static gboolean
busy_now (gpointer data)
{
  set_busy (data, TRUE);
  return G_SOURCE_REMOVE;
}

/* A result is awaited. */
static void
await (IsoluxEngine *engine)
{
  if (engine->busy || engine->busy_source)
    return;
  engine->busy_source = g_timeout_source_new (BUSY_AFTER);
  g_source_set_callback (engine->busy_source, busy_now, engine, NULL);
  g_source_attach (engine->busy_source, engine->context);
}

static void
tell_result (IsoluxEngine *engine, IsoluxEngineResult *result)
{
  if (! result || result->generation != engine->generation ||
      result->serial < engine->shown)
    return;
  engine->shown = result->serial;
  if (result->is_final)
    engine->answered = result->serial;
  g_signal_emit (engine, signals[SIGNAL_RESULT], 0, result);
  if (engine->answered == engine->settings.serial)
    set_busy (engine, FALSE);
}

static void
tell_news (IsoluxEngine *engine, const News *news)
{
  if (news->backend)
    g_signal_emit (engine, signals[SIGNAL_BACKEND_CHANGED], 0);
  tell_result (engine, news->numbers);
  tell_result (engine, news->pixels);
  if (news->measured)
    g_signal_emit (engine, signals[SIGNAL_MEASURED], 0,
                   news->metrics_error ? NULL : &news->metrics,
                   news->metrics_error);
}

static gboolean
tell (gpointer data)
{
  IsoluxEngine *engine = g_object_ref (data);
  gboolean      quit;
  News          news;

  g_mutex_lock (&engine->mutex);
  news = engine->news;
  memset (&engine->news, 0, sizeof engine->news);
  g_clear_pointer (&engine->source, g_source_unref);
  quit = engine->quit;
  if ((news.numbers && news.numbers->report.warning[0]) ||
      (news.pixels && news.pixels->report.warning[0]))
    engine->warning[0] = '\0';
  g_mutex_unlock (&engine->mutex);

  if (! quit)
    tell_news (engine, &news);
  news_clear (&news);
  g_object_unref (engine);
  return G_SOURCE_REMOVE;
}

/* With the mutex held: there are news. */
static void
post (IsoluxEngine *engine)
{
  if (engine->source)
    return;
  engine->source = g_idle_source_new ();
  g_source_set_priority (engine->source, G_PRIORITY_DEFAULT);
  g_source_set_callback (engine->source, tell, engine, NULL);
  g_source_attach (engine->source, engine->context);
}

/* ---- Backends ------------------------------------------------------------ */

static IsoluxBackendKind
environment_kind (void)
{
  const gchar *word = g_getenv ("ISOLUX_BACKEND");

  return g_strcmp0 (word, "cpu") == 0    ? ISOLUX_BACKEND_CPU
         : g_strcmp0 (word, "cuda") == 0 ? ISOLUX_BACKEND_CUDA
                                         : ISOLUX_BACKEND_AUTO;
}

static gint
environment_ordinal (void)
{
  const gchar *number = g_getenv ("ISOLUX_CUDA_DEVICE");
  gint64       ordinal = 0;

  if (number && *number &&
      ! g_ascii_string_to_signed (number, 10, 0, G_MAXINT, &ordinal, NULL))
    ordinal = G_MAXINT; /* refused in words when CUDA starts */
  return (gint) ordinal;
}

/* Why the CPU serves though nothing has failed. */
static const gchar *
reason_of (IsoluxEngine *engine)
{
  return engine->kind == ISOLUX_BACKEND_CPU        ? _("the CPU was asked for")
         : engine->automatic == ISOLUX_BACKEND_CPU ? _("ISOLUX_BACKEND is cpu")
                                                   : _("not started yet");
}

/* With the mutex held, as are the next ones. */
static gboolean
wants_cuda (IsoluxEngine *engine)
{
  const IsoluxBackendKind kind =
    engine->kind == ISOLUX_BACKEND_AUTO ? environment_kind () : engine->kind;
  const IsoluxWorkImage *image = engine->image;

  if (kind == ISOLUX_BACKEND_AUTO)
    return image && (guint64) image->info.image.width *
                        (guint64) image->info.image.height * image->pixel >=
                      ISOLUX_CUDA_BYTES;
  return kind == ISOLUX_BACKEND_CUDA;
}

static IsoluxDevice *
serving (IsoluxEngine *engine)
{
  return engine->cuda && ! engine->cuda_failed && wants_cuda (engine)
           ? engine->cuda
           : engine->cpu;
}

static gpointer
opener_main (gpointer data)
{
  IsoluxEngine *engine = data;
  GError       *error = NULL;
  IsoluxDevice *device =
    isolux_device_open (ISOLUX_BACKEND_CUDA, environment_ordinal (), &error);

  g_mutex_lock (&engine->mutex);
  engine->opening = FALSE;
  engine->cuda = device;
  engine->cuda_failed = device == NULL;
  if (error)
    isolux_device_set_reason (engine->cpu, error->message);
  engine->news.backend = TRUE;
  post (engine);
  /* the thread has not looked yet */
  engine->idle = FALSE;
  g_cond_signal (&engine->cond);
  g_mutex_unlock (&engine->mutex);
  g_clear_error (&error);
  return NULL;
}

/* Starts CUDA where it is wanted and was not tried yet. */
static void
open_cuda (IsoluxEngine *engine)
{
  GError *error = NULL;

  if (engine->opening || engine->cuda || engine->cuda_failed ||
      ! wants_cuda (engine))
    return;
  /* it has ended, or there was none */
  if (engine->opener)
    g_thread_join (engine->opener);
  engine->opening = TRUE;
  isolux_device_set_reason (engine->cpu, _("still starting"));
  engine->opener =
    g_thread_try_new ("isolux-open", opener_main, engine, &error);
  if (! engine->opener)
    {
      engine->opening = FALSE;
      engine->cuda_failed = TRUE;
      isolux_device_set_reason (engine->cpu, error->message);
      g_clear_error (&error);
    }
  engine->news.backend = TRUE;
  post (engine);
}

/* CUDA has failed at work: the CPU goes on. */
static void
leave_cuda (IsoluxEngine *engine, const gchar *warning)
{
  g_mutex_lock (&engine->mutex);
  engine->cuda_failed = TRUE;
  g_strlcpy (engine->warning, warning, sizeof engine->warning);
  isolux_device_set_reason (engine->cpu, warning);
  engine->news.backend = TRUE;
  post (engine);
  g_mutex_unlock (&engine->mutex);
}

/* ---- The thread ---------------------------------------------------------- */

/* What one round of work looks at. */
typedef struct
{
  IsoluxWorkSettings settings;
  IsoluxWorkImage   *image;
  IsoluxDevice      *device;
  gboolean           complete;
  gint64             rows;
  guint8            *present; /* a copy */
  gboolean           numbers, pixels, measure;
} Job;

static gint64
milliseconds_after (gint64 time, gint64 milliseconds)
{
  return time + milliseconds * 1000;
}

/*
 * Finds what is to be done, with the mutex held; nothing: FALSE, and until
 * when it can wait, 0 for a change.
 */
static gboolean
find_work (IsoluxEngine *engine, Job *job, gint64 *until)
{
  const IsoluxWorkSettings *s = &engine->settings;
  const IsoluxWorkImage    *image = engine->image;
  const Done               *done = &engine->done;
  const gint64              now = g_get_monotonic_time ();
  gboolean                  rows;

  *until = 0;
  memset (job, 0, sizeof *job);
  if (! image || ! s->has_operation || image->n_present == 0)
    return FALSE;
  job->complete = image->n_present == image->info.image.height;
  job->device = serving (engine);
  job->numbers = done->generation != image->generation ||
                 done->complete != job->complete ||
                 done->operation != s->operation_serial ||
                 done->channel != s->channel_serial ||
                 done->pick != s->pick_serial ||
                 (job->complete && done->device != job->device);
  job->pixels = done->view != s->view_serial;
  rows = ! job->complete && done->rows != image->n_present;
  job->measure = job->complete && engine->measure;

  if (rows && ! job->numbers && ! job->pixels)
    {
      *until = milliseconds_after (done->estimated_at, ESTIMATE_EVERY);
      if (now < *until)
        return FALSE;
    }
  if (job->numbers && job->complete && done->slow &&
      done->quick_operation == s->operation_serial &&
      done->quick_view == s->view_serial)
    {
      *until = milliseconds_after (engine->changed_at, REST);
      if (now < *until)
        return FALSE;
    }
  *until = 0;
  return job->numbers || job->pixels || rows || job->measure;
}

/* With the mutex held; FALSE: there is not the memory. */
static gboolean
job_take (IsoluxEngine *engine, Job *job)
{
  isolux_work_settings_copy (&job->settings, &engine->settings);
  job->image = isolux_work_image_ref (engine->image);
  isolux_device_ref (job->device);
  job->rows = engine->image->n_present;
  job->present = g_try_malloc ((gsize) engine->image->info.image.height);
  if (job->present)
    memcpy (job->present, engine->image->present,
            (gsize) engine->image->info.image.height);
  return job->present != NULL;
}

static void
job_clear (Job *job)
{
  isolux_work_settings_clear (&job->settings);
  isolux_work_image_unref (job->image);
  isolux_device_unref (job->device);
  g_free (job->present);
}

static void
mark_done (Done *done, const Job *job)
{
  done->generation = job->image->generation;
  done->complete = job->complete;
  done->device = job->device;
  done->operation = job->settings.operation_serial;
  done->channel = job->settings.channel_serial;
  done->view = job->settings.view_serial;
  done->pick = job->settings.pick_serial;
  done->rows = job->rows;
}

/* Hands a result to the main thread. */
static void
deliver (IsoluxEngine       *engine,
         const Job          *job,
         IsoluxEngineResult *result,
         gint64              start)
{
  News *news = &engine->news;

  result->milliseconds = (g_get_monotonic_time () - start) / 1000.0;
  result->read = (gdouble) job->rows / (gdouble) job->image->info.image.height;
  g_mutex_lock (&engine->mutex);
  /* told with the first result that comes, so that it is not lost when that
   * one is replaced before it is shown */
  if (engine->warning[0])
    g_strlcpy (result->report.warning, engine->warning,
               sizeof result->report.warning);
  /* numbers alone say nothing about pixels that wait to be shown */
  if (result->before_pixels || result->error)
    g_clear_pointer (&news->pixels, isolux_engine_result_unref);
  if (result->numbers || result->error)
    {
      g_clear_pointer (&news->numbers, isolux_engine_result_unref);
      news->numbers = result;
    }
  else
    news->pixels = result;
  post (engine);
  g_mutex_unlock (&engine->mutex);
}

static void
deliver_error (IsoluxEngine *engine, const Job *job, GError *error)
{
  IsoluxEngineResult *result =
    isolux_work_result_new (&job->settings, job->image);

  result->error = error;
  result->is_final = TRUE;
  deliver (engine, job, result, g_get_monotonic_time ());
}

static gboolean
is_newer (IsoluxEngine *engine, const Job *job)
{
  gboolean newer;

  g_mutex_lock (&engine->mutex);
  newer = engine->quit || engine->image != job->image ||
          engine->settings.operation_serial != job->settings.operation_serial;
  g_mutex_unlock (&engine->mutex);
  return newer;
}

/* Whether nobody wants to know any more. */
static gboolean
is_abandoned (IsoluxEngine *engine, const Job *job)
{
  gboolean abandoned;

  g_mutex_lock (&engine->mutex);
  abandoned = engine->quit || engine->image != job->image;
  g_mutex_unlock (&engine->mutex);
  return abandoned;
}

static void
drop_stage (IsoluxEngine *engine)
{
  IsoluxWorkStage *stage;

  g_mutex_lock (&engine->stage_mutex);
  stage = g_steal_pointer (&engine->stage);
  g_mutex_unlock (&engine->stage_mutex);
  isolux_work_stage_free (stage);
}

/* The stage on the device that serves; NULL with an error. */
static IsoluxWorkStage *
get_stage (IsoluxEngine *engine, const Job *job, GError **error)
{
  IsoluxWorkStage *stage = engine->stage;

  if (stage && stage->source == job->image && stage->device == job->device)
    return stage;
  drop_stage (engine);
  stage = isolux_work_stage_new (job->device, job->image, error);
  g_mutex_lock (&engine->stage_mutex);
  engine->stage = stage;
  g_mutex_unlock (&engine->stage_mutex);
  return stage;
}

/* ---- Estimates ----------------------------------------------------------- */

static gboolean
get_estimate (IsoluxEngine *engine,
              const Job    *job,
              const guint8 *present,
              GError      **error)
{
  IsoluxWorkEstimate *e = engine->estimate;

  if (! e || e->stage->source != job->image)
    {
      g_clear_pointer (&engine->estimate, isolux_work_estimate_free);
      e = isolux_work_estimate_new (engine->cpu, job->image, error);
      engine->estimate = e;
    }
  return e && isolux_work_estimate_update (e, present, error);
}

/* A result from some of the pixels; is_final: whether nothing more follows
 * before a change. */
static void
work_estimate (IsoluxEngine *engine, const Job *job, gboolean is_final)
{
  const gint64        start = g_get_monotonic_time ();
  IsoluxEngineResult *result;
  GError             *error = NULL;

  /* no row of the box may have come yet */
  if (get_estimate (engine, job, job->present, &error))
    {
      result = isolux_work_result_new (&job->settings, job->image);
      result->is_final = is_final;
      if (isolux_work_estimate_run (engine->estimate, &job->settings,
                                    job->present, result, &error))
        deliver (engine, job, result, start);
      else
        isolux_engine_result_unref (result);
    }
  if (error)
    deliver_error (engine, job, error);
  engine->done.estimated_at = g_get_monotonic_time ();
}

/* ---- Whole results ------------------------------------------------------- */

/* How long a whole result will take, in milliseconds. */
static gdouble
expect (IsoluxEngine *engine, const Job *job)
{
  static const gdouble nanoseconds[] = {
    [ISOLUX_OPERATION_GRAYSCALE] = 4.0,     [ISOLUX_OPERATION_EQUALIZE] = 8.0,
    [ISOLUX_OPERATION_CLAHE] = 15.0,        [ISOLUX_OPERATION_WINDOW] = 8.0,
    [ISOLUX_OPERATION_CONTRAST_MAP] = 25.0, [ISOLUX_OPERATION_LBP] = 30.0,
    [ISOLUX_OPERATION_HOG] = 100.0
  };
  const IsoluxOperationKind kind = job->settings.operation.kind;
  const IsoluxRectangle    *box = &job->image->info.box;

  if (job->device != engine->cpu)
    return 0.0;
  if (engine->pace.generation == job->image->generation &&
      engine->pace.kind == kind)
    return engine->pace.milliseconds;
  if (kind < 0 || (gsize) kind >= G_N_ELEMENTS (nanoseconds))
    return 0.0;
  return (gdouble) box->width * (gdouble) box->height * nanoseconds[kind] *
         (job->image->info.image.components < 3 ? 1.0 : 2.0) * 1e-6;
}

/* A quick look has no numbers: from time to time there are estimated ones,
 * since the whole may have to wait for as long as settings change. */
static void
work_numbers_meanwhile (IsoluxEngine *engine, const Job *job)
{
  Job alone = *job;

  if (g_get_monotonic_time () <
      milliseconds_after (engine->done.numbers_at, NUMBERS_EVERY))
    return;
  alone.settings.width = alone.settings.height = 0;
  work_estimate (engine, &alone, FALSE);
  engine->done.numbers_at = g_get_monotonic_time ();
}

/*
 * What can be shown before the whole is done.  TRUE: the whole shall wait,
 * since there are newer settings or there may soon be.
 */
static gboolean
work_before (IsoluxEngine *engine, const Job *job, gdouble expected)
{
  const gint64        start = g_get_monotonic_time ();
  Done               *done = &engine->done;
  IsoluxEngineResult *result;
  gboolean            newer;

  if (done->quick_operation != job->settings.operation_serial ||
      done->quick_view != job->settings.view_serial)
    {
      if (isolux_work_is_quick (engine->stage, &job->settings))
        {
          result = isolux_work_result_new (&job->settings, job->image);
          /* a failure is met again, and told, when the whole is done */
          if (isolux_work_quick (engine->stage, &job->settings, result, NULL))
            deliver (engine, job, result, start);
          else
            isolux_engine_result_unref (result);
          if (expected > SLOW_ABOVE)
            work_numbers_meanwhile (engine, job);
        }
      else if (expected > SLOW_ABOVE)
        work_estimate (engine, job, FALSE);
      done->quick_operation = job->settings.operation_serial;
      done->quick_view = job->settings.view_serial;
      done->slow = expected > SLOW_ABOVE;
    }
  newer = is_newer (engine, job);
  if (done->slow)
    {
      gint64 rested;

      g_mutex_lock (&engine->mutex);
      rested = milliseconds_after (engine->changed_at, REST);
      g_mutex_unlock (&engine->mutex);
      return newer || g_get_monotonic_time () < rested;
    }
  return newer && g_get_monotonic_time () + (gint64) (expected * 1000.0) <
                    milliseconds_after (done->numbers_at, NUMBERS_EVERY);
}

/* FALSE without an error: abandoned. */
static gboolean
work_numbers (IsoluxEngine       *engine,
              const Job          *job,
              IsoluxEngineResult *result,
              GError            **error)
{
  IsoluxWorkStage *stage = engine->stage;
  gboolean         success;

  g_mutex_lock (&engine->stage_mutex);
  success = isolux_work_stage_run (stage, &job->settings, error);
  g_mutex_unlock (&engine->stage_mutex);
  return success && ! is_abandoned (engine, job) &&
         isolux_work_stage_numbers (stage, &job->settings, result, error) &&
         isolux_work_stage_pixels (stage, &job->settings, result, error);
}

/* Whether CUDA is to blame, and the CPU can try. */
static gboolean
give_way (IsoluxEngine *engine, const Job *job, const GError *error)
{
  if (job->device == engine->cpu ||
      g_error_matches (error, ISOLUX_ERROR, ISOLUX_ERROR_ARGUMENT))
    return FALSE;
  leave_cuda (engine, error->message);
  drop_stage (engine);
  return TRUE;
}

static void
fail (IsoluxEngine *engine, const Job *job, GError *error)
{
  if (give_way (engine, job, error))
    {
      g_error_free (error);
      return;
    }
  mark_done (&engine->done, job);
  deliver_error (engine, job, error);
}

/* A step may have gone to the CPU with a warning: the result is right, but
 * from now on the CPU does all. */
static void
heed_warning (IsoluxEngine *engine, const Job *job)
{
  if (job->device == engine->cpu || ! engine->stage ||
      ! engine->stage->warning[0])
    return;
  leave_cuda (engine, engine->stage->warning);
  drop_stage (engine);
}

static void
work_whole (IsoluxEngine *engine, const Job *job)
{
  const gint64        start = g_get_monotonic_time ();
  const gdouble       expected = expect (engine, job);
  IsoluxEngineResult *result;
  IsoluxWorkStage    *stage;
  GError             *error = NULL;
  gboolean            computed;

  stage = get_stage (engine, job, &error);
  if (! stage)
    {
      fail (engine, job, error);
      return;
    }
  computed = stage->after_serial == job->settings.operation_serial;
  if (! computed && expected > QUICK_ABOVE &&
      work_before (engine, job, expected))
    return;
  result = isolux_work_result_new (&job->settings, job->image);
  result->is_final = TRUE;
  if (! (job->numbers || ! computed
           ? work_numbers (engine, job, result, &error)
           : isolux_work_stage_pixels (stage, &job->settings, result, &error)))
    {
      isolux_engine_result_unref (result);
      if (error)
        fail (engine, job, error);
      return;
    }
  if (! computed)
    {
      engine->pace.generation = job->image->generation;
      engine->pace.kind = job->settings.operation.kind;
      engine->pace.milliseconds = (g_get_monotonic_time () - start) / 1000.0;
    }
  mark_done (&engine->done, job);
  engine->done.numbers_at = g_get_monotonic_time ();
  heed_warning (engine, job);
  deliver (engine, job, result, start);
  if (! engine->done.slow)
    g_clear_pointer (&engine->estimate, isolux_work_estimate_free);
}

static void
work_measure (IsoluxEngine *engine, const Job *job)
{
  const IsoluxWorkStage *stage = engine->stage;
  IsoluxReport           report;
  IsoluxMetrics          metrics = { 0 };
  GError                *error = NULL;

  if (! stage || stage->source != job->image || ! stage->after_serial)
    g_set_error_literal (&error, ISOLUX_ERROR, ISOLUX_ERROR_ARGUMENT,
                         _("There is no result to be measured."));
  else
    isolux_metrics (stage->box, stage->after_box, job->image->info.weights,
                    &metrics, &report, &error);
  if (error && stage && stage->after_serial && give_way (engine, job, error))
    {
      g_error_free (error);
      return;
    }
  g_mutex_lock (&engine->mutex);
  engine->measure = FALSE;
  g_clear_error (&engine->news.metrics_error);
  engine->news.measured = TRUE;
  engine->news.metrics = metrics;
  engine->news.metrics_error = error;
  post (engine);
  g_mutex_unlock (&engine->mutex);
}

static void
work (IsoluxEngine *engine, const Job *job)
{
  if (engine->done.generation != job->image->generation)
    {
      memset (&engine->done, 0, sizeof engine->done);
      engine->done.generation = job->image->generation;
      engine->done.numbers_at = g_get_monotonic_time ();
    }
  if (! job->complete)
    {
      mark_done (&engine->done, job);
      work_estimate (engine, job, TRUE);
    }
  else if (job->numbers || job->pixels)
    work_whole (engine, job);
  else
    work_measure (engine, job);
}

/* Whether something is kept of an image that is gone. */
static gboolean
is_stale (const IsoluxEngine *engine)
{
  return (engine->stage && engine->stage->source != engine->image) ||
         (engine->estimate && engine->estimate->stage->source != engine->image);
}

static gpointer
thread_main (gpointer data)
{
  IsoluxEngine *engine = data;
  gint64        until;
  gboolean      enough;
  Job           job;

  g_mutex_lock (&engine->mutex);
  while (! engine->quit)
    {
      if (is_stale (engine))
        {
          /* memory of an image that is gone is given back at once */
          g_mutex_unlock (&engine->mutex);
          drop_stage (engine);
          g_clear_pointer (&engine->estimate, isolux_work_estimate_free);
          g_mutex_lock (&engine->mutex);
          continue;
        }
      if (! find_work (engine, &job, &until))
        {
          engine->idle = until == 0;
          if (until)
            g_cond_wait_until (&engine->cond, &engine->mutex, until);
          else
            g_cond_wait (&engine->cond, &engine->mutex);
          continue;
        }
      engine->idle = FALSE;
      enough = job_take (engine, &job);
      g_mutex_unlock (&engine->mutex);
      if (enough)
        work (engine, &job);
      else
        {
          mark_done (&engine->done, &job);
          deliver_error (engine, &job,
                         g_error_new_literal (ISOLUX_ERROR, ISOLUX_ERROR_MEMORY,
                                              _("There is not enough "
                                                "memory.")));
        }
      job_clear (&job);
      g_mutex_lock (&engine->mutex);
    }
  g_mutex_unlock (&engine->mutex);
  drop_stage (engine);
  g_clear_pointer (&engine->estimate, isolux_work_estimate_free);
  return NULL;
}

/* ---- Settings ------------------------------------------------------------ */

/* With the mutex held: a change, whose serial it returns. */
static guint64
change (IsoluxEngine *engine)
{
  engine->idle = FALSE;
  engine->changed_at = g_get_monotonic_time ();
  g_cond_signal (&engine->cond);
  return ++engine->settings.serial;
}

/* Whether something will come of a change. */
static gboolean
is_awaited (IsoluxEngine *engine)
{
  return ! engine->quit && engine->image && engine->settings.has_operation &&
         engine->image->n_present > 0;
}

void
isolux_engine_set_operation (IsoluxEngine          *engine,
                             const IsoluxOperation *operation)
{
  IsoluxWorkSettings *s = &engine->settings;
  GBytes             *decode = NULL;
  gboolean            awaited;

  g_mutex_lock (&engine->mutex);
  if (operation->kind == ISOLUX_OPERATION_GRAYSCALE &&
      operation->options.grayscale.decode && engine->image)
    decode = g_bytes_new (operation->options.grayscale.decode,
                          3 * sizeof (gfloat) *
                            (engine->image->info.image.type == ISOLUX_TYPE_U8
                               ? 256
                               : 65536));
  if (s->decode)
    g_bytes_unref (s->decode);
  s->decode = decode;
  s->operation = *operation;
  if (operation->kind == ISOLUX_OPERATION_GRAYSCALE)
    s->operation.options.grayscale.decode =
      decode ? g_bytes_get_data (decode, NULL) : NULL;
  s->has_operation = TRUE;
  s->operation_serial = change (engine);
  awaited = is_awaited (engine);
  g_mutex_unlock (&engine->mutex);
  if (awaited)
    await (engine);
}

void
isolux_engine_set_channel (IsoluxEngine *engine, IsoluxEngineChannel channel)
{
  gboolean awaited;

  g_return_if_fail (channel <= ISOLUX_ENGINE_ALPHA);
  g_mutex_lock (&engine->mutex);
  engine->settings.channel = channel;
  engine->settings.channel_serial = change (engine);
  awaited = is_awaited (engine);
  g_mutex_unlock (&engine->mutex);
  if (awaited)
    await (engine);
}

void
isolux_engine_set_view (IsoluxEngine          *engine,
                        const IsoluxRectangle *part,
                        gint                   width,
                        gint                   height)
{
  gboolean awaited;

  g_mutex_lock (&engine->mutex);
  engine->settings.part = *part;
  engine->settings.width = width;
  engine->settings.height = height;
  engine->settings.view_serial = change (engine);
  awaited = is_awaited (engine);
  g_mutex_unlock (&engine->mutex);
  if (awaited)
    await (engine);
}

void
isolux_engine_set_pick (IsoluxEngine *engine, gint64 column, gint64 row)
{
  gboolean awaited;

  g_mutex_lock (&engine->mutex);
  engine->settings.pick_column = column;
  engine->settings.pick_row = row;
  engine->settings.pick_serial = change (engine);
  awaited = is_awaited (engine);
  g_mutex_unlock (&engine->mutex);
  if (awaited)
    await (engine);
}

void
isolux_engine_measure (IsoluxEngine *engine)
{
  g_mutex_lock (&engine->mutex);
  engine->measure = TRUE;
  engine->idle = FALSE;
  g_cond_signal (&engine->cond);
  g_mutex_unlock (&engine->mutex);
}

/* ---- The image ----------------------------------------------------------- */

gboolean
isolux_engine_begin_image (IsoluxEngine            *engine,
                           const IsoluxEngineImage *info,
                           GError                 **error)
{
  IsoluxWorkImage *image, *old;
  News             news;

  g_mutex_lock (&engine->mutex);
  /* the old one goes first, so that there need not be room for both, unless
   * the thread is at work on it */
  old = g_steal_pointer (&engine->image);
  engine->generation++;
  news = engine->news;
  memset (&engine->news, 0, sizeof engine->news);
  engine->news.backend = news.backend;
  engine->measure = FALSE;
  g_cond_signal (&engine->cond);
  g_mutex_unlock (&engine->mutex);
  isolux_work_image_unref (old);
  news_clear (&news);

  image = isolux_work_image_new (engine->cpu, info, error);
  if (! image)
    {
      set_busy (engine, FALSE);
      return FALSE;
    }
  g_mutex_lock (&engine->mutex);
  image->generation = engine->generation;
  engine->image = image;
  /* they were for another type, perhaps */
  if (engine->settings.decode)
    {
      g_clear_pointer (&engine->settings.decode, g_bytes_unref);
      engine->settings.operation.options.grayscale.decode = NULL;
    }
  change (engine);
  open_cuda (engine);
  g_mutex_unlock (&engine->mutex);
  return TRUE;
}

gpointer
isolux_engine_get_rows (IsoluxEngine *engine, gint64 y, gsize *stride)
{
  g_return_val_if_fail (engine->image && y >= 0 &&
                          y < engine->image->info.image.height,
                        NULL);
  *stride = engine->image->stride;
  return isolux_work_image_at (engine->image, 0, y);
}

void
isolux_engine_add_rows (IsoluxEngine *engine, gint64 y, gint64 rows)
{
  IsoluxWorkImage *image = engine->image;
  gboolean         complete;
  gint64           i;

  g_return_if_fail (image && y >= 0 && rows >= 0 &&
                    y <= image->info.image.height - rows);
  g_mutex_lock (&engine->mutex);
  for (i = y; i < y + rows; i++)
    {
      image->n_present += ! image->present[i];
      image->present[i] = 1;
    }
  complete = image->n_present == image->info.image.height;
  if (complete)
    change (engine); /* the exact result is awaited */
  engine->idle = FALSE;
  g_cond_signal (&engine->cond);
  complete = complete && is_awaited (engine);
  g_mutex_unlock (&engine->mutex);
  if (complete)
    await (engine);
}

/* ---- Pixels -------------------------------------------------------------- */

static void
components_of (const IsoluxImage *image, gconstpointer pixel, gdouble *values)
{
  gint c;

  for (c = 0; c < image->components; c++)
    switch (image->type)
      {
        case ISOLUX_TYPE_U8:
          values[c] = ((const guint8 *) pixel)[c];
          break;
        case ISOLUX_TYPE_U16:
          values[c] = ((const guint16 *) pixel)[c];
          break;
        default:
          values[c] = (gdouble) ((const gfloat *) pixel)[c];
          break;
      }
}

/* Reads a pixel of the result, unless the thread is writing it. */
static gboolean
result_at (IsoluxEngine *engine, gint64 x, gint64 y, gdouble *values)
{
  const IsoluxImage    *image = &engine->image->info.image;
  const IsoluxRectangle one = { x, y, 1, 1 };
  gfloat                pixel[4];
  const IsoluxView      view = { pixel, engine->image->pixel };
  gboolean              success;

  if (! g_mutex_trylock (&engine->stage_mutex))
    return FALSE;
  success = engine->stage && engine->stage->source == engine->image &&
            engine->stage->after_serial &&
            isolux_surface_download (engine->stage->after, &view, &one, NULL);
  g_mutex_unlock (&engine->stage_mutex);
  if (success)
    components_of (image, pixel, values);
  return success;
}

gint
isolux_engine_get_pixel (IsoluxEngine *engine,
                         gint64        x,
                         gint64        y,
                         gdouble       before[4],
                         gdouble       after[4])
{
  const IsoluxWorkImage *image = engine->image;

  /* rows are marked by this thread alone */
  if (! image || x < 0 || y < 0 || x >= image->info.image.width ||
      y >= image->info.image.height || ! image->present[y])
    return 0;
  components_of (&image->info.image, isolux_work_image_at (image, x, y),
                 before);
  if (! isolux_work_image_is_selected (image, x, y))
    {
      memcpy (after, before, 4 * sizeof (gdouble));
      return 2;
    }
  return result_at (engine, x, y, after) ? 2 : 1;
}

/* ---- Backends, for the main thread --------------------------------------- */

void
isolux_engine_set_backend (IsoluxEngine *engine, IsoluxBackendKind kind)
{
  IsoluxDevice *lost = NULL;

  g_mutex_lock (&engine->mutex);
  engine->kind = kind;
  if (engine->cuda_failed && ! engine->opening)
    {
      /* it is tried again, from its start */
      lost = g_steal_pointer (&engine->cuda);
      engine->cuda_failed = FALSE;
    }
  if (! wants_cuda (engine))
    isolux_device_set_reason (engine->cpu, reason_of (engine));
  open_cuda (engine);
  engine->news.backend = TRUE;
  post (engine);
  engine->idle = FALSE;
  g_cond_signal (&engine->cond);
  g_mutex_unlock (&engine->mutex);
  isolux_device_unref (lost);
}

IsoluxBackendKind
isolux_engine_get_backend (IsoluxEngine *engine)
{
  return engine->kind;
}

IsoluxDevice *
isolux_engine_get_device (IsoluxEngine *engine)
{
  IsoluxDevice *device;

  g_mutex_lock (&engine->mutex);
  device = serving (engine);
  g_mutex_unlock (&engine->mutex);
  return device;
}

gboolean
isolux_engine_is_starting (IsoluxEngine *engine)
{
  gboolean starting;

  g_mutex_lock (&engine->mutex);
  starting = engine->opening;
  g_mutex_unlock (&engine->mutex);
  return starting;
}

/* ---- Life ---------------------------------------------------------------- */

static gboolean
is_settled (IsoluxEngine *engine)
{
  gboolean settled;

  g_mutex_lock (&engine->mutex);
  settled = engine->idle && ! engine->source && ! engine->opening;
  g_mutex_unlock (&engine->mutex);
  return settled;
}

static gboolean
wake_up (gpointer unused)
{
  return G_SOURCE_CONTINUE;
}

void
isolux_engine_settle (IsoluxEngine *engine)
{
  GSource *clock = g_timeout_source_new (5);

  g_source_set_callback (clock, wake_up, NULL, NULL);
  g_source_attach (clock, engine->context);
  while (! is_settled (engine))
    g_main_context_iteration (engine->context, TRUE);
  g_source_destroy (clock);
  g_source_unref (clock);
}

void
isolux_engine_stop (IsoluxEngine *engine)
{
  g_mutex_lock (&engine->mutex);
  engine->quit = TRUE;
  g_cond_signal (&engine->cond);
  g_mutex_unlock (&engine->mutex);
  forget_busy (engine);
}

static void
isolux_engine_finalize (GObject *object)
{
  IsoluxEngine *engine = ISOLUX_ENGINE (object);

  isolux_engine_stop (engine);
  if (engine->thread)
    g_thread_join (engine->thread);
  if (engine->opener)
    g_thread_join (engine->opener);
  if (engine->source)
    {
      g_source_destroy (engine->source);
      g_source_unref (engine->source);
    }
  news_clear (&engine->news);
  isolux_work_settings_clear (&engine->settings);
  isolux_work_image_unref (engine->image);
  isolux_device_unref (engine->cuda);
  isolux_device_unref (engine->cpu);
  g_main_context_unref (engine->context);
  g_mutex_clear (&engine->stage_mutex);
  g_cond_clear (&engine->cond);
  g_mutex_clear (&engine->mutex);
  G_OBJECT_CLASS (isolux_engine_parent_class)->finalize (object);
}

static void
isolux_engine_class_init (IsoluxEngineClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = isolux_engine_finalize;
  signals[SIGNAL_RESULT] = g_signal_new ("result", ISOLUX_TYPE_ENGINE,
                                         G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                         G_TYPE_NONE, 1, G_TYPE_POINTER);
  signals[SIGNAL_BUSY] = g_signal_new ("busy", ISOLUX_TYPE_ENGINE,
                                       G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                       G_TYPE_NONE, 1, G_TYPE_BOOLEAN);
  signals[SIGNAL_BACKEND_CHANGED] =
    g_signal_new ("backend-changed", ISOLUX_TYPE_ENGINE, G_SIGNAL_RUN_LAST, 0,
                  NULL, NULL, NULL, G_TYPE_NONE, 0);
  signals[SIGNAL_MEASURED] =
    g_signal_new ("measured", ISOLUX_TYPE_ENGINE, G_SIGNAL_RUN_LAST, 0, NULL,
                  NULL, NULL, G_TYPE_NONE, 2, G_TYPE_POINTER, G_TYPE_POINTER);
}

static void
isolux_engine_init (IsoluxEngine *engine)
{
  engine->context = g_main_context_ref_thread_default ();
  g_mutex_init (&engine->mutex);
  g_cond_init (&engine->cond);
  g_mutex_init (&engine->stage_mutex);
  engine->settings.pick_column = engine->settings.pick_row = -1;
  engine->automatic = environment_kind ();
  engine->ordinal = environment_ordinal ();
  /* it fails for want of memory alone, and a little more will be needed */
  while (! (engine->cpu = isolux_device_open (ISOLUX_BACKEND_CPU, 0, NULL)))
    g_usleep (1000);
  isolux_device_set_reason (engine->cpu, reason_of (engine));
  engine->thread = g_thread_new ("isolux-engine", thread_main, engine);
  g_mutex_lock (&engine->mutex);
  open_cuda (engine);
  g_mutex_unlock (&engine->mutex);
}

IsoluxEngine *
isolux_engine_new (void)
{
  return g_object_new (ISOLUX_TYPE_ENGINE, NULL);
}
