// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/train/support/thread_run.h"

#include "engine/base/error.h"
#include "engine/comm/staged_communicator.h"
#include "engine/devices/open_device.h"
#include "engine/train/trainer.h"
#include "tests/boost/host_memory.h"
#include "tests/support/spawn_ranks.h"

namespace slipstream::test {

RunPlan digitsPlan(int ranks, std::int64_t steps) {
  RunPlan plan;
  Experiment& experiment = plan.experiment;
  experiment.name = "small";
  experiment.seed = 11;
  experiment.network = *builtInNetwork("lenet5");
  experiment.dataset.name = "digits";
  experiment.dataset.batchSize = 16;
  experiment.dataset.trainSamples = 2000;
  experiment.dataset.evaluationSamples = 300;
  experiment.optimizer.schedule.maximum = 0.02;
  experiment.parallel.ranks = ranks;
  for (int rank = 0; rank < ranks; ++rank) plan.places.push_back({rank, 0, "localhost", rank});
  plan.trainSamples = experiment.dataset.trainSamples;
  plan.stepsPerEpoch = stepsPerEpoch(experiment.dataset, plan.trainSamples, ranks);
  plan.totalSteps = steps;
  return plan;
}

namespace {

/// As on the plan's hosts. Null where all ranks share memory.
std::unique_ptr<Communicator> apart(Communicator& world, const RunPlan& plan, bool withheld) {
  if (withheld || (!plan.local && exchangeHosts(plan).oneHost())) return std::make_unique<WithheldMemory>(world);
  if (plan.local) return nullptr;
  std::vector<std::string> hosts;
  for (const RankPlacement& place : plan.places) hosts.push_back(place.host);
  return std::make_unique<HostMemory>(world, hosts);
}

/// A communicator for memory of the device; null where that is the host's.
std::unique_ptr<Communicator> ofDevice(Communicator& messages, Device& device) {
  return device.kind().ownMemory ? stageThroughHost(messages, device) : nullptr;
}

}  // namespace

WorkerTask taskOf(MemoryStore& store, const RunPlan& plan, std::optional<std::int64_t> fromStep) {
  WorkerTask task{plan, std::nullopt};
  if (!fromStep) return task;
  task.checkpoint = store.checkpoints.at(*fromStep);
  store.checkpoints.erase(store.checkpoints.upper_bound(*fromStep), store.checkpoints.end());
  return task;
}

void trainRanks(MemoryStore& store, const RunPlan& plan, std::optional<std::int64_t> fromStep) {
  const WorkerTask task = taskOf(store, plan, fromStep);
  spawnRanks(plan.ranks(), [&](Communicator& world) {
    const auto hosts = apart(world, plan, store.withholdsMemory);
    Communicator& communicator = hosts ? *hosts : world;
    MemoryLink link(store, task, communicator.rank());
    MemoryMeter meter;
    const auto device = openDevice(deviceKindOf(plan.experiment), 0, meter);
    if (!device) throw Error(toText(device.error()));
    const TrainingData data = shareTrainingData(plan.experiment, communicator);
    const auto staged = ofDevice(communicator, **device);
    train(link, staged ? *staged : communicator, **device, data);
  });
}

std::map<std::string, std::string> hashesAt(MemoryStore& store, std::int64_t step) {
  std::map<std::string, std::string> hashes;
  for (const TensorRecord& tensor : store.checkpoints.at(step).tensors) {
    hashes[tensor.name + "#" + std::to_string(tensor.shard)] = tensor.hash;
  }
  return hashes;
}

}  // namespace slipstream::test
