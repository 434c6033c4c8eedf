// SPDX-License-Identifier: GPL-3.0-or-later
#include <cmath>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/base/files.h"
#include "engine/interchange/event_file.h"
#include "engine/report/comparison_document.h"
#include "engine/report/report.h"
#include "engine/runs/run_removal.h"
#include "engine/runs/run_selection.h"
#include "engine/runs/store_verify.h"
#include "engine/trackers/import_runs.h"
#include "tests/support/finished_runs.h"
#include "tests/support/temporary_folder.h"

namespace slipstream {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

using Points = std::vector<std::pair<std::int64_t, double>>;
using Tags = std::map<std::string, Points>;

class Import : public testing::Test {
 protected:
  /// Writes an event file into logs/RUN; a value of step s is of second 1,700,000,000 + s.
  void log(const std::string& run, const Tags& tags, const std::map<std::string, std::string>& settings = {},
           const std::string& file = "events.out.tfevents.1") const {
    const auto place = logs() / run;
    ASSERT_TRUE(makeFolder(place));
    auto writer = EventFileWriter::create(place / file, 1.7e9);
    ASSERT_TRUE(writer);
    if (!settings.empty()) {
      ASSERT_TRUE(writer->begin(settings, "g", 1.7e9));
    }
    for (const auto& [tag, points] : tags) {
      for (const auto& [step, value] : points) {
        ASSERT_TRUE(writer->add(tag, {step, 1.7e9 + static_cast<double>(step), value}));
      }
    }
    ASSERT_TRUE(writer->commit());
  }
  std::string table(const std::string& name, const std::string& text) const {
    const auto file = folder.path() / name;
    std::ofstream(file) << text;
    return file.string();
  }
  std::filesystem::path logs() const { return folder.path() / "logs"; }
  ImportRequest request() const { return {{logs().string()}, "", {}, false}; }

  RunsToImport read(const ImportRequest& request) const {
    auto found = readRunsToImport(request);
    EXPECT_TRUE(found) << toText(found.error());
    return found.value_or(RunsToImport{});
  }
  std::string refusal(const ImportRequest& request) const {
    const auto found = readRunsToImport(request);
    return found ? "" : toText(found.error());
  }
  std::vector<AddedRun> import(RunStore& store, const ImportRequest& request) const {
    auto added = addImportedRuns(store, read(request), "slipstream import logs", "group");
    EXPECT_TRUE(added) << toText(added.error());
    return added.value_or(std::vector<AddedRun>{});
  }
  std::unique_ptr<RunStore> store() const { return test::openStore(folder.path() / "store"); }

  test::TemporaryFolder folder;
};

TEST_F(Import, EveryFolderWithEventFilesIsARunOfTheStore) {
  log("a/seed1", {{"loss", {{0, 2}, {1, 1}}}, {"val/acc", {{2, 0.5}}}},
      {{"lr", "0.1"}, {"seed", "4"}, {"variant", "v"}});
  log("b", {{"my tag, odd", {{5, 1}}}});
  log(".", {{"loss", {{0, 9}}}});
  const auto open = store();
  const auto added = import(*open, request());
  ASSERT_EQ(added.size(), 3U);
  EXPECT_EQ(added[0].name, "logs");
  EXPECT_EQ(added[1].name, "a/seed1");
  EXPECT_EQ(added[1].metrics, 2);
  EXPECT_EQ(added[1].points, 3);

  const RunRecord run = open->find(added[1].id).value();
  EXPECT_EQ(run.state, RunState::done);
  EXPECT_EQ(run.experimentName, "logs");
  EXPECT_EQ(run.variant, "v");
  EXPECT_EQ(run.seed, 4U);
  EXPECT_EQ(run.device, importedDevice);
  EXPECT_EQ(run.createdAt, 1'700'000'000'000'000'000);
  EXPECT_EQ(run.endedAt, 1'700'000'002'000'000'000);
  EXPECT_EQ(run.commandText, "slipstream import logs");
  EXPECT_THAT(open->metricNames(run.id), ElementsAre("accuracy", "loss"));
  const Series loss = open->series(run.id, "loss");
  EXPECT_THAT(loss.steps, ElementsAre(0, 1));
  EXPECT_THAT(loss.values, ElementsAre(2.0, 1.0));
  EXPECT_THAT(loss.wallNanoseconds, ElementsAre(1'700'000'000'000'000'000, 1'700'000'001'000'000'000));
  EXPECT_THAT(open->metricNames(added[2].id), ElementsAre("my_tag__odd"));

  const auto imported = parseImportedRun(run.planText);
  ASSERT_TRUE(imported);
  EXPECT_EQ(imported->settings.at("lr"), "0.1");
  EXPECT_EQ(imported->steps, 2);
  EXPECT_THAT(imported->source, testing::EndsWith("logs/a/seed1/events.out.tfevents.1"));
}

TEST_F(Import, LongSeriesComeWhole) {
  Points points;
  for (std::int64_t step = 0; step < 70'000; ++step) points.emplace_back(step, std::sqrt(static_cast<float>(step)));
  log(".", {{"loss", points}, {"x", {{1, 1}}}});
  const auto open = store();
  const auto added = import(*open, request());
  const Series loss = open->series(added.front().id, "loss");
  ASSERT_EQ(loss.values.size(), points.size());
  for (std::size_t i = 0; i < points.size(); ++i) {
    ASSERT_EQ(loss.steps[i], points[i].first);
    ASSERT_EQ(loss.values[i], static_cast<double>(static_cast<float>(points[i].second)));
  }
  EXPECT_TRUE(open->verify().empty());
}

TEST_F(Import, OneDamagedFileAndNothingIsImported) {
  log("a", {{"loss", {{0, 1}}}});
  log("b", {{"loss", {{0, 1}, {1, 2}}}});
  const auto file = logs() / "b" / "events.out.tfevents.1";
  std::filesystem::resize_file(file, std::filesystem::file_size(file) - 3);
  EXPECT_THAT(refusal(request()),
              AllOf(HasSubstr(file.string() + ": byte "), HasSubstr("cut off"), HasSubstr("--partial")));
  ImportRequest partial = request();
  partial.partial = true;
  const RunsToImport found = read(partial);
  ASSERT_EQ(found.runs.size(), 2U);
  EXPECT_THAT(found.runs[1].series.at("loss").steps, ElementsAre(0));
  EXPECT_THAT(found.notes, testing::Contains(AllOf(HasSubstr("cut off"), HasSubstr("what is before this place"))));
}

TEST_F(Import, AllMistakesAreToldAtOnce) {
  log("a", {{"loss", {{-1, 1}}}});
  ImportRequest bad = request();
  bad.sources.push_back((folder.path() / "missing").string());
  bad.sources.push_back(table("t.csv", "loss\n1\n"));
  bad.sources.push_back(table("t.txt", "x"));
  EXPECT_THAT(refusal(bad), AllOf(HasSubstr("has the step -1"), HasSubstr("no such file"),
                                  HasSubstr("no column of steps"), HasSubstr("neither an event file")));
  std::filesystem::create_directories(folder.path() / "empty");
  EXPECT_THAT(refusal({{(folder.path() / "empty").string()}, "", {}, false}),
              HasSubstr("holds no TensorBoard event files"));
}

TEST_F(Import, TheSameValuesAreNotImportedTwice) {
  log("a", {{"loss", {{0, 1}}}});
  const auto open = store();
  const std::string id = import(*open, request()).front().id;
  log("b", {{"loss", {{0, 2}}}});
  const auto again = addImportedRuns(*open, read(request()), "", "");
  ASSERT_FALSE(again);
  EXPECT_THAT(toText(again.error()), AllOf(HasSubstr("as run " + id), HasSubstr("slipstream delete " + id)));
  EXPECT_EQ(open->heads().size(), 1U) << "nor the new one beside it";
  ASSERT_TRUE(removeRun(*open, id));
  EXPECT_EQ(import(*open, request()).size(), 2U);
}

TEST_F(Import, FilesOfOneFolderAreOneRunAndTheLaterReportCounts) {
  log("a", {{"loss", {{0, 1}, {1, 2}, {2, 3}}}}, {}, "events.out.tfevents.1");
  log("a", {{"loss", {{1, 20}, {3, 40}}}}, {}, "events.out.tfevents.2");
  const RunsToImport found = read(request());
  ASSERT_EQ(found.runs.size(), 1U);
  EXPECT_THAT(found.runs[0].series.at("loss").steps, ElementsAre(0, 1, 2, 3));
  EXPECT_THAT(found.runs[0].series.at("loss").values, ElementsAre(1, 20, 3, 40));
  EXPECT_THAT(found.notes, testing::Contains(HasSubstr("1 value of a step that was reported again")));
}

std::vector<std::string> metricsOf(const RunToImport& run) {
  std::vector<std::string> names;
  for (const auto& [name, series] : run.series) names.push_back(name);
  return names;
}

TEST_F(Import, TagsBecomeMetricsByTheirWords) {
  const std::vector<std::pair<std::string, std::string>> rules{{"Loss/train", "loss"},
                                                               {"train_loss", "loss"},
                                                               {"training.loss", "loss"},
                                                               {"val/Loss", "evaluation_loss"},
                                                               {"test-loss", "evaluation_loss"},
                                                               {"eval/accuracy", "accuracy"},
                                                               {"acc", "accuracy"},
                                                               {"accuracy/validation", "accuracy"},
                                                               {"lr", "learning_rate"},
                                                               {"train/learning_rate", "learning_rate"},
                                                               {"train/accuracy", "train/accuracy"},
                                                               {"loss_epoch", "loss_epoch"},
                                                               {"epoch loss", "epoch_loss"},
                                                               {"val/lr", "val/lr"},
                                                               {"cosine/conv1.weight", "cosine/conv1.weight"},
                                                               {"evaluation_loss", "evaluation_loss"}};
  for (const auto& [tag, metric] : rules) {
    log("x", {{tag, {{0, 0.5}}}});
    EXPECT_THAT(metricsOf(read(request()).runs.at(0)), ElementsAre(metric)) << tag;
    std::filesystem::remove_all(logs());
  }
}

TEST_F(Import, TagsThatWouldBeOneMetricKeepTheirNames) {
  log("x", {{"val/loss", {{0, 1}}}, {"test/loss", {{0, 2}}}, {"train/loss", {{0, 3}}}});
  EXPECT_THAT(metricsOf(read(request()).runs.at(0)), ElementsAre("loss", "test/loss", "val/loss"));
  log("x", {{"a b", {{0, 1}}}, {"a_b", {{0, 2}}}}, {}, "events.out.tfevents.2");
  EXPECT_THAT(refusal(request()), AllOf(HasSubstr("would be the metric a_b"), HasSubstr("--metric TAG=METRIC")));
}

TEST_F(Import, PercentIsNoFraction) {
  log("x", {{"accuracy", {{0, 97.5}}}, {"val/top", {{0, 50}}}});
  EXPECT_THAT(metricsOf(read(request()).runs.at(0)), ElementsAre("accuracy_percent", "val/top"));
  ImportRequest asked = request();
  asked.metrics = {{"accuracy", "accuracy%"}, {"val/top", "top5"}};
  const RunsToImport found = read(asked);
  EXPECT_THAT(metricsOf(found.runs.at(0)), ElementsAre("accuracy", "top5"));
  EXPECT_THAT(found.runs.at(0).series.at("accuracy").values, ElementsAre(0.975));
  asked.metrics = {{"acuracy", "accuracy%"}};
  EXPECT_THAT(refusal(asked), HasSubstr("did you mean accuracy?"));
}

TEST_F(Import, TablesAreReadInBothForms) {
  const RunsToImport semicolons = read({{table("s.csv", "epoch;acc\r\n1;0.5\r\n2;0.75\r\n")}, "", {}, false});
  EXPECT_THAT(semicolons.runs.at(0).series.at("accuracy").steps, ElementsAre(1, 2));
  const RunsToImport found = read({{table("a.csv",
                                          "\xEF\xBB\xBFstep,train_loss,\"val, acc\",note,time\n0,2.5,,x,0.1\n"
                                          "1,nan,0.5,\"y\nz\",0.2\n\n2.0,-inf,0.75,,0.3\n")},
                                   "",
                                   {},
                                   false});
  ASSERT_EQ(found.runs.size(), 1U);
  const RunToImport& run = found.runs[0];
  EXPECT_EQ(run.name, "a");
  EXPECT_EQ(run.experiment, "a");
  EXPECT_THAT(metricsOf(run), ElementsAre("accuracy", "loss", "time"));
  EXPECT_THAT(run.series.at("loss").steps, ElementsAre(0, 1, 2));
  EXPECT_TRUE(std::isnan(run.series.at("loss").values[1]));
  EXPECT_EQ(run.series.at("loss").values[2], -HUGE_VAL);
  EXPECT_THAT(run.series.at("accuracy").steps, ElementsAre(1, 2));
  EXPECT_THAT(found.notes, testing::Contains(HasSubstr("column note holds texts")));

  const RunsToImport narrow = read({{table("b.tsv",
                                           "run\ttag\tstep\twall_time\tvalue\n"
                                           "one\tloss\t0\t1700000000.123456789\t1e-3\n"
                                           "two\tloss\t0\t1700000000\t2\n"
                                           "one\tlr\t0\t1700000001.5\t0.1\n")},
                                    "rivals",
                                    {},
                                    false});
  ASSERT_EQ(narrow.runs.size(), 2U);
  EXPECT_EQ(narrow.runs[0].name, "one");
  EXPECT_EQ(narrow.runs[0].experiment, "rivals");
  EXPECT_THAT(narrow.runs[0].series.at("loss").wallNanoseconds, ElementsAre(1'700'000'000'123'456'789));
  EXPECT_EQ(narrow.runs[0].startedAt, 1'700'000'000'123'456'789);
  EXPECT_EQ(narrow.runs[0].endedAt, 1'700'000'001'500'000'000);
  EXPECT_EQ(narrow.runs[1].series.at("loss").values.front(), 2);
}

TEST_F(Import, MistakesOfATableAreNamedWithTheirLines) {
  const std::string file = table("bad.csv", "step,loss\n0,1\n1,x\nzero,2\n3\n4,1\n-1,2\n");
  EXPECT_THAT(
      refusal({{file}, "", {}, false}),
      AllOf(HasSubstr(file + ":3: column loss: is no number (found x)"), HasSubstr(file + ":4: is no number of a step"),
            HasSubstr(file + ":5: has 1 field, and the header 2"), HasSubstr(file + ":7:")));
  EXPECT_THAT(refusal({{table("open.csv", "step,loss\n0,\"1\n")}, "", {}, false}),
              HasSubstr("quotation mark is not closed"));
  std::string many = "step,loss\n";
  for (int i = 0; i < 50; ++i) many += "x,1\n";
  EXPECT_THAT(refusal({{table("many.csv", many)}, "", {}, false}), HasSubstr("30 more rows are wrong"));
}

TEST_F(Import, ATableWithTwoColumnsOfOneNameIsRefused) {
  const std::string file = table("twice.csv", "step,loss,loss\n0,1,2\n");
  EXPECT_THAT(refusal({{file}, "", {}, false}),
              AllOf(HasSubstr(file + ":1"), HasSubstr("the name of two columns"), HasSubstr("rename or remove one")));
}

TEST_F(Import, AnEmptyTimeInTheFirstRowMakesNoMetricOfTheTimes) {
  const std::string file = table("gap.csv", "step,wall_time,loss\n0,,1\n1,1700000000,2\n");
  EXPECT_THAT(refusal({{file}, "", {}, false}), AllOf(HasSubstr(file + ":2: is no time"), HasSubstr("in every row")));
  const RunsToImport none = read({{table("none.csv", "step,wall_time,loss\n0,,1\n1,,2\n")}, "", {}, false});
  EXPECT_THAT(metricsOf(none.runs.at(0)), ElementsAre("loss"));
  EXPECT_THAT(none.notes, testing::Contains(HasSubstr("tells no times")));
  const RunsToImport since = read({{table("since.csv", "step,time,loss\n0,,1\n1,0.5,2\n")}, "", {}, false});
  EXPECT_THAT(metricsOf(since.runs.at(0)), ElementsAre("loss", "time"));
}

TEST_F(Import, AFileThatIsNamedTwiceIsImportedOnce) {
  log("a", {{"loss", {{0, 1}}}});
  log("b", {{"loss", {{0, 1}}}});
  ImportRequest twice = request();
  twice.sources.push_back((logs() / "a").string());
  twice.sources.push_back((logs() / "." / "b" / "events.out.tfevents.1").string());
  const RunsToImport found = read(twice);
  EXPECT_EQ(found.runs.size(), 2U) << "equal values in different files are different runs";
  EXPECT_THAT(found.notes, testing::Contains(HasSubstr("is named twice, and imported once")).Times(2));
  const std::string file = table("rows.csv", "run,step,loss\none,0,1\ntwo,0,1\n");
  EXPECT_EQ(read({{file, file}, "", {}, false}).runs.size(), 2U);
}

TEST_F(Import, FoldersBehindLinksAreReadOnce) {
  log("a", {{"loss", {{0, 1}}}});
  const auto elsewhere = folder.path() / "elsewhere";
  std::filesystem::create_directories(elsewhere);
  std::filesystem::copy(logs() / "a" / "events.out.tfevents.1", elsewhere / "events.out.tfevents.1");
  std::filesystem::create_directory_symlink(elsewhere, logs() / "linked");
  std::filesystem::create_directory_symlink(logs() / "a", logs() / "0again");
  std::filesystem::create_directory_symlink(logs(), logs() / "a" / "round");
  const RunsToImport found = read(request());
  ASSERT_EQ(found.runs.size(), 2U);
  EXPECT_EQ(found.runs[0].name, "a");
  EXPECT_EQ(found.runs[1].name, "linked");
}

TEST_F(Import, StepsThatCanBeNoneAreRefused) {
  log("a", {{"loss", {{1'000'000'000'000'000, 1}}}});
  EXPECT_THAT(refusal(request()),
              AllOf(HasSubstr("has the step 1000000000000000"), HasSubstr("up to 999999999999999")));
}

class ImportedRuns : public Import {
 protected:
  ImportedRuns() : open(store()) {
    Points losses;
    for (std::int64_t step = 0; step < 200; ++step) losses.emplace_back(step, 1.0 / static_cast<double>(step + 1));
    log("rival", {{"loss", losses}, {"val/accuracy", {{100, 0.5}, {200, 0.75}}}}, {{"optimizer.momentum", "0.5"}});
    imported = import(*open, request()).front().id;
    for (std::uint64_t seed = 1; seed < 4; ++seed) test::recordRun(*open, {"mean", seed, 0.9, 200, 2});
  }
  RunRecord run(const std::string& id) const { return open->find(id).value(); }
  std::vector<RunRecord> all() const { return findRuns(*open, {}).value(); }

  std::unique_ptr<RunStore> open;
  std::string imported;
};

TEST_F(ImportedRuns, HaveNoPlanAndSaySo) {
  const auto plan = parseRunPlan(run(imported).planText);
  ASSERT_FALSE(plan);
  EXPECT_THAT(toText(plan.error()),
              AllOf(HasSubstr("was imported (TensorBoard"), HasSubstr("neither weights nor a plan")));
  const RunOutcome outcome = outcomeOf(*open, run(imported), planToShow(run(imported).planText).value());
  EXPECT_EQ(outcome.steps, 200);
  EXPECT_EQ(outcome.stages.front().value("accuracy"), 75);
  EXPECT_TRUE(outcome.stages.front().testSetError.empty()) << "nobody knows how many samples were judged";
}

TEST_F(ImportedRuns, AreMeasuredFoundAndDeletedAsAnyOther) {
  EXPECT_THAT(open->unmeasuredRuns(10), testing::Not(testing::Contains(imported)));
  EXPECT_EQ(findRuns(*open, {"device:imported"}).value().front().id, imported);
  EXPECT_EQ(findRuns(*open, {"rival"}).value().front().id, imported);
  EXPECT_EQ(findRuns(*open, {"accuracy<80%"}).value().front().id, imported);
  const auto verified = verifyStore(open->folder());
  ASSERT_TRUE(verified);
  EXPECT_THAT(verified->problems, IsEmpty());
  EXPECT_TRUE(removeRun(*open, imported));
  EXPECT_FALSE(open->find(imported));
}

TEST_F(ImportedRuns, AreComparedWithoutAClaim) {
  const auto comparison = compareRuns(*open, all());
  ASSERT_TRUE(comparison) << toText(comparison.error());
  ASSERT_EQ(comparison->variants.size(), 2U);
  EXPECT_TRUE(comparison->variants[0].imported()) << "it is the oldest";
  EXPECT_EQ(comparison->comparisons, 0);
  ASSERT_EQ(comparison->differences.size(), 1U) << "what an import does not say differs in nothing";
  EXPECT_EQ(comparison->differences.front().key, "optimizer.momentum");
  const std::string text = toText(*comparison, Language::english);
  EXPECT_THAT(text, AllOf(HasSubstr("rival"), HasSubstr("75.00"), HasSubstr("90.00"),
                          HasSubstr("what differs is known in part only")));
  const auto chinese = toText(*comparison, Language::chinese);
  EXPECT_THAT(chinese, HasSubstr("差异只部分已知"));
}

TEST_F(ImportedRuns, OfWhichNothingIsKnownAreVariantsOfTheirOwn) {
  const std::string file = table("two.csv", "run,step,loss\na,0,1\nb,0,2\n");
  import(*open, {{file}, "", {}, false});
  const auto comparison = compareRuns(*open, findRuns(*open, {"two"}).value());
  ASSERT_TRUE(comparison);
  EXPECT_EQ(comparison->variants.size(), 2U);
}

TEST_F(ImportedRuns, OfASeedThatIsKnownArePairedAndStillNothingIsClaimed) {
  for (const char* seed : {"1", "2", "3"}) {
    log(std::string("paired") + seed, {{"val/accuracy", {{200, 0.7 + 0.001 * seed[0]}}}},
        {{"seed", seed}, {"variant", "theirs"}});
  }
  std::filesystem::remove_all(logs() / "rival");
  import(*open, request());
  const auto comparison = compareRuns(*open, findRuns(*open, {"mean", "theirs"}).value());
  ASSERT_TRUE(comparison);
  ASSERT_EQ(comparison->compared.size(), 1U);
  ASSERT_FALSE(comparison->compared.front().measures.empty());
  for (const ComparedMeasure& one : comparison->compared.front().measures) {
    EXPECT_EQ(one.pairs, 3);
    EXPECT_EQ(one.verdict, ComparisonVerdict::noClaim);
    EXPECT_EQ(one.why, NoClaim::imported);
    EXPECT_FALSE(one.low);
  }
}

TEST_F(ImportedRuns, AreInReports) {
  for (const char* name : {"report.html", "report.pdf", "report.csv", "report.json", "report.tex"}) {
    const Status written = writeReport(*open, all(), folder.path() / name, Language::english);
    EXPECT_TRUE(written) << name << ": " << toText(written.error());
  }
  const std::string html = readFile(folder.path() / "report.html").value();
  EXPECT_THAT(html, AllOf(HasSubstr("Imported from"), HasSubstr("optimizer.momentum")));
  ASSERT_TRUE(writeReport(*open, {run(imported)}, folder.path() / "one.html", Language::english));
  EXPECT_THAT(readFile(folder.path() / "one.html").value(),
              AllOf(HasSubstr("(imported) reached"), testing::Not(HasSubstr("0 ranks"))));
}

}  // namespace
}  // namespace slipstream
