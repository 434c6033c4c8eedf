#include "engine/record/comparison.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "engine/base/text.h"
#include "engine/record/run_outcome.h"

namespace slipstream {
namespace {

using FlatPlan = std::map<std::string, std::string>;

/// Keys that say nothing about what was asked: names, and what follows from other keys.
bool isIncidental(const std::string& key) {
  constexpr std::array prefixes{"decisions",       "memory_per_rank",    "places",
                                "experiment.name", "experiment.variant", "experiment.boost.decisions"};
  return std::any_of(prefixes.begin(), prefixes.end(),
                     [&](const char* prefix) { return key == prefix || startsWith(key, std::string(prefix) + "."); });
}

void flatten(const nlohmann::json& value, const std::string& key, FlatPlan& flat) {
  if (isIncidental(key)) return;
  if (value.is_object()) {
    for (const auto& [name, inner] : value.items()) flatten(inner, key.empty() ? name : key + "." + name, flat);
    return;
  }
  flat[startsWith(key, "experiment.") ? key.substr(11) : key] =
      value.is_string() ? value.get<std::string>() : value.dump();
}

/// Each stage under its name; its experiment as that of a run.
void flattenStages(const nlohmann::json& stages, FlatPlan& flat) {
  for (const nlohmann::json& stage : stages) {
    FlatPlan own;
    flatten(stage, "", own);
    own.erase("seed");
    for (auto& [key, value] : own) flat["stages." + stage["name"].get<std::string>() + "." + key] = std::move(value);
  }
}

/// What an arm is: the flat plan without its seed.
FlatPlan flatPlan(const RunRecord& run) {
  FlatPlan flat;
  nlohmann::json plan = nlohmann::json::parse(run.planText);
  if (plan.contains("stages")) flattenStages(plan["stages"], flat);
  plan.erase("stages");
  flatten(plan, "", flat);
  flat.erase("seed");
  return flat;
}

std::string labelOf(const RunRecord& run) {
  return run.variant.empty() ? run.name : run.variant;
}

std::vector<PlanDifference> differencesOf(const std::vector<FlatPlan>& plans) {
  std::set<std::string> keys;
  for (const FlatPlan& plan : plans) {
    for (const auto& [key, value] : plan) keys.insert(key);
  }
  std::vector<PlanDifference> differences;
  for (const std::string& key : keys) {
    PlanDifference difference{key, {}};
    for (const FlatPlan& plan : plans) {
      const auto found = plan.find(key);
      difference.values.push_back(found == plan.end() ? "" : found->second);
    }
    const auto& values = difference.values;
    if (std::adjacent_find(values.begin(), values.end(), std::not_equal_to<>()) != values.end()) {
      differences.push_back(std::move(difference));
    }
  }
  return differences;
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

/// Values of a measure by seed, runs that ended in order only; several runs of one seed are averaged.
std::map<std::uint64_t, double> valuesBySeed(const Arm& arm, const std::string& key) {
  std::map<std::uint64_t, std::pair<double, int>> sums;
  for (const RunOutcome& outcome : arm.outcomes) {
    const auto value = outcome.measured.find(key);
    if (outcome.run.state != RunState::done || value == outcome.measured.end()) continue;
    auto& [sum, count] = sums[outcome.run.seed];
    sum += value->second;
    ++count;
  }
  std::map<std::uint64_t, double> values;
  for (const auto& [seed, sum] : sums) values[seed] = sum.first / sum.second;
  return values;
}

Verdict verdictOf(const ComparedMeasure& compared) {
  if (!compared.low || !std::isfinite(*compared.low) || !std::isfinite(*compared.high)) return Verdict::noClaim;
  if (*compared.low <= 0 && *compared.high >= 0) return Verdict::noDifferenceShown;
  if ((compared.difference > 0) == compared.measure.higherIsBetter) return Verdict::better;
  return compared.measure.cost ? Verdict::costsMore : Verdict::worse;
}

std::optional<ComparedMeasure> compareMeasure(const Measure& measure, const Arm& reference, const Arm& arm) {
  const auto before = valuesBySeed(reference, measure.key);
  const auto after = valuesBySeed(arm, measure.key);
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

std::vector<std::string> remarksOn(const Comparison& comparison) {
  std::vector<std::string> remarks;
  for (const Arm& arm : comparison.arms) {
    std::size_t never = 0;
    for (const RunOutcome& outcome : arm.outcomes) {
      const RunRecord& run = outcome.run;
      if (run.state != RunState::done) {
        remarks.push_back(fmt::format("{} ({}) is not compared: {}{}{}", run.id, arm.label, nameOf(run.state),
                                      run.why.empty() ? "" : ", ", run.why));
      } else if (outcome.measured.contains("steps_to_target") && !outcome.reachedTarget) {
        ++never;
      }
    }
    if (never > 0) {
      remarks.push_back(fmt::format("{} of {} runs of {} never reached the target and count with all their steps",
                                    never, arm.outcomes.size(), arm.label));
    }
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

std::string_view wordOf(Verdict verdict) {
  constexpr std::array<std::string_view, 5> words{"better", "worse", "costs more", "no difference shown",
                                                  "no claim (n < 3)"};
  return words.at(static_cast<std::size_t>(verdict));
}

const std::vector<Measure>& measures() {
  static const std::vector<Measure> all{
      {"accuracy", "Test accuracy, %", Quantity::percent, true, false},
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

Result<Comparison> compareRuns(RunStore& store, const std::vector<RunRecord>& runs) {
  Comparison comparison;
  std::vector<FlatPlan> plans;
  std::vector<std::string> variants;
  std::set<std::string> counted;
  for (const RunRecord& run : runs) {
    if (!counted.insert(run.id).second) continue;
    SLIPSTREAM_TRY(plan, parseRunPlan(run.planText));
    FlatPlan flat = flatPlan(run);
    std::size_t index = 0;
    while (index < plans.size() && (plans[index] != flat || variants[index] != run.variant)) ++index;
    if (index == plans.size()) {
      plans.push_back(std::move(flat));
      variants.push_back(run.variant);
      comparison.arms.push_back({labelOf(run), run.colourSlot, {}});
    }
    comparison.arms[index].outcomes.push_back(outcomeOf(store, run, plan));
    if (plan.experiment.train.targetAccuracy) comparison.targetAccuracy = plan.experiment.train.targetAccuracy;
  }
  makeLabelsUnique(comparison.arms);
  comparison.differences = differencesOf(plans);
  for (std::size_t i = 1; i < comparison.arms.size(); ++i) {
    ComparedArm compared{i, {}};
    for (const Measure& measure : measures()) {
      auto one = compareMeasure(measure, comparison.arms.front(), comparison.arms[i]);
      if (one) compared.measures.push_back(std::move(*one));
    }
    comparison.compared.push_back(std::move(compared));
  }
  comparison.remarks = remarksOn(comparison);
  return comparison;
}

}  // namespace slipstream
