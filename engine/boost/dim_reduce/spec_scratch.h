// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <cstddef>

namespace slipstream {

/// Blocks of a GPU that add up products of rows at a time, whatever the GPU, so that all add in one order: enough for
/// the largest of today.
inline constexpr unsigned gramBlocks = 512;
/// Columns that a block takes in one go.
inline constexpr std::size_t gramColumns = 512;
/// Columns whose mean is held at a time.
inline constexpr std::size_t meanColumns = gramBlocks * gramColumns;

/// What a GPU holds while it multiplies rows with each other (DimReduceKernels::addCentredGram): the same however long
/// the rows are.
struct GramScratch {
  unsigned pairs;       ///< of stretches of rows
  unsigned blocks;      ///< a pair
  std::size_t entries;  ///< of the squares of all pairs

  /// The totals, each block's share of them, and the mean of some columns.
  constexpr std::size_t bytes() const { return (entries * (blocks + 1) + meanColumns) * sizeof(double); }
};

/// For rows in stretches of 64, or of 32 where there are no more.
constexpr GramScratch gramScratch(std::size_t rows) {
  const std::size_t side = rows <= 32 ? 32 : 64;
  const std::size_t stretches = (rows + side - 1) / side;
  const auto pairs = static_cast<unsigned>(stretches * (stretches + 1) / 2);
  return {pairs, std::max(1U, gramBlocks / std::max(1U, pairs)), pairs * side * side};
}

}  // namespace slipstream
