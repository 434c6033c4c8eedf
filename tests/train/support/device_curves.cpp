// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/train/support/device_curves.h"

#include <gtest/gtest.h>

#include "tests/train/support/thread_run.h"

namespace slipstream::test {
namespace {

RunPlan onDevice(RunPlan plan, const DeviceKind& kind) {
  plan.experiment.device = kind.name;
  for (StagePlan& stage : plan.stages) stage.experiment.device = kind.name;
  return plan;
}

}  // namespace

void expectTheCpusCurves(const RunPlan& plan, const DeviceKind& kind, double tolerance) {
  MemoryStore cpu;
  trainRanks(cpu, plan);
  const RunPlan there = onDevice(plan, kind);
  MemoryStore device;
  trainRanks(device, there);
  for (const char* metric : {"loss", "evaluation_loss"}) {
    const auto expected = cpu.meanOf(metric);
    const auto found = device.meanOf(metric);
    ASSERT_FALSE(expected.empty());
    ASSERT_EQ(found.size(), expected.size());
    for (std::size_t i = 0; i < found.size(); ++i) EXPECT_NEAR(found[i], expected[i], tolerance) << metric << " " << i;
  }
  const auto bits = hashesAt(device, plan.totalSteps);
  EXPECT_FALSE(bits.empty());
  trainRanks(device, there, 2);
  EXPECT_EQ(hashesAt(device, plan.totalSteps), bits) << "resumed";
}

}  // namespace slipstream::test
