// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/train/other_ranks.h"

#include <algorithm>
#include <span>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "engine/base/error.h"
#include "engine/boost/slices.h"

namespace slipstream {
namespace {

/// What one rank kept under this name.
std::vector<float> ownValues(const CheckpointManifest& manifest, const std::string& name, int rank, Link& link) {
  const auto found = std::ranges::find_if(
      manifest.tensors, [&](const TensorRecord& record) { return record.name == name && record.shard == rank; });
  if (found != manifest.tensors.end()) return link.fetch(found->hash);
  throw Error(fmt::format("the checkpoint of step {} holds no {} of rank {}", manifest.step, name, rank));
}

Error otherSize(const CheckpointManifest& manifest, const std::string& name) {
  return Error(
      fmt::format("{} of the checkpoint of step {} has another size than this network's", name, manifest.step));
}

/// What both have of each tensor.
void copyCommon(const std::vector<RankShare>& from, std::span<const float> source, const std::vector<RankShare>& to,
                std::span<float> values) {
  for (std::size_t tensor = 0; tensor < to.size(); ++tensor) {
    const Range common = intersection(from[tensor].range, to[tensor].range);
    if (common.size() == 0) continue;
    const auto part =
        source.subspan(static_cast<std::size_t>(from[tensor].at + common.begin - from[tensor].range.begin),
                       static_cast<std::size_t>(common.size()));
    const std::int64_t at = to[tensor].at + common.begin - to[tensor].range.begin;
    std::ranges::copy(part, values.begin() + at);
  }
}

std::size_t lengthOf(const std::vector<RankShare>& parts) {
  std::int64_t length = 0;
  for (const RankShare& part : parts) length = std::max(length, part.at + part.range.size());
  return static_cast<std::size_t>(length);
}

}  // namespace

int ranksOf(const CheckpointManifest& manifest) {
  const auto progress = nlohmann::json::parse(manifest.progressText);
  if (progress.contains("ranks")) return progress["ranks"].get<int>();
  int ranks = 0;
  for (const TensorRecord& record : manifest.tensors) ranks = std::max(ranks, record.shard + 1);
  return ranks;
}

bool isByOtherRanks(const CheckpointManifest& manifest, const Communicator& communicator) {
  const int ranks = ranksOf(manifest);
  return ranks != 0 && ranks != communicator.size();
}

std::vector<float> meanOfRanks(const CheckpointManifest& manifest, const std::string& name, std::size_t count,
                               Link& link, Communicator& communicator) {
  std::vector<float> values(count);
  if (communicator.rank() == 0) {
    const int ranks = ranksOf(manifest);
    std::vector<double> sums(count);
    for (int rank = 0; rank < ranks; ++rank) {
      const std::vector<float> own = ownValues(manifest, name, rank, link);
      if (own.size() != count) throw otherSize(manifest, name);
      for (std::size_t i = 0; i < count; ++i) sums[i] += static_cast<double>(own[i]);
    }
    for (std::size_t i = 0; i < count; ++i) values[i] = static_cast<float>(sums[i] / ranks);
  }
  communicator.broadcast(std::as_writable_bytes(std::span(values)), 0);
  return values;
}

std::vector<float> shardAnew(const CheckpointManifest& manifest, const std::string& name, const StateSharding& sharding,
                             std::size_t count, Link& link, int rank) {
  const auto progress = nlohmann::json::parse(manifest.progressText);
  const int before = progress.at("shards").at(name).get<int>();
  const auto mine = sharding.partsOf(rank % sharding.shards, sharding.shards);
  std::vector<float> values(count);
  for (int shard = 0; shard < before; ++shard) {
    const auto theirs = sharding.partsOf(shard, before);
    const std::vector<float> kept = ownValues(manifest, name, shard, link);
    if (kept.size() < lengthOf(theirs)) throw otherSize(manifest, name);
    copyCommon(theirs, kept, mine, values);
  }
  return values;
}

}  // namespace slipstream
