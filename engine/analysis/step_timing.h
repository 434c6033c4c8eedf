// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "engine/store/run_store.h"

namespace slipstream {

/// Where the time of a run's steps went: seconds of all steps together.
struct StepTiming {
  std::int64_t steps = 0;
  double whole = 0;
  double compute = 0;        ///< passes through the network, and policies
  double optimizer = 0;      ///< from the exchanged gradient to the new weights
  double communication = 0;  ///< exposed: what no computing hid
  double recording = 0;
  double data = 0;  ///< waiting for samples
  /// Of compute and optimizer: while an exchange was under way. Nothing where the run's program did not measure it.
  std::optional<double> hidden = {};
  // Between steps, not part of `whole`.
  double checkpoints = 0;  ///< copying them and snapshots, and waiting until the one before has left
  double evaluation = 0;

  /// What none of the parts of `whole` is.
  double other() const;
};

/// Of one rank, or the mean over ranks. Steps whose time is not finite are left out.
StepTiming stepTiming(RunStore& store, const std::string& runId);
StepTiming stepTiming(RunStore& store, const std::string& runId, int rank);
/// Of one rank over steps [firstStep, endStep).
StepTiming stepTiming(RunStore& store, const std::string& runId, int rank, std::int64_t firstStep,
                      std::int64_t endStep);

}  // namespace slipstream
