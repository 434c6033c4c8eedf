#pragma once

#include <cmath>
#include <cstdint>

#include "engine/nn/cuda/kernels/pack.h"

namespace slipstream {

/// Some channels' lines, in a thread's registers.
template <int lanes>
struct NormLinePack {
  Lanes<float, lanes> mean, scale, beta;

  SLIPSTREAM_HOST_DEVICE float at(int lane, float x) const {
    return (x - mean.at[lane]) * scale.at[lane] + beta.at[lane];
  }
};

/// What a batch norm keeps of each channel from forward to backward: (x - mean) scale + beta. All stand where packs of
/// whole channels do.
struct NormLines {
  double* center;            ///< mean
  double* inverseDeviation;  ///< 1 / sqrt(variance + epsilon)
  float* mean;
  float* scale;  ///< inverse deviation times gamma
  float* beta;

  template <int lanes>
  SLIPSTREAM_HOST_DEVICE NormLinePack<lanes> from(std::uint32_t channel) const {
    return {loadPack<lanes>(mean + channel), loadPack<lanes>(scale + channel), loadPack<lanes>(beta + channel)};
  }
};

/// Sums of the distances to the first row and of their squares: a large mean does not eat the variance.
template <class Value>
struct MomentTerms {
  const Value* x;

  template <int lanes>
  SLIPSTREAM_HOST_DEVICE void add(std::int64_t at, std::uint32_t channel, Lanes<double, lanes>& sums,
                                  Lanes<double, lanes>& squares) const {
    const auto values = loadPack<lanes>(x + at);
    const auto shift = loadPack<lanes>(x + channel);
    for (int lane = 0; lane < lanes; ++lane) {
      const double value = static_cast<double>(toFloat(values.at[lane])) - static_cast<double>(toFloat(shift.at[lane]));
      sums.at[lane] += value;
      squares.at[lane] += value * value;
    }
  }
};

/// The numbers of the layer, and of the batch.
struct NormNumbers {
  double epsilon;
  double momentum;
  double rows;
};

/// The running values of each channel.
struct RunningStatistics {
  float* mean;
  float* variance;
};

/// From sums [2][channels] of MomentTerms to the lines; moves the running values.
template <class Value>
struct FinishMoments {
  const double* sums;
  const Value* firstRow;
  const float* gamma;
  const float* beta;
  NormLines lines;
  RunningStatistics running;
  NormNumbers numbers;
  std::uint32_t channels;

  SLIPSTREAM_HOST_DEVICE float moved(float old, double batch) const {
    return static_cast<float>(numbers.momentum * static_cast<double>(old) + (1.0 - numbers.momentum) * batch);
  }
  SLIPSTREAM_HOST_DEVICE void operator()(std::uint32_t c) const {
    const double distance = sums[c] / numbers.rows;
    const double spread = sums[channels + c] / numbers.rows - distance * distance;
    const double variance = spread < 0.0 ? 0.0 : spread;
    const double unbiased = numbers.rows > 1 ? numbers.rows / (numbers.rows - 1.0) : 1.0;
    const double mean = static_cast<double>(toFloat(firstRow[c])) + distance;
    running.mean[c] = moved(running.mean[c], mean);
    running.variance[c] = moved(running.variance[c], variance * unbiased);
    lines.center[c] = mean;
    lines.inverseDeviation[c] = 1.0 / sqrt(variance + numbers.epsilon);
    lines.mean[c] = static_cast<float>(mean);
    lines.scale[c] = static_cast<float>(lines.inverseDeviation[c] * static_cast<double>(gamma[c]));
    lines.beta[c] = beta[c];
  }
};

/// The lines of the running values.
struct TakeRunning {
  const float* gamma;
  const float* beta;
  NormLines lines;
  RunningStatistics running;
  double epsilon;

  SLIPSTREAM_HOST_DEVICE void operator()(std::uint32_t c) const {
    lines.center[c] = static_cast<double>(running.mean[c]);
    lines.inverseDeviation[c] = 1.0 / sqrt(static_cast<double>(running.variance[c]) + epsilon);
    lines.mean[c] = running.mean[c];
    lines.scale[c] = static_cast<float>(lines.inverseDeviation[c] * static_cast<double>(gamma[c]));
    lines.beta[c] = beta[c];
  }
};

/// y = line(x), plus `second` where there is one, at least zero where `cuts`; y may be `second`.
template <int lanes, class Value>
struct Normalize {
  const Value* x;
  const Value* second;  ///< may be null
  Value* y;
  NormLines lines;
  std::uint32_t channels;
  bool cuts;

  SLIPSTREAM_HOST_DEVICE void operator()(std::uint32_t index) const {
    const std::int64_t first = std::int64_t{index} * lanes;
    constexpr std::uint32_t width = lanes;
    const std::uint32_t channel = index % (channels / width) * width;
    const auto values = loadPack<lanes>(x + first);
    const auto line = lines.template from<lanes>(channel);
    Lanes<Value, lanes> added{};
    if (second != nullptr) added = loadPack<lanes>(second + first);
    Lanes<Value, lanes> results;
    for (int lane = 0; lane < lanes; ++lane) {
      float value = line.at(lane, toFloat(values.at[lane]));
      if (second != nullptr) value += toFloat(added.at[lane]);
      results.at[lane] = fromFloat<Value>(cuts && value < 0.0F ? 0.0F : value);
    }
    storePack(y + first, results);
  }
};

/// Sums of g' and of g' (x - mean); g' is the gradient, where `cuts` only of positive line(x).
template <class Value>
struct GradientTerms {
  const Value* gradient;
  const Value* x;
  NormLines lines;
  bool cuts;

  template <int lanes>
  SLIPSTREAM_HOST_DEVICE void add(std::int64_t at, std::uint32_t channel, Lanes<double, lanes>& sums,
                                  Lanes<double, lanes>& products) const {
    const auto gradients = loadPack<lanes>(gradient + at);
    const auto values = loadPack<lanes>(x + at);
    const auto center = loadPack<lanes>(lines.center + channel);
    const auto line = lines.template from<lanes>(channel);
    for (int lane = 0; lane < lanes; ++lane) {
      const float value = toFloat(values.at[lane]);
      const bool kept = !cuts || line.at(lane, value) > 0.0F;
      const double g = kept ? static_cast<double>(toFloat(gradients.at[lane])) : 0.0;
      sums.at[lane] += g;
      products.at[lane] += g * (static_cast<double>(value) - center.at[lane]);
    }
  }
};

/// What the input's gradient needs of each channel: dx = scale (g' - meanOfG - (x - mean) slope).
struct GradientLines {
  float* meanOfG;
  float* slope;
};

/// From sums [2][channels] of GradientTerms to the gradients of gamma and beta and the gradient lines.
struct FinishGradients {
  const double* sums;
  NormLines lines;
  GradientLines gradientLines;
  float* gammaGradient;
  float* betaGradient;
  double rows;
  std::uint32_t channels;
  bool accumulate;

  SLIPSTREAM_HOST_DEVICE void deliver(float& gradient, double value) const {
    gradient = static_cast<float>(accumulate ? static_cast<double>(gradient) + value : value);
  }
  SLIPSTREAM_HOST_DEVICE void operator()(std::uint32_t c) const {
    const double product = sums[channels + c] * lines.inverseDeviation[c];
    deliver(gammaGradient[c], product);
    deliver(betaGradient[c], sums[c]);
    gradientLines.meanOfG[c] = static_cast<float>(sums[c] / rows);
    gradientLines.slope[c] = static_cast<float>(product * lines.inverseDeviation[c] / rows);
  }
};

template <int lanes, class Value>
struct NormInputGradient {
  const Value* gradient;
  const Value* x;
  Value* result;
  NormLines lines;
  GradientLines gradientLines;
  std::uint32_t channels;
  bool cuts;

  SLIPSTREAM_HOST_DEVICE void operator()(std::uint32_t index) const {
    const std::int64_t first = std::int64_t{index} * lanes;
    constexpr std::uint32_t width = lanes;
    const std::uint32_t channel = index % (channels / width) * width;
    const auto gradients = loadPack<lanes>(gradient + first);
    const auto values = loadPack<lanes>(x + first);
    const auto line = lines.template from<lanes>(channel);
    const auto meanOfG = loadPack<lanes>(gradientLines.meanOfG + channel);
    const auto slope = loadPack<lanes>(gradientLines.slope + channel);
    Lanes<Value, lanes> results;
    for (int lane = 0; lane < lanes; ++lane) {
      const float value = toFloat(values.at[lane]);
      const bool kept = !cuts || line.at(lane, value) > 0.0F;
      const float g = kept ? toFloat(gradients.at[lane]) : 0.0F;
      const float distance = value - line.mean.at[lane];
      results.at[lane] = fromFloat<Value>(line.scale.at[lane] * (g - meanOfG.at[lane] - distance * slope.at[lane]));
    }
    storePack(result + first, results);
  }
};

}  // namespace slipstream
