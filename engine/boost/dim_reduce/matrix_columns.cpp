// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/boost/dim_reduce/matrix_columns.h"

#include <algorithm>

namespace slipstream {
namespace {

void addBlocks(const FlatTensor& tensor, std::int64_t fileBegin, std::int64_t most, std::vector<ColumnBlock>& blocks) {
  const auto& shape = tensor.spec.shape;
  const bool isConvolution = shape.size() == 4;
  const std::int64_t row = tensor.range.size() / shape.front();
  const std::int64_t step = std::max<std::int64_t>(1, most / row) * row;
  for (std::int64_t begin = 0; begin < tensor.range.size(); begin += step) {
    const std::int64_t end = std::min(begin + step, tensor.range.size());
    blocks.push_back({{tensor.range.begin + begin, tensor.range.begin + end},
                      fileBegin + begin,
                      isConvolution ? shape[3] : 1,
                      isConvolution ? shape[1] * shape[2] : 1});
  }
}

/// Of each [rows, columns] in turn: its transpose.
void transposeEach(std::int64_t rows, std::int64_t columns, std::span<float> values) {
  if (rows == 1 || columns == 1) return;
  std::vector<float> turned(static_cast<std::size_t>(rows * columns));
  for (auto at = values.begin(); at != values.end(); at += std::ssize(turned)) {
    for (std::int64_t i = 0; i < std::ssize(turned); ++i) {
      turned[static_cast<std::size_t>(i)] = at[i % rows * columns + i / rows];
    }
    std::ranges::copy(turned, at);
  }
}

}  // namespace

std::vector<ColumnBlock> columnBlocks(const ParameterLayout& layout, std::int64_t most) {
  std::vector<ColumnBlock> blocks;
  for (const FlatTensor& tensor : layout.tensors()) {
    addBlocks(tensor, layout.size() - tensor.range.end, most, blocks);
  }
  return blocks;
}

void toFlatOrder(const ColumnBlock& block, std::span<float> values) {
  transposeEach(block.channels, block.taps, values);
}

void toFileOrder(const ColumnBlock& block, std::span<float> values) {
  transposeEach(block.taps, block.channels, values);
}

}  // namespace slipstream
