/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * SECTION: isolux
 *
 * libisolux: histograms and local contrast of images, on an NVIDIA GPU
 * where there is one and on the CPU everywhere, with the same bytes.
 *
 * The library knows pixels.  It knows no GIMP, no GEGL and no GTK.  Its
 * three nouns:
 *
 *  - a #IsoluxDevice is what computes: a backend and all that lives as
 *    long as it does (CUDA context, streams, staging memory, pools);
 *  - a #IsoluxSurface is an image that lives on a device;
 *  - a #IsoluxView is memory of the caller's that pixels are copied from
 *    or to, borrowed for the length of the call.
 *
 * ## Pixels
 *
 * Pixels are interleaved, row after row, top row first.  A pixel has 1 to
 * 4 components of one type: u8, u16 or f32.  1 is gray, 2 gray + alpha,
 * 3 RGB, 4 RGB + alpha; alpha is straight (not premultiplied).  Strides
 * are in bytes.  Coordinates and sizes are in pixels, (0, 0) is the top
 * left corner.  u8 and u16 are codes 0 .. 255 and 0 .. 65535; the nominal
 * range of f32 is 0.0 .. 1.0, and any value is accepted.
 *
 * ## What counts
 *
 * A pixel counts in the statistics, and is changed by an operation, when
 * it lies in the surface's region (isolux_surface_set_region()), its
 * alpha is greater than 0, and the value looked at is not NaN.  A pixel
 * that does not count comes out as it went in.  Every pixel that counts
 * weighs the same.  +Inf and -Inf count in the last and the first bin.
 *
 * ## Exactness
 *
 * Each backend gives the same bytes for the same input, options and
 * library version, with any number of threads.
 *
 * ## Errors
 *
 * Functions that can fail return %FALSE or %NULL and set a #GError of the
 * domain #ISOLUX_ERROR; outputs are then untouched, unless a function
 * says otherwise.  Texts are translated and fit to be shown.  The library
 * never aborts, exits or prints.  Passing an object that was freed, or
 * memory smaller than its description, is undefined, as ever in C.
 *
 * ## Threads
 *
 * A device may be used from several threads at once; each call takes a
 * lane (a stream and staging memory) of its own, so that calls overlap.
 * A surface may be read by several calls at once; a call that writes it,
 * or sets anything on it, must be alone with it.
 *
 * ## Example
 *
 * |[<!-- language="C" -->
 * // equalizes an 8-bit gray image in place
 * gboolean
 * equalize_gray (guint8 *pixels, gint width, gint height, GError **error)
 * {
 *   IsoluxDevice          *device  = isolux_device_get_default ();
 *   IsoluxImage            image   = { width, height, 1, ISOLUX_TYPE_U8, 0 };
 *   IsoluxView             view    = { pixels, (gsize) width };
 *   IsoluxEqualizeOptions  options = ISOLUX_EQUALIZE_DEFAULTS;
 *   IsoluxSurface *surface = isolux_surface_new (device, &image, error);
 *   gboolean               success;
 *
 *   options.clip_limit = 3.0;
 *   success = surface &&
 *             isolux_surface_upload (surface, &view, NULL, error) &&
 *             isolux_equalize (surface, surface, &options, NULL, error) &&
 *             isolux_surface_download (surface, &view, NULL, error);
 *   isolux_surface_unref (surface);
 *   return success;
 * }
 * ]|
 */
#ifndef ISOLUX_H
#define ISOLUX_H

#include <glib.h>

G_BEGIN_DECLS

#if defined(ISOLUX_COMPILATION) && defined(__GNUC__)
#define ISOLUX_API __attribute__ ((visibility ("default"))) extern
#else
#define ISOLUX_API extern
#endif

/* ---- Errors ------------------------------------------------------- */

/**
 * ISOLUX_ERROR:
 *
 * The domain of the library's errors.
 */
#define ISOLUX_ERROR (isolux_error_quark ())

/**
 * IsoluxError:
 * @ISOLUX_ERROR_ARGUMENT: an argument is outside its documented range, or
 *   two arguments do not fit each other; the text names it
 * @ISOLUX_ERROR_MEMORY: host memory is short
 * @ISOLUX_ERROR_DEVICE: the device cannot be used or failed (not there,
 *   driver too old, out of device memory, launch failed), and the work
 *   could not be done on the CPU instead
 * @ISOLUX_ERROR_ROWS: a row callback returned %FALSE
 */
typedef enum
{
  ISOLUX_ERROR_ARGUMENT,
  ISOLUX_ERROR_MEMORY,
  ISOLUX_ERROR_DEVICE,
  ISOLUX_ERROR_ROWS
} IsoluxError;

ISOLUX_API GQuark isolux_error_quark (void);

/**
 * isolux_version:
 *
 * Returns: the library's version, "major.minor.micro"; owned by the
 *   library
 */
ISOLUX_API const gchar *isolux_version (void);

/* ---- Images and views --------------------------------------------- */

/**
 * IsoluxType:
 * @ISOLUX_TYPE_U8: 8-bit codes, 0 .. 255
 * @ISOLUX_TYPE_U16: 16-bit codes in host byte order, 0 .. 65535
 * @ISOLUX_TYPE_F32: IEEE single precision, nominal range 0.0 .. 1.0
 */
typedef enum
{
  ISOLUX_TYPE_U8,
  ISOLUX_TYPE_U16,
  ISOLUX_TYPE_F32
} IsoluxType;

/**
 * IsoluxImage:
 * @width: pixels a row, 1 .. 2^31 - 1
 * @height: rows, 1 .. 2^31 - 1; width * height at most 2^46
 * @components: 1 gray, 2 gray + alpha, 3 RGB, 4 RGB + alpha
 * @type: the type of a component
 * @bits: significant bits of u16 codes, 8 .. 16: codes are 0 .. 2^bits -
 *   1 and larger ones count in the last bin; 0 = found out from the
 *   largest code that counts, of all components looked at.  Ignored for u8
 *   (always 8) and f32.
 *
 * The shape and type of an image.
 */
typedef struct
{
  gint64     width;
  gint64     height;
  gint       components;
  IsoluxType type;
  gint       bits;
} IsoluxImage;

/**
 * IsoluxView:
 * @data: the first pixel of the view; host memory, or CUDA device memory
 *   of the device's own context where a function says so.  Aligned to
 *   the component's size.
 * @stride: bytes from one row to the next, a multiple of the component's
 *   size, at least width * components * size
 *
 * Memory of the caller's, borrowed for the length of a call.
 */
typedef struct
{
  gpointer data;
  gsize    stride;
} IsoluxView;

/**
 * IsoluxRectangle:
 * @x: left edge, in pixels
 * @y: top edge, in pixels
 * @width: pixels across
 * @height: pixels down
 */
typedef struct
{
  gint64 x;
  gint64 y;
  gint64 width;
  gint64 height;
} IsoluxRectangle;

/**
 * IsoluxRowsFunc:
 * @y: the first row, 0 .. height - 1
 * @rows: how many rows, at least 1
 * @data: @rows rows of whole pixels: to be filled (reading) or to be
 *   taken (writing); valid during the call only
 * @stride: bytes from one row of @data to the next
 * @user_data: what the caller gave
 *
 * Moves rows between the caller's image and the library.  Called from
 * several threads at once, for rows that do not overlap, in any order;
 * every row once.  Must not call the library: it holds a lane, and would
 * wait for another.
 *
 * Returns: %FALSE to stop: the library's call then fails with
 *   %ISOLUX_ERROR_ROWS
 */
typedef gboolean (*IsoluxRowsFunc) (gint64   y,
                                    gint64   rows,
                                    gpointer data,
                                    gsize    stride,
                                    gpointer user_data);

/* ---- Devices ------------------------------------------------------ */

typedef struct _IsoluxDevice IsoluxDevice;

/**
 * IsoluxBackendKind:
 * @ISOLUX_BACKEND_AUTO: whoever is expected to be done first.  CUDA is
 *   started in a background thread by the first image that is large
 *   enough to gain; until it runs, and for small images, the CPU works.
 * @ISOLUX_BACKEND_CPU: the CPU, all cores
 * @ISOLUX_BACKEND_CUDA: an NVIDIA GPU
 */
typedef enum
{
  ISOLUX_BACKEND_AUTO,
  ISOLUX_BACKEND_CPU,
  ISOLUX_BACKEND_CUDA
} IsoluxBackendKind;

/**
 * isolux_device_open:
 * @kind: which backend
 * @cuda_device: the ordinal of the CUDA device, from 0; for the CPU
 *   ignored
 * @error: return location for an error, or %NULL
 *
 * Opens a device.  %ISOLUX_BACKEND_CUDA starts the driver before it
 * returns (0.2 to 0.4 s the first time in a process) and fails with
 * %ISOLUX_ERROR_DEVICE and the reason in words where there is none.
 * %ISOLUX_BACKEND_AUTO and %ISOLUX_BACKEND_CPU return at once; they fail
 * only for want of memory.  The device's primary context is used, so
 * pointers and streams of other libraries in the process work in place.
 *
 * Returns: (transfer full): the device, or %NULL; to be freed with
 *   isolux_device_unref()
 */
ISOLUX_API IsoluxDevice *
isolux_device_open (IsoluxBackendKind kind, gint cuda_device, GError **error);

/**
 * isolux_device_get_default:
 *
 * The device of the process, opened at the first call as the environment
 * says: `ISOLUX_BACKEND` is auto (the default), cuda or cpu,
 * `ISOLUX_CUDA_DEVICE` the ordinal (default 0; `all`: see
 * isolux_devices_get_default()).  `cuda` waits for the driver; where that
 * fails the CPU is used and isolux_device_describe() says why.  An unknown
 * word counts as auto.
 *
 * Returns: (transfer none): the device, never %NULL; never freed
 */
ISOLUX_API IsoluxDevice *isolux_device_get_default (void);

/**
 * isolux_devices_get_default:
 * @n: (out): how many there are, at least 1
 *
 * The devices that the frames of a call are spread over.  Where
 * `ISOLUX_CUDA_DEVICE` is `all`: every CUDA device that starts, which this
 * call waits for the first time; isolux_device_get_default() is the first of
 * them.  Else that one alone.
 *
 * Returns: (transfer none) (array length=n): the devices; never freed
 */
ISOLUX_API IsoluxDevice *const *isolux_devices_get_default (guint *n);

ISOLUX_API IsoluxDevice *isolux_device_ref (IsoluxDevice *device);

/**
 * isolux_device_unref:
 * @device: (nullable): a device
 *
 * Gives up a reference.  Surfaces keep their device alive.
 */
ISOLUX_API void isolux_device_unref (IsoluxDevice *device);

/**
 * isolux_device_set_threads:
 * @device: a device
 * @threads: how many CPU threads a call may use, for computing and for
 *   row callbacks; 0 = as many as there are cores
 *
 * The result never depends on it.
 */
ISOLUX_API void isolux_device_set_threads (IsoluxDevice *device, gint threads);

/**
 * isolux_device_wait:
 * @device: a device
 *
 * Waits until a start of CUDA that is under way has ended, well or not;
 * starts it when the device is of the kind auto and it was not started.
 *
 * Returns: which backend a large image gets from now on
 */
ISOLUX_API IsoluxBackendKind isolux_device_wait (IsoluxDevice *device);

/**
 * isolux_device_describe:
 * @device: a device
 *
 * What computes, and why the other does not, in a few lines for people:
 * backend, name of the card, driver, threads.  Never starts a driver.
 *
 * Returns: (transfer full): text; to be freed with g_free()
 */
ISOLUX_API gchar *isolux_device_describe (IsoluxDevice *device);

/**
 * ISOLUX_CUDA_BYTES:
 *
 * An image of so many bytes of pixels is worth the start of CUDA, which takes
 * some tenths of a second: a device of the kind auto then starts it in the
 * background, and uses it from that size on until it has measured a better
 * one (see #IsoluxDeviceInfo).
 */
#define ISOLUX_CUDA_BYTES (1 << 20)

/**
 * IsoluxDeviceInfo:
 * @cuda_ready: whether CUDA can be used now
 * @cuda_ordinal: the CUDA device's ordinal
 * @cuda_name: the card's name, "" when not ready
 * @cuda_capability: compute capability, major * 10 + minor, 0 when not
 *   ready
 * @cuda_driver: the version of CUDA that the driver serves, for example
 *   13000, 0 when not known
 * @cuda_memory: device memory in bytes, 0 when not ready
 * @cuda_from: how many bytes of pixels an image needs for CUDA to be done
 *   with CLAHE before the CPU, as measured on this machine after CUDA was
 *   started for a device of the kind auto; %G_MAXUINT64: none is enough; 0:
 *   not measured (yet)
 * @cuda_reason: why CUDA is off, in words; "" when it is ready
 * @threads: CPU threads a call uses
 *
 * All texts belong to the struct.
 */
typedef struct
{
  gboolean cuda_ready;
  gint     cuda_ordinal;
  gchar    cuda_name[128];
  gint     cuda_capability;
  gint     cuda_driver;
  guint64  cuda_memory;
  guint64  cuda_from;
  gchar    cuda_reason[256];
  gint     threads;
} IsoluxDeviceInfo;

/**
 * isolux_device_get_info:
 * @device: a device
 * @info: (out): filled
 *
 * The same as isolux_device_describe(), for programs.  Never starts a
 * driver; see isolux_device_wait().
 */
ISOLUX_API void
isolux_device_get_info (IsoluxDevice *device, IsoluxDeviceInfo *info);

/**
 * isolux_device_set_reason:
 * @device: a device of the kind CPU
 * @reason: why CUDA is off, in words; copied
 *
 * What isolux_device_get_info() and isolux_device_describe() give as the
 * reason from now on: for callers that took the CPU because CUDA had failed.
 * Devices of other kinds know better and keep theirs.
 */
ISOLUX_API void
isolux_device_set_reason (IsoluxDevice *device, const gchar *reason);

/* ---- Surfaces ----------------------------------------------------- */

typedef struct _IsoluxSurface IsoluxSurface;

/**
 * isolux_surface_new:
 * @device: where it lives; the surface keeps a reference
 * @image: its shape and type; copied
 * @error: return location for an error, or %NULL
 *
 * Makes a surface whose pixels are not yet defined.  On a device of the
 * kind auto this call decides which backend works on it.
 *
 * Returns: (transfer full): the surface, or %NULL; to be freed with
 *   isolux_surface_unref()
 */
ISOLUX_API IsoluxSurface *isolux_surface_new (IsoluxDevice      *device,
                                              const IsoluxImage *image,
                                              GError           **error);

/**
 * isolux_surface_wrap:
 * @device: a device of the kind CPU or CUDA
 * @image: the shape and type of what is at @view
 * @view: memory that the surface uses in place: host memory for the CPU,
 *   device memory for CUDA.  It is borrowed until the surface is freed.
 * @stream: (nullable): a CUstream (= cudaStream_t) of the device's
 *   context that operations on this surface are enqueued on, %NULL for a
 *   lane of the library's own; ignored for the CPU
 * @error: return location for an error, or %NULL
 *
 * A surface in memory of the caller's (a PyTorch tensor, an OpenCV
 * GpuMat, ...).  With @stream, operations that return nothing to the
 * host are enqueued and not waited for; those that return a value wait
 * for the stream.  When several surfaces of a call carry a stream, it
 * must be the same one.
 *
 * Returns: (transfer full): the surface, or %NULL
 */
ISOLUX_API IsoluxSurface *isolux_surface_wrap (IsoluxDevice      *device,
                                               const IsoluxImage *image,
                                               const IsoluxView  *view,
                                               gpointer           stream,
                                               GError           **error);

/**
 * isolux_surface_new_part:
 * @surface: a surface
 * @rectangle: (nullable): a part of it; %NULL for all; must lie inside
 * @error: return location for an error, or %NULL
 *
 * A surface that is a part of another: the same pixels, the first one of the
 * rectangle at (0, 0), with a region of its own, which is all of it at first.
 * It keeps @surface alive.  As to threads, both count as one surface.
 *
 * Returns: (transfer full): the part, or %NULL
 */
ISOLUX_API IsoluxSurface *
isolux_surface_new_part (IsoluxSurface         *surface,
                         const IsoluxRectangle *rectangle,
                         GError               **error);

ISOLUX_API IsoluxSurface *isolux_surface_ref (IsoluxSurface *surface);

/**
 * isolux_surface_unref:
 * @surface: (nullable): a surface
 */
ISOLUX_API void isolux_surface_unref (IsoluxSurface *surface);

/**
 * isolux_surface_get_image:
 * @surface: a surface
 *
 * Returns: (transfer none): its shape and type, @bits as given
 */
ISOLUX_API const IsoluxImage *isolux_surface_get_image (IsoluxSurface *surface);

/**
 * isolux_surface_get_backend:
 * @surface: a surface
 *
 * Returns: where its pixels are: %ISOLUX_BACKEND_CPU or
 *   %ISOLUX_BACKEND_CUDA
 */
ISOLUX_API IsoluxBackendKind
isolux_surface_get_backend (IsoluxSurface *surface);

/**
 * isolux_surface_set_region:
 * @surface: a surface
 * @rectangle: (nullable): the pixels that count; %NULL for all.  Parts
 *   outside the surface are cut off; what is left may be empty.
 * @mask: (nullable): one byte a pixel of @rectangle as given, 0 = does
 *   not count; %NULL for the whole rectangle.  Host memory, copied.
 * @mask_stride: bytes from one row of @mask to the next
 * @error: return location for an error, or %NULL
 *
 * Says which pixels count, see "What counts" above.  The region belongs
 * to the source of an operation; that of a destination is not looked at.
 *
 * Returns: %FALSE on error; the region is then unchanged
 */
ISOLUX_API gboolean isolux_surface_set_region (IsoluxSurface         *surface,
                                               const IsoluxRectangle *rectangle,
                                               const guint8          *mask,
                                               gsize    mask_stride,
                                               GError **error);

/**
 * isolux_surface_leave_out:
 * @surface: a surface with its pixels
 * @value: in the image's units; not NaN
 * @tolerance: 0 or more, in the same units
 * @error: return location for an error, or %NULL
 *
 * Takes pixels of one value, such as a scanner's padding, out of the region:
 * those whose colour components all differ from @value by no more than
 * @tolerance (the two limits are rounded to single precision) do not count
 * any more.  The pixels are looked at once, as they are now; calls add up;
 * isolux_surface_set_region() starts anew.  A value that no component can
 * have leaves nothing out.
 *
 * Returns: %FALSE on error; the region is then unchanged
 */
ISOLUX_API gboolean isolux_surface_leave_out (IsoluxSurface *surface,
                                              gdouble        value,
                                              gdouble        tolerance,
                                              GError       **error);

/**
 * isolux_surface_share_region:
 * @surface: a surface
 * @other: one of the same size on the same device
 * @error: return location for an error, or %NULL
 *
 * Lets the same pixels count in @surface as in @other, without a copy of the
 * mask.  It keeps @other alive; the region of @other must not be set anew
 * before that of @surface is, or before @surface is freed.
 *
 * Returns: %FALSE on error; the region is then unchanged
 */
ISOLUX_API gboolean isolux_surface_share_region (IsoluxSurface *surface,
                                                 IsoluxSurface *other,
                                                 GError       **error);

/**
 * isolux_surface_upload:
 * @surface: the surface to fill
 * @view: host memory to copy from
 * @rectangle: (nullable): the part of the surface that @view holds; %NULL
 *   for all; must lie inside the surface
 * @error: return location for an error, or %NULL
 *
 * Returns: %FALSE on error; the surface's pixels are then undefined
 */
ISOLUX_API gboolean isolux_surface_upload (IsoluxSurface         *surface,
                                           const IsoluxView      *view,
                                           const IsoluxRectangle *rectangle,
                                           GError               **error);

/**
 * isolux_surface_download:
 * @surface: the surface to read
 * @view: host memory to copy to; bytes between the rows stay untouched
 * @rectangle: (nullable): the part of the surface to copy; %NULL for all;
 *   must lie inside the surface
 * @error: return location for an error, or %NULL
 *
 * Returns: %FALSE on error; what is at @view is then undefined
 */
ISOLUX_API gboolean isolux_surface_download (IsoluxSurface         *surface,
                                             const IsoluxView      *view,
                                             const IsoluxRectangle *rectangle,
                                             GError               **error);

/**
 * isolux_surface_upload_rows:
 * @surface: the surface to fill
 * @read: fills rows; see #IsoluxRowsFunc
 * @user_data: handed to @read
 * @error: return location for an error, or %NULL
 *
 * Fills a surface through a callback, whose work overlaps with the
 * copying.
 *
 * Returns: %FALSE on error; the surface's pixels are then undefined
 */
ISOLUX_API gboolean isolux_surface_upload_rows (IsoluxSurface *surface,
                                                IsoluxRowsFunc read,
                                                gpointer       user_data,
                                                GError       **error);

/**
 * isolux_surface_download_rows:
 * @surface: the surface to read
 * @write: takes rows; see #IsoluxRowsFunc
 * @user_data: handed to @write
 * @error: return location for an error, or %NULL
 *
 * Returns: %FALSE on error; some rows may have been handed out
 */
ISOLUX_API gboolean isolux_surface_download_rows (IsoluxSurface *surface,
                                                  IsoluxRowsFunc write,
                                                  gpointer       user_data,
                                                  GError       **error);

/* ---- Reports ------------------------------------------------------ */

/**
 * IsoluxReport:
 * @backend: what computed
 * @unchanged: the operation decided to leave the image as it is (constant,
 *   nothing counts, or already uniform within the skip threshold)
 * @warning: "" or, in words, what went wrong on the way although the
 *   result is right: a CUDA failure after which the CPU did the work
 * @upload_ms: time of reading rows and copying to the device
 * @compute_ms: time of the operation
 * @download_ms: time of copying back and writing rows
 *
 * What a call did.  Times are wall-clock milliseconds, 0 when not
 * applicable; isolux_process() alone fills @upload_ms and @download_ms.
 */
typedef struct
{
  IsoluxBackendKind backend;
  gboolean          unchanged;
  gchar             warning[256];
  gdouble           upload_ms;
  gdouble           compute_ms;
  gdouble           download_ms;
} IsoluxReport;

/* ---- Grayscale ---------------------------------------------------- */

/**
 * IsoluxGrayMethod:
 * @ISOLUX_GRAY_LUMA_BT601: 0.299 R' + 0.587 G' + 0.114 B' of the codes as
 *   they are.  u8 and u16: (9798 R + 19235 G + 3735 B + 16384) >> 15,
 *   which is what cv2.cvtColor (RGB2GRAY) computes.
 * @ISOLUX_GRAY_LUMA_BT709: 0.2126 R' + 0.7152 G' + 0.0722 B' (Rec. ITU-R
 *   BT.709).  u8 and u16: (6966 R + 23436 G + 2366 B + 16384) >> 15.
 * @ISOLUX_GRAY_LUMINANCE: the gray of the same luminance: components are
 *   decoded to linear light, weighted, and encoded again, to the code
 *   whose linear value is nearest
 * @ISOLUX_GRAY_LIGHTNESS: CIE 1976 L* of the luminance, 0 .. 100 mapped to
 *   the whole range of codes: L* / 100 * (2^n - 1), rounded; for f32 L* /
 *   100.  Luminances outside 0 .. 1 are clamped first.
 * @ISOLUX_GRAY_AVERAGE: (R + G + B) / 3, rounded to nearest
 * @ISOLUX_GRAY_MAXIMUM: the largest of R, G and B (HSV value)
 *
 * How three components become one.  f32 computes in double precision and
 * rounds once; a NaN in any component gives NaN.
 */
typedef enum
{
  ISOLUX_GRAY_LUMA_BT601,
  ISOLUX_GRAY_LUMA_BT709,
  ISOLUX_GRAY_LUMINANCE,
  ISOLUX_GRAY_LIGHTNESS,
  ISOLUX_GRAY_AVERAGE,
  ISOLUX_GRAY_MAXIMUM
} IsoluxGrayMethod;

/**
 * IsoluxGrayOptions:
 * @method: see #IsoluxGrayMethod
 * @weights: luminance weights of R, G and B, for luminance and lightness;
 *   each at least 0, sum 1 within 0.001.  Default: those of sRGB.
 * @decode: (nullable): for u8 and u16, luminance and lightness: three
 *   tables of 256 or 65536 linear values in a row, for R, G and B,
 *   strictly increasing, 0 .. 1, borrowed for the call; %NULL for the
 *   transfer curve of sRGB (IEC 61966-2-1).  f32 is taken as linear light
 *   already.
 */
typedef struct
{
  IsoluxGrayMethod method;
  gdouble          weights[3];
  const gfloat    *decode;
} IsoluxGrayOptions;

/**
 * ISOLUX_GRAY_DEFAULTS:
 *
 * Initializer: BT.601 luma; sRGB's weights and curve.
 */
#define ISOLUX_GRAY_DEFAULTS \
  { ISOLUX_GRAY_LUMA_BT601, { 0.2126, 0.7152, 0.0722 }, NULL }

/**
 * isolux_grayscale:
 * @source: 1 to 4 components
 * @destination: same size and type, on the same device; may be @source.
 *   1 or 2 components take the gray value, 3 or 4 take it three times;
 *   alpha is copied, and full where the source has none.  A gray source
 *   is copied as it is.
 * @options: (nullable): %NULL for the defaults
 * @report: (out) (optional): what was done
 * @error: return location for an error, or %NULL
 *
 * Makes an image gray.  All pixels are converted, also those with alpha 0
 * or outside the region: there is no statistic here.
 *
 * Returns: %FALSE on error
 */
ISOLUX_API gboolean isolux_grayscale (IsoluxSurface           *source,
                                      IsoluxSurface           *destination,
                                      const IsoluxGrayOptions *options,
                                      IsoluxReport            *report,
                                      GError                 **error);

/* ---- Histogram ---------------------------------------------------- */

/**
 * IsoluxChannel:
 * @ISOLUX_CHANNEL_LUMA: for RGB the luma by @weights, rounded to a code;
 *   for gray the gray value
 * @ISOLUX_CHANNEL_EACH: each of the 1 or 3 colour components
 * @ISOLUX_CHANNEL_RED: the first component (gray: the gray value)
 * @ISOLUX_CHANNEL_GREEN: the second (gray: the gray value)
 * @ISOLUX_CHANNEL_BLUE: the third (gray: the gray value)
 * @ISOLUX_CHANNEL_ALPHA: alpha, of all pixels of the region
 */
typedef enum
{
  ISOLUX_CHANNEL_LUMA,
  ISOLUX_CHANNEL_EACH,
  ISOLUX_CHANNEL_RED,
  ISOLUX_CHANNEL_GREEN,
  ISOLUX_CHANNEL_BLUE,
  ISOLUX_CHANNEL_ALPHA
} IsoluxChannel;

/**
 * IsoluxHistogramOptions:
 * @channel: what is counted
 * @bins: number of bins, a power of two from 2 to 65536; 0 = automatic:
 *   256 for u8, 2^bits for u16, 65536 for f32.  For u8 and u16 at most one
 *   bin a code; with fewer bins than codes, a bin holds equally many
 *   codes.
 * @low: f32 only: lower edge of the first bin
 * @high: f32 only: upper edge of the last bin.  Where @low < @high does
 *   not hold, the range is measured: the least and the largest finite
 *   value that counts.  Values outside count in the first or last bin.
 * @weights: luma weights of R, G and B, each at least 0, sum 1 within
 *   0.001.  u8 and u16 use them in whole 1/32768: red and green rounded to
 *   nearest, blue the rest.
 */
typedef struct
{
  IsoluxChannel channel;
  gint          bins;
  gdouble       low;
  gdouble       high;
  gdouble       weights[3];
} IsoluxHistogramOptions;

/**
 * ISOLUX_HISTOGRAM_DEFAULTS:
 *
 * Initializer: luma (BT.601), automatic bins, measured range.
 */
#define ISOLUX_HISTOGRAM_DEFAULTS \
  { ISOLUX_CHANNEL_LUMA, 0, 0.0, 0.0, { 0.299, 0.587, 0.114 } }

/**
 * IsoluxHistogram:
 * @type: the type of the image
 * @bits: 8 for u8, the significant bits given or found for u16, 0 for f32
 * @channels: 1 or 3
 * @bins: bins of each channel
 * @low: u8 and u16: 0.  f32: lower edge of the first bin
 * @high: u8 and u16: the largest code, 2^bits - 1.  f32: upper edge of the
 *   last bin; equal to @low when all values are equal or none counts
 * @counts: @channels rows of @bins counts
 * @total: per channel, how many pixels counted (the sum of its counts)
 * @minimum: per channel, the least finite value that counted; 0 when none
 * @maximum: per channel, the largest; values, not bins
 *
 * Bin k of u8 and u16 holds the codes k * 2^bits / bins to (k + 1) * 2^bits
 * / bins - 1; bin k of f32 the values v with floor ((v - low) * (bins /
 * (high - low))) = k, in double precision, @high itself in the last one.
 */
typedef struct
{
  IsoluxType type;
  gint       bits;
  gint       channels;
  gint       bins;
  gdouble    low;
  gdouble    high;
  guint64   *counts;
  guint64    total[3];
  gdouble    minimum[3];
  gdouble    maximum[3];
} IsoluxHistogram;

/**
 * isolux_histogram:
 * @surface: the image; its region and alpha say what counts
 * @options: (nullable): %NULL for the defaults
 * @report: (out) (optional): what was done
 * @error: return location for an error, or %NULL
 *
 * Counts values.
 *
 * Returns: (transfer full): the histogram, or %NULL; to be freed with
 *   isolux_histogram_free()
 */
ISOLUX_API IsoluxHistogram *
isolux_histogram (IsoluxSurface                *surface,
                  const IsoluxHistogramOptions *options,
                  IsoluxReport                 *report,
                  GError                      **error);

/**
 * isolux_histogram_new:
 * @type: the type of the image
 * @bits: significant bits, 8 for u8, 8 .. 16 for u16, 0 for f32
 * @channels: 1 or 3
 * @bins: a power of two, 2 .. 65536, at most 2^bits
 * @low: see #IsoluxHistogram
 * @high: see #IsoluxHistogram
 * @counts: (nullable): @channels * @bins counts to copy, %NULL for zeros;
 *   the sum of a channel at most 2^46
 * @error: return location for an error, or %NULL
 *
 * A histogram from counts of the caller's own; totals are summed, minimum
 * and maximum taken from the outermost bins that are not empty (their
 * codes; for f32 the outer edges).
 *
 * Returns: (transfer full): the histogram, or %NULL
 */
ISOLUX_API IsoluxHistogram *isolux_histogram_new (IsoluxType     type,
                                                  gint           bits,
                                                  gint           channels,
                                                  gint           bins,
                                                  gdouble        low,
                                                  gdouble        high,
                                                  const guint64 *counts,
                                                  GError       **error);

/**
 * isolux_histogram_free:
 * @histogram: (nullable): a histogram
 */
ISOLUX_API void isolux_histogram_free (IsoluxHistogram *histogram);

/**
 * isolux_histogram_value:
 * @histogram: a histogram
 * @bin: 0 .. bins - 1
 *
 * Returns: the value in the middle of a bin, in the image's units; for one
 *   code a bin, the code
 */
ISOLUX_API gdouble isolux_histogram_value (const IsoluxHistogram *histogram,
                                           gint                   bin);

/**
 * IsoluxStatistics:
 * @count: pixels that counted
 * @distinct: bins that are not empty
 * @minimum: least value
 * @maximum: largest value
 * @mean: arithmetic mean of isolux_histogram_value() over the pixels
 * @sd: standard deviation (of the population), likewise
 * @entropy: Shannon entropy of the bins, in bits
 *
 * In the image's units.  All 0 when nothing counts.  Exact where a bin
 * holds one code; else within half a bin.
 */
typedef struct
{
  guint64 count;
  guint64 distinct;
  gdouble minimum;
  gdouble maximum;
  gdouble mean;
  gdouble sd;
  gdouble entropy;
} IsoluxStatistics;

/**
 * isolux_histogram_get_statistics:
 * @histogram: a histogram
 * @channel: 0 .. channels - 1
 * @statistics: (out): filled
 */
ISOLUX_API void
isolux_histogram_get_statistics (const IsoluxHistogram *histogram,
                                 gint                   channel,
                                 IsoluxStatistics      *statistics);

/**
 * isolux_histogram_percentile:
 * @histogram: a histogram
 * @channel: 0 .. channels - 1
 * @percent: 0 .. 100
 *
 * Returns: the value of the first bin whose cumulative count reaches
 *   @percent of the total (and is not empty), see
 *   isolux_histogram_value(); 0 when nothing counts
 */
ISOLUX_API gdouble
isolux_histogram_percentile (const IsoluxHistogram *histogram,
                             gint                   channel,
                             gdouble                percent);

/**
 * isolux_histogram_uniformity:
 * @histogram: a histogram
 * @channel: 0 .. channels - 1
 *
 * The Kolmogorov-Smirnov distance of a channel from the uniform
 * distribution: the largest |F(k) - (k + 1) / bins| over the bins k, where
 * F(k) is the share of pixels in the bins 0 .. k.
 *
 * Returns: 0 (exactly uniform) .. 1; 0 when nothing counts
 */
ISOLUX_API gdouble
isolux_histogram_uniformity (const IsoluxHistogram *histogram, gint channel);

/* ---- Equalization ------------------------------------------------- */

/**
 * IsoluxEqualizeChannels:
 * @ISOLUX_EQUALIZE_LUMA: RGB: the luma is equalized and its change added
 *   to the three components, so that chroma (the differences of the
 *   components from the luma) and with it the hue stay.  Where a component
 *   would leave the range of codes, chroma is shortened, at the same luma
 *   and hue, just as far as needed.
 * @ISOLUX_EQUALIZE_EACH: each colour component by its own histogram; hues
 *   shift
 *
 * A gray image is equalized the same by both.
 */
typedef enum
{
  ISOLUX_EQUALIZE_LUMA,
  ISOLUX_EQUALIZE_EACH
} IsoluxEqualizeChannels;

/**
 * IsoluxEqualizeOptions:
 * @channels: see #IsoluxEqualizeChannels
 * @clip_limit: the most that a bin may count, as a multiple of the mean
 *   bin (total / bins); what is above is spread evenly over all bins.  0 =
 *   no limit; else 0 < clip_limit <= 65536.  The lower, the weaker the
 *   effect; towards 0 the picture is only stretched from its darkest value.
 * @skip_threshold: 0 .. 1: leave the image (or channel) as it is when its
 *   isolux_histogram_uniformity() is at most this; 0 = never
 * @weights: luma weights, see #IsoluxHistogramOptions
 */
typedef struct
{
  IsoluxEqualizeChannels channels;
  gdouble                clip_limit;
  gdouble                skip_threshold;
  gdouble                weights[3];
} IsoluxEqualizeOptions;

/**
 * ISOLUX_EQUALIZE_DEFAULTS:
 *
 * Initializer: luma (BT.601), no clip limit, never skipped.
 */
#define ISOLUX_EQUALIZE_DEFAULTS \
  { ISOLUX_EQUALIZE_LUMA, 0.0, 0.0, { 0.299, 0.587, 0.114 } }

/**
 * isolux_equalize:
 * @source: the image; its region and alpha say what counts
 * @destination: same size, type and components, on the same device; may
 *   be @source
 * @options: (nullable): %NULL for the defaults
 * @report: (out) (optional): what was done
 * @error: return location for an error, or %NULL
 *
 * Histogram equalization over the whole range of the type: codes 0 ..
 * 255, 0 .. 65535, or 0.0 .. 1.0 for f32.  With i the first bin that is
 * not empty, n the total and s(k) the cumulative count up to bin k, after
 * clipping,
 *
 *   lut (k) = round ((s(k) - s(i)) * (max / (n - s(i))))
 *
 * u8 without a clip limit (or with one that cuts nothing) is
 * cv2.equalizeHist to the bit: single precision, round half to even.
 * Everything else computes in double precision, counts in 1/65536.  u16
 * has 2^bits bins, f32 65536 bins over the measured range (with
 * %ISOLUX_EQUALIZE_EACH each channel's own).  An image (or channel) whose
 * counting pixels all have one value, infinite ones not looked at, comes
 * back as it is.
 * Alpha is copied.
 *
 * Returns: %FALSE on error
 */
ISOLUX_API gboolean isolux_equalize (IsoluxSurface               *source,
                                     IsoluxSurface               *destination,
                                     const IsoluxEqualizeOptions *options,
                                     IsoluxReport                *report,
                                     GError                     **error);

/* ---- Lookup tables ------------------------------------------------ */

/**
 * IsoluxLut:
 * @type: the type of image it is for
 * @channels: 1 (gray or luma) or 3 (each colour component)
 * @bins: entries of each channel
 * @bits: u16: significant bits; entry k serves the codes of bin k
 * @low: f32: see #IsoluxHistogram
 * @high: f32: see #IsoluxHistogram
 * @identity: per channel, whether it leaves values as they are (its
 *   entries are then not looked at)
 * @entries: @channels rows of @bins values of @type
 *
 * A table from bins to values.
 */
typedef struct
{
  IsoluxType type;
  gint       channels;
  gint       bins;
  gint       bits;
  gdouble    low;
  gdouble    high;
  gboolean   identity[3];
  gpointer   entries;
} IsoluxLut;

/**
 * isolux_lut_new_equalize:
 * @histogram: of one or three channels
 * @options: (nullable): clip limit and skip threshold; %NULL for the
 *   defaults
 * @error: return location for an error, or %NULL
 *
 * The table that isolux_equalize() uses, from a histogram.  A histogram of
 * three f32 channels has one range for all; isolux_equalize() measures each
 * channel's own, which is the one difference.
 *
 * Returns: (transfer full): the table, or %NULL; to be freed with
 *   isolux_lut_free()
 */
ISOLUX_API IsoluxLut *
isolux_lut_new_equalize (const IsoluxHistogram       *histogram,
                         const IsoluxEqualizeOptions *options,
                         GError                     **error);

/**
 * isolux_lut_free:
 * @lut: (nullable): a table
 */
ISOLUX_API void isolux_lut_free (IsoluxLut *lut);

/**
 * isolux_lut_apply:
 * @source: the image; its region and alpha say which pixels change
 * @destination: same size, type and components, on the same device; may
 *   be @source
 * @lut: of the image's type.  One channel for RGB is applied to the luma,
 *   see %ISOLUX_EQUALIZE_LUMA; three channels need RGB.
 * @weights: (nullable) (array fixed-size=3): luma weights; %NULL for
 *   BT.601's
 * @report: (out) (optional): what was done
 * @error: return location for an error, or %NULL
 *
 * Returns: %FALSE on error
 */
ISOLUX_API gboolean isolux_lut_apply (IsoluxSurface   *source,
                                      IsoluxSurface   *destination,
                                      const IsoluxLut *lut,
                                      const gdouble   *weights,
                                      IsoluxReport    *report,
                                      GError         **error);

/* ---- CLAHE -------------------------------------------------------- */

/**
 * IsoluxClaheCompatibility:
 * @ISOLUX_CLAHE_ISOLUX: u8 with automatic bins as cv2.createCLAHE computes
 *   it, but an image of one value stays as it is; everything else by finer
 *   rules, see isolux_clahe()
 * @ISOLUX_CLAHE_OPENCV: u8 and u16 as cv2.createCLAHE, to the bit, images
 *   of one value included; @bins and significant bits are not looked at.
 *   f32, which cv2 does not take, as with %ISOLUX_CLAHE_ISOLUX.
 */
typedef enum
{
  ISOLUX_CLAHE_ISOLUX,
  ISOLUX_CLAHE_OPENCV
} IsoluxClaheCompatibility;

/**
 * IsoluxClaheOptions:
 * @channels: see #IsoluxEqualizeChannels; luma has one table a tile, each
 *   three
 * @clip_limit: the most that a bin of a tile may count, as a multiple of
 *   the tile's mean bin (pixels / bins); 0 = no limit; else 0 < clip_limit
 *   <= 65536.  The lower, the weaker the effect.  This is the clipLimit of
 *   OpenCV, DALI, Kornia and CV-CUDA and the slope of Fiji; scikit-image's
 *   clip_limit times its number of bins (256) is the same number.
 * @tiles_x: tiles across, 1 .. 1024; tiles may outnumber pixels
 * @tiles_y: tiles down, likewise
 * @tile_size: side of a tile in pixels, 1 .. 65536; the grid is then
 *   ceil (width / tile_size) x ceil (height / tile_size), each at most
 *   1024, and tiles are as large as that grid makes them; 0 = @tiles_x and
 *   @tiles_y say, which are not looked at otherwise
 * @bins: 0 = automatic, or 256, 1024, 4096, 16384 or 65536; never more than
 *   there are codes, and never more than a tile has pixels, automatically
 *   than a sixteenth of them (rounded down to a power of two, at least 256)
 * @use_padding_value: whether pixels of one value do not count
 * @padding_value: that value, in the image's units and not NaN: a pixel
 *   whose colour components are all equal to it (f32: to it, rounded to
 *   single precision) does not count
 * @compatibility: see #IsoluxClaheCompatibility
 * @weights: luma weights, see #IsoluxHistogramOptions
 */
typedef struct
{
  IsoluxEqualizeChannels   channels;
  gdouble                  clip_limit;
  gint                     tiles_x;
  gint                     tiles_y;
  gint                     tile_size;
  gint                     bins;
  gboolean                 use_padding_value;
  gdouble                  padding_value;
  IsoluxClaheCompatibility compatibility;
  gdouble                  weights[3];
} IsoluxClaheOptions;

/**
 * ISOLUX_CLAHE_DEFAULTS:
 *
 * Initializer: luma (BT.601), clip limit 2, 8 x 8 tiles, automatic bins.
 */
#define ISOLUX_CLAHE_DEFAULTS                                                 \
  { ISOLUX_EQUALIZE_LUMA,   2.0, 8, 8, 0, 0, FALSE, 0.0, ISOLUX_CLAHE_ISOLUX, \
    { 0.299, 0.587, 0.114 } }

/**
 * isolux_clahe:
 * @source: the image; its region and alpha say what counts
 * @destination: same size, type and components, on the same device; may
 *   be @source
 * @options: (nullable): %NULL for the defaults
 * @report: (out) (optional): what was done
 * @error: return location for an error, or %NULL
 *
 * Contrast-limited adaptive histogram equalization: a table for each tile
 * of a grid, from its clipped histogram, and each pixel from the tables of
 * the four tiles whose middles are nearest (Zuiderveld, Graphics Gems IV,
 * 1994).
 *
 * Tiles are cv2.createCLAHE's: when a side of the image is no multiple of
 * its number of tiles, both sides are continued to the next greater
 * multiple, mirrored at the last pixel, which is not repeated; that counts
 * in the histograms.  Interpolation is in single precision, each operation
 * rounded once, in cv2's order: with f = x * (1 / tile_width) - 0.5, i =
 * floor (f) and a = f - i, and j, b likewise down, and tiles beyond the
 * edge replaced by those at it,
 *
 *   (t(i, j) * (1 - a) + t(i + 1, j) * a) * (1 - b) +
 *   (t(i, j + 1) * (1 - a) + t(i + 1, j + 1) * a) * b
 *
 * rounded to nearest, halves to even.  Turning image and grid over turns
 * the result over, within one code.
 *
 * The table of a tile with n pixels, B bins and the cumulative counts s(k)
 * after clipping is
 *
 *   t (k) = round (s(k) * max / n)
 *
 * cv2's rules (u8 with automatic bins; u8 and u16 with
 * %ISOLUX_CLAHE_OPENCV): a bin for each code; the limit is cut down to a
 * whole count, at least 1; of what it cuts off each bin gets an equal whole
 * count, and what is left, r, goes to every max (B / r, 1)-th bin from the
 * first on, one each; t is rounded from single precision.
 *
 * The finer rules (all else): B is the least of 2^bits for u16, 65536 for
 * f32, the largest power of two that is not above the pixels of a tile (at
 * least 256), and @bins; when @bins is 0, not above a sixteenth of the
 * pixels, so that chance alone does not fill bins up to the limit.  u16 has
 * bins over 0 .. 2^bits - 1, f32 over the measured range of each channel
 * (least to largest finite value that counts).  Counts are in 1/65536, the
 * limit is a fraction, what it cuts off is spread over all bins evenly, and
 * t is computed in double precision over the whole range of the type, 0 ..
 * 65535 or 0.0 .. 1.0.  Within a bin that holds several codes, the value
 * goes linearly from t(k - 1) to t(k):
 * of the codes c .. d that are the least and the largest of the bin that
 * count anywhere in the image, code v has (v - c + 1) / (d - c + 1) of the
 * way; f32 values have the share of the bin that lies below them.  So no
 * level is lost, and the picture looks like that of 8 bits.
 *
 * Pixels that do not count (see "What counts", and padding_value) are left
 * out of the histograms, too: n is what is left.  A tile without a pixel
 * has the histograms of the tiles around it, the smallest square of tiles
 * that has pixels, together.  With the finer rules, and for u8 without
 * %ISOLUX_CLAHE_OPENCV, an image (or channel) whose counting pixels all
 * have one value comes back as it is.  Alpha is copied.
 *
 * Tables need 1, 2 or 4 bytes (u8, u16, f32) for each tile, bin and table
 * of a tile, so not much more than the image itself; but 128 KB a tile for
 * u16 with %ISOLUX_CLAHE_OPENCV, which is refused above 4 GB.
 *
 * Returns: %FALSE on error
 */
ISOLUX_API gboolean isolux_clahe (IsoluxSurface            *source,
                                  IsoluxSurface            *destination,
                                  const IsoluxClaheOptions *options,
                                  IsoluxReport             *report,
                                  GError                  **error);

/* ---- Window ------------------------------------------------------- */

/**
 * IsoluxWindowMode:
 * @ISOLUX_WINDOW_WINDOW: @center - @width / 2 .. @center + @width / 2
 * @ISOLUX_WINDOW_PERCENTILE: from the @low_percentile to the
 *   @high_percentile of what counts
 * @ISOLUX_WINDOW_RANGE: from the least to the largest value that counts
 */
typedef enum
{
  ISOLUX_WINDOW_WINDOW,
  ISOLUX_WINDOW_PERCENTILE,
  ISOLUX_WINDOW_RANGE
} IsoluxWindowMode;

/**
 * IsoluxWindowOptions:
 * @mode: which range of values becomes the whole range of the type
 * @center: middle of the window, in the image's units (codes of u8 and
 *   u16, values of f32)
 * @width: width of the window, greater than 0, in the same units
 * @low_percentile: 0 .. 100, less than @high_percentile; 0 is the least
 *   value that counts.  Percentiles are those of the full depth: of single
 *   codes, and for f32 to 1/4096 of the window.
 * @high_percentile: 0 .. 100; 100 is the largest value that counts
 * @invert: whether the largest value becomes black; done last
 * @gamma: 0.1 .. 10: the result is (value)^(1 / gamma); 1 = linear
 * @channels: luma: one range, that of the luma, which is applied to each
 *   component alike; each: each component has a range of its own
 * @weights: luma weights, see #IsoluxHistogramOptions
 */
typedef struct
{
  IsoluxWindowMode       mode;
  gdouble                center;
  gdouble                width;
  gdouble                low_percentile;
  gdouble                high_percentile;
  gboolean               invert;
  gdouble                gamma;
  IsoluxEqualizeChannels channels;
  gdouble                weights[3];
} IsoluxWindowOptions;

/**
 * ISOLUX_WINDOW_DEFAULTS:
 *
 * Initializer: percentiles 0.5 and 99.5, not inverted, linear.
 */
#define ISOLUX_WINDOW_DEFAULTS \
  { ISOLUX_WINDOW_PERCENTILE,  \
    0.5,                       \
    1.0,                       \
    0.5,                       \
    99.5,                      \
    FALSE,                     \
    1.0,                       \
    ISOLUX_EQUALIZE_LUMA,      \
    { 0.299, 0.587, 0.114 } }

/**
 * isolux_window:
 * @source: the image; its region and alpha say what counts
 * @destination: same size, type and components, on the same device; may
 *   be @source
 * @options: (nullable): %NULL for the defaults
 * @report: (out) (optional): what was done
 * @error: return location for an error, or %NULL
 *
 * Stretches a range of values, low .. high, over the whole range of the
 * type, max = 255, 65535 or 1.0:
 *
 *   t = clamp ((value - low) / (high - low), 0, 1)^(1 / gamma)
 *   result = max * t, or with invert max * (1 - t); codes are rounded
 *
 * in double precision; the power is within 1e-13 of the exact one.  Values
 * beyond the range, infinite ones too, become its ends.  So 12-bit data in
 * a 16-bit file, which looks black, fills the range: its significant bits
 * play no part in the result, and operations that come next should be told
 * no fewer than 16 (the destination's @bits of 0 or 16).
 *
 * A range that is empty (constant image, nothing counts, or a percentile
 * that is both the low and the high one) leaves the image, or the
 * component, as it is.  A NaN stays; with luma, so does its whole pixel.
 *
 * Returns: %FALSE on error
 */
ISOLUX_API gboolean isolux_window (IsoluxSurface             *source,
                                   IsoluxSurface             *destination,
                                   const IsoluxWindowOptions *options,
                                   IsoluxReport              *report,
                                   GError                   **error);

/**
 * isolux_window_measure:
 * @source: the image; its region and alpha say what counts
 * @options: (nullable): %NULL for the defaults
 * @low: (out caller-allocates) (array fixed-size=3): what becomes black
 * @high: (out caller-allocates) (array fixed-size=3): what becomes white
 * @report: (out) (optional): what was done
 * @error: return location for an error, or %NULL
 *
 * The range of values that isolux_window() stretches, of each component, in
 * the image's units; where there is but one, three times the same.  An empty
 * range (low >= high) leaves the component as it is.
 *
 * Returns: %FALSE on error
 */
ISOLUX_API gboolean isolux_window_measure (IsoluxSurface             *source,
                                           const IsoluxWindowOptions *options,
                                           gdouble                    low[3],
                                           gdouble                    high[3],
                                           IsoluxReport              *report,
                                           GError                   **error);

/**
 * isolux_window_apply:
 * @source: the image; its region and alpha say what changes
 * @destination: see isolux_window()
 * @options: (nullable): %NULL for the defaults
 * @low: what becomes black, finite
 * @high: what becomes white, finite
 * @report: (out) (optional): what was done
 * @error: return location for an error, or %NULL
 *
 * isolux_window() with ranges that are known: after isolux_window_measure()
 * of the same image and options it gives the same pixels.  Where luma has one
 * range, the first one is taken.
 *
 * Returns: %FALSE on error
 */
ISOLUX_API gboolean isolux_window_apply (IsoluxSurface             *source,
                                         IsoluxSurface             *destination,
                                         const IsoluxWindowOptions *options,
                                         const gdouble              low[3],
                                         const gdouble              high[3],
                                         IsoluxReport              *report,
                                         GError                   **error);

/* ---- Contrast map ------------------------------------------------- */

/**
 * IsoluxContrastMeasure:
 * @ISOLUX_CONTRAST_ENTROPY: Shannon entropy of a tile's histogram of 256
 *   bins, over its largest possible value, 8 bits
 * @ISOLUX_CONTRAST_DEVIATION: standard deviation of a tile's values (of the
 *   population), over half the range
 * @ISOLUX_CONTRAST_RANGE: largest less least value of a tile, over the range
 *
 * Each is 0 (a tile of one value) .. 1.  The range is that of the codes of
 * the significant bits, 0 .. 2^bits - 1; for f32 from the least to the
 * largest finite value that counts, in 65536 steps.
 */
typedef enum
{
  ISOLUX_CONTRAST_ENTROPY,
  ISOLUX_CONTRAST_DEVIATION,
  ISOLUX_CONTRAST_RANGE
} IsoluxContrastMeasure;

/**
 * IsoluxContrastColors:
 * @ISOLUX_CONTRAST_GRAY: black to white
 * @ISOLUX_CONTRAST_COLORS: black, blue, red, yellow, white, perceptually
 *   uniform: CIE L* is 100 times the measure.  Codes of sRGB.  For RGB
 *   destinations; gray ones get gray.
 */
typedef enum
{
  ISOLUX_CONTRAST_GRAY,
  ISOLUX_CONTRAST_COLORS
} IsoluxContrastColors;

/**
 * IsoluxContrastMapOptions:
 * @measure: see #IsoluxContrastMeasure
 * @colors: see #IsoluxContrastColors
 * @tile_size: side of a tile in pixels, 2 .. 65536.  What is left at the
 *   right and at the bottom is a smaller tile, or, less than half a tile, is
 *   part of the last one.
 * @weights: luma weights, see #IsoluxHistogramOptions
 */
typedef struct
{
  IsoluxContrastMeasure measure;
  IsoluxContrastColors  colors;
  gint                  tile_size;
  gdouble               weights[3];
} IsoluxContrastMapOptions;

/**
 * ISOLUX_CONTRAST_MAP_DEFAULTS:
 *
 * Initializer: entropy, gray, tiles of 32 pixels, luma BT.601.
 */
#define ISOLUX_CONTRAST_MAP_DEFAULTS \
  { ISOLUX_CONTRAST_ENTROPY, ISOLUX_CONTRAST_GRAY, 32, { 0.299, 0.587, 0.114 } }

/**
 * isolux_contrast_map:
 * @source: the image; its region and alpha say what counts
 * @destination: same size and type, on the same device; may be @source
 *   when it has its components
 * @options: (nullable): %NULL for the defaults
 * @report: (out) (optional): what was done
 * @error: return location for an error, or %NULL
 *
 * A picture of how much contrast there is where: the gray values or lumas of
 * each tile are measured, and a pixel gets what lies between the middles of
 * the four tiles around it, bilinearly; tiles where nothing counts are left
 * out.  0 becomes the darkest, 1 the lightest value of the type.  A pixel
 * that does not count stays; where only one of the two images has colors,
 * its gray does.  Alpha is copied, and full where the source has none.
 *
 * Returns: %FALSE on error
 */
ISOLUX_API gboolean
isolux_contrast_map (IsoluxSurface                  *source,
                     IsoluxSurface                  *destination,
                     const IsoluxContrastMapOptions *options,
                     IsoluxReport                   *report,
                     GError                        **error);

/* ---- Local binary patterns ---------------------------------------- */

/**
 * IsoluxLbpMethod:
 * @ISOLUX_LBP_DEFAULT: the signs of all samples as a number, bit i that of
 *   sample i; 2^points codes
 * @ISOLUX_LBP_ROR: the least number that rotating these bits gives: the
 *   same however the image is turned; 2^points codes, few of which occur
 * @ISOLUX_LBP_UNIFORM: how many samples have sign 1, where going through
 *   the samples from 0 to the last meets at most two changes of sign; else
 *   points + 1; points + 2 codes
 * @ISOLUX_LBP_NRI_UNIFORM: the same patterns, told apart by their rotation:
 *   0 for no ones, 1 + (ones - 1) * points + rotation, points * (points -
 *   1) + 1 for all ones, else points * (points - 1) + 2; points * (points -
 *   1) + 3 codes (59 for 8 points)
 * @ISOLUX_LBP_VAR: no code but the variance of the samples, a measure of
 *   contrast
 *
 * As skimage.feature.local_binary_pattern defines them: changes of sign are
 * counted between neighboring samples, but not from the last to sample 0.
 */
typedef enum
{
  ISOLUX_LBP_DEFAULT,
  ISOLUX_LBP_ROR,
  ISOLUX_LBP_UNIFORM,
  ISOLUX_LBP_NRI_UNIFORM,
  ISOLUX_LBP_VAR
} IsoluxLbpMethod;

/**
 * IsoluxLbpOptions:
 * @radius: distance of the samples in pixels, 0.1 .. 64
 * @points: number of samples, 1 .. 24
 * @method: see #IsoluxLbpMethod
 * @raw: write the codes, or variances, themselves, to an f32 destination of
 *   one component (all codes of up to 24 bits are exact in it); else a
 *   picture for people, see isolux_lbp()
 * @weights: luma weights for RGB, see #IsoluxHistogramOptions
 */
typedef struct
{
  gdouble         radius;
  gint            points;
  IsoluxLbpMethod method;
  gboolean        raw;
  gdouble         weights[3];
} IsoluxLbpOptions;

/**
 * ISOLUX_LBP_DEFAULTS:
 *
 * Initializer: radius 1, 8 points, default method, a picture, luma BT.601.
 */
#define ISOLUX_LBP_DEFAULTS \
  { 1.0, 8, ISOLUX_LBP_DEFAULT, FALSE, { 0.299, 0.587, 0.114 } }

/**
 * isolux_lbp:
 * @source: the image; its region and alpha say which pixels get a code
 * @destination: same size, on the same device, not @source; of the same
 *   type with any components, or, raw, f32 with 1 component
 * @options: (nullable): %NULL for the defaults
 * @report: (out) (optional): what was done
 * @error: return location for an error, or %NULL
 *
 * Local binary patterns.  Sample i lies at the angle 2 pi i / points,
 * counter-clockwise from the right, @radius pixels away; its sign is 1 when
 * it is at least as large as its pixel.  A sample between pixels is
 * interpolated from the four around it (the taps).  The values are those of
 * gray, or of the luma of RGB, rounded to a code for u8 and u16.
 *
 * u8 and u16 give the numbers of skimage.feature.local_binary_pattern, to
 * the last bit (offsets rounded to five decimals, weights and sums in double
 * precision).  f32 does so too, but where four taps are equal they are the
 * sample, so that flat areas have the code of all ones and the variance 0,
 * which rounding may miss.  A comparison with NaN gives sign 0.
 *
 * Taps are read wherever they lie in the image, whether they count or not;
 * a tap outside the image is 0, so that the outermost pixels have codes as
 * of an image with a black frame.
 *
 * Raw: the destination gets codes, and 0 for pixels that do not count.
 * Variances are rounded to single precision; as with scikit-image, NaN
 * stands for a variance of 0.
 *
 * A picture: gray, over the whole range of the type (255, 65535 or 1.0).
 * Codes become code * range / (codes - 1), rounded half to even; for 8
 * points and u8 these are the codes themselves.  Variances are shown as
 * standard deviations: 0 is black, half of the range (of the significant
 * bits of u16; more cannot be) is white.  Pixels that do not count stay;
 * their luma does when RGB becomes gray.  Alpha is copied, or full.
 *
 * Returns: %FALSE on error
 */
ISOLUX_API gboolean isolux_lbp (IsoluxSurface          *source,
                                IsoluxSurface          *destination,
                                const IsoluxLbpOptions *options,
                                IsoluxReport           *report,
                                GError                **error);

/**
 * isolux_lbp_histogram:
 * @source: the image; its region and alpha say which pixels count
 * @options: (nullable): %NULL for the defaults; not %ISOLUX_LBP_VAR; raw is
 *   not looked at
 * @counts: (out) (transfer full): one count a code; to be freed with
 *   g_free()
 * @n_counts: (out): how many codes there are, see #IsoluxLbpMethod; at most
 *   2^24
 * @report: (out) (optional): what was done
 * @error: return location for an error, or %NULL
 *
 * How often each code occurs among the pixels that count.
 *
 * Returns: %FALSE on error
 */
ISOLUX_API gboolean isolux_lbp_histogram (IsoluxSurface          *source,
                                          const IsoluxLbpOptions *options,
                                          guint64               **counts,
                                          gsize                  *n_counts,
                                          IsoluxReport           *report,
                                          GError                **error);

/* ---- Histograms of oriented gradients ------------------------------ */

/**
 * IsoluxHogNorm:
 * @ISOLUX_HOG_L1: divided by the sum of the block's values
 * @ISOLUX_HOG_L1_SQRT: the square root of that
 * @ISOLUX_HOG_L2: divided by the square root of the sum of squares
 * @ISOLUX_HOG_L2_HYS: the same, cut off at 0.2, and the same again
 *
 * How a block is normalized; 1e-5 keeps divisors above 0.
 */
typedef enum
{
  ISOLUX_HOG_L1,
  ISOLUX_HOG_L1_SQRT,
  ISOLUX_HOG_L2,
  ISOLUX_HOG_L2_HYS
} IsoluxHogNorm;

/**
 * IsoluxHogGradient:
 * @ISOLUX_HOG_CENTRAL: difference of the two neighbors, not halved, as
 *   skimage.feature.hog has it; in the first and last column the gradient
 *   across is 0, in the first and last row the one down
 * @ISOLUX_HOG_SOBEL: the same differences, smoothed at right angles with
 *   the weights 1/4, 1/2, 1/4 (Sobel's operator divided by 4): the same
 *   scale, less noise; all of the outermost pixels have gradient 0
 */
typedef enum
{
  ISOLUX_HOG_CENTRAL,
  ISOLUX_HOG_SOBEL
} IsoluxHogGradient;

/**
 * IsoluxHogPicture:
 * @ISOLUX_HOG_GLYPHS: a star of lines in each cell, one for each bin, as
 *   skimage.feature.hog draws it: along the edges in the picture, which is
 *   at right angles to the gradients, at the middle of the bin, as bright
 *   as the bin is full.  Signed: half lines from the middle of the cell,
 *   the gradient's direction turned clockwise by a quarter.
 * @ISOLUX_HOG_ORIENTATION: the fullest bin of each cell (the first of
 *   equals), as the angle of its middle: (bin + 0.5) / orientations of 180
 *   or 360 degrees; 0 for a cell without gradients
 * @ISOLUX_HOG_MAGNITUDE: the magnitude of each pixel's gradient
 */
typedef enum
{
  ISOLUX_HOG_GLYPHS,
  ISOLUX_HOG_ORIENTATION,
  ISOLUX_HOG_MAGNITUDE
} IsoluxHogPicture;

/**
 * IsoluxHogOptions:
 * @orientations: bins of orientation, 1 .. 64
 * @cell_size: side of a cell in pixels, 1 .. 1024
 * @block_size: side of a block in cells, 1 .. 64
 * @norm: how a block is normalized
 * @is_signed: orientations over 360 degrees instead of 180
 * @square_root: square root of the values first; negative ones (f32) have
 *   none, and the gradients that they belong to are 0
 * @gradient: see #IsoluxHogGradient
 * @picture: what isolux_hog_picture() draws
 * @half_gradients: keep magnitudes of gradients in half precision (16 bits,
 *   rounded to nearest even) on their way to the cells: a quarter of the
 *   shared memory on a GPU.  Bins stay exact.  Magnitudes of f32 beyond
 *   4094 are taken for that.  Measured on 1200 images of each type (64 to
 *   128 pixels a side; f32 from 0.0 to 1.0 in steps of 1 / 65535), all
 *   norms, both gradients, with and without square root: values of the
 *   descriptor, which are 0 to 1, change by at most 2.5e-4, those of u8
 *   and u16 also by at most 7e-4 of themselves.
 * @raw: isolux_hog_picture(): write the values as they are, to an f32
 *   destination of one component
 * @weights: luma weights for RGB, see #IsoluxHistogramOptions
 */
typedef struct
{
  gint              orientations;
  gint              cell_size;
  gint              block_size;
  IsoluxHogNorm     norm;
  gboolean          is_signed;
  gboolean          square_root;
  IsoluxHogGradient gradient;
  IsoluxHogPicture  picture;
  gboolean          half_gradients;
  gboolean          raw;
  gdouble           weights[3];
} IsoluxHogOptions;

/**
 * ISOLUX_HOG_DEFAULTS:
 *
 * Initializer: 9 orientations, cells of 8 pixels, blocks of 3 cells,
 * L2-Hys, as skimage.feature.hog, with glyphs; luma BT.601.
 */
#define ISOLUX_HOG_DEFAULTS \
  { 9,                      \
    8,                      \
    3,                      \
    ISOLUX_HOG_L2_HYS,      \
    FALSE,                  \
    FALSE,                  \
    ISOLUX_HOG_CENTRAL,     \
    ISOLUX_HOG_GLYPHS,      \
    FALSE,                  \
    FALSE,                  \
    { 0.299, 0.587, 0.114 } }

/**
 * IsoluxHog:
 * @blocks_y: blocks down
 * @blocks_x: blocks across
 * @block_size: cells a side of a block
 * @orientations: bins of a cell
 * @values: blocks_y x blocks_x x block_size x block_size x orientations
 *   values, the last index fastest
 * @n_values: how many
 *
 * A descriptor; empty (no blocks, no values) when the image has no whole
 * block.
 */
typedef struct
{
  gint64   blocks_y;
  gint64   blocks_x;
  gint     block_size;
  gint     orientations;
  gdouble *values;
  gsize    n_values;
} IsoluxHog;

/**
 * isolux_hog:
 * @source: the image; its region and alpha say which pixels count
 * @options: (nullable): %NULL for the defaults
 * @report: (out) (optional): what was done
 * @error: return location for an error, or %NULL
 *
 * Histograms of oriented gradients, as skimage.feature.hog defines them and
 * in its layout.  The image is that of the gray, or of the luma of RGB
 * (rounded to a code for u8 and u16), in its own units.  Cells lie side by
 * side from the upper left corner; what does not fill a whole one is left
 * out.  Each pixel adds the magnitude of its gradient to the one bin of its
 * cell that holds the gradient's direction (bin 0 starts at 0 degrees: from
 * left to right; 90 degrees is downwards), in single precision and in the
 * order of the pixels; the cell's values are then divided by its number of
 * pixels.  Blocks of cells begin at every cell and are normalized in double
 * precision.
 *
 * Values agree with scikit-image's to the last bit where its atan2() is
 * rounded correctly, and in any case within 1e-6 of them, unless a gradient
 * lies on the edge of a bin to the last bit and square_root is set.  The GPU
 * gives the CPU's bytes.
 *
 * Gradients are taken from the whole image.  A pixel that does not count
 * adds nothing, and so does a gradient that is not finite.  A bin that
 * would pass the largest number of single precision stays at it.
 *
 * Returns: (transfer full): the descriptor, or %NULL; to be freed with
 *   isolux_hog_free()
 */
ISOLUX_API IsoluxHog *isolux_hog (IsoluxSurface          *source,
                                  const IsoluxHogOptions *options,
                                  IsoluxReport           *report,
                                  GError                **error);

/**
 * isolux_hog_free:
 * @hog: (nullable): a descriptor
 */
ISOLUX_API void isolux_hog_free (IsoluxHog *hog);

/**
 * isolux_hog_picture:
 * @source: the image; its region and alpha say which pixels count
 * @destination: same size, on the same device, not @source; of the same
 *   type with any components, or, raw, f32 with 1 component
 * @options: (nullable): %NULL for the defaults; blocks do not matter
 * @report: (out) (optional): what was done
 * @error: return location for an error, or %NULL
 *
 * Draws what the options' picture says, see #IsoluxHogPicture.
 *
 * Raw: the values as they are, rounded to single precision: sums of the
 * cells' values, degrees, or magnitudes in the image's units; 0 for pixels
 * that do not count.
 *
 * A picture: gray, over the whole range of the type (255, 65535 or 1.0),
 * rounded half to even.  Glyphs and magnitudes are scaled so that the
 * largest that counts is white; the orientation so that 180 or 360 degrees
 * would be.  Beyond the last whole cell glyphs and orientation are black.
 * Pixels that do not count stay; their luma does when RGB becomes gray.
 * Alpha is copied, or full.
 *
 * On a caller's stream it is waited for.
 *
 * Returns: %FALSE on error
 */
ISOLUX_API gboolean isolux_hog_picture (IsoluxSurface          *source,
                                        IsoluxSurface          *destination,
                                        const IsoluxHogOptions *options,
                                        IsoluxReport           *report,
                                        GError                **error);

/**
 * isolux_hog_cells:
 * @source: the image; its region and alpha say which pixels count
 * @options: (nullable): %NULL for the defaults; blocks and norm do not matter
 * @cells_x: (out): cells across
 * @cells_y: (out): cells down
 * @report: (out) (optional): what was done
 * @error: return location for an error, or %NULL
 *
 * The histograms of the cells before any block is normalized: cells_y x
 * cells_x x orientations values, the last index fastest.
 *
 * Returns: (transfer full): the values, to be freed with g_free(); %NULL on
 *   error, and without an error when there is no whole cell
 */
ISOLUX_API gfloat *isolux_hog_cells (IsoluxSurface          *source,
                                     const IsoluxHogOptions *options,
                                     gint64                 *cells_x,
                                     gint64                 *cells_y,
                                     IsoluxReport           *report,
                                     GError                **error);

/* ---- Metrics ------------------------------------------------------- */

/**
 * IsoluxMetrics:
 * @count: pixels that were compared
 * @entropy: Shannon entropy of each image's histogram, in bits; a bin for
 *   each code (larger ones than the significant bits allow in the last), for
 *   f32 65536 bins over the measured range
 * @rms_contrast: standard deviation (of the population) over the nominal
 *   range
 * @saturated: share of pixels at the least or largest code, that of the
 *   significant bits when they are given; f32: at most 0 or at least 1
 * @mean: mean value
 * @ambe: absolute mean-brightness error, |mean difference|
 * @mse: mean squared error
 * @psnr: peak signal-to-noise ratio in dB, 10 log10 (peak^2 / mse) with the
 *   peak of the nominal range; HUGE_VAL for equal images, NaN when nothing
 *   counts
 * @ssim: structural similarity, see isolux_metrics()
 *
 * [0] is the first image, [1] the second. Values are those of the luma,
 * in codes; the nominal range is 255, 65535 or, for f32, 1 in its own units.
 * All but @psnr and @ssim are 0 when nothing counts.
 */
typedef struct
{
  guint64 count;
  gdouble entropy[2];
  gdouble rms_contrast[2];
  gdouble saturated[2];
  gdouble mean[2];
  gdouble ambe;
  gdouble mse;
  gdouble psnr;
  gdouble ssim;
} IsoluxMetrics;

/**
 * isolux_metrics:
 * @first: an image; its region and alpha say what counts
 * @second: same size and type, on the same device
 * @weights: (nullable) (array fixed-size=3): luma weights; %NULL for
 *   BT.601's
 * @metrics: (out): filled
 * @report: (out) (optional): what was done
 * @error: return location for an error, or %NULL
 *
 * Compares two images by their gray values or lumas.  The pixels that count
 * are those of the region and alpha of @first where both values are finite;
 * they alone enter all figures but the similarity.
 *
 * Structural similarity is that of Wang, Bovik, Sheikh and Simoncelli (2004)
 * as skimage.metrics.structural_similarity computes it by default for the
 * nominal range: windows of 7 x 7 pixels that weigh the same, K1 = 0.01, K2
 * = 0.03, the sample covariance (/ 48), the mean over all windows that lie
 * inside the image.  Here the windows are those whose middle counts; of the
 * pixels around it all are used, whether they count or not, and a window
 * with a value that is not finite is left out.  It is within 1e-9 of the
 * exact result for u8 and u16.  Where there is no window (an image of less
 * than 7 pixels a side, or nothing counts in its inside) it is 1 when the
 * mean squared error is 0, else NaN.
 *
 * The CPU and CUDA give the same numbers to the last bit.
 *
 * Returns: %FALSE on error
 */
ISOLUX_API gboolean isolux_metrics (IsoluxSurface *first,
                                    IsoluxSurface *second,
                                    const gdouble *weights,
                                    IsoluxMetrics *metrics,
                                    IsoluxReport  *report,
                                    GError       **error);

/* ---- Any operation ------------------------------------------------- */

/**
 * IsoluxOperationKind:
 *
 * Which operation an #IsoluxOperation is.
 */
typedef enum
{
  ISOLUX_OPERATION_GRAYSCALE,
  ISOLUX_OPERATION_EQUALIZE,
  ISOLUX_OPERATION_CLAHE,
  ISOLUX_OPERATION_WINDOW,
  ISOLUX_OPERATION_CONTRAST_MAP,
  ISOLUX_OPERATION_LBP,
  ISOLUX_OPERATION_HOG
} IsoluxOperationKind;

/**
 * IsoluxOperation:
 * @kind: which operation
 * @options: its options, the member of that name
 *
 * An operation that makes a picture, with its options, for callers that
 * work with any of them.  Pointers in the options are borrowed.
 */
typedef struct
{
  IsoluxOperationKind kind;
  union
  {
    IsoluxGrayOptions        grayscale;
    IsoluxEqualizeOptions    equalize;
    IsoluxClaheOptions       clahe;
    IsoluxWindowOptions      window;
    IsoluxContrastMapOptions contrast_map;
    IsoluxLbpOptions         lbp;
    IsoluxHogOptions         hog;
  } options;
} IsoluxOperation;

/**
 * isolux_operation_init:
 * @operation: (out): filled with the defaults
 * @kind: which operation
 */
ISOLUX_API void
isolux_operation_init (IsoluxOperation *operation, IsoluxOperationKind kind);

/**
 * isolux_operation_run:
 * @operation: what to do
 * @source: the image
 * @destination: the result, see the function of the operation
 * @report: (out) (optional): what was done
 * @error: return location for an error, or %NULL
 *
 * The same as the function of the operation (isolux_hog_picture() for
 * %ISOLUX_OPERATION_HOG).
 *
 * Returns: %FALSE on error
 */
ISOLUX_API gboolean isolux_operation_run (const IsoluxOperation *operation,
                                          IsoluxSurface         *source,
                                          IsoluxSurface         *destination,
                                          IsoluxReport          *report,
                                          GError               **error);

/**
 * isolux_operation_is_cropped:
 * @operation: an operation
 *
 * Whether the image ends, for this operation, where the selection's bounding
 * box does: tiles and cells are laid out in the box, and neighbors beyond it
 * are not looked at.  Only grayscale, which knows no selection, works on all.
 *
 * Returns: %TRUE when it shall see no more than the box
 */
ISOLUX_API gboolean
isolux_operation_is_cropped (const IsoluxOperation *operation);

/* ---- Smaller pictures ---------------------------------------------- */

/**
 * isolux_reduce:
 * @source: the image; its region does not matter
 * @rectangle: (nullable): the part of it; %NULL for all; must lie inside
 * @destination: same type and components, on the same device; at most as
 *   large as @rectangle, each side by itself
 * @report: (out) (optional): what was done
 * @error: return location for an error, or %NULL
 *
 * Makes a part of an image smaller.  Pixel (i, j) of W x H is the mean, in
 * each component by itself, of the pixels of columns floor (i w / W) to
 * floor ((i + 1) w / W) - 1 and the rows likewise: u8 and u16 rounded half
 * up, exactly; f32 summed in double precision, each row from the left and
 * then the rows from the top, and rounded once, NaN when one of them is.
 * Alpha is a component like the others.
 *
 * Returns: %FALSE on error
 */
ISOLUX_API gboolean isolux_reduce (IsoluxSurface         *source,
                                   const IsoluxRectangle *rectangle,
                                   IsoluxSurface         *destination,
                                   IsoluxReport          *report,
                                   GError               **error);

/* ---- The tables of CLAHE ------------------------------------------- */

typedef struct _IsoluxClaheMaps IsoluxClaheMaps;

/**
 * IsoluxClaheGrid:
 * @tiles_x, @tiles_y: how many tiles
 * @tile_width, @tile_height: pixels of a tile; those at the right and lower
 *   edge may be cut off by the image
 * @channels: 1, or 3 when each channel has tables of its own
 * @bins: bins of a tile's histogram
 * @low, @high: the values that the first bin begins and the last one ends
 *   with (u8 and u16: 0 and the largest code; f32 channels with ranges of
 *   their own: from the lowest to the highest)
 *
 * What CLAHE made of its options for an image.
 */
typedef struct
{
  gint    tiles_x;
  gint    tiles_y;
  gint64  tile_width;
  gint64  tile_height;
  gint    channels;
  gint    bins;
  gdouble low;
  gdouble high;
} IsoluxClaheGrid;

/**
 * isolux_operation_get_grid:
 * @operation: an operation
 * @width: pixels across
 * @height: pixels down
 * @grid: (out): filled: tiles of CLAHE and of the contrast map, whole cells of
 *   HOG, 0 for the others; the rest of it is 0
 *
 * The tiles or cells for an image of this size, with valid options.
 */
ISOLUX_API void isolux_operation_get_grid (const IsoluxOperation *operation,
                                           gint64                 width,
                                           gint64                 height,
                                           IsoluxClaheGrid       *grid);

/**
 * isolux_clahe_maps_new:
 * @source: the image; its region and alpha say what counts
 * @options: (nullable): %NULL for the defaults
 * @report: (out) (optional): what was done
 * @error: return location for an error, or %NULL
 *
 * The tables that isolux_clahe() works with, for showing them.
 *
 * Returns: (transfer full): the tables, or %NULL; to be freed with
 *   isolux_clahe_maps_free()
 */
ISOLUX_API IsoluxClaheMaps *
isolux_clahe_maps_new (IsoluxSurface            *source,
                       const IsoluxClaheOptions *options,
                       IsoluxReport             *report,
                       GError                  **error);

/**
 * isolux_clahe_with_maps:
 * @source: the image; its region and alpha say what counts
 * @destination: (nullable): see isolux_clahe(); %NULL for the tables alone
 * @options: (nullable): %NULL for the defaults
 * @maps: (out) (transfer full): the tables; to be freed with
 *   isolux_clahe_maps_free()
 * @report: (out) (optional): what was done
 * @error: return location for an error, or %NULL
 *
 * isolux_clahe() that hands out its tables.
 *
 * Returns: %FALSE on error
 */
ISOLUX_API gboolean isolux_clahe_with_maps (IsoluxSurface *source,
                                            IsoluxSurface *destination,
                                            const IsoluxClaheOptions *options,
                                            IsoluxClaheMaps         **maps,
                                            IsoluxReport             *report,
                                            GError                  **error);

/**
 * isolux_clahe_maps_free:
 * @maps: (nullable): tables
 */
ISOLUX_API void isolux_clahe_maps_free (IsoluxClaheMaps *maps);

/**
 * isolux_clahe_maps_get_grid:
 * @maps: tables
 *
 * Returns: (transfer none): what they are
 */
ISOLUX_API const IsoluxClaheGrid *
isolux_clahe_maps_get_grid (const IsoluxClaheMaps *maps);

/**
 * isolux_clahe_maps_get_curve:
 * @maps: tables
 * @channel: 0 .. channels - 1
 * @tile_x: 0 .. tiles_x - 1
 * @tile_y: 0 .. tiles_y - 1
 * @n: how many points, at least 2
 * @values: (out caller-allocates) (array length=n): what becomes of the
 *   values low + i (high - low) / (n - 1), in the image's units
 *
 * What one tile by itself does to values: to those codes that are nearest (u8
 * and u16), and to all of a bin as if its codes came equally often where none
 * of them does.  A tile near which nothing counts, and a channel that stays
 * as it is, leave values as they are.
 */
ISOLUX_API void isolux_clahe_maps_get_curve (const IsoluxClaheMaps *maps,
                                             gint                   channel,
                                             gint                   tile_x,
                                             gint                   tile_y,
                                             gint                   n,
                                             gdouble               *values);

/**
 * isolux_clahe_maps_get_curves:
 * @maps: tables
 * @channel: 0 .. channels - 1
 * @percent: 0 .. 100
 * @n: how many points, at least 2
 * @values: (out caller-allocates) (array length=n): for each value, the
 *   given percentile of what the tiles make of it: the least that so many of
 *   them do not pass.  Tiles near which nothing counts are left out.
 *
 * Not to be called from two threads at once with the same tables.
 */
ISOLUX_API void isolux_clahe_maps_get_curves (const IsoluxClaheMaps *maps,
                                              gint                   channel,
                                              gdouble                percent,
                                              gint                   n,
                                              gdouble               *values);

/**
 * isolux_clahe_maps_get_bands:
 * @maps: tables
 * @channel: 0 .. channels - 1
 * @n_percents: how many percentiles
 * @percents: 0 .. 100 each
 * @n: how many points, at least 2
 * @values: (out caller-allocates): @n_percents rows of @n values
 *
 * isolux_clahe_maps_get_curves() for several percentiles in one go.
 */
ISOLUX_API void isolux_clahe_maps_get_bands (const IsoluxClaheMaps *maps,
                                             gint                   channel,
                                             gint                   n_percents,
                                             const gdouble         *percents,
                                             gint                   n,
                                             gdouble               *values);

/**
 * isolux_clahe_maps_sample:
 * @maps: tables
 * @source: the image that they were made for, or one of its shape and type;
 *   its region and alpha say what changes
 * @columns: a column of @source for each column of @destination
 * @rows: a row of @source for each row of @destination
 * @destination: same type and components, on the same device, of any size
 * @report: (out) (optional): what was done
 * @error: return location for an error, or %NULL
 *
 * Some of the pixels that isolux_clahe() makes of the image, the same to the
 * last bit: pixel (i, j) is that of column columns[i] and row rows[j].  For a
 * quick look at a large image.  Made for the CPU; pixels on a GPU are taken
 * there and back.
 *
 * Returns: %FALSE on error
 */
ISOLUX_API gboolean isolux_clahe_maps_sample (const IsoluxClaheMaps *maps,
                                              IsoluxSurface         *source,
                                              const gint64          *columns,
                                              const gint64          *rows,
                                              IsoluxSurface *destination,
                                              IsoluxReport  *report,
                                              GError       **error);

/* ---- Self-test ------------------------------------------------------ */

/**
 * isolux_self_test:
 * @device: a device
 * @text: (out) (transfer full): a line for each operation and backend, for
 *   people; to be freed with g_free()
 * @error: return location for an error, or %NULL
 *
 * Runs each operation on small built-in images (each type, gray and RGB with
 * alpha, with a region) on the CPU and, where there is one and @device may
 * use it, on the GPU, and compares checksums of all that comes out with each
 * other and with known ones.  Waits for CUDA to start.
 *
 * Returns: whether all were right; %FALSE with @text filled when not, and
 *   with @error set, @text then untouched, when it could not run
 */
ISOLUX_API gboolean isolux_self_test (IsoluxDevice *device,
                                      gchar       **text,
                                      GError      **error);

/* ---- Whole calls -------------------------------------------------- */

/**
 * IsoluxOperationFunc:
 * @source: the image read
 * @destination: the image to be written
 * @user_data: what the caller gave
 * @report: to hand to the operation
 * @error: return location for an error
 *
 * Calls one or more operations of the library.  May be called twice.
 *
 * Returns: %FALSE on error
 */
typedef gboolean (*IsoluxOperationFunc) (IsoluxSurface *source,
                                         IsoluxSurface *destination,
                                         gpointer       user_data,
                                         IsoluxReport  *report,
                                         GError       **error);

/**
 * IsoluxProcess:
 * @source: shape and type of what @read gives
 * @destination: shape and type of what @write takes; same size as @source
 * @region: (nullable): see isolux_surface_set_region()
 * @mask: (nullable): see isolux_surface_set_region()
 * @mask_stride: see isolux_surface_set_region()
 * @read: gives the rows of the image
 * @write: (nullable): takes the rows of the result, %NULL when there is
 *   none to take (a histogram): @destination is then not looked at and the
 *   operation gets %NULL for it
 * @rows_data: handed to @read and @write
 * @operation: what to do
 * @operation_data: handed to @operation
 *
 * The description of a whole call.
 */
typedef struct
{
  IsoluxImage            source;
  IsoluxImage            destination;
  const IsoluxRectangle *region;
  const guint8          *mask;
  gsize                  mask_stride;
  IsoluxRowsFunc         read;
  IsoluxRowsFunc         write;
  gpointer               rows_data;
  IsoluxOperationFunc    operation;
  gpointer               operation_data;
} IsoluxProcess;

/**
 * isolux_process:
 * @device: what computes
 * @process: what to do; borrowed for the call
 * @report: (out) (optional): what was done
 * @error: return location for an error, or %NULL
 *
 * Reads an image through a callback, works on it, and writes the result
 * through a callback.  When CUDA fails anywhere on the way, all of it is
 * done again on the CPU from the rows read anew, and @report says so:
 * rows may then be written twice, so @write must not change what @read
 * reads.
 *
 * Returns: %FALSE on error; some rows may have been written
 */
ISOLUX_API gboolean isolux_process (IsoluxDevice        *device,
                                    const IsoluxProcess *process,
                                    IsoluxReport        *report,
                                    GError             **error);

/**
 * isolux_process_frames:
 * @devices: (array length=n_devices): what computes
 * @n_devices: how many, at least 1
 * @frames: (array length=n_frames): what to do; borrowed for the call
 * @n_frames: how many; 0 is no error
 * @lanes: how many frames may be under way on each GPU at a time, 1 .. 4;
 *   0 = 4.  The CPU works on one at a time, with all its threads.
 * @reports: (out) (array length=n_frames) (nullable): what was done
 * @error: return location for an error, or %NULL
 *
 * Does with each frame what isolux_process() does: the rows of one move while
 * another is computed, and each device takes the next frame when it has done
 * one.  Callbacks of different frames are called at the same time.  Frames
 * may differ in all; the order in which they are done is not defined.
 *
 * Returns: %FALSE on the first error; frames that had not begun are left
 *   alone, and of others some rows may have been written
 */
ISOLUX_API gboolean isolux_process_frames (IsoluxDevice *const *devices,
                                           guint                n_devices,
                                           const IsoluxProcess *frames,
                                           guint                n_frames,
                                           gint                 lanes,
                                           IsoluxReport        *reports,
                                           GError             **error);

/* ---- Selections as text ------------------------------------------- */

/**
 * isolux_selection_to_string:
 * @width: pixels across, 1 .. 2^31 - 1
 * @height: pixels down, 1 .. 2^31 - 1
 * @mask: (nullable): one byte a pixel, 0 = not selected; %NULL when the
 *   whole rectangle is selected
 * @mask_stride: bytes from one row of @mask to the next
 * @error: return location for an error, or %NULL
 *
 * A selection as text that can be stored in an image file: "WxH", or
 * "WxH:" and the mask, one bit a pixel, compressed (zlib, base64).
 *
 * Returns: (transfer full): the text, or %NULL; to be freed with g_free()
 */
ISOLUX_API gchar *isolux_selection_to_string (gint64        width,
                                              gint64        height,
                                              const guint8 *mask,
                                              gsize         mask_stride,
                                              GError      **error);

/**
 * isolux_selection_from_string:
 * @text: (nullable): what isolux_selection_to_string() gave
 * @rectangle: (out): (0, 0) and the selection's size
 * @mask: (out) (transfer full) (nullable): one byte a pixel, rows of
 *   width bytes, 0 or 255; %NULL when the whole rectangle is selected; to
 *   be freed with g_free()
 * @error: return location for an error, or %NULL
 *
 * On failure @rectangle is empty and @mask %NULL.
 *
 * Returns: %FALSE on error (text of another kind, damaged, or memory is
 *   short), and for %NULL and "" without setting @error: no selection
 */
ISOLUX_API gboolean isolux_selection_from_string (const gchar     *text,
                                                  IsoluxRectangle *rectangle,
                                                  guint8         **mask,
                                                  GError         **error);

G_END_DECLS

#endif /* ISOLUX_H */
