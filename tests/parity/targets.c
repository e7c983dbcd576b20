/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "targets.h"

#include <string.h>

gint
targets_init (Target *targets)
{
  GError       *error = NULL;
  IsoluxDevice *cuda;
  gint          n = 0;

  targets[n++] =
    (Target) { "CPU, 1 thread", test_cpu (1), ISOLUX_TWIN_ALL, FALSE };
  targets[n++] =
    (Target) { "CPU, 3 threads", test_cpu (3), ISOLUX_TWIN_ALL, FALSE };
  targets[n++] =
    (Target) { "CPU, wrapped", test_cpu (2), ISOLUX_TWIN_ALL, TRUE };
  cuda = isolux_device_open (ISOLUX_BACKEND_CUDA, 0, &error);
  if (! cuda)
    {
      g_test_message ("without CUDA: %s", error->message);
      g_clear_error (&error);
      return n;
    }
  targets[n++] = (Target) { "CUDA", cuda, ISOLUX_TWIN_ALL, FALSE };
  targets[n++] = (Target) { "CUDA, wrapped", isolux_device_ref (cuda),
                            ISOLUX_TWIN_ALL, TRUE };
  targets[n++] =
    (Target) { "CUDA, no twins", isolux_device_ref (cuda), 0, FALSE };
  return n;
}

void
targets_clear (Target *targets, gint n)
{
  gint i;

  for (i = 0; i < n; i++)
    isolux_device_unref (targets[i].device);
}

/* ---- Surfaces ---------------------------------------------------- */

/* A surface with a buffer's pixels; wrapped: in a block of its own. */
typedef struct
{
  IsoluxSurface *surface;
  gpointer       memory; /* CUDA's */
  Buffer         copy;
  gboolean       wrapped;
} Place;

static const IsoluxBackend *
backend_of (const Target *target)
{
  return g_str_has_prefix (target->name, "CUDA") ? &isolux_backend_cuda
                                                 : &isolux_backend_cpu;
}

static void
place_init (Place *place, const Target *target, const Buffer *buffer)
{
  const IsoluxBackend *backend = backend_of (target);
  GError              *error = NULL;
  IsoluxView           view;

  memset (place, 0, sizeof *place);
  place->wrapped = target->wrapped;
  if (! place->wrapped)
    {
      place->surface =
        isolux_surface_new (target->device, &buffer->image, &error);
      g_assert_no_error (error);
      g_assert_true (isolux_surface_upload (place->surface, &buffer->view, NULL,
                                            &error));
      g_assert_no_error (error);
      return;
    }
  buffer_init (&place->copy, &buffer->image, 3, 1);
  view = place->copy.view;
  if (backend->kind == ISOLUX_BACKEND_CUDA)
    {
      g_assert_true (backend->alloc (target->device, place->copy.size,
                                     &place->memory, &error));
      g_assert_true (backend->write (target->device, place->memory,
                                     place->copy.size, place->copy.block,
                                     place->copy.size, place->copy.size, 1,
                                     NULL, &error));
      view.data = (guint8 *) place->memory + place->copy.offset;
    }
  place->surface =
    isolux_surface_wrap (target->device, &buffer->image, &view, NULL, &error);
  g_assert_no_error (error);
  g_assert_true (isolux_surface_upload (place->surface, &buffer->view, NULL,
                                        &error));
  g_assert_no_error (error);
}

static void
place_clear (Place *place, const Target *target)
{
  const IsoluxBackend *backend = backend_of (target);

  isolux_surface_unref (place->surface);
  if (place->memory)
    {
      g_assert_true (backend->read (target->device, place->copy.block,
                                    place->copy.size, place->memory,
                                    place->copy.size, place->copy.size, 1, NULL,
                                    NULL));
      backend->release (target->device, place->memory, place->copy.size);
    }
  if (place->wrapped)
    {
      g_assert_true (buffer_guards_hold (&place->copy));
      buffer_clear (&place->copy);
    }
}

static void
assert_untouched (IsoluxSurface *surface, const Buffer *before)
{
  Buffer back;
  gint64 x, y;

  buffer_init (&back, &before->image, 0, 0);
  g_assert_true (isolux_surface_download (surface, &back.view, NULL, NULL));
  g_assert_true (buffer_equal (&back, before, &x, &y));
  buffer_clear (&back);
}

void
target_run (const Target *target,
            const Buffer *input,
            const Buffer *destination,
            const Region *region,
            Buffer       *output,
            TargetFunc    function,
            gpointer      user_data,
            IsoluxReport *report)
{
  Place    source, other = { 0 };
  GError  *error = NULL;
  gboolean success;

  place_init (&source, target, input);
  if (destination)
    place_init (&other, target, destination);
  if (region && region->given)
    g_assert_true (isolux_surface_set_region (source.surface,
                                              &region->rectangle, region->mask,
                                              region->mask_stride, &error));
  isolux_backend_mask = target->mask;
  success = function (source.surface,
                      destination ? other.surface : source.surface, user_data,
                      report, &error);
  isolux_backend_mask = ISOLUX_TWIN_ALL;
  g_assert_no_error (error);
  g_assert_true (success);
  g_assert_cmpstr (report->warning, ==, "");
  g_assert_cmpint (report->backend, ==,
                   target->mask ? backend_of (target)->kind
                                : ISOLUX_BACKEND_CPU);
  if (output)
    g_assert_true (isolux_surface_download (destination ? other.surface
                                                        : source.surface,
                                            &output->view, NULL, &error));
  g_assert_no_error (error);
  if (destination || ! output)
    assert_untouched (source.surface, input);
  if (destination && ! output)
    assert_untouched (other.surface, destination);
  if (destination)
    place_clear (&other, target);
  place_clear (&source, target);
}

/* ---- Choices ----------------------------------------------------- */

void
choose_weights (Random *random, gdouble weights[3])
{
  static const gdouble known[][3] = { { 0.299, 0.587, 0.114 },
                                      { 0.2126, 0.7152, 0.0722 },
                                      { 1.0, 0.0, 0.0 },
                                      { 0.0, 0.0, 1.0 } };
  const guint64        k = random_below (random, 5);

  if (k < G_N_ELEMENTS (known))
    memcpy (weights, known[k], sizeof known[k]);
  else
    {
      weights[0] = random_unit (random);
      weights[1] = random_unit (random) * (1.0 - weights[0]);
      weights[2] = 1.0 - weights[0] - weights[1];
    }
}

guint
cases_wanted (guint n)
{
  const gchar *more = g_getenv ("ISOLUX_PARITY_MORE");

  if (g_getenv ("ISOLUX_PARITY_QUICK"))
    return n / 20;
  return n + (more ? (guint) g_ascii_strtoull (more, NULL, 10) : 0);
}
