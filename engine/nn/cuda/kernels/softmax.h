// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cmath>
#include <cstdint>

#include "engine/nn/cuda/kernels/rows.h"

namespace slipstream {

/// What one lane of a row saw: the largest logit, where the first such was, and the sums of exp(logit - largest) and
/// of largest - logit.
struct SoftmaxPart {
  double largest;
  double sum;
  double below;
  std::int32_t place;
};

/// Softmax cross-entropy is worked out in three steps, each over many threads; a row is one sample.
struct SoftmaxParts {
  const float* logits;
  std::int64_t classes;
  std::uint32_t samples;
  SoftmaxPart* parts;  ///< [rowLanes][samples], so that samples side by side are read side by side

  /// A lane of nothing but minus infinity must not make the row NaN.
  static SLIPSTREAM_HOST_DEVICE double share(double logit, double largest) {
    return logit == largest ? 1.0 : exp(logit - largest);
  }
  static SLIPSTREAM_HOST_DEVICE double distance(double logit, double largest) {
    return logit == largest ? 0.0 : largest - logit;
  }
  SLIPSTREAM_HOST_DEVICE void operator()(std::uint32_t index) const {
    const float* row = logits + std::int64_t{index / rowLanes} * classes;
    const std::int64_t lane = index % rowLanes;
    SoftmaxPart part{-HUGE_VAL, 0, 0, static_cast<std::int32_t>(lane)};
    for (std::int64_t i = lane; i < classes; i += rowLanes) {
      if (!(static_cast<double>(row[i]) > part.largest)) continue;
      part.largest = static_cast<double>(row[i]);
      part.place = static_cast<std::int32_t>(i);
    }
    for (std::int64_t i = lane; i < classes; i += rowLanes) {
      part.sum += share(static_cast<double>(row[i]), part.largest);
      part.below += distance(static_cast<double>(row[i]), part.largest);
    }
    parts[lane * samples + index / rowLanes] = part;
  }
};

/// How the target of a label is spread: on its class, and on each other.
struct SmoothTarget {
  double on;
  double off;
};

/// Of one sample.
struct SampleLoss {
  double logSum;  ///< log of the sum of exp(logit)
  double loss;
  double correct;  ///< 1 where the first of the largest logits is the label's
};

/// losses[sample] of labels that are classes: the caller has checked them. The lanes of a sample are put together; its
/// classes are not gone through again.
struct SoftmaxLoss {
  const float* logits;
  const std::int32_t* labels;
  std::int64_t classes;
  std::uint32_t samples;
  const SoftmaxPart* parts;
  SmoothTarget target;
  SampleLoss* losses;

  SLIPSTREAM_HOST_DEVICE const SoftmaxPart& part(std::uint32_t sample, std::uint32_t lane) const {
    return parts[std::int64_t{lane} * samples + sample];
  }
  SLIPSTREAM_HOST_DEVICE std::uint32_t lanes() const {
    return classes < rowLanes ? static_cast<std::uint32_t>(classes) : rowLanes;
  }

  SLIPSTREAM_HOST_DEVICE SoftmaxPart joined(std::uint32_t sample) const {
    SoftmaxPart whole = part(sample, 0);
    for (std::uint32_t lane = 1; lane < lanes(); ++lane) {
      const SoftmaxPart& of = part(sample, lane);
      const bool before = of.largest == whole.largest && of.place < whole.place;
      if (of.largest > whole.largest || before) whole = of;
    }
    whole.sum = 0;
    for (std::uint32_t lane = 0; lane < lanes(); ++lane) {
      const SoftmaxPart& of = part(sample, lane);
      whole.sum += of.sum * exp(of.largest - whole.largest);
    }
    return whole;
  }

  /// The sum of logSum - logit over all classes, none of which is negative: a lane's is what it saw below its largest,
  /// and as often the distance to that.
  SLIPSTREAM_HOST_DEVICE double distances(std::uint32_t sample, double logSum) const {
    double sum = 0;
    for (std::uint32_t lane = 0; lane < lanes(); ++lane) {
      const SoftmaxPart& of = part(sample, lane);
      const std::int64_t count = (classes - lane + rowLanes - 1) / rowLanes;
      sum += of.below + static_cast<double>(count) * (logSum - of.largest);
    }
    return sum;
  }

  SLIPSTREAM_HOST_DEVICE void operator()(std::uint32_t sample) const {
    const SoftmaxPart whole = joined(sample);
    const double logSum = whole.largest + log(whole.sum);
    const double ofLabel = logSum - static_cast<double>(logits[sample * classes + labels[sample]]);
    double loss = target.on * ofLabel;
    if (target.off != 0.0) loss = (target.on - target.off) * ofLabel + target.off * distances(sample, logSum);
    const bool right = loss == loss && whole.place == labels[sample];
    losses[sample] = {logSum, loss, right ? 1.0 : 0.0};
  }
};

/// gradient = (sum of targets * softmax - target) * scale
struct SoftmaxGradient {
  const float* logits;
  const std::int32_t* labels;
  std::int64_t classes;
  const SampleLoss* losses;
  SmoothTarget target;
  double scale;
  float* gradient;

  SLIPSTREAM_HOST_DEVICE void operator()(std::uint32_t index) const {
    const std::int64_t sample = index / classes;
    const double probability = exp(static_cast<double>(logits[index]) - losses[sample].logSum);
    const double wanted = index % classes == labels[sample] ? target.on : target.off;
    const double sum = target.on + target.off * static_cast<double>(classes - 1);
    gradient[index] = static_cast<float>((sum * probability - wanted) * scale);
  }
};

}  // namespace slipstream
