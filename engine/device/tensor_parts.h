// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace slipstream {

/// A run of elements inside one tensor of some flat vectors.
struct TensorPart {
  std::size_t start = 0;  ///< from where the vectors' pointers point to
  std::size_t elements = 0;
  std::size_t tensor = 0;  ///< what the tables of a call are indexed by
  std::size_t row = 0;     ///< length of the rows that belong together, of which a part holds whole ones; 0: of none
};

/// What one block of a device's threads works on: a stretch of one part.
struct Chunk {
  std::uint64_t start;
  std::uint32_t elements;
  std::uint32_t part;  ///< index into the parts
  std::uint32_t row;
  std::uint32_t unused = 0;
};

/// Elements of a chunk, unless its part ends before or one of its rows is longer.
inline constexpr std::size_t chunkElements = 16'384;

struct ChunkTable {
  std::vector<Chunk> chunks;         ///< in the order of the parts, and of the elements of each
  std::vector<std::uint32_t> first;  ///< first chunk of every part, and behind them the number of chunks
};

/// Cuts parts into chunks: none crosses a part or cuts a row, and together they hold every element once. They depend on
/// nothing but the parts, so that sums by chunk come out the same on every device. Throws Error where a part does not
/// hold whole rows, or where there are more chunks, or elements in a row, than 32 bits count.
ChunkTable chunksOf(std::span<const TensorPart> parts);

/// Parts that a device was told of once, to work on all of them in one go at every step.
class PartPlan {
 public:
  explicit PartPlan(std::vector<TensorPart> parts) : parts_(std::move(parts)) {}
  virtual ~PartPlan() = default;
  PartPlan(const PartPlan&) = delete;
  PartPlan& operator=(const PartPlan&) = delete;
  std::span<const TensorPart> parts() const { return parts_; }

 private:
  std::vector<TensorPart> parts_;
};

/// Of devices that take one part after the other.
inline std::unique_ptr<PartPlan> makePartPlan(std::span<const TensorPart> parts) {
  return std::make_unique<PartPlan>(std::vector(parts.begin(), parts.end()));
}

}  // namespace slipstream
