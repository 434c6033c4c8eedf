// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <string>
#include <vector>

#include "engine/nn/cuda/layers/convolution_plans.h"
#include "engine/nn/cuda/layers/dense.h"
#include "engine/nn/cuda/layers/elementwise.h"
#include "engine/nn/cuda/layers/normalize.h"

namespace slipstream {

/// Images, weights and gradients of one type pass through cuDNN; stored weights and their gradients are fp32, so both
/// are converted on their way. A batch norm and ReLU before it are applied in the same plan where the device has such a
/// plan, and in a kernel of their own where it has not.
template <class Ops>
class Conv2dOn final : public Layer {
 public:
  Conv2dOn(const LayerConfig& parts, const Ops& ops)
      : spec_(parts.spec),
        input_(parts.input),
        output_(parts.output),
        type_(parts.type),
        norm_(parts.norm),
        patterns_(patternsOf(parts.fused)),
        scratch_(parts.scratch),
        ops_(ops),
        plans_(parts, ops_.convolutions()) {
    // What is sure to run is planned before the first step; the first layer's input gradient never runs.
    planAhead(patterns_.forward, parts.maximumBatch);
    planAhead(patterns_.weightGradient, parts.maximumBatch);
    if (norm_ != nullptr) planAhead(ConvolutionPattern::inputGradient, parts.maximumBatch);
  }

  void forward(const ForwardPass& pass) override {
    const auto pattern = plans_.chosen(patterns_.forward, pass.batch);
    const Work work = prepare(pattern, pass.batch);
    convertOn(ops_, activationOf(pass.weights.weight), work.weights);
    PlanMemory memory{{PlanTensor::input, inputOf(pattern, pass.input, work)},
                      {PlanTensor::weights, work.weights.bytes()},
                      {PlanTensor::output, pass.output.bytes()}};
    if (activates(pattern)) {
      addLine(memory);
      memory.insert(memory.end(), {{PlanTensor::sums, work.unread[0]}, {PlanTensor::squareSums, work.unread[1]}});
    }
    plans_.run(pattern, pass.batch, memory, work.plan);
    if (!pass.weights.bias.empty()) addBias(pass);
  }

  void backward(const BackwardPass& pass) override {
    weightGradients(pass);
    if (!pass.inputGradient.empty()) inputGradients(pass);
  }

  std::vector<std::string> kernels() const override { return plans_.names(); }

 private:
  /// Of the passes that read the input.
  struct PassPatterns {
    ConvolutionPattern forward;
    ConvolutionPattern weightGradient;
  };

  /// Memory of one call.
  struct Work {
    Activation weights;            ///< of the type of images: the weights, or their gradient
    double* sums;                  ///< for a bias
    std::array<float*, 2> unread;  ///< for sums that a plan makes and nobody wants
    std::byte* activated;          ///< for the input behind the batch norm, where no plan applies that
    std::byte* plan;
  };

  static PassPatterns patternsOf(const FusedWork& fused) {
    using enum ConvolutionPattern;
    if (fused.deferred) return {activatedForward, activatedWeightGradient};
    return {ConvolutionPattern::forward, weightGradient};
  }
  void planAhead(ConvolutionPattern wanted, std::int64_t batch) {
    const auto pattern = plans_.chosen(wanted, batch);
    scratch_.reserve<GpuParts>([&](GpuParts& counted) { list(counted, pattern, batch); });
  }

  std::int64_t weightCount() const { return output_.channels * spec_.kernel * spec_.kernel * input_.channels; }
  std::int64_t weightBytes() const { return weightCount() * bytesOf(type_); }
  std::int64_t sumBytes(std::int64_t batch) const {
    const std::int64_t rows = batch * output_.height * output_.width;
    return spec_.bias ? static_cast<std::int64_t>(channelSumBytes(rows, output_.channels)) : 0;
  }
  std::int64_t activatedBytes(ConvolutionPattern pattern, std::int64_t batch) const {
    return readsActivated(pattern) ? batch * input_.elements() * bytesOf(type_) : 0;
  }
  bool readsActivated(ConvolutionPattern pattern) const {
    return norm_ != nullptr && pattern != ConvolutionPattern::inputGradient && !activates(pattern);
  }

  /// What an earlier call of this pass left there may be lost.
  Work prepare(ConvolutionPattern pattern, std::int64_t batch) {
    return scratch_.place<GpuParts>([&](GpuParts& parts) { return list(parts, pattern, batch); });
  }
  Work list(GpuParts& parts, ConvolutionPattern pattern, std::int64_t batch) {
    Work work = {};
    work.weights = {type_, parts.take<std::byte>(weightBytes()), static_cast<std::size_t>(weightCount())};
    work.sums = reinterpret_cast<double*>(parts.take<std::byte>(sumBytes(batch)));
    for (float*& values : work.unread) values = parts.take<float>(activates(pattern) ? output_.channels : 0);
    work.activated = parts.take<std::byte>(activatedBytes(pattern, batch));
    work.plan = parts.take<std::byte>(static_cast<std::int64_t>(plans_.bytes(pattern, batch)));
    return work;
  }

  /// What the pattern convolves.
  const std::byte* inputOf(ConvolutionPattern pattern, ConstActivation input, const Work& work) const {
    if (!readsActivated(pattern)) return input.bytes();
    const AppliedLines lines{norm_->mean, norm_->scale, norm_->beta};
    ops_.withType(type_, [&](auto type) {
      using Value = decltype(type);
      const Value* nothing = nullptr;
      normalizeOn(ops_, input.template as<Value>(), nothing, reinterpret_cast<Value*>(work.activated), lines,
                  std::ssize(input), input_.channels, true);
    });
    return work.activated;
  }

  void addLine(PlanMemory& memory) const {
    memory.emplace_back(PlanTensor::scale, norm_->lineScale);
    memory.emplace_back(PlanTensor::bias, norm_->lineBias);
  }

  void addBias(const ForwardPass& pass) const {
    ops_.withType(type_, [&](auto type) {
      using Value = decltype(type);
      ops_.each(std::ssize(pass.output), MapChannels<Sum, Value>{{},
                                                                 pass.output.template as<Value>(),
                                                                 pass.weights.bias.data(),
                                                                 static_cast<std::uint32_t>(output_.channels)});
    });
  }

  void weightGradients(const BackwardPass& pass) {
    const auto pattern = plans_.chosen(patterns_.weightGradient, pass.batch);
    const Work work = prepare(pattern, pass.batch);
    PlanMemory memory{{PlanTensor::input, inputOf(pattern, pass.input, work)},
                      {PlanTensor::outputGradient, pass.outputGradient.bytes()},
                      {PlanTensor::weightGradient, work.weights.bytes()}};
    if (activates(pattern)) addLine(memory);
    plans_.run(pattern, pass.batch, memory, work.plan);
    deliver(work.weights, pass.gradients.weight, pass.accumulate);
    if (!pass.gradients.bias.empty()) biasGradients(pass, work);
  }

  void inputGradients(const BackwardPass& pass) {
    const auto pattern = ConvolutionPattern::inputGradient;
    const Work work = prepare(pattern, pass.batch);
    convertOn(ops_, activationOf(pass.weights.weight), work.weights);
    const PlanMemory memory{{PlanTensor::outputGradient, pass.outputGradient.bytes()},
                            {PlanTensor::weights, work.weights.bytes()},
                            {PlanTensor::inputGradient, pass.inputGradient.bytes()}};
    plans_.run(pattern, pass.batch, memory, work.plan);
  }

  void deliver(Activation made, std::span<float> gradient, bool accumulate) const {
    const Activation target(NumberType::float32, reinterpret_cast<std::byte*>(gradient.data()), gradient.size());
    if (!accumulate) return convertOn(ops_, made, target);
    ops_.withType(type_, [&](auto type) {
      using Value = decltype(type);
      zipElements(ops_, std::ssize(gradient), Sum(), gradient.data(), made.template as<Value>(), gradient.data());
    });
  }

  void biasGradients(const BackwardPass& pass, const Work& work) const {
    ops_.withType(type_, [&](auto type) {
      using Value = decltype(type);
      columnSums(ops_, pass.outputGradient.template as<Value>(), pass.batch * output_.height * output_.width,
                 pass.gradients.bias, pass.accumulate, work.sums);
    });
  }

  LayerSpec spec_;
  SampleShape input_;
  SampleShape output_;
  NumberType type_;
  const SharedNorm* norm_;  ///< before it, which it applies; null where there is none
  PassPatterns patterns_;
  Scratch& scratch_;
  Ops ops_;
  ConvolutionPlans plans_;
};

}  // namespace slipstream
