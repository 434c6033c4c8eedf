// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>

#include "engine/boost/algorithms.h"
#include "engine/experiment/experiment_choices.h"

namespace slipstream {

Json boostOf(const std::vector<std::string>& algorithms, const Json& dictionary) {
  if (algorithms.empty()) return "O0";
  Json made = Json::object();
  made["boost"]["mode"] = "manual";
  const auto isOn = [&](const std::string& key) { return std::ranges::find(algorithms, key) != algorithms.end(); };
  for (const AlgorithmSpec& algorithm : switchedAlgorithms()) made["boost"][algorithm.key] = isOn(algorithm.key);
  for (const auto& [section, values] : dictionary.items()) {
    if (section == "common" || isOn(section)) made[section] = values;
  }
  return Json{{"level", "O2"}, {"dictionary", std::move(made)}};
}

}  // namespace slipstream
