// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/number_type.h"
#include "engine/cuda/host_device.h"
#include "engine/nn/cuda/convolution_shape.h"

// Single elements of a convolution by its definition, in double: what a plan computed is held against them.

namespace slipstream {

/// What a pattern reads; null what it does not.
template <class Value>
struct ConvolutionOperands {
  const Value* input;
  const Value* weights;
  const Value* outputGradient;
  const Value* scale;  ///< of a batch norm and ReLU that are applied to the input
  const Value* bias;
};

/// Which elements of a result are looked at: spread evenly over it.
struct ResultSamples {
  std::int64_t elements;
  std::int64_t count;

  SLIPSTREAM_HOST_DEVICE std::int64_t element(std::int64_t sample) const { return sample * elements / count; }
};

/// Elements of a sum for a thread each: the sums of sample s are partials[s * lanes] to partials[s * lanes + lanes -
/// 1].
template <class Value>
struct SampleSums {
  ConvolutionPattern pattern;
  ConvolutionShape shape;
  ConvolutionOperands<Value> of;
  ResultSamples samples;
  std::uint32_t lanes;
  double* partials;

  SLIPSTREAM_HOST_DEVICE void operator()(std::uint32_t index) const {
    const std::int64_t element = samples.element(index / lanes);
    const std::int64_t terms = termCount();
    double sum = 0;
    for (std::int64_t k = index % lanes; k < terms; k += lanes) sum += term(element, k);
    partials[index] = sum;
  }

 private:
  SLIPSTREAM_HOST_DEVICE std::int64_t termCount() const {
    const std::int64_t places = shape.kernel * shape.kernel;
    if (pattern == ConvolutionPattern::inputGradient) return places * shape.output.channels;
    if (isForward()) return places * shape.input.channels;
    return shape.batch * shape.output.height * shape.output.width;
  }
  SLIPSTREAM_HOST_DEVICE bool isForward() const {
    return pattern == ConvolutionPattern::forward || pattern == ConvolutionPattern::activatedForward;
  }
  SLIPSTREAM_HOST_DEVICE double term(std::int64_t element, std::int64_t k) const {
    if (pattern == ConvolutionPattern::inputGradient) return inputGradientTerm(element, k);
    return isForward() ? forwardTerm(element, k) : weightGradientTerm(element, k);
  }

  SLIPSTREAM_HOST_DEVICE double forwardTerm(std::int64_t element, std::int64_t k) const {
    const std::int64_t channels = shape.input.channels, kernel = shape.kernel;
    const std::int64_t o = element % shape.output.channels, pixel = element / shape.output.channels;
    const std::int64_t c = k % channels, kx = k / channels % kernel, ky = k / channels / kernel;
    return weight(o, ky, kx, c) * inputAt(pixel, ky, kx, c);
  }
  SLIPSTREAM_HOST_DEVICE double weightGradientTerm(std::int64_t element, std::int64_t pixel) const {
    const std::int64_t channels = shape.input.channels, kernel = shape.kernel;
    const std::int64_t c = element % channels, kx = element / channels % kernel;
    const std::int64_t ky = element / channels / kernel % kernel, o = element / channels / kernel / kernel;
    return wide(of.outputGradient[pixel * shape.output.channels + o]) * inputAt(pixel, ky, kx, c);
  }
  SLIPSTREAM_HOST_DEVICE double inputGradientTerm(std::int64_t element, std::int64_t k) const {
    const std::int64_t outputs = shape.output.channels, kernel = shape.kernel;
    const std::int64_t c = element % shape.input.channels, pixel = element / shape.input.channels;
    const std::int64_t column = pixel % shape.input.width, row = pixel / shape.input.width % shape.input.height;
    const std::int64_t sample = pixel / shape.input.width / shape.input.height;
    const std::int64_t o = k % outputs, kx = k / outputs % kernel, ky = k / outputs / kernel;
    const std::int64_t y = row + shape.rows.before - ky, x = column + shape.columns.before - kx;
    if (y < 0 || x < 0 || y % shape.stride != 0 || x % shape.stride != 0) return 0;
    const std::int64_t outY = y / shape.stride, outX = x / shape.stride;
    if (outY >= shape.output.height || outX >= shape.output.width) return 0;
    const std::int64_t from = (sample * shape.output.height + outY) * shape.output.width + outX;
    return wide(of.outputGradient[from * outputs + o]) * weight(o, ky, kx, c);
  }

  SLIPSTREAM_HOST_DEVICE double weight(std::int64_t o, std::int64_t ky, std::int64_t kx, std::int64_t c) const {
    return wide(of.weights[((o * shape.kernel + ky) * shape.kernel + kx) * shape.input.channels + c]);
  }
  /// What the kernel's place (ky, kx) meets for a pixel of the output, of all samples.
  SLIPSTREAM_HOST_DEVICE double inputAt(std::int64_t pixel, std::int64_t ky, std::int64_t kx, std::int64_t c) const {
    const std::int64_t x = pixel % shape.output.width, y = pixel / shape.output.width % shape.output.height;
    const std::int64_t sample = pixel / shape.output.width / shape.output.height;
    const std::int64_t row = y * shape.stride - shape.rows.before + ky;
    const std::int64_t column = x * shape.stride - shape.columns.before + kx;
    if (row < 0 || row >= shape.input.height || column < 0 || column >= shape.input.width) return 0;
    const std::int64_t at =
        ((sample * shape.input.height + row) * shape.input.width + column) * shape.input.channels + c;
    return of.scale == nullptr ? wide(of.input[at]) : activated(toFloat(of.input[at]), c);
  }
  SLIPSTREAM_HOST_DEVICE double activated(float x, std::int64_t c) const {
    const float line = x * toFloat(of.scale[c]) + toFloat(of.bias[c]);
    return wide(fromFloat<Value>(line < 0.0F ? 0.0F : line));
  }
  SLIPSTREAM_HOST_DEVICE static double wide(Value value) { return static_cast<double>(toFloat(value)); }
};

/// The samples as a plan computed them.
template <class Value>
struct GatherSamples {
  const Value* result;
  ResultSamples samples;
  double* values;

  SLIPSTREAM_HOST_DEVICE void operator()(std::uint32_t sample) const {
    values[sample] = static_cast<double>(toFloat(result[samples.element(sample)]));
  }
};

}  // namespace slipstream
