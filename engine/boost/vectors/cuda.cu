// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>

#include "engine/base/error.h"
#include "engine/boost/vectors/kernels.h"
#include "engine/cuda/elements.h"

namespace slipstream {
namespace {

constexpr std::size_t mostVectors = 64;

/// Pointers travel as the kernel's arguments: no copy, no table to keep alive.
struct Sum {
  const float* parts[mostVectors];
  float* results[mostVectors];
  int partCount;
  int resultCount;
  float scale;
  bool add;

  template <int Width>
  __device__ void at(std::size_t i) const {
    Pack<float, Width> sum = load<Width>(parts[0] + i);
    for (int part = 1; part < partCount; ++part) {
      const auto other = load<Width>(parts[part] + i);
      for (int k = 0; k < Width; ++k) sum.of[k] += other.of[k];
    }
    for (int k = 0; k < Width; ++k) sum.of[k] *= scale;
    if (add) {
      const auto held = load<Width>(results[0] + i);
      for (int k = 0; k < Width; ++k) sum.of[k] += held.of[k];
    }
    for (int result = 0; result < resultCount; ++result) store(results[result] + i, sum);
  }
};

struct Scale {
  float* values;
  float factor;

  template <int Width>
  __device__ void at(std::size_t i) const {
    auto scaled = load<Width>(values + i);
    for (int k = 0; k < Width; ++k) scaled.of[k] *= factor;
    store(values + i, scaled);
  }
};

struct Difference {
  const float* left;
  const float* right;
  float* result;

  template <int Width>
  __device__ void at(std::size_t i) const {
    auto difference = load<Width>(left + i);
    const auto other = load<Width>(right + i);
    for (int k = 0; k < Width; ++k) difference.of[k] -= other.of[k];
    store(result + i, difference);
  }
};

/// Of all parts and results of a sum.
AlignedQuads alignedQuadsOfAll(std::span<const float* const> parts, std::span<float* const> results,
                               std::size_t elements) {
  const AlignedQuads quads = alignedQuads(elements, parts.front());
  const auto together = [&](const float* vector) { return headOf(vector) == quads.head; };
  return std::ranges::all_of(parts, together) && std::ranges::all_of(results, together) ? quads : AlignedQuads{};
}

void sum(DeviceQueue& queue, std::span<const float* const> parts, std::span<float* const> results, std::size_t elements,
         float scale, bool add) {
  if (parts.size() > mostVectors || results.size() > mostVectors) {
    throw Error("a sum on a GPU takes at most 64 vectors at a time");
  }
  Sum work{{}, {}, static_cast<int>(parts.size()), static_cast<int>(results.size()), scale, add};
  std::ranges::copy(parts, work.parts);
  std::ranges::copy(results, work.results);
  forElements(queue, "add vectors", work, elements, alignedQuadsOfAll(parts, results, elements));
}

void scale(DeviceQueue& queue, std::span<float> values, float factor) {
  if (factor == 1.0F) return;
  forElements(queue, "scale a vector", Scale{values.data(), factor}, values.size(),
              alignedQuads(values.size(), values.data()));
}

void difference(DeviceQueue& queue, std::span<const float> left, std::span<const float> right,
                std::span<float> result) {
  forElements(queue, "subtract vectors", Difference{left.data(), right.data(), result.data()}, result.size(),
              alignedQuads(result.size(), left.data(), right.data(), result.data()));
}

void subtract(DeviceQueue& queue, std::span<float> values, std::span<const float> other) {
  difference(queue, values, other, values);
}

void copy(DeviceQueue& queue, std::span<const float> from, std::span<float> to) {
  if (to.empty()) return;
  checkCuda(
      cudaMemcpyAsync(to.data(), from.data(), to.size_bytes(), cudaMemcpyDeviceToDevice, cudaQueue(queue).stream()),
      "copy a vector");
}

void clear(DeviceQueue& queue, std::span<float> values) {
  if (values.empty()) return;
  checkCuda(cudaMemsetAsync(values.data(), 0, values.size_bytes(), cudaQueue(queue).stream()), "clear a vector");
}

}  // namespace

const VectorKernels& cudaVectorKernels() {
  static constexpr VectorKernels kernels{sum, scale, subtract, difference, copy, clear};
  return kernels;
}

}  // namespace slipstream
