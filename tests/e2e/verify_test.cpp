// SPDX-License-Identifier: GPL-3.0-or-later
// Steps of a run are repeated from its checkpoints, and weights that are not the run's own are found.
#include <csignal>
#include <cstdlib>

#include <SQLiteCpp/SQLiteCpp.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "engine/base/clock.h"
#include "engine/base/files.h"
#include "engine/base/hash.h"
#include "engine/store/checkpoint_store.h"
#include "tests/e2e/program.h"
#include "tests/support/environment_variable.h"

namespace slipstream {
namespace {

using namespace slipstream::test;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

nlohmann::json checkpointedExperiment() {
  nlohmann::json experiment = smallExperiment(30, 10);
  // The rate of a step depends on how many there are to come: a run that only ends early must not have another.
  experiment["optimizer"]["learning_rate"] = {{"mode", "linear"}, {"lr_init", 0}, {"lr_max", 0.05}, {"lr_end", 0}};
  return experiment;
}

/// Gives the stored tensor another last bit and the hash that belongs to it, as whoever cheats would.
void alterTensor(const Sandbox& sandbox, const std::string& runId, std::int64_t step, const std::string& name) {
  const auto checkpoints = CheckpointStore::openToWrite(sandbox.storeFolder(), runId).value();
  CheckpointManifest manifest = checkpoints->manifest(step).value();
  for (TensorRecord& tensor : manifest.tensors) {
    if (tensor.name != name) continue;
    std::vector<std::byte> bytes = checkpoints->read(tensor.hash);
    bytes[0] ^= std::byte{1};
    tensor.hash = sha256(std::span<const std::byte>(bytes));
    checkpoints->begin();
    checkpoints->addPart(tensor.hash, 0, bytes);
  }
  checkpoints->complete(manifest);
}

std::string firstWeight(const Sandbox& sandbox, const std::string& runId, std::int64_t step) {
  const auto checkpoints = CheckpointStore::openToRead(sandbox.storeFolder(), runId).value();
  const CheckpointManifest manifest = checkpoints->manifest(step).value();
  for (const TensorRecord& tensor : manifest.tensors) {
    if (tensor.name.find('/') == std::string::npos && tensor.name.ends_with(".weight")) return tensor.name;
  }
  return {};
}

TEST(VerifyEndToEnd, AnUnchangedRunIsRepeatedToTheLastBit) {
  Sandbox sandbox;
  const std::string file = sandbox.write("small.json", checkpointedExperiment());
  ASSERT_EQ(sandbox.slipstream({"run", file, "--quiet"}).exitCode, 0);
  const auto all = sandbox.json({"verify", "last", "--steps", "1000", "--json"});
  EXPECT_EQ(all["verdict"], "equal");
  EXPECT_EQ(all["steps"], 30);
  ASSERT_EQ(all["repeated"].size(), 3U) << "0 to 10, 10 to 20 and 20 to 30";
  for (const auto& one : all["repeated"]) {
    EXPECT_GE(one["tensors"].get<int>(), 8) << "weights, biases and their momentum";
    EXPECT_THAT(one["different"], IsEmpty());
    EXPECT_THAT(one["only_in_one"], IsEmpty());
  }
  const ProgramEnd some = sandbox.slipstream({"verify", "last", "--seed", "3"});
  EXPECT_EQ(some.exitCode, 0) << some.errors;
  EXPECT_THAT(some.output, AllOf(HasSubstr(": equal, "), HasSubstr(": equal, 10 steps repeated")));
  EXPECT_EQ(sandbox.store()->runs().size(), 1U) << "the store is as it was";
}

TEST(VerifyEndToEnd, OneAlteredWeightIsNamed) {
  Sandbox sandbox;
  const std::string file = sandbox.write("small.json", checkpointedExperiment());
  ASSERT_EQ(sandbox.slipstream({"run", file, "--quiet"}).exitCode, 0);
  const std::string id = sandbox.store()->runs().at(0).id;
  const std::string name = firstWeight(sandbox, id, 30);
  alterTensor(sandbox, id, 30, name);
  ASSERT_EQ(sandbox.slipstream({"store", "verify"}).exitCode, 0) << "the hash belongs to the altered bytes";
  const ProgramEnd found = sandbox.slipstream({"verify", "last", "--steps", "1000", "--json"});
  EXPECT_EQ(found.exitCode, 1);
  const auto answer = nlohmann::json::parse(found.output);
  EXPECT_EQ(answer["verdict"], "differs");
  for (const auto& one : answer["repeated"]) {
    const auto different = one["different"].get<std::vector<std::string>>();
    if (one["to"] == 30) {
      EXPECT_THAT(different, ElementsAre(name));
    } else {
      EXPECT_THAT(different, IsEmpty());
    }
  }
  EXPECT_THAT(sandbox.slipstream({"verify", "last", "--steps", "1000"}).output, HasSubstr("other values: " + name));
}

TEST(VerifyEndToEnd, ADamagedTensorIsFoundBeforeAnythingIsRepeated) {
  Sandbox sandbox;
  const std::string file = sandbox.write("small.json", smallExperiment(20, 10));
  ASSERT_EQ(sandbox.slipstream({"run", file, "--quiet"}).exitCode, 0);
  const std::string id = sandbox.store()->runs().at(0).id;
  SQLite::Database database(checkpointFile(sandbox.storeFolder(), id).string(), SQLite::OPEN_READWRITE);
  ASSERT_EQ(database.exec("UPDATE part SET data = zeroblob(length(data)) WHERE number = 1"), 1);
  const ProgramEnd ended = sandbox.slipstream({"verify", "last"});
  EXPECT_EQ(ended.exitCode, 1);
  EXPECT_THAT(ended.output, HasSubstr("damaged, 0 steps repeated"));
  EXPECT_FALSE(ended.errors.empty());
}

TEST(VerifyEndToEnd, StagesStartFromWhatEarlierOnesKept) {
  Sandbox sandbox;
  nlohmann::json experiment = smallExperiment(20, 10);
  experiment["train"].erase("steps");
  experiment["stages"] = nlohmann::json::parse(R"([
    {"name": "first", "train": {"epochs": 1, "snapshots": {"first_epoch": 0, "per_epoch": 2, "keep": 2}}},
    {"name": "second", "start": "first", "train": {"steps": 10}},
    {"name": "third", "start": {"stage": "first", "weights": "snapshot_mean"}, "train": {"steps": 10}}])");
  const ProgramEnd ran = sandbox.slipstream({"run", sandbox.write("stages.json", experiment), "--quiet"});
  ASSERT_EQ(ran.exitCode, 0) << ran.errors;
  const ProgramEnd verified = sandbox.slipstream({"verify", "last", "--steps", "1000"});
  EXPECT_EQ(verified.exitCode, 0) << verified.output << verified.errors;
  EXPECT_THAT(verified.output, HasSubstr("steps 30 to 40: equal"));
}

/// On processors with a matrix unit the second call would have other bits if it used it; elsewhere both are the same.
TEST(VerifyEndToEnd, ARunWithoutTheMatrixUnitIsRepeatedWithoutIt) {
  Sandbox sandbox;
  nlohmann::json experiment = smallExperiment(10, 5);
  experiment["network"]["layers"][1]["outputs"] = 256;
  experiment["dataset"]["batch_size"] = 128;
  experiment["parallel"]["ranks"] = 1;
  {
    const EnvironmentVariable off("SLIPSTREAM_MATRIX_UNIT", "off");
    const ProgramEnd ran = sandbox.slipstream({"run", sandbox.write("wide.json", experiment), "--quiet"});
    ASSERT_EQ(ran.exitCode, 0) << ran.errors;
  }
  const auto plan = nlohmann::json::parse(sandbox.store()->runs().back().planText);
  EXPECT_NE(plan["instruction_set"], "avx512_amx");
  const ProgramEnd verified = sandbox.slipstream({"verify", "last"});
  EXPECT_EQ(verified.exitCode, 0) << verified.output << verified.errors;
}

TEST(VerifyEndToEnd, AMatrixUnitThatIsNeitherOnNorOffIsRefused) {
  Sandbox sandbox;
  const EnvironmentVariable unknown("SLIPSTREAM_MATRIX_UNIT", "maybe");
  const ProgramEnd refused = sandbox.slipstream({"run", sandbox.write("small.json", smallExperiment(2, 0)), "--quiet"});
  EXPECT_EQ(refused.exitCode, 2);
  EXPECT_THAT(refused.errors, HasSubstr("is neither on nor off"));
}

/// Folders of `slipstream verify` in `folder`.
std::size_t scratchFolders(const std::filesystem::path& folder) {
  std::error_code absent;
  std::size_t count = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder, absent)) {
    if (entry.path().filename().string().find("-scratch-") != std::string::npos) ++count;
  }
  return count;
}

TEST(VerifyEndToEnd, TheFolderOfAKilledOneIsRemovedByTheNext) {
  Sandbox sandbox;
  ASSERT_EQ(sandbox.slipstream({"run", sandbox.write("small.json", smallExperiment(30, 10)), "--quiet"}).exitCode, 0);
  const auto temporary = sandbox.folder() / "temporary";
  std::filesystem::create_directory(temporary);
  const EnvironmentVariable elsewhere("TMPDIR", temporary.string());
  sandbox.start({"verify", "last", "--steps", "1000"});
  const Stopwatch watch;
  while (scratchFolders(temporary) == 0 && watch.seconds() < 300) ::usleep(1000);
  ASSERT_EQ(::kill(sandbox.process(), SIGKILL), 0);
  sandbox.end();
  EXPECT_EQ(scratchFolders(temporary), 1U);
  EXPECT_EQ(sandbox.slipstream({"verify", "last"}).exitCode, 0);
  EXPECT_EQ(scratchFolders(temporary), 0U);
}

TEST(VerifyEndToEnd, WhatCannotBeRepeatedIsRefusedWithTheReason) {
  Sandbox sandbox;
  nlohmann::json experiment = smallExperiment(5, 0);
  experiment["train"]["checkpoint"] = {{"at_end", false}};
  ASSERT_EQ(sandbox.slipstream({"run", sandbox.write("none.json", experiment), "--quiet"}).exitCode, 0);
  const ProgramEnd none = sandbox.slipstream({"verify", "last"});
  EXPECT_EQ(none.exitCode, 2);
  EXPECT_THAT(none.errors, HasSubstr("the run has no checkpoint"));

  ASSERT_EQ(sandbox.slipstream({"run", sandbox.write("small.json", smallExperiment(5, 5)), "--quiet"}).exitCode, 0);
  const RunRecord run = sandbox.store()->runs().back();
  nlohmann::json plan = nlohmann::json::parse(run.planText);
  plan["instruction_set"] = "abacus";
  plan["threads_per_rank"] = 4096;
  plan["places"].erase(1);
  {
    SQLite::Database database((sandbox.storeFolder() / "store.db").string(), SQLite::OPEN_READWRITE);
    SQLite::Statement update(database, "UPDATE run SET plan_text = ? WHERE id = ?");
    update.bind(1, plan.dump());
    update.bind(2, run.id);
    ASSERT_EQ(update.exec(), 1);
  }
  const ProgramEnd refused = sandbox.slipstream({"verify", "last"});
  EXPECT_EQ(refused.exitCode, 2);
  EXPECT_THAT(refused.errors, AllOf(HasSubstr("instruction set abacus"), HasSubstr("4,096 threads a rank"),
                                    HasSubstr("recorded with 2 ranks, its plan has 1")));
}

}  // namespace
}  // namespace slipstream
