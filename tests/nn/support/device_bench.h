// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <string>
#include <tuple>
#include <vector>

#include <gtest/gtest.h>

#include "engine/nn/device_loss.h"
#include "engine/nn/network.h"
#include "engine/nn/network_backend.h"

namespace slipstream::test {

/// A network on any device; values come and go by copies.
class DeviceBench {
 public:
  /// `backend` null: the device's own.
  DeviceBench(const NetworkSpec& spec, SampleShape input, std::int64_t maximumBatch, NumberType pictures,
              Device& device, std::unique_ptr<NetworkBackend> backend = nullptr);

  std::vector<float> forward(const std::vector<float>& input, std::int64_t batch, NetworkMode mode);
  /// After a forward pass in training; returns the gradients of all tensors.
  std::vector<float> backward(const std::vector<float>& outputGradient, std::int64_t batch, bool accumulate = false,
                              int firstTrainedLayer = 0);
  /// The gradients as they are.
  std::vector<float> gradients();
  /// A tensor of the weights, by its name; the rest are drawn.
  void setWeights(const std::string& tensor, const std::vector<float>& values);
  std::vector<float> weights(const std::string& tensor);
  /// All running statistics, end to end.
  std::vector<float> states();
  Network& network() { return *network_; }

 private:
  std::vector<float> read(std::span<const float> values);
  std::span<float> weightsOf(const std::string& tensor);

  Device& device_;
  std::unique_ptr<Network> network_;
  WholeParameterStore weights_;
  WholeParameterStore gradients_;
  std::unique_ptr<Buffer> input_;
  std::unique_ptr<Buffer> outputGradient_;
};

/// Loss and gradient in one.
LossResult lossOf(DeviceLoss& loss, const LossSpec& spec, std::span<const float> logits,
                  const std::vector<std::int32_t>& labels, std::int64_t classes, std::span<float> gradient,
                  double gradientScale);

/// A network whose layers differ from the CPU's only in what runs them.
struct LayerCase {
  std::string name;
  NetworkSpec network;
  SampleShape input;
  std::int64_t batch;
};

/// Every kind of layer, odd sizes, fused and not.
const std::vector<LayerCase>& layerCases();

/// "LeNet5_fp16", of a case and the type of its images.
std::string nameOfCase(const testing::TestParamInfo<std::tuple<LayerCase, NumberType>>& instance);

/// Outputs, gradients and running statistics of both are alike in training, with accumulated gradients and a smaller
/// batch, and in evaluation; images of the CPU's network are fp32 where those here are fp16.
void expectLikeTheCpu(const LayerCase& of, NumberType pictures, DeviceBench& tested);

/// With images in fp32: outputs are those of the reference in double, and the gradients' product with a direction is
/// the central difference of the reference along it.
void expectLikeTheReference(const LayerCase& of, DeviceBench& tested);

/// Where only the last layer is trained, its gradients are added to those that stand, and no other tensor's change.
void expectUntrainedLeftAlone(const LayerCase& of, DeviceBench& tested);

}  // namespace slipstream::test
