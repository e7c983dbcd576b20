/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * vector.c: the vector of histograms of oriented gradients, for scripts: as
 * JSON, and as a file of numpy's.
 */
#include <libgimp/gimp.h>
#include <glib/gi18n-lib.h>
#include <string.h>

#include "arguments.h"
#include "json.h"
#include "pixels.h"
#include "vector.h"

#define OPERATION "isolux:hog"

/* A longer text is none that anybody reads; the file has no limit. */
#define JSON_MOST 1000000

typedef struct
{
  IsoluxHogOptions options;
  IsoluxHog       *hog;
} Vector;

/* ---- Computing ---------------------------------------------------- */

static gboolean
compute (IsoluxSurface *source,
         IsoluxSurface *destination,
         gpointer       vector_,
         IsoluxReport  *report,
         GError       **error)
{
  Vector *vector = vector_;

  isolux_hog_free (vector->hog);
  vector->hog = isolux_hog (source, &vector->options, report, error);
  return vector->hog != NULL;
}

static void
get_options (GimpProcedureConfig *config, IsoluxHogOptions *options)
{
  g_object_get (config, "orientations", &options->orientations, "cell-size",
                &options->cell_size, "block-size", &options->block_size,
                "signed-gradient", &options->is_signed, "sqrt",
                &options->square_root, NULL);
  options->norm = (IsoluxHogNorm) isolux_get_choice (config, OPERATION, "norm");
  options->gradient =
    (IsoluxHogGradient) isolux_get_choice (config, OPERATION, "gradient");
}

/* ---- JSON --------------------------------------------------------- */

static gchar *
to_json (const IsoluxHog *hog)
{
  const gint64 shape[] = { hog->blocks_y, hog->blocks_x, hog->block_size,
                           hog->block_size, hog->orientations };
  JsonBuilder *builder = json_builder_new ();

  json_builder_begin_object (builder);
  json_builder_set_member_name (builder, "shape");
  json_builder_begin_array (builder);
  for (guint i = 0; i < G_N_ELEMENTS (shape); i++)
    json_builder_add_int_value (builder, shape[i]);
  json_builder_end_array (builder);

  json_builder_set_member_name (builder, "values");
  json_builder_begin_array (builder);
  for (gsize i = 0; i < hog->n_values; i++)
    json_builder_add_double_value (builder, hog->values[i]);
  json_builder_end_array (builder);
  json_builder_end_object (builder);
  return isolux_json_end (builder);
}

/* ---- Files -------------------------------------------------------- */

/* The head of a .npy file, version 1.0: a magic word, the length of what
 * follows, and a literal of Python's, filled up with spaces so that the
 * numbers start at a multiple of 64 bytes. */
static GByteArray *
make_head (const IsoluxHog *hog)
{
  static const guint8 magic[] = { 0x93, 'N', 'U', 'M', 'P', 'Y', 1, 0 };
  GByteArray         *head = g_byte_array_new ();
  gchar              *text;
  gsize               length;
  guint8              bytes[2];

  text = g_strdup_printf ("{'descr': '%cf8', 'fortran_order': False, 'shape': "
                          "(%" G_GINT64_FORMAT ", %" G_GINT64_FORMAT
                          ", %d, %d, %d), }",
                          G_BYTE_ORDER == G_LITTLE_ENDIAN ? '<' : '>',
                          hog->blocks_y, hog->blocks_x, hog->block_size,
                          hog->block_size, hog->orientations);
  length = strlen (text) + 1;
  while ((sizeof magic + sizeof bytes + length) % 64)
    length++;
  bytes[0] = (guint8) (length & 255);
  bytes[1] = (guint8) (length >> 8);

  g_byte_array_append (head, magic, sizeof magic);
  g_byte_array_append (head, bytes, sizeof bytes);
  g_byte_array_append (head, (const guint8 *) text, (guint) strlen (text));
  for (gsize i = strlen (text) + 1; i < length; i++)
    g_byte_array_append (head, (const guint8 *) " ", 1);
  g_byte_array_append (head, (const guint8 *) "\n", 1);
  g_free (text);
  return head;
}

/* An old file of the name stays as it was when this fails. */
static gboolean
write_file (GFile *file, const IsoluxHog *hog, GError **error)
{
  GCancellable  *cancellable = g_cancellable_new ();
  GByteArray    *head = make_head (hog);
  GOutputStream *stream;
  gboolean       success;

  stream = G_OUTPUT_STREAM (g_file_replace (file, NULL, FALSE,
                                            G_FILE_CREATE_NONE, NULL, error));
  success = stream &&
            g_output_stream_write_all (stream, head->data, head->len, NULL,
                                       NULL, error) &&
            g_output_stream_write_all (stream, hog->values,
                                       hog->n_values * sizeof (gdouble), NULL,
                                       NULL, error);
  if (success)
    success = g_output_stream_close (stream, NULL, error);
  else if (stream)
    {
      /* a cancelled closing does not replace the old file */
      g_cancellable_cancel (cancellable);
      g_output_stream_close (stream, cancellable, NULL);
    }

  g_clear_object (&stream);
  g_byte_array_unref (head);
  g_object_unref (cancellable);
  if (! success)
    g_prefix_error (error, _("The vector cannot be written: "));
  return success;
}

/* ---- The procedure's part ----------------------------------------- */

gboolean
isolux_vector_wanted (GimpProcedureConfig *config)
{
  GFile   *file;
  gboolean wanted;

  g_object_get (config, "return-vector", &wanted, "vector-file", &file, NULL);
  wanted = wanted || file;
  g_clear_object (&file);
  return wanted;
}

gboolean
isolux_vector_make (const IsoluxTarget  *target,
                    GimpProcedureConfig *config,
                    gchar              **json,
                    GError             **error)
{
  Vector   vector = { ISOLUX_HOG_DEFAULTS, NULL };
  GFile   *file;
  gboolean returned;
  gboolean success;

  *json = NULL;
  g_object_get (config, "return-vector", &returned, "vector-file", &file, NULL);
  get_options (config, &vector.options);
  isolux_get_weights (target->drawable, vector.options.weights);

  success = isolux_target_process (target, compute, &vector, NULL, error);
  if (success && returned && vector.hog->n_values > JSON_MOST)
    {
      g_set_error (error, GIMP_PLUG_IN_ERROR, 0,
                   _("The vector has %zu values; at most %d can be returned. "
                     "Write it to a file."),
                   (size_t) vector.hog->n_values, JSON_MOST);
      success = FALSE;
    }
  success = success && (! file || write_file (file, vector.hog, error));
  if (success && returned)
    *json = to_json (vector.hog);

  isolux_hog_free (vector.hog);
  g_clear_object (&file);
  return success;
}

void
isolux_vector_add_arguments (GimpProcedure *procedure)
{
  gimp_procedure_add_boolean_argument (
    procedure, "draw", _("_Draw the picture"),
    _("Whether the picture takes the place of the layer's pixels; without, "
      "only the vector is made (not in the dialog)"),
    TRUE, G_PARAM_READWRITE);
  gimp_procedure_add_boolean_argument (
    procedure, "return-vector", _("_Return the vector"),
    _("Return the vector of a single drawable as JSON (not in the dialog)"),
    FALSE, G_PARAM_READWRITE);
  gimp_procedure_add_file_argument (
    procedure, "vector-file", _("_Vector file"),
    _("Write the vector of a single drawable to this file, in numpy's format "
      "(.npy, float64; not in the dialog)"),
    GIMP_FILE_CHOOSER_ACTION_SAVE, TRUE, NULL, G_PARAM_READWRITE);
  gimp_procedure_add_string_return_value (
    procedure, "json", _("JSON"),
    _("With \"return-vector\", an object with \"shape\" (blocks down, blocks "
      "across, cells down, cells across, orientations) and \"values\", the "
      "last index fastest; else empty"),
    NULL, G_PARAM_READWRITE);
}
