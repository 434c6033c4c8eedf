// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>

#include <fmt/format.h>

#include "engine/base/text.h"
#include "engine/config/json_edit.h"
#include "engine/experiment/experiment_choices.h"
#include "engine/experiment/experiment_scope.h"

namespace slipstream {
namespace {

using Assignment = std::pair<std::string, Json>;  ///< a key's path and its value

/// What one variant differs in, beside ranks and seed.
struct Choice {
  std::vector<std::string> algorithms = {};  ///< that are on
  std::vector<Assignment> values = {};
};

std::vector<const VariedKey*> keysWithValues(const Variation& variation) {
  std::vector<const VariedKey*> keys;
  for (const VariedKey& key : variation.keys) {
    if (!key.values.empty()) keys.push_back(&key);
  }
  return keys;
}

/// Each choice so far with each further one; of one at a time only the first one, which has none, goes on.
template <class Add>
void extend(std::vector<Choice>& choices, std::size_t ways, bool combinations, const Add& add) {
  const std::size_t before = combinations ? choices.size() : 1;
  for (std::size_t i = 0; i < before; ++i) {
    for (std::size_t way = 0; way < ways; ++way) {
      Choice next = choices[i];
      add(next, way);
      choices.push_back(std::move(next));
    }
  }
}

/// Values of a key replace each other: in a grid every choice has one of them.
void addValues(std::vector<Choice>& choices, const VariedKey& key, bool combinations) {
  const std::size_t before = choices.size();
  extend(choices, key.values.size(), combinations,
         [&](Choice& next, std::size_t way) { next.values.emplace_back(key.path, key.values[way]); });
  if (combinations) choices.erase(choices.begin(), choices.begin() + static_cast<std::ptrdiff_t>(before));
}

std::vector<Choice> choicesOf(const Variation& variation) {
  std::vector<Choice> choices{{}};
  for (const std::string& algorithm : variation.algorithms) {
    extend(choices, 1, variation.combinations,
           [&](Choice& next, std::size_t) { next.algorithms.push_back(algorithm); });
  }
  for (const VariedKey* key : keysWithValues(variation)) addValues(choices, *key, variation.combinations);
  return choices;
}

/// The file's seed, or the first of its list.
std::int64_t firstSeed(const Json& root) {
  const Json* seed = findValue(root, "seed");
  if (seed == nullptr) seed = findValue(root, "seeds[0]");
  return seed != nullptr && seed->is_number_integer() ? seed->get<std::int64_t>() : 1;
}

void put(Json& object, const std::string& path, const Json& value) {
  Json* at = &object;
  for (const std::string& key : split(path, '.')) at = &(*at)[key];
  *at = value;
}

std::string lastPart(const std::string& path) {
  return path.substr(path.rfind('.') + 1);
}

/// "lr_max 0.03"; with the whole path where another key that is varied ends alike.
std::string nameOf(const Assignment& assignment, const Variation& variation) {
  const auto& [path, value] = assignment;
  const std::string key = lastPart(path);
  const std::string word = value.is_string() ? value.get<std::string>() : value.dump();
  const bool alone =
      std::ranges::count(variation.keys, key, [](const VariedKey& one) { return lastPart(one.path); }) < 2;
  if (!alone) return path + " " + word;
  return (key == "name" ? "" : key + " ") + word;
}

/// What the choice says of itself, in its variant's name and keys.
void describe(const Choice& choice, const Variation& variation, const Json& dictionary, Json& variant,
              std::vector<std::string>& parts) {
  if (!variation.algorithms.empty()) {
    parts.push_back(choice.algorithms.empty() ? "baseline" : join(choice.algorithms, " + "));
    variant["boost"] = boostOf(choice.algorithms, dictionary);
  }
  for (const Assignment& assignment : choice.values) {
    parts.push_back(nameOf(assignment, variation));
    put(variant, assignment.first, assignment.second);
  }
}

}  // namespace

std::size_t variantCount(const Variation& variation) {
  const std::size_t asked = variation.algorithms.size();
  std::size_t choices = variation.combinations ? std::size_t{1} << asked : asked + 1;
  for (const VariedKey* key : keysWithValues(variation)) {
    choices = variation.combinations ? choices * key->values.size() : choices + key->values.size();
  }
  return choices * std::max<std::size_t>(1, variation.ranks.size());
}

std::size_t runCount(const Variation& variation) {
  return variantCount(variation) * static_cast<std::size_t>(variation.seeds);
}

Json variantsFor(const Json& root, const Variation& variation) {
  const Json keys = keysIn(root, {});
  const Json* written = findValue(keys, "boost.dictionary");
  const Json dictionary = written != nullptr && written->is_object() ? *written : Json::object();
  const std::vector<int> ranks = variation.ranks.empty() ? std::vector<int>{0} : variation.ranks;
  Json variants = Json::array();
  for (const Choice& choice : choicesOf(variation)) {
    for (const int count : ranks) {
      std::vector<std::string> parts;
      Json variant = Json{{"name", ""}};
      describe(choice, variation, dictionary, variant, parts);
      if (count > 0) {
        parts.push_back(counted(count, "rank"));
        variant["parallel"]["ranks"] = count;
      }
      variant["name"] = parts.empty() ? "as the file says" : join(parts, ", ");
      variants.push_back(std::move(variant));
    }
  }
  return variants;
}

Result<std::string> variedExperiment(const std::string& text, const Variation& variation) {
  SLIPSTREAM_TRY(root, parseJson(text, "the experiment"));
  // Variants that go through algorithms have dictionaries of their own: what all shared would act in none of them.
  SLIPSTREAM_TRY(bare, variation.algorithms.empty() ? Result<std::string>(text) : removeValue(text, "boost"));
  SLIPSTREAM_TRY(varied, setValue(bare, "variants", variantsFor(root, variation)));
  if (variation.seeds == 1 && findValue(root, "seeds") == nullptr) return varied;
  // A file has one of the two keys.
  SLIPSTREAM_TRY(oneless, removeValue(varied, "seed"));
  SLIPSTREAM_TRY(seedless, removeValue(oneless, "seeds"));
  const std::int64_t first = firstSeed(root);
  if (variation.seeds == 1) return setValue(seedless, "seed", first);
  Json seeds = Json::array();
  for (int i = 0; i < variation.seeds; ++i) seeds.push_back(first + i);
  return setValue(seedless, "seeds", seeds);
}

}  // namespace slipstream
