// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

namespace slipstream {

/// While it lives, this thread takes denormal numbers for zero and rounds such results to zero (FTZ and DAZ of MXCSR).
/// Every thread that computes a network pass sets it for itself: one denormal-ridden convolution gradient took 15 times
/// as long. Boost kernels run without it: their inputs may be tiny. Does nothing on processors other than x86.
class FlushDenormals {
 public:
  FlushDenormals();
  ~FlushDenormals();
  FlushDenormals(const FlushDenormals&) = delete;
  FlushDenormals& operator=(const FlushDenormals&) = delete;

 private:
  std::uint32_t before_;
};

}  // namespace slipstream
