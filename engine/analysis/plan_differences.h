// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <map>
#include <string>
#include <vector>

#include "engine/base/failure.h"

namespace slipstream {

/// What was asked of one stage, by key path. What follows from other keys, names and the seed is left out.
struct AskedStage {
  std::string name;
  std::map<std::string, std::string> values;
  bool operator==(const AskedStage&) const = default;
};

/// What was asked of a run, stage by stage; a run without stages is one. Runs that ask the same differ in their seed
/// alone.
struct AskedRun {
  bool staged = false;
  std::vector<AskedStage> stages;
  bool imported = false;  ///< what it has no key for is not known (plan/run_plan.h)
  bool operator==(const AskedRun&) const = default;
};

/// `planText` as in RunRecord.
AskedRun askedOf(const std::string& planText);

/// A key of the plans that is not the same in all of them that are known to have it or not.
struct PlanDifference {
  std::string key;                  ///< "stages.NAME.KEY" where the stages of a run differ in it
  std::vector<std::string> values;  ///< one a plan; empty where the plan has no such key, or that is not known
};

/// Each key once: one that all stages of a run share is named without a stage.
struct ComparedPlans {
  std::vector<PlanDifference> differences;
  std::vector<PlanDifference> equals;  ///< keys that all plans have alike
};
ComparedPlans comparePlans(const std::vector<AskedRun>& plans);

}  // namespace slipstream
