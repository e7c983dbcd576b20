/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * CUB's histograms, for the benchmark to be compared with: a shared object of
 * its own, since CUB wants CUDA's runtime, which the library does without.
 */
#include <cub/device/device_histogram.cuh>

/*
 * Enqueues counting of gray pixels, u8 (bytes 1) or u16 (bytes 2), rows of
 * stride bytes, into 256 or 65,536 counts of 32 bits.  room: bytes of
 * temporary memory; temporary NULL: they are asked for.  Returns: 0 or CUDA's
 * error.
 */
extern "C" __attribute__ ((visibility ("default"))) int
isolux_cub_histogram (const void   *pixels,
                      int           bytes,
                      int           width,
                      int           height,
                      size_t        stride,
                      unsigned int *counts,
                      void         *temporary,
                      size_t       *room,
                      void         *stream)
{
  const cudaStream_t s = (cudaStream_t) stream;

  if (bytes == 1)
    return cub::DeviceHistogram::HistogramEven (temporary, *room,
                                                (const unsigned char *) pixels,
                                                counts, 257, 0, 256, width,
                                                height, stride, s);
  return cub::DeviceHistogram::HistogramEven (temporary, *room,
                                              (const unsigned short *) pixels,
                                              counts, 65537, 0, 65536, width,
                                              height, stride, s);
}
