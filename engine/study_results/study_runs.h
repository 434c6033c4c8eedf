// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "engine/study_results/verdict.h"

namespace slipstream {

/// A cell with what came of its run.
struct CellResult {
  StudyCell cell;
  CellEnd end = CellEnd::open;
  RunRecord run;
  RunPlan plan;
  std::optional<RunOutcome> outcome;  ///< of one that is done
};

/// What was read of runs that have ended, for whoever reads a study again and again: a run is read anew once it has had
/// another attempt.
class KnownRuns {
 public:
  /// The plan of a run, and what came of one that is done; `plan` is empty where it cannot be read.
  struct Known {
    RunState state = RunState::draft;
    int attempt = 0;
    std::int64_t endedAt = 0;
    std::optional<RunPlan> plan = {};
    std::optional<RunOutcome> outcome = {};
  };
  /// Reads the plans of runs that are not known as they are, by all processors: that is most of what reading a run
  /// takes.
  void readPlans(const std::vector<const RunRecord*>& runs);
  /// Valid until the next call.
  const Known& of(RunStore& store, const RunRecord& run);

 private:
  /// Null where it is known already.
  Known* stale(const RunRecord& run);

  std::map<std::string, Known> runs_;  ///< by id
};

/// Of a study's cells those of its first `rounds` rounds, which its verdict counts, and all of tuning.
std::vector<StudyCell> judgedCells(std::vector<StudyCell> cells, int rounds);

/// Reads each run once.
class StudyRuns {
 public:
  /// `known`: where to look first, and to keep what was read; null: nowhere.
  StudyRuns(RunStore& store, std::vector<StudyCell> cells, KnownRuns* known = nullptr);

  /// A value of one cell; of a failed one none.
  std::optional<MeasuredValue> valueOf(const CellResult& cell, const StudyMeasure& measure, const std::string& stage);

  const std::vector<CellResult>& cells() const { return cells_; }
  /// Measured cells of a variant with these factors, by pair.
  std::map<std::uint64_t, const CellResult*> measured(const std::string& variant, const std::string& factors) const;

 private:
  RunStore& store_;
  std::vector<CellResult> cells_;
};

/// The paired values of one comparison, and why they may not be comparable.
struct StudyPairs {
  std::vector<double> reference, value;  ///< cut off at the horizon
  double testSetError = 0;
  int referenceReached = 0, reached = 0;
  std::optional<double> horizon;
  int referenceFailed = 0, failed = 0;    ///< seeds whose run failed
  int referenceDeleted = 0, deleted = 0;  ///< seeds whose run is not there any more
  Text invalid;                           ///< why nothing can be said of them
};

/// One side of a comparison: a stage of a variant.
struct StudySide {
  std::string variant;
  std::string stage;  ///< empty: the last one
};

/// On the scale on which it is compared: differences, or logarithms of ratios.
PairedDifferences differencesOf(const StudyMeasure& measure, const StudyPairs& pairs);
/// Of the same scale; 0: the study names none for this measure.
double marginOf(const Study& study, const StudyMeasure& measure);

/// Adds badges and remarks: tuning, what was not given alike, what failed or is missing.
void remarkOn(StudyVerdict& verdict, const StudyRuns& runs);

StudyPairs pairSides(StudyRuns& runs, const StudyMeasure& measure, const std::string& factors,
                     const StudySide& reference, const StudySide& other);

}  // namespace slipstream
