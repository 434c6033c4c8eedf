// Training as on a GPU, on a device whose memory ends the process that touches it and whose layers are the GPU's in
// loops on the host: all of a step's way through a GPU's memory but the GPU's own arithmetic.
#include <gtest/gtest.h>

#include "tests/train/gpu/locked_gpu.h"
#include "tests/train/locked_cases.h"
#include "tests/train/thread_run.h"

namespace slipstream {
namespace {

using test::MemoryStore;

/// Trains on both, and on the locked device on from step 2.
void expectTheCpusCurves(const RunPlan& plan) {
  MemoryStore cpu;
  cpu.withholdsMemory = true;
  test::trainRanks(cpu, plan);
  MemoryStore gpu;
  test::trainLockedRanks(gpu, plan, std::nullopt, test::lockedGpuTools);
  for (const char* metric : {"loss", "evaluation_loss"}) {
    const auto expected = cpu.meanOf(metric);
    const auto found = gpu.meanOf(metric);
    ASSERT_FALSE(expected.empty());
    ASSERT_EQ(found.size(), expected.size());
    for (std::size_t i = 0; i < found.size(); ++i) EXPECT_NEAR(found[i], expected[i], 2e-4) << metric << " " << i;
  }
  const auto bits = test::hashesAt(gpu, plan.totalSteps);
  EXPECT_FALSE(bits.empty());
  test::trainLockedRanks(gpu, plan, 2, test::lockedGpuTools);
  EXPECT_EQ(test::hashesAt(gpu, plan.totalSteps), bits) << "resumed";
}

class GpuTraining : public testing::TestWithParam<test::LockedCase> {};

TEST_P(GpuTraining, GoesTheCpusWay) {
  expectTheCpusCurves(test::lockedPlan(GetParam().changes));
}

INSTANTIATE_TEST_SUITE_P(Algorithms, GpuTraining, testing::ValuesIn(test::lockedCases()),
                         [](const auto& parameter) { return parameter.param.name; });

class GpuStages : public testing::TestWithParam<const char*> {};

TEST_P(GpuStages, GoTheCpusWay) {
  expectTheCpusCurves(test::stagedLockedPlan(GetParam()));
}

INSTANTIATE_TEST_SUITE_P(Methods, GpuStages, testing::Values("bfgs"),
                         [](const auto& parameter) { return std::string(parameter.param); });

}  // namespace
}  // namespace slipstream
