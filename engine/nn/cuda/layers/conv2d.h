// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "engine/nn/cuda/layers/convolution_plans.h"
#include "engine/nn/cuda/layers/dense.h"
#include "engine/nn/cuda/layers/elementwise.h"
#include "engine/nn/cuda/layers/normalize.h"

namespace slipstream {

/// Images, weights and gradients of one type pass through cuDNN; stored weights and their gradients are fp32, so both
/// are converted on their way. What it does for the batch norms around it is part of the same plans where the device
/// has such; where it has not, a batch norm before it is applied in a kernel of its own, and what is not summed here
/// the batch norms sum themselves. Evaluation runs the same plans, and leaves the sums unread.
template <class Ops>
class Conv2dOn final : public Layer {
 public:
  Conv2dOn(const LayerConfig& parts, const Ops& ops)
      : spec_(parts.spec),
        input_(parts.input),
        output_(parts.output),
        type_(parts.type),
        norms_(parts.norms),
        patterns_(patternsOf(parts.fused)),
        scratch_(parts.scratch),
        ops_(ops),
        plans_(parts, ops_.convolutions()) {
    // What is sure to run is planned before the first step; the first layer's input gradient never runs.
    planAhead(patterns_.forward, parts.maximumBatch);
    planAhead(patterns_.weightGradient, parts.maximumBatch);
    if (appliesNorm()) planAhead(patterns_.inputGradient, parts.maximumBatch);
  }

  void forward(const ForwardPass& pass) override {
    const auto pattern = plans_.chosen(patterns_.forward, pass.batch);
    const Work work = prepare(pattern, pass.batch);
    convertOn(ops_, activationOf(pass.weights.weight), work.weights);
    PlanMemory memory{{PlanTensor::input, inputOf(pattern, pass.input, work)},
                      {PlanTensor::weights, work.weights.bytes()},
                      {PlanTensor::output, pass.output.bytes()}};
    if (activates(pattern)) addLine(memory);
    if (sums(pattern)) addSums(memory, work);
    plans_.run(pattern, pass.batch, memory, work.plan);
    if (norms_.ofOutput != nullptr) norms_.ofOutput->hasSums = sums(pattern);
    if (!pass.weights.bias.empty()) addBias(pass);
  }

  void backward(const BackwardPass& pass) override {
    weightGradients(pass);
    if (!pass.inputGradient.empty()) inputGradients(pass);
  }

  std::vector<std::string> kernels() const override { return plans_.names(); }

 private:
  /// The patterns of the three passes.
  struct PassPatterns {
    ConvolutionPattern forward;
    ConvolutionPattern weightGradient;
    ConvolutionPattern inputGradient;
  };

  /// Memory of one call.
  struct Work {
    Activation weights;            ///< of the type of images: the weights, or their gradient
    double* sums;                  ///< for a bias
    std::array<float*, 3> unread;  ///< for a value a channel each that a plan makes and nobody wants
    std::byte* activated;          ///< for the input behind the batch norm, where no plan applies that
    std::byte* plan;
  };

  static PassPatterns patternsOf(const FusedWork& fused) {
    using enum ConvolutionPattern;
    if (fused.deferred) return {activatedForward, activatedWeightGradient, normalizedInputGradient};
    return {fused.statistics ? forwardStatistics : ConvolutionPattern::forward, weightGradient, inputGradient};
  }
  bool appliesNorm() const { return norms_.ofInput != nullptr; }
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
  std::int64_t unreadCount(ConvolutionPattern pattern) const {
    return plainer(pattern) ? std::max(input_.channels, output_.channels) : 0;
  }
  std::int64_t activatedBytes(ConvolutionPattern pattern, std::int64_t batch) const {
    return readsActivated(pattern) ? batch * input_.elements() * bytesOf(type_) : 0;
  }
  bool readsActivated(ConvolutionPattern pattern) const {
    const bool readsInput =
        pattern != ConvolutionPattern::inputGradient && pattern != ConvolutionPattern::normalizedInputGradient;
    return appliesNorm() && readsInput && !activates(pattern);
  }

  /// What an earlier call of this pass left there may be lost.
  Work prepare(ConvolutionPattern pattern, std::int64_t batch) {
    return scratch_.place<GpuParts>([&](GpuParts& parts) { return list(parts, pattern, batch); });
  }
  Work list(GpuParts& parts, ConvolutionPattern pattern, std::int64_t batch) {
    Work work = {};
    work.weights = {type_, parts.take<std::byte>(weightBytes()), static_cast<std::size_t>(weightCount())};
    work.sums = reinterpret_cast<double*>(parts.take<std::byte>(sumBytes(batch)));
    for (float*& values : work.unread) values = parts.take<float>(unreadCount(pattern));
    work.activated = parts.take<std::byte>(activatedBytes(pattern, batch));
    work.plan = parts.take<std::byte>(static_cast<std::int64_t>(plans_.bytes(pattern, batch)));
    return work;
  }

  /// What the pattern convolves.
  const std::byte* inputOf(ConvolutionPattern pattern, ConstActivation input, const Work& work) const {
    if (!readsActivated(pattern)) return input.bytes();
    const SharedNorm& norm = *norms_.ofInput;
    const AppliedLines lines{norm.mean, norm.scale, norm.beta};
    ops_.withType(type_, [&](auto type) {
      using Value = decltype(type);
      const Value* nothing = nullptr;
      normalizeOn(ops_, input.template as<Value>(), nothing, reinterpret_cast<Value*>(work.activated), lines,
                  std::ssize(input), input_.channels, true);
    });
    return work.activated;
  }

  void addLine(PlanMemory& memory) const {
    memory.emplace_back(PlanTensor::scale, norms_.ofInput->lineScale);
    memory.emplace_back(PlanTensor::bias, norms_.ofInput->lineBias);
  }
  void addSums(PlanMemory& memory, const Work& work) const {
    const SharedNorm* norm = norms_.ofOutput;
    memory.emplace_back(PlanTensor::sums, norm != nullptr ? norm->sums : work.unread[0]);
    memory.emplace_back(PlanTensor::squareSums, norm != nullptr ? norm->squareSums : work.unread[1]);
  }
  /// The batch norm before makes the coefficients of its input's gradient from the sums, so that accumulated gradients
  /// and means of many deviations are as without this plan.
  void addNorm(PlanMemory& memory, const BackwardPass& pass, const Work& work) const {
    const SharedNorm& norm = *norms_.ofInput;
    memory.insert(memory.end(), {{PlanTensor::normInput, pass.input.bytes()},
                                 {PlanTensor::mean, norm.mean},
                                 {PlanTensor::inverseDeviation, norm.inverseDeviation},
                                 {PlanTensor::gamma, norm.gamma},
                                 {PlanTensor::beta, norm.beta},
                                 {PlanTensor::gammaGradient, norm.gammaGradient},
                                 {PlanTensor::betaGradient, norm.betaGradient},
                                 {PlanTensor::gradientFactor, work.unread[0]},
                                 {PlanTensor::inputFactor, work.unread[1]},
                                 {PlanTensor::constant, work.unread[2]}});
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
    const auto pattern = plans_.chosen(patterns_.inputGradient, pass.batch);
    const bool withNorm = pattern == ConvolutionPattern::normalizedInputGradient;
    const Work work = prepare(pattern, pass.batch);
    convertOn(ops_, activationOf(pass.weights.weight), work.weights);
    PlanMemory memory{{PlanTensor::outputGradient, pass.outputGradient.bytes()},
                      {PlanTensor::weights, work.weights.bytes()},
                      {PlanTensor::inputGradient, pass.inputGradient.bytes()}};
    if (withNorm) addNorm(memory, pass, work);
    plans_.run(pattern, pass.batch, memory, work.plan);
    if (appliesNorm()) norms_.ofInput->hasGradients = withNorm;
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
  LayerNorms norms_;
  PassPatterns patterns_;
  Scratch& scratch_;
  Ops ops_;
  ConvolutionPlans plans_;
};

}  // namespace slipstream
