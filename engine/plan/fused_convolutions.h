// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/plan/network_memory.h"

namespace slipstream {

/// Whether GPUs convolve images in fp16 and do in the same pass what batch norms around the convolution need. cuDNN 9
/// has engines for it where channels come by the eight and both sides are padded alike.
bool fusesConvolution(SampleShape input, SampleShape output, Padding rows, Padding columns);

/// Marks convolutions and batch norms that work together, in `memory` of as many layers as the network has:
/// - statistics where only a batch norm reads what a convolution without bias makes
/// - deferred where only a ReLU reads what a batch norm makes, and of that only a convolution
void fuseConvolutions(const NetworkSpec& network, const NetworkShape& shape, NetworkMemory& memory);

}  // namespace slipstream
