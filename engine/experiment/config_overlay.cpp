// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/experiment/config_overlay.h"

#include <array>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "engine/base/text.h"
#include "engine/config/python_literals.h"
#include "engine/experiment/boost_spelling.h"
#include "engine/experiment/experiment_scope.h"
#include "engine/spec/optimizer_spec.h"

namespace slipstream {
namespace {

/// Keys of which only one can count: writing one in a later layer removes the other of an earlier one.
const std::vector<std::pair<std::string, std::string>> mutuallyExclusive{{"train.epochs", "train.steps"},
                                                                         {"parallel.ranks", "parallel.rank_table"},
                                                                         {"parallel.ranks", "parallel.hosts"},
                                                                         {"parallel.rank_table", "parallel.hosts"}};
/// Relative paths among their values are relative to who writes them; of a dictionary, where it is the name of a file.
const std::array<std::string, 7> pathKeys{"dataset.path",
                                          "boost.dictionary",
                                          "network.pre_trained",
                                          "network.pre_trained.file",
                                          "parallel.rank_table",
                                          "boost.dictionary.dim_reduce.pca_mat_path",
                                          "boost.dictionary.dim_reduce.weight_load_dir"};

/// A section may be written as one word: "lenet5" for {"name": "lenet5"}.
void spellOutWords(Json& object) {
  for (auto& [key, value] : object.items()) {
    if (!value.is_string()) continue;
    if (key == "network" || key == "dataset" || key == "loss" || key == "optimizer") value = Json{{"name", value}};
  }
}

/// Another optimizer is another optimizer: numbers that were written for the old one do not fit it. Those that flags
/// give are meant for the new one.
template <class ByFlag>
void forgetOtherOptimizer(Json& optimizer, const Json& name, const ByFlag& isByFlag) {
  if (!optimizer.is_object() || !name.is_string()) return;
  if (name == optimizer.value("name", Json(infoOf(OptimizerSpec().kind).name))) return;
  for (const char* key : {"momentum", "dampening", "nesterov", "beta1", "beta2", "eps", "trust_coefficient"}) {
    if (!isByFlag(std::string("optimizer.") + key)) optimizer.erase(key);
  }
}

/// The key path that a tutorial's key at the top means; the path itself where it begins with none.
std::string meantBy(const std::string& path) {
  for (const BoostSpelling& alias : boostAliases()) {
    if (path == alias.written || startsWith(path, alias.written + ".")) {
      return alias.meant + path.substr(alias.written.size());
    }
  }
  return path;
}

Json* find(Json& root, const std::string& path) {
  Json* at = &root;
  for (const std::string& key : split(path, '.')) {
    if (!at->is_object() || !at->contains(key)) return nullptr;
    at = &(*at)[key];
  }
  return at;
}

void makeAbsolute(Json& root, const std::string& path, const std::filesystem::path& folder) {
  Json* found = find(root, path);
  if (found == nullptr || !found->is_string() || found->get<std::string>().empty()) return;
  *found = (folder / found->get<std::string>()).lexically_normal().string();
}

bool isInside(const std::string& path, const std::string& outer) {
  return path.starts_with(outer) &&
         (path.size() == outer.size() || path[outer.size()] == '.' || path[outer.size()] == '[');
}

/// Text for keys that hold paths, whatever it looks like; else JSON where it parses. What begins as a dictionary of
/// boost is one, and may be written in Python: no file is called so. `path` is what the written key means.
Result<Json> settingValue(const std::string& path, const std::string& text, const std::string& label) {
  for (const std::string& key : pathKeys) {
    if (path == key && key != "boost.dictionary") return Json(text);
  }
  Json parsed = Json::parse(text, nullptr, false);
  if (!parsed.is_discarded()) return parsed;
  if (startsWith(trim(text), "{") && isInside(path, "boost")) return parseJson(pythonAsJson(text), label);
  return Json(text);
}

/// A place inside the document, made where it is missing; the path in the notation of failures grows along.
struct Cursor {
  Json* at;
  std::string path = {};

  Status enter(const std::string& key, const std::string& setting) {
    if (at->is_null()) *at = Json::object();
    if (at->is_object()) {
      path += (path.empty() ? "" : ".") + key;
      at = &(*at)[key];
      return {};
    }
    if (!at->is_array()) {
      return fail("--set " + setting, shortText(*at), path + " holds no keys", "set " + path + " itself");
    }
    const auto index = parseInteger(key);
    if (!index || *index < 0 || std::cmp_greater_equal(*index, at->size())) {
      return fail("--set " + setting, key, fmt::format("is not one of the {} entries of {}", at->size(), path),
                  "count entries from 0");
    }
    path += fmt::format("[{}]", *index);
    at = &(*at)[static_cast<std::size_t>(*index)];
    return {};
  }
};

}  // namespace

bool namesRelativePaths(Json file) {
  const auto isRelative = [](Json& object) {
    return std::ranges::any_of(pathKeys, [&](const std::string& key) {
      const Json* found = find(object, key);
      if (found == nullptr || !found->is_string()) return false;
      const std::string path = trim(found->get<std::string>());
      return !path.empty() && !path.starts_with("{") && std::filesystem::path(path).is_relative();
    });
  };
  if (isRelative(file)) return true;
  Json* variants = find(file, "variants");
  return variants != nullptr && variants->is_array() && std::ranges::any_of(*variants, isRelative);
}

ConfigOverlay::ConfigOverlay(Json file, std::filesystem::path folder)
    : value_(std::move(file)), folder_(std::move(folder)) {
  spellOut(value_, "");
  for (const std::string& key : pathKeys) makeAbsolute(value_, key, folder_);
}

/// `label` precedes the keys in failures.
void ConfigOverlay::spellOut(Json& object, const std::string& label) {
  if (!object.is_object()) return;
  const std::string prefix = label.empty() ? "" : label + ".";
  spellOutWords(object);
  Failures failures;
  for (const BoostSpelling& spelling : spellBoost(object, failures)) {
    labels_[spelling.meant] = prefix + spelling.written;
  }
  for (Failure& failure : failures) failure.where = prefix + failure.where;
  contradictions_.insert(contradictions_.end(), failures.begin(), failures.end());
}

void ConfigOverlay::merge(Json variant, const std::string& label) {
  spellOut(variant, label);
  for (const std::string& key : pathKeys) makeAbsolute(variant, key, folder_);
  for (const auto& [one, other] : mutuallyExclusive) {
    if (find(variant, one) != nullptr && find(variant, other) == nullptr) erase(other);
    if (find(variant, other) != nullptr && find(variant, one) == nullptr) erase(one);
  }
  for (auto& [section, content] : variant.items()) {
    // Another network is another network: the old one's options do not fit it.
    const bool whole = section == "network" && (content.contains("name") || content.contains("layers"));
    if (!content.is_object() || !value_.contains(section) || !value_[section].is_object() || whole) {
      value_[section] = content;
      labels_[section] = label + "." + section;
      continue;
    }
    if (section == "optimizer")
      forgetOtherOptimizer(value_[section], content.value("name", Json()),
                           [this](const std::string& path) { return byFlag(path); });
    for (auto& [key, value] : content.items()) {
      value_[section][key] = value;
      // A tutorial's key has its label already.
      const std::string path = section + "." + key;
      if (!labelOf(path).starts_with(label + ".")) labels_[path] = label + "." + path;
    }
  }
}

Status ConfigOverlay::set(const std::string& written, Json value, const std::string& label) {
  const std::string path = meantBy(written);
  if (Json* optimizer = find(value_, "optimizer"); optimizer != nullptr && path == "optimizer.name") {
    forgetOtherOptimizer(*optimizer, value, [this](const std::string& key) { return byFlag(key); });
  }
  Cursor cursor{&value_};
  for (const std::string& key : split(path, '.')) SLIPSTREAM_CHECK(cursor.enter(key, path));
  if (labels_.contains(cursor.path) && byFlag(cursor.path)) {
    const std::string& before = labels_.at(cursor.path);
    return fail(label, shortText(value), before == label ? "is given twice" : "says again what " + before + " says",
                "give it once");
  }
  *cursor.at = std::move(value);
  labels_[cursor.path] = label;
  for (const auto& [one, other] : mutuallyExclusive) {
    if (path == one) SLIPSTREAM_CHECK(replaceExclusive(one, other, label));
    if (path == other) SLIPSTREAM_CHECK(replaceExclusive(other, one, label));
  }
  for (const std::string& key : pathKeys) {
    if (path == key) makeAbsolute(value_, key, std::filesystem::current_path());
  }
  spellOut(value_, "");
  return {};
}

bool ConfigOverlay::byFlag(const std::string& path) const {
  return labelOf(path).starts_with("--");
}

Status ConfigOverlay::replaceExclusive(const std::string& path, const std::string& other, const std::string& label) {
  const Json* old = has(other) ? find(value_, other) : nullptr;
  if (old == nullptr) return {};
  if (!byFlag(other)) {
    if (label.starts_with("--")) {
      replaced_.push_back({other, old->is_string() ? old->get<std::string>() : old->dump(), label});
    }
    erase(other);
    return {};
  }
  // So many ranks of the table or the hosts.
  if (path == "parallel.ranks" || other == "parallel.ranks") return {};
  return fail(label, shortText(*find(value_, path)), "conflicts with " + labelOf(other), "keep one of the two");
}

Status ConfigOverlay::set(const std::string& setting) {
  const auto equals = setting.find('=');
  const std::string path = setting.substr(0, equals);
  if (equals == std::string::npos || path.empty() || path.find("..") != std::string::npos || path.back() == '.' ||
      path.front() == '.') {
    return fail("--set", setting, "is not of the form key.path=value", "write for example --set train.epochs=1");
  }
  if (path == "variants" || path.starts_with("variants.")) {
    return fail("--set " + path, "", "cannot be set from the command line",
                "set the key itself: it holds for every variant");
  }
  if (path == "seeds") {
    return fail("--set seeds", "", "cannot be set from the command line", "write it in the file, or give --seed");
  }
  const std::string label = "--set " + path;
  SLIPSTREAM_TRY(value, settingValue(meantBy(path), setting.substr(equals + 1), label));
  return set(path, std::move(value), label);
}

void ConfigOverlay::keepBoth(const std::string& path, Json value) {
  const auto dot = path.rfind('.');
  if (!has(path.substr(0, dot)) || !value_[path.substr(0, dot)].is_object()) return;
  value_[path.substr(0, dot)][path.substr(dot + 1)] = std::move(value);
}

bool ConfigOverlay::has(const std::string& path) const {
  const Json* at = &value_;
  for (const std::string& key : split(path, '.')) {
    if (!at->is_object() || !at->contains(key)) return false;
    at = &(*at)[key];
  }
  return !at->is_null();
}

void ConfigOverlay::erase(const std::string& path) {
  const auto dot = path.rfind('.');
  Json* parent = dot == std::string::npos ? &value_ : find(value_, path.substr(0, dot));
  if (parent != nullptr && parent->is_object()) parent->erase(path.substr(dot == std::string::npos ? 0 : dot + 1));
}

std::string ConfigOverlay::labelOf(const std::string& path) const {
  std::string label;
  for (const auto& [written, name] : labels_) {
    // Longer prefixes come later in the map.
    if (isInside(path, written)) label = name + path.substr(written.size());
  }
  return label;
}

void ConfigOverlay::relabel(Failures& failures) const {
  for (Failure& failure : failures) {
    const std::string label = labelOf(failure.where);
    if (!label.empty()) failure.where = label;
  }
}

}  // namespace slipstream
