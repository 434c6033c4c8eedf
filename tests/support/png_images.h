// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "tests/support/jpeg_images.h"

namespace slipstream::test {

struct PngStyle {
  int bits = 8;                                           ///< of a sample
  bool interlaced = false;                                ///< Adam7
  bool alpha = false;                                     ///< the last channel: of 2 or 4
  std::vector<std::array<std::uint8_t, 3>> palette = {};  ///< with one, the one channel is an index
  bool transparentEntry = false;                          ///< entry 0 of the palette is transparent
  int level = 6;                                          ///< of compression
};

/// The file, made by libpng, of the picture's samples: in its values, one byte each; at 16 bits two, the higher first;
/// below 8 bits one byte each, of which the lower bits count.
std::vector<std::uint8_t> pngOf(const Picture& picture, const PngStyle& style = {});

/// Of its chunks as they are after bytes were changed.
void repairChecksums(std::vector<std::uint8_t>& file);

}  // namespace slipstream::test
