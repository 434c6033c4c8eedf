// SPDX-License-Identifier: GPL-3.0-or-later
#include "npu_kernels/vectors.h"

#include <array>
#include <vector>

#include "engine/base/error.h"
#include "engine/boost/vectors/kernels.h"
#include "engine/npu/kernels/agreed_numbers.h"
#include "engine/npu/npu_host.h"

namespace slipstream {
namespace {

constexpr std::size_t mostVectors = 64;
constexpr std::size_t tileElements = slipstream_npu::wideTileElements;

unsigned blocksFor(const NpuQueue& queue, std::size_t elements) {
  return npuBlocksFor(queue, (elements + tileElements - 1) / tileElements);
}

void sum(DeviceQueue& given, std::span<const float* const> parts, std::span<float* const> results, std::size_t elements,
         float scale, bool add) {
  if (parts.size() > mostVectors || results.size() > mostVectors) {
    throw Error("a sum on an NPU takes at most 64 vectors at a time");
  }
  if (elements == 0) return;
  NpuQueue& queue = npuQueue(given);
  std::vector<std::uint64_t> addresses = npuAddresses(parts);
  for (const float* result : results) addresses.push_back(reinterpret_cast<std::uintptr_t>(result));
  NpuScratch scratch(queue);
  const std::size_t table = scratch.upload<std::uint64_t>(addresses);
  scratch.take();
  const std::array<NpuArgument, 6> arguments{scratch.at(table),
                                             static_cast<std::uint32_t>(parts.size()),
                                             static_cast<std::uint32_t>(results.size()),
                                             std::uint64_t{elements},
                                             scale,
                                             std::uint32_t{add}};
  queue.launch(npu_kernels::vectors_sum, blocksFor(queue, elements), arguments);
}

void scale(DeviceQueue& given, std::span<float> values, float factor) {
  if (factor == 1.0F || values.empty()) return;
  NpuQueue& queue = npuQueue(given);
  const std::array<NpuArgument, 3> arguments{values.data(), std::uint64_t{values.size()}, factor};
  queue.launch(npu_kernels::vectors_scale, blocksFor(queue, values.size()), arguments);
}

void difference(DeviceQueue& given, std::span<const float> left, std::span<const float> right,
                std::span<float> result) {
  if (result.empty()) return;
  NpuQueue& queue = npuQueue(given);
  const std::array<NpuArgument, 4> arguments{left.data(), right.data(), result.data(), std::uint64_t{result.size()}};
  queue.launch(npu_kernels::vectors_difference, blocksFor(queue, result.size()), arguments);
}

void subtract(DeviceQueue& queue, std::span<float> values, std::span<const float> other) {
  difference(queue, values, other, values);
}

void copy(DeviceQueue& queue, std::span<const float> from, std::span<float> to) {
  if (!to.empty()) npuQueue(queue).copyWithin(to.data(), from.data(), to.size_bytes());
}

void clear(DeviceQueue& queue, std::span<float> values) {
  if (!values.empty()) npuQueue(queue).clear(values.data(), values.size_bytes());
}

}  // namespace

const VectorKernels& npuVectorKernels() {
  static constexpr VectorKernels kernels{sum, scale, subtract, difference, copy, clear};
  return kernels;
}

}  // namespace slipstream
