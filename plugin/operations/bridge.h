/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * bridge.h - what the operations share: from GeglBuffers to surfaces of
 * libisolux and back.
 *
 * An operation says in prepare() that it works in the layer's own format
 * (bridge_prepare()), and in process() which pixels it reads and writes and
 * what libisolux shall do with them (bridge_run()).  All that can go wrong
 * on the way ends here.
 */
#ifndef BRIDGE_H
#define BRIDGE_H

#include <gegl-plugin.h>

#include "isolux.h"

/*
 * How the codes of a format relate to light.  Nonlinear is the curve of the
 * format's space (R'G'B'), perceptual that of sRGB (R~G~B~).
 */
typedef enum
{
  BRIDGE_LINEAR,
  BRIDGE_NONLINEAR,
  BRIDGE_PERCEPTUAL
} BridgeEncoding;

/*
 * The layer's format, taken apart.  All of it belongs to babl.
 */
typedef struct
{
  const Babl    *format; /* the operation's format on both pads */
  const Babl    *space;
  BridgeEncoding encoding;
  gint           components; /* 1 gray, 2 gray + alpha, 3 RGB, 4 RGBA */
  const gchar   *type;       /* u8, u16, u32, half, float or double */
  const gchar   *surface;    /* the type of a surface: u8, u16 or float */
} BridgeLayer;

/*
 * One run of process().
 */
typedef struct
{
  const gchar        *name;  /* of the operation, for the log */
  const gchar        *title; /* the same for people, translated */
  GeglOperation      *operation;
  GeglBuffer         *input; /* may be NULL: nothing is done */
  GeglBuffer         *output;
  GeglRectangle       extent;    /* the pixels that the result comes from */
  GeglRectangle       roi;       /* the pixels to write, inside extent */
  const Babl         *read;      /* NULL, or linear floats */
  const Babl         *write;     /* NULL, or, for an RGB layer, the gray that
                                    becomes its three components */
  gboolean            keep;      /* a pixel whose components do not change
                                    stays what it is, to the last bit */
  gboolean            crop;      /* the operation sees no more than the
                                    selection's bounding box: what comes out
                                    depends on where the image ends */
  const gchar        *selection; /* see isolux_selection_from_string();
                                     its corner is at (0, 0); NULL: all */
  IsoluxOperationFunc func;      /* handed to isolux_process() */
  gpointer            data;      /* for func */
} BridgeCall;

/*
 * bridge_prepare:
 *
 * For prepare(): both pads get the layer's own format where libisolux can
 * work in it without loss, else the nearest one that it can work in.  An
 * operation's string property "encoding" ("linear", "non-linear" or
 * "perceptual") says what the layer's own values are where the input comes
 * as linear floats, as it does over another filter.
 */
void bridge_prepare (GeglOperation *operation);

/*
 * bridge_get_layer:
 *
 * Takes apart what bridge_prepare() chose.
 */
void bridge_get_layer (GeglOperation *operation, BridgeLayer *layer);

/*
 * bridge_format:
 * @type: u8, u16, float, ...
 *
 * Returns: the babl format with these properties
 */
const Babl *bridge_format (BridgeEncoding encoding,
                           gint           components,
                           const gchar   *type,
                           const Babl    *space);

/*
 * bridge_get_weights:
 *
 * The luminance weights of a space's red, green and blue, none negative,
 * sum 1.
 */
void bridge_get_weights (const Babl *space, gdouble weights[3]);

/*
 * bridge_whole:
 * @whole: the rectangle of all pixels of the input
 *
 * For operations whose every pixel depends on all of the input.
 *
 * Returns: FALSE when there is no such thing: an infinite plane, or more
 *   pixels than any image has; @whole is then @roi
 */
gboolean bridge_whole (GeglOperation       *operation,
                       const GeglRectangle *roi,
                       GeglRectangle       *whole);

/*
 * bridge_class_init:
 *
 * For gegl_op_class_init(): what is the same for all of our operations.
 */
void bridge_class_init (GeglOperationClass *operation_class);

/*
 * bridge_class_init_whole:
 *
 * The same for operations whose every pixel depends on all of the input, and
 * that do nothing but what their settings say (see isolux_settings_read()).
 * GEGL then asks for all of it, once for each change of a property.
 */
void bridge_class_init_whole (GeglOperationClass *operation_class);

/*
 * bridge_run:
 *
 * Does the work.  Cannot fail: GIMP would show, and merge, transparent
 * black.  When it cannot be done, the input is copied to the output, and
 * the user gets a message.
 *
 * With ISOLUX_VERBOSE set and not empty, a line on standard error says what
 * was done, in one of these forms, which programs may rely on:
 *
 *   isolux: NAME WxH TYPExN on BACKEND (WHERE): read T ms, compute T ms,
 *     write T ms, total T ms; STATE; CUDA: REASON
 *   isolux: NAME WxH TYPExN copied: REASON
 *
 * (each on one line).  TYPE is u8, u16 or f32, N the components; BACKEND is
 * CPU or CUDA; WHERE "2 threads" or the card's name; T has one decimal;
 * STATE is "changed" or "unchanged"; the last REASON is "ready" or says why
 * the GPU does not work.
 */
void bridge_run (const BridgeCall *call);

/*
 * bridge_call_init:
 *
 * Fills in what is the same in each call of an operation: its name and title,
 * the buffers, and @roi as both extent and roi.
 */
void bridge_call_init (BridgeCall          *call,
                       GeglOperation       *operation,
                       GeglBuffer          *input,
                       GeglBuffer          *output,
                       const GeglRectangle *roi);

/*
 * bridge_copy:
 * @reason: for the log; not shown to the user
 *
 * Copies the input to the output.
 */
void bridge_copy (const BridgeCall *call, const gchar *reason);

#endif /* BRIDGE_H */
