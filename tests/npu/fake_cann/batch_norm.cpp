// SPDX-License-Identifier: GPL-3.0-or-later
// The fake libopapi: batch norms, by definition, in double.
#include <algorithm>
#include <cmath>

#include "tests/npu/fake_cann/layer_parts.h"

namespace slipstream::fake {
namespace {

/// What a batch norm reads and writes of each channel.
struct Norm {
  Operand input, weight, bias, mean, variance, savedMean, savedInverse;

  std::size_t channels() const { return static_cast<std::size_t>(input.size(1)); }
  std::size_t positions() const { return static_cast<std::size_t>(input.size(2) * input.size(3)); }
  double rows() const { return static_cast<double>(countOf(input.sizes())) / static_cast<double>(channels()); }
};

void requireChannels(const OperatorCall& call, const Norm& norm) {
  call.require(norm.input.format() == aclnn::formatNchw, "pictures that are no NCHW");
  call.require(norm.input.type() == norm.weight.type(), "weights of another type than the pictures");
  for (const Operand* each : {&norm.weight, &norm.mean, &norm.variance, &norm.savedMean, &norm.savedInverse}) {
    call.require(each->type() == aclnn::float32 && each->sizes() == Sizes{norm.input.size(1)},
                 "a value a channel that is not fp32, or not one a channel");
  }
}

void normalize(const Norm& norm, const Operand& output, bool training, double momentum, double epsilon) {
  Values values = norm.input.read();
  Values mean = norm.mean.read();
  Values variance = norm.variance.read();
  if (training) {
    const double rows = norm.rows();
    Values batchMean = channelSums(values, norm.channels(), norm.positions());
    for (double& each : batchMean) each /= rows;
    Values squares(values.size());
    for (std::size_t i = 0; i < values.size(); ++i) {
      const double distance = values[i] - batchMean[i / norm.positions() % norm.channels()];
      squares[i] = distance * distance;
    }
    Values batchVariance = channelSums(squares, norm.channels(), norm.positions());
    for (std::size_t c = 0; c < mean.size(); ++c) {
      mean[c] = (1 - momentum) * mean[c] + momentum * batchMean[c];
      variance[c] = (1 - momentum) * variance[c] + momentum * batchVariance[c] / std::max(rows - 1, 1.0);
      batchVariance[c] /= rows;
    }
    norm.mean.write(mean);
    norm.variance.write(variance);
    mean = batchMean;
    variance = batchVariance;
  }
  Values inverse;
  for (const double each : variance) inverse.push_back(1 / std::sqrt(each + epsilon));
  if (training) {
    norm.savedMean.write(mean);
    norm.savedInverse.write(inverse);
  }
  const Values weight = norm.weight.read();
  const Values bias = norm.bias.read();
  for (std::size_t i = 0; i < values.size(); ++i) {
    const std::size_t c = i / norm.positions() % norm.channels();
    values[i] = (values[i] - mean[c]) * inverse[c] * weight[c] + bias[c];
  }
  output.write(values);
}

void normalizeBackward(const Norm& norm, const Operand& gradientOf, const LayerGradients& wanted) {
  const Values input = norm.input.read();
  const Values gradient = gradientOf.read();
  const Values mean = norm.savedMean.read();
  const Values inverse = norm.savedInverse.read();
  const Values weight = norm.weight.read();
  Values normalized(input.size());
  Values products(input.size());
  for (std::size_t i = 0; i < input.size(); ++i) {
    const std::size_t c = i / norm.positions() % norm.channels();
    normalized[i] = (input[i] - mean[c]) * inverse[c];
    products[i] = normalized[i] * gradient[i];
  }
  const Values gamma = channelSums(products, norm.channels(), norm.positions());
  const Values beta = channelSums(gradient, norm.channels(), norm.positions());
  if (wanted.weight) wanted.weight.write(gamma);
  if (wanted.bias) wanted.bias.write(beta);
  if (!wanted.input) return;
  Values result(input.size());
  for (std::size_t i = 0; i < input.size(); ++i) {
    const std::size_t c = i / norm.positions() % norm.channels();
    result[i] = weight[c] * inverse[c] * (gradient[i] - (beta[c] + normalized[i] * gamma[c]) / norm.rows());
  }
  wanted.input.write(result);
}

}  // namespace
}  // namespace slipstream::fake

using namespace slipstream::fake;  // NOLINT: the functions below have C's names

extern "C" {

aclnnStatus aclnnBatchNormGetWorkspaceSize(const aclTensor* input, const aclTensor* weight, const aclTensor* bias,
                                           aclTensor* runningMean, aclTensor* runningVariance, bool training,
                                           double momentum, double epsilon, aclTensor* output, aclTensor* savedMean,
                                           aclTensor* savedInverseDeviation, std::uint64_t* bytes,
                                           aclOpExecutor** executor) {
  OperatorCall call("aclnnBatchNorm");
  const Norm norm{call.tensor(input),
                  call.tensor(weight),
                  call.tensor(bias),
                  call.tensor(runningMean),
                  call.tensor(runningVariance),
                  call.tensor(savedMean),
                  call.tensor(savedInverseDeviation)};
  const Operand result = call.tensor(output);
  requireChannels(call, norm);
  call.require(result.sizes() == norm.input.sizes() && result.type() == norm.input.type(), "another output");
  return call.prepared(bytes, executor, [=] { normalize(norm, result, training, momentum, epsilon); });
}

aclnnStatus aclnnBatchNormBackwardGetWorkspaceSize(const aclTensor* gradient, const aclTensor* input,
                                                   const aclTensor* weight, const aclTensor* runningMean,
                                                   const aclTensor* runningVariance, const aclTensor* savedMean,
                                                   const aclTensor* savedInverseDeviation, bool training, double,
                                                   const aclBoolArray* wanted, aclTensor* inputGradient,
                                                   aclTensor* weightGradient, aclTensor* biasGradient,
                                                   std::uint64_t* bytes, aclOpExecutor** executor) {
  OperatorCall call("aclnnBatchNormBackward");
  const Norm norm{call.tensor(input),
                  call.tensor(weight),
                  {},
                  call.tensor(runningMean),
                  call.tensor(runningVariance),
                  call.tensor(savedMean),
                  call.tensor(savedInverseDeviation)};
  const Operand from = call.tensor(gradient);
  requireChannels(call, norm);
  call.require(training && from.sizes() == norm.input.sizes() && from.type() == norm.input.type(), "another gradient");
  const LayerGradients gradients{call.tensorOrNone(inputGradient), call.tensorOrNone(weightGradient),
                                 call.tensorOrNone(biasGradient)};
  const auto mask = call.flags(wanted, 3);
  call.require(mask[0] == static_cast<bool>(gradients.input) && mask[1] && mask[2],
               "the mask does not say which gradients are wanted");
  return call.prepared(bytes, executor, [=] { normalizeBackward(norm, from, gradients); });
}

}  // extern "C"
