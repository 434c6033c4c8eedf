// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/nn/support/reference_layers.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace slipstream::test {
namespace {

using Values = std::vector<double>;

void dense(const LayerBackward& pass, Values& inputGradient, double* weightGradients) {
  const std::int64_t inputs = pass.inputShape.elements();
  const std::int64_t outputs = pass.layer.outputs;
  for (std::int64_t n = 0; n < pass.batch; ++n) {
    for (std::int64_t o = 0; o < outputs; ++o) {
      const double gradient = pass.outputGradient[index(n * outputs + o)];
      if (pass.layer.bias) weightGradients[outputs * inputs + o] += gradient;
      for (std::int64_t i = 0; i < inputs; ++i) {
        weightGradients[o * inputs + i] += gradient * pass.input[index(n * inputs + i)];
        inputGradient[index(n * inputs + i)] += gradient * pass.weights[o * inputs + i];
      }
    }
  }
}

/// Calls each(output element of channel 0, input element of channel 0, tap) for every position of every window.
template <class Each>
void everyTap(const LayerBackward& pass, const Each& each) {
  const SampleShape in = pass.inputShape;
  const SampleShape out = pass.outputShape;
  const std::int64_t kernel = pass.layer.kernel;
  for (std::int64_t n = 0; n < pass.batch; ++n) {
    for (std::int64_t y = 0; y < out.height; ++y) {
      for (std::int64_t x = 0; x < out.width; ++x) {
        for (std::int64_t tap = 0; tap < kernel * kernel; ++tap) {
          const auto row = firstOf(pass.layer, y, in.height, out.height) + tap / kernel;
          const auto column = firstOf(pass.layer, x, in.width, out.width) + tap % kernel;
          if (row < 0 || column < 0 || row >= in.height || column >= in.width) continue;
          each(((n * out.height + y) * out.width + x) * out.channels,
               ((n * in.height + row) * in.width + column) * in.channels, tap);
        }
      }
    }
  }
}

void convolution(const LayerBackward& pass, Values& inputGradient, double* weightGradients) {
  const std::int64_t inputs = pass.inputShape.channels;
  const std::int64_t outputs = pass.layer.outputs;
  const std::int64_t taps = pass.layer.kernel * pass.layer.kernel;
  everyTap(pass, [&](std::int64_t to, std::int64_t from, std::int64_t tap) {
    for (std::int64_t o = 0; o < outputs; ++o) {
      const double gradient = pass.outputGradient[index(to + o)];
      const std::int64_t first = (o * taps + tap) * inputs;
      for (std::int64_t c = 0; c < inputs; ++c) {
        weightGradients[first + c] += gradient * pass.input[index(from + c)];
        inputGradient[index(from + c)] += gradient * pass.weights[first + c];
      }
    }
  });
  if (!pass.layer.bias) return;
  for (std::size_t i = 0; i < pass.outputGradient.size(); ++i) {
    weightGradients[outputs * taps * inputs + static_cast<std::int64_t>(i) % outputs] += pass.outputGradient[i];
  }
}

/// The gradient of a maximum goes to the first of its window that reaches it.
void maxPool(const LayerBackward& pass, Values& inputGradient) {
  std::vector<bool> given(pass.output.size());
  everyTap(pass, [&](std::int64_t to, std::int64_t from, std::int64_t) {
    for (std::int64_t c = 0; c < pass.outputShape.channels; ++c) {
      const bool reaches = pass.input[index(from + c)] == pass.output[index(to + c)];
      if (!reaches || given[index(to + c)]) continue;
      given[index(to + c)] = true;
      inputGradient[index(from + c)] += pass.outputGradient[index(to + c)];
    }
  });
}

void avgPool(const LayerBackward& pass, Values& inputGradient) {
  std::vector<double> positions(pass.output.size());
  everyTap(pass, [&](std::int64_t to, std::int64_t, std::int64_t) { positions[index(to)] += 1; });
  everyTap(pass, [&](std::int64_t to, std::int64_t from, std::int64_t) {
    for (std::int64_t c = 0; c < pass.outputShape.channels; ++c) {
      inputGradient[index(from + c)] += pass.outputGradient[index(to + c)] / positions[index(to)];
    }
  });
}

void channelMeans(const LayerBackward& pass, Values& inputGradient) {
  const std::int64_t channels = pass.outputShape.channels;
  const std::int64_t rows = pass.inputShape.elements() / channels;
  for (std::size_t i = 0; i < inputGradient.size(); ++i) {
    const auto element = static_cast<std::int64_t>(i);
    const std::int64_t sample = element / (rows * channels);
    inputGradient[i] += pass.outputGradient[index(sample * channels + element % channels)] / static_cast<double>(rows);
  }
}

/// Ioffe and Szegedy 2015, the formulas of section 3.
void batchNorm(const LayerBackward& pass, Values& inputGradient, double* weightGradients) {
  const std::int64_t channels = pass.inputShape.channels;
  const auto rows = static_cast<std::int64_t>(pass.input.size()) / channels;
  const auto count = static_cast<double>(rows);
  for (std::int64_t c = 0; c < channels; ++c) {
    double mean = 0;
    double variance = 0;
    for (std::int64_t row = 0; row < rows; ++row) mean += pass.input[index(row * channels + c)] / count;
    for (std::int64_t row = 0; row < rows; ++row) {
      variance += std::pow(pass.input[index(row * channels + c)] - mean, 2) / count;
    }
    const double inverse = 1 / std::sqrt(variance + pass.layer.epsilon);
    double sum = 0;
    double product = 0;
    for (std::int64_t row = 0; row < rows; ++row) {
      const auto at = index(row * channels + c);
      sum += pass.outputGradient[at];
      product += pass.outputGradient[at] * (pass.input[at] - mean) * inverse;
    }
    weightGradients[c] += product;
    weightGradients[channels + c] += sum;
    for (std::int64_t row = 0; row < rows; ++row) {
      const auto at = index(row * channels + c);
      const double normalized = (pass.input[at] - mean) * inverse;
      inputGradient[at] +=
          pass.weights[c] * inverse * (pass.outputGradient[at] - sum / count - normalized * product / count);
    }
  }
}

void passOn(const LayerBackward& pass, Values& inputGradient, bool positiveOnly) {
  for (std::size_t i = 0; i < inputGradient.size(); ++i) {
    if (!positiveOnly || pass.output[i] > 0) inputGradient[i] += pass.outputGradient[i];
  }
}

}  // namespace

std::int64_t firstOf(const LayerSpec& layer, std::int64_t position, std::int64_t inputSize, std::int64_t outputSize) {
  if (!layer.samePadding) return position * layer.stride - layer.padding;
  const auto lacking = outputSize * layer.stride - layer.stride + layer.kernel - inputSize;
  return position * layer.stride - (lacking > 0 ? lacking / 2 : 0);
}

void addLayerGradients(const LayerBackward& pass, std::vector<double>& inputGradient, double* weightGradients) {
  switch (pass.layer.kind) {
    case LayerKind::dense:
      return dense(pass, inputGradient, weightGradients);
    case LayerKind::conv2d:
      return convolution(pass, inputGradient, weightGradients);
    case LayerKind::maxPool:
      return maxPool(pass, inputGradient);
    case LayerKind::avgPool:
      return avgPool(pass, inputGradient);
    case LayerKind::globalAvgPool:
      return channelMeans(pass, inputGradient);
    case LayerKind::batchNorm:
      return batchNorm(pass, inputGradient, weightGradients);
    case LayerKind::relu:
      return passOn(pass, inputGradient, true);
    case LayerKind::add:
    case LayerKind::flatten:
      return passOn(pass, inputGradient, false);
    case LayerKind::normalizedDense:
    case LayerKind::external:
      break;
  }
  throw std::invalid_argument("the reference has no gradient of this layer");
}

}  // namespace slipstream::test
