// SPDX-License-Identifier: GPL-3.0-or-later
// What dim_reduce is made of, each by itself: line search, quasi-Newton, principal components, matrix files.
#include <cmath>
#include <fstream>
#include <limits>
#include <numeric>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "engine/base/error.h"
#include "engine/base/files.h"
#include "engine/boost/dim_reduce/bfgs.h"
#include "engine/boost/dim_reduce/line_search.h"
#include "engine/boost/dim_reduce/pca.h"
#include "engine/boost/dim_reduce/spec.h"
#include "engine/boost/dim_reduce/spec_scratch.h"
#include "engine/device/cpu_device.h"
#include "engine/interchange/npy.h"
#include "tests/boost/memory_snapshots.h"
#include "tests/boost/update_fixture.h"
#include "tests/support/error_of.h"
#include "tests/support/spawn_ranks.h"

namespace slipstream {
namespace {

using test::errorOf;
using testing::HasSubstr;

// ---------------------------------------------------------------- line search

constexpr SearchRule halving{0.5, 0.4, 20};

TEST(LineSearch, TakesTheFirstRateThatFallsEnough) {
  // f(x) = (x - 0.3)^2 from 0 along 1: promised is 0.4 of the slope -0.6, and 1 and 1/2 do not keep it.
  const auto result = searchLine(halving, 0.09, -0.6, [](double rate) { return (rate - 0.3) * (rate - 0.3); });
  EXPECT_EQ(result.power, 2);
  EXPECT_EQ(result.rate, 0.25);
  EXPECT_EQ(result.tries, 3);
}

TEST(LineSearch, FallingByExactlyTheShareIsNotEnough) {
  const SearchRule rule{0.5, 0.5, 1};
  EXPECT_EQ(searchLine(rule, 1, -1, [](double) { return 0.5; }).power, -1);
  EXPECT_EQ(searchLine(rule, 1, -1, [](double) { return std::nextafter(0.5, 0); }).power, 0);
}

TEST(LineSearch, GivesUpAfterItsTries) {
  int calls = 0;
  const auto result = searchLine({0.5, 0.4, 3}, 1, -1, [&](double) { return ++calls, 2.0; });
  EXPECT_EQ(result.power, -1);
  EXPECT_EQ(result.rate, 0);
  EXPECT_EQ(result.tries, 3);
  EXPECT_EQ(calls, 3);
}

TEST(LineSearch, NeverAcceptsWhatIsNotFinite) {
  const double infinity = std::numeric_limits<double>::infinity();
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const auto result = searchLine(halving, 1, -1, [&](double rate) {
    return rate == 1 ? nan : rate == 0.5 ? -infinity : 0;
  });
  EXPECT_EQ(result.power, 2);
}

TEST(LineSearch, DoesNotTryWhereNothingFalls) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const auto& [loss, slope] : std::vector<std::pair<double, double>>{{1, 0}, {1, 1}, {1, nan}, {nan, -1}}) {
    const auto result = searchLine(halving, loss, slope, [](double) { return -1e9; });
    EXPECT_EQ(result.power, -1);
    EXPECT_EQ(result.tries, 0);
  }
}

// ---------------------------------------------------------------- quasi-Newton

std::vector<double> directionOf(Bfgs& bfgs, const std::vector<double>& gradient) {
  const auto direction = bfgs.direction(gradient);
  return {direction.begin(), direction.end()};
}

TEST(Bfgs, BeginsAsSteepestDescentAndLearnsACurvatureByHand) {
  Bfgs bfgs(2);
  EXPECT_EQ(directionOf(bfgs, {4, 0}), (std::vector<double>{-4, 0}));
  bfgs.accepted(0.25);  // s = (-1, 0)
  // The gradient is gone: y = (-4, 0), so that B becomes 1/4 there and stays 1 across.
  EXPECT_EQ(directionOf(bfgs, {0, 0}), (std::vector<double>{0, 0}));
  EXPECT_THAT(bfgs.inverseHessian(), testing::ElementsAre(0.25, 0, 0, 1));
}

TEST(Bfgs, TakesTheChangeOfTheGradientBackToTheStep) {
  Bfgs bfgs(2);
  directionOf(bfgs, {4, 0});
  bfgs.accepted(0.25);        // s = (-1, 0)
  directionOf(bfgs, {0, 1});  // y = (-4, 1); by hand: B y = s
  EXPECT_THAT(bfgs.inverseHessian(), testing::ElementsAre(0.3125, 0.25, 0.25, 1));
}

TEST(Bfgs, ARejectedStepLeavesNoTrace) {
  Bfgs bfgs(2);
  directionOf(bfgs, {1, 2});
  bfgs.accepted(0.5);
  const std::vector<double> before(bfgs.state().begin(), bfgs.state().end());
  directionOf(bfgs, {0.5, -1});
  bfgs.rejected();
  EXPECT_THAT(bfgs.state(), testing::ElementsAreArray(before));
}

TEST(Bfgs, AGradientOfAnotherFunctionTeachesNothing) {
  const auto identity = testing::ElementsAre(1, 0, 0, 1);
  Bfgs bfgs(2, true);
  bfgs.direction(std::vector<double>{1, 1}, 7);
  bfgs.accepted(1);  // s = (-1, -1)
  bfgs.direction(std::vector<double>{-1, 0}, 5);
  EXPECT_THAT(bfgs.inverseHessian(), identity) << "y = (-2, -1) is the difference of two functions' gradients";
  bfgs.rejected();
  bfgs.direction(std::vector<double>{-1, 0}, 7);
  EXPECT_THAT(bfgs.inverseHessian(), testing::Not(identity)) << "compared with the first gradient again";
}

TEST(Bfgs, NegativeCurvatureTeachesNothing) {
  Bfgs bfgs(1);
  directionOf(bfgs, {1});
  bfgs.accepted(1);        // s = -1
  directionOf(bfgs, {3});  // y = 2: y's < 0
  EXPECT_THAT(bfgs.inverseHessian(), testing::ElementsAre(1));
}

// ---------------------------------------------------------------- principal components

std::vector<std::vector<float>> randomSnapshots(int count, std::int64_t length) {
  std::vector<std::vector<float>> snapshots;
  for (int s = 0; s < count; ++s) snapshots.push_back(test::randomGradient(length, s, 77));
  return snapshots;
}

/// All rows, put together from all ranks.
std::vector<std::vector<float>> componentsOf(std::vector<std::vector<float>> weights, const ParameterLayout& layout,
                                             int components, int ranks, double timeout = 60,
                                             const DimReduceKernels& kernels = cpuDimReduceKernels()) {
  std::vector<std::vector<float>> rows(static_cast<std::size_t>(components),
                                       std::vector<float>(static_cast<std::size_t>(layout.size())));
  test::spawnRanks(ranks, [&](Communicator& world) {
    test::MemorySnapshots snapshots(weights);
    MemoryMeter meter;
    const auto device = openCpuDevice(meter);
    Projection projection({layout.size(), ranks}, world.rank(), components, *device, kernels);
    principalComponents(snapshots, layout, world, Deadline(timeout), projection);
    for (int k = 0; k < components; ++k) {
      const auto mine = std::span(rows[static_cast<std::size_t>(k)])
                            .subspan(static_cast<std::size_t>(projection.columns().begin),
                                     static_cast<std::size_t>(projection.columns().size()));
      projection.readRow(k, projection.columns().begin, mine);
    }
  });
  return rows;
}

class ComponentRanks : public testing::TestWithParam<int> {};

TEST_P(ComponentRanks, AreOrthonormalAndTheSameHoweverColumnsAreShared) {
  const auto layout = test::layoutOf({1000, 7, 5000, 1});
  const auto snapshots = randomSnapshots(12, layout.size());
  const auto rows = componentsOf(snapshots, layout, 10, GetParam());
  const auto alone = componentsOf(snapshots, layout, 10, 1);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    for (std::size_t j = 0; j < rows.size(); ++j) {
      const double product = std::inner_product(rows[i].begin(), rows[i].end(), rows[j].begin(), 0.0);
      EXPECT_NEAR(product, i == j ? 1 : 0, 1e-5) << i << ", " << j;
    }
    for (std::size_t c = 0; c < rows[i].size(); ++c) ASSERT_NEAR(rows[i][c], alone[i][c], 1e-6) << i << ", " << c;
  }
}

INSTANTIATE_TEST_SUITE_P(Counts, ComponentRanks, testing::Values(1, 2, 3, 4, 8));

/// What a device's own kernel has to do.
void addCentredGramPlainly(DeviceQueue&, DeviceRows rows, std::size_t elements, double* gram) {
  for (std::size_t column = 0; column < elements; ++column) {
    const auto at = [&](std::size_t row) { return static_cast<double>(rows.values[row * rows.stride + column]); };
    double mean = 0;
    for (std::size_t row = 0; row < rows.count; ++row) mean += at(row) / static_cast<double>(rows.count);
    for (std::size_t i = 0; i < rows.count; ++i) {
      for (std::size_t j = 0; j < rows.count; ++j) gram[i * rows.count + j] += (at(i) - mean) * (at(j) - mean);
    }
  }
}

TEST(Components, ADeviceThatMultipliesRowsItselfGivesTheSame) {
  const auto layout = test::layoutOf({1000, 7, 5000, 1});
  const auto snapshots = randomSnapshots(12, layout.size());
  DimReduceKernels kernels = cpuDimReduceKernels();
  kernels.addCentredGram = addCentredGramPlainly;
  for (const int ranks : {1, 3}) {
    const auto rows = componentsOf(snapshots, layout, 10, ranks, 60, kernels);
    const auto expected = componentsOf(snapshots, layout, 10, ranks);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      for (std::size_t c = 0; c < rows[i].size(); ++c) ASSERT_NEAR(rows[i][c], expected[i][c], 1e-6) << i << ", " << c;
    }
  }
}

TEST(Components, SmallDirectionsBesideALargeOneStayOrthonormal) {
  const auto layout = test::layoutOf({4000});
  auto snapshots = randomSnapshots(8, layout.size());
  const auto base = test::randomGradient(layout.size(), 50, 5);
  for (std::size_t s = 0; s < snapshots.size(); ++s) {
    const auto along = static_cast<float>(s);
    const auto across = 3e-4F;  // some 2e-9 of the variance
    for (std::size_t i = 0; i < base.size(); ++i) snapshots[s][i] = along * base[i] + across * snapshots[s][i];
  }
  const auto rows = componentsOf(snapshots, layout, 6, 3);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    for (std::size_t j = 0; j < rows.size(); ++j) {
      const double product = std::inner_product(rows[i].begin(), rows[i].end(), rows[j].begin(), 0.0);
      EXPECT_NEAR(product, i == j ? 1 : 0, 1e-5) << i << ", " << j;
    }
  }
}

TEST(Components, OnePathIsItsDirection) {
  const auto layout = test::layoutOf({3});
  const auto rows = componentsOf({{1, 5, 1}, {2, 5, 3}, {4, 5, 7}}, layout, 1, 1);  // along (1, 0, 2)
  const auto sign = static_cast<float>(rows[0][0] > 0 ? 1 : -1);
  EXPECT_NEAR(sign * rows[0][0], 1 / std::sqrt(5.0), 1e-6);
  EXPECT_NEAR(rows[0][1], 0, 1e-6);
  EXPECT_NEAR(sign * rows[0][2], 2 / std::sqrt(5.0), 1e-6);
}

TEST(Components, MoreSnapshotsThanComponentsAreNeeded) {
  const auto layout = test::layoutOf({100});
  const std::string text = errorOf([&] { componentsOf(randomSnapshots(32, 100), layout, 32, 2); });
  EXPECT_THAT(text, HasSubstr("n_components is 32, but there are 32 snapshots"));
  EXPECT_THAT(text, HasSubstr("keep at least 33 snapshots, or lower n_components to 31"));
  EXPECT_EQ(componentsOf(randomSnapshots(33, 100), layout, 32, 2).size(), 32U);
}

TEST(Components, SnapshotsThatRepeatEachOtherAreRefused) {
  const auto layout = test::layoutOf({50});
  auto snapshots = randomSnapshots(3, 50);
  for (int copy = 0; copy < 3; ++copy) snapshots.push_back(snapshots[static_cast<std::size_t>(copy)]);
  EXPECT_THAT(errorOf([&] { componentsOf(snapshots, layout, 3, 1); }),
              HasSubstr("n_components is 3, but the 6 snapshots vary in 2 directions only"));
  EXPECT_EQ(componentsOf(snapshots, layout, 2, 1).size(), 2U);
}

TEST(Components, WeightsThatAreNotFiniteAreRefused) {
  const auto layout = test::layoutOf({50});
  auto snapshots = randomSnapshots(4, 50);
  snapshots[2][7] = NAN;
  EXPECT_THAT(errorOf([&] { componentsOf(snapshots, layout, 2, 1); }), HasSubstr("not finite"));
}

TEST(Components, ATimeoutIsHonoured) {
  const auto layout = test::layoutOf({50});
  EXPECT_THAT(errorOf([&] { componentsOf(randomSnapshots(4, 50), layout, 2, 2, 1e-12); }),
              HasSubstr("dim_reduce.timeout"));
}

// ---------------------------------------------------------------- matrix files

std::string temporary(const std::string& name) {
  return testing::TempDir() + "dim_reduce_" + std::to_string(::getpid()) + name;
}

std::string writeBytes(const std::string& name, const std::string& bytes) {
  const std::string path = temporary(name);
  std::ofstream(path, std::ios::binary) << bytes;
  return path;
}

template <class T>
std::string npyFile(const std::string& type, const std::string& order, const std::string& shape,
                    const std::vector<T>& values) {
  std::string header = "{'descr': '" + type + "', 'fortran_order': " + order + ", 'shape': " + shape + ", }\n";
  std::string bytes = "\x93NUMPY";
  bytes += {'\x01', '\x00', static_cast<char>(header.size()), '\x00'};
  bytes += header;
  return bytes.append(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T));
}

std::vector<float> readAll(const std::string& path, std::int64_t rows, Range part) {
  auto matrix = NpyMatrix::open(path);
  EXPECT_TRUE(matrix) << toText(matrix.error());
  std::vector<float> values(static_cast<std::size_t>(rows * part.size()));
  matrix->read(rows, part.begin, part.end, values);
  return values;
}

TEST(Npy, BothTypesAndOrdersHoldTheSameMatrix) {
  const std::vector<float> byRows{1, 2, 3, 4, 5, 6};
  const std::vector<double> byColumns{1, 4, 2, 5, 3, 6};
  const auto plain = writeBytes("c.npy", npyFile<float>("<f4", "False", "(2, 3)", byRows));
  const auto turned = writeBytes("f.npy", npyFile<double>("<f8", "True", "(2, 3)", byColumns));
  for (const auto& path : {plain, turned}) {
    EXPECT_EQ(readAll(path, 2, {0, 3}), byRows);
    EXPECT_EQ(readAll(path, 1, {0, 3}), (std::vector<float>{1, 2, 3}));
    EXPECT_EQ(readAll(path, 2, {1, 3}), (std::vector<float>{2, 3, 5, 6}));
  }
}

TEST(Npy, AMatrixWithoutColumnsHoldsNothing) {
  for (const char* byColumns : {"False", "True"}) {
    EXPECT_EQ(readAll(writeBytes("none.npy", npyFile<float>("<f4", byColumns, "(2, 0)", {})), 2, {0, 0}),
              std::vector<float>{});
  }
}

TEST(Npy, WhatIsWrittenIsReadBackAndOnlyWhenItIsWhole) {
  const std::string path = temporary("written.npy");
  std::filesystem::remove(path);
  {
    const auto abandoned = NpyWriter::create(path, 2, 3);
    ASSERT_TRUE(abandoned);
  }
  EXPECT_FALSE(std::filesystem::exists(path));
  auto writer = NpyWriter::create(path, 2, 3);
  ASSERT_TRUE((*writer)->write(1, 1, std::vector<float>{5, 6}));
  ASSERT_TRUE((*writer)->write(0, 0, std::vector<float>{1, 2, 3, 4}));
  EXPECT_FALSE(std::filesystem::exists(path));
  ASSERT_TRUE((*writer)->commit());
  EXPECT_EQ(readAll(path, 2, {0, 3}), (std::vector<float>{1, 2, 3, 4, 5, 6}));
  EXPECT_EQ((std::filesystem::file_size(path) - 6 * sizeof(float)) % 64, 0U);
}

/// NumPy's format, version 1.0: magic, version, length, the dictionary of numpy.save, blanks up to 128 bytes, values.
TEST(Npy, IsWrittenByteForByteAsNumpyWould) {
  const std::string path = temporary("bytes.npy");
  auto writer = NpyWriter::create(path, 2, 3);
  ASSERT_TRUE((*writer)->write(0, 0, std::vector<float>{1, -2, 0, 0, 0, 0.5F}));
  ASSERT_TRUE((*writer)->commit());
  const std::string dictionary = "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }";
  const std::string header =
      std::string("\x93NUMPY\x01\x00\x76\x00", 10) + dictionary + std::string(117 - dictionary.size(), ' ') + "\n";
  ASSERT_EQ(header.size(), 128U);
  const std::string values("\0\0\x80\x3f\0\0\0\xc0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x3f", 24);
  EXPECT_EQ(readFile(path).value(), header + values);
}

TEST(Npy, BadFilesAreNamedWithTheReason) {
  const std::vector<float> six{1, 2, 3, 4, 5, 6};
  const std::vector<std::pair<std::string, std::string>> cases{
      {"no numpy file at all", "is no .npy file"},
      {npyFile<float>("<i4", "False", "(2, 3)", six), "holds no fp32 or fp64 values"},
      {npyFile<float>(">f4", "False", "(2, 3)", six), "holds no fp32 or fp64 values"},
      {npyFile<float>("<f4", "False", "(6,)", six), "is no matrix"},
      {npyFile<float>("<f4", "False", "(1, 2, 3)", six), "is no matrix"},
      {npyFile<float>("<f4", "False", "(2, 4)", six), "is cut short"},
      {npyFile<float>("<f4", "False", "(2, 3)", six).substr(0, 20), "is no .npy file"}};
  for (const auto& [bytes, problem] : cases) {
    const std::string path = writeBytes("bad.npy", bytes);
    const auto matrix = NpyMatrix::open(path);
    ASSERT_FALSE(matrix) << problem;
    EXPECT_THAT(toText(matrix.error()), testing::AllOf(HasSubstr(path), HasSubstr(problem)));
  }
  EXPECT_THAT(toText(NpyMatrix::open(temporary("absent.npy")).error()), HasSubstr("cannot be read"));
  EXPECT_THAT(toText(NpyWriter::create("/nowhere/p.npy", 1, 1).error()),
              HasSubstr("/nowhere/p.npy: cannot be written"));
}

// ---------------------------------------------------------------- products of rows on a GPU

/// Rows of any length: the plan knows only how many they are.
TEST(GramScratch, StaysSmallHoweverManyRowsThereAre) {
  for (std::size_t rows = 1; rows <= 2048; ++rows) {
    const GramScratch plan = gramScratch(rows);
    const std::size_t side = rows <= 32 ? 32 : 64;
    ASSERT_GE(plan.entries, rows * (rows + 1) / 2) << rows;
    ASSERT_EQ(plan.entries, plan.pairs * side * side) << rows;
    ASSERT_LE(plan.pairs * plan.blocks, std::max(gramBlocks, plan.pairs)) << rows;
    ASSERT_LE(plan.bytes(), std::size_t{64} << 20) << rows;
  }
  EXPECT_EQ(gramScratch(32).bytes(), (1024 * 513 + 262'144) * sizeof(double));
  EXPECT_EQ(gramScratch(128).blocks, 170U) << "three pairs of stretches share the blocks";
}

TEST(GramScratch, IsForecastWhereAGpuMakesTheSpace) {
  RunPlan plan;
  plan.places.resize(1);
  plan.experiment.boost.setOn<DimReduceOptions>();
  const auto forecast = [&](const char* device, MatrixUse matrix) {
    plan.experiment.device = device;
    plan.experiment.boost.edit<DimReduceOptions>().pcaMatrix = matrix;
    MemoryForecast bytes{{"boost", 0}};
    DimReduceAlgorithm::spec().addMemory(plan, {}, bytes);
    return bytes["boost"];
  };
  const std::int64_t made = forecast("cuda", MatrixUse::none) - forecast("cpu", MatrixUse::none);
  EXPECT_EQ(made, std::int64_t{8} * (4096 * 513 + 262'144));
  EXPECT_EQ(forecast("cuda", MatrixUse::read), forecast("cpu", MatrixUse::read)) << "then nothing is multiplied";
}

}  // namespace
}  // namespace slipstream
