// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "engine/boost/dim_reduce/columns.h"
#include "engine/boost/dim_reduce/kernels.h"
#include "engine/device/device.h"

namespace slipstream {

/// This rank's columns of P [components, flat space], whose rows are orthonormal. fp32, row after row; counted as
/// boost.
class Projection {
 public:
  /// What is referred to outlives this.
  Projection(ColumnSlices slices, int rank, int components, Device& device, const DimReduceKernels& kernels);

  int components() const { return components_; }
  const ColumnSlices& slices() const { return slices_; }
  /// The columns that are kept here.
  Range columns() const { return columns_; }
  Device& device() const { return *device_; }
  const DimReduceKernels& kernels() const { return *kernels_; }
  /// Values of one component, of columns() from `column` on; `values` are the host's.
  void writeRow(int component, std::int64_t column, std::span<const float> values);
  void readRow(int component, std::int64_t column, std::span<float> values) const;

  /// coefficients[k] = row k times `vector`, of the device, which holds the first vector.size() of these columns: this
  /// rank's share of P v, to be added up over ranks. components() coefficients.
  void project(std::span<const float> vector, std::span<double> coefficients) const;
  /// `vector`, the first vector.size() of these columns, becomes P' coefficients; added up in double.
  void backProject(std::span<const double> coefficients, std::span<float> vector) const;

 private:
  DeviceRows rows() const;
  std::span<float> part(int component, std::int64_t column, std::size_t count) const;

  ColumnSlices slices_;
  Range columns_;
  int components_;
  Device* device_;
  const DimReduceKernels* kernels_;
  std::unique_ptr<Buffer> memory_;
};

}  // namespace slipstream
