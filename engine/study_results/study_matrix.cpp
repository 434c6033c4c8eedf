// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/study_results/study_matrix.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "engine/analysis/run_colours.h"
#include "engine/store/run_store.h"

namespace slipstream {
namespace {

SeedState stateOf(RunStore& store, const StudyCell& cell) {
  if (!cell.why.empty()) return SeedState::failed;
  if (cell.run.empty()) return SeedState::waiting;
  const auto state = store.stateOf(cell.run);
  if (!state) return SeedState::deleted;
  switch (*state) {
    case RunState::done:
      return SeedState::reached;
    case RunState::failed:
      return SeedState::failed;
    case RunState::stopped:
    case RunState::lost:
      return SeedState::stopped;
    case RunState::starting:
    case RunState::running:
    case RunState::stopping:
      return SeedState::running;
    default:
      return SeedState::waiting;
  }
}

/// By variant: a pen in the colour of its first run. Variants are few and their colours are all that tells them apart.
std::map<std::string, int> slotsOf(RunStore& store, const Study& study, const std::vector<StudyCell>& cells) {
  std::map<std::string, int> colours;
  for (const StudyCell& cell : cells) {
    if (cell.run.empty() || colours.contains(cell.variant)) continue;
    if (const auto run = store.find(cell.run)) colours[cell.variant] = std::max(run->colourSlot, 0) % runColourCount;
  }
  std::map<std::string, int> slots;
  std::set<int> taken;
  const auto give = [&](const std::string& variant, int colour) {
    if (!slots.contains(variant)) taken.insert(slots[variant] = nextFreeSlot(colour, taken));
  };
  for (const StudyVariant& variant : study.variants) {
    if (const auto known = colours.find(variant.name); known != colours.end()) give(variant.name, known->second);
  }
  for (const StudyVariant& variant : study.variants) give(variant.name, 0);
  return slots;
}

std::vector<StudyMatrixRow> rowsOf(const Study& study, const std::map<std::string, int>& slots) {
  const std::vector<std::string> none{""};
  const std::vector<std::string>& stages = study.question.stages.empty() ? none : study.question.stages;
  std::vector<StudyMatrixRow> rows;
  for (const StudyVariant& variant : study.variants) {
    for (const std::string& stage : stages) {
      const bool reference = stage.empty() ? variant.name == study.reference : stage == stages.front();
      rows.push_back({variant.name, stage, reference, study.trialsOf(variant.name), slots.at(variant.name), {}});
    }
  }
  return rows;
}

/// What a failed run or one that never got there counts as: as far as all of the cell were watched.
double horizonOf(const std::vector<MeasuredValue>& values) {
  double shortest = INFINITY, longest = 0;
  for (const MeasuredValue& one : values) {
    if (!one.reached) shortest = std::min(shortest, one.value);
    longest = std::max(longest, one.reached ? one.value : 0);
  }
  return std::isfinite(shortest) ? shortest : longest;
}

/// Of one cell of the matrix; nothing where nothing was measured.
std::optional<double> meanOf(StudyRuns& runs, const StudyMatrixRow& row, const StudySettings& factors,
                             const StudyMeasure& measure) {
  std::vector<MeasuredValue> values;
  for (const auto& [pair, cell] : runs.measured(row.variant, storedForm(factors))) {
    if (const auto value = runs.valueOf(*cell, measure, row.stage)) values.push_back(*value);
  }
  if (values.empty()) return std::nullopt;
  const double horizon = measure.countsToTarget ? horizonOf(values) : INFINITY;
  double sum = 0;
  for (const MeasuredValue& one : values) sum += std::min(one.value, horizon);
  return sum / static_cast<double>(values.size());
}

void markSeeds(StudyMatrixCell& cell, StudyRuns& runs, const StudyMatrixRow& row, const StudySettings& factors,
               const StudyMeasure& measure) {
  std::map<int, bool> reached;  // by number of the cell
  for (const auto& [pair, result] : runs.measured(row.variant, storedForm(factors))) {
    const auto value = runs.valueOf(*result, measure, row.stage);
    reached[result->cell.cell] = !measure.countsToTarget || (value && value->reached);
  }
  for (StudySeed& seed : cell.seeds) {
    const auto found = reached.find(seed.cell);
    const bool ended = seed.state == SeedState::reached || seed.state == SeedState::never;
    if (ended && found != reached.end()) seed.state = found->second ? SeedState::reached : SeedState::never;
  }
}

bool isOf(const StudyComparison& comparison, const StudyMatrixRow& row, const StudySettings& factors) {
  if (comparison.factors != factors || comparison.variant != row.name()) return false;
  return row.stage.empty() || comparison.inVariant == row.variant;
}

}  // namespace

StudyMatrix matrixOf(RunStore& store, const Study& study, const std::vector<StudyCell>& cells) {
  StudyMatrix matrix{.measure = {}, .columns = combinationsOf(study), .rows = {}};
  if (const StudyMeasure* measure = findStudyMeasure(study.question.measure)) matrix.measure = *measure;
  matrix.rows = rowsOf(study, slotsOf(store, study, cells));
  std::map<std::pair<std::string, std::string>, std::vector<StudySeed>> seeds;  // by variant and factors
  for (const StudyCell& cell : cells) {
    if (cell.trial > 0) continue;
    seeds[{cell.variant, cell.factors}].push_back({cell.cell, cell.seed, stateOf(store, cell), cell.run, cell.why});
  }
  for (StudyMatrixRow& row : matrix.rows) {
    for (const StudySettings& factors : matrix.columns) {
      row.cells.push_back({seeds[{row.variant, storedForm(factors)}], std::nullopt, std::nullopt});
    }
  }
  return matrix;
}

void addVerdict(StudyMatrix& matrix, StudyRuns& runs, const StudyVerdict& verdict, const StudyMeasure& measure) {
  matrix.measure = measure;
  for (StudyMatrixRow& row : matrix.rows) {
    for (std::size_t column = 0; column < matrix.columns.size(); ++column) {
      StudyMatrixCell& cell = row.cells[column];
      const StudySettings& factors = matrix.columns[column];
      markSeeds(cell, runs, row, factors, measure);
      cell.mean = meanOf(runs, row, factors, measure);
      cell.comparison.reset();
      for (const StudyComparison& one : verdict.comparisons) {
        if (one.measure.key == measure.key && isOf(one, row, factors)) cell.comparison = one;
      }
    }
  }
}

}  // namespace slipstream
