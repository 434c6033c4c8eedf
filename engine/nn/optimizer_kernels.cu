// SPDX-License-Identifier: GPL-3.0-or-later
#include <utility>
#include <vector>

#include <cuda_fp16.h>

#include "engine/base/number_type.h"
#include "engine/cuda/elements.h"
#include "engine/cuda/sums.h"
#include "engine/nn/optimizer_kernels.h"

namespace slipstream {
namespace {

constexpr unsigned blockThreads = 256;

/// What a segment is stepped by.
struct SegmentStep {
  StepNumbers numbers;
  SegmentShift shift;
};

struct Vectors {
  float* weights;
  const float* gradients;
  float* velocity;
  float* secondMoment;
  std::uint16_t* copy;

  /// So that an element is counted alike in all of them.
  __device__ Vectors shifted(SegmentShift by) const {
    return {weights, gradients + by.gradients, velocity == nullptr ? nullptr : velocity + by.velocity,
            secondMoment == nullptr ? nullptr : secondMoment + by.velocity, copy};
  }
};

template <WeightCopy Copy>
__device__ std::uint16_t rounded(float weight) {
  if constexpr (Copy == WeightCopy::float16) {
    return __half_as_ushort(__float2half_rn(weight));
  } else {
    return fromFloat<Bfloat16>(weight).bits;
  }
}

/// Steps the elements [i, i + Width), whose gradients are less `mean`.
template <StepForm Form, WeightCopy Copy, int Width>
__device__ void stepAt(const Vectors& vectors, std::size_t i, const StepNumbers& by, float mean) {
  auto weights = load<Width>(vectors.weights + i);
  const auto gradients = load<Width>(vectors.gradients + i);
  Pack<float, Width> velocity{};
  Pack<float, Width> second{};
  if constexpr (statesOf(Form) > 0) velocity = load<Width>(vectors.velocity + i);
  if constexpr (statesOf(Form) > 1) second = load<Width>(vectors.secondMoment + i);
  Pack<std::uint16_t, Width> copy;
  for (int k = 0; k < Width; ++k) {
    const Stepped after = stepped<Form>({weights.of[k], velocity.of[k], second.of[k]}, gradients.of[k] - mean, by);
    weights.of[k] = after.weight;
    velocity.of[k] = after.velocity;
    second.of[k] = after.secondMoment;
    if constexpr (Copy != WeightCopy::none) copy.of[k] = rounded<Copy>(after.weight);
  }
  store(vectors.weights + i, weights);
  if constexpr (statesOf(Form) > 0) store(vectors.velocity + i, velocity);
  if constexpr (statesOf(Form) > 1) store(vectors.secondMoment + i, second);
  if constexpr (Copy != WeightCopy::none) store(vectors.copy + i, copy);
}

/// The elements of one run that thread `thread` of `threads` steps.
template <StepForm Form, WeightCopy Copy>
__device__ void stepRun(const Vectors& vectors, std::size_t begin, unsigned elements, const StepNumbers& by, float mean,
                        unsigned thread, unsigned threads) {
  const float* weights = vectors.weights + begin;
  AlignedQuads quads = alignedQuads(elements, weights, vectors.gradients + begin);
  if (statesOf(Form) > 0 && headOf(vectors.velocity + begin) != quads.head) quads = {};
  if (statesOf(Form) > 1 && headOf(vectors.secondMoment + begin) != quads.head) quads = {};
  if (Copy != WeightCopy::none && headOf(vectors.copy + begin) != quads.head) quads = {};
  for (std::size_t i = thread; i < quads.count; i += threads) {
    stepAt<Form, Copy, 4>(vectors, begin + quads.quad(i), by, mean);
  }
  for (std::size_t i = thread; i < quads.singles(elements); i += threads) {
    stepAt<Form, Copy, 1>(vectors, begin + quads.single(i), by, mean);
  }
}

/// By one warp; the same in all of its lanes.
__device__ float meanOf(const float* row, unsigned columns, unsigned lane) {
  double sum = 0;
  for (unsigned i = lane; i < columns; i += warpThreads) sum += static_cast<double>(row[i]);
  return static_cast<float>(warpSum(sum) / columns);
}

/// One block a chunk; where there are rows, each of its warps takes every so many-th of them.
template <StepForm Form, WeightCopy Copy>
__global__ void __launch_bounds__(blockThreads)
    stepChunks(const __grid_constant__ Vectors all, const Chunk* chunks, const SegmentStep* stepOfSegment) {
  const Chunk chunk = chunks[blockIdx.x];
  const StepNumbers by = stepOfSegment[chunk.segment].numbers;
  const Vectors vectors = all.shifted(stepOfSegment[chunk.segment].shift);
  if (chunk.row == 0) {
    stepRun<Form, Copy>(vectors, chunk.start, chunk.elements, by, 0, threadIdx.x, blockThreads);
    return;
  }
  const unsigned lane = threadIdx.x % warpThreads;
  for (unsigned row = threadIdx.x / warpThreads; row < chunk.elements / chunk.row; row += blockThreads / warpThreads) {
    const std::size_t begin = chunk.start + static_cast<std::size_t>(row) * chunk.row;
    const float mean = meanOf(vectors.gradients + begin, chunk.row, lane);
    stepRun<Form, Copy>(vectors, begin, chunk.row, by, mean, lane, warpThreads);
  }
}

template <StepForm Form>
auto kernelOf(WeightCopy copy) {
  if (copy == WeightCopy::float16) return stepChunks<Form, WeightCopy::float16>;
  if (copy == WeightCopy::bfloat16) return stepChunks<Form, WeightCopy::bfloat16>;
  return stepChunks<Form, WeightCopy::none>;
}

using StepKernel = decltype(kernelOf<StepForm::plain>(WeightCopy::none));

StepKernel kernelOf(const FlatStep& step) {
  StepKernel kernel = nullptr;
  [&]<std::size_t... Index>(std::index_sequence<Index...>) {
    ((step.form == stepForms[Index] ? void(kernel = kernelOf<stepForms[Index]>(step.copyType)) : void()), ...);
  }
  (std::make_index_sequence<stepForms.size()>());
  return kernel;
}

void stepAll(DeviceQueue& queue, const SegmentPlan& plan, const FlatStep& step) {
  const CudaSegmentPlan& mine = cudaPlan(plan);
  if (mine.chunkCount() == 0) return;
  std::vector<SegmentStep> stepOfSegment;
  for (const TensorSegment& segment : mine.segments())
    stepOfSegment.push_back({step.numbers[segment.tensor], step.shiftOf(segment)});
  auto* steps = cudaQueue(queue).scratch<SegmentStep>(stepOfSegment.size());
  cudaQueue(queue).upload<SegmentStep>(steps, stepOfSegment);
  const Vectors vectors{step.weights, step.gradients, step.velocity, step.secondMoment, step.copy};
  launch(queue, "step the weights", kernelOf(step), mine.chunkCount(), blockThreads, vectors, mine.chunks(), steps);
}

}  // namespace

const OptimizerKernels& cudaOptimizerKernels() {
  static constexpr OptimizerKernels kernels{makeCudaSegmentPlan, stepAll};
  return kernels;
}

}  // namespace slipstream
