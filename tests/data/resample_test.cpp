// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/data/resample.h"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "engine/base/random.h"
#include "tests/support/jpeg_images.h"

namespace slipstream {
namespace {

using namespace slipstream::test;

ImagePart partOf(const Picture& picture) {
  ImagePart part{{0, 0, picture.height, picture.width}, 3 * picture.width, picture.values};
  part.values.resize(part.values.size() + ImagePart::padding);
  return part;
}

std::vector<std::uint8_t> resampled(const Picture& picture, const ImageView& view, std::int64_t size) {
  Resampling plan = planResampling({picture.height, picture.width}, view, size);
  plan.eighths = 8;
  plan.view = view;
  plan.box = {0, 0, picture.height, picture.width};
  std::vector<std::uint8_t> output(static_cast<std::size_t>(3 * size * size));
  Resampler().run(plan, partOf(picture), output);
  return output;
}

/// The value between four pixels, as the definition has it.
double valueAt(const Picture& picture, double y, double x, std::size_t channel) {
  const auto inside = [](double at, std::int64_t size) { return std::clamp(at, 0.0, static_cast<double>(size - 1)); };
  const double row = inside(y, picture.height);
  const double column = inside(x, picture.width);
  const auto pixel = [&](double atRow, double atColumn) {
    const auto r = std::min(static_cast<std::int64_t>(atRow), picture.height - 1);
    const auto c = std::min(static_cast<std::int64_t>(atColumn), picture.width - 1);
    return static_cast<double>(picture.values[static_cast<std::size_t>(3 * (r * picture.width + c)) + channel]);
  };
  const double down = row - std::floor(row);
  const double across = column - std::floor(column);
  const double upper = pixel(row, column) * (1 - across) + pixel(row, column + 1) * across;
  const double lower = pixel(row + 1, column) * (1 - across) + pixel(row + 1, column + 1) * across;
  return upper * (1 - down) + lower * down;
}

TEST(Resample, ValuesAreThoseOfTheDefinition) {
  const Picture picture = wavyPicture(37, 53, 3, 4);
  for (const std::int64_t size : {8, 24, 61}) {
    for (const ImageView& view :
         {ImageView{3, 7, 30, 41}, ImageView{0, 0, 37, 53, true}, ImageView{2.5, 1.25, 20.75, 11.5, false, true}}) {
      const auto output = resampled(picture, view, size);
      for (std::int64_t y = 0; y < size; ++y) {
        for (std::int64_t x = 0; x < size; ++x) {
          const auto side = static_cast<double>(size);
          const auto column = static_cast<double>(view.flipped ? size - 1 - x : x);
          const double row = view.top + (static_cast<double>(y) + 0.5) * view.height / side - 0.5;
          for (std::size_t channel = 0; channel < 3; ++channel) {
            const double expected =
                valueAt(picture, row, view.left + (column + 0.5) * view.width / side - 0.5, channel);
            ASSERT_NEAR(output[static_cast<std::size_t>(3 * (y * size + x)) + channel], expected, 0.53)
                << y << " " << x << " of " << size;
          }
        }
      }
    }
  }
}

TEST(Resample, AViewAsLargeAsTheSquareIsCopied) {
  const Picture picture = wavyPicture(16, 16, 3, 4);
  const auto output = resampled(picture, {0, 0, 16, 16}, 16);
  EXPECT_EQ(output, picture.values);
}

TEST(Resample, PicturesAreScaledDownWhileTheyStillCoverTheSquare) {
  const auto eighths = [](std::int64_t side) {
    return planResampling({side, side}, {0, 0, static_cast<double>(side), static_cast<double>(side)}, 100).eighths;
  };
  EXPECT_EQ(eighths(50), 8);
  EXPECT_EQ(eighths(199), 8);
  EXPECT_EQ(eighths(200), 4);
  EXPECT_EQ(eighths(400), 2);
  EXPECT_EQ(eighths(800), 1);
  EXPECT_EQ(eighths(5000), 1);
}

TEST(Resample, ABoxHoldsEveryPixelThatItsViewNeeds) {
  const Resampling plan = planResampling({1000, 500}, {100.5, 20, 399, 300.2}, 100);
  EXPECT_EQ(plan.eighths, 4);
  EXPECT_EQ(plan.box, (PixelBox{50, 10, 250, 161}));
  ImageView beyond{0, 20, 399, 480};
  beyond.looksBeyond = true;
  EXPECT_EQ(planResampling({1000, 500}, beyond, 300).box, (PixelBox{0, 19, 400, 500}));
}

}  // namespace
}  // namespace slipstream
