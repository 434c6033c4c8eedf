// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/device/tensor_segments.h"

#include <algorithm>
#include <limits>

#include "engine/base/error.h"

namespace slipstream {
namespace {

constexpr std::size_t most = std::numeric_limits<std::uint32_t>::max();

/// As many whole rows as a chunk holds, at least one.
std::size_t cutOf(const TensorSegment& segment) {
  if (segment.row == 0) return chunkElements;
  if (segment.row > most) throw Error("a row of a tensor is longer than a device's kernels can take");
  if (segment.elements % segment.row != 0) throw Error("a part of a tensor does not hold whole rows");
  return std::max<std::size_t>(1, chunkElements / segment.row) * segment.row;
}

}  // namespace

ChunkTable chunksOf(std::span<const TensorSegment> segments) {
  ChunkTable table;
  for (std::size_t p = 0; p < segments.size(); ++p) {
    const TensorSegment& segment = segments[p];
    const std::size_t cut = cutOf(segment);
    table.first.push_back(static_cast<std::uint32_t>(table.chunks.size()));
    for (std::size_t done = 0; done < segment.elements; done += cut) {
      table.chunks.push_back({segment.start + done, static_cast<std::uint32_t>(std::min(cut, segment.elements - done)),
                              static_cast<std::uint32_t>(p), static_cast<std::uint32_t>(segment.row)});
    }
    if (table.chunks.size() > most) throw Error("there are more elements than a device's kernels can take");
  }
  table.first.push_back(static_cast<std::uint32_t>(table.chunks.size()));
  return table;
}

}  // namespace slipstream
