// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/nn/image_input.h"

#include <gtest/gtest.h>

#include "engine/base/error.h"
#include "tests/nn/host.h"

namespace slipstream {
namespace {

std::vector<float> normalized(const ImageNormalization& normalization, const std::vector<std::uint8_t>& pictures) {
  test::Host host;
  std::vector<float> values(pictures.size());
  makeImageInput(*host.device, normalization)
      ->normalize(pictures, {NumberType::float32, reinterpret_cast<std::byte*>(values.data()), values.size()});
  return values;
}

TEST(PictureInputOfTheHost, TakesMeanAndDeviationOfEachChannel) {
  const auto values = normalized({{0.1, 0.2, 0.3}, {0.5, 1, 2}}, {0, 51, 255, 102, 0, 153});
  const std::vector<double> expected{-0.1 / 0.5, 0.2 - 0.2, (1 - 0.3) / 2, (0.4 - 0.1) / 0.5, -0.2, (0.6 - 0.3) / 2};
  for (std::size_t i = 0; i < expected.size(); ++i) EXPECT_FLOAT_EQ(values[i], static_cast<float>(expected[i])) << i;
}

TEST(PictureInputOfTheHost, ADataSetMayHaveOneNumberForAllChannels) {
  DatasetSpec dataset;
  dataset.mean = {0.5};
  dataset.deviation = {0.25};
  const auto values = normalized(normalizationOf(dataset, 2), {0, 255});
  EXPECT_EQ(values, (std::vector<float>{-2, 2}));
  dataset.mean = {0.5, 0};
  EXPECT_EQ(normalized(normalizationOf(dataset, 2), {0, 255}), (std::vector<float>{-2, 4}));
}

TEST(PictureInputOfTheHost, RefusesWhatDoesNotFit) {
  EXPECT_THROW(normalized({{1, 1, 1}, {1, 1}}, {}), Error);
  EXPECT_THROW(normalized({}, {}), Error);
  EXPECT_THROW(normalized({{1, 1, 1}, {1, 1, 1}}, {1, 2}), Error);
}

}  // namespace
}  // namespace slipstream
