// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/study_results/what_next.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "engine/statistics/power.h"
#include "engine/statistics/several.h"
#include "engine/study/cell_plan.h"

namespace slipstream {
namespace {

constexpr int leastShown = 10, mostShown = 40;  ///< seeds that a curve of power reaches to
constexpr int mostSeeds = 1000;

/// Seeds that were judged, by round.
std::map<int, std::set<std::uint64_t>> seedsByRound(const StudyRuns& runs) {
  std::map<int, std::set<std::uint64_t>> seeds;
  for (const CellResult& cell : runs.cells()) {
    if (cell.cell.trial == 0 && cell.cell.round > 0) seeds[cell.cell.round].insert(cell.cell.pair);
  }
  return seeds;
}

/// The level of a comparison that is judged once there are so many seeds.
class LevelsOfSeeds {
 public:
  LevelsOfSeeds(const StudyVerdict& verdict, const StudyRuns& runs)
      : most_(verdict.study.seeds.most), alpha_(verdict.study.question.alpha / std::max(1, verdict.judged)) {
    double sum = 0;
    for (const auto& [round, seeds] : seedsByRound(runs)) {
      sum += static_cast<double>(seeds.size());
      before_.push_back(sum);
    }
  }

  double of(int seeds) {
    const auto known = known_.find(seeds);
    return known != known_.end() ? known->second : known_[seeds] = computed(seeds);
  }

 private:
  double computed(int seeds) const {
    if (seeds > most_) return alpha_;
    std::vector<double> shares;
    for (const double earlier : before_) {
      if (earlier < seeds) shares.push_back(earlier / static_cast<double>(most_));
    }
    shares.push_back(static_cast<double>(seeds) / static_cast<double>(most_));
    return levelsOfLooks(shares, alpha_).back();
  }

  std::int64_t most_;
  double alpha_;
  std::vector<double> before_;  ///< seeds at the looks so far
  std::map<int, double> known_;
};

StudySide sideOf(const StudyComparison& one, bool reference) {
  const std::string& name = reference ? one.reference : one.variant;
  return one.inVariant.empty() ? StudySide{name, ""} : StudySide{one.inVariant, name};
}

NextSeeds nextOf(StudyRuns& runs, const Study& study, const StudyComparison& one, LevelsOfSeeds& levels) {
  NextSeeds next{.comparison = one, .power = {}, .needed = {}};
  const StudyPairs pairs = pairSides(runs, one.measure, storedForm(one.factors), sideOf(one, true), sideOf(one, false));
  const PairedDifferences differences = differencesOf(one.measure, pairs);
  const double margin = marginOf(study, one.measure);
  next.ofMargin = margin > 0;
  const double effect = next.ofMargin ? margin : differences.mean();
  next.effect = one.measure.ratio ? std::exp(effect) : effect;
  const auto powerOf = [&](int seeds) {
    return detectionProbability(effect, differences.spread(), differences.testSetError, levels.of(seeds), seeds);
  };
  const auto most = static_cast<int>(study.seeds.most);
  // As many are too few at the level of a first look of several.
  next.needed =
      differencesNeeded(effect, differences.spread(), differences.testSetError, levels.of(most + 1), mostSeeds);
  while (next.needed && *next.needed <= most && powerOf(*next.needed) < detectionPower) ++*next.needed;
  const int last = std::clamp(std::max({next.needed.value_or(0), most, one.pairs}) + 2, leastShown, mostShown);
  for (int seeds = fewestReplicas; seeds <= last; ++seeds) next.power.push_back({seeds, powerOf(seeds)});
  return next;
}

/// Of all cores, that one seed of every variant and combination takes; nothing before each of them has been done once.
std::optional<double> hoursOfSeed(const StudyRuns& runs, const Study& study, int cores) {
  double hours = 0;
  for (const StudyVariant& variant : study.variants) {
    for (const StudySettings& factors : combinationsOf(study)) {
      double sum = 0;
      int count = 0;
      for (const auto& [pair, cell] : runs.measured(variant.name, storedForm(factors))) {
        if (cell->end != CellEnd::done || cell->run.endedAt <= cell->run.startedAt || cell->run.startedAt == 0)
          continue;
        const double seconds = 1e-9 * static_cast<double>(cell->run.endedAt - cell->run.startedAt);
        sum += seconds * costOf(study, cell->plan, cores).cores / cores;
        ++count;
      }
      if (count == 0) return std::nullopt;
      hours += sum / count / 3600;
    }
  }
  return hours;
}

}  // namespace

WhatNext whatNext(StudyRuns& runs, const StudyVerdict& verdict, int cores) {
  const Study& study = verdict.study;
  WhatNext next{.most = static_cast<int>(study.seeds.most), .hoursOfSeed = {}, .comparisons = {}};
  const auto rounds = seedsByRound(runs);
  for (const auto& [round, seeds] : rounds) next.seeds += static_cast<int>(seeds.size());
  next.looksLeft = next.seeds < next.most ? std::max(0, mostLooks - verdict.looks) : 0;
  next.runsOfSeed = static_cast<int>(study.variants.size() * combinationsOf(study).size());
  next.hoursOfSeed = hoursOfSeed(runs, study, cores);
  LevelsOfSeeds levels(verdict, runs);
  for (const StudyComparison& one : verdict.comparisons) {
    if (one.p) next.comparisons.push_back(nextOf(runs, study, one, levels));
  }
  return next;
}

}  // namespace slipstream
