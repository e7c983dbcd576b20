/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "dicom.h"

#include <math.h>
#include <string.h>

#include <glib/gi18n-lib.h>

#include "frames.h"

G_DEFINE_QUARK (isolux - dicom - error - quark, dicom_error)

/* Of a record's lines */
#define LINES_MAX 64
#define LINE_SIZE 512
/* Of pixels, of a tag */
#define SIDE_MAX 65535
#define FRAME_SIZE_MAX (G_GUINT64_CONSTANT (2) << 30)
#define TAG_SIZE_MAX (64 << 10)

#define BUFFER_SIZE 4096

struct _DicomStream
{
  DicomRead read;
  gpointer  data;

  guint8 buffer[BUFFER_SIZE];
  gsize  at;
  gsize  filled;

  gint  n_lines;
  gchar lines[LINES_MAX][LINE_SIZE];
  /* where the value begins in each */
  gchar *values[LINES_MAX];

  gboolean    has_header;
  gboolean    is_over;
  guint       n_frames;
  guint8     *bytes;
  gsize       capacity;
  DicomRecord record;
};

static const gchar *const pixel_names[] = {
  "u8", "s8", "u16", "s16", "u32", "s32", "f32", "f64", "rgb8", "rgb16"
};

static const gsize pixel_sizes[] = { 1, 1, 2, 2, 4, 4, 4, 8, 3, 6 };

gsize
dicom_pixel_size (DicomPixel pixel)
{
  return pixel_sizes[pixel];
}

DicomStream *
dicom_stream_new (DicomRead read, gpointer data)
{
  DicomStream *stream = g_new0 (DicomStream, 1);

  stream->read = read;
  stream->data = data;
  return stream;
}

void
dicom_stream_free (DicomStream *stream)
{
  if (stream == NULL)
    return;
  g_free (stream->bytes);
  g_free (stream);
}

static gboolean
fail (GError **error, DicomError code)
{
  g_set_error_literal (error, DICOM_ERROR, (gint) code,
                       code == DICOM_ERROR_ENDED
                         ? _("The DICOM reader stopped in the middle.")
                       : code == DICOM_ERROR_MEMORY
                         ? _("There is not enough memory for this file.")
                         : _("What the DICOM reader says makes no sense."));
  return FALSE;
}

/* --- Bytes and lines ------------------------------------------------------ */

static gboolean
read_bytes (DicomStream *stream, guint8 *to, gsize n, GError **error)
{
  gsize kept = MIN (n, stream->filled - stream->at);

  memcpy (to, stream->buffer + stream->at, kept);
  stream->at += kept;
  to += kept;
  n -= kept;
  while (n > 0)
    {
      gsize got = stream->read (to, n, stream->data);

      if (got == 0 || got > n)
        return fail (error, DICOM_ERROR_ENDED);
      to += got;
      n -= got;
    }
  return TRUE;
}

static gboolean
read_line (DicomStream *stream, gchar *line, GError **error)
{
  gsize n = 0;

  for (;;)
    {
      guint8 c;

      if (stream->at == stream->filled)
        {
          gsize got = stream->read (stream->buffer, BUFFER_SIZE, stream->data);

          if (got == 0 || got > BUFFER_SIZE)
            return fail (error, DICOM_ERROR_ENDED);
          stream->filled = got;
          stream->at = 0;
        }
      c = stream->buffer[stream->at++];
      if (c == '\n')
        break;
      if (c == '\0' || n + 1 == LINE_SIZE)
        return fail (error, DICOM_ERROR_STREAM);
      line[n++] = (gchar) c;
    }
  line[n] = '\0';
  return TRUE;
}

/* The lines of a record, cut at their "=" */
static gboolean
read_lines (DicomStream *stream, GError **error)
{
  for (stream->n_lines = 0;; stream->n_lines++)
    {
      gchar  last[LINE_SIZE];
      gchar *line = stream->n_lines < LINES_MAX ? stream->lines[stream->n_lines]
                                                : last;
      gchar *equals;

      if (! read_line (stream, line, error))
        return FALSE;
      if (line[0] == '\0')
        break;
      equals = strchr (line, '=');
      if (equals == NULL || stream->n_lines == LINES_MAX)
        return fail (error, DICOM_ERROR_STREAM);
      *equals = '\0';
      stream->values[stream->n_lines] = equals + 1;
    }
  return stream->n_lines > 0 || fail (error, DICOM_ERROR_STREAM);
}

/* --- Values --------------------------------------------------------------- */

static const gchar *
value_of (const DicomStream *stream, const gchar *key)
{
  for (gint i = 0; i < stream->n_lines; i++)
    if (! strcmp (stream->lines[i], key))
      return stream->values[i];
  return NULL;
}

/* Reads a number; FALSE when it is none or out of range.  A key that is not
 * there leaves *number as it is. */
static gboolean
get_integer (const DicomStream *stream,
             const gchar       *key,
             gint64             least,
             gint64             largest,
             gint64            *number)
{
  const gchar *value = value_of (stream, key);
  gint64       n;

  if (value == NULL)
    return TRUE;
  if (! g_ascii_string_to_signed (value, 10, least, largest, &n, NULL))
    return FALSE;
  *number = n;
  return TRUE;
}

static gboolean
read_double (const gchar **text, gdouble *number)
{
  gchar  *end;
  gdouble n = g_ascii_strtod (*text, &end);

  if (end == *text || ! isfinite (n))
    return FALSE;
  *text = end;
  *number = n;
  return TRUE;
}

static gboolean
get_double (const DicomStream *stream, const gchar *key, gdouble *number)
{
  const gchar *value = value_of (stream, key);

  return value == NULL || (read_double (&value, number) && *value == '\0');
}

static gboolean
read_pair (const gchar *text, gdouble pair[2])
{
  return read_double (&text, &pair[0]) && *text++ == ' ' &&
         read_double (&text, &pair[1]) && *text == '\0' && pair[1] > 0.0;
}

static gboolean
get_windows (const DicomStream *stream, DicomWindows *windows)
{
  windows->n = 0;
  for (gint i = 0; i < stream->n_lines; i++)
    if (! strcmp (stream->lines[i], "window"))
      {
        if (windows->n == DICOM_WINDOWS_MAX ||
            ! read_pair (stream->values[i], windows->pairs[windows->n]))
          return FALSE;
        windows->n++;
      }
  return TRUE;
}

static gboolean
get_text (const DicomStream *stream, const gchar *key, gchar *text, gsize size)
{
  const gchar *value = value_of (stream, key);

  text[0] = '\0';
  if (value == NULL)
    return TRUE;
  return g_utf8_validate (value, -1, NULL) &&
         g_strlcpy (text, value, size) < size;
}

static gboolean
get_flag (const DicomStream *stream, const gchar *key)
{
  return g_strcmp0 (value_of (stream, key), "1") == 0;
}

/* --- Records -------------------------------------------------------------- */

static gboolean
read_header (DicomStream *stream, DicomHeader *header)
{
  const gchar *name = value_of (stream, "pixel");
  gint64       columns = 0, rows = 0, frames = 0, chosen = 0, bits = 0;
  gint64       overlays = 0;
  gboolean     found = FALSE;

  if (stream->has_header || ! get_flag (stream, "isolux-dicom"))
    return FALSE;
  memset (header, 0, sizeof *header);
  for (guint i = 0; i < G_N_ELEMENTS (pixel_names); i++)
    if (! g_strcmp0 (name, pixel_names[i]))
      {
        header->pixel = (DicomPixel) i;
        found = TRUE;
      }
  if (! found || ! get_integer (stream, "columns", 1, SIDE_MAX, &columns) ||
      ! get_integer (stream, "rows", 1, SIDE_MAX, &rows) ||
      ! get_integer (stream, "frames", 1, FRAMES_MAX, &frames) || frames == 0 ||
      ! get_integer (stream, "chosen", 1, frames, &chosen) ||
      ! get_integer (stream, "bits", 0, 32, &bits) ||
      ! get_integer (stream, "overlays", 0, 16, &overlays) || columns == 0 ||
      rows == 0 || frames == 0 || chosen == 0 ||
      (guint64) (columns * rows) * dicom_pixel_size (header->pixel) >
        FRAME_SIZE_MAX)
    return FALSE;
  if (! get_integer (stream, "low", G_MININT32, G_MAXUINT32, &header->low) ||
      ! get_integer (stream, "high", header->low, G_MAXUINT32, &header->high) ||
      ! get_double (stream, "padding", &header->padding) ||
      ! get_double (stream, "padding-limit", &header->padding_limit) ||
      ! get_text (stream, "modality", header->modality,
                  sizeof header->modality) ||
      ! get_text (stream, "body-part", header->body_part,
                  sizeof header->body_part) ||
      ! get_text (stream, "lossy", header->lossy, sizeof header->lossy) ||
      ! get_windows (stream, &header->windows))
    return FALSE;

  header->columns = (gint) columns;
  header->rows = (gint) rows;
  header->frames = (guint) frames;
  header->chosen = (guint) chosen;
  header->bits = (gint) bits;
  header->overlays = (guint) overlays;
  header->inverted = get_flag (stream, "inverted");
  header->burned_in = get_flag (stream, "burned-in");
  header->converted = value_of (stream, "converted") != NULL;
  header->has_range = value_of (stream, "low") && value_of (stream, "high");
  header->has_padding = value_of (stream, "padding") != NULL;
  header->has_padding_limit = value_of (stream, "padding-limit") != NULL;
  stream->has_header = TRUE;
  return TRUE;
}

static gboolean
read_frame (DicomStream *stream, DicomFrame *frame)
{
  const gchar *function = value_of (stream, "function");
  const gchar *spacing = value_of (stream, "spacing");
  gint64       number = 0;

  memset (frame, 0, sizeof *frame);
  frame->slope = 1.0;
  if (! get_integer (stream, "frame", 1, stream->record.header.frames,
                     &number) ||
      ! get_double (stream, "slope", &frame->slope) ||
      ! get_double (stream, "intercept", &frame->intercept) ||
      ! get_text (stream, "unit", frame->unit, sizeof frame->unit) ||
      ! get_windows (stream, &frame->windows) || frame->slope == 0.0 ||
      stream->n_frames == stream->record.header.chosen)
    return FALSE;
  if (spacing &&
      (! read_pair (spacing, frame->spacing) || frame->spacing[0] <= 0.0))
    return FALSE;
  if (! g_strcmp0 (function, "SIGMOID"))
    frame->function = DICOM_FUNCTION_SIGMOID;
  else if (! g_strcmp0 (function, "TABLE"))
    frame->function = DICOM_FUNCTION_TABLE;
  frame->number = (guint) number;
  stream->n_frames++;
  return TRUE;
}

static gboolean
read_overlay (DicomStream *stream, DicomOverlay *overlay)
{
  gint64 number = 0, frame = 0, columns = 0, rows = 0, x = 0, y = 0;

  if (! get_integer (stream, "overlay", 1, 16, &number) ||
      ! get_integer (stream, "frame", 1, stream->record.header.frames,
                     &frame) ||
      ! get_integer (stream, "columns", 1, SIDE_MAX, &columns) ||
      ! get_integer (stream, "rows", 1, SIDE_MAX, &rows) ||
      ! get_integer (stream, "x", -SIDE_MAX, SIDE_MAX, &x) ||
      ! get_integer (stream, "y", -SIDE_MAX, SIDE_MAX, &y) || columns == 0 ||
      rows == 0)
    return FALSE;
  overlay->number = (guint) number;
  overlay->frame = (guint) frame;
  overlay->columns = (gint) columns;
  overlay->rows = (gint) rows;
  overlay->x = (gint) x;
  overlay->y = (gint) y;
  return (guint64) columns * (guint64) rows <= FRAME_SIZE_MAX;
}

/* GGGG-EEEE-VR */
static gboolean
read_tag (DicomStream *stream, gchar tag[16])
{
  const gchar *value = value_of (stream, "tag");

  if (value == NULL || strlen (value) != 12)
    return FALSE;
  for (gint i = 0; i < 12; i++)
    if (i == 4 || i == 9 ? value[i] != '-'
        : i < 9          ? ! g_ascii_isxdigit (value[i])
                         : ! g_ascii_isupper (value[i]))
      return FALSE;
  memcpy (tag, value, 13);
  return TRUE;
}

/* What is wrong with the file, in words */
static void
read_error (DicomStream *stream, GError **error)
{
  static const struct
  {
    const gchar *code;
    const gchar *words;
  } table[] = {
    { "cannot-open", N_("The file cannot be read.") },
    { "not-dicom", N_("This is no DICOM file.") },
    { "damaged", N_("The file is damaged: its parts do not fit together.") },
    { "cut-short", N_("The file is damaged: it ends before its picture "
                      "does.") },
    { "no-picture", N_("The file has no picture. It may hold a report, a "
                       "directory, or a curve.") },
    { "size", N_("The file is damaged: it does not say how large its picture "
                 "is.") },
    { "too-large", N_("The file says that its picture is larger than it can "
                      "be. It is damaged, or made to do harm.") },
    { "overlay", N_("An overlay of the file is damaged. Without overlays the "
                    "file may open.") },
    { "table", N_("A table of the file, which its values go through, is "
                  "damaged.") },
    { "memory", N_("There is not enough memory for this file.") },
  };
  const gchar *code = value_of (stream, "error");
  gchar        detail[65];

  if (! get_text (stream, "detail", detail, sizeof detail))
    detail[0] = '\0';
  if (! strcmp (code, "syntax"))
    g_set_error (error, DICOM_ERROR, DICOM_ERROR_FILE,
                 _("The picture is compressed in a way that cannot be read "
                   "here, as a video perhaps (transfer syntax \"%s\")."),
                 detail);
  else if (! strcmp (code, "photometric"))
    g_set_error (error, DICOM_ERROR, DICOM_ERROR_FILE,
                 _("Colors of the kind \"%s\" cannot be read."), detail);
  else if (! strcmp (code, "samples"))
    g_set_error (error, DICOM_ERROR, DICOM_ERROR_FILE,
                 _("Pictures of %s components cannot be read."), detail);
  else if (! strcmp (code, "bits"))
    g_set_error (error, DICOM_ERROR, DICOM_ERROR_FILE,
                 _("Pictures of %s bits of this kind cannot be read."),
                 detail);
  else if (! strcmp (code, "frames"))
    g_set_error (error, DICOM_ERROR, DICOM_ERROR_FILE,
                 _("There are not all of the frames that are asked for: the "
                   "file has frames 1 to %s."),
                 detail);
  else if (! strcmp (code, "decode"))
    g_set_error (error, DICOM_ERROR, DICOM_ERROR_FILE,
                 _("Frame %s is damaged: it cannot be decompressed. Other "
                   "frames, if there are any, may open alone."),
                 detail);
  else
    {
      for (guint i = 0; i < G_N_ELEMENTS (table); i++)
        if (! strcmp (code, table[i].code))
          {
            g_set_error_literal (error, DICOM_ERROR, DICOM_ERROR_FILE,
                                 _ (table[i].words));
            return;
          }
      fail (error, DICOM_ERROR_STREAM);
    }
}

/* Reads the bytes of a record, which shall be n */
static gboolean
read_payload (DicomStream *stream, guint64 n, GError **error)
{
  gint64 told = 0;

  if (! get_integer (stream, "bytes", 0, G_MAXINT64, &told) ||
      (guint64) told != n)
    return fail (error, DICOM_ERROR_STREAM);
  if (n == 0)
    return TRUE;
  if (n > stream->capacity)
    {
      g_clear_pointer (&stream->bytes, g_free);
      stream->capacity = 0;
      stream->bytes = g_try_malloc (n);
      if (stream->bytes == NULL)
        return fail (error, DICOM_ERROR_MEMORY);
      stream->capacity = n;
    }
  stream->record.bytes = stream->bytes;
  stream->record.n_bytes = n;
  return read_bytes (stream, stream->bytes, n, error);
}

static gboolean
read_record (DicomStream *stream, GError **error)
{
  DicomRecord *record = &stream->record;
  const gchar *kind;
  gint64       n = 0;
  gboolean     good = FALSE;

  record->bytes = NULL;
  record->n_bytes = 0;
  if (! read_lines (stream, error))
    return FALSE;
  kind = stream->lines[0];

  if (! strcmp (kind, "error"))
    {
      read_error (stream, error);
      return FALSE;
    }
  if (! strcmp (kind, "progress"))
    {
      record->kind = DICOM_RECORD_PROGRESS;
      good = get_double (stream, "progress", &record->progress) &&
             record->progress >= 0.0 && record->progress <= 1.0;
    }
  else if (! strcmp (kind, "isolux-dicom"))
    {
      record->kind = DICOM_RECORD_HEADER;
      good = read_header (stream, &record->header);
    }
  else if (! stream->has_header)
    return fail (error, DICOM_ERROR_STREAM);
  else if (! strcmp (kind, "end"))
    {
      record->kind = DICOM_RECORD_END;
      stream->is_over = TRUE;
      good = TRUE;
    }
  else if (! strcmp (kind, "frame"))
    {
      const DicomHeader *header = &record->header;

      record->kind = DICOM_RECORD_FRAME;
      n = (gint64) header->columns * header->rows *
          (gint64) dicom_pixel_size (header->pixel);
      good = read_frame (stream, &record->frame);
    }
  else if (! strcmp (kind, "overlay"))
    {
      record->kind = DICOM_RECORD_OVERLAY;
      good = read_overlay (stream, &record->overlay);
      n = (gint64) record->overlay.columns * record->overlay.rows;
    }
  else if (! strcmp (kind, "tag"))
    {
      record->kind = DICOM_RECORD_TAG;
      good = read_tag (stream, record->tag) &&
             get_integer (stream, "bytes", 0, TAG_SIZE_MAX, &n);
    }
  if (! good)
    return fail (error, DICOM_ERROR_STREAM);
  return read_payload (stream, (guint64) n, error);
}

const DicomRecord *
dicom_stream_next (DicomStream *stream, GError **error)
{
  if (stream->is_over)
    {
      fail (error, DICOM_ERROR_ENDED);
      return NULL;
    }
  if (! read_record (stream, error))
    {
      stream->is_over = TRUE;
      return NULL;
    }
  return &stream->record;
}
