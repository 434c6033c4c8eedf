// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "engine/experiment/experiment_file.h"
#include "engine/plan/run_plan.h"

namespace slipstream {

/// One file, planned: one RunPlan a variant, in the file's order.
struct PlannedFile {
  std::string text;  ///< the file as written
  std::string experimentName;
  std::vector<RunPlan> plans;
};

/// What the user should hear before these plans run, each thing once: data fallbacks, ignored variables, and whatever
/// has a remedy.
std::vector<std::string> notesOf(const std::vector<RunPlan>& plans);

/// Reads, overrides, validates and plans a file, and looks at its data. Every failure is in the answer, not the first.
Result<PlannedFile> planFile(const std::filesystem::path& file, const ExperimentOverrides& overrides);
Result<PlannedFile> planFile(const std::filesystem::path& file, const ExperimentOverrides& overrides,
                             const EnvironmentLookup& environment);

/// The same of a text; `file` is where it would stand, to which its paths are relative.
Result<PlannedFile> planText(std::string text, const std::filesystem::path& file, const ExperimentOverrides& overrides);

/// Whether `run` may start the plan: fails for ranks on other machines and algorithms that this build lacks.
Status runnableHere(const RunPlan& plan);

}  // namespace slipstream
