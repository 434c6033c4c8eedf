// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <vector>

#include "engine/device/memory.h"

namespace slipstream {

/// A copy of values that lie in memory of the device or of the host.
std::vector<float> readValues(Device& device, std::span<const float> values);
std::vector<double> readValues(Device& device, std::span<const double> values);

/// Puts `from` in the place of `to`, in memory of the device or of the host; both are equally long.
void writeValues(Device& device, std::span<float> to, std::span<const float> from);
void writeValues(Device& device, std::span<double> to, std::span<const double> from);

}  // namespace slipstream
