// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace emulated_gpu {

/// Number of the fault in faults.json, from 1; 0: none. From SLIPSTREAM_PLANTED_FAULT.
extern const int plantedFault;

inline bool isPlanted(int fault) {
  return plantedFault == fault;
}

}  // namespace emulated_gpu
