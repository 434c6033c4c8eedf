// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/boost/bucket_pipeline.h"

#include <latch>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "tests/support/spawn_ranks.h"

namespace slipstream {
namespace {

const std::vector<std::int64_t> starts{0, 10, 20};
constexpr std::int64_t end = 30;
constexpr int stages = 2;

/// What the supervisor names a hanging rank by: the others, who wait for it in shared memory, have counted more.
TEST(BucketPipeline, TheRankThatTheOthersWaitForHasCountedLeast) {
  std::latch begun(2);
  test::spawnRanks(3, [&](Communicator& world) {
    BucketPipeline pipeline(world, starts, stages, [](int, int stage) { return stage; });
    const auto buckets = starts.size();
    const auto before = world.sequence();
    if (world.rank() == 1) {
      begun.wait();
      EXPECT_EQ(world.sequence(), before);
    } else {
      for (int bucket = 0; std::cmp_less(bucket, buckets); ++bucket) pipeline.begin(bucket);
      EXPECT_EQ(world.sequence(), before + buckets);
      begun.count_down();
    }
    pipeline.finish(end);
    EXPECT_EQ(world.sequence(), before + buckets * (1 + stages));
  });
}

TEST(BucketPipeline, StagesThatAreLeftOutCountAsDone) {
  test::spawnRanks(2, [](Communicator& world) {
    BucketPipeline pipeline(world, {0}, stages, [](int, int) { return stages; });
    for (int step = 0; step < 2; ++step) {
      const auto before = world.sequence();
      pipeline.finish(end);
      EXPECT_EQ(world.sequence(), before + 1 + stages);
    }
  });
}

}  // namespace
}  // namespace slipstream
