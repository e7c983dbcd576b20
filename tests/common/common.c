/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What operations, procedures and the import share. */
#include <locale.h>

#include "common.h"

int
main (int argc, char **argv)
{
  /* numbers are in C's locale in any other, too, where there is one */
  if (! setlocale (LC_ALL, "de_DE.UTF-8"))
    setlocale (LC_ALL, "");
  g_test_init (&argc, &argv, NULL);
  test_seed ();
  add_real_values_tests ();
  add_settings_tests ();
  add_presets_tests ();
  return g_test_run ();
}
