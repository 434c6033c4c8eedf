// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/nn/support/reference_network.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "tests/nn/support/reference_layers.h"
#include "tests/support/dot.h"

namespace slipstream::test {
namespace {

using Values = std::vector<double>;

/// Activations of a batch, NHWC, with a reader that knows the borders.
struct Pictures {
  SampleShape shape;
  const Values& values;
  bool inside(std::int64_t y, std::int64_t x) const { return y >= 0 && x >= 0 && y < shape.height && x < shape.width; }
  const double* pixel(std::int64_t sample, std::int64_t y, std::int64_t x) const {
    return values.data() + ((sample * shape.height + y) * shape.width + x) * shape.channels;
  }
  double at(std::int64_t sample, std::int64_t y, std::int64_t x, std::int64_t channel) const {
    return pixel(sample, y, x)[channel];
  }
};

/// Calls each(sample, y, x, channel) for every output in order and collects what it returns.
template <class Each>
Values everyOutput(SampleShape shape, std::int64_t batch, const Each& each) {
  Values result;
  for (std::int64_t n = 0; n < batch; ++n) {
    for (std::int64_t y = 0; y < shape.height; ++y) {
      for (std::int64_t x = 0; x < shape.width; ++x) {
        for (std::int64_t c = 0; c < shape.channels; ++c) result.push_back(each(n, y, x, c));
      }
    }
  }
  return result;
}

Values dense(const LayerSpec& layer, std::int64_t inputs, const Values& input, std::int64_t batch,
             const double* weights) {
  const double* bias = weights + layer.outputs * inputs;
  Values result;
  for (std::int64_t n = 0; n < batch; ++n) {
    for (std::int64_t o = 0; o < layer.outputs; ++o) {
      double sum = layer.bias ? bias[o] : 0.0;
      for (std::int64_t i = 0; i < inputs; ++i) sum += weights[o * inputs + i] * input[index(n * inputs + i)];
      result.push_back(sum);
    }
  }
  return result;
}

Values convolution(const LayerSpec& layer, const Pictures& input, SampleShape output, std::int64_t batch,
                   const double* weights) {
  const auto channels = input.shape.channels;
  const double* bias = weights + layer.outputs * layer.kernel * layer.kernel * channels;
  return everyOutput(output, batch, [&](std::int64_t n, std::int64_t y, std::int64_t x, std::int64_t o) {
    double sum = layer.bias ? bias[o] : 0.0;
    for (std::int64_t ky = 0; ky < layer.kernel; ++ky) {
      for (std::int64_t kx = 0; kx < layer.kernel; ++kx) {
        const auto row = firstOf(layer, y, input.shape.height, output.height) + ky;
        const auto column = firstOf(layer, x, input.shape.width, output.width) + kx;
        if (!input.inside(row, column)) continue;
        const double* weight = weights + ((o * layer.kernel + ky) * layer.kernel + kx) * channels;
        sum += dot(weight, input.pixel(n, row, column), channels);
      }
    }
    return sum;
  });
}

Values pool(const LayerSpec& layer, const Pictures& input, SampleShape output, std::int64_t batch) {
  return everyOutput(output, batch, [&](std::int64_t n, std::int64_t y, std::int64_t x, std::int64_t c) {
    double largest = -std::numeric_limits<double>::infinity();
    double sum = 0;
    int count = 0;
    for (std::int64_t ky = 0; ky < layer.kernel; ++ky) {
      for (std::int64_t kx = 0; kx < layer.kernel; ++kx) {
        const auto row = firstOf(layer, y, input.shape.height, output.height) + ky;
        const auto column = firstOf(layer, x, input.shape.width, output.width) + kx;
        if (!input.inside(row, column)) continue;
        largest = std::max(largest, input.at(n, row, column, c));
        sum += input.at(n, row, column, c);
        ++count;
      }
    }
    return layer.kind == LayerKind::maxPool ? largest : sum / count;
  });
}

Values batchNorm(const LayerSpec& layer, std::int64_t channels, const Values& input, const double* weights) {
  const auto rows = static_cast<std::int64_t>(input.size()) / channels;
  Values result(input.size());
  for (std::int64_t c = 0; c < channels; ++c) {
    double mean = 0;
    double variance = 0;
    for (std::int64_t row = 0; row < rows; ++row) mean += input[index(row * channels + c)] / static_cast<double>(rows);
    for (std::int64_t row = 0; row < rows; ++row) {
      const double distance = input[index(row * channels + c)] - mean;
      variance += distance * distance / static_cast<double>(rows);
    }
    for (std::int64_t row = 0; row < rows; ++row) {
      const auto at = index(row * channels + c);
      result[at] = (input[at] - mean) / std::sqrt(variance + layer.epsilon) * weights[c] + weights[channels + c];
    }
  }
  return result;
}

Values channelMeans(const Pictures& input, SampleShape output, std::int64_t batch) {
  return everyOutput({1, 1, output.channels}, batch, [&](std::int64_t n, std::int64_t, std::int64_t, std::int64_t c) {
    double sum = 0;
    for (std::int64_t y = 0; y < input.shape.height; ++y) {
      for (std::int64_t x = 0; x < input.shape.width; ++x) sum += input.at(n, y, x, c);
    }
    return sum / static_cast<double>(input.shape.height * input.shape.width);
  });
}

/// Rows divided by their length, or by 0.01 where they are shorter.
Values unitRows(const double* rows, std::int64_t count, std::int64_t width) {
  Values result;
  for (std::int64_t row = 0; row < count; ++row) {
    double square = 0;
    for (std::int64_t i = 0; i < width; ++i) square += rows[row * width + i] * rows[row * width + i];
    for (std::int64_t i = 0; i < width; ++i)
      result.push_back(rows[row * width + i] / std::max(std::sqrt(square), 0.01));
  }
  return result;
}

Values normalizedDense(const LayerSpec& layer, std::int64_t inputs, const Values& input, std::int64_t batch,
                       const double* weights) {
  const auto x = unitRows(input.data(), batch, inputs);
  const auto w = unitRows(weights, layer.outputs, inputs);
  LayerSpec plain = layer;
  plain.bias = false;
  auto result = dense(plain, inputs, x, batch, w.data());
  for (auto& value : result) value *= weights[layer.outputs * inputs];
  return result;
}

Values sum(const Values& first, const Values& second) {
  Values result = first;
  for (std::size_t i = 0; i < result.size(); ++i) result[i] += second[i];
  return result;
}

Values layerOutput(const LayerSpec& layer, const Pictures& input, const Values& second, SampleShape output,
                   std::int64_t batch, const double* weights) {
  switch (layer.kind) {
    case LayerKind::dense:
      return dense(layer, input.shape.elements(), input.values, batch, weights);
    case LayerKind::normalizedDense:
      return normalizedDense(layer, input.shape.elements(), input.values, batch, weights);
    case LayerKind::conv2d:
      return convolution(layer, input, output, batch, weights);
    case LayerKind::maxPool:
    case LayerKind::avgPool:
      return pool(layer, input, output, batch);
    case LayerKind::globalAvgPool:
      return channelMeans(input, output, batch);
    case LayerKind::add:
      return sum(input.values, second);
    case LayerKind::batchNorm:
      return batchNorm(layer, input.shape.channels, input.values, weights);
    case LayerKind::flatten:
      return input.values;
    case LayerKind::external:
      throw std::invalid_argument("the reference computes no program's network");
    case LayerKind::relu:
      break;
  }
  Values result = input.values;
  for (auto& value : result) value = std::max(value, 0.0);
  return result;
}

}  // namespace

ReferenceNetwork::ReferenceNetwork(const NetworkSpec& network, SampleShape input)
    : network_(network), shape_(networkShape(network, input).value()) {}

std::int64_t ReferenceNetwork::weightCount() const {
  std::int64_t count = 0;
  for (const auto& tensor : shape_.tensors) count += tensor.elements();
  return count;
}

std::vector<double> ReferenceNetwork::forward(const std::vector<double>& input, std::int64_t batch,
                                              const std::vector<double>& weights) const {
  return outputs(input, batch, weights).back();
}

std::vector<std::size_t> ReferenceNetwork::offsets() const {
  std::vector<std::size_t> begins(network_.layers.size() + 1);
  for (const auto& tensor : shape_.tensors) begins[index(tensor.layer) + 1] += index(tensor.elements());
  for (std::size_t i = 1; i < begins.size(); ++i) begins[i] += begins[i - 1];
  return begins;
}

std::vector<Values> ReferenceNetwork::outputs(const std::vector<double>& input, std::int64_t batch,
                                              const std::vector<double>& weights) const {
  std::vector<Values> outputs;
  const auto valuesOf = [&](int layer) -> const Values& {
    return layer == networkInput ? input : outputs[index(layer)];
  };
  const auto begins = offsets();
  for (std::size_t i = 0; i < network_.layers.size(); ++i) {
    const auto [from, with] = shape_.inputs[i];
    const auto shape = from == networkInput ? shape_.input : shape_.outputs[index(from)];
    const auto& second = valuesOf(with.value_or(from));
    auto output = layerOutput(network_.layers[i], {shape, valuesOf(from)}, second, shape_.outputs[i], batch,
                              weights.data() + begins[i]);
    outputs.push_back(std::move(output));
  }
  return outputs;
}

std::vector<double> ReferenceNetwork::gradients(const std::vector<double>& input, std::int64_t batch,
                                                const std::vector<double>& weights,
                                                const std::vector<double>& direction) const {
  const auto values = outputs(input, batch, weights);
  const auto begins = offsets();
  std::vector<Values> ofOutputs(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) ofOutputs[i].resize(values[i].size());
  ofOutputs.back() = direction;
  Values ofInput(input.size());
  Values result(weights.size());
  const auto gradientOf = [&](int layer) -> Values& {
    return layer == networkInput ? ofInput : ofOutputs[index(layer)];
  };
  for (std::size_t i = network_.layers.size(); i-- > 0;) {
    const auto [from, with] = shape_.inputs[i];
    const LayerBackward pass{network_.layers[i],
                             from == networkInput ? shape_.input : shape_.outputs[index(from)],
                             shape_.outputs[i],
                             batch,
                             from == networkInput ? input : values[index(from)],
                             values[i],
                             ofOutputs[i],
                             weights.data() + begins[i]};
    addLayerGradients(pass, gradientOf(from), result.data() + begins[i]);
    if (!with) continue;
    for (std::size_t e = 0; e < ofOutputs[i].size(); ++e) gradientOf(*with)[e] += ofOutputs[i][e];
  }
  return result;
}

}  // namespace slipstream::test
