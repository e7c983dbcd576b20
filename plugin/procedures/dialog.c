/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * dialog.c: the dialog of a procedure that applies an operation: its life,
 * and what runs between its parts.
 *
 * The window comes first.  Then the gate's thread reads the drawable into
 * the engine's memory, band by band; the engine computes, in threads of its
 * own, what the settings make of it, and each result is shown.  The main
 * thread waits for nobody.
 */
#include "dialog-private.h"

#include <glib/gi18n-lib.h>
#include <string.h>
#include <time.h>

#include "format.h"
#include "operation.h"
#include "pixels.h"
#include "settings.h"

/* How often to look whether the image has changed, at least, and what part of
 * the time that may take, in milliseconds and times */
#define POLL 1000
#define POLL_SHARE 20

/* How long a changed layer must rest before it is read again */
#define QUIET 500

/* Bands that are asked for ahead: one is read while the last one is noted */
#define AHEAD 2

enum
{
  RESPONSE_RESET = 1
};

void
isolux_dialog_log (IsoluxDialog *dialog, const gchar *format, ...)
{
  va_list arguments;
  gchar  *text;

  if (! dialog->verbose)
    return;
  va_start (arguments, format);
  text = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  g_printerr ("isolux: dialog %.1f ms (%.1f of this process): %s\n",
              (g_get_monotonic_time () - dialog->began) / 1000.0,
              (gdouble) clock () * 1000.0 / CLOCKS_PER_SEC, text);
  g_free (text);
}

/* ---- Settings ----------------------------------------------------- */

/* What the codes of the source are in linear light, for luminance; NULL for
 * floats, which the library takes as linear light */
static gfloat *
decode_table (const IsoluxSource *source)
{
  gint        n = source->image.type == ISOLUX_TYPE_U8 ? 256 : 65536;
  const Babl *from = isolux_format_float (source->format, 3);
  const Babl *to =
    babl_format_with_space ("RGB float", babl_format_get_space (from));
  gfloat *table;
  gfloat *pixels;

  if (source->image.type == ISOLUX_TYPE_F32 || source->image.components < 3)
    return NULL;
  table = g_new (gfloat, 3 * (gsize) n);
  pixels = g_new (gfloat, 3 * (gsize) n);
  for (gint i = 0; i < 3 * n; i++)
    pixels[i] = (gfloat) ((i / 3) / (gdouble) (n - 1));
  babl_process (babl_fish (from, to), pixels, pixels, n);
  /* the library wants one table after the other */
  for (gint i = 0; i < n; i++)
    for (gint j = 0; j < 3; j++)
      table[j * n + i] = pixels[3 * i + j];
  g_free (pixels);
  return table;
}

void
isolux_dialog_settings_changed (IsoluxDialog *dialog)
{
  IsoluxOperation operation;
  gfloat         *table = NULL;

  if (! dialog->opened)
    return;
  isolux_settings_read (&operation, dialog->effect->operation,
                        G_OBJECT (dialog->config), dialog->source->weights,
                        dialog->is_real ? &dialog->values : NULL);
  if (operation.kind == ISOLUX_OPERATION_GRAYSCALE)
    operation.options.grayscale.decode = table = decode_table (dialog->source);
  isolux_engine_set_operation (dialog->engine, &operation);
  g_free (table); /* the engine has a copy */
}

static void
show_canvas (IsoluxDialog *dialog)
{
  gboolean show;

  if (! dialog->preview || ! dialog->loaded || dialog->closed)
    return;
  g_object_get (dialog->config, ISOLUX_PREVIEW, &show, NULL);
  isolux_preview_show (dialog->preview, show);
}

static void
config_changed (GObject *config, GParamSpec *spec, IsoluxDialog *dialog)
{
  if (! strcmp (spec->name, ISOLUX_PREVIEW))
    {
      show_canvas (dialog);
      return;
    }
  if (! strcmp (spec->name, ISOLUX_NON_DESTRUCTIVE))
    {
      isolux_footer_update (dialog);
      return;
    }
  if (! strcmp (spec->name, ISOLUX_AUDIT))
    return;

  isolux_dialog_settings_changed (dialog);
  isolux_histogram_update_marks (dialog);
  isolux_presets_row_update (dialog);
  isolux_numbers_stale (dialog);
  if (dialog->preview)
    isolux_preview_update (dialog->preview);
}

/* ---- Results ------------------------------------------------------ */

/* Memory that is left on this machine, or 0 when that is not known */
static guint64
free_memory (void)
{
  gchar       *text = NULL;
  const gchar *line;
  guint64      kilobytes = 0;

  if (! g_file_get_contents ("/proc/meminfo", &text, NULL, NULL))
    return 0;
  line = strstr (text, "MemAvailable:");
  if (line)
    kilobytes = g_ascii_strtoull (line + strlen ("MemAvailable:"), NULL, 10);
  g_free (text);
  return kilobytes * 1024;
}

/* About what original, result and tables take */
static guint64
needed_memory (IsoluxDialog *dialog)
{
  static const guint sizes[3] = { 1, 2, 4 };
  guint64 pixels = (guint64) dialog->width * (guint64) dialog->height;
  guint   pixel = 4;

  if (dialog->source)
    pixel = (guint) dialog->source->image.components *
            sizes[dialog->source->image.type];
  return pixels * pixel * 2;
}

static void
tell_error (IsoluxDialog *dialog, const GError *error)
{
  guint64 bytes = needed_memory (dialog);
  guint64 left_bytes = free_memory ();
  gchar  *needed;
  gchar  *left;
  gchar  *text;

  if (error->domain == ISOLUX_ERROR && error->code == ISOLUX_ERROR_MEMORY)
    {
      needed = isolux_format_bytes (bytes);
      left = isolux_format_bytes (left_bytes);
      /* memory may be limited by other means than its size */
      text =
        left_bytes < bytes
          ? g_strdup_printf (_("It needs %s; %s are free. Close other "
                               "images or work on a selection. Your image "
                               "has not been changed."),
                             needed, left)
          : g_strdup (_("Close other images or work on a selection. Your "
                        "image has not been changed."));
      isolux_notice_show (dialog, ISOLUX_NOTICE_ERROR,
                          _("Not enough memory for this layer"), text, NULL,
                          error->message);
      g_free (text);
      g_free (left);
      g_free (needed);
      return;
    }
  isolux_notice_show (dialog, ISOLUX_NOTICE_ERROR,
                      _("The result could not be computed"), error->message,
                      NULL, NULL);
}

static gboolean
begins_like (const gchar *text, const gchar *format)
{
  const gchar *end = strchr (format, '%');

  return ! strncmp (text, format,
                    end ? (gsize) (end - format) : strlen (format));
}

/* The CPU did what the GPU should have done */
static void
tell_fallback (IsoluxDialog *dialog, const gchar *warning)
{
  IsoluxDeviceInfo info;
  gchar           *needed;
  gchar           *all;
  gchar           *text;

  if (dialog->fallback && ! strcmp (dialog->fallback, warning))
    return;
  g_free (dialog->fallback);
  dialog->fallback = g_strdup (warning);

  /* the library's own words, translated by the same catalog */
  if (strstr (warning, _("the memory of the GPU is full")))
    {
      isolux_device_get_info (isolux_engine_get_device (dialog->engine), &info);
      needed = isolux_format_bytes (needed_memory (dialog));
      all = isolux_format_bytes (info.cuda_memory);
      text = info.cuda_memory > 0
               ? g_strdup_printf (_("The layer needs about %s of the card's "
                                    "%s, which other programs use as well. "
                                    "Your image has not been changed."),
                                  needed, all)
               : g_strdup_printf (_("The layer needs about %s. Your image has "
                                    "not been changed."),
                                  needed);
      isolux_notice_show (dialog, ISOLUX_NOTICE_GPU,
                          _("The graphics card ran out of memory. The CPU "
                            "does "
                            "the work now; the result is the same."),
                          text, _("Try the GPU Again"), warning);
      g_free (text);
      g_free (all);
      g_free (needed);
      return;
    }
  isolux_notice_show (dialog, ISOLUX_NOTICE_GPU,
                      _("The GPU stopped answering. The CPU does the work "
                        "now; "
                        "the result is the same."),
                      warning, _("Try the GPU Again"), warning);
}

/* Whether there is a GPU that only lacks a newer driver: worth to be told,
 * once */
static void
tell_driver (IsoluxDialog *dialog)
{
  IsoluxDeviceInfo info;
  const gchar     *old = _("The NVIDIA driver is too old: it serves CUDA "
                               "%d.%d, CUDA %d.0 is needed.");
  gchar           *text;

  isolux_device_get_info (isolux_engine_get_device (dialog->engine), &info);
  if (info.cuda_ready || isolux_engine_is_starting (dialog->engine) ||
      ! begins_like (info.cuda_reason, old) ||
      ! g_strcmp0 (dialog->memory.driver, info.cuda_reason))
    return;
  g_free (dialog->memory.driver);
  dialog->memory.driver = g_strdup (info.cuda_reason);
  text = g_strdup_printf ("%s %s", info.cuda_reason,
                          _("The CPU does the work; the result is the same."));
  isolux_notice_show (dialog, ISOLUX_NOTICE_GPU,
                      _("The GPU can’t be used: the NVIDIA driver is too "
                        "old."),
                      text, NULL, info.cuda_reason);
  g_free (text);
}

void
isolux_dialog_try_gpu (IsoluxDialog *dialog)
{
  g_clear_pointer (&dialog->fallback, g_free);
  if (gtk_toggle_button_get_active (GTK_TOGGLE_BUTTON (dialog
                                                         ->backend_radios[1])))
    isolux_engine_set_backend (dialog->engine, ISOLUX_BACKEND_CUDA);
  else
    gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (dialog->backend_radios[1]),
                                  TRUE);
}

/* GIMP's own import of DICOM throws bits away */
static void
tell_depth (IsoluxDialog *dialog, const IsoluxHistogram *histogram)
{
  gchar *text;

  if (dialog->told_depth || ! dialog->loaded || ! histogram)
    return;
  dialog->told_depth = TRUE;
  if (dialog->target->error)
    isolux_notice_show (dialog, ISOLUX_NOTICE_DEPTH,
                        _("Numbers are no longer what was in the file."),
                        dialog->target->error, NULL, NULL);
  else if (dialog->depth == 8 && ! dialog->target->has_values &&
           (g_str_has_suffix (dialog->file_name, ".dcm") ||
            g_str_has_suffix (dialog->file_name, ".dicom")))
    isolux_notice_show (dialog, ISOLUX_NOTICE_DEPTH,
                        _("GIMP has reduced this DICOM image to 8 bits or "
                          "less."),
                        _("Open the file again with Isolux's DICOM import for "
                          "its full depth."),
                        NULL, NULL);
  else if (dialog->kind == ISOLUX_OPERATION_GRAYSCALE &&
           histogram->type == ISOLUX_TYPE_U16 && histogram->bits < 16)
    {
      text = g_strdup_printf (_("This layer uses %d of 16 bits, so GIMP shows "
                                "it almost black."),
                              histogram->bits);
      isolux_notice_show (dialog, ISOLUX_NOTICE_DEPTH, text,
                          _("Window/Level makes it visible."), NULL, NULL);
      g_free (text);
    }
}

static void
tell_empty (IsoluxDialog *dialog)
{
  gchar *title;

  if (! dialog->loaded || dialog->result->estimated ||
      ! dialog->result->before.histogram)
    return;
  if (dialog->result->before.statistics.count > 0 ||
      dialog->result->before.not_numbers > 0)
    {
      isolux_notice_hide (dialog, ISOLUX_NOTICE_EMPTY);
      return;
    }
  if (dialog->notice == ISOLUX_NOTICE_EMPTY)
    return;
  title = g_strdup_printf (_("“%s” has no visible pixel"), dialog->item_name);
  isolux_notice_show (dialog, ISOLUX_NOTICE_EMPTY, title,
                      _("All pixels are transparent or outside the "
                        "selection."),
                      NULL, NULL);
  g_free (title);
}

static void
count_result (IsoluxDialog *dialog)
{
  gint64 now = g_get_monotonic_time ();

  if (! dialog->verbose)
    return;
  if (dialog->results == 0)
    dialog->results_since = now;
  dialog->results++;
  if (now - dialog->results_since > G_USEC_PER_SEC)
    {
      isolux_dialog_log (dialog, "%.1f updates a second",
                         dialog->results * 1e6 /
                           (gdouble) (now - dialog->results_since));
      dialog->results = 0;
    }
}

static void
replace_result (IsoluxEngineResult **place, IsoluxEngineResult *result)
{
  if (*place)
    isolux_engine_result_unref (*place);
  *place = isolux_engine_result_ref (result);
}

static void
result_came (IsoluxEngine       *engine,
             IsoluxEngineResult *result,
             IsoluxDialog       *dialog)
{
  /* while the layer is being opened again, the selection is in other hands */
  if (dialog->closed || dialog->failed || ! dialog->opened)
    return;
  if (result->error)
    {
      tell_error (dialog, result->error);
      return;
    }
  isolux_notice_hide (dialog, ISOLUX_NOTICE_ERROR);
  if (result->report.warning[0])
    tell_fallback (dialog, result->report.warning);

  if (! dialog->shown)
    isolux_dialog_log (dialog, "first result");
  if (result->before_pixels)
    replace_result (&dialog->shown, result);
  if (result->numbers)
    {
      replace_result (&dialog->result, result);
      /* an estimate's time is not the layer's */
      if (! result->estimated)
        dialog->milliseconds = result->operation_milliseconds;
      if (! result->estimated && dialog->loaded && ! dialog->told_exact)
        {
          dialog->told_exact = TRUE;
          isolux_dialog_log (dialog, "first exact result");
        }
      isolux_header_update (dialog);
      isolux_header_update_backend (dialog);
      isolux_histogram_update (dialog);
      isolux_numbers_update (dialog);
      isolux_settings_update_notes (dialog);
      tell_empty (dialog);
      tell_depth (dialog, result->before.histogram);
    }
  isolux_image_update (dialog);
  isolux_image_update_pixel (dialog);
  if (! dialog->loaded)
    isolux_image_update_strip (dialog);
  count_result (dialog);
}

static void
busy_changed (IsoluxEngine *engine, gboolean busy, IsoluxDialog *dialog)
{
  dialog->busy = busy;
  isolux_header_update_backend (dialog);
}

static void
backend_changed (IsoluxEngine *engine, IsoluxDialog *dialog)
{
  isolux_header_update_backend (dialog);
  tell_driver (dialog);
}

/* ---- Reading ------------------------------------------------------ */

typedef struct
{
  IsoluxDialog   *dialog;
  IsoluxSource   *source;
  gboolean        opened;
  gboolean        image_alive;
  GError         *error;
  gint64          y;
  gint64          rows;
  gpointer        data;
  gsize           stride;
  IsoluxRectangle box; /* of the selection, when it has changed */
} ReadJob;

static void
read_job_free (gpointer data)
{
  ReadJob *job = data;

  g_clear_error (&job->error);
  g_free (job);
}

static gboolean
is_closing (gpointer gate)
{
  return isolux_gate_is_closing (gate);
}

static void
open_work (gpointer data)
{
  ReadJob *job = data;

  if (job->box.width > 0)
    {
      job->dialog->target->x = (gint) job->box.x;
      job->dialog->target->y = (gint) job->box.y;
      job->dialog->target->width = (gint) job->box.width;
      job->dialog->target->height = (gint) job->box.height;
    }
  job->opened = isolux_source_open (job->source, is_closing, job->dialog->gate,
                                    &job->error);
  if (job->opened)
    isolux_display_prepare (job->source->format, job->source->image.components);
}

static void
close_work (gpointer data)
{
  ReadJob *job = data;

  isolux_source_close (job->source);
}

static void
read_work (gpointer data)
{
  ReadJob *job = data;

  if (! isolux_gate_is_closing (job->dialog->gate))
    {
      job->opened = isolux_source_read (job->source, job->y, job->rows,
                                        job->data, job->stride);
      job->image_alive = job->opened ||
                         gimp_image_is_valid (job->dialog->image);
    }
}

static void image_closed (IsoluxDialog *dialog, gboolean all);
static void start_poll (IsoluxDialog *dialog);

static void
reading_ended (IsoluxDialog *dialog)
{
  ReadJob *job = g_new0 (ReadJob, 1);

  job->dialog = dialog;
  job->source = dialog->source;
  isolux_gate_push (dialog->gate, close_work, NULL, job, read_job_free);

  dialog->loaded = TRUE;
  isolux_dialog_log (dialog, "all rows read");
  isolux_image_update_strip (dialog);
  isolux_notice_hide (dialog, ISOLUX_NOTICE_CHANGED);
  if (dialog->result)
    {
      isolux_numbers_update (dialog);
      tell_empty (dialog);
      tell_depth (dialog, dialog->result->before.histogram);
    }
  show_canvas (dialog);
  start_poll (dialog);
}

static void read_done (gpointer data);

static void
read_on (IsoluxDialog *dialog)
{
  gint64 y;
  gint64 rows;

  while (dialog->in_flight < AHEAD &&
         isolux_source_next (dialog->source, &y, &rows))
    {
      ReadJob *job = g_new0 (ReadJob, 1);

      job->dialog = dialog;
      job->source = dialog->source;
      job->y = y;
      job->rows = rows;
      job->data = isolux_engine_get_rows (dialog->engine, y, &job->stride);
      dialog->in_flight++;
      isolux_gate_push (dialog->gate, read_work, read_done, job, read_job_free);
    }
  if (dialog->in_flight == 0)
    reading_ended (dialog);
}

static void
read_done (gpointer data)
{
  ReadJob      *job = data;
  IsoluxDialog *dialog = job->dialog;

  dialog->in_flight--;
  if (dialog->closed)
    return;
  if (! job->opened)
    {
      image_closed (dialog, ! job->image_alive);
      return;
    }
  isolux_engine_add_rows (dialog->engine, job->y, job->rows);
  dialog->rows_read += job->rows;
  isolux_image_update_strip (dialog);
  read_on (dialog);
}

static void
reading_failed (IsoluxDialog *dialog, const GError *error)
{
  dialog->failed = TRUE;
  isolux_image_update_strip (dialog);
  if (error)
    tell_error (dialog, error);
}

static void
take_values (IsoluxDialog *dialog)
{
  dialog->values = dialog->target->values;
  dialog->is_real = isolux_real_values_are_real (&dialog->values);
  if (! dialog->source)
    return;
  if (dialog->values.bits >= 8 && dialog->values.bits <= 16)
    dialog->source->image.bits = dialog->values.bits;
}

static void
open_done (gpointer data)
{
  ReadJob          *job = data;
  IsoluxDialog     *dialog = job->dialog;
  IsoluxTarget     *target = dialog->target;
  IsoluxEngineImage image = { 0 };
  IsoluxRectangle   part;
  gint              width;
  gint              height;
  GError           *error = NULL;

  if (! job->opened)
    {
      reading_failed (dialog, job->error);
      return;
    }

  isolux_dialog_log (dialog, "opened");
  take_values (dialog);
  dialog->width = (gint) dialog->source->image.width;
  dialog->height = (gint) dialog->source->image.height;
  image.image = dialog->source->image;
  image.box.x = target->x;
  image.box.y = target->y;
  image.box.width = target->width;
  image.box.height = target->height;
  image.mask = target->mask;
  memcpy (image.weights, dialog->source->weights, sizeof image.weights);
  image.has_padding = dialog->values.has_padding;
  if (image.has_padding)
    image.padding = isolux_real_values_to_whole_code (&dialog->values,
                                                      dialog->values.padding);
  if (! isolux_engine_begin_image (dialog->engine, &image, &error))
    {
      reading_failed (dialog, error);
      g_clear_error (&error);
      return;
    }

  dialog->opened = TRUE;
  isolux_image_source_opened (dialog);
  isolux_histogram_source_opened (dialog);
  isolux_settings_source_opened (dialog);
  isolux_header_update (dialog);
  isolux_presets_row_update (dialog);
  isolux_dialog_settings_changed (dialog);
  isolux_image_preview_get_view (ISOLUX_IMAGE_PREVIEW (dialog->view), &part,
                                 &width, &height);
  if (part.width > 0 && part.height > 0 && width > 0 && height > 0)
    isolux_engine_set_view (dialog->engine, &part, width, height);
  read_on (dialog);
}

static void
start_reading (IsoluxDialog *dialog)
{
  ReadJob *job = g_new0 (ReadJob, 1);

  dialog->loaded = FALSE;
  dialog->opened = FALSE;
  dialog->failed = FALSE;
  dialog->rows_read = 0;
  dialog->told_exact = FALSE;
  dialog->milliseconds = 0.0;
  g_clear_pointer (&dialog->source, isolux_source_free);
  dialog->source = isolux_source_new (dialog->image, dialog->target);
  job->dialog = dialog;
  job->source = dialog->source;
  job->box = dialog->next_box;
  isolux_gate_push (dialog->gate, open_work, open_done, job, read_job_free);
  isolux_image_update_strip (dialog);
}

/* ---- Changes of the image meanwhile ------------------------------- */

typedef struct
{
  IsoluxDialog *dialog;
  IsoluxTarget  target; /* what it is now: without a mask */
  gboolean      image_alive;
  gboolean      alive;
  gboolean      touched; /* by the selection */
  gboolean      selected;
  gdouble       print[8];
  gint64        cost;
} PollJob;

static void
poll_work (gpointer data)
{
  PollJob *job = data;
  gint64   start = g_get_monotonic_time ();

  job->image_alive = gimp_image_is_valid (job->dialog->image);
  job->alive =
    isolux_source_fingerprint (job->dialog->image, &job->target, job->print);
  if (job->alive)
    {
      job->touched =
        gimp_drawable_mask_intersect (job->target.drawable, &job->target.x,
                                      &job->target.y, &job->target.width,
                                      &job->target.height);
      job->selected = ! gimp_selection_is_empty (job->dialog->image);
    }
  job->cost = g_get_monotonic_time () - start;
}

/* @all: the image, not just the layer */
static void
image_closed (IsoluxDialog *dialog, gboolean all)
{
  gchar *title =
    all ? g_strdup_printf (_("“%s” has been closed"), dialog->file_name)
        : g_strdup_printf (_("“%s” has been removed"), dialog->item_name);

  dialog->closed = TRUE;
  if (dialog->quiet)
    g_source_remove (dialog->quiet);
  dialog->quiet = 0;
  gtk_widget_set_sensitive (dialog->ok, FALSE);
  gtk_widget_set_sensitive (dialog->canvas, FALSE);
  isolux_image_update_strip (dialog);
  isolux_notice_show (dialog, ISOLUX_NOTICE_CLOSED, title,
                      _("There is nothing left to change."), NULL, NULL);
  g_free (title);
}

void
isolux_dialog_reload (IsoluxDialog *dialog)
{
  if (! dialog->loaded || dialog->closed || dialog->in_flight > 0)
    return;
  /* GIMP would count our own filter among the effects below */
  if (dialog->preview)
    isolux_preview_show (dialog->preview, FALSE);
  start_reading (dialog);
}

static gboolean
quiet_now (gpointer data)
{
  IsoluxDialog *dialog = data;

  dialog->quiet = 0;
  isolux_dialog_reload (dialog);
  return G_SOURCE_REMOVE;
}

static void
poll_done (gpointer data)
{
  PollJob      *job = data;
  IsoluxDialog *dialog = job->dialog;
  IsoluxTarget *target = dialog->target;
  gboolean      same;

  dialog->print_cost = job->cost;
  if (dialog->closed)
    return;
  if (! job->alive)
    {
      image_closed (dialog, ! job->image_alive);
      return;
    }

  same = ! job->touched ||
         (job->target.x == target->x && job->target.y == target->y &&
          job->target.width == target->width &&
          job->target.height == target->height);
  if (dialog->has_print && same &&
      ! memcmp (job->print, dialog->print, sizeof job->print))
    {
      start_poll (dialog);
      return;
    }

  if (dialog->has_print && job->touched)
    {
      dialog->has_selection = job->selected;
      dialog->next_box.x = job->target.x;
      dialog->next_box.y = job->target.y;
      dialog->next_box.width = job->target.width;
      dialog->next_box.height = job->target.height;
      isolux_notice_show (dialog, ISOLUX_NOTICE_CHANGED,
                          _("The layer has changed; reading it again…"), NULL,
                          NULL, NULL);
      if (dialog->quiet)
        g_source_remove (dialog->quiet);
      dialog->quiet = g_timeout_add (QUIET, quiet_now, dialog);
    }
  dialog->has_print = TRUE;
  memcpy (dialog->print, job->print, sizeof dialog->print);
  start_poll (dialog);
}

static gboolean
poll_now (gpointer data)
{
  IsoluxDialog *dialog = data;
  PollJob      *job;

  dialog->poll = 0;
  if (dialog->closed)
    return G_SOURCE_REMOVE;
  job = g_new0 (PollJob, 1);
  job->dialog = dialog;
  job->target.drawable = dialog->target->drawable;
  isolux_gate_push (dialog->gate, poll_work, poll_done, job, g_free);
  return G_SOURCE_REMOVE;
}

static void
start_poll (IsoluxDialog *dialog)
{
  guint wait = (guint) MAX (POLL, POLL_SHARE * dialog->print_cost / 1000);

  if (dialog->poll || dialog->closed)
    return;
  /* the first one right away: that is how it was read */
  dialog->poll = dialog->has_print ? g_timeout_add (wait, poll_now, dialog)
                                   : g_idle_add (poll_now, dialog);
}

/* ---- Facts that need no pixels ------------------------------------ */

static gint
depth_of (GimpPrecision precision)
{
  switch (precision)
    {
      case GIMP_PRECISION_U8_LINEAR:
      case GIMP_PRECISION_U8_NON_LINEAR:
      case GIMP_PRECISION_U8_PERCEPTUAL:
        return 8;
      case GIMP_PRECISION_U16_LINEAR:
      case GIMP_PRECISION_U16_NON_LINEAR:
      case GIMP_PRECISION_U16_PERCEPTUAL:
        return 16;
      case GIMP_PRECISION_U32_LINEAR:
      case GIMP_PRECISION_U32_NON_LINEAR:
      case GIMP_PRECISION_U32_PERCEPTUAL:
        return 32;
      case GIMP_PRECISION_HALF_LINEAR:
      case GIMP_PRECISION_HALF_NON_LINEAR:
      case GIMP_PRECISION_HALF_PERCEPTUAL:
        return -16;
      case GIMP_PRECISION_DOUBLE_LINEAR:
      case GIMP_PRECISION_DOUBLE_NON_LINEAR:
      case GIMP_PRECISION_DOUBLE_PERCEPTUAL:
        return -64;
      default:
        return -32;
    }
}

static gchar *
describe_item (GimpItem *item, const gchar *name)
{
  if (GIMP_IS_LAYER_MASK (item))
    return g_strdup_printf (_("layer mask “%s”"), name);
  if (GIMP_IS_CHANNEL (item))
    return g_strdup_printf (_("channel “%s”"), name);
  if (gimp_item_is_group (item))
    return g_strdup_printf (_("layer group “%s”"), name);
  if (GIMP_IS_TEXT_LAYER (item))
    return g_strdup_printf (_("text layer “%s”"), name);
  if (GIMP_IS_LAYER (item) && gimp_layer_is_floating_sel (GIMP_LAYER (item)))
    return g_strdup_printf (_("floating selection “%s”"), name);
  return g_strdup_printf (_("layer “%s”"), name);
}

static void
learn_facts (IsoluxDialog *dialog)
{
  GimpDrawable *drawable = dialog->target->drawable;
  GFile        *file = gimp_image_get_file (dialog->image);

  if (! file)
    file = gimp_image_get_imported_file (dialog->image);
  if (file)
    {
      dialog->file_name = g_file_get_basename (file);
      g_object_unref (file);
    }
  else
    dialog->file_name = gimp_image_get_name (dialog->image);
  dialog->image_name = g_strdup_printf ("%s-%d", dialog->file_name,
                                        gimp_image_get_id (dialog->image));
  dialog->item_name = gimp_item_get_name (GIMP_ITEM (drawable));
  dialog->item_text = describe_item (GIMP_ITEM (drawable), dialog->item_name);
  dialog->width = gimp_drawable_get_width (drawable);
  dialog->height = gimp_drawable_get_height (drawable);
  dialog->is_rgb = gimp_drawable_is_rgb (drawable);
  dialog->has_alpha = gimp_drawable_has_alpha (drawable);
  dialog->has_selection = ! gimp_selection_is_empty (dialog->image);
  dialog->depth = depth_of (gimp_image_get_precision (dialog->image));
}

/* ---- Layout ------------------------------------------------------- */

static void
place_histogram (IsoluxDialog *dialog)
{
  GtkWidget *parent = gtk_widget_get_parent (dialog->left_bottom);

  if (parent)
    gtk_container_remove (GTK_CONTAINER (parent), dialog->left_bottom);
  if (dialog->compact)
    {
      gtk_box_pack_start (GTK_BOX (dialog->settings), dialog->left_bottom,
                          FALSE, FALSE, 0);
      gtk_box_reorder_child (GTK_BOX (dialog->settings), dialog->left_bottom,
                             0);
      gtk_widget_set_margin_top (dialog->left_bottom, 0);
      gtk_widget_set_size_request (dialog->left_bottom, -1, 206);
    }
  else
    {
      gtk_widget_set_size_request (dialog->left_bottom, -1, -1);
      gtk_widget_set_margin_top (dialog->left_bottom, 6);
      gtk_paned_pack2 (GTK_PANED (dialog->pane), dialog->left_bottom, FALSE,
                       FALSE);
    }
}

static void
set_column_width (IsoluxDialog *dialog)
{
  gtk_widget_set_size_request (dialog->column,
                               dialog->compact  ? -1
                               : dialog->narrow ? ISOLUX_COLUMN_NARROW
                                                : ISOLUX_COLUMN,
                               -1);
}

static void
apply_compact (IsoluxDialog *dialog)
{
  place_histogram (dialog);
  gtk_widget_set_visible (dialog->pane, ! dialog->compact);
  gtk_box_set_child_packing (GTK_BOX (dialog->main), dialog->column,
                             dialog->compact, TRUE, 0, GTK_PACK_START);
  set_column_width (dialog);
  isolux_numbers_fold (dialog, dialog->compact || dialog->low);
}

void
isolux_dialog_set_compact (IsoluxDialog *dialog, gboolean compact)
{
  if (compact == dialog->compact)
    return;
  dialog->compact = compact;
  dialog->memory.compact = compact;
  apply_compact (dialog);
  isolux_header_update (dialog);
  isolux_header_update_backend (dialog);
  isolux_histogram_update (dialog);
  gtk_window_resize (GTK_WINDOW (dialog->window),
                     compact ? dialog->memory.compact_width
                             : dialog->memory.width,
                     compact ? dialog->memory.compact_height
                             : dialog->memory.height);
}

static gboolean
fit_layout (gpointer data)
{
  IsoluxDialog *dialog = data;
  gint          width;
  gint          height;
  gboolean      narrow;
  gboolean      low;

  dialog->fit_source = 0;
  gtk_window_get_size (GTK_WINDOW (dialog->window), &width, &height);
  narrow = ! dialog->compact && width < ISOLUX_NARROW_WIDTH;
  low = height < ISOLUX_LOW_HEIGHT;
  if (narrow != dialog->narrow)
    {
      dialog->narrow = narrow;
      set_column_width (dialog);
    }
  if (low != dialog->low)
    {
      dialog->low = low;
      isolux_numbers_fold (dialog, dialog->compact || dialog->low);
      isolux_histogram_update_show (dialog);
    }
  return G_SOURCE_REMOVE;
}

static gboolean
window_configured (GtkWidget *window, GdkEvent *event, IsoluxDialog *dialog)
{
  gint width;
  gint height;

  gtk_window_get_size (GTK_WINDOW (window), &width, &height);
  if (! gtk_window_is_maximized (GTK_WINDOW (window)))
    {
      if (dialog->compact)
        {
          dialog->memory.compact_width = width;
          dialog->memory.compact_height = height;
        }
      else
        {
          dialog->memory.width = width;
          dialog->memory.height = height;
        }
    }
  if (! dialog->fit_source)
    dialog->fit_source = g_idle_add (fit_layout, dialog);
  return GDK_EVENT_PROPAGATE;
}

/* Two axes need more room than one, unless the user has given some */
void
isolux_dialog_make_room (IsoluxDialog *dialog)
{
  if (dialog->made_room)
    return;
  dialog->made_room = TRUE;
  if (dialog->memory.pane >= 0 || dialog->compact || dialog->low)
    return;
  dialog->own_pane -= ISOLUX_LANE_ROOM;
  gtk_paned_set_position (GTK_PANED (dialog->pane), dialog->own_pane);
}

static void
pane_moved (GtkPaned *pane, GParamSpec *spec, IsoluxDialog *dialog)
{
  gint position = gtk_paned_get_position (pane);

  if (gtk_widget_get_mapped (GTK_WIDGET (pane)) && position != dialog->own_pane)
    dialog->memory.pane = position;
}

/* Not larger than the screen */
static void
set_size (IsoluxDialog *dialog)
{
  GdkDisplay  *display = gdk_display_get_default ();
  GdkMonitor  *monitor = gdk_display_get_primary_monitor (display);
  GdkRectangle area = { 0, 0, 100000, 100000 };
  gint         width = dialog->memory.width;
  gint         height = dialog->memory.height;

  if (! monitor)
    monitor = gdk_display_get_monitor (display, 0);
  if (monitor)
    gdk_monitor_get_workarea (monitor, &area);
  if (dialog->compact)
    {
      width = dialog->memory.compact_width;
      height = dialog->memory.compact_height;
    }
  width = MIN (width, area.width);
  height = MIN (height, area.height - 30); /* the title bar */
  gtk_window_set_default_size (GTK_WINDOW (dialog->window), width, height);
  dialog->narrow = ! dialog->compact && width < ISOLUX_NARROW_WIDTH;
  dialog->low = height < ISOLUX_LOW_HEIGHT;
  dialog->own_pane = 352 + height - ISOLUX_HEIGHT;
  gtk_paned_set_position (GTK_PANED (dialog->pane), dialog->memory.pane >= 0
                                                      ? dialog->memory.pane
                                                      : dialog->own_pane);
}

/* ---- Keys --------------------------------------------------------- */

void
isolux_dialog_compare (IsoluxDialog *dialog, gboolean compare)
{
  if (compare == dialog->comparing)
    return;
  dialog->comparing = compare;
  isolux_image_preview_set_compare (ISOLUX_IMAGE_PREVIEW (dialog->view),
                                    compare);
  isolux_histogram_update_show (dialog);
}

/* From image to histogram to settings and round again */
static void
cycle_focus (IsoluxDialog *dialog, gboolean back)
{
  GtkWidget *places[3] = { dialog->view, dialog->histogram, NULL };
  GtkWidget *focus = gtk_window_get_focus (GTK_WINDOW (dialog->window));
  gint       at = 2;
  gint       step = back ? 2 : 1;

  for (gint i = 0; i < 2; i++)
    if (focus &&
        (focus == places[i] || gtk_widget_is_ancestor (focus, places[i])))
      at = i;
  at = (at + step) % 3;
  if (at == 0 && dialog->compact)
    at = back ? 2 : 1;
  if (at < 2)
    gtk_widget_grab_focus (places[at]);
  else
    gtk_widget_child_focus (dialog->rows, GTK_DIR_TAB_FORWARD);
}

static gboolean
key_pressed (GtkWidget *window, GdkEventKey *event, IsoluxDialog *dialog)
{
  switch (event->keyval)
    {
      case GDK_KEY_Escape:
        return isolux_histogram_view_cancel_drag (
                 ISOLUX_HISTOGRAM_VIEW (dialog->histogram)) ||
               isolux_image_preview_cancel_drag (
                 ISOLUX_IMAGE_PREVIEW (dialog->view));
      case GDK_KEY_F1:
        isolux_help_show (GTK_WINDOW (window),
                          gimp_procedure_get_name (dialog->procedure));
        return GDK_EVENT_STOP;
      case GDK_KEY_F2:
        isolux_dialog_compare (dialog, TRUE);
        return GDK_EVENT_STOP;
      case GDK_KEY_F6:
        cycle_focus (dialog, (event->state & GDK_SHIFT_MASK) != 0);
        return GDK_EVENT_STOP;
      case GDK_KEY_F9:
        gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (dialog
                                                           ->preview_toggle),
                                      dialog->compact);
        return GDK_EVENT_STOP;
      default:
        return GDK_EVENT_PROPAGATE;
    }
}

static gboolean
key_released (GtkWidget *window, GdkEventKey *event, IsoluxDialog *dialog)
{
  if (event->keyval != GDK_KEY_F2)
    return GDK_EVENT_PROPAGATE;
  isolux_dialog_compare (dialog, FALSE);
  return GDK_EVENT_STOP;
}

static gboolean
focus_lost (GtkWidget *window, GdkEvent *event, IsoluxDialog *dialog)
{
  isolux_dialog_compare (dialog, FALSE);
  return GDK_EVENT_PROPAGATE;
}

/* ---- Buttons ------------------------------------------------------ */

void
isolux_dialog_respond (IsoluxDialog *dialog, gint response)
{
  dialog->response = response;
  g_main_loop_quit (dialog->loop);
}

static void
responded (GtkDialog *window, gint response, IsoluxDialog *dialog)
{
  switch (response)
    {
      case GTK_RESPONSE_HELP:
        isolux_help_show (GTK_WINDOW (window),
                          gimp_procedure_get_name (dialog->procedure));
        break;
      case RESPONSE_RESET:
        gtk_popover_popup (GTK_POPOVER (dialog->reset_menu));
        break;
      default:
        isolux_dialog_respond (dialog, response);
        break;
    }
}

/* A response has been made of it; the window goes when we let it go */
static gboolean
keep_window (GtkWidget *window, GdkEvent *event, IsoluxDialog *dialog)
{
  return GDK_EVENT_STOP;
}

static void
reset_initial (GtkButton *entry, IsoluxDialog *dialog)
{
  const IsoluxParameter *parameter =
    isolux_parameters (dialog->effect->operation);

  for (; parameter->name; parameter++)
    {
      GValue value = G_VALUE_INIT;

      g_object_get_property (G_OBJECT (dialog->initial), parameter->name,
                             &value);
      g_object_set_property (G_OBJECT (dialog->config), parameter->name,
                             &value);
      g_value_unset (&value);
    }
}

static void
reset_factory (GtkButton *entry, IsoluxDialog *dialog)
{
  isolux_rows_reset (ISOLUX_ROWS (dialog->rows));
}

static GtkWidget *
reset_menu_new (IsoluxDialog *dialog)
{
  GtkWidget *menu = isolux_menu_new ();

  isolux_menu_add (menu, _("_Initial Values"), G_CALLBACK (reset_initial),
                   dialog);
  isolux_menu_add (menu, _("_Factory Defaults"), G_CALLBACK (reset_factory),
                   dialog);
  return menu;
}

static void
add_buttons (IsoluxDialog *dialog)
{
  GtkDialog *window = GTK_DIALOG (dialog->window);
  GtkWidget *help;
  GtkWidget *reset;
  GtkWidget *area;
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 4);
  GtkWidget *label = gtk_label_new_with_mnemonic (_("_Reset"));

  help = gtk_dialog_add_button (window, _("_Help"), GTK_RESPONSE_HELP);
  reset = gtk_dialog_add_button (window, _("_Reset"), RESPONSE_RESET);
  gtk_dialog_add_button (window, _("_Cancel"), GTK_RESPONSE_CANCEL);
  dialog->ok = gtk_dialog_add_button (window, _("_OK"), GTK_RESPONSE_OK);
  gtk_dialog_set_default_response (window, GTK_RESPONSE_OK);

  gtk_container_remove (GTK_CONTAINER (reset),
                        gtk_bin_get_child (GTK_BIN (reset)));
  gtk_label_set_mnemonic_widget (GTK_LABEL (label), reset);
  gtk_box_pack_start (GTK_BOX (box), label, TRUE, TRUE, 0);
  gtk_box_pack_start (GTK_BOX (box), isolux_icon_new ("pan-down-symbolic", 16),
                      FALSE, FALSE, 0);
  gtk_widget_set_halign (box, GTK_ALIGN_CENTER);
  gtk_container_add (GTK_CONTAINER (reset), box);
  gtk_widget_show_all (reset);
  isolux_widget_set_name (reset, _("Reset"));
  dialog->reset_menu = reset_menu_new (dialog);
  gtk_popover_set_relative_to (GTK_POPOVER (dialog->reset_menu), reset);

  area = gtk_widget_get_parent (help);
  gtk_button_box_set_child_secondary (GTK_BUTTON_BOX (area), help, TRUE);
  gtk_button_box_set_child_secondary (GTK_BUTTON_BOX (area), reset, TRUE);
  gtk_container_set_border_width (GTK_CONTAINER (area), 0);
  gtk_widget_set_margin_start (area, 12);
  gtk_widget_set_margin_end (area, 12);
  gtk_widget_set_margin_top (area, 6);
  gtk_widget_set_margin_bottom (area, 10);
}

/* ---- The window --------------------------------------------------- */

static GtkWidget *
column_new (IsoluxDialog *dialog)
{
  GtkWidget *column = gtk_box_new (GTK_ORIENTATION_VERTICAL, 8);
  GtkWidget *scrolled = gtk_scrolled_window_new (NULL, NULL);
  GtkWidget *settings = gtk_box_new (GTK_ORIENTATION_VERTICAL, 10);
  GtkWidget *separator = gtk_separator_new (GTK_ORIENTATION_HORIZONTAL);
  GtkWidget *rows = isolux_settings_new (dialog);

  dialog->column = column;
  dialog->settings = settings;
  gtk_box_pack_start (GTK_BOX (settings), isolux_presets_row_new (dialog),
                      FALSE, FALSE, 0);
  gtk_box_pack_start (GTK_BOX (settings), rows, FALSE, FALSE, 0);
  gtk_box_pack_start (GTK_BOX (settings), isolux_numbers_new (dialog), FALSE,
                      FALSE, 0);

  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scrolled),
                                  GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC);
  gtk_scrolled_window_set_overlay_scrolling (GTK_SCROLLED_WINDOW (scrolled),
                                             FALSE);
  gtk_container_add (GTK_CONTAINER (scrolled), settings);
  gtk_box_pack_start (GTK_BOX (column), scrolled, TRUE, TRUE, 0);
  gtk_box_pack_start (GTK_BOX (column), separator, FALSE, FALSE, 0);
  gtk_box_pack_start (GTK_BOX (column), isolux_footer_new (dialog), FALSE,
                      FALSE, 0);
  /* a label inside that expands would make it grow */
  gtk_widget_set_hexpand (column, FALSE);
  gtk_widget_show (separator);
  gtk_widget_show (settings);
  gtk_widget_show (gtk_bin_get_child (GTK_BIN (scrolled))); /* a viewport */
  gtk_widget_show (scrolled);
  gtk_widget_show (column);
  return column;
}

static void
window_new (IsoluxDialog *dialog)
{
  GtkWidget *content;

  dialog->window = g_object_new (GTK_TYPE_DIALOG, "use-header-bar", FALSE,
                                 "title", dialog->name, NULL);
  gtk_window_set_role (GTK_WINDOW (dialog->window),
                       gimp_procedure_get_name (dialog->procedure));
  content = gtk_dialog_get_content_area (GTK_DIALOG (dialog->window));
  gtk_container_set_border_width (GTK_CONTAINER (content), 0);
  gtk_box_set_spacing (GTK_BOX (content), 0);
  gtk_container_set_border_width (GTK_CONTAINER (dialog->window), 0);

  gtk_box_pack_start (GTK_BOX (content), isolux_header_new (dialog), FALSE,
                      FALSE, 0);
  dialog->bars = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  gtk_widget_set_margin_start (dialog->bars, 12);
  gtk_widget_set_margin_end (dialog->bars, 12);
  gtk_box_pack_start (GTK_BOX (content), dialog->bars, FALSE, FALSE, 0);

  dialog->main = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 14);
  gtk_widget_set_margin_start (dialog->main, 12);
  gtk_widget_set_margin_end (dialog->main, 12);
  dialog->pane = gtk_paned_new (GTK_ORIENTATION_VERTICAL);
  dialog->left_top = isolux_image_pane_new (dialog);
  dialog->left_bottom = g_object_ref_sink (isolux_histogram_pane_new (dialog));
  gtk_paned_pack1 (GTK_PANED (dialog->pane), dialog->left_top, TRUE, FALSE);
  gtk_box_pack_start (GTK_BOX (dialog->main), dialog->pane, TRUE, TRUE, 0);
  gtk_box_pack_start (GTK_BOX (dialog->main), column_new (dialog), FALSE, TRUE,
                      0);
  gtk_widget_show (dialog->main);
  gtk_box_pack_start (GTK_BOX (content), dialog->main, TRUE, TRUE, 0);
  add_buttons (dialog);

  apply_compact (dialog);
  set_size (dialog);
  set_column_width (dialog);
  isolux_numbers_fold (dialog, dialog->compact || dialog->low);
  isolux_header_update (dialog);
  isolux_header_update_backend (dialog);
  isolux_presets_row_update (dialog);
  isolux_histogram_update_show (dialog);
  isolux_image_update_strip (dialog);

  g_signal_connect (dialog->pane, "notify::position", G_CALLBACK (pane_moved),
                    dialog);
  g_signal_connect (dialog->window, "response", G_CALLBACK (responded), dialog);
  g_signal_connect (dialog->window, "delete-event", G_CALLBACK (keep_window),
                    dialog);
  g_signal_connect (dialog->window, "key-press-event", G_CALLBACK (key_pressed),
                    dialog);
  g_signal_connect (dialog->window, "key-release-event",
                    G_CALLBACK (key_released), dialog);
  g_signal_connect (dialog->window, "focus-out-event", G_CALLBACK (focus_lost),
                    dialog);
  g_signal_connect (dialog->window, "configure-event",
                    G_CALLBACK (window_configured), dialog);
}

/* ---- Measuring ---------------------------------------------------- */

static gint64
thread_time (void)
{
  struct timespec time;

  clock_gettime (CLOCK_THREAD_CPUTIME_ID, &time);
  return time.tv_sec * G_USEC_PER_SEC + time.tv_nsec / 1000;
}

/* How late it comes, and how much of that this thread has worked: the rest is
 * other programs' */
static gboolean
stall_tick (gpointer data)
{
  IsoluxDialog *dialog = data;
  gint64        now = g_get_monotonic_time ();
  gint64        work = thread_time ();
  gint64        late = now - dialog->stall_last - 5000;

  dialog->stall_longest = MAX (dialog->stall_longest, late);
  if (work - dialog->work_last > dialog->work_longest)
    {
      dialog->work_longest = work - dialog->work_last;
      isolux_dialog_log (dialog, "main loop stalled for %.1f ms, worked %.1f",
                         late / 1000.0, dialog->work_longest / 1000.0);
    }
  dialog->stall_last = now;
  dialog->work_last = work;
  return G_SOURCE_CONTINUE;
}

/* ---- Life --------------------------------------------------------- */

/* The window is there: now for the pixels */
static gboolean
begin (gpointer data)
{
  IsoluxDialog *dialog = data;

  isolux_dialog_log (dialog, "window drawn");
  if (dialog->verbose)
    {
      dialog->stall_last = g_get_monotonic_time ();
      dialog->work_last = thread_time ();
      dialog->stall_source =
        g_timeout_add_full (G_PRIORITY_HIGH, 5, stall_tick, dialog, NULL);
    }
  dialog->gate = isolux_gate_new ();
  dialog->preview = isolux_preview_new (dialog->image, dialog->targets,
                                        dialog->effect, dialog->gate);
  start_reading (dialog);
  return G_SOURCE_REMOVE;
}

static gboolean
first_drawn (GtkWidget *window, cairo_t *cr, IsoluxDialog *dialog)
{
  g_signal_handlers_disconnect_by_func (window, first_drawn, dialog);
  g_idle_add (begin, dialog);
  return GDK_EVENT_PROPAGATE;
}

static void
window_mapped (GtkWidget *window, IsoluxDialog *dialog)
{
  isolux_dialog_log (dialog, "window mapped");
}

static void
end (IsoluxDialog *dialog)
{
  gtk_widget_hide (dialog->window);
  /* threads that are at work are waited for: the window shall not */
  gdk_display_flush (gtk_widget_get_display (dialog->window));
  isolux_engine_stop (dialog->engine);
  gtk_clipboard_store (gtk_widget_get_clipboard (dialog->window,
                                                 GDK_SELECTION_CLIPBOARD));
  while (g_source_remove_by_user_data (dialog))
    ;
  g_signal_handlers_disconnect_by_data (dialog->config, dialog);
  g_signal_handlers_disconnect_by_data (dialog->engine, dialog);
  g_signal_handlers_disconnect_by_data (dialog->model, dialog);

  if (dialog->gate)
    {
      isolux_gate_close (dialog->gate);
      isolux_preview_free (dialog->preview);
      isolux_source_close (dialog->source);
      isolux_source_free (dialog->source);
    }
  if (dialog->verbose)
    isolux_dialog_log (dialog, "closed; longest stall %.1f ms, work %.1f ms",
                       dialog->stall_longest / 1000.0,
                       dialog->work_longest / 1000.0);
}

static void
forget (IsoluxDialog *dialog)
{
  gtk_widget_destroy (dialog->window);
  g_object_unref (dialog->left_bottom);
  g_object_unref (dialog->numbers_content);
  g_clear_pointer (&dialog->result, isolux_engine_result_unref);
  g_clear_pointer (&dialog->shown, isolux_engine_result_unref);
  g_object_unref (dialog->engine);
  g_object_unref (dialog->model);
  g_object_unref (dialog->initial);
  g_clear_pointer (&dialog->display, isolux_display_free);
  g_clear_pointer (&dialog->before_surface, cairo_surface_destroy);
  isolux_presets_free (dialog->presets);
  isolux_memory_clear (&dialog->memory);
  g_main_loop_unref (dialog->loop);
  g_free (dialog->file_name);
  g_free (dialog->image_name);
  g_free (dialog->item_name);
  g_free (dialog->item_text);
  g_free (dialog->preset_id);
  g_free (dialog->fallback);
  g_free (dialog->read_out_text);
  g_free (dialog->read_out_brief);
  g_free (dialog);
}

gboolean
isolux_dialog_run (GimpProcedure      *procedure,
                   const gchar        *name,
                   GimpImage          *image,
                   GPtrArray          *targets,
                   const IsoluxEffect *effect,
                   gint64              began)
{
  IsoluxDialog *dialog = g_new0 (IsoluxDialog, 1);
  const gchar  *verbose = g_getenv ("ISOLUX_VERBOSE");
  gboolean      ok;

  dialog->procedure = procedure;
  dialog->name = name;
  dialog->image = image;
  dialog->targets = targets;
  dialog->target = targets->pdata[0];
  dialog->effect = effect;
  dialog->config = effect->config;
  dialog->kind = (IsoluxOperationKind) isolux_settings_kind (effect->operation);
  dialog->began = began;
  dialog->verbose = verbose && *verbose;
  isolux_dialog_log (dialog, "begin");

  /* libgimpui starts GEGL, which would load all of its operations */
  isolux_gegl_init ();
  gimp_ui_init ("isolux");
  isolux_dialog_log (dialog, "GTK started");
  isolux_style_add ();
  take_values (dialog);
  isolux_memory_load (&dialog->memory, gimp_procedure_get_name (procedure));
  dialog->compact = dialog->memory.compact;
  learn_facts (dialog);

  dialog->initial =
    GIMP_PROCEDURE_CONFIG (gimp_config_duplicate (GIMP_CONFIG (dialog
                                                                 ->config)));
  dialog->engine = isolux_engine_new ();
  dialog->presets =
    isolux_presets_new (gimp_procedure_get_name (procedure), effect->operation);
  dialog->loop = g_main_loop_new (NULL, FALSE);
  window_new (dialog);
  isolux_dialog_log (dialog, "window built");

  g_signal_connect (dialog->engine, "result", G_CALLBACK (result_came), dialog);
  g_signal_connect (dialog->engine, "busy", G_CALLBACK (busy_changed), dialog);
  g_signal_connect (dialog->engine, "backend-changed",
                    G_CALLBACK (backend_changed), dialog);
  g_signal_connect (dialog->config, "notify", G_CALLBACK (config_changed),
                    dialog);

  g_signal_connect (dialog->window, "map", G_CALLBACK (window_mapped), dialog);
  g_signal_connect_after (dialog->window, "draw", G_CALLBACK (first_drawn),
                          dialog);
  gtk_widget_realize (dialog->window);
  gimp_window_set_transient (GTK_WINDOW (dialog->window));
  gtk_widget_show (dialog->window);
  g_main_loop_run (dialog->loop);

  ok = dialog->response == GTK_RESPONSE_OK && ! dialog->closed;
  end (dialog);
  if (ok)
    isolux_presets_remember (dialog->presets, G_OBJECT (dialog->config),
                             dialog->is_real ? &dialog->values : NULL, NULL);
  isolux_memory_save (&dialog->memory, gimp_procedure_get_name (procedure));
  forget (dialog);
  return ok;
}
