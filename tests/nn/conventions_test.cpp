// SPDX-License-Identifier: GPL-3.0-or-later
// Windows that move by two over an image of 4 x 4, padded as MindSpore does and as torchvision does: cases by hand.
#include <numeric>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/spec/network_conventions.h"
#include "tests/nn/layers.h"
#include "tests/nn/support/network_fixture.h"

namespace slipstream::test {
namespace {

using testing::ElementsAre;

constexpr SampleShape fourByFour{4, 4, 1};

NetworkSpec alone(const LayerSpec& layer, Conventions conventions) {
  NetworkSpec network{"resnet18", {same(layer)}};
  if (conventions == Conventions::mindspore) return network;
  EXPECT_TRUE(followTorchvision(network));
  return network;
}

/// Of the image 0 to 15, row by row, plus `offset`; weights are ones.
std::vector<float> outputOf(const LayerSpec& layer, Conventions conventions, float offset = 0) {
  NetworkBench bench(alone(layer, conventions), fourByFour, 1);
  std::ranges::fill(bench.all(bench.weights), 1.0F);
  std::vector<float> image(16);
  std::iota(image.begin(), image.end(), offset);
  return bench.forward(image, 1, NetworkMode::evaluation);
}

TEST(Conventions, AConvolutionBeginsOutsideTheImageInTorchvisionOnly) {
  const LayerSpec layer = conv("conv", 1, 3, 2, 0, false);
  EXPECT_THAT(outputOf(layer, Conventions::mindspore), ElementsAre(45, 39, 66, 50)) << "rows 0 to 2 and 2 to 3";
  EXPECT_THAT(outputOf(layer, Conventions::torchvision), ElementsAre(10, 24, 51, 90)) << "rows 0 to 1 and 1 to 3";
}

TEST(Conventions, SoDoesAPoolWhosePaddingIsNeverTheLargest) {
  const LayerSpec layer = pool(LayerKind::maxPool, 3, 2);
  EXPECT_THAT(outputOf(layer, Conventions::mindspore), ElementsAre(10, 11, 14, 15));
  EXPECT_THAT(outputOf(layer, Conventions::torchvision), ElementsAre(5, 7, 13, 15));
  EXPECT_THAT(outputOf(layer, Conventions::torchvision, -20), ElementsAre(-15, -13, -7, -5));
}

TEST(Conventions, AWindowThatMovesByOneIsPaddedAlike) {
  const LayerSpec layer = conv("conv", 1, 3, 1, 0, false);
  EXPECT_EQ(outputOf(layer, Conventions::mindspore), outputOf(layer, Conventions::torchvision));
}

}  // namespace
}  // namespace slipstream::test
