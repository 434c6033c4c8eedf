// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/device/open_device.h"

#include "engine/device/cpu/cpu_device.h"
#include "engine/device/cuda/cuda_device.h"

namespace slipstream {

Result<std::unique_ptr<Device>> openDevice(const std::string& name, int id, MemoryMeter& meter, Recording recording) {
  if (name == "cpu") return openCpuDevice(meter);
  if (name == "cuda") return openCudaDevice(id, meter, recording);
  return fail("device", name, "no such kind of device", "use cpu or cuda");
}

}  // namespace slipstream
