// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/boost/algorithm_spec.h"

#include <algorithm>

namespace slipstream {
namespace {

/// Replaces the line about the decision's subject, or adds one.
void putLine(std::vector<Decision>& lines, const Decision& decision) {
  const auto line = std::ranges::find(lines, decision.subject, &Decision::subject);
  if (line == lines.end()) {
    lines.push_back(decision);
  } else {
    *line = decision;
  }
}

}  // namespace

BoostOption alsoSpelled(BoostOption option, std::string alias) {
  option.aliases.push_back(std::move(alias));
  return option;
}

BoostOption asPath(BoostOption option) {
  option.isPath = true;
  return option;
}

void BoostSwitches::set(const std::string& algorithm, bool on, Reason reason, const Text& why) {
  config_.setOn(algorithm, on);
  putLine(lines_, on ? switchedOn(algorithm, reason, why) : switchedOff(algorithm, reason, why));
}

void BoostSwitches::refuse(const std::string& algorithm, const std::string& problem, const std::string& remedy) {
  failures_.push_back({path_ + ".boost." + algorithm, "true", problem, remedy});
}

bool AlgorithmSpec::isAtLevel(BoostLevel level) const {
  return std::ranges::find(levels, level) != levels.end();
}

void decide(RunPlan& plan, Decision decision) {
  plan.decisions.push_back(std::move(decision));
}

void decideAlgorithm(RunPlan& plan, const Decision& decision) {
  putLine(plan.experiment.boost.decisions, decision);
}

void switchOff(RunPlan& plan, const std::string& algorithm, Reason reason, const Text& why) {
  plan.experiment.boost.setOn(algorithm, false);
  decideAlgorithm(plan, switchedOff(algorithm, reason, why));
}

void switchOffWithoutEffect(RunPlan& plan, const std::string& algorithm, Reason reason, const Text& why) {
  plan.experiment.boost.setOn(algorithm, false);
  decideAlgorithm(plan, noEffect(algorithm, "off", reason, why));
}

void takeUpdate(RunPlan& plan, const Text& why) {
  decide(plan, switchedOff("averaged", Reason::displaced, why));
}

}  // namespace slipstream
