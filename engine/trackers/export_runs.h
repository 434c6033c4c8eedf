// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "engine/base/failure.h"
#include "engine/store/run_store.h"

namespace slipstream {

enum class TrackerFormat { tensorboard, mlflow, csv };

struct ExportRequest {
  TrackerFormat format = TrackerFormat::tensorboard;
  std::filesystem::path folder;      ///< made where it is missing; what is in it stays
  std::vector<std::string> metrics;  ///< empty: all that a run has
};

struct ExportedRun {
  std::string run;              ///< its id
  std::filesystem::path place;  ///< the folder of its files; with CSV that of all
  std::int64_t metrics = 0;
  std::int64_t points = 0;
  std::int64_t rounded = 0;  ///< values that changed, since TensorBoard has single precision
};

/// Writes runs for other programs to read: their settings, states, times and every value as `slipstream metrics` gives
/// it. Fails before anything is written where a run's files are there already, or a metric is one that no run has.
Result<std::vector<ExportedRun>> exportRuns(RunStore& store, const std::vector<RunRecord>& runs,
                                            const ExportRequest& request);

}  // namespace slipstream
