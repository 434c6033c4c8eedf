// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/boost/dim_reduce/kernels.h"
#include "engine/boost/dim_reduce/spec_scratch.h"
#include "tests/kernels/kernels_fixture.h"

namespace slipstream {
namespace {

using namespace test;

class DimReduceOn : public Kernels {
 protected:
  const DimReduceKernels& kernels() const {
    return tableOf(cpuDimReduceKernels, cudaDimReduceKernels, npuDimReduceKernels);
  }
};
SLIPSTREAM_ON_ALL_DEVICES(DimReduceOn);

/// Rows with a few elements between them that belong to none.
struct Matrix {
  Matrix(Device& device, std::size_t rows, std::size_t columns, std::size_t gap, std::size_t offset)
      : stride(columns + gap), values(randomValues(rows * stride, rows)), vector(device, values, offset) {}
  float at(std::size_t row, std::size_t column) const { return values[row * stride + column]; }

  std::size_t stride;
  std::vector<float> values;
  DeviceVector<float> vector;
};

struct Case {
  std::size_t rows;
  std::size_t columns;
  std::size_t gap;
  std::size_t offset;
};
constexpr std::array<Case, 8> cases{{{1, 1, 0, 0},
                                     {7, 5, 3, 0},
                                     {16, 1024, 16, 0},
                                     {17, 1027, 1, 1},
                                     {32, 16'385, 15, 0},
                                     {33, 33, 3, 2},
                                     {1, 40'003, 0, 0},
                                     {60, 4096, 0, 0}}};

std::string textOf(const Case& c) {
  return std::to_string(c.rows) + " x " + std::to_string(c.columns) + " at " + std::to_string(c.offset);
}

TEST_P(DimReduceOn, ProjectsAsAReferenceDoes) {
  for (const Case& c : cases) {
    Matrix matrix(device(), c.rows, c.columns, c.gap, c.offset);
    const auto values = randomValues(c.columns, 9);
    DeviceVector<float> vector(device(), values, c.offset);
    std::vector<double> found(c.rows + 1, -7777);
    kernels().project(queue(), {matrix.vector.data(), c.rows, matrix.stride}, vector.data(), c.columns, found.data());
    for (std::size_t row = 0; row < c.rows; ++row) {
      long double expected = 0;
      for (std::size_t i = 0; i < c.columns; ++i) expected += static_cast<long double>(matrix.at(row, i)) * values[i];
      ASSERT_NEAR(found[row], static_cast<double>(expected), static_cast<double>(c.columns) * promised(1e-14))
          << textOf(c);
    }
    EXPECT_EQ(found.back(), -7777);
  }
}

TEST_P(DimReduceOn, ProjectsBackInTheOrderOfTheRows) {
  for (const Case& c : cases) {
    Matrix matrix(device(), c.rows, c.columns, c.gap, c.offset);
    const auto coefficients = randomValues<double>(c.rows, 3);
    DeviceVector<float> vector(device(), std::vector<float>(c.columns, 5), c.offset);
    kernels().backProject(queue(), {matrix.vector.data(), c.rows, matrix.stride}, coefficients.data(), vector.data(),
                          c.columns);
    std::vector<float> expected;
    for (std::size_t i = 0; i < c.columns; ++i) {
      double sum = 0;
      for (std::size_t row = 0; row < c.rows; ++row) sum += coefficients[row] * static_cast<double>(matrix.at(row, i));
      expected.push_back(static_cast<float>(sum));
    }
    if (onNpu()) {
      expectNextTo(vector.read(), expected, c.rows, textOf(c));
    } else {
      expectSameBits(vector.read(), expected, textOf(c));
    }
  }
}

TEST_P(DimReduceOn, StepsToTheLastBit) {
  for (const std::size_t size : oddSizes) {
    for (const std::size_t offset : {0U, 1U}) {
      const auto a = size > 100 ? awkwardValues(size, 1) : randomValues(size, 1);
      const auto b = randomValues(size, 2);
      const auto c = randomValues(size, 3);
      DeviceVector<float> gradient(device(), a, offset);
      DeviceVector<float> inside(device(), b, offset);
      DeviceVector<float> momentum(device(), c, 2 * offset);
      std::vector<float> stepped;
      std::vector<float> moved;
      for (std::size_t i = 0; i < size; ++i) {
        const float outside = a[i] - b[i];
        const float kept = 0.9F * c[i];
        stepped.push_back(kept + outside);
        const float along = -0.3F * b[i];
        moved.push_back(a[i] + along);
      }
      kernels().residualStep(queue(), 0.9F, gradient.data(), inside.data(), momentum.data(), size);
      expectSameBits(momentum.read(), stepped, "residual step of " + std::to_string(size));
      kernels().moveAlong(queue(), gradient.data(), -0.3F, inside.data(), inside.data(), size);
      expectSameBits(inside.read(), moved, "move along of " + std::to_string(size));
    }
  }
}

TEST_P(DimReduceOn, MultipliesCentredRows) {
  if (kernels().addCentredGram == nullptr) GTEST_SKIP() << "the host's own arithmetic does it";
  const std::array<Case, 9> shapes{{{1, 5, 0, 0},
                                    {3, meanColumns + 1500, 1, 3},
                                    {32, 50, 0, 0},
                                    {2, 1, 0, 0},
                                    {7, 1027, 1, 1},
                                    {60, 2049, 3, 0},
                                    {64, 1024, 0, 2},
                                    {65, 40, 8, 0},
                                    {130, 1030, 2, 0}}};
  for (const Case& c : shapes) {
    Matrix matrix(device(), c.rows, c.columns, c.gap, c.offset);
    std::vector<double> found(c.rows * c.rows, 0.5);
    kernels().addCentredGram(queue(), {matrix.vector.data(), c.rows, matrix.stride}, c.columns, found.data());
    std::vector<long double> expected(c.rows * c.rows, 0.5L);
    for (std::size_t column = 0; column < c.columns; ++column) {
      long double mean = 0;
      for (std::size_t row = 0; row < c.rows; ++row) mean += matrix.at(row, column);
      mean /= static_cast<long double>(c.rows);
      for (std::size_t i = 0; i < c.rows; ++i) {
        const long double left = matrix.at(i, column) - mean;
        for (std::size_t j = 0; j < c.rows; ++j) expected[i * c.rows + j] += left * (matrix.at(j, column) - mean);
      }
    }
    for (std::size_t k = 0; k < found.size(); ++k) {
      ASSERT_NEAR(found[k], static_cast<double>(expected[k]), static_cast<double>(c.columns) * promised(1e-14))
          << k / c.rows << ", " << k % c.rows << " of " << textOf(c);
    }
  }
}

/// Five rows of two tiles, the second of them not whole, whose values are no plain ones.
struct Extreme {
  static constexpr std::size_t rows = 5;
  static constexpr std::size_t columns = 2500;
  std::string of;
  std::vector<float> values;
};

Extreme scaledValues(const std::string& of, float scale) {
  Extreme extreme{of, randomValues(Extreme::rows * Extreme::columns, 1)};
  for (float& value : extreme.values) value *= scale;
  return extreme;
}

std::vector<Extreme> extremes() {
  using Limits = std::numeric_limits<float>;
  std::vector<Extreme> all{scaledValues("products beyond floats", 1e30F), scaledValues("sums beyond floats", 3e38F),
                           scaledValues("denormals", 1e-40F)};
  const auto with = [&](const std::string& of, std::initializer_list<std::pair<std::size_t, float>> planted) {
    all.push_back(scaledValues(of, 1));
    for (const auto& [at, value] : planted) all.back().values[at] = value;
  };
  constexpr std::size_t row = Extreme::columns;
  with("one large value", {{row + 7, 1e30F}});
  with("a large value in every row", {{3, 1e30F}, {row + 3, 1e30F}, {2 * row + 3, -1e30F}, {4 * row + 2499, 1e25F}});
  with("denormals among others", {{0, Limits::denorm_min()}, {row, 1e-42F}, {2 * row + 2400, -1e-39F}});
  with("an infinity", {{row + 2300, Limits::infinity()}});
  with("infinities of both signs", {{5, Limits::infinity()}, {2 * row + 6, -Limits::infinity()}});
  with("a NaN", {{3 * row + 2048, Limits::quiet_NaN()}});
  return all;
}

/// What is not finite is the same; what is, as near as the sum of magnitudes lets it be.
void expectSum(double found, double expected, double tolerance, const std::string& of) {
  if (std::isfinite(expected)) {
    EXPECT_NEAR(found, expected, tolerance) << of;
  } else {
    EXPECT_TRUE(found == expected || (std::isnan(found) && std::isnan(expected)))
        << of << ": " << found << " instead of " << expected;
  }
}

TEST_P(DimReduceOn, MultipliesExtremeRowsAsTheHostDoes) {
  if (kernels().addCentredGram == nullptr) GTEST_SKIP() << "the host's own arithmetic does it";
  constexpr std::size_t rows = Extreme::rows;
  constexpr std::size_t columns = Extreme::columns;
  for (const Extreme& extreme : extremes()) {
    const auto at = [&](std::size_t row, std::size_t column) {
      return static_cast<double>(extreme.values[row * columns + column]);
    };
    DeviceVector<float> vector(device(), extreme.values);
    std::vector<double> found(rows * rows);
    kernels().addCentredGram(queue(), {vector.data(), rows, columns}, columns, found.data());
    std::vector<double> expected(rows * rows);
    std::vector<double> magnitudes(rows * rows);
    for (std::size_t column = 0; column < columns; ++column) {
      double sum = 0;
      for (std::size_t row = 0; row < rows; ++row) sum += at(row, column);
      const double mean = sum / static_cast<double>(rows);
      for (std::size_t k = 0; k < found.size(); ++k) {
        const double product = (at(k / rows, column) - mean) * (at(k % rows, column) - mean);
        expected[k] += product;
        magnitudes[k] += std::abs(product);
      }
    }
    for (std::size_t k = 0; k < found.size(); ++k) {
      expectSum(found[k], expected[k], promised(1e-14) * magnitudes[k] + columns * 1e-38,
                extreme.of + ": " + std::to_string(k / rows) + ", " + std::to_string(k % rows));
    }
  }
}

TEST_P(DimReduceOn, ProjectsExtremeRowsAsTheHostDoes) {
  constexpr std::size_t rows = Extreme::rows;
  constexpr std::size_t columns = Extreme::columns;
  for (const Extreme& extreme : extremes()) {
    DeviceVector<float> matrix(device(), extreme.values);
    std::vector<double> found(rows);
    kernels().project(queue(), {matrix.data(), rows, columns}, matrix.data(), columns, found.data());
    for (std::size_t row = 0; row < rows; ++row) {
      double expected = 0;
      double magnitudes = 0;
      for (std::size_t i = 0; i < columns; ++i) {
        const double product =
            static_cast<double>(extreme.values[row * columns + i]) * static_cast<double>(extreme.values[i]);
        expected += product;
        magnitudes += std::abs(product);
      }
      expectSum(found[row], expected, promised(1e-14) * magnitudes + columns * 1e-38,
                extreme.of + ": " + std::to_string(row));
    }
  }
}

TEST_P(DimReduceOn, NothingIsProjectedOntoNothing) {
  DeviceVector<float> vector(device(), {1, 2, 3});
  std::array<double, 2> found{5, 5};
  kernels().project(queue(), {vector.data(), 2, 0}, vector.data(), 0, found.data());
  EXPECT_EQ(found, (std::array<double, 2>{0, 0}));
  kernels().backProject(queue(), {vector.data(), 1, 0}, found.data(), vector.data(), 0);
  EXPECT_EQ(vector.read(), (std::vector<float>{1, 2, 3}));
}

}  // namespace
}  // namespace slipstream
