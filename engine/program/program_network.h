// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/error.h"
#include "engine/nn/network.h"

namespace slipstream {

/// What the engine knows of a network whose passes a program computes: its tensors.
class ProgramNetwork final : public Network {
 public:
  explicit ProgramNetwork(NetworkShape shape) : shape_(std::move(shape)), layout_(shape_) {}

  const NetworkShape& shape() const override { return shape_; }
  const ParameterLayout& layout() const override { return layout_; }
  std::span<const float> forward(std::span<const float>, std::int64_t, NetworkMode, ParameterStore&,
                                 LayerObserver*) override {
    throw Error("the program computes its network itself");
  }
  void backward(std::span<const float>, std::int64_t, ParameterStore&, ParameterStore&, bool, int,
                LayerObserver*) override {
    throw Error("the program computes its network itself");
  }
  /// Running statistics are the program's own, and go with its state.
  std::vector<NetworkState> states() override { return {}; }
  std::vector<std::string> kernels() const override { return {}; }

 private:
  NetworkShape shape_;
  ParameterLayout layout_;
};

}  // namespace slipstream
