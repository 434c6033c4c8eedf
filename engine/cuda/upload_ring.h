// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <span>

#include "engine/cuda/pinned_memory.h"
#include "engine/cuda/stream.h"

namespace slipstream {

/// Pinned memory of the host that small copies to a GPU leave from. Of pageable memory it is not documented that the
/// runtime has taken it when an asynchronous copy returns: a GPU that reads the host's memory itself may come later.
class UploadRing {
 public:
  /// Behind what `stream`, always the same, was given; `from` may change as soon as it returns. Waits only where the
  /// ring is full of what the GPU has not taken yet. Throws Error where this thread records.
  void copy(std::span<std::byte> to, std::span<const std::byte> from, cudaStream_t stream);

 private:
  static constexpr std::size_t halfBytes = std::size_t{256} << 10;

  std::span<std::byte> room(cudaStream_t stream);

  std::optional<PinnedMemory> memory_;  ///< two halves; when it is first needed
  std::array<CudaEvent, 2> left_;       ///< behind the copies out of each half
  std::size_t half_ = 0;
  std::size_t used_ = 0;  ///< of the half that is being filled
};

}  // namespace slipstream
