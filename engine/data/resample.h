#pragma once

#include <span>

#include "engine/data/augmentation.h"
#include "engine/data/jpeg_decoder.h"
#include "engine/data/normalization.h"

namespace slipstream {

/// How a view of a picture becomes a square of `size` pixels: from the picture at `eighths` / 8 of its size, of which
/// the pixels in `box` are needed.
struct Resampling {
  std::int64_t size = 0;
  int eighths = 8;
  PictureView view;  ///< in scaled pixels
  PixelBox box;
};

/// Scales the picture down as far as its view still has as many pixels as the square; of the sizes that libjpeg-turbo
/// decodes fast.
Resampling planResampling(PictureSize picture, const PictureView& view, std::int64_t size);

/// Linear interpolation between the two nearest pixels in both directions, then normalisation. Keeps its memory from
/// picture to picture: one thread's own.
class Resampler {
 public:
  explicit Resampler(const Normalization& normalization);
  /// `part` holds the plan's box; `output` is size x size x 3.
  void run(const Resampling& plan, const PicturePart& part, std::span<float> output);

 private:
  /// For each pixel of the square, the two that it lies between and the share of the second.
  struct Axis {
    std::vector<std::int32_t> first;
    std::vector<std::int32_t> second;
    std::vector<float> share;
  };
  static void place(Axis& axis, const Resampling& plan, bool vertical);
  const float* blendedRow(const PicturePart& part, std::int64_t y, int slot);

  const Normalization& normalization_;
  Axis columns_;
  Axis rows_;
  std::vector<float> factors_;  ///< of the channels, as often as a row has pixels
  std::vector<float> offsets_;
  std::vector<float> widened_;     ///< a row of the picture
  std::vector<float> blended_[2];  ///< two rows of the picture, each as wide as the square
  std::int64_t held_[2] = {-1, -1};
};

}  // namespace slipstream
