// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "engine/device/device_queue.h"

namespace slipstream {

/// Consecutive elements of one tensor in some flat vectors.
struct TensorSegment {
  std::size_t start = 0;  ///< from where the vectors' pointers point to
  std::size_t elements = 0;
  std::size_t tensor = 0;  ///< index into the tables of a call
  std::size_t row = 0;     ///< length of its rows, of which a segment holds whole ones; 0: it has none
};

/// What one block of a device's threads works on: consecutive elements of one segment.
struct Chunk {
  std::uint64_t start;
  std::uint32_t elements;
  std::uint32_t segment;  ///< index into the segments
  std::uint32_t row;
  std::uint32_t unused = 0;
};

/// Elements of a chunk, unless its segment ends before or one of its rows is longer.
inline constexpr std::size_t chunkElements = 16'384;

struct ChunkTable {
  std::vector<Chunk> chunks;         ///< in the order of the segments, and of the elements of each
  std::vector<std::uint32_t> first;  ///< first chunk of every segment, then the number of chunks
};

/// Cuts segments into chunks: none crosses a segment or cuts a row, and together they hold every element once. They
/// depend on nothing but the segments, so that sums by chunk come out the same on every device. Throws Error where a
/// segment does not hold whole rows, or where there are more chunks, or elements in a row, than 32 bits count.
ChunkTable chunksOf(std::span<const TensorSegment> segments);

/// Segments prepared once for a device, which then works on all of them in one go at every step.
class SegmentPlan {
 public:
  explicit SegmentPlan(std::vector<TensorSegment> segments) : segments_(std::move(segments)) {}
  virtual ~SegmentPlan() = default;
  SegmentPlan(const SegmentPlan&) = delete;
  SegmentPlan& operator=(const SegmentPlan&) = delete;
  std::span<const TensorSegment> segments() const { return segments_; }

 private:
  std::vector<TensorSegment> segments_;
};

/// Of devices that work on one segment after the other.
inline std::unique_ptr<SegmentPlan> makeSegmentPlan(DeviceQueue&, std::span<const TensorSegment> segments) {
  return std::make_unique<SegmentPlan>(std::vector(segments.begin(), segments.end()));
}

}  // namespace slipstream
