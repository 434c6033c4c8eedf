// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/train/compose.h"

#include "engine/boost/algorithms.h"

namespace slipstream {

std::vector<Bucket> chooseBuckets(const ParallelSpec& parallel, const ParameterLayout& layout) {
  if (!parallel.allReduceFusion.empty()) return bucketsByIndex(layout, parallel.allReduceFusion);
  return bucketsBySize(layout, parallel.bucketBytes);
}

StepSlots compose(const UpdateContext& parts) {
  StepSlots slots;
  Algorithms::forEach([&]<class Algorithm>() {
    if constexpr (requires { Algorithm::fillSlots(slots, parts); }) Algorithm::fillSlots(slots, parts);
  });
  return slots;
}

}  // namespace slipstream
