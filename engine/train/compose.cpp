#include "engine/train/compose.h"

#include "engine/boost/adasum/adasum.h"
#include "engine/boost/averaged/averaged.h"
#include "engine/boost/dim_reduce/dim_reduce.h"
#include "engine/train/snapshot_folder.h"

namespace slipstream {
namespace {

/// Past weights come from a folder where one is named, else from an earlier stage.
std::unique_ptr<Update> chooseDimReduce(UpdateParts parts) {
  const std::string& folder = parts.experiment.boost.weightLoadDir;
  if (folder.empty()) return makeDimReduce(parts);
  const auto snapshots = snapshotFolder(folder, parts.layout);
  parts.snapshots = snapshots.get();
  return makeDimReduce(parts);
}

/// Exactly one Update: contradictory combinations were refused when the experiment was planned.
std::unique_ptr<Update> chooseUpdate(const UpdateParts& parts) {
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
  StepSlots slots;
  slots.update = chooseUpdate(parts);
  return slots;
}

}  // namespace slipstream
