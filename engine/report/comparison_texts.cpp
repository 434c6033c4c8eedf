// SPDX-License-Identifier: GPL-3.0-or-later
// What a comparison says in sentences.
#include <algorithm>
#include <array>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "engine/analysis/comparison.h"
#include "engine/base/text.h"
#include "engine/report/comparison_document.h"

namespace slipstream {
namespace {

bool isPaired(const Comparison& comparison, std::size_t variant) {
  return std::ranges::find(comparison.compared, variant, &ComparedVariant::variant) != comparison.compared.end();
}

/// A variant that no stage of one name pairs with the reference.
void remarkOnStages(const Comparison& comparison, std::vector<Text>& remarks) {
  for (std::size_t i = 1; i < comparison.variants.size(); ++i) {
    if (isPaired(comparison, i)) continue;
    remarks.push_back(phrase("{} and {} have no stage of one name: nothing of them is paired",
                             {comparison.variants.front().label, comparison.variants[i].label}));
  }
}

/// Of single runs the seed may be what they differ in; it is no setting, and in no table of them.
void remarkOnSeeds(const Comparison& comparison, std::vector<Text>& remarks) {
  const Variant& reference = comparison.variants.front();
  for (std::size_t i = 1; i < comparison.variants.size(); ++i) {
    const Variant& variant = comparison.variants[i];
    if (reference.outcomes.size() != 1 || variant.outcomes.size() != 1) continue;
    const std::uint64_t seed = variant.outcomes.front().run.seed, other = reference.outcomes.front().run.seed;
    if (seed == other) continue;
    remarks.push_back(phrase("{} has seed {}, {} has seed {}: they differ in that, too",
                             {variant.label, std::to_string(seed), reference.label, std::to_string(other)}));
  }
}

void remarkOnIdenticalSeeds(const Comparison& comparison, std::vector<Text>& remarks) {
  for (const IdenticalSeeds& identical : comparison.identicalSeeds) {
    remarks.push_back(
        phrase("seeds {} of {} gave the same losses and accuracies bit for bit: they count as one",
               {fmt::format("{}", fmt::join(identical.seeds, ", ")), comparison.variants[identical.variant].label}));
  }
}

void remarkOnTarget(const Variant& variant, std::vector<Text>& remarks) {
  for (std::size_t stage = 0; stage < variant.outcomes.front().stages.size(); ++stage) {
    const auto never = std::ranges::count_if(variant.outcomes, [&](const RunOutcome& outcome) {
      const StageOutcome& own = outcome.stages.at(stage);
      return outcome.run.state == RunState::done && own.value(measure::stepsToTarget) && !own.reachedTarget;
    });
    if (never == 0) continue;
    std::vector<Text> arguments{std::to_string(never), std::to_string(variant.outcomes.size()), variant.label};
    if (!variant.staged()) {
      remarks.push_back(
          phrase("{} of {} runs of {} never reached the target and count with all their steps.", std::move(arguments)));
      continue;
    }
    arguments.emplace_back(variant.outcomes.front().stages.at(stage).stage.name);
    remarks.push_back(phrase("{} of {} runs of {} never reached the target of stage {} and count with all their steps.",
                             std::move(arguments)));
  }
}

void remarkOnRun(const Variant& variant, const RunOutcome& outcome, std::vector<Text>& remarks) {
  const RunRecord& run = outcome.run;
  if (!outcome.damage.empty()) remarks.emplace_back(fmt::format("{} ({}): {}", run.id, variant.label, outcome.damage));
  if (!outcome.shrunk.empty()) {
    remarks.push_back(
        phrase("{} ({}) is left out of all pairs, since it lost hosts: {}", {run.id, variant.label, outcome.shrunk}));
  }
  if (run.state == RunState::done) return;
  remarks.push_back(
      phrase("{} ({}) is not compared: {}", {run.id, variant.label, joined({stateText(run.state), run.why}, ", ")}));
}

/// The label, and in brackets what it is where that is more than one thing that the label does not name.
std::string labelWithChanges(const Comparison& comparison, std::size_t variant) {
  constexpr std::size_t most = 4;
  const std::vector<std::string> changes = changesOf(comparison, variant);
  const std::string& label = comparison.variants[variant].shownLabel();
  const bool isNamed =
      std::ranges::all_of(changes, [&](const std::string& change) { return label.find(change) != std::string::npos; });
  return isNamed || changes.size() < 2 || changes.size() > most ? label : label + " (" + join(changes, ", ") + ")";
}

/// All but the reference by name, or how many they are where a title has no room for them.
Text othersText(const Comparison& comparison, TitleExtent extent) {
  constexpr std::size_t mostNames = 4;
  const std::size_t others = comparison.variants.size() - 1;
  if (others > mostNames) return countedText(static_cast<std::int64_t>(others), "variant");
  std::vector<Text> labels;
  for (std::size_t i = 1; i < comparison.variants.size(); ++i) {
    labels.emplace_back(extent == TitleExtent::whole ? labelWithChanges(comparison, i)
                                                     : comparison.variants[i].shownLabel());
  }
  return joined(std::move(labels), ", ");
}

}  // namespace

Text titleOf(const Comparison& comparison, TitleExtent extent) {
  if (comparison.variants.size() == 1) return comparison.variants.front().outcomes.front().run.name;
  const Variant& reference = comparison.variants.front();
  const Text others = othersText(comparison, extent);
  if (reference.imported() || extent == TitleExtent::names) {
    return capitalized(phrase("{} against {}", {others, reference.shownLabel()}));
  }
  const Text ranks = countedText(reference.outcomes.front().run.ranks, "rank");
  return capitalized(
      phrase("{} against {} on {}", {others, reference.shownLabel(), joined({ranks, comparison.common}, ", ")}));
}

Text stateText(RunState state) {
  return phrase(nameOf(state));
}

namespace {

/// The summary says the same in sentences (accuracyClaim and countsSentence in report_summary.cpp).
constexpr const char* noDifferenceShown = message("no difference shown");

}  // namespace

Text verdictText(const ComparedMeasure& measure) {
  constexpr std::array verdicts{message("better"), message("worse"),    message("costs more"),
                                noDifferenceShown, message("no claim"), message("no claim (not reached)")};
  constexpr std::array reasons{message("no claim (n < 3)"),
                               message("no claim (best of many)"),
                               message("no claim (error of the test set unknown)"),
                               message("no claim (no spread)"),
                               message("no claim (emulated)"),
                               message("no claim (imported)")};
  if (measure.verdict == ComparisonVerdict::noClaim) return phrase(reasons.at(static_cast<std::size_t>(measure.why)));
  return phrase(verdicts.at(static_cast<std::size_t>(measure.verdict)));
}

Text methodText(const Comparison& comparison) {
  if (comparison.comparisons == 0) return {};
  const std::string count = std::to_string(comparison.comparisons);
  const std::string level = fmt::format("{:.4g}", 100 - 5.0 / comparison.comparisons);
  const Text intervals = comparison.comparisons == 1
                             ? phrase("The interval is one of 95 %")
                             : phrase(
                                   "All {} intervals hold together with 95 %: each of them is one of {} % "
                                   "(Bonferroni)",
                                   {count, level});
  return phrase(
      "{}, by Student's t over the replicas; accuracy and loss on the test set have its sampling error added. Beside "
      "“{}” is the smallest difference that would have been shown with a probability of 80 %. "
      "The best of many values is not judged.",
      {intervals, phrase(noDifferenceShown)});
}

Text titleOf(const Comparison& comparison, const Measure& measure) {
  const bool hasTarget = measure.countsToTarget() && comparison.targetAccuracy;
  if (!hasTarget) return phrase(measure.title);
  return phrase(measure.withTarget, {fmt::format("{:.4g}", 100 * *comparison.targetAccuracy)});
}

Text titleWithUnit(const Comparison& comparison, const Measure& measure) {
  const bool hasTarget = measure.countsToTarget() && comparison.targetAccuracy;
  if (!hasTarget) return phrase(measure.name());
  return joined({titleOf(comparison, measure), Text(measure.unit)}, ", ");
}

Text changesSentence(const Comparison& comparison, std::size_t variant) {
  std::vector<std::string> changes = changesOf(comparison, variant);
  const Text label = comparison.variants[variant].shownLabel(), reference = comparison.variants.front().shownLabel();
  if (comparison.variants[variant].imported() || comparison.variants.front().imported()) {
    return phrase("{} and {}: what differs is known in part only, since not both were trained by slipstream.",
                  {label, reference});
  }
  if (changes.empty()) return phrase("{} and {} were asked to do the same.", {label, reference});
  if (changes.size() == 1 && differsInMoreKeys(comparison, variant)) {
    if (comparison.variants.size() == 2) {
      return phrase("The plans differ only in {} and what follows from it.", {changes.front()});
    }
    return phrase("{} and {} differ in one choice, {}; the other keys that differ follow from it.",
                  {label, reference, changes.front()});
  }
  if (changes.size() == 1) return phrase("{} and {} differ in {} alone.", {label, reference, changes.front()});
  const Text last = changes.back();
  changes.pop_back();
  return phrase("{} and {} differ in {}: what is found is the effect of all of them together.",
                {label, reference, phrase("{} and {}", {joined({changes.begin(), changes.end()}, ", "), last})});
}

std::vector<Text> remarksOn(const Comparison& comparison) {
  std::vector<Text> remarks;
  remarkOnStages(comparison, remarks);
  remarkOnSeeds(comparison, remarks);
  remarkOnIdenticalSeeds(comparison, remarks);
  for (const Variant& variant : comparison.variants) {
    for (const RunOutcome& outcome : variant.outcomes) remarkOnRun(variant, outcome, remarks);
    remarkOnTarget(variant, remarks);
  }
  return remarks;
}

}  // namespace slipstream
