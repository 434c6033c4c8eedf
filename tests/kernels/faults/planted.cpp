// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/kernels/faults/planted.h"

#include <cstdlib>

namespace planted_faults {

const int plantedFault = [] {
  const char* number = std::getenv("SLIPSTREAM_PLANTED_FAULT");
  return number == nullptr ? 0 : std::atoi(number);
}();

}  // namespace planted_faults
