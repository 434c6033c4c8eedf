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
constexpr std::array tensorNames{"between operations",
                                 "input",
                                 "weights",
                                 "output",
                                 "output gradient",
                                 "input gradient",
                                 "weight gradient",
                                 "scale",
                                 "bias",
                                 "sums",
                                 "square sums",
                                 "norm input",
                                 "mean",
                                 "inverse deviation",
                                 "gamma",
                                 "beta",
                                 "gamma gradient",
                                 "beta gradient",
                                 "gradient factor",
                                 "input factor",
                                 "constant"};
static_assert(tensorNames.size() == static_cast<std::size_t>(PlanTensor::constant) + 1);

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
        convolve(tensor(PlanTensor::input, inputs_), tensor(PlanTensor::output, outputs_));
        return;
      case ConvolutionPattern::inputGradient:
        inputGradient(tensor(PlanTensor::inputGradient, inputs_));
        return;
      case ConvolutionPattern::weightGradient:
        weightGradient(tensor(PlanTensor::input, inputs_));
        return;
      case ConvolutionPattern::forwardStatistics:
        convolveAndSum(tensor(PlanTensor::input, inputs_));
        return;
      case ConvolutionPattern::activatedForward:
        convolveAndSum(activatedInput());
        return;
      case ConvolutionPattern::activatedWeightGradient:
        weightGradient(activatedInput());
        return;
      case ConvolutionPattern::normalizedInputGradient:
        normalizedInputGradient();
        return;
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
  /// One fp32 value a channel.
  Part channelValues(PlanTensor which, std::int64_t channels) {
    return describe(static_cast<std::int64_t>(which), {1, channels, 1, 1}, CUDNN_DATA_FLOAT, false);
  }
  /// One of the images' type: no engine takes fp32 here.
  Part shortChannelValues(PlanTensor which, std::int64_t channels) {
    return describe(static_cast<std::int64_t>(which), {1, channels, 1, 1}, type_, false);
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

  void convolve(Part input, Part output) {
    auto& made = operation(CUDNN_BACKEND_OPERATION_CONVOLUTION_FORWARD_DESCRIPTOR, "a forward convolution");
    made.set(CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_CONV_DESC, convolution())
        .set(CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_X, input)
        .set(CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_W, tensor(PlanTensor::weights, weights_))
        .set(CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_Y, output)
        .set(CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_ALPHA, 1.0)
        .set(CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_BETA, 0.0)
        .finalize();
  }

  void inputGradient(Part result) {
    auto& made = operation(CUDNN_BACKEND_OPERATION_CONVOLUTION_BACKWARD_DATA_DESCRIPTOR, "an input gradient");
    made.set(CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_CONV_DESC, convolution())
        .set(CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_DX, result)
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

  void convolveAndSum(Part input) {
    Part output = tensor(PlanTensor::output, outputs_);
    convolve(input, output);
    operation(CUDNN_BACKEND_OPERATION_GEN_STATS_DESCRIPTOR, "sums by channel")
        .set(CUDNN_ATTR_OPERATION_GENSTATS_MODE, CUDNN_GENSTATS_SUM_SQSUM)
        .set(CUDNN_ATTR_OPERATION_GENSTATS_MATH_PREC, CUDNN_DATA_FLOAT)
        .set(CUDNN_ATTR_OPERATION_GENSTATS_XDESC, output)
        .set(CUDNN_ATTR_OPERATION_GENSTATS_SUMDESC, channelValues(PlanTensor::sums, shape_.output.channels))
        .set(CUDNN_ATTR_OPERATION_GENSTATS_SQSUMDESC, channelValues(PlanTensor::squareSums, shape_.output.channels))
        .finalize();
  }

  /// A ReLU keeps NaN: a network that has diverged must not look sound.
  Part pointwise(cudnnPointwiseMode_t mode) {
    auto& made = parts.emplace_back(CUDNN_BACKEND_POINTWISE_DESCRIPTOR, "an operator on elements");
    made.set(CUDNN_ATTR_POINTWISE_MODE, mode).set(CUDNN_ATTR_POINTWISE_MATH_PREC, CUDNN_DATA_FLOAT);
    const bool cuts = mode == CUDNN_POINTWISE_RELU_FWD || mode == CUDNN_POINTWISE_RELU_BWD;
    if (cuts) made.set(CUDNN_ATTR_POINTWISE_NAN_PROPAGATION, CUDNN_PROPAGATE_NAN);
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

  /// relu(scale x + bias), as the convolution reads it.
  Part activatedInput() {
    const std::int64_t channels = shape_.input.channels;
    Part scaled = combined(CUDNN_POINTWISE_MUL, tensor(PlanTensor::input, inputs_),
                           shortChannelValues(PlanTensor::scale, channels), inputs_);
    Part shifted = combined(CUDNN_POINTWISE_ADD, scaled, shortChannelValues(PlanTensor::bias, channels), inputs_);
    Part result = between(inputs_, type_);
    elements(CUDNN_POINTWISE_RELU_FWD, shifted, result).finalize();
    return result;
  }

  void normalizedInputGradient() {
    const std::int64_t channels = shape_.input.channels;
    Part convolved = between(inputs_, CUDNN_DATA_FLOAT);
    inputGradient(convolved);
    Part normInput = tensor(PlanTensor::normInput, inputs_);
    Part mean = channelValues(PlanTensor::mean, channels);
    Part inverseDeviation = channelValues(PlanTensor::inverseDeviation, channels);
    Part gamma = channelValues(PlanTensor::gamma, channels);
    Part centered = combined(CUDNN_POINTWISE_SUB, normInput, mean, inputs_);
    Part normalized = combined(CUDNN_POINTWISE_MUL, centered, inverseDeviation, inputs_);
    Part scaled = combined(CUDNN_POINTWISE_MUL, normalized, gamma, inputs_);
    Part normOutput = combined(CUDNN_POINTWISE_ADD, scaled, channelValues(PlanTensor::beta, channels), inputs_);
    Part cut = tensor(PlanTensor::inputGradient, inputs_);
    operation(CUDNN_BACKEND_OPERATION_POINTWISE_DESCRIPTOR, "a ReLU's gradient")
        .set(CUDNN_ATTR_OPERATION_POINTWISE_PW_DESCRIPTOR, pointwise(CUDNN_POINTWISE_RELU_BWD))
        .set(CUDNN_ATTR_OPERATION_POINTWISE_XDESC, normOutput)
        .set(CUDNN_ATTR_OPERATION_POINTWISE_DYDESC, convolved)
        .set(CUDNN_ATTR_OPERATION_POINTWISE_DXDESC, cut)
        .finalize();
    operation(CUDNN_BACKEND_OPERATION_BN_BWD_WEIGHTS_DESCRIPTOR, "a batch norm's weight gradients")
        .set(CUDNN_ATTR_OPERATION_BN_BWD_WEIGHTS_MATH_PREC, CUDNN_DATA_FLOAT)
        .set(CUDNN_ATTR_OPERATION_BN_BWD_WEIGHTS_X_DESC, normInput)
        .set(CUDNN_ATTR_OPERATION_BN_BWD_WEIGHTS_DY_DESC, cut)
        .set(CUDNN_ATTR_OPERATION_BN_BWD_WEIGHTS_MEAN_DESC, mean)
        .set(CUDNN_ATTR_OPERATION_BN_BWD_WEIGHTS_INVSTD_DESC, inverseDeviation)
        .set(CUDNN_ATTR_OPERATION_BN_BWD_WEIGHTS_BN_SCALE_DESC, gamma)
        .set(CUDNN_ATTR_OPERATION_BN_BWD_WEIGHTS_DBN_SCALE_DESC, channelValues(PlanTensor::gammaGradient, channels))
        .set(CUDNN_ATTR_OPERATION_BN_BWD_WEIGHTS_DBN_BIAS_DESC, channelValues(PlanTensor::betaGradient, channels))
        .set(CUDNN_ATTR_OPERATION_BN_BWD_WEIGHTS_EQ_DY_SCALE_DESC, channelValues(PlanTensor::gradientFactor, channels))
        .set(CUDNN_ATTR_OPERATION_BN_BWD_WEIGHTS_EQ_X_SCALE_DESC, channelValues(PlanTensor::inputFactor, channels))
        .set(CUDNN_ATTR_OPERATION_BN_BWD_WEIGHTS_EQ_BIAS, channelValues(PlanTensor::constant, channels))
        .finalize();
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
