/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * frames.h: which frames of a file are meant by "all" or "1-10,15".
 *
 * The same for the reader and for the procedure, which checks the words
 * before it starts the reader.
 */
#ifndef ISOLUX_FRAMES_H
#define ISOLUX_FRAMES_H

#include <glib.h>

G_BEGIN_DECLS

/* Frames are numbered from 1 to this at most */
#define FRAMES_MAX 1000000

/*
 * frames_is_list: whether @text is "all", "", or numbers and ranges between
 *   commas, each number from 1 to FRAMES_MAX, ranges upwards
 */
gboolean frames_is_list (const gchar *text);

/*
 * frames_select:
 * @text: as above
 * @n_frames: that the file has
 *
 * Returns: (transfer full): n_frames bytes, 1 for each frame that is meant;
 *   NULL when @text is no list or names a frame that there is not
 */
guint8 *frames_select (const gchar *text, guint n_frames);

G_END_DECLS

#endif /* ISOLUX_FRAMES_H */
