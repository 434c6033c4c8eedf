// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>

#include "engine/nn/layers/layer.h"
#include "engine/nn/npu/operators.h"

namespace slipstream {

// Layers of networks on an NPU. Each gives Ascend's operators to the device's working stream; `operators` outlives it.

/// x W' + b of a flat input [batch, inputs], W [outputs, inputs], all fp32.
std::unique_ptr<Layer> makeNpuDense(const LayerConfig& parts, NpuOperators& operators);
/// As the CPU's (engine/nn/layers/normalized_dense.h), in fp32.
std::unique_ptr<Layer> makeNpuNormalizedDense(const LayerConfig& parts, NpuOperators& operators);
/// Images, weights and gradients of one type; stored weights and their gradients are fp32.
std::unique_ptr<Layer> makeNpuConv2d(const LayerConfig& parts, NpuOperators& operators);
/// As the CPU's (engine/nn/layers/batch_norm.h), with what it does for a ReLU or a sum behind it.
std::unique_ptr<Layer> makeNpuBatchNorm(const LayerConfig& parts, NpuOperators& operators);
std::unique_ptr<Layer> makeNpuMaxPool(const LayerConfig& parts, NpuOperators& operators);
/// Throws Error where `pad_mode` same pads one side more than the other, which Ascend's operator does not.
std::unique_ptr<Layer> makeNpuAvgPool(const LayerConfig& parts, NpuOperators& operators);
std::unique_ptr<Layer> makeNpuGlobalAvgPool(const LayerConfig& parts, NpuOperators& operators);
std::unique_ptr<Layer> makeNpuRelu(const LayerConfig& parts, NpuOperators& operators);
std::unique_ptr<Layer> makeNpuAdd(const LayerConfig& parts, NpuOperators& operators);
std::unique_ptr<Layer> makeNpuFlatten(const LayerConfig& parts, NpuOperators& operators);

/// Parts of scratch memory, aligned as the runtime aligns what it gives.
using NpuParts = AlignedParts<512>;

}  // namespace slipstream
