// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <map>
#include <string>
#include <vector>

#include "engine/boost/kernel_tables.h"
#include "engine/device/device.h"

namespace slipstream {

/// What a device makes of the same inputs, by kernel, for every kernel of training that it has. (Adasum's: check.cpp.)
std::map<std::string, std::vector<double>> trainingResults(Device& device, const KernelTables& tables);

}  // namespace slipstream
