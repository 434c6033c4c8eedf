// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <cmath>
#include <span>

#include "engine/base/error.h"
#include "engine/nn/cuda/cudnn/sampled_elements.h"

namespace slipstream {

/// Samples of a request's result, of which each is summed by many threads.
inline constexpr std::int64_t mostResultSamples = 256;
inline constexpr std::uint32_t sampleLanes = 256;

inline ResultSamples resultSamples(const PlanRequest& request) {
  const ConvolutionShape& shape = request.shape;
  const bool isWeights = request.pattern == ConvolutionPattern::weightGradient ||
                         request.pattern == ConvolutionPattern::activatedWeightGradient;
  std::int64_t elements = shape.batch * shape.output.elements();
  if (isWeights) elements = shape.output.channels * shape.kernel * shape.kernel * shape.input.channels;
  if (request.pattern == ConvolutionPattern::inputGradient) elements = shape.batch * shape.input.elements();
  return {elements, std::min(elements, mostResultSamples)};
}

/// Null where the pattern has no such tensor.
inline const void* placeOf(const PlanMemory& memory, PlanTensor tensor) {
  const auto found = std::ranges::find(memory, tensor, &PlanMemory::value_type::first);
  return found == memory.end() ? nullptr : found->second;
}

/// Sums of the samples by the convolution's definition, `sampleLanes` parts each, into memory of the device.
template <class Ops>
void sumSamples(const Ops& ops, const PlanRequest& request, const PlanMemory& memory, double* partials) {
  Ops::withType(request.type, [&](auto type) {
    using Value = decltype(type);
    const auto at = [&](PlanTensor tensor) { return static_cast<const Value*>(placeOf(memory, tensor)); };
    const bool isActivated = activates(request.pattern);
    const ConvolutionOperands<Value> of{at(PlanTensor::input), at(PlanTensor::weights), at(PlanTensor::outputGradient),
                                        isActivated ? at(PlanTensor::scale) : nullptr,
                                        isActivated ? at(PlanTensor::bias) : nullptr};
    const ResultSamples samples = resultSamples(request);
    ops.each(samples.count * sampleLanes,
             SampleSums<Value>{request.pattern, request.shape, of, samples, sampleLanes, partials});
  });
}

/// The samples as they are in the request's result, into memory of the device.
template <class Ops>
void gatherSamples(const Ops& ops, const PlanRequest& request, const PlanMemory& memory, double* values) {
  const auto result = std::ranges::find_if(memory, [](const auto& place) { return isResult(place.first); });
  if (result == memory.end()) throw Error("a convolution has no result");
  Ops::withType(request.type, [&](auto type) {
    using Value = decltype(type);
    const ResultSamples samples = resultSamples(request);
    ops.each(samples.count, GatherSamples<Value>{static_cast<const Value*>(result->second), samples, values});
  });
}

/// Of the samples from their sums, by the norm of the sums; NaN where a sample is.
inline double sampleDistance(std::span<const double> samples, std::span<const double> partials) {
  double difference = 0, whole = 0;
  for (std::size_t i = 0; i < samples.size(); ++i) {
    double sum = 0;
    for (std::size_t lane = 0; lane < sampleLanes; ++lane) sum += partials[i * sampleLanes + lane];
    difference += (samples[i] - sum) * (samples[i] - sum);
    whole += sum * sum;
  }
  return whole > 0 ? std::sqrt(difference / whole) : difference;
}

}  // namespace slipstream
