// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/train/compose.h"

#include "engine/base/error.h"
#include "engine/boost/adasum/adasum.h"
#include "engine/boost/algorithms.h"
#include "engine/boost/averaged/averaged.h"
#include "engine/boost/dim_reduce/dim_reduce.h"
#include "engine/boost/grad_accumulation/grad_accumulation.h"
#include "engine/boost/grad_freeze/grad_freeze.h"
#include "engine/boost/loss_scale/loss_scale.h"
#include "engine/boost/optimizer_parallel/optimizer_parallel.h"
#include "engine/experiment/experiment_check.h"
#include "engine/probe/dataset_kind.h"

namespace slipstream {

std::vector<Bucket> chooseBuckets(const ParallelSpec& parallel, const ParameterLayout& layout) {
  if (!parallel.allReduceFusion.empty()) return bucketsByIndex(layout, parallel.allReduceFusion);
  return bucketsBySize(layout, parallel.bucketBytes);
}

StepSlots compose(const UpdateParts& parts) {
  StepSlots slots;
  Algorithms::forEach([&]<class Algorithm>() {
    if constexpr (requires { Algorithm::fillSlots(slots, parts); }) Algorithm::fillSlots(slots, parts);
  });
  return slots;
}

}  // namespace slipstream
