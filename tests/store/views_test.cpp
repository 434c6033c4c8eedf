// SPDX-License-Identifier: GPL-3.0-or-later
// The views that other programs read: as their page describes them, and what they show.
#include <cmath>
#include <fstream>
#include <limits>
#include <regex>

#include <SQLiteCpp/SQLiteCpp.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/base/files.h"
#include "engine/runs/run_outcome.h"
#include "engine/store/database.h"
#include "engine/store/schema.h"
#include "tests/support/finished_runs.h"
#include "tests/support/staged_run.h"
#include "tests/support/temporary_folder.h"

namespace slipstream {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

/// The views of a page, each with its columns in their order, and the version that the page says.
struct DescribedViews {
  std::map<std::string, std::vector<std::string>> columns;
  int version = 0;
};

DescribedViews describedViews() {
  std::ifstream page(SLIPSTREAM_SOURCE "/resources/docs/data.md");
  const std::regex version("^Version ([0-9]+),.*"), view("^### (v_[a-z]+)$"), column("^\\| `([a-z_]+)` \\|.*");
  DescribedViews described;
  std::string current;
  std::smatch match;
  for (std::string line; std::getline(page, line);) {
    if (std::regex_match(line, match, version)) described.version = std::stoi(match[1]);
    if (line.starts_with("##")) current = std::regex_match(line, match, view) ? match[1].str() : "";
    if (!current.empty() && std::regex_match(line, match, column)) described.columns[current].push_back(match[1]);
  }
  return described;
}

class Views : public testing::Test {
 protected:
  std::filesystem::path file() const { return folder.path() / "store.db"; }
  std::unique_ptr<RunStore> store() const { return test::openStore(folder.path()); }

  /// As a program of somebody else opens it, with nothing trusted that the file holds.
  std::vector<std::vector<std::string>> rows(const std::string& sql) const {
    SQLite::Database database(file().string(), SQLite::OPEN_READONLY);
    database.exec("PRAGMA trusted_schema = OFF");
    SQLite::Statement statement(database, sql);
    std::vector<std::vector<std::string>> all;
    while (statement.executeStep()) {
      auto& row = all.emplace_back();
      for (int i = 0; i < statement.getColumnCount(); ++i) {
        row.push_back(statement.getColumn(i).isNull() ? "NULL" : statement.getColumn(i).getString());
      }
    }
    return all;
  }
  std::vector<std::string> column(const std::string& sql) const {
    std::vector<std::string> values;
    for (const auto& row : rows(sql)) values.push_back(row.front());
    return values;
  }

  test::TemporaryFolder folder;
};

TEST_F(Views, AreAsTheirPageSays) {
  store();
  const DescribedViews described = describedViews();
  EXPECT_THAT(column("SELECT version FROM v_version"), ElementsAre(std::to_string(described.version)));
  const auto views = column("SELECT name FROM sqlite_master WHERE type = 'view' AND name <> 'v_version' ORDER BY name");
  ASSERT_EQ(described.columns.size(), 4U);
  ASSERT_EQ(views.size(), described.columns.size());
  for (const std::string& view : views) {
    ASSERT_TRUE(described.columns.contains(view)) << view;
    EXPECT_EQ(column("SELECT name FROM pragma_table_info('" + view + "')"), described.columns.at(view)) << view;
  }
}

TEST_F(Views, ShowARunAndWhatIsSaidOfIt) {
  std::string id;
  {
    const auto open = store();
    NewRun asked = test::sampleRun("first");
    asked.seed = ~std::uint64_t{0};
    id = open->createRun(asked);
    open->setLabel(id, {"renamed", "a note", {"a", "b"}, true, false});
    open->createRun(test::sampleRun("second"));
  }
  EXPECT_THAT(
      rows("SELECT run, name, seed, state, tags, note, pinned, archived, started, copy_of, imported_from, "
           "total_steps FROM v_run ORDER BY created, run")[0],
      ElementsAre(id, "renamed", "18446744073709551615", "queued", "a,b", "a note", "1", "0", "NULL", "", "", "NULL"));
  EXPECT_THAT(column("SELECT name FROM v_run WHERE seed = 7"), ElementsAre("second"));
  EXPECT_TRUE(std::regex_match(column("SELECT created FROM v_run").front(),
                               std::regex(R"(20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z)")));
}

TEST_F(Views, ShowStagesAndEvents) {
  std::string whole, staged;
  {
    const auto open = store();
    whole = test::recordRun(*open, {"mean", 1, 0.9, 200, 2});
    staged = test::recordStagedRun(*open, {});
    open->addEvent(whole, {0, 1'700'000'000'123'456'789, 1, -1, EventLevel::error, "run.failed", "it's over"});
    open->addEvent(whole, {0, 1'700'000'000'000'000'000, 1, 3, EventLevel::warning, "data", "slow"});
  }
  EXPECT_THAT(
      rows("SELECT position, stage, starts_from, first_step, end_step FROM v_stage WHERE run = '" + whole + "'"),
      ElementsAre(ElementsAre("0", "train", "", "0", "200")));
  EXPECT_THAT(column("SELECT total_steps FROM v_run WHERE run = '" + whole + "'"), ElementsAre("200"));
  const auto plan = parseRunPlan(store()->find(staged)->planText).value();
  const auto stages = rows("SELECT stage, starts_from, first_step, end_step FROM v_stage WHERE run = '" + staged +
                           "' ORDER BY position");
  ASSERT_EQ(stages.size(), plan.stages.size());
  ASSERT_GT(stages.size(), 1U);
  for (std::size_t i = 0; i < stages.size(); ++i) {
    const StagePlan& stage = plan.stages[i];
    EXPECT_THAT(stages[i], ElementsAre(stage.name, stage.start.stage, std::to_string(stage.firstStep),
                                       std::to_string(stage.endStep)));
  }
  EXPECT_THAT(rows("SELECT time, rank, level, code, text FROM v_event WHERE run = '" + whole + "' ORDER BY number"),
              ElementsAre(ElementsAre("2023-11-14T22:13:20.123456Z", "NULL", "error", "run.failed", "it's over"),
                          ElementsAre("2023-11-14T22:13:20.000000Z", "3", "warning", "data", "slow")));
}

TEST_F(Views, MeasuresAreThoseOfTheRunAndGoWhenItGoesOn) {
  const auto open = store();
  const std::string id = test::recordRun(*open, {"mean", 1, 0.75, 200, 2});
  EXPECT_THAT(column("SELECT measure FROM v_measure"), IsEmpty());
  EXPECT_THAT(open->unmeasuredRuns(10), ElementsAre(id));
  keepMissingMeasures(*open, std::chrono::minutes{1});
  EXPECT_THAT(open->unmeasuredRuns(10), IsEmpty());
  const RunRecord run = open->find(id).value();
  const RunOutcome outcome = outcomeOf(*open, run, parseRunPlan(run.planText).value());
  const auto kept = rows("SELECT stage, measure, value FROM v_measure WHERE run = '" + id + "'");
  EXPECT_EQ(kept.size(), outcome.stages.front().measured.size() + 1);
  for (const auto& row : kept) {
    EXPECT_EQ(row[0], "train");
    const double value = std::stod(row[2]);
    if (row[1] == "steps") {
      EXPECT_EQ(value, 200);
    } else {
      const bool percent = row[1] == "accuracy" || row[1] == "best_accuracy";
      EXPECT_NEAR(value, *outcome.stages.front().value(row[1]) / (percent ? 100 : 1), 1e-9) << row[1];
    }
  }
  EXPECT_THAT(column("SELECT value FROM v_measure WHERE measure = 'accuracy'"), ElementsAre("0.75"));

  open->setState(id, RunState::running, "");
  EXPECT_THAT(column("SELECT measure FROM v_measure"), IsEmpty());
  EXPECT_THAT(open->unmeasuredRuns(10), IsEmpty()) << "it has not ended";
  open->setState(id, RunState::done, "");
  EXPECT_THAT(open->unmeasuredRuns(10), ElementsAre(id));
  keepMeasures(*open, id);
  EXPECT_EQ(column("SELECT measure FROM v_measure").size(), kept.size());
  open->removeRun(id);
  EXPECT_THAT(column("SELECT count(*) FROM measure"), ElementsAre("0"));
  EXPECT_THAT(column("SELECT count(*) FROM stage"), ElementsAre("0"));
}

TEST_F(Views, WhatIsNoNumberIsNull) {
  const auto open = store();
  const std::string id = open->createRun(test::sampleRun());
  open->setState(id, RunState::done, "");
  constexpr double infinity = std::numeric_limits<double>::infinity();
  open->setMeasures(id, {{"train", "final_loss", std::nan("")}, {"train", "best_loss", infinity}});
  EXPECT_THAT(column("SELECT value FROM v_measure WHERE measure = 'final_loss'"), ElementsAre("NULL"));
  EXPECT_THAT(column("SELECT value > 1e308 FROM v_measure WHERE measure = 'best_loss'"), ElementsAre("1"));
}

TEST_F(Views, ARunWhosePlanCannotBeReadIsInThemToo) {
  const auto open = store();
  NewRun asked = test::sampleRun();
  asked.planText = "nonsense";
  const std::string id = open->createRun(asked);
  open->setState(id, RunState::failed, "no plan");
  keepMissingMeasures(*open, std::chrono::minutes{1});
  EXPECT_THAT(open->unmeasuredRuns(10), IsEmpty()) << "else every command tries again";
  EXPECT_THAT(rows("SELECT stage, first_step, end_step FROM v_stage"), ElementsAre(ElementsAre("train", "0", "NULL")));
}

TEST_F(Views, AStoreOfTheVersionBeforeHasThemOnceItIsOpenedToWrite) {
  const DatabaseKind before{.applicationId = 0x534C5053,
                            .what = "run store",
                            .scripts = std::span(storeMigrations).first(6),
                            .creationPragmas = "PRAGMA page_size = 16384",
                            .pragmas = "PRAGMA journal_mode = WAL; PRAGMA foreign_keys = ON"};
  {
    const auto database = std::move(Database::open(file(), StoreAccess::write, before).value());
    for (const std::string plan : {R"({"total_steps": 12, "steps_per_epoch": 4})", "nonsense"}) {
      database->execute(
          "INSERT INTO run (id, name, experiment_name, variant, run_group, experiment_text, plan_text, command_text,"
          " environment_text, source_revision, seed, ranks, device, colour_slot, state, created_at) VALUES"
          " (printf('%08x', abs(random()) % 4294967295), 'old', 'e', '', '', '', ?, '', '', '', 1, 2, 'cpu', 0, 'done',"
          " 1700000000000000000)",
          plan);
    }
  }
  EXPECT_FALSE(RunStore::open(folder.path(), StoreAccess::read));
  store();
  EXPECT_THAT(rows("SELECT stage, end_step, steps_per_epoch FROM v_stage ORDER BY end_step DESC"),
              ElementsAre(ElementsAre("train", "12", "4"), ElementsAre("train", "NULL", "NULL")));
  EXPECT_THAT(column("SELECT count(*) FROM v_run WHERE name = 'old' AND imported_from = ''"), ElementsAre("2"));
  EXPECT_TRUE(RunStore::open(folder.path(), StoreAccess::read));
}

TEST_F(Views, OneThatSomebodyElseWroteIsRefused) {
  store();
  {
    SQLite::Database raw(file().string(), SQLite::OPEN_READWRITE);
    raw.exec("DROP VIEW v_event; CREATE VIEW v_event AS SELECT 1 AS run");
  }
  const auto refused = RunStore::open(folder.path(), StoreAccess::read);
  ASSERT_FALSE(refused);
  EXPECT_THAT(toText(refused.error()), testing::AllOf(HasSubstr("v_event"), HasSubstr("no slipstream makes")));
  {
    SQLite::Database raw(file().string(), SQLite::OPEN_READWRITE);
    raw.exec("DROP VIEW v_event");
  }
  EXPECT_TRUE(RunStore::open(folder.path(), StoreAccess::read)) << "nobody here reads it";
}

}  // namespace
}  // namespace slipstream
