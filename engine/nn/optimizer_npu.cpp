// SPDX-License-Identifier: GPL-3.0-or-later
#include "npu_kernels/optimizer.h"

#include <array>
#include <limits>
#include <vector>

#include "engine/base/error.h"
#include "engine/nn/optimizer_kernels.h"
#include "engine/npu/kernels/agreed_numbers.h"
#include "engine/npu/npu_host.h"

namespace slipstream {
namespace {

using slipstream_npu::isRow;

/// A segment's numbers as the kernel reads them.
struct Numbers {
  StepNumbers numbers;
  std::array<float, 6> unused{};
};
static_assert(sizeof(Numbers) == slipstream_npu::stepNumberFloats * sizeof(float));

struct Shift {
  std::int64_t gradients;
  std::int64_t velocity;
};

constexpr bool same(auto here, auto inKernel) {
  return static_cast<std::uint32_t>(here) == inKernel;
}
static_assert(same(WeightCopy::none, slipstream_npu::noCopy));
static_assert(same(WeightCopy::float16, slipstream_npu::float16Copy));
static_assert(same(WeightCopy::bfloat16, slipstream_npu::bfloat16Copy));

/// Every row of a segment with rows is a tile of its own, however long.
void appendRows(std::vector<NpuTile>& tiles, const TensorSegment& segment, std::uint32_t index) {
  if (segment.row > std::numeric_limits<std::uint32_t>::max() / 2) {
    throw Error("a row of a tensor is longer than an NPU's kernels can take");
  }
  if (segment.elements % segment.row != 0) throw Error("a part of a tensor does not hold whole rows");
  for (std::size_t done = 0; done < segment.elements; done += segment.row) {
    tiles.push_back({segment.start + done, static_cast<std::uint32_t>(segment.row), index | isRow});
  }
}

std::unique_ptr<SegmentPlan> makePlan(DeviceQueue& queue, std::span<const TensorSegment> segments) {
  std::vector<NpuTile> tiles;
  for (std::size_t s = 0; s < segments.size(); ++s) {
    const auto index = static_cast<std::uint32_t>(s);
    if (segments[s].row > 0) {
      appendRows(tiles, segments[s], index);
      continue;
    }
    for (NpuTile tile : npuTilesOf(segments.subspan(s, 1))) {
      tile.of = index;
      tiles.push_back(tile);
    }
  }
  return std::make_unique<NpuSegmentPlan>(npuQueue(queue), segments, std::move(tiles));
}

void stepAll(DeviceQueue& given, const SegmentPlan& plan, const FlatStep& step) {
  const NpuSegmentPlan& mine = npuPlan(plan);
  if (mine.tiles().empty()) return;
  NpuQueue& queue = npuQueue(given);
  std::vector<Numbers> numbers;
  std::vector<Shift> shifts;
  for (const TensorSegment& segment : mine.segments()) {
    numbers.push_back({step.numbers[segment.tensor]});
    const SegmentShift shift = step.shiftOf(segment);
    shifts.push_back({shift.gradients, shift.velocity});
  }
  NpuScratch scratch(queue);
  const std::size_t numberTable = scratch.upload<Numbers>(numbers);
  const std::size_t shiftTable = scratch.upload<Shift>(shifts);
  scratch.take();
  const std::array<NpuArgument, 11> arguments{step.weights,
                                              step.gradients,
                                              step.velocity,
                                              step.secondMoment,
                                              step.copy,
                                              mine.onDevice(),
                                              static_cast<std::uint32_t>(mine.tiles().size()),
                                              scratch.at(numberTable),
                                              scratch.at(shiftTable),
                                              static_cast<std::uint32_t>(step.form),
                                              static_cast<std::uint32_t>(step.copyType)};
  queue.launch(npu_kernels::optimizer_step, npuBlocksFor(queue, mine.tiles().size()), arguments);
}

}  // namespace

const OptimizerKernels& npuOptimizerKernels() {
  static constexpr OptimizerKernels kernels{makePlan, stepAll};
  return kernels;
}

}  // namespace slipstream
