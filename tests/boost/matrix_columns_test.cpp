// SPDX-License-Identifier: GPL-3.0-or-later
// Where the columns of dim_reduce's matrix file stand in the flat space.
#include "engine/boost/dim_reduce/matrix_columns.h"

#include <numeric>

#include <gtest/gtest.h>

namespace slipstream {
namespace {

/// A convolution [2, 2, 1, 3], then a vector of 4: 16 columns. In the flat space the vector stands first.
ParameterLayout convolutionAndVector() {
  NetworkShape shape;
  shape.tensors = {{"conv.weight", {2, 2, 1, 3}, 0, 0, 0, {}}, {"fc.bias", {4}, 1, 0, 0, {}}};
  return ParameterLayout(shape);
}

/// The file's column of each place of the flat space, put together from blocks.
std::vector<float> fileColumns(const ParameterLayout& layout, std::int64_t most) {
  std::vector<float> places;
  for (const ColumnBlock& block : columnBlocks(layout, most)) {
    EXPECT_EQ(block.flat.begin, std::ssize(places)) << "blocks follow each other";
    std::vector<float> values(static_cast<std::size_t>(block.flat.size()));
    std::iota(values.begin(), values.end(), static_cast<float>(block.fileBegin));
    toFlatOrder(block, values);
    places.insert(places.end(), values.begin(), values.end());
  }
  return places;
}

TEST(MatrixColumns, AreMindSporesInTheFile) {
  // Output 0 of the convolution in the file: input 0 has columns 0 and 1 (its two taps), input 1 has 2, 3, input 2
  // 4, 5.
  const std::vector<float> expected{12, 13, 14, 15, 0, 2, 4, 1, 3, 5, 6, 8, 10, 7, 9, 11};
  EXPECT_EQ(fileColumns(convolutionAndVector(), 1000), expected);
  EXPECT_EQ(fileColumns(convolutionAndVector(), 6), expected) << "a row at a time";
  EXPECT_EQ(fileColumns(convolutionAndVector(), 1), expected) << "no fewer than a row";
}

TEST(MatrixColumns, ThereAndBackIsWhereTheyWere) {
  for (const ColumnBlock& block : columnBlocks(convolutionAndVector(), 1000)) {
    std::vector<float> values(static_cast<std::size_t>(block.flat.size()));
    std::iota(values.begin(), values.end(), 1.0F);
    const auto before = values;
    toFileOrder(block, values);
    toFlatOrder(block, values);
    EXPECT_EQ(values, before);
  }
}

}  // namespace
}  // namespace slipstream
