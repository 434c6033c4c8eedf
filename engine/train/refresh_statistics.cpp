// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/train/refresh_statistics.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "engine/base/error.h"
#include "engine/base/flush_denormals.h"

namespace slipstream {
namespace {

/// One running statistic, and the sum of what batches would have made of it alone.
struct Gathering {
  NetworkState running;
  double momentum;  ///< the share of the old value that a batch norm keeps
  std::vector<double> sums;
};

double momentumOf(const NetworkSpec& spec, const std::string& state) {
  for (const LayerSpec& layer : spec.layers) {
    if (layer.kind == LayerKind::batchNorm && state.starts_with(layer.name + ".moving_")) return layer.momentum;
  }
  throw Error("no batch norm of the network has the statistic " + state);
}

std::vector<Gathering> gatheringOf(Network& network, const NetworkSpec& spec) {
  std::vector<Gathering> all;
  for (const NetworkState& state : network.states()) {
    const double momentum = momentumOf(spec, state.name);
    if (momentum == 1) {
      throw Error(fmt::format("{} keeps what it has (momentum 1): there is nothing to refresh", state.name));
    }
    all.push_back({state, momentum, std::vector<double>(state.values.size())});
  }
  return all;
}

/// From nothing, a running value becomes the batch's share of it.
void passOver(NetworkPasses& passes, ParameterStore& weights, const MicroBatch& part, std::vector<Gathering>& all) {
  for (const Gathering& one : all) one.running.write(std::vector<float>(one.sums.size()));
  passes.forward(part, NetworkMode::training, weights);
  const auto count = static_cast<double>(part.counted);
  for (Gathering& one : all) {
    const std::vector<float> running = one.running.read();
    for (std::size_t i = 0; i < one.sums.size(); ++i) {
      one.sums[i] += count * static_cast<double>(running[i]) / (1 - one.momentum);
    }
  }
}

}  // namespace

std::vector<std::string> refreshStatistics(NetworkPasses& passes, ParameterStore& weights, const NetworkSpec& spec,
                                           const EpochOfData& data, Communicator& communicator) {
  const FlushDenormals flush;
  std::vector<Gathering> all = gatheringOf(passes.network(), spec);
  std::vector<std::string> skipped;
  std::array<double, 1> samples{0};
  for (std::int64_t step = data.firstStep; step < data.firstStep + data.steps; ++step) {
    const Batch& batch = data.loader.batchOf(step);
    skipped.insert(skipped.end(), data.loader.skipped().begin(), data.loader.skipped().end());
    StepPlan plan;
    plan.microBatches = static_cast<int>((batch.count + data.samplesPerPass - 1) / data.samplesPerPass);
    for (const MicroBatch& part : microBatchesOf(batch, plan)) passOver(passes, weights, part, all);
    samples[0] += static_cast<double>(batch.count - batch.shares.standIns);
  }
  communicator.allReduceSum(samples);
  for (Gathering& one : all) {
    communicator.allReduceSum(one.sums);
    std::vector<float> running;
    for (const double sum : one.sums) running.push_back(static_cast<float>(sum / samples[0]));
    one.running.write(running);
  }
  return skipped;
}

}  // namespace slipstream
