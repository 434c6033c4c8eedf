#include "engine/boost/bucket_pipeline.h"

#include <latch>

#include <gtest/gtest.h>

#include "tests/support/spawn_ranks.h"

namespace slipstream {
namespace {

constexpr int buckets = 3;
constexpr int stages = 2;

/// What the supervisor names a hanging rank by: the others, who wait for it in shared memory, have counted more.
TEST(BucketPipeline, TheRankThatTheOthersWaitForHasCountedLeast) {
  std::latch begun(2);
  test::spawnRanks(3, [&](Communicator& world) {
    BucketPipeline pipeline(world, {0, 1, 2}, stages, [](int, int stage) { return stage; });
    const auto before = world.sequence();
    if (world.rank() == 1) {
      begun.wait();
      EXPECT_EQ(world.sequence(), before);
    } else {
      for (int bucket = 0; bucket < buckets; ++bucket) pipeline.begin(bucket);
      EXPECT_EQ(world.sequence(), before + buckets);
      begun.count_down();
    }
    pipeline.finish(buckets);
    EXPECT_EQ(world.sequence(), before + buckets * (1 + stages));
  });
}

TEST(BucketPipeline, StagesThatAreLeftOutCountAsDone) {
  test::spawnRanks(2, [](Communicator& world) {
    BucketPipeline pipeline(world, {0}, stages, [](int, int) { return stages; });
    for (int step = 0; step < 2; ++step) {
      const auto before = world.sequence();
      pipeline.finish(buckets);
      EXPECT_EQ(world.sequence(), before + 1 + stages);
    }
  });
}

}  // namespace
}  // namespace slipstream
