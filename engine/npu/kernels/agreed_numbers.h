// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

/// Numbers on which kernels of NPUs and the host, which launches them and reads what they leave, must agree. Both
/// include this, and Huawei's compiler reads it too: it is plain C++ and includes nothing of the engine's.
namespace slipstream_npu {

constexpr std::int32_t lanes = 8;  ///< floats in a block of 32 bytes

/// Floats of a tile, and of one in kernels that need little memory beside it.
constexpr std::int32_t tileElements = 2048;
constexpr std::int32_t wideTileElements = 4096;

/// Floats that are kept of a sum, or of a coefficient, and of one with twice a double's digits.
constexpr std::uint32_t sumParts = 2;
constexpr std::uint32_t exactSumParts = 4;
/// Floats that a tile leaves of a sum of `sumParts`: it is folded until there is one block of each part.
constexpr std::int32_t foldedFloats = static_cast<std::int32_t>(sumParts) * lanes;

/// Of a float, the bits of its upper half: products of halves are exact.
constexpr std::uint32_t upperHalfBits = 0xfffff000U;

/// Bytes that a block of the copying kernel moves at a time; two pieces are in the unified buffer.
constexpr std::int32_t copyPieceBytes = 32768;

/// Adasum: what fits into the kernel's list of scales.
constexpr std::uint32_t mostLeaves = 64;

/// The optimizer, in a tile's `of`: the tile is a row whose mean is taken out. The other bits are the segment.
constexpr std::uint32_t isRow = 0x80000000U;
/// Floats from one segment's numbers to the next one's.
constexpr std::uint32_t stepNumberFloats = 16;
/// As WeightCopy counts.
enum WeightCopyNumber : std::uint32_t { noCopy = 0, float16Copy = 1, bfloat16Copy = 2 };

}  // namespace slipstream_npu
