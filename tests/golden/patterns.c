/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Local binary patterns and histograms of oriented gradients as scikit-image
 * computes them, to the bit.  lbp.txt and hog.txt are data made by its
 * local_binary_pattern() and hog() (0.19.3 and 0.26.0 agree).
 */
#include "patterns.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct
{
  gint     height, width;
  gdouble *values;
} Matrix;

static Matrix
read_matrix (gchar ***line, const gchar *word)
{
  Matrix  m;
  gchar **fields = g_strsplit (**line, " ", 0);
  gint    x, y;

  g_assert_cmpuint (g_strv_length (fields), ==, 4);
  g_assert_cmpstr (fields[0], ==, word);
  m.height = (gint) g_ascii_strtoll (fields[1], NULL, 10);
  m.width = (gint) g_ascii_strtoll (fields[2], NULL, 10);
  g_strfreev (fields);
  m.values = g_new (gdouble, m.height * m.width);
  for (y = 0, ++*line; y < m.height; y++, ++*line)
    {
      fields = g_strsplit (**line, " ", 0);
      g_assert_cmpuint (g_strv_length (fields), ==, m.width);
      for (x = 0; x < m.width; x++)
        m.values[y * m.width + x] = g_strcmp0 (fields[x], "nan") == 0
                                      ? (gdouble) NAN
                                      : g_ascii_strtod (fields[x], NULL);
      g_strfreev (fields);
    }
  return m;
}

typedef struct
{
  const gchar     *name;
  IsoluxLbpOptions lbp;
  IsoluxHogOptions hog;
  IsoluxHog       *found;
} Case;

static gboolean
run_lbp (IsoluxSurface *source,
         IsoluxSurface *destination,
         gpointer       user_data,
         GError       **error)
{
  Case *c = user_data;

  return isolux_lbp (source, destination, &c->lbp, NULL, error);
}

static gboolean
run_hog (IsoluxSurface *source,
         IsoluxSurface *destination,
         gpointer       user_data,
         GError       **error)
{
  Case *c = user_data;

  c->found = isolux_hog (source, &c->hog, NULL, error);
  return c->found != NULL;
}

/* "lbp_METHOD_P8_R1_picture" */
static void
set_lbp (IsoluxLbpOptions *options, const gchar *name)
{
  static const gchar *const methods[] = { "lbp_default_", "lbp_ror_",
                                          "lbp_uniform_", "lbp_nri_uniform_",
                                          "lbp_var_" };
  const IsoluxLbpOptions    defaults = ISOLUX_LBP_DEFAULTS;
  gint                      i;

  *options = defaults;
  options->raw = TRUE;
  for (i = 0; i < 5; i++)
    if (g_str_has_prefix (name, methods[i]))
      {
        options->method = (IsoluxLbpMethod) i;
        name += strlen (methods[i]);
        g_assert_cmpint (sscanf (name, "P%d_R%lf_", &options->points,
                                 &options->radius),
                         ==, 2);
        return;
      }
  g_assert_not_reached ();
}

/* "hog_NORM_9bins_cell8_block2_picture" */
static void
set_hog (IsoluxHogOptions *options, const gchar *name)
{
  static const gchar *const norms[] = { "hog_L1_", "hog_L1-sqrt_", "hog_L2_",
                                        "hog_L2-Hys_" };
  const IsoluxHogOptions    defaults = ISOLUX_HOG_DEFAULTS;
  gint                      i;

  *options = defaults;
  for (i = 0; i < 4; i++)
    if (g_str_has_prefix (name, norms[i]))
      {
        options->norm = (IsoluxHogNorm) i;
        name += strlen (norms[i]);
        g_assert_cmpint (sscanf (name, "%dbins_cell%d_block%d_",
                                 &options->orientations, &options->cell_size,
                                 &options->block_size),
                         ==, 3);
        return;
      }
  g_assert_not_reached ();
}

static void
check_case (IsoluxDevice *device, Case *c, const Matrix *in, const Matrix *out)
{
  const gboolean lbp = g_str_has_prefix (c->name, "lbp_");
  IsoluxImage    image = { in->width, in->height, 1, ISOLUX_TYPE_U8, 0 };
  Buffer         input, output;
  GError        *error = NULL;
  gboolean       success;
  gint           i, x, y;

  g_test_message ("%s", c->name);
  buffer_init (&input, &image, 3, 1);
  for (y = 0; y < in->height; y++)
    for (x = 0; x < in->width; x++)
      ((guint8 *) input.view.data)[(gsize) y * input.view.stride + (gsize) x] =
        (guint8) in->values[y * in->width + x];
  image.type = ISOLUX_TYPE_F32;
  buffer_init (&output, &image, 0, 0);
  if (lbp)
    set_lbp (&c->lbp, c->name);
  else
    set_hog (&c->hog, c->name);
  success = patterns_run (device, FALSE, NULL, &input, NULL,
                          lbp ? &output : NULL, lbp ? run_lbp : run_hog, c,
                          &error);
  g_assert_no_error (error);
  g_assert_true (success);
  if (lbp)
    {
      g_assert_cmpint (out->width, ==, in->width);
      g_assert_cmpint (out->height, ==, in->height);
      for (i = 0; i < out->width * out->height; i++)
        {
          const gfloat wanted = (gfloat) out->values[i];
          const gfloat actual = ((gfloat *) output.view.data)[i];

          if (isnan (wanted))
            g_assert_true (isnan (actual));
          else
            g_assert_cmpfloat (actual, ==, wanted);
        }
    }
  else
    {
      g_assert_cmpuint (c->found->n_values, ==, out->width * out->height);
      for (i = 0; i < out->width * out->height; i++)
        g_assert_cmpfloat (c->found->values[i], ==, out->values[i]);
      isolux_hog_free (c->found);
    }
  buffer_clear (&input);
  buffer_clear (&output);
}

static void
check_file (gconstpointer kind, const gchar *name, gint wanted)
{
  IsoluxDevice *device =
    GPOINTER_TO_INT (kind) == ISOLUX_BACKEND_CUDA ? test_cuda () : test_cpu (0);
  gchar  *path, *text, **lines, **line;
  GError *error = NULL;
  gint    cases = 0;

  if (! device)
    return;
  path = g_test_build_filename (G_TEST_DIST, "golden", name, NULL);
  g_file_get_contents (path, &text, NULL, &error);
  g_assert_no_error (error);
  lines = g_strsplit (text, "\n", 0);
  for (line = lines; *line && **line; cases++)
    {
      Case   c = { NULL };
      Matrix in, out;

      g_assert_true (g_str_has_prefix (*line, "case "));
      c.name = *line + strlen ("case ");
      line++;
      in = read_matrix (&line, "in");
      out = read_matrix (&line, "out");
      check_case (device, &c, &in, &out);
      g_free (in.values);
      g_free (out.values);
    }
  g_assert_cmpint (cases, ==, wanted);
  g_strfreev (lines);
  g_free (text);
  g_free (path);
  isolux_device_unref (device);
}

static void
test_lbp (gconstpointer kind)
{
  check_file (kind, "lbp.txt", 50);
}

static void
test_hog (gconstpointer kind)
{
  check_file (kind, "hog.txt", 20);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_data_func ("/golden/cpu/lbp", GINT_TO_POINTER (ISOLUX_BACKEND_CPU),
                        test_lbp);
  g_test_add_data_func ("/golden/cpu/hog", GINT_TO_POINTER (ISOLUX_BACKEND_CPU),
                        test_hog);
  g_test_add_data_func ("/golden/cuda/lbp",
                        GINT_TO_POINTER (ISOLUX_BACKEND_CUDA), test_lbp);
  g_test_add_data_func ("/golden/cuda/hog",
                        GINT_TO_POINTER (ISOLUX_BACKEND_CUDA), test_hog);
  return g_test_run ();
}
