// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "engine/nn/cuda/convolution_shape.h"

namespace slipstream::test {

/// The distinct convolutions of ResNet-50 on images of 224 x 224, in batches of 256, as the plan of the network has
/// them: the stem first.
const std::vector<ConvolutionShape>& convolutionsOfResNet50();

/// Those of another built-in network.
std::vector<ConvolutionShape> convolutionsOf(const std::string& network, SampleShape input, std::int64_t batch);

/// "56x56x64_to_56x56x256_kernel_1_stride_1"
std::string nameOf(const ConvolutionShape& shape);

/// The properties of a GPU as cuDNN writes them: "a100" or "h200".
std::string deviceProperties(const std::string& device);

}  // namespace slipstream::test
