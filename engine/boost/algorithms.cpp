// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/boost/algorithms.h"

#include <algorithm>

namespace slipstream {
namespace {

std::vector<AlgorithmSpec> collectSpecs() {
  std::vector<AlgorithmSpec> specs;
  Algorithms::forEach([&]<class Algorithm>() { specs.push_back(Algorithm::spec()); });
  return specs;
}

std::vector<AlgorithmSpec> collectSwitched() {
  std::vector<AlgorithmSpec> specs = algorithms();
  std::erase_if(specs, [](const AlgorithmSpec& spec) { return !spec.hasSwitch; });
  return specs;
}

BoostOption modeOption() {
  return {"boost", "mode", "", "auto: as the level says; manual: the switches below; or all on, all off",
          [](Fields& fields, const Key& key, BoostConfig& config) {
            fields.text(key, config.mode, {"auto", "manual", "enable_all", "disable_all"});
          }};
}

BoostOption switchOption(const AlgorithmSpec& algorithm) {
  return {"boost", algorithm.key, algorithm.title, "switch of " + algorithm.key + "; read in mode manual",
          [](Fields& fields, const Key& key, BoostConfig& config) {
            bool on = config.isOn(key.name);
            fields.flag(key, on);
            config.setOn(key.name, on);
          }};
}

BoostOption splitGroupsOption() {
  return {"common", "gradient_split_groups", "Gradient groups",
          "first tensor of each further group of gradients that are sent together",
          [](Fields& fields, const Key& key, BoostConfig& config) {
            fields.integers(key, config.gradientSplitGroups, atLeast(1));
          }};
}

BoostOption deviceNumberOption() {
  return alsoSpelled({"common", "device_number", "Devices a server",
                      "ranks a server; default: the rank table's, else all ranks are one server",
                      [](Fields& fields, const Key& key, BoostConfig& config) {
                        describeOption(fields, key, config.deviceNumber, atLeast(1));
                      }},
                     "device_num");
}

std::vector<BoostOption> collectOptions() {
  std::vector<BoostOption> options{modeOption()};
  for (const AlgorithmSpec& spec : switchedAlgorithms()) options.push_back(switchOption(spec));
  options.push_back(splitGroupsOption());
  options.push_back(deviceNumberOption());
  for (const AlgorithmSpec& spec : algorithms()) {
    options.insert(options.end(), spec.options.begin(), spec.options.end());
  }
  return options;
}

}  // namespace

const std::vector<AlgorithmSpec>& algorithms() {
  static const std::vector<AlgorithmSpec> specs = collectSpecs();
  return specs;
}

const std::vector<AlgorithmSpec>& switchedAlgorithms() {
  static const std::vector<AlgorithmSpec> specs = collectSwitched();
  return specs;
}

const AlgorithmSpec* findAlgorithm(std::string_view key) {
  const auto found = std::ranges::find(algorithms(), key, &AlgorithmSpec::key);
  return found == algorithms().end() ? nullptr : &*found;
}

const std::vector<BoostOption>& boostOptions() {
  static const std::vector<BoostOption> options = collectOptions();
  return options;
}

std::vector<std::string> boostSections() {
  std::vector<std::string> sections;
  for (const BoostOption& option : boostOptions()) {
    if (std::ranges::find(sections, option.section) == sections.end()) sections.push_back(option.section);
  }
  return sections;
}

void describeBoostSection(Fields& fields, const std::string& section, BoostConfig& config) {
  for (const BoostOption& option : boostOptions()) {
    if (option.section == section)
      option.describe(fields, {option.key.c_str(), option.title.c_str(), option.help.c_str()}, config);
  }
}

}  // namespace slipstream
