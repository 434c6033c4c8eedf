// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <filesystem>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "engine/plan/boost_options.h"

namespace slipstream {
namespace {

bool atLevel(const BoostAlgorithm& algorithm, BoostLevel level) {
  return (level == BoostLevel::O1 && algorithm.atO1) || (level == BoostLevel::O2 && algorithm.atO2);
}

const BoostAlgorithm& algorithmNamed(const std::string& key) {
  const auto& all = boostAlgorithms();
  return *std::find_if(all.begin(), all.end(), [&](const BoostAlgorithm& algorithm) { return algorithm.key == key; });
}

/// The work of resolveBoost, in the order in which its functions stand.
class Resolution {
 public:
  Resolution(BoostLevel level, const Json& dictionary, std::string path, bool afterStage)
      : dictionary_(dictionary), path_(std::move(path)), afterStage_(afterStage) {
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
    settleMatrix();
    settleInterplay();
    if (!failures_.empty()) return tl::unexpected(std::move(failures_));
    reportMatrix();
    reportIneffectiveKeys();
    config_.decisions.insert(config_.decisions.begin(), switches_.begin(), switches_.end());
    return std::move(config_);
  }

 private:
  /// Renames the tutorials' spellings, and makes the one number that gradient_split_groups may be a list.
  void useOneSpelling() {
    for (const BoostKnob& knob : boostKnobs()) {
      if (!dictionary_.contains(knob.section) || !dictionary_[knob.section].is_object()) continue;
      Json& section = dictionary_[knob.section];
      for (const std::string& alias : knob.aliases) rename(section, knob, alias);
      if (knob.key == "gradient_split_groups" && section.contains(knob.key) && section[knob.key].is_number_integer()) {
        section[knob.key] = Json::array({section[knob.key]});
      }
    }
  }

  void rename(Json& section, const BoostKnob& knob, const std::string& alias) {
    if (!section.contains(alias)) return;
    const std::string where = pathOf(knob.section, alias);
    if (section.contains(knob.key)) {
      failures_.push_back({where, "", "is another spelling of " + knob.key + ", which is written too", "keep one"});
    } else {
      section[knob.key] = section[alias];
      decide(where, section[alias].dump(), "read as " + knob.key);
    }
    section.erase(alias);
  }

  /// Everything that is written, with the level's switches as defaults: finds all failures, in effect or not.
  BoostConfig readAsked() {
    BoostConfig asked;
    for (const BoostAlgorithm& algorithm : boostAlgorithms()) asked.*algorithm.flag = atLevel(algorithm, config_.level);
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
    for (const BoostKnob& knob : boostKnobs()) {
      if (knob.key == key) failure.remedy = "move it to the section " + knob.section;
    }
  }

  void switchAlgorithms(const BoostConfig& asked) {
    const std::string level = wordOf(boostLevels, config_.level);
    for (const BoostAlgorithm& algorithm : boostAlgorithms()) {
      const bool byLevel = atLevel(algorithm, config_.level);
      if (config_.level == BoostLevel::O0) {
        setSwitch(algorithm, false, "level O0 switches every algorithm off");
      } else if (config_.mode == "auto") {
        setSwitch(algorithm, byLevel, fmt::format("level {} {} it", level, byLevel ? "includes" : "does not include"));
      } else if (config_.mode == "manual") {
        const std::string why = config_.isDemanded(algorithm.key)
                                    ? "boost." + algorithm.key + " in the dictionary"
                                    : fmt::format("not in the dictionary, so as level {} says", level);
        setSwitch(algorithm, asked.*algorithm.flag, why);
      } else {
        setSwitch(algorithm, config_.mode == "enable_all", "mode " + config_.mode);
      }
    }
  }

  /// Only sections of algorithms that are on have an effect; `common` always has, but at O0.
  bool inEffect(const std::string& section) const {
    if (config_.level == BoostLevel::O0) return false;
    for (const BoostAlgorithm& algorithm : boostAlgorithms()) {
      if (algorithm.key == section) return config_.*algorithm.flag;
    }
    return section == "common";
  }

  void readValues() {
    for (const auto& [section, values] : dictionary_.items()) {
      if (!inEffect(section) || values.is_null()) continue;
      readFields(values, pathOf(section, ""), failures_,
                 [&](Fields& fields) { describeBoostSection(fields, section, config_); });
    }
  }

  /// Whether the file is there is asked once: a run that is resumed, or whose ranks start later, does the same.
  void settleMatrix() {
    if (config_.pcaMatPath.empty()) return;
    std::error_code error;
    config_.pcaMatrix = std::filesystem::exists(config_.pcaMatPath, error) ? MatrixUse::read : MatrixUse::written;
  }

  void reportMatrix() {
    if (!config_.dimReduce) config_.pcaMatrix = MatrixUse::none;
    if (config_.pcaMatrix == MatrixUse::none) return;
    decide("dim_reduce.pca_mat_path", wordOf(matrixUses, config_.pcaMatrix),
           config_.pcaMatrix == MatrixUse::read
               ? config_.pcaMatPath + " is there and holds the space; remove it to have it computed"
               : config_.pcaMatPath + " is not there yet: the space is computed and written there");
  }

  /// The combinations that cannot run together; every other one does.
  void settleInterplay() {
    if (config_.dimReduce) settleDimReduce();
    if (config_.gradAccumulation && config_.gradAccumulationStep == 1) {
      setSwitch(algorithmNamed("grad_accumulation"), false,
                "grad_accumulation_step is 1: one batch an update is plain training");
    }
  }

  /// dim_reduce comes first where only a level or enable_all ask for what it displaces.
  void settleDimReduce() {
    if (!afterStage_ && config_.readsStageSnapshots() && !config_.isDemanded("dim_reduce")) {
      return setSwitch(algorithmNamed("dim_reduce"), false,
                       "there are no past weights to look back at: no earlier stage, no dim_reduce.weight_load_dir");
    }
    for (const char* owner : {"adasum", "grad_accumulation"}) {
      const BoostAlgorithm& algorithm = algorithmNamed(owner);
      if (!(config_.*algorithm.flag)) continue;
      if (config_.isDemanded(owner) && config_.isDemanded("dim_reduce")) {
        failures_.push_back({pathOf("boost", owner), "true", "cannot run beside dim_reduce: both make the update",
                             "switch one of the two off"});
      }
      setSwitch(algorithm, false, "dim_reduce owns the update");
    }
    for (const char* changer : {"less_bn", "grad_freeze"}) {
      const BoostAlgorithm& algorithm = algorithmNamed(changer);
      if (!(config_.*algorithm.flag) || config_.mode != "manual" || config_.isDemanded(changer)) continue;
      setSwitch(algorithm, false, "only the level asks for it, and dim_reduce takes network and gradient as they are");
    }
  }

  void reportIneffectiveKeys() {
    for (const auto& [section, values] : dictionary_.items()) {
      for (const auto& [key, value] : values.items()) {
        if (value.is_null()) continue;
        const std::string why = whyIneffective(section, key);
        if (!why.empty()) config_.decisions.push_back(noEffect(pathOf(section, key), shortText(value), why));
      }
    }
  }

  std::string whyIneffective(const std::string& section, const std::string& key) const {
    if (config_.level == BoostLevel::O0) return "level O0 switches every algorithm off";
    if (section == "boost" && key != "mode" && config_.mode != "manual") {
      return "switches are read in mode manual, this is mode " + config_.mode;
    }
    if (section == "dim_reduce" && config_.dimReduce && config_.dimReduceMethod == DimReduceMethod::sgd) {
      for (const char* searched : {"rho", "sigma", "max_search", "alpha", "gamma"}) {
        if (key == searched) return "method sgd searches no line and leaves the residual alone";
      }
    }
    if (section == "dim_reduce" && key == "weight_load_dir" && config_.pcaMatrix == MatrixUse::read) {
      return "the space is read from dim_reduce.pca_mat_path";
    }
    if (section == "boost" || inEffect(section)) return "";
    return section + " is off";
  }

  void setSwitch(const BoostAlgorithm& algorithm, bool on, const std::string& why) {
    config_.*algorithm.flag = on;
    const Decision decision{algorithm.key, on ? "on" : "off", why};
    const auto same = std::find_if(switches_.begin(), switches_.end(),
                                   [&](const Decision& other) { return other.subject == algorithm.key; });
    if (same == switches_.end()) {
      switches_.push_back(decision);
    } else {
      *same = decision;
    }
  }

  void decide(std::string subject, std::string state, std::string why) {
    config_.decisions.push_back({std::move(subject), std::move(state), std::move(why)});
  }

  std::string pathOf(const std::string& section, const std::string& key) const {
    return path_ + "." + section + (key.empty() ? "" : "." + key);
  }

  BoostConfig config_;
  Json dictionary_;
  std::string path_;
  bool afterStage_;
  Failures failures_;
  std::vector<Decision> switches_;
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
