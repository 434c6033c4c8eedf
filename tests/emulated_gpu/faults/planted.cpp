// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/emulated_gpu/faults/planted.h"

#include <cstdlib>

namespace emulated_gpu {

const int plantedFault = [] {
  const char* number = std::getenv("SLIPSTREAM_PLANTED_FAULT");
  return number == nullptr ? 0 : std::atoi(number);
}();

}  // namespace emulated_gpu
