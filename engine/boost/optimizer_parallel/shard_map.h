// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/boost/optimizer_parallel/spec.h"
#include "engine/boost/sharding.h"
#include "engine/nn/parameter_layout.h"

namespace slipstream {

/// Who keeps and who sums what. Ranks form groups of `sharding.shards` neighbours; each group keeps one copy of the
/// cut tensors, every rank all of the others. Ranges are of the flat space; tensors are numbered in layout order.
class ShardMap {
 public:
  /// `ranks` is a multiple of the group's size.
  ShardMap(const ParameterLayout& layout, Sharding sharding, int rank, int ranks);

  int rank() const { return rank_; }
  int ranks() const { return ranks_; }
  const ParameterLayout& layout() const { return layout_; }
  /// The kept parts one after another, padded to the same length on every rank: tensor t starts at localStart(t).
  const ParameterLayout& local() const { return local_; }
  std::int64_t localStart(int tensor) const { return local_.tensors()[index(tensor)].range.begin; }

  bool cut(int tensor) const;
  /// What a rank keeps of a tensor; empty for the last ranks of a group where the tensor is shorter than the padding.
  Range kept(int tensor, int rank) const;
  Range mine(int tensor) const { return kept(tensor, rank_); }
  /// The part of what a rank keeps that it sums over all ranks: those who keep the same share the work.
  Range work(int tensor, int rank) const;
  /// Whether `rank` keeps the same part of the tensor as this one.
  bool keepsTheSame(int tensor, int rank) const;
  bool inMyGroup(int rank) const { return rank / sharding_.shards == rank_ / sharding_.shards; }
  /// Whether this rank is the first of those that keep its part of the tensor.
  bool isFirstHolder(int tensor) const { return rank_ < (cut(tensor) ? sharding_.shards : 1); }
  /// Ranks that keep the same part of the tensor.
  int holders(int tensor) const;

 private:
  static std::size_t index(int tensor) { return static_cast<std::size_t>(tensor); }
  Range whole(int tensor) const { return layout_.tensors()[index(tensor)].range; }

  const ParameterLayout& layout_;
  Sharding sharding_;
  int rank_;
  int ranks_;
  ParameterLayout local_;
};

/// A rank's values of the flat space: all of them, or only what it keeps (as ShardMap::local lays it out).
struct ShardedValues {
  std::span<float> memory;
  bool whole = true;

  /// The position of `part` in what this rank keeps of a tensor.
  std::span<float> at(const ShardMap& map, int tensor, Range part) const {
    const std::int64_t begin = whole ? part.begin : map.localStart(tensor) + part.begin - map.mine(tensor).begin;
    return memory.subspan(static_cast<std::size_t>(begin), static_cast<std::size_t>(part.size()));
  }
};

}  // namespace slipstream
