// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "engine/base/error.h"
#include "engine/nn/optimizer.h"
#include "tests/nn/host.h"
#include "tests/nn/shapes.h"
#include "tests/support/golden.h"

namespace slipstream {
namespace {

using Json = nlohmann::json;

OptimizerSpec specOf(const Json& entry) {
  OptimizerSpec spec;
  spec.kind = entry.at("opt") == "sgd" ? OptimizerKind::sgd : OptimizerKind::momentum;
  spec.momentum = entry.value("momentum", 0.0);
  spec.dampening = entry.value("dampening", 0.0);
  spec.weightDecay = entry.value("weight_decay", 0.0);
  spec.nesterov = entry.value("nesterov", false) || entry.value("use_nesterov", false);
  spec.lossScale = entry.value("loss_scale", 1.0);
  return spec;
}

void expectNear(std::span<const float> actual, const Json& expected, const Json& tolerance) {
  const auto reference = expected.at("data").get<std::vector<double>>();
  ASSERT_EQ(actual.size(), reference.size());
  double largest = 0;
  for (const double value : reference) largest = std::max(largest, std::abs(value));
  const double allowed = tolerance.at("f32_rtol").get<double>() * largest + tolerance.at("f32_atol").get<double>();
  for (std::size_t i = 0; i < reference.size(); ++i) EXPECT_NEAR(actual[i], reference[i], allowed) << "element " << i;
}

void checkTrace(const Json& entry, const Json& tolerance) {
  auto spec = specOf(entry);
  const auto rates = entry.at("lr").get<std::vector<double>>();
  spec.schedule = {ScheduleMode::linear, 0.0, 0.0, rates.front(), 0.0, 0.0, 0};
  const ParameterLayout layout(test::shapeOf({{entry.at("param"), entry.at("w0").at("shape")}}));
  test::Host host;
  const Range all{0, layout.size()};
  Optimizer optimizer(spec, layout, all, 1.0, static_cast<std::int64_t>(rates.size()), *host.device,
                      cpuOptimizerKernels());
  std::vector<float> weights = entry.at("w0").at("data");
  for (std::size_t step = 0; step < rates.size(); ++step) {
    ASSERT_NEAR(optimizer.learningRateAt(static_cast<std::int64_t>(step)), rates[step], 1e-12);
    const std::vector<float> gradients = entry.at("scaled_grads").at(step).at("data");
    optimizer.update(all, weights, gradients, static_cast<std::int64_t>(step));
    expectNear(weights, entry.at("weights").at(step), tolerance);
  }
  if (!optimizer.state().empty()) expectNear(optimizer.state(), entry.at("state_final"), tolerance);
}

/// Cases with centralised gradients are not the optimizer's: a gradient pass does that.
bool isCentralised(const Json& entry) {
  return entry.value("grad_centralization", false);
}

TEST(OptimizerGolden, MomentumAndSgdTraces) {
  SLIPSTREAM_GOLDEN_FOLDER(folder);
  const auto golden = test::readGolden(folder, "optimizers.json");
  const auto& cases = golden.at("cases");
  const auto plain = std::count_if(cases.begin(), cases.end(), [](const Json& entry) { return !isCentralised(entry); });
  test::CaseCounter counter("optimizers.json cases without centralisation", static_cast<std::size_t>(plain));
  for (const auto& entry : cases) {
    if (isCentralised(entry)) continue;
    SCOPED_TRACE(entry.at("opt").get<std::string>() + " " + entry.at("param").get<std::string>());
    checkTrace(entry, golden.at("tol"));
    counter.used();
  }
  counter.finish();
}

TEST(OptimizerGolden, InvalidSettingsAreRefused) {
  SLIPSTREAM_GOLDEN_FOLDER(folder);
  const auto golden = test::readGolden(folder, "optimizers.json");
  test::CaseCounter counter("optimizers.json invalid", golden.at("invalid").size());
  const ParameterLayout layout(test::unitTensors(1));
  test::Host host;
  for (const auto& entry : golden.at("invalid")) {
    EXPECT_THROW(Optimizer(specOf(entry), layout, {0, 1}, 1.0, 1, *host.device, cpuOptimizerKernels()), Error)
        << entry.dump();
    counter.used();
  }
  counter.finish();
}

}  // namespace
}  // namespace slipstream
