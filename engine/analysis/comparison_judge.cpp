// SPDX-License-Identifier: GPL-3.0-or-later
// Pairs what the variants and the stages of a comparison came to, and judges the differences.
#include <algorithm>
#include <cmath>
#include <map>

#include "engine/analysis/paired_replicas.h"
#include "engine/spec/device_kind.h"

namespace slipstream {
namespace {

constexpr double mostMisses = 0.05;  ///< of all intervals of a comparison together

/// How many of these seeds reached the target in all of their runs.
int reachedBy(const StageOfVariant& side, const std::vector<std::uint64_t>& seeds) {
  const std::vector<RunOutcome>& outcomes = side.variant.outcomes;
  return static_cast<int>(std::count_if(seeds.begin(), seeds.end(), [&](std::uint64_t seed) {
    return std::all_of(outcomes.begin(), outcomes.end(), [&](const RunOutcome& outcome) {
      const bool counts = outcome.run.seed == seed && isComparable(outcome);
      return !counts || outcome.stages.at(side.stage).reachedTarget;
    });
  }));
}

double meanOf(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) sum += value;
  return sum / static_cast<double>(values.size());
}

/// Times of an emulated device are times of the emulation.
bool isTimeOfEmulation(const Measure& measure, const StageOfVariant& reference, const StageOfVariant& other) {
  const auto emulated = [](const RunOutcome& outcome) { return isEmulated(outcome.run.device); };
  return measure.cost && (std::ranges::any_of(reference.variant.outcomes, emulated) ||
                          std::ranges::any_of(other.variant.outcomes, emulated));
}

std::optional<NoClaim> whyNothingIsClaimed(const ComparedMeasure& one) {
  if (one.why == NoClaim::imported || one.why == NoClaim::emulated) return one.why;
  if (one.measure.bestOfMany) return NoClaim::bestOfMany;
  if (one.pairs < fewestReplicas) return NoClaim::fewReplicas;
  if (std::isnan(one.replicas.testSetError)) return NoClaim::testSetUnknown;
  if (!one.replicas.canBeJudged()) return NoClaim::noSpread;
  return std::nullopt;
}

/// By a replica of either side, which counts with all its steps.
bool targetWasMissed(const ComparedMeasure& one) {
  return one.referenceReached && (*one.referenceReached < one.pairs || *one.valueReached < one.pairs);
}

std::optional<ComparedMeasure> pairMeasure(const Measure& measure, const StageOfVariant& reference,
                                           const StageOfVariant& other) {
  const PairedReplicas pairs = pairReplicas(reference, other, measure);
  if (pairs.seeds.empty()) return std::nullopt;
  ComparedMeasure one;
  one.measure = measure;
  one.reference = meanOf(pairs.reference);
  one.value = meanOf(pairs.value);
  one.difference = one.value - one.reference;
  one.pairs = static_cast<int>(pairs.seeds.size());
  one.replicas = pairs.differences();
  if (isTimeOfEmulation(measure, reference, other)) one.why = NoClaim::emulated;
  if (reference.variant.imported() || other.variant.imported()) one.why = NoClaim::imported;
  if (measure.countsToTarget()) {
    one.referenceReached = reachedBy(reference, pairs.seeds);
    one.valueReached = reachedBy(other, pairs.seeds);
  }
  if (const auto why = whyNothingIsClaimed(one)) one.why = *why;
  if (one.why == NoClaim::noSpread && targetWasMissed(one)) one.verdict = ComparisonVerdict::notReached;
  return one;
}

/// Stages of one name are compared, whatever else the runs went through.
void pairVariant(Comparison& comparison, std::size_t index) {
  const Variant& reference = comparison.variants.front();
  const Variant& variant = comparison.variants[index];
  const bool named = reference.staged() || variant.staged();
  for (std::size_t before = 0; before < reference.outcomes.front().stages.size(); ++before) {
    for (std::size_t after = 0; after < variant.outcomes.front().stages.size(); ++after) {
      const StageOfVariant first{reference, before}, second{variant, after};
      if (first.name() != second.name()) continue;
      ComparedVariant compared{index, named ? second.name() : "", {}};
      for (const Measure& measure : measures()) {
        if (auto one = pairMeasure(measure, first, second)) compared.measures.push_back(std::move(*one));
      }
      comparison.compared.push_back(std::move(compared));
    }
  }
}

/// Both start from the same weights, or one from the other.
bool areRelated(const StagePlan& earlier, const StagePlan& later) {
  return later.start.stage == earlier.name || (!later.start.stage.empty() && later.start.stage == earlier.start.stage);
}

/// Stages differ in length, so that only what they were judged by at their ends can be compared.
ComparedStages pairStages(std::size_t index, const StageOfVariant& first, const StageOfVariant& second) {
  ComparedStages compared{index, first.name(), second.name(), {}};
  for (const Measure& measure : measures()) {
    if (!measure.onTestSet) continue;
    if (auto one = pairMeasure(measure, first, second)) compared.measures.push_back(std::move(*one));
  }
  return compared;
}

void pairStagesOf(Comparison& comparison, std::size_t index) {
  const Variant& variant = comparison.variants[index];
  const std::vector<StageOutcome>& stages = variant.outcomes.front().stages;
  for (std::size_t first = 0; first < stages.size(); ++first) {
    for (std::size_t second = first + 1; second < stages.size(); ++second) {
      if (!areRelated(stages[first].stage, stages[second].stage)) continue;
      ComparedStages compared = pairStages(index, {variant, first}, {variant, second});
      if (!compared.measures.empty()) comparison.comparedStages.push_back(std::move(compared));
    }
  }
}

ComparisonVerdict verdictOf(const ComparedMeasure& one) {
  if (*one.low <= 0 && *one.high >= 0) return ComparisonVerdict::noDifferenceShown;
  if ((one.difference > 0) == one.measure.higherIsBetter) return ComparisonVerdict::better;
  return one.measure.cost ? ComparisonVerdict::costsMore : ComparisonVerdict::worse;
}

/// A verdict on a measure that counts up to a target, which steps still missing could overturn, is none.
ComparisonVerdict verdictWithTarget(const ComparedMeasure& one, ComparisonVerdict verdict) {
  if (!one.referenceReached) return verdict;
  const bool moreBefore = *one.referenceReached < one.pairs;
  const bool moreAfter = *one.valueReached < one.pairs;
  const bool open = verdict == ComparisonVerdict::better              ? moreAfter
                    : verdict == ComparisonVerdict::noDifferenceShown ? moreBefore || moreAfter
                                                                      : moreBefore;
  return open ? ComparisonVerdict::notReached : verdict;
}

void judgeOne(ComparedMeasure& one, const IntervalReach& reach) {
  const PairedInterval interval = pairedInterval(one.replicas, reach);
  one.low = interval.low;
  one.high = interval.high;
  one.detectable = interval.detectable;
  one.verdict = verdictWithTarget(one, verdictOf(one));
}

std::vector<ComparedMeasure*> allThatCanBeJudged(Comparison& comparison) {
  std::vector<ComparedMeasure*> all;
  const auto add = [&](std::vector<ComparedMeasure>& list) {
    for (ComparedMeasure& one : list) {
      if (!whyNothingIsClaimed(one)) all.push_back(&one);
    }
  };
  for (ComparedVariant& compared : comparison.compared) add(compared.measures);
  for (ComparedStages& compared : comparison.comparedStages) add(compared.measures);
  return all;
}

}  // namespace

void judge(Comparison& comparison) {
  for (std::size_t i = 1; i < comparison.variants.size(); ++i) pairVariant(comparison, i);
  for (std::size_t i = 0; i < comparison.variants.size(); ++i) pairStagesOf(comparison, i);
  comparison.identicalSeeds = identicalSeeds(comparison.variants);
  const std::vector<ComparedMeasure*> judged = allThatCanBeJudged(comparison);
  comparison.comparisons = static_cast<int>(judged.size());
  std::map<int, IntervalReach> reaches;  // by the number of replicas
  for (ComparedMeasure* one : judged) {
    const auto reach = reaches.find(one->pairs);
    const double miss = mostMisses / static_cast<double>(judged.size());
    judgeOne(*one, reach != reaches.end() ? reach->second : reaches[one->pairs] = intervalReach(one->pairs, miss));
  }
}

}  // namespace slipstream
