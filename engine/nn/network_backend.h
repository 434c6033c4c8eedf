// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>

#include "engine/nn/layers/layer.h"

namespace slipstream {

/// What a network needs of the device that it computes on: its layers, and what happens between them. On a device that
/// gains from recordings a layer is not called again for a pass that is recorded: what it keeps from forward to
/// backward is in the device's memory, which it takes when it is made or borrows from the scratch, and nothing that
/// it gives the device depends on how often it was called.
class NetworkBackend {
 public:
  virtual ~NetworkBackend() = default;
  /// How networks are planned for it.
  virtual Convolutions plannedConvolutions() const { return Convolutions::plain; }
  virtual std::unique_ptr<Layer> makeLayer(const LayerConfig& parts) = 0;
  virtual void forward(Layer& layer, const ForwardPass& pass) { layer.forward(pass); }
  virtual void backward(Layer& layer, const BackwardPass& pass) { layer.backward(pass); }
  /// As engine/nn/convert.h has them.
  virtual void convert(ConstActivation from, Activation to) = 0;
  virtual void add(ConstActivation first, ConstActivation second, Activation sum) = 0;
  virtual void addWherePositive(ConstActivation output, ConstActivation first, ConstActivation second,
                                Activation sum) = 0;
};

std::unique_ptr<NetworkBackend> makeCpuBackend();

/// makeNetwork on any backend; `device` gives the memory.
std::unique_ptr<Network> makeNetwork(const NetworkSpec& spec, SampleShape input, std::int64_t maximumBatch,
                                     NumberType pictures, Device& device, std::unique_ptr<NetworkBackend> backend);
/// scratchBytes on any backend.
std::int64_t scratchBytes(const NetworkSpec& spec, SampleShape input, std::int64_t maximumBatch, NumberType pictures,
                          Device& device, NetworkBackend& backend);

}  // namespace slipstream
