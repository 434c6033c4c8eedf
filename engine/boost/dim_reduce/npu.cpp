// SPDX-License-Identifier: GPL-3.0-or-later
#include "npu_kernels/dim_reduce.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <vector>

#include "engine/base/error.h"
#include "engine/boost/dim_reduce/kernels.h"
#include "engine/boost/dim_reduce/spec.h"
#include "engine/boost/kernel_tables.h"
#include "engine/npu/kernels/agreed_numbers.h"
#include "engine/npu/npu_host.h"

namespace slipstream {
namespace {

/// Floats that add up to a tile's part of a dot product.
constexpr std::size_t ofDot = slipstream_npu::foldedFloats;
/// What a kernel leaves of tiles is read in groups of so many bytes.
constexpr std::size_t mostPartialBytes = std::size_t{16} << 20;

std::size_t tilesOf(std::size_t elements) {
  return (elements + npuTileElements - 1) / npuTileElements;
}

/// Columns whose partial sums, of `dots` dot products each tile, are read at a time.
std::size_t columnsAtOnce(std::size_t dots) {
  return std::max<std::size_t>(1, mostPartialBytes / (dots * ofDot * sizeof(float))) * npuTileElements;
}

double sumOf(const float* values, std::size_t count) {
  return std::accumulate(values, values + count, 0.0);
}

/// In double, by the host, where what the kernel left is no number.
double dotOnHost(NpuQueue& queue, const float* left, const float* right, std::size_t count) {
  const std::vector<float> a = npuDownload(queue, left, count);
  const std::vector<float> b = npuDownload(queue, right, count);
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0, std::plus(),
                            [](float x, float y) { return static_cast<double>(x) * static_cast<double>(y); });
}

/// Adds the part of the columns from `begin` on.
void projectColumns(NpuQueue& queue, DeviceRows rows, const float* vector, std::size_t begin, std::size_t columns,
                    double* coefficients) {
  const std::size_t tiles = tilesOf(columns);
  auto* partials = reinterpret_cast<float*>(queue.scratch(tiles * rows.count * ofDot * sizeof(float)));
  const std::array<NpuArgument, 6> arguments{rows.values + begin,        static_cast<std::uint32_t>(rows.count),
                                             std::uint64_t{rows.stride}, vector + begin,
                                             std::uint64_t{columns},     partials};
  queue.launch(npu_kernels::project, npuBlocksFor(queue, tiles), arguments);
  const std::vector<float> left = npuDownload(queue, partials, tiles * rows.count * ofDot);
  for (std::size_t tile = 0; tile < tiles; ++tile) {
    const std::size_t start = begin + tile * npuTileElements;
    for (std::size_t row = 0; row < rows.count; ++row) {
      double dot = sumOf(left.data() + (tile * rows.count + row) * ofDot, ofDot);
      if (!std::isfinite(dot)) {
        const std::size_t count = std::min(npuTileElements, begin + columns - start);
        dot = dotOnHost(queue, rows.values + row * rows.stride + start, vector + start, count);
      }
      coefficients[row] += dot;
    }
  }
}

void project(DeviceQueue& given, DeviceRows rows, const float* vector, std::size_t elements, double* coefficients) {
  std::fill_n(coefficients, rows.count, 0.0);
  if (rows.count == 0) return;
  const std::size_t most = columnsAtOnce(rows.count);
  for (std::size_t begin = 0; begin < elements; begin += most) {
    projectColumns(npuQueue(given), rows, vector, begin, std::min(most, elements - begin), coefficients);
  }
}

void backProject(DeviceQueue& given, DeviceRows rows, const double* coefficients, float* vector, std::size_t elements) {
  std::vector<const float*> vectors;
  for (std::size_t row = 0; row < rows.count; ++row) vectors.push_back(rows.values + row * rows.stride);
  const std::array<float*, 1> outputs{vector};
  const std::array<TensorSegment, 1> whole{{{0, elements, 0}}};
  const std::vector<NpuTile> tiles = npuTilesOf(whole);
  NpuWeightedSum sum{npu_kernels::back_project, vectors, outputs, {}, tiles};
  for (std::size_t row = 0; row < rows.count; ++row) {
    appendNpuCoefficient(sum.coefficients, coefficients[row], 0, slipstream_npu::sumParts);
  }
  launchWeightedSum(npuQueue(given), sum);
}

void residualStep(DeviceQueue& given, float decay, const float* gradient, const float* inside, float* momentum,
                  std::size_t elements) {
  if (elements == 0) return;
  NpuQueue& queue = npuQueue(given);
  const std::array<NpuArgument, 5> arguments{decay, gradient, inside, momentum, std::uint64_t{elements}};
  queue.launch(npu_kernels::residual_step, npuBlocksFor(queue, tilesOf(elements)), arguments);
}

void moveAlong(DeviceQueue& given, const float* start, float rate, const float* direction, float* moved,
               std::size_t elements) {
  if (elements == 0) return;
  NpuQueue& queue = npuQueue(given);
  const std::array<NpuArgument, 5> arguments{start, rate, direction, moved, std::uint64_t{elements}};
  queue.launch(npu_kernels::move_along, npuBlocksFor(queue, tilesOf(elements)), arguments);
}

/// Adds the part of the columns from `begin` on.
void addGramOfColumns(NpuQueue& queue, DeviceRows rows, std::size_t begin, std::size_t columns, double* gram) {
  const std::size_t pairs = rows.count * (rows.count + 1) / 2;
  const std::size_t tiles = tilesOf(columns);
  auto* partials = reinterpret_cast<float*>(queue.scratch(tiles * pairs * ofDot * sizeof(float)));
  const std::array<NpuArgument, 5> arguments{rows.values + begin, static_cast<std::uint32_t>(rows.count),
                                             std::uint64_t{rows.stride}, std::uint64_t{columns}, partials};
  queue.launch(npu_kernels::centred_gram, npuBlocksFor(queue, tiles), arguments);
  const std::vector<float> left = npuDownload(queue, partials, tiles * pairs * ofDot);
  const float* dots = left.data();
  for (std::size_t tile = 0; tile < tiles; ++tile) {
    for (std::size_t i = 0; i < rows.count; ++i) {
      for (std::size_t j = i; j < rows.count; ++j, dots += ofDot) {
        const double dot = sumOf(dots, ofDot);
        gram[i * rows.count + j] += dot;
        if (i != j) gram[j * rows.count + i] += dot;
      }
    }
  }
}

void addCentredGram(DeviceQueue& given, DeviceRows rows, std::size_t elements, double* gram) {
  if (rows.count == 0) return;
  const std::size_t most = columnsAtOnce(rows.count * (rows.count + 1) / 2);
  for (std::size_t begin = 0; begin < elements; begin += most) {
    addGramOfColumns(npuQueue(given), rows, begin, std::min(most, elements - begin), gram);
  }
}

}  // namespace

const DimReduceKernels& npuDimReduceKernels() {
  static constexpr DimReduceKernels kernels{project, backProject, residualStep, moveAlong, addCentredGram};
  return kernels;
}

void DimReduceAlgorithm::addNpuKernels(KernelTables& tables) {
  tables.add(npuDimReduceKernels());
}

}  // namespace slipstream
