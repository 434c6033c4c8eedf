// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/plan/run_plan.h"
#include "engine/store/run_store.h"

namespace slipstream {

/// full: a run can be resumed from it; weights: with running statistics, without optimizer state; snapshot: trainable
/// weights alone.
enum class WeightsKind { full, weights, snapshot };
std::string_view nameOf(WeightsKind kind);

/// Weights that a run has kept.
struct StoredWeights {
  std::int64_t step = 0;
  WeightsKind kind = WeightsKind::full;
  std::string stage;  ///< empty where the run has none
  double epoch = 0;   ///< of the stage
  int attempt = 0;
  std::int64_t bytes = 0;
  std::optional<std::int64_t> ownBytes;  ///< that nothing else of the run shares: what removing it frees
  std::optional<std::int64_t> newBytes;  ///< that were not in the store when it was kept; not known of snapshots
  std::int64_t wallNanoseconds = 0;      ///< 0: not known
};

/// All that a run has, by step; of one step the snapshot first. Where checkpoints/RUN.db cannot be read, what the run
/// store lists.
std::vector<StoredWeights> storedWeights(RunStore& store, const std::string& runId, const RunPlan& plan);

/// One of them.
struct WeightsReference {
  RunRecord run;
  std::int64_t step = 0;
  bool snapshot = false;
};
/// RUN@STEP, or RUN for the newest checkpoint. Where a step has both, the checkpoint, which has the same weights and
/// the statistics to them.
Result<WeightsReference> findWeights(RunStore& store, const std::string& reference);

}  // namespace slipstream
