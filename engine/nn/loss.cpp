// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/nn/loss.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "engine/base/chunks.h"
#include "engine/base/error.h"

namespace slipstream {
namespace {

/// Of one sample, in double.
struct Softmax {
  std::vector<double> probabilities;
  double logSum = 0;  ///< log of the sum of exp(logit)
};

/// A NaN or infinite logit makes every probability NaN, and so the loss.
void softmaxOf(std::span<const float> logits, Softmax& softmax) {
  const double largest = *std::max_element(logits.begin(), logits.end());
  double sum = 0;
  for (std::size_t i = 0; i < logits.size(); ++i) {
    softmax.probabilities[i] = std::exp(static_cast<double>(logits[i]) - largest);
    sum += softmax.probabilities[i];
  }
  for (auto& probability : softmax.probabilities) probability /= sum;
  softmax.logSum = largest + std::log(sum);
}

struct SampleResult {
  double loss = 0;
  bool correct = false;
};

std::size_t largestOf(std::span<const float> values) {
  return static_cast<std::size_t>(std::max_element(values.begin(), values.end()) - values.begin());
}

/// Loss of one sample and its share of the gradient. `targetOf(class)` need not sum to one:
/// loss = -sum t log softmax, gradient = (sum t) softmax - t.
template <class TargetOf>
double sampleLoss(std::span<const float> logits, std::span<float> gradient, double gradientScale, Softmax& softmax,
                  const TargetOf& targetOf) {
  softmaxOf(logits, softmax);
  double loss = 0;
  double targetSum = 0;
  for (std::size_t i = 0; i < logits.size(); ++i) {
    const double target = targetOf(i);
    // A target of zero must not turn a logit of minus infinity into NaN.
    loss += target == 0.0 ? 0.0 * softmax.logSum : target * (softmax.logSum - static_cast<double>(logits[i]));
    targetSum += target;
  }
  for (std::size_t i = 0; i < gradient.size(); ++i) {
    gradient[i] = static_cast<float>((targetSum * softmax.probabilities[i] - targetOf(i)) * gradientScale);
  }
  return loss;
}

std::int64_t batchOf(std::span<const float> logits, std::int64_t classes, std::span<const float> gradient) {
  if (classes <= 0 || logits.empty() || logits.size() % static_cast<std::size_t>(classes) != 0) {
    throw Error("logits are no rows of that many classes");
  }
  if (!gradient.empty() && gradient.size() != logits.size()) throw Error("the gradient must be as large as the logits");
  return static_cast<std::int64_t>(logits.size()) / classes;
}

/// The mean loss of a batch: calls `sampleOf(sample, scratch memory)` for the loss of each and whether it was classed
/// correctly. Losses are added in the order of the samples, whatever the number of threads.
template <class SampleOf>
LossResult resultOf(std::size_t samples, std::size_t classes, const SampleOf& sampleOf) {
  // An exponential in double is worth some dozens of the values that chunks count.
  constexpr std::size_t valuesOfExponential = 32;
  std::vector<SampleResult> results(samples);
  forEachRows(samples, classes * valuesOfExponential, [&](std::size_t first, std::size_t count) {
    Softmax softmax{std::vector<double>(classes)};
    for (std::size_t i = first; i < first + count; ++i) results[i] = sampleOf(i, softmax);
  });
  LossResult result;
  for (const SampleResult& sample : results) {
    result.loss += sample.loss;
    result.correct += sample.correct ? 1 : 0;
  }
  result.loss /= static_cast<double>(samples);
  return result;
}

}  // namespace

LossResult crossEntropy(const LossSpec& spec, std::span<const float> logits, std::span<const std::int32_t> labels,
                        std::int64_t classes, std::span<float> gradient, double gradientScale) {
  const auto batch = batchOf(logits, classes, gradient);
  if (static_cast<std::int64_t>(labels.size()) != batch) throw Error("there must be one label a sample");
  const double smooth = spec.kind == LossKind::crossEntropySmooth ? spec.smoothFactor : 0.0;
  const double off = classes > 1 ? smooth / static_cast<double>(classes - 1) : 0.0;
  const auto isNone = [&](std::int32_t label) { return label < 0 || label >= classes; };
  if (std::ranges::any_of(labels, isNone)) throw Error("a label is no class of the network");
  const auto width = static_cast<std::size_t>(classes);
  return resultOf(labels.size(), width, [&](std::size_t sample, Softmax& softmax) {
    const auto label = static_cast<std::size_t>(labels[sample]);
    const auto row = logits.subspan(sample * width, width);
    const auto rowGradient = gradient.empty() ? gradient : gradient.subspan(sample * width, width);
    const double loss = sampleLoss(row, rowGradient, gradientScale / static_cast<double>(batch), softmax,
                                   [&](std::size_t i) { return i == label ? 1.0 - smooth : off; });
    return SampleResult{loss, !std::isnan(loss) && largestOf(row) == label};
  });
}

LossResult crossEntropyDense(std::span<const float> logits, std::span<const float> targets, std::int64_t classes,
                             std::span<float> gradient, double gradientScale) {
  const auto batch = batchOf(logits, classes, gradient);
  if (targets.size() != logits.size()) throw Error("the targets must be as large as the logits");
  const auto width = static_cast<std::size_t>(classes);
  return resultOf(static_cast<std::size_t>(batch), width, [&](std::size_t sample, Softmax& softmax) {
    const auto row = logits.subspan(sample * width, width);
    const auto rowTargets = targets.subspan(sample * width, width);
    const auto rowGradient = gradient.empty() ? gradient : gradient.subspan(sample * width, width);
    const double loss = sampleLoss(row, rowGradient, gradientScale / static_cast<double>(batch), softmax,
                                   [&](std::size_t i) { return static_cast<double>(rowTargets[i]); });
    return SampleResult{loss, !std::isnan(loss) && largestOf(row) == largestOf(rowTargets)};
  });
}

}  // namespace slipstream
