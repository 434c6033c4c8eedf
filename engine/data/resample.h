// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>

#include "engine/base/cache_lines.h"
#include "engine/data/augmentation.h"
#include "engine/data/blend.h"
#include "engine/data/image_part.h"

namespace slipstream {

/// How a view of an image becomes a square of `size` pixels: from the image at `eighths` / 8 of its size, of which
/// the pixels in `box` are needed.
struct Resampling {
  std::int64_t size = 0;
  int eighths = 8;
  ImageView view;  ///< in scaled pixels
  PixelBox box;
  bool operator==(const Resampling&) const = default;
};

/// Scales the image down as far as its view still has as many pixels as the square; of the sizes that libjpeg-turbo
/// decodes fast.
Resampling planResampling(ImageSize picture, const ImageView& view, std::int64_t size);

/// Linear interpolation between the two nearest pixels in both directions, to whole bytes. Keeps its memory from
/// image to image: one thread's own.
class Resampler {
 public:
  /// `part` holds the plan's box; `output` is size x size x 3.
  void run(const Resampling& plan, const ImagePart& part, std::span<std::uint8_t> output);

 private:
  void prepare(const Resampling& plan, const ImagePart& part);
  const std::int16_t* blendedRow(const ImagePart& part, std::int64_t y);

  Resampling plan_;  ///< of rows and columns; images of an evaluation often share one
  std::int64_t left_ = 0;
  PixelPairs rows_;
  ColumnBlend columns_;
  std::vector<std::int16_t> blended_[4];  ///< two pairs of rows of the image, each as wide as the square
  std::int64_t held_[2] = {-1, -1};       ///< which pairs, counted from the part's top
};

}  // namespace slipstream
