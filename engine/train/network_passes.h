// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "engine/nn/device_loss.h"
#include "engine/nn/image_input.h"
#include "engine/nn/network.h"
#include "engine/train/micro_batches.h"

namespace slipstream {

/// Passes of a network over samples of the host, on the device that the network is on: inputs and labels go there, and
/// the loss stays there until somebody asks for it, so that a device is given forward and backward without a wait.
class NetworkPasses {
 public:
  /// Network, spec and device live as long. Without `pictures` samples must be no images.
  NetworkPasses(Network& network, const LossSpec& spec, Device& device, std::unique_ptr<DeviceLoss> loss,
                std::unique_ptr<ImageInput> pictures);

  Network& network() { return network_; }
  Device& device() { return device_; }
  /// Whether passes are done sooner where nobody observes their layers.
  bool gainFromWholePasses() const { return device_.gainsFromRecording(); }

  /// `samples` stay as they are until the next pass forward.
  void forward(const MicroBatch& samples, NetworkMode mode, ParameterStore& weights, LayerObserver* observer = nullptr);
  /// After a forward pass in training, whose loss counts `lossScale` times; the rest as Network::backward.
  void backward(double lossScale, ParameterStore& weights, ParameterStore& gradients, bool accumulate,
                int firstTrainedLayer, LayerObserver* observer);
  /// Of the last pass forward. Waits for the device.
  LossResult loss();
  /// What the network gave in the last pass forward, [count, classes]. Waits for the device.
  std::vector<float> outputs() const;

 private:
  std::span<const float> inputsOf(const MicroBatch& samples);
  std::span<const float> inputsOf(std::span<const std::uint8_t> pictures);
  std::span<float> inputMemory(std::size_t count);

  Network& network_;
  const LossSpec& spec_;
  Device& device_;
  std::unique_ptr<DeviceLoss> loss_;
  std::unique_ptr<ImageInput> pictures_;
  std::unique_ptr<Buffer> bytes_;           ///< images on a device that does not compute in the host's memory
  std::unique_ptr<Buffer> inputs_;          ///< what the network reads, where that is made or copied
  std::unique_ptr<Buffer> outputGradient_;  ///< from the first pass backward on
  std::span<const float> outputs_;          ///< of the last pass forward
  std::int64_t count_ = 0;                  ///< of its samples
  bool started_ = false;                    ///< its loss is on its way
};

}  // namespace slipstream
