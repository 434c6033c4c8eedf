// SPDX-License-Identifier: GPL-3.0-or-later
// Training as on a GPU, on a device whose memory ends the process that touches it and whose layers are the GPU's in
// loops on the host: all of a step's way through a GPU's memory but the GPU's own arithmetic.
#include <gtest/gtest.h>

#include "tests/train/cuda/protected_gpu.h"
#include "tests/train/support/protected_cases.h"
#include "tests/train/support/thread_run.h"

namespace slipstream {
namespace {

using test::MemoryStore;

/// Sums in another order differ in the last bit, and training carries that on. Measured over the four steps: losses of
/// about 2.4 come within 4.1e-7 of each other, whatever the algorithm; ten times as much is left to other processors,
/// whose CPU kernels add in yet another order.
constexpr double roundingOfFourSteps = 4e-6;
/// BFGS divides differences of gradients by how far it went, so that each of its steps multiplies a difference by about
/// eight: 3e-7, 4e-6, 3e-5 and 1e-4 were measured.
constexpr double roundingOfBfgs = 1e-3;

/// Trains on both, and on the protected device on from step 2. `tolerance`: of losses.
void expectTheCpusCurves(const RunPlan& plan, double tolerance, TrainingTools (*tools)(test::ProtectedDevice&)) {
  MemoryStore cpu;
  cpu.withholdsMemory = true;
  test::trainRanks(cpu, plan);
  MemoryStore gpu;
  test::trainProtectedRanks(gpu, plan, {.tools = tools});
  for (const char* metric : {"loss", "evaluation_loss"}) {
    const auto expected = cpu.meanOf(metric);
    const auto found = gpu.meanOf(metric);
    ASSERT_FALSE(expected.empty());
    ASSERT_EQ(found.size(), expected.size());
    for (std::size_t i = 0; i < found.size(); ++i) EXPECT_NEAR(found[i], expected[i], tolerance) << metric << " " << i;
  }
  const auto bits = test::hashesAt(gpu, plan.totalSteps);
  EXPECT_FALSE(bits.empty());
  test::trainProtectedRanks(gpu, plan, {.fromStep = 2, .tools = tools});
  EXPECT_EQ(test::hashesAt(gpu, plan.totalSteps), bits) << "resumed";
}

class ProtectedGpuTraining : public testing::TestWithParam<test::ProtectedCase> {};

TEST_P(ProtectedGpuTraining, GoesTheCpusWay) {
  expectTheCpusCurves(test::protectedPlan(GetParam().changes), roundingOfFourSteps, test::protectedGpuTools);
}

INSTANTIATE_TEST_SUITE_P(Algorithms, ProtectedGpuTraining, testing::ValuesIn(test::protectedCases()),
                         [](const auto& parameter) { return parameter.param.name; });

class ProtectedGpuTrainingInFp16 : public testing::TestWithParam<test::ProtectedCase> {};

/// The CPU's in fp32: fused convolutions below what may spoil what their batch norms share.
TEST_P(ProtectedGpuTrainingInFp16, GoesTheCpusWay) {
  expectTheCpusCurves(test::protectedPlan(GetParam().changes), 5e-3, test::protectedGpuToolsInFp16);
}

std::vector<test::ProtectedCase> casesForFp16() {
  std::vector<test::ProtectedCase> chosen;
  for (const test::ProtectedCase& one : test::protectedCases()) {
    const std::string name = one.name;
    const bool tells = name == "less_bn" || name == "grad_freeze" || name == "loss_scale" || name == "micro_batches" ||
                       name == "level3";
    if (tells) chosen.push_back(one);
  }
  return chosen;
}

INSTANTIATE_TEST_SUITE_P(Algorithms, ProtectedGpuTrainingInFp16, testing::ValuesIn(casesForFp16()),
                         [](const auto& parameter) { return parameter.param.name; });

class ProtectedGpuStages : public testing::TestWithParam<const char*> {};

TEST_P(ProtectedGpuStages, GoTheCpusWay) {
  expectTheCpusCurves(test::stagedProtectedPlan(GetParam()), roundingOfBfgs, test::protectedGpuTools);
}

/// Trial losses along a line between forward and backward, and statistics that are refreshed without backward.
TEST_P(ProtectedGpuStages, GoTheCpusWayInFp16) {
  expectTheCpusCurves(test::stagedProtectedPlan(GetParam()), 5e-3, test::protectedGpuToolsInFp16);
}

INSTANTIATE_TEST_SUITE_P(Methods, ProtectedGpuStages, testing::Values("bfgs"),
                         [](const auto& parameter) { return std::string(parameter.param); });

}  // namespace
}  // namespace slipstream
