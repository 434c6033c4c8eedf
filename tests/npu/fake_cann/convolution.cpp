// SPDX-License-Identifier: GPL-3.0-or-later
// The fake libopapi: convolutions, by definition, in double.
#include "tests/npu/fake_cann/layer_parts.h"

namespace slipstream::fake {
namespace {

struct Convolution {
  Operand input, weight, output;
  Windows windows;

  std::size_t batch() const { return static_cast<std::size_t>(input.size(0)); }
  std::size_t inputs() const { return static_cast<std::size_t>(input.size(1)); }
  std::size_t outputs() const { return static_cast<std::size_t>(output.size(1)); }
  std::size_t weightAt(std::size_t to, std::size_t from, std::int64_t row, std::int64_t column) const {
    return ((to * inputs() + from) * static_cast<std::size_t>(windows.kernelHeight) + static_cast<std::size_t>(row)) *
               static_cast<std::size_t>(windows.kernelWidth) +
           static_cast<std::size_t>(column);
  }
  /// Calls `each(weight, input plane, output plane, row, column)` for every element of every kernel.
  template <class Each>
  void forEachWeight(const Each& each) const {
    for (std::size_t sample = 0; sample < batch(); ++sample) {
      for (std::size_t to = 0; to < outputs(); ++to) {
        for (std::size_t from = 0; from < inputs(); ++from) {
          windows.forEachElement([&](std::int64_t row, std::int64_t column) {
            each(weightAt(to, from, row, column), (sample * inputs() + from) * windows.inputs(),
                 (sample * outputs() + to) * windows.outputs(), row, column);
          });
        }
      }
    }
  }
};

Convolution convolutionOf(OperatorCall& call, const aclTensor* input, const aclTensor* weight, const aclTensor* output,
                          const aclIntArray* stride, const aclIntArray* padding, const aclIntArray* dilation,
                          bool transposed, const aclIntArray* outputPadding, std::int64_t groups) {
  Convolution convolution{call.tensor(input), call.tensor(weight), call.tensor(output), {}};
  const Operand& kernels = convolution.weight;
  call.require(kernels.format() == aclnn::formatNchw && convolution.input.size(1) == kernels.size(1) &&
                   convolution.output.size(1) == kernels.size(0),
               "weights that do not fit");
  call.require(convolution.input.type() == kernels.type() && convolution.output.type() == kernels.type(),
               "operands of different types");
  call.require(!transposed && groups == 1 && call.numbers(outputPadding, 2) == Sizes{0, 0}, "what nobody asked for");
  requireOnes(call, dilation);
  convolution.windows =
      windowsOf(call, convolution.input, convolution.output, {kernels.size(2), kernels.size(3)}, stride, padding);
  return convolution;
}

Values convolved(const Convolution& of, const Values& bias) {
  const Values input = of.input.read();
  const Values weight = of.weight.read();
  Values output(static_cast<std::size_t>(countOf(of.output.sizes())));
  for (std::size_t i = 0; i < output.size(); ++i) {
    output[i] = bias.empty() ? 0.0 : bias[i / of.windows.outputs() % of.outputs()];
  }
  of.forEachWeight([&](std::size_t w, std::size_t in, std::size_t out, std::int64_t row, std::int64_t column) {
    of.windows.forEachPair(row, column,
                           [&](std::size_t from, std::size_t to) { output[out + to] += weight[w] * input[in + from]; });
  });
  return output;
}

void convolveBackward(const Convolution& of, const LayerGradients& wanted) {
  const Values input = of.input.read();
  const Values weight = of.weight.read();
  const Values gradient = of.output.read();
  Values inputGradient(input.size(), 0.0);
  Values weightGradient(weight.size(), 0.0);
  of.forEachWeight([&](std::size_t w, std::size_t in, std::size_t out, std::int64_t row, std::int64_t column) {
    double sum = 0;
    of.windows.forEachPair(row, column, [&](std::size_t from, std::size_t to) {
      sum += gradient[out + to] * input[in + from];
      inputGradient[in + from] += gradient[out + to] * weight[w];
    });
    weightGradient[w] += sum;
  });
  if (wanted.input) wanted.input.write(inputGradient);
  if (wanted.weight) wanted.weight.write(weightGradient);
  if (wanted.bias) wanted.bias.write(channelSums(gradient, of.outputs(), of.windows.outputs()));
}

}  // namespace
}  // namespace slipstream::fake

using namespace slipstream::fake;  // NOLINT: the functions below have C's names

extern "C" {

aclnnStatus aclnnConvolutionGetWorkspaceSize(const aclTensor* input, const aclTensor* weight, const aclTensor* bias,
                                             const aclIntArray* stride, const aclIntArray* padding,
                                             const aclIntArray* dilation, bool transposed,
                                             const aclIntArray* outputPadding, std::int64_t groups, aclTensor* output,
                                             std::int8_t, std::uint64_t* bytes, aclOpExecutor** executor) {
  OperatorCall call("aclnnConvolution");
  const Convolution convolution =
      convolutionOf(call, input, weight, output, stride, padding, dilation, transposed, outputPadding, groups);
  const Operand offset = call.tensorOrNone(bias);
  call.require(
      !offset || (offset.type() == convolution.weight.type() && offset.sizes() == Sizes{convolution.output.size(1)}),
      "a bias of another type or size");
  return call.prepared(bytes, executor,
                       [=] { convolution.output.write(convolved(convolution, offset ? offset.read() : Values())); });
}

aclnnStatus aclnnConvolutionBackwardGetWorkspaceSize(
    const aclTensor* gradient, const aclTensor* input, const aclTensor* weight, const aclIntArray* biasSizes,
    const aclIntArray* stride, const aclIntArray* padding, const aclIntArray* dilation, bool transposed,
    const aclIntArray* outputPadding, int groups, const aclBoolArray* wanted, std::int8_t, aclTensor* inputGradient,
    aclTensor* weightGradient, aclTensor* biasGradient, std::uint64_t* bytes, aclOpExecutor** executor) {
  OperatorCall call("aclnnConvolutionBackward");
  const Convolution convolution =
      convolutionOf(call, input, weight, gradient, stride, padding, dilation, transposed, outputPadding, groups);
  call.require(call.numbers(biasSizes, 1) == Sizes{convolution.output.size(1)}, "a bias of another size");
  const LayerGradients gradients{call.tensorOrNone(inputGradient), call.tensorOrNone(weightGradient),
                                 call.tensorOrNone(biasGradient)};
  const auto mask = call.flags(wanted, 3);
  call.require(mask[0] == static_cast<bool>(gradients.input) && mask[1] == static_cast<bool>(gradients.weight) &&
                   mask[2] == static_cast<bool>(gradients.bias),
               "the mask does not say which gradients are wanted");
  call.require(!gradients.input || gradients.input.sizes() == convolution.input.sizes(), "a gradient of other sizes");
  call.require(!gradients.weight || gradients.weight.sizes() == convolution.weight.sizes(),
               "a gradient of other sizes");
  return call.prepared(bytes, executor, [=] { convolveBackward(convolution, gradients); });
}

}  // extern "C"
