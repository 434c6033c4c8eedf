// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>

#include "engine/train/trainer.h"
#include "tests/support/protected_device.h"
#include "tests/train/support/memory_link.h"

namespace slipstream::test {

/// What a protected device trains with: the CPU's kernels, which unlock its memory while they run, and the CPU's
/// networks and losses, which take samples, weights and gradients from there and leave there what they make. One device
/// a thread.
TrainingTools protectedTools(ProtectedDevice& device);

struct ProtectedRun {
  std::optional<std::int64_t> fromStep = std::nullopt;
  TrainingTools (*tools)(ProtectedDevice& device) = protectedTools;
  bool records = true;  ///< the devices gain from recordings
};

/// What the device of rank 0 did of a run.
struct ProtectedWork {
  int recordings = 0;
  int launches = 0;
};

/// trainRanks (tests/train/support/thread_run.h) with weights, gradients and everything beside them in memory that ends
/// the process when code of the host touches it, and which travels through the host in chunks.
ProtectedWork trainProtectedRanks(MemoryStore& store, const RunPlan& plan, const ProtectedRun& run = {});

}  // namespace slipstream::test
