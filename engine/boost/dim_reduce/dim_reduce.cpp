// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/boost/dim_reduce/dim_reduce.h"

#include "engine/base/error.h"
#include "engine/boost/dim_reduce/snapshot_folder.h"
#include "engine/boost/dim_reduce/spec.h"
#include "engine/boost/dim_reduce/subspace_update.h"
#include "engine/probe/dataset_kind.h"
#include "engine/probe/weight_files.h"

namespace slipstream {

std::unique_ptr<Update> makeDimReduce(const UpdateContext& parts) {
  const bool bfgs = parts.experiment.boost.of<DimReduceOptions>().method == DimReduceMethod::bfgs;
  return bfgs ? makeSubspaceBfgs(parts) : makeSubspaceSgd(parts);
}

/// Past weights come from a folder where one is named, else from an earlier stage.
void DimReduceAlgorithm::fillSlots(StepSlots& slots, const UpdateContext& parts) {
  const Experiment& experiment = parts.experiment;
  if (!experiment.boost.isOn<DimReduceOptions>()) return;
  UpdateContext own = parts;
  std::unique_ptr<WeightSnapshots> snapshots;
  if (const std::string& folder = experiment.boost.of<DimReduceOptions>().weightLoadDir; !folder.empty()) {
    const auto shape = networkShape(experiment.network, sampleShape(experiment.dataset));
    if (!shape) throw Error(toText(shape.error()));
    snapshots = snapshotFolder(folder, expectedWeightTensors(experiment.network, *shape));
    own.snapshots = snapshots.get();
  }
  slots.update = makeDimReduce(own);
}

}  // namespace slipstream
