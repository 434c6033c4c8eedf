// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/study_results/study_runs.h"

namespace slipstream {

/// What one seed came to. `reached`: the target, or the end where nothing counts up to a target; `never`: the end
/// without the target; `stopped`: it can go on.
enum class SeedState { waiting, running, stopped, reached, never, failed, deleted };

struct StudySeed {
  int cell = 0;  ///< StudyCell::cell
  std::uint64_t seed = 0;
  SeedState state = SeedState::waiting;
  std::string run;  ///< empty: none was begun
  std::string why;  ///< it failed
};

/// A variant where the factors have some values.
struct StudyMatrixCell {
  std::vector<StudySeed> seeds;               ///< in the order in which they were added
  std::optional<double> mean;                 ///< of the seeds that count; what was not reached: where it was cut off
  std::optional<StudyComparison> comparison;  ///< with the reference; none of the reference itself
};

struct StudyMatrixRow {
  std::string variant;
  std::string stage;  ///< where stages are compared; else empty
  bool isReference = false;
  std::int64_t trials = 0;  ///< of tuning
  int colourSlot = 0;       ///< of the variant's first run
  std::vector<StudyMatrixCell> cells;

  /// The stage's name where stages of one variant are compared, else the variant's.
  const std::string& name() const { return stage.empty() ? variant : stage; }
};

/// Variants (or stages) by combinations of factors: what became of every seed, and what was shown of one measure.
struct StudyMatrix {
  StudyMeasure measure;
  std::vector<StudySettings> columns;  ///< combinationsOf(study)
  std::vector<StudyMatrixRow> rows;    ///< as long as the columns
};

/// From the states of runs alone, in a moment: without means and comparisons, and every run that is done is `reached`.
StudyMatrix matrixOf(RunStore& store, const Study& study, const std::vector<StudyCell>& cells);
/// Adds what was shown of a measure. `runs` are those of the cells, `verdict` is the study's.
void addVerdict(StudyMatrix& matrix, StudyRuns& runs, const StudyVerdict& verdict, const StudyMeasure& measure);

}  // namespace slipstream
