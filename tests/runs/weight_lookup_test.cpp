// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/runs/weight_lookup.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/base/hash.h"
#include "engine/store/verified_checkpoint.h"
#include "tests/support/staged_run.h"
#include "tests/support/temporary_folder.h"

namespace slipstream {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

/// Of a run of stages: snapshots of the steps 90 and 100, checkpoints of 100 and 120. All share tensor `frozen`; the
/// two of step 100 share their weights.
class WeightLookupTest : public ::testing::Test {
 protected:
  WeightLookupTest() {
    keep(90, true, "b");
    keep(100, true, "c");
    keep(100, false, "c");
    keep(120, false, "d");
  }
  void keep(std::int64_t step, bool snapshot, const std::string& content) {
    checkpoints->begin();
    CheckpointManifest manifest{step, 1, true, "", {}, snapshot};
    for (const auto& [name, letter, size] :
         {std::tuple{"frozen", std::string("a"), 100}, std::tuple{"weight", content, 1000}}) {
      const std::string bytes(static_cast<std::size_t>(size), letter.front());
      const auto span = std::as_bytes(std::span(bytes));
      if (!checkpoints->has(sha256(span))) checkpoints->addPart(sha256(span), 0, span);
      manifest.tensors.push_back({name, "F32", {size / 4}, -1, sha256(span), size});
    }
    const std::int64_t added = checkpoints->complete(manifest);
    if (!snapshot) store->addCheckpoint(run, {step, 1, true, 1100, added, 7});
  }
  Result<WeightsReference> find(const std::string& reference) { return findWeights(*store, reference); }

  test::TemporaryFolder folder;
  std::unique_ptr<RunStore> store = test::openStore(folder.path());
  const std::string run = test::recordStagedRun(*store, test::StagedRun{});
  std::unique_ptr<CheckpointStore> checkpoints = CheckpointStore::openToWrite(folder.path(), run).value();
};

TEST_F(WeightLookupTest, ListsStageEpochSizeAndWhatIsShared) {
  const auto all = storedWeights(*store, run, parseRunPlan(store->find(run)->planText).value());
  ASSERT_EQ(all.size(), 4U);
  EXPECT_EQ(all[0].kind, WeightsKind::snapshot);
  EXPECT_EQ(all[0].stage, "first");
  EXPECT_DOUBLE_EQ(all[0].epoch, 1.8);
  EXPECT_EQ(all[0].bytes, 1100);
  EXPECT_EQ(all[0].ownBytes, 1000) << "tensor `frozen` is everybody's";
  EXPECT_FALSE(all[0].newBytes);
  EXPECT_EQ(all[1].kind, WeightsKind::snapshot);
  EXPECT_EQ(all[2].kind, WeightsKind::full);
  EXPECT_EQ(all[2].step, 100);
  EXPECT_EQ(all[2].ownBytes, 0);
  EXPECT_EQ(all[2].newBytes, 0);
  EXPECT_EQ(all[3].stage, "second");
  EXPECT_DOUBLE_EQ(all[3].epoch, 0.4);
  EXPECT_EQ(all[3].newBytes, 1000);
}

TEST_F(WeightLookupTest, AreFoundByStep) {
  EXPECT_EQ(find(run)->step, 120);
  EXPECT_FALSE(find(run)->snapshot);
  EXPECT_TRUE(find(run + "@90")->snapshot);
  EXPECT_FALSE(find(run + "@100")->snapshot) << "the checkpoint has the statistics too";
  for (const char* none : {"@91", "@", "@ninety"}) {
    EXPECT_THAT(toText(find(run + none).error()),
                AllOf(HasSubstr("a checkpoint's step: 100, 120"), HasSubstr("a snapshot's: 90, 100")))
        << none;
  }
}

TEST_F(WeightLookupTest, WithoutTheirFileCheckpointsAreStillListed) {
  checkpoints.reset();
  std::filesystem::remove(checkpointFile(folder.path(), run));
  const auto all = storedWeights(*store, run, parseRunPlan(store->find(run)->planText).value());
  ASSERT_EQ(all.size(), 2U);
  EXPECT_FALSE(all[0].ownBytes);
}

TEST_F(WeightLookupTest, ASnapshotIsReadToItsEnd) {
  const auto sound = openVerifiedSnapshot(*store, run, 90);
  ASSERT_TRUE(sound) << toText(sound.error());
  EXPECT_TRUE(sound->manifest.snapshot);
  EXPECT_THAT(toText(openVerifiedSnapshot(*store, run, 120).error()), HasSubstr("snapshot of step 120"));
}

}  // namespace
}  // namespace slipstream
