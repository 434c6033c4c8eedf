// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/program/state_values.h"

#include <algorithm>

#include <fmt/format.h>

#include "engine/base/error.h"

namespace slipstream {

std::vector<float> valuesOfState(std::span<const std::byte> state) {
  std::vector<float> values;
  values.reserve(state.size());
  for (const std::byte byte : state) values.push_back(static_cast<float>(std::to_integer<int>(byte)));
  return values;
}

std::vector<std::byte> stateOfValues(std::span<const float> values) {
  std::vector<std::byte> state;
  state.reserve(values.size());
  for (const float value : values) state.push_back(static_cast<std::byte>(static_cast<unsigned char>(value)));
  return state;
}

std::optional<std::vector<std::byte>> fetchState(const CheckpointManifest& manifest, Link& link, int rank, int ranks) {
  const auto isState = [](const TensorRecord& record) { return record.name == programStateName; };
  const auto kept = std::ranges::count_if(manifest.tensors, isState);
  if (kept == 0) return std::nullopt;
  const auto own = std::ranges::find_if(
      manifest.tensors, [&](const TensorRecord& record) { return isState(record) && record.shard == rank; });
  if (kept != ranks || own == manifest.tensors.end()) {
    throw Error(
        fmt::format("the checkpoint of step {} holds the program's state of {} ranks, and here are {}: the "
                    "program keeps one for each rank, so go on with as many",
                    manifest.step, kept, ranks));
  }
  return stateOfValues(link.fetch(own->hash));
}

}  // namespace slipstream
