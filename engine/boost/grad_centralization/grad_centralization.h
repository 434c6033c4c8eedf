// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "engine/boost/grad_centralization/kernels.h"
#include "engine/boost/grad_centralization/spec.h"
#include "engine/boost/step_slots.h"

namespace slipstream {

/// What a rank has of one tensor of the combined gradient, and its weights there: the whole of it, or a shard.
struct GradientPart {
  int tensor;           ///< in layout order
  std::int64_t offset;  ///< of the part's first element inside the tensor
  std::span<float> gradient;
  std::span<const float> weights;
  int holders = 1;  ///< ranks of the sharing communicator that have the same part
};

/// Takes the mean of every row, all elements of one output, out of the gradient that the optimizer steps along, and
/// beforehand what the optimizer will add for the weights' decay. Every Update calls it on what its exchange made of
/// the ranks' gradients: never before, because Adasum would weigh the part for the decay by its coefficients.
class GradCentralization {
 public:
  /// What `parts` refers to must outlive this.
  explicit GradCentralization(const UpdateContext& parts);

  /// Whether there is a tensor to centralise.
  bool acts() const { return sums_ != nullptr; }
  /// Of all tensors that are in `range` of the flat space, all of them whole.
  void apply(Range range, std::span<float> gradients, std::span<const float> weights);
  /// Of parts of tensors, the same tensors on every rank of `sharers`, who have all of them between them. Collective
  /// where it acts. Returns the seconds that the exchange took.
  double apply(std::span<const GradientPart> parts, Communicator& sharers);

 private:
  struct Rule {
    bool on;
    double decay;          ///< what the optimizer adds for each unit of weight, in the gradient's units
    std::size_t firstSum;  ///< of the tensor's rows, among all sums
    std::size_t rows;
    std::size_t columns;
  };

  const Rule& ruleOf(int tensor) const { return rules_[static_cast<std::size_t>(tensor)]; }
  std::span<double> sumsOf(const Rule& rule, std::size_t firstRow);
  void sum(const GradientPart& part);
  void subtract(const GradientPart& part);
  std::vector<double> sumsOf(std::span<const GradientPart> parts);

  const GradCentralizationKernels& kernels_;
  const ParameterLayout& layout_;
  Device& device_;
  std::vector<Rule> rules_;       ///< one a tensor, in layout order
  std::unique_ptr<Buffer> sums_;  ///< a double for every row of every centralised tensor
};

}  // namespace slipstream
