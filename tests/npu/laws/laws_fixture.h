// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <functional>
#include <string>

#include <gtest/gtest.h>

#include "engine/npu/twin/kernel_operator.h"

namespace slipstream::test {

using Floats = AscendC::LocalTensor<float>;
using Global = AscendC::GlobalTensor<float>;
using In = AscendC::TQue<AscendC::TPosition::VECIN, 1>;
using Out = AscendC::TQue<AscendC::TPosition::VECOUT, 1>;
using Calc = AscendC::TBuf<AscendC::TPosition::VECCALC>;

/// Executes a kernel on the twin, its blocks in their order.
inline void execute(const std::function<void()>& kernel, unsigned blocks = 1, std::uint64_t seed = 1) {
  twin::Core core(seed);
  twin::GlobalAccesses accesses(blocks);
  for (unsigned block = 0; block < blocks; ++block) core.runBlock("planted", block, blocks, accesses, kernel);
}

/// A kernel's memory of the device: 1024 floats that begin at a multiple of 64 bytes.
struct DeviceFloats {
  alignas(64) std::array<float, 1024> values{};
  Global from(std::size_t first, std::size_t declared = 1024) {
    Global tensor;
    tensor.SetGlobalBuffer(values.data() + first, declared);
    return tensor;
  }
};

/// One buffer each way and two to compute with, all of 256 floats.
struct Parts {
  Parts() {
    pipe.InitBuffer(in, 2, 1024);
    pipe.InitBuffer(out, 2, 1024);
    pipe.InitBuffer(first, 1024);
    pipe.InitBuffer(second, 1024);
  }
  /// A tensor of VECIN that may be computed with.
  Floats loaded(DeviceFloats& memory) {
    Floats tensor = in.AllocTensor<float>();
    AscendC::DataCopy(tensor, memory.from(0), 256);
    in.EnQue(tensor);
    return in.DeQue<float>();
  }
  /// A tensor of VECOUT that may be copied out.
  Floats computed(float value) {
    Floats tensor = out.AllocTensor<float>();
    AscendC::Duplicate(tensor, value, 256);
    out.EnQue(tensor);
    return out.DeQue<float>();
  }

  AscendC::TPipe pipe;
  In in;
  Out out;
  Calc first;
  Calc second;
};

inline void letScalarSeeVectors() {
  AscendC::SetFlag<AscendC::HardEvent::V_S>(0);
  AscendC::WaitFlag<AscendC::HardEvent::V_S>(0);
}

/// The program ends with the kernel, the block, a line of this folder and the law.
inline void expectBroken(const std::function<void()>& kernel, const std::string& law, unsigned blocks = 1) {
  EXPECT_DEATH(execute(kernel, blocks), "kernel planted, block [0-9]+ of [0-9]+, .*:[0-9]+: " + law);
}

}  // namespace slipstream::test
