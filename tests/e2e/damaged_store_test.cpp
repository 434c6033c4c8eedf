// SPDX-License-Identifier: GPL-3.0-or-later
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/base/files.h"
#include "engine/store/checkpoint_store.h"
#include "tests/e2e/program.h"
#include "tests/support/damaged_values.h"

namespace slipstream {
namespace {

using namespace slipstream::test;
using ::testing::AllOf;
using ::testing::HasSubstr;

/// Overwrites the tail of a file, where its newest pages lie.
void spoil(const std::filesystem::path& file, std::uintmax_t bytes) {
  std::fstream stream(file, std::ios::in | std::ios::out | std::ios::binary);
  stream.seekp(static_cast<std::streamoff>(std::filesystem::file_size(file) - bytes));
  stream << std::string(bytes, '\xAB');
}

TEST(DamagedStoreEndToEnd, NothingGoesOnFromWeightsThatAreGoneOrDamaged) {
  Sandbox sandbox;
  const std::string experiment = sandbox.write("small.json", smallExperiment(8, 4));
  ASSERT_EQ(sandbox.slipstream({"run", experiment, "--quiet"}).exitCode, 0);
  const RunRecord before = sandbox.store()->runs().at(0);
  const auto weights = checkpointFile(sandbox.storeFolder(), before.id);
  const std::string whole = readFile(weights).value();
  const std::string output = (sandbox.folder() / "out.safetensors").string();
  const std::vector<std::vector<std::string>> commands{
      {"resume", "last", "--from", "8"},
      {"resume", "last", "--from", "8", "--detach"},
      {"evaluate", "last"},
      {"checkpoint", "export", "last", "--format", "safetensors", output}};
  const auto expectRefused = [&](const std::string& what) {
    for (const auto& command : commands) {
      const ProgramEnd end = sandbox.slipstream(command);
      EXPECT_EQ(end.exitCode, 2) << what << ": " << command[0];
      EXPECT_THAT(end.errors, HasSubstr(weights.string())) << what << ": " << command[0];
    }
    const RunRecord after = sandbox.store()->runs().at(0);
    EXPECT_EQ(after.state, before.state);
    EXPECT_EQ(after.attempt, before.attempt);
    EXPECT_EQ(after.endedAt, before.endedAt);
    EXPECT_FALSE(std::filesystem::exists(output));
  };

  std::filesystem::remove(weights);
  expectRefused("missing");
  EXPECT_FALSE(std::filesystem::exists(weights));

  std::filesystem::resize_file((std::ofstream(weights) << whole, weights), whole.size() / 2);
  expectRefused("truncated");

  std::ofstream(weights, std::ios::binary) << whole;
  spoil(weights, whole.size() / 2);
  expectRefused("overwritten");

  std::ofstream(weights, std::ios::binary) << whole;
  EXPECT_EQ(sandbox.slipstream({"evaluate", "last"}).exitCode, 0);
}

TEST(DamagedStoreEndToEnd, ADamagedStoreIsInvalidInput) {
  Sandbox sandbox;
  const std::string experiment = sandbox.write("small.json", smallExperiment(8, 4));
  ASSERT_EQ(sandbox.slipstream({"run", experiment, "--quiet"}).exitCode, 0);
  const auto file = sandbox.storeFolder() / "store.db";
  const std::string whole = readFile(file).value();
  spoil(file, whole.size() - 16'384);  // all but the first page
  for (const std::vector<std::string>& command :
       std::vector<std::vector<std::string>>{{"runs"}, {"show", "last"}, {"resume", "last"}, {"store", "verify"}}) {
    const ProgramEnd end = sandbox.slipstream(command);
    EXPECT_EQ(end.exitCode, 2) << command[0] << ": " << end.errors;
    EXPECT_THAT(end.errors, AllOf(HasSubstr("store.db"), HasSubstr("--store"))) << command[0];
  }
  std::ofstream(file, std::ios::binary) << whole;  // for the sandbox's end, which looks for runs that still go on
}

TEST(DamagedStoreEndToEnd, DamagedValuesOfARunAreToldAndHideNoOther) {
  Sandbox sandbox;
  const std::string experiment = sandbox.write("small.json", smallExperiment(8, 4));
  for (int i = 0; i < 2; ++i) ASSERT_EQ(sandbox.slipstream({"run", experiment, "--quiet"}).exitCode, 0);
  const std::vector<RunRecord> runs = sandbox.store()->runs();
  damageValues(*sandbox.store(), runs[0].id, "loss");
  const ProgramEnd shown = sandbox.slipstream({"show", runs[0].id});
  EXPECT_EQ(shown.exitCode, 0) << shown.errors;
  EXPECT_THAT(shown.output, AllOf(HasSubstr(runs[0].id), HasSubstr("values of loss are damaged")));
  const ProgramEnd found = sandbox.slipstream({"runs", "--filter", "loss<1000"});
  EXPECT_EQ(found.exitCode, 0) << found.errors;
  EXPECT_THAT(found.output, AllOf(HasSubstr(runs[1].id), testing::Not(HasSubstr(runs[0].id))));
  const ProgramEnd values = sandbox.slipstream({"metrics", runs[0].id, "--metric", "loss"});
  EXPECT_EQ(values.exitCode, 2);
  EXPECT_THAT(values.errors, HasSubstr(runs[0].id));
}

}  // namespace
}  // namespace slipstream
