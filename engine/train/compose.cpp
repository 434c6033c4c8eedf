// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/train/compose.h"

#include "engine/base/error.h"
#include "engine/boost/adasum/adasum.h"
#include "engine/boost/averaged/averaged.h"
#include "engine/boost/dim_reduce/dim_reduce.h"
#include "engine/boost/grad_accumulation/grad_accumulation.h"
#include "engine/boost/grad_freeze/grad_freeze.h"
#include "engine/boost/loss_scale/loss_scale.h"
#include "engine/boost/optimizer_parallel/optimizer_parallel.h"
#include "engine/plan/experiment_check.h"
#include "engine/plan/wanted_tensors.h"
#include "engine/train/snapshot_folder.h"

namespace slipstream {
namespace {

/// Past weights come from a folder where one is named, else from an earlier stage.
std::unique_ptr<Update> chooseDimReduce(UpdateParts parts) {
  const Experiment& experiment = parts.experiment;
  if (experiment.boost.weightLoadDir.empty()) return makeDimReduce(parts);
  const auto shape = networkShape(experiment.network, sampleShape(experiment.dataset));
  if (!shape) throw Error(toText(shape.error()));
  const auto snapshots = snapshotFolder(experiment.boost.weightLoadDir, wantedWeights(experiment.network, *shape));
  parts.snapshots = snapshots.get();
  return makeDimReduce(parts);
}

/// Exactly one Update: contradictory combinations were refused when the experiment was planned.
std::unique_ptr<Update> chooseUpdate(const UpdateParts& parts) {
  if (parts.experiment.parallel.optimizerParallel.level != ShardingLevel::off) return makeOptimizerParallel(parts);
  if (parts.experiment.boost.dimReduce) return chooseDimReduce(parts);
  if (parts.experiment.boost.adasum) return makeAdasum(parts);
  return makeAveraged(parts);
}

}  // namespace

std::vector<Bucket> chooseBuckets(const ParallelSpec& parallel, const ParameterLayout& layout) {
  if (!parallel.allReduceFusion.empty()) return bucketsByIndex(layout, parallel.allReduceFusion);
  return bucketsBySize(layout, parallel.bucketBytes);
}

StepSlots compose(const UpdateParts& parts) {
  const Experiment& experiment = parts.experiment;
  StepSlots slots;
  slots.update = chooseUpdate(parts);
  if (experiment.train.microSize > 1) slots.policies.push_back(makeMicroBatching(experiment.train));
  if (experiment.boost.gradFreeze) slots.policies.push_back(makeGradFreeze(parts));
  if (experiment.lossScale.kind != LossScaleKind::none) {
    const auto scale =
        makeLossScale(experiment.lossScale, experiment.optimizer, parts.layout, *parts.kernels.lossScale, parts.device);
    slots.policies.push_back(scale);
    slots.gradientPasses.push_back(scale);
  }
  return slots;
}

}  // namespace slipstream
