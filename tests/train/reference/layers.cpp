// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/train/reference/layers.h"

#include <algorithm>
#include <cmath>

namespace slipstream::reference {
namespace {

constexpr double batchNormEpsilon = 1e-5;
constexpr double shortestRow = 1e-4;  ///< squared, of a normalised head

const std::vector<double>& tensorOf(const LayerValues& values, int index) {
  return values.weights[static_cast<std::size_t>(index)].values;
}

/// Calls use(output, input, weight) with positions, for all products of a convolution: each time for those of one
/// output with one pixel, whose inputs and weights, one for each channel, begin at these positions.
template <class Use>
void forProducts(const LayerValues& values, Use&& use) {
  const Layer& layer = values.layer;
  const auto place = [&](std::size_t out, std::size_t tap) { return out * layer.stride + tap - layer.padding; };
  for (std::size_t position = 0; position < values.count * layer.out.height * layer.out.width; ++position) {
    const std::size_t x = position % layer.out.width;
    const std::size_t y = position / layer.out.width % layer.out.height;
    const std::size_t sample = position / layer.out.width / layer.out.height;
    for (std::size_t tap = 0; tap < layer.kernel * layer.kernel; ++tap) {
      const std::size_t row = place(y, tap / layer.kernel);  // what lies above or left wraps round, and is too large
      const std::size_t column = place(x, tap % layer.kernel);
      if (row >= layer.in.height || column >= layer.in.width) continue;
      const std::size_t pixel = (sample * layer.in.height + row) * layer.in.width + column;
      for (std::size_t o = 0; o < layer.out.channels; ++o) {
        use(position * layer.out.channels + o, pixel * layer.in.channels,
            (o * layer.kernel * layer.kernel + tap) * layer.in.channels);
      }
    }
  }
}

void convolve(const LayerValues& values, std::vector<double>& output) {
  const auto& weight = tensorOf(values, values.layer.weight);
  forProducts(values, [&](std::size_t o, std::size_t i, std::size_t w) {
    double sum = 0;
    for (std::size_t c = 0; c < values.layer.in.channels; ++c) sum += values.input[i + c] * weight[w + c];
    output[o] += sum;
  });
}

void convolveBack(const LayerValues& values, std::span<const double> outputGradient, std::span<double> inputGradient,
                  std::vector<double>& weightGradient) {
  const auto& weight = tensorOf(values, values.layer.weight);
  forProducts(values, [&](std::size_t o, std::size_t i, std::size_t w) {
    const double slope = outputGradient[o];
    for (std::size_t c = 0; c < values.layer.in.channels; ++c) {
      inputGradient[i + c] += slope * weight[w + c];
      weightGradient[w + c] += slope * values.input[i + c];
    }
  });
}

void addBias(const LayerValues& values, std::vector<double>& output) {
  if (values.layer.second < 0) return;
  const auto& bias = tensorOf(values, values.layer.second);
  for (std::size_t i = 0; i < output.size(); ++i) output[i] += bias[i % bias.size()];
}

/// Rows of a matrix and their lengths, the shortest taken for longer.
struct UnitRows {
  UnitRows(std::span<const double> matrix, std::size_t width) : columns(width), values(matrix.begin(), matrix.end()) {
    for (std::size_t row = 0; row * columns < values.size(); ++row) {
      double squares = 0;
      for (std::size_t c = 0; c < columns; ++c) squares += at(row, c) * at(row, c);
      clamped.push_back(squares <= shortestRow);
      lengths.push_back(std::sqrt(std::max(squares, shortestRow)));
      for (std::size_t c = 0; c < columns; ++c) values[row * columns + c] /= lengths.back();
    }
  }
  double at(std::size_t row, std::size_t column) const { return values[row * columns + column]; }

  /// Adds the gradient of the rows as they were, from that of the scaled ones.
  void backward(const std::vector<double>& scaled, std::span<double> gradient) const {
    for (std::size_t row = 0; row < lengths.size(); ++row) {
      double along = 0;
      for (std::size_t c = 0; c < columns; ++c) along += scaled[row * columns + c] * at(row, c);
      if (clamped[row]) along = 0;
      for (std::size_t c = 0; c < columns; ++c) {
        gradient[row * columns + c] += (scaled[row * columns + c] - along * at(row, c)) / lengths[row];
      }
    }
  }

  std::size_t columns;
  std::vector<double> values;
  std::vector<double> lengths;
  std::vector<bool> clamped;
};

double cosine(const UnitRows& a, std::size_t row, const UnitRows& b, std::size_t other) {
  double sum = 0;
  for (std::size_t c = 0; c < a.columns; ++c) sum += a.at(row, c) * b.at(other, c);
  return sum;
}

void cosines(const LayerValues& values, std::vector<double>& output) {
  const std::size_t inputs = values.layer.in.elements();
  const UnitRows x(values.input, inputs);
  const UnitRows w(tensorOf(values, values.layer.weight), inputs);
  const double multiplier = tensorOf(values, values.layer.second).front();
  const std::size_t outputs = values.layer.out.channels;
  for (std::size_t i = 0; i < output.size(); ++i) output[i] = multiplier * cosine(x, i / outputs, w, i % outputs);
}

void cosinesBack(const LayerValues& values, std::span<const double> outputGradient, std::span<double> inputGradient,
                 Tensors& gradient) {
  const std::size_t inputs = values.layer.in.elements();
  const std::size_t outputs = values.layer.out.channels;
  const UnitRows x(values.input, inputs);
  const UnitRows w(tensorOf(values, values.layer.weight), inputs);
  const double multiplier = tensorOf(values, values.layer.second).front();
  std::vector<double> dx(x.values.size());
  std::vector<double> dw(w.values.size());
  for (std::size_t i = 0; i < outputGradient.size(); ++i) {
    const std::size_t row = i / outputs;
    const std::size_t output = i % outputs;
    gradient[static_cast<std::size_t>(values.layer.second)].values[0] += outputGradient[i] * cosine(x, row, w, output);
    for (std::size_t c = 0; c < inputs; ++c) {
      dx[row * inputs + c] += multiplier * outputGradient[i] * w.at(output, c);
      dw[output * inputs + c] += multiplier * outputGradient[i] * x.at(row, c);
    }
  }
  x.backward(dx, inputGradient);
  w.backward(dw, gradient[static_cast<std::size_t>(values.layer.weight)].values);
}

void normalize(const LayerValues& values, std::vector<double>& output) {
  const ChannelMoments moments = channelMoments(values);
  const auto& gamma = tensorOf(values, values.layer.weight);
  const auto& beta = tensorOf(values, values.layer.second);
  for (std::size_t i = 0; i < output.size(); ++i) {
    const std::size_t c = i % values.layer.in.channels;
    const double deviation = std::sqrt(moments.variances[c] + batchNormEpsilon);
    output[i] = gamma[c] * (values.input[i] - moments.means[c]) / deviation + beta[c];
  }
}

/// dx = gamma / deviation * (dy - mean(dy) - x' mean(dy x')), x' the normalised input, means over the channel.
void normalizeBack(const LayerValues& values, std::span<const double> outputGradient, std::span<double> inputGradient,
                   Tensors& gradient) {
  const ChannelMoments moments = channelMoments(values);
  const auto& gamma = tensorOf(values, values.layer.weight);
  auto& gammaGradient = gradient[static_cast<std::size_t>(values.layer.weight)].values;
  auto& betaGradient = gradient[static_cast<std::size_t>(values.layer.second)].values;
  const std::size_t channels = values.layer.in.channels;
  const auto normalized = [&](std::size_t i) {
    const std::size_t c = i % channels;
    return (values.input[i] - moments.means[c]) / std::sqrt(moments.variances[c] + batchNormEpsilon);
  };
  std::vector<double> sums(channels);
  std::vector<double> products(channels);
  for (std::size_t i = 0; i < outputGradient.size(); ++i) {
    sums[i % channels] += outputGradient[i];
    products[i % channels] += outputGradient[i] * normalized(i);
  }
  for (std::size_t i = 0; i < outputGradient.size(); ++i) {
    const std::size_t c = i % channels;
    const double apart = outputGradient[i] - (sums[c] + normalized(i) * products[c]) / moments.values;
    inputGradient[i] += gamma[c] / std::sqrt(moments.variances[c] + batchNormEpsilon) * apart;
  }
  for (std::size_t c = 0; c < channels; ++c) {
    gammaGradient[c] += products[c];
    betaGradient[c] += sums[c];
  }
}

void meanChannels(const LayerValues& values, std::vector<double>& output) {
  const std::size_t channels = values.layer.in.channels;
  const std::size_t elements = values.layer.in.elements();
  for (std::size_t i = 0; i < values.input.size(); ++i) {
    output[i / elements * channels + i % channels] +=
        values.input[i] * static_cast<double>(channels) / static_cast<double>(elements);
  }
}

void meanChannelsBack(const LayerValues& values, std::span<const double> outputGradient,
                      std::span<double> inputGradient) {
  const std::size_t channels = values.layer.in.channels;
  const std::size_t elements = values.layer.in.elements();
  for (std::size_t i = 0; i < inputGradient.size(); ++i) {
    inputGradient[i] += outputGradient[i / elements * channels + i % channels] * static_cast<double>(channels) /
                        static_cast<double>(elements);
  }
}

}  // namespace

ChannelMoments channelMoments(const LayerValues& values) {
  const std::size_t channels = values.layer.in.channels;
  ChannelMoments moments{std::vector<double>(channels), std::vector<double>(channels),
                         static_cast<double>(values.input.size() / channels)};
  for (std::size_t i = 0; i < values.input.size(); ++i) moments.means[i % channels] += values.input[i] / moments.values;
  for (std::size_t i = 0; i < values.input.size(); ++i) {
    const double away = values.input[i] - moments.means[i % channels];
    moments.variances[i % channels] += away * away / moments.values;
  }
  return moments;
}

std::vector<double> forwardOf(const LayerValues& values) {
  std::vector<double> output(values.count * values.layer.out.elements());
  switch (values.layer.kind) {
    case Kind::convolution:
    case Kind::dense:
      convolve(values, output);
      addBias(values, output);
      break;
    case Kind::normalizedDense:
      cosines(values, output);
      break;
    case Kind::batchNorm:
      normalize(values, output);
      break;
    case Kind::relu:
      std::ranges::transform(values.input, output.begin(), [](double x) { return std::max(x, 0.0); });
      break;
    case Kind::sum:
      std::ranges::transform(values.input, values.with, output.begin(), std::plus<>());
      break;
    case Kind::channelMeans:
      meanChannels(values, output);
      break;
  }
  return output;
}

void backwardOf(const LayerValues& values, std::span<const double> outputGradient, std::span<double> inputGradient,
                std::span<double> withGradient, Tensors& gradient) {
  const Layer& layer = values.layer;
  switch (layer.kind) {
    case Kind::convolution:
    case Kind::dense:
      convolveBack(values, outputGradient, inputGradient, gradient[static_cast<std::size_t>(layer.weight)].values);
      if (layer.second < 0) break;
      for (std::size_t i = 0; i < outputGradient.size(); ++i) {
        gradient[static_cast<std::size_t>(layer.second)].values[i % layer.out.channels] += outputGradient[i];
      }
      break;
    case Kind::normalizedDense:
      cosinesBack(values, outputGradient, inputGradient, gradient);
      break;
    case Kind::batchNorm:
      normalizeBack(values, outputGradient, inputGradient, gradient);
      break;
    case Kind::relu:
      for (std::size_t i = 0; i < outputGradient.size(); ++i) {
        if (values.input[i] > 0) inputGradient[i] += outputGradient[i];
      }
      break;
    case Kind::sum:
      for (std::size_t i = 0; i < outputGradient.size(); ++i) {
        inputGradient[i] += outputGradient[i];
        withGradient[i] += outputGradient[i];
      }
      break;
    case Kind::channelMeans:
      meanChannelsBack(values, outputGradient, inputGradient);
      break;
  }
}

}  // namespace slipstream::reference
