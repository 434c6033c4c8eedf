// SPDX-License-Identifier: GPL-3.0-or-later
// Of a test program on the fake CANN: its NPUs find the product's kernels, compiled for the host.
#include <cstdlib>

namespace slipstream {
namespace {

[[maybe_unused]] const int named = ::setenv("SLIPSTREAM_NPU_KERNELS", SLIPSTREAM_ALL_KERNELS, 0);

}  // namespace
}  // namespace slipstream
