// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/data/augmentation.h"

#include <cmath>

#include <gtest/gtest.h>

namespace slipstream {
namespace {

ImageView viewOf(ImageSize picture, std::uint32_t sample, const DrawKey& drawKey = {}) {
  return drawView(picture, randomOf(5, sample, drawKey));
}

TEST(Augmentation, ViewsLieInsideAndHaveTheAreasAndShapesAskedFor) {
  const ImageSize picture{300, 400};
  int flipped = 0;
  double area = 0;
  for (std::uint32_t sample = 0; sample < 4000; ++sample) {
    const ImageView view = viewOf(picture, sample);
    EXPECT_GE(view.top, 0);
    EXPECT_GE(view.left, 0);
    EXPECT_LE(view.top + view.height, 300);
    EXPECT_LE(view.left + view.width, 400);
    EXPECT_GE(view.height * view.width, 0.079 * 300 * 400);
    EXPECT_NEAR(std::log(view.width / view.height), 0, std::log(4.0 / 3) + 0.02);
    EXPECT_FALSE(view.looksBeyond);
    flipped += view.flipped ? 1 : 0;
    area += view.height * view.width / (300 * 400) / 4000;
  }
  EXPECT_NEAR(flipped, 2000, 130);
  EXPECT_NEAR(area, 0.43, 0.02) << "less than the half that is drawn: large views of the wrong shape are drawn again";
}

TEST(Augmentation, APictureInWhichNoDrawFitsShowsItsMiddle) {
  const ImageView flat = viewOf({30, 3000}, 1);
  EXPECT_EQ(flat.height, 30);
  EXPECT_EQ(flat.width, 40);
  EXPECT_EQ(flat.left, 1480);
  const ImageView tall = viewOf({3000, 30}, 1);
  EXPECT_EQ(tall.width, 30);
  EXPECT_EQ(tall.height, 40);
  EXPECT_EQ(tall.top, 1480);
  const ImageView dot = viewOf({1, 1}, 1);
  EXPECT_EQ(dot.height * dot.width, 1);
}

TEST(Augmentation, DrawsFollowFromSampleAndDrawKeyAlone) {
  const ImageSize picture{300, 400};
  EXPECT_EQ(viewOf(picture, 7, {3, 0}), viewOf(picture, 7, {3, 0}));
  EXPECT_NE(viewOf(picture, 7, {3, 0}), viewOf(picture, 8, {3, 0}));
  EXPECT_NE(viewOf(picture, 7, {3, 0}), viewOf(picture, 7, {4, 0}));
  EXPECT_NE(viewOf(picture, 7, {3, 0}), viewOf(picture, 7, {3, 1}));
}

TEST(Augmentation, TheMiddleIsWhatACentreCropOfTheResizedPictureShows) {
  // 400 x 300 becomes 341 x 256: the square of 224 begins 16 rows and 58 columns inside.
  const ImageView view = middleView({300, 400}, 224);
  EXPECT_DOUBLE_EQ(view.top, 16 * 300.0 / 256);
  EXPECT_DOUBLE_EQ(view.left, 58 * 400.0 / 341);
  EXPECT_DOUBLE_EQ(view.height, 224 * 300.0 / 256);
  EXPECT_DOUBLE_EQ(view.width, 224 * 400.0 / 341);
  EXPECT_FALSE(view.flipped);
  EXPECT_TRUE(view.looksBeyond);
}

}  // namespace
}  // namespace slipstream
