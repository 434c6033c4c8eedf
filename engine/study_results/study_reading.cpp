// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/study_results/study_reading.h"

#include <algorithm>

#include "engine/store/run_store.h"
#include "engine/study/cell_plan.h"

namespace slipstream {
namespace {

/// Each once, in the order of the comparisons; the measure that is asked about where there is none.
std::vector<StudyMeasure> measuresOf(const StudyVerdict& verdict) {
  std::vector<StudyMeasure> measures;
  for (const StudyComparison& one : verdict.comparisons) {
    if (std::ranges::find(measures, one.measure.key, &StudyMeasure::key) == measures.end())
      measures.push_back(one.measure);
  }
  const StudyMeasure* asked = findStudyMeasure(verdict.study.question.measure);
  if (measures.empty() && asked != nullptr) measures.push_back(*asked);
  return measures;
}

/// Every combination of the factors but the ranks.
std::vector<StudySettings> combinationsWithoutRanks(Study study) {
  std::erase_if(study.factors, [](const StudyFactor& factor) { return factor.key == ranksKey; });
  return combinationsOf(study);
}

class Reading {
 public:
  Reading(RunStore& store, std::vector<StudyCell> cells, KnownRuns& known, StudyReading& made)
      : judged_(store, judgedCells(cells, made.verdict.judgedRounds), &known),
        runs_(store, std::move(cells), &known),
        made_(made) {}

  void run() {
    const Study& study = made_.standing.study;
    for (const StudyMeasure& measure : measuresOf(made_.verdict)) {
      made_.matrices.push_back(made_.standing.matrix);
      addVerdict(made_.matrices.back(), runs_, made_.verdict, measure);
    }
    for (const StudyMatrixRow& row : made_.standing.matrix.rows) made_.pens[row.name()] = row.colourSlot;
    if (const StudyMeasure* measure = targetMeasureOf(study)) {
      for (const StudySettings& factors : combinationsOf(study))
        made_.reached.push_back(timeToTarget(judged_, study, *measure, factors));
      made_.profile = profileOf(judged_, study, *measure);
    }
    for (StudySettings& others : combinationsWithoutRanks(study)) {
      if (auto scaling = scalingOf(runs_, study, others))
        made_.scaling.emplace_back(std::move(others), std::move(*scaling));
    }
    made_.tradeOff = tradeOffOf(runs_, study);
    made_.next = whatNext(judged_, made_.verdict, coresOf(study));
    made_.hours = hoursOf(study);
  }

 private:
  double hoursOf(const Study& study) const {
    const int cores = coresOf(study);
    double seconds = 0;
    for (const CellResult& cell : runs_.cells()) {
      if (cell.run.startedAt == 0 || cell.run.endedAt <= cell.run.startedAt) continue;
      const double own = 1e-9 * static_cast<double>(cell.run.endedAt - cell.run.startedAt);
      seconds += own * costOf(study, cell.plan, cores).cores / cores;
    }
    return seconds / 3600;
  }

  StudyRuns judged_, runs_;
  StudyReading& made_;
};

Result<StudyStanding> standingOf(RunStore& store, StudyRecord record, const std::vector<StudyCell>& cells) {
  SLIPSTREAM_TRY(study, studyOfFrozen(record.frozenText));
  StudyStanding standing{.record = {}, .study = {}, .matrix = matrixOf(store, study, cells), .trials = {}};
  for (const StudyCell& cell : cells) {
    if (cell.trial > 0) standing.trials.push_back(cell);
  }
  standing.state = stateNow(record);
  standing.carriedOn = isCarriedOn(record);
  standing.record = std::move(record);
  standing.study = std::move(study);
  return standing;
}

Result<StudyRecord> recordAt(RunStore& store, std::int64_t number) {
  if (auto record = store.studies().at(number)) return std::move(*record);
  return fail("STUDY", std::to_string(number), "the store has no study of this number any more", "choose another one");
}

}  // namespace

Result<StudyStanding> standingOf(RunStore& store, std::int64_t number) {
  SLIPSTREAM_TRY(record, recordAt(store, number));
  return standingOf(store, std::move(record), store.studies().cells(number));
}

Result<StudyReading> readingOf(RunStore& store, std::int64_t number, KnownRuns& known) {
  SLIPSTREAM_TRY(record, recordAt(store, number));
  std::vector<StudyCell> cells = store.studies().cells(number);
  SLIPSTREAM_TRY(verdict, verdictOf(store, record, &known));
  SLIPSTREAM_TRY(standing, standingOf(store, std::move(record), cells));
  StudyReading made;
  made.standing = std::move(standing);
  made.verdict = std::move(verdict);
  Reading(store, std::move(cells), known, made).run();
  made.changed = changedSince(made.standing.study, made.standing.record.file);
  return made;
}

}  // namespace slipstream
