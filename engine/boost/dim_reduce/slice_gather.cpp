// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/boost/dim_reduce/slice_gather.h"

namespace slipstream {

SliceGather::SliceGather(Communicator& communicator, Device& device, const VectorKernels& kernels, ColumnSlices slices)
    : communicator_(communicator), device_(device), kernels_(kernels), slices_(slices) {
  const std::size_t bytes = static_cast<std::size_t>(slices.width()) * sizeof(float);
  if (communicator.size() > 1) shared_ = communicator.allocateShared(2 * bytes);
  if (shared_) {
    device.memory().add(MemoryCategory::boost, static_cast<std::int64_t>(2 * bytes));
  } else {
    buffer_ = device.allocate(bytes, MemoryCategory::boost);
  }
}

SliceGather::~SliceGather() {
  if (!shared_) return;
  device_.memory().add(MemoryCategory::boost, -2 * slices_.width() * static_cast<std::int64_t>(sizeof(float)));
}

std::span<float> SliceGather::mine() {
  return sliceOf(communicator_.rank());
}

std::span<float> SliceGather::sliceOf(int rank) {
  const auto size = static_cast<std::size_t>(slices_.of(rank).size());
  if (!shared_) return buffer_->as<float>().first(size);
  auto* const start = reinterpret_cast<float*>(shared_->part(rank).data());
  return {start + half_ * slices_.width(), size};
}

void SliceGather::gather(std::span<float> whole) {
  const bool shared = shared_ != nullptr;
  if (shared) communicator_.barrier();
  std::vector<std::size_t> offsets{0};
  for (int rank = 0; rank < slices_.ranks; ++rank) {
    const Range slice = slices_.of(rank);
    offsets.push_back(static_cast<std::size_t>(slice.end) * sizeof(float));
    if (shared || rank == communicator_.rank()) {
      kernels_.copy(device_.queue(), sliceOf(rank),
                    whole.subspan(static_cast<std::size_t>(slice.begin), static_cast<std::size_t>(slice.size())));
    }
  }
  if (shared) {
    half_ = 1 - half_;
  } else if (slices_.ranks > 1) {
    communicator_.allGatherInPlace(std::as_writable_bytes(whole), offsets);
  }
}

}  // namespace slipstream
