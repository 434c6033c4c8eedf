// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "engine/base/failure.h"
#include "engine/device/device.h"
#include "engine/npu/acl_queue.h"

namespace slipstream {

/// An NPU of this host as its runtime describes it.
struct Npu {
  int number = 0;
  std::string model;
  std::int64_t memoryBytes = 0;
};

/// All that this process may use, by number (ASCEND_RT_VISIBLE_DEVICES chooses among them); a failure where there is
/// none, or CANN is not installed.
Result<std::vector<Npu>> listNpus();

/// NPU number `id` of this host. A failure where listNpus has none such. To be used by the thread that opened it, and
/// throws Error where another one does. Started copies run beside the working stream and are kept in order by events.
Result<std::unique_ptr<Device>> openNpuDevice(int id, MemoryMeter& meter);

/// The queue of an NPU; throws Error where it is another device's.
AclQueue& aclQueueOf(Device& device);

}  // namespace slipstream
