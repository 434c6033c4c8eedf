// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/data/augmentation.h"

#include <algorithm>
#include <cmath>

namespace slipstream {
namespace {

constexpr double leastArea = 0.08;
constexpr double leastRatio = 3.0 / 4.0;
constexpr double mostRatio = 4.0 / 3.0;
constexpr int attempts = 10;

/// Whole pixels in the middle.
ImageView middleOf(ImageSize picture, std::int64_t height, std::int64_t width) {
  return {static_cast<double>((picture.height - height) / 2), static_cast<double>((picture.width - width) / 2),
          static_cast<double>(height), static_cast<double>(width)};
}

ImageView largestOfShape(ImageSize picture) {
  const auto [height, width] = picture;
  const double ratio = static_cast<double>(width) / static_cast<double>(height);
  if (ratio < leastRatio) {
    return middleOf(picture, std::clamp<std::int64_t>(std::llround(static_cast<double>(width) / leastRatio), 1, height),
                    width);
  }
  if (ratio > mostRatio) {
    return middleOf(picture, height,
                    std::clamp<std::int64_t>(std::llround(static_cast<double>(height) * mostRatio), 1, width));
  }
  return middleOf(picture, height, width);
}

}  // namespace

Random randomOf(std::uint64_t seed, std::uint32_t sample, const DrawKey& drawKey) {
  return {seed, RandomStream::augmentation,
          sample | static_cast<std::uint64_t>(drawKey.epoch) << 32U | drawKey.reader << 52U};
}

ImageView drawView(ImageSize picture, Random random) {
  const auto area = static_cast<double>(picture.height * picture.width);
  ImageView view = largestOfShape(picture);
  for (int attempt = 0; attempt < attempts; ++attempt) {
    const double wanted = area * random.uniform(leastArea, 1);
    const double ratio = std::exp(random.uniform(std::log(leastRatio), std::log(mostRatio)));
    const std::int64_t width = std::llround(std::sqrt(wanted * ratio));
    const std::int64_t height = std::llround(std::sqrt(wanted / ratio));
    if (width < 1 || height < 1 || width > picture.width || height > picture.height) continue;
    const auto top = random.below(static_cast<std::uint64_t>(picture.height - height + 1));
    const auto left = random.below(static_cast<std::uint64_t>(picture.width - width + 1));
    view = {static_cast<double>(top), static_cast<double>(left), static_cast<double>(height),
            static_cast<double>(width)};
    break;
  }
  view.flipped = random.below(2) == 1;
  return view;
}

ImageView middleView(ImageSize picture, std::int64_t size) {
  const std::int64_t shorter = std::llround(static_cast<double>(size) * 256.0 / 224.0);
  const auto resized = [&](std::int64_t side, std::int64_t other) -> std::int64_t {
    if (side <= other) return shorter;
    return std::llround(static_cast<double>(side) * static_cast<double>(shorter) / static_cast<double>(other));
  };
  const std::int64_t height = resized(picture.height, picture.width);
  const std::int64_t width = resized(picture.width, picture.height);
  const double down = static_cast<double>(picture.height) / static_cast<double>(height);
  const double across = static_cast<double>(picture.width) / static_cast<double>(width);
  const auto top = static_cast<double>((height - size) / 2);
  const auto left = static_cast<double>((width - size) / 2);
  const auto side = static_cast<double>(size);
  return {top * down, left * across, side * down, side * across, false, true};
}

}  // namespace slipstream
