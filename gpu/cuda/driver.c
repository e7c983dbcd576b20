/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The driver, the device, and what a call takes of it. */
#include "driver.h"

#include <gmodule.h>
#include <string.h>

/* Device memory kept for the next surface: at most an eighth of all. */
#define DEVICE_KEEP_BYTES ((gsize) 1 << 30)

/* Pinned memory grows in steps of this. */
#define RING_STEP ((gsize) 1 << 20)

/* What isolux_call_put() and _get() give away in a call at most: the counts or
 * the entries of three channels and something. */
#define RING_CALL_BYTES ((gsize) 2 << 20)

#define MINIMUM_CAPABILITY 75
#define HOPPER_CAPABILITY 90

G_STATIC_ASSERT (sizeof (CudaAddress) == sizeof (gpointer));
G_STATIC_ASSERT (sizeof (IsoluxTables) <=
                 ISOLUX_SCRATCH_STATE - ISOLUX_SCRATCH_TABLES);
G_STATIC_ASSERT (sizeof (IsoluxState) <=
                 ISOLUX_SCRATCH_BYTES - ISOLUX_SCRATCH_STATE);
G_STATIC_ASSERT (sizeof (IsoluxZeros) <= ISOLUX_ZEROS_COUNTS);
G_STATIC_ASSERT (sizeof (CudaLaunchAttribute) == 72);

/* ---- Errors -------------------------------------------------------- */

/* What a failure means for people; NULL: nothing in particular. */
static const gchar *
explain (CudaResult result)
{
  switch (result)
    {
      case CUDA_ERROR_OUT_OF_MEMORY:
        return _("the memory of the GPU is full");
      case CUDA_ERROR_NO_DEVICE:
        return _("there is no NVIDIA GPU");
      case CUDA_ERROR_STUB_LIBRARY:
        return _("the driver is a stub without a function");
      case CUDA_ERROR_SYSTEM_DRIVER_MISMATCH:
        return _("the parts of the NVIDIA driver are of different versions; "
                 "restart the computer");
      case CUDA_ERROR_COMPAT_NOT_SUPPORTED_ON_DEVICE:
        return _("the NVIDIA driver is too old for its compatibility package");
      case CUDA_ERROR_NO_BINARY_FOR_GPU:
      case CUDA_ERROR_INVALID_PTX:
      case CUDA_ERROR_UNSUPPORTED_PTX_VERSION:
      case CUDA_ERROR_INVALID_IMAGE:
        return _("this build has no kernels that the GPU and its driver can "
                 "run");
      case CUDA_ERROR_LAUNCH_TIMEOUT:
        return _("the GPU took too long and was reset");
      case CUDA_ERROR_ECC_UNCORRECTABLE:
      case CUDA_ERROR_NVLINK_UNCORRECTABLE:
      case CUDA_ERROR_CONTAINED:
        return _("the hardware of the GPU failed");
      case CUDA_ERROR_DEINITIALIZED:
      case CUDA_ERROR_INVALID_CONTEXT:
      case CUDA_ERROR_CONTEXT_IS_DESTROYED:
        return _("another part of the program has shut CUDA down");
      default:
        return NULL;
    }
}

/* After these every further call fails in the same way. */
static gboolean
stays (CudaResult result)
{
  switch (result)
    {
      case CUDA_ERROR_DEINITIALIZED:
      case CUDA_ERROR_INVALID_CONTEXT:
      case CUDA_ERROR_ECC_UNCORRECTABLE:
      case CUDA_ERROR_NVLINK_UNCORRECTABLE:
      case CUDA_ERROR_CONTAINED:
      case CUDA_ERROR_ILLEGAL_ADDRESS:
      case CUDA_ERROR_LAUNCH_TIMEOUT:
      case CUDA_ERROR_CONTEXT_IS_DESTROYED:
        return TRUE;
      default: /* illegal instruction, misaligned address, assert, ... */
        return result >= CUDA_ERROR_HARDWARE_STACK_ERROR &&
               result <= CUDA_ERROR_LAUNCH_FAILED;
    }
}

gboolean
isolux_cuda_check (IsoluxCuda  *cuda,
                   CudaResult   result,
                   const gchar *call,
                   GError     **error)
{
  const gchar *name = NULL, *meaning;
  gchar        text[200];

  if (G_LIKELY (result == CUDA_SUCCESS))
    return TRUE;
  if (cuda->driver.cuGetErrorName (result, &name) != CUDA_SUCCESS || ! name)
    name = "?";
  meaning = explain (result);
  if (meaning)
    g_snprintf (text, sizeof text, "%s (%s: %s)", meaning, call, name);
  else
    g_snprintf (text, sizeof text, "%s: %s (%d)", call, name, result);
  if (stays (result))
    {
      g_mutex_lock (&cuda->mutex);
      if (! g_atomic_int_get (&cuda->lost))
        {
          isolux_set_text (cuda->reason, sizeof cuda->reason, text);
          g_atomic_int_set (&cuda->lost, TRUE);
        }
      g_mutex_unlock (&cuda->mutex);
    }
  g_set_error (error, ISOLUX_ERROR, ISOLUX_ERROR_DEVICE, _("CUDA failed: %s."),
               text);
  return FALSE;
}

static gboolean device_error (GError **error, const gchar *format, ...)
  G_GNUC_PRINTF (2, 3);

static gboolean
device_error (GError **error, const gchar *format, ...)
{
  va_list arguments;

  va_start (arguments, format);
  if (error)
    *error =
      g_error_new_valist (ISOLUX_ERROR, ISOLUX_ERROR_DEVICE, format, arguments);
  va_end (arguments);
  return FALSE;
}

/* ---- Opening ------------------------------------------------------- */

/* The library stays loaded: a driver does not take well to being unloaded. */
static gboolean
load_driver (CudaDriver *driver, GError **error)
{
  static const gchar *names[] = { "libcuda.so.1", "nvcuda.dll" };
  GModule            *module = NULL;
  gsize               i;

  for (i = 0; i < G_N_ELEMENTS (names) && ! module; i++)
    module = g_module_open (names[i], G_MODULE_BIND_LOCAL);
  if (! module)
    return device_error (error, _("There is no NVIDIA driver."));
  g_module_make_resident (module);
#define LOAD(name, parameters)                                              \
  if (! g_module_symbol (module, #name, (gpointer *) &driver->name))        \
    return device_error (error,                                             \
                         _("The NVIDIA driver is too old: it has no %s."), \
                         #name);
  ISOLUX_DRIVER_CALLS (LOAD)
#undef LOAD
  return TRUE;
}

static gboolean
check_version (IsoluxCuda *cuda, GError **error)
{
  const gint toolkit = isolux_cuda_image_toolkit / 1000;

  if (! CUDA_CALL (cuda, cuDriverGetVersion, (&cuda->version), error))
    return FALSE;
  if (cuda->version / 1000 < toolkit)
    return device_error (error,
                         _("The NVIDIA driver is too old: it serves CUDA "
                           "%d.%d, CUDA %d.0 is needed."),
                         cuda->version / 1000, cuda->version % 1000 / 10,
                         toolkit);
  return TRUE;
}

static gboolean
is_set (const gchar *variable)
{
  const gchar *value = g_getenv (variable);

  return value && *value && strcmp (value, "0") != 0;
}

static gboolean
read_attributes (IsoluxCuda *cuda, GError **error)
{
  gint major = 0, minor = 0, pitch = 0;
  gint result;

  if (! CUDA_CALL (cuda, cuDeviceGetName,
                   (cuda->name, sizeof cuda->name, cuda->device), error) ||
      ! CUDA_CALL (cuda, cuDeviceTotalMem_v2, (&cuda->memory, cuda->device),
                   error) ||
      ! CUDA_CALL (cuda, cuDeviceGetAttribute,
                   (&major, CUDA_ATTRIBUTE_CAPABILITY_MAJOR, cuda->device),
                   error) ||
      ! CUDA_CALL (cuda, cuDeviceGetAttribute,
                   (&minor, CUDA_ATTRIBUTE_CAPABILITY_MINOR, cuda->device),
                   error) ||
      ! CUDA_CALL (cuda, cuDeviceGetAttribute,
                   (&cuda->processors, CUDA_ATTRIBUTE_PROCESSORS, cuda->device),
                   error) ||
      ! CUDA_CALL (cuda, cuDeviceGetAttribute,
                   (&pitch, CUDA_ATTRIBUTE_MAX_PITCH, cuda->device), error) ||
      ! CUDA_CALL (cuda, cuDeviceGetAttribute,
                   (&cuda->shared_limit, CUDA_ATTRIBUTE_SHARED_PER_BLOCK_OPTIN,
                    cuda->device),
                   error))
    return FALSE;
  cuda->name[sizeof cuda->name - 1] = '\0';
  cuda->pitch_limit = (gsize) MAX (pitch, 0);
  result = major * 10 + minor;
  cuda->capability = result;
  cuda->portable = result < HOPPER_CAPABILITY ||
                   is_set ("ISOLUX_CUDA_PORTABLE");
  if (result < MINIMUM_CAPABILITY)
    return device_error (error,
                         _("%s is too old: its compute capability is %d.%d, "
                           "7.5 is needed."),
                         cuda->name, major, minor);
  return TRUE;
}

static gboolean
find_device (IsoluxCuda *cuda, GError **error)
{
  gint count = 0;

  if (! CUDA_CALL (cuda, cuInit, (0), error) ||
      ! CUDA_CALL (cuda, cuDeviceGetCount, (&count), error))
    return FALSE;
  if (count < 1)
    return device_error (error, _("There is no NVIDIA GPU."));
  if (cuda->ordinal < 0 || cuda->ordinal >= count)
    return device_error (
      error,
      g_dngettext (GETTEXT_PACKAGE,
                   "There is no CUDA device %d; there is %d, counted from 0.",
                   "There is no CUDA device %d; there are %d, counted from 0.",
                   (gulong) count),
      cuda->ordinal, count);
  return CUDA_CALL (cuda, cuDeviceGet, (&cuda->device, cuda->ordinal), error);
}

static gboolean
load_kernels (IsoluxCuda *cuda, GError **error)
{
  static const gchar *names[] = {
#define NAME(name) #name,
    ISOLUX_KERNELS (NAME)
#undef NAME
  };
  gint i;

  if (! CUDA_CALL (cuda, cuModuleLoadData, (&cuda->module, isolux_cuda_image),
                   error))
    return FALSE;
  for (i = 0; i < N_KERNELS; i++)
    if (! CUDA_CALL (cuda, cuModuleGetFunction,
                     (&cuda->functions[i], cuda->module, names[i]), error))
      return FALSE;
  return isolux_cuda_set_shared (cuda, error);
}

static gboolean
pool_alloc (gpointer owner, gsize size, gpointer *memory, GError **error)
{
  IsoluxCuda *cuda = owner;
  CudaAddress address = 0;

  *memory = NULL;
  if (! CUDA_CALL (cuda, cuMemAlloc_v2, (&address, MAX (size, 1)), error))
    return FALSE;
  *memory = (gpointer) address;
  return TRUE;
}

static void
pool_release (gpointer owner, gpointer memory)
{
  IsoluxCuda *cuda = owner;

  cuda->driver.cuMemFree_v2 ((CudaAddress) memory);
}

/* ISOLUX_CUDA_MEMORY, in MiB: what images may use of the GPU's memory. */
static void
limit_pool (IsoluxCuda *cuda)
{
  const gchar *text = g_getenv ("ISOLUX_CUDA_MEMORY");
  guint64      limit;

  if (text &&
      g_ascii_string_to_unsigned (text, 10, 1, G_MAXSIZE >> 20, &limit, NULL))
    isolux_pool_set_limit (cuda->pool, (gsize) limit << 20);
}

IsoluxCuda *
isolux_cuda_open (gint ordinal, GError **error)
{
  IsoluxCuda *cuda;
  gboolean    success;

  if (isolux_cuda_image_size == 0)
    {
      device_error (error, _("This build has no CUDA kernels."));
      return NULL;
    }
  cuda = isolux_try_new (IsoluxCuda, 1, error);
  if (! cuda)
    return NULL;
  g_mutex_init (&cuda->mutex);
  g_cond_init (&cuda->cond);
  cuda->ordinal = ordinal;

  success = load_driver (&cuda->driver, error) && check_version (cuda, error) &&
            find_device (cuda, error) && read_attributes (cuda, error) &&
            CUDA_CALL (cuda, cuDevicePrimaryCtxRetain,
                       (&cuda->context, cuda->device), error);
  if (success)
    {
      success = isolux_cuda_enter (cuda, error);
      if (success)
        {
          success = load_kernels (cuda, error);
          isolux_cuda_leave (cuda);
        }
    }
  if (success)
    {
      cuda->pool = isolux_pool_new (pool_alloc, pool_release, cuda,
                                    MIN (cuda->memory / 8, DEVICE_KEEP_BYTES),
                                    error);
      success = cuda->pool != NULL;
      if (success)
        limit_pool (cuda);
    }
  if (! success)
    {
      isolux_cuda_close (cuda);
      return NULL;
    }
  return cuda;
}

static void
free_lane (IsoluxCuda *cuda, CudaLane *lane)
{
  const CudaDriver *driver = &cuda->driver;
  gint              i;

  if (lane->pending)
    driver->cuEventSynchronize (lane->done);
  for (i = 0; i < lane->n_events; i++)
    driver->cuEventDestroy_v2 (lane->events[i]);
  g_free (lane->events);
  if (lane->ring)
    driver->cuMemFreeHost (lane->ring);
  if (lane->mail)
    driver->cuMemFreeHost (lane->mail);
  if (lane->scratch)
    driver->cuMemFree_v2 (lane->scratch);
  if (lane->done)
    driver->cuEventDestroy_v2 (lane->done);
  if (lane->stream)
    driver->cuStreamDestroy_v2 (lane->stream);
  memset (lane, 0, sizeof *lane);
}

void
isolux_cuda_close (IsoluxCuda *cuda)
{
  gint i;

  if (cuda->context)
    {
      /* also when the device is lost: what the host has is given back */
      const gboolean entered =
        cuda->driver.cuCtxPushCurrent_v2 (cuda->context) == CUDA_SUCCESS;

      for (i = 0; i < ISOLUX_LANES; i++)
        free_lane (cuda, &cuda->lanes[i]);
      isolux_pool_free (cuda->pool);
      if (cuda->module)
        cuda->driver.cuModuleUnload (cuda->module);
      if (entered)
        isolux_cuda_leave (cuda);
      cuda->driver.cuDevicePrimaryCtxRelease_v2 (cuda->device);
    }
  g_cond_clear (&cuda->cond);
  g_mutex_clear (&cuda->mutex);
  g_free (cuda);
}

void
isolux_cuda_get_info (IsoluxCuda *cuda, IsoluxDeviceInfo *info)
{
  info->cuda_ordinal = cuda->ordinal;
  info->cuda_driver = cuda->version;
  if (g_atomic_int_get (&cuda->lost))
    {
      isolux_set_text (info->cuda_reason, sizeof info->cuda_reason,
                       cuda->reason);
      return;
    }
  info->cuda_ready = TRUE;
  isolux_set_text (info->cuda_name, sizeof info->cuda_name, cuda->name);
  info->cuda_capability = cuda->capability;
  info->cuda_memory = cuda->memory;
}

/* ---- Entering ------------------------------------------------------ */

gboolean
isolux_cuda_enter (IsoluxCuda *cuda, GError **error)
{
  if (g_atomic_int_get (&cuda->lost))
    return device_error (error, _("CUDA failed before: %s."), cuda->reason);
  return CUDA_CALL (cuda, cuCtxPushCurrent_v2, (cuda->context), error);
}

void
isolux_cuda_leave (IsoluxCuda *cuda)
{
  gpointer context;

  cuda->driver.cuCtxPopCurrent_v2 (&context);
}

/* ---- Calls --------------------------------------------------------- */

/* With the mutex held: a free lane, if possible one that nothing on a
 * caller's stream uses. */
static CudaLane *
find_lane (IsoluxCuda *cuda)
{
  CudaLane *found = NULL;
  gint      i;

  for (i = 0; i < ISOLUX_LANES; i++)
    {
      CudaLane *lane = &cuda->lanes[i];

      if (! lane->busy && (! found || (found->pending && ! lane->pending)))
        found = lane;
    }
  return found;
}

static CudaLane *
take_lane (IsoluxCuda *cuda)
{
  CudaLane *lane;

  g_mutex_lock (&cuda->mutex);
  while (! (lane = find_lane (cuda)))
    g_cond_wait (&cuda->cond, &cuda->mutex);
  lane->busy = TRUE;
  g_mutex_unlock (&cuda->mutex);
  return lane;
}

static void
give_lane (IsoluxCuda *cuda, CudaLane *lane, gboolean pending)
{
  g_mutex_lock (&cuda->mutex);
  lane->busy = FALSE;
  lane->pending = pending;
  g_cond_signal (&cuda->cond);
  g_mutex_unlock (&cuda->mutex);
}

/* What is missing after a failure is made by the next call. */
static gboolean
make_lane (IsoluxCuda *cuda, CudaLane *lane, GError **error)
{
  if (lane->made)
    return TRUE;
  lane->unsure = TRUE; /* the scratch is new */
  lane->made =
    (lane->stream ||
     CUDA_CALL (cuda, cuStreamCreate, (&lane->stream, CUDA_STREAM_NON_BLOCKING),
                error)) &&
    (lane->done ||
     CUDA_CALL (cuda, cuEventCreate, (&lane->done, CUDA_EVENT_DISABLE_TIMING),
                error)) &&
    (lane->scratch ||
     CUDA_CALL (cuda, cuMemAlloc_v2, (&lane->scratch, ISOLUX_SCRATCH_BYTES),
                error)) &&
    (lane->mail || CUDA_CALL (cuda, cuMemHostAlloc,
                              ((gpointer *) &lane->mail,
                               ISOLUX_MAIL_WORDS * sizeof (guint32), 0),
                              error));
  return lane->made;
}

gboolean
isolux_call_begin (CudaCall   *call,
                   IsoluxCuda *cuda,
                   gpointer    stream,
                   GError    **error)
{
  CudaLane *lane;

  if (! isolux_cuda_enter (cuda, error))
    return FALSE;
  lane = take_lane (cuda);
  if (make_lane (cuda, lane, error) &&
      (! lane->pending ||
       CUDA_CALL (cuda, cuStreamWaitEvent,
                  (stream ? stream : lane->stream, lane->done, 0), error)))
    {
      memset (call, 0, sizeof *call);
      call->cuda = cuda;
      call->lane = lane;
      call->stream = stream ? stream : lane->stream;
      return TRUE;
    }
  give_lane (cuda, lane, lane->pending);
  isolux_cuda_leave (cuda);
  return FALSE;
}

gboolean
isolux_call_wait (CudaCall *call, GError **error)
{
  IsoluxCuda *cuda = call->cuda;

  if (CUDA_CALL (cuda, cuStreamSynchronize, (call->stream), NULL))
    return TRUE;
  /* A true failure of a stream stays and is met again here.  If it is not,
   * all that was enqueued was done. */
  return isolux_cuda_check (cuda,
                            cuda->driver.cuStreamSynchronize (call->stream),
                            "cuStreamSynchronize", error);
}

/* Nothing uses the lane's memory any more. */
static void
give_memory (IsoluxCuda *cuda, CudaLane *lane)
{
  if (lane->memory)
    isolux_pool_give (cuda->pool, lane->memory);
  lane->memory = NULL;
  lane->memory_size = 0;
}

gboolean
isolux_call_end (CudaCall *call,
                 gboolean  success,
                 gboolean  wait,
                 GError  **error)
{
  IsoluxCuda *cuda = call->cuda;
  CudaLane   *lane = call->lane;
  gboolean    pending = FALSE;

  if (! success)
    {
      lane->unsure = TRUE;
      cuda->driver.cuStreamSynchronize (call->stream);
    }
  else
    {
      pending = ! wait && CUDA_CALL (cuda, cuEventRecord,
                                     (lane->done, call->stream), NULL);
      success = pending || isolux_call_wait (call, error);
    }
  if (! pending)
    give_memory (cuda, lane);
  give_lane (cuda, lane, pending);
  isolux_cuda_leave (cuda);
  return success;
}

/* Waits until earlier calls of the lane are done. */
static gboolean
settle_lane (IsoluxCuda *cuda, CudaLane *lane, GError **error)
{
  if (lane->pending)
    {
      if (! CUDA_CALL (cuda, cuEventSynchronize, (lane->done), error))
        return FALSE;
      g_mutex_lock (&cuda->mutex);
      lane->pending = FALSE;
      g_mutex_unlock (&cuda->mutex);
    }
  return TRUE;
}

CudaAddress
isolux_call_memory (CudaCall *call, gsize bytes, GError **error)
{
  IsoluxCuda *cuda = call->cuda;
  CudaLane   *lane = call->lane;

  /* what an earlier call left may be in use: we are enqueued behind it */
  if (lane->memory_size < bytes)
    {
      if (lane->memory && ! settle_lane (cuda, lane, error))
        return 0;
      give_memory (cuda, lane);
      if (! isolux_pool_take (cuda->pool, bytes, &lane->memory, error))
        {
          lane->memory = NULL;
          return 0;
        }
      lane->memory_size = bytes;
    }
  return (CudaAddress) lane->memory;
}

gpointer
isolux_call_ring (CudaCall *call, gsize bytes, GError **error)
{
  IsoluxCuda *cuda = call->cuda;
  CudaLane   *lane = call->lane;

  if (! settle_lane (cuda, lane, error))
    return NULL;
  if (lane->ring_size < bytes)
    {
      const gsize size = (bytes + RING_STEP - 1) / RING_STEP * RING_STEP;

      if (lane->ring)
        cuda->driver.cuMemFreeHost (lane->ring);
      lane->ring = NULL;
      lane->ring_size = 0;
      if (! CUDA_CALL (cuda, cuMemHostAlloc, (&lane->ring, size, 0), error))
        {
          lane->ring = NULL;
          return NULL;
        }
      lane->ring_size = size;
    }
  return lane->ring;
}

gpointer *
isolux_call_events (CudaCall *call, gint n, GError **error)
{
  IsoluxCuda *cuda = call->cuda;
  CudaLane   *lane = call->lane;
  gpointer   *events;

  if (lane->n_events < n)
    {
      events = isolux_try_new (gpointer, (gsize) n, error);
      if (! events)
        return NULL;
      if (lane->n_events)
        memcpy (events, lane->events,
                (gsize) lane->n_events * sizeof (gpointer));
      g_free (lane->events);
      lane->events = events;
      while (lane->n_events < n)
        {
          if (! CUDA_CALL (cuda, cuEventCreate,
                           (&events[lane->n_events], CUDA_EVENT_DISABLE_TIMING),
                           error))
            return NULL;
          lane->n_events++;
        }
    }
  return lane->events;
}

void
isolux_cuda_settle (IsoluxCuda *cuda)
{
  gint i;

  g_mutex_lock (&cuda->mutex);
  for (i = 0; i < ISOLUX_LANES; i++)
    if (cuda->lanes[i].pending)
      cuda->driver.cuEventSynchronize (cuda->lanes[i].done);
  g_mutex_unlock (&cuda->mutex);
}

gboolean
isolux_call_zeros (CudaCall    *call,
                   gsize        bytes,
                   IsoluxClear *clear,
                   GError     **error)
{
  CudaLane         *lane = call->lane;
  const CudaAddress zeros = lane->scratch + ISOLUX_SCRATCH_ZEROS;
  const gint        turn = lane->turn;

  if (lane->unsure &&
      ! CUDA_CALL (call->cuda, cuMemsetD8Async,
                   (zeros, 0, ISOLUX_SCRATCH_WORK - ISOLUX_SCRATCH_ZEROS,
                    call->stream),
                   error))
    return FALSE;
  if (lane->unsure)
    lane->used[0] = lane->used[1] = 0;
  lane->unsure = FALSE;
  call->zeros = zeros + (gsize) turn * ISOLUX_ZEROS_BYTES;
  clear->data = (gpointer) (zeros + (gsize) ! turn * ISOLUX_ZEROS_BYTES);
  clear->bytes = lane->used[! turn];
  lane->used[turn] = ISOLUX_ZEROS_COUNTS + ((bytes + 15) & ~(gsize) 15);
  lane->used[! turn] = 0;
  lane->turn = ! turn;
  return TRUE;
}

gboolean
isolux_call_launch_as (CudaCall         *call,
                       const CudaLaunch *launch,
                       gpointer          arguments,
                       GError          **error)
{
  gpointer            parameters[] = { arguments };
  CudaLaunchAttribute attributes[2] = { 0 };
  CudaLaunchConfig    config = {
    launch->grid, 1,          1, launch->block, 1, 1, launch->shared_bytes,
    call->stream, attributes, 0
  };

  if (launch->cluster > 1)
    {
      CudaLaunchAttribute *cluster = &attributes[config.n_attributes++];

      cluster->id = CUDA_LAUNCH_CLUSTER;
      cluster->value[0] = launch->cluster;
      cluster->value[1] = cluster->value[2] = 1;
    }
  if (launch->early && ! call->cuda->portable)
    {
      CudaLaunchAttribute *early = &attributes[config.n_attributes++];

      early->id = CUDA_LAUNCH_EARLY;
      early->value[0] = TRUE;
    }
  return CUDA_CALL (call->cuda, cuLaunchKernelEx,
                    (&config, call->cuda->functions[launch->kernel], parameters,
                     NULL),
                    error);
}

gboolean
isolux_call_launch (CudaCall  *call,
                    CudaKernel kernel,
                    guint      grid,
                    guint      block,
                    guint      shared_bytes,
                    gpointer   arguments,
                    GError   **error)
{
  const CudaLaunch launch = { kernel, grid, block, shared_bytes, 0, FALSE };

  return isolux_call_launch_as (call, &launch, arguments, error);
}

/* The next bytes of the ring that nobody has, or NULL. */
static guint8 *
ring_part (CudaCall *call, gsize bytes, GError **error)
{
  guint8 *ring =
    isolux_call_ring (call, MAX (call->ring_used + bytes, RING_CALL_BYTES),
                      error);

  if (! ring)
    return NULL;
  ring += call->ring_used;
  call->ring_used += (bytes + 63) & ~(gsize) 63;
  return ring;
}

gboolean
isolux_call_put (CudaCall     *call,
                 gsize         offset,
                 gconstpointer host,
                 gsize         bytes,
                 GError      **error)
{
  guint8 *ring = ring_part (call, bytes, error);

  if (! ring)
    return FALSE;
  memcpy (ring, host, bytes);
  return CUDA_CALL (call->cuda, cuMemcpyHtoDAsync_v2,
                    (call->lane->scratch + offset, ring, bytes, call->stream),
                    error);
}

gconstpointer
isolux_call_get (CudaCall *call, CudaAddress from, gsize bytes, GError **error)
{
  guint8 *ring = ring_part (call, bytes, error);

  if (ring && CUDA_CALL (call->cuda, cuMemcpyDtoHAsync_v2,
                         (ring, from, bytes, call->stream), error))
    return ring;
  return NULL;
}
