// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/boost/dim_reduce/projection.h"

namespace slipstream {

Projection::Projection(ColumnSlices slices, int rank, int components, Device& device, const DimReduceKernels& kernels)
    : slices_(slices),
      columns_(slices.of(rank)),
      components_(components),
      device_(&device),
      kernels_(&kernels),
      memory_(device.allocate(static_cast<std::size_t>(components * slices.width()) * sizeof(float),
                              MemoryCategory::boost)) {}

void Projection::writeRow(int component, std::int64_t column, std::span<const float> values) {
  device_->copyIn(std::as_writable_bytes(part(component, column, values.size())), std::as_bytes(values));
}

void Projection::readRow(int component, std::int64_t column, std::span<float> values) const {
  device_->copyOut(std::as_writable_bytes(values), std::as_bytes(part(component, column, values.size())));
}

void Projection::project(std::span<const float> vector, std::span<double> coefficients) const {
  kernels_->project(device_->queue(), rows(), vector.data(), vector.size(), coefficients.data());
}

void Projection::backProject(std::span<const double> coefficients, std::span<float> vector) const {
  kernels_->backProject(device_->queue(), rows(), coefficients.data(), vector.data(), vector.size());
}

DeviceRows Projection::rows() const {
  return {memory_->as<float>().data(), static_cast<std::size_t>(components_),
          static_cast<std::size_t>(slices_.width())};
}

std::span<float> Projection::part(int component, std::int64_t column, std::size_t count) const {
  const std::int64_t start = component * slices_.width() + column - columns_.begin;
  return memory_->as<float>().subspan(static_cast<std::size_t>(start), count);
}

}  // namespace slipstream
