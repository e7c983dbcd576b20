/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * bridge.c - from GeglBuffers to surfaces of libisolux and back
 */
#include <glib/gi18n-lib.h>
#include <string.h>

#include "bridge.h"
#include "real-values.h"
#include "settings.h"
#include "values.h"

/* More pixels than this is no image (GIMP's largest is 2^19 x 2^19) but a
 * plane that somebody cropped. */
#define MAX_PIXELS (G_GINT64_CONSTANT (1) << 38)

/* Rows at once where the layer's own pixels pass through our memory */
#define SOME_ROWS 16

/* So many different messages are shown in the life of the process */
#define MAX_MESSAGES 16

/* What the row callbacks know */
typedef struct
{
  const BridgeCall *call;
  const Babl       *layer;   /* the layer's format */
  const Babl       *read;    /* a source surface's format */
  const Babl       *write;   /* a destination surface's format */
  const Values     *values;  /* between read, write and layer, when they
                               differ in nothing but the type */
  const Babl       *gray;    /* when write is gray and layer is RGB: write in
                               the layer's own encoding and type */
  const Babl       *encode;  /* from write to gray */
  gint              starved; /* whether memory was short */
} Rows;

/* ---- Formats ------------------------------------------------------ */

static const gchar *const models[3][4] = {
  { "Y", "YA", "RGB", "RGBA" },
  { "Y'", "Y'A", "R'G'B'", "R'G'B'A" },
  { "Y~", "Y~A", "R~G~B~", "R~G~B~A" },
};

/* GIMP's words, in the order of BridgeEncoding and IsoluxEncoding */
static const gchar *const encodings[] = { "linear", "non-linear",
                                          "perceptual" };

const Babl *
bridge_format (BridgeEncoding encoding,
               gint           components,
               const gchar   *type,
               const Babl    *space)
{
  gchar name[32];

  g_snprintf (name, sizeof (name), "%s %s", models[encoding][components - 1],
              type);
  return babl_format_with_space (name, space);
}

/* Takes apart any format.  FALSE: it is not gray or RGB with straight alpha
 * in our order and one of our types; layer then holds the next best. */
static gboolean
take_apart (const Babl *format, BridgeLayer *layer)
{
  static const gchar *const types[][2] = {
    { "u8", "u8" },      { "u16", "u16" },     { "u32", "float" },
    { "half", "float" }, { "float", "float" }, { "double", "float" },
  };
  BablModelFlag flags = 0;
  const gchar  *type;
  gsize         i;

  layer->space = babl_format_get_space (format);
  layer->encoding = BRIDGE_NONLINEAR;
  layer->components = 4;
  layer->type = "float";
  layer->surface = "float";

  if (! babl_format_is_palette (format) && ! babl_format_is_format_n (format))
    flags = babl_get_model_flags (babl_format_get_model (format));

  if (flags & (BABL_MODEL_FLAG_GRAY | BABL_MODEL_FLAG_RGB))
    {
      if (flags & BABL_MODEL_FLAG_LINEAR)
        layer->encoding = BRIDGE_LINEAR;
      else if (flags & BABL_MODEL_FLAG_PERCEPTUAL)
        layer->encoding = BRIDGE_PERCEPTUAL;

      layer->components = (flags & BABL_MODEL_FLAG_GRAY ? 1 : 3) +
                          (flags & BABL_MODEL_FLAG_ALPHA ? 1 : 0);

      type = babl_get_name (babl_format_get_type (format, 0));
      for (i = 0; i < G_N_ELEMENTS (types); i++)
        if (! strcmp (type, types[i][0]) &&
            format == bridge_format (layer->encoding, layer->components, type,
                                     layer->space))
          {
            layer->type = types[i][0];
            layer->surface = types[i][1];
            layer->format = format;
            return TRUE;
          }
    }

  layer->format = bridge_format (layer->encoding, layer->components,
                                 layer->type, layer->space);
  return FALSE;
}

/* Between two filters GIMP hands over linear floats, whatever the layer is;
 * the property "encoding" then says how the layer's own values relate to
 * light. */
static void
restore_encoding (GeglOperation *operation, BridgeLayer *layer)
{
  GObject *object = G_OBJECT (operation);
  gchar   *word = NULL;
  gint     i;

  if (layer->encoding != BRIDGE_LINEAR || strcmp (layer->type, "float") ||
      ! g_object_class_find_property (G_OBJECT_GET_CLASS (object), "encoding"))
    return;

  g_object_get (object, "encoding", &word, NULL);
  for (i = 0; i < (gint) G_N_ELEMENTS (encodings); i++)
    if (! g_strcmp0 (word, encodings[i]))
      {
        layer->encoding = (BridgeEncoding) i;
        layer->format = bridge_format (layer->encoding, layer->components,
                                       layer->type, layer->space);
      }
  g_free (word);
}

/* A hidden property, or NULL when the operation does not have it */
static gchar *
get_text (GeglOperation *operation, const gchar *name)
{
  GObjectClass *klass = G_OBJECT_GET_CLASS (operation);
  gchar        *text = NULL;

  if (g_object_class_find_property (klass, name))
    g_object_get (operation, name, &text, NULL);
  return text;
}

/* GIMP's word for a layer's precision */
static void
name_precision (const BridgeLayer *layer, gchar precision[20])
{
  g_snprintf (precision, 20, "%s-%s", layer->type, encodings[layer->encoding]);
}

/* Values that were put into pixels of another curve are right in that one
 * alone: floats of it keep them */
static void
restore_values (GeglOperation *operation, BridgeLayer *layer)
{
  gchar           *text = get_text (operation, "values");
  IsoluxRealValues values;
  IsoluxEncoding   bent;
  gchar            precision[20];

  isolux_real_values_parse (text, &values);
  g_free (text);
  name_precision (layer, precision);
  bent = isolux_real_values_bent (&values, precision);
  if (bent == ISOLUX_ENCODING_UNKNOWN)
    return;

  layer->encoding = (BridgeEncoding) bent;
  layer->type = "float";
  layer->surface = "float";
  layer->format = bridge_format (layer->encoding, layer->components,
                                 layer->type, layer->space);
}

void
bridge_prepare (GeglOperation *operation)
{
  const Babl *format = gegl_operation_get_source_format (operation, "input");
  BridgeLayer layer;

  if (! format)
    format = babl_format ("R'G'B'A float");

  take_apart (format, &layer);
  restore_encoding (operation, &layer);
  restore_values (operation, &layer);
  gegl_operation_set_format (operation, "input", layer.format);
  gegl_operation_set_format (operation, "output", layer.format);
}

void
bridge_get_layer (GeglOperation *operation, BridgeLayer *layer)
{
  take_apart (gegl_operation_get_format (operation, "output"), layer);
}

void
bridge_get_weights (const Babl *space, gdouble weights[3])
{
  gdouble sum = 0.0;
  gint    i;

  babl_space_get_rgb_luminance (space, &weights[0], &weights[1], &weights[2]);

  /* Primaries outside of what can be seen may weigh less than nothing */
  for (i = 0; i < 3; i++)
    {
      weights[i] = weights[i] > 0.0 ? weights[i] : 0.0;
      sum += weights[i];
    }

  for (i = 0; i < 3; i++)
    weights[i] = sum > 0.0 ? weights[i] / sum : 1.0 / 3.0;
}

gboolean
bridge_whole (GeglOperation       *operation,
              const GeglRectangle *roi,
              GeglRectangle       *whole)
{
  const GeglRectangle *box;

  box = gegl_operation_source_get_bounding_box (operation, "input");
  *whole = box ? *box : *GEGL_RECTANGLE (0, 0, 0, 0);

  if (gegl_rectangle_is_infinite_plane (whole) ||
      (gint64) whole->width * whole->height > MAX_PIXELS)
    {
      *whole = *roi;
      return FALSE;
    }
  return TRUE;
}

static GeglRectangle
get_required_for_output (GeglOperation       *operation,
                         const gchar         *pad,
                         const GeglRectangle *roi)
{
  GeglRectangle whole;

  bridge_whole (operation, roi, &whole);
  return whole;
}

static GeglRectangle
get_cached_region (GeglOperation *operation, const GeglRectangle *roi)
{
  GeglRectangle whole;

  bridge_whole (operation, roi, &whole);
  return whole;
}

void
bridge_class_init (GeglOperationClass *operation_class)
{
  operation_class->prepare = bridge_prepare;
  operation_class->threaded = FALSE;
  operation_class->want_in_place = FALSE;
  operation_class->opencl_support = FALSE;
}

/* ---- Messages ----------------------------------------------------- */

/* Each text once: an operation may run for every move of a slider, and each
 * message is a window of its own in GIMP.  No log domain: GIMP shows
 * messages of none, and of its own. */
static void
say_once (const gchar *text)
{
  static GMutex      mutex;
  static GHashTable *said = NULL;
  gboolean           is_new = FALSE;

  g_mutex_lock (&mutex);
  if (! said)
    said = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  if (g_hash_table_size (said) < MAX_MESSAGES)
    is_new = g_hash_table_add (said, g_strdup (text));
  g_mutex_unlock (&mutex);

  if (is_new)
    g_message ("%s", text);
}

static gboolean
is_verbose (void)
{
  const gchar *value = g_getenv ("ISOLUX_VERBOSE");

  return value && *value;
}

/* "512x512 u8x1" */
static gchar *
describe_pixels (const BridgeCall *call)
{
  BridgeLayer  layer;
  const gchar *type;

  bridge_get_layer (call->operation, &layer);
  type = layer.surface;
  if (call->read)
    type = babl_get_name (babl_format_get_type (call->read, 0));

  return g_strdup_printf ("%dx%d %sx%d", call->extent.width,
                          call->extent.height,
                          ! strcmp (type, "float") ? "f32" : type,
                          layer.components);
}

static void
log_run (const BridgeCall   *call,
         const IsoluxReport *report,
         IsoluxDevice       *device,
         gint64              microseconds)
{
  IsoluxDeviceInfo info;
  gchar           *pixels = describe_pixels (call);
  gchar           *where;
  gboolean         on_cuda = report->backend == ISOLUX_BACKEND_CUDA;

  isolux_device_get_info (device, &info);
  if (on_cuda)
    where = g_strdup (info.cuda_name);
  else
    where = g_strdup_printf ("%d threads", info.threads);

  g_printerr ("isolux: %s %s on %s (%s): read %.1f ms, compute %.1f ms, "
              "write %.1f ms, total %.1f ms; %s; CUDA: %s\n",
              call->name, pixels, on_cuda ? "CUDA" : "CPU", where,
              report->upload_ms, report->compute_ms, report->download_ms,
              microseconds / 1000.0,
              report->unchanged ? "unchanged" : "changed",
              info.cuda_ready ? "ready" : info.cuda_reason);
  g_free (where);
  g_free (pixels);
}

void
bridge_copy (const BridgeCall *call, const gchar *reason)
{
  if (! call->input)
    return;

  gegl_buffer_copy (call->input, &call->roi, GEGL_ABYSS_NONE, call->output,
                    &call->roi);
  if (is_verbose ())
    {
      gchar *pixels = describe_pixels (call);

      g_printerr ("isolux: %s %s copied: %s\n", call->name, pixels, reason);
      g_free (pixels);
    }
}

/* ---- Rows --------------------------------------------------------- */

static gsize
pixel_size (const Babl *format)
{
  return (gsize) babl_format_get_bytes_per_pixel (format);
}

/* Room for some rows, or NULL; to be freed with g_free() */
static gpointer
rows_alloc (Rows *self, gint width, gint rows, const Babl *format)
{
  gpointer memory =
    g_try_malloc_n ((gsize) width * (gsize) rows, pixel_size (format));

  if (! memory)
    g_atomic_int_set (&self->starved, TRUE);
  return memory;
}

static void
get (Rows *self, const GeglRectangle *area, gpointer layer)
{
  gegl_buffer_get (self->call->input, area, 1.0, self->layer, layer,
                   GEGL_AUTO_ROWSTRIDE, GEGL_ABYSS_NONE);
}

/* Called from several threads, as is write_rows() */
static gboolean
read_rows (gint64   y,
           gint64   rows,
           gpointer data,
           gsize    stride,
           gpointer user_data)
{
  Rows                *self = user_data;
  const GeglRectangle *extent = &self->call->extent;
  GeglRectangle        area = { extent->x, extent->y + (gint) y, extent->width,
                                (gint) rows };
  const gsize components = (gsize) babl_format_get_n_components (self->layer);
  const gsize size = pixel_size (self->layer) * (gsize) area.width;
  guint8     *layer;
  gint        bottom = area.y + area.height;
  gint        i;

  if (! self->values)
    {
      gegl_buffer_get (self->call->input, &area, 1.0, self->read, data,
                       (gint) stride, GEGL_ABYSS_NONE);
      return TRUE;
    }

  layer =
    rows_alloc (self, area.width, MIN (area.height, SOME_ROWS), self->layer);
  if (! layer)
    return FALSE;

  for (; area.y < bottom; area.y += area.height)
    {
      area.height = MIN (bottom - area.y, SOME_ROWS);
      get (self, &area, layer);
      for (i = 0; i < area.height; i++)
        {
          self->values->widen (data, layer + (gsize) i * size,
                               components * (gsize) area.width);
          data = (guint8 *) data + stride;
        }
    }
  g_free (layer);
  return TRUE;
}

/* Puts a row of results into a row of the layer; alpha stays, and so do
 * pixels whose floats came out as they went in. */
static void
merge_row (guint8       *layer,  /* as it was */
           const guint8 *result, /* of the layer's type */
           gboolean      gray,   /* result has one color, the layer three */
           const gfloat *before, /* the layer's floats; NULL: none stays */
           const gfloat *after,
           gint          components,
           gsize         size, /* of a component */
           gint          pixels)
{
  const gsize layer_size = size * (gsize) components;
  const gsize result_size = gray ? layer_size - 2 * size : layer_size;
  const gsize colors = size * (components < 3 ? 1 : 3);
  const gsize floats = sizeof (gfloat) * (gsize) components;
  gint        i;

  for (i = 0; i < pixels; i++)
    {
      if (gray)
        {
          memcpy (layer, result, size);
          memcpy (layer + size, result, size);
          memcpy (layer + 2 * size, result, size);
        }
      else if (! before || memcmp (before, after, floats))
        {
          memcpy (layer, result, colors);
        }

      layer += layer_size;
      result += result_size;
      if (before)
        {
          before += components;
          after += components;
        }
    }
}

/* Writes an area by way of what the layer held */
static gboolean
merge_rows (Rows                *self,
            const GeglRectangle *whole,
            const guint8        *data,
            gsize                stride)
{
  const gint    components = babl_format_get_n_components (self->layer);
  const gint    n = components * whole->width;
  const gsize   size = pixel_size (self->layer);
  GeglRectangle area = *whole;
  gint          bottom = area.y + area.height;
  guint8       *layer, *result;
  gfloat       *before = NULL;
  gboolean      success;
  gint          i;

  layer =
    rows_alloc (self, area.width, MIN (area.height, SOME_ROWS), self->layer);
  result = rows_alloc (self, area.width, 1, self->layer);
  success = layer && result;
  if (self->values && self->call->keep)
    {
      before = rows_alloc (self, area.width, 1, self->read);
      success = success && before;
    }

  for (; success && area.y < bottom; area.y += area.height)
    {
      guint8 *row = layer;

      area.height = MIN (bottom - area.y, SOME_ROWS);
      get (self, &area, layer);
      for (i = 0; i < area.height; i++)
        {
          if (self->values)
            self->values->narrow (result, (const gfloat *) data, (gsize) n);
          else
            babl_process (self->encode, data, result, area.width);
          if (before)
            self->values->widen (before, row, (gsize) n);

          merge_row (row, result, self->gray != NULL, before,
                     (const gfloat *) data, components,
                     size / (gsize) components, area.width);
          row += size * (gsize) area.width;
          data += stride;
        }
      gegl_buffer_set (self->call->output, &area, 0, self->layer, layer,
                       GEGL_AUTO_ROWSTRIDE);
    }

  g_free (layer);
  g_free (result);
  g_free (before);
  return success;
}

static gboolean
write_rows (gint64   y,
            gint64   rows,
            gpointer data,
            gsize    stride,
            gpointer user_data)
{
  Rows                *self = user_data;
  const GeglRectangle *extent = &self->call->extent;
  GeglRectangle        area = { extent->x, extent->y + (gint) y, extent->width,
                                (gint) rows };
  const guint8        *first = data;
  gint                 top = area.y;

  if (! gegl_rectangle_intersect (&area, &area, &self->call->roi))
    return TRUE;

  first += (gsize) (area.y - top) * stride;
  first += (gsize) (area.x - extent->x) * pixel_size (self->write);

  if (self->values || self->gray)
    return merge_rows (self, &area, first, stride);

  gegl_buffer_set (self->call->output, &area, 0, self->write, first,
                   (gint) stride);
  return TRUE;
}

/* ---- The run ------------------------------------------------------ */

static void
describe_image (const BridgeCall *call, const Babl *format, IsoluxImage *image)
{
  const gchar *type = babl_get_name (babl_format_get_type (format, 0));

  image->width = call->extent.width;
  image->height = call->extent.height;
  image->components = babl_format_get_n_components (format);
  image->bits = 0;
  if (! strcmp (type, "u8"))
    image->type = ISOLUX_TYPE_U8;
  else if (! strcmp (type, "u16"))
    image->type = ISOLUX_TYPE_U16;
  else
    image->type = ISOLUX_TYPE_F32;
}

/* Cuts the call down to the selection's bounding box; FALSE: nothing is left.
 * What GIMP hands over is that box or the whole layer, depending on the
 * filter's place. */
static gboolean
crop (BridgeCall *call, const IsoluxRectangle *region)
{
  GeglRectangle box = { 0, 0, (gint) region->width, (gint) region->height };
  GeglRectangle asked = call->roi;
  gboolean      any;

  any = gegl_rectangle_intersect (&call->extent, &call->extent, &box) &&
        gegl_rectangle_intersect (&call->roi, &call->roi, &call->extent);
  if (! any || ! gegl_rectangle_equal (&asked, &call->roi))
    gegl_buffer_copy (call->input, &asked, GEGL_ABYSS_NONE, call->output,
                      &asked);
  return any;
}

static gboolean
run (BridgeCall   *call,
     IsoluxDevice *device,
     IsoluxReport *report,
     GError      **error)
{
  IsoluxProcess   process = { 0 };
  IsoluxRectangle region;
  Rows            rows = { call };
  BridgeLayer     layer;
  const Babl     *own;
  gint            components;
  guint8         *mask = NULL;
  GError         *broken = NULL;
  gboolean        success;
  gint            threads = 0;

  bridge_get_layer (call->operation, &layer);
  own = bridge_format (layer.encoding, layer.components, layer.surface,
                       layer.space);
  rows.layer = layer.format;
  rows.read = call->read ? call->read : own;
  rows.write = call->write ? call->write : own;
  if (rows.read == own && rows.write == own)
    rows.values = values_find (layer.type);
  components = babl_format_get_n_components (rows.write);
  if (components != layer.components)
    {
      rows.gray =
        bridge_format (layer.encoding, components, layer.type, layer.space);
      rows.encode = babl_fish (rows.write, rows.gray);
    }

  if ((gint64) call->extent.width *
        babl_format_get_bytes_per_pixel (rows.read) >
      G_MAXINT / 2)
    {
      g_set_error_literal (error, ISOLUX_ERROR, ISOLUX_ERROR_ARGUMENT,
                           _("The image is too wide."));
      return FALSE;
    }

  if (isolux_selection_from_string (call->selection, &region, &mask, &broken))
    {
      if (call->crop && ! crop (call, &region))
        {
          report->unchanged = TRUE;
          g_free (mask);
          return TRUE;
        }
      region.x = -(gint64) call->extent.x;
      region.y = -(gint64) call->extent.y;
      process.region = &region;
      process.mask = mask;
      process.mask_stride = (gsize) region.width;
    }
  else if (g_error_matches (broken, ISOLUX_ERROR, ISOLUX_ERROR_MEMORY))
    {
      g_propagate_error (error, broken);
      return FALSE;
    }
  else if (broken)
    {
      gchar *text;

      text = g_strdup_printf (_("%s: the selection stored with the filter "
                                "cannot be read, so all pixels count. %s"),
                              call->title, broken->message);
      say_once (text);
      g_free (text);
      g_error_free (broken);
    }

  describe_image (call, rows.read, &process.source);
  describe_image (call, rows.write, &process.destination);
  process.read = read_rows;
  process.write = write_rows;
  process.rows_data = &rows;
  process.operation = call->func;
  process.operation_data = call->data;

  g_object_get (gegl_config (), "threads", &threads, NULL);
  isolux_device_set_threads (device, threads);

  success = isolux_process (device, &process, report, error);
  if (! success && rows.starved)
    {
      g_clear_error (error);
      g_set_error_literal (error, ISOLUX_ERROR, ISOLUX_ERROR_MEMORY,
                           _("There is not enough memory."));
    }
  g_free (mask);
  return success;
}

void
bridge_run (const BridgeCall *call)
{
  IsoluxDevice *device;
  IsoluxReport  report = { 0 };
  BridgeCall    own = *call;
  GError       *error = NULL;
  gint64        start = g_get_monotonic_time ();
  gchar        *text = NULL;

  if (! call->input || call->roi.width < 1 || call->roi.height < 1)
    return;

  device = isolux_device_get_default ();
  if (run (&own, device, &report, &error))
    {
      if (is_verbose ())
        log_run (&own, &report, device, g_get_monotonic_time () - start);
      if (report.warning[0])
        text = g_strdup_printf ("%s: %s", call->title, report.warning);
    }
  else
    {
      bridge_copy (call, error->message);
      text = g_strdup_printf (_("%s could not be applied, the image is as it "
                                "was. %s"),
                              call->title, error->message);
      g_clear_error (&error);
    }

  if (text)
    say_once (text);
  g_free (text);
}

void
bridge_call_init (BridgeCall          *call,
                  GeglOperation       *operation,
                  GeglBuffer          *input,
                  GeglBuffer          *output,
                  const GeglRectangle *roi)
{
  const gchar *name = gegl_operation_get_name (operation);

  memset (call, 0, sizeof *call);
  call->name = strchr (name, ':') + 1;
  call->title = gegl_operation_get_key (name, "title");
  call->operation = operation;
  call->input = input;
  call->output = output;
  call->extent = *roi;
  call->roi = *roi;
}

/* What an operation on the whole input does */
typedef struct
{
  IsoluxOperation operation;
  gboolean        leave_out; /* pixels of this value, which are padding */
  gdouble         padding;
  gdouble         tolerance;
} Settings;

static gboolean
run_settings (IsoluxSurface *source,
              IsoluxSurface *destination,
              gpointer       settings_,
              IsoluxReport  *report,
              GError       **error)
{
  const Settings *settings = settings_;

  if (settings->leave_out &&
      ! isolux_surface_leave_out (source, settings->padding,
                                  settings->tolerance, error))
    return FALSE;
  return isolux_operation_run (&settings->operation, source, destination,
                               report, error);
}

/* What a change of precision has cost */
static void
say_error (const BridgeCall       *call,
           const IsoluxRealValues *values,
           const gchar            *precision)
{
  gchar *words = isolux_real_values_describe_error (values, precision);
  gchar *message;

  if (! words)
    return;
  message = g_strdup_printf ("%s: %s", call->title, words);
  say_once (message);
  g_free (message);
  g_free (words);
}

/* What the codes of the surface stand for; FALSE: for nothing but codes */
static gboolean
read_values (const BridgeCall *call, IsoluxRealValues *values)
{
  const Babl *format =
    gegl_operation_get_source_format (call->operation, "input");
  BridgeLayer layer;
  gchar       precision[20];
  gchar      *text = get_text (call->operation, "values");
  gboolean    good;

  good = isolux_real_values_parse (text, values);
  if (! good)
    {
      gchar *message;

      message = g_strdup_printf (_("%s: what is stored with the filter about "
                                   "the image's units cannot be read, so all "
                                   "numbers are taken for codes."),
                                 call->title);
      say_once (message);
      g_free (message);
    }
  good = good && text && *text;
  g_free (text);

  /* of the pixels themselves; over another filter they are floats */
  if (format)
    take_apart (format, &layer);
  else
    bridge_get_layer (call->operation, &layer);
  name_precision (&layer, precision);
  say_error (call, values, precision);
  isolux_real_values_fit (values, precision);
  return good;
}

static void
read_settings (const BridgeCall *call, Settings *settings)
{
  const gchar        *name = gegl_operation_get_name (call->operation);
  IsoluxClaheOptions *clahe = &settings->operation.options.clahe;
  IsoluxRealValues    values;
  BridgeLayer         layer;
  gdouble             weights[3];
  gboolean            real;

  bridge_get_layer (call->operation, &layer);
  bridge_get_weights (layer.space, weights);
  real = read_values (call, &values);
  settings->tolerance = values.tolerance;
  isolux_settings_read (&settings->operation, name, G_OBJECT (call->operation),
                        weights, real ? &values : NULL);
  settings->leave_out =
    real && isolux_settings_leave_out (name, &values, &settings->padding);

  /* codes that went through floating point are not quite what they were,
   * and the option looks for equal ones */
  if (settings->operation.kind == ISOLUX_OPERATION_CLAHE &&
      clahe->use_padding_value && settings->tolerance > 0.0)
    {
      settings->leave_out = TRUE;
      settings->padding = clahe->padding_value;
      clahe->use_padding_value = FALSE;
    }
}

/* The process() of operations on the whole input.  An infinite plane is
 * copied. */
static gboolean
process (GeglOperation       *operation,
         GeglBuffer          *input,
         GeglBuffer          *output,
         const GeglRectangle *roi,
         gint                 level)
{
  Settings   settings;
  BridgeCall call;
  gchar     *selection = get_text (operation, "roi");

  bridge_call_init (&call, operation, input, output, roi);
  read_settings (&call, &settings);
  call.keep = TRUE;
  call.crop = isolux_operation_is_cropped (&settings.operation);
  call.selection = selection;
  call.func = run_settings;
  call.data = &settings;
  if (bridge_whole (operation, roi, &call.extent))
    bridge_run (&call);
  else
    bridge_copy (&call, "an infinite plane");

  g_free (selection);
  return TRUE;
}

void
bridge_class_init_whole (GeglOperationClass *operation_class)
{
  GeglOperationFilterClass *filter_class =
    GEGL_OPERATION_FILTER_CLASS (operation_class);

  bridge_class_init (operation_class);
  operation_class->get_required_for_output = get_required_for_output;
  operation_class->get_cached_region = get_cached_region;
  /* what changes anywhere in the input changes all of the output */
  operation_class->get_invalidated_by_change = get_required_for_output;
  filter_class->process = process;
}
