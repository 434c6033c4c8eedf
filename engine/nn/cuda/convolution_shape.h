// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/base/number_type.h"
#include "engine/spec/network_spec.h"

namespace slipstream {

/// A convolution of a whole batch, NHWC, its weights OHWI.
struct ConvolutionShape {
  std::int64_t batch = 0;
  SampleShape input;
  SampleShape output;
  std::int64_t kernel = 0;
  std::int64_t stride = 1;
  Padding rows;
  Padding columns;
};

ConvolutionShape convolutionShape(const LayerSpec& spec, SampleShape input, SampleShape output, std::int64_t batch);

/// What one plan computes. cuDNN 9 has those that do more than one thing for fp16 only.
enum class ConvolutionPattern {
  forward,                  ///< y = x * w
  inputGradient,            ///< dx of dy and w
  weightGradient,           ///< dw of dy and x
  activatedForward,         ///< y = relu(scale x + bias) * w, and sums of y and y² by channel that nobody reads
  activatedWeightGradient,  ///< dw of dy and relu(scale x + bias)
};

/// Whether the pattern applies scale, bias and ReLU to its input.
bool activates(ConvolutionPattern pattern);
/// What takes the pattern's place where a device has no plan for it; kernels of ours do the rest. Nothing for those
/// that compute a convolution alone.
std::optional<ConvolutionPattern> plainer(ConvolutionPattern pattern);

/// The memory that a plan reads or writes, by the number that cuDNN knows it under.
enum class PlanTensor : std::int64_t {
  input = 1,
  weights,
  output,
  outputGradient,
  inputGradient,
  weightGradient,
  scale,
  bias,
  sums,
  squareSums,
};

/// Whether somebody reads what plans write there.
bool isResult(PlanTensor tensor);

/// Where the tensors of a plan are on the device.
using PlanMemory = std::vector<std::pair<PlanTensor, const void*>>;

/// What the addresses of all memory that a plan is given are multiples of: cuDNN's engines read vectors of 16 bytes.
inline constexpr std::uintptr_t planAlignment = 16;

/// All that a plan depends on besides the device and cuDNN itself.
struct PlanRequest {
  ConvolutionPattern pattern = ConvolutionPattern::forward;
  ConvolutionShape shape;
  NumberType type = NumberType::float32;  ///< of all tensors but the sums, which are fp32
};

/// One line for people and for the plan cache: equal where the requests are.
std::string toText(const PlanRequest& request);

}  // namespace slipstream
