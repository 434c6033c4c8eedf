// SPDX-License-Identifier: GPL-3.0-or-later
// Training by thread ranks on NPUs of a fake CANN (tests/npu/fake_cann), which ends the process where code of the host
// touches a device's memory: the CPU's curves, and the same bits each time.
#include <gtest/gtest.h>

#include "tests/train/support/device_curves.h"
#include "tests/train/support/protected_cases.h"

namespace slipstream {
namespace {

/// The NPU's kernels add in another order than the CPU's and have no double, as on the twin, whose tolerance this is.
constexpr double roundingOfFourSteps = 1e-5;

/// Ranks exchange gradients, weights or their differences, which lie in the memory of their device.
class NpuTraining : public testing::TestWithParam<test::ProtectedCase> {};

TEST_P(NpuTraining, GoesTheCpusWay) {
  test::expectTheCpusCurves(test::protectedPlan(GetParam().changes), npuKind(), roundingOfFourSteps);
}

INSTANTIATE_TEST_SUITE_P(
    Exchanges, NpuTraining,
    testing::Values(test::ProtectedCase{"averaged", "{}"},
                    test::ProtectedCase{"level3",
                                        R"({"parallel": {"optimizer_parallel": {"level": "level3", "threshold": 1}}})"},
                    test::ProtectedCase{"adasum_of_deltas",
                                        R"({"boost": {"dictionary": {"boost": {"adasum": true}, "adasum":
                                            {"mode": "deltas", "exchange": "halving"}}}})"}),
    [](const auto& parameter) { return std::string(parameter.param.name); });

}  // namespace
}  // namespace slipstream
