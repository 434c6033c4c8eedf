// SPDX-License-Identifier: GPL-3.0-or-later
#include <atomic>
#include <functional>
#include <memory>
#include <stdexcept>
#include <thread>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/base/error.h"
#include "tests/support/spawn_ranks.h"

// A rank that fails unwinds, and its buffers go: no other rank may look at them then. The address and thread sanitizers
// see every such look in these tests.

namespace slipstream {
namespace {

constexpr int ranks = 4;
constexpr std::size_t elements = 5000;

/// Each on buffers of its own that go with the call.
const std::vector<std::function<void(Communicator&)>> operations{
    [](Communicator& world) {
      std::vector<float> values(elements, 1.0F);
      world.allReduceSum(values);
    },
    [](Communicator& world) {
      std::vector<float> values(elements, 1.0F);
      const auto sum = world.startAllReduceSum(values);
      sum->wait();
    },
    [](Communicator& world) {
      std::vector<std::byte> mine(elements);
      std::vector<std::byte> all(elements * ranks);
      world.allGather(mine, all);
    },
    [](Communicator& world) {
      std::vector<std::byte> bytes(elements);
      world.broadcast(bytes, 2);
    },
    [](Communicator& world) {
      std::vector<std::byte> out(elements);
      std::vector<std::byte> in(elements);
      world.sendReceive(out, (world.rank() + 1) % ranks, in, (world.rank() + ranks - 1) % ranks);
    },
    [](Communicator& world) { world.split(world.rank() % 2, world.rank())->barrier(); },
};

/// Does all operations over and over; `failedRank` throws the cause in the middle of round `round`.
void workUntil(Communicator& world, int failedRank, std::size_t round) {
  for (std::size_t turn = 0;; ++turn) {
    const auto values = std::make_unique<std::vector<float>>(elements);
    const auto sum = world.startAllReduceSum(*values);  // under way when the others hear of it
    if (world.rank() == failedRank && turn == round) throw std::runtime_error("the cause");
    operations[turn % operations.size()](world);
  }
}

TEST(FailingRanks, WhoeverThrowsWhereverAllOthersGetAnError) {
  for (int failedRank = 0; failedRank < ranks; ++failedRank) {
    for (std::size_t round = 0; round < 2 * operations.size(); ++round) {
      std::atomic<int> errors = 0;
      const auto run = [&] {
        test::spawnRanks(ranks, [&](Communicator& world) {
          try {
            workUntil(world, failedRank, round);
          } catch (const Error&) {
            ++errors;
            throw;
          }
        });
      };
      EXPECT_THAT(run, testing::ThrowsMessage<std::runtime_error>("the cause"));
      EXPECT_EQ(errors, ranks - 1);
    }
  }
}

/// Says when everything declared after it is gone, and holds its rank there until the others have tried.
struct Gone {
  std::atomic<bool>& gone;
  std::atomic<bool>& tried;
  ~Gone() {
    gone = true;
    while (!tried) std::this_thread::yield();
  }
};

TEST(FailingRanks, AStartedSumOfAnUnwindingRankIsNotJoined) {
  std::atomic<bool> gone = false;
  std::atomic<bool> tried = false;
  const auto run = [&] {
    test::spawnRanks(2, [&](Communicator& world) {
      if (world.rank() == 0) {
        const Gone afterwards{gone, tried};
        std::vector<float> values(elements);
        const auto sum = world.startAllReduceSum(values);
        throw std::runtime_error("the cause");
      }
      while (!gone) std::this_thread::yield();
      std::vector<float> values(elements);
      EXPECT_THROW(world.startAllReduceSum(values), Error);
      tried = true;
    });
  };
  EXPECT_THAT(run, testing::ThrowsMessage<std::runtime_error>("the cause"));
}

TEST(FailingRanks, AMessageOfAnUnwindingRankIsNotRead) {
  std::atomic<bool> gone = false;
  std::atomic<bool> tried = false;
  const auto run = [&] {
    test::spawnRanks(2, [&](Communicator& world) {
      std::vector<std::byte> message(world.rank() == 0 ? elements : 1);
      if (world.rank() == 0) {
        const Gone afterwards{gone, tried};
        std::vector<std::byte> out(1);
        world.sendReceive(out, 0, message, 0);  // to itself, and of another size: fails with its message unread
      }
      while (!gone) std::this_thread::yield();
      EXPECT_THROW(world.sendReceive(message, 0, message, 0), Error);
      tried = true;
    });
  };
  EXPECT_THAT(run, testing::ThrowsMessage<Error>("sendReceive: sizes do not match"));
}

TEST(FailingRanks, ALocalMistakeInAnExchangeIsToldAsTheCause) {
  const auto run = [] {
    test::spawnRanks(3, [](Communicator& world) {
      const std::size_t bytes = world.rank() == 1 ? 7 : 8;
      const std::vector<std::size_t> offsets{0, bytes, 2 * bytes, 3 * bytes};
      const std::vector<std::byte> out(3 * bytes);
      std::vector<std::byte> in(3 * bytes);
      world.allToAll(out, offsets, in, offsets);
    });
  };
  EXPECT_THAT(run, testing::ThrowsMessage<Error>("allToAll: sizes do not match"));
}

}  // namespace
}  // namespace slipstream
