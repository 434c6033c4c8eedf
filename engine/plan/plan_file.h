// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "engine/plan/run_plan.h"

namespace slipstream {

/// What stands above the experiment file: the flags of `run` and `plan`. Paths here are relative to the caller's
/// folder, paths in the file to the file.
struct ExperimentOverrides {
  std::optional<int> ranks;              ///< replaces the file's rank table; beside `rankTable`: so many ranks of it
  std::optional<std::string> rankTable;  ///< replaces the file's ranks
  std::optional<std::string> device;
  std::optional<std::uint64_t> seed;
  std::vector<std::string> settings;  ///< key.path=value; the value is JSON where it parses, else text
  std::optional<std::string> name;
  bool local = false;  ///< all ranks on this machine; the rank table's servers stay Adasum's groups
};

/// Looks a variable up; nothing where it is unset or empty.
using EnvironmentLookup = std::function<std::optional<std::string>(const char*)>;

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

/// Processor cores that this process may use.
int coresOnHost();

}  // namespace slipstream
