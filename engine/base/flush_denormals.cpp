// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/flush_denormals.h"

#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

namespace slipstream {
namespace {

#if defined(__x86_64__)
constexpr std::uint32_t flushToZero = 0x8000;
constexpr std::uint32_t denormalsAreZero = 0x0040;
std::uint32_t readControl() {
  return _mm_getcsr();
}
void writeControl(std::uint32_t value) {
  _mm_setcsr(value);
}
#else
constexpr std::uint32_t flushToZero = 0;
constexpr std::uint32_t denormalsAreZero = 0;
std::uint32_t readControl() {
  return 0;
}
void writeControl(std::uint32_t) {}
#endif

}  // namespace

FlushDenormals::FlushDenormals() : before_(readControl()) {
  writeControl(before_ | flushToZero | denormalsAreZero);
}

FlushDenormals::~FlushDenormals() {
  writeControl(before_);
}

}  // namespace slipstream
