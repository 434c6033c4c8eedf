// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/devices/open_device.h"

#include <algorithm>
#include <array>

#include "engine/cuda/cuda_device.h"
#include "engine/device/cpu_device.h"
#include "engine/npu/npu_device.h"
#include "engine/npu/twin/twin_device.h"

namespace slipstream {
namespace {

using Open = Result<std::unique_ptr<Device>> (*)(int id, MemoryMeter& meter, Recording recording);
using List = Result<std::vector<FoundDevice>> (*)();

/// How devices of a kind are opened and, where they have numbers, found.
struct Opener {
  const DeviceKind& (*kind)();
  Open open;
  List list = nullptr;
};

Result<std::vector<FoundDevice>> foundOf(const auto& listed) {
  if (!listed) return tl::unexpected(listed.error());
  std::vector<FoundDevice> found;
  for (const auto& device : *listed) found.push_back({device.number, device.model, device.memoryBytes});
  return found;
}

constexpr std::array<Opener, 4> openers{{
    {cpuKind,
     [](int, MemoryMeter& meter, Recording) -> Result<std::unique_ptr<Device>> { return openCpuDevice(meter); }},
    {cudaKind, openCudaDevice, [] { return foundOf(listCudaGpus()); }},
    {npuKind, [](int id, MemoryMeter& meter, Recording) { return openNpuDevice(id, meter); },
     [] { return foundOf(listNpus()); }},
    {npuTwinKind, [](int id, MemoryMeter& meter, Recording) { return openTwinDevice(id, meter); }},
}};

const Opener* openerOf(const DeviceKind& kind) {
  const auto opens = [&](const Opener& opener) { return &opener.kind() == &kind; };
  const auto opener = std::ranges::find_if(openers, opens);
  return opener == openers.end() ? nullptr : &*opener;
}

Failures unknownHere(const DeviceKind& kind) {
  return {{"device", kind.name, "this build opens no such device", ""}};
}

}  // namespace

void offerTheCpu(Failures& failures) {
  std::string& remedy = failures.back().remedy;
  remedy += remedy.empty() ? "use cpu" : "; or use cpu";
}

Result<std::vector<FoundDevice>> listDevices(const DeviceKind& kind) {
  const Opener* opener = openerOf(kind);
  if (opener == nullptr || opener->list == nullptr) return tl::unexpected(unknownHere(kind));
  return opener->list();
}

Result<std::unique_ptr<Device>> openDevice(const DeviceKind& kind, int id, MemoryMeter& meter, Recording recording) {
  const Opener* opener = openerOf(kind);
  auto opened = opener != nullptr ? opener->open(id, meter, recording) : tl::unexpected(unknownHere(kind));
  if (!opened) offerTheCpu(opened.error());
  return opened;
}

}  // namespace slipstream
