/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which level of the instruction set is used. */
#include "kernels.h"

#include <string.h>

static const IsoluxKernels *const levels[] = {
  &isolux_kernels_v1,
#ifdef ISOLUX_HAVE_LEVELS
  &isolux_kernels_v2,
  &isolux_kernels_v3,
  &isolux_kernels_v4,
#endif
};

static const IsoluxKernels *current; /* atomic */

static gboolean
has_level (gsize i)
{
#ifdef ISOLUX_HAVE_LEVELS
  __builtin_cpu_init ();
  switch (i)
    {
      case 1:
        return __builtin_cpu_supports ("x86-64-v2") != 0;
      case 2:
        return __builtin_cpu_supports ("x86-64-v3") != 0;
      case 3:
        return __builtin_cpu_supports ("x86-64-v4") != 0;
      default:
        break;
    }
#endif
  return i == 0;
}

static const IsoluxKernels *
best_level (void)
{
  const gchar         *wish = g_getenv ("ISOLUX_CPU_LEVEL");
  const IsoluxKernels *best = levels[0];

  for (gsize i = 0; i < G_N_ELEMENTS (levels) && has_level (i); i++)
    {
      best = levels[i];
      if (g_strcmp0 (wish, best->name) == 0)
        break;
    }
  return best;
}

const IsoluxKernels *
isolux_cpu_kernels (void)
{
  const IsoluxKernels *kernels = g_atomic_pointer_get (&current);

  if (! kernels)
    {
      kernels = best_level ();
      g_atomic_pointer_set (&current, kernels);
    }
  return kernels;
}

gboolean
isolux_cpu_set_level (gint level)
{
  if (level < 0 || level > (gint) G_N_ELEMENTS (levels) ||
      (level > 0 && ! has_level ((gsize) level - 1)))
    return FALSE;
  g_atomic_pointer_set (&current,
                        level > 0 ? levels[level - 1] : best_level ());
  return TRUE;
}
