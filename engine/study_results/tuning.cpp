// SPDX-License-Identifier: GPL-3.0-or-later
// How cells ended, and which trial of tuning came out best.
#include <cmath>

#include "engine/store/run_store.h"
#include "engine/study_results/study_runs.h"

namespace slipstream {

CellEnd endOf(RunStore& store, const StudyCell& cell) {
  return endOf(cell, cell.run.empty() ? std::nullopt : store.stateOf(cell.run));
}

CellEnd endOf(const StudyCell& cell, const std::optional<RunState>& state) {
  if (!cell.why.empty()) return CellEnd::failed;
  if (cell.run.empty()) return CellEnd::open;
  if (!state) return CellEnd::deleted;
  if (*state == RunState::done) return CellEnd::done;
  return *state == RunState::failed ? CellEnd::failed : CellEnd::open;
}

namespace {

std::optional<int> bestTrial(RunStore& store, const Study& study, const TunedCells& tuned, KnownRuns* known) {
  const StudyMeasure* measure = findStudyMeasure(study.question.measure);
  if (measure == nullptr) return std::nullopt;
  std::vector<StudyCell> trials;
  for (const StudyCell& cell : store.studies().cells(tuned.study)) {
    if (cell.trial == 0 || cell.variant != tuned.variant || cell.factors != tuned.factors) continue;
    if (endOf(store, cell) == CellEnd::open) return std::nullopt;
    trials.push_back(cell);
  }
  StudyRuns runs(store, std::move(trials), known);
  std::optional<int> best;
  double bestValue = 0;
  for (const CellResult& cell : runs.cells()) {
    const auto value = runs.valueOf(cell, *measure, "");
    if (!value || !value->reached || !std::isfinite(value->value)) continue;
    const bool better = measure->higherIsBetter ? value->value > bestValue : value->value < bestValue;
    if (best && !better) continue;
    best = cell.cell.trial;
    bestValue = value->value;
  }
  // None came to anything: the first, so that the study can go on and say so.
  return best ? best : runs.cells().empty() ? std::nullopt : std::optional(1);
}

}  // namespace

std::optional<int> chosenTrial(RunStore& store, const Study& study, const TunedCells& tuned, KnownRuns* known) {
  const auto decided = store.studies().choice(tuned.study, tuned.variant, tuned.factors);
  return decided ? decided : bestTrial(store, study, tuned, known);
}

std::optional<int> decideTrial(RunStore& store, const Study& study, const TunedCells& tuned) {
  const auto chosen = chosenTrial(store, study, tuned);
  if (!chosen) return std::nullopt;
  return store.studies().choose(tuned.study, tuned.variant, tuned.factors, *chosen);
}

}  // namespace slipstream
