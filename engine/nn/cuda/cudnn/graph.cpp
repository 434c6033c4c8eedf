// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/nn/cuda/cudnn/graph.h"

#include <array>
#include <deque>

#include "engine/base/error.h"

namespace slipstream {
namespace {

/// Extents in the order N, C, H, W that cuDNN names them in, whatever the order in memory.
using Extents = std::array<std::int64_t, 4>;

/// Channels innermost: NHWC, and OHWI of weights.
Extents channelsInnermost(const Extents& extents) {
  const auto [n, c, h, w] = extents;
  return {h * w * c, 1, w * c, c};
}

Extents pictures(std::int64_t batch, SampleShape shape) {
  return {batch, shape.channels, shape.height, shape.width};
}

std::int64_t bytesOf(const Extents& extents, cudnnDataType_t type) {
  const auto [n, c, h, w] = extents;
  return n * c * h * w * (type == CUDNN_DATA_FLOAT ? 4 : 2);
}

cudnnDataType_t dataType(NumberType type) {
  switch (type) {
    case NumberType::float32:
      return CUDNN_DATA_FLOAT;
    case NumberType::bfloat16:
      return CUDNN_DATA_BFLOAT16;
    case NumberType::float16:
      return CUDNN_DATA_HALF;
  }
  throw Error("values of an unknown type");
}

/// By the numbers of PlanTensor, for errors.
constexpr std::array tensorNames{"between operations", "input",           "weights", "output", "output gradient",
                                 "input gradient",     "weight gradient", "scale",   "bias",   "sums",
                                 "square sums"};
static_assert(tensorNames.size() == static_cast<std::size_t>(PlanTensor::squareSums) + 1);

std::string nameOfTensor(std::int64_t id) {
  const auto at = static_cast<std::size_t>(id);
  return std::string("the tensor '") + tensorNames[at < tensorNames.size() ? at : 0] + "'";
}

/// Writes the operations of one request, one method a kind of operation. Tensors between operations are fp32 and never
/// in memory.
class GraphWriter {
 public:
  explicit GraphWriter(const PlanRequest& request)
      : shape_(request.shape),
        type_(dataType(request.type)),
        inputs_(pictures(shape_.batch, shape_.input)),
        outputs_(pictures(shape_.batch, shape_.output)),
        weights_{shape_.output.channels, shape_.input.channels, shape_.kernel, shape_.kernel} {}

  void write(ConvolutionPattern pattern) {
    switch (pattern) {
      case ConvolutionPattern::forward:
        forward(tensor(PlanTensor::input, inputs_), tensor(PlanTensor::output, outputs_));
        return;
      case ConvolutionPattern::inputGradient:
        return inputGradient();
      case ConvolutionPattern::weightGradient:
        return weightGradient(tensor(PlanTensor::input, inputs_));
      case ConvolutionPattern::activatedForward:
        return activatedForward();
      case ConvolutionPattern::activatedWeightGradient:
        return weightGradient(activatedInput());
    }
    throw Error("a convolution of an unknown pattern");
  }

  std::deque<CudnnDescriptor> parts;
  std::vector<CudnnDescriptor> operations;
  std::vector<TensorBytes> tensors;

 private:
  using Part = const CudnnDescriptor&;

  Part tensor(PlanTensor which, const Extents& extents) {
    return describe(static_cast<std::int64_t>(which), extents, type_, false);
  }
  Part channelValues(PlanTensor which, std::int64_t channels, cudnnDataType_t type) {
    return describe(static_cast<std::int64_t>(which), {1, channels, 1, 1}, type, false);
  }
  /// A tensor that passes from one operation to the next.
  Part between(const Extents& extents, cudnnDataType_t type) { return describe(nextBetween_++, extents, type, true); }

  Part describe(std::int64_t id, const Extents& extents, cudnnDataType_t type, bool isVirtual) {
    const Extents strides = channelsInnermost(extents);
    if (!isVirtual) tensors.push_back({static_cast<PlanTensor>(id), bytesOf(extents, type)});
    auto& made = parts.emplace_back(CUDNN_BACKEND_TENSOR_DESCRIPTOR, nameOfTensor(id));
    made.set(CUDNN_ATTR_TENSOR_UNIQUE_ID, id)
        .set(CUDNN_ATTR_TENSOR_DATA_TYPE, type)
        .set(CUDNN_ATTR_TENSOR_DIMENSIONS, std::span<const std::int64_t>(extents))
        .set(CUDNN_ATTR_TENSOR_STRIDES, std::span<const std::int64_t>(strides))
        .set(CUDNN_ATTR_TENSOR_BYTE_ALIGNMENT, static_cast<std::int64_t>(planAlignment))
        .set(CUDNN_ATTR_TENSOR_IS_VIRTUAL, isVirtual);
    return made.finalize();
  }

  Part convolution() {
    const std::array<std::int64_t, 2> ones{1, 1};
    const std::array<std::int64_t, 2> strides{shape_.stride, shape_.stride};
    const std::array<std::int64_t, 2> before{shape_.rows.before, shape_.columns.before};
    const std::array<std::int64_t, 2> after{shape_.rows.after, shape_.columns.after};
    auto& made = parts.emplace_back(CUDNN_BACKEND_CONVOLUTION_DESCRIPTOR, "a convolution");
    made.set(CUDNN_ATTR_CONVOLUTION_COMP_TYPE, CUDNN_DATA_FLOAT)
        .set(CUDNN_ATTR_CONVOLUTION_CONV_MODE, CUDNN_CROSS_CORRELATION)
        .set(CUDNN_ATTR_CONVOLUTION_SPATIAL_DIMS, std::int64_t{2})
        .set(CUDNN_ATTR_CONVOLUTION_DILATIONS, std::span<const std::int64_t>(ones))
        .set(CUDNN_ATTR_CONVOLUTION_FILTER_STRIDES, std::span<const std::int64_t>(strides))
        .set(CUDNN_ATTR_CONVOLUTION_PRE_PADDINGS, std::span<const std::int64_t>(before))
        .set(CUDNN_ATTR_CONVOLUTION_POST_PADDINGS, std::span<const std::int64_t>(after));
    return made.finalize();
  }

  void forward(Part input, Part output) {
    auto& made = operation(CUDNN_BACKEND_OPERATION_CONVOLUTION_FORWARD_DESCRIPTOR, "a forward convolution");
    made.set(CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_CONV_DESC, convolution())
        .set(CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_X, input)
        .set(CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_W, tensor(PlanTensor::weights, weights_))
        .set(CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_Y, output)
        .set(CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_ALPHA, 1.0)
        .set(CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_BETA, 0.0)
        .finalize();
  }

  void inputGradient() {
    auto& made = operation(CUDNN_BACKEND_OPERATION_CONVOLUTION_BACKWARD_DATA_DESCRIPTOR, "an input gradient");
    made.set(CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_CONV_DESC, convolution())
        .set(CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_DX, tensor(PlanTensor::inputGradient, inputs_))
        .set(CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_W, tensor(PlanTensor::weights, weights_))
        .set(CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_DY, tensor(PlanTensor::outputGradient, outputs_))
        .set(CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_ALPHA, 1.0)
        .set(CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_BETA, 0.0)
        .finalize();
  }

  void weightGradient(Part input) {
    auto& made = operation(CUDNN_BACKEND_OPERATION_CONVOLUTION_BACKWARD_FILTER_DESCRIPTOR, "a weight gradient");
    made.set(CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_CONV_DESC, convolution())
        .set(CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_X, input)
        .set(CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_DW, tensor(PlanTensor::weightGradient, weights_))
        .set(CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_DY, tensor(PlanTensor::outputGradient, outputs_))
        .set(CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_ALPHA, 1.0)
        .set(CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_BETA, 0.0)
        .finalize();
  }

  /// A ReLU keeps NaN: a network that has diverged must not look sound.
  Part pointwise(cudnnPointwiseMode_t mode) {
    auto& made = parts.emplace_back(CUDNN_BACKEND_POINTWISE_DESCRIPTOR, "an operator on elements");
    made.set(CUDNN_ATTR_POINTWISE_MODE, mode).set(CUDNN_ATTR_POINTWISE_MATH_PREC, CUDNN_DATA_FLOAT);
    if (mode == CUDNN_POINTWISE_RELU_FWD) made.set(CUDNN_ATTR_POINTWISE_NAN_PROPAGATION, CUDNN_PROPAGATE_NAN);
    return made.finalize();
  }

  CudnnDescriptor& elements(cudnnPointwiseMode_t mode, Part x, Part y) {
    return operation(CUDNN_BACKEND_OPERATION_POINTWISE_DESCRIPTOR, "an operation on elements")
        .set(CUDNN_ATTR_OPERATION_POINTWISE_PW_DESCRIPTOR, pointwise(mode))
        .set(CUDNN_ATTR_OPERATION_POINTWISE_XDESC, x)
        .set(CUDNN_ATTR_OPERATION_POINTWISE_YDESC, y);
  }

  /// x with a value of each channel.
  Part combined(cudnnPointwiseMode_t mode, Part x, Part value, const Extents& extents) {
    Part result = between(extents, CUDNN_DATA_FLOAT);
    elements(mode, x, result).set(CUDNN_ATTR_OPERATION_POINTWISE_BDESC, value).finalize();
    return result;
  }

  /// With sums: for a GPU of compute capability 9.0 cuDNN has no such engine without them. A batch norm that took them
  /// would get other bits each time (tests/bench/gpu_steps.md).
  void activatedForward() {
    Part output = tensor(PlanTensor::output, outputs_);
    forward(activatedInput(), output);
    const std::int64_t channels = shape_.output.channels;
    operation(CUDNN_BACKEND_OPERATION_GEN_STATS_DESCRIPTOR, "sums by channel")
        .set(CUDNN_ATTR_OPERATION_GENSTATS_MODE, CUDNN_GENSTATS_SUM_SQSUM)
        .set(CUDNN_ATTR_OPERATION_GENSTATS_MATH_PREC, CUDNN_DATA_FLOAT)
        .set(CUDNN_ATTR_OPERATION_GENSTATS_XDESC, output)
        .set(CUDNN_ATTR_OPERATION_GENSTATS_SUMDESC, channelValues(PlanTensor::sums, channels, CUDNN_DATA_FLOAT))
        .set(CUDNN_ATTR_OPERATION_GENSTATS_SQSUMDESC, channelValues(PlanTensor::squareSums, channels, CUDNN_DATA_FLOAT))
        .finalize();
  }

  /// relu(scale x + bias), as the convolution reads it. Scale and bias are of the images' type: no engine takes fp32.
  Part activatedInput() {
    const std::int64_t channels = shape_.input.channels;
    Part scaled = combined(CUDNN_POINTWISE_MUL, tensor(PlanTensor::input, inputs_),
                           channelValues(PlanTensor::scale, channels, type_), inputs_);
    Part shifted = combined(CUDNN_POINTWISE_ADD, scaled, channelValues(PlanTensor::bias, channels, type_), inputs_);
    Part result = between(inputs_, type_);
    elements(CUDNN_POINTWISE_RELU_FWD, shifted, result).finalize();
    return result;
  }

  CudnnDescriptor& operation(cudnnBackendDescriptorType_t type, const char* name) {
    return operations.emplace_back(type, name);
  }

  ConvolutionShape shape_;
  cudnnDataType_t type_;
  Extents inputs_;
  Extents outputs_;
  Extents weights_;
  std::int64_t nextBetween_ = 100;
};

}  // namespace

CudnnGraph::CudnnGraph(const PlanRequest& request)
    : graph_(CUDNN_BACKEND_OPERATIONGRAPH_DESCRIPTOR, "the graph of " + toText(request)) {
  GraphWriter writer(request);
  writer.write(request.pattern);
  for (auto& part : writer.parts) parts_.push_back(std::move(part));
  operations_ = std::move(writer.operations);
  tensors_ = std::move(writer.tensors);
  graph_.set(CUDNN_ATTR_OPERATIONGRAPH_OPS, operations_).finalize();
}

}  // namespace slipstream
