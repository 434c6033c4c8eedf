// SPDX-License-Identifier: GPL-3.0-or-later
#include "npu_kernels/loss_scale.h"

#include <array>

#include "engine/boost/kernel_tables.h"
#include "engine/boost/loss_scale/kernels.h"
#include "engine/boost/loss_scale/spec.h"
#include "engine/npu/kernels/agreed_numbers.h"
#include "engine/npu/npu_host.h"

namespace slipstream {
namespace {

constexpr std::size_t tileElements = slipstream_npu::wideTileElements;
constexpr std::size_t flagBytes = slipstream_npu::lanes * sizeof(float);  ///< a block's

/// gradient *= inverse, and *overflowed = 1 where something lies beyond ±limit then; null: nobody looks.
void scaleBy(NpuQueue& queue, float* gradient, std::size_t count, float inverse, float limit, float* overflowed) {
  const unsigned blocks = npuBlocksFor(queue, (count + tileElements - 1) / tileElements);
  std::byte* flags = queue.scratch(blocks * flagBytes);
  const std::array<NpuArgument, 6> arguments{
      gradient, std::uint64_t{count}, inverse, limit, std::uint32_t{overflowed != nullptr}, flags};
  queue.launch(npu_kernels::unscale, blocks, arguments);
  if (overflowed == nullptr) return;
  const std::array<NpuArgument, 3> ofJudge{flags, std::uint32_t{blocks}, overflowed};
  queue.launch(npu_kernels::unscale_judge, 1, ofJudge);
}

void unscale(DeviceQueue& given, float* gradient, std::size_t count, double scale, float limit, float* overflowed) {
  if (count == 0) return;
  NpuQueue& queue = npuQueue(given);
  // The inverse of a larger one would be no normal number. Nothing is judged before the last division.
  constexpr double largest = 0x1p100;
  for (; scale > largest; scale /= largest) {
    scaleBy(queue, gradient, count, static_cast<float>(1.0 / largest), limit, nullptr);
  }
  scaleBy(queue, gradient, count, static_cast<float>(1.0 / scale), limit, overflowed);
}

}  // namespace

const LossScaleKernels& npuLossScaleKernels() {
  static constexpr LossScaleKernels kernels{unscale};
  return kernels;
}

void LossScaleAlgorithm::addNpuKernels(KernelTables& tables) {
  tables.add(npuLossScaleKernels());
}

}  // namespace slipstream
