// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/nn/cuda/matrix_products.h"
#include "engine/nn/layers/layer.h"

// The layers of a GPU are templates over `Ops`, the operations of a device: a value that copies cheaply, with
//   each(count, work)     work(index) for every index below count, after all that was given before
//   withType(type, work)  work(a value of the type as the device computes with it)
//   multiply(...)         matrix products, as MatrixProducts does them
//   convolutions()        a ConvolutionRunner (convolution_runner.h)
// A GPU's are in cuda_ops.h; tests have some that work in loops on the host, so that all of this is tested where there
// is no GPU.

namespace slipstream {

/// Parts of a GPU's memory, aligned for packs and plans.
using GpuParts = AlignedParts<256>;

}  // namespace slipstream
