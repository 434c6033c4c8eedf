// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

namespace slipstream::test {

/// An idx file of `sizes` (MNIST's form), with ones in it.
std::string idxOf(const std::vector<unsigned>& sizes);
/// Records of CIFAR-10's binary version.
std::string cifarOf(int records);
/// A matrix as numpy.save writes it, fp32: row i is one at column i, counted on from the first behind the last, else
/// zero.
std::string npyOf(int rows, int columns);
/// What gzip makes of them.
std::string compressed(std::string bytes);

}  // namespace slipstream::test
