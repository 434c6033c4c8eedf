// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/experiment/experiment_scope.h"

#include <array>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "engine/config/json_edit.h"
#include "engine/config/python_literals.h"
#include "engine/experiment/boost_spelling.h"
#include "engine/experiment/config_overlay.h"

namespace slipstream {
namespace {

/// A key, and the key inside it that its short form means.
constexpr std::array<std::pair<const char*, const char*>, 8> shortForms{{{"network", "name"},
                                                                         {"dataset", "name"},
                                                                         {"loss", "name"},
                                                                         {"optimizer", "name"},
                                                                         {"optimizer_parallel", "level"},
                                                                         {"weight_init", "name"},
                                                                         {"bias_init", "name"},
                                                                         {"start", "stage"}}};

/// The long form of a short one; null where the value is none.
Json longForm(const std::string& key, const Json& value) {
  if (key == "learning_rate" && value.is_number()) return Json{{"lr_max", value}};
  if (!value.is_string()) return {};
  if (key == "boost") return boostSectionOf(value.get<std::string>());
  for (const auto& [section, word] : shortForms) {
    if (key == section) return Json{{word, value}};
  }
  return {};
}

void addScopes(const Json& root, const char* list, ExperimentScope::Kind kind, std::vector<ExperimentScope>& scopes) {
  if (!root.is_object() || !root.contains(list) || !root[list].is_array()) return;
  for (std::size_t i = 0; i < root[list].size(); ++i) {
    const Json& entry = root[list][i];
    const bool named = entry.is_object() && entry.contains("name") && entry["name"].is_string();
    scopes.push_back({kind, i, named ? entry["name"].get<std::string>() : fmt::format("{}[{}]", list, i)});
  }
}

std::string parentOf(const std::string& path) {
  const std::size_t dot = path.rfind('.');
  return dot == std::string::npos ? "" : path.substr(0, dot);
}

std::string lastOf(const std::string& path) {
  return path.substr(path.rfind('.') + 1);
}

/// Keys of `boost` that the scope writes as the tutorials do move into that section, where one of them is to be edited.
Result<std::string> gatherBoost(std::string text, const ExperimentScope& scope, const std::string& key) {
  SLIPSTREAM_TRY(root, parseJson(text, "the text"));
  const Json* own = findValue(root, scope.path());
  if (!key.starts_with("boost.") || own == nullptr || !hasOtherBoostSpelling(*own)) return text;
  Json spelled = *own;
  Failures twice;
  spellBoost(spelled, twice);
  if (!twice.empty()) return tl::unexpected(std::move(twice));
  for (const BoostSpelling& alias : boostAliases()) {
    if (!own->contains(alias.written)) continue;
    SLIPSTREAM_TRY(without, removeValue(text, scope.path(alias.written)));
    text = std::move(without);
  }
  return setValue(text, scope.path("boost"), spelled["boost"]);
}

/// Short forms above the key become long ones.
Result<std::string> spellOutAbove(std::string text, const ExperimentScope& scope, const std::string& key) {
  for (std::size_t dot = key.find('.'); dot != std::string::npos; dot = key.find('.', dot + 1)) {
    const std::string above = scope.path(key.substr(0, dot));
    SLIPSTREAM_TRY(root, parseJson(text, "the text"));
    const Json* written = findValue(root, above);
    const Json spelled = written == nullptr ? Json{} : longForm(lastOf(above), *written);
    if (spelled.is_null()) continue;
    SLIPSTREAM_TRY(next, setValue(text, above, spelled));
    text = std::move(next);
  }
  return text;
}

/// A variant or stage replaces whatever is two levels deep as a whole.
Result<std::string> copyWhole(std::string text, const ExperimentScope& scope, const std::string& key) {
  const std::size_t section = key.find('.');
  const std::size_t deep = section == std::string::npos ? section : key.find('.', section + 1);
  if (scope.kind == ExperimentScope::Kind::all || deep == std::string::npos) return text;
  const std::string whole = key.substr(0, deep);
  SLIPSTREAM_TRY(root, parseJson(text, "the text"));
  if (findValue(root, scope.path(whole)) != nullptr) return text;
  const Json keys = keysIn(root, scope);
  const Json* shared = findValue(keys, whole);
  return shared == nullptr ? text : setValue(text, scope.path(whole), *shared);
}

}  // namespace

std::string ExperimentScope::path() const {
  if (kind == Kind::all) return "";
  return fmt::format("{}[{}]", kind == Kind::variant ? "variants" : "stages", index);
}

std::string ExperimentScope::path(const std::string& key) const {
  return kind == Kind::all ? key : path() + "." + key;
}

std::vector<ExperimentScope> scopesOf(const Json& root) {
  std::vector<ExperimentScope> scopes{{}};
  addScopes(root, "variants", ExperimentScope::Kind::variant, scopes);
  addScopes(root, "stages", ExperimentScope::Kind::stage, scopes);
  return scopes;
}

Json spelledOut(const Json& value) {
  if (!value.is_object()) return value;
  if (hasOtherBoostSpelling(value)) {
    Json spelled = value;
    Failures ignored;
    spellBoost(spelled, ignored);
    return spelledOut(spelled);
  }
  Json all = Json::object();
  for (const auto& [key, child] : value.items()) {
    const Json spelled = longForm(key, child);
    all[key] = spelled.is_null() ? spelledOut(child) : spelled;
  }
  return all;
}

Json keysIn(const Json& root, const ExperimentScope& scope) {
  if (!root.is_object()) return Json::object();
  Json shared = root;
  shared.erase("variants");
  shared.erase("seeds");
  shared.erase("stages");
  const Json* entry = scope.kind == ExperimentScope::Kind::all ? nullptr : findValue(root, scope.path());
  if (entry == nullptr || !entry->is_object()) return spelledOut(shared);
  ConfigOverlay layers(shared, "");
  Json own = *entry;
  for (const char* head : {"name", "start", "continue", "stages", "variants"}) own.erase(head);
  layers.merge(own, "");
  Json keys = spelledOut(layers.value());
  if (entry->contains("name")) keys["name"] = (*entry)["name"];
  return keys;
}

Result<std::string> setKey(const std::string& text, const ExperimentScope& scope, const std::string& key,
                           const Json& value) {
  SLIPSTREAM_TRY(gathered, gatherBoost(experimentAsJson(text), scope, key));
  SLIPSTREAM_TRY(spelled, spellOutAbove(std::move(gathered), scope, key));
  SLIPSTREAM_TRY(copied, copyWhole(spelled, scope, key));
  SLIPSTREAM_TRY(complete, spellOutAbove(copied, scope, key));
  SLIPSTREAM_TRY(changed, setValue(complete, scope.path(key), value));
  if (key == "train.epochs") return removeValue(changed, scope.path("train.steps"));
  if (key == "train.steps") return removeValue(changed, scope.path("train.epochs"));
  return changed;
}

Result<std::string> removeKey(const std::string& text, const ExperimentScope& scope, const std::string& key) {
  SLIPSTREAM_TRY(gathered, gatherBoost(experimentAsJson(text), scope, key));
  SLIPSTREAM_TRY(root, parseJson(gathered, "the text"));
  const Json* parent = findValue(root, scope.path(parentOf(key)));
  // The one word of a short form is all there is.
  const bool isWord = parent != nullptr && longForm(lastOf(parentOf(key)), *parent).contains(lastOf(key));
  return removeValue(gathered, scope.path(isWord ? parentOf(key) : key));
}

}  // namespace slipstream
