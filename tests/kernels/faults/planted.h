// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace planted_faults {

/// Number of the fault in faults.json, from 1; 0: none. From SLIPSTREAM_PLANTED_FAULT.
extern const int plantedFault;

inline bool isPlanted(int fault) {
  return plantedFault == fault;
}

}  // namespace planted_faults
