#include <algorithm>
#include <bit>
#include <vector>

#include "engine/boost/loss_scale/kernels.h"
#include "engine/device/cuda/elements.h"
#include "engine/device/cuda/sums.h"

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

__global__ void __launch_bounds__(blockThreads) unscaleAndFindLargest(float* gradient, std::size_t count, float inverse,
                                                                      bool byFour, std::uint32_t* largestOfWarp) {
  const std::size_t thread = blockIdx.x * static_cast<std::size_t>(blockThreads) + threadIdx.x;
  const std::size_t threads = gridDim.x * static_cast<std::size_t>(blockThreads);
  const std::size_t fours = byFour ? count / 4 : 0;
  std::uint32_t largest = 0;
  for (std::size_t i = thread; i < fours; i += threads) largest = unscaleAt<4>(gradient + 4 * i, inverse, largest);
  for (std::size_t i = 4 * fours + thread; i < count; i += threads) {
    largest = unscaleAt<1>(gradient + i, inverse, largest);
  }
  largest = warpLargest(largest);
  if (threadIdx.x % warpThreads == 0) largestOfWarp[thread / warpThreads] = largest;
}

/// One largest magnitude a warp goes to the host, which finds the largest of all: none of it depends on an order.
std::uint32_t scaleBy(float* gradient, std::size_t count, float inverse) {
  const std::size_t blocks = std::clamp<std::size_t>(count / elementsOfBlock, 1, mostBlocks);
  std::vector<std::uint32_t> largest(blocks * (blockThreads / warpThreads));
  auto* found = kernelScratch<std::uint32_t>(largest.size());
  launch("unscale a gradient", unscaleAndFindLargest, static_cast<unsigned>(blocks), blockThreads, gradient, count,
         inverse, takeFour(gradient), found);
  download<std::uint32_t>(largest, found, "unscale a gradient");
  return *std::ranges::max_element(largest);
}

bool unscale(float* gradient, std::size_t count, double scale, float limit) {
  if (count == 0) return true;
  // The inverse of a larger one would be no normal number.
  constexpr double largest = 0x1p100;
  for (; scale > largest; scale /= largest) scaleBy(gradient, count, static_cast<float>(1.0 / largest));
  return scaleBy(gradient, count, static_cast<float>(1.0 / scale)) <= std::bit_cast<std::uint32_t>(limit);
}

}  // namespace

const LossScaleKernels& cudaLossScaleKernels() {
  static constexpr LossScaleKernels kernels{unscale};
  return kernels;
}

}  // namespace slipstream
