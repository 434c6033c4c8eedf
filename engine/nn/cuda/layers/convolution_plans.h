// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/nn/cuda/convolution_runner.h"
#include "engine/nn/layers/layer.h"

namespace slipstream {

/// Which plans one layer runs, for batches of any size.
class ConvolutionPlans {
 public:
  /// The runner outlives it.
  ConvolutionPlans(const LayerConfig& parts, ConvolutionRunner& runner)
      : spec_(parts.spec), input_(parts.input), output_(parts.output), type_(parts.type), runner_(runner) {}

  /// The pattern, or where this device has no plan for it the next plainer one that it has.
  ConvolutionPattern chosen(ConvolutionPattern wanted, std::int64_t batch);
  /// Scratch bytes. Throws Error where this device has no plan.
  std::size_t bytes(ConvolutionPattern pattern, std::int64_t batch);
  /// Throws Error where memory is not aligned as plans want it.
  void run(ConvolutionPattern pattern, std::int64_t batch, const PlanMemory& memory, void* scratch) const;
  /// Of those that were chosen or measured so far.
  std::vector<std::string> names() const;

 private:
  PlanRequest request(ConvolutionPattern pattern, std::int64_t batch) const {
    return {pattern, convolutionShape(spec_, input_, output_, batch), type_};
  }
  bool has(ConvolutionPattern pattern, std::int64_t batch);

  LayerSpec spec_;
  SampleShape input_;
  SampleShape output_;
  NumberType type_;
  ConvolutionRunner& runner_;
  /// By pattern and batch size; nothing where there is no plan.
  std::map<std::pair<ConvolutionPattern, std::int64_t>, std::optional<std::size_t>> bytes_;
};

}  // namespace slipstream
