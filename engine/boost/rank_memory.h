// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "engine/comm/communicator.h"
#include "engine/device/device.h"
#include "engine/spec/host_layout.h"

namespace slipstream {

/// Gradients or weights that ranks exchange: in memory that all ranks of a host share, so that nothing is packed or
/// copied there; else in the rank's own memory.
class RankMemory {
 public:
  /// Collective. `share` false: own memory in any case. `hosts`: where ranks are on several, those of each share memory
  /// if all hosts have some.
  RankMemory(Communicator& communicator, const HostLayout& hosts, Device& device, std::int64_t elements,
             MemoryCategory category, bool share);
  ~RankMemory();
  RankMemory(const RankMemory&) = delete;
  RankMemory& operator=(const RankMemory&) = delete;

  /// All ranks are on one host and share memory.
  bool shared() const { return shared_ != nullptr && hosts_.oneHost(); }
  /// Asked for, but the ranks of a host do not share it, or its shared memory is too small.
  bool lacksSharedMemory() const { return wantsSharedMemory_ && ofHost_.empty(); }
  std::span<float> own() const { return own_; }
  /// Every rank's memory, in rank order; empty unless shared().
  const std::vector<std::span<float>>& all() const { return hosts_.oneHost() ? ofHost_ : none_; }

  /// The layout by which ranks share memory; of one host where there are several that do not.
  const HostLayout& hosts() const { return hosts_; }
  /// The memory of the ranks of this rank's host, in their order; empty where they share none.
  const std::vector<std::span<float>>& ofHost() const { return ofHost_; }
  /// The memory of those of `ranks` that share it with this rank, in their order; where none do, this rank's own.
  std::vector<std::span<float>> visible(const std::vector<int>& ranks) const;

 private:
  void shareOnHost(Communicator& communicator, std::size_t bytes);

  Device& device_;
  MemoryCategory category_;
  HostLayout hosts_;
  bool wantsSharedMemory_;
  std::unique_ptr<SharedBuffer> shared_;
  std::unique_ptr<Buffer> buffer_;
  std::span<float> own_;
  std::vector<std::span<float>> ofHost_;
  std::vector<std::span<float>> none_;
  int rank_;
};

}  // namespace slipstream
