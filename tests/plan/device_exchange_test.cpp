// SPDX-License-Identifier: GPL-3.0-or-later
#include <gtest/gtest.h>

#include "engine/plan/gpu_placement.h"

namespace slipstream {
namespace {

/// Ranks on these (host, GPU).
RunPlan planOn(const std::vector<std::pair<int, int>>& gpus) {
  RunPlan plan;
  plan.experiment.device = "cuda";
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
  EXPECT_EQ(chosen(planOn({{0, 0}, {0, 1}}), true), DeviceExchange::nccl);
  EXPECT_EQ(chosen(planOn({{0, 0}, {1, 0}}), true), DeviceExchange::nccl) << "the first one of two machines";
  EXPECT_EQ(chosen(planOn({{0, 0}, {0, 1}, {0, 0}}), true), DeviceExchange::peers);
  EXPECT_EQ(chosen(planOn({{0, 0}, {1, 0}, {1, 0}}), true), DeviceExchange::throughHost);
}

TEST(DeviceExchange, WithoutNcclOneMachineReachesItself) {
  EXPECT_EQ(chosen(planOn({{0, 0}, {0, 1}}), false), DeviceExchange::peers);
  EXPECT_EQ(chosen(planOn({{0, 0}, {1, 0}}), false), DeviceExchange::throughHost);
}

TEST(DeviceExchange, OneRankNeedsNone) {
  EXPECT_EQ(chosen(planOn({{0, 0}}), true), DeviceExchange::throughHost);
}

}  // namespace
}  // namespace slipstream
