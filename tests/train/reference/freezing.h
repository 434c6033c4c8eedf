// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

#include "tests/train/reference/tensors.h"

namespace slipstream::reference {

/// grad_freeze's continuous schedule (freeze_type 0).
struct FreezeSettings {
  int groups = 1;  ///< 1: nothing is frozen
  double fullShare = 0.5;
};

/// The first layer that a step trains.
int firstTrainedLayer(const FreezeSettings& settings, const Tensors& tensors, std::int64_t step);

}  // namespace slipstream::reference
