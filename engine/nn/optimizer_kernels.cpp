// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/nn/optimizer_kernels.h"

#include <bit>
#include <utility>

#include "engine/base/number_type.h"
#include "engine/base/processor_clones.h"
#include "engine/nn/row_sum.h"

namespace slipstream {
namespace {

/// The vectors of a step from some element on, which is counted among the weights.
struct From {
  From(const FlatStep& step, std::size_t start, SegmentShift shift)
      : weights(step.weights + start),
        gradients(step.gradients + start + shift.gradients),
        velocity(step.velocity == nullptr ? nullptr : step.velocity + start + shift.velocity),
        secondMoment(step.secondMoment == nullptr ? nullptr : step.secondMoment + start + shift.velocity) {}
  float* weights;
  const float* gradients;
  float* velocity;
  float* secondMoment;
};

template <StepForm Form>
SLIPSTREAM_PROCESSOR_CLONES void stepElements(From from, std::size_t count, StepNumbers by, float mean) {
  for (std::size_t i = 0; i < count; ++i) {
    Stepped element{from.weights[i], 0};
    if constexpr (statesOf(Form) > 0) element.velocity = from.velocity[i];
    if constexpr (statesOf(Form) > 1) element.secondMoment = from.secondMoment[i];
    element = stepped<Form>(element, from.gradients[i] - mean, by);
    if constexpr (statesOf(Form) > 0) from.velocity[i] = element.velocity;
    if constexpr (statesOf(Form) > 1) from.secondMoment[i] = element.secondMoment;
    from.weights[i] = element.weight;
  }
}

SLIPSTREAM_PROCESSOR_CLONES float meanOf(const float* row, std::size_t count) {
  return static_cast<float>(rowSum(row, count) / static_cast<double>(count));
}

SLIPSTREAM_PROCESSOR_CLONES void copyAsFloat16(const float* from, std::uint16_t* to, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) to[i] = std::bit_cast<std::uint16_t>(static_cast<_Float16>(from[i]));
}

SLIPSTREAM_PROCESSOR_CLONES void copyAsBfloat16(const float* from, std::uint16_t* to, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) to[i] = fromFloat<Bfloat16>(from[i]).bits;
}

/// Of one chunk.
template <StepForm Form>
void stepChunk(const Chunk& chunk, const TensorSegment& segment, const FlatStep& step) {
  const StepNumbers& numbers = step.numbers[segment.tensor];
  const std::size_t row = chunk.row == 0 ? chunk.elements : chunk.row;
  for (std::size_t done = 0; done < chunk.elements; done += row) {
    const From from(step, chunk.start + done, step.shiftOf(segment));
    const float mean = chunk.row == 0 ? 0 : meanOf(from.gradients, row);
    stepElements<Form>(from, row, numbers, mean);
  }
  const float* weights = step.weights + chunk.start;
  if (step.copyType == WeightCopy::float16) copyAsFloat16(weights, step.copy + chunk.start, chunk.elements);
  if (step.copyType == WeightCopy::bfloat16) copyAsBfloat16(weights, step.copy + chunk.start, chunk.elements);
}

/// Segments cut into chunks, which threads share.
class ChunkedPlan final : public SegmentPlan {
 public:
  explicit ChunkedPlan(std::span<const TensorSegment> segments)
      : SegmentPlan({segments.begin(), segments.end()}), table_(chunksOf(segments)) {}
  std::span<const Chunk> chunks() const { return table_.chunks; }

 private:
  ChunkTable table_;
};

std::unique_ptr<SegmentPlan> makeChunkedPlan(DeviceQueue&, std::span<const TensorSegment> segments) {
  return std::make_unique<ChunkedPlan>(segments);
}

/// Each thread takes the same chunks at every step, so that they may stay in its cache.
template <StepForm Form>
void stepChunks(const ChunkedPlan& plan, const FlatStep& step) {
  const auto chunks = plan.chunks();
#pragma omp parallel for schedule(static) if (chunks.size() > 1)
  for (std::size_t i = 0; i < chunks.size(); ++i) stepChunk<Form>(chunks[i], plan.segments()[chunks[i].segment], step);
}

void stepAll(DeviceQueue&, const SegmentPlan& plan, const FlatStep& step) {
  const auto& chunked = static_cast<const ChunkedPlan&>(plan);
  [&]<std::size_t... Index>(std::index_sequence<Index...>) {
    ((step.form == stepForms[Index] ? stepChunks<stepForms[Index]>(chunked, step) : void()), ...);
  }
  (std::make_index_sequence<stepForms.size()>());
}

}  // namespace

const OptimizerKernels& cpuOptimizerKernels() {
  static constexpr OptimizerKernels kernels{makeChunkedPlan, stepAll};
  return kernels;
}

}  // namespace slipstream
