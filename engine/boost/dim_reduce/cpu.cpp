#include "engine/base/processor_clones.h"
#include "engine/boost/dim_reduce/kernels.h"

namespace slipstream {
namespace {

constexpr std::size_t laneCount = 8;

}  // namespace

SLIPSTREAM_PROCESSOR_CLONES double dotInDouble(const float* left, const float* right, std::size_t elements) {
  double lanes[laneCount] = {};
  std::size_t i = 0;
  for (; i + laneCount <= elements; i += laneCount) {
    for (std::size_t k = 0; k < laneCount; ++k) {
      lanes[k] += static_cast<double>(left[i + k]) * static_cast<double>(right[i + k]);
    }
  }
  for (std::size_t k = 0; i < elements; ++i, ++k) {
    lanes[k] += static_cast<double>(left[i]) * static_cast<double>(right[i]);
  }
  return ((lanes[0] + lanes[4]) + (lanes[2] + lanes[6])) + ((lanes[1] + lanes[5]) + (lanes[3] + lanes[7]));
}

SLIPSTREAM_PROCESSOR_CLONES void addScaled(double factor, const float* values, double* sums, std::size_t elements) {
  for (std::size_t i = 0; i < elements; ++i) sums[i] += factor * static_cast<double>(values[i]);
}

SLIPSTREAM_PROCESSOR_CLONES void residualStep(float decay, const float* gradient, const float* inside, float* momentum,
                                              std::size_t elements) {
  for (std::size_t i = 0; i < elements; ++i) momentum[i] = decay * momentum[i] + (gradient[i] - inside[i]);
}

SLIPSTREAM_PROCESSOR_CLONES void moveAlong(const float* start, float rate, const float* direction, float* moved,
                                           std::size_t elements) {
  for (std::size_t i = 0; i < elements; ++i) moved[i] = start[i] + rate * direction[i];
}

}  // namespace slipstream
