/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * export.c: layers as files for other programs.
 *
 * GIMP's own exporters write the files, from images of our own: nothing of
 * the user's image changes, and nothing else of it goes out.
 */
#include <libgimp/gimp.h>
#include <libgimp/gimpui.h>
#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "drawable-values.h"
#include "export.h"
#include "json.h"
#include "pixels.h"
#include "simple-dialog.h"

#define LARGEST 65535.0

/* ---- Writing ------------------------------------------------------ */

static void
set_flag (GObject *config, const gchar *name, gboolean value)
{
  if (g_object_class_find_property (G_OBJECT_GET_CLASS (config), name))
    g_object_set (config, name, value, NULL);
}

/* Which of GIMP's procedures writes a file; NULL: none does that we use */
static const gchar *
find_exporter (GFile *file, gboolean tiff_too)
{
  gchar       *name = g_file_get_basename (file);
  gchar       *lower = g_ascii_strdown (name ? name : "", -1);
  const gchar *exporter = NULL;

  if (g_str_has_suffix (lower, ".png"))
    exporter = "file-png-export";
  else if (tiff_too && (g_str_has_suffix (lower, ".tif") ||
                        g_str_has_suffix (lower, ".tiff")))
    exporter = "file-tiff-export";
  g_free (lower);
  g_free (name);
  return exporter;
}

/* Writes an image with a comment and nothing else about it */
static gboolean
write_image (GimpImage   *image,
             const gchar *exporter,
             GFile       *file,
             const gchar *comment,
             GError     **error)
{
  GimpProcedure *procedure =
    gimp_pdb_lookup_procedure (gimp_get_pdb (), exporter);
  GimpProcedureConfig *config;
  GimpValueArray      *values;
  GimpParasite        *parasite;
  gboolean             success;

  if (! procedure)
    {
      g_set_error (error, GIMP_PLUG_IN_ERROR, 0,
                   _("This GIMP has no %s, which would write the file."),
                   exporter);
      return FALSE;
    }
  parasite = gimp_parasite_new ("gimp-comment", GIMP_PARASITE_PERSISTENT,
                                (guint32) strlen (comment) + 1, comment);
  gimp_image_attach_parasite (image, parasite);
  gimp_parasite_free (parasite);

  config = gimp_procedure_create_config (procedure);
  g_object_set (config, "run-mode", GIMP_RUN_NONINTERACTIVE, "image", image,
                "file", file, NULL);
  set_flag (G_OBJECT (config), "include-comment", TRUE);
  set_flag (G_OBJECT (config), "include-exif", FALSE);
  set_flag (G_OBJECT (config), "include-iptc", FALSE);
  set_flag (G_OBJECT (config), "include-xmp", FALSE);
  set_flag (G_OBJECT (config), "include-thumbnail", FALSE);
  set_flag (G_OBJECT (config), "include-color-profile", FALSE);
  set_flag (G_OBJECT (config), "time", FALSE);
  set_flag (G_OBJECT (config), "optimize-palette", FALSE);
  /* of PNG: the highest takes far longer for little */
  if (! strcmp (exporter, "file-png-export") &&
      g_object_class_find_property (G_OBJECT_GET_CLASS (config), "compression"))
    g_object_set (config, "compression", 6, NULL);
  values = gimp_procedure_run_config (procedure, config);
  success = g_value_get_enum (gimp_value_array_index (values, 0)) ==
            GIMP_PDB_SUCCESS;
  if (! success)
    {
      gchar       *name = g_file_get_parse_name (file);
      const gchar *why = gimp_pdb_get_last_error (gimp_get_pdb ());

      g_set_error (error, GIMP_PLUG_IN_ERROR, 0,
                   _("\"%s\" could not be written: %s"), name, why ? why : "");
      g_free (name);
    }
  gimp_value_array_unref (values);
  g_object_unref (config);
  return success;
}

/* An image as large as the layer, with one like it */
static GimpImage *
image_for (GimpDrawable *layer, GimpPrecision precision)
{
  GimpImage *image =
    gimp_image_new_with_precision (gimp_drawable_get_width (layer),
                                   gimp_drawable_get_height (layer),
                                   gimp_drawable_is_gray (layer) ? GIMP_GRAY
                                                                 : GIMP_RGB,
                                   precision);

  gimp_image_undo_disable (image);
  return image;
}

static gboolean
check_layer (GimpDrawable *layer, GError **error)
{
  gchar *name;

  if (gimp_item_is_layer (GIMP_ITEM (layer)) &&
      (gimp_drawable_is_rgb (layer) || gimp_drawable_is_gray (layer)))
    return TRUE;
  name = gimp_item_get_name (GIMP_ITEM (layer));
  g_set_error (error, GIMP_PLUG_IN_ERROR, 0,
               _("\"%s\" is no gray or RGB layer. Only those are exported."),
               name);
  g_free (name);
  return FALSE;
}

/* ---- The picture -------------------------------------------------- */

/* A copy of the layer with all that GIMP shows of it made pixels */
static void
draw_layer (GimpImage *image, GimpDrawable *layer)
{
  GimpColorProfile *profile =
    gimp_image_get_color_profile (gimp_item_get_image (GIMP_ITEM (layer)));
  GimpLayer *copy;

  if (profile)
    {
      gimp_image_set_color_profile (image, profile);
      g_object_unref (profile);
    }
  copy = gimp_layer_new_from_drawable (layer, image);
  gimp_image_insert_layer (image, copy, NULL, 0);
  gimp_layer_set_offsets (copy, 0, 0);
  gimp_layer_set_opacity (copy, 100.0);
  gimp_layer_set_mode (copy, GIMP_LAYER_MODE_NORMAL);
  gimp_item_set_visible (GIMP_ITEM (copy), TRUE);
  gimp_drawable_merge_filters (GIMP_DRAWABLE (copy));
  if (gimp_layer_get_mask (copy))
    gimp_layer_remove_mask (copy, GIMP_MASK_APPLY);
}

static gchar *
picture_comment (GimpDrawable *layer, const gchar *what)
{
  gchar *text = isolux_drawable_get_values_text (layer);
  gchar *loss = text ? isolux_real_values_get_key (text, "loss") : NULL;
  gchar *comment;

  /* a picture has no units, so that nobody takes its codes for values */
  comment = g_strdup_printf ("%s%s%s%s", loss ? loss : "", loss ? "; " : "",
                             what ? what : "", what ? "; " : "");
  g_free (loss);
  g_free (text);
  text = g_strdup_printf (_("Isolux picture: %s8 bits, as shown; codes are no "
                            "values. Not for diagnosis."),
                          comment);
  g_free (comment);
  return text;
}

gboolean
isolux_export_picture (GimpDrawable *layer,
                       GFile        *file,
                       const gchar  *what,
                       GError      **error)
{
  const gchar *exporter = find_exporter (file, FALSE);
  GimpImage   *image;
  gchar       *comment;
  gboolean     success;

  if (! check_layer (layer, error))
    return FALSE;
  if (! exporter)
    {
      g_set_error_literal (error, GIMP_PLUG_IN_ERROR, 0,
                           _("Pictures are written as PNG: the name has to "
                             "end in .png."));
      return FALSE;
    }

  image = image_for (
    layer, gimp_image_get_precision (gimp_item_get_image (GIMP_ITEM (layer))));
  draw_layer (image, layer);
  if (gimp_image_get_precision (image) != GIMP_PRECISION_U8_NON_LINEAR)
    gimp_image_convert_precision (image, GIMP_PRECISION_U8_NON_LINEAR);
  comment = picture_comment (layer, what);
  success = write_image (image, exporter, file, comment, error);
  g_free (comment);
  gimp_image_delete (image);
  return success;
}

/* ---- Values ------------------------------------------------------- */

/*
 * Scale: how components become codes: code = (value - low) / step, rounded
 * @integer: they are codes already
 */
typedef struct
{
  gboolean integer;
  gdouble  low;
  gdouble  step;
  gboolean exact;
  guint64  not_numbers;
  guint64  infinite;
} Scale;

/* Rows of a layer, below its filters, in its own codes or as floats */
typedef struct
{
  GeglBuffer *buffer;
  const Babl *format;
  IsoluxImage image;
} Source;

static gsize
get_rows (const Source *source, gint y, gint rows, gpointer data)
{
  gegl_buffer_get (source->buffer,
                   GEGL_RECTANGLE (0, y, (gint) source->image.width, rows), 1.0,
                   source->format, data, GEGL_AUTO_ROWSTRIDE, GEGL_ABYSS_NONE);
  return (gsize) source->image.width * (gsize) rows *
         (gsize) source->image.components;
}

/* Looks at all values; alpha is none */
static void
measure (const Source *source, gfloat *row, Scale *scale)
{
  const gint n = source->image.components;
  const gint colors = n < 3 ? 1 : 3;
  gdouble    least = INFINITY, most = -INFINITY;
  gboolean   whole = TRUE;

  for (gint y = 0; y < (gint) source->image.height; y++)
    {
      const gsize end = get_rows (source, y, 1, row);

      for (gsize i = 0; i < end; i++)
        {
          const gdouble v = row[i];

          if ((gint) (i % (gsize) n) >= colors)
            continue;
          if (isnan (v))
            scale->not_numbers++;
          else if (isinf (v))
            scale->infinite++;
          else
            {
              least = MIN (least, v);
              most = MAX (most, v);
              whole = whole && v == rint (v);
            }
        }
    }
  scale->exact = whole && most - least <= LARGEST;
  scale->low = least <= most ? least : 0.0;
  scale->step = scale->exact || ! (most > least) ? 1.0
                                                 : (most - least) / LARGEST;
  /* one value that is not whole is the lowest, exactly */
  scale->exact = scale->exact || ! (most > least);
}

static guint16
to_code (const Scale *scale, gdouble v)
{
  const gdouble code = (v - scale->low) / scale->step;

  if (! (code > 0.0)) /* and what is no number */
    return 0;
  return (guint16) MIN (rint (code), LARGEST);
}

static void
convert_row (const Source *source,
             const Scale  *scale,
             gconstpointer in,
             guint16      *out,
             gsize         n)
{
  const gint components = source->image.components;
  const gint colors = components < 3 ? 1 : 3;

  for (gsize i = 0; i < n; i++)
    if (source->image.type == ISOLUX_TYPE_U16)
      out[i] = ((const guint16 *) in)[i];
    else if ((gint) (i % (gsize) components) >= colors) /* alpha */
      out[i] =
        source->image.type == ISOLUX_TYPE_U8
          ? (guint16) (((const guint8 *) in)[i] * 257)
          : (guint16) rint (CLAMP (((const gfloat *) in)[i], 0.0f, 1.0f) *
                            LARGEST);
    else
      out[i] = source->image.type == ISOLUX_TYPE_U8
                 ? ((const guint8 *) in)[i]
                 : to_code (scale, ((const gfloat *) in)[i]);
}

/* Fills a new image's layer with codes; FALSE and @error */
static gboolean
fill (const Source *source, GimpDrawable *target, Scale *scale, GError **error)
{
  const gsize n = (gsize) source->image.width *
                  (gsize) source->image.components;
  GeglBuffer *buffer = gimp_drawable_get_buffer (target);
  gpointer    in = g_try_malloc_n (n, sizeof (gfloat));
  guint16    *out = g_try_new (guint16, n);
  gboolean    success = in && out;

  scale->integer = source->image.type != ISOLUX_TYPE_F32;
  if (! success)
    g_set_error_literal (error, GIMP_PLUG_IN_ERROR, 0,
                         _("There is not enough memory."));
  else if (! scale->integer)
    measure (source, in, scale);

  for (gint y = 0; success && y < (gint) source->image.height; y++)
    {
      get_rows (source, y, 1, in);
      convert_row (source, scale, in, out, n);
      gegl_buffer_set (buffer,
                       GEGL_RECTANGLE (0, y, (gint) source->image.width, 1), 0,
                       gegl_buffer_get_format (buffer), out,
                       GEGL_AUTO_ROWSTRIDE);
    }
  g_free (out);
  g_free (in);
  /* to the core */
  g_object_unref (buffer);
  return success;
}

static void
add_loss (GString *lost, const gchar *text)
{
  g_string_append_printf (lost, "%s%s", lost->len ? "; " : "", text);
}

/* What the new codes stand for, and what was lost */
static gchar *
describe_values (GimpDrawable           *layer,
                 const IsoluxRealValues *values,
                 const Scale            *scale)
{
  IsoluxRealValues now = *values;
  gchar           *kept = isolux_drawable_get_values_text (layer);
  gchar   *loss = kept ? isolux_real_values_get_key (kept, "loss") : NULL;
  GString *lost = g_string_new (loss ? loss : "");
  gchar   *error = isolux_drawable_describe_error (layer);
  gchar   *lines, *text, *all;

  if (error)
    add_loss (lost, error);
  g_free (error);

  if (! scale->integer)
    {
      now.intercept = isolux_real_values_from_code (values, scale->low);
      now.slope *= scale->step;
      now.bits = 0;
      if (! scale->exact)
        add_loss (lost, _("values rounded to 16 bits"));
      if (scale->not_numbers + scale->infinite > 0)
        {
          gchar *number =
            g_strdup_printf (_("%zu values that are not finite"),
                             (gsize) (scale->not_numbers + scale->infinite));

          add_loss (lost, number);
          g_free (number);
        }
    }
  now.codes = LARGEST;
  g_strlcpy (now.precision, "u16-non-linear", sizeof now.precision);
  lines = isolux_real_values_to_text (&now);
  text = g_strdup_printf ("%s\n%s", ISOLUX_VALUES_COMMENT, lines);
  all = isolux_real_values_set_key (text, "loss", lost->len ? lost->str : NULL);
  g_free (text);
  g_free (lines);
  g_string_free (lost, TRUE);
  g_free (loss);
  g_free (kept);
  return all;
}

/* A layer of 16 bits, of the same components, in the new image */
static GimpDrawable *
add_target (GimpImage *image, GimpDrawable *layer)
{
  GimpLayer *target =
    gimp_layer_new (image, "values", gimp_image_get_width (image),
                    gimp_image_get_height (image), gimp_drawable_type (layer),
                    100.0, GIMP_LAYER_MODE_NORMAL);

  gimp_image_insert_layer (image, target, NULL, 0);
  return GIMP_DRAWABLE (target);
}

gboolean
isolux_export_values (GimpDrawable *layer,
                      GFile        *file,
                      gchar       **text,
                      GError      **error)
{
  const gchar     *exporter = find_exporter (file, TRUE);
  IsoluxRealValues values;
  Scale            scale = { 0 };
  Source           source;
  GimpImage       *image;
  gchar           *comment = NULL;
  gboolean         success;

  if (! check_layer (layer, error) ||
      ! isolux_drawable_get_values (layer, &values, error))
    return FALSE;
  if (! exporter)
    {
      g_set_error_literal (error, GIMP_PLUG_IN_ERROR, 0,
                           _("Values are written as PNG or TIFF: the name has "
                             "to end in .png, .tif or .tiff."));
      return FALSE;
    }

  isolux_source_init (layer, &values, &source.buffer, &source.format,
                      &source.image);
  image = image_for (layer, GIMP_PRECISION_U16_NON_LINEAR);
  success = fill (&source, add_target (image, layer), &scale, error);
  if (success)
    {
      comment = describe_values (layer, &values, &scale);
      success = write_image (image, exporter, file, comment, error);
    }
  if (success && text)
    *text = g_steal_pointer (&comment);
  g_free (comment);
  gimp_image_delete (image);
  g_object_unref (source.buffer);
  return success;
}

/* ---- The procedure ------------------------------------------------ */

static const IsoluxRow rows[] = {
  { "picture-file", NULL, NULL, NULL },
  { "values-file", NULL, NULL, NULL },
  { NULL, NULL, NULL, NULL },
};

/* The file of one of several layers: its number stands before the ending */
static GFile *
number_file (GFile *file, gint place, gint n)
{
  gchar *path = g_file_get_uri (file);
  gchar *slash = strrchr (path, '/');
  gchar *dot = strrchr (path, '.');
  gchar *name;
  GFile *numbered;

  if (n < 2)
    numbered = g_object_ref (file);
  else
    {
      if (! dot || (slash && dot < slash))
        dot = path + strlen (path);
      name = g_strdup_printf ("%.*s-%0*d%s", (int) (dot - path), path,
                              n > 999 ? 5 : 3, place + 1, dot);
      numbered = g_file_new_for_uri (name);
      g_free (name);
    }
  g_free (path);
  return numbered;
}

static void
add_result (JsonBuilder *builder, const gchar *name, GFile *file)
{
  gchar *text = file ? g_file_get_parse_name (file) : NULL;

  if (text)
    isolux_json_text (builder, name, text);
  g_free (text);
}

/* One layer, as an object of the JSON array; FALSE and @error */
static gboolean
export_layer (GimpDrawable *layer,
              GFile        *picture,
              GFile        *values,
              JsonBuilder  *builder,
              GError      **error)
{
  IsoluxRealValues meaning;
  gchar           *text = NULL, *loss;

  if ((picture && ! isolux_export_picture (layer, picture, NULL, error)) ||
      (values && ! isolux_export_values (layer, values, &text, error)))
    return FALSE;

  json_builder_begin_object (builder);
  add_result (builder, "picture", picture);
  add_result (builder, "values", values);
  if (text && isolux_real_values_parse (text, &meaning))
    {
      isolux_values_to_json (&meaning, builder);
      loss = isolux_real_values_get_key (text, "loss");
      isolux_json_text (builder, "loss", loss ? loss : "");
      g_free (loss);
    }
  json_builder_end_object (builder);
  g_free (text);
  return TRUE;
}

static gboolean
export_all (GimpDrawable       **drawables,
            GimpProcedureConfig *config,
            gchar              **json,
            GError             **error)
{
  JsonBuilder *builder = json_builder_new ();
  GFile       *picture, *values;
  gboolean     success = TRUE;
  gint         n = 0;

  g_object_get (config, "picture-file", &picture, "values-file", &values, NULL);
  while (drawables && drawables[n])
    n++;
  if (n == 0 || (! picture && ! values))
    {
      g_set_error_literal (error, GIMP_PLUG_IN_ERROR, 0,
                           n ? _("No file is named: neither for the picture "
                                 "nor for the values.")
                             : _("There is no layer to export."));
      success = FALSE;
    }

  json_builder_begin_array (builder);
  for (gint i = 0; i < n && success; i++)
    {
      GFile *a = picture ? number_file (picture, i, n) : NULL;
      GFile *b = values ? number_file (values, i, n) : NULL;

      success = export_layer (drawables[i], a, b, builder, error);
      g_clear_object (&a);
      g_clear_object (&b);
      gimp_progress_update ((i + 1.0) / n);
    }
  json_builder_end_array (builder);
  *json = isolux_json_end (builder);
  g_clear_object (&picture);
  g_clear_object (&values);
  return success;
}

static GimpValueArray *
run (GimpProcedure       *procedure,
     GimpRunMode          run_mode,
     GimpImage           *image,
     GimpDrawable       **drawables,
     GimpProcedureConfig *config,
     gpointer             run_data)
{
  GimpValueArray *values;
  GError         *error = NULL;
  gchar          *json = NULL;
  gboolean        success;

  if (run_mode == GIMP_RUN_INTERACTIVE &&
      ! isolux_simple_dialog_run (procedure, config, _("Isolux Export"), rows))
    return gimp_procedure_new_return_values (procedure, GIMP_PDB_CANCEL, NULL);

  gimp_progress_init (_("Isolux Export"));
  success = export_all (drawables, config, &json, &error);
  values = gimp_procedure_new_return_values (procedure,
                                             success ? GIMP_PDB_SUCCESS
                                                     : GIMP_PDB_EXECUTION_ERROR,
                                             error);
  if (success)
    g_value_take_string (gimp_value_array_index (values, 1), json);
  else
    g_free (json);
  return values;
}

GimpProcedure *
isolux_export_create (GimpPlugIn *plug_in)
{
  GimpProcedure *procedure =
    gimp_image_procedure_new (plug_in, ISOLUX_EXPORT_PROCEDURE,
                              GIMP_PDB_PROC_TYPE_PLUGIN, run, NULL, NULL);

  gimp_procedure_set_image_types (procedure, "RGB*, GRAY*");
  gimp_procedure_set_sensitivity_mask (procedure,
                                       GIMP_PROCEDURE_SENSITIVE_DRAWABLE |
                                         GIMP_PROCEDURE_SENSITIVE_DRAWABLES);
  gimp_procedure_set_menu_label (procedure, _("E_xport..."));
  gimp_procedure_add_menu_path (procedure, "<Image>/Filters/Isolux");
  gimp_procedure_set_icon_name (procedure, GIMP_ICON_DOCUMENT_SAVE);
  gimp_procedure_set_documentation (
    procedure, _("Export layers: the picture as 8 bits, the values as 16"),
    _("Writes layers as they are shown, filters and masks applied, as PNG "
      "files of 8 bits, and their values, below the filters, as PNG or TIFF "
      "files of 16 bits. A file's comment says what its codes stand for "
      "(slope, intercept, unit, padding) and what was lost. Of several layers "
      "each file gets a number. Nothing else of the image goes into the "
      "files, and the image stays as it is. Returns a JSON array with an "
      "object for each layer: \"picture\", \"values\", \"unit\", \"slope\", "
      "\"intercept\", \"padding\" and \"loss\"."),
    NULL);
  gimp_procedure_set_attribution (procedure, "The Isolux authors",
                                  "The Isolux authors", "2026");

  gimp_procedure_add_file_argument (procedure, "picture-file", _("_Picture"),
                                    _("The picture, a PNG file"),
                                    GIMP_FILE_CHOOSER_ACTION_SAVE, TRUE, NULL,
                                    G_PARAM_READWRITE);
  gimp_procedure_add_file_argument (procedure, "values-file", _("_Values"),
                                    _("The values, a PNG or TIFF file"),
                                    GIMP_FILE_CHOOSER_ACTION_SAVE, TRUE, NULL,
                                    G_PARAM_READWRITE);
  gimp_procedure_add_string_return_value (procedure, "json", _("JSON"),
                                          _("What was written"), NULL,
                                          G_PARAM_READWRITE);
  return procedure;
}
