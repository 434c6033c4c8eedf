// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>

namespace slipstream::test {

/// The largest piece of memory that operator new has given since forgetMemory().
std::size_t largestPiece();
void forgetMemory();

}  // namespace slipstream::test
