// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cmath>
#include <cstdint>

#include "engine/nn/cuda/kernels/rows.h"

namespace slipstream {

/// What one lane of a row saw: the largest logit, where the first such stood, and the sum of exp(logit - largest).
struct SoftmaxPart {
  double largest;
  double sum;
  std::int32_t place;
};

/// Softmax cross-entropy is worked out in three steps, each over many threads; a row is one sample.
struct SoftmaxParts {
  const float* logits;
  std::int64_t classes;
  SoftmaxPart* parts;  ///< [samples][rowLanes]

  /// A lane of nothing but minus infinity must not make the row NaN.
  static SLIPSTREAM_HOST_DEVICE double share(double logit, double largest) {
    return logit == largest ? 1.0 : exp(logit - largest);
  }
  SLIPSTREAM_HOST_DEVICE void operator()(std::uint32_t index) const {
    const float* row = logits + std::int64_t{index / rowLanes} * classes;
    const std::int64_t lane = index % rowLanes;
    SoftmaxPart part{-HUGE_VAL, 0, static_cast<std::int32_t>(lane)};
    for (std::int64_t i = lane; i < classes; i += rowLanes) {
      if (!(static_cast<double>(row[i]) > part.largest)) continue;
      part.largest = static_cast<double>(row[i]);
      part.place = static_cast<std::int32_t>(i);
    }
    for (std::int64_t i = lane; i < classes; i += rowLanes)
      part.sum += share(static_cast<double>(row[i]), part.largest);
    parts[index] = part;
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

/// losses[sample] of labels that are classes: the caller has checked them.
struct SoftmaxLoss {
  const float* logits;
  const std::int32_t* labels;
  std::int64_t classes;
  const SoftmaxPart* parts;
  SmoothTarget target;
  SampleLoss* losses;

  SLIPSTREAM_HOST_DEVICE SoftmaxPart joined(const SoftmaxPart* of) const {
    SoftmaxPart whole = of[0];
    for (std::uint32_t lane = 1; lane < rowLanes && lane < classes; ++lane) {
      const bool before = of[lane].largest == whole.largest && of[lane].place < whole.place;
      if (of[lane].largest > whole.largest || before) whole = of[lane];
    }
    whole.sum = 0;
    for (std::uint32_t lane = 0; lane < rowLanes && lane < classes; ++lane) {
      whole.sum += of[lane].sum * exp(of[lane].largest - whole.largest);
    }
    return whole;
  }

  SLIPSTREAM_HOST_DEVICE void operator()(std::uint32_t sample) const {
    const SoftmaxPart whole = joined(parts + std::int64_t{sample} * rowLanes);
    const float* row = logits + sample * classes;
    const double logSum = whole.largest + log(whole.sum);
    double loss = 0;
    if (target.off == 0.0) {
      loss = target.on * (logSum - static_cast<double>(row[labels[sample]]));
    } else {
      for (std::int64_t i = 0; i < classes; ++i) {
        loss += (i == labels[sample] ? target.on : target.off) * (logSum - static_cast<double>(row[i]));
      }
    }
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

/// totals = {loss, correct} of all samples, in order.
struct SumLosses {
  const SampleLoss* losses;
  std::int64_t samples;
  double* totals;

  SLIPSTREAM_HOST_DEVICE void operator()(std::uint32_t) const {
    double loss = 0;
    double correct = 0;
    for (std::int64_t i = 0; i < samples; ++i) loss += losses[i].loss;
    for (std::int64_t i = 0; i < samples; ++i) correct += losses[i].correct;
    totals[0] = loss / static_cast<double>(samples);
    totals[1] = correct;
  }
};

}  // namespace slipstream
