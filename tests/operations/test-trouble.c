/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * An operation never fails: whatever happens, its output holds the result or
 * the input, and the user is told, once.
 */
#include "images.h"

#include <string.h>

static const gchar *const operations[] = {
  "isolux:equalize",     "isolux:grayscale", "isolux:clahe", "isolux:window",
  "isolux:contrast-map", "isolux:lbp",       "isolux:hog",
};

static const GeglRectangle extent = { 0, 0, 150, 140 };

/* Each allocation of the library fails in turn */
static void
test_memory (gconstpointer data)
{
  const gchar *operation = data;
  gint         before = messages_count ();
  gint         failed = 0;
  gsize        t;
  gint         n;

  for (t = 0; t < N_TYPES; t++)
    {
      Image *image = image_new (&models[7], &types[t], &spaces[0], &extent, 1);
      Image *right = run (image, operation, NULL);

      for (n = 1; n < 100; n++)
        {
          gchar *fault = g_strdup_printf ("memory:%d+", n);
          Image *after;

          g_setenv ("ISOLUX_FAULT", fault, TRUE);
          after = run (image, operation, NULL);
          g_free (fault);
          if (! memcmp (after->data, right->data, image_size (right)))
            {
              image_free (after);
              break;
            }
          note_case (image, operation);
          assert_same (image, after);
          failed++;
          image_free (after);
        }
      g_assert_cmpint (n, <, 100);

      /* and the next one is as if nothing had been */
      g_setenv ("ISOLUX_FAULT", "memory:0", TRUE);
      {
        Image *after = run (image, operation, NULL);

        assert_same (right, after);
        image_free (after);
      }
      g_unsetenv ("ISOLUX_FAULT");
      image_free (right);
      image_free (image);
    }

  g_assert_cmpint (failed, >=, N_TYPES);
  g_assert_cmpint (messages_count () - before, ==, 1);
}

static void
test_verbose_copy (void)
{
  Image *image = image_new (&models[7], &types[1], &spaces[0], &extent, 1);
  gchar *text;

  g_setenv ("ISOLUX_FAULT", "memory:1+", TRUE);
  g_setenv ("ISOLUX_VERBOSE", "1", TRUE);
  capture_begin ();
  image_free (run (image, "isolux:equalize", NULL));
  text = capture_end ();
  g_unsetenv ("ISOLUX_VERBOSE");
  g_setenv ("ISOLUX_FAULT", "memory:0", TRUE);
  image_free (run (image, "isolux:equalize", NULL));
  g_unsetenv ("ISOLUX_FAULT");

  g_assert_cmpint (count_lines (text,
                                "isolux: equalize 150x140 u16x4 copied: "),
                   ==, 1);
  g_free (text);
  image_free (image);
}

/* The line that programs read */
static void
test_verbose (void)
{
  static const gchar *const patterns[][2] = {
    { "isolux:equalize", "isolux: equalize 150x140 u16x4 on " },
    { "isolux:grayscale", "isolux: grayscale 150x140 u16x4 on " },
  };
  Image *image = image_new (&models[7], &types[1], &spaces[0], &extent, 1);
  gsize  i;

  for (i = 0; i < G_N_ELEMENTS (patterns); i++)
    {
      gchar *text;

      g_setenv ("ISOLUX_VERBOSE", "1", TRUE);
      capture_begin ();
      image_free (run (image, patterns[i][0], NULL));
      text = capture_end ();
      g_test_message ("%s", text);
      g_assert_cmpint (count_lines (text, patterns[i][1]), ==, 1);
      g_assert_true (g_regex_match_simple (
        "^isolux: [a-z-]+ \\d+x\\d+ (u8|u16|f32)x[1-4] on (CPU|CUDA) \\(.+\\): "
        "read \\d+\\.\\d ms, compute \\d+\\.\\d ms, write \\d+\\.\\d ms, "
        "total \\d+\\.\\d ms; (un)?changed; CUDA: .+\n$",
        text, 0, 0));
      g_free (text);

      /* empty is off */
      g_setenv ("ISOLUX_VERBOSE", "", TRUE);
      capture_begin ();
      image_free (run (image, patterns[i][0], NULL));
      text = capture_end ();
      g_unsetenv ("ISOLUX_VERBOSE");
      g_assert_cmpstr (text, ==, "");
      g_free (text);
    }
  image_free (image);
}

static void
test_damaged_roi (void)
{
  static const gchar *const damaged[] = {
    "x",
    "10",
    "10x",
    "0x10",
    "-1x5",
    "10x10:",
    "10x10:AAAA",
    "10x10:eJw=",
    "99999999999999999999x1",
    "2147483647x2147483647:eJwDAAAAAAE=",
  };
  Image *image = image_new (&models[4], &types[0], &spaces[0], &extent, 1);
  Image *all = run (image, "isolux:equalize", NULL);
  gint   before = messages_count ();
  gsize  i;

  for (i = 0; i < G_N_ELEMENTS (damaged); i++)
    {
      Image *after = run (image, "isolux:equalize", "roi", damaged[i], NULL);

      g_test_message ("roi '%s'", damaged[i]);
      assert_same (all, after);
      image_free (after);
    }
  g_assert_cmpint (messages_count () - before, ==, 1);
  image_free (all);
  image_free (image);
}

/* ---- Odd sources --------------------------------------------------- */

/* A picture without edges has no histogram */
static void
test_infinite_plane (void)
{
  GeglRectangle part = { -20, -10, 64, 48 };
  gsize         k, size = 64 * 48 * 4;

  for (k = 0; k < G_N_ELEMENTS (operations); k++)
    {
      GeglNode *graph = gegl_node_new ();
      GeglNode *source, *node;
      guint8   *before = g_malloc (size);
      guint8   *after = g_malloc0 (size);
      gsize     i;

      source = gegl_node_new_child (graph, "operation", "gegl:checkerboard",
                                    "x", 7, "y", 5, NULL);
      node = gegl_node_new_child (graph, "operation", operations[k], NULL);
      gegl_node_link (source, node);
      gegl_node_blit (source, 1.0, &part, babl_format ("R'G'B'A u8"), before,
                      GEGL_AUTO_ROWSTRIDE, GEGL_BLIT_DEFAULT);
      gegl_node_blit (node, 1.0, &part, babl_format ("R'G'B'A u8"), after,
                      GEGL_AUTO_ROWSTRIDE, GEGL_BLIT_DEFAULT);
      /* the board is gray, so that both leave it */
      for (i = 0; i < size; i++)
        g_assert_cmpint (ABS (before[i] - after[i]), <=, 1);
      g_assert_cmpint (before[0] ^ before[7 * 4], !=, 0);
      g_free (before);
      g_free (after);
      g_object_unref (graph);
    }
}

/* A plane cropped to more than any image has */
static void
test_huge (void)
{
  gsize k;

  for (k = 0; k < G_N_ELEMENTS (operations); k++)
    {
      GeglNode *graph = gegl_node_new ();
      GeglNode *source, *crop, *node;
      guint8    pixels[8 * 4] = { 0 };
      guint8    color[4] = { 200, 200, 200, 255 };
      gsize     i;

      source = gegl_node_new_child (graph, "operation", "gegl:color", NULL);
      {
        GeglColor *gray = gegl_color_new (NULL);

        gegl_color_set_pixel (gray, babl_format ("R'G'B'A u8"), color);
        gegl_node_set (source, "value", gray, NULL);
        g_object_unref (gray);
      }
      crop = gegl_node_new_child (graph, "operation", "gegl:crop", "x", 0.0,
                                  "y", 0.0, "width", 1e9, "height", 1e9, NULL);
      node = gegl_node_new_child (graph, "operation", operations[k], NULL);
      gegl_node_link_many (source, crop, node, NULL);
      gegl_node_blit (node, 1.0, GEGL_RECTANGLE (1000000, 1000000, 4, 2),
                      babl_format ("R'G'B'A u8"), pixels, GEGL_AUTO_ROWSTRIDE,
                      GEGL_BLIT_DEFAULT);
      for (i = 0; i < 8; i++)
        g_assert_cmpmem (pixels + 4 * i, 4, color, 4);
      g_object_unref (graph);
    }
}

static void
test_nothing (void)
{
  GeglRectangle none = { 0, 0, 0, 0 };
  gsize         k;

  for (k = 0; k < G_N_ELEMENTS (operations); k++)
    {
      GeglNode     *graph = gegl_node_new ();
      GeglNode     *node, *source;
      GeglBuffer   *empty = gegl_buffer_new (&none, babl_format ("Y' u8"));
      GeglRectangle box;
      guint8        pixels[4] = { 9, 9, 9, 9 };

      /* no input */
      node = gegl_node_new_child (graph, "operation", operations[k], NULL);
      box = gegl_node_get_bounding_box (node);
      g_assert_true (gegl_rectangle_is_empty (&box));
      gegl_node_blit (node, 1.0, GEGL_RECTANGLE (0, 0, 2, 2),
                      babl_format ("Y' u8"), pixels, GEGL_AUTO_ROWSTRIDE,
                      GEGL_BLIT_DEFAULT);
      g_assert_cmpint (pixels[3], ==, 0);

      /* an empty one */
      source = gegl_node_new_child (graph, "operation", "gegl:buffer-source",
                                    "buffer", empty, NULL);
      gegl_node_link (source, node);
      pixels[3] = 9;
      gegl_node_blit (node, 1.0, GEGL_RECTANGLE (0, 0, 2, 2),
                      babl_format ("Y' u8"), pixels, GEGL_AUTO_ROWSTRIDE,
                      GEGL_BLIT_DEFAULT);
      g_assert_cmpint (pixels[3], ==, 0);

      g_object_unref (graph);
      g_object_unref (empty);
    }
}

/* ---- Threads ------------------------------------------------------- */

typedef struct
{
  const Image *image;
  const gchar *operation;
  Image       *after;
} Job;

static gpointer
work (gpointer data)
{
  Job *job = data;

  job->after = run (job->image, job->operation, "roi", "100x100", NULL);
  return NULL;
}

/* The number of threads, and other work at the same time, change nothing */
static void
test_threads (void)
{
  GeglRectangle place = { 0, 0, 600, 400 };
  Image   *image = image_new (&models[7], &types[2], &spaces[0], &place, 1);
  Image   *right;
  GThread *threads[4];
  Job      jobs[4];
  gint     usual, n;
  gsize    i;

  g_object_get (gegl_config (), "threads", &usual, NULL);
  right = run (image, "isolux:equalize", "roi", "100x100", NULL);
  for (n = 1; n < 6; n++)
    {
      Image *after;

      g_object_set (gegl_config (), "threads", n, NULL);
      after = run (image, "isolux:equalize", "roi", "100x100", NULL);
      assert_same (right, after);
      image_free (after);
    }
  g_object_set (gegl_config (), "threads", usual, NULL);

  for (i = 0; i < G_N_ELEMENTS (jobs); i++)
    {
      jobs[i] = (Job) { image, "isolux:equalize", NULL };
      threads[i] = g_thread_new ("job", work, &jobs[i]);
    }
  for (i = 0; i < G_N_ELEMENTS (jobs); i++)
    {
      g_thread_join (threads[i]);
      assert_same (right, jobs[i].after);
      image_free (jobs[i].after);
    }
  image_free (right);
  image_free (image);
}

void
add_trouble_tests (void)
{
  g_test_add_data_func ("/operations/trouble/memory/equalize", operations[0],
                        test_memory);
  g_test_add_data_func ("/operations/trouble/memory/grayscale", operations[1],
                        test_memory);
  g_test_add_func ("/operations/trouble/damaged-roi", test_damaged_roi);
  g_test_add_func ("/operations/trouble/infinite-plane", test_infinite_plane);
  g_test_add_func ("/operations/trouble/huge", test_huge);
  g_test_add_func ("/operations/trouble/nothing", test_nothing);
  g_test_add_func ("/operations/trouble/threads", test_threads);
  g_test_add_func ("/operations/verbose/line", test_verbose);
  g_test_add_func ("/operations/verbose/copied", test_verbose_copy);
}
