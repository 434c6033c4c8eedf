// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "engine/config/fields.h"
#include "engine/experiment/experiment_scope.h"

namespace slipstream {

enum class KeyKind { flag, integer, number, text, integers, texts, section, list, raw };

/// What a key depends on: it means something where the key at `path` holds one of `words`.
struct FormCondition {
  std::string path = {};  ///< empty: the key always means something
  std::vector<std::string> words = {};
};

/// One key that an experiment file may hold, with everything that a form needs to show it.
struct FormKey {
  std::string path;                        ///< without the scope: "optimizer.momentum"
  std::string title = {};                  ///< in English; empty where a form makes no row of it
  std::string help = {};                   ///< a sentence, in English
  std::vector<std::string> onlyWith = {};  ///< as Key::onlyWith
  std::string unit = {};                   ///< of a number, in English: "per rank"; empty where its range says enough
  KeyKind kind = KeyKind::text;
  Limits limits = {};
  std::vector<std::string> words = {};      ///< text: the only ones; empty: any text
  std::vector<std::string> wordHelps = {};  ///< what each of them means, in English; empty where the help says enough
  Json value = {};                          ///< what holds, null where nothing does
  Json fallback = {};                       ///< what would hold if the scope did not write the key
  bool written = false;                     ///< in the scope itself
  FormCondition condition = {};
  bool applies = true;  ///< the condition holds in the scope

  bool unlikeDefault() const { return written && value != fallback; }
};

/// Every key there is, in the order of description: the sections of the file, and those of boost.dictionary. What
/// is in lists (network.layers, optimizer.groups) is one key of kind list. A key of the dictionary goes by its own
/// name, also where the file spells it like the tutorials.
std::vector<FormKey> formOf(const Json& root, const ExperimentScope& scope);

/// The place of a key in the file: as it is spelled there.
std::string placeOf(const Json& root, const ExperimentScope& scope, const std::string& path);

}  // namespace slipstream
