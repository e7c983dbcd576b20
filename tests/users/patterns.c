/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What users of other programs met with local binary patterns and histograms
 * of oriented gradients, by the numbers of their reports:
 *
 *   R36  scikit-image #2522: flat floats gave noise instead of 255
 *   R37  scikit-image #8198: codes differed from platform to platform
 *   R39  scikit-image #966: VAR was divided by itself, NaN on flat areas
 *   R40  scikit-image #1105, #422, #2453: glyphs mirrored, parallel to the
 *        gradients, drawn at the edges of the bins
 *   R42  OpenCV #4527, #4769, #6923, #5567: sizes that failed, descriptors
 *        that overwrote each other, OpenCL unlike the CPU
 */
#include "patterns.h"

#include <math.h>
#include <string.h>

typedef struct
{
  IsoluxLbpOptions lbp;
  IsoluxHogOptions hog;
  IsoluxHog       *found;
} Job;

static IsoluxDevice *
open_device (gconstpointer kind)
{
  return GPOINTER_TO_INT (kind) == ISOLUX_BACKEND_CUDA ? test_cuda ()
                                                       : test_cpu (0);
}

static gboolean
run_lbp (IsoluxSurface *source,
         IsoluxSurface *destination,
         gpointer       user_data,
         GError       **error)
{
  return isolux_lbp (source, destination, &((Job *) user_data)->lbp, NULL,
                     error);
}

static gboolean
run_hog (IsoluxSurface *source,
         IsoluxSurface *destination,
         gpointer       user_data,
         GError       **error)
{
  Job *job = user_data;

  job->found = isolux_hog (source, &job->hog, NULL, error);
  return job->found != NULL;
}

static gboolean
run_picture (IsoluxSurface *source,
             IsoluxSurface *destination,
             gpointer       user_data,
             GError       **error)
{
  return isolux_hog_picture (source, destination, &((Job *) user_data)->hog,
                             NULL, error);
}

static void
run (IsoluxDevice *device,
     const Buffer *input,
     Buffer       *output,
     PatternsFunc  function,
     Job          *job)
{
  GError  *error = NULL;
  gboolean success = patterns_run (device, FALSE, NULL, input, NULL, output,
                                   function, job, &error);

  g_assert_no_error (error);
  g_assert_true (success);
}

static void
set_f32 (Buffer *buffer, gint64 x, gint64 y, gfloat v)
{
  ((gfloat *) ((guint8 *) buffer->view.data +
               (gsize) y * buffer->view.stride))[x] = v;
}

static gfloat
get_f32 (const Buffer *buffer, gint64 x, gint64 y)
{
  return ((gfloat *) ((guint8 *) buffer->view.data +
                      (gsize) y * buffer->view.stride))[x];
}

static void
init_f32 (Buffer *buffer, gint64 width, gint64 height)
{
  const IsoluxImage image = { width, height, 1, ISOLUX_TYPE_F32, 0 };

  buffer_init (buffer, &image, 0, 0);
}

/* ---- R36 ---------------------------------------------------------------- */

static void
flat_is_255 (gconstpointer kind)
{
  static const gfloat values[] = { 0.1f,   0.3f,  1.0f / 3.0f, 0.7f,
                                   1e-30f, 3e38f, -0.1f,       12345.678f };
  static const gint64 sizes[][2] = { { 7, 7 }, { 301, 55 } };
  IsoluxDevice       *device = open_device (kind);
  gsize               i, s;

  if (! device)
    return;
  for (s = 0; s < G_N_ELEMENTS (sizes); s++)
    for (i = 0; i < G_N_ELEMENTS (values); i++)
      {
        static const IsoluxLbpOptions kinds[] = {
          { 1.0, 8, ISOLUX_LBP_DEFAULT, TRUE, { 0.299, 0.587, 0.114 } },
          { 2.0, 16, ISOLUX_LBP_DEFAULT, TRUE, { 0.299, 0.587, 0.114 } },
          { 1.7, 24, ISOLUX_LBP_DEFAULT, TRUE, { 0.299, 0.587, 0.114 } }
        };
        Buffer input, output;
        gint64 x, y;
        gint   k;

        init_f32 (&input, sizes[s][0], sizes[s][1]);
        init_f32 (&output, sizes[s][0], sizes[s][1]);
        for (y = 0; y < sizes[s][1]; y++)
          for (x = 0; x < sizes[s][0]; x++)
            set_f32 (&input, x, y, values[i]);
        for (k = 0; k < 3; k++)
          {
            const gint64 edge = (gint64) ceil (kinds[k].radius);
            Job          job = { kinds[k] };

            run (device, &input, &output, run_lbp, &job);
            for (y = edge; y < sizes[s][1] - edge; y++)
              for (x = edge; x < sizes[s][0] - edge; x++)
                g_assert_cmpfloat (get_f32 (&output, x, y), ==,
                                   (1 << kinds[k].points) - 1);
          }
        buffer_clear (&input);
        buffer_clear (&output);
      }
  isolux_device_unref (device);
}

/* ---- R37 ---------------------------------------------------------------- */

/* Known codes: those of scikit-image 0.19.3. */
static void
same_everywhere (gconstpointer kind)
{
  const IsoluxImage image = { 301, 199, 1, ISOLUX_TYPE_U16, 0 };
  IsoluxDevice     *device = open_device (kind);
  Buffer            input, output;
  Random            random = random_new (37, 37);
  guint64           hash = G_GUINT64_CONSTANT (0xcbf29ce484222325);
  gint64            x, y;
  Job job = { { 2.0, 16, ISOLUX_LBP_DEFAULT, TRUE, { 0.299, 0.587, 0.114 } } };

  if (! device)
    return;
  buffer_init (&input, &image, 0, 0);
  init_f32 (&output, image.width, image.height);
  /* few values: samples often equal their pixel but for rounding */
  for (y = 0; y < image.height; y++)
    for (x = 0; x < image.width; x++)
      ((guint16 *) ((guint8 *) input.view.data +
                    (gsize) y * input.view.stride))[x] =
        (guint16) (1000 + random_below (&random, 4));
  run (device, &input, &output, run_lbp, &job);
  for (y = 0; y < image.height; y++)
    for (x = 0; x < image.width; x++)
      hash = (hash ^ (guint64) get_f32 (&output, x, y)) *
             G_GUINT64_CONSTANT (0x100000001b3);
  g_assert_cmphex (hash, ==, G_GUINT64_CONSTANT (0x16ef2a6ca35e599a));
  buffer_clear (&input);
  buffer_clear (&output);
  isolux_device_unref (device);
}

/* ---- R39 ---------------------------------------------------------------- */

static void
variance_itself (gconstpointer kind)
{
  const IsoluxImage image = { 20, 10, 1, ISOLUX_TYPE_U8, 0 };
  IsoluxDevice     *device = open_device (kind);
  Buffer            input, raw, picture;
  gint64            x, y;
  Job job = { { 1.0, 4, ISOLUX_LBP_VAR, TRUE, { 0.299, 0.587, 0.114 } } };

  if (! device)
    return;
  buffer_init (&input, &image, 0, 0);
  buffer_init (&picture, &image, 0, 0);
  init_f32 (&raw, image.width, image.height);
  /* flat on the left, then a ramp of 10 a column */
  for (y = 0; y < 10; y++)
    for (x = 0; x < 20; x++)
      ((guint8 *) input.view.data)[y * 20 + x] =
        (guint8) (50 + (x < 10 ? 0 : 10 * (x - 10)));
  run (device, &input, &raw, run_lbp, &job);
  job.lbp.raw = FALSE;
  run (device, &input, &picture, run_lbp, &job);
  for (y = 1; y < 9; y++)
    {
      for (x = 1; x < 10; x++)
        {
          g_assert_cmpuint (((guint8 *) picture.view.data)[y * 20 + x], ==, 0);
          g_assert_true (isnan (get_f32 (&raw, x, y)));
        }
      /* samples v - 10, v, v, v + 10: variance 50, deviation 7.07 */
      for (x = 11; x < 19; x++)
        {
          g_assert_cmpfloat (get_f32 (&raw, x, y), ==, 50.0f);
          g_assert_cmpuint (((guint8 *) picture.view.data)[y * 20 + x], ==, 14);
        }
    }
  buffer_clear (&input);
  buffer_clear (&raw);
  buffer_clear (&picture);
  isolux_device_unref (device);
}

/* ---- R40 ---------------------------------------------------------------- */

/* The glyphs of a cell of 32 pixels over a ramp: value = a * x + b * y. */
static void
draw_ramp (IsoluxDevice *device, gint a, gint b, gint n, Buffer *output)
{
  const IsoluxImage image = { 34, 34, 1, ISOLUX_TYPE_U8, 0 };
  Buffer            input;
  gint64            x, y;
  Job               job = { .hog = { n,
                                     34,
                                     1,
                                     ISOLUX_HOG_L1,
                                     FALSE,
                                     FALSE,
                                     ISOLUX_HOG_CENTRAL,
                                     ISOLUX_HOG_GLYPHS,
                                     FALSE,
                                     TRUE,
                                     { 0.299, 0.587, 0.114 } } };

  buffer_init (&input, &image, 0, 0);
  for (y = 0; y < 34; y++)
    for (x = 0; x < 34; x++)
      ((guint8 *) input.view.data)[y * 34 + x] =
        (guint8) (128 + a * (x - 17) + b * (y - 17));
  run (device, &input, output, run_picture, &job);
  buffer_clear (&input);
}

static void
glyphs_upright (gconstpointer kind)
{
  IsoluxDevice *device = open_device (kind);
  Buffer        output;
  gint64        x, y;

  if (! device)
    return;
  init_f32 (&output, 34, 34);

  /* brighter to the right, one bin for 0 to 180 degrees, its middle is at
   * 90: the line goes across */
  draw_ramp (device, 3, 0, 1, &output);
  for (x = 1; x <= 32; x++)
    g_assert_cmpfloat (get_f32 (&output, x, 17), >, 0.0f);
  g_assert_cmpfloat (get_f32 (&output, 17, 1), ==, 0.0f);

  /* nine bins: that of 0 to 20 degrees is drawn at 10 degrees, at right
   * angles: 10 degrees from upright, leaning to the right at the top */
  draw_ramp (device, 3, 0, 9, &output);
  g_assert_cmpfloat (get_f32 (&output, 19, 1), >, 0.0f);
  g_assert_cmpfloat (get_f32 (&output, 14, 32), >, 0.0f);
  for (y = 0; y < 34; y++)
    for (x = 0; x < 34; x++)
      {
        const gdouble off = (gdouble) (x - 17) +
                            (gdouble) (y - 17) * tan (10.0 * G_PI / 180.0);

        if (fabs (off) > 1.5)
          g_assert_cmpfloat (get_f32 (&output, x, y), ==, 0.0f);
      }

  /* brighter downwards to the right, at 45 degrees: in the bin of 40 to 60,
   * drawn at 50: from the lower left to the upper right, not mirrored */
  draw_ramp (device, 2, 2, 9, &output);
  g_assert_cmpfloat (get_f32 (&output, 29, 6), >, 0.0f);
  g_assert_cmpfloat (get_f32 (&output, 4, 27), >, 0.0f);
  g_assert_cmpfloat (get_f32 (&output, 29, 28), ==, 0.0f);
  g_assert_cmpfloat (get_f32 (&output, 4, 6), ==, 0.0f);
  buffer_clear (&output);
  isolux_device_unref (device);
}

/* ---- R42 ---------------------------------------------------------------- */

static void
init_noise (Buffer *buffer, gint64 width, gint64 height, guint64 number)
{
  const IsoluxImage image = { width, height, 1, ISOLUX_TYPE_U8, 0 };
  Random            random = random_new (test_seed (), number);

  buffer_init (buffer, &image, 5, 3);
  buffer_fill (buffer, VALUES_RANDOM, &random);
}

static void
any_geometry (gconstpointer kind)
{
  static const gint64 sizes[][2] = { { 64, 128 }, { 128, 64 }, { 1, 1 },
                                     { 7, 5 },    { 65, 129 }, { 130, 37 },
                                     { 640, 480 } };
  static const gint   cells[] = { 1, 2, 3, 4, 7, 8, 16, 40 };
  IsoluxDevice       *device = open_device (kind);
  gsize               s, c, i;

  if (! device)
    return;
  for (s = 0; s < G_N_ELEMENTS (sizes); s++)
    for (c = 0; c < G_N_ELEMENTS (cells); c++)
      {
        const IsoluxHogOptions defaults = ISOLUX_HOG_DEFAULTS;
        const gint64           down = MAX (0, sizes[s][1] / cells[c] - 1);
        const gint64           across = MAX (0, sizes[s][0] / cells[c] - 1);
        Job                    job = { .hog = defaults };
        Buffer                 input;

        init_noise (&input, sizes[s][0], sizes[s][1], s);
        job.hog.cell_size = cells[c];
        job.hog.block_size = 2;
        run (device, &input, NULL, run_hog, &job);
        if (down > 0 && across > 0)
          {
            g_assert_cmpint (job.found->blocks_y, ==, down);
            g_assert_cmpint (job.found->blocks_x, ==, across);
          }
        g_assert_cmpuint (job.found->n_values, ==, down * across * 36);
        for (i = 0; i < job.found->n_values; i++)
          g_assert_true (job.found->values[i] >= 0.0 &&
                         job.found->values[i] <= 1.0);
        isolux_hog_free (job.found);
        buffer_clear (&input);
      }
  isolux_device_unref (device);
}

/* Two kinds of descriptors at a time, on one device. */
typedef struct
{
  IsoluxDevice    *device;
  Buffer           input;
  IsoluxHogOptions options;
  IsoluxHog       *alone;
} Worker;

static gpointer
work (gpointer data)
{
  Worker *worker = data;
  gint    i;

  for (i = 0; i < 20; i++)
    {
      Job job = { .hog = worker->options };

      run (worker->device, &worker->input, NULL, run_hog, &job);
      g_assert_cmpmem (job.found->values,
                       job.found->n_values * sizeof (gdouble),
                       worker->alone->values,
                       worker->alone->n_values * sizeof (gdouble));
      isolux_hog_free (job.found);
    }
  return NULL;
}

static void
two_at_a_time (gconstpointer kind)
{
  const IsoluxHogOptions defaults = ISOLUX_HOG_DEFAULTS;
  IsoluxDevice          *device = open_device (kind);
  Worker                 workers[2];
  GThread               *threads[2];
  gint                   i;

  if (! device)
    return;
  for (i = 0; i < 2; i++)
    {
      Job job = { .hog = defaults };

      job.hog.orientations = i ? 6 : 9;
      job.hog.cell_size = i ? 5 : 8;
      job.hog.norm = i ? ISOLUX_HOG_L1 : ISOLUX_HOG_L2_HYS;
      job.hog.is_signed = i;
      workers[i].device = device;
      workers[i].options = job.hog;
      init_noise (&workers[i].input, 101 + i, 77, (guint64) i);
      run (device, &workers[i].input, NULL, run_hog, &job);
      workers[i].alone = job.found;
    }
  for (i = 0; i < 2; i++)
    threads[i] = g_thread_new ("hog", work, &workers[i]);
  for (i = 0; i < 2; i++)
    {
      g_thread_join (threads[i]);
      isolux_hog_free (workers[i].alone);
      buffer_clear (&workers[i].input);
    }
  isolux_device_unref (device);
}

int
main (int argc, char **argv)
{
  static const struct
  {
    const gchar  *path;
    GTestDataFunc function;
  } tests[] = { { "/users/R36/flat-is-255", flat_is_255 },
                { "/users/R37/same-everywhere", same_everywhere },
                { "/users/R39/variance-itself", variance_itself },
                { "/users/R40/glyphs-upright", glyphs_upright },
                { "/users/R42/any-geometry", any_geometry },
                { "/users/R42/two-at-a-time", two_at_a_time } };
  gsize i;

  g_test_init (&argc, &argv, NULL);
  test_seed ();
  for (i = 0; i < G_N_ELEMENTS (tests); i++)
    {
      gchar *path = g_strconcat (tests[i].path, "/cpu", NULL);

      g_test_add_data_func (path, GINT_TO_POINTER (ISOLUX_BACKEND_CPU),
                            tests[i].function);
      g_free (path);
      path = g_strconcat (tests[i].path, "/cuda", NULL);
      g_test_add_data_func (path, GINT_TO_POINTER (ISOLUX_BACKEND_CUDA),
                            tests[i].function);
      g_free (path);
    }
  return g_test_run ();
}
