// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string_view>

#include "engine/nn/layers/layer.h"

namespace slipstream {

/// Cross-correlation with weights [outputs, kernel, kernel, inputs] (OHWI), stride and padding the same on all sides.
std::unique_ptr<Layer> makeConv2d(const LayerConfig& parts);

/// Whether oneDNN 2.6 would never finish generating this implementation (as it names it) of a convolution's weight
/// gradient. For AMX it does not where the output rows of a 3 x 3 kernel are longer than 736 pixels: the search for a
/// block of rows in compute_full_spat_loop (jit_avx512_core_amx_conv_kernel.cpp) does not end at blocks of one row. 1 x
/// 1 kernels never come there. Others are judged with a margin: rows of up to 512 were tried with kernels of up to 11.
bool isNeverGenerated(std::string_view implementation, std::int64_t kernel, std::int64_t outputWidth);

}  // namespace slipstream
