// SPDX-License-Identifier: GPL-3.0-or-later
#include <cmath>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/analysis/comparison.h"
#include "engine/base/files.h"
#include "engine/base/text.h"
#include "engine/interchange/event_file.h"
#include "engine/runs/run_selection.h"
#include "engine/trackers/export_runs.h"
#include "engine/trackers/import_runs.h"
#include "tests/support/finished_runs.h"
#include "tests/support/temporary_folder.h"

namespace slipstream {
namespace {

namespace fs = std::filesystem;

using testing::AllOf;
using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;

class Export : public testing::Test {
 protected:
  Export() : store(test::openStore(folder.path() / "store")) {
    first = test::recordRun(*store, {"mean", 1, 0.9, 200, 2});
    second = test::recordRun(*store, {"adasum", 2, 0.95, 200, 2, true});
    store->setLabel(second, {"../odd name", "line 1\nline 2", {"paper", "b"}, false, false});
  }
  std::vector<RunRecord> runs() const { return findRuns(*store, {}).value(); }
  std::vector<ExportedRun> exported(TrackerFormat format, const std::vector<std::string>& metrics = {}) const {
    const auto done = exportRuns(*store, runs(), {format, output(), metrics});
    EXPECT_TRUE(done) << toText(done.error());
    return done.value_or(std::vector<ExportedRun>{});
  }
  std::string refusal(TrackerFormat format, const std::vector<std::string>& metrics = {}) const {
    const auto done = exportRuns(*store, runs(), {format, output(), metrics});
    return done ? "" : toText(done.error());
  }
  fs::path output() const { return folder.path() / "out"; }
  std::vector<std::string> filesBelow(const fs::path& place) const {
    std::vector<std::string> names;
    for (const auto& entry : fs::recursive_directory_iterator(place)) {
      if (entry.is_regular_file()) names.push_back(entry.path().lexically_relative(place).string());
    }
    return names;
  }

  test::TemporaryFolder folder;
  std::unique_ptr<RunStore> store;
  std::string first, second;
};

TEST_F(Export, EventFilesHoldEveryValueRoundedOnce) {
  const auto all = exported(TrackerFormat::tensorboard);
  ASSERT_EQ(all.size(), 2U);
  for (const ExportedRun& one : all) {
    const auto files = filesBelow(one.place);
    ASSERT_EQ(files.size(), 1U);
    EXPECT_THAT(files.front(), HasSubstr("events.out.tfevents."));
    ScalarEvents events;
    ASSERT_TRUE(addEventFile(one.place / files.front(), DamagedRecord::isFailure, events));
    const auto names = store->metricNames(one.run);
    EXPECT_EQ(events.points.size(), names.size());
    std::int64_t points = 0, rounded = 0;
    for (const std::string& name : names) {
      const Series series = store->series(one.run, name);
      const auto& written = events.points.at(name);
      ASSERT_EQ(written.size(), series.steps.size()) << name;
      for (std::size_t i = 0; i < written.size(); ++i, ++points) {
        ASSERT_EQ(written[i].step, series.steps[i]);
        ASSERT_EQ(written[i].value, static_cast<double>(static_cast<float>(series.values[i])));
        ASSERT_NEAR(written[i].wallSeconds, 1e-9 * static_cast<double>(series.wallNanoseconds[i]), 1e-6);
        rounded += written[i].value == series.values[i] ? 0 : 1;
      }
    }
    EXPECT_EQ(one.points, points);
    EXPECT_EQ(one.rounded, rounded);
    EXPECT_EQ(events.settings.at("variant"), store->find(one.run)->variant);
    EXPECT_EQ(events.settings.at("seed"), std::to_string(store->find(one.run)->seed));
  }
}

TEST_F(Export, WhatWasExportedComesBackAsTheSameRun) {
  exported(TrackerFormat::tensorboard, {"loss", "accuracy"});
  const auto found = readRunsToImport({{output().string()}, "", {}, false});
  ASSERT_TRUE(found) << toText(found.error());
  ASSERT_EQ(found->runs.size(), 2U);
  const auto added = addImportedRuns(*store, *found, "slipstream import out", "");
  ASSERT_TRUE(added) << toText(added.error());
  std::vector<RunRecord> pair{store->find(first).value()};
  for (const AddedRun& one : *added) {
    if (store->find(one.id)->variant == "mean") pair.push_back(store->find(one.id).value());
  }
  ASSERT_EQ(pair.size(), 2U);
  EXPECT_EQ(pair[1].seed, pair[0].seed);
  const auto comparison = compareRuns(*store, pair);
  ASSERT_TRUE(comparison);
  EXPECT_THAT(comparison->differences, IsEmpty()) << "what was asked went out and came in";
  const Series before = store->series(first, "loss"), after = store->series(pair[1].id, "loss");
  ASSERT_EQ(after.steps, before.steps);
  for (std::size_t i = 0; i < before.values.size(); ++i) {
    ASSERT_EQ(after.values[i], static_cast<double>(static_cast<float>(before.values[i])));
  }
}

TEST_F(Export, TablesHoldEveryBit) {
  exported(TrackerFormat::csv);
  const auto found = readRunsToImport({{(output() / "metrics.csv").string()}, "", {}, false});
  ASSERT_TRUE(found) << toText(found.error());
  ASSERT_EQ(found->runs.size(), 2U);
  for (const RunToImport& run : found->runs) {
    const std::string id = run.name.substr(run.name.find('/') + 1);  // a name that is an id gets the table before it
    EXPECT_EQ(run.name, "metrics/" + id);
    EXPECT_EQ(run.series.size(), store->metricNames(id).size());
    for (const auto& [name, series] : run.series) {
      const Series own = store->series(id, name);
      EXPECT_EQ(series.steps, own.steps) << name;
      EXPECT_EQ(series.values, own.values) << name;
      EXPECT_EQ(series.wallNanoseconds, own.wallNanoseconds) << name;
    }
  }
  const std::string runsTable = readFile(output() / "runs.csv").value();
  EXPECT_THAT(runsTable,
              AllOf(HasSubstr("run,name,experiment"), HasSubstr(second + ",../odd name,small,adasum,2,2,cpu,done,"),
                    HasSubstr("\"paper,b\"")));
  EXPECT_THAT(readFile(output() / "settings.csv").value(), HasSubstr(first + ",boost.boost.adasum,false\n"));
}

/// step -> value of MLflow's lines "milliseconds value step".
std::map<std::int64_t, double> mlflowValues(const std::string& text) {
  std::map<std::int64_t, double> values;
  std::istringstream lines(text);
  std::int64_t time = 0, step = 0;
  for (std::string value; lines >> time >> value >> step;) values[step] = std::stod(value);
  return values;
}

TEST_F(Export, MlflowsFolderHoldsEveryBit) {
  const auto all = exported(TrackerFormat::mlflow);
  ASSERT_EQ(all.size(), 2U);
  EXPECT_EQ(all[0].place.parent_path(), all[1].place.parent_path()) << "one experiment";
  EXPECT_THAT(readFile(all[0].place.parent_path() / "meta.yaml").value(),
              AllOf(HasSubstr("name: \"small\"\n"), HasSubstr("lifecycle_stage: active\n")));
  for (const ExportedRun& one : all) {
    const std::string meta = readFile(one.place / "meta.yaml").value();
    EXPECT_THAT(meta, AllOf(HasSubstr("status: 3\n"), HasSubstr("run_id: '" + one.place.filename().string() + "'\n")));
    for (const std::string& name : store->metricNames(one.run)) {
      const Series series = store->series(one.run, name);
      const auto values = mlflowValues(readFile(one.place / "metrics" / name).value());
      ASSERT_EQ(values.size(), series.steps.size()) << name;
      for (std::size_t i = 0; i < series.steps.size(); ++i) ASSERT_EQ(values.at(series.steps[i]), series.values[i]);
    }
    EXPECT_EQ(readFile(one.place / "params" / "seed").value(), std::to_string(store->find(one.run)->seed));
    EXPECT_EQ(readFile(one.place / "tags" / "slipstream.run").value(), one.run);
    EXPECT_EQ(readFile(one.place / "artifacts" / "plan.json").value(), store->find(one.run)->planText);
  }
  EXPECT_EQ(readFile(all[1].place / "tags" / "mlflow.runName").value(), "../odd name");
  EXPECT_EQ(readFile(all[1].place / "tags" / "mlflow.note.content").value(), "line 1\nline 2");
  for (const std::string& file : filesBelow(output())) EXPECT_THAT(file, testing::Not(HasSubstr("unfinished")));
}

TEST_F(Export, WhatIsThereStaysAsItIs) {
  for (const auto format : {TrackerFormat::tensorboard, TrackerFormat::mlflow, TrackerFormat::csv}) {
    exported(format);
    const auto before = filesBelow(output()).size();
    EXPECT_THAT(refusal(format), HasSubstr("is there already"));
    EXPECT_EQ(filesBelow(output()).size(), before);
  }
}

TEST_F(Export, MetricsAreChosenAndMisspeltOnesRefused) {
  EXPECT_THAT(refusal(TrackerFormat::csv, {"los"}),
              AllOf(HasSubstr("none of the runs"), HasSubstr("did you mean loss?")));
  EXPECT_FALSE(fs::exists(output())) << "nothing was made";
  const auto all = exported(TrackerFormat::csv, {"loss"});
  EXPECT_EQ(all[0].metrics, 1);
  EXPECT_EQ(all[0].points, 200);
}

TEST_F(Export, NamesOfFoldersStayInside) {
  for (const ExportedRun& one : exported(TrackerFormat::tensorboard)) {
    EXPECT_EQ(one.place.parent_path(), output());
    EXPECT_THAT(one.place.filename().string(), testing::EndsWith(one.run));
  }
  // A stranger's store may hold any name.
  NewRun asked = test::sampleRun("stranger");
  const std::string id = store->createRun(asked);
  store->appendMetrics(id, store->startAttempt(id, 0), 0, 1,
                       test::block(0, 1, {"../../../escaped", "/etc/absolute"}, [](auto, auto) { return 1.0; }));
  const auto done = exportRuns(*store, {store->find(id).value()}, {TrackerFormat::mlflow, output() / "deep", {}});
  ASSERT_TRUE(done) << toText(done.error());
  EXPECT_THAT(filesBelow(done->front().place),
              AllOf(Contains("metrics/_/_/_/escaped"), Contains("metrics/_/etc/absolute")));
}

TEST_F(Export, AMetricThatIsAFolderOfOthersIsRefusedByMlflowAlone) {
  const std::string id = store->createRun(test::sampleRun("both"));
  store->appendMetrics(id, store->startAttempt(id, 0), 0, 1,
                       test::block(0, 1, {"loss", "loss/x"}, [](auto, auto) { return 1.0; }));
  const std::vector<RunRecord> both{store->find(id).value()};
  const auto refused = exportRuns(*store, both, {TrackerFormat::mlflow, output(), {}});
  ASSERT_FALSE(refused);
  EXPECT_THAT(toText(refused.error()), HasSubstr("cannot be beside another"));
  EXPECT_TRUE(exportRuns(*store, both, {TrackerFormat::mlflow, output(), {"loss"}}));
  EXPECT_TRUE(exportRuns(*store, both, {TrackerFormat::tensorboard, output() / "tb", {}}));
}

}  // namespace
}  // namespace slipstream
