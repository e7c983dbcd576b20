/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * engine-work.h: what the engine's thread works with: the image, settings, and
 * stages, on which an operation is done and looked at.  Private to the engine.
 */
#ifndef ISOLUX_ENGINE_WORK_H
#define ISOLUX_ENGINE_WORK_H

#include "engine.h"

G_BEGIN_DECLS

/* ---- The image ---- */

/*
 * IsoluxWorkImage: an image in host memory.  Its rows are written by the
 * caller, and read by the thread when they are marked as present.
 * @present, @n_present: rows; the engine's mutex guards them
 * @selected: pixels of the box that are selected
 */
typedef struct
{
  gint              references;
  guint64           generation;
  IsoluxEngineImage info;  /* with a mask of its own */
  gsize             pixel; /* bytes */
  gsize             stride;
  guint8           *pixels;
  IsoluxSurface    *surface; /* in place, on the CPU */
  guint8           *present;
  gint64            n_present;
  guint64           selected;
} IsoluxWorkImage;

IsoluxWorkImage *isolux_work_image_new (IsoluxDevice            *cpu,
                                        const IsoluxEngineImage *info,
                                        GError                 **error);
IsoluxWorkImage *isolux_work_image_ref (IsoluxWorkImage *image);
void             isolux_work_image_unref (IsoluxWorkImage *image);
gpointer
isolux_work_image_at (const IsoluxWorkImage *image, gint64 x, gint64 y);
/* Whether a pixel lies in the box and is selected */
gboolean isolux_work_image_is_selected (const IsoluxWorkImage *image,
                                        gint64                 x,
                                        gint64                 y);
/* The channel that there is for a wish */
IsoluxEngineChannel isolux_work_image_channel (const IsoluxWorkImage *image,
                                               IsoluxEngineChannel    channel);

static inline gsize
isolux_work_type_size (IsoluxType type)
{
  return type == ISOLUX_TYPE_U8 ? 1 : type == ISOLUX_TYPE_U16 ? 2 : 4;
}

/* Where sample i of n lies among size pixels */
static inline gint64
isolux_work_sample_place (gint64 i, gint64 n, gint64 size)
{
  return (2 * i + 1) * size / (2 * n);
}

/* Sets it, and returns FALSE */
gboolean isolux_work_memory_error (GError **error);

/* ---- Settings ---- */

/* serial: of all changes; the others are its values at the last change of
 * each kind */
typedef struct
{
  gboolean            has_operation;
  IsoluxOperation     operation;
  GBytes             *decode; /* nullable: what its tables point to */
  IsoluxEngineChannel channel;
  IsoluxRectangle     part;
  gint                width, height;
  gint64              pick_column, pick_row;
  guint64             serial;
  guint64             operation_serial, channel_serial;
  guint64             view_serial, pick_serial;
} IsoluxWorkSettings;

void isolux_work_settings_copy (IsoluxWorkSettings       *to,
                                const IsoluxWorkSettings *from);
void isolux_work_settings_clear (IsoluxWorkSettings *settings);

/* The visible part of an image, whole pixels inside it, and its size; FALSE:
 * none */
gboolean isolux_work_view (const IsoluxWorkImage    *image,
                           const IsoluxWorkSettings *settings,
                           IsoluxRectangle          *part,
                           gint64                   *width,
                           gint64                   *height);

/* ---- Stages ---- */

/* Numbers of one side that several results share */
typedef struct
{
  gint             references;
  IsoluxEngineSide side;
} IsoluxWorkSide;

IsoluxWorkSide *isolux_work_side_ref (IsoluxWorkSide *side);
void            isolux_work_side_unref (IsoluxWorkSide *side);

typedef struct _IsoluxWorkSamples IsoluxWorkSamples;

/*
 * IsoluxWorkStage: an image's box, or some of its pixels, on a device, and
 * what comes out of it.
 * @image, @after: all of the image, and with the result in the box; NULL where
 *   the stage is one of some pixels
 * @box, @after_box: the box in them, with the selection as their region
 * @scale: how many of the image's pixels are one, in length
 * @present: pixels that count but for NaN
 * @after_serial: the settings' operation_serial that @after_box is for, 0 when
 *   it is for none
 */
typedef struct
{
  IsoluxDevice    *device;
  IsoluxWorkImage *source;
  IsoluxSurface   *image, *after, *box, *after_box;
  gdouble          scale;
  guint64          present;

  guint64          after_serial;
  IsoluxReport     report;
  gchar            warning[256]; /* the first one */
  IsoluxClaheMaps *maps;
  gfloat          *cells;
  gint64           cells_x, cells_y;
  gdouble          low[3], high[3]; /* of the window */
  IsoluxWorkSide  *after_sides[ISOLUX_ENGINE_ALPHA + 1];

  /* kept from result to result */
  IsoluxWorkSide     *before[ISOLUX_ENGINE_ALPHA + 1];
  IsoluxHistogram    *levels;
  IsoluxChannel       levels_channel;
  gdouble             levels_weights[3];
  gboolean            has_range;
  IsoluxWindowOptions range_options;
  GBytes             *before_pixels;
  guint64             before_view;
  IsoluxWorkSamples  *samples;
} IsoluxWorkStage;

/* All of an image that has been read, on a device */
IsoluxWorkStage *isolux_work_stage_new (IsoluxDevice    *device,
                                        IsoluxWorkImage *image,
                                        GError         **error);
void             isolux_work_stage_free (IsoluxWorkStage *stage);

static inline gboolean
isolux_work_is_color (const IsoluxWorkStage *stage)
{
  return stage->source->info.image.components >= 3;
}

/* A surface of the image's type in memory without gaps */
IsoluxSurface *isolux_work_wrap (IsoluxWorkStage *stage,
                                 gpointer         pixels,
                                 gint64           width,
                                 gint64           height,
                                 gint             bits,
                                 GError         **error);
/* Lets the selection count on both sides, without the padding; masked: how
 * many pixels of it are selected */
gboolean isolux_work_set_regions (IsoluxWorkStage *stage,
                                  const guint8    *mask,
                                  gsize            stride,
                                  guint64          masked,
                                  GError         **error);
/* Keeps a warning of a step */
void
isolux_work_stage_note (IsoluxWorkStage *stage, const IsoluxReport *report);
/* Forgets what was kept, since pixels have changed */
void isolux_work_stage_forget (IsoluxWorkStage *stage);
/* How many pixels of the box count and are numbers; 0 unless f32 */
gboolean isolux_work_stage_numbers_of (IsoluxWorkStage *stage,
                                       guint64         *n,
                                       GError         **error);
/* Finds present; masked: pixels that the region takes, alpha not looked at */
gboolean isolux_work_stage_count (IsoluxWorkStage *stage,
                                  guint64          masked,
                                  GError         **error);

/* Does the operation, unless it is done */
gboolean isolux_work_stage_run (IsoluxWorkStage          *stage,
                                const IsoluxWorkSettings *settings,
                                GError                  **error);
/* Fills the numbers of a result; the operation is done */
gboolean isolux_work_stage_numbers (IsoluxWorkStage          *stage,
                                    const IsoluxWorkSettings *settings,
                                    IsoluxEngineResult       *result,
                                    GError                  **error);
/* Fills the pixels of a result; the operation is done */
gboolean isolux_work_stage_pixels (IsoluxWorkStage          *stage,
                                   const IsoluxWorkSettings *settings,
                                   IsoluxEngineResult       *result,
                                   GError                  **error);

/* Memory, and what it belongs to; NULL: there is none */
GBytes *isolux_work_bytes_new (gsize size, guint8 **data, GError **error);
/* A part of a surface (NULL: all), smaller, in host memory */
GBytes *isolux_work_reduce (IsoluxWorkStage       *stage,
                            IsoluxSurface         *surface,
                            const IsoluxRectangle *part,
                            gint64                 width,
                            gint64                 height,
                            GError               **error);
/* The original's visible pixels, which are the same for all results of a
 * view */
GBytes *isolux_work_before_pixels (IsoluxWorkStage          *stage,
                                   const IsoluxWorkSettings *settings,
                                   const IsoluxRectangle    *part,
                                   gint64                    width,
                                   gint64                    height,
                                   GError                  **error);
/* Finds the window's range, unless it is known; adds the time it took */
gboolean isolux_work_find_range (IsoluxWorkStage           *stage,
                                 const IsoluxWindowOptions *options,
                                 gdouble                   *milliseconds,
                                 GError                   **error);
void     isolux_work_samples_free (IsoluxWorkSamples *samples);

/*
 * Fills the pixels of a result without doing the operation on all of the
 * image: from some of the pixels of each one shown.  On the CPU.
 * is_quick: whether there is a way to.
 */
gboolean isolux_work_is_quick (const IsoluxWorkStage    *stage,
                               const IsoluxWorkSettings *settings);
gboolean isolux_work_quick (IsoluxWorkStage          *stage,
                            const IsoluxWorkSettings *settings,
                            IsoluxEngineResult       *result,
                            GError                  **error);

/* The histogram that the operation works with, which the stage keeps */
const IsoluxHistogram *isolux_work_levels (IsoluxWorkStage *stage,
                                           IsoluxChannel    channel,
                                           const gdouble   *weights,
                                           GError         **error);

/* ---- Estimates ---- */

/*
 * IsoluxWorkEstimate: a stage of about a megapixel of the box.
 * @columns, @rows: where its pixels are from
 * @there: rows that have been read
 * @before_pixels, @after_pixels: the stage's own memory
 */
typedef struct
{
  IsoluxWorkStage *stage;
  gint64           width, height;
  gint64          *columns, *rows;
  guint8          *there;
  gint64           n_there;
  gsize            stride;
  guint8          *before_pixels, *after_pixels;
  guint8          *mask;
} IsoluxWorkEstimate;

IsoluxWorkEstimate *isolux_work_estimate_new (IsoluxDevice    *cpu,
                                              IsoluxWorkImage *image,
                                              GError         **error);
void                isolux_work_estimate_free (IsoluxWorkEstimate *estimate);
/* Takes rows that have come; present: of the image, a copy.  FALSE without an
 * error: there is no row of the box yet */
gboolean isolux_work_estimate_update (IsoluxWorkEstimate *estimate,
                                      const guint8       *present,
                                      GError            **error);
/* Does the operation and fills the result */
gboolean isolux_work_estimate_run (IsoluxWorkEstimate       *estimate,
                                   const IsoluxWorkSettings *settings,
                                   const guint8             *present,
                                   IsoluxEngineResult       *result,
                                   GError                  **error);

/* ---- Results ---- */

IsoluxEngineResult *isolux_work_result_new (const IsoluxWorkSettings *settings,
                                            const IsoluxWorkImage    *image);
/* What a result's pointers belong to; takes the reference */
void isolux_work_result_take_before (IsoluxEngineResult *result,
                                     IsoluxWorkSide     *side);
void isolux_work_result_take_after (IsoluxEngineResult *result,
                                    IsoluxWorkSide     *side);
void isolux_work_result_set_view (IsoluxEngineResult    *result,
                                  const IsoluxRectangle *part,
                                  gint64                 width,
                                  gint64                 height);
void isolux_work_result_take_pixels (IsoluxEngineResult *result,
                                     GBytes             *before,
                                     GBytes             *after);

G_END_DECLS

#endif /* ISOLUX_ENGINE_WORK_H */
