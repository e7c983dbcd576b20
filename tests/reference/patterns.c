/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "patterns.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* ---- Values --------------------------------------------------------- */

static gint
colors_of (const RefImage *image)
{
  return image->image.components < 3 ? 1 : 3;
}

static gdouble
range_of (const RefImage *image)
{
  return image->image.type == ISOLUX_TYPE_U8    ? 255.0
         : image->image.type == ISOLUX_TYPE_U16 ? 65535.0
                                                : 1.0;
}

gdouble
ref_gray (const RefImage *image, gint64 x, gint64 y, const gdouble weights[3])
{
  gdouble  v[3], sum = 0.0;
  gboolean infinite = FALSE;
  gint     whole[3], c;

  for (c = 0; c < colors_of (image); c++)
    v[c] = ref_get (image, x, y, c);
  if (c == 1)
    return v[0];
  if (image->image.type != ISOLUX_TYPE_F32)
    {
      ref_weights (weights, whole);
      for (c = 0; c < 3; c++)
        sum += whole[c] * v[c];
      return floor ((sum + 16384.0) / 32768.0);
    }
  for (c = 0; c < 3; c++)
    {
      if (isnan (v[c]))
        return NAN;
      infinite |= isinf (v[c]);
      v[c] = CLAMP (v[c], -(gdouble) FLT_MAX, (gdouble) FLT_MAX);
    }
  sum = (weights[0] * v[0] + weights[1] * v[1]) + weights[2] * v[2];
  return infinite ? (sum > 0.0 ? INFINITY : -INFINITY) : sum;
}

gboolean
ref_gray_counts (const RefImage *image, gint64 x, gint64 y)
{
  gint c;

  for (c = 0; c < colors_of (image); c++)
    if (isnan (ref_get (image, x, y, c)))
      return FALSE;
  return ref_in_region (image, x, y) && ref_has_alpha (image, x, y);
}

static void
put (const RefImage *image, gint64 x, gint64 y, gint component, gdouble v)
{
  const gsize size = ref_size (image->image.type);
  guint8     *p = image->data + (gsize) y * image->stride +
              (gsize) (x * image->image.components + component) * size;
  const guint16 u16 = size == 2 ? (guint16) v : 0;
  gfloat        f32 = (gfloat) v;
  guint32       nan = 0x7fc00000;

  if (size == 1)
    *p = (guint8) v;
  else if (size == 2)
    memcpy (p, &u16, 2);
  else
    memcpy (p, isnan (v) ? (gpointer) &nan : (gpointer) &f32, 4);
}

/* A pixel of a picture: v where it counts. */
static void
draw (const RefImage *source,
      const RefImage *destination,
      gint64          x,
      gint64          y,
      gdouble         v,
      const gdouble   weights[3])
{
  const gint     colors = colors_of (destination);
  const gboolean counts = ref_gray_counts (source, x, y);
  gint           c;

  if (! counts)
    v = ref_gray (source, x, y, weights);
  for (c = 0; c < colors; c++)
    if (! counts && colors == colors_of (source))
      {
        const gsize size = ref_size (source->image.type);

        memcpy (destination->data + (gsize) y * destination->stride +
                  (gsize) (x * destination->image.components + c) * size,
                source->data + (gsize) y * source->stride +
                  (gsize) (x * source->image.components + c) * size,
                size);
      }
    else if (! counts && colors_of (source) == 1)
      {
        const gsize size = ref_size (source->image.type);

        memcpy (destination->data + (gsize) y * destination->stride +
                  (gsize) (x * destination->image.components + c) * size,
                source->data + (gsize) y * source->stride +
                  (gsize) (x * source->image.components) * size,
                size);
      }
    else
      put (destination, x, y, c, v);
  if (destination->image.components % 2 == 0)
    {
      if (source->image.components % 2)
        put (destination, x, y, colors, range_of (source));
      else
        {
          const gsize size = ref_size (source->image.type);

          memcpy (destination->data + (gsize) y * destination->stride +
                    (gsize) (x * destination->image.components + colors) * size,
                  source->data + (gsize) y * source->stride +
                    (gsize) ((x + 1) * source->image.components - 1) * size,
                  size);
        }
    }
}

/* v of most becomes one of the type's range. */
static gdouble
scale (const RefImage *image, gdouble v, gdouble most)
{
  const gdouble range = range_of (image);
  gdouble       scaled;

  if (! (v > 0.0) || ! (most > 0.0))
    return 0.0;
  scaled = most == range ? v : v * range / most;
  scaled = MIN (scaled, range);
  return image->image.type == ISOLUX_TYPE_F32 ? scaled : rint (scaled);
}

/* ---- Local binary patterns ---------------------------------------------- */

static gdouble
tap (const RefImage *image, gint64 x, gint64 y, const gdouble weights[3])
{
  if (x < 0 || y < 0 || x >= image->image.width || y >= image->image.height)
    return 0.0;
  return ref_gray (image, x, y, weights);
}

static gdouble
sample (const RefImage         *image,
        gint64                  x,
        gint64                  y,
        gint                    i,
        const IsoluxLbpOptions *options)
{
  const gdouble radius = options->radius;
  const gdouble angle = 2.0 * G_PI * i / options->points;
  const gdouble down = rint (-radius * sin (angle) * 1e5) / 1e5;
  const gdouble right = rint (radius * cos (angle) * 1e5) / 1e5;
  const gdouble row = (gdouble) y + down, column = (gdouble) x + right;
  const gint64  y0 = (gint64) floor (row), y1 = (gint64) ceil (row);
  const gint64  x0 = (gint64) floor (column), x1 = (gint64) ceil (column);
  const gdouble dr = row - (gdouble) y0, dc = column - (gdouble) x0;
  const gdouble a = tap (image, x0, y0, options->weights);
  const gdouble b = tap (image, x1, y0, options->weights);
  const gdouble c = tap (image, x0, y1, options->weights);
  const gdouble d = tap (image, x1, y1, options->weights);
  gdouble       top, bottom;

  if (image->image.type == ISOLUX_TYPE_F32 && a == b && a == c && a == d)
    return a;
  top = (1 - dc) * a + dc * b;
  bottom = (1 - dc) * c + dc * d;
  return (1 - dr) * top + dr * bottom;
}

guint32
ref_lbp_codes (const IsoluxLbpOptions *options)
{
  const guint32 p = (guint32) options->points;

  return options->method == ISOLUX_LBP_UNIFORM       ? p + 2
         : options->method == ISOLUX_LBP_NRI_UNIFORM ? p * (p - 1) + 3
                                                     : 1u << p;
}

guint32
ref_lbp (const RefImage         *image,
         gint64                  x,
         gint64                  y,
         const IsoluxLbpOptions *options,
         gdouble                *variance)
{
  const gint    p = options->points;
  const gdouble center = ref_gray (image, x, y, options->weights);
  gdouble       sum = 0.0, squares = 0.0;
  gint          bits[32], changes = 0, ones = 0, first_one = -1, i, k;
  gint          first_zero = -1;
  guint32       code = 0, least = G_MAXUINT32;

  for (i = 0; i < p; i++)
    {
      const gdouble t = sample (image, x, y, i, options);

      sum += t;
      squares += t * t;
      bits[i] = t >= center;
      code |= (guint32) bits[i] << i;
      ones += bits[i];
      changes += i > 0 && bits[i] != bits[i - 1];
      if (bits[i] && first_one < 0)
        first_one = i;
      if (! bits[i] && first_zero < 0)
        first_zero = i;
    }
  if (variance)
    *variance = (squares - sum * sum / p) / p;
  switch (options->method)
    {
      case ISOLUX_LBP_ROR:
        for (k = 0; k < p; k++)
          {
            guint32 turned = 0;

            for (i = 0; i < p; i++)
              turned |= (guint32) bits[(i + k) % p] << i;
            least = MIN (least, turned);
          }
        return least;
      case ISOLUX_LBP_UNIFORM:
        return (guint32) (changes <= 2 ? ones : p + 1);
      case ISOLUX_LBP_NRI_UNIFORM:
        if (changes > 2)
          return (guint32) (p * (p - 1) + 2);
        if (ones == 0)
          return 0;
        if (ones == p)
          return (guint32) (p * (p - 1) + 1);
        return (guint32) (1 + (ones - 1) * p +
                          (bits[0] ? ones - first_zero : p - first_one));
      default:
        return code;
    }
}

void
ref_lbp_picture (const RefImage         *source,
                 const RefImage         *destination,
                 const IsoluxLbpOptions *options)
{
  const gboolean var = options->method == ISOLUX_LBP_VAR;
  gdouble        most = var ? range_of (source) / 2.0
                            : (gdouble) ref_lbp_codes (options) - 1.0;
  gdouble        largest = 255.0;
  gint64         x, y;

  if (var && source->image.type == ISOLUX_TYPE_U16)
    {
      for (y = 0; y < source->image.height; y++)
        for (x = 0; x < source->image.width; x++)
          if (ref_gray_counts (source, x, y))
            largest = MAX (largest, ref_gray (source, x, y, options->weights));
      for (most = 255.0; most < largest; most = 2.0 * most + 1.0)
        ;
      if (source->image.bits)
        most = (1 << source->image.bits) - 1;
      most /= 2.0;
    }
  for (y = 0; y < source->image.height; y++)
    for (x = 0; x < source->image.width; x++)
      {
        gdouble v = 0.0, variance;

        if (ref_gray_counts (source, x, y))
          {
            v = ref_lbp (source, x, y, options, &variance);
            if (var && options->raw)
              v = variance == 0.0 ? NAN : variance;
            else if (var)
              v = variance > 0.0 ? sqrt (variance) : 0.0;
          }
        if (options->raw)
          put (destination, x, y, 0, v);
        else
          draw (source, destination, x, y, scale (source, v, most),
                options->weights);
      }
}

/* ---- Gradients ---------------------------------------------------------- */

static gdouble
hog_value (const RefImage         *image,
           gint64                  x,
           gint64                  y,
           const IsoluxHogOptions *options)
{
  const gdouble v = ref_gray (image, x, y, options->weights);

  return options->square_root ? sqrt (v) : v;
}

/* To the nearest number of 11 bits that a half can be. */
static gdouble
to_half (gdouble v)
{
  gint exponent;

  if (v <= 0.0)
    return 0.0;
  if (v > 65504.0)
    return 65504.0;
  frexp (v, &exponent);
  exponent = MAX (exponent - 11, -24);
  return MIN (ldexp (rint (ldexp (v, -exponent)), exponent), 65504.0);
}

static void
gradient (const RefImage         *image,
          gint64                  x,
          gint64                  y,
          const IsoluxHogOptions *options,
          gdouble                *magnitude,
          gdouble                *right,
          gdouble                *down)
{
#define V(i, j) hog_value (image, x + (i), y + (j), options)
  const gboolean in_x = x > 0 && x < image->image.width - 1;
  const gboolean in_y = y > 0 && y < image->image.height - 1;

  *magnitude = *right = *down = 0.0;
  if (! ref_gray_counts (image, x, y))
    return;
  if (options->gradient == ISOLUX_HOG_CENTRAL)
    {
      *right = in_x ? V (1, 0) - V (-1, 0) : 0.0;
      *down = in_y ? V (0, 1) - V (0, -1) : 0.0;
    }
  else if (in_x && in_y)
    {
      *right = 0.25 * (((V (1, -1) - V (-1, -1)) + (V (1, 1) - V (-1, 1))) +
                       2.0 * (V (1, 0) - V (-1, 0)));
      *down = 0.25 * (((V (-1, 1) - V (-1, -1)) + (V (1, 1) - V (1, -1))) +
                      2.0 * (V (0, 1) - V (0, -1)));
    }
#undef V
  *magnitude = sqrt (*right * *right + *down * *down);
  if (! isfinite (*magnitude))
    *magnitude = 0.0;
  if (options->half_gradients)
    {
      const gdouble factor = image->image.type == ISOLUX_TYPE_U8    ? 1.0
                             : image->image.type == ISOLUX_TYPE_U16 ? 0.5
                                                                    : 16.0;

      *magnitude = to_half (*magnitude * factor) / factor;
    }
}

/* By the angle; what rounding puts beyond the last bin is in it. */
static gint
bin_of (gdouble right, gdouble down, const IsoluxHogOptions *options)
{
  const gdouble range = options->is_signed ? 360.0 : 180.0;
  const gdouble each = range / options->orientations;
  gdouble       angle = atan2 (down, right) * (180.0 / G_PI);
  gint          bin = 0;

  angle = fmod (angle, range);
  if (angle < 0.0)
    angle += range;
  while (bin < options->orientations - 1 && angle >= each * (bin + 1))
    bin++;
  return bin;
}

gfloat *
ref_hog_cells (const RefImage         *image,
               const IsoluxHogOptions *options,
               gint64                 *rows,
               gint64                 *columns)
{
  const gint64 side = options->cell_size, n = options->orientations;
  gfloat      *cells;
  gint64       i, x, y;

  *rows = image->image.height / side;
  *columns = image->image.width / side;
  cells = g_new0 (gfloat, *rows * *columns * n + 1);
  for (y = 0; y < *rows * side; y++)
    for (x = 0; x < *columns * side; x++)
      {
        gdouble magnitude, right, down, sum;
        gfloat *total;

        gradient (image, x, y, options, &magnitude, &right, &down);
        if (magnitude == 0.0)
          continue;
        total = cells + ((y / side) * *columns + x / side) * n +
                bin_of (right, down, options);
        sum = (gdouble) *total + magnitude;
        *total = sum < FLT_MAX ? (gfloat) sum : FLT_MAX;
      }
  for (i = 0; i < *rows * *columns * n; i++)
    cells[i] /= (gfloat) (side * side);
  return cells;
}

IsoluxHog *
ref_hog (const RefImage *image, const IsoluxHogOptions *options)
{
  const gint64 side = options->block_size, n = options->orientations;
  const gint64 block = side * side * n;
  IsoluxHog   *hog = g_new0 (IsoluxHog, 1);
  gint64       rows, columns, x, y, i;
  gfloat      *cells = ref_hog_cells (image, options, &rows, &columns);

  hog->block_size = (gint) side;
  hog->orientations = (gint) n;
  if (rows >= side && columns >= side)
    {
      hog->blocks_y = rows - side + 1;
      hog->blocks_x = columns - side + 1;
    }
  hog->n_values = (gsize) (hog->blocks_y * hog->blocks_x * block);
  hog->values = g_new (gdouble, hog->n_values + 1);
  for (y = 0; y < hog->blocks_y; y++)
    for (x = 0; x < hog->blocks_x; x++)
      {
        gdouble    *v = hog->values + (y * hog->blocks_x + x) * block;
        long double sum = 0.0L, squares = 0.0L;
        gint        pass;

        for (i = 0; i < block; i++)
          {
            const gint64 row = y + i / (side * n);
            const gint64 column = x + i / n % side;

            v[i] = cells[(row * columns + column) * n + i % n];
            sum += v[i];
          }
        if (options->norm == ISOLUX_HOG_L1 ||
            options->norm == ISOLUX_HOG_L1_SQRT)
          {
            for (i = 0; i < block; i++)
              v[i] = (gdouble) (v[i] / (sum + 1e-5L));
            for (i = 0; i < block && options->norm != ISOLUX_HOG_L1; i++)
              v[i] = sqrt (v[i]);
            continue;
          }
        for (pass = 0; pass < (options->norm == ISOLUX_HOG_L2 ? 1 : 2); pass++)
          {
            for (squares = 0.0L, i = 0; i < block; i++)
              {
                v[i] = pass ? MIN (v[i], 0.2) : v[i];
                squares += (long double) v[i] * v[i];
              }
            for (i = 0; i < block; i++)
              v[i] = (gdouble) (v[i] / sqrtl (squares + 1e-10L));
          }
      }
  g_free (cells);
  return hog;
}

/* Bresenham's line, both ends drawn, into what there is of the picture. */
static void
add_line (gdouble *picture,
          gint64   width,
          gint64   height,
          gint64   y0,
          gint64   x0,
          gint64   y1,
          gint64   x1,
          gdouble  v)
{
  const gboolean steep = ABS (y1 - y0) > ABS (x1 - x0);
  gint64         a = steep ? y0 : x0, b = steep ? x0 : y0;
  const gint64   da = steep ? ABS (y1 - y0) : ABS (x1 - x0);
  const gint64   db = steep ? ABS (x1 - x0) : ABS (y1 - y0);
  const gint64   step_a = (steep ? y1 - y0 : x1 - x0) > 0 ? 1 : -1;
  const gint64   step_b = (steep ? x1 - x0 : y1 - y0) > 0 ? 1 : -1;
  gint64         d = 2 * db - da, i;

  for (i = 0; i <= da; i++)
    {
      const gint64 x = i == da ? x1 : steep ? b : a;
      const gint64 y = i == da ? y1 : steep ? a : b;

      if (x >= 0 && y >= 0 && x < width && y < height)
        picture[y * width + x] += v;
      while (da && d >= 0)
        {
          b += step_b;
          d -= 2 * da;
        }
      a += step_a;
      d += 2 * db;
    }
}

static void
add_glyphs (gdouble                *picture,
            const RefImage         *image,
            const gfloat           *cells,
            gint64                  rows,
            gint64                  columns,
            const IsoluxHogOptions *options)
{
  const gint64 side = options->cell_size, n = options->orientations;
  const gint64 radius = side / 2 - 1;
  gint64       r, c, i;

  for (r = 0; r < rows; r++)
    for (c = 0; c < columns; c++)
      for (i = 0; i < n; i++)
        {
          const gdouble angle = (options->is_signed ? 2.0 : 1.0) * G_PI *
                                ((gdouble) i + 0.5) / n;
          const gdouble dy = radius * cos (angle), dx = radius * sin (angle);
          const gint64  y = r * side + side / 2, x = c * side + side / 2;
          const gint64  y0 = options->is_signed ? y : (gint64) (y - dy);
          const gint64  x0 = options->is_signed ? x : (gint64) (x + dx);

          add_line (picture, image->image.width, image->image.height, y0, x0,
                    (gint64) (y + dy), (gint64) (x - dx),
                    cells[(r * columns + c) * n + i]);
        }
}

void
ref_hog_picture (const RefImage         *source,
                 const RefImage         *destination,
                 const IsoluxHogOptions *options)
{
  const gint64 width = source->image.width, height = source->image.height;
  const gint64 side = options->cell_size, n = options->orientations;
  gint64       rows, columns, x, y, i;
  gfloat      *cells = ref_hog_cells (source, options, &rows, &columns);
  gdouble     *picture = g_new0 (gdouble, width * height), most = 0.0;
  gdouble      right, down;

  if (options->picture == ISOLUX_HOG_GLYPHS)
    add_glyphs (picture, source, cells, rows, columns, options);
  for (y = 0; y < height; y++)
    for (x = 0; x < width; x++)
      {
        gdouble *v = &picture[y * width + x];

        if (options->picture == ISOLUX_HOG_MAGNITUDE)
          gradient (source, x, y, options, v, &right, &down);
        if (options->picture == ISOLUX_HOG_ORIENTATION && y < rows * side &&
            x < columns * side)
          {
            const gfloat *cell = cells + (y / side * columns + x / side) * n;
            gfloat        best = 0.0f;

            for (i = 0; i < n; i++)
              if (cell[i] > best)
                {
                  best = cell[i];
                  *v = (options->is_signed ? 360.0 : 180.0) *
                       (gdouble) (2 * i + 1) / (gdouble) (2 * n);
                }
          }
        if (! ref_gray_counts (source, x, y))
          *v = 0.0;
        most = MAX (most, *v);
      }
  if (options->picture == ISOLUX_HOG_ORIENTATION)
    most = options->is_signed ? 360.0 : 180.0;
  for (y = 0; y < height; y++)
    for (x = 0; x < width; x++)
      {
        const gdouble v = picture[y * width + x];

        if (options->raw)
          put (destination, x, y, 0, v);
        else
          draw (source, destination, x, y, scale (source, v, most),
                options->weights);
      }
  g_free (picture);
  g_free (cells);
}

/* ---- Running ------------------------------------------------------------ */

/* A surface of a buffer; memory: what it is wrapped round, on a device that
 * is not the CPU. */
static IsoluxSurface *
make_surface (IsoluxDevice *device,
              gboolean      wrap,
              gpointer      stream,
              const Buffer *buffer,
              gpointer     *memory,
              GError      **error)
{
  const IsoluxBackend *backend = isolux_device_choose (device, 0);
  IsoluxView           view = buffer->view;
  IsoluxSurface       *surface;

  *memory = NULL;
  if (wrap)
    {
      if (backend->kind == ISOLUX_BACKEND_CUDA)
        {
          if (! backend->alloc (device, buffer->size, memory, error))
            return NULL;
          if (! backend->write (device, *memory, buffer->size, buffer->block,
                                buffer->size, buffer->size, 1, NULL, error))
            return NULL;
          view.data = (guint8 *) *memory + buffer->offset;
        }
      return isolux_surface_wrap (device, &buffer->image, &view, stream, error);
    }
  surface = isolux_surface_new (device, &buffer->image, error);
  if (surface && ! isolux_surface_upload (surface, &view, NULL, error))
    g_clear_pointer (&surface, isolux_surface_unref);
  return surface;
}

gboolean
patterns_run (IsoluxDevice *device,
              gboolean      wrap,
              gpointer      stream,
              const Buffer *input,
              const Region *region,
              Buffer       *output,
              PatternsFunc  function,
              gpointer      user_data,
              GError      **error)
{
  const IsoluxBackend *backend = isolux_device_choose (device, 0);
  const Buffer        *buffers[2] = { input, output };
  IsoluxSurface       *surfaces[2] = { NULL, NULL };
  gpointer             memory[2] = { NULL, NULL };
  gboolean             success = TRUE;
  gint                 i;

  for (i = 0; success && i < (output ? 2 : 1); i++)
    {
      surfaces[i] =
        make_surface (device, wrap, stream, buffers[i], &memory[i], error);
      success = surfaces[i] != NULL;
    }
  success =
    success &&
    (! region || ! region->given ||
     isolux_surface_set_region (surfaces[0], &region->rectangle, region->mask,
                                region->mask_stride, error)) &&
    function (surfaces[0], surfaces[1], user_data, error);
  if (success && output)
    {
      if (memory[1])
        success = backend->read (device, output->block, output->size, memory[1],
                                 output->size, output->size, 1, stream, error);
      else if (! wrap)
        success =
          isolux_surface_download (surfaces[1], &output->view, NULL, error);
    }
  for (i = 0; i < 2; i++)
    {
      isolux_surface_unref (surfaces[i]);
      if (memory[i])
        backend->release (device, memory[i], buffers[i]->size);
    }
  return success;
}
