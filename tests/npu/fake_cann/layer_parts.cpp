// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/npu/fake_cann/layer_parts.h"

namespace slipstream::fake {

Windows windowsOf(OperatorCall& call, const Operand& input, const Operand& output, const Sizes& kernel,
                  const aclIntArray* stride, const aclIntArray* padding) {
  const Sizes steps = call.numbers(stride, 2);
  const Sizes around = call.numbers(padding, 2);
  call.require(input.format() == aclnn::formatNchw && output.format() == aclnn::formatNchw,
               "pictures that are no NCHW");
  call.require(input.size(0) == output.size(0), "another batch");
  const Windows windows{input.size(2), input.size(3), output.size(2), output.size(3), kernel[0],
                        kernel[1],     steps[0],      steps[1],       around[0],      around[1]};
  call.require((windows.height + 2 * around[0] - kernel[0]) / steps[0] + 1 == windows.outputHeight &&
                   (windows.width + 2 * around[1] - kernel[1]) / steps[1] + 1 == windows.outputWidth,
               "an output of other sizes than the windows make");
  return windows;
}

void requireOnes(OperatorCall& call, const aclIntArray* dilation) {
  call.require(call.numbers(dilation, 2) == Sizes{1, 1}, "a dilation");
}

Values channelSums(const Values& values, std::size_t channels, std::size_t positions) {
  Values sums(channels, 0.0);
  for (std::size_t i = 0; i < values.size(); ++i) sums[i / positions % channels] += values[i];
  return sums;
}

}  // namespace slipstream::fake
