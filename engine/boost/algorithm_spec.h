// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <string>
#include <type_traits>
#include <vector>

#include "engine/record/metric_info.h"
#include "engine/spec/network_spec.h"
#include "engine/spec/stage_plan.h"

namespace slipstream {

class KernelCheck;
class KernelTables;
struct ExchangeMaker;
struct StepSlots;
struct UpdateContext;

/// One key of the dictionary. Its default is what describe() finds in a new BoostConfig. An algorithm's options are a
/// struct that lists its keys beside its members:
///   static std::vector<BoostOption> keys();
struct BoostOption {
  std::string section;
  std::string key;
  std::string title;  ///< what a form calls it, in English
  std::string help;
  std::function<void(Fields& fields, const Key& key, BoostConfig& config)> describe;
  std::vector<std::string> aliases = {};  ///< spellings of the published tutorials
  bool isPath = false;                    ///< relative to the file that the dictionary is written in

  std::string path() const { return section + "." + key; }
};

/// A default outside the limits means "not given": such a value is not written.
inline void describeOption(Fields& fields, const Key& key, int& value, const Limits& limits) {
  if (fields.wants(key, limits.allow(value))) fields.integer(key, value, limits);
}
inline void describeOption(Fields& fields, const Key& key, std::int64_t& value, const Limits& limits) {
  fields.integer(key, value, limits);
}
inline void describeOption(Fields& fields, const Key& key, double& value, const Limits& limits) {
  fields.number(key, value, limits);
}
inline void describeOption(Fields& fields, const Key& key, bool& value, const Limits&) {
  fields.flag(key, value);
}
inline void describeOption(Fields& fields, const Key& key, std::string& value, const Limits&) {
  fields.text(key, value, {});
}

/// An option of the algorithm whose options are the struct Options.
template <class Options, class Value>
BoostOption option(std::string key, std::string title, Value Options::*member, const Limits& limits, std::string help) {
  return {Options::algorithm, std::move(key), std::move(title), std::move(help),
          [member, limits](Fields& fields, const Key& name, BoostConfig& config) {
            describeOption(fields, name, config.edit<Options>().*member, limits);
          }};
}
template <class Options, class Value>
BoostOption option(std::string key, std::string title, Value Options::*member, std::string help) {
  return option(std::move(key), std::move(title), member, anyNumber, std::move(help));
}
/// One of a few words.
template <class Options, class Value>
BoostOption option(std::string key, std::string title, Value Options::*member, const EnumNames<Value>& words,
                   std::string help) {
  return {Options::algorithm, std::move(key), std::move(title), std::move(help),
          [member, words](Fields& fields, const Key& name, BoostConfig& config) {
            choice(fields, name, config.edit<Options>().*member, words);
          }};
}
BoostOption alsoSpelled(BoostOption option, std::string alias);
BoostOption asPath(BoostOption option);

/// The switches of all algorithms while level, mode and dictionary are resolved.
class BoostSwitches {
 public:
  /// `path` precedes the keys in failures. `afterStage`: an earlier stage may have kept weights.
  BoostSwitches(BoostConfig& config, std::string path, bool afterStage, Failures& failures)
      : config_(config), path_(std::move(path)), afterStage_(afterStage), failures_(failures) {}

  BoostConfig& config() { return config_; }
  bool afterStage() const { return afterStage_; }
  /// Switches the algorithm, and says why: the last word counts.
  void set(const std::string& algorithm, bool on, Reason reason, const Text& why);
  /// A failure about the switch of an algorithm.
  void refuse(const std::string& algorithm, const std::string& problem, const std::string& remedy);
  /// One line an algorithm.
  const std::vector<Decision>& lines() const { return lines_; }

 private:
  BoostConfig& config_;
  std::string path_;
  bool afterStage_;
  Failures& failures_;
  std::vector<Decision> lines_;
};

/// What an algorithm is, without the code that trains: one object for the plan, the command line and the window. Listed
/// in algorithms.h. Functions that an algorithm does not need are empty.
struct AlgorithmSpec {
  std::string key;           ///< in the dictionary, the store and the report
  std::string title;         ///< what a person calls it, in English
  std::string summary;       ///< what it does, in a line
  std::string slot;          ///< of the training step that it fills, for people (engine/boost/step_slots.h)
  std::string folder = key;  ///< of engine/boost, with its README
  bool hasSwitch = false;    ///< in the dictionary's section `boost`; else keys outside the dictionary ask for it
  std::vector<BoostLevel> levels = {};  ///< that switch it on
  std::vector<BoostOption> options = {};
  std::vector<MetricInfo> metrics = {};  ///< that it streams by step

  /// After all switches are set: switches itself or others off. Later algorithms of the list come first.
  std::function<void(BoostSwitches&)> resolveSwitches = {};
  /// Why a key of its section has no effect although the algorithm is on; empty where it has one.
  std::function<Text(const BoostConfig&, const std::string& key)> whyIdle = {};
  /// What was found out while the run was planned, beside the options: keys of the resolved form.
  std::function<void(Fields&, BoostConfig&)> describeFindings = {};
  /// Once ranks and data are known. What cannot act is off with a decision that says why, or a failure where the
  /// dictionary itself asks for it.
  std::function<Status(RunPlan&)> resolve = {};
  /// Once the network is known, too.
  std::function<Status(RunPlan&, const NetworkShape&)> resolveShape = {};
  /// Adds the bytes that it takes on the rank that holds most.
  std::function<void(const RunPlan&, const NetworkShape&, MemoryForecast&)> addMemory = {};

  bool isAtLevel(BoostLevel level) const;
};

/// Adds a line to the plan.
void decide(RunPlan& plan, Decision decision);
/// Replaces the line about an algorithm, which is the decision's subject.
void decideAlgorithm(RunPlan& plan, const Decision& decision);
/// The algorithm takes no part in the run, and its line says why.
void switchOff(RunPlan& plan, const std::string& algorithm, Reason reason, const Text& why);
/// The same where it was asked for and could not act (noEffect).
void switchOffWithoutEffect(RunPlan& plan, const std::string& algorithm, Reason reason, const Text& why);
/// Says that the algorithm, and not the mean of the ranks' gradients, makes the update.
void takeUpdate(RunPlan& plan, const Text& why);

}  // namespace slipstream
