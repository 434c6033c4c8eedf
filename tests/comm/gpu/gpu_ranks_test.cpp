// SPDX-License-Identifier: GPL-3.0-or-later
// The same laws as everywhere, between real GPUs. Where there is none, each test is skipped and says why.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <functional>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/base/error.h"
#include "engine/comm/nccl_communicator.h"
#include "engine/comm/peer_communicator.h"
#include "engine/comm/staged_communicator.h"
#include "engine/cuda/cuda_device.h"
#include "tests/comm/communicator_laws.h"
#include "tests/support/spawn_ranks.h"

namespace slipstream {
namespace {

class GpuRanks : public testing::Test {
 protected:
  void SetUp() override {
    const auto gpus = listCudaGpus();
    if (!gpus) GTEST_SKIP() << toText(gpus.error());
    gpus_ = static_cast<int>(gpus->size());
  }

  /// Runs `body` on thread ranks, in turn on the GPUs that there are.
  void onRanks(int ranks, const std::function<void(Communicator&, Device&)>& body) const {
    test::spawnRanks(ranks, [&](Communicator& world) {
      MemoryMeter meter;
      const auto device = std::move(openCudaDevice(world.rank() % gpus_, meter).value());
      body(world, *device);
      device->synchronize();
      world.barrier();  // nobody's memory goes while others may read it
    });
  }

  int gpus_ = 0;
};

/// Fills the pool's blocks with something, gives them back, and takes them again.
TEST_F(GpuRanks, MemoryIsZeroedAlsoTheSecondTime) {
  onRanks(1, [](Communicator&, Device& device) {
    for (const std::size_t bytes : std::vector<std::size_t>{1, 511, 4096, 1'000'003}) {
      for (int time = 0; time < 3; ++time) {
        const auto buffer = device.allocate(bytes, MemoryCategory::data);
        std::vector<std::byte> values(bytes, std::byte{1});
        device.copyOut(values, buffer->bytes());
        EXPECT_EQ(values, std::vector<std::byte>(bytes)) << bytes;
        device.copyIn(buffer->bytes(), std::vector<std::byte>(bytes, std::byte{255}));
      }
    }
  });
}

/// Longer than all staging chunks.
TEST_F(GpuRanks, LongCopiesArrive) {
  onRanks(1, [](Communicator&, Device& device) {
    std::vector<float> values(7'000'003);
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = std::sin(static_cast<float>(i));
    const auto buffer = device.allocate(values.size() * sizeof(float), MemoryCategory::data);
    device.copyIn(buffer->bytes(), std::as_bytes(std::span(values)));
    std::vector<float> back(values.size());
    device.copyOut(std::as_writable_bytes(std::span(back)), buffer->bytes());
    EXPECT_EQ(back, values);
  });
}

/// More of them than the device holds on their way, and the longest that is short.
TEST_F(GpuRanks, ShortCopiesLeaveTheirSourceAtOnce) {
  onRanks(1, [](Communicator&, Device& device) {
    for (const std::size_t bytes : std::vector<std::size_t>{12, 1000, 65'536}) {
      constexpr std::size_t copies = 3000;
      const auto buffer = device.allocate(copies * bytes, MemoryCategory::data);
      std::vector<std::byte> source(bytes);
      for (std::size_t i = 0; i < copies; ++i) {
        std::memset(source.data(), static_cast<int>(i % 251), bytes);
        device.copyIn(buffer->bytes().subspan(i * bytes, bytes), source);
      }
      std::vector<std::byte> found(copies * bytes);
      device.copyOut(found, buffer->bytes());
      for (std::size_t i = 0; i < copies; ++i) {
        std::memset(source.data(), static_cast<int>(i % 251), bytes);
        ASSERT_EQ(std::memcmp(found.data() + i * bytes, source.data(), bytes), 0) << bytes << ", copy " << i;
      }
    }
  });
}

TEST_F(GpuRanks, TooMuchMemoryIsRefusedWithARemedy) {
  onRanks(1, [](Communicator&, Device& device) {
    EXPECT_THAT([&] { device.allocate(std::size_t{1} << 50, MemoryCategory::activations); },
                testing::ThrowsMessage<Error>(testing::HasSubstr("for activations")));
    EXPECT_NO_THROW(device.allocate(1000, MemoryCategory::activations)) << "the device goes on";
  });
}

TEST_F(GpuRanks, KeepTheLawsThroughTheHost) {
  for (const int ranks : {1, 2, 4}) {
    onRanks(ranks, [](Communicator& world, Device& device) {
      const auto staged = stageThroughHost(world, device, {.chunkBytes = 1000, .inFlight = 3});
      test::checkCommunicatorLaws(*staged, device);
    });
  }
}

TEST_F(GpuRanks, KeepTheLawsReachingEachOther) {
  for (const int ranks : {1, 2, 3, 8}) {
    onRanks(ranks, [](Communicator& world, Device& device) {
      const auto peers = reachPeers(world, device);
      ASSERT_NE(peers, nullptr);
      test::checkCommunicatorLaws(*peers, device);
      device.synchronize();  // nobody's marks go while others may wait for them
      world.barrier();
    });
  }
}

TEST_F(GpuRanks, KeepTheLawsByNccl) {
  if (const Status there = ncclIsThere(); !there) GTEST_SKIP() << toText(there.error());
  onRanks(gpus_, [](Communicator& world, Device& device) {
    const auto nccl = joinNccl(world, device);
    test::checkCommunicatorLaws(*nccl, device);
  });
}

}  // namespace
}  // namespace slipstream
