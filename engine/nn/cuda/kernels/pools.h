// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

#include "engine/base/number_type.h"
#include "engine/cuda/host_device.h"

namespace slipstream {

/// Positions [begin, end) along one dimension.
struct PoolExtent {
  std::int32_t begin;
  std::int32_t end;
};

/// The windows of a pool along one dimension.
struct PoolLine {
  std::int32_t kernel;
  std::int32_t stride;
  std::int32_t padding;  ///< before the first position
  std::int32_t inputs;
  std::int32_t outputs;

  /// The positions of the input in the window of one output.
  SLIPSTREAM_HOST_DEVICE PoolExtent window(std::int32_t output) const {
    const std::int32_t first = output * stride - padding;
    const std::int32_t end = first + kernel;
    return {first < 0 ? 0 : first, end < inputs ? end : inputs};
  }
  /// The outputs in whose windows one position of the input is.
  SLIPSTREAM_HOST_DEVICE PoolExtent readers(std::int32_t input) const {
    const std::int32_t after = input + padding - kernel;  // the last first position that lies too far left
    const std::int32_t begin = after < 0 ? 0 : after / stride + 1;
    const std::int32_t end = (input + padding) / stride + 1;
    return {begin, end < outputs ? end : outputs};
  }
};

/// The windows of images, NHWC.
struct PoolWindows {
  PoolLine rows;
  PoolLine columns;
  std::int32_t channels;

  SLIPSTREAM_HOST_DEVICE std::int64_t inputElements() const {
    return std::int64_t{rows.inputs} * columns.inputs * channels;
  }
  SLIPSTREAM_HOST_DEVICE std::int64_t outputElements() const {
    return std::int64_t{rows.outputs} * columns.outputs * channels;
  }
};

/// One element of a batch of images.
struct ImageElement {
  std::int64_t sample;
  std::int32_t row;
  std::int32_t column;
  std::int32_t channel;
};
SLIPSTREAM_HOST_DEVICE inline ImageElement pictureElement(std::uint32_t index, std::int32_t height, std::int32_t width,
                                                          std::int32_t channels) {
  const auto line = static_cast<std::uint32_t>(width) * static_cast<std::uint32_t>(channels);
  const std::uint32_t row = index / line;
  const std::uint32_t inLine = index % line;
  const auto deep = static_cast<std::uint32_t>(channels);
  return {row / static_cast<std::uint32_t>(height), static_cast<std::int32_t>(row % static_cast<std::uint32_t>(height)),
          static_cast<std::int32_t>(inLine / deep), static_cast<std::int32_t>(inLine % deep)};
}

/// Of each output the largest value and where it was in its sample: the leftmost, then topmost of equal ones; the
/// last NaN in that order before any number.
template <class Value>
struct MaxPoolForward {
  PoolWindows windows;
  const Value* input;
  Value* output;
  std::int32_t* where;

  SLIPSTREAM_HOST_DEVICE void operator()(std::uint32_t index) const {
    const auto to = pictureElement(index, windows.rows.outputs, windows.columns.outputs, windows.channels);
    const Value* picture = input + to.sample * windows.inputElements();
    const PoolExtent rows = windows.rows.window(to.row);
    const PoolExtent columns = windows.columns.window(to.column);
    std::int32_t place = (rows.begin * windows.columns.inputs + columns.begin) * windows.channels + to.channel;
    Value best = picture[place];
    for (std::int32_t column = columns.begin; column < columns.end; ++column) {
      for (std::int32_t row = rows.begin; row < rows.end; ++row) {
        const std::int32_t at = (row * windows.columns.inputs + column) * windows.channels + to.channel;
        const float candidate = toFloat(picture[at]);
        if (!(candidate > toFloat(best) || candidate != candidate)) continue;
        best = picture[at];
        place = at;
      }
    }
    output[index] = best;
    where[index] = place;
  }
};

/// Each position of the input asks the outputs that may have taken it: no two threads write to one place.
template <class Value>
struct MaxPoolBackward {
  PoolWindows windows;
  const std::int32_t* where;
  const Value* outputGradient;
  Value* inputGradient;

  SLIPSTREAM_HOST_DEVICE void operator()(std::uint32_t index) const {
    const auto at = pictureElement(index, windows.rows.inputs, windows.columns.inputs, windows.channels);
    const std::int32_t place = (at.row * windows.columns.inputs + at.column) * windows.channels + at.channel;
    const std::int64_t first = at.sample * windows.outputElements();
    const PoolExtent rows = windows.rows.readers(at.row);
    const PoolExtent columns = windows.columns.readers(at.column);
    float sum = 0;
    for (std::int32_t row = rows.begin; row < rows.end; ++row) {
      for (std::int32_t column = columns.begin; column < columns.end; ++column) {
        const std::int64_t from =
            first + std::int64_t{row * windows.columns.outputs + column} * windows.channels + at.channel;
        if (where[from] == place) sum += toFloat(outputGradient[from]);
      }
    }
    inputGradient[index] = fromFloat<Value>(sum);
  }
};

/// Of one output: one over the positions of its window.
SLIPSTREAM_HOST_DEVICE inline float windowShare(PoolExtent rows, PoolExtent columns) {
  return 1.0F / static_cast<float>((rows.end - rows.begin) * (columns.end - columns.begin));
}

/// The mean of each window over the positions that lie in the image.
template <class Value>
struct AvgPoolForward {
  PoolWindows windows;
  const Value* input;
  Value* output;

  SLIPSTREAM_HOST_DEVICE void operator()(std::uint32_t index) const {
    const auto to = pictureElement(index, windows.rows.outputs, windows.columns.outputs, windows.channels);
    const Value* picture = input + to.sample * windows.inputElements();
    const PoolExtent rows = windows.rows.window(to.row);
    const PoolExtent columns = windows.columns.window(to.column);
    const float share = windowShare(rows, columns);
    float sum = 0;
    for (std::int32_t row = rows.begin; row < rows.end; ++row) {
      for (std::int32_t column = columns.begin; column < columns.end; ++column) {
        sum += share * toFloat(picture[(row * windows.columns.inputs + column) * windows.channels + to.channel]);
      }
    }
    output[index] = fromFloat<Value>(sum);
  }
};

template <class Value>
struct AvgPoolBackward {
  PoolWindows windows;
  const Value* outputGradient;
  Value* inputGradient;

  SLIPSTREAM_HOST_DEVICE void operator()(std::uint32_t index) const {
    const auto at = pictureElement(index, windows.rows.inputs, windows.columns.inputs, windows.channels);
    const Value* gradients = outputGradient + at.sample * windows.outputElements();
    const PoolExtent rows = windows.rows.readers(at.row);
    const PoolExtent columns = windows.columns.readers(at.column);
    float sum = 0;
    for (std::int32_t row = rows.begin; row < rows.end; ++row) {
      for (std::int32_t column = columns.begin; column < columns.end; ++column) {
        const float share = windowShare(windows.rows.window(row), windows.columns.window(column));
        sum += share * toFloat(gradients[(row * windows.columns.outputs + column) * windows.channels + at.channel]);
      }
    }
    inputGradient[index] = fromFloat<Value>(sum);
  }
};

/// The mean of each channel of each sample, in double.
template <class Value>
struct GlobalMean {
  const Value* input;
  float* output;
  std::uint32_t channels;
  std::int64_t rows;

  SLIPSTREAM_HOST_DEVICE void operator()(std::uint32_t index) const {
    const Value* from = input + std::int64_t{index / channels} * rows * channels + index % channels;
    double sum = 0;
    for (std::int64_t row = 0; row < rows; ++row) sum += static_cast<double>(toFloat(from[row * channels]));
    output[index] = static_cast<float>(sum / static_cast<double>(rows));
  }
};

template <class Value>
struct GlobalMeanBackward {
  const float* outputGradient;
  Value* inputGradient;
  std::uint32_t channels;
  std::uint32_t rows;

  SLIPSTREAM_HOST_DEVICE void operator()(std::uint32_t index) const {
    const std::uint32_t sample = index / (rows * channels);
    const float share = 1.0F / static_cast<float>(rows);
    inputGradient[index] = fromFloat<Value>(share * outputGradient[std::int64_t{sample} * channels + index % channels]);
  }
};

}  // namespace slipstream
