// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <map>
#include <optional>
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
/// Fails for an imported run, which was planned by nobody here.
Result<RunPlan> parseRunPlan(const std::string& jsonText);

/// What a run that another program trained has in place of a plan: its values were imported, and nothing is known of
/// how they came about but what the files say.
struct ImportedRun {
  std::string format;                           ///< "TensorBoard", "CSV"
  std::string source;                           ///< the file or folder that it was read from
  std::string hash;                             ///< SHA-256 of its values
  std::map<std::string, std::string> settings;  ///< that the files tell, by key
  std::int64_t steps = 0;                       ///< that they cover
};
/// The device of such a run, and of the experiment in its place.
inline constexpr const char* importedDevice = "imported";
inline bool isImported(const Experiment& experiment) {
  return experiment.device == importedDevice;
}
std::string toJsonText(const ImportedRun& run);
/// Nothing where the text is a plan, or no JSON.
std::optional<ImportedRun> parseImportedRun(const std::string& planText);
/// The same as parseRunPlan, for whoever only shows runs: of an imported one a plan of its steps alone.
Result<RunPlan> planToShow(const std::string& planText);

/// What one server of the plan sees, in the words of the tutorials' scripts (SERVER_ID, DEVICE_NUM, RANK_SIZE, ...).
struct ServerView {
  std::string host;
  std::map<std::string, std::string> environment;
  std::vector<int> ranks;
};
std::vector<ServerView> serverViews(const RunPlan& plan);

}  // namespace slipstream
