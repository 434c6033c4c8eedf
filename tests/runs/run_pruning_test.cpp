// SPDX-License-Identifier: GPL-3.0-or-later
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/analysis/run_results.h"
#include "engine/base/hash.h"
#include "engine/runs/run_removal.h"
#include "engine/store/checkpoint_store.h"
#include "tests/support/damaged_values.h"
#include "tests/support/finished_runs.h"
#include "tests/support/temporary_folder.h"

namespace slipstream {
namespace {

using test::FinishedRun;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

class RunPruningTest : public testing::Test {
 protected:
  std::string add(const std::string& variant, RunState state) {
    const std::string id = test::recordRun(*store_, FinishedRun{variant, 1, 0.9, 40});
    const auto checkpoints = CheckpointStore::openToWrite(folder_.path(), id).value();
    for (const std::int64_t step : {10, 20, 30, 40}) {
      const std::string bytes(1000, static_cast<char>('a' + step / 10));
      const auto span = std::as_bytes(std::span(bytes));
      checkpoints->begin();
      checkpoints->addPart(sha256(span), 0, span);
      checkpoints->complete({step, 1, true, "", {{"w", "F32", {250}, -1, sha256(span), 1000}}});
      store_->addCheckpoint(id, {step, 1, true, 1000, 1000, 7});
    }
    store_->setState(id, state, "");
    return id;
  }
  std::vector<std::int64_t> stepsOf(const std::string& id) {
    std::vector<std::int64_t> steps;
    for (const CheckpointRow& row : store_->checkpoints(id)) steps.push_back(row.step);
    return steps;
  }

  test::TemporaryFolder folder_;
  std::unique_ptr<RunStore> store_ = test::openStore(folder_.path());
  const std::string done_ = add("done", RunState::done);
  const std::string failed_ = add("failed", RunState::failed);
  const std::string pinned_ = add("pinned", RunState::failed);
};

TEST_F(RunPruningTest, FailedRunsGoAsAWholeAndPinnedOnesStay) {
  store_->setLabel(pinned_, {"", "", {}, true, false});
  const auto all = prunable(*store_, store_->heads(), {true, std::nullopt});
  ASSERT_EQ(all.size(), 1U);
  EXPECT_EQ(all[0].run.id, failed_);
  EXPECT_TRUE(all[0].wholeRun);
  EXPECT_GE(all[0].bytes, 4000);
  ASSERT_TRUE(store_->find(failed_)) << "asking removes nothing";
  ASSERT_TRUE(prune(*store_, all[0]));
  EXPECT_FALSE(store_->find(failed_));
  EXPECT_FALSE(std::filesystem::exists(checkpointFile(folder_.path(), failed_)));
}

TEST_F(RunPruningTest, OlderCheckpointsGo) {
  const auto all = prunable(*store_, {*store_->find(done_)}, {false, 1});
  ASSERT_EQ(all.size(), 1U);
  EXPECT_THAT(all[0].checkpointSteps, ElementsAre(10, 20, 30));
  EXPECT_EQ(all[0].bytes, 3000) << "every tensor is a checkpoint's own";
  const auto before = std::filesystem::file_size(checkpointFile(folder_.path(), done_));
  ASSERT_TRUE(prune(*store_, all[0]));
  EXPECT_THAT(stepsOf(done_), ElementsAre(40));
  EXPECT_TRUE(CheckpointStore::openToRead(folder_.path(), done_).value()->manifest(40));
  EXPECT_LE(std::filesystem::file_size(checkpointFile(folder_.path(), done_)), before);
  EXPECT_THAT(prunable(*store_, {*store_->find(done_)}, {false, 1}), IsEmpty()) << "twice is once";
  EXPECT_THAT(prunable(*store_, {*store_->find(done_)}, {false, 9}), IsEmpty());
}

TEST_F(RunPruningTest, LivingRunsAreLeftAlone) {
  store_->setState(failed_, RunState::running, "");
  store_->setState(pinned_, RunState::queued, "");
  EXPECT_THAT(prunable(*store_, {*store_->find(failed_), *store_->find(pinned_)}, {true, 1}), IsEmpty());
}

TEST_F(RunPruningTest, ResultsAreTheLastOfEach) {
  const RunResults results = resultsOf(*store_, done_);
  EXPECT_EQ(results.steps, 40);
  EXPECT_DOUBLE_EQ(results.accuracy.value(), 0.9);
  EXPECT_NEAR(results.seconds.value(), 0.4, 1e-9);
  EXPECT_GT(results.loss.value(), 0.0);
  EXPECT_FALSE(results.testLoss);
  test::damageValues(*store_, done_, "loss");
  EXPECT_FALSE(resultsOf(*store_, done_).loss);
  EXPECT_TRUE(resultsOf(*store_, done_).accuracy);
}

}  // namespace
}  // namespace slipstream
