/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Types of components, to float and back */
#include "images.h"
#include "plugin/operations/values.h"

#include <math.h>
#include <string.h>

#define N 200000

/* Floats of any bits, and of the range that matters */
static gfloat *
some_floats (void)
{
  GRand  *random = g_rand_new_with_seed (3);
  gfloat *floats = g_new (gfloat, N);
  gint    i;

  for (i = 0; i < N; i++)
    {
      guint32 bits = g_rand_int (random);

      if (i % 2)
        memcpy (&floats[i], &bits, sizeof (bits));
      else
        floats[i] = (gfloat) (g_rand_double (random) * 1.2 - 0.1);
    }
  g_rand_free (random);
  return floats;
}

static void
test_half (void)
{
  const Values *half = values_find ("half");
  guint16      *halves = g_new (guint16, N);
  gfloat       *floats = some_floats ();
  gint          i;

  for (i = 0; i < 65536; i++)
    {
      guint16 in = (guint16) i, out;
      gdouble wanted = half_to_double (in);
      gfloat  v;

      half->widen (&v, &in, 1);
      half->narrow (&out, &v, 1);
      if (isnan (wanted))
        {
          g_assert_true (isnan (v));
          g_assert_true (isnan (half_to_double (out)));
        }
      else
        {
          g_assert_cmpfloat (v, ==, wanted);
          g_assert_cmphex (out, ==, in);

          /* the middle of two goes to the even one, what is next to it to
           * the nearer one */
          if (i < 0x7bff)
            {
              gfloat middle = (v + (gfloat) half_to_double (in + 1)) / 2.0f;
              gfloat three[3] = { nextafterf (middle, 0.0f), middle,
                                  nextafterf (middle, 1e9f) };

              half->narrow (halves, three, 3);
              g_assert_cmphex (halves[0], ==, in);
              g_assert_cmphex (halves[1], ==, in + (in & 1));
              g_assert_cmphex (halves[2], ==, in + 1);
            }
        }
    }

  half->narrow (halves, floats, N);
  for (i = 0; i < N; i++)
    if (isnan (floats[i]))
      g_assert_true (isnan (half_to_double (halves[i])));
    else
      g_assert_cmphex (halves[i], ==, double_to_half (floats[i]));
  g_free (halves);
  g_free (floats);
}

static void
test_u32 (void)
{
  static const guint32 codes[] = { 0,          1,          255,
                                   0x7fffffff, 0x80000000, 0xfffffffe,
                                   0xffffffff };
  const Values        *u32 = values_find ("u32");
  guint32             *found = g_new (guint32, N);
  gfloat              *floats = some_floats ();
  gint                 i;

  u32->widen (floats, codes, G_N_ELEMENTS (codes));
  for (i = 0; i < (gint) G_N_ELEMENTS (codes); i++)
    g_assert_cmpfloat (floats[i], ==, (gfloat) (codes[i] / 4294967295.0));

  floats[0] = (gfloat) NAN;
  floats[1] = (gfloat) -HUGE_VAL;
  floats[2] = (gfloat) HUGE_VAL;
  u32->narrow (found, floats, N);
  g_assert_cmpuint (found[0], ==, 0);
  g_assert_cmpuint (found[1], ==, 0);
  g_assert_cmpuint (found[2], ==, 0xffffffff);
  for (i = 3; i < N; i++)
    {
      gdouble v = CLAMP (floats[i], 0.0, 1.0) * 4294967295.0;

      if (! isnan (floats[i]))
        g_assert_cmpfloat (fabs (found[i] - v), <=, 0.5);
    }
  g_free (found);
  g_free (floats);
}

static void
test_double (void)
{
  const Values *values = values_find ("double");
  gdouble      *doubles = g_new (gdouble, N);
  gfloat       *floats = some_floats ();
  gfloat       *again = g_new (gfloat, N);
  gdouble       third = 1.0 / 3.0;
  gfloat        nearest;
  gint          i;

  values->narrow (doubles, floats, N);
  values->widen (again, doubles, N);
  for (i = 0; i < N; i++)
    if (! isnan (floats[i]))
      g_assert_cmpmem (&again[i], 4, &floats[i], 4);
  values->widen (&nearest, &third, 1);
  g_assert_cmpfloat (nearest, ==, 1.0f / 3.0f);
  g_free (doubles);
  g_free (floats);
  g_free (again);
}

static void
test_others (void)
{
  g_assert_null (values_find ("u8"));
  g_assert_null (values_find ("u16"));
  g_assert_null (values_find ("float"));
}

void
add_values_tests (void)
{
  g_test_add_func ("/operations/values/half", test_half);
  g_test_add_func ("/operations/values/u32", test_u32);
  g_test_add_func ("/operations/values/double", test_double);
  g_test_add_func ("/operations/values/others", test_others);
}
