/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "frames.h"

#include <string.h>

static const gchar *
skip_spaces (const gchar *text)
{
  while (*text == ' ')
    text++;
  return text;
}

/* Reads a number from 1 to FRAMES_MAX; 0 when there is none */
static guint
read_number (const gchar **text)
{
  const gchar *p = skip_spaces (*text);
  guint        number = 0;

  while (g_ascii_isdigit (*p))
    {
      number = number * 10 + (guint) (*p++ - '0');
      if (number > FRAMES_MAX)
        return 0;
    }
  *text = skip_spaces (p);
  return number;
}

/* Goes through the ranges; marks those within n_frames in `chosen`, if it is
 * given.  Returns the last frame that is named, 0 when text is no list. */
static guint
read_list (const gchar *text, guint8 *chosen, guint n_frames)
{
  guint last = 0;

  for (;;)
    {
      guint from = read_number (&text);
      guint to = from;

      if (*text == '-')
        {
          text++;
          to = read_number (&text);
        }
      if (from == 0 || to < from)
        return 0;
      if (chosen)
        for (guint i = from; i <= to && i <= n_frames; i++)
          chosen[i - 1] = 1;
      last = MAX (last, to);

      if (*text == '\0')
        return last;
      if (*text++ != ',')
        return 0;
    }
}

static gboolean
means_all (const gchar *text)
{
  text = skip_spaces (text);
  if (g_ascii_strncasecmp (text, "all", 3) == 0)
    text = skip_spaces (text + 3);
  return *text == '\0';
}

gboolean
frames_is_list (const gchar *text)
{
  return means_all (text) || read_list (text, NULL, 0) > 0;
}

guint8 *
frames_select (const gchar *text, guint n_frames)
{
  guint8 *chosen;
  guint   last;

  if (n_frames < 1 || n_frames > FRAMES_MAX)
    return NULL;
  chosen = g_malloc0 (n_frames);
  if (means_all (text))
    {
      memset (chosen, 1, n_frames);
      return chosen;
    }
  last = read_list (text, chosen, n_frames);
  if (last == 0 || last > n_frames)
    g_clear_pointer (&chosen, g_free);
  return chosen;
}
