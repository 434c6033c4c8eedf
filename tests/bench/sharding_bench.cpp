// SPDX-License-Identifier: GPL-3.0-or-later
// Step time and bytes of optimizer parallelism's levels against `averaged`, on the MLP 784-512-512-10 with Momentum and
// 32 samples a rank, levels alternating in one run:
//   mpirun --oversubscribe --bind-to none --mca mpi_yield_when_idle 1 -np 8 bench_sharding [repetitions] [threshold KB]
// Prints one JSON line a level: median milliseconds a step (of the slowest rank), and a rank's bytes.

#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

#include <omp.h>

#include "engine/backends/backends.h"
#include "engine/base/clock.h"
#include "engine/base/random.h"
#include "engine/base/text.h"
#include "engine/comm/mpi_communicator.h"
#include "engine/devices/open_device.h"
#include "engine/train/train_step.h"

namespace slipstream {
namespace {

constexpr int stepsEach = 10;

Experiment experimentOf(ShardingLevel level, int ranks, std::int64_t threshold) {
  Experiment experiment;
  experiment.network = *builtInNetwork("mlp");
  experiment.parallel.ranks = ranks;
  experiment.parallel.optimizerParallel = {level, ranks, threshold};
  return experiment;
}

/// One level's whole training, kept beside the others'.
class Form {
 public:
  Form(std::string name, Communicator& world, const Experiment& experiment)
      : name_(std::move(name)), world_(world), experiment_(experiment) {
    initializeWeights(network_->layout(), slots_.update->weights(), 1);
  }

  void measure(const Batch& batch, bool counts) {
    world_.barrier();
    const Stopwatch watch;
    for (int i = 0; i < stepsEach; ++i) step_.run(batch, steps_++);
    double seconds = watch.seconds();
    world_.allReduceMax(std::span(&seconds, 1));
    if (counts) milliseconds_.push_back(1000 * seconds / stepsEach);
  }

  void report(double reference) const {
    const auto peak = meter_.peak();
    const auto bytes = [&](MemoryCategory category) {
      return static_cast<long long>(peak[static_cast<std::size_t>(category)]);
    };
    std::printf(
        "{\"benchmark\":\"sharding\",\"form\":\"%s\",\"ranks\":%d,\"threshold_kb\":%lld,\"milliseconds\":%.3f,"
        "\"ratio_to_averaged\":%.3f,\"weights\":%lld,\"gradients\":%lld,\"optimizer_state\":%lld,\"gather\":%lld}\n",
        name_.c_str(), world_.size(), static_cast<long long>(experiment_.parallel.optimizerParallel.thresholdKilobytes),
        median(), median() / reference, bytes(MemoryCategory::weights), bytes(MemoryCategory::gradients),
        bytes(MemoryCategory::optimizerState), bytes(MemoryCategory::gather));
  }

  double median() const {
    auto sorted = milliseconds_;
    std::ranges::sort(sorted);
    return sorted[sorted.size() / 2];
  }

 private:
  std::string name_;
  Communicator& world_;
  Experiment experiment_;
  MemoryMeter meter_;
  std::unique_ptr<Device> device_ = std::move(*openDevice(cpuKind(), 0, meter_));
  std::unique_ptr<Network> network_ =
      makeNetwork(experiment_.network, {28, 28, 1}, experiment_.dataset.batchSize, NumberType::float32, *device_);
  StepSlots slots_ = compose({network_->layout(), chooseBuckets(experiment_.parallel, network_->layout()), experiment_,
                              std::vector<int>(static_cast<std::size_t>(world_.size())), 100.0, 100'000, world_,
                              *device_, trainingKernels(*device_)});
  NetworkPasses passes_{*network_, experiment_.loss, *device_, makeDeviceLoss(*device_), nullptr};
  TrainStep step_{passes_, slots_, world_};
  std::int64_t steps_ = 0;
  std::vector<double> milliseconds_;
};

void run(Communicator& world, int repetitions, std::int64_t threshold) {
  Random random(1, RandomStream::test, static_cast<std::uint64_t>(world.rank()));
  Batch batch;
  batch.count = 32;
  for (int i = 0; i < 32 * 784; ++i) batch.inputs.push_back(static_cast<float>(random.normal()));
  for (int i = 0; i < 32; ++i) batch.labels.push_back(static_cast<std::int32_t>(random.below(10)));

  std::vector<std::unique_ptr<Form>> forms;
  const char* names[] = {"averaged", "level1", "level2", "level3"};
  for (int level = 0; level < 4; ++level) {
    forms.push_back(std::make_unique<Form>(names[level], world,
                                           experimentOf(static_cast<ShardingLevel>(level), world.size(), threshold)));
  }
  for (int repetition = -1; repetition < repetitions; ++repetition) {
    for (auto& form : forms) form->measure(batch, repetition >= 0);
  }
  if (world.rank() != 0) return;
  for (auto& form : forms) form->report(forms.front()->median());
}

}  // namespace
}  // namespace slipstream

int main(int count, char** arguments) {
  const auto number = [&](int index, std::int64_t otherwise) {
    return count > index ? slipstream::parseInteger(arguments[index]).value_or(otherwise) : otherwise;
  };
  omp_set_num_threads(1);
  slipstream::MpiJob job;
  slipstream::run(job.world(), static_cast<int>(number(1, 15)), number(2, 64));
}
