// SPDX-License-Identifier: GPL-3.0-or-later
// Training with whole passes from recordings: the bits of training call by call, whatever changes from step to step.
#include <algorithm>

#include <gtest/gtest.h>

#include "tests/train/cuda/protected_gpu.h"
#include "tests/train/support/protected_cases.h"
#include "tests/train/support/thread_run.h"

namespace slipstream {
namespace {

using test::MemoryStore;

struct RecordedCase {
  const char* name;
  const char* changes;  ///< a merge patch of the experiment, which has one rank and nine steps
  int recordings;       ///< of rank 0: forward and backward of each number of samples, and forward in evaluation
  const char* grows;    ///< a metric that shows that the change happened; null: none does
};

/// An epoch of one rank has two batches of 4 and one of 2.
constexpr const char* base = R"({
  "dataset": {"train_samples": 10, "evaluation_samples": 8, "drop_remainder": false},
  "parallel": {"ranks": 1},
  "train": {"steps": 9, "evaluate_every_steps": 4, "checkpoint": {"save_checkpoint_steps": 6}}})";

class RecordedTraining : public testing::TestWithParam<RecordedCase> {
 protected:
  static RunPlan plan() {
    auto changes = nlohmann::json::parse(base);
    changes.merge_patch(nlohmann::json::parse(GetParam().changes));
    RunPlan plan = test::protectedPlan(changes.dump().c_str());
    plan.experiment.device = "cuda";  // for half precision; no plan is made for a GPU where there is none
    return plan;
  }
};

TEST_P(RecordedTraining, EndsWithTheBitsOfCallByCall) {
  const RunPlan planned = plan();
  MemoryStore callByCall;
  const auto none =
      test::trainProtectedRanks(callByCall, planned, {.tools = test::protectedGpuTools, .records = false});
  EXPECT_EQ(none.recordings, 0);
  MemoryStore recorded;
  const auto work = test::trainProtectedRanks(recorded, planned, {.tools = test::protectedGpuTools});
  EXPECT_EQ(work.recordings, GetParam().recordings);
  EXPECT_GE(work.launches, work.recordings);

  const auto bits = test::hashesAt(callByCall, planned.totalSteps);
  EXPECT_FALSE(bits.empty());
  EXPECT_EQ(test::hashesAt(recorded, planned.totalSteps), bits);
  for (const char* metric : {"loss", "evaluation_loss", "loss_scale", "skipped_updates", "freeze_index"}) {
    EXPECT_EQ(recorded.meanOf(metric), callByCall.meanOf(metric)) << metric;
  }
  if (GetParam().grows != nullptr) {
    EXPECT_GT(std::ranges::max(recorded.meanOf(GetParam().grows)), 0);
  }
  test::trainProtectedRanks(recorded, planned, {.fromStep = 6, .tools = test::protectedGpuTools});
  EXPECT_EQ(test::hashesAt(recorded, planned.totalSteps), bits) << "resumed";
}

INSTANTIATE_TEST_SUITE_P(
    Changes, RecordedTraining,
    testing::Values(
        RecordedCase{"one_rank", "{}", 5, nullptr},
        RecordedCase{"micro_batches_and_frozen_layers",
                     R"({"train": {"micro_size": 2}, "boost": {"dictionary": {"boost": {"grad_freeze": true},
                        "grad_freeze": {"param_groups": 3, "freeze_p": 0.7}}}})",
                     9, "freeze_index"},
        RecordedCase{"accumulated_steps",
                     R"({"boost": {"dictionary": {"boost": {"grad_accumulation": true},
                        "grad_accumulation": {"grad_accumulation_step": 2}}}})",
                     6, nullptr},
        RecordedCase{"overflows_in_half_precision",
                     R"({"optimizer": {"grad_centralization": true}, "precision": {"amp_level": "O2",
                        "loss_scale": {"kind": "dynamic", "scale": 1e9, "factor": 16, "window": 2}}})",
                     5, "skipped_updates"},
        RecordedCase{"two_ranks", R"({"parallel": {"ranks": 2}})", 3, nullptr},
        RecordedCase{"two_ranks_without_overlap", R"({"parallel": {"ranks": 2, "overlap": false}})", 5, nullptr},
        RecordedCase{"gradients_in_passing",
                     R"({"parallel": {"ranks": 2, "optimizer_parallel": {"level": "level2", "threshold": 1}}})", 3,
                     nullptr},
        RecordedCase{"weights_in_passing",
                     R"({"parallel": {"ranks": 2, "optimizer_parallel": {"level": "level3", "threshold": 1}}})", 0,
                     nullptr}),
    [](const auto& parameter) { return std::string(parameter.param.name); });

}  // namespace
}  // namespace slipstream
