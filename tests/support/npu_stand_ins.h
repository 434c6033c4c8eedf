// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/support/environment_variable.h"

namespace slipstream::test {

/// While it lives, runs that this process starts find what stands in for CANN's libraries (tests/npu/fake_cann).
struct NpuStandIns {
  EnvironmentVariable libraries{"LD_LIBRARY_PATH", SLIPSTREAM_FAKE_CANN};
  EnvironmentVariable kernels{"SLIPSTREAM_NPU_KERNELS", SLIPSTREAM_KERNELS_ON_HOST};
};

}  // namespace slipstream::test
