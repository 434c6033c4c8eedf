// SPDX-License-Identifier: GPL-3.0-or-later
#include <gtest/gtest.h>

#include "engine/plan/device_placement.h"

namespace slipstream {
namespace {

/// Ranks on these (host, device).
RunPlan planOn(const std::vector<std::pair<int, int>>& gpus, const char* kind = "cuda") {
  RunPlan plan;
  plan.experiment.device = kind;
  for (const auto& [host, gpu] : gpus) {
    plan.places.push_back({plan.ranks(), host, "host" + std::to_string(host), gpu});
    plan.local = plan.local && host == 0;
  }
  return plan;
}

DeviceExchange chosen(const RunPlan& plan, bool nccl) {
  const ChosenExchange exchange = chooseDeviceExchange(plan, nccl);
  EXPECT_FALSE(exchange.why.empty());
  return exchange.exchange;
}

TEST(DeviceExchange, TheHostsMemoryIsEnoughForCpus) {
  RunPlan plan = planOn({{0, 0}, {0, 1}});
  plan.experiment.device = "cpu";
  EXPECT_EQ(chosen(plan, true), DeviceExchange::ofHost);
}

TEST(DeviceExchange, NcclWantsAGpuForEveryRank) {
  EXPECT_EQ(chosen(planOn({{0, 0}, {0, 1}}), true), DeviceExchange::library);
  EXPECT_EQ(chosen(planOn({{0, 0}, {1, 0}}), true), DeviceExchange::library) << "the first one of two machines";
  EXPECT_EQ(chosen(planOn({{0, 0}, {0, 1}, {0, 0}}), true), DeviceExchange::peers);
  EXPECT_EQ(chosen(planOn({{0, 0}, {1, 0}, {1, 0}}), true), DeviceExchange::throughHost);
}

TEST(DeviceExchange, WithoutNcclOneMachineReachesItself) {
  EXPECT_EQ(chosen(planOn({{0, 0}, {0, 1}}), false), DeviceExchange::peers);
  EXPECT_EQ(chosen(planOn({{0, 0}, {1, 0}}), false), DeviceExchange::throughHost);
}

TEST(DeviceExchange, HcclWantsAnNpuForEveryRank) {
  EXPECT_EQ(chosen(planOn({{0, 0}, {0, 1}}, "npu"), true), DeviceExchange::library);
  EXPECT_EQ(chosen(planOn({{0, 0}, {1, 0}}, "npu"), true), DeviceExchange::library);
  EXPECT_EQ(chosen(planOn({{0, 0}, {0, 0}}, "npu"), true), DeviceExchange::throughHost) << "NPUs are not reached into";
  EXPECT_EQ(chosen(planOn({{0, 0}, {0, 1}}, "npu"), false), DeviceExchange::throughHost);
  EXPECT_EQ(chooseDeviceExchange(planOn({{0, 0}, {0, 0}}, "npu"), true).why.in(),
            "ranks share one NPU, which HCCL refuses");
  EXPECT_EQ(chooseDeviceExchange(planOn({{0, 0}, {0, 0}}), true).why.in(),
            "ranks share one GPU, which NCCL refuses, and reach into its memory");
  EXPECT_EQ(nameOf(DeviceExchange::library, npuKind()), "hccl");
  EXPECT_EQ(nameOf(DeviceExchange::library, cudaKind()), "nccl");
}

TEST(DeviceExchange, OneRankNeedsNone) {
  EXPECT_EQ(chosen(planOn({{0, 0}}), true), DeviceExchange::throughHost);
}

}  // namespace
}  // namespace slipstream
