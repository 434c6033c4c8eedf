// SPDX-License-Identifier: GPL-3.0-or-later
// Training on a device whose memory ends the process that touches it: wherever the engine takes a GPU's memory for the
// host's, a test here dies. And what comes out is what the CPU makes of the same experiment, bit for bit.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/base/error.h"
#include "tests/train/support/protected_cases.h"
#include "tests/train/support/protected_tools.h"
#include "tests/train/support/thread_run.h"

namespace slipstream {
namespace {

using test::MemoryStore;

/// Trains on the protected device and on the CPU without shared memory, and on from step 2.
void expectTheBitsOfTheCpu(const RunPlan& plan) {
  MemoryStore cpu;
  cpu.withholdsMemory = true;
  test::trainRanks(cpu, plan);
  MemoryStore onProtected;
  test::trainProtectedRanks(onProtected, plan);
  const auto expected = test::hashesAt(cpu, plan.totalSteps);
  EXPECT_FALSE(expected.empty());
  EXPECT_EQ(test::hashesAt(onProtected, plan.totalSteps), expected);
  EXPECT_EQ(onProtected.meanOf("loss"), cpu.meanOf("loss"));
  EXPECT_EQ(onProtected.meanOf("evaluation_loss"), cpu.meanOf("evaluation_loss"));
  test::trainProtectedRanks(onProtected, plan, {.fromStep = 2});
  EXPECT_EQ(test::hashesAt(onProtected, plan.totalSteps), expected) << "resumed";
}

class ProtectedTraining : public testing::TestWithParam<test::ProtectedCase> {};

TEST_P(ProtectedTraining, EndsWithTheBitsOfTheCpu) {
  expectTheBitsOfTheCpu(test::protectedPlan(GetParam().changes));
}

INSTANTIATE_TEST_SUITE_P(Algorithms, ProtectedTraining, testing::ValuesIn(test::protectedCases()),
                         [](const auto& parameter) { return parameter.param.name; });

/// Sums that travelled otherwise may have other bits.
TEST(ProtectedResume, OnAnotherRouteIsRefused) {
  const RunPlan plan = test::protectedPlan();
  MemoryStore store;
  store.withholdsMemory = true;
  test::trainProtectedRanks(store, plan);
  EXPECT_THAT([&] { test::trainRanks(store, plan, 2); },
              testing::ThrowsMessage<Error>(testing::HasSubstr("exchanged by `messages, staged`")));
}

class ProtectedStages : public testing::TestWithParam<const char*> {};

TEST_P(ProtectedStages, EndWithTheBitsOfTheCpu) {
  expectTheBitsOfTheCpu(test::stagedProtectedPlan(GetParam()));
}

INSTANTIATE_TEST_SUITE_P(Methods, ProtectedStages, testing::Values("bfgs", "sgd"),
                         [](const auto& parameter) { return std::string(parameter.param); });

}  // namespace
}  // namespace slipstream
