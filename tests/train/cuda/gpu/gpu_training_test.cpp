// SPDX-License-Identifier: GPL-3.0-or-later
// Training on a real GPU: the CPU's curves with every algorithm, and the same bits each time. Where there is no GPU,
// each test is skipped and says why.
#include <gtest/gtest.h>

#include "engine/base/error.h"
#include "engine/cuda/cuda_device.h"
#include "tests/train/support/device_curves.h"
#include "tests/train/support/protected_cases.h"
#include "tests/train/support/thread_run.h"

namespace slipstream {
namespace {

/// Convolutions and sums add in another order than the CPU's. Losses are about 2.4. Not measured on a GPU yet.
constexpr double roundingOfFourSteps = 1e-4;
/// BFGS multiplies a difference by about eight in each of its steps. Not measured on a GPU yet.
constexpr double roundingOfBfgs = 1e-2;

void expectTheCpusCurvesOnGpu(const RunPlan& plan, double tolerance) {
  const auto gpus = listCudaGpus();
  if (!gpus) GTEST_SKIP() << toText(gpus.error());
  test::expectTheCpusCurves(plan, cudaKind(), tolerance);
}

class GpuTraining : public testing::TestWithParam<test::ProtectedCase> {};

TEST_P(GpuTraining, GoesTheCpusWay) {
  expectTheCpusCurvesOnGpu(test::protectedPlan(GetParam().changes), roundingOfFourSteps);
}

INSTANTIATE_TEST_SUITE_P(Algorithms, GpuTraining, testing::ValuesIn(test::protectedCases()),
                         [](const auto& parameter) { return parameter.param.name; });

class GpuStages : public testing::TestWithParam<int> {};

TEST_P(GpuStages, GoTheCpusWay) {
  expectTheCpusCurvesOnGpu(test::stagedProtectedPlan("bfgs", GetParam()), roundingOfBfgs);
}

INSTANTIATE_TEST_SUITE_P(Ranks, GpuStages, testing::Values(1, 2, 3, 8));

/// What depends on the number of ranks; the cases of Algorithms have 3 or 4.
class GpuTrainingRanks : public testing::TestWithParam<std::tuple<int, const char*>> {};

TEST_P(GpuTrainingRanks, GoTheCpusWay) {
  const auto& [ranks, changes] = GetParam();
  auto all = nlohmann::json::parse(changes);
  all["parallel"]["ranks"] = ranks;
  expectTheCpusCurvesOnGpu(test::protectedPlan(all.dump().c_str()), roundingOfFourSteps);
}

INSTANTIATE_TEST_SUITE_P(
    Counts, GpuTrainingRanks,
    testing::Combine(testing::Values(1, 2, 8),
                     testing::Values("{}",
                                     R"({"parallel": {"optimizer_parallel": {"level": "level1", "threshold": 1}}})",
                                     R"({"parallel": {"optimizer_parallel": {"level": "level3", "threshold": 1}}})",
                                     R"({"train": {"micro_size": 2}})",
                                     R"({"boost": {"dictionary": {"boost": {"adasum": true}}}})")));

}  // namespace
}  // namespace slipstream
