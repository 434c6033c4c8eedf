// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/train/reference/network.h"

#include <algorithm>
#include <cmath>

#include "tests/train/reference/layers.h"

namespace slipstream::reference {
namespace {

constexpr double keptOfStatistics = 0.9;

double rootMeanSquare(std::span<const double> values) {
  double squares = 0;
  for (const double value : values) squares += value * value;
  return std::sqrt(squares / static_cast<double>(values.size()));
}

/// The nearest of a ReLU's inputs to its kink, in units of their root mean square. An exact zero is a sum of products
/// with zeros, which no rounding moves.
void noteKinks(std::span<const double> inputs, Margin& margin) {
  const double unit = rootMeanSquare(inputs);
  for (const double input : inputs) {
    if (input != 0) margin.note(std::abs(input) / unit);
  }
}

/// Mean softmax cross entropy, and its gradient in `logits`' place.
double crossEntropy(std::vector<double>& logits, const Samples& samples) {
  const std::size_t classes = logits.size() / samples.count;
  const auto count = static_cast<double>(samples.count);
  double loss = 0;
  for (std::size_t s = 0; s < samples.count; ++s) {
    const auto row = std::span(logits).subspan(s * classes, classes);
    const double most = std::ranges::max(row);
    const auto label = static_cast<std::size_t>(samples.labels[s]);
    double total = 0;
    for (const double logit : row) total += std::exp(logit - most);
    loss += (std::log(total) + most - row[label]) / count;
    for (double& logit : row) logit = std::exp(logit - most) / total / count;
    row[label] -= 1 / count;
  }
  return loss;
}

}  // namespace

void Margin::note(double distance) {
  smallest_ = std::min(smallest_, distance);
}

int Network::tensor(const std::string& name, std::size_t rows, std::size_t columns, bool hasRows) {
  tensors_.push_back({name, static_cast<int>(layers_.size()) - 1, rows, hasRows, std::vector<double>(rows * columns)});
  return static_cast<int>(tensors_.size()) - 1;
}

Layer& Network::append(Kind kind, const std::string& name, int from) {
  layers_.push_back({.kind = kind, .name = name, .from = from, .in = extentOf(from), .out = extentOf(from)});
  return layers_.back();
}

int Network::convolution(const std::string& name, int from, std::size_t outputs, std::size_t kernel, std::size_t stride,
                         std::size_t padding) {
  Layer& layer = append(Kind::convolution, name, from);
  layer.kernel = kernel;
  layer.stride = stride;
  layer.padding = padding;
  const auto places = [&](std::size_t size) { return (size + 2 * padding - kernel) / stride + 1; };
  layer.out = {places(layer.in.height), places(layer.in.width), outputs};
  layer.weight = tensor(name + ".weight", outputs, kernel * kernel * layer.in.channels, true);
  tensors_.back().taps = kernel * kernel;
  return static_cast<int>(layers_.size()) - 1;
}

int Network::dense(const std::string& name, int from, std::size_t outputs) {
  Layer& layer = append(Kind::dense, name, from);
  layer.in = {1, 1, layer.in.elements()};
  layer.out = {1, 1, outputs};
  layer.weight = tensor(name + ".weight", outputs, layer.in.channels, true);
  layer.second = tensor(name + ".bias", outputs, 1, false);
  return static_cast<int>(layers_.size()) - 1;
}

int Network::normalizedDense(const std::string& name, int from, std::size_t outputs) {
  Layer& layer = append(Kind::normalizedDense, name, from);
  layer.in = {1, 1, layer.in.elements()};
  layer.out = {1, 1, outputs};
  layer.weight = tensor(name + ".weight", outputs, layer.in.channels, true);
  layer.second = tensor(name + ".multiplier", 1, 1, false);
  return static_cast<int>(layers_.size()) - 1;
}

int Network::batchNorm(const std::string& name, int from) {
  Layer& layer = append(Kind::batchNorm, name, from);
  const std::size_t channels = layer.in.channels;
  layer.weight = tensor(name + ".gamma", channels, 1, false);
  layer.second = tensor(name + ".beta", channels, 1, false);
  layer.statistics = static_cast<int>(statistics_.size());
  statistics_.push_back({name + ".moving_mean", 0, channels, false, std::vector<double>(channels)});
  statistics_.push_back({name + ".moving_variance", 0, channels, false, std::vector<double>(channels, 1.0)});
  return static_cast<int>(layers_.size()) - 1;
}

int Network::relu(int from) {
  append(Kind::relu, "", from);
  return static_cast<int>(layers_.size()) - 1;
}

int Network::sum(int from, int with) {
  append(Kind::sum, "", from).with = with;
  return static_cast<int>(layers_.size()) - 1;
}

int Network::channelMeans(int from) {
  Layer& layer = append(Kind::channelMeans, "", from);
  layer.out = {1, 1, layer.in.channels};
  return static_cast<int>(layers_.size()) - 1;
}

bool Network::isNormalizedHead(const Tensor& tensor) const {
  return layers_[static_cast<std::size_t>(tensor.layer)].kind == Kind::normalizedDense;
}

std::span<const double> Network::outputOf(int layer, const Samples& samples,
                                          const std::vector<std::vector<double>>& outputs) const {
  return layer < 0 ? std::span<const double>(samples.inputs) : outputs[static_cast<std::size_t>(layer)];
}

std::vector<std::vector<double>> Network::forward(const Tensors& weights, const Samples& samples,
                                                  Margin& margin) const {
  std::vector<std::vector<double>> outputs;
  for (const Layer& layer : layers_) {
    const auto input = outputOf(layer.from, samples, outputs);
    if (layer.kind == Kind::relu) noteKinks(input, margin);
    outputs.push_back(forwardOf({layer, samples.count, input, outputOf(layer.with, samples, outputs), weights}));
  }
  return outputs;
}

double Network::loss(const Tensors& weights, const Samples& samples, Margin& margin) const {
  auto outputs = forward(weights, samples, margin);
  return crossEntropy(outputs.back(), samples);
}

PassResult Network::pass(const Tensors& weights, const Tensors& statistics, const Samples& samples,
                         Margin& margin) const {
  auto outputs = forward(weights, samples, margin);
  PassResult result{0, zerosLike(weights), statistics};
  std::vector<double> last = outputs.back();
  result.loss = crossEntropy(last, samples);
  std::vector<std::vector<double>> gradients;
  for (const auto& output : outputs) gradients.emplace_back(output.size());
  gradients.back() = std::move(last);
  std::vector<double> ofInput(samples.inputs.size());
  for (std::size_t i = layers_.size(); i-- > 0;) {
    const Layer& layer = layers_[i];
    const LayerValues values{layer, samples.count, outputOf(layer.from, samples, outputs),
                             outputOf(layer.with, samples, outputs), weights};
    const auto gradientOf = [&](int of) -> std::span<double> {
      return of < 0 ? ofInput : gradients[static_cast<std::size_t>(of)];
    };
    backwardOf(values, gradients[i], gradientOf(layer.from), gradientOf(layer.with), result.gradient);
    if (layer.statistics < 0) continue;
    const ChannelMoments moments = channelMoments(values);
    for (std::size_t c = 0; c < moments.means.size(); ++c) {
      double& mean = result.statistics[static_cast<std::size_t>(layer.statistics)].values[c];
      double& variance = result.statistics[static_cast<std::size_t>(layer.statistics) + 1].values[c];
      const double unbiased = moments.variances[c] * moments.values / (moments.values - 1);
      mean = keptOfStatistics * mean + (1 - keptOfStatistics) * moments.means[c];
      variance = keptOfStatistics * variance + (1 - keptOfStatistics) * unbiased;
    }
  }
  return result;
}

}  // namespace slipstream::reference
