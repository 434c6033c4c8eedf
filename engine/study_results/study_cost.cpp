// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/study_results/study_cost.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "engine/plan/forecast.h"
#include "engine/runs/measure.h"
#include "engine/spec/device_kind.h"
#include "engine/statistics/paired.h"
#include "engine/statistics/power.h"
#include "engine/store/run_store.h"

namespace slipstream {
namespace {

constexpr std::size_t mostLike = 64, mostLookedAt = 256;

double secondsOf(const EarlierRuns::Run& run) {
  return 1e-9 * static_cast<double>(run.head.endedAt - run.head.startedAt);
}

/// That all ranks train on over the whole run.
double samplesOf(const RunPlan& plan) {
  double samples = 0;
  for (const StagePlan& stage : stagesOf(plan))
    samples += static_cast<double>(stage.updates() * samplesPerStep(stage, plan.ranks()));
  return samples;
}

CostRange costRangeOf(std::vector<double> values) {
  std::ranges::sort(values);
  return {values[values.size() / 2], values.front(), values.back()};
}

std::optional<double> valueOf(const EarlierRuns::Run& run, const StudyMeasure& measure) {
  if (run.outcome.stages.empty()) return std::nullopt;
  const StageOutcome& stage = run.outcome.stages.back();
  if (measure.countsToTarget && !stage.reachedTarget) return std::nullopt;
  return stage.value(measure.countsToTarget && !measure.cost ? measure::stepsToTarget : measure.key);
}

/// One variant with one combination of factors, and how many cells it has.
struct Setting {
  const PlannedSetting* planned;
  AskedRun asked;
  CellCost cost;
  std::vector<const EarlierRuns::Run*> like;
  std::optional<CostRange> seconds;  ///< of one cell, of all cores of the study
  std::int64_t variants = 1;         ///< that have these settings: of a control all copies
  std::int64_t trials = 0;
};

/// Seconds of one cell: of runs that were asked for the same, else by the samples of those with as many ranks, else of
/// any.
std::optional<CostRange> secondsOfCell(const Setting& setting) {
  std::vector<double> same, sameRanks, others;
  const RunPlan& plan = setting.planned->plan;
  for (const EarlierRuns::Run* run : setting.like) {
    const double samples = samplesOf(run->plan);
    if (run->asked == setting.asked) same.push_back(secondsOf(*run));
    if (samples <= 0) continue;
    const double scaled = secondsOf(*run) * samplesOf(plan) / samples;
    (run->head.ranks == plan.ranks() ? sameRanks : others).push_back(scaled);
  }
  for (std::vector<double>* values : {&same, &sameRanks, &others}) {
    if (!values->empty()) return costRangeOf(std::move(*values));
  }
  return std::nullopt;
}

/// How far seeds of one variant are apart.
struct Spread {
  std::optional<double> deviation;  ///< of the logarithm where the measure is a ratio
  double testSetError = 0;
};

class Costing {
 public:
  Costing(RunStore& store, const Study& study, const StudyCheck& check, EarlierRuns& earlier) : study_(study) {
    const int cores = coresOf(study);
    const std::vector<RunRecord> heads = store.heads();
    for (const PlannedSetting& planned : check.settings) {
      Setting setting{&planned,
                      askedOf(toJsonText(planned.plan)),
                      costOf(study, planned.plan, cores),
                      earlier.like(store, heads, planned.plan),
                      {}};
      setting.seconds = secondsOfCell(setting);
      if (setting.seconds) scale(*setting.seconds, static_cast<double>(setting.cost.cores) / cores);
      setting.variants = study.control > 0 ? std::ssize(study.variants) : 1;
      setting.trials = study.trialsOf(planned.variant);
      for (const EarlierRuns::Run* run : setting.like) like_.insert(run);
      settings_.push_back(std::move(setting));
    }
  }

  StudyCost run() {
    cost_.seeds = static_cast<int>(study_.seeds.least);
    countRuns();
    countComparisons();
    addSizes();
    cost_.earlierRuns = static_cast<int>(like_.size());
    cost_.seconds = secondsOf(study_.seeds.least, true);
    if (const auto measured = secondsOf(study_.seeds.least, false)) {
      cost_.measuredSeconds = measured->middle;
      cost_.tuningSeconds = cost_.seconds->middle - measured->middle;
    }
    addTarget();
    addChoices();
    return std::move(cost_);
  }

 private:
  static void scale(CostRange& range, double factor) {
    for (double* one : {&range.middle, &range.low, &range.high}) *one *= factor;
  }

  void countRuns() {
    const auto combinations = std::ssize(combinationsOf(study_));
    cost_.measuredRuns = static_cast<int>(std::ssize(study_.variants) * combinations * study_.seeds.least);
    for (const StudyVariant& variant : study_.variants)
      cost_.tuningRuns += static_cast<int>(study_.trialsOf(variant.name) * combinations);
    cost_.runs = cost_.measuredRuns + cost_.tuningRuns;
  }

  void countComparisons() {
    const std::size_t combinations = combinationsOf(study_).size(), judged = study_.question.judged().size();
    const std::size_t variants = study_.variants.size(), stages = study_.question.stages.size();
    const std::size_t each = stages > 0 ? variants * (stages - 1) : variants - 1;
    cost_.comparisons = static_cast<int>(each * combinations * judged);
  }

  void addSizes() {
    for (const Setting& setting : settings_) {
      cost_.memory = std::max(cost_.memory, setting.cost.memory);
      std::int64_t bytes = 0;
      for (const StagePlan& stage : stagesOf(setting.planned->plan))
        bytes += forecastRun(setting.planned->plan, stage).storedBytes();
      cost_.stored += bytes * (setting.variants * study_.seeds.least + setting.trials);
    }
  }

  std::optional<CostRange> secondsOf(std::int64_t seeds, bool tuning) const {
    CostRange sum;
    std::int64_t planned = 0;
    for (const Setting& setting : settings_) {
      planned += setting.variants;
      if (!setting.seconds) return std::nullopt;
      const auto cells = static_cast<double>(setting.variants * seeds + (tuning ? setting.trials : 0));
      sum.middle += cells * setting.seconds->middle;
      sum.low += cells * setting.seconds->low;
      sum.high += cells * setting.seconds->high;
    }
    // Without a plan of some of them, nothing is known of the whole.
    const bool isWhole = planned == std::ssize(study_.variants) * std::ssize(combinationsOf(study_));
    return isWhole ? std::optional(sum) : std::nullopt;
  }

  void addTarget() {
    if (!study_.question.target) return;
    for (const EarlierRuns::Run* run : like_) {
      if (run->outcome.stages.empty()) continue;
      const auto best = run->outcome.stages.back().value(measure::bestAccuracy);
      if (!best) continue;
      ++cost_.targetOf;
      cost_.targetReached += *best >= 100 * *study_.question.target ? 1 : 0;
    }
  }

  /// Runs that were asked for the same, with seeds of their own.
  Spread spreadOf(const StudyMeasure& measure) const {
    std::vector<std::pair<const AskedRun*, std::map<std::uint64_t, double>>> groups;
    double errors = 0;
    int judged = 0;
    for (const EarlierRuns::Run* run : like_) {
      const auto value = valueOf(*run, measure);
      if (!value || !std::isfinite(*value) || (measure.ratio && *value <= 0)) continue;
      auto group = std::ranges::find_if(groups, [&](const auto& one) { return *one.first == run->asked; });
      if (group == groups.end()) group = groups.insert(groups.end(), {&run->asked, {}});
      group->second[run->head.seed] = measure.ratio ? std::log(*value) : *value;
      const auto error = run->outcome.stages.back().testSetError.find(measure.key);
      if (error == run->outcome.stages.back().testSetError.end()) continue;
      errors += error->second;
      ++judged;
    }
    double squares = 0, degrees = 0;
    for (const auto& [asked, values] : groups) {
      double mean = 0;
      for (const auto& [seed, value] : values) mean += value / static_cast<double>(values.size());
      for (const auto& [seed, value] : values) squares += (value - mean) * (value - mean);
      degrees += static_cast<double>(values.size() - 1);
    }
    Spread spread{.deviation = {}, .testSetError = measure.ratio || judged == 0 ? 0 : errors / judged};
    if (degrees > 0 && squares > 0) spread.deviation = std::sqrt(squares / degrees);
    return spread;
  }

  void addChoices() {
    const StudyMeasure* measure = findStudyMeasure(study_.question.measure);
    if (measure == nullptr || settings_.empty()) return;
    const Spread spread = spreadOf(*measure);
    if (spread.deviation) cost_.spread = measure->ratio ? std::expm1(*spread.deviation) : *spread.deviation;
    std::set<int> counts{3, 5, 8, 10};
    counts.insert(cost_.seeds);
    for (const int seeds : counts) cost_.choices.push_back(choiceOf(seeds, *measure, spread));
  }

  SeedsChoice choiceOf(int seeds, const StudyMeasure& measure, const Spread& spread) const {
    SeedsChoice choice{.seeds = seeds, .seconds = {}, .detectable = {}};
    choice.runs = cost_.measuredRuns / cost_.seeds * seeds + cost_.tuningRuns;
    if (const auto seconds = secondsOf(seeds, true)) choice.seconds = seconds->middle;
    choice.timesSpread = std::numeric_limits<double>::infinity();
    if (seeds < fewestReplicas) return choice;
    // Both variants of a pair differ by as much, and what they share is not known.
    constexpr double ofTwo = 1.4142135623730951;
    const double miss = study_.question.alpha / std::max(1, cost_.comparisons);
    choice.timesSpread = detectableDifference(ofTwo, 0, miss, seeds);
    if (!spread.deviation) return choice;
    const double found = detectableDifference(ofTwo * *spread.deviation, ofTwo * spread.testSetError, miss, seeds);
    choice.detectable = measure.ratio ? std::expm1(found) : found;
    return choice;
  }

  const Study& study_;
  std::vector<Setting> settings_;
  std::set<const EarlierRuns::Run*> like_;
  StudyCost cost_;
};

bool isLike(const RunPlan& one, const RunPlan& other) {
  const Experiment& a = one.experiment;
  const Experiment& b = other.experiment;
  return a.network.name == b.network.name && a.network.layers.size() == b.network.layers.size() &&
         a.dataset.name == b.dataset.name && a.dataset.imageSize == b.dataset.imageSize && a.device == b.device;
}

}  // namespace

const EarlierRuns::Run* EarlierRuns::read(RunStore& store, const RunRecord& head, const RunPlan& plan) {
  const auto found = known_.find(head.id);
  if (found != known_.end() && (found->second.run || !found->second.plan || !isLike(*found->second.plan, plan)))
    return found->second.run && isLike(found->second.run->plan, plan) ? found->second.run.get() : nullptr;
  const auto run = store.find(head.id);
  Known& known = known_[head.id];
  if (!run) return nullptr;
  if (!known.plan) {
    auto read = parseRunPlan(run->planText);
    if (read) known.plan = std::move(*read);
  }
  if (!known.plan || !isLike(*known.plan, plan)) return nullptr;
  known.run =
      std::make_unique<Run>(Run{head, *known.plan, askedOf(run->planText), outcomeOf(store, *run, *known.plan)});
  return known.run.get();
}

std::vector<const EarlierRuns::Run*> EarlierRuns::like(RunStore& store, const std::vector<RunRecord>& heads,
                                                       const RunPlan& plan) {
  std::vector<const Run*> found;
  std::size_t lookedAt = 0;
  for (auto head = heads.rbegin(); head != heads.rend(); ++head) {
    const bool usable = head->state == RunState::done && head->attempt <= 1 && head->remote.empty() &&
                        head->job.empty() && head->startedAt > 0 && head->endedAt > head->startedAt &&
                        head->device == plan.experiment.device && !isEmulated(head->device);
    if (!usable) continue;
    if (found.size() == mostLike || ++lookedAt > mostLookedAt) break;
    if (const Run* run = read(store, *head, plan)) found.push_back(run);
  }
  return found;
}

StudyCost costOfStudy(RunStore& store, const Study& study, const StudyCheck& check, EarlierRuns& earlier) {
  return Costing(store, study, check, earlier).run();
}

std::optional<double> secondsOfRuns(RunStore& store, const std::vector<RunPlan>& plans, EarlierRuns& earlier) {
  const std::vector<RunRecord> heads = store.heads();
  double seconds = 0;
  for (const RunPlan& plan : plans) {
    std::vector<double> sameRanks, others;
    for (const EarlierRuns::Run* run : earlier.like(store, heads, plan)) {
      const double samples = samplesOf(run->plan);
      if (samples > 0) (run->plan.ranks() == plan.ranks() ? sameRanks : others).push_back(secondsOf(*run) / samples);
    }
    const std::vector<double>& rates = sameRanks.empty() ? others : sameRanks;
    if (rates.empty()) return std::nullopt;
    seconds += costRangeOf(rates).middle * samplesOf(plan);
  }
  return seconds;
}

}  // namespace slipstream
