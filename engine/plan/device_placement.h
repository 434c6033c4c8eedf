// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "engine/plan/run_plan.h"

namespace slipstream {

/// A device of a host; its number is its place in a list of all of its kind.
struct HostDevice {
  std::string description;
  std::int64_t memoryBytes = 0;
  bool collectives = false;  ///< ranks with one each may exchange by the library of its kind
};

/// Decides which device of its host each rank computes on, and says so in the plan: the one that `device` names; else
/// the rank table's, or as many as there are ranks; where this machine's `devices` do not include them, the rank's
/// place among the ranks of its host, modulo `devices`. 0: nobody could be asked, so the numbers stay. Plans of kinds
/// without numbers (the CPU) stay as they are. May be repeated when more is known.
void placeOnDevices(RunPlan& plan, int devices);

/// What keeps the plan's ranks from running on the devices of this machine: numbers that none of them has, or too
/// little memory for all ranks that share one.
Failures checkDevices(const RunPlan& plan, const std::vector<HostDevice>& devices);
/// The same of one of the plan's hosts.
Failures checkDevices(const RunPlan& plan, const std::vector<HostDevice>& devices, const std::string& host);

/// Bytes of a rank's forecast that lie on its device; the data stays with the host.
std::int64_t deviceBytes(const MemoryForecast& forecast);

/// How vectors travel between ranks: as memory of the host (CPU), by the library of collective operations that the kind
/// of device has, by reaching into each other's devices, or from devices through the memory of their hosts.
enum class DeviceExchange { ofHost, library, peers, throughHost };

struct ChosenExchange {
  DeviceExchange exchange = DeviceExchange::ofHost;
  Text why;
};

/// By the library (NCCL, HCCL) where every rank has a device of its own and `libraryIsThere`; else ranks of one machine
/// reach each other, if their kind of device does; else through the hosts. Devices of one machine may turn out not to
/// reach each other: then through the host too.
ChosenExchange chooseDeviceExchange(const RunPlan& plan, bool libraryIsThere);

std::string_view nameOf(DeviceExchange exchange, const DeviceKind& kind);

/// Records in the plan how its devices exchange, and why.
void describeDeviceExchange(RunPlan& plan, bool libraryIsThere);

}  // namespace slipstream
