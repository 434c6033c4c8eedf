// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/plan/device_placement.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/spec/device_kind.h"

namespace slipstream {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr std::int64_t gigabyte = 1'000'000'000;

TEST(DeviceName, KnowsItsThreeForms) {
  EXPECT_EQ(parseDeviceName("cpu", "device")->kind->name, "cpu");
  EXPECT_FALSE(parseDeviceName("cuda", "device")->number);
  EXPECT_EQ(parseDeviceName("cuda:7", "device")->number, 7);
  EXPECT_EQ(parseDeviceName("cuda:15", "device")->number, 15);
}

TEST(DeviceName, RefusesEverythingElse) {
  for (const char* text :
       {"", "cuda:", "cuda:x", "cuda:-1", "cuda:16", "cuda:01", "cpu:0", "CUDA", "cuda:1 ", "npu:16"}) {
    const auto name = parseDeviceName(text, "--device");
    ASSERT_FALSE(name) << text;
    EXPECT_EQ(name.error()[0].where, "--device");
    EXPECT_EQ(name.error()[0].value, text);
  }
}

TEST(DeviceCheck, NamesTwoDevices) {
  const auto pair = parseDeviceCheck("check:cuda:1,cpu", "--device");
  ASSERT_TRUE(pair);
  EXPECT_EQ(pair->first.number, 1);
  EXPECT_EQ(pair->second.kind->name, "cpu");
  for (const char* text : {"check:", "check:cpu", "check:cpu,cpu,cpu", "check:cpu,tpu", "cpu,cpu"}) {
    EXPECT_FALSE(parseDeviceCheck(text, "--device")) << text;
  }
}

/// `ranks` of each host, on the devices of their number there.
RunPlan planOn(const std::string& device, const std::vector<int>& ranks) {
  RunPlan plan;
  plan.experiment.device = device;
  plan.local = ranks.size() == 1;
  for (std::size_t host = 0; host < ranks.size(); ++host) {
    for (int rank = 0; rank < ranks[host]; ++rank) {
      plan.places.push_back({plan.ranks(), static_cast<int>(host), "host" + std::to_string(host), rank});
    }
  }
  return plan;
}

std::vector<int> devicesOf(const RunPlan& plan) {
  std::vector<int> devices;
  for (const RankPlacement& place : plan.places) devices.push_back(place.deviceId);
  return devices;
}

std::string said(const RunPlan& plan) {
  EXPECT_EQ(plan.decisions.size(), 1U);
  return plan.decisions.empty() ? "" : plan.decisions[0].why.in();
}

TEST(DevicePlaces, ThePlanOfACpuStaysAsItIs) {
  RunPlan plan = planOn("cpu", {3});
  placeOnDevices(plan, 2);
  EXPECT_THAT(devicesOf(plan), ElementsAre(0, 1, 2));
  EXPECT_TRUE(plan.decisions.empty());
  EXPECT_TRUE(checkDevices(plan, {}).empty());
}

TEST(DevicePlaces, EachRankHasItsOwnWhereThereAreEnough) {
  RunPlan plan = planOn("cuda", {3});
  placeOnDevices(plan, 8);
  EXPECT_THAT(devicesOf(plan), ElementsAre(0, 1, 2));
  EXPECT_EQ(said(plan).find("share"), std::string::npos);
}

TEST(DevicePlaces, RanksTakeTurnsWhereThereAreFewer) {
  RunPlan plan = planOn("cuda", {5});
  placeOnDevices(plan, 2);
  EXPECT_THAT(devicesOf(plan), ElementsAre(0, 1, 0, 1, 0));
  EXPECT_THAT(said(plan), HasSubstr("up to 3 ranks share one, which is time-sliced unless MPS runs"));
}

TEST(DevicePlaces, ANumberIsForEveryRank) {
  RunPlan plan = planOn("cuda:3", {2});
  placeOnDevices(plan, 0);
  EXPECT_THAT(devicesOf(plan), ElementsAre(3, 3));
  EXPECT_THAT(said(plan), HasSubstr("up to 2 ranks share one"));
}

TEST(DevicePlaces, ARankTablesNumbersHoldWhereTheyCan) {
  RunPlan plan = planOn("cuda", {2});
  plan.experiment.parallel.rankTablePath = "table.json";
  plan.places[0].deviceId = 5;
  plan.places[1].deviceId = 2;
  placeOnDevices(plan, 8);
  EXPECT_THAT(devicesOf(plan), ElementsAre(5, 2));
  EXPECT_THAT(said(plan), HasSubstr("rank table"));
  placeOnDevices(plan, 4);
  EXPECT_THAT(devicesOf(plan), ElementsAre(0, 1)) << "there is no GPU 5";
}

TEST(DevicePlaces, OtherHostsAreNotThisMachine) {
  RunPlan plan = planOn("cuda", {2, 2});
  placeOnDevices(plan, 1);
  EXPECT_THAT(devicesOf(plan), ElementsAre(0, 1, 0, 1));
  EXPECT_TRUE(checkDevices(plan, {{"", gigabyte}}).empty());
}

TEST(DevicePlaces, EachHostIsJudgedByItsOwnDevices) {
  RunPlan plan = planOn("cuda", {2, 2});
  plan.memoryPerRank = {{"weights", 4 * gigabyte}};
  const std::string one = plan.places[0].host;
  const std::string other = plan.places[2].host;
  EXPECT_TRUE(checkDevices(plan, {{"", 5 * gigabyte}, {"", 5 * gigabyte}}, one).empty());
  const Failures missing = checkDevices(plan, {{"", 5 * gigabyte}}, other);
  ASSERT_EQ(missing.size(), 1U);
  EXPECT_EQ(missing[0].where, "host " + other + ": device");
  EXPECT_EQ(missing[0].value, "cuda:1");
  const Failures full = checkDevices(plan, {{"", 5 * gigabyte}, {"", gigabyte}}, other);
  ASSERT_EQ(full.size(), 1U);
  EXPECT_THAT(full[0].problem, HasSubstr("GPU 1 has 1.00 GB"));
}

TEST(DevicePlaces, WhatIsKnownLaterReplacesWhatWasSaid) {
  RunPlan plan = planOn("cuda", {4});
  placeOnDevices(plan, 0);
  EXPECT_THAT(said(plan), HasSubstr("turns out"));
  placeOnDevices(plan, 2);
  EXPECT_THAT(said(plan), HasSubstr("in turn on the 2 GPUs"));
}

TEST(DevicePlaces, MemoryIsOfAllRanksOfAGpu) {
  RunPlan plan = planOn("cuda", {3});
  plan.memoryPerRank = {{"weights", 4 * gigabyte}, {"activations", 5 * gigabyte}, {"data", 900 * gigabyte}};
  placeOnDevices(plan, 2);
  EXPECT_EQ(deviceBytes(plan.memoryPerRank), 9 * gigabyte) << "data stays with the host";
  EXPECT_TRUE(checkDevices(plan, {{"", 18 * gigabyte}, {"", 9 * gigabyte}}).empty());
  const Failures failures = checkDevices(plan, {{"", 17 * gigabyte}, {"", 9 * gigabyte}});
  ASSERT_EQ(failures.size(), 1U);
  EXPECT_EQ(failures[0].where, "dataset.batch_size");
  EXPECT_THAT(failures[0].problem, HasSubstr("2 ranks need 18.00 GB, and GPU 0 has 17.00 GB"));
}

TEST(DevicePlaces, ANumberThatNoGpuHasIsRefused) {
  RunPlan plan = planOn("cuda:2", {1});
  placeOnDevices(plan, 2);
  const Failures failures = checkDevices(plan, {{"", gigabyte}, {"", gigabyte}});
  ASSERT_EQ(failures.size(), 1U);
  EXPECT_EQ(failures[0].value, "cuda:2");
  EXPECT_THAT(failures[0].remedy, HasSubstr("cuda:1"));
}

TEST(DevicePlaces, AnNpuIsCalledOne) {
  RunPlan plan = planOn("npu:2", {2});
  plan.memoryPerRank = {{"weights", 4 * gigabyte}};
  placeOnDevices(plan, 2);
  EXPECT_EQ(said(plan), "every rank on NPU 2 of its host; up to 2 ranks share one and take turns on it");
  const Failures missing = checkDevices(plan, {{"", gigabyte}, {"", gigabyte}});
  ASSERT_EQ(missing.size(), 1U);
  EXPECT_EQ(missing[0].problem, "there is no NPU of this number");
  EXPECT_EQ(missing[0].remedy, "use npu:0 to npu:1, or check ASCEND_RT_VISIBLE_DEVICES");
  const Failures full = checkDevices(plan, {{}, {}, {"", gigabyte}});
  ASSERT_EQ(full.size(), 1U);
  EXPECT_THAT(full[0].problem, HasSubstr("and NPU 2 has 1.00 GB"));
}

}  // namespace
}  // namespace slipstream
