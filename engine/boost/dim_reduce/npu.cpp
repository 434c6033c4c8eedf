// SPDX-License-Identifier: GPL-3.0-or-later
#include "npu_kernels/dim_reduce.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
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

/// Consecutive columns of some rows.
struct Columns {
  std::size_t begin;
  std::size_t count;

  Columns tile(std::size_t index) const {
    const std::size_t done = index * npuTileElements;
    return {begin + done, std::min(npuTileElements, count - done)};
  }
};

/// Launches a kernel whose last argument is where it leaves `dots` dot products of each of the tiles, and adds up what
/// it left of each.
std::vector<double> dotsOfTiles(NpuQueue& queue, const NpuKernel& kernel, std::vector<NpuArgument> arguments,
                                std::size_t tiles, std::size_t dots) {
  auto* partials = reinterpret_cast<float*>(queue.scratch(tiles * dots * ofDot * sizeof(float)));
  arguments.emplace_back(partials);
  queue.launch(kernel, npuBlocksFor(queue, tiles), arguments);
  const std::vector<float> left = npuDownload(queue, partials, tiles * dots * ofDot);
  std::vector<double> sums;
  for (auto part = left.begin(); part != left.end(); part += ofDot) {
    sums.push_back(std::accumulate(part, part + ofDot, 0.0));
  }
  return sums;
}

/// In double, by the host, where what the kernel left is no number: a product or a sum was beyond floats, or a value
/// is.
double dotOnHost(NpuQueue& queue, const float* left, const float* right, std::size_t count) {
  const std::vector<float> a = npuDownload(queue, left, count);
  const std::vector<float> b = npuDownload(queue, right, count);
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0, std::plus(),
                            [](float x, float y) { return static_cast<double>(x) * static_cast<double>(y); });
}

void projectColumns(NpuQueue& queue, DeviceRows rows, const float* vector, Columns columns, double* coefficients) {
  const std::vector<double> dots =
      dotsOfTiles(queue, npu_kernels::project,
                  {rows.values + columns.begin, static_cast<std::uint32_t>(rows.count), std::uint64_t{rows.stride},
                   vector + columns.begin, std::uint64_t{columns.count}},
                  tilesOf(columns.count), rows.count);
  for (std::size_t k = 0; k < dots.size(); ++k) {
    const std::size_t row = k % rows.count;
    const Columns tile = columns.tile(k / rows.count);
    const float* values = rows.values + row * rows.stride + tile.begin;
    coefficients[row] += std::isfinite(dots[k]) ? dots[k] : dotOnHost(queue, values, vector + tile.begin, tile.count);
  }
}

void project(DeviceQueue& given, DeviceRows rows, const float* vector, std::size_t elements, double* coefficients) {
  std::fill_n(coefficients, rows.count, 0.0);
  if (rows.count == 0) return;
  const std::size_t most = columnsAtOnce(rows.count);
  for (std::size_t begin = 0; begin < elements; begin += most) {
    projectColumns(npuQueue(given), rows, vector, {begin, std::min(most, elements - begin)}, coefficients);
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

/// The rows of a tile less their mean, in double, by the host: for dot products of which the kernel left no number.
class CentredTile {
 public:
  CentredTile(NpuQueue& queue, DeviceRows rows, Columns columns) : queue_(queue), rows_(rows), columns_(columns) {}

  double dot(std::size_t i, std::size_t j) {
    if (centred_.empty()) centre();
    return std::inner_product(centred_[i].begin(), centred_[i].end(), centred_[j].begin(), 0.0);
  }

 private:
  void centre() {
    std::vector<double> mean(columns_.count);
    for (std::size_t row = 0; row < rows_.count; ++row) {
      const float* values = rows_.values + row * rows_.stride + columns_.begin;
      const std::vector<float> here = npuDownload(queue_, values, columns_.count);
      centred_.emplace_back(here.begin(), here.end());
      std::ranges::transform(mean, centred_.back(), mean.begin(), std::plus());
    }
    for (double& value : mean) value /= static_cast<double>(rows_.count);
    for (std::vector<double>& row : centred_) std::ranges::transform(row, mean, row.begin(), std::minus());
  }

  NpuQueue& queue_;
  DeviceRows rows_;
  Columns columns_;
  std::vector<std::vector<double>> centred_;
};

void addGramOfColumns(NpuQueue& queue, DeviceRows rows, Columns columns, double* gram) {
  const std::size_t pairs = rows.count * (rows.count + 1) / 2;
  const std::vector<double> dots = dotsOfTiles(queue, npu_kernels::centred_gram,
                                               {rows.values + columns.begin, static_cast<std::uint32_t>(rows.count),
                                                std::uint64_t{rows.stride}, std::uint64_t{columns.count}},
                                               tilesOf(columns.count), pairs);
  auto left = dots.begin();
  for (std::size_t tile = 0; tile < tilesOf(columns.count); ++tile) {
    CentredTile onHost(queue, rows, columns.tile(tile));
    for (std::size_t i = 0; i < rows.count; ++i) {
      for (std::size_t j = i; j < rows.count; ++j, ++left) {
        const double dot = std::isfinite(*left) ? *left : onHost.dot(i, j);
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
    addGramOfColumns(npuQueue(given), rows, {begin, std::min(most, elements - begin)}, gram);
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
