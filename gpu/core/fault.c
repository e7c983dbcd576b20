/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Failures on demand, so that tests walk every way out of a call. */
#include "internal.h"

#include <stdlib.h>

static gint     armed; /* whether any fault is */
static gint     calls[ISOLUX_FAULTS];
static guint    fail_at[ISOLUX_FAULTS];
static gboolean fail_on[ISOLUX_FAULTS]; /* sticky */

void
isolux_fault_arm (IsoluxFault fault, guint count, gboolean sticky)
{
  fail_at[fault] = count;
  fail_on[fault] = sticky;
  g_atomic_int_set (&calls[fault], 0);
  g_atomic_int_set (&armed, 1);
}

gboolean
isolux_fault_is_armed (void)
{
  return g_atomic_int_get (&armed) || g_getenv ("ISOLUX_FAULT") != NULL;
}

gboolean
isolux_fault_hit (IsoluxFault fault)
{
  guint call;

  if (G_LIKELY (! g_atomic_int_get (&armed)))
    return FALSE;
  call = (guint) g_atomic_int_add (&calls[fault], 1) + 1;
  return fail_at[fault] &&
         (call == fail_at[fault] || (fail_on[fault] && call > fail_at[fault]));
}

guint
isolux_fault_calls (IsoluxFault fault)
{
  return (guint) g_atomic_int_get (&calls[fault]);
}

void
isolux_fault_arm_from_environment (void)
{
  const gchar *text = g_getenv ("ISOLUX_FAULT");
  const gchar *number;
  gchar       *end;
  gulong       count;
  IsoluxFault  fault;

  if (! text)
    return;
  if (g_str_has_prefix (text, "memory:"))
    fault = ISOLUX_FAULT_MEMORY;
  else if (g_str_has_prefix (text, "cuda:"))
    fault = ISOLUX_FAULT_CUDA;
  else
    return;
  number = strchr (text, ':') + 1;
  count = strtoul (number, &end, 10);
  if (end != number)
    isolux_fault_arm (fault, (guint) count, *end == '+');
}
