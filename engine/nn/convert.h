// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/nn/activation.h"

namespace slipstream {

/// to = from, rounded to the nearest value of its type. Of equal sizes, on all threads.
void convert(ConstActivation from, Activation to);

/// sum = first + second, each of the same type; the sum may be either of them.
void addActivations(ConstActivation first, ConstActivation second, Activation sum);

/// As addActivations, and zero where `output` is not positive: the gradient of a ReLU that made it for two readers.
void addActivationsWherePositive(ConstActivation output, ConstActivation first, ConstActivation second, Activation sum);

}  // namespace slipstream
