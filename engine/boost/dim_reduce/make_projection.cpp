// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/boost/dim_reduce/make_projection.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "engine/base/error.h"
#include "engine/boost/dim_reduce/kernels.h"
#include "engine/boost/dim_reduce/matrix_columns.h"
#include "engine/boost/dim_reduce/pca.h"
#include "engine/boost/dim_reduce/spec.h"
#include "engine/boost/slices.h"
#include "engine/interchange/npy.h"

namespace slipstream {
namespace {

/// Values of the matrix that travel at a time: 4 MB.
constexpr std::int64_t heldValues = 1 << 20;

/// A failed file ends the run: only rank 0 sees it, in the middle of what all ranks do together.
template <class T>
T valueOrThrow(Result<T> result) {
  if (!result) throw Error(toText(result.error()));
  if constexpr (!std::is_void_v<T>) return std::move(*result);
}

NpyMatrix openMatrix(const std::string& path, int components, std::int64_t columns) {
  auto matrix = valueOrThrow(NpyMatrix::open(path));
  if (matrix.columns() != columns) {
    throw Error(
        fmt::format("dim_reduce.pca_mat_path: {} has {} columns, but the network has {} trainable weights: it "
                    "belongs to another network; remove the file to have it computed",
                    path, matrix.columns(), columns));
  }
  if (matrix.rows() < components) {
    throw Error(
        fmt::format("dim_reduce.pca_mat_path: {} has {} rows, but n_components is {}: lower n_components, or "
                    "remove the file to have it computed",
                    path, matrix.rows(), components));
  }
  return matrix;
}

/// [components, block], in the flat space's order. The file may be another than the one that was looked at while
/// planning.
void readBlock(NpyMatrix& matrix, const std::string& path, const ColumnBlock& block, std::span<float> values) {
  const std::int64_t columns = block.flat.size();
  const std::int64_t components = std::ssize(values) / columns;
  matrix.read(components, block.fileBegin, block.fileBegin + columns, values);
  const auto bad = std::ranges::find_if(values, [](float value) { return !std::isfinite(value); });
  if (bad == values.end()) return toFlatOrder(block, values);
  throw Error(fmt::format("dim_reduce.pca_mat_path: row {} of {} holds a value that is no number",
                          (bad - values.begin()) / columns, path));
}

/// Calls use(component, column, values of them) for this rank's columns among a block's.
template <class Use>
void forMine(const Projection& projection, const ColumnBlock& block, std::span<float> values, Use&& use) {
  const Range mine = intersection(block.flat, projection.columns());
  if (mine.size() == 0) return;
  for (int k = 0; k < projection.components(); ++k) {
    const auto start = static_cast<std::size_t>(k * block.flat.size() + mine.begin - block.flat.begin);
    use(k, mine.begin, values.subspan(start, static_cast<std::size_t>(mine.size())));
  }
}

std::int64_t columnsAtATime(const Projection& projection) {
  return std::max<std::int64_t>(1, heldValues / projection.components());
}

/// Rank 0 alone needs to see the file.
void readMatrix(const std::string& path, const UpdateContext& parts, const Deadline& deadline, Projection& projection) {
  Communicator& communicator = parts.communicator;
  std::optional<NpyMatrix> matrix;
  if (communicator.rank() == 0) matrix = openMatrix(path, projection.components(), parts.layout.size());
  std::vector<float> values;
  for (const ColumnBlock& block : columnBlocks(parts.layout, columnsAtATime(projection))) {
    deadline.check();
    values.resize(static_cast<std::size_t>(projection.components() * block.flat.size()));
    if (matrix) readBlock(*matrix, path, block, values);
    communicator.broadcast(std::as_writable_bytes(std::span(values)), 0);
    forMine(projection, block, values, [&](int component, std::int64_t column, std::span<const float> mine) {
      projection.writeRow(component, column, mine);
    });
  }
}

/// Rank 0 writes; every rank adds its columns to zeros of the others.
void writeMatrix(const std::string& path, const UpdateContext& parts, const Deadline& deadline,
                 const Projection& projection) {
  Communicator& communicator = parts.communicator;
  std::unique_ptr<NpyWriter> file;
  if (communicator.rank() == 0) {
    file = valueOrThrow(NpyWriter::create(path, projection.components(), parts.layout.size()));
  }
  std::vector<float> values;
  for (const ColumnBlock& block : columnBlocks(parts.layout, columnsAtATime(projection))) {
    deadline.check();
    const auto columns = static_cast<std::size_t>(block.flat.size());
    values.assign(static_cast<std::size_t>(projection.components()) * columns, 0.0F);
    forMine(projection, block, values, [&](int component, std::int64_t column, std::span<float> mine) {
      projection.readRow(component, column, mine);
    });
    communicator.allReduceSum(values);
    if (!file) continue;
    toFileOrder(block, values);
    for (int k = 0; k < projection.components(); ++k) {
      const auto row = std::span<const float>(values).subspan(static_cast<std::size_t>(k) * columns, columns);
      valueOrThrow(file->write(k, block.fileBegin, row));
    }
  }
  if (file) valueOrThrow(file->commit());
}

}  // namespace

ReadyProjection makeProjection(const UpdateContext& parts) {
  const auto& options = parts.experiment.boost.of<DimReduceOptions>();
  const Deadline deadline(options.timeout);
  const ColumnSlices slices{parts.layout.size(), parts.communicator.size()};
  ReadyProjection ready{Projection(slices, parts.communicator.rank(), options.nComponents, parts.device,
                                   parts.kernels.of<DimReduceKernels>()),
                        {}};
  if (options.pcaMatrix == MatrixUse::read) {
    readMatrix(options.pcaMatPath, parts, deadline, ready.projection);
    return ready;
  }
  if (parts.snapshots == nullptr) {
    throw Error(
        "dim_reduce has no weights to look back at: name a folder of them in dim_reduce.weight_load_dir, a ready "
        "projection in dim_reduce.pca_mat_path, or train a stage before this one that keeps snapshots");
  }
  ready.explainedVariance =
      principalComponents(*parts.snapshots, parts.layout, parts.communicator, deadline, ready.projection);
  if (options.pcaMatrix == MatrixUse::written) {
    writeMatrix(options.pcaMatPath, parts, deadline, ready.projection);
  }
  return ready;
}

}  // namespace slipstream
