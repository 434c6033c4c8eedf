// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/boost/algorithm_spec.h"

namespace slipstream {

struct OptimizerParallelAlgorithm {
  static AlgorithmSpec spec();
  static void fillSlots(StepSlots& slots, const UpdateContext& parts);
};

}  // namespace slipstream
