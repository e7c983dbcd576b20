/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * operations - the GEGL operations, through GEGL
 *
 * GEGL_PATH names the folders of GEGL's own modules and of ours.
 */
#include "images.h"

#include <locale.h>
#include <string.h>

/* With AddressSanitizer: what babl and GEGL's own operations hold at the end */
const char *__lsan_default_suppressions (void);

const char *
__lsan_default_suppressions (void)
{
  return "leak:libbabl\nleak:gegl-common\n";
}

int
main (int argc, char **argv)
{
  gchar *maps = NULL;
  int    status;

  setlocale (LC_ALL, "");
  g_test_init (&argc, &argv, NULL);
  /* What GIMP says: operations under the GPL stay hidden else.  Before the
   * start, for it makes GEGL load its modules. */
  g_object_set (gegl_config (), "application-license", "GPL3", NULL);
  gegl_init (&argc, &argv);

  /* GEGL has loaded the operations by now: no driver may come with them */
  if (g_file_get_contents ("/proc/self/maps", &maps, NULL, NULL))
    g_assert_null (strstr (maps, "libcuda.so"));
  g_free (maps);

  spaces_init ();
  messages_init ();
  if (g_getenv ("ISOLUX_TEST_TRANSLATION"))
    {
      add_translation_test ();
    }
  else
    {
      add_values_tests ();
      add_module_tests ();
      add_grayscale_tests ();
      add_equalize_tests ();
      add_algorithms_tests ();
      add_trouble_tests ();
      add_units_tests ();
    }
  status = g_test_run ();

  gegl_exit ();
  return status;
}
