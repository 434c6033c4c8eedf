// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/data/dataset.h"

namespace slipstream {

/// Images that look like handwritten digits, drawn by this program: strokes of one of several ways to write the
/// digit, bent, slanted, shifted, of varying thickness and ink, on a noisy ground. Image i depends on seed, part and
/// i only.
Images drawDigits(std::int64_t count, DataPart part, std::uint64_t seed);

}  // namespace slipstream
