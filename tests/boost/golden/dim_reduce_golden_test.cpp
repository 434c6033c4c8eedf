// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <unistd.h>

#include "engine/boost/algorithms.h"
#include "engine/boost/dim_reduce/bfgs.h"
#include "engine/boost/dim_reduce/dim_reduce.h"
#include "engine/boost/dim_reduce/line_search.h"
#include "engine/boost/dim_reduce/pca.h"
#include "engine/interchange/npy.h"
#include "tests/boost/memory_snapshots.h"
#include "tests/boost/update_fixture.h"
#include "tests/support/golden.h"
#include "tests/support/spawn_ranks.h"

namespace slipstream {
namespace {

using nlohmann::json;
using Vector = std::vector<double>;

Vector vectorOf(const json& tensor) {
  return (tensor.is_object() ? tensor.at("data") : tensor).get<Vector>();
}

std::vector<float> floats(const json& tensor) {
  const Vector values = vectorOf(tensor);
  return {values.begin(), values.end()};
}

/// [rows, columns], row after row.
struct Matrix {
  explicit Matrix(const json& tensor)
      : rows(tensor.at("shape").at(0)), columns(tensor.at("shape").at(1)), values(vectorOf(tensor)) {}
  double at(std::size_t row, std::size_t column) const { return values[row * columns + column]; }
  Vector times(const Vector& vector) const {
    Vector product(rows);
    for (std::size_t r = 0; r < rows; ++r) {
      for (std::size_t c = 0; c < columns; ++c) product[r] += at(r, c) * vector[c];
    }
    return product;
  }
  Vector transposedTimes(const Vector& vector) const {
    Vector product(columns);
    for (std::size_t r = 0; r < rows; ++r) {
      for (std::size_t c = 0; c < columns; ++c) product[c] += at(r, c) * vector[r];
    }
    return product;
  }
  std::size_t rows;
  std::size_t columns;
  Vector values;
};

double dot(const Vector& left, const Vector& right) {
  return std::inner_product(left.begin(), left.end(), right.begin(), 0.0);
}

bool isRecorded(const json& value) {
  return !value.is_null();  // B and w stand at some of the steps only
}

/// Relative to the largest expected value.
template <class Values>
void expectClose(const Values& values, const Vector& expected, double tolerance, const std::string& what) {
  ASSERT_EQ(values.size(), expected.size()) << what;
  double scale = 0;
  for (const double value : expected) scale = std::max(scale, std::abs(value));
  for (std::size_t i = 0; i < expected.size(); ++i) {
    ASSERT_NEAR(static_cast<double>(values[i]), expected[i], tolerance * scale + 1e-300) << what << " element " << i;
  }
}

// ---------------------------------------------------------------- principal components

test::MemorySnapshots snapshotsOf(const json& one) {
  const Matrix data(one.at("data"));
  std::vector<std::vector<float>> rows;
  for (std::size_t r = 0; r < data.rows; ++r) {
    const auto begin = data.values.begin() + static_cast<std::ptrdiff_t>(r * data.columns);
    rows.emplace_back(begin, begin + static_cast<std::ptrdiff_t>(data.columns));
  }
  return test::MemorySnapshots(std::move(rows));
}

/// P'P of both, entry by entry: signs do not matter.
void expectProjector(const std::vector<std::vector<float>>& rows, const Matrix& expected, double tolerance) {
  for (std::size_t i = 0; i < expected.columns; ++i) {
    for (std::size_t j = 0; j < expected.columns; ++j) {
      double ours = 0;
      double theirs = 0;
      for (std::size_t k = 0; k < expected.rows; ++k) {
        ours += static_cast<double>(rows[k][i]) * static_cast<double>(rows[k][j]);
        theirs += expected.at(k, i) * expected.at(k, j);
      }
      ASSERT_NEAR(ours, theirs, tolerance) << i << ", " << j;
    }
  }
}

void expectComponents(const json& one, int ranks, double tolerance) {
  const int components = one.at("k");
  const std::int64_t features = one.at("features");
  const auto layout = test::layoutOf({features - 4, 4});
  std::vector<std::vector<float>> rows(static_cast<std::size_t>(components),
                                       std::vector<float>(static_cast<std::size_t>(features)));
  test::spawnRanks(ranks, [&](Communicator& world) {
    auto snapshots = snapshotsOf(one);
    MemoryMeter meter;
    const auto device = openCpuDevice(meter);
    Projection projection({features, ranks}, world.rank(), components, *device, cpuDimReduceKernels());
    const auto explained = principalComponents(snapshots, layout, world, Deadline(60), projection);
    expectClose(explained, vectorOf(one.at("explained_variance_ratio")), 1e-9, "explained variance");
    for (int k = 0; k < components; ++k) {
      const auto mine = std::span(rows[static_cast<std::size_t>(k)])
                            .subspan(static_cast<std::size_t>(projection.columns().begin),
                                     static_cast<std::size_t>(projection.columns().size()));
      projection.readRow(k, projection.columns().begin, mine);
    }
  });
  expectProjector(rows, Matrix(one.at("components")), tolerance);
}

TEST(DimReduceGolden, PrincipalComponentsHoweverColumnsAreShared) {
  SLIPSTREAM_GOLDEN_FOLDER(folder);
  const json file = test::readGolden(folder, "dim_reduce.json");
  test::CaseCounter counter("dim_reduce.json pca", file.at("pca").size());
  for (const json& one : file.at("pca")) {
    for (const int ranks : {1, 3, 8}) expectComponents(one, ranks, file.at("tol").at("pca_projector_atol"));
    counter.used();
  }
  counter.finish();
}

TEST(DimReduceGolden, TooFewSamplesAreRefusedWithBothNumbers) {
  SLIPSTREAM_GOLDEN_FOLDER(folder);
  const json one = test::readGolden(folder, "dim_reduce.json").at("pca_error");
  ASSERT_EQ(one.at("expect"), "error: samples < n_components");
  const int samples = one.at("samples");
  const int components = one.at("n_components");
  const auto layout = test::layoutOf({50});
  test::MemorySnapshots snapshots(std::vector(static_cast<std::size_t>(samples), std::vector<float>(50)));
  test::spawnRanks(1, [&](Communicator& world) {
    MemoryMeter meter;
    const auto device = openCpuDevice(meter);
    Projection projection({50, 1}, 0, components, *device, cpuDimReduceKernels());
    try {
      principalComponents(snapshots, layout, world, Deadline(60), projection);
      FAIL() << "accepted";
    } catch (const std::exception& error) {
      const std::string text = error.what();
      EXPECT_NE(text.find("n_components is " + std::to_string(components)), std::string::npos) << text;
      EXPECT_NE(text.find("there are " + std::to_string(samples) + " snapshots"), std::string::npos) << text;
    }
  });
}

// ---------------------------------------------------------------- projection

void expectProjection(const json& one, int ranks, double tolerance) {
  const Matrix rows(one.at("P"));
  const auto gradient = floats(one.at("grad"));
  std::vector<float> inside(gradient.size());
  test::spawnRanks(ranks, [&](Communicator& world) {
    MemoryMeter meter;
    const auto device = openCpuDevice(meter);
    Projection projection({static_cast<std::int64_t>(rows.columns), ranks}, world.rank(), static_cast<int>(rows.rows),
                          *device, cpuDimReduceKernels());
    const auto begin = static_cast<std::size_t>(projection.columns().begin);
    const auto count = static_cast<std::size_t>(projection.columns().size());
    for (std::size_t k = 0; k < rows.rows; ++k) {
      std::vector<float> row;
      for (std::size_t j = 0; j < count; ++j) row.push_back(static_cast<float>(rows.at(k, begin + j)));
      projection.writeRow(static_cast<int>(k), projection.columns().begin, row);
    }
    Vector coefficients(rows.rows);
    projection.project(std::span(gradient).subspan(begin, count), coefficients);
    world.allReduceSum(coefficients);
    expectClose(coefficients, vectorOf(one.at("gk")), tolerance, "gk");
    projection.backProject(coefficients, std::span(inside).subspan(begin, count));
  });
  expectClose(inside, vectorOf(one.at("proj")), tolerance, "P'Pg");
  std::vector<float> outside(gradient.size());
  for (std::size_t i = 0; i < outside.size(); ++i) outside[i] = gradient[i] - inside[i];
  expectClose(outside, vectorOf(one.at("residual")), tolerance, "residual");
}

/// The reference shares out rows (ceil, zero padding): what its ranks hold put together is our gk, whatever they pad.
void expectRowShares(const json& share, const Vector& whole) {
  for (std::size_t rank = 0; rank < share.at("row_ranges").size(); ++rank) {
    const std::size_t begin = share.at("row_ranges").at(rank).at(0);
    const std::size_t end = share.at("row_ranges").at(rank).at(1);
    Vector expected(whole.begin() + static_cast<std::ptrdiff_t>(begin),
                    whole.begin() + static_cast<std::ptrdiff_t>(end));
    expected.resize(share.at("local_dim"));
    expectClose(vectorOf(share.at("gk_local").at(rank)), expected, 1e-9, "rows of a rank");
  }
}

TEST(DimReduceGolden, ProjectionsAgreeForEveryNumberOfRanks) {
  SLIPSTREAM_GOLDEN_FOLDER(folder);
  const json file = test::readGolden(folder, "dim_reduce.json");
  const json& one = file.at("projection");
  test::CaseCounter counter("dim_reduce.json projection.sharding", one.at("sharding").size());
  for (const json& share : one.at("sharding")) {
    expectProjection(one, share.at("ranks"), file.at("tol").at("f32_rtol").get<double>() * 1e-3);
    expectRowShares(share, vectorOf(one.at("gk")));
    counter.used();
  }
  counter.finish();
}

// ---------------------------------------------------------------- consecutive steps

/// What the reference minimises, one batch a step.
class Problem {
 public:
  Problem(const json& run, const json& runs) : spec_(run.at("problem")) {
    if (!spec_.contains("same_as")) return;
    const auto same = std::ranges::find_if(
        runs, [&](const json& other) { return other.at("name") == run.at("problem").at("same_as"); });
    if (same == runs.end()) throw std::runtime_error("no run has the problem " + spec_.dump());
    spec_ = same->at("problem");
  }

  double loss(const Vector& weights, std::size_t step) const {
    return logistic() ? logisticLoss(weights, step) : quarticLoss(weights, step);
  }
  Vector gradient(const Vector& weights, std::size_t step) const {
    return logistic() ? logisticGradient(weights, step) : quarticGradient(weights, step);
  }

 private:
  bool logistic() const { return spec_.at("type") == "logistic"; }
  const json& batch(const char* key, std::size_t step) const { return spec_.at(key).at(step % spec_.at(key).size()); }

  double logisticLoss(const Vector& weights, std::size_t step) const {
    const Vector outputs = Matrix(batch("X", step)).times(weights);
    const Vector labels = vectorOf(batch("y", step));
    double sum = 0;
    for (std::size_t i = 0; i < outputs.size(); ++i) sum += std::log1p(std::exp(-labels[i] * outputs[i]));
    return sum / static_cast<double>(outputs.size());
  }
  Vector logisticGradient(const Vector& weights, std::size_t step) const {
    const Matrix inputs(batch("X", step));
    const Vector labels = vectorOf(batch("y", step));
    Vector slopes = inputs.times(weights);
    for (std::size_t i = 0; i < slopes.size(); ++i) {
      slopes[i] = -labels[i] / (1 + std::exp(labels[i] * slopes[i])) / static_cast<double>(slopes.size());
    }
    return inputs.transposedTimes(slopes);
  }

  Vector distance(const Vector& weights, std::size_t step) const {
    Vector distance = vectorOf(batch("c", step));
    for (std::size_t i = 0; i < distance.size(); ++i) distance[i] = weights[i] - distance[i];
    return distance;
  }
  double quarticLoss(const Vector& weights, std::size_t step) const {
    const Vector d = distance(weights, step);
    double fourth = 0;
    for (const double value : d) fourth += value * value * value * value;
    return 0.5 * dot(d, Matrix(batch("A", step)).times(d)) + 0.25 * spec_.at("qc").get<double>() * fourth;
  }
  Vector quarticGradient(const Vector& weights, std::size_t step) const {
    const Vector d = distance(weights, step);
    Vector gradient = Matrix(batch("A", step)).times(d);
    for (std::size_t i = 0; i < d.size(); ++i) gradient[i] += spec_.at("qc").get<double>() * d[i] * d[i] * d[i];
    return gradient;
  }

  json spec_;
};

int triesOf(const json& run) {
  return run.at("hyper").value("max_search", 2);
}

void expectRunInDouble(const json& run, const Problem& problem, double tolerance) {
  const Matrix rows(run.at("P"));
  const json& hyper = run.at("hyper");
  Bfgs bfgs(static_cast<int>(rows.rows));
  Vector weights = vectorOf(run.at("w0"));
  Vector momentum(weights.size());
  for (std::size_t step = 0; step < run.at("steps").size(); ++step) {
    const json& expected = run.at("steps").at(step);
    const std::string what = run.at("name").get<std::string>() + " step " + std::to_string(step) + " ";
    const double loss = problem.loss(weights, step);
    const Vector gradient = problem.gradient(weights, step);
    const Vector inSpace = rows.times(gradient);
    const auto found = bfgs.direction(inSpace);
    const Vector direction(found.begin(), found.end());
    const Vector along = rows.transposedTimes(direction);
    const double slope = dot(inSpace, direction);
    EXPECT_NEAR(loss, expected.at("loss"), tolerance * std::abs(loss)) << what;
    EXPECT_NEAR(slope, expected.at("slope"), tolerance * std::abs(slope)) << what;
    expectClose(inSpace, vectorOf(expected.at("gk")), tolerance, what + "gk");
    expectClose(direction, vectorOf(expected.at("dk")), tolerance, what + "dk");

    Vector trials;
    const SearchRule rule{hyper.at("rho"), hyper.at("sigma"), triesOf(run)};
    const SearchResult result = searchLine(rule, loss, slope, [&](double rate) {
      Vector moved = weights;
      for (std::size_t i = 0; i < moved.size(); ++i) moved[i] += rate * along[i];
      return trials.emplace_back(problem.loss(moved, step));
    });
    expectClose(trials, vectorOf(expected.at("trial_losses")), tolerance, what + "trial losses");
    ASSERT_EQ(result.power >= 0, expected.at("accepted").get<bool>()) << what;
    EXPECT_NEAR(result.rate, expected.at("rho"), 1e-12) << what;
    EXPECT_EQ(result.tries, static_cast<int>(trials.size()));
    if (result.power < 0) {
      bfgs.rejected();
    } else {
      bfgs.accepted(result.rate);
    }
    if (isRecorded(expected.at("B")))
      expectClose(bfgs.inverseHessian(), vectorOf(expected.at("B")), tolerance, what + "B");
    expectClose(bfgs.state().last(rows.rows), vectorOf(expected.at("sk")), tolerance, what + "sk");

    const Vector inside = rows.transposedTimes(inSpace);
    for (std::size_t i = 0; i < weights.size(); ++i) {
      momentum[i] = hyper.at("gamma").get<double>() * momentum[i] + gradient[i] - inside[i];
      weights[i] -= hyper.at("alpha").get<double>() * momentum[i] - result.rate * along[i];
    }
    if (isRecorded(expected.at("w"))) expectClose(weights, vectorOf(expected.at("w")), tolerance, what + "w");
  }
  expectClose(weights, vectorOf(run.at("w_final")), tolerance, "w_final");
  expectClose(momentum, vectorOf(run.at("momentum_final")), tolerance, "momentum_final");
}

TEST(DimReduceGolden, RunsInDoubleDecideExactlyTheSame) {
  SLIPSTREAM_GOLDEN_FOLDER(folder);
  const json file = test::readGolden(folder, "dim_reduce.json");
  test::CaseCounter counter("dim_reduce.json runs", file.at("runs").size());
  for (const json& run : file.at("runs")) {
    expectRunInDouble(run, Problem(run, file.at("runs")), file.at("tol").at("f64_rtol"));
    counter.used();
  }
  counter.finish();
}

Experiment experimentOf(const json& run, const std::string& matrixPath) {
  Experiment experiment = test::plainExperiment();
  BoostConfig& boost = experiment.boost;
  const json& hyper = run.at("hyper");
  boost.edit<DimReduceOptions>().rho = hyper.at("rho");
  boost.edit<DimReduceOptions>().gamma = hyper.at("gamma");
  boost.edit<DimReduceOptions>().alpha = hyper.at("alpha");
  boost.edit<DimReduceOptions>().sigma = hyper.at("sigma");
  boost.edit<DimReduceOptions>().maxSearch = triesOf(run);
  boost.edit<DimReduceOptions>().nComponents = run.at("P").at("shape").at(0);
  boost.edit<DimReduceOptions>().pcaMatPath = matrixPath;
  boost.edit<DimReduceOptions>().pcaMatrix = MatrixUse::read;
  return experiment;
}

/// Of expectRunInFloat's two tensors, the one that the flat space has last and the file first.
constexpr std::int64_t lastTensor = 3;

std::string writeMatrix(const json& tensor, const std::string& name) {
  const std::string path = testing::TempDir() + std::to_string(::getpid()) + name;
  auto values = floats(tensor);
  const std::int64_t columns = tensor.at("shape").at(1);
  for (auto row = values.begin(); row != values.end(); row += columns) {
    std::rotate(row, row + columns - lastTensor, row + columns);
  }
  auto writer = NpyWriter::create(path, tensor.at("shape").at(0), columns);
  EXPECT_TRUE((*writer)->write(0, 0, values));
  EXPECT_TRUE((*writer)->commit());
  return path;
}

void expectRunInFloat(const json& run, const Problem& problem, int ranks, double tolerance) {
  const auto experiment = experimentOf(run, writeMatrix(run.at("P"), "golden_p.npy"));
  const auto start = floats(run.at("w0"));
  const auto layout = test::layoutOf({static_cast<std::int64_t>(start.size()) - lastTensor, lastTensor});
  test::spawnRanks(ranks, [&](Communicator& world) {
    test::UpdateRank rank(world, layout, bucketsBySize(layout, 16), experiment,
                          std::vector<int>(static_cast<std::size_t>(ranks)), makeDimReduce);
    std::ranges::copy(start, rank.weights().begin());
    for (std::size_t step = 0; step < run.at("steps").size(); ++step) {
      const json& expected = run.at("steps").at(step);
      rank.loss = [&](std::span<const float> w) { return problem.loss(Vector(w.begin(), w.end()), step); };
      const Vector gradient = problem.gradient(Vector(rank.weights().begin(), rank.weights().end()), step);
      const auto outcome = rank.step({gradient.begin(), gradient.end()});
      ASSERT_TRUE(outcome.updated);
      const double power = outcome.metrics.at("dim_reduce/accepted_power");
      ASSERT_EQ(power >= 0, expected.at("accepted").get<bool>()) << step;
      const double rate = power < 0 ? 0 : std::pow(experiment.boost.of<DimReduceOptions>().rho, power);
      EXPECT_NEAR(rate, expected.at("rho"), 1e-12);
      EXPECT_EQ(outcome.metrics.at("dim_reduce/trials"), static_cast<double>(expected.at("trial_losses").size()));
      if (!isRecorded(expected.at("w"))) continue;
      expectClose(rank.weights(), vectorOf(expected.at("w")), tolerance, "w after step " + std::to_string(step));
    }
    expectClose(rank.weights(), vectorOf(run.at("w_final")), tolerance, "w_final");
  });
}

TEST(DimReduceGolden, RunsOfTheWholeUpdateInFloatOnOneAndThreeRanks) {
  SLIPSTREAM_GOLDEN_FOLDER(folder);
  const json file = test::readGolden(folder, "dim_reduce.json");
  for (const json& run : file.at("runs")) {
    for (const int ranks : {1, 3}) {
      expectRunInFloat(run, Problem(run, file.at("runs")), ranks, file.at("tol").at("f32_rtol"));
    }
  }
}

}  // namespace
}  // namespace slipstream
