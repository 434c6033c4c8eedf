// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include <cuda_runtime_api.h>

#include "engine/base/text.h"
#include "engine/cuda/cuda_check.h"

namespace slipstream {

/// Memory of the host that stays where it is, so that GPUs copy from and to it beside the host's work.
class PinnedMemory {
 public:
  explicit PinnedMemory(std::size_t bytes) : size_(bytes) {
    if (bytes == 0) return;
    checkCuda(cudaHostAlloc(&data_, bytes, cudaHostAllocDefault), "pin " + sizeText(bytes) + " of the host's memory");
  }
  ~PinnedMemory() {
    if (data_ != nullptr) cudaFreeHost(data_);
  }
  PinnedMemory(const PinnedMemory&) = delete;
  PinnedMemory& operator=(const PinnedMemory&) = delete;

  std::span<std::byte> bytes() { return {static_cast<std::byte*>(data_), size_}; }

 private:
  void* data_ = nullptr;
  std::size_t size_;
};

}  // namespace slipstream
