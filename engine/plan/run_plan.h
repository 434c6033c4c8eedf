// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "engine/spec/stage_plan.h"

namespace slipstream {

/// The stages in order: the plan's, or the whole run as one, called "train".
std::vector<StagePlan> stagesOf(const RunPlan& plan);
/// Nothing where the plan has no stage of that name.
const StagePlan* findStage(const RunPlan& plan, const std::string& name);
/// The stage that a step (counted from 0) belongs to.
const StagePlan& stageOfStep(const std::vector<StagePlan>& stages, std::int64_t step);
/// Ends of stages that later ones start from.
std::set<std::int64_t> startingSteps(const RunPlan& plan);

/// What is on and off and why: the algorithms, then everything else; what a stage does otherwise is under
/// "STAGE.SUBJECT".
std::vector<Decision> allDecisions(const RunPlan& plan);

std::string toJsonText(const RunPlan& plan);
Result<RunPlan> parseRunPlan(const std::string& jsonText);

/// What one server of the plan sees, in the words of the tutorials' scripts (SERVER_ID, DEVICE_NUM, RANK_SIZE, ...).
struct ServerView {
  std::string host;
  std::map<std::string, std::string> environment;
  std::vector<int> ranks;
};
std::vector<ServerView> serverViews(const RunPlan& plan);

}  // namespace slipstream
