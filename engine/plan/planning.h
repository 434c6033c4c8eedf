// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/plan/plan_file.h"
#include "engine/probe/dataset_kind.h"

namespace slipstream {

/// What stands between a file and its runs.
struct PlanProblems {
  Failures wrong;   ///< mistakes in the file, its rank table, its data, the flags or the environment
  Failures absent;  ///< what the file rightly asks for, but this machine or this build does not have
};

/// How the samples of a data set are counted: inspectData, or something that remembers what it said.
using DataInspection = std::function<Result<SampleCounts>(const DatasetSpec& dataset)>;

/// planFile in one step less: `check` treats the two kinds of problem differently.
PlannedFile planExperiments(const std::filesystem::path& file, const ExperimentOverrides& overrides,
                            const EnvironmentLookup& environment, PlanProblems& problems);

/// The same of a text that may not be saved yet; `file` is where it will stand, to which its paths are relative.
PlannedFile planExperimentText(std::string text, const std::filesystem::path& file,
                               const ExperimentOverrides& overrides, const EnvironmentLookup& environment,
                               PlanProblems& problems, const DataInspection& inspect = inspectData);

}  // namespace slipstream
