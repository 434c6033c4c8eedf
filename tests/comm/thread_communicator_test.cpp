// SPDX-License-Identifier: GPL-3.0-or-later
#include <stdexcept>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/base/error.h"
#include "tests/comm/communicator_laws.h"
#include "tests/support/spawn_ranks.h"

namespace slipstream {
namespace {

class ThreadRanks : public testing::TestWithParam<int> {};

TEST_P(ThreadRanks, KeepTheLaws) {
  test::spawnRanks(GetParam(), [](Communicator& world) { test::checkCommunicatorLaws(world); });
}

TEST_P(ThreadRanks, KeepTheLawsInsideAPart) {
  test::spawnRanks(GetParam(), [](Communicator& world) {
    const auto part = world.split(world.rank() / 2, world.rank());
    test::checkCommunicatorLaws(*part);
  });
}

INSTANTIATE_TEST_SUITE_P(Counts, ThreadRanks, testing::Values(1, 2, 3, 4, 8));

TEST(ThreadCommunicator, CountsItsOperations) {
  test::spawnRanks(2, [](Communicator& world) {
    const auto before = world.sequence();
    world.barrier();
    std::vector<double> values(1);
    world.allReduceSum(values);
    EXPECT_EQ(world.sequence(), before + 2);
  });
}

TEST(ThreadCommunicator, OperationsOfPartsCountForTheWorld) {
  test::spawnRanks(4, [](Communicator& world) {
    const auto part = world.split(world.rank() % 2, world.rank());
    const auto before = world.sequence();
    part->barrier();
    world.countStages(2);
    EXPECT_EQ(world.sequence(), before + 3);
    EXPECT_EQ(part->sequence(), before + 3);
  });
}

void failOnRankOne(const std::function<void(Communicator&)>& others) {
  test::spawnRanks(3, [&](Communicator& world) {
    if (world.rank() == 1) throw std::runtime_error("the cause");
    others(world);
  });
}

TEST(ThreadCommunicator, AFailedRankEndsEveryWaitOfTheOthers) {
  const std::vector<std::function<void(Communicator&)>> waits{
      [](Communicator& world) { world.barrier(); },
      [](Communicator& world) {
        std::vector<float> values(4);
        world.startAllReduceSum(values)->wait();
      },
      [](Communicator& world) {
        int word = 0;
        const auto bytes = std::as_writable_bytes(std::span(&word, 1));
        world.sendReceive(bytes, 1, bytes, 1);
      },
      [](Communicator& world) {
        while (true) world.poll();
      },
  };
  for (const auto& wait : waits) {
    EXPECT_THAT([&] { failOnRankOne(wait); }, testing::ThrowsMessage<std::runtime_error>("the cause"));
  }
}

TEST(ThreadCommunicator, NoRanksIsAnError) {
  EXPECT_THROW(test::spawnRanks(0, [](Communicator&) {}), Error);
}

}  // namespace
}  // namespace slipstream
