// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/experiment/variation.h"

#include <algorithm>

#include <fmt/format.h>

#include "engine/base/text.h"
#include "engine/boost/algorithms.h"
#include "engine/config/json_edit.h"
#include "engine/experiment/experiment_scope.h"

namespace slipstream {
namespace {

using Choice = std::vector<std::string>;  ///< algorithms that are on

std::vector<Choice> choicesOf(const Variation& variation) {
  std::vector<Choice> choices{{}};
  for (const std::string& algorithm : variation.algorithms) {
    const std::size_t before = variation.combinations ? choices.size() : 1;
    for (std::size_t i = 0; i < before; ++i) {
      Choice next = choices[i];
      next.push_back(algorithm);
      choices.push_back(std::move(next));
    }
  }
  return choices;
}

/// Switches for all, and the sections of what is on.
Json boostOf(const Choice& choice, const Json& dictionary) {
  if (choice.empty()) return "O0";
  Json made = Json::object();
  made["boost"]["mode"] = "manual";
  const auto isOn = [&](const std::string& key) { return std::ranges::find(choice, key) != choice.end(); };
  for (const AlgorithmSpec& algorithm : switchedAlgorithms()) made["boost"][algorithm.key] = isOn(algorithm.key);
  for (const auto& [section, values] : dictionary.items()) {
    if (section == "common" || isOn(section)) made[section] = values;
  }
  return Json{{"level", "O2"}, {"dictionary", std::move(made)}};
}

std::int64_t seedOf(const Json& keys) {
  const Json* seed = findValue(keys, "seed");
  return seed != nullptr && seed->is_number_integer() ? seed->get<std::int64_t>() : 1;
}

}  // namespace

std::size_t variantCount(const Variation& variation) {
  const std::size_t asked = variation.algorithms.size();
  const std::size_t choices = variation.combinations ? std::size_t{1} << asked : asked + 1;
  return choices * std::max<std::size_t>(1, variation.ranks.size()) * static_cast<std::size_t>(variation.seeds);
}

Json variantsFor(const Json& root, const Variation& variation) {
  const Json keys = keysIn(root, {});
  const Json* written = findValue(keys, "boost.dictionary");
  const Json dictionary = written != nullptr && written->is_object() ? *written : Json::object();
  const std::vector<int> ranks = variation.ranks.empty() ? std::vector<int>{0} : variation.ranks;
  Json variants = Json::array();
  for (const Choice& choice : choicesOf(variation)) {
    for (const int count : ranks) {
      for (int s = 0; s < variation.seeds; ++s) {
        const std::int64_t seed = seedOf(keys) + s;
        std::vector<std::string> parts;
        Json variant = Json{{"name", ""}};
        if (!variation.algorithms.empty()) {
          parts.push_back(choice.empty() ? "none" : join(choice, " + "));
          variant["boost"] = boostOf(choice, dictionary);
        }
        if (count > 0) {
          parts.push_back(counted(count, "rank"));
          variant["parallel"] = {{"ranks", count}};
        }
        if (variation.seeds > 1) {
          parts.push_back(fmt::format("seed {}", seed));
          variant["seed"] = seed;
        }
        variant["name"] = parts.empty() ? "as the file says" : join(parts, ", ");
        variants.push_back(std::move(variant));
      }
    }
  }
  return variants;
}

}  // namespace slipstream
