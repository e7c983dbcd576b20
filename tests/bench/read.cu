// SPDX-License-Identifier: GPL-3.0-or-later
/* The floor of all that reads: vectors of 16 bytes, added up. */
extern "C" __global__ void __launch_bounds__ (512)
  isolux_read (const uint4 *from, unsigned long long n, unsigned *sum)
{
  const unsigned long long step = (unsigned long long) gridDim.x * blockDim.x;
  unsigned long long       i = (unsigned long long) blockIdx.x * blockDim.x +
                         threadIdx.x;
  unsigned all = 0;

  for (; i + 3 * step < n; i += 4 * step)
    {
      const uint4 a = __ldcs (from + i), b = __ldcs (from + i + step);
      const uint4 c = __ldcs (from + i + 2 * step);
      const uint4 d = __ldcs (from + i + 3 * step);

      all += a.x ^ a.y ^ a.z ^ a.w ^ b.x ^ b.y ^ b.z ^ b.w;
      all += c.x ^ c.y ^ c.z ^ c.w ^ d.x ^ d.y ^ d.z ^ d.w;
    }
  for (; i < n; i += step)
    {
      const uint4 a = __ldcs (from + i);

      all += a.x ^ a.y ^ a.z ^ a.w;
    }
  /* never, but the compiler cannot know */
  if (all == 0x12345679u)
    *sum = all;
}
