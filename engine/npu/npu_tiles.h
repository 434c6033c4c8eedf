// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "engine/device/tensor_segments.h"
#include "engine/npu/kernels/agreed_numbers.h"
#include "engine/npu/npu_queue.h"

namespace slipstream {

/// What a kernel of the NPU works on at a time, as kernels read it (Tile in kernels/transfers.h).
struct NpuTile {
  std::uint64_t start;  ///< from where the vectors' pointers point to
  std::uint32_t elements;
  std::uint32_t of;  ///< the segment's index, or whatever else a kernel's description says
};

/// Elements of a tile, unless its segment ends before.
inline constexpr std::size_t npuTileElements = slipstream_npu::tileElements;

/// Cuts segments into tiles that depend on nothing but the segments, so that sums by tile come out the same wherever a
/// vector begins. Throws Error where there are more tiles than 32 bits count.
std::vector<NpuTile> npuTilesOf(std::span<const TensorSegment> segments);

/// Segments whose tiles stay on the device.
class NpuSegmentPlan final : public SegmentPlan {
 public:
  NpuSegmentPlan(NpuQueue& queue, std::span<const TensorSegment> segments, std::vector<NpuTile> tiles);
  std::span<const NpuTile> tiles() const { return tiles_; }
  const NpuTile* onDevice() const { return reinterpret_cast<const NpuTile*>(memory_->data()); }

 private:
  std::vector<NpuTile> tiles_;
  std::unique_ptr<NpuMemory> memory_;
};

/// The queue of an NPU or its twin.
inline NpuQueue& npuQueue(DeviceQueue& queue) {
  return static_cast<NpuQueue&>(queue);
}

/// Of a plan that an NPU's table made.
inline const NpuSegmentPlan& npuPlan(const SegmentPlan& plan) {
  return static_cast<const NpuSegmentPlan&>(plan);
}

/// As many blocks as gain something: of `parts` pieces of work.
unsigned npuBlocksFor(const NpuQueue& queue, std::size_t parts);
/// The same of the kernel that copies bytes.
inline unsigned npuBlocksForCopy(const NpuQueue& queue, std::size_t bytes) {
  return npuBlocksFor(queue, (bytes + slipstream_npu::copyPieceBytes - 1) / slipstream_npu::copyPieceBytes);
}

/// Several tables in the queue's scratch memory, each aligned to 512 bytes.
class NpuScratch {
 public:
  explicit NpuScratch(NpuQueue& queue) : queue_(queue) {}
  /// Notes a table, which is there once take() was called. The values must live until then.
  template <class T>
  std::size_t upload(std::span<const T> values) {
    return add(values.size_bytes(), std::as_bytes(values));
  }
  std::size_t room(std::size_t bytes) { return add(bytes, {}); }
  void take();
  std::byte* at(std::size_t table) const { return memory_ + tables_[table].offset; }

 private:
  struct Table {
    std::size_t offset;
    std::span<const std::byte> values;
  };
  std::size_t add(std::size_t bytes, std::span<const std::byte> values);

  NpuQueue& queue_;
  std::vector<Table> tables_;
  std::size_t bytes_ = 0;
  std::byte* memory_ = nullptr;
};

/// The addresses as kernels read them.
template <class T>
std::vector<std::uint64_t> npuAddresses(std::span<T* const> vectors) {
  std::vector<std::uint64_t> addresses;
  for (const T* vector : vectors) addresses.push_back(reinterpret_cast<std::uintptr_t>(vector));
  return addresses;
}

/// Floats of the device.
std::vector<float> npuDownload(NpuQueue& queue, const float* values, std::size_t count);

}  // namespace slipstream
