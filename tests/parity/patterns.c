/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Local binary patterns and histograms of oriented gradients on every backend
 * against the reference, byte for byte: each type and number of components,
 * odd sizes, padded and shifted rows, hostile values, regions and options.
 * Descriptors are the CPU's byte for byte, and the reference's but for the
 * last bits.
 *
 *   ISOLUX_TEST_SEED=N      repeats a run
 *   ISOLUX_PARITY_CASE=N    runs nothing but the case of this number
 *   ISOLUX_PARITY_QUICK=1   a small part of it, for slow checkers
 *   ISOLUX_PARITY_MORE=N    N random cases more for each operation and type
 */
#include "patterns.h"

#include <locale.h>
#include <math.h>
#include <string.h>

typedef enum
{
  OP_LBP,
  OP_LBP_HISTOGRAM,
  OP_HOG,
  OP_HOG_PICTURE,
  N_OPS
} Op;

static const gchar *const op_names[] = { "lbp", "lbp-histogram", "hog",
                                         "hog-picture" };
static const gchar *const type_names[] = { "u8", "u16", "f32" };

typedef struct
{
  guint64          number;
  Op               op;
  IsoluxImage      image, out_image;
  Values           values;
  Region           region;
  gboolean         wrap;
  gsize            pad[2], shift[2];
  IsoluxLbpOptions lbp;
  IsoluxHogOptions hog;
  Buffer           source, expected;
  guint64         *counts;
  IsoluxHog       *descriptor;
} Case;

typedef struct
{
  const gchar  *name;
  IsoluxDevice *device[2];
  guint         mask;
  gpointer      stream;
} Target;

static guint64 cases_run, comparisons;

/* ---- Making a case ------------------------------------------------------ */

static void
choose_weights (Random *random, gdouble weights[3])
{
  if (random_below (random, 3))
    {
      weights[0] = 0.299;
      weights[1] = 0.587;
      weights[2] = 0.114;
    }
  else
    {
      weights[0] = (gdouble) random_below (random, 500) / 1000.0;
      weights[1] = (gdouble) random_below (random, 500) / 1000.0;
      weights[2] = 1.0 - weights[0] - weights[1];
    }
}

static void
choose_lbp (IsoluxLbpOptions *o, Op op, Random *random)
{
  static const gdouble radii[] = { 1.0, 1.0, 1.0, 2.0, 3.0, 1.5, 0.1, 0.7 };
  static const gint    points[] = { 8, 8, 8, 16, 24, 12, 4, 1 };
  const guint64        k = random_below (random, 12);

  if (k < 8)
    {
      o->radius = radii[k];
      o->points = points[k];
    }
  else
    {
      o->radius = 0.1 + random_unit (random) * (k == 11 ? 63.9 : 8.0);
      o->points = 1 + (gint) random_below (random, 24);
    }
  o->method = (IsoluxLbpMethod) random_below (random, op == OP_LBP ? 5 : 4);
  if (op == OP_LBP_HISTOGRAM && o->method < ISOLUX_LBP_UNIFORM)
    o->points = MIN (o->points, 18); /* 2^24 counts are slow to compare */
  o->raw = op == OP_LBP && random_below (random, 2);
  choose_weights (random, o->weights);
}

static void
choose_hog (IsoluxHogOptions *o, Op op, Random *random)
{
  static const gint bins[] = { 9, 9, 9, 6, 8, 12, 16, 18, 1, 2, 64, 44 };
  static const gint cells[] = { 8, 8, 6, 5, 3, 2, 1, 16, 33 };
  const guint64     k = random_below (random, 16);

  o->orientations =
    k < G_N_ELEMENTS (bins) ? bins[k] : 1 + (gint) random_below (random, 64);
  o->cell_size = cells[random_below (random, G_N_ELEMENTS (cells))];
  o->block_size = 1 + (gint) random_below (random, 4);
  o->norm = (IsoluxHogNorm) random_below (random, 4);
  o->is_signed = random_below (random, 3) == 0;
  o->square_root = random_below (random, 3) == 0;
  o->gradient = (IsoluxHogGradient) random_below (random, 2);
  o->picture = (IsoluxHogPicture) random_below (random, 3);
  o->half_gradients = random_below (random, 4) == 0;
  o->raw = op == OP_HOG_PICTURE && random_below (random, 2);
  if (o->cell_size == 8 && random_below (random, 4))
    {
      /* what has kernels of its own */
      o->is_signed = o->square_root = o->half_gradients = FALSE;
      o->gradient = ISOLUX_HOG_CENTRAL;
      o->raw = o->raw && random_below (random, 3) == 0;
    }
  choose_weights (random, o->weights);
}

static void
case_expect (Case *c)
{
  RefImage source = buffer_to_ref (&c->source);
  RefImage destination = buffer_to_ref (&c->expected);
  gint64   x, y;

  region_to_ref (&c->region, &source);
  switch (c->op)
    {
      case OP_LBP:
        ref_lbp_picture (&source, &destination, &c->lbp);
        break;
      case OP_LBP_HISTOGRAM:
        c->counts = g_new0 (guint64, ref_lbp_codes (&c->lbp));
        for (y = 0; y < c->image.height; y++)
          for (x = 0; x < c->image.width; x++)
            if (ref_gray_counts (&source, x, y))
              c->counts[ref_lbp (&source, x, y, &c->lbp, NULL)]++;
        break;
      case OP_HOG:
        c->descriptor = ref_hog (&source, &c->hog);
        break;
      case OP_HOG_PICTURE:
        ref_hog_picture (&source, &destination, &c->hog);
        break;
      case N_OPS:
        g_assert_not_reached ();
    }
}

/* What most pictures are: gray, whole, in words, with the usual options. */
static void
make_common (Case *c, Random *random)
{
  gint i;

  c->image.components = c->out_image.components = 1;
  c->image.width = 1 + (gint64) random_below (random, 600);
  c->out_image.width = c->image.width;
  c->lbp.radius = 1.0;
  c->lbp.points = 8;
  c->lbp.method = random_below (random, 2)
                    ? ISOLUX_LBP_DEFAULT
                    : (IsoluxLbpMethod) random_below (random, 4);
  if (c->op == OP_LBP)
    {
      c->lbp.raw = FALSE;
      c->out_image.type = c->image.type;
    }
  c->hog.cell_size = 8;
  c->hog.square_root = FALSE;
  c->hog.gradient = ISOLUX_HOG_CENTRAL;
  for (i = 0; i < 2; i++)
    {
      c->pad[i] = (gsize) (16 - c->image.width % 16) % 16;
      c->pad[i] += 16 * (gsize) random_below (random, 3);
      c->shift[i] = 0;
    }
  region_clear (&c->region);
  region_init (&c->region, REGION_NONE, c->image.width, c->image.height,
               random);
}

static void
case_init (Case *c, guint64 number, Op op, IsoluxType type, Random *random)
{
  static const gint64 sizes[][2] = { { 1, 1 }, { 1, 9 }, { 9, 1 },
                                     { 2, 2 }, { 3, 3 }, { 300, 2 } };
  static const guint8 pads[] = { 0, 0, 1, 3, 5, 16, 37 };
  const guint64       size = random_below (random, 40);
  gint                i;

  memset (c, 0, sizeof *c);
  c->number = number;
  c->op = op;
  c->image.type = type;
  c->image.components = 1 + (gint) random_below (random, 4);
  c->image.width = 1 + (gint64) random_below (random, 70);
  c->image.height = 1 + (gint64) random_below (random, 50);
  if (size < G_N_ELEMENTS (sizes))
    {
      c->image.width = sizes[size][0];
      c->image.height = sizes[size][1];
    }
  else if (size == 39)
    {
      c->image.width = 500 + (gint64) random_below (random, 700);
      c->image.height = 1 + (gint64) random_below (random, 50);
    }
  if (type == ISOLUX_TYPE_U16 && random_below (random, 2))
    c->image.bits = 8 + (gint) random_below (random, 9);
  choose_lbp (&c->lbp, op, random);
  choose_hog (&c->hog, op, random);
  if (op >= OP_HOG && c->hog.cell_size == 8 && random_below (random, 3))
    c->image.components = 1;
  c->out_image = c->image;
  if (c->hog.cell_size != 8 || random_below (random, 2))
    c->out_image.components = 1 + (gint) random_below (random, 4);
  if ((op == OP_LBP && c->lbp.raw) || (op == OP_HOG_PICTURE && c->hog.raw))
    {
      c->out_image.components = 1;
      c->out_image.type = ISOLUX_TYPE_F32;
    }
  for (i = 0; i < 2; i++)
    {
      c->pad[i] = pads[random_below (random, G_N_ELEMENTS (pads))];
      c->shift[i] = random_below (random, 3) ? random_below (random, 9) : 0;
    }
  c->wrap = random_below (random, 2) == 0;
  c->values = (Values) random_below (random, N_VALUES);
  region_init (&c->region,
               random_below (random, 2)
                 ? REGION_NONE
                 : (RegionKind) random_below (random, N_REGIONS),
               c->image.width, c->image.height, random);
  if (random_below (random, 3) == 0)
    make_common (c, random);
  buffer_init (&c->source, &c->image, c->pad[0], c->shift[0]);
  buffer_fill (&c->source, c->values, random);
  buffer_init (&c->expected, &c->out_image, 0, 0);
  case_expect (c);
}

static void
hog_free (IsoluxHog *hog)
{
  if (hog)
    g_free (hog->values);
  g_free (hog);
}

static void
case_clear (Case *c)
{
  region_clear (&c->region);
  buffer_clear (&c->source);
  buffer_clear (&c->expected);
  g_free (c->counts);
  hog_free (c->descriptor);
}

static void fail (const Case *c, const Target *target, const gchar *format, ...)
  G_GNUC_PRINTF (3, 4);

static void
fail (const Case *c, const Target *target, const gchar *format, ...)
{
  va_list arguments;
  gchar  *text;

  va_start (arguments, format);
  text = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  g_test_message ("case %" G_GUINT64_FORMAT
                  " (ISOLUX_TEST_SEED=%" G_GUINT64_FORMAT "): %s %s on %s",
                  c->number, test_seed (), op_names[c->op],
                  type_names[c->image.type], target->name);
  g_test_message ("  %" G_GINT64_FORMAT "x%" G_GINT64_FORMAT
                  ", %d -> %d components, bits %d, values %s, region %d%s",
                  c->image.width, c->image.height, c->image.components,
                  c->out_image.components, c->image.bits,
                  values_name (c->values), (gint) c->region.kind,
                  c->wrap ? ", wrapped" : "");
  if (c->op <= OP_LBP_HISTOGRAM)
    g_test_message ("  radius %.17g, points %d, method %d, raw %d",
                    c->lbp.radius, c->lbp.points, (gint) c->lbp.method,
                    c->lbp.raw);
  else
    g_test_message ("  orientations %d, cell %d, block %d, norm %d, signed %d, "
                    "square root %d, gradient %d, picture %d, half %d, raw %d",
                    c->hog.orientations, c->hog.cell_size, c->hog.block_size,
                    (gint) c->hog.norm, c->hog.is_signed, c->hog.square_root,
                    (gint) c->hog.gradient, (gint) c->hog.picture,
                    c->hog.half_gradients, c->hog.raw);
  g_test_message ("  %s", text);
  g_free (text);
  g_test_fail ();
}

/* ---- Running it --------------------------------------------------------- */

typedef struct
{
  const Case  *c;
  IsoluxReport report;
  guint64     *counts;
  gsize        n_counts;
  IsoluxHog   *hog;
} Run;

static gboolean
run_operation (IsoluxSurface *source,
               IsoluxSurface *destination,
               gpointer       user_data,
               GError       **error)
{
  Run        *run = user_data;
  const Case *c = run->c;

  switch (c->op)
    {
      case OP_LBP:
        return isolux_lbp (source, destination, &c->lbp, &run->report, error);
      case OP_LBP_HISTOGRAM:
        return isolux_lbp_histogram (source, &c->lbp, &run->counts,
                                     &run->n_counts, &run->report, error);
      case OP_HOG:
        run->hog = isolux_hog (source, &c->hog, &run->report, error);
        return run->hog != NULL;
      case OP_HOG_PICTURE:
        return isolux_hog_picture (source, destination, &c->hog, &run->report,
                                   error);
      case N_OPS:
        break;
    }
  g_assert_not_reached ();
}

/* exact: the values of another backend */
static void
compare_hogs (const Case      *c,
              const Target    *target,
              const IsoluxHog *a,
              const IsoluxHog *b,
              gboolean         exact)
{
  gsize i;

  if (a->blocks_y != b->blocks_y || a->blocks_x != b->blocks_x ||
      a->block_size != b->block_size || a->orientations != b->orientations ||
      a->n_values != b->n_values)
    {
      fail (c, target, "the shape of the descriptor is another one");
      return;
    }
  for (i = 0; i < a->n_values; i++)
    if (exact ? memcmp (&a->values[i], &b->values[i], sizeof (gdouble)) != 0
              : ! (fabs (a->values[i] - b->values[i]) <=
                   1e-12 * fabs (b->values[i])))
      {
        fail (c, target, "value %" G_GSIZE_FORMAT " is %.17g, not %.17g", i,
              a->values[i], b->values[i]);
        return;
      }
}

static void
run_case (Case *c, const Target *target)
{
  IsoluxHog *first = NULL;
  gint       i;

  for (i = 0; i < 2 && target->device[i]; i++)
    {
      Buffer   input, output;
      Run      run = { c };
      GError  *error = NULL;
      gint64   x, y;
      gboolean success;

      buffer_init (&input, &c->image, c->pad[0], c->shift[0]);
      memcpy (input.block, c->source.block, input.size);
      buffer_init (&output, &c->out_image, c->pad[1], c->shift[1]);
      isolux_backend_mask = target->mask;
      success =
        patterns_run (target->device[i], c->wrap,
                      c->number & 1 ? target->stream : NULL, &input, &c->region,
                      c->op == OP_LBP || c->op == OP_HOG_PICTURE ? &output
                                                                 : NULL,
                      run_operation, &run, &error);
      isolux_backend_mask = ISOLUX_TWIN_ALL;
      comparisons++;
      if (! success)
        fail (c, target, "failed: %s",
              error ? error->message : "without an error");
      else if (error)
        fail (c, target, "an error was set on success");
      else if (run.report.warning[0])
        fail (c, target, "warning: %s", run.report.warning);
      else if (c->op == OP_LBP_HISTOGRAM)
        {
          if (run.n_counts != ref_lbp_codes (&c->lbp) ||
              memcmp (run.counts, c->counts, run.n_counts * sizeof (guint64)) !=
                0)
            fail (c, target, "other counts");
        }
      else if (c->op == OP_HOG)
        {
          compare_hogs (c, target, run.hog, c->descriptor, FALSE);
          if (first)
            compare_hogs (c, target, run.hog, first, TRUE);
        }
      else if (! buffer_equal (&output, &c->expected, &x, &y))
        {
          gchar *a = buffer_format (&output, x, y);
          gchar *b = buffer_format (&c->expected, x, y);

          fail (c, target,
                "component %" G_GINT64_FORMAT ", row %" G_GINT64_FORMAT
                ": %s, should be %s",
                x, y, a, b);
          g_free (a);
          g_free (b);
        }
      if (! buffer_guards_hold (&output))
        fail (c, target, "bytes beside the result were changed");
      if (memcmp (input.block, c->source.block, input.size) != 0)
        fail (c, target, "the source was changed");
      buffer_clear (&input);
      buffer_clear (&output);
      g_free (run.counts);
      g_clear_error (&error);
      if (first)
        isolux_hog_free (run.hog);
      else
        first = run.hog;
    }
  isolux_hog_free (first);
  cases_run++;
}

/* ---- Tests -------------------------------------------------------------- */

typedef struct
{
  Op         op;
  IsoluxType type;
} Part;

static guint64
env_number (const gchar *name)
{
  const gchar *text = g_getenv (name);

  return text ? g_ascii_strtoull (text, NULL, 10) : 0;
}

static void
run_all (const Target *target, const Part *part, guint64 cases)
{
  const guint64 base = 1000000u *
                       (1 + 3 * (guint64) part->op + (guint64) part->type);
  const guint64 wanted = env_number ("ISOLUX_PARITY_CASE");
  guint64       i;

  cases = env_number ("ISOLUX_PARITY_QUICK")
            ? 20
            : cases + env_number ("ISOLUX_PARITY_MORE");
  for (i = 0; i < cases; i++)
    if (! wanted || wanted == base + i)
      {
        Random random = random_new (test_seed (), base + i);
        Case   c;

        case_init (&c, base + i, part->op, part->type, &random);
        run_case (&c, target);
        case_clear (&c);
      }
}

static void
test_on_cpu (gconstpointer data)
{
  Target target = {
    "the CPU", { test_cpu (1), test_cpu (3) }, ISOLUX_TWIN_ALL, NULL
  };

  run_all (&target, data, 300);
  isolux_device_unref (target.device[0]);
  isolux_device_unref (target.device[1]);
}

static void
test_on_cuda (gconstpointer data)
{
  const Part *part = data;
  Target      target = { "CUDA", { NULL, NULL }, ISOLUX_TWIN_ALL, NULL };

  target.device[0] = test_cuda ();
  if (! target.device[0])
    return;
  /* the CPU's descriptors are those of the GPU */
  target.device[1] = part->op == OP_HOG ? test_cpu (1) : NULL;
  target.stream = test_stream_new ();
  run_all (&target, data, 300);
  test_stream_free (target.stream);
  isolux_device_unref (target.device[0]);
  isolux_device_unref (target.device[1]);
}

/* Without a twin the pixels go to the CPU and back. */
static void
test_masked (gconstpointer data)
{
  Target target = { "CUDA without the twin", { NULL, NULL }, 0, NULL };

  target.device[0] = test_cuda ();
  if (! target.device[0])
    return;
  run_all (&target, data, 20);
  isolux_device_unref (target.device[0]);
}

int
main (int argc, char **argv)
{
  static Part parts[N_OPS][3];
  gint        op, type, status;

  setlocale (LC_ALL, "");
  g_test_init (&argc, &argv, NULL);
  test_seed ();
  for (op = 0; op < N_OPS; op++)
    for (type = 0; type < 3; type++)
      {
        static const struct
        {
          const gchar  *format;
          GTestDataFunc function;
        } tests[] = { { "/parity/cpu/%s/%s", test_on_cpu },
                      { "/parity/cuda/%s/%s", test_on_cuda },
                      { "/parity/cuda/masked/%s/%s", test_masked } };
        gsize i;

        parts[op][type].op = (Op) op;
        parts[op][type].type = (IsoluxType) type;
        for (i = 0; i < G_N_ELEMENTS (tests); i++)
          {
            gchar *path =
              g_strdup_printf (tests[i].format, op_names[op], type_names[type]);

            g_test_add_data_func (path, &parts[op][type], tests[i].function);
            g_free (path);
          }
      }
  status = g_test_run ();
  g_print ("# %" G_GUINT64_FORMAT " cases, %" G_GUINT64_FORMAT " comparisons\n",
           cases_run, comparisons);
  return status;
}
