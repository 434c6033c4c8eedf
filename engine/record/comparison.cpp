#include "engine/record/comparison.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

#include <fmt/format.h>

#include "engine/base/text.h"
#include "engine/record/run_outcome.h"

namespace slipstream {
namespace {

std::string labelOf(const RunRecord& run) {
  return run.variant.empty() ? run.name : run.variant;
}

/// The 97.5 % point of Student's t: Fisher's expansion around the normal's (Abramowitz and Stegun 26.7.5), exact to
/// 0.2 % from three degrees of freedom on.
double studentQuantile(int degrees) {
  if (degrees == 2) return 4.3027;
  const double z = 1.959964;
  const double n = degrees;
  const double z2 = z * z;
  return z + z * (z2 + 1) / (4 * n) + z * ((5 * z2 + 16) * z2 + 3) / (96 * n * n) +
         z * (((3 * z2 + 19) * z2 + 17) * z2 - 15) / (384 * n * n * n) +
         z * ((((79 * z2 + 776) * z2 + 1482) * z2 - 1920) * z2 - 945) / (92160 * n * n * n * n);
}

/// Values of a measure of a stage by seed, runs that ended in order only; several runs of one seed are averaged.
std::map<std::uint64_t, double> valuesBySeed(const Arm& arm, std::size_t stage, const std::string& key) {
  std::map<std::uint64_t, std::pair<double, int>> sums;
  for (const RunOutcome& outcome : arm.outcomes) {
    const auto& measured = outcome.stages.at(stage).measured;
    const auto value = measured.find(key);
    if (outcome.run.state != RunState::done || value == measured.end()) continue;
    auto& [sum, count] = sums[outcome.run.seed];
    sum += value->second;
    ++count;
  }
  std::map<std::uint64_t, double> values;
  for (const auto& [seed, sum] : sums) values[seed] = sum.first / sum.second;
  return values;
}

bool countsToTarget(const Measure& measure) {
  return measure.key == "steps_to_target" || measure.key == "seconds_to_target";
}

/// How many of these seeds reached the target in all of their runs.
int reachedBy(const Arm& arm, std::size_t stage, const std::vector<std::uint64_t>& seeds) {
  return static_cast<int>(std::count_if(seeds.begin(), seeds.end(), [&](std::uint64_t seed) {
    return std::all_of(arm.outcomes.begin(), arm.outcomes.end(), [&](const RunOutcome& outcome) {
      const bool counts = outcome.run.seed == seed && outcome.run.state == RunState::done;
      return !counts || outcome.stages.at(stage).reachedTarget;
    });
  }));
}

std::string withReached(std::string mean, const std::optional<int>& reached, int pairs) {
  if (!reached) return mean;
  // Where nobody arrived the mean is of steps that were not enough.
  return fmt::format("{}{} ({} of {})", *reached == 0 ? "> " : "", mean, *reached, pairs);
}

ComparisonVerdict verdictOf(const ComparedMeasure& compared) {
  if (!compared.low || !std::isfinite(*compared.low) || !std::isfinite(*compared.high))
    return ComparisonVerdict::noClaim;
  if (*compared.low <= 0 && *compared.high >= 0) return ComparisonVerdict::noDifferenceShown;
  if ((compared.difference > 0) == compared.measure.higherIsBetter) return ComparisonVerdict::better;
  return compared.measure.cost ? ComparisonVerdict::costsMore : ComparisonVerdict::worse;
}

/// Of a measure that counts up to a target.
ComparisonVerdict verdictWithTarget(const ComparedMeasure& compared) {
  const bool moreBefore = *compared.referenceReached < compared.pairs;
  const bool moreAfter = *compared.valueReached < compared.pairs;
  switch (compared.verdict) {
    case ComparisonVerdict::better:
      return moreAfter ? ComparisonVerdict::notReached : compared.verdict;
    case ComparisonVerdict::worse:
    case ComparisonVerdict::costsMore:
      return moreBefore ? ComparisonVerdict::notReached : compared.verdict;
    case ComparisonVerdict::noDifferenceShown:
      return moreBefore || moreAfter ? ComparisonVerdict::notReached : compared.verdict;
    default:
      return compared.verdict;
  }
}

std::optional<ComparedMeasure> compareMeasure(const Measure& measure, const std::map<std::uint64_t, double>& before,
                                              const std::map<std::uint64_t, double>& after) {
  ComparedMeasure compared;
  compared.measure = measure;
  std::vector<double> differences;
  for (const auto& [seed, value] : before) {
    const auto pair = after.find(seed);
    if (pair == after.end()) continue;
    compared.reference += value;
    compared.value += pair->second;
    differences.push_back(pair->second - value);
  }
  compared.pairs = static_cast<int>(differences.size());
  if (compared.pairs == 0) return std::nullopt;
  const double n = compared.pairs;
  compared.reference /= n;
  compared.value /= n;
  compared.difference = compared.value - compared.reference;
  if (compared.pairs >= 3) {
    double squares = 0;
    for (const double value : differences) squares += (value - compared.difference) * (value - compared.difference);
    const double half = studentQuantile(compared.pairs - 1) * std::sqrt(squares / (n - 1) / n);
    compared.low = compared.difference - half;
    compared.high = compared.difference + half;
  }
  compared.verdict = verdictOf(compared);
  return compared;
}

const std::string& stageName(const Arm& arm, std::size_t stage) {
  return arm.outcomes.front().stages.at(stage).stage.name;
}

ComparedArm compareStages(const Arm& reference, std::size_t before, const Arm& arm, std::size_t after) {
  ComparedArm compared;
  for (const Measure& measure : measures()) {
    const auto first = valuesBySeed(reference, before, measure.key);
    const auto second = valuesBySeed(arm, after, measure.key);
    auto one = compareMeasure(measure, first, second);
    if (!one) continue;
    if (countsToTarget(measure)) {
      std::vector<std::uint64_t> paired;
      for (const auto& [seed, value] : first) {
        if (second.contains(seed)) paired.push_back(seed);
      }
      one->referenceReached = reachedBy(reference, before, paired);
      one->valueReached = reachedBy(arm, after, paired);
      one->verdict = verdictWithTarget(*one);
    }
    compared.measures.push_back(std::move(*one));
  }
  return compared;
}

/// Stages of one name are compared, whatever else the runs went through.
void compareArm(Comparison& comparison, std::size_t index) {
  const Arm& reference = comparison.arms.front();
  const Arm& arm = comparison.arms[index];
  const bool named = reference.staged() || arm.staged();
  std::size_t found = 0;
  for (std::size_t before = 0; before < reference.outcomes.front().stages.size(); ++before) {
    for (std::size_t after = 0; after < arm.outcomes.front().stages.size(); ++after) {
      if (stageName(reference, before) != stageName(arm, after)) continue;
      ++found;
      ComparedArm compared = compareStages(reference, before, arm, after);
      compared.arm = index;
      if (named) compared.stage = stageName(arm, after);
      comparison.compared.push_back(std::move(compared));
    }
  }
  if (found > 0) return;
  comparison.remarks.push_back(
      fmt::format("{} and {} have no stage of one name: nothing of them is paired", reference.label, arm.label));
}

/// "of stage NAME" where the arm has several.
std::string ofStage(const Arm& arm, std::size_t stage) {
  return arm.staged() ? fmt::format(" of stage {}", stageName(arm, stage)) : "";
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

}  // namespace

std::string_view wordOf(ComparisonVerdict verdict) {
  constexpr std::array<std::string_view, 6> words{
      "better", "worse", "costs more", "no difference shown", "no claim (n < 3)", "no claim (not reached)"};
  return words.at(static_cast<std::size_t>(verdict));
}

const std::vector<Measure>& measures() {
  static const std::vector<Measure> all{
      {"accuracy", "Test accuracy, %", Quantity::percent, true, false},
      {"test_loss", "Test loss", Quantity::loss, false, false},
      {"best_accuracy", "Best test accuracy, %", Quantity::percent, true, false},
      {"final_loss", fmt::format("Final loss, mean of {} steps", finalLossSteps), Quantity::loss, false, false},
      {"best_loss", "Best loss", Quantity::loss, false, false},
      {"steps_to_target", "Steps to target", Quantity::count, false, false},
      {"seconds_to_target", "Seconds to target", Quantity::seconds, false, true},
      {"step_milliseconds", "Step time, ms", Quantity::milliseconds, false, true},
      {"training_seconds", "Seconds in all", Quantity::seconds, false, true},
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

std::string referenceText(const ComparedMeasure& measure) {
  return withReached(quantityText(measure.reference, measure.measure.quantity), measure.referenceReached,
                     measure.pairs);
}

std::string valueText(const ComparedMeasure& measure) {
  return withReached(quantityText(measure.value, measure.measure.quantity), measure.valueReached, measure.pairs);
}

std::string outcomeText(const StageOutcome& outcome, const Measure& measure) {
  const auto value = outcome.measured.find(measure.key);
  if (value == outcome.measured.end()) return {};
  const bool never = countsToTarget(measure) && !outcome.reachedTarget;
  return (never ? "> " : "") + quantityText(value->second, measure.quantity);
}

std::string ComparedArm::title() const {
  const int pairs = measures.empty() ? 0 : measures.front().pairs;
  return fmt::format("{}paired by seed, n = {}", stage.empty() ? "" : "stage " + stage + ", ", pairs);
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
      comparison.arms.push_back({labelOf(run), run.colourSlot, {}});
    }
    comparison.arms[index].outcomes.push_back(outcomeOf(store, run, plan));
    for (const StagePlan& stage : stagesOf(plan)) {
      if (stage.experiment.train.targetAccuracy) comparison.targetAccuracy = stage.experiment.train.targetAccuracy;
    }
  }
  makeLabelsUnique(comparison.arms);
  ComparedPlans compared = comparePlans(plans);
  comparison.differences = std::move(compared.differences);
  comparison.equals = std::move(compared.equals);
  for (std::size_t i = 1; i < comparison.arms.size(); ++i) {
    compareArm(comparison, i);
  }
  for (std::string& remark : remarksOn(comparison)) comparison.remarks.push_back(std::move(remark));
  return comparison;
}

}  // namespace slipstream
