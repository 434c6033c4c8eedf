// SPDX-License-Identifier: GPL-3.0-or-later
#include <gtest/gtest.h>

#include "engine/boost/sharding.h"
#include "tests/support/golden.h"

namespace slipstream {
namespace {

/// The same tensors are cut as by MindSpore's hsdp, into as many elements a rank. Where hsdp gives up, because the
/// first dimension does not divide, we cut flat and pad: at most one element a rank more than a share.
TEST(ShardingGolden, TensorsAreCutAsHsdpCutsThemAndWhereItGivesUp) {
  SLIPSTREAM_GOLDEN_FOLDER(folder);
  const auto cases = test::readGolden(folder, "parallel_config.json")["hsdp"];
  test::CaseCounter counter("parallel_config.json hsdp", cases.size());
  for (const auto& one : cases) {
    ParallelSpec parallel;
    parallel.ranks = one["dp"];
    parallel.optimizerParallel = {ShardingLevel::level1, one["shard_size"], one["threshold_kb"]};
    const Sharding sharding = shardingOf(parallel);
    EXPECT_EQ(sharding.shards, one["group"].get<int>());
    std::int64_t kept = 0;
    std::int64_t theirs = 0;
    for (const auto& tensor : one["params"]) {
      std::int64_t elements = 1;
      for (const std::int64_t length : tensor["shape"]) elements *= length;
      std::int64_t local = 1;
      for (const std::int64_t length : tensor["local_shape"]) local *= length;
      const std::string state = tensor["state"];
      const std::string name = tensor["name"];
      const bool whole = state == "below_threshold" || state == "group_size_1";
      EXPECT_EQ(sharding.cuts(elements), !whole) << name;
      if (state == "dim0_not_divisible") {
        EXPECT_LE(sharding.kept(elements) - elements / sharding.shards, 1) << name;
      } else {
        EXPECT_EQ(sharding.kept(elements), local) << name;
      }
      kept += sharding.kept(elements);
      theirs += local;
    }
    EXPECT_EQ(theirs, one["elements_local"].get<std::int64_t>());
    EXPECT_LE(kept, theirs) << "ours cuts at least as much";
    counter.used();
  }
  counter.finish();
}

}  // namespace
}  // namespace slipstream
