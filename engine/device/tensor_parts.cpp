// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/device/tensor_parts.h"

#include <algorithm>
#include <limits>

#include "engine/base/error.h"

namespace slipstream {
namespace {

constexpr std::size_t most = std::numeric_limits<std::uint32_t>::max();

/// As many whole rows as a chunk holds, at least one.
std::size_t cutOf(const TensorPart& part) {
  if (part.row == 0) return chunkElements;
  if (part.row > most) throw Error("a row of a tensor is longer than a device's kernels can take");
  if (part.elements % part.row != 0) throw Error("a part of a tensor does not hold whole rows");
  return std::max<std::size_t>(1, chunkElements / part.row) * part.row;
}

}  // namespace

ChunkTable chunksOf(std::span<const TensorPart> parts) {
  ChunkTable table;
  for (std::size_t p = 0; p < parts.size(); ++p) {
    const TensorPart& part = parts[p];
    const std::size_t cut = cutOf(part);
    table.first.push_back(static_cast<std::uint32_t>(table.chunks.size()));
    for (std::size_t done = 0; done < part.elements; done += cut) {
      table.chunks.push_back({part.start + done, static_cast<std::uint32_t>(std::min(cut, part.elements - done)),
                              static_cast<std::uint32_t>(p), static_cast<std::uint32_t>(part.row)});
    }
    if (table.chunks.size() > most) throw Error("there are more elements than a device's kernels can take");
  }
  table.first.push_back(static_cast<std::uint32_t>(table.chunks.size()));
  return table;
}

}  // namespace slipstream
