// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <map>
#include <string>
#include <vector>

#include "engine/boost/dim_reduce/snapshots.h"
#include "engine/wire/link.h"

namespace slipstream {

/// Snapshots that an earlier stage of the run kept, as the store holds them. One tensor at a time is in memory, of this
/// rank alone.
class StoredSnapshots final : public WeightSnapshots {
 public:
  /// `steps`: those of the snapshots, rising. Throws Error where the store lacks one: others in its place would give
  /// other bits.
  StoredSnapshots(Link& link, const std::vector<std::int64_t>& steps);

  int count() const override { return static_cast<int>(snapshots_.size()); }
  void read(int snapshot, const FlatTensor& tensor, std::span<float> values) override;

 private:
  struct Snapshot {
    std::int64_t step = 0;
    std::map<std::string, std::string> hashes;  ///< by the name of the tensor
  };

  Link& link_;
  std::vector<Snapshot> snapshots_;
};

}  // namespace slipstream
