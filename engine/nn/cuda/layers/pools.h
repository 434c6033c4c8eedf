// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/nn/cuda/kernels/pools.h"
#include "engine/nn/cuda/layers/layer_ops.h"

namespace slipstream {

inline PoolLine poolLine(const LayerSpec& spec, std::int64_t inputs, std::int64_t outputs) {
  return {static_cast<std::int32_t>(spec.kernel), static_cast<std::int32_t>(spec.stride),
          static_cast<std::int32_t>(paddingOf(spec, inputs).before), static_cast<std::int32_t>(inputs),
          static_cast<std::int32_t>(outputs)};
}

inline PoolWindows poolWindows(const LayerSpec& spec, SampleShape input, SampleShape output) {
  return {poolLine(spec, input.height, output.height), poolLine(spec, input.width, output.width),
          static_cast<std::int32_t>(input.channels)};
}

template <class Ops>
class MaxPoolOn final : public Layer {
 public:
  MaxPoolOn(const LayerConfig& parts, const Ops& ops)
      : windows_(poolWindows(parts.spec, parts.input, parts.output)), where_(parts.maxima.data()), ops_(ops) {}

  void forward(const ForwardPass& pass) override {
    ops_.withType(pass.output.type(), [&](auto type) {
      using Value = decltype(type);
      ops_.each(std::ssize(pass.output), MaxPoolForward<Value>{windows_, pass.input.template as<Value>(),
                                                               pass.output.template as<Value>(), where_});
    });
  }
  void backward(const BackwardPass& pass) override {
    if (pass.inputGradient.empty()) return;
    ops_.withType(pass.inputGradient.type(), [&](auto type) {
      using Value = decltype(type);
      ops_.each(std::ssize(pass.inputGradient),
                MaxPoolBackward<Value>{windows_, where_, pass.outputGradient.template as<Value>(),
                                       pass.inputGradient.template as<Value>()});
    });
  }

 private:
  PoolWindows windows_;
  std::int32_t* where_;  ///< of the last forward: the winners' element numbers in their samples
  Ops ops_;
};

template <class Ops>
class AvgPoolOn final : public Layer {
 public:
  AvgPoolOn(const LayerConfig& parts, const Ops& ops)
      : windows_(poolWindows(parts.spec, parts.input, parts.output)), ops_(ops) {}

  void forward(const ForwardPass& pass) override {
    ops_.withType(pass.output.type(), [&](auto type) {
      using Value = decltype(type);
      ops_.each(std::ssize(pass.output),
                AvgPoolForward<Value>{windows_, pass.input.template as<Value>(), pass.output.template as<Value>()});
    });
  }
  void backward(const BackwardPass& pass) override {
    if (pass.inputGradient.empty()) return;
    ops_.withType(pass.inputGradient.type(), [&](auto type) {
      using Value = decltype(type);
      ops_.each(std::ssize(pass.inputGradient),
                AvgPoolBackward<Value>{windows_, pass.outputGradient.template as<Value>(),
                                       pass.inputGradient.template as<Value>()});
    });
  }

 private:
  PoolWindows windows_;
  Ops ops_;
};

template <class Ops>
class GlobalAvgPoolOn final : public Layer {
 public:
  GlobalAvgPoolOn(const LayerConfig& parts, const Ops& ops)
      : channels_(static_cast<std::uint32_t>(parts.output.channels)),
        rows_(parts.input.elements() / parts.output.channels),
        ops_(ops) {}

  void forward(const ForwardPass& pass) override {
    ops_.withType(pass.input.type(), [&](auto type) {
      using Value = decltype(type);
      ops_.each(std::ssize(pass.output),
                GlobalMean<Value>{pass.input.template as<Value>(), pass.output.template as<float>(), channels_, rows_});
    });
  }
  void backward(const BackwardPass& pass) override {
    if (pass.inputGradient.empty()) return;
    ops_.withType(pass.inputGradient.type(), [&](auto type) {
      using Value = decltype(type);
      ops_.each(
          std::ssize(pass.inputGradient),
          GlobalMeanBackward<Value>{pass.outputGradient.template as<float>(), pass.inputGradient.template as<Value>(),
                                    channels_, static_cast<std::uint32_t>(rows_)});
    });
  }

 private:
  std::uint32_t channels_;
  std::int64_t rows_;  ///< positions of an image
  Ops ops_;
};

}  // namespace slipstream
