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

struct Opener {
  const DeviceKind& (*kind)();
  Open open;
};

constexpr std::array<Opener, 4> openers{{
    {cpuKind,
     [](int, MemoryMeter& meter, Recording) -> Result<std::unique_ptr<Device>> { return openCpuDevice(meter); }},
    {cudaKind, openCudaDevice},
    {npuKind, [](int id, MemoryMeter& meter, Recording) { return openNpuDevice(id, meter); }},
    {npuTwinKind, [](int id, MemoryMeter& meter, Recording) { return openTwinDevice(id, meter); }},
}};

}  // namespace

void offerTheCpu(Failures& failures) {
  std::string& remedy = failures.back().remedy;
  remedy += remedy.empty() ? "use cpu" : "; or use cpu";
}

Result<std::unique_ptr<Device>> openDevice(const DeviceKind& kind, int id, MemoryMeter& meter, Recording recording) {
  const auto opens = [&](const Opener& opener) { return &opener.kind() == &kind; };
  const auto opener = std::ranges::find_if(openers, opens);
  if (opener == openers.end()) return fail("device", kind.name, "this build opens no such device", "use cpu");
  auto opened = opener->open(id, meter, recording);
  if (!opened) offerTheCpu(opened.error());
  return opened;
}

}  // namespace slipstream
