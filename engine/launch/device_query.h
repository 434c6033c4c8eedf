// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "engine/plan/gpu_places.h"

namespace slipstream {

/// Settles which GPU each rank of the plans computes on (placeOnGpus), as the worker program sees this machine. A
/// failure where it cannot train a plan on the plan's device: no driver, no such GPU, a build without it, too little
/// memory. Starts no process where all plans compute on the CPU.
Status settleDevices(std::vector<RunPlan>& plans);

}  // namespace slipstream
