// SPDX-License-Identifier: GPL-3.0-or-later
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

/// (x - mean) scale + beta of each channel. All are aligned for packs of whole channels.
struct AppliedLines {
  const float* mean;
  const float* scale;
  const float* beta;

  template <int lanes>
  SLIPSTREAM_HOST_DEVICE NormLinePack<lanes> from(std::uint32_t channel) const {
    return {loadPack<lanes>(mean + channel), loadPack<lanes>(scale + channel), loadPack<lanes>(beta + channel)};
  }
};

/// What a batch norm keeps of each channel from forward to backward: (x - mean) scale + beta. All are aligned for packs
/// of whole channels.
struct NormLines {
  double* center;            ///< mean
  double* inverseDeviation;  ///< 1 / sqrt(variance + epsilon)
  float* mean;
  float* scale;  ///< inverse deviation times gamma
  float* beta;

  SLIPSTREAM_HOST_DEVICE AppliedLines applied() const { return {mean, scale, beta}; }
  template <int lanes>
  SLIPSTREAM_HOST_DEVICE NormLinePack<lanes> from(std::uint32_t channel) const {
    return applied().template from<lanes>(channel);
  }
  SLIPSTREAM_HOST_DEVICE void set(std::uint32_t c, double middle, double variance, double epsilon) const {
    center[c] = middle;
    inverseDeviation[c] = 1.0 / sqrt(variance + epsilon);
    mean[c] = static_cast<float>(middle);
  }
  /// After set().
  SLIPSTREAM_HOST_DEVICE void weigh(std::uint32_t c, float gamma, float shift) const {
    scale[c] = static_cast<float>(inverseDeviation[c] * static_cast<double>(gamma));
    beta[c] = shift;
  }
};

/// Sums of the distances to the first row and of their squares: a large mean does not eat the variance.
template <class Value>
struct MomentTerms {
  const Value* x;

  template <int lanes>
  struct Of {
    const Value* x;
    Lanes<Value, lanes> shift;

    SLIPSTREAM_HOST_DEVICE auto load(std::int64_t at) const { return loadPack<lanes>(x + at); }
    SLIPSTREAM_HOST_DEVICE void add(const Lanes<Value, lanes>& values, Lanes<double, lanes>& sums,
                                    Lanes<double, lanes>& squares) const {
      for (int lane = 0; lane < lanes; ++lane) {
        const double value =
            static_cast<double>(toFloat(values.at[lane])) - static_cast<double>(toFloat(shift.at[lane]));
        sums.at[lane] += value;
        squares.at[lane] += value * value;
      }
    }
  };
  template <int lanes>
  SLIPSTREAM_HOST_DEVICE Of<lanes> of(std::uint32_t channel) const {
    return {x, loadPack<lanes>(x + channel)};
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

  SLIPSTREAM_HOST_DEVICE void move(std::uint32_t c, double batchMean, double batchVariance,
                                   const NormNumbers& numbers) const {
    const double unbiased = numbers.rows > 1 ? numbers.rows / (numbers.rows - 1.0) : 1.0;
    mean[c] = moved(mean[c], batchMean, numbers.momentum);
    variance[c] = moved(variance[c], batchVariance * unbiased, numbers.momentum);
  }

 private:
  SLIPSTREAM_HOST_DEVICE static float moved(float old, double batch, double momentum) {
    return static_cast<float>(momentum * static_cast<double>(old) + (1.0 - momentum) * batch);
  }
};

/// From the statistics of a batch to its lines; moves the running values.
struct FinishStatistics {
  const float* gamma;
  const float* beta;
  NormLines lines;
  RunningStatistics running;
  NormNumbers numbers;

  SLIPSTREAM_HOST_DEVICE void finish(std::uint32_t c, double mean, double spread) const {
    const double variance = spread < 0.0 ? 0.0 : spread;
    running.move(c, mean, variance, numbers);
    lines.set(c, mean, variance, numbers.epsilon);
    lines.weigh(c, gamma[c], beta[c]);
  }
};

/// Of sums [2][channels] of MomentTerms.
template <class Value>
struct FinishMoments {
  const double* sums;
  const Value* firstRow;
  std::uint32_t channels;
  FinishStatistics statistics;

  SLIPSTREAM_HOST_DEVICE void operator()(std::uint32_t c) const {
    const double rows = statistics.numbers.rows;
    const double distance = sums[c] / rows;
    const double mean = static_cast<double>(toFloat(firstRow[c])) + distance;
    statistics.finish(c, mean, sums[channels + c] / rows - distance * distance);
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
    lines.set(c, static_cast<double>(running.mean[c]), static_cast<double>(running.variance[c]), epsilon);
    lines.weigh(c, gamma[c], beta[c]);
  }
};

/// y = line(x), plus `second` where there is one, at least zero where `cuts`; y may be `second`.
template <int lanes, class Value>
struct Normalize {
  const Value* x;
  const Value* second;  ///< may be null
  Value* y;
  AppliedLines lines;
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
  struct Row {
    Lanes<Value, lanes> gradients;
    Lanes<Value, lanes> values;
  };
  /// The channels' numbers stay in registers, and whether a gradient is kept is chosen, not branched on.
  template <int lanes>
  struct Of {
    const Value* gradient;
    const Value* x;
    Lanes<double, lanes> center;
    NormLinePack<lanes> line;
    bool keepsAll;

    SLIPSTREAM_HOST_DEVICE Row<lanes> load(std::int64_t at) const {
      return {loadPack<lanes>(gradient + at), loadPack<lanes>(x + at)};
    }
    SLIPSTREAM_HOST_DEVICE void add(const Row<lanes>& row, Lanes<double, lanes>& sums,
                                    Lanes<double, lanes>& products) const {
      for (int lane = 0; lane < lanes; ++lane) {
        const float value = toFloat(row.values.at[lane]);
        const bool positive = line.at(lane, value) > 0.0F;
        const double g = (keepsAll | positive) ? static_cast<double>(toFloat(row.gradients.at[lane])) : 0.0;
        sums.at[lane] += g;
        products.at[lane] += g * (static_cast<double>(value) - center.at[lane]);
      }
    }
  };
  template <int lanes>
  SLIPSTREAM_HOST_DEVICE Of<lanes> of(std::uint32_t channel) const {
    return {gradient, x, loadPack<lanes>(lines.center + channel), lines.template from<lanes>(channel), !cuts};
  }
};

/// What the input's gradient needs of each channel: dx = scale (g' - meanOfG - (x - mean) slope).
struct GradientLines {
  float* meanOfG;
  float* slope;
};

/// Gives the gradients of gamma and beta away, and makes the gradient lines of them.
struct DeliverGradients {
  GradientLines lines;
  float* gammaGradient;
  float* betaGradient;
  double rows;
  bool accumulate;

  SLIPSTREAM_HOST_DEVICE void finish(std::uint32_t c, double ofGamma, double ofBeta, double inverseDeviation) const {
    deliver(gammaGradient[c], ofGamma);
    deliver(betaGradient[c], ofBeta);
    lines.meanOfG[c] = static_cast<float>(ofBeta / rows);
    lines.slope[c] = static_cast<float>(ofGamma * inverseDeviation / rows);
  }

 private:
  SLIPSTREAM_HOST_DEVICE void deliver(float& gradient, double value) const {
    gradient = static_cast<float>(accumulate ? static_cast<double>(gradient) + value : value);
  }
};

/// Of sums [2][channels] of GradientTerms.
struct FinishGradients {
  const double* sums;
  const double* inverseDeviation;
  std::uint32_t channels;
  DeliverGradients gradients;

  SLIPSTREAM_HOST_DEVICE void operator()(std::uint32_t c) const {
    gradients.finish(c, sums[channels + c] * inverseDeviation[c], sums[c], inverseDeviation[c]);
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
