// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "engine/store/checkpoint_store.h"
#include "engine/store/run_store.h"

namespace slipstream {

struct VerifiedCheckpoint {
  std::unique_ptr<CheckpointStore> store;  ///< to read
  CheckpointManifest manifest;
};

/// The checkpoint of `step`, which the run store lists, after every tensor of it was read and found to be what its hash
/// says. Otherwise a failure that names the file and, where there are some, the steps of the run's sound checkpoints.
/// Makes and changes nothing.
Result<VerifiedCheckpoint> openVerifiedCheckpoint(RunStore& store, const std::string& runId, std::int64_t step);
/// The same of a snapshot.
Result<VerifiedCheckpoint> openVerifiedSnapshot(RunStore& store, const std::string& runId, std::int64_t step);

/// The same as RunStore::series; an empty one where its values are damaged, and the metric joins `damaged`.
Series readIntactSeries(RunStore& store, const std::string& runId, const std::string& metric,
                        std::vector<std::string>& damaged);
/// The same as RunStore::seriesWithin.
Series readIntactSeries(RunStore& store, const std::string& runId, const std::string& metric,
                        std::vector<std::string>& damaged, const StepRange& steps);

/// The same as RunStore::metricNames; none where that much is damaged, and "every metric" joins `damaged`.
std::vector<std::string> intactMetricNames(RunStore& store, const std::string& runId,
                                           std::vector<std::string>& damaged);

/// "values of loss, accuracy are damaged; 'slipstream store verify' tells how far"; empty where nothing is.
std::string damageText(const std::vector<std::string>& damaged);

}  // namespace slipstream
