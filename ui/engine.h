/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * engine.h: what computes for a dialog: an image held once, results for
 * changing settings, in a thread of its own.  Knows no GIMP and no widgets.
 *
 * All functions are called from the main thread, none of them blocks for
 * more than some milliseconds, and signals are emitted in it.
 */
#ifndef ISOLUX_ENGINE_H
#define ISOLUX_ENGINE_H

#include <glib-object.h>

#include "isolux.h"

G_BEGIN_DECLS

/*
 * IsoluxEngineChannel: whose histogram
 */
typedef enum
{
  ISOLUX_ENGINE_RGB,   /* red, green, blue, and the luma; of gray images gray */
  ISOLUX_ENGINE_VALUE, /* the largest component; the gray of gray images */
  ISOLUX_ENGINE_LUMINANCE, /* the luma, by the image's weights */
  ISOLUX_ENGINE_RED,
  ISOLUX_ENGINE_GREEN,
  ISOLUX_ENGINE_BLUE,
  ISOLUX_ENGINE_ALPHA
} IsoluxEngineChannel;

/*
 * IsoluxEngineImage: what is looked at
 * @image: all of the drawable
 * @box: the selection's bounding box in it
 * @mask: (nullable): one byte a pixel of the box, 0 = not selected; copied
 * @weights: of the luma
 * @has_padding, @padding, @tolerance: whether pixels of one value do not
 *   count, see isolux_surface_leave_out()
 */
typedef struct
{
  IsoluxImage     image;
  IsoluxRectangle box;
  const guint8   *mask;
  gdouble         weights[3];
  gboolean        has_padding;
  gdouble         padding;
  gdouble         tolerance;
} IsoluxEngineImage;

/*
 * IsoluxEngineSide: numbers of before or after
 * @histogram: of the channel; three channels for ISOLUX_ENGINE_RGB
 * @luma: (nullable): ISOLUX_ENGINE_RGB only: that of the luma
 * @statistics: of the channel (RGB: of the luma)
 * @saturated: share at the least or largest value of the range, 0.0 to 1.0,
 *   as in #IsoluxMetrics
 * @not_numbers, @infinite: f32: pixels left out, pixels at the ends
 *
 * What belongs to a result is freed with it.  After LBP: the histogram of the
 * codes, in as many bins as the next power of two (of 24-bit codes 65536, as
 * a range of floats); saturated is 0 then.
 */
typedef struct
{
  IsoluxHistogram *histogram;
  IsoluxHistogram *luma;
  IsoluxStatistics statistics;
  gdouble          saturated;
  guint64          not_numbers;
  guint64          infinite;
} IsoluxEngineSide;

/*
 * IsoluxEngineResult: what came out; belongs to the engine, valid during the
 * signal, unless referenced
 * @serial: how many changes of settings it knows of
 * @numbers: whether before, after, curve and cells are filled; a result of
 *   the visible part that comes first has pixels alone, and so has one for
 *   another view
 * @estimated: whether they come from a part of the pixels
 * @read: share of the image that has been read, 0.0 to 1.0
 * @part, @width, @height: which part of the image the pixels show, and how
 *   large: as asked for, but never larger than the part; 0 without a view
 * @image: shape and type of the pixels (width x height, the image's type)
 * @before_pixels, @after_pixels: rows without gaps; inside the box
 *   @after_pixels is the result, outside the original
 * @curve_n, @curve_x, @curve_y, @curve_low, @curve_high: as in IsoluxCurve;
 *   y in shares of the result's range.  CLAHE: the picked tile's or the
 *   median, and the 10th and the 90th percentile of all; else without a band.
 *   None where no curve tells what becomes of the channel: that of the luma is
 *   for RGB and luminance alone, and where each component has its own, each is
 *   for its own.
 * @curve_tile_x, @curve_tile_y: of the picked tile, or -1
 * @clip_mean: the mean count of the bins used, which clip limit 1 stands for,
 *   in counts of @before's histogram; 0 when there is none
 * @grid: CLAHE and contrast map: tiles; HOG: cells (tiles_x x tiles_y); else
 *   zeros.  Laid out from the box's corner.
 * @orientations, @orientation_shares, @cell_shares: HOG: as in
 *   isolux_histogram_model_set_orientations()
 * @window_low, @window_high: window: the values that become black and white
 * @uniformity: equalize: the distance from an even histogram, before
 * @report: of the operation
 * @milliseconds: of the operation alone; of all that this result took
 * @error: (nullable): when it could not be computed; nothing else is valid
 */
typedef struct
{
  guint64          serial;
  gboolean         numbers;
  gboolean         estimated;
  gdouble          read;
  IsoluxRectangle  part;
  IsoluxImage      image;
  guint8          *before_pixels;
  guint8          *after_pixels;
  IsoluxEngineSide before;
  IsoluxEngineSide after;
  gint             curve_n;
  gdouble         *curve_x;
  gdouble         *curve_y;
  gdouble         *curve_low;
  gdouble         *curve_high;
  gint             curve_tile_x;
  gint             curve_tile_y;
  gdouble          clip_mean;
  IsoluxClaheGrid  grid;
  gint             orientations;
  gdouble         *orientation_shares;
  gdouble         *cell_shares;
  gdouble          window_low;
  gdouble          window_high;
  gdouble          uniformity;
  IsoluxReport     report;
  gdouble          operation_milliseconds;
  gdouble          milliseconds;
  GError          *error;
  /* private */
  gint     references;
  guint64  generation;
  gboolean is_final;
  gpointer shared[4];
} IsoluxEngineResult;

IsoluxEngineResult *isolux_engine_result_ref (IsoluxEngineResult *result);
void                isolux_engine_result_unref (IsoluxEngineResult *result);

#define ISOLUX_TYPE_ENGINE (isolux_engine_get_type ())
G_DECLARE_FINAL_TYPE (IsoluxEngine, isolux_engine, ISOLUX, ENGINE, GObject)

/*
 * Signals:
 *   "result" (IsoluxEngineResult *): newer than any before
 *   "busy" (gboolean): a result has been awaited for 100 ms, or no more
 *   "backend-changed": CUDA has started, failed, or was chosen or left; also
 *     when a start of CUDA has begun
 *   "measured" (const IsoluxMetrics *, const GError *)
 */
IsoluxEngine *isolux_engine_new (void);

/*
 * isolux_engine_set_backend: automatic, GPU or CPU, from the next result on.
 * CUDA starts in the background; the CPU serves meanwhile, and when CUDA
 * fails, until this is called again.  Automatic, as which an engine begins, is
 * what the environment says (see isolux_device_get_default()), and CUDA for
 * images of a megabyte and more.
 */
void isolux_engine_set_backend (IsoluxEngine *engine, IsoluxBackendKind kind);
IsoluxBackendKind isolux_engine_get_backend (IsoluxEngine *engine);

/* The device that serves now, borrowed; see isolux_device_get_info(), which
 * tells why CUDA does not */
IsoluxDevice *isolux_engine_get_device (IsoluxEngine *engine);

/* Whether CUDA is being started */
gboolean isolux_engine_is_starting (IsoluxEngine *engine);

/*
 * isolux_engine_begin_image: forgets the old image and gets ready for a new
 * one's rows.
 *
 * Returns: FALSE and @error when there is not the memory for it
 */
gboolean isolux_engine_begin_image (IsoluxEngine            *engine,
                                    const IsoluxEngineImage *image,
                                    GError                 **error);

/*
 * isolux_engine_get_rows: where rows of the new image are to be written.
 * The caller fills them and then says so with isolux_engine_add_rows().  In
 * any order, each row once.  Some of the image is enough for estimates.  The
 * memory is there until the next image begins.
 */
gpointer isolux_engine_get_rows (IsoluxEngine *engine, gint64 y, gsize *stride);
void     isolux_engine_add_rows (IsoluxEngine *engine, gint64 y, gint64 rows);

/*
 * Settings: each call is a change; changes coalesce.  Operations draw
 * pictures (raw is not looked at); tables of linear values are copied, and are
 * those of the present image's type.  Without a view there are numbers alone.
 */
void isolux_engine_set_operation (IsoluxEngine          *engine,
                                  const IsoluxOperation *operation);
void
isolux_engine_set_channel (IsoluxEngine *engine, IsoluxEngineChannel channel);
void isolux_engine_set_view (IsoluxEngine          *engine,
                             const IsoluxRectangle *part,
                             gint                   width,
                             gint                   height);
/* A picked tile or cell; -1, -1 for none */
void isolux_engine_set_pick (IsoluxEngine *engine, gint64 column, gint64 row);

/* Asks for AMBE, PSNR and SSIM of the present result; see "measured" */
void isolux_engine_measure (IsoluxEngine *engine);

/*
 * isolux_engine_get_pixel: components as doubles, in the image's units.
 *
 * Returns: 0 when not known (not read yet, outside), 1 only before, 2 both
 */
gint isolux_engine_get_pixel (IsoluxEngine *engine,
                              gint64        x,
                              gint64        y,
                              gdouble       before[4],
                              gdouble       after[4]);

/*
 * isolux_engine_stop: no signal comes from now on, and the threads end when
 * they have done the step that they are at; a step on a large image takes
 * seconds.  The last reference waits for them.
 */
void isolux_engine_stop (IsoluxEngine *engine);

/* Waits until nothing is to be computed; for tests.  Runs the main loop. */
void isolux_engine_settle (IsoluxEngine *engine);

G_END_DECLS

#endif /* ISOLUX_ENGINE_H */
