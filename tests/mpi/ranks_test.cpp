// SPDX-License-Identifier: GPL-3.0-or-later
#include <cstring>
#include <numeric>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "engine/base/random.h"
#include "engine/boost/adasum/exchange.h"
#include "engine/boost/averaged/bucket_sum.h"
#include "engine/comm/mpi_communicator.h"
#include "engine/comm/peer_communicator.h"
#include "engine/comm/staged_communicator.h"
#include "engine/cuda/cuda_device.h"
#include "engine/device/cpu_device.h"
#include "tests/boost/adasum_reference.h"
#include "tests/boost/host_memory.h"
#include "tests/comm/communicator_laws.h"
#include "tests/support/protected_device.h"

namespace slipstream {
namespace {

Communicator* world = nullptr;

TEST(MpiRanks, KeepTheLaws) {
  test::checkCommunicatorLaws(*world);
}

TEST(MpiRanks, KeepTheLawsInsideAPart) {
  const auto part = world->split(world->rank() / 2, world->rank());
  test::checkCommunicatorLaws(*part);
}

/// Memory of a device, in chunks of any length, between processes.
TEST(MpiRanks, KeepTheLawsForMemoryOfADevice) {
  for (const std::size_t chunk : {std::size_t{1000}, std::size_t{1} << 20}) {
    MemoryMeter meter;
    test::ProtectedDevice device(meter);
    const auto staged = stageThroughHost(*world, device, {.chunkBytes = chunk, .inFlight = 3});
    test::checkCommunicatorLaws(*staged, device);
    const auto part = staged->split(world->rank() / 2, world->rank());
    test::checkCommunicatorLaws(*part, device);
  }
}

/// Memory of GPUs between processes, which open each other's blocks and marks: threads do not go that way.
TEST(MpiGpus, KeepTheLawsReachingEachOther) {
  const auto gpus = listCudaGpus();
  if (!gpus) GTEST_SKIP() << toText(gpus.error());
  MemoryMeter meter;
  const auto device = std::move(openCudaDevice(world->rank() % static_cast<int>(gpus->size()), meter).value());
  auto peers = reachPeers(*world, *device);
  ASSERT_NE(peers, nullptr) << "this machine lets no process open another one's memory";
  test::checkCommunicatorLaws(*peers, *device);
  world->barrier();
  peers.reset();
  world->barrier();
}

std::vector<float> inputOf(int rank, std::size_t elements) {
  Random common(1, RandomStream::test);
  Random own(2, RandomStream::test, static_cast<std::uint64_t>(rank));
  std::vector<float> values;
  for (std::size_t i = 0; i < elements; ++i) {
    values.push_back(static_cast<float>(common.uniform(-1, 1) + own.uniform(-1, 1)));
  }
  return values;
}

void expectSameBitsEverywhere(std::span<const float> values) {
  std::vector<float> ofFirst(values.begin(), values.end());
  world->broadcast(std::as_writable_bytes(std::span(ofFirst)), 0);
  EXPECT_EQ(std::memcmp(ofFirst.data(), values.data(), values.size_bytes()), 0);
}

TEST(MpiRanks, EveryFormOfAdasumIsTheTree) {
  const std::vector<std::int64_t> offsets{0, 1, 3000, 3002, 50'000, 120'001};
  for (const auto exchange : {AdasumExchange::window, AdasumExchange::halving, AdasumExchange::gram}) {
    auto values = inputOf(world->rank(), static_cast<std::size_t>(offsets.back()));
    adasumAllReduce<float>(*world, values, offsets, exchange);
    expectSameBitsEverywhere(values);
    for (std::size_t t = 0; t + 1 < offsets.size(); ++t) {
      std::vector<std::vector<double>> vectors;
      for (int rank = 0; rank < world->size(); ++rank) {
        const auto input = inputOf(rank, static_cast<std::size_t>(offsets.back()));
        vectors.emplace_back(input.begin() + offsets[t], input.begin() + offsets[t + 1]);
      }
      EXPECT_LE(test::relativeError(values.data() + offsets[t], test::referenceAdasum(vectors)), 5e-7);
    }
  }
}

std::vector<float> averaged(std::vector<std::span<float>> parts, std::span<float> mine) {
  const std::vector<Bucket> buckets{{{0, 1000}, 0, 1}, {{1000, 100'003}, 1, 2}};
  MemoryMeter meter;
  const auto device = openCpuDevice(meter);
  const auto sum = makeBucketSum(*world, {}, std::move(parts), buckets, 1.0F / static_cast<float>(world->size()),
                                 *device, cpuVectorKernels());
  std::vector<float> result;
  for (int step = 0; step < 3; ++step) {
    const auto input = inputOf(world->rank() + step, mine.size());
    std::ranges::copy(input, mine.begin());
    sum->begin(0);
    sum->progress();
    sum->finish(std::ssize(mine));
    expectSameBitsEverywhere(mine);
    result.assign(mine.begin(), mine.end());
  }
  return result;
}

TEST(MpiRanks, SharedMemoryAndMessagesGiveTheSameMean) {
  constexpr std::size_t elements = 100'003;
  const auto memory = world->allocateShared(elements * sizeof(float));
  ASSERT_NE(memory, nullptr);
  std::vector<std::span<float>> parts;
  for (int rank = 0; rank < world->size(); ++rank) {
    parts.emplace_back(reinterpret_cast<float*>(memory->part(rank).data()), elements);
  }
  const auto bySharedMemory = averaged(parts, parts[static_cast<std::size_t>(world->rank())]);
  std::vector<float> own(elements);
  const auto byMessages = averaged({own}, own);
  for (std::size_t i = 0; i < elements; ++i) ASSERT_NEAR(bySharedMemory[i], byMessages[i], 1e-6) << i;
}

/// Ranks of this machine that are told to be on several hosts; as threads have it in tests/boost/host_sum_test.cpp.
void expectTheSumOfHosts(const std::vector<std::string>& hostOfRank) {
  constexpr std::size_t elements = 100'003;
  const HostLayout hosts(hostOfRank);
  MemoryMeter meter;
  const auto device = openCpuDevice(meter);
  const RankMemory memory(*world, hosts, *device, elements, MemoryCategory::gradients, true);
  ASSERT_EQ(memory.hosts().hosts(), hosts.hosts());
  const std::vector<Bucket> buckets{{{0, 1000}, 0, 1}, {{1000, elements}, 1, 2}};
  std::vector<int> ranks(hostOfRank.size());
  std::iota(ranks.begin(), ranks.end(), 0);
  const auto sum =
      makeBucketSum(*world, memory.hosts(), memory.visible(ranks), buckets, 0.5F, *device, cpuVectorKernels());
  for (int step = 0; step < 3; ++step) {
    const auto input = inputOf(world->rank() + step, elements);
    std::ranges::copy(input, memory.own().begin());
    sum->begin(0);
    sum->progress();
    sum->finish(elements);
    auto expected = test::sumInHostOrder(hostOfRank, [&](int rank) { return inputOf(rank + step, elements); });
    for (float& value : expected) value *= 0.5F;
    EXPECT_EQ(std::vector<float>(memory.own().begin(), memory.own().end()), expected);
  }
}

TEST(MpiRanks, SumsOverHostsHaveTheBitsOfTheirOrder) {
  std::vector<std::string> apart;
  std::vector<std::string> inTurn;
  std::vector<std::string> oneAndTheOthers;
  for (int rank = 0; rank < world->size(); ++rank) {
    apart.push_back(std::to_string(rank));
    inTurn.push_back(rank % 2 == 0 ? "a" : "b");
    oneAndTheOthers.push_back(rank == 0 ? "a" : "b");
  }
  expectTheSumOfHosts(apart);
  expectTheSumOfHosts(inTurn);
  expectTheSumOfHosts(oneAndTheOthers);
}

TEST(MpiRanks, MoreThanTheSharedMemoryHoldsIsRefusedAlike) {
  EXPECT_EQ(world->allocateShared(std::size_t{1} << 50), nullptr);
  world->barrier();
}

}  // namespace
}  // namespace slipstream

int main(int count, char** arguments) {
  testing::InitGoogleTest(&count, arguments);
  slipstream::MpiJob job;
  slipstream::world = &job.world();
  return RUN_ALL_TESTS();
}
