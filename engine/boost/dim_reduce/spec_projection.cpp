// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cmath>
#include <map>
#include <mutex>

#include <Eigen/Core>
#include <fmt/format.h>

#include "engine/base/error.h"
#include "engine/base/file_state.h"
#include "engine/boost/dim_reduce/spec.h"
#include "engine/interchange/npy.h"

namespace slipstream {
namespace {

/// Values that are read at a time: 4 MB.
constexpr std::int64_t heldValues = 1 << 20;

/// Of the first `components` rows, with each other.
Eigen::MatrixXd dotProducts(NpyMatrix& matrix, int components) {
  using Rows = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  Eigen::MatrixXd dots = Eigen::MatrixXd::Zero(components, components);
  const std::int64_t width = std::max<std::int64_t>(1, heldValues / components);
  for (std::int64_t begin = 0; begin < matrix.columns(); begin += width) {
    const std::int64_t end = std::min(matrix.columns(), begin + width);
    Rows rows(components, end - begin);
    matrix.read(components, begin, end, std::span(rows.data(), static_cast<std::size_t>(rows.size())));
    dots += (rows * rows.transpose()).cast<double>();
  }
  return dots;
}

std::string lengthProblem(int row, double square) {
  if (!std::isfinite(square)) return fmt::format("row {} holds a value that is no number, or too large", row);
  if (square == 0) return fmt::format("row {} is all zeros", row);
  return fmt::format("row {} has length {:.4g} instead of 1", row, std::sqrt(square));
}

/// The first thing that is wrong; empty where nothing is.
std::string problemOf(const Eigen::MatrixXd& dots) {
  const int rows = static_cast<int>(dots.rows());
  for (int row = 0; row < rows; ++row) {
    const double square = dots(row, row);
    if (!(std::abs(square - 1) <= orthonormalTolerance)) return lengthProblem(row, square);
  }
  for (int row = 1; row < rows; ++row) {
    for (int other = 0; other < row; ++other) {
      if (std::abs(dots(row, other)) <= orthonormalTolerance) continue;
      return fmt::format("rows {} and {} are not orthogonal: their dot product is {:.3g}", other, row,
                         dots(row, other));
    }
  }
  return "";
}

/// A file as it was looked at.
struct ProjectionCheck {
  std::string path;
  FileState state;
  int components = 0;
  auto operator<=>(const ProjectionCheck&) const = default;
};

std::string problemOf(const ProjectionCheck& look) {
  static std::mutex mutex;
  static std::map<ProjectionCheck, std::string> known;
  const std::lock_guard lock(mutex);
  const auto found = known.find(look);
  if (found != known.end()) return found->second;
  auto matrix = NpyMatrix::open(look.path);
  if (!matrix) return matrix.error().front().problem;
  return known[look] = problemOf(dotProducts(*matrix, look.components));
}

}  // namespace

Failures checkProjection(const std::string& where, const std::string& path, int components) {
  std::string problem;
  try {
    problem = problemOf(ProjectionCheck{path, FileState::of(path), components});
  } catch (const Error&) {
    problem = "cannot be read to its end";
  }
  if (problem.empty()) return {};
  return {{where, path, problem,
           "its rows must be orthonormal: save them so (the rows of Vt of numpy.linalg.svd are), or remove the file to "
           "have it computed"}};
}

}  // namespace slipstream
