// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/experiment/form_conditions.h"

#include "engine/config/json_edit.h"
#include "engine/experiment/experiment_fields.h"

namespace slipstream {
namespace {

std::string topSection(const std::string& path) {
  const std::size_t dot = path.find('.');
  return dot == std::string::npos ? "" : path.substr(0, dot);
}

Json objectWith(const std::string& path, const std::string& word) {
  const std::size_t dot = path.find('.');
  if (dot == std::string::npos) return Json{{path, word}};
  return Json{{path.substr(0, dot), objectWith(path.substr(dot + 1), word)}};
}

/// The keys that mean something where the key at `path` holds the word, and everything else its default.
std::vector<std::string> applyingWith(const std::string& path, const std::string& word) {
  ExperimentSections sections;
  const auto describe = [&](Fields& fields) { describeExperimentFile(fields, sections); };
  Failures ignored;
  readFields(objectWith(path, word), "", ignored, describe);
  return keyPathsAtHand(describe);
}

/// The dictionary of boosting is described apart, and its keys have their switches.
bool isChoice(const FormKey& key) {
  return key.kind == KeyKind::text && key.words.size() > 1 && !key.path.starts_with("boost.");
}

}  // namespace

std::map<std::string, FormCondition> formConditions(const std::vector<FormKey>& form) {
  std::map<std::string, FormCondition> conditions;
  for (const FormKey& choice : form) {
    if (!isChoice(choice)) continue;
    std::map<std::string, std::vector<std::string>> words;
    for (const std::string& word : choice.words) {
      for (const std::string& path : applyingWith(choice.path, word)) words[path].push_back(word);
    }
    for (const FormKey& key : form) {
      const auto found = words.find(key.path);
      if (topSection(key.path) != topSection(choice.path) || found == words.end()) continue;
      if (found->second.size() < choice.words.size()) conditions[key.path] = {choice.path, found->second};
    }
  }
  return conditions;
}

}  // namespace slipstream
