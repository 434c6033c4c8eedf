// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/boost/optimizer_parallel/shard_map.h"

#include <algorithm>

#include "engine/base/error.h"
#include "engine/boost/slices.h"

namespace slipstream {
namespace {

/// The same tensors, as long as what a rank keeps of them; those of several dimensions still have some.
ParameterLayout localLayout(const ParameterLayout& layout, const Sharding& sharding) {
  NetworkShape shape;
  shape.tensors = layout.forwardTensors();
  for (TensorSpec& tensor : shape.tensors) {
    const std::int64_t kept = sharding.kept(tensor.elements());
    tensor.shape = tensor.shape.size() > 1 ? std::vector{kept, std::int64_t{1}} : std::vector{kept};
  }
  return ParameterLayout(shape);
}

}  // namespace

ShardMap::ShardMap(const ParameterLayout& layout, Sharding sharding, int rank, int ranks)
    : layout_(layout), sharding_(sharding), rank_(rank), ranks_(ranks), local_(localLayout(layout, sharding)) {
  if (sharding.shards < 1 || ranks % sharding.shards != 0) throw Error("shards do not divide the ranks");
}

bool ShardMap::cut(int tensor) const {
  return sharding_.cuts(whole(tensor).size());
}

Range ShardMap::kept(int tensor, int rank) const {
  const Range all = whole(tensor);
  if (!cut(tensor)) return all;
  const std::int64_t length = sharding_.kept(all.size());
  const std::int64_t begin = std::min(all.end, all.begin + length * (rank % sharding_.shards));
  return {begin, std::min(all.end, begin + length)};
}

Range ShardMap::work(int tensor, int rank) const {
  const int place = cut(tensor) ? rank / sharding_.shards : rank;
  return sliceOf(kept(tensor, rank), place, holders(tensor), 1);
}

bool ShardMap::keepsTheSame(int tensor, int rank) const {
  return !cut(tensor) || rank % sharding_.shards == rank_ % sharding_.shards;
}

int ShardMap::holders(int tensor) const {
  return cut(tensor) ? ranks_ / sharding_.shards : ranks_;
}

}  // namespace slipstream
