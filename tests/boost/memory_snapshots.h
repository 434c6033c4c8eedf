// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <vector>

#include "engine/boost/dim_reduce/snapshots.h"

namespace slipstream::test {

/// Snapshots that lie in memory: one vector over the flat space each.
class MemorySnapshots final : public WeightSnapshots {
 public:
  explicit MemorySnapshots(std::vector<std::vector<float>> weights) : weights_(std::move(weights)) {}
  int count() const override { return static_cast<int>(weights_.size()); }
  void read(int snapshot, const FlatTensor& tensor, std::span<float> values) override {
    std::copy_n(weights_.at(static_cast<std::size_t>(snapshot)).begin() + tensor.range.begin, tensor.range.size(),
                values.begin());
  }

 private:
  std::vector<std::vector<float>> weights_;
};

}  // namespace slipstream::test
