// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/record/comparison.h"

#include <algorithm>
#include <set>
#include <tuple>

#include <fmt/format.h>

#include "engine/base/text.h"
#include "engine/record/run_colours.h"
#include "engine/record/run_outcome.h"

namespace slipstream {
namespace {

std::string labelOf(const RunRecord& run) {
  return run.variant.empty() ? run.name : run.variant;
}

/// "of stage NAME" where the arm has several.
std::string ofStage(const Arm& arm, std::size_t stage) {
  return arm.staged() ? fmt::format(" of stage {}", arm.outcomes.front().stages.at(stage).stage.name) : "";
}

/// A variant that no stage of one name pairs with the reference.
void remarkOnStages(const Comparison& comparison, std::vector<std::string>& remarks) {
  for (std::size_t i = 1; i < comparison.arms.size(); ++i) {
    const bool paired = std::any_of(comparison.compared.begin(), comparison.compared.end(),
                                    [&](const ComparedArm& compared) { return compared.arm == i; });
    if (paired) continue;
    remarks.push_back(fmt::format("{} and {} have no stage of one name: nothing of them is paired",
                                  comparison.arms.front().label, comparison.arms[i].label));
  }
}

void remarkOnIdenticalSeeds(const Comparison& comparison, std::vector<std::string>& remarks) {
  for (const IdenticalSeeds& identical : comparison.identicalSeeds) {
    remarks.push_back(fmt::format("seeds {} of {} gave the same losses and accuracies bit for bit: they count as one",
                                  fmt::join(identical.seeds, ", "), comparison.arms[identical.arm].label));
  }
}

void remarkOnTarget(const Arm& arm, std::vector<std::string>& remarks) {
  for (std::size_t stage = 0; stage < arm.outcomes.front().stages.size(); ++stage) {
    const auto never = std::count_if(arm.outcomes.begin(), arm.outcomes.end(), [&](const RunOutcome& outcome) {
      const StageOutcome& own = outcome.stages.at(stage);
      return outcome.run.state == RunState::done && own.measured.contains("steps_to_target") && !own.reachedTarget;
    });
    if (never == 0) continue;
    remarks.push_back(fmt::format("{} of {} runs of {} never reached the target{} and count with all their steps",
                                  never, arm.outcomes.size(), arm.label, ofStage(arm, stage)));
  }
}

std::vector<std::string> remarksOn(const Comparison& comparison) {
  std::vector<std::string> remarks;
  remarkOnStages(comparison, remarks);
  remarkOnIdenticalSeeds(comparison, remarks);
  for (const Arm& arm : comparison.arms) {
    for (const RunOutcome& outcome : arm.outcomes) {
      const RunRecord& run = outcome.run;
      if (!outcome.damage.empty()) remarks.push_back(fmt::format("{} ({}): {}", run.id, arm.label, outcome.damage));
      if (run.state == RunState::done) continue;
      remarks.push_back(fmt::format("{} ({}) is not compared: {}{}{}", run.id, arm.label, nameOf(run.state),
                                    run.why.empty() ? "" : ", ", run.why));
    }
    remarkOnTarget(arm, remarks);
  }
  return remarks;
}

/// Labels that several arms share get a number: what differs stands in the differences.
void makeLabelsUnique(std::vector<Arm>& arms) {
  std::map<std::string, int> uses;
  for (Arm& arm : arms) {
    const int use = ++uses[arm.label];
    if (use > 1) arm.label += fmt::format(" ({})", use);
  }
}

/// Each arm is drawn with the pen of its oldest run, whatever the order in which runs were named.
void giveColours(const std::vector<RunRecord>& runs, std::vector<Arm>& arms) {
  const std::map<std::string, int> slots = distinctSlots(runs);
  const auto isOlder = [](const RunOutcome& a, const RunOutcome& b) {
    return std::tie(a.run.createdAt, a.run.id) < std::tie(b.run.createdAt, b.run.id);
  };
  for (Arm& arm : arms) {
    arm.colourSlot = slots.at(std::min_element(arm.outcomes.begin(), arm.outcomes.end(), isOlder)->run.id);
  }
}

}  // namespace

const std::vector<Measure>& measures() {
  static const std::vector<Measure> all{
      {.key = "accuracy",
       .name = "Test accuracy, %",
       .quantity = Quantity::percent,
       .higherIsBetter = true,
       .onTestSet = true},
      {.key = "test_loss", .name = "Test loss", .onTestSet = true},
      {.key = "best_accuracy",
       .name = "Best test accuracy, %",
       .quantity = Quantity::percent,
       .higherIsBetter = true,
       .bestOfMany = true},
      {.key = "final_loss", .name = fmt::format("Final loss, mean of {} steps", finalLossSteps)},
      {.key = "best_loss", .name = "Best loss", .bestOfMany = true},
      {.key = "steps_to_target", .name = "Steps to target", .quantity = Quantity::count},
      {.key = "seconds_to_target", .name = "Seconds to target", .quantity = Quantity::seconds, .cost = true},
      {.key = "step_milliseconds", .name = "Step time, ms", .quantity = Quantity::milliseconds, .cost = true},
      {.key = "training_seconds", .name = "Seconds in all", .quantity = Quantity::seconds, .cost = true},
  };
  return all;
}

std::vector<const Measure*> measuresTaken(const Comparison& comparison) {
  const auto hasIt = [](const Arm& arm, const std::string& key) {
    return std::any_of(arm.outcomes.begin(), arm.outcomes.end(), [&](const RunOutcome& outcome) {
      return std::any_of(outcome.stages.begin(), outcome.stages.end(),
                         [&](const StageOutcome& stage) { return stage.measured.contains(key); });
    });
  };
  std::vector<const Measure*> taken;
  for (const Measure& measure : measures()) {
    const bool any = std::any_of(comparison.arms.begin(), comparison.arms.end(),
                                 [&](const Arm& arm) { return hasIt(arm, measure.key); });
    if (any) taken.push_back(&measure);
  }
  return taken;
}

Result<Comparison> compareRuns(RunStore& store, const std::vector<RunRecord>& runs) {
  Comparison comparison;
  std::vector<AskedRun> plans;
  std::vector<std::string> variants;
  std::set<std::string> counted;
  for (const RunRecord& run : runs) {
    if (!counted.insert(run.id).second) continue;
    SLIPSTREAM_TRY(plan, parseRunPlan(run.planText));
    AskedRun asked = askedOf(run.planText);
    std::size_t index = 0;
    while (index < plans.size() && (plans[index] != asked || variants[index] != run.variant)) ++index;
    if (index == plans.size()) {
      plans.push_back(std::move(asked));
      variants.push_back(run.variant);
      comparison.arms.push_back({labelOf(run), 0, {}});
    }
    comparison.arms[index].outcomes.push_back(outcomeOf(store, run, plan));
    for (const StagePlan& stage : stagesOf(plan)) {
      if (stage.experiment.train.targetAccuracy) comparison.targetAccuracy = stage.experiment.train.targetAccuracy;
    }
  }
  makeLabelsUnique(comparison.arms);
  giveColours(runs, comparison.arms);
  ComparedPlans compared = comparePlans(plans);
  comparison.differences = std::move(compared.differences);
  comparison.equals = std::move(compared.equals);
  judge(comparison);
  comparison.remarks = remarksOn(comparison);
  return comparison;
}

}  // namespace slipstream
