// SPDX-License-Identifier: GPL-3.0-or-later
#include <cmath>

#include <gtest/gtest.h>

#include "engine/nn/loss.h"
#include "tests/support/golden.h"

namespace slipstream {
namespace {

using Json = nlohmann::json;

struct Case {
  std::vector<float> logits;
  std::vector<std::int32_t> labels;
  std::int64_t width = 0;
};

Case caseOf(const Json& entry) {
  return {entry.at("logits").at("data"), entry.at("labels"), entry.at("logits").at("shape").at(1)};
}

void expectLoss(const LossResult& result, const std::vector<float>& gradient, const Json& expected,
                const char* gradientKey, const Json& tolerance) {
  const double loss = expected.at("loss");
  EXPECT_NEAR(result.loss, loss, tolerance.at("f64_rtol").get<double>() * std::max(1.0, std::abs(loss)));
  const auto reference = expected.at(gradientKey).at("data").get<std::vector<double>>();
  ASSERT_EQ(gradient.size(), reference.size());
  double largest = 0;
  for (const double value : reference) largest = std::max(largest, std::abs(value));
  for (std::size_t i = 0; i < reference.size(); ++i) {
    EXPECT_NEAR(gradient[i], reference[i], tolerance.at("f32_rtol").get<double>() * largest) << "element " << i;
  }
}

/// Rows of `on` at the label and `off` elsewhere.
std::vector<float> targetsOf(const Case& given, double on, double off) {
  std::vector<float> targets(given.logits.size(), static_cast<float>(off));
  for (std::size_t row = 0; row < given.labels.size(); ++row) {
    targets[row * static_cast<std::size_t>(given.width) + static_cast<std::size_t>(given.labels[row])] =
        static_cast<float>(on);
  }
  return targets;
}

void checkSmoothed(const Json& entry, const Case& given, const Json& tolerance) {
  LossSpec spec;
  spec.kind = LossKind::crossEntropySmooth;
  spec.smoothFactor = entry.at("smooth_factor");
  std::vector<float> gradient(given.logits.size());
  const auto result = crossEntropy(spec, given.logits, given.labels, given.width, gradient, 1.0);
  expectLoss(result, gradient, entry, "dlogits", tolerance);
}

/// Standard smoothing spreads s over all classes; it is no kind of loss here, but a distribution like any other.
void checkStandard(const Json& entry, const Case& given, Json tolerance) {
  tolerance["f64_rtol"] = tolerance.at("f32_rtol");  // targets are given in float
  const double share = entry.at("smooth_factor").get<double>() / static_cast<double>(given.width);
  std::vector<float> gradient(given.logits.size());
  const auto targets = targetsOf(given, 1.0 - entry.at("smooth_factor").get<double>() + share, share);
  const auto result = crossEntropyDense(given.logits, targets, given.width, gradient, 1.0);
  expectLoss(result, gradient, entry.at("standard_label_smoothing"), "dlogits", tolerance);
}

/// The width of the logits differs from the number of classes: targets do not sum to one.
void checkTargetsAsGiven(const Json& entry, const Case& given, Json tolerance) {
  tolerance["f64_rtol"] = tolerance.at("f32_rtol");
  std::vector<float> gradient(given.logits.size());
  const auto targets = targetsOf(given, entry.at("on_value"), entry.at("off_value"));
  const auto result = crossEntropyDense(given.logits, targets, given.width, gradient, 1.0);
  expectLoss(result, gradient, entry, "dlogits", tolerance);
}

TEST(LossGolden, CrossEntropySmooth) {
  SLIPSTREAM_GOLDEN_FOLDER(folder);
  const auto golden = test::readGolden(folder, "losses.json");
  const auto& tolerance = golden.at("tol");
  test::CaseCounter counter("losses.json",
                            golden.at("cross_entropy_smooth").size() + golden.at("uniform_logits_loss").size());
  for (const auto& entry : golden.at("cross_entropy_smooth")) {
    const auto given = caseOf(entry);
    checkTargetsAsGiven(entry, given, tolerance);
    if (entry.at("num_classes") == given.width) {
      checkSmoothed(entry, given, tolerance);
      checkStandard(entry, given, tolerance);
    }
    counter.used();
  }
  for (const auto& [name, loss] : golden.at("uniform_logits_loss").items()) {
    const std::int64_t classes = std::stoll(name.substr(name.find('_') + 1));
    const std::vector<float> logits(static_cast<std::size_t>(classes), 0.25F);
    EXPECT_NEAR(crossEntropy({}, logits, std::vector<std::int32_t>{0}, classes, {}, 1.0).loss, loss.get<double>(),
                1e-10 * loss.get<double>());
    counter.used();
  }
  counter.finish();
}

}  // namespace
}  // namespace slipstream
