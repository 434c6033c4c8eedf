// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/store/verified_checkpoint.h"

#include <fstream>

#include <SQLiteCpp/SQLiteCpp.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/base/files.h"
#include "engine/base/hash.h"
#include "tests/support/sample_run.h"
#include "tests/support/temporary_folder.h"

namespace slipstream {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

/// A run with checkpoints of the steps 10, 20 (weights only), 30 and 40, each with a tensor of its own.
class VerifiedCheckpointTest : public ::testing::Test {
 protected:
  VerifiedCheckpointTest() {
    const auto checkpoints = CheckpointStore::openToWrite(folder.path(), run).value();
    for (const std::int64_t step : {10, 20, 30, 40}) {
      const std::vector<std::byte> bytes(40'000, static_cast<std::byte>(step));
      const std::string hash = sha256(std::span<const std::byte>(bytes));
      CheckpointManifest manifest{step, 1, step != 20, "", {{"w", "F32", {10'000}, -1, hash, 40'000}}};
      checkpoints->begin();
      checkpoints->addPart(hash, 0, bytes);
      checkpoints->complete(manifest);
      store->addCheckpoint(run, {step, 1, manifest.full, 40'000, 40'000, 1});
    }
  }
  void damage(std::int64_t step) {
    SQLite::Database raw(file.string(), SQLite::OPEN_READWRITE);
    raw.exec("UPDATE part SET data = zeroblob(40000) WHERE hash IN (SELECT hash FROM tensor WHERE step = " +
             std::to_string(step) + ")");
  }
  std::string refusal(std::int64_t step) {
    const auto opened = openVerifiedCheckpoint(*store, run, step);
    return opened ? "opened" : toText(opened.error());
  }

  test::TemporaryFolder folder;
  std::unique_ptr<RunStore> store = test::openStore(folder.path());
  const std::string run = store->createRun(test::sampleRun());
  const std::filesystem::path file = checkpointFile(folder.path(), run);
};

TEST_F(VerifiedCheckpointTest, IsReadToItsEnd) {
  const auto opened = openVerifiedCheckpoint(*store, run, 30);
  ASSERT_TRUE(opened) << toText(opened.error());
  EXPECT_EQ(opened->manifest.step, 30);
  EXPECT_EQ(opened->store->read(opened->manifest.tensors.at(0).hash).size(), 40'000U);
}

TEST_F(VerifiedCheckpointTest, ADamagedOneNamesTheFileAndTheSoundOnes) {
  damage(40);
  EXPECT_THAT(refusal(40), AllOf(HasSubstr(file.string()), HasSubstr("tensor w"), HasSubstr("sound: 10, 30")));
  EXPECT_EQ(refusal(30), "opened");
  damage(30);
  EXPECT_THAT(refusal(40), Not(HasSubstr("sound: 10, 30"))) << "paths and hashes may hold any digits";
  EXPECT_THAT(refusal(40), HasSubstr("sound: 10"));
}

TEST_F(VerifiedCheckpointTest, SaysWhereNoneIsSound) {
  for (const std::int64_t step : {10, 30, 40}) damage(step);
  EXPECT_THAT(refusal(40), HasSubstr("no other checkpoint of the run is sound"));
}

TEST_F(VerifiedCheckpointTest, AMissingFileIsNotMade) {
  std::filesystem::remove(file);
  EXPECT_THAT(refusal(40), HasSubstr(file.string() + ": there is no checkpoint file here"));
  EXPECT_FALSE(std::filesystem::exists(file));
}

TEST_F(VerifiedCheckpointTest, AFileThatIsNoneIsLeftAsItIs) {
  for (const std::string content : {"", "a letter", "SQLite format 3"}) {
    std::ofstream(file, std::ios::trunc) << content;
    EXPECT_THAT(refusal(40), HasSubstr(file.string())) << content;
    EXPECT_EQ(readFile(file).value(), content);
  }
}

TEST_F(VerifiedCheckpointTest, ATruncatedFileIsDamaged) {
  std::filesystem::resize_file(file, 200'000);
  EXPECT_THAT(refusal(40), AllOf(HasSubstr(file.string()), HasSubstr("damaged")));
}

}  // namespace
}  // namespace slipstream
