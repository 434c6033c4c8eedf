// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cstring>

#include "engine/base/error.h"
#include "engine/cuda/upload_ring.h"
#include "engine/device/device.h"

namespace slipstream {

void UploadRing::copy(std::span<std::byte> to, std::span<const std::byte> from, cudaStream_t stream) {
  if (to.size() != from.size()) throw Error("a copy between buffers of different sizes");
  while (!from.empty()) {
    refuseWhileRecording("copy to the GPU");
    const auto room = this->room(stream);
    const std::size_t part = std::min(room.size(), from.size());
    std::memcpy(room.data(), from.data(), part);
    checkCuda(cudaMemcpyAsync(to.data(), room.data(), part, cudaMemcpyHostToDevice, stream), "copy to the GPU");
    used_ += part;
    to = to.subspan(part);
    from = from.subspan(part);
  }
}

/// The rest of the half that is being filled; of the other one, once the GPU has taken what was there, where this one
/// is full.
std::span<std::byte> UploadRing::room(cudaStream_t stream) {
  if (!memory_) memory_.emplace(2 * halfBytes);
  if (used_ == halfBytes) {
    left_[half_].record(stream);
    half_ = 1 - half_;
    left_[half_].wait();  // an event that was never recorded is over
    used_ = 0;
  }
  return memory_->bytes().subspan(half_ * halfBytes + used_, halfBytes - used_);
}

}  // namespace slipstream
