// SPDX-License-Identifier: GPL-3.0-or-later
// Training with the NPU's kernels, which the twin runs on the host: the CPU's curves, and the same bits each time.
#include <gtest/gtest.h>

#include "tests/train/support/device_curves.h"
#include "tests/train/support/protected_cases.h"

namespace slipstream {
namespace {

/// The NPU's kernels add in another order than the CPU's and have no double: measured over the four steps, losses of
/// about 2.4 come within 1e-6 of each other. More is left to other processors, whose CPU kernels differ too.
constexpr double roundingOfFourSteps = 1e-5;
/// BFGS multiplies a difference by about eight in each of its steps.
constexpr double roundingOfBfgs = 1e-3;

void expectTheCpusCurvesOnTwin(const RunPlan& plan, double tolerance) {
  test::expectTheCpusCurves(plan, npuTwinKind(), tolerance);
}

class NpuTwinTraining : public testing::TestWithParam<test::ProtectedCase> {};

TEST_P(NpuTwinTraining, GoesTheCpusWay) {
  expectTheCpusCurvesOnTwin(test::protectedPlan(GetParam().changes), roundingOfFourSteps);
}

INSTANTIATE_TEST_SUITE_P(Algorithms, NpuTwinTraining, testing::ValuesIn(test::protectedCases()),
                         [](const auto& parameter) { return parameter.param.name; });

class NpuTwinStages : public testing::TestWithParam<int> {};

TEST_P(NpuTwinStages, GoTheCpusWay) {
  expectTheCpusCurvesOnTwin(test::stagedProtectedPlan("bfgs", GetParam()), roundingOfBfgs);
}

INSTANTIATE_TEST_SUITE_P(Ranks, NpuTwinStages, testing::Values(1, 2, 3, 8));

/// What depends on the number of ranks; the cases of Algorithms have 3 or 4.
class NpuTwinRanks : public testing::TestWithParam<std::tuple<int, const char*>> {};

TEST_P(NpuTwinRanks, GoTheCpusWay) {
  const auto& [ranks, changes] = GetParam();
  auto all = nlohmann::json::parse(changes);
  all["parallel"]["ranks"] = ranks;
  expectTheCpusCurvesOnTwin(test::protectedPlan(all.dump().c_str()), roundingOfFourSteps);
}

INSTANTIATE_TEST_SUITE_P(
    Counts, NpuTwinRanks,
    testing::Combine(testing::Values(1, 2, 8),
                     testing::Values("{}",
                                     R"({"parallel": {"optimizer_parallel": {"level": "level1", "threshold": 1}}})",
                                     R"({"parallel": {"optimizer_parallel": {"level": "level2", "threshold": 1}}})",
                                     R"({"parallel": {"optimizer_parallel": {"level": "level3", "threshold": 1}}})",
                                     R"({"train": {"micro_size": 2}})",
                                     R"({"precision": {"loss_scale": {"kind": "dynamic", "scale": 1024}},
                                         "boost": {"level": "O2", "dictionary": {"boost": {"less_bn": true,
                                         "grad_accumulation": true}, "grad_accumulation": {"grad_accumulation_step": 2}}}})",
                                     R"({"boost": {"dictionary": {"boost": {"adasum": true}}}})")));

}  // namespace
}  // namespace slipstream
