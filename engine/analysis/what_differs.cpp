// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>

#include "engine/analysis/comparison.h"
#include "engine/base/text.h"
#include "engine/boost/algorithms.h"

namespace slipstream {
namespace {

const std::string switches = "boost.boost.";

/// "stages.NAME.KEY" without the stage.
std::string keyOf(const PlanDifference& difference) {
  if (!startsWith(difference.key, "stages.")) return difference.key;
  return difference.key.substr(difference.key.find('.', std::string("stages.").size()) + 1);
}

bool isAlgorithm(const std::string& name) {
  return findAlgorithm(name) != nullptr;
}

/// Keys in which the variant is not as the reference. Of an imported run, what its files do not say is no difference.
std::vector<std::string> changedKeys(const Comparison& comparison, std::size_t variant) {
  const auto isUnknown = [&](const PlanDifference& difference, std::size_t side) {
    return comparison.variants[side].imported() && difference.values.at(side).empty();
  };
  std::vector<std::string> keys;
  for (const PlanDifference& difference : comparison.differences) {
    if (isUnknown(difference, 0) || isUnknown(difference, variant)) continue;
    if (difference.values.at(variant) != difference.values.front()) keys.push_back(keyOf(difference));
  }
  return keys;
}

std::set<std::string> changedAlgorithms(const std::vector<std::string>& keys) {
  std::set<std::string> algorithms;
  for (const std::string& key : keys) {
    if (startsWith(key, switches) && isAlgorithm(key.substr(switches.size()))) {
      algorithms.insert(key.substr(switches.size()));
    }
  }
  return algorithms;
}

/// What a reader calls the change; empty where another key names it.
std::string nameOf(const std::string& key, const std::set<std::string>& algorithms) {
  if (key == "boost.level" || key == switches + "mode") return "";
  if (startsWith(key, switches)) return key.substr(switches.size());
  if (key == "network.layers" && algorithms.contains("less_bn")) return "";
  if (startsWith(key, "network.")) return "network";
  if (!startsWith(key, "boost.")) return key;
  const std::string setting = key.substr(key.find('.') + 1);
  return algorithms.contains(setting.substr(0, setting.find('.'))) ? "" : setting;
}

}  // namespace

std::vector<std::string> changesOf(const Comparison& comparison, std::size_t variant) {
  const std::vector<std::string> keys = changedKeys(comparison, variant);
  const std::set<std::string> algorithms = changedAlgorithms(keys);
  std::vector<std::string> names;
  for (const std::string& key : keys) {
    std::string name = nameOf(key, algorithms);
    if (!name.empty() && std::ranges::find(names, name) == names.end()) names.push_back(std::move(name));
  }
  return names;
}

bool differsInMoreKeys(const Comparison& comparison, std::size_t variant) {
  return changedKeys(comparison, variant).size() > changesOf(comparison, variant).size();
}

bool followsFromAlgorithm(const Comparison& comparison, const PlanDifference& difference) {
  std::map<std::set<std::string>, std::string> values;  // by the algorithms that a variant has otherwise
  for (std::size_t variant = 0; variant < difference.values.size(); ++variant) {
    const std::set<std::string> algorithms = changedAlgorithms(changedKeys(comparison, variant));
    const std::string& value = difference.values[variant];
    if (values.try_emplace(algorithms, value).first->second != value) return false;
    const bool differs = value != difference.values.front();
    if (differs && !nameOf(keyOf(difference), algorithms).empty()) return false;
  }
  return true;
}

}  // namespace slipstream
