// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/study/new_study.h"

#include <utility>

#include "engine/base/text.h"
#include "engine/config/json_edit.h"

namespace slipstream {
namespace {

constexpr int seedsOfNew = 5;

std::string nameAt(const Json& object, const char* key) {
  const bool isText = object.is_object() && object.contains(key) && object[key].is_string();
  return isText ? trim(object[key].get<std::string>()) : "";
}

bool usesAdasum(const Json& variant) {
  return variant.dump().find("adasum") != std::string::npos;
}

bool hasNumberAt(const Json& object, const std::string& path) {
  const Json* found = object.is_object() ? findValue(object, path) : nullptr;
  return found != nullptr && found->is_number();
}

bool hasRate(const Json& object) {
  for (const char* path : {"optimizer.learning_rate", "optimizer.learning_rate.lr", "optimizer.learning_rate.lr_max"}) {
    if (hasNumberAt(object, path)) return true;
  }
  return false;
}

/// Of a list of variants; null where it has none of this name.
const Json* namedVariant(const Json& root, const std::string& name) {
  if (!root.is_object() || !root.contains("variants") || !root["variants"].is_array()) return nullptr;
  for (const Json& variant : root["variants"]) {
    if (nameAt(variant, "name") == name) return &variant;
  }
  return nullptr;
}

bool variesRanks(const Json& study) {
  return study.is_object() && study.contains("factors") && study["factors"].is_object() &&
         study["factors"].contains("parallel.ranks");
}

}  // namespace

std::vector<Json> fairRivals(const Json& study, const Json& experiment) {
  const std::string name = nameAt(study, "reference");
  const Json* written = namedVariant(study, name);
  const Json* reference = written != nullptr ? written : namedVariant(experiment, name);
  if (reference == nullptr || usesAdasum(*reference)) return {};
  const bool asked = usesAdasum(study) || usesAdasum(experiment);
  const bool hasRanks =
      variesRanks(study) || hasNumberAt(*reference, "parallel.ranks") || hasNumberAt(experiment, "parallel.ranks");
  if (!asked || !hasRanks || (!hasRate(*reference) && !hasRate(experiment))) return {};
  std::vector<Json> rivals;
  for (const auto& [ending, rule] : {std::pair(" × √ranks", "square_root"), std::pair(" × ranks", "linear")}) {
    Json rival = *reference;
    rival["name"] = name + ending;
    rival["scale_rate"] = rule;
    rivals.push_back(std::move(rival));
  }
  return rivals;
}

std::string newStudyText(const std::filesystem::path& base, const Json& experiment) {
  const std::string stem = base.stem().string();
  Json root{{"name", stem.empty() ? "study" : stem + "_study"}, {"base", base.string()}};
  Json variants = Json::array();
  if (experiment.is_object() && experiment.contains("variants") && experiment["variants"].is_array()) {
    for (const Json& variant : experiment["variants"]) {
      const std::string name = nameAt(variant, "name");
      if (!name.empty()) variants.push_back(name);
    }
  }
  if (!variants.empty()) {
    root["reference"] = variants.front();
    for (Json& rival : fairRivals(root, experiment)) variants.push_back(std::move(rival));
    root["variants"] = std::move(variants);
  }
  root["seeds"] = {{"least", seedsOfNew}};
  root["question"] = {{"measure", "accuracy"}};
  return prettyJson(root) + "\n";
}

std::string followingStudyText(const Study& study) {
  Json root = study.document;
  root["name"] = study.name + "_2";
  root["follows"] = study.name;
  return prettyJson(root) + "\n";
}

}  // namespace slipstream
