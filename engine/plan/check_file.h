// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>

#include "engine/plan/plan_file.h"
#include "engine/rank_table/rank_table.h"

namespace slipstream {

/// What `check` says of one file.
struct FileCheck {
  std::string file;
  Verdict verdict = Verdict::accept;
  std::vector<Finding> findings;
};

/// Tells experiments from rank tables by content. An experiment is rejected for its own mistakes; data that this
/// machine lacks, and algorithms that this build lacks, are warnings.
FileCheck checkFile(const std::filesystem::path& file, const EnvironmentLookup& environment);

/// What is to be said of an experiment that was planned: its mistakes, what is missing here, and keys without effect.
std::vector<Finding> findingsOf(const PlannedFile& planned, const PlanProblems& problems);

/// The same of a file that must be a rank table.
FileCheck checkRankTableFile(const std::filesystem::path& file);

}  // namespace slipstream
