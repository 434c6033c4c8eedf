// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "engine/config/json.h"

namespace slipstream {

/// A key of the tutorials, and the key path that it means.
struct BoostSpelling {
  std::string written;  ///< "boost_config_dict"
  std::string meant;    ///< "boost.dictionary"
  bool operator==(const BoostSpelling&) const = default;
};

/// The tutorials' keys at the top of an experiment, a variant or a stage.
const std::vector<BoostSpelling>& boostAliases();

/// The section that one word in its place means: a level, or the name of a JSON file with a dictionary.
Json boostSectionOf(const std::string& word);

/// Makes the section `boost` of everything that means it in an experiment, a variant or a stage: one word (a level, or
/// the name of a JSON file with a dictionary), the tutorials' keys boost_level and boost_config_dict beside it, and a
/// dictionary's sections directly inside it. Returns what was written otherwise. A key that is written twice so, once
/// in each spelling, is a failure and keeps the first.
std::vector<BoostSpelling> spellBoost(Json& object, Failures& failures);

/// Whether spellBoost would change anything but a lone word.
bool hasOtherBoostSpelling(const Json& object);

/// The dictionary itself: what is written, or what is in the JSON file that it names, in JSON or Python; paths
/// inside the file are relative to it.
Result<Json> boostDictionary(const Json& written);

}  // namespace slipstream
