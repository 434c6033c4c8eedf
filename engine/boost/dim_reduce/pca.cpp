// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/boost/dim_reduce/pca.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>

#include <Eigen/Dense>
#include <fmt/format.h>

#include "engine/base/error.h"
#include "engine/boost/slices.h"

namespace slipstream {
namespace {

using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

/// Values of all snapshots that are held at a time: 64 MB of fp32.
constexpr std::int64_t heldSnapshotValues = 16 << 20;
/// Columns that are worked on at a time: 40 snapshots of them are 640 KB of double.
constexpr std::int64_t blockColumns = 2048;
/// A direction with less of the first one's variance is rounding, not to be divided by: rows that are made from the
/// double Gram matrix stay orthogonal to about 1e-15 over this. (Smooth trainings have useful directions below 1e-6.)
constexpr double leastShare = 1e-9;

using BlockWork = std::function<void(Range columns, const Matrix& centred)>;
/// `values` [snapshots, columns], as they were read.
using HeldWork = std::function<void(Range columns, std::span<const float> values)>;

/// Hands out this rank's columns of all snapshots, stretch by stretch, or centred and block by block.
class CentredBlocks {
 public:
  CentredBlocks(WeightSnapshots& snapshots, const ParameterLayout& layout, Range mine, const Deadline& deadline)
      : snapshots_(snapshots), layout_(layout), mine_(mine), deadline_(deadline) {}

  void forEach(const BlockWork& work) {
    forEachHeld([&](Range held, std::span<const float>) { forEachBlock(held, work); });
  }

  void forEachHeld(const HeldWork& work) {
    for (const FlatTensor& tensor : layout_.tensors()) {
      const Range part = intersection(tensor.range, mine_);
      const std::int64_t most = std::max(blockColumns, heldSnapshotValues / snapshots_.count());
      for (std::int64_t begin = part.begin; begin < part.end; begin += most) {
        const Range held{begin, std::min(part.end, begin + most)};
        read(tensor, held);
        work(held, held_);
      }
    }
  }

 private:
  void read(const FlatTensor& tensor, Range held) {
    const auto columns = static_cast<std::size_t>(held.size());
    held_.resize(columns * static_cast<std::size_t>(snapshots_.count()));
    tensor_.resize(static_cast<std::size_t>(tensor.range.size()));
    for (int s = 0; s < snapshots_.count(); ++s) {
      deadline_.check();
      const auto row = std::span(held_).subspan(static_cast<std::size_t>(s) * columns, columns);
      if (held == tensor.range) {
        snapshots_.read(s, tensor, row);
        continue;
      }
      snapshots_.read(s, tensor, tensor_);
      std::copy_n(tensor_.begin() + (held.begin - tensor.range.begin), columns, row.begin());
    }
  }

  void forEachBlock(Range held, const BlockWork& work) const {
    using Held = Eigen::Map<const Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>>;
    const Held values(held_.data(), snapshots_.count(), held.size());
    for (std::int64_t begin = held.begin; begin < held.end; begin += blockColumns) {
      deadline_.check();
      const Range block{begin, std::min(held.end, begin + blockColumns)};
      Matrix centred = values.middleCols(begin - held.begin, block.size()).cast<double>();
      const Eigen::RowVectorXd mean = centred.colwise().mean();
      centred.rowwise() -= mean;
      work(block, centred);
    }
  }

  WeightSnapshots& snapshots_;
  const ParameterLayout& layout_;
  Range mine_;
  const Deadline& deadline_;
  std::vector<float> held_;    ///< [snapshots, columns]
  std::vector<float> tensor_;  ///< one of which only a part is wanted
};

/// By the device's kernel, to which the values have to go.
void addOnDevice(CentredBlocks& blocks, Device& device, const DimReduceKernels& kernels, Matrix& gram) {
  std::unique_ptr<Buffer> memory;
  blocks.forEachHeld([&](Range columns, std::span<const float> values) {
    if (!memory || memory->bytes().size() < values.size_bytes()) {
      memory = device.allocate(values.size_bytes(), MemoryCategory::boost);
    }
    device.copyIn(memory->bytes().first(values.size_bytes()), std::as_bytes(values));
    const auto width = static_cast<std::size_t>(columns.size());
    const DeviceRows rows{memory->as<float>().data(), static_cast<std::size_t>(gram.rows()), width};
    kernels.addCentredGram(device.queue(), rows, width, gram.data());
  });
}

Matrix gramMatrix(CentredBlocks& blocks, int snapshots, Communicator& communicator, const Projection& projection) {
  Matrix gram = Matrix::Zero(snapshots, snapshots);
  if (projection.kernels().addCentredGram != nullptr) {
    addOnDevice(blocks, projection.device(), projection.kernels(), gram);
  } else {
    blocks.forEach([&](Range, const Matrix& centred) { gram.selfadjointView<Eigen::Lower>().rankUpdate(centred); });
  }
  communicator.allReduceSum(std::span(gram.data(), static_cast<std::size_t>(gram.size())));
  return gram;
}

/// Directions in the space of snapshots, best first.
struct Directions {
  Matrix rows;  ///< [components, snapshots]: times the centred snapshots gives P
  std::vector<double> explainedVariance;
};

/// Of the entries that are as large as the largest, to rounding, the first one is positive: another summation order
/// gives the same sign.
void fixSign(Eigen::Ref<Eigen::RowVectorXd> direction) {
  const double largest = direction.cwiseAbs().maxCoeff();
  const auto first = std::find_if(direction.begin(), direction.end(),
                                  [&](double value) { return std::abs(value) >= (1 - 1e-6) * largest; });
  if (*first < 0) direction = -direction;
}

Directions directionsOf(const Matrix& gram, int components) {
  if (!gram.diagonal().allFinite()) throw Error("dim_reduce: a snapshot holds weights that are not finite");
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(gram);
  if (solver.info() != Eigen::Success) throw Error("dim_reduce: the snapshots' eigenvalues could not be found");
  const Eigen::VectorXd values = solver.eigenvalues().reverse();
  const auto usable = (values.array() > leastShare * values[0]).count();
  if (usable < components) {
    throw Error(fmt::format(
        "dim_reduce.n_components is {}, but the {} snapshots vary in {} directions only (the others have less than "
        "{:g} of the first one's variance): lower n_components, or keep snapshots of a part of training that moves "
        "more",
        components, gram.rows(), usable, leastShare));
  }
  Directions directions{Matrix(components, gram.rows()), {}};
  for (int k = 0; k < components; ++k) {
    Eigen::RowVectorXd direction = solver.eigenvectors().col(gram.cols() - 1 - k).transpose();
    fixSign(direction);
    directions.rows.row(k) = direction / std::sqrt(values[k]);
    directions.explainedVariance.push_back(values[k] / gram.trace());
  }
  return directions;
}

void checkCounts(int snapshots, int components) {
  if (snapshots > components) return;
  throw Error(
      fmt::format("dim_reduce.n_components is {}, but there are {} snapshots, and n of them span n - 1 directions: "
                  "keep at least {} "
                  "snapshots, or lower n_components to {}",
                  components, snapshots, components + 1, std::max(1, snapshots - 1)));
}

}  // namespace

void Deadline::check() const {
  if (watch_.seconds() <= seconds_) return;
  throw Error(
      fmt::format("the projection was not ready within dim_reduce.timeout = {:g} s: raise the timeout, keep "
                  "fewer snapshots, or use more ranks",
                  seconds_));
}

std::vector<double> principalComponents(WeightSnapshots& snapshots, const ParameterLayout& layout,
                                        Communicator& communicator, const Deadline& deadline, Projection& projection) {
  checkCounts(snapshots.count(), projection.components());
  CentredBlocks blocks(snapshots, layout, projection.columns(), deadline);
  const Matrix gram = gramMatrix(blocks, snapshots.count(), communicator, projection);
  Directions directions = directionsOf(gram, projection.components());
  blocks.forEach([&](Range block, const Matrix& centred) {
    const Matrix rows = directions.rows * centred;
    std::vector<float> values(static_cast<std::size_t>(block.size()));
    for (int k = 0; k < projection.components(); ++k) {
      std::transform(rows.row(k).begin(), rows.row(k).end(), values.begin(),
                     [](double value) { return static_cast<float>(value); });
      projection.writeRow(k, block.begin, values);
    }
  });
  return directions.explainedVariance;
}

}  // namespace slipstream
