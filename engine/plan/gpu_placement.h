// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/plan/run_plan.h"

namespace slipstream {

/// A GPU of this machine; its number is its place in a list of all of them.
struct HostGpu {
  std::string description;
  std::int64_t memoryBytes = 0;
  bool nccl = false;  ///< ranks with a GPU each may exchange by it
};

/// Decides which GPU of its host each rank computes on, and says so in the plan: the one that `device` names; else the
/// rank table's, or as many as there are ranks; where this machine's `gpus` do not include them, the rank's place among
/// the ranks of its host, modulo `gpus`. 0: nobody could be asked, so the numbers stay. Plans of the CPU stay as they
/// are. May be repeated when more is known.
void placeOnGpus(RunPlan& plan, int gpus);

/// Says in the plan how its GPUs exchange, and why (device_exchange.h).
void describeDeviceExchange(RunPlan& plan, bool ncclIsThere);

/// What keeps the plan's ranks from running on the GPUs of this machine: numbers that none of them has, or too little
/// memory for all ranks that share one.
Failures checkGpus(const RunPlan& plan, const std::vector<HostGpu>& gpus);

/// Bytes of a rank's forecast that lie on its GPU; the data stays with the host.
std::int64_t gpuBytes(const MemoryForecast& forecast);

}  // namespace slipstream
