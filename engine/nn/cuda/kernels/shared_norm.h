// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/nn/cuda/kernels/batch_norm.h"

// From a batch norm to the convolution that applies it (engine/nn/layers/shared_norm.h), channel by channel.

namespace slipstream {

/// The nearest value of fp16 that is finite; a NaN stays one.
template <class Value>
SLIPSTREAM_HOST_DEVICE Value nearestFinite(double value) {
  constexpr double most = 65504.0;
  const double low = value > most ? most : value;
  return fromFloat<Value>(static_cast<float>(low < -most ? -most : low));
}

/// What the convolution behind needs of the lines that are kept. It reads scale x + bias of fp16, in which the bias has
/// to cancel mean scale: roundings leave an error of up to mean scale / 1024 at the mean. Where that is more than what
/// tells the channel's values apart, or the bias is out of range, they all become beta, as if they were the mean: the
/// error is then about one deviation of the output. That is the limit, where a mean is 1000 deviations away or more; in
/// evaluation the running deviation says it, whatever the batch is like. A scale below 2^-14 has fewer digits, two of
/// 1e-5, one of 1e-6: the bias is then made for it as it is rounded.
template <class Value>
struct ShareLines {
  NormLines lines;
  const float* gamma;
  Value* lineScale;
  Value* lineBias;
  double epsilon;

  SLIPSTREAM_HOST_DEVICE void operator()(std::uint32_t c) const {
    share(c, lines.inverseDeviation[c] * static_cast<double>(gamma[c]), static_cast<double>(lines.beta[c]));
  }

 private:
  SLIPSTREAM_HOST_DEVICE void share(std::uint32_t c, double scale, double beta) const {
    const double center = lines.center[c];
    const Value shortScale = nearestFinite<Value>(scale);
    const double rounded = static_cast<double>(toFloat(shortScale));
    const bool coarse = fabs(scale) < 0x1p-14;
    const Value shortBias = nearestFinite<Value>(beta - center * (coarse ? rounded : scale));
    const double error =
        fabs(center * rounded + static_cast<double>(toFloat(shortBias)) - beta) + fabs(scale - rounded) * deviation(c);
    const bool flat = error > fabs(scale) * deviation(c);
    lineScale[c] = flat ? nearestFinite<Value>(0.0) : shortScale;
    lineBias[c] = flat ? nearestFinite<Value>(beta) : shortBias;
  }
  SLIPSTREAM_HOST_DEVICE double deviation(std::uint32_t c) const {
    const double inverse = lines.inverseDeviation[c];
    const double variance = 1.0 / (inverse * inverse) - epsilon;
    return sqrt(variance < 0.0 ? 0.0 : variance);
  }
};

/// Both for one channel, in one launch.
template <class First, class Second>
struct InTurn {
  First first;
  Second second;

  SLIPSTREAM_HOST_DEVICE void operator()(std::uint32_t c) const {
    first(c);
    second(c);
  }
};

}  // namespace slipstream
