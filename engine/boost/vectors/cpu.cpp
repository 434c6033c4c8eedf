// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cstring>

#include "engine/base/chunks.h"
#include "engine/base/processor_clones.h"
#include "engine/boost/vectors/kernels.h"

namespace slipstream {
namespace {

/// A block of sums stays in the first-level cache while all ranks' parts pass by.
constexpr std::size_t blockElements = 2048;
constexpr std::size_t laneCount = 8;
using Lanes = float __attribute__((vector_size(laneCount * sizeof(float))));

/// result[i] = operation(left[i], right[i]), where `operation` works on vectors and on single values.
template <class Operation>
[[gnu::always_inline]] inline void forLanes(const float* left, const float* right, float* result, std::size_t elements,
                                            Operation operation) {
  std::size_t i = 0;
  for (; i + laneCount <= elements; i += laneCount) {
    Lanes a;
    Lanes b;
    std::memcpy(&a, left + i, sizeof(a));
    std::memcpy(&b, right + i, sizeof(b));
    operation(a, b);
    std::memcpy(result + i, &a, sizeof(a));
  }
  for (; i < elements; ++i) {
    float a = left[i];
    operation(a, right[i]);
    result[i] = a;
  }
}

SLIPSTREAM_PROCESSOR_CLONES void addInPlace(float* values, const float* other, std::size_t elements) {
  forLanes(values, other, values, elements, [](auto& a, const auto& b) { a += b; });
}

SLIPSTREAM_PROCESSOR_CLONES void multiplyInPlace(float* values, float factor, std::size_t elements) {
  forLanes(values, values, values, elements, [factor](auto& a, const auto&) { a *= factor; });
}

SLIPSTREAM_PROCESSOR_CLONES void writeDifference(const float* left, const float* right, float* result,
                                                 std::size_t elements) {
  forLanes(left, right, result, elements, [](auto& a, const auto& b) { a -= b; });
}

void sumOfChunk(std::span<const float* const> parts, std::span<float* const> results, std::size_t begin,
                std::size_t end, float scale, bool add) {
  alignas(64) float sums[blockElements];
  for (std::size_t start = begin; start < end; start += blockElements) {
    const std::size_t count = std::min(blockElements, end - start);
    std::copy_n(parts[0] + start, count, sums);
    for (std::size_t r = 1; r < parts.size(); ++r) addInPlace(sums, parts[r] + start, count);
    if (scale != 1.0F) multiplyInPlace(sums, scale, count);
    if (add) addInPlace(sums, results[0] + start, count);
    for (float* result : results) std::copy_n(sums, count, result + start);
  }
}

void sum(DeviceQueue&, std::span<const float* const> parts, std::span<float* const> results, std::size_t elements,
         float scale, bool add) {
  forEachChunk(elements, [&](std::size_t first, std::size_t count) {
    sumOfChunk(parts, results, first, first + count, scale, add);
  });
}

void scaleInPlace(DeviceQueue&, std::span<float> values, float factor) {
  if (factor == 1.0F) return;
  forEachChunk(values.size(),
               [&](std::size_t first, std::size_t count) { multiplyInPlace(values.data() + first, factor, count); });
}

void difference(DeviceQueue&, std::span<const float> left, std::span<const float> right, std::span<float> result) {
  forEachChunk(result.size(), [&](std::size_t first, std::size_t count) {
    writeDifference(left.data() + first, right.data() + first, result.data() + first, count);
  });
}

void subtractInPlace(DeviceQueue& queue, std::span<float> values, std::span<const float> other) {
  difference(queue, values, other, values);
}

void copy(DeviceQueue&, std::span<const float> from, std::span<float> to) {
  forEachChunk(from.size(), [&](std::size_t first, std::size_t count) {
    std::copy_n(from.data() + first, count, to.data() + first);
  });
}

void clear(DeviceQueue&, std::span<float> values) {
  forEachChunk(values.size(),
               [&](std::size_t first, std::size_t count) { std::fill_n(values.data() + first, count, 0.0F); });
}

}  // namespace

const VectorKernels& cpuVectorKernels() {
  static constexpr VectorKernels kernels{sum, scaleInPlace, subtractInPlace, difference, copy, clear};
  return kernels;
}

}  // namespace slipstream
