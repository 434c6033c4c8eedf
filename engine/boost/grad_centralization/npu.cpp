// SPDX-License-Identifier: GPL-3.0-or-later
#include "npu_kernels/grad_centralization.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <numeric>
#include <vector>

#include "engine/boost/grad_centralization/kernels.h"
#include "engine/boost/grad_centralization/spec.h"
#include "engine/boost/kernel_tables.h"
#include "engine/npu/kernels/agreed_numbers.h"
#include "engine/npu/npu_host.h"

namespace slipstream {
namespace {

/// Floats that add up to a tile's sum.
constexpr std::size_t ofTile = slipstream_npu::foldedFloats;

/// The part's rows in tiles, whose `of` is the row.
std::vector<NpuTile> tilesOfRows(RowsSegment part) {
  std::vector<TensorSegment> rows;
  for (std::size_t begin = 0; begin < part.count;) {
    const std::size_t end = std::min(part.count, (rows.size() + 1) * part.columns - part.before);
    rows.push_back({begin, end - begin});
    begin = end;
  }
  return npuTilesOf(rows);
}

double sumOf(std::span<const float> values) {
  return std::accumulate(values.begin(), values.end(), 0.0);
}

/// sums[row] += factor * sum of the row's values. The host adds up what the tiles leave, and the values themselves
/// where a sum was beyond floats.
void addRowSums(NpuQueue& queue, const float* values, double factor, std::span<const NpuTile> tiles,
                std::span<double> sums) {
  NpuScratch scratch(queue);
  const std::size_t table = scratch.upload(tiles);
  const std::size_t room = scratch.room(tiles.size() * ofTile * sizeof(float));
  scratch.take();
  const std::array<NpuArgument, 4> arguments{values, scratch.at(table), static_cast<std::uint32_t>(tiles.size()),
                                             scratch.at(room)};
  queue.launch(npu_kernels::row_sums, npuBlocksFor(queue, tiles.size()), arguments);
  const auto* partials = reinterpret_cast<const float*>(scratch.at(room));
  const std::vector<float> found = npuDownload(queue, partials, tiles.size() * ofTile);
  for (std::size_t t = 0; t < tiles.size(); ++t) {
    double sum = sumOf(std::span(found).subspan(t * ofTile, ofTile));
    if (!std::isfinite(sum)) sum = sumOf(npuDownload(queue, values + tiles[t].start, tiles[t].elements));
    sums[tiles[t].of] += factor * sum;
  }
}

void sumRows(DeviceQueue& given, const float* gradient, const float* weights, double decay, RowsSegment part,
             double* sums) {
  if (part.count == 0) return;
  NpuQueue& queue = npuQueue(given);
  const std::vector<NpuTile> tiles = tilesOfRows(part);
  std::vector<double> found(part.rows());
  addRowSums(queue, gradient, 1, tiles, found);
  if (decay != 0) addRowSums(queue, weights, decay, tiles, found);
  queue.upload(sums, std::as_bytes(std::span(found)));
}

void subtractMeans(DeviceQueue& given, float* gradient, RowsSegment part, const double* sums) {
  if (part.count == 0) return;
  NpuQueue& queue = npuQueue(given);
  std::vector<double> ofRows(part.rows());
  queue.download(std::as_writable_bytes(std::span(ofRows)), sums);
  std::vector<NpuTile> tiles = tilesOfRows(part);
  for (NpuTile& tile : tiles) {
    tile.of = std::bit_cast<std::uint32_t>(static_cast<float>(ofRows[tile.of] / static_cast<double>(part.columns)));
  }
  NpuScratch scratch(queue);
  const std::size_t table = scratch.upload<NpuTile>(tiles);
  scratch.take();
  const std::array<NpuArgument, 3> arguments{gradient, scratch.at(table), static_cast<std::uint32_t>(tiles.size())};
  queue.launch(npu_kernels::subtract_means, npuBlocksFor(queue, tiles.size()), arguments);
}

}  // namespace

const GradCentralizationKernels& npuGradCentralizationKernels() {
  static constexpr GradCentralizationKernels kernels{sumRows, subtractMeans};
  return kernels;
}

void GradCentralizationAlgorithm::addNpuKernels(KernelTables& tables) {
  tables.add(npuGradCentralizationKernels());
}

}  // namespace slipstream
