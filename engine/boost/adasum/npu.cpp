// SPDX-License-Identifier: GPL-3.0-or-later
#include "npu_kernels/adasum.h"

#include <algorithm>
#include <array>
#include <map>
#include <string>
#include <vector>

#include "engine/base/error.h"
#include "engine/boost/adasum/double_double.h"
#include "engine/boost/adasum/kernels.h"
#include "engine/boost/adasum/spec.h"
#include "engine/boost/adasum/tree.h"
#include "engine/boost/kernel_tables.h"
#include "engine/npu/kernels/agreed_numbers.h"
#include "engine/npu/npu_host.h"

namespace slipstream {
namespace {

using slipstream_npu::exactSumParts;
using slipstream_npu::mostLeaves;
using slipstream_npu::sumParts;
using Leaves = std::span<const float* const>;

constexpr std::size_t lanes = slipstream_npu::lanes;
/// What the kernel leaves of tiles is read in groups of so many bytes.
constexpr std::size_t mostPartialBytes = std::size_t{16} << 20;

/// A sum of twice a double's digits.
struct DoubleDouble {
  double high = 0;
  double low = 0;
  void add(double value) { addHighLow(high, low, value, 0); }
  double rounded() const { return roundedHighLow(high, low); }
};

/// Which kernel it is, and how many floats its sums are made of.
struct Precision {
  const NpuKernel& kernel;
  std::size_t parts;
};
constexpr Precision plainDots{npu_kernels::adasum_dots, sumParts};
constexpr Precision exactDotsOf{npu_kernels::adasum_exact_dots, exactSumParts};

/// Tiles of which some may already be on the device.
struct Tiles {
  std::span<const NpuTile> all;
  const NpuTile* onDevice = nullptr;
};

void checkLeaves(std::size_t count) {
  if (count <= mostLeaves) return;
  throw Error("Adasum on an NPU combines at most " + std::to_string(mostLeaves) + " vectors at a time");
}

/// The leaves of a tile that hold an infinity, a NaN or nearly one: their dot products are the host's.
class HostTile {
 public:
  HostTile(NpuQueue& queue, Leaves leaves, const NpuTile& tile) : queue_(queue), leaves_(leaves), tile_(tile) {}

  DoubleDouble dot(std::size_t i, std::size_t j) {
    const std::vector<float>& a = values(i);
    const std::vector<float>& b = values(j);
    DoubleDouble sum;
    for (std::size_t k = 0; k < a.size(); ++k) sum.add(static_cast<double>(a[k]) * static_cast<double>(b[k]));
    return sum;
  }

 private:
  const std::vector<float>& values(std::size_t leaf) {
    std::vector<float>& held = held_[leaf];
    if (held.empty()) held = npuDownload(queue_, leaves_[leaf] + tile_.start, tile_.elements);
    return held;
  }

  NpuQueue& queue_;
  Leaves leaves_;
  const NpuTile& tile_;
  std::map<std::size_t, std::vector<float>> held_;
};

/// Adds what the kernel left of a tile to the sums of its segment.
void addTile(NpuQueue& queue, Leaves leaves, const NpuTile& tile, const Precision& precision, const float* left,
             std::span<DoubleDouble> sums) {
  const std::size_t count = leaves.size();
  const float* dots = left + count * lanes;
  HostTile host(queue, leaves, tile);
  for (std::size_t i = 0; i < count; ++i) {
    for (std::size_t j = i; j < count; ++j, dots += precision.parts * lanes) {
      const double scale = static_cast<double>(left[i * lanes]) * static_cast<double>(left[j * lanes]);
      DoubleDouble& sum = sums[gramIndex(i, j, count)];
      if (scale == 0) {
        const DoubleDouble dot = host.dot(i, j);
        sum.add(dot.high);
        sum.low += dot.low;
        continue;
      }
      for (std::size_t k = 0; k < precision.parts * lanes; ++k) sum.add(scale * static_cast<double>(dots[k]));
    }
  }
}

/// Dot products of every segment, one behind the other, in the order of the tiles; waits for them.
std::vector<DoubleDouble> dotsOfTiles(NpuQueue& queue, const Tiles& tiles, std::size_t segments, Leaves leaves,
                                      const Precision& precision) {
  checkLeaves(leaves.size());
  const std::size_t pairs = gramSize(leaves.size());
  std::vector<DoubleDouble> sums(segments * pairs);
  const std::size_t ofTile = (leaves.size() + pairs * precision.parts) * lanes;
  const std::size_t group = std::max<std::size_t>(1, mostPartialBytes / (ofTile * sizeof(float)));
  const std::vector<std::uint64_t> addresses = npuAddresses(leaves);
  for (std::size_t begin = 0; begin < tiles.all.size(); begin += group) {
    const auto part = tiles.all.subspan(begin, std::min(group, tiles.all.size() - begin));
    NpuScratch scratch(queue);
    const std::size_t leafTable = scratch.upload<std::uint64_t>(addresses);
    const std::size_t room = scratch.room(part.size() * ofTile * sizeof(float));
    const std::size_t tileTable = tiles.onDevice != nullptr ? 0 : scratch.upload(part);
    scratch.take();
    const void* tilesAt =
        tiles.onDevice != nullptr ? static_cast<const void*>(tiles.onDevice + begin) : scratch.at(tileTable);
    const std::array<NpuArgument, 5> arguments{scratch.at(leafTable), static_cast<std::uint32_t>(leaves.size()),
                                               tilesAt, static_cast<std::uint32_t>(part.size()), scratch.at(room)};
    queue.launch(precision.kernel, npuBlocksFor(queue, part.size()), arguments);
    const auto* partials = reinterpret_cast<const float*>(scratch.at(room));
    const std::vector<float> left = npuDownload(queue, partials, part.size() * ofTile);
    for (std::size_t t = 0; t < part.size(); ++t) {
      addTile(queue, leaves, part[t], precision, left.data() + t * ofTile,
              std::span(sums).subspan(part[t].of * pairs, pairs));
    }
  }
  return sums;
}

std::vector<NpuTile> tilesOfOne(std::size_t elements) {
  const std::array<TensorSegment, 1> whole{{{0, elements, 0}}};
  return npuTilesOf(whole);
}

void dots(DeviceQueue& queue, const float* const* leaves, std::size_t count, std::size_t elements, double* sums) {
  checkLeaves(count);
  const auto tiles = tilesOfOne(elements);
  const auto found = dotsOfTiles(npuQueue(queue), {tiles}, 1, {leaves, count}, plainDots);
  std::ranges::transform(found, sums, [](const DoubleDouble& sum) { return sum.rounded(); });
}

void exactDots(DeviceQueue& queue, const float* const* leaves, std::size_t count, std::size_t elements, double* sums) {
  checkLeaves(count);
  const auto tiles = tilesOfOne(elements);
  const auto found = dotsOfTiles(npuQueue(queue), {tiles}, 1, {leaves, count}, exactDotsOf);
  for (std::size_t k = 0; k < found.size(); ++k) {
    sums[2 * k] = found[k].high;
    sums[2 * k + 1] = found[k].low;
  }
}

std::unique_ptr<SegmentPlan> makePlan(DeviceQueue& queue, std::span<const TensorSegment> segments) {
  return std::make_unique<NpuSegmentPlan>(npuQueue(queue), segments, npuTilesOf(segments));
}

void dotsOfSegments(DeviceQueue& queue, const SegmentPlan& plan, const float* const* leaves, std::size_t count,
                    double* sums) {
  const NpuSegmentPlan& mine = npuPlan(plan);
  const auto segments = mine.segments();
  const std::size_t pairs = gramSize(count);
  const auto found =
      dotsOfTiles(npuQueue(queue), {mine.tiles(), mine.onDevice()}, segments.size(), {leaves, count}, plainDots);
  for (std::size_t s = 0; s < segments.size(); ++s) {
    std::transform(found.data() + s * pairs, found.data() + (s + 1) * pairs, sums + segments[s].tensor * pairs,
                   [](const DoubleDouble& sum) { return sum.rounded(); });
  }
}

void combine(DeviceQueue& queue, const float* const* leaves, const double* coefficients, std::size_t count,
             std::size_t elements, float* const* outputs, std::size_t outputCount) {
  checkLeaves(count);
  const auto tiles = tilesOfOne(elements);
  NpuWeightedSum sum{npu_kernels::adasum_combine, {leaves, count}, {outputs, outputCount}, {}, tiles};
  for (std::size_t i = 0; i < count; ++i) appendNpuCoefficient(sum.coefficients, coefficients[i], 0, sumParts);
  launchWeightedSum(npuQueue(queue), sum);
}

void exactCombine(DeviceQueue& queue, const float* const* leaves, const double* coefficients, std::size_t count,
                  std::size_t elements, float* const* outputs, std::size_t outputCount) {
  checkLeaves(count);
  const auto tiles = tilesOfOne(elements);
  NpuWeightedSum sum{npu_kernels::adasum_exact_combine, {leaves, count}, {outputs, outputCount}, {}, tiles};
  for (std::size_t i = 0; i < count; ++i) {
    appendNpuCoefficient(sum.coefficients, coefficients[i], coefficients[count + i], exactSumParts);
  }
  launchWeightedSum(npuQueue(queue), sum);
}

void combineSegments(DeviceQueue& queue, const SegmentPlan& plan, const float* const* leaves,
                     const double* coefficients, std::size_t count, float* const* outputs, std::size_t outputCount) {
  checkLeaves(count);
  const NpuSegmentPlan& mine = npuPlan(plan);
  NpuWeightedSum sum{
      npu_kernels::adasum_combine, {leaves, count}, {outputs, outputCount}, {}, mine.tiles(), mine.onDevice()};
  for (const TensorSegment& segment : mine.segments()) {
    const double* ofTensor = coefficients + segment.tensor * count;
    for (std::size_t i = 0; i < count; ++i) appendNpuCoefficient(sum.coefficients, ofTensor[i], 0, sumParts);
  }
  launchWeightedSum(npuQueue(queue), sum);
}

}  // namespace

const AdasumKernels<float>& npuAdasumKernels() {
  static constexpr AdasumKernels<float> kernels{dots,     exactDots,      combine,        exactCombine,
                                                makePlan, dotsOfSegments, combineSegments};
  return kernels;
}

void AdasumAlgorithm::addNpuKernels(KernelTables& tables) {
  tables.add(npuAdasumKernels());
}

}  // namespace slipstream
