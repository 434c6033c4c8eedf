// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/statistics/confusion_matrix.h"

#include <gtest/gtest.h>

namespace slipstream {
namespace {

/// Three classes: of 4 samples of class 0, three are recognised and one is taken for class 2; both of class 1 are taken
/// for class 0; class 2 has no sample.
ConfusionMatrix threeClasses() {
  ConfusionMatrix matrix(3);
  for (int i = 0; i < 3; ++i) matrix.add(0, 0);
  matrix.add(0, 2);
  matrix.add(1, 0);
  matrix.add(1, 0);
  return matrix;
}

TEST(ConfusionMatrix, RowsAreLabelsAndColumnsPredictions) {
  const ConfusionMatrix matrix = threeClasses();
  EXPECT_EQ(matrix.count(0, 0), 3);
  EXPECT_EQ(matrix.count(0, 2), 1);
  EXPECT_EQ(matrix.count(2, 0), 0);
  EXPECT_EQ(matrix.count(1, 0), 2);
  EXPECT_EQ(matrix.count(0, 1), 0);
}

TEST(ConfusionMatrix, PrecisionIsOfAColumnAndRecallOfARow) {
  const ConfusionMatrix matrix = threeClasses();
  EXPECT_EQ(matrix.precision(0), 3.0 / 5);
  EXPECT_EQ(matrix.recall(0), 3.0 / 4);
  EXPECT_EQ(matrix.recall(1), 0.0);
  EXPECT_EQ(matrix.precision(2), 0.0);
}

TEST(ConfusionMatrix, WhereNothingIsCountedNothingIsKnown) {
  const ConfusionMatrix matrix = threeClasses();
  EXPECT_EQ(matrix.precision(1), std::nullopt) << "nothing was taken for class 1";
  EXPECT_EQ(matrix.recall(2), std::nullopt) << "no sample is of class 2";
}

}  // namespace
}  // namespace slipstream
