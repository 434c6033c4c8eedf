// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/study_results/verdict.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "engine/base/text.h"
#include "engine/statistics/bootstrap.h"
#include "engine/statistics/several.h"
#include "engine/store/run_store.h"
#include "engine/study_results/study_profile.h"
#include "engine/study_results/study_runs.h"

namespace slipstream {
namespace {

double meanOf(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) sum += value;
  return values.empty() ? 0 : sum / static_cast<double>(values.size());
}

/// Standard deviation (n - 1); 0 of a single value.
double spreadOf(const std::vector<double>& values) {
  if (values.size() < 2) return 0;
  const double mean = meanOf(values);
  double sum = 0;
  for (const double value : values) sum += (value - mean) * (value - mean);
  return std::sqrt(sum / static_cast<double>(values.size() - 1));
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
  Judging(RunStore& store, const StudyRecord& record, Study study, KnownRuns* known)
      : store_(store),
        record_(record),
        known_(known),
        cells_(store.studies().cells(record.number)),
        judgedRounds_(roundsThatCount()),
        runs_(store, judgedCells(cells_, judgedRounds_), known) {
    verdict_.study = std::move(study);
    verdict_.state = record.state;
    verdict_.hash = record.frozenHash;
    verdict_.judgedRounds = judgedRounds_;
  }

  StudyVerdict run() {
    countCells();
    addTuning();
    for (const std::string& key : verdict_.study.question.judged()) {
      const StudyMeasure* measure = findStudyMeasure(key);
      if (measure == nullptr) continue;
      for (Open& open : comparisonsOf(*measure)) open_.push_back(std::move(open));
    }
    judgeAll();
    for (Open& open : open_) verdict_.comparisons.push_back(std::move(open.comparison));
    addSecondary();
    addProfile();
    remarkOn(verdict_, runs_);
    return std::move(verdict_);
  }

 private:
  /// Those that are complete, and of a study that is done all: whoever looks before a round is complete has looked once
  /// more than alpha was spent for.
  int roundsThatCount() const {
    int last = 0;
    std::set<int> open;
    for (const StudyCell& cell : cells_) {
      last = std::max(last, cell.round);
      if (endOf(store_, cell) == CellEnd::open) open.insert(cell.round);
    }
    return record_.state == StudyState::done || open.empty() ? last : std::max(0, *open.begin() - 1);
  }

  void countCells() {
    std::set<int> rounds;
    for (const StudyCell& cell : cells_) {
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
    for (const StudyVariant& variant : verdict_.study.variants) {
      const std::int64_t trials = verdict_.study.trialsOf(variant.name);
      if (trials == 0) continue;
      for (const StudySettings& factors : combinationsOf(verdict_.study)) {
        TunedVariant tuned{
            variant.name,
            factors,
            trials,
            chosenTrial(store_, verdict_.study, {record_.number, variant.name, storedForm(factors)}, known_),
            {}};
        for (std::int64_t number = 1; number <= trials; ++number)
          tuned.tried.push_back(trialSettings(verdict_.study.spaceOf(variant.name), number));
        if (tuned.chosen) tuned.values = tuned.tried.at(static_cast<std::size_t>(*tuned.chosen - 1));
        verdict_.tuned.push_back(std::move(tuned));
      }
    }
  }

  std::vector<Open> comparisonsOf(const StudyMeasure& measure) {
    std::vector<Open> found;
    const Study& study = verdict_.study;
    for (const StudySettings& factors : combinationsOf(study)) {
      if (!study.question.stages.empty()) {
        for (const StudyVariant& variant : study.variants) addStages(measure, factors, variant.name, found);
        continue;
      }
      for (std::size_t i = 1; i < study.variants.size(); ++i) {
        StudyComparison comparison{
            .measure = measure, .factors = factors, .variant = study.variants[i].name, .reference = study.reference};
        comparison.referenceTrials = study.trialsOf(study.reference);
        comparison.trials = study.trialsOf(study.variants[i].name);
        found.push_back(pair(std::move(comparison), {study.reference, ""}, {study.variants[i].name, ""}));
      }
    }
    return found;
  }

  void addStages(const StudyMeasure& measure, const StudySettings& factors, const std::string& variant,
                 std::vector<Open>& found) {
    const std::vector<std::string>& stages = verdict_.study.question.stages;
    for (std::size_t i = 1; i < stages.size(); ++i) {
      StudyComparison comparison{
          .measure = measure, .factors = factors, .variant = stages[i], .reference = stages[0], .inVariant = variant};
      comparison.referenceTrials = comparison.trials = verdict_.study.trialsOf(variant);
      found.push_back(pair(std::move(comparison), {variant, stages[0]}, {variant, stages[i]}));
    }
  }

  /// What was not declared as primary is shown beside it: whoever picks the best of many measures finds something.
  void addSecondary() {
    const std::vector<std::string> judged = verdict_.study.question.judged();
    for (const StudyMeasure& measure : studyMeasures()) {
      if (std::ranges::find(judged, measure.key) != judged.end()) continue;
      std::vector<Open> found = comparisonsOf(measure);
      if (std::ranges::none_of(found, [](const Open& open) { return open.comparison.pairs > 0; })) continue;
      for (Open& open : found) verdict_.secondary.push_back(withOwnInterval(std::move(open)));
    }
  }

  /// The comparison without a verdict, with the interval that it would have alone.
  StudyComparison withOwnInterval(Open open) const {
    StudyComparison& one = open.comparison;
    one.verdict = StudyVerdictKind::notShown;
    one.seedsNeeded.reset();
    one.low.reset();
    one.high.reset();
    if (!open.judged || one.measure.bestOfMany) return std::move(one);
    one.miss = verdict_.study.question.alpha;
    const PairedInterval interval = pairedInterval(open.differences, intervalReach(one.pairs, one.miss));
    one.low = one.measure.ratio ? std::exp(interval.low) : interval.low;
    one.high = one.measure.ratio ? std::exp(interval.high) : interval.high;
    return std::move(one);
  }

  Open pair(StudyComparison comparison, const StudySide& reference, const StudySide& other) {
    const StudyPairs pairs = pairSides(runs_, comparison.measure, storedForm(comparison.factors), reference, other);
    Open open{std::move(comparison), {}, false};
    StudyComparison& one = open.comparison;
    open.differences = differencesOf(one.measure, pairs);
    one.pairs = static_cast<int>(pairs.value.size());
    one.referenceMean = meanOf(pairs.reference);
    one.mean = meanOf(pairs.value);
    one.referenceSpread = spreadOf(pairs.reference);
    one.spread = spreadOf(pairs.value);
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

  void addProfile() {
    const StudyMeasure* measure = findStudyMeasure(verdict_.study.question.measure);
    if (measure == nullptr || !measure->countsToTarget) return;
    for (const ProfileCurve& curve : profileOf(runs_, verdict_.study, *measure)) {
      verdict_.profile.push_back({curve.variant, curve.score});
    }
  }

  RunStore& store_;
  const StudyRecord& record_;
  KnownRuns* known_;
  std::vector<StudyCell> cells_;
  int judgedRounds_;
  StudyRuns runs_;
  std::map<int, std::set<std::uint64_t>> seeds_;  ///< by round
  std::vector<Open> open_;
  StudyVerdict verdict_;
};

}  // namespace

Result<StudyVerdict> verdictOf(RunStore& store, const StudyRecord& record, KnownRuns* known) {
  SLIPSTREAM_TRY(study, studyOfFrozen(record.frozenText));
  return Judging(store, record, std::move(study), known).run();
}

}  // namespace slipstream
