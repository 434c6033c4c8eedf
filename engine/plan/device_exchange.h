// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

#include "engine/plan/run_plan.h"

namespace slipstream {

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

}  // namespace slipstream
