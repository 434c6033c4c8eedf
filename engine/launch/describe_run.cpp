// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/launch/describe_run.h"

#include "engine/probe/version.h"
#include "engine/store/environment.h"

namespace slipstream {

NewRun describeRun(const PlannedFile& file, const RunPlan& plan, const std::string& commandText,
                   const std::string& group) {
  NewRun run;
  run.name = plan.experiment.name;
  run.experimentName = file.experimentName;
  run.variant = plan.experiment.variant;
  run.group = group;
  run.experimentText = file.text;
  run.planText = toJsonText(plan);
  run.commandText = commandText;
  run.environmentText = describeEnvironment();
  run.sourceRevision = sourceRevision();
  run.seed = plan.experiment.seed;
  run.ranks = plan.ranks();
  run.device = plan.experiment.device;
  return run;
}

}  // namespace slipstream
