// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/boost/kernel_check.h"

namespace slipstream {

/// What a device makes of the same inputs, by kernel, for every kernel of training that it has: of vectors, of the
/// optimizer, and of every algorithm.
CheckResults trainingResults(Device& device, const KernelTables& tables, const CheckInput& input = {});

}  // namespace slipstream
