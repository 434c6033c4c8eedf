// SPDX-License-Identifier: GPL-3.0-or-later
// What a GPU's memory does on its way through the host, on a device whose memory ends the process that touches it.
#include "engine/comm/staged_communicator.h"

#include <numeric>
#include <stdexcept>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/base/error.h"
#include "engine/device/cpu_device.h"
#include "tests/comm/communicator_laws.h"
#include "tests/support/protected_device.h"
#include "tests/support/spawn_ranks.h"

namespace slipstream {
namespace {

/// Short chunks, so that even small vectors take several.
constexpr StagingSizes shortChunks{.chunkBytes = 256, .inFlight = 3};

/// One rank's device and communicator.
struct StagedRank {
  explicit StagedRank(Communicator& world, StagingSizes sizes = shortChunks)
      : communicator(stageThroughHost(world, device, sizes)) {}

  std::unique_ptr<Buffer> hold(const std::vector<float>& values) {
    auto buffer = device.allocate(values.size() * sizeof(float), MemoryCategory::data);
    device.copyIn(buffer->bytes(), std::as_bytes(std::span(values)));
    return buffer;
  }
  std::vector<float> read(Buffer& buffer) {
    std::vector<float> values(buffer.as<float>().size());
    device.copyOut(std::as_writable_bytes(std::span(values)), buffer.bytes());
    return values;
  }

  MemoryMeter meter;
  test::ProtectedDevice device{meter};
  std::unique_ptr<Communicator> communicator;
};

TEST(ProtectedDeviceDeathTest, TheMemoryOfTheFakeDeviceEndsWhoTouchesIt) {
  MemoryMeter meter;
  test::ProtectedDevice device(meter);
  const auto buffer = device.allocate(64, MemoryCategory::data);
  EXPECT_DEATH(buffer->as<float>()[0] = 1, "");
  const test::Unprotected unlocked(device);
  EXPECT_EQ(buffer->as<float>()[0], 0);
}

class StagedRanks : public testing::TestWithParam<std::tuple<int, std::size_t>> {};

TEST_P(StagedRanks, KeepTheLaws) {
  const auto [ranks, chunk] = GetParam();
  test::spawnRanks(ranks, [chunk = chunk](Communicator& world) {
    StagedRank rank(world, {.chunkBytes = chunk, .inFlight = 3});
    test::checkCommunicatorLaws(*rank.communicator, rank.device);
    const auto part = rank.communicator->split(world.rank() / 2, world.rank());
    test::checkCommunicatorLaws(*part, rank.device);
  });
}

TEST_P(StagedRanks, KeepTheLawsOfHostMemoryToo) {
  const auto [ranks, chunk] = GetParam();
  test::spawnRanks(ranks, [chunk = chunk](Communicator& world) {
    StagedRank rank(world, {.chunkBytes = chunk, .inFlight = 1});
    const auto host = openCpuDevice(rank.meter);
    test::checkCommunicatorLaws(*rank.communicator, *host);
  });
}

INSTANTIATE_TEST_SUITE_P(CountsAndChunks, StagedRanks,
                         testing::Combine(testing::Values(1, 2, 3, 4, 8),
                                          testing::Values(std::size_t{1000}, std::size_t{1} << 20)));

TEST(StagedCommunicator, GivesNoSharedMemory) {
  test::spawnRanks(2, [](Communicator& world) {
    StagedRank rank(world);
    EXPECT_EQ(rank.communicator->allocateShared(64), nullptr);
  });
}

TEST(StagedCommunicator, CountsWithTheGroupThatItUses) {
  test::spawnRanks(2, [](Communicator& world) {
    StagedRank rank(world);
    const auto before = world.sequence();
    rank.communicator->barrier();
    rank.communicator->countStages(3);
    EXPECT_EQ(world.sequence(), before + 4);
    EXPECT_EQ(rank.communicator->sequence(), before + 4);
  });
}

/// The sum is the same, bit for bit, as that of memory of the host: chunks change no element's order.
TEST(StagedCommunicator, SumsLikeTheHost) {
  test::spawnRanks(3, [](Communicator& world) {
    StagedRank rank(world);
    const auto start = static_cast<float>(world.rank());
    std::vector<float> values(1001);
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = 0.1F * static_cast<float>(i + 7) / 3 + start;
    const auto held = rank.hold(values);
    const auto started = rank.hold(values);
    world.allReduceSum(values);
    rank.communicator->allReduceSum(held->as<float>());
    rank.communicator->startAllReduceSum(started->as<float>())->wait();
    EXPECT_EQ(rank.read(*held), values);
    EXPECT_EQ(rank.read(*started), values);
  });
}

/// Backward runs on while buckets wait for their turn: they wait for what made them, and for nothing since.
TEST(StagedCommunicator, CopiesComeBehindWhatMadeTheirBytesAndNoLater) {
  test::spawnRanks(2, [](Communicator& world) {
    StagedRank rank(world);
    std::vector<std::unique_ptr<Buffer>> buffers;
    std::vector<std::unique_ptr<Request>> requests;
    for (int bucket = 0; bucket < 12; ++bucket) buffers.push_back(rank.hold(std::vector<float>(300, 1)));
    const std::int64_t before = rank.device.kernelsNotWaitedFor();
    for (auto& buffer : buffers) {
      requests.push_back(rank.communicator->startAllReduceSum(buffer->as<float>()));
      const test::Unprotected kernel(rank.device);
    }
    for (auto& request : requests) request->wait();
    EXPECT_GT(rank.device.kernelsNotWaitedFor(), before) << "later buckets were copied behind kernels that came after";
    for (auto& buffer : buffers) EXPECT_EQ(rank.read(*buffer), std::vector<float>(300, 2));
  });
}

/// Ranks that ask at different times start everything in the same order all the same: an operation that begins while
/// others are copied may not overtake them, or the wrong ones would meet.
TEST(StagedCommunicator, OperationsMeetInTheOrderOfStarting) {
  test::spawnRanks(3, [](Communicator& world) {
    StagedRank rank(world);
    std::vector<std::unique_ptr<Buffer>> buffers;
    std::vector<std::unique_ptr<Request>> requests;
    for (int i = 0; i < 20; ++i) {
      buffers.push_back(rank.hold(std::vector<float>(300, static_cast<float>(i))));
      requests.push_back(rank.communicator->startAllReduceSum(buffers.back()->as<float>()));
      for (int ask = 0; ask < world.rank() * 5; ++ask) rank.communicator->poll();
      if (i % 4 != 3) continue;
      std::vector<double> vote{static_cast<double>(i)};
      rank.communicator->allReduceMax(vote);
      EXPECT_EQ(vote[0], i);
    }
    while (!requests.empty()) requests.pop_back();  // the last one first; each waits
    for (int i = 0; i < 20; ++i) {
      EXPECT_EQ(rank.read(*buffers[static_cast<std::size_t>(i)]),
                std::vector<float>(300, 3.0F * static_cast<float>(i)));
    }
  });
}

/// From device to host and from host to device, and a part that stays.
TEST(StagedCommunicator, ExchangesBetweenBothKindsOfMemory) {
  test::spawnRanks(2, [](Communicator& world) {
    StagedRank rank(world);
    const auto me = static_cast<std::size_t>(world.rank());
    const auto sent = rank.hold({1.0F + static_cast<float>(me), 5.0F + static_cast<float>(me)});
    std::vector<float> received(2);
    const auto all = std::as_writable_bytes(std::span(received));
    const std::vector<std::span<const std::byte>> out{sent->bytes().first(4), sent->bytes().last(4)};
    rank.communicator->startExchange(out, std::vector{all.first(4), all.last(4)})->wait();
    EXPECT_EQ(received, me == 0 ? (std::vector{1.0F, 2.0F}) : (std::vector{5.0F, 6.0F}));
    const auto back = rank.hold({0, 0});
    const std::vector<std::span<const std::byte>> home{all.first(4), all.last(4)};
    rank.communicator->startExchange(home, std::vector{back->bytes().first(4), back->bytes().last(4)})->wait();
    EXPECT_EQ(rank.read(*back), me == 0 ? (std::vector{1.0F, 5.0F}) : (std::vector{2.0F, 6.0F}));
  });
}

TEST(StagedCommunicator, AFailingRankEndsTheOthersAndItsMemoryMayGo) {
  const auto run = [] {
    test::spawnRanks(3, [](Communicator& world) {
      StagedRank rank(world);
      const auto kept = rank.hold(std::vector<float>(5000, 1.0F));
      const auto sum = rank.communicator->startAllReduceSum(kept->as<float>());
      if (world.rank() == 1) throw std::runtime_error("the cause");
      const auto more = rank.hold(std::vector<float>(5000, 1.0F));
      rank.communicator->startAllReduceSum(more->as<float>())->wait();
      rank.communicator->barrier();
    });
  };
  EXPECT_THAT(run, testing::ThrowsMessage<std::runtime_error>("the cause"));
}

}  // namespace
}  // namespace slipstream
