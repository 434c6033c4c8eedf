// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/plan/settle.h"

#include <algorithm>

namespace slipstream {

namespace {

void switchOff(RunPlan& plan, const Decision& decision) {
  for (const BoostAlgorithm& known : boostAlgorithms()) {
    if (known.key == decision.subject) plan.experiment.boost.*known.flag = false;
  }
  decideAlgorithm(plan, decision);
}

}  // namespace

void decide(RunPlan& plan, Decision decision) {
  plan.decisions.push_back(std::move(decision));
}

void decide(RunPlan& plan, std::string subject, std::string state, std::string why) {
  decide(plan, Decision{std::move(subject), std::move(state), std::move(why)});
}

void decideAlgorithm(RunPlan& plan, const Decision& decision) {
  auto& decisions = plan.experiment.boost.decisions;
  const auto line = std::ranges::find(decisions, decision.subject, &Decision::subject);
  if (line == decisions.end()) {
    decisions.push_back(decision);
  } else {
    *line = decision;
  }
}

void switchOff(RunPlan& plan, const std::string& algorithm, const std::string& why) {
  switchOff(plan, {algorithm, "off", why});
}

void switchOffWithoutEffect(RunPlan& plan, const std::string& algorithm, const std::string& why) {
  switchOff(plan, noEffect(algorithm, "off", why));
}

}  // namespace slipstream
