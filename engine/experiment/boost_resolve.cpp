// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/experiment/boost_resolve.h"

#include <algorithm>
#include <ranges>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "engine/boost/algorithms.h"

namespace slipstream {
namespace {

/// The work of resolveBoost, in the order in which its functions are.
class Resolution {
 public:
  Resolution(BoostLevel level, const Json& dictionary, std::string path, bool afterStage)
      : dictionary_(dictionary), path_(std::move(path)), switches_(config_, path_, afterStage, failures_) {
    config_.level = level;
    config_.dictionaryText = dictionary.dump();
  }

  Result<BoostConfig> run() {
    useOneSpelling();
    const BoostConfig asked = readAsked();
    if (!failures_.empty()) return tl::unexpected(std::move(failures_));
    config_.mode = asked.mode;
    noteWritten();
    switchAlgorithms(asked);
    readValues();
    resolveInterplay();
    if (!failures_.empty()) return tl::unexpected(std::move(failures_));
    reportIneffectiveKeys();
    config_.decisions.insert(config_.decisions.begin(), switches_.lines().begin(), switches_.lines().end());
    return std::move(config_);
  }

 private:
  /// Renames the tutorials' spellings, and makes the one number that gradient_split_groups may be a list.
  void useOneSpelling() {
    for (const BoostOption& option : boostOptions()) {
      if (!dictionary_.contains(option.section) || !dictionary_[option.section].is_object()) continue;
      Json& section = dictionary_[option.section];
      for (const std::string& alias : option.aliases) rename(section, option, alias);
      if (option.key == "gradient_split_groups" && section.contains(option.key) &&
          section[option.key].is_number_integer()) {
        section[option.key] = Json::array({section[option.key]});
      }
    }
  }

  void rename(Json& section, const BoostOption& option, const std::string& alias) {
    if (!section.contains(alias)) return;
    const std::string where = pathOf(option.section, alias);
    if (section.contains(option.key)) {
      failures_.push_back({where, "", "is another spelling of " + option.key + ", which is written too", "keep one"});
    } else {
      section[option.key] = section[alias];
      config_.decisions.push_back(
          adjusted(where, section[alias].dump(), Reason::written, phrase("read as {}", {option.key})));
    }
    section.erase(alias);
  }

  /// Everything that is written, with the level's switches as defaults: finds all failures, in effect or not.
  BoostConfig readAsked() {
    BoostConfig asked;
    for (const AlgorithmSpec& algorithm : switchedAlgorithms()) {
      asked.setOn(algorithm.key, algorithm.isAtLevel(config_.level));
    }
    readFields(dictionary_, path_, failures_, [&](Fields& fields) {
      for (const std::string& section : boostSections()) {
        fields.section(section.c_str(), [&](Fields& inner) { describeBoostSection(inner, section, asked); });
      }
    });
    for (Failure& failure : failures_) nameRightSection(failure);
    return asked;
  }

  void noteWritten() {
    for (const auto& [section, values] : dictionary_.items()) {
      if (!values.is_object()) continue;
      for (const auto& [key, value] : values.items()) {
        if (!value.is_null()) config_.written.insert(fmt::format("{}.{}", section, key));
      }
    }
  }

  void nameRightSection(Failure& failure) const {
    if (failure.problem != unknownKeyProblem) return;
    const std::string key = failure.where.substr(failure.where.rfind('.') + 1);
    for (const BoostOption& option : boostOptions()) {
      if (option.key == key) failure.remedy = "move it to the section " + option.section;
    }
  }

  void switchAlgorithms(const BoostConfig& asked) {
    const std::string level = wordOf(boostLevels, config_.level);
    for (const AlgorithmSpec& algorithm : switchedAlgorithms()) {
      const bool byLevel = algorithm.isAtLevel(config_.level);
      if (config_.level == BoostLevel::O0) {
        switches_.set(algorithm.key, false, Reason::level, phrase("level O0 switches every algorithm off"));
      } else if (config_.mode == "auto") {
        switches_.set(
            algorithm.key, byLevel, Reason::level,
            byLevel ? phrase("level {} includes it", {level}) : phrase("level {} does not include it", {level}));
      } else if (config_.mode == "manual") {
        const bool named = config_.isRequested(algorithm.key);
        switches_.set(algorithm.key, asked.isOn(algorithm.key), named ? Reason::dictionary : Reason::levelDefault,
                      named ? phrase("boost.{} in the dictionary", {algorithm.key})
                            : phrase("not in the dictionary, so as level {} says", {level}));
      } else {
        switches_.set(algorithm.key, config_.mode == "enable_all", Reason::mode, phrase("mode {}", {config_.mode}));
      }
    }
  }

  /// Only sections of algorithms that are on have an effect; `common` always has, but at O0.
  bool inEffect(const std::string& section) const {
    if (config_.level == BoostLevel::O0) return false;
    return section == "common" || config_.isOn(section);
  }

  void readValues() {
    for (const auto& [section, values] : dictionary_.items()) {
      if (!inEffect(section) || values.is_null()) continue;
      readFields(values, pathOf(section, ""), failures_,
                 [&](Fields& fields) { describeBoostSection(fields, section, config_); });
    }
  }

  /// Where two cannot run together, the one that is later in the list decides.
  void resolveInterplay() {
    for (const AlgorithmSpec& algorithm : algorithms() | std::views::reverse) {
      if (algorithm.resolveSwitches) algorithm.resolveSwitches(switches_);
    }
  }

  void reportIneffectiveKeys() {
    for (const auto& [section, values] : dictionary_.items()) {
      for (const auto& [key, value] : values.items()) {
        if (value.is_null()) continue;
        const Text why = whyIneffective(section, key);
        if (!why.empty())
          config_.decisions.push_back(noEffect(pathOf(section, key), shortText(value), Reason::option, why));
      }
    }
  }

  Text whyIneffective(const std::string& section, const std::string& key) const {
    if (config_.level == BoostLevel::O0) return phrase("level O0 switches every algorithm off");
    if (section == "boost" && key != "mode" && config_.mode != "manual") {
      return phrase("switches are read in mode manual, this is mode {}", {config_.mode});
    }
    if (section != "boost" && !inEffect(section)) return phrase("{} is off", {section});
    const AlgorithmSpec* algorithm = findAlgorithm(section);
    return algorithm != nullptr && algorithm->whyIdle ? algorithm->whyIdle(config_, key) : Text();
  }

  std::string pathOf(const std::string& section, const std::string& key) const {
    return path_ + "." + section + (key.empty() ? "" : "." + key);
  }

  BoostConfig config_;
  Json dictionary_;
  std::string path_;
  Failures failures_;
  BoostSwitches switches_;
};

}  // namespace

Result<BoostConfig> resolveBoost(const std::string& level, const Json& dictionary, const std::string& path,
                                 bool afterStage) {
  const auto known = valueOf(boostLevels, level);
  Failures failures;
  if (!known) failures.push_back({"boost.level", level, "is not one of O0, O1, O2", "write O0, O1 or O2"});
  if (!dictionary.is_object()) {
    failures.push_back({path, shortText(dictionary), "must be an object with sections", "write it in curly brackets"});
    return tl::unexpected(std::move(failures));
  }
  auto resolved = Resolution(known.value_or(BoostLevel::O0), dictionary, path, afterStage).run();
  collect(resolved, failures);
  if (!failures.empty()) return tl::unexpected(std::move(failures));
  return resolved;
}

}  // namespace slipstream
