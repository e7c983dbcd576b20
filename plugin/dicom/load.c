/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * load.c: the plug-in that opens DICOM files: frames become layers that keep
 * every value, and a filter shows them through a window.
 *
 * GIMP has a loader of its own for these files.  This one comes first, unless
 * it is turned off, and so says what it can do anew whenever GIMP starts.
 */
#include <libgimp/gimp.h>
#include <glib/gi18n-lib.h>
#include <string.h>

#include "child.h"
#include "codes.h"
#include "dialog.h"
#include "frames.h"
#include "presets.h"

#define LOAD_PROCEDURE "file-isolux-dicom-load"
#define THUMB_PROCEDURE "file-isolux-dicom-load-thumb"
#define READER_NAME "isolux-dicom-reader"

/* The least number is asked first; GIMP's own loader has 0 */
#define PRIORITY_FIRST -10
#define PRIORITY_LAST 10

/* Rows that are handed over at a time: those of GIMP's tiles */
#define ROWS_AT_ONCE 64

#define ISOLUX_TYPE_DICOM (isolux_dicom_get_type ())
G_DECLARE_FINAL_TYPE (IsoluxDicom, isolux_dicom, ISOLUX, DICOM, GimpPlugIn)

struct _IsoluxDicom
{
  GimpPlugIn parent_instance;
};

G_DEFINE_FINAL_TYPE (IsoluxDicom, isolux_dicom, GIMP_TYPE_PLUG_IN)

/* --- A file --------------------------------------------------------------- */

/*
 * Load: what is under way
 * @frames, @windowed, @overlays, @keep_tags: as asked for
 * @presets: (nullable): of Window
 * @preset: (nullable): the window, NULL for the file's own
 * @is_lenient: a preset that does not fit gives way to the file's own window
 * @quiet: no progress is shown
 * @progress: (nullable): where it is shown, if not by GIMP
 * @is_stopped: by the user
 * @layers: GimpLayer of the frames
 * @facts: DicomFrame of each
 */
typedef struct
{
  const gchar *frames;
  gboolean     windowed;
  gboolean     overlays;
  gboolean     keep_tags;
  gboolean     quiet;
  gboolean     is_lenient;

  IsoluxPresets      *presets;
  const IsoluxPreset *preset;

  DicomProgress *progress;
  gboolean       is_stopped;

  Child      *child;
  Codes       codes;
  DicomHeader header;
  CodesRange *range;
  GimpImage  *image;
  GPtrArray  *layers;
  GArray     *facts;
} Load;

/* GEGL for buffers, without its modules, which take long to load */
static void
start_gegl (void)
{
  gchar *path = g_strdup (g_getenv ("GEGL_PATH"));

  g_setenv ("GEGL_PATH", "/nonexistent", TRUE);
  gegl_init (NULL, NULL);
  if (path)
    g_setenv ("GEGL_PATH", path, TRUE);
  else
    g_unsetenv ("GEGL_PATH");
  g_free (path);
}

/* The reader lies beside this program */
static gchar *
find_reader (void)
{
  gchar *self = g_file_read_link ("/proc/self/exe", NULL);
  gchar *folder = g_path_get_dirname (self ? self : gimp_get_progname ());
  gchar *path;

#ifdef G_OS_WIN32
  path = g_build_filename (folder, READER_NAME ".exe", NULL);
#else
  path = g_build_filename (folder, READER_NAME, NULL);
#endif
  g_free (folder);
  g_free (self);
  return path;
}

static Child *
start_reader (GFile *file, const ChildOptions *options, GError **error)
{
  gchar *path = g_file_get_path (file);
  gchar *reader = find_reader ();
  Child *child = NULL;

  if (path)
    child = child_start (reader, path, options, error);
  else
    g_set_error_literal (error, DICOM_ERROR, DICOM_ERROR_FILE,
                         _("The file cannot be read."));
  g_free (reader);
  g_free (path);
  return child;
}

/* What is in a file, without its pixels */
static gboolean
read_header (GFile *file, DicomHeader *header, GError **error)
{
  ChildOptions       options = { "all", TRUE, FALSE, FALSE, 0 };
  Child             *child = start_reader (file, &options, error);
  const DicomRecord *record;
  gboolean           found = FALSE;

  if (child == NULL)
    return FALSE;
  while (! found && (record = child_next (child, error)))
    if (record->kind == DICOM_RECORD_HEADER)
      {
        *header = record->header;
        found = TRUE;
      }
  child_free (child);
  return found;
}

/* --- Layers --------------------------------------------------------------- */

static gboolean
begin_image (Load *load, const DicomHeader *header, GError **error)
{
  static const GimpPrecision precisions[] = {
    [CODES_U8] = GIMP_PRECISION_U8_NON_LINEAR,
    [CODES_U16] = GIMP_PRECISION_U16_NON_LINEAR,
    [CODES_FLOAT] = GIMP_PRECISION_FLOAT_NON_LINEAR,
    [CODES_DOUBLE] = GIMP_PRECISION_DOUBLE_NON_LINEAR,
    [CODES_RGB8] = GIMP_PRECISION_U8_NON_LINEAR,
    [CODES_RGB16] = GIMP_PRECISION_U16_NON_LINEAR,
  };
  gboolean color;

  load->header = *header;
  codes_choose (&load->codes, header);
  color = load->codes.kind == CODES_RGB8 || load->codes.kind == CODES_RGB16;
  load->image = gimp_image_new_with_precision (header->columns, header->rows,
                                               color ? GIMP_RGB : GIMP_GRAY,
                                               precisions[load->codes.kind]);
  if (load->image == NULL)
    {
      g_set_error_literal (error, DICOM_ERROR, DICOM_ERROR_MEMORY,
                           _("GIMP does not make an image of this size."));
      return FALSE;
    }
  gimp_image_undo_disable (load->image);
  load->range = codes_range_new ();
  return TRUE;
}

static gchar *
name_frame (const Load *load, const DicomFrame *frame)
{
  gchar *name, *lossy;

  if (load->header.frames > 1)
    name = g_strdup_printf (_("Frame %u"), frame->number);
  else
    name =
      g_strdup (load->header.modality[0] ? load->header.modality : _("DICOM"));
  if (! load->header.lossy[0])
    return name;
  lossy = g_strdup_printf (_("%s (lossy)"), name);
  g_free (name);
  return lossy;
}

static void
attach (gpointer item, const gchar *name, gconstpointer data, gsize n)
{
  GimpParasite *parasite =
    gimp_parasite_new (name, GIMP_PARASITE_PERSISTENT, (guint32) n, data);

  if (GIMP_IS_ITEM (item))
    gimp_item_attach_parasite (item, parasite);
  else
    gimp_image_attach_parasite (item, parasite);
  gimp_parasite_free (parasite);
}

/* Millimetres from pixel to pixel become the image's resolution, as far as
 * GIMP has one */
static void
set_resolution (GimpImage *image, const DicomFrame *frame)
{
  const gdouble x = 25.4 / frame->spacing[1], y = 25.4 / frame->spacing[0];

  if (frame->spacing[0] <= 0.0 || frame->spacing[1] <= 0.0)
    return;
  if (x < GIMP_MIN_RESOLUTION || x > GIMP_MAX_RESOLUTION ||
      y < GIMP_MIN_RESOLUTION || y > GIMP_MAX_RESOLUTION)
    return;
  gimp_image_set_resolution (image, x, y);
  gimp_image_set_unit (image, gimp_unit_mm ());
}

/* A layer below those that are there; its pixels are filled in by rows */
static gboolean
add_layer (Load         *load,
           const gchar  *name,
           gint          columns,
           gint          rows,
           GimpImageType type,
           gint          position,
           GimpLayer   **layer,
           GError      **error)
{
  *layer = gimp_layer_new (load->image, name, columns, rows, type, 100.0,
                           gimp_image_get_default_new_layer_mode (load->image));
  if (*layer && gimp_image_insert_layer (load->image, *layer, NULL, position))
    return TRUE;
  g_set_error_literal (error, DICOM_ERROR, DICOM_ERROR_MEMORY,
                       _("GIMP could not make a layer for it."));
  return FALSE;
}

static gboolean
add_frame (Load *load, const DicomRecord *record, GError **error)
{
  const DicomHeader *header = &load->header;
  const DicomFrame  *frame = &record->frame;
  const gboolean     color = load->codes.kind == CODES_RGB8 ||
                         load->codes.kind == CODES_RGB16;
  const gsize pixel_size = dicom_pixel_size (header->pixel);
  gchar      *name = name_frame (load, frame);
  gchar      *text;
  GimpLayer  *layer;
  GeglBuffer *buffer;
  const Babl *format;
  guint8     *pixels;
  gboolean    done;

  done = add_layer (load, name, header->columns, header->rows,
                    color ? GIMP_RGB_IMAGE : GIMP_GRAY_IMAGE,
                    (gint) load->layers->len, &layer, error);
  g_free (name);
  if (! done)
    return FALSE;

  buffer = gimp_drawable_get_buffer (GIMP_DRAWABLE (layer));
  format = gimp_drawable_get_format (GIMP_DRAWABLE (layer));
  pixels = g_malloc ((gsize) header->columns * ROWS_AT_ONCE *
                     codes_pixel_size (&load->codes));
  for (gint y = 0; y < header->rows; y += ROWS_AT_ONCE)
    {
      const gint  rows = MIN (ROWS_AT_ONCE, header->rows - y);
      const gsize first = (gsize) y * (gsize) header->columns;
      const gsize n = (gsize) rows * (gsize) header->columns;

      codes_fill (&load->codes, header, frame,
                  record->bytes + first * pixel_size, n, pixels);
      codes_range_add (load->range, &load->codes, header, frame, pixels, n);
      gegl_buffer_set (buffer, GEGL_RECTANGLE (0, y, header->columns, rows), 0,
                       format, pixels, GEGL_AUTO_ROWSTRIDE);
    }
  g_free (pixels);
  g_object_unref (buffer);

  text = codes_to_text (&load->codes, header, frame);
  attach (layer, ISOLUX_VALUES_PARASITE, text, strlen (text) + 1);
  g_free (text);
  if (load->layers->len == 0)
    set_resolution (load->image, frame);
  g_ptr_array_add (load->layers, layer);
  g_array_append_val (load->facts, *frame);
  return TRUE;
}

/* White where the overlay is, nothing elsewhere; above the frame it belongs
 * to */
static gboolean
add_overlay (Load *load, const DicomRecord *record, GError **error)
{
  const DicomOverlay *overlay = &record->overlay;
  const gboolean      color = load->codes.kind == CODES_RGB8 ||
                         load->codes.kind == CODES_RGB16;
  gint        position = 0;
  gchar      *name;
  GimpLayer  *layer;
  GeglBuffer *buffer;
  guint8     *pixels;
  gboolean    done;

  if (overlay->frame > 0)
    {
      guint i;

      for (i = 0; i < load->facts->len; i++)
        if (g_array_index (load->facts, DicomFrame, i).number == overlay->frame)
          break;
      if (i == load->facts->len)
        return TRUE;
      position =
        gimp_image_get_item_position (load->image,
                                      GIMP_ITEM (load->layers->pdata[i]));
      name = g_strdup_printf (_("Overlay %u of frame %u"), overlay->number,
                              overlay->frame);
    }
  else
    name = g_strdup_printf (_("Overlay %u"), overlay->number);

  done = add_layer (load, name, overlay->columns, overlay->rows,
                    color ? GIMP_RGBA_IMAGE : GIMP_GRAYA_IMAGE, position,
                    &layer, error);
  g_free (name);
  if (! done)
    return FALSE;

  buffer = gimp_drawable_get_buffer (GIMP_DRAWABLE (layer));
  pixels = g_malloc ((gsize) overlay->columns * 2);
  for (gint y = 0; y < overlay->rows; y++)
    {
      const guint8 *mask = record->bytes + (gsize) y * (gsize) overlay->columns;

      for (gint x = 0; x < overlay->columns; x++)
        {
          pixels[2 * x] = 255;
          pixels[2 * x + 1] = mask[x] ? 255 : 0;
        }
      gegl_buffer_set (buffer, GEGL_RECTANGLE (0, y, overlay->columns, 1), 0,
                       babl_format ("Y'A u8"), pixels, GEGL_AUTO_ROWSTRIDE);
    }
  g_free (pixels);
  g_object_unref (buffer);
  gimp_layer_set_offsets (layer, overlay->x, overlay->y);
  return TRUE;
}

/* --- Windows -------------------------------------------------------------- */

/* Whether a property of the filter takes a number */
static gboolean
is_in_range (GObject *config, const gchar *name, gdouble number)
{
  GParamSpec *pspec =
    g_object_class_find_property (G_OBJECT_GET_CLASS (config), name);

  return pspec && G_IS_PARAM_SPEC_DOUBLE (pspec) &&
         number >= G_PARAM_SPEC_DOUBLE (pspec)->minimum &&
         number <= G_PARAM_SPEC_DOUBLE (pspec)->maximum;
}

/* Finds a preset by name; "" and "image" are none.  FALSE: there is none of
 * that name */
static gboolean
find_preset (Load *load, const gchar *name, GError **error)
{
  if (! name || ! *name || ! strcmp (name, DICOM_WINDOW_OF_FILE))
    return TRUE;
  load->presets = isolux_presets_new (DICOM_PRESETS, "isolux:window");
  load->preset = isolux_presets_demand (load->presets, name,
                                        DICOM_WINDOW_OF_FILE,
                                        load->is_lenient ? NULL : error);
  return load->preset || load->is_lenient;
}

/* Whether the preset's numbers are in the unit of all frames */
static gboolean
check_preset (Load *load, GError **error)
{
  guint i;

  for (i = 0; load->preset && i < load->facts->len; i++)
    {
      IsoluxRealValues values;

      codes_get_values (&load->codes, &load->header,
                        &g_array_index (load->facts, DicomFrame, i), &values);
      if (isolux_preset_fits (load->preset, &values))
        continue;
      if (! load->is_lenient)
        {
          g_set_error (error, DICOM_ERROR, DICOM_ERROR_FILE,
                       _("The window preset \"%s\" is in %s, and the values "
                         "of this file are not."),
                       load->preset->name, load->preset->unit);
          return FALSE;
        }
      load->preset = NULL;
    }
  return TRUE;
}

/* Puts isolux:window on a layer.  FALSE when that operation is not there. */
static gboolean
add_window (const Load *load, GimpLayer *layer, const DicomFrame *frame)
{
  GimpDrawableFilter       *filter;
  GimpDrawableFilterConfig *config;
  IsoluxRealValues          values;
  gdouble                   center, width;

  if (! codes_get_window (&load->codes, &load->header, frame, load->range,
                          &center, &width))
    return TRUE;
  filter = gimp_drawable_filter_new (GIMP_DRAWABLE (layer), "isolux:window",
                                     _("Isolux Window"));
  if (filter == NULL)
    return FALSE;
  config = gimp_drawable_filter_get_config (filter);
  codes_get_values (&load->codes, &load->header, frame, &values);

  /* center and width are in the unit when the filter knows what codes mean */
  if (g_object_class_find_property (G_OBJECT_GET_CLASS (config), "values"))
    {
      gchar *text = codes_to_text (&load->codes, &load->header, frame);

      g_object_set (config, "values", text, NULL);
      g_free (text);
    }
  else
    {
      center = (center - values.intercept) / values.slope;
      width /= ABS (values.slope);
    }
  if (load->preset)
    isolux_presets_apply (load->presets, load->preset, G_OBJECT (config));
  else if (is_in_range (G_OBJECT (config), "center", center) &&
           is_in_range (G_OBJECT (config), "width", width))
    g_object_set (config, "mode", "window", "center", center, "width", width,
                  NULL);
  else
    g_object_set (config, "mode", "percentile", NULL);
  gimp_drawable_append_filter (GIMP_DRAWABLE (layer), filter);
  return TRUE;
}

static void
add_windows (const Load *load)
{
  for (guint i = 0; i < load->layers->len; i++)
    if (! add_window (load, load->layers->pdata[i],
                      &g_array_index (load->facts, DicomFrame, i)))
      {
        g_message (_("The image is shown without a window, since the "
                     "operation isolux:window is not installed. Its values "
                     "are right, but it may look black."));
        return;
      }
}

/* --- All of it ------------------------------------------------------------ */

/* FALSE when the user wants to stop */
static gboolean
show_progress (Load *load, gdouble fraction)
{
  if (load->progress)
    load->is_stopped = ! dicom_progress_update (load->progress, fraction);
  else if (! load->quiet)
    gimp_progress_update (fraction);
  return ! load->is_stopped;
}

/* Takes records until the end; FALSE with an error, or without when the user
 * stops it */
static gboolean
take_records (Load *load, GError **error)
{
  const DicomRecord *record;

  while ((record = child_next (load->child, error)))
    {
      gboolean done = TRUE;
      gchar   *name;

      switch (record->kind)
        {
          case DICOM_RECORD_HEADER:
            done = begin_image (load, &record->header, error);
            break;

          case DICOM_RECORD_FRAME:
            done = add_frame (load, record, error) &&
                   show_progress (load, 0.6 + 0.4 *
                                                (gdouble) load->layers->len /
                                                load->header.chosen);
            break;

          case DICOM_RECORD_OVERLAY:
            done = add_overlay (load, record, error);
            break;

          case DICOM_RECORD_TAG:
            /* as GIMP's own loader keeps them, and its exporter writes them */
            name = g_strdup_printf ("dcm/%s", record->tag);
            attach (load->image, name, record->bytes, record->n_bytes);
            g_free (name);
            break;

          case DICOM_RECORD_PROGRESS:
            done = show_progress (load, record->progress);
            break;

          case DICOM_RECORD_END:
            if (load->layers->len > 0)
              return TRUE;
            g_set_error_literal (error, DICOM_ERROR, DICOM_ERROR_FILE,
                                 _("The file has no picture."));
            return FALSE;
        }
      if (! done)
        return FALSE;
    }
  return FALSE;
}

/* Returns: (nullable): the image; NULL with an error, and nothing is left */
static GimpImage *
load_file (Load *load, GFile *file, GError **error)
{
  ChildOptions options = { load->frames, FALSE, load->overlays, load->keep_tags,
                           0 };
  gboolean     done = FALSE;

  load->layers = g_ptr_array_new ();
  load->facts = g_array_new (FALSE, FALSE, sizeof (DicomFrame));
  start_gegl ();
  load->child = start_reader (file, &options, error);
  if (load->child)
    done = take_records (load, error) && check_preset (load, error);
  if (done)
    {
      if (load->windowed)
        add_windows (load);
      gimp_image_take_selected_layers (
        load->image, g_list_append (NULL, g_ptr_array_index (load->layers, 0)));
      gimp_image_undo_enable (load->image);
      gimp_image_clean_all (load->image);
    }
  else if (load->image)
    {
      gimp_image_delete (load->image);
      load->image = NULL;
    }

  child_free (load->child);
  codes_range_free (load->range);
  g_ptr_array_free (load->layers, TRUE);
  g_array_free (load->facts, TRUE);
  return load->image;
}

static GimpValueArray *
run (GimpProcedure         *procedure,
     GimpRunMode            run_mode,
     GFile                 *file,
     GimpMetadata          *metadata,
     GimpMetadataLoadFlags *flags,
     GimpProcedureConfig   *config,
     gpointer               run_data)
{
  Load            load = { 0 };
  gchar          *frames = NULL, *preset = NULL, *name;
  gboolean        many = FALSE;
  GimpImage      *image;
  GimpValueArray *values;
  GError         *error = NULL;

  *flags = GIMP_METADATA_LOAD_NONE;
  if (run_mode == GIMP_RUN_INTERACTIVE)
    {
      DicomHeader header;

      /* GIMP forgets defaults of texts on the way */
      g_object_get (config, "frames", &frames, NULL);
      if (frames == NULL || *frames == '\0')
        g_object_set (config, "frames", "all", NULL);
      g_clear_pointer (&frames, g_free);
      if (! read_header (file, &header, &error))
        return gimp_procedure_new_return_values (procedure,
                                                 GIMP_PDB_EXECUTION_ERROR,
                                                 error);
      if (dicom_dialog_is_needed (config, &header))
        {
          if (! dicom_dialog_run (procedure, config, &header))
            return gimp_procedure_new_return_values (procedure, GIMP_PDB_CANCEL,
                                                     NULL);
        }
      else
        g_object_set (config, "frames", "all", NULL);
      many = header.frames > 1;
    }

  g_object_get (config, "frames", &frames, "windowed", &load.windowed,
                "window-preset", &preset, "overlays", &load.overlays,
                "keep-tags", &load.keep_tags, NULL);
  load.frames = frames ? frames : "all";
  load.is_lenient = run_mode == GIMP_RUN_INTERACTIVE;
  if (! frames_is_list (load.frames))
    {
      g_set_error (&error, DICOM_ERROR, DICOM_ERROR_FILE,
                   _("\"%s\" names no frames. Write \"all\", or numbers and "
                     "ranges between commas, such as 1-10,15."),
                   load.frames);
    }
  else
    find_preset (&load, preset, &error);
  g_free (preset);
  if (error)
    {
      g_free (frames);
      isolux_presets_free (load.presets);
      return gimp_procedure_new_return_values (procedure,
                                               GIMP_PDB_CALLING_ERROR, error);
    }

  name = g_path_get_basename (gimp_file_get_utf8_name (file));
  if (many)
    load.progress = dicom_progress_begin (name);
  else
    gimp_progress_init_printf (_("Opening '%s'"), name);
  g_free (name);
  image = load_file (&load, file, &error);
  if (many)
    dicom_progress_end (load.progress);
  else
    gimp_progress_end ();
  g_free (frames);
  isolux_presets_free (load.presets);
  if (load.is_stopped)
    return gimp_procedure_new_return_values (procedure, GIMP_PDB_CANCEL, NULL);
  if (image == NULL)
    return gimp_procedure_new_return_values (procedure,
                                             GIMP_PDB_EXECUTION_ERROR, error);

  values = gimp_procedure_new_return_values (procedure, GIMP_PDB_SUCCESS, NULL);
  GIMP_VALUES_SET_IMAGE (values, 1, image);
  return values;
}

static GimpValueArray *
run_thumb (GimpProcedure       *procedure,
           GFile               *file,
           gint                 size,
           GimpProcedureConfig *config,
           gpointer             run_data)
{
  Load            load = { 0 };
  GimpImage      *image;
  GimpValueArray *values;
  GError         *error = NULL;

  load.frames = "1";
  load.windowed = TRUE;
  load.quiet = TRUE;
  image = load_file (&load, file, &error);
  if (image == NULL)
    return gimp_procedure_new_return_values (procedure,
                                             GIMP_PDB_EXECUTION_ERROR, error);

  values = gimp_procedure_new_return_values (procedure, GIMP_PDB_SUCCESS, NULL);
  GIMP_VALUES_SET_IMAGE (values, 1, image);
  GIMP_VALUES_SET_INT (values, 2, load.header.columns);
  GIMP_VALUES_SET_INT (values, 3, load.header.rows);
  GIMP_VALUES_SET_ENUM (values, 4,
                        gimp_image_get_base_type (image) == GIMP_RGB
                          ? GIMP_RGB_IMAGE
                          : GIMP_GRAY_IMAGE);
  GIMP_VALUES_SET_INT (values, 5, (gint) load.header.frames);
  return values;
}

/* --- Procedures ----------------------------------------------------------- */

/* Turned off: GIMP's own loader opens what the user opens, and this one what
 * is opened by its name */
static gboolean
is_off (void)
{
  const gchar *choice = g_getenv ("ISOLUX_DICOM");
  gchar       *setting;
  gboolean     off;

  if (choice && *choice)
    return ! strcmp (choice, "off");
  setting = gimp_gimprc_query ("isolux-dicom");
  off = g_strcmp0 (setting, "off") == 0;
  g_free (setting);
  return off;
}

static GList *
init_procedures (GimpPlugIn *plug_in)
{
  GList *list = g_list_append (NULL, g_strdup (THUMB_PROCEDURE));

  return g_list_append (list, g_strdup (LOAD_PROCEDURE));
}

static void
add_arguments (GimpProcedure *procedure)
{
  gimp_procedure_add_string_argument (procedure, "frames", _("_Frames"),
                                      _("Which frames become layers: \"all\", "
                                        "or numbers and ranges between "
                                        "commas, such as 1-10,15"),
                                      "all", G_PARAM_READWRITE);
  gimp_procedure_add_boolean_argument (
    procedure, "windowed", _("Show through a _window"),
    _("Add the filter Isolux Window, with the window that the file names or, "
      "without one, from the 0.5th to the 99.5th percentile. The layer keeps "
      "every value"),
    TRUE, G_PARAM_READWRITE);
  gimp_procedure_add_string_argument (
    procedure, "window-preset", _("Window _preset"),
    _("The name of a preset of Window (\"ct-lung\") to show the picture "
      "through, or \"image\" for the window that the file names"),
    DICOM_WINDOW_OF_FILE, G_PARAM_READWRITE);
  gimp_procedure_add_boolean_argument (
    procedure, "overlays", _("O_verlays as layers"),
    _("Open drawings that lie over the picture as layers of their own. They "
      "may name the patient"),
    FALSE, G_PARAM_READWRITE);
  gimp_procedure_add_boolean_argument (procedure, "keep-tags",
                                       _("_Keep all data of the patient"),
                                       _("Attach every element of the file to "
                                         "the image, the patient's name "
                                         "among them. XCF files keep it"),
                                       FALSE, G_PARAM_READWRITE);
  gimp_procedure_add_boolean_aux_argument (
    procedure, "ask", _("_Ask before opening single pictures, too"),
    _("When off, files of one frame without overlays open at once, as the "
      "last ones did"),
    TRUE, G_PARAM_READWRITE);
}

static GimpProcedure *
create_procedure (GimpPlugIn *plug_in, const gchar *name)
{
  GimpProcedure     *procedure;
  GimpFileProcedure *file;

  if (! strcmp (name, THUMB_PROCEDURE))
    return gimp_thumbnail_procedure_new (plug_in, name,
                                         GIMP_PDB_PROC_TYPE_PLUGIN, run_thumb,
                                         NULL, NULL);

  procedure = gimp_load_procedure_new (plug_in, name, GIMP_PDB_PROC_TYPE_PLUGIN,
                                       run, NULL, NULL);
  gimp_procedure_set_menu_label (procedure, _("DICOM picture (Isolux)"));
  gimp_procedure_set_documentation (
    procedure, _("Opens DICOM files at their full depth"),
    _("Opens DICOM files of every usual compression with all values: up to 16 "
      "bits as codes, others as floating point. Each frame becomes a layer, "
      "the first on top; the parasite isolux-values of each tells what codes "
      "stand for. Nothing that names a person is kept unless asked for."),
    NULL);
  gimp_procedure_set_attribution (procedure, "The Isolux authors",
                                  "The Isolux authors", "2026");

  file = GIMP_FILE_PROCEDURE (procedure);
  gimp_file_procedure_set_format_name (file, _("DICOM"));
  gimp_file_procedure_set_mime_types (file, "application/dicom");
  gimp_file_procedure_set_extensions (file, "dcm,dicom");
  gimp_file_procedure_set_magics (file, "128,string,DICM");
  gimp_file_procedure_set_priority (file,
                                    is_off () ? PRIORITY_LAST : PRIORITY_FIRST);
  gimp_load_procedure_set_thumbnail_loader (GIMP_LOAD_PROCEDURE (procedure),
                                            THUMB_PROCEDURE);
  add_arguments (procedure);
  return procedure;
}

/* GIMP takes catalogs from inside the plug-in's own folder only: "locale"
 * there is a link to where they are. */
static gboolean
set_i18n (GimpPlugIn  *plug_in,
          const gchar *name,
          gchar      **domain,
          gchar      **directory)
{
  *domain = g_strdup (GETTEXT_PACKAGE);
  *directory = g_strdup ("locale");
  return TRUE;
}

static void
isolux_dicom_class_init (IsoluxDicomClass *klass)
{
  GimpPlugInClass *plug_in_class = GIMP_PLUG_IN_CLASS (klass);

  plug_in_class->init_procedures = init_procedures;
  plug_in_class->create_procedure = create_procedure;
  plug_in_class->set_i18n = set_i18n;
}

static void
isolux_dicom_init (IsoluxDicom *self)
{
}

GIMP_MAIN (ISOLUX_TYPE_DICOM)
