// SPDX-License-Identifier: GPL-3.0-or-later
#include <gtest/gtest.h>

#include "engine/base/monitor_lines.h"
#include "engine/spec/checkpoint_schedule.h"
#include "engine/store/checkpoint_removal.h"
#include "tests/support/golden.h"

namespace slipstream {
namespace {

using test::CaseCounter;
using test::readGolden;

TEST(RecordGolden, MonitorLines) {
  SLIPSTREAM_GOLDEN_FOLDER(folder);
  const auto lines = readGolden(folder, "files.json").at("text_lines");
  const std::size_t cases = lines.at("LossMonitor").size() + lines.at("TimeMonitor").size() +
                            lines.at("custom_loop").size() + 1 /* nan_loss */;
  ASSERT_EQ(lines.size(), 4U) << "a kind of line that this test does not know";
  CaseCounter counter("files.json text_lines", cases);
  for (const auto& one : lines.at("LossMonitor")) {
    const std::string line = one.at("line");
    EXPECT_EQ(lossLine(one.at("epoch"), one.at("step_in_epoch"), one.at("loss_f32")), line);
    const auto parsed = parseLossLine(line);
    ASSERT_TRUE(parsed) << line;
    EXPECT_EQ(parsed->step, one.at("step_in_epoch"));
    EXPECT_EQ(parsed->loss, one.at("loss_f32"));
    counter.used();
  }
  for (const auto& one : lines.at("TimeMonitor")) {
    EXPECT_EQ(timeLine(one.at("epoch_ms"), one.at("steps")), one.at("line"));
    counter.used();
  }
  for (const auto& one : lines.at("custom_loop")) {
    const auto parsed = parseLossLine(one.at("line").get<std::string>());
    ASSERT_TRUE(parsed) << one;
    EXPECT_EQ(parsed->epoch, one.at("epoch"));
    EXPECT_EQ(parsed->step, one.at("step"));
    EXPECT_EQ(parsed->loss, std::stod(one.at("loss").get<std::string>()));
    counter.used();
  }
  const auto& invalid = lines.at("nan_loss");
  EXPECT_EQ(invalidLossText(invalid.at("epoch"), invalid.at("step_in_epoch")), invalid.at("error"));
  counter.used();
  counter.finish();
}

TEST(RecordGolden, CheckpointNames) {
  SLIPSTREAM_GOLDEN_FOLDER(folder);
  const auto cases = readGolden(folder, "files.json").at("checkpoint_names");
  CaseCounter counter("files.json checkpoint_names", cases.size());
  for (const auto& one : cases) {
    const std::string prefix = checkpointPrefix(one.at("prefix"), one.at("existing"));
    EXPECT_EQ(checkpointFileName(prefix, one.at("epoch"), one.at("step_in_epoch")), one.at("file"));
    counter.used();
  }
  counter.finish();
}

TEST(RecordGolden, CheckpointKeep) {
  SLIPSTREAM_GOLDEN_FOLDER(folder);
  const auto one = readGolden(folder, "files.json").at("checkpoint_keep");
  CaseCounter counter("files.json checkpoint_keep", 1);
  CheckpointSpec spec;
  spec.everySteps = one.at("save_checkpoint_steps");
  const std::int64_t perEpoch = one.at("steps_per_epoch");
  const std::int64_t total = perEpoch * one.at("epochs").get<std::int64_t>();
  const auto fileOf = [&](std::int64_t done) {
    return checkpointFileName("p", (done - 1) / perEpoch + 1, (done - 1) % perEpoch + 1);
  };
  std::vector<std::string> saved;
  std::vector<std::int64_t> kept;
  for (std::int64_t done = 1; done <= total; ++done) {
    if (!checkpointDueBySteps(spec, done) && !(done == total && spec.atEnd)) continue;
    saved.push_back(fileOf(done));
    kept.push_back(done);
    for (const std::int64_t step : checkpointsToRemove(kept, one.at("keep_checkpoint_max"))) std::erase(kept, step);
  }
  std::vector<std::string> files;
  for (const std::int64_t done : kept) files.push_back(fileOf(done));
  EXPECT_EQ(saved, one.at("saved_sequence").get<std::vector<std::string>>());
  EXPECT_EQ(files, one.at("files_after_training").get<std::vector<std::string>>());
  counter.used();
  counter.finish();
}

}  // namespace
}  // namespace slipstream
