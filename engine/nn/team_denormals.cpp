// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/nn/team_denormals.h"

#include <omp.h>
#include <xmmintrin.h>

namespace slipstream {
namespace {

constexpr unsigned int flushToZero = 0x8000;
constexpr unsigned int denormalsAreZero = 0x0040;

/// The control register is each thread's own.
void setEverywhere(unsigned int control) {
  if (omp_get_max_threads() == 1) return _mm_setcsr(control);
#pragma omp parallel
  _mm_setcsr(control);
}

}  // namespace

TeamFlushDenormals::TeamFlushDenormals() : before_(_mm_getcsr()) {
  setEverywhere(before_ | flushToZero | denormalsAreZero);
}

TeamFlushDenormals::~TeamFlushDenormals() {
  setEverywhere(before_);
}

}  // namespace slipstream
