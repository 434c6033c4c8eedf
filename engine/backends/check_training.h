// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <map>
#include <string>
#include <vector>

#include "engine/boost/kernel_tables.h"
#include "engine/device/device.h"

namespace slipstream {

/// How many numbers kernels are given, and what stands among them.
struct CheckInput {
  std::size_t elements = 100'003;  ///< odd: every tail is used
  std::size_t offset = 0;          ///< so many numbers behind an address that is aligned
  bool awkward = false;            ///< infinities, a NaN, zeros of both signs, denormals
};

/// Of 1 to 100,003 numbers: all of them from an aligned address, then fewer, drawn, from others, with awkward ones.
std::vector<CheckInput> checkInputs();

/// Up to ±size, always the same of the same seed.
std::vector<float> checkValues(const CheckInput& input, std::uint64_t seed, float size = 1);

/// What a device makes of the same inputs, by kernel, for every kernel of training that it has. (Adasum's: check.cpp.)
std::map<std::string, std::vector<double>> trainingResults(Device& device, const KernelTables& tables,
                                                           const CheckInput& input = {});

}  // namespace slipstream
