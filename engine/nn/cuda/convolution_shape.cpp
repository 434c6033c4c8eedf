// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/nn/cuda/convolution_shape.h"

#include <array>

#include <fmt/format.h>

namespace slipstream {
namespace {

constexpr std::array<const char*, 5> patternNames{"forward", "input gradient", "weight gradient", "activated forward",
                                                  "activated weight gradient"};

std::string text(SampleShape shape) {
  return fmt::format("{}x{}x{}", shape.height, shape.width, shape.channels);
}

}  // namespace

ConvolutionShape convolutionShape(const LayerSpec& spec, SampleShape input, SampleShape output, std::int64_t batch) {
  return {batch, input, output, spec.kernel, spec.stride, paddingOf(spec, input.height), paddingOf(spec, input.width)};
}

bool activates(ConvolutionPattern pattern) {
  return pattern == ConvolutionPattern::activatedForward || pattern == ConvolutionPattern::activatedWeightGradient;
}

std::optional<ConvolutionPattern> plainer(ConvolutionPattern pattern) {
  switch (pattern) {
    case ConvolutionPattern::activatedForward:
      return ConvolutionPattern::forward;
    case ConvolutionPattern::activatedWeightGradient:
      return ConvolutionPattern::weightGradient;
    default:
      return std::nullopt;
  }
}

bool isResult(PlanTensor tensor) {
  return tensor == PlanTensor::output || tensor == PlanTensor::inputGradient || tensor == PlanTensor::weightGradient;
}

std::string toText(const PlanRequest& request) {
  const ConvolutionShape& shape = request.shape;
  return fmt::format("{}, {}, {} x {} -> {}, kernel {} stride {} padding {}+{} {}+{}",
                     patternNames[static_cast<std::size_t>(request.pattern)], nameOf(request.type), shape.batch,
                     text(shape.input), text(shape.output), shape.kernel, shape.stride, shape.rows.before,
                     shape.rows.after, shape.columns.before, shape.columns.after);
}

}  // namespace slipstream
