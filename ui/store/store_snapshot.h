// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <filesystem>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "engine/store/run_store.h"
#include "engine/study_results/study_summary.h"

namespace slipstream::ui {

class StoreReader;

/// One run in a list. Texts of the record are empty.
struct RunRow {
  RunRecord run;
  RunLabel label;

  /// What it is called: its title, else its variant, else its name.
  QString title() const;
};

/// The store at one moment; shared, never changed.
struct StoreSnapshot {
  std::filesystem::path folder;
  std::vector<RunRow> runs;                ///< oldest first
  std::vector<StudySummary> studies = {};  ///< oldest first
  std::int64_t bytes = 0;                  ///< of all files of the store; 0 until they are measured
  std::int64_t version = 0;                ///< grows with every write, whichever store is open
  /// Where each run stands in `runs`, by its id.
  std::unordered_map<std::string, std::size_t> places = {};

  /// Fills `places`; find() looks at every run without it.
  void index();
  /// Null where there is no such run.
  const RunRow* find(const std::string& id) const;
  /// The same of studies, by name.
  const StudySummary* findStudy(const std::string& name) const;
  /// Of the runs of this machine.
  bool hasLiving() const;
};
using StoreSnapshotPointer = std::shared_ptr<const StoreSnapshot>;

/// What tells a run from others of its name: " · 4 ranks" where these differ, " #2" of the second one.
struct RunMark {
  QString ranks, number;
};

/// What runs are called: "adasum · seed 1", or the title that people gave. Of runs of one experiment that would be
/// called alike the ranks are named where they differ, "adasum · seed 1 · 4 ranks"; the others are counted, oldest
/// first: the second one is "adasum · seed 1 #2".
class RunNames {
 public:
  explicit RunNames(const StoreSnapshot& snapshot);

  QString of(const RunRow& row) const;
  /// The same below the name of its variant: "seed 1 #2".
  QString seedOf(const RunRow& row) const;
  /// " · 4 ranks", " #2", both, or nothing.
  QString markOf(const RunRow& row) const;
  /// The number alone, for where the ranks are shown anyway.
  QString numberOf(const RunRow& row) const;

 private:
  std::unordered_map<std::string, RunMark> marks_;  ///< by id, of those that are no only one
};

/// "seed 1"
QString seedName(std::uint64_t seed);
/// "adasum · seed 1"
QString nameWithSeed(const QString& title, std::uint64_t seed);
/// Of one run, which is faster than naming all.
QString runName(const StoreSnapshot& snapshot, const RunRow& row);

/// The result of one poll of a store.
struct PollResult {
  std::shared_ptr<StoreSnapshot> snapshot;  ///< null: nothing has changed
  bool hasOrphan = false;                   ///< a run that is not marked as ended, but nobody carries on
  bool hasGrown = false;                    ///< it was written to since the last poll
  int store = 0;                            ///< StoreReader::store()
};

/// Polls a store, in the reader's thread alone, and compares each state of it with the one before.
class StorePoller {
 public:
  /// `bytes` is what was measured last, `last` what was found before.
  PollResult poll(RunStore& store, const StoreReader& reader, std::int64_t bytes, const StoreSnapshot& last);

 private:
  int connection_ = 0;
  std::int64_t dataVersion_ = 0;  ///< SQLite's, which begins anew with every connection
  std::int64_t version_ = 0;      ///< the snapshots': never the same again
};

}  // namespace slipstream::ui
