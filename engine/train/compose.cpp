#include "engine/train/compose.h"

#include "engine/boost/adasum/adasum.h"
#include "engine/boost/averaged/averaged.h"
#include "engine/boost/optimizer_parallel/optimizer_parallel.h"

namespace slipstream {
namespace {

/// Exactly one Update: contradictory combinations were refused when the experiment was planned.
std::unique_ptr<Update> chooseUpdate(const UpdateParts& parts) {
  if (parts.experiment.parallel.optimizerParallel.level != ShardingLevel::off) return makeOptimizerParallel(parts);
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
