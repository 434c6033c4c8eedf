// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/npu/fake_cann/operator_call.h"

namespace slipstream::fake {

/// How windows move over images.
struct Windows {
  std::int64_t height, width;  ///< of the input
  std::int64_t outputHeight, outputWidth;
  std::int64_t kernelHeight, kernelWidth;
  std::int64_t strideHeight, strideWidth;
  std::int64_t above, left;  ///< padding

  /// Calls `each(input position, output position)` of one plane for every position that the element of the kernel
  /// meets.
  template <class Each>
  void forEachPair(std::int64_t kernelRow, std::int64_t kernelColumn, const Each& each) const {
    for (std::int64_t y = 0; y < outputHeight; ++y) {
      const std::int64_t row = y * strideHeight - above + kernelRow;
      if (row < 0 || row >= height) continue;
      for (std::int64_t x = 0; x < outputWidth; ++x) {
        const std::int64_t column = x * strideWidth - left + kernelColumn;
        if (column < 0 || column >= width) continue;
        each(static_cast<std::size_t>(row * width + column), static_cast<std::size_t>(y * outputWidth + x));
      }
    }
  }
  template <class Each>
  void forEachElement(const Each& each) const {
    for (std::int64_t row = 0; row < kernelHeight; ++row) {
      for (std::int64_t column = 0; column < kernelWidth; ++column) each(row, column);
    }
  }
  std::size_t inputs() const { return static_cast<std::size_t>(height * width); }
  std::size_t outputs() const { return static_cast<std::size_t>(outputHeight * outputWidth); }
};

/// Of images N, C, H, W; a violation where they and what the windows make do not fit.
Windows windowsOf(OperatorCall& call, const Operand& input, const Operand& output, const Sizes& kernel,
                  const aclIntArray* stride, const aclIntArray* padding);
/// A violation where windows are spread.
void requireOnes(OperatorCall& call, const aclIntArray* dilation);

/// Sums of a channel's values over the batch.
Values channelSums(const Values& values, std::size_t channels, std::size_t positions);

/// What a layer's backward is to write; those that are not wanted are none.
struct LayerGradients {
  Operand input, weight, bias;
};

}  // namespace slipstream::fake
