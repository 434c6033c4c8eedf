// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/plan/network_memory.h"

namespace slipstream {

/// Whether GPUs apply batch norm and ReLU to images in fp16 in the pass that convolves them. cuDNN 9 has engines for it
/// where channels come by the eight and both sides are padded alike.
bool fusesConvolution(SampleShape input, SampleShape output, Padding rows, Padding columns);

/// Marks convolutions and batch norms that work together as deferred, in `memory` of as many layers as the network has:
/// where only a ReLU reads what a batch norm makes, and of that only a convolution.
void fuseConvolutions(const NetworkSpec& network, const NetworkShape& shape, NetworkMemory& memory);

}  // namespace slipstream
