// SPDX-License-Identifier: GPL-3.0-or-later
// A network's tensors in somebody else's order, types and names.
#include "engine/interchange/weight_match.h"

#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/interchange/element_values.h"
#include "engine/interchange/weight_names.h"

namespace slipstream {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

/// Tensors made up in memory.
class MadeUp final : public TensorSource {
 public:
  explicit MadeUp(std::optional<ChannelPlace> place = {}) : place_(place) {}

  std::string name() const override { return "made up"; }
  const std::vector<TensorEntry>& tensors() const override { return entries_; }
  std::optional<ChannelPlace> channels() const override { return place_; }
  Result<std::vector<std::byte>> read(std::size_t index) override { return bytes_.at(index); }

  template <class Value>
  void add(const std::string& name, ElementType type, std::vector<std::int64_t> shape,
           const std::vector<Value>& values) {
    const auto bytes = std::as_bytes(std::span(values));
    entries_.push_back({name, type, std::move(shape)});
    bytes_.emplace_back(bytes.begin(), bytes.end());
  }
  void add(const std::string& name, std::vector<std::int64_t> shape, const std::vector<float>& values) {
    add(name, ElementType::float32, std::move(shape), values);
  }

 private:
  std::optional<ChannelPlace> place_;
  std::vector<TensorEntry> entries_;
  std::vector<std::vector<std::byte>> bytes_;
};

std::vector<float> readOf(const WeightMatch& match, const std::string& name, std::size_t size) {
  std::vector<float> values(size);
  EXPECT_TRUE(match.read(name, values));
  return values;
}

/// One output channel, a kernel of 1 x 3 and two input channels: value 10 * channel + pixel.
const ExpectedTensor conv{"conv.weight", {1, 1, 3, 2}, {3, 2}};
const std::vector<float> first{0, 1, 2, 10, 11, 12};  // OIHW
const std::vector<float> last{0, 10, 1, 11, 2, 12};   // OHWI

TEST(WeightMatch, ConvolutionsAreTurnedByValueNotOnlyByShape) {
  auto source = std::make_shared<MadeUp>(ChannelPlace::first);
  source->add("conv.weight", {1, 2, 1, 3}, first);
  const WeightMatch match(source, {conv});
  EXPECT_TRUE(match.report().complete());
  EXPECT_EQ(readOf(match, "conv.weight", 6), last);
  EXPECT_THAT(match.report().lines(), ElementsAre("made up: 1 weight tensor taken by name, turned from OIHW to OHWI"));
  EXPECT_EQ(turned(last, conv.order, ChannelPlace::last), first) << "and back";
}

TEST(WeightMatch, RowsAreTurnedEachForItself) {
  const std::vector<float> two{0, 1, 2, 10, 11, 12, 100, 101, 102, 110, 111, 112};
  EXPECT_THAT(turned(two, {3, 2}, ChannelPlace::first), ElementsAre(0, 10, 1, 11, 2, 12, 100, 110, 101, 111, 102, 112));
}

TEST(WeightMatch, WhatSaysThatChannelsStandLastIsTakenAsItIs) {
  auto source = std::make_shared<MadeUp>(ChannelPlace::last);
  source->add("conv.weight", {1, 1, 3, 2}, last);
  EXPECT_EQ(readOf(WeightMatch(source, {conv}), "conv.weight", 6), last);
}

TEST(WeightMatch, WhereTheSourceIsSilentShapesOfConvolutionsDecideForAll) {
  const ExpectedTensor cube{"cube.weight", {1, 2, 2, 2}, {4, 2}};  // the same shape either way
  const std::vector<float> counted{0, 1, 2, 3, 4, 5, 6, 7};
  auto silent = std::make_shared<MadeUp>();
  silent->add("cube.weight", {1, 2, 2, 2}, counted);
  EXPECT_THAT(readOf(WeightMatch(silent, {cube}), "cube.weight", 8), ElementsAre(0, 4, 1, 5, 2, 6, 3, 7)) << "first";
  silent->add("conv.weight", {1, 1, 3, 2}, last);
  EXPECT_EQ(readOf(WeightMatch(silent, {cube, conv}), "cube.weight", 8), counted) << "last, as conv.weight shows";
}

TEST(WeightMatch, ADenseLayerBehindAFlattenedPictureHasItsColumnsTurned) {
  const ExpectedTensor dense{"fc.weight", {1, 6}, {3, 2}};
  auto source = std::make_shared<MadeUp>(ChannelPlace::first);
  source->add("fc.weight", {1, 6}, first);
  EXPECT_EQ(readOf(WeightMatch(source, {dense}), "fc.weight", 6), last);
}

TEST(WeightMatch, OneByOneKernelsMayComeAsMatrices) {
  const ExpectedTensor point{"p.weight", {2, 1, 1, 3}, {1, 3}};
  auto source = std::make_shared<MadeUp>(ChannelPlace::first);
  source->add("p.weight", {2, 3}, {1, 2, 3, 4, 5, 6});
  const WeightMatch match(source, {point});
  EXPECT_TRUE(match.report().complete());
  EXPECT_FALSE(match.report().turned);
  EXPECT_THAT(readOf(match, "p.weight", 6), ElementsAre(1, 2, 3, 4, 5, 6));
}

TEST(WeightMatch, OtherFloatsBecomeFp32AndThatIsSaid) {
  auto source = std::make_shared<MadeUp>();
  source->add("half", ElementType::float16, {3}, std::vector<std::uint16_t>{0x3C00, 0xC000, 0x0001});
  source->add("brain", ElementType::bfloat16, {2}, std::vector<std::uint16_t>{0x3F80, 0xC040});
  source->add("twice", ElementType::float64, {2}, std::vector<double>{0.1, -3});
  const WeightMatch match(source, {{"half", {3}, {}}, {"brain", {2}, {}}, {"twice", {2}, {}}});
  EXPECT_THAT(readOf(match, "half", 3), ElementsAre(1, -2, std::ldexp(1.0F, -24)));
  EXPECT_THAT(readOf(match, "brain", 2), ElementsAre(1, -3));
  EXPECT_THAT(readOf(match, "twice", 2), ElementsAre(0.1F, -3));
  EXPECT_THAT(match.report().lines(), Contains(HasSubstr("3 tensors made fp32: half, brain, twice")));
}

TEST(ElementValues, HalvesAtTheirEdges) {
  const std::vector<std::uint16_t> bits{0x0000, 0x8000, 0x03FF, 0x0400, 0x7BFF, 0x7C00, 0xFC00, 0x7E00};
  std::vector<float> values(bits.size());
  toFloats(ElementType::float16, std::as_bytes(std::span(bits)), values);
  EXPECT_EQ(values[0], 0.0F);
  EXPECT_TRUE(std::signbit(values[1]));
  EXPECT_EQ(values[2], 1023 * std::ldexp(1.0F, -24));
  EXPECT_EQ(values[3], std::ldexp(1.0F, -14));
  EXPECT_EQ(values[4], 65504.0F);
  EXPECT_EQ(values[5], INFINITY);
  EXPECT_EQ(values[6], -INFINITY);
  EXPECT_TRUE(std::isnan(values[7]));
}

TEST(WeightMatch, WhatDoesNotFitIsNamedWithBothSides) {
  auto source = std::make_shared<MadeUp>(ChannelPlace::first);
  source->add("conv.weight", {1, 3, 1, 2}, first);
  source->add("count", ElementType::int32, {1}, std::vector<std::int32_t>{1});
  const WeightMatch match(source, {conv, {"count", {1}, {}}, {"gone", {1}, {}}});
  EXPECT_FALSE(match.report().complete());
  EXPECT_FALSE(match.has("conv.weight"));
  const std::string text = toText(match.report().failures("do something"));
  EXPECT_THAT(text, AllOf(HasSubstr("conv.weight is 1 x 3 x 1 x 2, the network's is 1 x 2 x 1 x 3"),
                          HasSubstr("count is Int32 1, the network's is floating-point"),
                          HasSubstr("lacks 1 tensor of the network: gone"), HasSubstr("do something")));
  EXPECT_THAT(match.report().unused, IsEmpty()) << "a mismatch is not an unused tensor";
}

TEST(WeightMatch, ACommonPrefixIsLeftOutAndStrangersAreListed) {
  auto source = std::make_shared<MadeUp>();
  source->add("network.a.weight", {1}, {1});
  source->add("network.a.bias", {1}, {2});
  source->add("head.weight", {1}, {3});
  source->add("moments.a.weight", {1}, {4});
  source->add("global_step", ElementType::int32, {1}, std::vector<std::int32_t>{1});
  const WeightMatch match(source, {{"a.weight", {1}, {}}, {"a.bias", {1}, {}}});
  EXPECT_TRUE(match.report().complete());
  EXPECT_THAT(readOf(match, "a.bias", 1), ElementsAre(2));
  EXPECT_THAT(match.report().lines(),
              ElementsAre(HasSubstr("2 weight tensors taken"), HasSubstr("left out of its names: network."),
                          HasSubstr("1 tensor of it not in the network: head.weight"),
                          HasSubstr("2 tensors of training state left alone")));
}

TEST(WeightMatch, AFileOfWeightsAloneLacksStatisticsOnly) {
  auto source = std::make_shared<MadeUp>();
  source->add("bn.gamma", {1}, {1});
  const std::vector<ExpectedTensor> wanted{
      {"bn.gamma", {1}, {}}, {"bn.moving_mean", {1}, {}, true}, {"bn.moving_variance", {1}, {}, true}};
  EXPECT_TRUE(WeightMatch(source, wanted).report().complete());
  EXPECT_TRUE(WeightMatch(source, wanted).report().lacksStatisticsOnly);
  source->add("state/bn.moving_mean", {1}, {1});
  EXPECT_FALSE(WeightMatch(source, wanted).report().complete()) << "one of two";
  source->add("bn.moving_variance", {1}, {2});
  const WeightMatch all(source, wanted);
  EXPECT_THAT(all.report().lines(), ElementsAre(HasSubstr("1 weight tensor and 2 running statistics taken")));
}

/// The tensors of a bottleneck's shortcut, under our names.
const std::vector<ExpectedTensor> shortcut{{"layer1.0.down_sample_layer.0.weight", {2, 1, 1, 1}, {1, 1}},
                                           {"layer1.0.down_sample_layer.1.gamma", {2}, {}},
                                           {"layer1.0.down_sample_layer.1.beta", {2}, {}},
                                           {"end_point.weight", {1, 2}, {}},
                                           {"layer1.0.down_sample_layer.1.moving_mean", {2}, {}, true},
                                           {"layer1.0.down_sample_layer.1.moving_variance", {2}, {}, true}};

std::shared_ptr<MadeUp> shortcutOfTorchvision(const std::string& prefix = "") {
  auto source = std::make_shared<MadeUp>();
  source->add(prefix + "layer1.0.downsample.0.weight", {2, 1, 1, 1}, {1, 2});
  source->add(prefix + "layer1.0.downsample.1.weight", {2}, {3, 4});
  source->add(prefix + "layer1.0.downsample.1.bias", {2}, {5, 6});
  source->add(prefix + "layer1.0.downsample.1.running_mean", {2}, {7, 8});
  source->add(prefix + "layer1.0.downsample.1.running_var", {2}, {9, 10});
  source->add(prefix + "layer1.0.downsample.1.num_batches_tracked", ElementType::int64, {},
              std::vector<std::int64_t>{7});
  return source;
}

TEST(WeightMatch, TorchvisionsNamesAreTakenAndItsCountersLeftAlone) {
  for (const char* prefix : {"", "module."}) {
    const auto source = shortcutOfTorchvision(prefix);
    source->add(std::string(prefix) + "fc.weight", {1, 2}, {11, 12});
    const WeightMatch match(source, shortcut);
    EXPECT_TRUE(match.report().complete()) << prefix;
    EXPECT_EQ(match.report().conventions, "torchvision");
    EXPECT_THAT(readOf(match, "layer1.0.down_sample_layer.1.gamma", 2), ElementsAre(3, 4));
    EXPECT_THAT(readOf(match, "layer1.0.down_sample_layer.1.beta", 2), ElementsAre(5, 6));
    EXPECT_THAT(readOf(match, "layer1.0.down_sample_layer.1.moving_mean", 2), ElementsAre(7, 8));
    EXPECT_THAT(readOf(match, "layer1.0.down_sample_layer.1.moving_variance", 2), ElementsAre(9, 10));
    EXPECT_THAT(readOf(match, "end_point.weight", 2), ElementsAre(11, 12));
    EXPECT_THAT(match.report().lines(),
                AllOf(Contains(HasSubstr("4 weight tensors and 2 running statistics taken by torchvision's names")),
                      Contains("1 tensor of training state left alone")));
    EXPECT_THAT(match.report().unused, IsEmpty());
  }
}

TEST(WeightMatch, OfAMissingTensorTheNearestNameOfTheFileIsTold) {
  const auto source = shortcutOfTorchvision();
  source->add("fcs.weight", {1, 2}, {11, 12});
  source->add("something.else", {1}, {1});
  const WeightMatch match(source, shortcut);
  EXPECT_FALSE(match.report().complete());
  const std::string all = "lacks 1 tensor of the network: end_point.weight (fc.weight there; nearest: fcs.weight)";
  EXPECT_THAT(toText(match.report().failures("do something")), HasSubstr(all));
  EXPECT_THAT(match.report().lines(),
              Contains("1 tensor not in it: end_point.weight (fc.weight there; nearest: fcs.weight)"));
}

TEST(WeightMatch, OurNamesAreTakenWhereBothFindAsMany) {
  auto source = std::make_shared<MadeUp>();
  source->add("fc.weight", {1}, {1});
  source->add("end_point.weight", {1}, {2});
  const WeightMatch match(source, {{"end_point.weight", {1}, {}}});
  EXPECT_EQ(match.report().names, TensorNames::own);
  EXPECT_EQ(match.report().conventions, "") << "nobody says";
  EXPECT_THAT(readOf(match, "end_point.weight", 1), ElementsAre(2));
}

TEST(WeightNames, AreTorchvisionsForEveryTensorOfAResNet) {
  const std::vector<std::pair<std::string, std::string>> pairs{
      {"conv1.weight", "conv1.weight"},
      {"bn1.gamma", "bn1.weight"},
      {"bn1.beta", "bn1.bias"},
      {"bn1.moving_mean", "bn1.running_mean"},
      {"bn1.moving_variance", "bn1.running_var"},
      {"layer3.22.conv3.weight", "layer3.22.conv3.weight"},
      {"layer3.22.bn3.gamma", "layer3.22.bn3.weight"},
      {"layer4.0.down_sample_layer.0.weight", "layer4.0.downsample.0.weight"},
      {"layer4.0.down_sample_layer.1.beta", "layer4.0.downsample.1.bias"},
      {"end_point.weight", "fc.weight"},
      {"end_point.bias", "fc.bias"}};
  for (const auto& [own, theirs] : pairs) EXPECT_EQ(torchvisionName(own), theirs);
  EXPECT_EQ(torchvisionName("beta.weight"), "beta.weight") << "the name of a layer";
}

TEST(WeightNames, TheNearestIsTheOneWithFewestOtherLetters) {
  EXPECT_EQ(nearestName("layer1.weight", {"layer10.weight", "layer1.weights.x", "bias"}), "layer10.weight");
  EXPECT_EQ(nearestName("fc.weight", {"head.weight"}), "head.weight");
  EXPECT_EQ(nearestName("fc.weight", {"num", std::string(100, 'w')}), std::nullopt) << "half of it would be others";
  EXPECT_EQ(nearestName("fc.weight", {}), std::nullopt);
}

TEST(WeightNames, TrainingStateIsKnownByItsName) {
  for (const char* name : {"moments.conv1.weight", "accum.w", "stat.w", "learning_rate", "global_step", "scale_sense",
                           "grad_accumulation.w", "delta_weight.w", "boost_3.moments.w", "boost_12.w", "gk_last",
                           "momentum/conv1.weight", "num_batches_tracked", "layer1.0.bn1.num_batches_tracked"}) {
    EXPECT_TRUE(isTrainingState(name)) << name;
  }
  for (const char* name : {"conv1.weight", "bn1.gamma", "bn1.moving_mean", "moments", "boost.weight", "boost_x.weight",
                           "momentum.weight", "state/bn1.moving_mean", "layer.global_step", "x_num_batches_tracked"}) {
    EXPECT_FALSE(isTrainingState(name)) << name;
  }
}

TEST(WeightNames, ThePrefixThatFindsTheMostWins) {
  EXPECT_EQ(commonPrefix({"a.w", "b.w"}, {"x.a.w", "y.a.w", "y.b.w"}), "y.");
  EXPECT_EQ(commonPrefix({"a.w"}, {"ba.w", "a.w.x"}), "") << "a prefix ends with a point";
  EXPECT_EQ(commonPrefix({}, {"a"}), "");
}

}  // namespace
}  // namespace slipstream
