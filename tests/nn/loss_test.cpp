// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/nn/loss.h"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "engine/base/error.h"

namespace slipstream {
namespace {

const std::vector<float> logits{1.0F, 2.0F, -1.0F, 0.5F, 0.5F, 3.0F};
const std::vector<std::int32_t> labels{1, 0};

LossSpec smoothed(double factor) {
  return {LossKind::crossEntropySmooth, factor, true};
}

TEST(Loss, TwoEqualLogitsByHand) {
  std::vector<float> gradient(2);
  const auto result = crossEntropy({}, std::vector<float>{3.0F, 3.0F}, std::vector<std::int32_t>{1}, 2, gradient, 1.0);
  EXPECT_NEAR(result.loss, std::log(2.0), 1e-15);
  EXPECT_EQ(result.correct, 0);  // the first of equal logits counts
  EXPECT_EQ(gradient, (std::vector<float>{0.5F, -0.5F}));
}

TEST(Loss, GradientIsTheDerivative) {
  for (const double factor : {0.0, 0.1}) {
    std::vector<float> gradient(6);
    crossEntropy(smoothed(factor), logits, labels, 3, gradient, 1.0);
    for (std::size_t i = 0; i < logits.size(); ++i) {
      constexpr float step = 0.0009765625F;
      auto above = logits;
      auto below = logits;
      above[i] += step;
      below[i] -= step;
      const double difference = crossEntropy(smoothed(factor), above, labels, 3, {}, 1.0).loss -
                                crossEntropy(smoothed(factor), below, labels, 3, {}, 1.0).loss;
      EXPECT_NEAR(gradient[i], difference / (2.0 * static_cast<double>(step)), 1e-6);
    }
  }
}

TEST(Loss, SmoothedAndDenseTargetsAgree) {
  const std::vector<float> targets{0.0625F, 0.875F, 0.0625F, 0.875F, 0.0625F, 0.0625F};
  std::vector<float> fromLabels(6);
  std::vector<float> fromTargets(6);
  const auto one = crossEntropy(smoothed(0.125), logits, labels, 3, fromLabels, 1.0);
  const auto other = crossEntropyDense(logits, targets, 3, fromTargets, 1.0);
  EXPECT_NEAR(one.loss, other.loss, 1e-14);
  EXPECT_EQ(one.correct, other.correct);
  EXPECT_EQ(fromLabels, fromTargets);
}

TEST(Loss, PlainLossIgnoresTheSmoothFactor) {
  LossSpec plain;
  plain.smoothFactor = 0.3;
  EXPECT_EQ(crossEntropy(plain, logits, labels, 3, {}, 1.0).loss, crossEntropy({}, logits, labels, 3, {}, 1.0).loss);
}

TEST(Loss, CountsWhatIsRightAndScalesTheGradient) {
  std::vector<float> gradient(6);
  std::vector<float> scaled(6);
  EXPECT_EQ(crossEntropy({}, logits, labels, 3, gradient, 1.0).correct, 1);
  crossEntropy({}, logits, labels, 3, scaled, 1024.0);
  for (std::size_t i = 0; i < 6; ++i) EXPECT_FLOAT_EQ(scaled[i], gradient[i] * 1024.0F);
}

TEST(Loss, NaNAndInfinityAreSeen) {
  constexpr float infinity = std::numeric_limits<float>::infinity();
  const std::vector<std::int32_t> label{0};
  for (const auto& bad : {std::vector<float>{std::nanf(""), 0.0F}, {0.0F, std::nanf("")}, {infinity, 0.0F}}) {
    const auto result = crossEntropy({}, bad, label, 2, {}, 1.0);
    EXPECT_TRUE(std::isnan(result.loss));
    EXPECT_EQ(result.correct, 0);
  }
  EXPECT_EQ(crossEntropy({}, std::vector<float>{0.0F, -infinity}, label, 2, {}, 1.0).loss, 0.0);
  EXPECT_EQ(crossEntropy({}, std::vector<float>{-infinity, 0.0F}, label, 2, {}, 1.0).loss,
            std::numeric_limits<double>::infinity());
}

TEST(Loss, LargeLogitsDoNotOverflow) {
  const std::vector<float> large{3e38F, -3e38F};
  EXPECT_EQ(crossEntropy({}, large, std::vector<std::int32_t>{0}, 2, {}, 1.0).loss, 0.0);
}

TEST(Loss, MismatchesThrow) {
  std::vector<float> gradient(5);
  EXPECT_THROW(crossEntropy({}, logits, labels, 4, {}, 1.0), Error);
  EXPECT_THROW(crossEntropy({}, logits, labels, 3, gradient, 1.0), Error);
  EXPECT_THROW(crossEntropy({}, logits, std::vector<std::int32_t>{1}, 3, {}, 1.0), Error);
  EXPECT_THROW(crossEntropy({}, logits, std::vector<std::int32_t>{1, 3}, 3, {}, 1.0), Error);
  EXPECT_THROW(crossEntropy({}, logits, std::vector<std::int32_t>{1, -1}, 3, {}, 1.0), Error);
  EXPECT_THROW(crossEntropyDense(logits, gradient, 3, {}, 1.0), Error);
}

}  // namespace
}  // namespace slipstream
