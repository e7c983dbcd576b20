/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Times the library: on the CPU beside OpenCV and scikit-image, on the GPU
 * alone, and from host memory to host memory.  Each result is checked before
 * it is timed: that of several threads against that of one, a small picture
 * against tests/reference, the GPU's against the CPU's.
 *
 * The floor is the time that reading and writing the same bytes takes in the
 * same run; share says how much of a time that is.
 */
#include "bench.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum
{
  ON_CPU = 1 << 0,
  ON_CUDA = 1 << 1,
  ON_ROWS = 1 << 2,
  ON_PEERS = 1 << 3,
  ON_GIMP = 1 << 4,
  ON_FRAMES = 1 << 5
};

#define MOST_SIZES 8
#define MOST_THREADS 8

typedef struct
{
  gboolean *operations;
  guint     types, data, layouts, on;
  Size      sizes[MOST_SIZES];
  gint      n_sizes;
  gint      threads[MOST_THREADS];
  gint      n_threads;
  gchar    *json;
  gboolean  check;
} Wishes;

typedef struct
{
  Wishes        wishes;
  IsoluxDevice *cpu, *cuda; /* cuda: nullable */
  gdouble       start_ms;
  Gpu          *gpu;
  Peers        *peers;
  GArray       *rows;
} Bench;

/* ---- What is wished ----------------------------------------------------- */

static gchar   *ops_text, *types_text, *sizes_text, *data_text, *layouts_text;
static gchar   *threads_text, *on_text, *json_text;
static gdouble  seconds = 0.0;
static gboolean all, quick, no_check, list;

static const GOptionEntry entries[] = {
  { "ops", 'o', 0, G_OPTION_ARG_STRING, &ops_text,
    "operations, see --list (those of the README)", "A,B" },
  { "types", 't', 0, G_OPTION_ARG_STRING, &types_text,
    "u8, u16, u12 (u16 of 12 bits), f32 (u8,u16)", "A,B" },
  { "sizes", 's', 0, G_OPTION_ARG_STRING, &sizes_text,
    "1080p, 4096, 8192, 100mp, a side or WIDTHxHEIGHT (4096)", "A,B" },
  { "data", 'd', 0, G_OPTION_ARG_STRING, &data_text,
    "photo, uniform, constant, two (photo)", "A,B" },
  { "layouts", 'l', 0, G_OPTION_ARG_STRING, &layouts_text,
    "plain, odd (widths and rows), mask (plain)", "A,B" },
  { "threads", 'n', 0, G_OPTION_ARG_STRING, &threads_text,
    "threads of the CPU (1 and all)", "N,N" },
  { "on", 0, 0, G_OPTION_ARG_STRING, &on_text,
    "cpu, cuda, rows (host to host), peers, gimp, frames (all but the last "
    "two)",
    "A,B" },
  { "seconds", 0, 0, G_OPTION_ARG_DOUBLE, &seconds, "for a figure (0.4)", "S" },
  { "all", 'a', 0, G_OPTION_ARG_NONE, &all,
    "every operation, type, size, data and layout (hours)", NULL },
  { "quick", 'q', 0, G_OPTION_ARG_NONE, &quick,
    "all operations on a small picture: whether they can be measured", NULL },
  { "processor-time", 0, 0, G_OPTION_ARG_NONE, &processor_time,
    "the processor's time instead of the clock's: one thread alone", NULL },
  { "no-check", 0, 0, G_OPTION_ARG_NONE, &no_check,
    "do not check the results first", NULL },
  { "json", 'j', 0, G_OPTION_ARG_FILENAME, &json_text, "also as JSON", "FILE" },
  { "list", 0, 0, G_OPTION_ARG_NONE, &list, "list the operations", NULL },
  { NULL }
};

/* A failure ends the program: there is nothing to measure then. */
static void
must (gboolean success, GError *error)
{
  if (success)
    return;
  fprintf (stderr, "isolux-bench: %s\n", error ? error->message : "failed");
  exit (1);
}

static void
unknown (const gchar *what, const gchar *word)
{
  fprintf (stderr, "isolux-bench: no such %s: %s\n", what, word);
  exit (2);
}

/* Bits of those of the names that the text has. */
static guint
bits_of (const gchar        *what,
         const gchar        *text,
         const gchar *const *names,
         gint                n,
         guint               otherwise)
{
  gchar **words;
  guint   bits = 0;

  if (! text)
    return otherwise;
  words = g_strsplit (text, ",", 0);
  for (gint i = 0; words[i]; i++)
    {
      gint k = 0;

      while (k < n && strcmp (words[i], names[k]) != 0)
        k++;
      if (k == n)
        unknown (what, words[i]);
      bits |= 1u << k;
    }
  g_strfreev (words);
  return bits;
}

static void
set_operations (Wishes *w)
{
  gchar **words;

  w->operations = g_new0 (gboolean, n_operations);
  for (gint k = 0; k < n_operations; k++)
    w->operations[k] = ! ops_text && (all || quick || operations[k].quick);
  if (! ops_text)
    return;
  words = g_strsplit (ops_text, ",", 0);
  for (gint i = 0; words[i]; i++)
    {
      gint k = 0;

      while (k < n_operations && strcmp (words[i], operations[k].name) != 0)
        k++;
      if (k == n_operations)
        unknown ("operation", words[i]);
      w->operations[k] = TRUE;
    }
  g_strfreev (words);
}

static void
set_sizes (Wishes *w)
{
  static const Size known[] = { { "1080p", 1920, 1080 },
                                { "100mp", 10000, 10000 } };
  gchar           **words = g_strsplit (sizes_text ? sizes_text
                                        : all      ? "1080p,4096,8192,100mp"
                                        : quick    ? "200x150"
                                                   : "4096",
                              ",", 0);

  for (gint i = 0; words[i] && w->n_sizes < MOST_SIZES; i++)
    {
      Size  *size = &w->sizes[w->n_sizes++];
      gchar *end;

      g_strlcpy (size->name, words[i], sizeof size->name);
      size->width = size->height = g_ascii_strtoll (words[i], &end, 10);
      if (*end == 'x')
        size->height = g_ascii_strtoll (end + 1, &end, 10);
      for (gsize k = 0; k < G_N_ELEMENTS (known); k++)
        if (strcmp (words[i], known[k].name) == 0)
          {
            *size = known[k];
            end = (gchar *) "";
          }
      if (*end || size->width < 1 || size->height < 1 || size->width > 65536 ||
          size->height > 65536)
        unknown ("size", words[i]);
    }
  g_strfreev (words);
}

static void
set_threads (Wishes *w)
{
  const gint processors = (gint) g_get_num_processors ();
  gchar    **words;

  if (! threads_text)
    {
      w->threads[w->n_threads++] = 1;
      if (processors > 1)
        w->threads[w->n_threads++] = processors;
      return;
    }
  words = g_strsplit (threads_text, ",", 0);
  for (gint i = 0; words[i] && w->n_threads < MOST_THREADS; i++)
    {
      const gint64 n = g_ascii_strtoll (words[i], NULL, 10);

      if (n < 1 || n > 1024)
        unknown ("number of threads", words[i]);
      w->threads[w->n_threads++] = (gint) n;
    }
  g_strfreev (words);
}

static void
set_wishes (Wishes *w)
{
  static const gchar *const on_names[] = { "cpu",   "cuda", "rows",
                                           "peers", "gimp", "frames" };
  const guint               any = all ? ~0u : 0u;

  set_operations (w);
  set_sizes (w);
  set_threads (w);
  w->types = bits_of ("type", types_text, type_names, N_TYPES,
                      any | 1u << TYPE_U8 | 1u << TYPE_U16);
  w->data =
    bits_of ("data", data_text, data_names, N_DATA, any | 1u << DATA_PHOTO);
  w->layouts = bits_of ("layout", layouts_text, layout_names, N_LAYOUTS,
                        any | 1u << LAYOUT_PLAIN);
  w->on = bits_of ("place", on_text, on_names, G_N_ELEMENTS (on_names),
                   any | ON_CPU | ON_CUDA | ON_ROWS | ON_PEERS);
  w->json = json_text;
  w->check = ! no_check;
  if (seconds > 0.0)
    patience.seconds = seconds;
  if (quick)
    {
      patience.seconds = 0.0;
      patience.least = 2;
      if (! types_text)
        w->types = ~0u;
    }
}

/* ---- Measuring ---------------------------------------------------------- */

typedef struct
{
  Surfaces   *surfaces;
  const Case *c;
} Call;

static gboolean
call_work (gpointer data, GError **error)
{
  Call *call = data;

  return surfaces_run (call->surfaces, call->c, NULL, NULL, error);
}

static void
same_or_die (const Case  *c,
             const gchar *what,
             GByteArray  *wanted,
             GByteArray  *got)
{
  if (wanted->len == got->len &&
      memcmp (wanted->data, got->data, got->len) == 0)
    {
      g_byte_array_unref (got);
      return;
    }
  fprintf (stderr, "isolux-bench: %s %s %s %s: %s gives other bytes\n",
           c->operation->name, type_names[c->type], data_names[c->data],
           layout_names[c->layout], what);
  exit (1);
}

static GByteArray *
result_or_die (IsoluxDevice *device, const Case *c)
{
  GError     *error = NULL;
  GByteArray *result = case_result (device, c, &error);

  must (result != NULL, error);
  return result;
}

static void
check (Bench *b, const Case *c)
{
  GError     *error = NULL;
  GByteArray *wanted;

  isolux_device_set_threads (b->cpu, 1);
  must (case_is_right (b->cpu, c, &error), error);
  wanted = result_or_die (b->cpu, c);
  for (gint i = 0; i < b->wishes.n_threads; i++)
    if (b->wishes.threads[i] > 1)
      {
        isolux_device_set_threads (b->cpu, b->wishes.threads[i]);
        same_or_die (c, "more than one thread", wanted,
                     result_or_die (b->cpu, c));
      }
  if (b->cuda)
    same_or_die (c, "CUDA", wanted, result_or_die (b->cuda, c));
  g_byte_array_unref (wanted);
}

static void
add_row (Bench *b, const Row *row)
{
  report_row (row);
  g_array_append_val (b->rows, *row);
}

static void
measure_cpu (Bench *b, const Case *c)
{
  Surfaces s;
  Call     call = { &s, c };
  GError  *error = NULL;
  gsize    reads, writes;

  case_bytes (c, &reads, &writes);
  must (surfaces_init (&s, b->cpu, c, NULL, &error), error);
  for (gint i = 0; i < b->wishes.n_threads; i++)
    {
      Row row = { SECTION_CPU, *c, "CPU", b->wishes.threads[i] };

      isolux_device_set_threads (b->cpu, row.threads);
      must (time_work (call_work, &call, &row.times, &error), error);
      row.floor = time_host_floor (reads, writes, row.threads);
      if (b->peers && c->layout == LAYOUT_PLAIN)
        peers_time (b->peers, c, row.threads, &row.peer_times, &row.peer);
      add_row (b, &row);
    }
  surfaces_clear (&s);
}

static void
measure_cuda (Bench *b, const Case *c)
{
  Row     row = { SECTION_DEVICE, *c, "CUDA", 1 };
  GError *error = NULL;
  gsize   reads, writes;

  case_bytes (c, &reads, &writes);
  must (gpu_time (b->gpu, c, &row.times, &row.launches, &error), error);
  must (gpu_floor (b->gpu, reads, writes, &row.floor, &error), error);
  must (gpu_peer_time (b->gpu, c, &row.peer_times, &row.peer, &error), error);
  add_row (b, &row);
}

static void
measure_rows (Bench *b, const Case *c)
{
  const IsoluxImage source = case_source_image (c);
  const IsoluxImage result = case_result_image (c);
  const gint        threads = b->wishes.threads[b->wishes.n_threads - 1];
  const gdouble     floor =
    time_host_floor (image_bytes (&source), image_bytes (&result), threads);

  for (gint i = 0; i < 2; i++)
    {
      IsoluxDevice *device = i ? b->cuda : b->cpu;
      Row           row = { SECTION_ROWS, *c, i ? "CUDA" : "CPU", threads };
      GError       *error = NULL;

      if (! device)
        continue;
      isolux_device_set_threads (device, threads);
      must (time_rows (device, c, &row.times, row.parts, &error), error);
      row.floor = floor;
      add_row (b, &row);
    }
}

static void
measure (Bench *b, const Case *c, Section section)
{
  if (section == SECTION_CPU)
    {
      /* once, before anything is timed */
      if (b->wishes.check)
        check (b, c);
      if (b->wishes.on & ON_CPU)
        measure_cpu (b, c);
    }
  else if (section == SECTION_DEVICE && b->gpu)
    measure_cuda (b, c);
  else if (section == SECTION_ROWS && (b->wishes.on & ON_ROWS) &&
           c->layout == LAYOUT_PLAIN)
    measure_rows (b, c);
}

static void
measure_all (Bench *b, Section section)
{
  const Wishes *w = &b->wishes;
  Case          c;

  for (gint size = 0; size < w->n_sizes; size++)
    for (gint o = 0; o < n_operations; o++)
      for (gint type = 0; type < N_TYPES; type++)
        for (gint data = 0; data < N_DATA; data++)
          for (gint layout = 0; layout < N_LAYOUTS; layout++)
            if (w->operations[o] &&
                (w->types & operations[o].types & 1u << type) &&
                (w->data & 1u << data) && (w->layouts & 1u << layout))
              {
                c = (Case) { &operations[o], (Type) type, (Data) data,
                             (Layout) layout, w->sizes[size] };
                measure (b, &c, section);
              }
}

/* What a user of GIMP waits for, by a script: its tables. */
static gchar *
measure_gimp (const Bench *b)
{
  gchar *program = g_file_read_link ("/proc/self/exe", NULL);
  gchar *bench = program ? g_path_get_dirname (program) : NULL;
  gchar *tests = bench ? g_path_get_dirname (bench) : NULL;
  gchar *build = tests ? g_path_get_dirname (tests) : NULL;
  gchar *side = g_strdup_printf ("%" G_GINT64_FORMAT, b->wishes.sizes[0].width);
  gchar *argv[] = { (gchar *) "bash",
                    (gchar *) ISOLUX_BENCH_FOLDER "/end-to-end.sh",
                    build,
                    side,
                    (gchar *) "31",
                    NULL };
  gchar *said = NULL;
  gint   status = 0;
  GError *error = NULL;

  must (build &&
          g_spawn_sync (NULL, argv, NULL, G_SPAWN_SEARCH_PATH, NULL, NULL,
                        &said, NULL, &status, &error) &&
          g_spawn_check_wait_status (status, &error),
        error);
  fputs (said, stdout);
  g_free (side);
  g_free (build);
  g_free (tests);
  g_free (bench);
  g_free (program);
  return said;
}

/* ---- The head ----------------------------------------------------------- */

static gchar *
processor_name (void)
{
  gchar *text = NULL, *name = NULL, *line;

  if (g_file_get_contents ("/proc/cpuinfo", &text, NULL, NULL) &&
      (line = strstr (text, "model name")) && (line = strchr (line, ':')))
    name = g_strndup (line + 2, strcspn (line + 2, "\n"));
  g_free (text);
  return name ? name : g_strdup ("unknown");
}

static void
print_head (Bench *b, GPtrArray *head)
{
  const gchar *commit = g_getenv ("ISOLUX_COMMIT");
  GDateTime   *now = g_date_time_new_now_utc ();
  gchar       *card = isolux_device_describe (b->cuda ? b->cuda : b->cpu);

  card[strcspn (card, "\n")] = '\0';
  g_ptr_array_add (head, g_strdup ("date"));
  g_ptr_array_add (head, g_date_time_format (now, "%F %H:%M UTC"));
  g_ptr_array_add (head, g_strdup ("commit"));
  g_ptr_array_add (head, g_strdup (commit && *commit ? commit : "unknown"));
  g_ptr_array_add (head, g_strdup ("compiler"));
  g_ptr_array_add (head, g_strdup (__VERSION__));
  g_ptr_array_add (head, g_strdup ("cpu"));
  g_ptr_array_add (head, processor_name ());
  g_ptr_array_add (head, g_strdup ("processors"));
  g_ptr_array_add (head, g_strdup_printf ("%u", g_get_num_processors ()));
  g_ptr_array_add (head, g_strdup ("gpu"));
  g_ptr_array_add (head, card);
  if (b->cuda)
    {
      g_ptr_array_add (head, g_strdup ("cuda"));
      g_ptr_array_add (head,
                       g_strdup_printf ("started in %.0f ms", b->start_ms));
    }
  g_ptr_array_add (head, g_strdup ("peers"));
  g_ptr_array_add (head,
                   g_strdup (b->peers ? peers_versions (b->peers) : "none"));
  puts ("# Isolux, measured\n");
  for (guint i = 0; i < head->len; i += 2)
    printf ("- %s: %s\n", (gchar *) head->pdata[i],
            (gchar *) head->pdata[i + 1]);
  puts ("- times are medians; spread: from quartile to quartile; times: how "
        "many\n  times the peer's least time is ours");
  fflush (stdout);
  g_ptr_array_add (head, NULL);
  g_date_time_unref (now);
}

static void
open_devices (Bench *b)
{
  GError *error = NULL;

  b->cpu = isolux_device_open (ISOLUX_BACKEND_CPU, 0, &error);
  must (b->cpu != NULL, error);
  if (b->wishes.on & ON_CUDA)
    {
      b->start_ms = now_ms ();
      b->cuda = isolux_device_open (ISOLUX_BACKEND_CUDA, 0, &error);
      if (b->cuda)
        {
          b->start_ms = now_ms () - b->start_ms;
          b->gpu = gpu_open (b->cuda, &error);
          must (b->gpu != NULL, error);
        }
      else
        fprintf (stderr, "CUDA: off (%s)\n", error->message);
      g_clear_error (&error);
    }
  if ((b->wishes.on & ON_CPU) && (b->wishes.on & ON_PEERS))
    b->peers = peers_open (ISOLUX_BENCH_FOLDER "/peers.py");
}

int
main (int argc, char **argv)
{
  GOptionContext *context = g_option_context_new (NULL);
  GPtrArray      *head = g_ptr_array_new_with_free_func (g_free);
  Bench           b = { 0 };
  gchar          *tables = NULL;
  GError         *error = NULL;

  g_option_context_add_main_entries (context, entries, NULL);
  g_option_context_set_summary (context, "Times the operations; a table in "
                                         "Markdown on standard output.");
  if (! g_option_context_parse (context, &argc, &argv, &error) || argc > 1)
    {
      fprintf (stderr, "isolux-bench: %s\n",
               error ? error->message : "no arguments, but options");
      return 2;
    }
  g_option_context_free (context);
  if (list)
    {
      for (gint i = 0; i < n_operations; i++)
        puts (operations[i].name);
      return 0;
    }

  set_wishes (&b.wishes);
  b.rows = g_array_new (FALSE, FALSE, sizeof (Row));
  open_devices (&b);
  print_head (&b, head);
  for (gint section = 0; section < N_SECTIONS; section++)
    measure_all (&b, (Section) section);
  if (b.wishes.on & ON_FRAMES)
    {
      /* some 12 million pixels, unless a size was asked for */
      const Size usual = { "4000x3000", 4000, 3000 };

      tables = frames_measure (b.wishes.operations,
                               sizes_text || quick ? b.wishes.sizes : &usual,
                               b.cpu, b.cuda, &error);
      must (tables != NULL, error);
    }
  if (b.wishes.on & ON_GIMP)
    {
      gchar *frames = tables, *gimp = measure_gimp (&b);

      tables = g_strconcat (frames ? frames : "", gimp, NULL);
      g_free (frames);
      g_free (gimp);
    }
  if (b.wishes.json)
    must (report_json (b.wishes.json, (const gchar *const *) head->pdata,
                       b.rows, tables, &error),
          error);
  g_free (tables);

  gpu_close (b.gpu);
  peers_close (b.peers);
  isolux_device_unref (b.cuda);
  isolux_device_unref (b.cpu);
  g_array_unref (b.rows);
  g_ptr_array_unref (head);
  g_free (b.wishes.operations);
  return 0;
}
