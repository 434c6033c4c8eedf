// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <functional>
#include <string>

#include <SQLiteCpp/SQLiteCpp.h>
#include <nlohmann/json.hpp>

#include "engine/base/hash.h"
#include "engine/store/store_folder.h"
#include "engine/study/design.h"
#include "tests/support/finished_runs.h"
#include "tests/support/text_files.h"

namespace slipstream::test {

/// What became of one cell.
struct CellOutcome {
  FinishedRun run = {};
  RunState state = RunState::done;  ///< draft: none was begun
  double seconds = 10;              ///< that its run took
};

/// As a store has them: `seconds` after one moment of the past.
inline void setTimes(RunStore& store, const std::string& run, double seconds) {
  constexpr std::int64_t began = 1'700'000'000'000'000'000;
  SQLite::Database database(storeFileIn(store.folder()).string(), SQLite::OPEN_READWRITE);
  database.setBusyTimeout(5000);
  SQLite::Statement update(database, "UPDATE run SET started_at = ?, ended_at = ? WHERE id = ?");
  update.bind(1, static_cast<std::int64_t>(began));
  update.bind(2, static_cast<std::int64_t>(began + static_cast<std::int64_t>(1e9 * seconds)));
  update.bind(3, run);
  update.exec();
}

/// A study in a store, whose runs are written rather than trained.
class SampleStudy {
 public:
  /// `asked`: the study's file but for its base, which names what its variants are.
  SampleStudy(RunStore& store, nlohmann::json asked) : store_(store) {
    nlohmann::json base{{"name", "base"},
                        {"network", "lenet5"},
                        {"dataset", {{"name", "digits"}}},
                        {"optimizer", {{"name", "momentum"}, {"learning_rate", 0.02}}},
                        {"parallel", {{"ranks", 2}}},
                        {"train", {{"steps", 200}}}};
    base_ = files_.write("base.json", base.dump());
    asked["base"] = "base.json";
    if (!asked.contains("name")) asked["name"] = "study";
    file_ = files_.write("study.json", asked.dump());
    study_ = readStudy(file_).value();
    StudyRecord record;
    record.name = study_.name;
    record.frozenText = frozenTextOf(study_);
    record.frozenHash = sha256(record.frozenText);
    record.file = file_.string();
    number_ = store.studies().create(record, cellsOf(study_));
  }

  /// Ends the cells that have no run yet.
  void finish(const std::function<CellOutcome(const StudyCell&)>& outcomeOf) {
    for (const StudyCell& cell : store_.studies().cells(number_)) {
      if (!cell.run.empty()) continue;
      CellOutcome outcome = outcomeOf(cell);
      if (outcome.state == RunState::draft) continue;
      outcome.run.variant = cell.variant;
      outcome.run.seed = cell.seed;
      // The same bits again would count once.
      outcome.run.noise = 1 + cell.seed * 1000 + static_cast<std::uint64_t>(cell.cell);
      const std::string run = recordRun(store_, outcome.run);
      setTimes(store_, run, outcome.seconds);
      if (outcome.state != RunState::done)
        store_.setState(run, outcome.state, outcome.state == RunState::failed ? "the loss is no number" : "");
      store_.studies().setRun(number_, cell.cell, run, "{}", 100);
    }
  }

  const Study& study() const { return study_; }
  std::int64_t number() const { return number_; }
  const std::filesystem::path& base() const { return base_; }
  StudyRecord record() { return store_.studies().at(number_).value(); }

 private:
  RunStore& store_;
  TextFiles files_;
  std::filesystem::path base_, file_;
  Study study_;
  std::int64_t number_ = 0;
};

/// Of a cell whose factors name them.
inline int ranksOf(const StudyCell& cell) {
  const StudySettings factors = settingsOf(cell.factors);
  const auto ranks = factors.find("parallel.ranks");
  return ranks == factors.end() ? 2 : ranks->second.get<int>();
}

/// About as much as seeds of a small network differ.
inline double seedJitter(const StudyCell& cell) {
  return 0.0006 * std::sin(7.0 * static_cast<double>(cell.seed) + static_cast<double>(cell.variant.size()));
}

}  // namespace slipstream::test
