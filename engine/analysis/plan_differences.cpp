// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/analysis/plan_differences.h"

#include <algorithm>
#include <array>
#include <optional>
#include <set>

#include <nlohmann/json.hpp>

#include "engine/analysis/layer_differences.h"
#include "engine/base/text.h"
#include "engine/boost/algorithms.h"
#include "engine/plan/run_plan.h"
#include "engine/spec/network_conventions.h"

namespace slipstream {
namespace {

using Values = std::map<std::string, std::string>;

/// Keys that say nothing about what was asked: names, what follows from other keys, and what becomes of losses.
bool isIncidental(const std::string& key) {
  constexpr std::array prefixes{"name",
                                "seed",
                                "variant",
                                "boost.decisions",
                                "boost.dictionary_text",
                                "boost.removed_batch_norms",
                                "decisions",
                                "places",
                                "stages",
                                "memory_per_rank",
                                "steps_per_epoch",
                                "total_steps",
                                "first_step",
                                "end_step",
                                "schedule_step",
                                "data_step",
                                "snapshot_steps",
                                "reads_snapshots",
                                "train.on_lost",
                                "train.min_ranks",
                                "train.wait_for_hosts"};
  return std::any_of(prefixes.begin(), prefixes.end(),
                     [&](const char* prefix) { return key == prefix || startsWith(key, std::string(prefix) + "."); });
}

/// Keys of an experiment and of the plan are siblings here.
void flatten(const nlohmann::json& value, const std::string& key, Values& flat) {
  if (isIncidental(key)) return;
  if (!value.is_object()) {
    flat[key] = value.is_string() ? value.get<std::string>() : value.dump();
    return;
  }
  const std::string prefix = key.empty() || key == "experiment" ? "" : key + ".";
  for (const auto& [name, inner] : value.items()) flatten(inner, prefix + name, flat);
}

/// Settings of an algorithm that is off say nothing about the run.
void dropIdleSettings(Values& values) {
  for (const AlgorithmSpec& algorithm : switchedAlgorithms()) {
    const auto flag = values.find("boost.boost." + algorithm.key);
    if (flag == values.end() || flag->second == "true") continue;
    std::erase_if(values, [&](const auto& entry) { return startsWith(entry.first, "boost." + algorithm.key + "."); });
  }
}

/// A setting of an algorithm that is on in some of the plans only, and is the same wherever it is: the algorithm's own
/// switch is the difference.
bool followsFromSwitch(const std::string& key, const std::vector<std::string>& values) {
  const bool ofAlgorithm = std::ranges::any_of(switchedAlgorithms(), [&](const AlgorithmSpec& algorithm) {
    return key.find("boost." + algorithm.key + ".") != std::string::npos;
  });
  std::set<std::string> written(values.begin(), values.end());
  return ofAlgorithm && written.erase("") == 1 && written.size() == 1;
}

/// Of a key that plans have only where it is not as usual.
std::string usualValue(const std::string& key) {
  return key == "network.conventions" ? wordOf(conventionWords, Conventions::mindspore) : "";
}

/// Empty where the plan has no such key, or that is not known.
std::string valueIn(const AskedRun& run, const AskedStage& stage, const std::string& key) {
  const auto found = stage.values.find(key);
  if (found != stage.values.end()) return found->second;
  return run.imported ? "" : usualValue(key);
}

/// What all stages of the run have there; nothing where they are not of one mind.
std::optional<std::string> sharedValue(const AskedRun& run, const std::string& key) {
  const std::string first = valueIn(run, run.stages.front(), key);
  const bool same = std::all_of(run.stages.begin(), run.stages.end(),
                                [&](const AskedStage& stage) { return valueIn(run, stage, key) == first; });
  if (!same) return std::nullopt;
  return first;
}

const AskedStage* findStage(const AskedRun& run, const std::string& name) {
  const auto found =
      std::find_if(run.stages.begin(), run.stages.end(), [&](const AskedStage& stage) { return stage.name == name; });
  return found == run.stages.end() ? nullptr : &*found;
}

class PlanComparison {
 public:
  explicit PlanComparison(const std::vector<AskedRun>& plans) : plans_(plans) {}

  ComparedPlans all() {
    compareStageLists();
    for (const std::string& key : keys()) compare(key);
    return std::move(found_);
  }

 private:
  void add(const std::string& key, std::vector<std::string> values) {
    const std::vector<std::string> known = knownOf(values);
    if (followsFromSwitch(key, known)) return;
    const bool differ = std::adjacent_find(known.begin(), known.end(), std::not_equal_to<>()) != known.end();
    if (endsWith(key, "network.layers")) values = layerTexts(values);
    (differ ? found_.differences : found_.equals).push_back({key, std::move(values)});
  }

  /// Without those of imported runs that have no such key. Other programs write "1" for "1.0".
  std::vector<std::string> knownOf(const std::vector<std::string>& values) const {
    if (std::ranges::none_of(plans_, &AskedRun::imported)) return values;
    std::vector<std::string> known;
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (plans_[i].imported && values[i].empty()) continue;
      const auto number = parseNumber(values[i]);
      known.push_back(number ? numberText(*number) : values[i]);
    }
    return known;
  }

  void compareStageLists() {
    std::vector<std::string> lists;
    for (const AskedRun& plan : plans_) {
      std::vector<std::string> names;
      for (const AskedStage& stage : plan.stages) names.push_back(stage.name);
      lists.push_back(plan.staged ? join(names, ", ") : "");
    }
    const bool staged = std::any_of(plans_.begin(), plans_.end(), [](const AskedRun& plan) { return plan.staged; });
    if (staged) add("stages", std::move(lists));
  }

  std::set<std::string> keys() const {
    std::set<std::string> keys;
    for (const AskedRun& plan : plans_) {
      for (const AskedStage& stage : plan.stages) {
        for (const auto& [key, value] : stage.values) keys.insert(key);
      }
    }
    return keys;
  }

  void compare(const std::string& key) {
    std::vector<std::string> values;
    for (const AskedRun& plan : plans_) {
      const auto shared = sharedValue(plan, key);
      if (!shared) return compareByStage(key);
      values.push_back(*shared);
    }
    add(key, std::move(values));
  }

  /// A stage that only one of the plans has is no difference of its keys.
  void compareByStage(const std::string& key) {
    std::set<std::string> seen;
    for (const AskedRun& plan : plans_) {
      for (const AskedStage& stage : plan.stages) {
        if (!seen.insert(stage.name).second || plansWith(stage.name) < 2) continue;
        add("stages." + stage.name + "." + key, valuesOf(stage.name, key));
      }
    }
  }

  std::ptrdiff_t plansWith(const std::string& stage) const {
    return std::count_if(plans_.begin(), plans_.end(),
                         [&](const AskedRun& plan) { return findStage(plan, stage) != nullptr; });
  }

  std::vector<std::string> valuesOf(const std::string& name, const std::string& key) const {
    std::vector<std::string> values;
    for (const AskedRun& plan : plans_) {
      const AskedStage* stage = findStage(plan, name);
      values.push_back(stage == nullptr ? "" : valueIn(plan, *stage, key));
    }
    return values;
  }

  const std::vector<AskedRun>& plans_;
  ComparedPlans found_;
};

}  // namespace

AskedRun askedOf(const std::string& planText) {
  if (const auto imported = parseImportedRun(planText)) {
    AskedStage stage{"train", imported->settings};
    std::erase_if(stage.values, [](const auto& entry) { return isIncidental(entry.first); });
    return {false, {std::move(stage)}, true};
  }
  nlohmann::json plan = nlohmann::json::parse(planText);
  const nlohmann::json stages = plan.value("stages", nlohmann::json::array());
  AskedRun asked{!stages.empty(), {}, false};
  if (!asked.staged) {
    asked.stages.push_back({"train", {}});
    flatten(plan, "", asked.stages.back().values);
    dropIdleSettings(asked.stages.back().values);
    return asked;
  }
  plan.erase("experiment");  // every stage has its own
  for (const nlohmann::json& stage : stages) {
    asked.stages.push_back({stage["name"].get<std::string>(), {}});
    flatten(plan, "", asked.stages.back().values);
    flatten(stage, "", asked.stages.back().values);
    dropIdleSettings(asked.stages.back().values);
  }
  return asked;
}

ComparedPlans comparePlans(const std::vector<AskedRun>& plans) {
  return plans.empty() ? ComparedPlans{} : PlanComparison(plans).all();
}

}  // namespace slipstream
