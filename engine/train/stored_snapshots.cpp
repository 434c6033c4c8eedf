// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/train/stored_snapshots.h"

#include <algorithm>

#include <fmt/format.h>

#include "engine/base/error.h"

namespace slipstream {

StoredSnapshots::StoredSnapshots(Link& link, const std::vector<std::int64_t>& steps) : link_(link) {
  for (const std::int64_t step : steps) {
    const auto manifest = link.snapshotAt(step);
    if (!manifest) {
      throw Error(
          fmt::format("the store lacks the snapshot of step {}: resume the run from an earlier checkpoint "
                      "(--from STEP), which makes it again",
                      step));
    }
    Snapshot snapshot{step, {}};
    for (const TensorRecord& tensor : manifest->tensors) snapshot.hashes.emplace(tensor.name, tensor.hash);
    snapshots_.push_back(std::move(snapshot));
  }
}

void StoredSnapshots::read(int snapshot, const FlatTensor& tensor, std::span<float> values) {
  const Snapshot& one = snapshots_.at(static_cast<std::size_t>(snapshot));
  const auto found = one.hashes.find(tensor.spec.name);
  if (found == one.hashes.end()) {
    throw Error(fmt::format("the snapshot of step {} holds no tensor {}", one.step, tensor.spec.name));
  }
  const std::vector<float> stored = link_.fetch(found->second);
  if (stored.size() != values.size()) {
    throw Error(fmt::format("tensor {} of the snapshot of step {} has {} values, the network's has {}",
                            tensor.spec.name, one.step, stored.size(), values.size()));
  }
  std::copy(stored.begin(), stored.end(), values.begin());
}

}  // namespace slipstream
