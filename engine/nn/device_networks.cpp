// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/nn/device_networks.h"

#include <algorithm>
#include <array>

#include "engine/base/error.h"
#include "engine/nn/cuda/cuda_backend.h"

namespace slipstream {
namespace {

constexpr std::array<DeviceNetworks, 2> all{{
    {cpuKind, [](Device&) { return makeCpuBackend(); }, [](Device&) { return makeCpuLoss(); }, makeImageInput},
    {cudaKind, makeCudaBackend, makeCudaLoss, makeCudaImageInput},
}};

}  // namespace

const DeviceNetworks& networksOf(const Device& device) {
  const auto fits = [&](const DeviceNetworks& networks) { return &networks.kind() == &device.kind(); };
  const auto found = std::ranges::find_if(all, fits);
  if (found == all.end()) throw Error("no networks for the device " + device.kind().name);
  return *found;
}

}  // namespace slipstream
