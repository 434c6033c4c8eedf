// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/study/verdict.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "engine/base/text.h"
#include "engine/statistics/bootstrap.h"
#include "engine/statistics/profile.h"
#include "engine/statistics/several.h"
#include "engine/store/run_store.h"
#include "engine/study/study_runs.h"

namespace slipstream {
namespace {

/// On the scale on which it is compared: differences, or logarithms of ratios.
PairedDifferences differencesOf(const StudyMeasure& measure, const StudyPairs& pairs) {
  PairedDifferences differences{{}, measure.ratio ? 0 : pairs.testSetError};
  for (std::size_t i = 0; i < pairs.value.size(); ++i) {
    differences.values.push_back(measure.ratio ? std::log(pairs.value[i] / pairs.reference[i])
                                               : pairs.value[i] - pairs.reference[i]);
  }
  return differences;
}

double meanOf(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) sum += value;
  return values.empty() ? 0 : sum / static_cast<double>(values.size());
}

/// A margin is a share of 1 of accuracies, whose measures are percent, and of ratios.
double marginOf(const Study& study, const StudyMeasure& measure) {
  if (!study.question.margin || measure.key != study.question.measure) return 0;
  if (measure.ratio) return std::log1p(*study.question.margin);
  return measure.quantity == Quantity::percent ? 100 * *study.question.margin : *study.question.margin;
}

bool allEqual(const std::vector<double>& values) {
  return std::ranges::adjacent_find(values, std::not_equal_to<>()) == values.end();
}

/// One comparison while it is being judged.
struct Open {
  StudyComparison comparison;
  PairedDifferences differences;
  bool judged = false;
};

class Judging {
 public:
  Judging(RunStore& store, const StudyRecord& record, Study study)
      : store_(store), record_(record), runs_(store, cellsThatCount(store, record)) {
    verdict_.study = std::move(study);
    verdict_.state = record.state;
    verdict_.hash = record.frozenHash;
  }

  StudyVerdict run() {
    countCells();
    addTuning();
    for (const std::string& key : verdict_.study.question.judged()) {
      const StudyMeasure* measure = findStudyMeasure(key);
      if (measure != nullptr) addComparisons(*measure);
    }
    judgeAll();
    for (Open& open : open_) verdict_.comparisons.push_back(std::move(open.comparison));
    addProfile();
    remarkOn(verdict_, runs_);
    return std::move(verdict_);
  }

 private:
  static int completeRounds(RunStore& store, const std::vector<StudyCell>& cells) {
    int last = 0;
    std::set<int> open;
    for (const StudyCell& cell : cells) {
      last = std::max(last, cell.round);
      if (endOf(store, cell) == CellEnd::open) open.insert(cell.round);
    }
    return open.empty() ? last : *open.begin() - 1;
  }

  /// Whoever looks before a round is complete has looked once more than alpha was spent for.
  static std::vector<StudyCell> cellsThatCount(RunStore& store, const StudyRecord& record) {
    std::vector<StudyCell> cells = store.studies().cells(record.number);
    if (record.state == StudyState::done) return cells;
    const int complete = completeRounds(store, cells);
    std::erase_if(cells, [&](const StudyCell& cell) { return cell.round > complete; });
    return cells;
  }

  void countCells() {
    std::set<int> rounds;
    for (const StudyCell& cell : store_.studies().cells(record_.number)) {
      ++verdict_.cells;
      if (cell.round > 0) rounds.insert(cell.round);
      const CellEnd end = endOf(store_, cell);
      verdict_.finished += end != CellEnd::open ? 1 : 0;
      verdict_.failed += end == CellEnd::failed ? 1 : 0;
    }
    verdict_.looks = static_cast<int>(rounds.size());
    for (const CellResult& cell : runs_.cells()) {
      if (cell.cell.round == 0) continue;
      verdict_.look = std::max(verdict_.look, cell.cell.round);
      seeds_[cell.cell.round].insert(cell.cell.pair);
    }
  }

  /// The level of this look for a share of alpha.
  double levelOf(int shares) const {
    std::vector<double> looks;
    double seeds = 0;
    const auto most = static_cast<double>(verdict_.study.seeds.most);
    for (const auto& [round, own] : seeds_) {
      seeds += static_cast<double>(own.size());
      looks.push_back(std::min(1.0, seeds / most));
    }
    const double alpha = verdict_.study.question.alpha / shares;
    return looks.empty() ? alpha : levelsOfLooks(looks, alpha).back();
  }

  void addTuning() {
    const std::vector<StudyCell> cells = store_.studies().cells(record_.number);
    for (const StudyVariant& variant : verdict_.study.variants) {
      const std::int64_t trials = verdict_.study.trialsOf(variant.name);
      if (trials == 0) continue;
      for (const StudySettings& factors : combinationsOf(verdict_.study)) {
        TunedVariant tuned{variant.name,
                           factors,
                           trials,
                           chosenTrial(store_, verdict_.study, cells, variant.name, storedForm(factors)),
                           {}};
        if (tuned.chosen) tuned.values = trialSettings(verdict_.study.spaceOf(variant.name), *tuned.chosen);
        verdict_.tuned.push_back(std::move(tuned));
      }
    }
  }

  void addComparisons(const StudyMeasure& measure) {
    const Study& study = verdict_.study;
    for (const StudySettings& factors : combinationsOf(study)) {
      if (!study.question.stages.empty()) {
        for (const StudyVariant& variant : study.variants) addStages(measure, factors, variant.name);
        continue;
      }
      for (std::size_t i = 1; i < study.variants.size(); ++i) {
        StudyComparison comparison{
            .measure = measure, .factors = factors, .variant = study.variants[i].name, .reference = study.reference};
        comparison.referenceTrials = study.trialsOf(study.reference);
        comparison.trials = study.trialsOf(study.variants[i].name);
        open_.push_back(pair(std::move(comparison), {study.reference, ""}, {study.variants[i].name, ""}));
      }
    }
  }

  void addStages(const StudyMeasure& measure, const StudySettings& factors, const std::string& variant) {
    const std::vector<std::string>& stages = verdict_.study.question.stages;
    for (std::size_t i = 1; i < stages.size(); ++i) {
      StudyComparison comparison{
          .measure = measure, .factors = factors, .variant = stages[i], .reference = stages[0], .inVariant = variant};
      comparison.referenceTrials = comparison.trials = verdict_.study.trialsOf(variant);
      open_.push_back(pair(std::move(comparison), {variant, stages[0]}, {variant, stages[i]}));
    }
  }

  Open pair(StudyComparison comparison, const StudySide& reference, const StudySide& other) {
    const StudyPairs pairs = pairSides(runs_, comparison.measure, storedForm(comparison.factors), reference, other);
    Open open{std::move(comparison), {}, false};
    StudyComparison& one = open.comparison;
    open.differences = differencesOf(one.measure, pairs);
    one.pairs = static_cast<int>(pairs.value.size());
    one.referenceMean = meanOf(pairs.reference);
    one.mean = meanOf(pairs.value);
    one.reached = pairs.reached;
    one.referenceReached = pairs.referenceReached;
    one.horizon = pairs.horizon;
    if (one.pairs > 0) {
      const double mean = open.differences.mean();
      one.effect = one.measure.ratio ? std::exp(mean) : mean;
    }
    open.judged = canBeJudged(pairs, open);
    return open;
  }

  /// Whether the pairs take part in the judgement; else says why not.
  bool canBeJudged(const StudyPairs& pairs, Open& open) {
    StudyComparison& one = open.comparison;
    const auto refuse = [&](StudyVerdictKind verdict, Text why) {
      one.verdict = verdict;
      one.why = std::move(why);
      return false;
    };
    if (!pairs.invalid.empty()) return refuse(StudyVerdictKind::invalid, pairs.invalid);
    // What it had come to is not known any more: neither side may gain by leaving it out.
    if (pairs.deleted + pairs.referenceDeleted > 0) {
      return refuse(
          StudyVerdictKind::notComparable,
          phrase("{} of {} and {} of {} were deleted", {countedText(pairs.deleted, "run"), one.variant,
                                                        countedText(pairs.referenceDeleted, "run"), one.reference}));
    }
    if (!one.measure.countsToTarget && pairs.failed + pairs.referenceFailed > 0) {
      return refuse(
          StudyVerdictKind::notComparable,
          phrase("{} of {} failed, and {} of {}", {countedText(pairs.failed, "run"), one.variant,
                                                   countedText(pairs.referenceFailed, "run"), one.reference}));
    }
    if (one.measure.counted && one.pairs > 0 && allEqual(pairs.reference) && allEqual(pairs.value))
      return judgeExactly(open);
    if (one.pairs < fewestReplicas) {
      one.seedsNeeded = fewestReplicas;
      return refuse(StudyVerdictKind::notShown, {});
    }
    if (one.measure.countsToTarget && one.reached == 0 && one.referenceReached == 0) {
      return refuse(StudyVerdictKind::notComparable, phrase("neither reached the target"));
    }
    if (std::isnan(open.differences.testSetError)) {
      return refuse(StudyVerdictKind::notComparable, phrase("the error of the test set is not recorded"));
    }
    if (!open.differences.canBeJudged()) {
      return refuse(StudyVerdictKind::notComparable, phrase("the seeds do not differ in it"));
    }
    return true;
  }

  /// What is counted and never varies is no estimate.
  bool judgeExactly(Open& open) {
    StudyComparison& one = open.comparison;
    const double difference = open.differences.mean(), margin = marginOf(verdict_.study, one.measure);
    one.low = one.high = one.effect;
    const bool better = (difference > 0) == one.measure.higherIsBetter;
    one.verdict = std::abs(difference) <= margin ? StudyVerdictKind::same
                  : better                       ? StudyVerdictKind::better
                                                 : StudyVerdictKind::worse;
    return false;
  }

  void judgeAll() {
    std::vector<PairedComparison> compared;
    for (const Open& open : open_) {
      if (open.judged) compared.push_back({open.differences, marginOf(verdict_.study, open.comparison.measure)});
    }
    verdict_.judged = static_cast<int>(compared.size());
    const std::vector<JudgedComparison> judged =
        judgeTogether(compared, [this](int shares) { return levelOf(shares); });
    std::size_t next = 0;
    for (Open& open : open_) {
      if (open.judged) judgeOne(open, judged[next++]);
    }
  }

  void judgeOne(Open& open, const JudgedComparison& judged) {
    StudyComparison& one = open.comparison;
    const auto scaled = [&](double value) { return one.measure.ratio ? std::exp(value) : value; };
    const PairedInterval interval = pairedInterval(open.differences, intervalReach(one.pairs, judged.miss));
    one.low = scaled(interval.low);
    one.high = scaled(interval.high);
    one.miss = judged.miss;
    one.p = judged.p;
    one.equivalenceP = judged.equivalenceP;
    one.detectable = scaled(interval.detectable);
    const double mean = open.differences.mean();
    const double margin = marginOf(verdict_.study, one.measure);
    one.seedsNeeded = differencesNeeded(margin > 0 ? margin : mean, open.differences.spread(),
                                        open.differences.testSetError, judged.miss);
    if (const auto drawn = bootstrapInterval(open.differences.values, judged.miss, 1);
        drawn && open.differences.testSetError == 0) {
      one.bootstrapLow = scaled(drawn->low);
      one.bootstrapHigh = scaled(drawn->high);
    }
    // What is smaller than what counts is the same, also where it is shown to be there.
    if (judged.equivalent) {
      one.verdict = StudyVerdictKind::same;
    } else if (judged.different) {
      one.verdict = (mean > 0) == one.measure.higherIsBetter ? StudyVerdictKind::better : StudyVerdictKind::worse;
    }
  }

  /// Each combination of factors with each seed is a workload.
  void addProfile() {
    const StudyMeasure* measure = findStudyMeasure(verdict_.study.question.measure);
    if (measure == nullptr || !measure->countsToTarget || !verdict_.study.question.stages.empty()) return;
    std::vector<std::vector<double>> times;
    for (const StudyVariant& variant : verdict_.study.variants) {
      std::vector<double>& own = times.emplace_back();
      for (const StudySettings& factors : combinationsOf(verdict_.study)) {
        for (const auto& [pair, cell] : runs_.measured(variant.name, storedForm(factors))) {
          if (cell->end == CellEnd::deleted) return;  // a profile of some of the seeds would be another one
          const auto value = runs_.valueOf(*cell, *measure, "");
          own.push_back(value && value->reached ? value->value : std::numeric_limits<double>::infinity());
        }
      }
    }
    const bool whole =
        std::ranges::all_of(times, [&](const auto& own) { return own.size() == times.front().size() && !own.empty(); });
    if (!whole) return;
    const std::vector<double> factors = profileFactors();
    const auto profiles = performanceProfiles(times, factors);
    for (std::size_t i = 0; i < profiles.size(); ++i) {
      verdict_.profile.push_back({verdict_.study.variants[i].name, profileScore(profiles[i], factors)});
    }
  }

  RunStore& store_;
  const StudyRecord& record_;
  StudyRuns runs_;
  std::map<int, std::set<std::uint64_t>> seeds_;  ///< by round
  std::vector<Open> open_;
  StudyVerdict verdict_;
};

}  // namespace

Result<StudyVerdict> verdictOf(RunStore& store, const StudyRecord& record) {
  SLIPSTREAM_TRY(study, studyOfFrozen(record.frozenText));
  return Judging(store, record, std::move(study)).run();
}

}  // namespace slipstream
