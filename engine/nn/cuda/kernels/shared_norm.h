#pragma once

#include "engine/nn/cuda/kernels/batch_norm.h"

// Between a batch norm and the convolutions that work for it (engine/nn/layers/shared_norm.h), channel by channel.

namespace slipstream {

/// Of what a convolution summed. Plans sum in fp32 and from zero: of a mean of a thousand deviations they leave one
/// digit of the variance.
struct FinishGivenSums {
  const float* sums;
  const float* squareSums;
  FinishStatistics statistics;

  SLIPSTREAM_HOST_DEVICE void operator()(std::uint32_t c) const {
    const double rows = statistics.numbers.rows;
    const double mean = static_cast<double>(sums[c]) / rows;
    statistics.finish(c, mean, static_cast<double>(squareSums[c]) / rows - mean * mean);
  }
};

/// What the convolution behind needs of the lines that are kept.
template <class Value>
struct ShareLines {
  NormLines lines;
  const float* gamma;
  float* inverseDeviation;
  float* gammaCopy;  ///< weights may be gone in backward
  Value* lineScale;
  Value* lineBias;

  SLIPSTREAM_HOST_DEVICE void operator()(std::uint32_t c) const {
    const double scale = lines.inverseDeviation[c] * static_cast<double>(gamma[c]);
    inverseDeviation[c] = static_cast<float>(lines.inverseDeviation[c]);
    gammaCopy[c] = gamma[c];
    lineScale[c] = fromFloat<Value>(lines.scale[c]);
    lineBias[c] = fromFloat<Value>(static_cast<float>(static_cast<double>(lines.beta[c]) - lines.center[c] * scale));
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

/// Of gradients of gamma and beta that a convolution summed.
struct FinishGivenGradients {
  const float* ofGamma;
  const float* ofBeta;
  const double* inverseDeviation;
  DeliverGradients gradients;

  SLIPSTREAM_HOST_DEVICE void operator()(std::uint32_t c) const {
    gradients.finish(c, static_cast<double>(ofGamma[c]), static_cast<double>(ofBeta[c]), inverseDeviation[c]);
  }
};

}  // namespace slipstream
