// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/plan/settle.h"

#include <algorithm>

namespace slipstream {

void decide(RunPlan& plan, std::string subject, std::string state, std::string why) {
  plan.decisions.push_back({std::move(subject), std::move(state), std::move(why)});
}

void decideAlgorithm(RunPlan& plan, const std::string& algorithm, const std::string& state, const std::string& why) {
  auto& decisions = plan.experiment.boost.decisions;
  const auto line = std::ranges::find(decisions, algorithm, &Decision::subject);
  if (line == decisions.end()) {
    decisions.push_back({algorithm, state, why});
  } else {
    *line = {algorithm, state, why};
  }
}

void switchOff(RunPlan& plan, const std::string& algorithm, const std::string& why) {
  for (const BoostAlgorithm& known : boostAlgorithms()) {
    if (known.key == algorithm) plan.experiment.boost.*known.flag = false;
  }
  decideAlgorithm(plan, algorithm, "off", why);
}

}  // namespace slipstream
