// SPDX-License-Identifier: GPL-3.0-or-later
#include <map>

#include <gtest/gtest.h>

#include "engine/spec/schedule.h"
#include "tests/support/golden.h"

namespace slipstream {
namespace {

using Json = nlohmann::json;

void expectRate(double actual, double expected, double relative, std::int64_t step) {
  // The file carries 12 digits.
  EXPECT_NEAR(actual, expected, std::max(relative * std::abs(expected), std::abs(expected) * 5e-12)) << "step " << step;
}

ScheduleSpec scheduleOf(const Json& entry) {
  static const std::map<std::string, ScheduleMode> modes{{"linear", ScheduleMode::linear},
                                                         {"poly", ScheduleMode::poly},
                                                         {"cosine", ScheduleMode::cosine},
                                                         {"steps", ScheduleMode::steps},
                                                         {"step", ScheduleMode::step}};
  ScheduleSpec spec;
  spec.mode = modes.at(entry.at("mode").get<std::string>());
  spec.initial = entry.at("lr_init");
  spec.end = entry.at("lr_end");
  spec.maximum = entry.at("lr_max");
  spec.warmupEpochs = entry.at("warmup_epochs");
  spec.totalEpochs = entry.at("total_epochs");
  spec.startEpoch = entry.at("start_epoch");
  return spec;
}

void checkGetLr(const Json& entry, double tolerance) {
  const auto spec = scheduleOf(entry);
  const double stepsPerEpoch = entry.at("steps_per_epoch");
  const auto rateAt = [&](std::int64_t step) { return learningRate(spec, step, stepsPerEpoch, 1); };
  if (entry.contains("values")) {
    const auto values = entry.at("values").get<std::vector<double>>();
    for (std::size_t step = 0; step < values.size(); ++step) {
      expectRate(rateAt(static_cast<std::int64_t>(step)), values[step], tolerance, static_cast<std::int64_t>(step));
    }
    return;
  }
  for (const auto& [step, value] : entry.at("at").items()) {
    expectRate(rateAt(std::stoll(step)), value, tolerance, std::stoll(step));
  }
}

TEST(ScheduleGolden, EveryGetLrModeAndTheWarmupCosine) {
  SLIPSTREAM_GOLDEN_FOLDER(folder);
  const auto golden = test::readGolden(folder, "lr_schedules.json");
  const double tolerance = golden.at("tol").at("f64_rtol");
  test::CaseCounter counter("lr_schedules.json",
                            golden.at("get_lr").size() + golden.at("warmup_cosine_annealing_lr").size());
  for (const auto& entry : golden.at("get_lr")) {
    SCOPED_TRACE(entry.at("mode").get<std::string>());
    checkGetLr(entry, tolerance);
    counter.used();
  }
  for (const auto& entry : golden.at("warmup_cosine_annealing_lr")) {
    ScheduleSpec spec;
    spec.mode = ScheduleMode::warmupCosine;
    spec.maximum = entry.at("lr");
    spec.warmupEpochs = entry.at("warmup_epochs");
    spec.totalEpochs = entry.at("max_epoch");
    std::int64_t step = entry.at("global_step");
    for (const double value : entry.at("values")) {
      expectRate(learningRate(spec, step, entry.at("steps_per_epoch"), 1), value, tolerance, step);
      ++step;
    }
    counter.used();
  }
  counter.finish();
}

}  // namespace
}  // namespace slipstream
