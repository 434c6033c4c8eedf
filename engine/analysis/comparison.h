// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/analysis/plan_differences.h"
#include "engine/runs/measure.h"
#include "engine/runs/run_outcome.h"
#include "engine/statistics/paired.h"

namespace slipstream {

/// Runs of one variant that differ in nothing but their seed. Variants that come to the same experiment are variants of
/// their own: who names two wants to see two.
struct Variant {
  std::string label;   ///< the variant, else the name of the run
  int colourSlot = 0;  ///< of its first run
  std::vector<RunOutcome> outcomes = {};
  std::string shortLabel = {};  ///< without Comparison::common; empty: the label

  /// Where all variants stand together, with what they have in common said once.
  const std::string& shownLabel() const { return shortLabel.empty() ? label : shortLabel; }
  bool staged() const { return outcomes.front().staged; }
  /// Trained by another program: of what was asked of it, only what its files say is known.
  bool imported() const { return !outcomes.empty() && outcomes.front().run.device == importedDevice; }
};

enum class ComparisonVerdict { better, worse, costsMore, noDifferenceShown, noClaim, notReached };

/// Why nothing is claimed.
enum class NoClaim {
  fewReplicas,     ///< fewer than three
  bestOfMany,      ///< Measure::bestOfMany
  testSetUnknown,  ///< the record does not hold the test set's error
  noSpread,        ///< the replicas differ, but not in this measure
  emulated,        ///< a time of a device whose kernels were run by something else
  imported,        ///< from another program: what else differs is not known
};

/// A variant beside the reference: the mean of each over the seeds that both have done to the end, and of the
/// differences by seed. An interval and a claim only from three replicas on.
struct ComparedMeasure {
  Measure measure;
  double reference = 0;
  double value = 0;
  double difference = 0;
  /// All intervals of a Comparison hold together with 95 %.
  std::optional<double> low, high;
  std::optional<double> detectable;  ///< the smallest difference that would have been shown, at 80 % power
  int pairs = 0;                     ///< replicas that are not the same bits again
  PairedDifferences replicas;        ///< one difference a pair
  /// Of a measure that counts up to a target: how many of the paired seeds reached it. The others count with all that
  /// they did, which is less than they would need: a claim that more could overturn is none (notReached).
  std::optional<int> referenceReached, valueReached;
  /// Whether a mean would have been more, had all runs gone on until they reached the target.
  bool isReferenceBound() const { return referenceReached && *referenceReached < pairs; }
  bool isValueBound() const { return valueReached && *valueReached < pairs; }
  ComparisonVerdict verdict = ComparisonVerdict::noClaim;
  NoClaim why = NoClaim::fewReplicas;  ///< of the verdict noClaim
};

/// Where runs have stages, one for each that both variants have under one name.
struct ComparedVariant {
  std::size_t variant = 0;  ///< index into Comparison::variants
  std::string stage;        ///< empty where neither variant has stages
  std::vector<ComparedMeasure> measures;
};

/// Two stages of one variant, paired by run. Only stages that start from the same weights, or one of them from the
/// other.
struct ComparedStages {
  std::size_t variant = 0;  ///< index into Comparison::variants
  std::string reference;    ///< the earlier stage
  std::string stage;
  std::vector<ComparedMeasure> measures;  ///< what both were judged by on the test set at their ends
};

/// Seeds that changed nothing: their runs gave the same bits, and count once.
struct IdenticalSeeds {
  std::size_t variant = 0;  ///< index into Comparison::variants
  std::vector<std::uint64_t> seeds;
};

struct Comparison {
  std::vector<Variant> variants;  ///< the first one is the reference
  std::string common = {};        ///< what all their labels end in
  std::vector<PlanDifference> differences;
  std::vector<PlanDifference> equals;  ///< what was asked of all alike
  std::vector<ComparedVariant> compared;
  std::vector<ComparedStages> comparedStages;
  std::vector<IdenticalSeeds> identicalSeeds;
  int comparisons = 0;  ///< differences that got an interval
  std::optional<double> targetAccuracy;
};

/// Whether a run takes part in comparisons: it ended in order, and with the ranks that it was planned for.
bool isComparable(const RunOutcome& outcome);
/// The measures that any run of the comparison has, in the order of the tables.
std::vector<const Measure*> measuresTaken(const Comparison& comparison);
/// Whether the measure counts up to a target that the stage never reached: it would have taken more.
bool neverReached(const StageOutcome& outcome, const Measure& measure);

/// Compares runs, the first one's variant being the reference. A run that is given twice counts once.
Result<Comparison> compareRuns(RunStore& store, const std::vector<RunRecord>& runs);

/// Pairs the outcomes of `variants` and judges the differences: fills `compared`, `comparedStages`, `identicalSeeds`
/// and `comparisons`. All intervals together miss with a probability of at most 5 %: each of k intervals with 5 % / k
/// (Bonferroni; Dunn 1961, J. Am. Stat. Assoc. 56, 52).
void judge(Comparison& comparison);

/// What a variant of a comparison does otherwise than the reference, each once: algorithms by their names, everything
/// else by its key. What follows from an algorithm (its settings, less_bn's network) is named with it.
std::vector<std::string> changesOf(const Comparison& comparison, std::size_t variant);
/// Whether more keys differ than changesOf() names: those that belong to what it names.
bool differsInMoreKeys(const Comparison& comparison, std::size_t variant);
/// Whether a key differs with an algorithm that another key names, and is alike in variants with the same algorithms.
bool followsFromAlgorithm(const Comparison& comparison, const PlanDifference& difference);

}  // namespace slipstream
