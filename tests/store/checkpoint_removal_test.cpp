// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/store/checkpoint_removal.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/base/hash.h"
#include "engine/store/checkpoint_store.h"
#include "tests/support/staged_run.h"
#include "tests/support/temporary_folder.h"

namespace slipstream {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

/// Checkpoints of the steps 100, which a stage starts from, and 120, of 400 kB each.
class CheckpointRemovalTest : public ::testing::Test {
 protected:
  CheckpointRemovalTest() {
    for (const std::int64_t step : {100, 120}) keep(step);
  }
  void keep(std::int64_t step) {
    const auto checkpoints = std::move(CheckpointStore::openToWrite(folder.path(), run).value());
    const std::vector<std::byte> bytes(400'000, static_cast<std::byte>(step));
    const std::string hash = sha256(std::span<const std::byte>(bytes));
    checkpoints->begin();
    checkpoints->addPart(hash, 0, bytes);
    const std::int64_t added =
        checkpoints->complete({step, 1, true, "", {{"weight", "F32", {100'000}, -1, hash, std::ssize(bytes)}}});
    store->addCheckpoint(run, {step, 1, true, added, added, 7});
  }
  std::vector<std::int64_t> steps() {
    return std::move(CheckpointStore::openToRead(folder.path(), run).value())->steps();
  }
  std::string refusal(std::int64_t step) {
    const Status deleted = deleteCheckpoint(*store, run, step);
    return deleted ? "" : toText(deleted.error());
  }

  test::TemporaryFolder folder;
  std::unique_ptr<RunStore> store = test::openStore(folder.path());
  const std::string run = test::recordStagedRun(*store, test::StagedRun{});
};

TEST_F(CheckpointRemovalTest, GivesTheDiskItsRoomBack) {
  const auto before = std::filesystem::file_size(checkpointFile(folder.path(), run));
  ASSERT_EQ(refusal(100), "");
  EXPECT_LE(std::filesystem::file_size(checkpointFile(folder.path(), run)), before - 300'000);
  EXPECT_THAT(steps(), ElementsAre(120));
  ASSERT_EQ(store->checkpoints(run).size(), 1U);
  EXPECT_EQ(store->checkpoints(run).front().step, 120);
  EXPECT_TRUE(std::move(CheckpointStore::openToRead(folder.path(), run).value())->verify().empty());
}

TEST_F(CheckpointRemovalTest, ALivingRunKeepsAll) {
  store->setSupervisor(run, thisProcess());
  store->setState(run, RunState::running, "");
  EXPECT_THAT(refusal(120), HasSubstr("stop the run first"));
  EXPECT_THAT(steps(), ElementsAre(100, 120));
}

TEST_F(CheckpointRemovalTest, WhatALaterStageStartsFromStaysUntilTheRunIsDone) {
  store->setState(run, RunState::stopped, "");
  EXPECT_THAT(refusal(100), HasSubstr("a later stage of the run starts from it"));
  EXPECT_EQ(refusal(120), "");
  store->setState(run, RunState::done, "");
  EXPECT_EQ(refusal(100), "");
}

TEST_F(CheckpointRemovalTest, AStepWithoutACheckpointIsRefused) {
  EXPECT_THAT(refusal(101), HasSubstr("no checkpoint of this step"));
  EXPECT_THAT(steps(), ElementsAre(100, 120));
}

}  // namespace
}  // namespace slipstream
