// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/runs/run_removal.h"

#include <gtest/gtest.h>

#include "engine/base/files.h"
#include "engine/store/checkpoint_store.h"
#include "tests/support/finished_runs.h"
#include "tests/support/temporary_folder.h"

namespace slipstream {
namespace {

using test::FinishedRun;

TEST(RunRemoval, TakesRowsCheckpointsAndLogsOfThatRunAlone) {
  const test::TemporaryFolder folder;
  const auto store = test::openStore(folder.path());
  const std::string gone = test::recordRun(*store, FinishedRun{"mean"});
  const std::string kept = test::recordRun(*store, FinishedRun{"adasum"});
  store->setLabel(gone, {"title", "", {}, false, false});
  ASSERT_TRUE(CheckpointStore::openToWrite(folder.path(), gone));
  const std::filesystem::path log = folder.path() / "logs" / gone / "attempt-1" / "1" / "rank.0";
  ASSERT_TRUE(makeFolder(log));
  ASSERT_TRUE(writeFile(log / "stderr", "0123456789"));

  const RunSize size = sizeOfRun(*store, gone);
  EXPECT_EQ(size.logs, 10);
  EXPECT_EQ(size.checkpoints,
            static_cast<std::int64_t>(std::filesystem::file_size(checkpointFile(folder.path(), gone))));
  EXPECT_GT(size.metrics, 1000);
  EXPECT_EQ(size.total(), size.logs + size.checkpoints + size.metrics);

  const std::size_t keptSteps = store->series(kept, "loss").steps.size();
  ASSERT_TRUE(removeRun(*store, gone));
  EXPECT_FALSE(store->find(gone));
  EXPECT_TRUE(store->labels().empty());
  EXPECT_FALSE(std::filesystem::exists(checkpointFile(folder.path(), gone)));
  EXPECT_FALSE(std::filesystem::exists(folder.path() / "logs" / gone));
  EXPECT_EQ(store->series(kept, "loss").steps.size(), keptSteps);
  EXPECT_TRUE(store->verify().empty());
}

TEST(RunRemoval, RefusesALivingRunAndAnUnknownOne) {
  const test::TemporaryFolder folder;
  const auto store = test::openStore(folder.path());
  const std::string id = store->createRun(test::sampleRun());
  store->setSupervisor(id, thisProcess());
  const Status refused = removeRun(*store, id);
  ASSERT_FALSE(refused);
  EXPECT_NE(toText(refused.error()).find("stop it first"), std::string::npos);
  EXPECT_TRUE(store->find(id));
  EXPECT_FALSE(removeRun(*store, "nobody"));
}

}  // namespace
}  // namespace slipstream
