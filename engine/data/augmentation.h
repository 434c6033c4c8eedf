// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/random.h"
#include "engine/data/dataset.h"

namespace slipstream {

/// Height and width in pixels.
struct ImageSize {
  std::int64_t height = 0;
  std::int64_t width = 0;
  bool operator==(const ImageSize&) const = default;
};

/// The part of an image that becomes the network's input, in pixels from the upper left corner; edges may lie inside
/// pixels.
struct ImageView {
  double top = 0;
  double left = 0;
  double height = 0;
  double width = 0;
  bool flipped = false;  ///< left to right
  /// Whether pixels beyond the view's edges may have a share in those at its edge.
  bool looksBeyond = false;
  bool operator==(const ImageView&) const = default;
};

/// The draws of one sample for one key.
Random randomOf(std::uint64_t seed, std::uint32_t sample, const DrawKey& drawKey);

/// A view of 8 to 100 % of the area and of 3:4 to 4:3, anywhere, flipped half of the time. Where ten draws do not fit
/// into the image: the largest view of such a shape in its middle (Szegedy et al. 2015, as in MindSpore's
/// RandomCropDecodeResize).
ImageView drawView(ImageSize picture, Random random);

/// The middle: what a square of `size` shows of the image once its shorter side is size * 256 / 224 long.
ImageView middleView(ImageSize picture, std::int64_t size);

}  // namespace slipstream
