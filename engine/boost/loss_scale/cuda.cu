// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <bit>

#include "engine/boost/kernel_tables.h"
#include "engine/boost/loss_scale/kernels.h"
#include "engine/boost/loss_scale/spec.h"
#include "engine/cuda/elements.h"
#include "engine/cuda/sums.h"

namespace slipstream {
namespace {

constexpr unsigned blockThreads = 256;
constexpr std::size_t elementsOfBlock = 16 * blockThreads;
constexpr std::size_t mostBlocks = 1024;
constexpr std::uint32_t withoutSign = 0x7fffffffU;

/// Scales the elements [i, i + Width) and gives the largest magnitude among them and `largest`, as bits: floats without
/// sign are ordered like their bits, infinity above every number and NaN above infinity.
template <int Width>
__device__ std::uint32_t unscaleAt(float* values, float inverse, std::uint32_t largest) {
  auto scaled = load<Width>(values);
  for (int k = 0; k < Width; ++k) {
    scaled.of[k] *= inverse;
    largest = max(largest, __float_as_uint(scaled.of[k]) & withoutSign);
  }
  store(values, scaled);
  return largest;
}

/// Warps that find a magnitude above `limit` all write the same, so no order matters.
__global__ void __launch_bounds__(blockThreads)
    unscaleAndJudge(float* gradient, std::size_t count, float inverse, AlignedQuads quads, std::uint32_t limit,
                    float* overflowed) {
  const std::size_t thread = blockIdx.x * static_cast<std::size_t>(blockThreads) + threadIdx.x;
  const std::size_t threads = gridDim.x * static_cast<std::size_t>(blockThreads);
  const std::size_t singles = quads.singles(count);
  std::uint32_t largest = 0;
  for (std::size_t i = thread; i < quads.count; i += threads) {
    largest = unscaleAt<4>(gradient + quads.quad(i), inverse, largest);
  }
  for (std::size_t i = thread; i < singles; i += threads) {
    largest = unscaleAt<1>(gradient + quads.single(i), inverse, largest);
  }
  largest = warpLargest(largest);
  if (threadIdx.x % warpThreads == 0 && largest > limit) *overflowed = 1;
}

void scaleBy(DeviceQueue& queue, float* gradient, std::size_t count, float inverse, std::uint32_t limit,
             float* overflowed) {
  const std::size_t blocks = std::clamp<std::size_t>(count / elementsOfBlock, 1, mostBlocks);
  launch(queue, "unscale a gradient", unscaleAndJudge, static_cast<unsigned>(blocks), blockThreads, gradient, count,
         inverse, alignedQuads(count, gradient), limit, overflowed);
}

void unscale(DeviceQueue& queue, float* gradient, std::size_t count, double scale, float limit, float* overflowed) {
  if (count == 0) return;
  // The inverse of a larger one would be no normal number. Nothing is judged before the last division.
  constexpr double largest = 0x1p100;
  constexpr std::uint32_t any = 0xffffffffU;
  for (; scale > largest; scale /= largest) {
    scaleBy(queue, gradient, count, static_cast<float>(1.0 / largest), any, overflowed);
  }
  scaleBy(queue, gradient, count, static_cast<float>(1.0 / scale), std::bit_cast<std::uint32_t>(limit), overflowed);
}

}  // namespace

const LossScaleKernels& cudaLossScaleKernels() {
  static constexpr LossScaleKernels kernels{unscale};
  return kernels;
}

void LossScaleAlgorithm::addCudaKernels(KernelTables& tables) {
  tables.add(cudaLossScaleKernels());
}

}  // namespace slipstream
