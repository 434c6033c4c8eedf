#include <algorithm>
#include <cstring>

#include "engine/boost/averaged/kernels.h"

namespace slipstream {
namespace {

/// A block of sums stays in the first-level cache while all ranks' parts pass by.
constexpr std::size_t blockElements = 2048;
constexpr std::size_t laneCount = 8;
using Lanes = float __attribute__((vector_size(laneCount * sizeof(float))));

struct Block {
  alignas(64) float values[blockElements];
};

}  // namespace

__attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default"))) static void addTo(Block& sums,
                                                                                                const float* part,
                                                                                                std::size_t elements) {
  std::size_t i = 0;
  for (; i + laneCount <= elements; i += laneCount) {
    Lanes sum;
    Lanes value;
    std::memcpy(&sum, sums.values + i, sizeof(sum));
    std::memcpy(&value, part + i, sizeof(value));
    sum += value;
    std::memcpy(sums.values + i, &sum, sizeof(sum));
  }
  for (; i < elements; ++i) sums.values[i] += part[i];
}

void sumInPlace(std::span<float* const> parts, std::size_t elements, float scale) {
  Block sums;
  for (std::size_t start = 0; start < elements; start += blockElements) {
    const std::size_t count = std::min(blockElements, elements - start);
    std::copy_n(parts[0] + start, count, sums.values);
    for (std::size_t r = 1; r < parts.size(); ++r) addTo(sums, parts[r] + start, count);
    scaleInPlace({sums.values, count}, scale);
    for (float* part : parts) std::copy_n(sums.values, count, part + start);
  }
}

__attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default"))) void scaleInPlace(std::span<float> values,
                                                                                                float scale) {
  if (scale == 1.0F) return;
  std::size_t i = 0;
  for (; i + laneCount <= values.size(); i += laneCount) {
    Lanes lanes;
    std::memcpy(&lanes, values.data() + i, sizeof(lanes));
    lanes *= scale;
    std::memcpy(values.data() + i, &lanes, sizeof(lanes));
  }
  for (; i < values.size(); ++i) values[i] *= scale;
}

}  // namespace slipstream
