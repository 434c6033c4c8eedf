// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/nn/parameter_layout.h"

namespace slipstream {

/// Some whole rows of one tensor: neighbours in the flat space, and neighbours among the columns of a projection's
/// file.
struct ColumnBlock {
  Range flat;
  std::int64_t fileBegin = 0;
  std::int64_t channels = 1;  ///< inputs of a convolution, which are last in the flat space and first in the file
  std::int64_t taps = 1;      ///< height x width of its kernel; 1 for other tensors, whose rows are the same in both
};

/// Covers the flat space in its order, in blocks of at most `most` columns, or of one row. Columns of the file
/// (dim_reduce.pca_mat_path) are those of MindSpore's boost: tensors in forward order, convolutions [outputs, inputs,
/// height, width]. The flat space has tensors last to first, convolutions [outputs, height, width, inputs].
std::vector<ColumnBlock> columnBlocks(const ParameterLayout& layout, std::int64_t most);

/// One component's values of a block, from the file's order into the flat space's, and back.
void toFlatOrder(const ColumnBlock& block, std::span<float> values);
void toFileOrder(const ColumnBlock& block, std::span<float> values);

}  // namespace slipstream
