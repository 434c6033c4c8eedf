#include "engine/boost/dim_reduce/make_projection.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "engine/base/error.h"
#include "engine/boost/dim_reduce/npy.h"
#include "engine/boost/dim_reduce/pca.h"
#include "engine/boost/slices.h"
#include "engine/plan/npy_matrix.h"

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

/// The file may be another than the one that was looked at while planning.
void readPart(NpyMatrix& matrix, const std::string& path, int components, Range part, std::span<float> values) {
  matrix.read(components, part.begin, part.end, values);
  const auto bad = std::ranges::find_if(values, [](float value) { return !std::isfinite(value); });
  if (bad == values.end()) return;
  throw Error(fmt::format("dim_reduce.pca_mat_path: row {} of {} holds a value that is no number",
                          (bad - values.begin()) / part.size(), path));
}

/// Rank 0 alone needs to see the file.
void readMatrix(const std::string& path, Communicator& communicator, const Deadline& deadline, Projection& projection) {
  const int components = projection.components();
  const std::int64_t columns = projection.slices().columns;
  std::optional<NpyMatrix> matrix;
  if (communicator.rank() == 0) matrix = openMatrix(path, components, columns);
  const std::int64_t width = std::max<std::int64_t>(1, heldValues / components);
  std::vector<float> values;
  for (std::int64_t begin = 0; begin < columns; begin += width) {
    deadline.check();
    const Range part{begin, std::min(columns, begin + width)};
    values.resize(static_cast<std::size_t>(components * part.size()));
    if (matrix) readPart(*matrix, path, components, part, values);
    communicator.broadcast(std::as_writable_bytes(std::span(values)), 0);
    const Range mine = intersection(part, projection.columns());
    if (mine.size() == 0) continue;
    for (int k = 0; k < components; ++k) {
      const auto start = static_cast<std::size_t>(k * part.size() + mine.begin - part.begin);
      projection.writeRow(k, mine.begin, std::span(values).subspan(start, static_cast<std::size_t>(mine.size())));
    }
  }
}

/// Rank 0 writes; the others send it their columns, some of one row at a time.
class MatrixWriting {
 public:
  MatrixWriting(Communicator& communicator, const Deadline& deadline, const Projection& projection)
      : communicator_(communicator), deadline_(deadline), projection_(projection) {}

  void run(const std::string& path) {
    std::unique_ptr<NpyWriter> file;
    if (writes()) file = valueOrThrow(NpyWriter::create(path, projection_.components(), projection_.slices().columns));
    for (int owner = 0; owner < communicator_.size(); ++owner) {
      for (int k = 0; k < projection_.components(); ++k) writeRow(owner, k, file.get());
    }
    if (file) valueOrThrow(file->commit());
  }

 private:
  bool writes() const { return communicator_.rank() == 0; }

  void writeRow(int owner, int row, NpyWriter* file) {
    if (!writes() && communicator_.rank() != owner) return;
    deadline_.check();
    const Range columns = projection_.slices().of(owner);
    for (std::int64_t begin = columns.begin; begin < columns.end; begin += heldValues) {
      const Range part{begin, std::min(columns.end, begin + heldValues)};
      const std::span<const float> values = valuesOf(owner, row, part);
      if (file != nullptr) valueOrThrow(file->write(row, part.begin, values));
    }
  }

  std::span<const float> valuesOf(int owner, int row, Range part) {
    values_.resize(static_cast<std::size_t>(part.size()));
    if (communicator_.rank() != owner) {
      communicator_.sendReceive({}, owner, std::as_writable_bytes(std::span(values_)), owner);
      return values_;
    }
    projection_.readRow(row, part.begin, values_);
    if (owner != 0) communicator_.sendReceive(std::as_bytes(std::span(values_)), 0, {}, 0);
    return values_;
  }

  Communicator& communicator_;
  const Deadline& deadline_;
  const Projection& projection_;
  std::vector<float> values_;
};

}  // namespace

ReadyProjection makeProjection(const UpdateParts& parts) {
  const BoostConfig& boost = parts.experiment.boost;
  const Deadline deadline(boost.timeout);
  const ColumnSlices slices{parts.layout.size(), parts.communicator.size()};
  ReadyProjection ready{
      Projection(slices, parts.communicator.rank(), boost.nComponents, parts.device, *parts.kernels.dimReduce), {}};
  if (boost.pcaMatrix == MatrixUse::read) {
    readMatrix(boost.pcaMatPath, parts.communicator, deadline, ready.projection);
    return ready;
  }
  if (parts.snapshots == nullptr) {
    throw Error(
        "dim_reduce has no weights to look back at: name a folder of them in dim_reduce.weight_load_dir, a ready "
        "projection in dim_reduce.pca_mat_path, or train a stage before this one that keeps snapshots");
  }
  ready.explainedVariance =
      principalComponents(*parts.snapshots, parts.layout, parts.communicator, deadline, ready.projection);
  if (boost.pcaMatrix == MatrixUse::written) {
    MatrixWriting(parts.communicator, deadline, ready.projection).run(boost.pcaMatPath);
  }
  return ready;
}

}  // namespace slipstream
