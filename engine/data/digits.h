// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/data/dataset.h"

namespace slipstream {

// Images that look like handwritten digits, drawn by this program: strokes of one of several ways to write the digit,
// bent, slanted, shifted, of varying thickness and ink, on a noisy ground. Image i depends on seed, part and i only, so
// that ranks can draw some each.

/// Room for all images of a part, none of which is drawn yet. Fails for less than one image, naming the key.
Result<Images> roomForDigits(const DatasetSpec& spec, DataPart part);

/// Draws the images `first` to `end` - 1.
void drawDigits(Images& images, std::size_t first, std::size_t end, DataPart part, std::uint64_t seed);

}  // namespace slipstream
