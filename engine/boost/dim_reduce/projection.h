#pragma once

#include <memory>
#include <span>
#include <vector>

#include "engine/boost/dim_reduce/columns.h"
#include "engine/device/memory.h"

namespace slipstream {

/// This rank's columns of P [components, flat space], whose rows are orthonormal. fp32, row after row; counted as
/// boost.
class Projection {
 public:
  Projection(ColumnSlices slices, int rank, int components, Device& device);

  int components() const { return components_; }
  const ColumnSlices& slices() const { return slices_; }
  /// The columns that are kept here.
  Range columns() const { return columns_; }
  /// columns().size() values of component `component`.
  std::span<float> row(int component) const;

  /// coefficients[k] = row k times `vector`, which holds the first vector.size() of these columns: this rank's share of
  /// P v, to be added up over ranks. components() coefficients.
  void project(std::span<const float> vector, std::span<double> coefficients) const;
  /// `vector`, the first vector.size() of these columns, becomes P' coefficients; added up in double.
  void backProject(std::span<const double> coefficients, std::span<float> vector) const;

 private:
  ColumnSlices slices_;
  Range columns_;
  int components_;
  std::unique_ptr<Buffer> memory_;
};

}  // namespace slipstream
