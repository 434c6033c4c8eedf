// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "engine/base/number_type.h"
#include "engine/spec/network_spec.h"

namespace slipstream {

/// Which pixels a convolution joins: output (y, x) reads input (y stride + i - rowsBefore, x stride + j -
/// columnsBefore) for i and j below the kernel's size, where there is one.
struct JoinedPixels {
  std::int64_t batch;
  SampleShape input;
  SampleShape output;
  std::int64_t kernel;
  std::int64_t stride;
  std::int64_t rowsBefore;
  std::int64_t columnsBefore;
};

/// Whether the processor multiplies pairs of bf16, and has nothing better: with AMX oneDNN's products are faster.
bool multipliesPixelPairs();

/// Whether these channels fill the tiles of which the sums are made.
bool fitsPixelTiles(const JoinedPixels& joined);

/// What sumOfPixelProducts needs on so many threads.
std::size_t pixelProductBytes(const JoinedPixels& joined, int threads);

/// The weight gradient of a convolution without bias: gradient[o][i][j][c] is the sum over joined pixels of their
/// output gradient o times their input c; a fixed order for a number of threads. Where oneDNN 2.6 transposes operands,
/// waits for memory, or splits strided images badly, this reaches nine tenths of the processor's rate. `scratch`
/// begins at a cache line. Only where multipliesPixelPairs() and fitsPixelTiles().
void sumOfPixelProducts(const JoinedPixels& joined, const Bfloat16* input, const Bfloat16* outputGradient,
                        std::span<std::byte> scratch, int threads, float* gradient);

}  // namespace slipstream
