// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/train/checkpoint.h"

#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "engine/base/error.h"
#include "engine/boost/slices.h"
#include "engine/device/device.h"
#include "engine/train/other_ranks.h"

namespace slipstream {
namespace {

/// One piece of what a checkpoint holds beside the weights, where it lives on this rank.
struct Piece {
  std::string name;
  std::vector<std::int64_t> shape;
  std::span<float> values;
  bool perRank = false;
  bool isStatistic = false;  ///< of the network, not of its Update
  StateSharding sharding = {};
};

/// State over the whole flat space is kept tensor by tensor, so that what did not change is stored once.
void addState(std::vector<Piece>& pieces, const StateTensor& state, const ParameterLayout& layout) {
  if (static_cast<std::int64_t>(state.values.size()) != layout.size()) {
    pieces.push_back({state.name,
                      {static_cast<std::int64_t>(state.values.size())},
                      state.values,
                      state.perRank,
                      false,
                      state.sharding});
    return;
  }
  for (const FlatTensor& tensor : layout.tensors()) {
    const auto values = state.values.subspan(static_cast<std::size_t>(tensor.range.begin),
                                             static_cast<std::size_t>(tensor.range.size()));
    pieces.push_back({fmt::format("{}/{}", state.name, tensor.spec.name), tensor.spec.shape, values, state.perRank});
  }
}

std::vector<Piece> piecesOf(const TrainingState& training, bool full) {
  std::vector<Piece> pieces;
  for (const NetworkState& state : training.network.states()) {
    pieces.push_back(
        {"state/" + state.name, {static_cast<std::int64_t>(state.values.size())}, state.values, true, true});
  }
  if (!full) return pieces;
  for (const StateTensor& state : training.slots.update->state()) addState(pieces, state, training.network.layout());
  return pieces;
}

const TensorRecord& recordOf(const CheckpointManifest& manifest, const std::string& name,
                             const std::vector<std::int64_t>& shape, int shard) {
  const auto found = std::find_if(manifest.tensors.begin(), manifest.tensors.end(), [&](const TensorRecord& record) {
    return record.name == name && record.shard == shard;
  });
  if (found == manifest.tensors.end()) {
    throw Error(fmt::format("the checkpoint of step {} holds no tensor {}", manifest.step, name));
  }
  if (found->shape != shape) {
    throw Error(fmt::format("tensor {} of the checkpoint of step {} has another shape than the network's", name,
                            manifest.step));
  }
  return *found;
}

void fetchInto(Link& link, const TensorRecord& record, std::span<float> values) {
  const std::vector<float> fetched = link.fetch(record.hash);
  if (fetched.size() != values.size()) {
    throw Error(fmt::format("tensor {} came with {} values instead of {}", record.name, fetched.size(), values.size()));
  }
  std::copy(fetched.begin(), fetched.end(), values.begin());
}

void restoreWeights(const CheckpointManifest& manifest, const TrainingState& state, Link& link,
                    Communicator& communicator, const std::string& prefix = {}) {
  std::vector<float> values;
  for (const FlatTensor& tensor : state.network.layout().tensors()) {
    const TensorRecord& record = recordOf(manifest, prefix + tensor.spec.name, tensor.spec.shape, -1);
    values.resize(static_cast<std::size_t>(tensor.range.size()));
    if (communicator.rank() == 0) fetchInto(link, record, values);
    communicator.broadcast(std::as_writable_bytes(std::span(values)), 0);
    putTensor(state, tensor.range, values);
  }
}

/// What this rank keeps for itself, where another number of ranks has made the checkpoint. Collective.
std::vector<float> fromOtherRanks(const CheckpointManifest& manifest, const Piece& piece, Link& link,
                                  Communicator& communicator) {
  const std::size_t count = piece.values.size();
  if (piece.isStatistic) return meanOfRanks(manifest, piece.name, count, link, communicator);
  if (piece.sharding.partsOf) return shardAnew(manifest, piece.name, piece.sharding, count, link, communicator.rank());
  throw Error(fmt::format("{} of the checkpoint of step {} is each rank's own, and there were {} ranks", piece.name,
                          manifest.step, ranksOf(manifest)));
}

void restoreState(const CheckpointManifest& manifest, const TrainingState& state, bool full, Link& link,
                  Communicator& communicator) {
  const bool byOthers = isByOtherRanks(manifest, communicator);
  for (const Piece& piece : piecesOf(state, full)) {
    if (piece.perRank && byOthers) {
      writeValues(state.device, piece.values, fromOtherRanks(manifest, piece, link, communicator));
      continue;
    }
    const int shard = piece.perRank ? communicator.rank() : -1;
    const TensorRecord& record = recordOf(manifest, piece.name, piece.shape, shard);
    std::vector<float> values(piece.values.size());
    if (piece.perRank || communicator.rank() == 0) fetchInto(link, record, values);
    if (!piece.perRank) communicator.broadcast(std::as_writable_bytes(std::span(values)), 0);
    writeValues(state.device, piece.values, values);
  }
}

/// What the bits of the ranks' sums depend on.
std::string exchangeOf(const StepSlots& slots, const Communicator& communicator) {
  const std::string exchange = slots.update->exchange();
  return communicator.route().empty() ? exchange : fmt::format("{}, {}", exchange, communicator.route());
}

void checkExchange(const std::string& before, const std::string& now, std::int64_t step) {
  if (before == now) return;
  throw Error(
      fmt::format("until step {} the ranks exchanged by `{}`, here they would by `{}`, which gives other bits: "
                  "make as much shared memory free as there was, or accept it with --allow-different-bits",
                  step, before, now));
}

/// Fewer ranks pass micro-batches where more did not need to: a policy that keeps nothing may be new.
void restorePolicy(StepPolicy& policy, const nlohmann::json& policies, std::int64_t step) {
  const auto kept = policies.find(policy.name());
  if (kept != policies.end()) return policy.restore(kept->get<std::vector<double>>());
  if (policy.state().empty()) return;
  throw Error(fmt::format("the checkpoint of step {} knows nothing of {}", step, policy.name()));
}

}  // namespace

CheckpointContent CheckpointContent::ofWeights(const TrainingState& state, int rank, int ranks) {
  CheckpointContent content;
  content.addWeights(state, rank, ranks);
  return content;
}

CheckpointContent::CheckpointContent(const TrainingState& state, bool full, int rank, int ranks) {
  addWeights(state, rank, ranks);
  if (full && state.average != nullptr) {
    state.average->withAverage([&] { addWeights(state, rank, ranks, averagePrefix, true); });
  }
  int shared = static_cast<int>(state.network.layout().tensors().size());
  for (const Piece& piece : piecesOf(state, full)) {
    const bool mine = piece.perRank || shared++ % ranks == rank;
    if (!mine) continue;
    tensors_.push_back({piece.name, piece.shape, piece.perRank ? rank : -1, onHost(state.device, piece.values)});
  }
}

void CheckpointContent::addWeights(const TrainingState& state, int rank, int ranks, const std::string& prefix,
                                   bool copied) {
  ParameterStore& weights = state.slots.update->weights();
  const auto kept = weights.kept();
  const bool stays = !copied && kept.size() == 1 && kept[0].range.size() == state.network.layout().size();
  int index = 0;
  for (const FlatTensor& tensor : state.network.layout().tensors()) {
    std::span<const float> values = weights.acquire(tensor.range);
    if (index++ % ranks == rank) {
      values = stays ? onHost(state.device, values) : copies_.emplace_back(readValues(state.device, values));
      tensors_.push_back({prefix + tensor.spec.name, tensor.spec.shape, -1, values});
    }
    weights.release(tensor.range);
  }
}

std::span<const float> CheckpointContent::onHost(Device& device, std::span<const float> values) {
  if (!device.holds(values.data())) return values;
  return copies_.emplace_back(readValues(device, values));
}

std::string progressText(const TrainingProgress& progress, const StepSlots& slots, const Communicator& communicator) {
  nlohmann::json policies = nlohmann::json::object();
  for (const auto& policy : slots.policies) policies[policy->name()] = policy->state();
  nlohmann::json shards = nlohmann::json::object();
  for (const StateTensor& state : slots.update->state()) {
    if (state.sharding.partsOf) shards[state.name] = state.sharding.shards;
  }
  return nlohmann::json{{"step", progress.step},   {"updates", progress.updatesDone},
                        {"seed", progress.seed},   {"steps_per_epoch", progress.stepsPerEpoch},
                        {"stage", progress.stage}, {"exchange", exchangeOf(slots, communicator)},
                        {"policies", policies},    {"ranks", communicator.size()},
                        {"shards", shards}}
      .dump();
}

TrainingProgress restoreCheckpoint(const CheckpointManifest& manifest, const TrainingState& state, Link& link,
                                   Communicator& communicator, bool allowDifferentBits) {
  const auto progress = nlohmann::json::parse(manifest.progressText);
  // Other numbers of ranks have other bits anyway; a plan says so beforehand.
  const bool sameBits = !allowDifferentBits && !isByOtherRanks(manifest, communicator);
  if (sameBits) checkExchange(progress.at("exchange"), exchangeOf(state.slots, communicator), manifest.step);
  restoreWeights(manifest, state, link, communicator);
  restoreState(manifest, state, manifest.full, link, communicator);
  if (manifest.full && state.average != nullptr) {
    state.average->withAverage([&] { restoreWeights(manifest, state, link, communicator, averagePrefix); });
  }
  for (const auto& policy : state.slots.policies) restorePolicy(*policy, progress.at("policies"), manifest.step);
  return {manifest.step, progress.at("updates"), progress.at("seed"), progress.at("steps_per_epoch"),
          progress.value("stage", "train")};
}

void restoreNetwork(const CheckpointManifest& manifest, const TrainingState& state, Link& link,
                    Communicator& communicator) {
  restoreWeights(manifest, state, link, communicator);
  restoreState(manifest, state, false, link, communicator);
}

void putTensor(const TrainingState& state, Range tensor, std::span<const float> values) {
  for (const PinnedRange& mine : state.slots.update->weights().kept()) {
    const Range common = intersection(mine.range, tensor);
    if (common.size() == 0) continue;
    const auto count = static_cast<std::size_t>(common.size());
    writeValues(state.device, mine.values.subspan(static_cast<std::size_t>(common.begin - mine.range.begin), count),
                values.subspan(static_cast<std::size_t>(common.begin - tensor.begin), count));
  }
}

}  // namespace slipstream
