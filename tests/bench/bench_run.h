// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "engine/comm/communicator.h"
#include "engine/data/loader.h"
#include "engine/train/checkpoint.h"
#include "engine/train/step_recorder.h"
#include "engine/train/training_data.h"
#include "engine/wire/link.h"

namespace slipstream::bench {

/// A plan of `ranks` local ranks on drawn digits, batch 32, without an end of its own.
RunPlan openEndedPlan(const NetworkSpec& network, int ranks);

/// What rank 0 returns is printed; the others' answers are dropped.
using RankBody = std::function<nlohmann::json(Link& link, Communicator& world)>;

/// The main of a benchmark that needs ranks under a real supervisor's hub. Started without arguments it makes a store
/// and a hub, starts itself under mpirun, serves, and prints the answer as one JSON line; as a rank it runs `body`.
int benchmarkUnderHub(int count, char** values, const RunPlan& plan, const RankBody& body);

/// One rank's training steps, recorded or not.
class Stepper {
 public:
  Stepper(Link& link, Communicator& communicator);
  void run(int steps, bool record);
  /// Seconds that each step so far spent on exchanging.
  const std::vector<double>& communicationSeconds() const { return communication_; }
  /// What the algorithms told of the last step.
  const std::map<std::string, double>& metrics() const { return metrics_; }
  TrainingState state() { return {*network_, slots_, *device_}; }

 private:
  const RunPlan& plan_;
  TrainingData data_;
  std::unique_ptr<SampleSource> training_;
  std::unique_ptr<MemoryMeter> meter_ = std::make_unique<MemoryMeter>();
  std::unique_ptr<Device> device_;
  std::unique_ptr<Network> network_;
  StepSlots slots_;
  NetworkPasses passes_;
  TrainStep step_;
  Sampler sampler_;
  Loader loader_;
  StepRecorder recorder_;
  std::int64_t done_ = 0;
  std::vector<double> communication_;
  std::map<std::string, double> metrics_;
};

}  // namespace slipstream::bench
