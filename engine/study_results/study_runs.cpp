// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/study_results/study_runs.h"

#include <algorithm>
#include <cmath>
#include <future>
#include <limits>
#include <set>
#include <thread>

#include "engine/spec/device_kind.h"

namespace slipstream {
namespace {

constexpr double never = std::numeric_limits<double>::infinity();
constexpr std::size_t mostThreads = 8;

const StageOutcome* stageOf(const RunOutcome& outcome, const std::string& name) {
  if (name.empty()) return &outcome.stages.back();
  for (const StageOutcome& stage : outcome.stages) {
    if (stage.stage.name == name) return &stage;
  }
  return nullptr;
}

/// What both did of one seed, before it is cut off.
struct OnePair {
  MeasuredValue reference, value;
};

/// Up to where all were watched: the shortest of those that did not get there, else as far as the longest took.
double horizonOf(const std::vector<OnePair>& pairs) {
  double shortest = never, longest = 0;
  for (const OnePair& pair : pairs) {
    for (const MeasuredValue* one : {&pair.reference, &pair.value}) {
      if (!one->reached && std::isfinite(one->value)) shortest = std::min(shortest, one->value);
      if (one->reached) longest = std::max(longest, one->value);
    }
  }
  return std::isfinite(shortest) ? shortest : longest;
}

Text whyInvalid(const CellResult& one, const CellResult& other) {
  for (const CellResult* cell : {&one, &other}) {
    const bool own = cell->run.seed == cell->cell.seed && cell->run.variant == cell->cell.variant;
    if (!own) return phrase("run {} is not the one of its cell", {cell->run.id});
  }
  if (one.plan.instructionSet != other.plan.instructionSet) {
    return phrase("runs {} and {} were computed with different instruction sets", {one.run.id, other.run.id});
  }
  if (one.run.device != other.run.device) {
    return phrase("runs {} and {} were trained on different devices", {one.run.id, other.run.id});
  }
  return {};
}

void addPair(const StudyMeasure& measure, const OnePair& pair, double horizon, StudyPairs& pairs) {
  const auto cut = [&](const MeasuredValue& one) {
    return measure.countsToTarget ? std::min(one.reached ? one.value : horizon, horizon) : one.value;
  };
  pairs.reference.push_back(cut(pair.reference));
  pairs.value.push_back(cut(pair.value));
  pairs.referenceReached += pair.reference.reached ? 1 : 0;
  pairs.reached += pair.value.reached ? 1 : 0;
}

/// How a cell stands, and its run where that has ended and is still there.
void findRun(RunStore& store, CellResult& result) {
  std::optional<RunRecord> run;
  if (!result.cell.run.empty()) {
    if (auto found = store.find(result.cell.run)) run = std::move(*found);
  }
  result.end = endOf(result.cell, run ? std::optional(run->state) : std::nullopt);
  if (!run && !result.cell.run.empty()) result.end = CellEnd::deleted;
  if (run && result.end != CellEnd::open) result.run = std::move(*run);
}

void readRun(RunStore& store, KnownRuns& known, CellResult& result) {
  const KnownRuns::Known& read = known.of(store, result.run);
  if (read.plan) result.plan = *read.plan;
  if (result.end == CellEnd::done) result.outcome = read.outcome;
}

}  // namespace

KnownRuns::Known* KnownRuns::stale(const RunRecord& run) {
  Known& known = runs_[run.id];
  const bool fresh = known.state == run.state && known.attempt == run.attempt && known.endedAt == run.endedAt;
  if (fresh) return nullptr;
  known = {run.state, run.attempt, run.endedAt};
  return &known;
}

void KnownRuns::readPlans(const std::vector<const RunRecord*>& runs) {
  std::vector<std::pair<const RunRecord*, Known*>> wanted;
  for (const RunRecord* run : runs) {
    if (Known* known = stale(*run)) wanted.emplace_back(run, known);
  }
  const std::size_t threads = std::clamp<std::size_t>(std::thread::hardware_concurrency(), 1, mostThreads);
  const auto read = [&](std::size_t first) {
    for (std::size_t i = first; i < wanted.size(); i += threads) {
      if (auto plan = parseRunPlan(wanted[i].first->planText)) wanted[i].second->plan = std::move(*plan);
    }
  };
  std::vector<std::future<void>> others;
  for (std::size_t i = 1; i < std::min(threads, wanted.size()); ++i) {
    others.push_back(std::async(std::launch::async, read, i));
  }
  read(0);
  for (std::future<void>& other : others) other.get();
}

const KnownRuns::Known& KnownRuns::of(RunStore& store, const RunRecord& run) {
  readPlans({&run});
  Known& known = runs_[run.id];
  if (run.state == RunState::done && known.plan && !known.outcome) known.outcome = outcomeOf(store, run, *known.plan);
  return known;
}

std::vector<StudyCell> judgedCells(std::vector<StudyCell> cells, int rounds) {
  std::erase_if(cells, [&](const StudyCell& cell) { return cell.round > rounds; });
  return cells;
}

StudyRuns::StudyRuns(RunStore& store, std::vector<StudyCell> cells, KnownRuns* known) : store_(store) {
  KnownRuns own;
  KnownRuns& kept = known == nullptr ? own : *known;
  for (StudyCell& cell : cells) {
    cells_.push_back({.cell = std::move(cell), .end = CellEnd::open, .run = {}, .plan = {}, .outcome = {}});
    findRun(store, cells_.back());
  }
  std::vector<const RunRecord*> ended;
  for (const CellResult& cell : cells_) {
    if (!cell.run.id.empty()) ended.push_back(&cell.run);
  }
  kept.readPlans(ended);
  for (CellResult& cell : cells_) {
    if (!cell.run.id.empty()) readRun(store, kept, cell);
  }
}

std::optional<MeasuredValue> StudyRuns::valueOf(const CellResult& cell, const StudyMeasure& measure,
                                                const std::string& stage) {
  if (!cell.outcome) return std::nullopt;
  const StageOutcome* of = stageOf(*cell.outcome, stage);
  return of == nullptr ? std::nullopt : measuredIn(store_, *cell.outcome, *of, measure);
}

std::map<std::uint64_t, const CellResult*> StudyRuns::measured(const std::string& variant,
                                                               const std::string& factors) const {
  std::map<std::uint64_t, const CellResult*> found;
  for (const CellResult& cell : cells_) {
    const bool asked = cell.cell.variant == variant && cell.cell.factors == factors && cell.cell.trial == 0;
    if (asked && cell.end != CellEnd::open) found[cell.cell.pair] = &cell;
  }
  return found;
}

PairedDifferences differencesOf(const StudyMeasure& measure, const StudyPairs& pairs) {
  PairedDifferences differences{{}, measure.ratio ? 0 : pairs.testSetError};
  for (std::size_t i = 0; i < pairs.value.size(); ++i) {
    differences.values.push_back(measure.ratio ? std::log(pairs.value[i] / pairs.reference[i])
                                               : pairs.value[i] - pairs.reference[i]);
  }
  return differences;
}

/// A margin is a share of 1 of accuracies, whose measures are percent, and of ratios.
double marginOf(const Study& study, const StudyMeasure& measure) {
  if (!study.question.margin || measure.key != study.question.measure) return 0;
  if (measure.ratio) return std::log1p(*study.question.margin);
  return measure.quantity == Quantity::percent ? 100 * *study.question.margin : *study.question.margin;
}

StudyPairs pairSides(StudyRuns& runs, const StudyMeasure& measure, const std::string& factors,
                     const StudySide& reference, const StudySide& other) {
  StudyPairs pairs;
  std::vector<OnePair> found;
  std::set<std::pair<std::string, std::string>> seen;
  const auto before = runs.measured(reference.variant, factors);
  const auto after = runs.measured(other.variant, factors);
  double variance = 0;
  for (const auto& [pair, first] : before) {
    const auto second = after.find(pair);
    if (second == after.end()) continue;
    auto one = runs.valueOf(*first, measure, reference.stage);
    auto two = runs.valueOf(*second->second, measure, other.stage);
    pairs.referenceFailed += first->end == CellEnd::failed ? 1 : 0;
    pairs.failed += second->second->end == CellEnd::failed ? 1 : 0;
    pairs.referenceDeleted += first->end == CellEnd::deleted ? 1 : 0;
    pairs.deleted += second->second->end == CellEnd::deleted ? 1 : 0;
    if (measure.countsToTarget) {
      // Who failed never gets there.
      if (first->end == CellEnd::failed) one = MeasuredValue{.value = never, .reached = false};
      if (second->second->end == CellEnd::failed) two = MeasuredValue{.value = never, .reached = false};
    }
    if (!one || !two) continue;
    if (first->outcome && second->second->outcome) {
      if (Text why = whyInvalid(*first, *second->second); !why.empty()) pairs.invalid = std::move(why);
      const bool fresh = seen.emplace(first->outcome->results, second->second->outcome->results).second;
      if (!fresh && !measure.cost && !measure.counted) continue;
      if (measure.cost && (isEmulated(first->run.device) || isEmulated(second->second->run.device))) {
        pairs.invalid = phrase("times of a device whose kernels are emulated");
      }
    }
    variance += one->testSetError * one->testSetError + two->testSetError * two->testSetError;
    found.push_back({*one, *two});
  }
  const double horizon = horizonOf(found);
  for (const OnePair& pair : found) addPair(measure, pair, horizon, pairs);
  const auto count = static_cast<int>(found.size());
  if (measure.countsToTarget && (pairs.reached < count || pairs.referenceReached < count)) pairs.horizon = horizon;
  // Every seed is judged on the same samples: their mean is not more certain than each of them.
  if (count > 0) pairs.testSetError = std::sqrt(variance / count);
  return pairs;
}

}  // namespace slipstream
