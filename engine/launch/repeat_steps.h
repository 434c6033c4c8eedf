// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "engine/plan/run_plan.h"
#include "engine/store/run_store.h"

namespace slipstream {

/// A piece of a run between two checkpoints: the steps from..to-1.
struct StepInterval {
  std::int64_t from = 0;  ///< a full checkpoint, or 0: the beginning of the run
  std::int64_t to = 0;    ///< a checkpoint
  std::int64_t steps() const { return to - from; }
};

/// What can be repeated of a run: the pieces between its checkpoints, in order. The first one starts at the beginning.
std::vector<StepInterval> repeatableIntervals(RunStore& store, const std::string& runId);

/// Some of them in random order, whole ones, until they hold at least `steps` steps; all where they hold fewer.
std::vector<StepInterval> chooseIntervals(std::vector<StepInterval> all, std::int64_t steps, std::uint64_t seed);

/// What came of a repetition.
struct Repetition {
  StepInterval interval;
  std::vector<std::string> different;  ///< tensors whose SHA-256 is another one; "NAME, rank K" where ranks differ
  std::vector<std::string> missing;    ///< tensors that only one of the two checkpoints has
  std::size_t compared = 0;
  bool equal() const { return different.empty() && missing.empty(); }
};

/// Trains the interval's steps again, with the run's own plan and ranks, from the stored checkpoint in a store of its
/// own inside `scratch`, which is made, and compares every tensor's hash with what is stored. Fails where the steps
/// cannot be trained to their end. Call it like `supervise`.
Result<Repetition> repeatSteps(RunStore& store, const RunRecord& run, const RunPlan& plan, const StepInterval& interval,
                               const std::filesystem::path& scratch);

}  // namespace slipstream
