// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
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

/// What keeps the plan's ranks from running on the GPUs of this machine: numbers that none of them has, or too little
/// memory for all ranks that share one.
Failures checkGpus(const RunPlan& plan, const std::vector<HostGpu>& gpus);

/// Bytes of a rank's forecast that lie on its GPU; the data stays with the host.
std::int64_t gpuBytes(const MemoryForecast& forecast);

/// How vectors travel between ranks: as memory of the host (CPU), by NCCL, by reaching into each other's GPUs, or from
/// GPUs through the memory of their hosts.
enum class DeviceExchange { ofHost, nccl, peers, throughHost };

struct ChosenExchange {
  DeviceExchange exchange = DeviceExchange::ofHost;
  std::string why;
};

/// NCCL where every rank has a GPU of its own and `ncclIsThere`; else ranks of one machine reach each other; else
/// through the hosts. GPUs of one machine may turn out not to reach each other: then through the host too.
ChosenExchange chooseDeviceExchange(const RunPlan& plan, bool ncclIsThere);

std::string_view nameOf(DeviceExchange exchange);

/// Records in the plan how its GPUs exchange, and why.
void describeDeviceExchange(RunPlan& plan, bool ncclIsThere);

}  // namespace slipstream
