// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/train/reference/tensors.h"

namespace slipstream::reference {

/// Adasum of the leaves, tensor by tensor (Maleki et al. 2020): neighbours are combined, then their results; an odd one
/// is carried up.
Tensors adasum(std::vector<Tensors> leaves);

}  // namespace slipstream::reference
