// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cmath>
#include <string>

#include "engine/base/random.h"
#include "tests/support/sample_run.h"
#include "tests/support/small_plan.h"

namespace slipstream::test {

struct FinishedRun {
  std::string variant = {};
  std::uint64_t seed = 1;
  double accuracy = 0.98;  ///< at the end
  std::int64_t steps = 200;
  int ranks = 2;
  bool adasum = false;
  std::uint64_t noise = 0;  ///< of the losses; 0: the seed's own
  std::string device = "cpu";
  double stepSeconds = 0.010;
  int evaluations = 10;  ///< the last so many of ten
};

inline RunPlan planOf(const FinishedRun& finished) {
  RunPlan plan = smallPlan(finished.ranks, finished.steps);
  plan.experiment.variant = finished.variant;
  plan.experiment.seed = finished.seed;
  plan.experiment.device = finished.device;
  plan.experiment.train.targetAccuracy = 0.9;
  plan.experiment.boost.setOn("adasum", finished.adasum);
  plan.experiment.boost.decisions = {
      finished.adasum ? switchedOn("adasum", Reason::dictionary, phrase("boost.{} in the dictionary", {"adasum"}))
                      : switchedOff("adasum", Reason::level, phrase("off by level <O0>")),
      switchedOff("less_bn", Reason::level, phrase("level {} does not include it", {"O0"}))};
  plan.memoryPerRank = {{"weights", 180'000}, {"gradients", 180'000},   {"optimizer_state", 180'000},
                        {"boost", 90'000},    {"activations", 800'000}, {"data", 400'000}};
  return plan;
}

/// A run that trained as LeNet-5 does: the loss falls noisily, the accuracy rises to its end.
inline std::string recordRun(RunStore& store, const FinishedRun& finished) {
  const RunPlan plan = planOf(finished);
  NewRun asked = sampleRun("small " + finished.variant);
  asked.experimentName = "small";
  asked.variant = finished.variant;
  asked.seed = finished.seed;
  asked.ranks = finished.ranks;
  asked.device = finished.device;
  asked.planText = toJsonText(plan);
  asked.experimentText = "{\"name\": \"<script>alert(1)</script>\"}";
  const std::string id = store.createRun(asked);
  const int attempt = store.startAttempt(id, 0);
  Random random(finished.noise == 0 ? finished.seed : finished.noise, RandomStream::test);
  std::vector<std::string> names{"loss",         "step_seconds",  "compute_seconds", "communication_seconds",
                                 "data_seconds", "record_seconds"};
  if (finished.adasum) {
    for (const char* tensor : {"conv1.weight", "conv1.bias", "conv2.weight", "fc1.weight"}) {
      names.push_back(std::string("orthogonality/") + tensor);
    }
  }
  const auto value = [&](std::int64_t step, std::size_t column) {
    const double done = static_cast<double>(step) / static_cast<double>(finished.steps);
    switch (column) {
      case 0:
        return 2.3 * std::exp(-5 * done) + (1 - finished.accuracy) + 0.05 * random.uniform();
      case 1:
        return finished.stepSeconds;
      case 2:
        return 0.006;
      case 3:
        return 0.003;
      case 4:
        return 0.0004;
      case 5:
        return 0.0001;
      default:
        return std::min(1.0, 0.2 + done * 0.1 * static_cast<double>(column) + 0.05 * random.uniform());
    }
  };
  for (int rank = 0; rank < finished.ranks; ++rank) {
    store.appendMetrics(id, attempt, rank, 1, block(0, finished.steps, names, value));
    store.setMemory(id, rank, {{"weights", 180'000}, {"gradients", 180'000}, {"activations", 790'000 + 1000 * rank}});
  }
  for (int i = 11 - finished.evaluations; i <= 10; ++i) {
    const double accuracy = finished.accuracy * (1 - std::exp(-0.6 * i)) / (1 - std::exp(-6.0));
    store.appendMetrics(id, attempt, 0, 1 + i,
                        block(finished.steps * i / 10, 1, {"accuracy"}, [&](auto, auto) { return accuracy; }));
  }
  store.setState(id, RunState::done, "");
  store.compact(id);
  return id;
}

}  // namespace slipstream::test
