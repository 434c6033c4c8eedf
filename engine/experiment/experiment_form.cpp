// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/experiment/experiment_form.h"

#include <algorithm>

#include "engine/boost/algorithms.h"
#include "engine/config/json_edit.h"
#include "engine/experiment/boost_spelling.h"
#include "engine/experiment/experiment_fields.h"
#include "engine/experiment/form_conditions.h"
#include "engine/spec/network_builtin.h"

namespace slipstream {
namespace {

const std::string dictionaryPath = "boost.dictionary";

/// Lists the keys of every variety.
class Describer final : public Fields {
 public:
  Describer(std::string prefix, std::vector<FormKey>& keys) : prefix_(std::move(prefix)), keys_(keys) {}
  void flag(const Key& key, bool&) override { add(key, KeyKind::flag); }
  void integer(const Key& key, std::int64_t&, const Limits& limits) override { add(key, KeyKind::integer, limits); }
  void number(const Key& key, double&, const Limits& limits) override { add(key, KeyKind::number, limits); }
  void text(const Key& key, std::string&, const std::vector<std::string>& allowed) override {
    add(key, KeyKind::text, {}, allowed);
  }
  void numbers(const Key& key, std::vector<double>&, const Limits&) override { add(key, KeyKind::raw); }
  void integers(const Key& key, std::vector<int>&, const Limits& limits) override {
    add(key, KeyKind::integers, limits);
  }
  void integersByName(const Key& key, std::map<std::string, std::int64_t>&, const Limits&) override {
    add(key, KeyKind::raw);
  }
  void texts(const Key& key, std::vector<std::string>&) override { add(key, KeyKind::texts); }
  void section(const Key& key, const Describe& describe, const Shorthand&) override {
    add(key, KeyKind::section);
    Describer inner(prefix_ + key.name + ".", keys_);
    describe(inner);
  }
  void list(const Key& key, std::size_t, const std::function<void(std::size_t)>&,
            const std::function<void(Fields&, std::size_t)>&) override {
    add(key, KeyKind::list);
  }
  void raw(const Key& key, Json&) override { add(key, KeyKind::raw); }
  bool wants(const Key&, bool) override { return true; }
  bool everything() const override { return true; }

 private:
  void add(const Key& key, KeyKind kind, const Limits& limits = {}, std::vector<std::string> words = {}) {
    FormKey made{prefix_ + key.name, key.title, key.help, key.onlyWith, key.unit, kind, limits, std::move(words)};
    if (key.wordHelp != nullptr) {
      for (const std::string& word : made.words) made.wordHelps.push_back(key.wordHelp(word));
    }
    keys_.push_back(std::move(made));
  }

  std::string prefix_;
  std::vector<FormKey>& keys_;
};

std::vector<FormKey> describedKeys() {
  std::vector<FormKey> keys;
  ExperimentSections sections;
  Describer describer("", keys);
  describeExperimentFile(describer, sections);
  std::erase_if(keys, [](const FormKey& key) { return key.path == dictionaryPath; });
  // Beside layers the name is any label; a form offers what it can build.
  std::ranges::find(keys, std::string("network.name"), &FormKey::path)->words = builtInNetworks();
  for (const std::string& section : boostSections()) {
    BoostConfig config;
    Describer inner(dictionaryPath + "." + section + ".", keys);
    describeBoostSection(inner, section, config);
  }
  for (const auto& [path, condition] : formConditions(keys)) {
    std::ranges::find(keys, path, &FormKey::path)->condition = condition;
  }
  return keys;
}

/// The same for every file, so that the descriptions are walked once.
const std::vector<FormKey>& everyKey() {
  static const std::vector<FormKey> keys = describedKeys();
  return keys;
}

const BoostOption* optionAt(const std::string& path) {
  const auto& options = boostOptions();
  const auto found = std::ranges::find_if(
      options, [&](const BoostOption& option) { return path == dictionaryPath + "." + option.path(); });
  return found == options.end() ? nullptr : &*found;
}

/// The path by which the key is written among `keys`: a tutorial's spelling, or its own.
std::string spellingIn(const Json& keys, const std::string& path) {
  const BoostOption* option = optionAt(path);
  if (option == nullptr) return path;
  for (const std::string& alias : option->aliases) {
    const std::string other = dictionaryPath + "." + option->section + "." + alias;
    if (findValue(keys, other) != nullptr) return other;
  }
  return path;
}

/// The same with the tutorials' keys above it.
std::string writtenAs(const Json& own, const std::string& path) {
  Json spelled = own;
  Failures ignored;
  for (const BoostSpelling& spelling : spellBoost(spelled, ignored)) {
    if (path == spelling.meant || path.starts_with(spelling.meant + ".")) {
      return spelling.written + path.substr(spelling.meant.size());
    }
  }
  return path;
}

/// What the keys mean, every one written out: mistakes mean their defaults.
Json meaningOf(const Json& keys) {
  ExperimentSections sections;
  Failures ignored;
  readFields(keys, "", ignored, [&](Fields& fields) { describeExperimentFile(fields, sections); });
  Json meaning = writeFields([&](Fields& fields) { describeExperimentFile(fields, sections); });
  Json& dictionary = meaning["boost"]["dictionary"];
  dictionary = Json::object();
  for (const std::string& section : boostSections()) {
    BoostConfig config;
    dictionary[section] = writeFields([&](Fields& fields) { describeBoostSection(fields, section, config); });
  }
  return meaning;
}

Json valueAt(const Json& root, const std::string& path) {
  const Json* found = findValue(root, path);
  return found == nullptr ? Json{} : *found;
}

Json without(const Json& root, const std::string& path) {
  Json copy = root;
  const std::size_t dot = path.rfind('.');
  auto* parent = const_cast<Json*>(findValue(copy, dot == std::string::npos ? "" : path.substr(0, dot)));
  if (parent != nullptr && parent->is_object()) parent->erase(path.substr(dot == std::string::npos ? 0 : dot + 1));
  return copy;
}

bool holds(const FormCondition& condition, const Json& meaning) {
  if (condition.path.empty()) return true;
  const Json value = valueAt(meaning, condition.path);
  return !value.is_string() || std::ranges::count(condition.words, value.get<std::string>()) > 0;
}

/// What would hold without the scope's own key: `below` is what everybody shares. A dictionary is replaced as a whole,
/// so that nothing shows through.
Json fallbackOf(const std::string& path, const std::string& spelling, const Json& keys, const Json& below) {
  if (path.starts_with(dictionaryPath)) return valueAt(meaningOf(Json::object()), path);
  const Json* shared = findValue(below, path);
  return shared != nullptr ? *shared : valueAt(meaningOf(without(keys, spelling)), path);
}

}  // namespace

std::string placeOf(const Json& root, const ExperimentScope& scope, const std::string& path) {
  const Json* own = findValue(root, scope.path());
  return own == nullptr ? scope.path(path) : scope.path(writtenAs(*own, spellingIn(spelledOut(*own), path)));
}

std::vector<FormKey> formOf(const Json& root, const ExperimentScope& scope) {
  const Json keys = keysIn(root, scope);
  const Json* entry = findValue(root, scope.path());
  const Json own = entry == nullptr ? Json::object() : spelledOut(*entry);
  const Json below = scope.kind == ExperimentScope::Kind::all ? Json::object() : keysIn(root, {});
  const Json meaning = meaningOf(keys);
  std::vector<FormKey> form = everyKey();
  for (FormKey& key : form) {
    const std::string spelling = spellingIn(keys, key.path);
    key.written = findValue(own, spelling) != nullptr;
    key.applies = holds(key.condition, meaning);
    if (key.kind == KeyKind::section) continue;
    const Json* written = findValue(keys, spelling);
    key.value = written != nullptr && !written->is_null() ? *written : valueAt(meaning, key.path);
    const bool ownName = key.path == "name" && scope.kind != ExperimentScope::Kind::all;
    key.fallback = key.written && !ownName ? fallbackOf(key.path, spelling, keys, below) : key.value;
  }
  return form;
}

}  // namespace slipstream
