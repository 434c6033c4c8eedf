// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cmath>
#include <cstdint>

#include "engine/cuda/host_device.h"

namespace slipstream {

/// So many threads work on one row side by side, on elements next to each other; their parts are added in order.
inline constexpr std::uint32_t rowLanes = 32;

/// parts[row][lane]: the dot product of rows of a and b over every rowLanes-th element, in double.
struct DotParts {
  const float* a;
  const float* b;
  std::int64_t width;
  double* parts;

  SLIPSTREAM_HOST_DEVICE void operator()(std::uint32_t index) const {
    const std::int64_t row = index / rowLanes;
    double sum = 0;
    for (std::int64_t i = index % rowLanes; i < width; i += rowLanes) {
      sum += static_cast<double>(a[row * width + i]) * static_cast<double>(b[row * width + i]);
    }
    parts[index] = sum;
  }
};

/// dots[row] = the sum of its parts.
struct AddParts {
  const double* parts;
  double* dots;

  SLIPSTREAM_HOST_DEVICE void operator()(std::uint32_t row) const {
    double sum = 0;
    for (std::uint32_t lane = 0; lane < rowLanes; ++lane) sum += parts[row * rowLanes + lane];
    dots[row] = sum;
  }
};

/// Of a squared length: below it a row is divided by its root instead.
inline constexpr double smallestSquaredLength = 1e-4;

SLIPSTREAM_HOST_DEVICE inline double inverseLength(double square) {
  return 1.0 / sqrt(square > smallestSquaredLength ? square : smallestSquaredLength);
}

/// Rows scaled to length 1.
struct ScaleRows {
  const float* rows;
  const double* squares;
  std::int64_t width;
  float* result;

  SLIPSTREAM_HOST_DEVICE void operator()(std::uint32_t index) const {
    result[index] = static_cast<float>(inverseLength(squares[index / width]) * static_cast<double>(rows[index]));
  }
};

/// From the gradient of scaled rows, still without the multiplier, to that of the rows: the part along a row falls
/// away, unless its length was not used.
struct ThroughLength {
  const float* gradient;
  const float* units;
  const double* squares;
  const double* along;  ///< gradient times unit, a row
  const float* multiplier;
  std::int64_t width;
  float* result;
  bool accumulate;

  SLIPSTREAM_HOST_DEVICE void operator()(std::uint32_t index) const {
    const std::int64_t row = index / width;
    const double taken = squares[row] > smallestSquaredLength ? along[row] : 0.0;
    const double factor = static_cast<double>(*multiplier) * inverseLength(squares[row]);
    const double value = factor * (static_cast<double>(gradient[index]) - taken * static_cast<double>(units[index]));
    result[index] = static_cast<float>(accumulate ? static_cast<double>(result[index]) + value : value);
  }
};

/// values *= *multiplier, which is on the device.
struct TimesStored {
  const float* multiplier;
  float* values;

  SLIPSTREAM_HOST_DEVICE void operator()(std::uint32_t index) const { values[index] *= *multiplier; }
};

}  // namespace slipstream
