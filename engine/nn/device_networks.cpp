// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/nn/device_networks.h"

#include <algorithm>
#include <array>

#include "engine/base/error.h"
#include "engine/nn/cuda/cuda_backend.h"
#include "engine/nn/npu/npu_backend.h"

namespace slipstream {
namespace {

constexpr DeviceNetworks ofHostMemory{[] { return Failures(); }, [](Device&) { return makeCpuBackend(); },
                                      [](Device&) { return makeCpuLoss(); }, makeImageInput};

/// Of kinds whose memory is their own; the others compute their layers on the CPU.
struct NetworksOfKind {
  const DeviceKind& (*kind)();
  DeviceNetworks networks;
};
constexpr std::array<NetworksOfKind, 2> ofOwnMemory{{
    {cudaKind, {missingCudaLibraries, makeCudaBackend, makeCudaLoss, makeCudaImageInput}},
    {npuKind, {missingNpuLibraries, makeNpuBackend, makeNpuLoss, makeNpuImageInput}},
}};

}  // namespace

const DeviceNetworks& networksOf(const DeviceKind& kind) {
  if (!kind.ownMemory) return ofHostMemory;
  const auto found = std::ranges::find_if(ofOwnMemory, [&](const NetworksOfKind& one) { return &one.kind() == &kind; });
  if (found == ofOwnMemory.end()) throw Error("no networks for the device " + kind.name);
  return found->networks;
}

}  // namespace slipstream
