// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>

#include "engine/nn/cuda/convolution_runner.h"

namespace slipstream {

/// Convolutions by cuDNN's plans on this thread's kernelStream() of the GPU that it opened last. Plans are kept among
/// the user's data. Throws Error where libcudnn cannot be loaded.
std::unique_ptr<ConvolutionRunner> makeCudnnConvolutions();

}  // namespace slipstream
