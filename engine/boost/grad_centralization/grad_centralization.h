#pragma once

#include <memory>

#include "engine/boost/step_slots.h"

namespace slipstream {

/// Whether the gradient of the tensor is centralised: it has two dimensions or more, is no normalised head, and its
/// group, the optimizer or less_bn's gc_flag says so (gc_flag spares names with beta, gamma and bias).
bool centralizes(const Experiment& experiment, const TensorSpec& tensor);

/// Takes the mean of every row, all elements of one output, out of a tensor's gradient. `weights` outlive the pass.
std::unique_ptr<GradientPass> makeGradCentralization(const UpdateParts& parts, ParameterStore& weights);

}  // namespace slipstream
