// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/npu/npu_tiles.h"

#include <algorithm>
#include <limits>

#include "engine/base/error.h"

namespace slipstream {
namespace {

constexpr std::size_t tableAlignment = 512;

}  // namespace

std::vector<NpuTile> npuTilesOf(std::span<const TensorSegment> segments) {
  std::vector<NpuTile> tiles;
  for (std::size_t s = 0; s < segments.size(); ++s) {
    for (std::size_t done = 0; done < segments[s].elements; done += npuTileElements) {
      const std::size_t count = std::min(npuTileElements, segments[s].elements - done);
      tiles.push_back({segments[s].start + done, static_cast<std::uint32_t>(count), static_cast<std::uint32_t>(s)});
    }
  }
  if (tiles.size() > std::numeric_limits<std::uint32_t>::max()) {
    throw Error("there are more elements than an NPU's kernels can take");
  }
  return tiles;
}

NpuSegmentPlan::NpuSegmentPlan(NpuQueue& queue, std::span<const TensorSegment> segments, std::vector<NpuTile> tiles)
    : SegmentPlan({segments.begin(), segments.end()}),
      tiles_(std::move(tiles)),
      memory_(queue.allocate(std::max(sizeof(NpuTile), tiles_.size() * sizeof(NpuTile)))) {
  queue.upload(memory_->data(), std::as_bytes(std::span(tiles_)));
}

unsigned npuBlocksFor(const NpuQueue& queue, std::size_t parts) {
  return static_cast<unsigned>(std::clamp<std::size_t>(parts, 1, queue.vectorCores()));
}

std::size_t NpuScratch::add(std::size_t bytes, std::span<const std::byte> values) {
  tables_.push_back({bytes_, values});
  bytes_ += (bytes + tableAlignment - 1) / tableAlignment * tableAlignment;
  return tables_.size() - 1;
}

void NpuScratch::take() {
  memory_ = queue_.scratch(bytes_);
  for (const Table& table : tables_) {
    if (!table.values.empty()) queue_.upload(memory_ + table.offset, table.values);
  }
}

std::vector<float> npuDownload(NpuQueue& queue, const float* values, std::size_t count) {
  std::vector<float> here(count);
  queue.download(std::as_writable_bytes(std::span(here)), values);
  return here;
}

}  // namespace slipstream
