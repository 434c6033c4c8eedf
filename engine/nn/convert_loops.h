// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>

#include "engine/base/number_type.h"

namespace slipstream {

/// What convert() does on one thread, compiled for the instruction set of whatever calls it.
template <class From, class To>
[[gnu::always_inline]] inline void convertLoop(const From* from, To* to, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) to[i] = fromFloat<To>(toFloat(from[i]));
}

}  // namespace slipstream
