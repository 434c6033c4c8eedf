// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "engine/comm/communicator.h"
#include "engine/device/device.h"

namespace slipstream {

/// Gradients or weights that ranks exchange: in memory that all ranks share where they are on one host, so that nothing
/// is packed or copied; else in the rank's own memory.
class RankMemory {
 public:
  /// Collective. `share` false: own memory in any case.
  RankMemory(Communicator& communicator, Device& device, std::int64_t elements, MemoryCategory category, bool share);
  ~RankMemory();
  RankMemory(const RankMemory&) = delete;
  RankMemory& operator=(const RankMemory&) = delete;

  bool shared() const { return shared_ != nullptr; }
  /// Asked for, but the ranks do not share a host, or its shared memory is too small.
  bool lacksSharedMemory() const { return wantsSharedMemory_ && !shared(); }
  std::span<float> own() const { return own_; }
  /// Every rank's memory, in rank order; empty unless shared().
  const std::vector<std::span<float>>& all() const { return all_; }

 private:
  Device& device_;
  MemoryCategory category_;
  bool wantsSharedMemory_;
  std::unique_ptr<SharedBuffer> shared_;
  std::unique_ptr<Buffer> buffer_;
  std::span<float> own_;
  std::vector<std::span<float>> all_;
};

}  // namespace slipstream
