// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/train/rank_devices.h"

#include <fmt/format.h>

#include "engine/base/error.h"
#include "engine/comm/device_collectives.h"
#include "engine/comm/on_every_rank.h"
#include "engine/comm/peer_communicator.h"
#include "engine/comm/staged_communicator.h"
#include "engine/devices/open_device.h"
#include "engine/plan/device_placement.h"
#include "engine/spec/device_kind.h"

namespace slipstream {
namespace {

/// GPUs that do not reach each other go through the host.
std::unique_ptr<Communicator> withoutLibrary(const RunPlan& plan, Communicator& messages, Device& device) {
  if (chooseDeviceExchange(plan, false).exchange == DeviceExchange::peers) {
    if (auto peers = reachPeers(messages, device)) return peers;
  }
  return stageThroughHost(messages, device);
}

}  // namespace

std::unique_ptr<Device> openPlannedDevice(const RunPlan& plan, int rank, MemoryMeter& meter, Recording recording) {
  auto device = parseDeviceName(plan.experiment.device, "device").and_then([&](const DeviceName& name) {
    return openDevice(*name.kind, plan.places[static_cast<std::size_t>(rank)].deviceId, meter, recording);
  });
  if (!device) throw Error(toText(device.error()));
  return std::move(*device);
}

std::unique_ptr<Communicator> joinDevices(const RunPlan& plan, Communicator& messages, Device& device, Link& link) {
  if (!device.kind().ownMemory) return nullptr;
  const DeviceCollectives* library = collectivesOf(device.kind());
  const bool isThere = onEveryRank(library != nullptr && library->isThere().has_value(), messages);
  if (chooseDeviceExchange(plan, isThere).exchange != DeviceExchange::library) {
    return withoutLibrary(plan, messages, device);
  }
  try {
    return library->join(messages, device);
  } catch (const NotJoined& error) {
    auto otherwise = withoutLibrary(plan, messages, device);
    if (messages.rank() == 0) {
      link.event(EventLevel::warning, "device_exchange",
                 fmt::format("{} did not begin, so the ranks exchange by `{}`: slower, and with other bits ({})",
                             collectivesTitle(device.kind()), otherwise->route(), error.what()));
    }
    return otherwise;
  }
}

void leaveDevices(std::unique_ptr<Communicator> ofDevices, Communicator& messages, Device& device) {
  if (!ofDevices) return;
  device.synchronize();  // it may still be exchanging
  messages.barrier();
  ofDevices.reset();
  messages.barrier();
}

}  // namespace slipstream
