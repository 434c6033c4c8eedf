// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/analysis/comparison.h"

#include <algorithm>
#include <set>
#include <tuple>

#include <fmt/format.h>

#include "engine/analysis/common_end.h"
#include "engine/analysis/run_colours.h"
#include "engine/base/text.h"
#include "engine/runs/run_outcome.h"

namespace slipstream {
namespace {

std::string labelOf(const RunRecord& run) {
  return run.variant.empty() ? run.name : run.variant;
}

/// An imported run of which nothing is known but its values: it repeats no other.
bool isUnknown(const AskedRun& run) {
  return run.imported && run.stages.front().values.empty();
}

/// Labels that variants of several experiments share get the experiment's name.
void nameExperiments(std::vector<Variant>& variants) {
  std::map<std::string, std::set<std::string>> experiments;
  const auto experimentOf = [](const Variant& variant) { return variant.outcomes.front().run.experimentName; };
  for (const Variant& variant : variants) experiments[variant.label].insert(experimentOf(variant));
  for (Variant& variant : variants) {
    if (experiments.at(variant.label).size() > 1) variant.label += fmt::format(" ({})", experimentOf(variant));
  }
}

/// Labels that several variants share still get a number: what differs is in the differences.
void makeLabelsUnique(std::vector<Variant>& variants) {
  nameExperiments(variants);
  std::map<std::string, int> uses;
  for (Variant& variant : variants) {
    const int use = ++uses[variant.label];
    if (use > 1) variant.label += fmt::format(" ({})", use);
  }
}

void shortenLabels(Comparison& comparison) {
  std::vector<std::string> labels;
  for (const Variant& variant : comparison.variants) labels.push_back(variant.label);
  comparison.common = takeCommonEnd(labels);
  for (std::size_t i = 0; i < labels.size(); ++i) comparison.variants[i].shortLabel = std::move(labels[i]);
}

/// Each variant is drawn with the pen of its oldest run, whatever the order in which runs were named.
void giveColours(const std::vector<RunRecord>& runs, std::vector<Variant>& variants) {
  const std::map<std::string, int> slots = distinctSlots(runs);
  const auto isOlder = [](const RunOutcome& a, const RunOutcome& b) {
    return std::tie(a.run.createdAt, a.run.id) < std::tie(b.run.createdAt, b.run.id);
  };
  for (Variant& variant : variants) {
    variant.colourSlot = slots.at(std::min_element(variant.outcomes.begin(), variant.outcomes.end(), isOlder)->run.id);
  }
}

}  // namespace

bool isComparable(const RunOutcome& outcome) {
  return outcome.run.state == RunState::done && outcome.shrunk.empty();
}

bool neverReached(const StageOutcome& outcome, const Measure& measure) {
  return measure.countsToTarget() && !outcome.reachedTarget;
}

std::vector<const Measure*> measuresTaken(const Comparison& comparison) {
  const auto hasIt = [](const Variant& variant, const std::string& key) {
    return std::any_of(variant.outcomes.begin(), variant.outcomes.end(), [&](const RunOutcome& outcome) {
      return std::any_of(outcome.stages.begin(), outcome.stages.end(),
                         [&](const StageOutcome& stage) { return stage.measured.contains(key); });
    });
  };
  std::vector<const Measure*> taken;
  for (const Measure& measure : measures()) {
    const bool any = std::any_of(comparison.variants.begin(), comparison.variants.end(),
                                 [&](const Variant& variant) { return hasIt(variant, measure.key); });
    if (any) taken.push_back(&measure);
  }
  return taken;
}

Result<Comparison> compareRuns(RunStore& store, const std::vector<RunRecord>& runs) {
  Comparison comparison;
  std::vector<AskedRun> plans;
  std::vector<std::string> names;
  std::set<std::string> counted;
  for (const RunRecord& run : runs) {
    if (!counted.insert(run.id).second) continue;
    SLIPSTREAM_TRY(plan, planToShow(run.planText));
    AskedRun asked = askedOf(run.planText);
    const bool alone = isUnknown(asked) && run.variant.empty();
    std::size_t index = alone ? plans.size() : 0;
    while (index < plans.size() && (plans[index] != asked || names[index] != run.variant)) ++index;
    if (index == plans.size()) {
      plans.push_back(std::move(asked));
      names.push_back(run.variant);
      comparison.variants.push_back({labelOf(run), 0, {}});
    }
    comparison.variants[index].outcomes.push_back(outcomeOf(store, run, plan));
    for (const StagePlan& stage : stagesOf(plan)) {
      if (stage.experiment.train.targetAccuracy) comparison.targetAccuracy = stage.experiment.train.targetAccuracy;
    }
  }
  makeLabelsUnique(comparison.variants);
  shortenLabels(comparison);
  giveColours(runs, comparison.variants);
  ComparedPlans compared = comparePlans(plans);
  comparison.differences = std::move(compared.differences);
  comparison.equals = std::move(compared.equals);
  judge(comparison);
  return comparison;
}

}  // namespace slipstream
