#include "engine/boost/dim_reduce/projection.h"

#include <algorithm>

#include "engine/boost/dim_reduce/kernels.h"

namespace slipstream {
namespace {

/// Columns whose sums stay in the first-level cache while all rows pass by.
constexpr std::size_t blockColumns = 1024;

}  // namespace

Projection::Projection(ColumnSlices slices, int rank, int components, Device& device)
    : slices_(slices),
      columns_(slices.of(rank)),
      components_(components),
      memory_(device.allocate(static_cast<std::size_t>(components * slices.width()) * sizeof(float),
                              MemoryCategory::boost)) {}

std::span<float> Projection::row(int component) const {
  const auto start = static_cast<std::size_t>(component * slices_.width());
  return memory_->as<float>().subspan(start, static_cast<std::size_t>(columns_.size()));
}

void Projection::project(std::span<const float> vector, std::span<double> coefficients) const {
  for (int k = 0; k < components_; ++k) {
    coefficients[static_cast<std::size_t>(k)] = dotInDouble(row(k).data(), vector.data(), vector.size());
  }
}

void Projection::backProject(std::span<const double> coefficients, std::span<float> vector) const {
  alignas(64) double sums[blockColumns];
  for (std::size_t start = 0; start < vector.size(); start += blockColumns) {
    const std::size_t count = std::min(blockColumns, vector.size() - start);
    std::fill_n(sums, count, 0.0);
    for (int k = 0; k < components_; ++k) {
      addScaled(coefficients[static_cast<std::size_t>(k)], row(k).data() + start, sums, count);
    }
    std::transform(sums, sums + count, vector.begin() + static_cast<std::ptrdiff_t>(start),
                   [](double sum) { return static_cast<float>(sum); });
  }
}

}  // namespace slipstream
