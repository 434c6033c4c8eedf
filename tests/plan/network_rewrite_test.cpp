// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/boost/less_bn/spec.h"
#include "engine/spec/network_layers.h"

namespace slipstream {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr SampleShape photo{8, 8, 3};

NetworkSpec oneBlock(const ResidualSpec& block) {
  LayerList layers;
  layers.add(LayerSpec{.kind = LayerKind::conv2d, .outputs = 8, .kernel = 1});
  layers.add(block);
  layers.add(LayerSpec{.kind = LayerKind::globalAvgPool});
  layers.add(LayerSpec{.kind = LayerKind::dense, .name = "head", .outputs = 10});
  return {"layers", layers.take()};
}

NetworkSpec bottleneck(std::int64_t stride = 1) {
  return oneBlock({.kind = ResidualKind::bottleneck, .name = "x", .channels = 8, .stride = stride, .expansion = 2});
}

std::vector<std::string> namesOf(const NetworkSpec& network) {
  std::vector<std::string> names;
  for (const LayerSpec& layer : network.layers) names.push_back(layer.name);
  return names;
}

std::vector<std::string> removedFrom(const NetworkSpec& network) {
  return lessBn(network, false).removedBatchNorms;
}

LayerSpec& layerOf(NetworkSpec& network, const std::string& name) {
  return *std::find_if(network.layers.begin(), network.layers.end(),
                       [&](const LayerSpec& layer) { return layer.name == name; });
}

TEST(LessBn, RemovesTheInnerBatchNormsAndSaysSo) {
  const auto rewritten = lessBn(bottleneck(), false);
  EXPECT_THAT(rewritten.removedBatchNorms, ElementsAre("x.bn1", "x.bn2"));
  EXPECT_THAT(namesOf(rewritten.network), ElementsAre("conv1", "x.conv1", "x.relu1", "x.conv2", "x.relu2", "x.conv3",
                                                      "x.bn3", "x.add", "x.relu3", "global_avg_pool1", "head"));
  EXPECT_EQ(rewritten.text(), "removed 2 batch norms (x.bn1, x.bn2)");
  EXPECT_TRUE(networkShape(rewritten.network, photo));
}

TEST(LessBn, TheHeadLosesItsBiasAndGetsAMultiplier) {
  const auto rewritten = lessBn(bottleneck(), true);
  EXPECT_EQ(rewritten.replacedHead, "head");
  EXPECT_THAT(rewritten.text(), HasSubstr("head became a normalised dense layer"));
  const auto shape = networkShape(rewritten.network, photo).value();
  const auto count = shape.tensors.size();
  EXPECT_EQ(shape.tensors[count - 2].name, "head.weight");
  EXPECT_EQ(shape.tensors[count - 1].name, "head.multiplier");
}

TEST(LessBn, ProjectionsMatchAndKeepTheirBatchNorm) {
  const auto rewritten = lessBn(bottleneck(2), false);
  EXPECT_EQ(rewritten.removedBatchNorms.size(), 2U);
  EXPECT_THAT(namesOf(rewritten.network), testing::Contains("x.down_sample_layer.1"));
}

TEST(LessBn, OtherBlocksStayAsTheyAre) {
  const auto basic = oneBlock({.kind = ResidualKind::basic, .name = "x", .channels = 8});
  EXPECT_EQ(lessBn(basic, false).network.layers, basic.layers);
  EXPECT_EQ(lessBn(basic, false).text(), "nothing changed");
  EXPECT_TRUE(removedFrom(*builtInNetwork("small_resnet")).empty());
  EXPECT_EQ(removedFrom(*builtInNetwork("small_resnet_bottleneck")).size(), 2 * 3U);
  EXPECT_TRUE(removedFrom(*builtInNetwork("mlp")).empty());
  EXPECT_EQ(lessBn(*builtInNetwork("mlp"), true).replacedHead, "layer3");
}

TEST(LessBn, TheBranchMustBeTheFirstOperandAndReadByNobodyElse) {
  NetworkSpec turned = bottleneck();
  std::swap(layerOf(turned, "x.add").from, layerOf(turned, "x.add").with);
  EXPECT_TRUE(removedFrom(turned).empty());
  NetworkSpec tapped = bottleneck();
  layerOf(tapped, "x.add").with = "x.relu1";
  EXPECT_TRUE(removedFrom(tapped).empty());
}

TEST(LessBn, ReadersThatNameARemovedLayerReadWhatStoodBeforeIt) {
  NetworkSpec network = bottleneck();
  layerOf(network, "x.relu1").from = "x.bn1";
  LayerSpec& moved = layerOf(network, "x.bn2");
  moved.from = "x.conv2";
  network.layers.insert(
      network.layers.begin() + 5,
      LayerSpec{.kind = LayerKind::conv2d, .name = "aside", .from = "conv1", .outputs = 8, .kernel = 1});
  network.layers.insert(network.layers.end() - 2, LayerSpec{.kind = LayerKind::add, .name = "join", .with = "aside"});
  ASSERT_TRUE(networkShape(network, photo)) << toText(networkShape(network, photo).error());
  const auto rewritten = lessBn(network, false);
  EXPECT_EQ(rewritten.removedBatchNorms.size(), 2U);
  const auto shape = networkShape(rewritten.network, photo);
  ASSERT_TRUE(shape) << toText(shape.error());
  NetworkSpec copy = rewritten.network;
  EXPECT_EQ(layerOf(copy, "x.relu1").from, "x.conv1");
  EXPECT_EQ(layerOf(copy, "x.relu2").from, "x.conv2");
}

}  // namespace
}  // namespace slipstream
