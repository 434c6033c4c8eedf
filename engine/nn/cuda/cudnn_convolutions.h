// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>

#include "engine/device/device_queue.h"
#include "engine/nn/cuda/convolution_runner.h"

namespace slipstream {

/// Convolutions by cuDNN's plans in the queue of a GPU that this thread opened. Plans are kept among
/// the user's data. Throws Error where libcudnn cannot be loaded.
std::unique_ptr<ConvolutionRunner> makeCudnnConvolutions(DeviceQueue& queue);

}  // namespace slipstream
