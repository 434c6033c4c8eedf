#pragma once

#include <optional>

#include "engine/train/trainer.h"
#include "tests/support/locked_device.h"
#include "tests/train/memory_link.h"

namespace slipstream::test {

/// What a locked device trains with: the CPU's kernels, which unlock its memory while they run, and the CPU's networks
/// and losses, which take samples, weights and gradients from there and leave there what they make. One device a
/// thread.
TrainingTools lockedTools(LockedDevice& device);
using ToolsOfLockedDevice = TrainingTools (*)(LockedDevice& device);

/// trainRanks (tests/train/thread_run.h) with weights, gradients and everything beside them in memory that ends the
/// process when code of the host touches it, and which travels through the host in chunks.
void trainLockedRanks(MemoryStore& store, const RunPlan& plan, std::optional<std::int64_t> fromStep = std::nullopt,
                      ToolsOfLockedDevice tools = lockedTools);

}  // namespace slipstream::test
