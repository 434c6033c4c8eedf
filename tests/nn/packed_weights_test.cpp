// SPDX-License-Identifier: GPL-3.0-or-later
// Weights as oneDNN's primitives want them, beside its own reorder: the same bits.
#include <algorithm>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "engine/base/random.h"
#include "engine/nn/layers/bf16_weight_gradient.h"
#include "engine/nn/layers/packed_bf16_weights.h"

namespace slipstream::test {
namespace {

using Tag = dnnl::memory::format_tag;
using DataType = dnnl::memory::data_type;

struct WeightsCase {
  const char* name;
  dnnl::memory::dims sizes;
  Tag tag;
};

class PackedWeightsOf : public testing::TestWithParam<WeightsCase> {
 protected:
  void SetUp() override {
    if (!multipliesPixelPairs()) GTEST_SKIP() << "a processor without pairs of bf16, or with AMX";
  }
};

TEST_P(PackedWeightsOf, AreTheBitsOfTheLibrarysReorder) {
  const dnnl::engine engine(dnnl::engine::kind::cpu, 0);
  dnnl::stream stream(engine);
  const dnnl::memory::desc stored(GetParam().sizes, DataType::f32, Tag::ohwi);
  const dnnl::memory::desc wanted(GetParam().sizes, DataType::bf16, GetParam().tag);
  const auto format = pairedWeights(wanted);
  ASSERT_TRUE(format);
  std::vector<float> weights(stored.get_size() / sizeof(float));
  Random random(3, RandomStream::test);
  for (float& weight : weights) weight = static_cast<float>(random.normal());
  // What rounding finds hard: a tie, a value that rounds to infinity, infinity, zero below zero.
  const float hard[]{1.00390625F, 3.4028235e38F, std::numeric_limits<float>::infinity(), -0.0F};
  std::copy(std::begin(hard), std::end(hard), weights.begin());

  dnnl::memory expected(wanted, engine);
  dnnl::memory actual(wanted, engine);
  std::memset(actual.get_data_handle(), 0xAB, wanted.get_size());
  dnnl::memory from(stored, engine, weights.data());
  dnnl::reorder(from, expected).execute(stream, from, expected);
  stream.wait();
  packPairs(*format, weights.data(), static_cast<Bfloat16*>(actual.get_data_handle()));
  EXPECT_EQ(std::memcmp(actual.get_data_handle(), expected.get_data_handle(), wanted.get_size()), 0);
}

INSTANTIATE_TEST_SUITE_P(Formats, PackedWeightsOf,
                         testing::Values(WeightsCase{"BackwardWithoutExtent", {48, 96, 1, 1}, Tag::BAcd8a16b2a},
                                         WeightsCase{"Backward", {32, 64, 3, 3}, Tag::ABcd8a16b2a},
                                         WeightsCase{"Forward", {128, 64, 3, 3}, Tag::AcdB64a2b},
                                         WeightsCase{"ForwardInSmallBlocks", {64, 32, 1, 1}, Tag::AcdB32a2b},
                                         WeightsCase{"ForwardWithZerosBehind", {80, 64, 3, 3}, Tag::AcdB48a2b}),
                         [](const auto& tested) { return std::string(tested.param.name); });

TEST(PackedBf16Weights, AreNoOtherFormats) {
  const auto packs = [](const dnnl::memory::dims& sizes, DataType type, Tag tag) {
    return pairedWeights({sizes, type, tag}).has_value();
  };
  EXPECT_FALSE(packs({64, 3, 7, 7}, DataType::bf16, Tag::AcdB64a2b)) << "channels that fill no register";
  EXPECT_FALSE(packs({24, 64, 1, 1}, DataType::bf16, Tag::BAcd8a16b2a)) << "channels that fill no block";
  EXPECT_FALSE(packs({64, 64, 1, 1}, DataType::bf16, Tag::ohwi));
  EXPECT_FALSE(packs({64, 64, 1, 1}, DataType::bf16, Tag::ABcd16b16a));
  EXPECT_FALSE(packs({64, 64, 1, 1}, DataType::bf16, Tag::ABcd8b16a2b));
  EXPECT_FALSE(packs({64, 64, 1, 1}, DataType::f32, Tag::Acdb64a));
}

}  // namespace
}  // namespace slipstream::test
