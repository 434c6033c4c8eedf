// SPDX-License-Identifier: GPL-3.0-or-later
// Training on a device whose memory ends the process that touches it: wherever the engine takes a GPU's memory for the
// host's, a test here dies. And what comes out is what the CPU makes of the same experiment, bit for bit.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/base/error.h"
#include "tests/train/protected_cases.h"
#include "tests/train/protected_tools.h"
#include "tests/train/thread_run.h"

namespace slipstream {
namespace {

using test::MemoryStore;

/// Trains on the locked device and on the CPU without shared memory, and on from step 2.
void expectTheBitsOfTheCpu(const RunPlan& plan) {
  MemoryStore cpu;
  cpu.withholdsMemory = true;
  test::trainRanks(cpu, plan);
  MemoryStore locked;
  test::trainLockedRanks(locked, plan);
  const auto expected = test::hashesAt(cpu, plan.totalSteps);
  EXPECT_FALSE(expected.empty());
  EXPECT_EQ(test::hashesAt(locked, plan.totalSteps), expected);
  EXPECT_EQ(locked.meanOf("loss"), cpu.meanOf("loss"));
  EXPECT_EQ(locked.meanOf("evaluation_loss"), cpu.meanOf("evaluation_loss"));
  test::trainLockedRanks(locked, plan, {.fromStep = 2});
  EXPECT_EQ(test::hashesAt(locked, plan.totalSteps), expected) << "resumed";
}

class LockedTraining : public testing::TestWithParam<test::LockedCase> {};

TEST_P(LockedTraining, EndsWithTheBitsOfTheCpu) {
  expectTheBitsOfTheCpu(test::lockedPlan(GetParam().changes));
}

INSTANTIATE_TEST_SUITE_P(Algorithms, LockedTraining, testing::ValuesIn(test::lockedCases()),
                         [](const auto& parameter) { return parameter.param.name; });

/// Sums that travelled otherwise may have other bits.
TEST(LockedResume, OnAnotherRouteIsRefused) {
  const RunPlan plan = test::lockedPlan();
  MemoryStore store;
  store.withholdsMemory = true;
  test::trainLockedRanks(store, plan);
  EXPECT_THAT([&] { test::trainRanks(store, plan, 2); },
              testing::ThrowsMessage<Error>(testing::HasSubstr("exchanged by `messages, staged`")));
}

class LockedStages : public testing::TestWithParam<const char*> {};

TEST_P(LockedStages, EndWithTheBitsOfTheCpu) {
  expectTheBitsOfTheCpu(test::stagedLockedPlan(GetParam()));
}

INSTANTIATE_TEST_SUITE_P(Methods, LockedStages, testing::Values("bfgs", "sgd"),
                         [](const auto& parameter) { return std::string(parameter.param); });

}  // namespace
}  // namespace slipstream
