// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "engine/experiment/experiment_file.h"
#include "engine/plan/program_layers.h"
#include "engine/plan/run_plan.h"
#include "engine/probe/dataset_kind.h"

namespace slipstream {

/// One file, planned: one RunPlan a variant, in the file's order.
struct PlannedFile {
  std::string text;  ///< the file as written
  std::string experimentName;
  std::vector<RunPlan> plans;
};

/// What the user should know before these plans run, each thing once: data fallbacks, ignored variables, and whatever
/// has a remedy.
std::vector<std::string> notesOf(const std::vector<RunPlan>& plans);

/// Reads, overrides, validates and plans a file, and looks at its data. Every failure is in the answer, not the first.
/// `ask`: how a program that computes the network is asked for its tensors.
Result<PlannedFile> planFile(const std::filesystem::path& file, const ExperimentOverrides& overrides,
                             const ProgramQuestion& ask = askOnce);
Result<PlannedFile> planFile(const std::filesystem::path& file, const ExperimentOverrides& overrides,
                             const EnvironmentLookup& environment, const ProgramQuestion& ask = askOnce);

/// The same of a text; `file` is where it would be, to which its paths are relative.
Result<PlannedFile> planText(std::string text, const std::filesystem::path& file, const ExperimentOverrides& overrides);

/// Whether `run` may start the plan: fails for ranks on other machines and algorithms that this build lacks.
Status runnableHere(const RunPlan& plan);

/// What keeps the runs of a file from being planned or started.
struct PlanProblems {
  Failures wrong;   ///< mistakes in the file, its rank table, its data, the flags or the environment
  Failures absent;  ///< what the file rightly asks for, but this machine or this build does not have
};

/// How the samples of a data set are counted: inspectData, or something that remembers what it said.
using DataInspection = std::function<Result<SampleCounts>(const DatasetSpec& dataset)>;

/// planFile with its problems by kind, which `check` treats differently; the plans of a file with mistakes are those
/// that could be made. With an empty `ask` no program is started, and what cannot be planned so is said to be absent.
PlannedFile planExperiments(const std::filesystem::path& file, const ExperimentOverrides& overrides,
                            const EnvironmentLookup& environment, PlanProblems& problems,
                            const ProgramQuestion& ask = askOnce);

/// The same of a text that may not be saved yet; `file` is where it will be saved, to which its paths are relative. A
/// program that computes the network is started, to be asked for its tensors.
PlannedFile planExperimentText(std::string text, const std::filesystem::path& file,
                               const ExperimentOverrides& overrides, const EnvironmentLookup& environment,
                               PlanProblems& problems, const DataInspection& inspect = inspectData,
                               const ProgramQuestion& ask = askOnce);

}  // namespace slipstream
