#pragma once

#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "engine/base/error.h"
#include "engine/nn/cuda/convolution_shape.h"
#include "engine/nn/cuda/layers/dense.h"
#include "engine/nn/cuda/layers/elementwise.h"

namespace slipstream {

/// Runs convolutions for the layers of one network.
class ConvolutionRunner {
 public:
  virtual ~ConvolutionRunner() = default;
  /// Scratch bytes of the request. Throws Error where this device has no way to compute it.
  virtual std::int64_t prepare(const PlanRequest& request) = 0;
  /// Pointers are to device memory, aligned to 16 bytes: input, output and their gradients of the request's type,
  /// weights and their gradient too.
  virtual void run(const PlanRequest& request, const std::vector<std::pair<PlanTensor, const void*>>& memory,
                   void* scratch) = 0;
  /// How the request is computed, for the record.
  virtual std::string nameOf(const PlanRequest& request) = 0;
};

/// Pictures, weights and gradients of one type pass through cuDNN; stored weights and their gradients are fp32, so both
/// are converted on their way.
template <class Machine>
class Conv2dOn final : public Layer {
 public:
  Conv2dOn(const LayerParts& parts, const Machine& machine)
      : spec_(parts.spec),
        input_(parts.input),
        output_(parts.output),
        type_(parts.type),
        scratch_(parts.scratch),
        machine_(machine) {
    // What is sure to run is planned before the first step; the first layer's input gradient never runs.
    for (const auto pattern : {ConvolutionPattern::forward, ConvolutionPattern::weightGradient}) {
      scratch_.take(bytesFor(pattern, parts.maximumBatch));
    }
  }

  void forward(const ForwardPass& pass) override {
    Work work = prepare(ConvolutionPattern::forward, pass.batch);
    convertOn(machine_, activationOf(pass.weights.weight), work.weights);
    run(ConvolutionPattern::forward, pass.batch, work,
        {{PlanTensor::input, pass.input.bytes()},
         {PlanTensor::weights, work.weights.bytes()},
         {PlanTensor::output, pass.output.bytes()}});
    if (pass.weights.bias.empty()) return;
    machine_.withType(type_, [&](auto type) {
      using Value = decltype(type);
      machine_.each(std::ssize(pass.output), MapChannels<Sum, Value>{{},
                                                                     pass.output.template as<Value>(),
                                                                     pass.weights.bias.data(),
                                                                     static_cast<std::uint32_t>(output_.channels)});
    });
  }

  void backward(const BackwardPass& pass) override {
    Work work = prepare(ConvolutionPattern::weightGradient, pass.batch);
    run(ConvolutionPattern::weightGradient, pass.batch, work,
        {{PlanTensor::input, pass.input.bytes()},
         {PlanTensor::outputGradient, pass.outputGradient.bytes()},
         {PlanTensor::weightGradient, work.weights.bytes()}});
    deliver(work.weights, pass.gradients.weight, pass.accumulate);
    if (!pass.gradients.bias.empty()) biasGradients(pass, work);
    if (pass.inputGradient.empty()) return;
    work = prepare(ConvolutionPattern::inputGradient, pass.batch);
    convertOn(machine_, activationOf(pass.weights.weight), work.weights);
    run(ConvolutionPattern::inputGradient, pass.batch, work,
        {{PlanTensor::outputGradient, pass.outputGradient.bytes()},
         {PlanTensor::weights, work.weights.bytes()},
         {PlanTensor::inputGradient, pass.inputGradient.bytes()}});
  }

  std::vector<std::string> kernels() const override {
    std::vector<std::string> names;
    for (const auto& [planned, bytes] : planBytes_) {
      names.push_back(machine_.convolutions().nameOf(request(planned.first, planned.second)));
    }
    return names;
  }

 private:
  /// Memory of one call.
  struct Work {
    Activation weights;  ///< of the type of pictures: the weights, or their gradient
    double* sums;
    std::byte* plan;
  };

  PlanRequest request(ConvolutionPattern pattern, std::int64_t batch) const {
    return {pattern, convolutionShape(spec_, input_, output_, batch), type_};
  }
  std::int64_t weightCount() const { return output_.channels * spec_.kernel * spec_.kernel * input_.channels; }
  std::size_t weightBytes() const {
    return ScratchParts::rounded(static_cast<std::size_t>(weightCount() * bytesOf(type_)));
  }
  std::size_t sumBytes(std::int64_t batch) const {
    const std::int64_t rows = batch * output_.height * output_.width;
    return spec_.bias ? ScratchParts::rounded(channelSumBytes(rows, output_.channels)) : 0;
  }
  std::size_t planBytes(ConvolutionPattern pattern, std::int64_t batch) {
    const auto known = planBytes_.find({pattern, batch});
    if (known != planBytes_.end()) return known->second;
    const std::int64_t bytes = machine_.convolutions().prepare(request(pattern, batch));
    return planBytes_[{pattern, batch}] = static_cast<std::size_t>(bytes);
  }
  std::size_t bytesFor(ConvolutionPattern pattern, std::int64_t batch) {
    return weightBytes() + sumBytes(batch) + planBytes(pattern, batch);
  }

  /// What an earlier call of this pass left there may be lost.
  Work prepare(ConvolutionPattern pattern, std::int64_t batch) {
    std::byte* memory = scratch_.take(bytesFor(pattern, batch)).data();
    auto* sums = reinterpret_cast<double*>(memory + weightBytes());
    return {{type_, memory, static_cast<std::size_t>(weightCount())}, sums, memory + weightBytes() + sumBytes(batch)};
  }

  void run(ConvolutionPattern pattern, std::int64_t batch, const Work& work,
           const std::vector<std::pair<PlanTensor, const void*>>& memory) const {
    const auto stands = [](const auto& place) {
      return reinterpret_cast<std::uintptr_t>(place.second) % planAlignment == 0;
    };
    if (!std::ranges::all_of(memory, stands)) throw Error("a convolution is given memory that is not aligned");
    machine_.convolutions().run(request(pattern, batch), memory, work.plan);
  }

  void deliver(Activation made, std::span<float> gradient, bool accumulate) const {
    const Activation target(NumberType::float32, reinterpret_cast<std::byte*>(gradient.data()), gradient.size());
    if (!accumulate) return convertOn(machine_, made, target);
    machine_.withType(type_, [&](auto type) {
      using Value = decltype(type);
      zipElements(machine_, std::ssize(gradient), Sum(), gradient.data(), made.template as<Value>(), gradient.data());
    });
  }

  void biasGradients(const BackwardPass& pass, const Work& work) const {
    machine_.withType(type_, [&](auto type) {
      using Value = decltype(type);
      columnSums(machine_, pass.outputGradient.template as<Value>(), pass.batch * output_.height * output_.width,
                 pass.gradients.bias, pass.accumulate, work.sums);
    });
  }

  LayerSpec spec_;
  SampleShape input_;
  SampleShape output_;
  NumberType type_;
  Scratch& scratch_;
  Machine machine_;
  std::map<std::pair<ConvolutionPattern, std::int64_t>, std::size_t> planBytes_;  ///< by batch size
};

}  // namespace slipstream
