// SPDX-License-Identifier: GPL-3.0-or-later
// The laws of communicators between NPUs, on a fake CANN that checks each call (tests/npu/fake_cann).
#include "engine/comm/hccl_communicator.h"

#include <cstdlib>
#include <functional>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/base/error.h"
#include "engine/comm/hccl_api.h"
#include "engine/comm/on_every_rank.h"
#include "engine/comm/staged_communicator.h"
#include "engine/npu/npu_device.h"
#include "tests/comm/communicator_laws.h"
#include "tests/npu/fake_cann/fake_runtime.h"
#include "tests/support/environment_variable.h"
#include "tests/support/spawn_ranks.h"

namespace slipstream {
namespace {

using testing::HasSubstr;

/// Runs `body` on thread ranks, each with one of `npus` NPUs in turn.
void onNpus(int ranks, int npus, const std::function<void(Communicator&, Device&)>& body) {
  test::spawnRanks(ranks, [&](Communicator& world) {
    MemoryMeter meter;
    const auto device = std::move(openNpuDevice(world.rank() % npus, meter).value());
    body(world, *device);
  });
}

class HcclRanksOf : public testing::TestWithParam<int> {};

TEST_P(HcclRanksOf, KeepTheLaws) {
  onNpus(GetParam(), GetParam(), [](Communicator& world, Device& device) {
    const auto hccl = joinHccl(world, device);
    EXPECT_EQ(hccl->route(), "hccl 8.1.RC1");
    test::checkCommunicatorLaws(*hccl, device);
  });
  EXPECT_EQ(fakeCannWaitingTasks(), 0U);
}

/// Ranks that share an NPU, too.
TEST_P(HcclRanksOf, KeepTheLawsThroughTheHost) {
  onNpus(GetParam(), 2, [](Communicator& world, Device& device) {
    const auto staged = stageThroughHost(world, device, {.chunkBytes = 1000, .inFlight = 3});
    test::checkCommunicatorLaws(*staged, device);
  });
}

INSTANTIATE_TEST_SUITE_P(Ranks, HcclRanksOf, testing::Values(1, 2, 3, 8));

TEST(Hccl, IsThere) {
  EXPECT_TRUE(hcclIsThere());
}

TEST(Hccl, NamesTheChoicesThatOrderItsSums) {
  ::setenv("HCCL_ALGO", "level0:ring", 1);
  onNpus(2, 2, [](Communicator& world, Device& device) {
    EXPECT_EQ(joinHccl(world, device)->route(), "hccl 8.1.RC1 HCCL_ALGO=level0:ring");
  });
  ::unsetenv("HCCL_ALGO");
}

TEST(Hccl, RefusesRanksThatShareAnNpu) {
  onNpus(2, 1, [](Communicator& world, Device& device) {
    EXPECT_THAT([&] { joinHccl(world, device); },
                testing::ThrowsMessage<NotJoined>(HasSubstr("join the ranks' NPUs: two ranks share a device")));
  });
}

/// The ranks that could have joined know it too, and can exchange otherwise.
TEST(Hccl, ARankThatCannotJoinIsKnownToAll) {
  const test::EnvironmentVariable without("FAKE_HCCL_WITHOUT_RANK", "1");
  onNpus(3, 3, [](Communicator& world, Device& device) {
    EXPECT_THAT([&] { joinHccl(world, device); },
                testing::ThrowsMessage<NotJoined>(
                    HasSubstr("rank 1: HCCL: join the ranks' NPUs: no link to the other devices (2)")));
    test::checkCommunicatorLaws(*stageThroughHost(world, device), device);
  });
}

/// NPUs do not add fp64: such sums are the host's, in the order of the ranks.
TEST(Hccl, AddsDoublesInTheOrderOfTheRanks) {
  onNpus(3, 3, [](Communicator& world, Device& device) {
    const auto hccl = joinHccl(world, device);
    const std::vector<double> mine{world.rank() == 0 ? 1e100 : (world.rank() == 1 ? -1e100 : 1.0)};
    const auto there = device.allocate(sizeof(double), MemoryCategory::data);
    device.copyIn(there->bytes(), std::as_bytes(std::span(mine)));
    hccl->allReduceSum(there->as<double>());
    EXPECT_EQ(readValues(device, std::span<const double>(there->as<double>())), std::vector<double>{1.0});
  });
}

TEST(HcclDeath, BrokenRulesEndTheProcess) {
  testing::FLAGS_gtest_death_test_style = "threadsafe";
  const auto alone = [](const std::function<void(HcclComm, aclrtStream, void*)>& body) {
    aclInit(nullptr);
    aclrtSetDevice(0);
    HcclRootInfo root;
    HcclGetRootInfo(&root);
    HcclComm group = nullptr;
    HcclCommInitRootInfo(1, &root, 0, &group);
    aclrtStream stream = nullptr;
    aclrtCreateStream(&stream);
    void* memory = nullptr;
    aclrtMalloc(&memory, 64, 0);
    body(group, stream, memory);
  };
  EXPECT_DEATH(alone([](HcclComm group, aclrtStream stream, void* memory) {
                 HcclAllReduce(memory, memory, 1, 10, hccl::sum, group, stream);
               }),
               "HcclAllReduce: NPUs add fp32");
  EXPECT_DEATH(alone([](HcclComm group, aclrtStream stream, void* memory) {
                 HcclAllReduce(memory, memory, 17, hccl::float32, hccl::sum, group, stream);
               }),
               "HcclAllReduce: reaches 4 bytes beyond the end");
  EXPECT_DEATH(alone([](HcclComm group, aclrtStream stream, void* memory) {
                 HcclBroadcast(memory, 8, hccl::int8, 0, group, stream);
                 HcclCommDestroy(group);
               }),
               "HcclCommDestroy: operations of the group have not run");
  EXPECT_DEATH(alone([](HcclComm group, aclrtStream stream, void* memory) {
                 HcclAllGather(memory, memory, 8, hccl::int8, group, stream);
               }),
               "HcclAllGather: gathers in place");
  EXPECT_DEATH(alone([](HcclComm group, aclrtStream stream, void* memory) {
                 HcclSendRecvItem item{hccl::sends, memory, 8, hccl::int8, 3};
                 HcclBatchSendRecv(&item, 1, group, stream);
               }),
               "HcclBatchSendRecv: there is no such peer");
  EXPECT_DEATH(alone([](HcclComm group, aclrtStream stream, void* memory) {
                 HcclCommDestroy(group);
                 HcclBroadcast(memory, 8, hccl::int8, 0, group, stream);
               }),
               "HcclBroadcast: there is no such group of ranks");
}

TEST(HcclDeath, RanksCallTheSame) {
  testing::FLAGS_gtest_death_test_style = "threadsafe";
  const auto body = [] {
    onNpus(2, 2, [](Communicator& world, Device& device) {
      const auto hccl = joinHccl(world, device);
      const auto values = device.allocate(64, MemoryCategory::data);
      const std::size_t count = world.rank() == 0 ? 4 : 8;
      hccl->allReduceSum(values->as<float>().first(count));
    });
  };
  EXPECT_DEATH(body(), "HcclAllReduce: rank . calls HcclAllReduce or another count");
}

}  // namespace
}  // namespace slipstream
