// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <iostream>
#include <iterator>

#include <nlohmann/json.hpp>
#include <omp.h>

#include "app/worker/modes.h"
#include "engine/base/error.h"
#include "engine/devices/open_device.h"
#include "engine/experiment/experiment_check.h"
#include "engine/nn/network.h"
#include "engine/plan/forecast.h"
#include "engine/probe/dataset_kind.h"

namespace slipstream::worker {
namespace {

/// Of the stage that needs most.
std::int64_t activationsOf(const RunPlan& plan) {
  ::omp_set_num_threads(plan.threadsPerRank);
  MemoryMeter meter;
  const auto device = openDevice(cpuKind(), 0, meter);
  if (!device) throw Error(toText(device.error()));
  std::int64_t most = 0;
  for (const StagePlan& stage : stagesOf(plan)) {
    const Experiment& experiment = stage.experiment;
    const SampleShape sample = sampleShape(experiment.dataset);
    const auto shape = networkShape(experiment.network, sample);
    if (!shape) throw Error(toText(shape.error()));
    const auto scratch =
        scratchBytes(experiment.network, sample, samplesPerPass(experiment), imageType(experiment), **device);
    most = std::max(most, activationBytes(experiment, *shape) + scratch);
  }
  return most;
}

}  // namespace

int printActivations() {
  const std::string text{std::istreambuf_iterator<char>(std::cin), {}};
  nlohmann::json bytes = nlohmann::json::array();
  for (const auto& planText : nlohmann::json::parse(text)) {
    const auto plan = parseRunPlan(planText.get<std::string>());
    if (!plan) throw Error(toText(plan.error()));
    bytes.push_back(activationsOf(*plan));
  }
  std::cout << bytes << "\n";
  return 0;
}

}  // namespace slipstream::worker
