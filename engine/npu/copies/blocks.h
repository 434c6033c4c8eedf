// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>

namespace slipstream {

/// Bytes that a block of the copying kernel (npu_kernels.cpp) moves at a time: two pieces are in the unified buffer.
inline constexpr std::int32_t npuCopyPiece = 32'768;

/// As many blocks as gain something, of so many vector cores.
inline unsigned npuCopyBlocks(std::size_t bytes, unsigned vectorCores) {
  const std::size_t pieces = (bytes + npuCopyPiece - 1) / npuCopyPiece;
  return pieces < vectorCores ? static_cast<unsigned>(pieces) : vectorCores;
}

}  // namespace slipstream
