// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "engine/experiment/network_file.h"
#include "engine/experiment/resolved_form.h"
#include "engine/spec/experiment.h"
#include "engine/spec/network_builtin.h"
#include "engine/spec/network_conventions.h"

namespace slipstream {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

Result<NetworkSpec> read(const std::string& layers) {
  NetworkSection section;
  Failures failures;
  const Json json{{"layers", Json::parse(layers)}};
  readFields(json, "network", failures, [&](Fields& fields) { describeNetwork(fields, section); });
  if (!failures.empty()) return tl::unexpected(failures);
  return networkOf(section);
}

std::string problems(const std::string& layers, SampleShape input = {28, 28, 1}) {
  const auto network = read(layers);
  if (!network) return toText(network.error());
  const auto shape = networkShape(*network, input);
  return shape ? "" : toText(shape.error());
}

std::vector<std::string> namesOf(const NetworkSpec& network) {
  std::vector<std::string> names;
  for (const LayerSpec& layer : network.layers) names.push_back(layer.name);
  return names;
}

std::int64_t elementsOf(const char* network, SampleShape input) {
  const auto shape = networkShape(*builtInNetwork(network), input).value();
  std::int64_t elements = 0;
  for (const TensorSpec& tensor : shape.tensors) elements += tensor.elements();
  return elements;
}

constexpr const char* twoBlocks = R"([
  {"type": "conv2d", "outputs": 16, "kernel": 3, "pad_mode": "same"}, {"type": "relu"},
  {"residual": "basic", "name": "layer1.0", "channels": 16},
  {"residual": "bottleneck", "channels": 64, "stride": 2},
  {"type": "global_avg_pool"}, {"type": "dense", "outputs": 10}])";

TEST(ResidualBlocks, BecomeLayersUnderMindSporesNames) {
  const auto network = read(twoBlocks);
  ASSERT_TRUE(network) << toText(network.error());
  EXPECT_THAT(namesOf(*network),
              ElementsAre("conv1", "relu1", "layer1.0.conv1", "layer1.0.bn1", "layer1.0.relu1", "layer1.0.conv2",
                          "layer1.0.bn2", "layer1.0.add", "layer1.0.relu2", "block2.conv1", "block2.bn1",
                          "block2.relu1", "block2.conv2", "block2.bn2", "block2.relu2", "block2.conv3", "block2.bn3",
                          "block2.down_sample_layer.0", "block2.down_sample_layer.1", "block2.add", "block2.relu3",
                          "global_avg_pool1", "dense1"));
  EXPECT_EQ(network->layers[7].with, "relu1") << "the identity";
  EXPECT_EQ(network->layers[17].from, "layer1.0.relu2") << "the projection reads what the block reads";
  EXPECT_EQ(network->layers[19].from, "block2.bn3");
  EXPECT_EQ(network->layers[19].with, "block2.down_sample_layer.1");
}

TEST(ResidualBlocks, TheStrideStandsOnTheThreeByThree) {
  const auto network = read(twoBlocks).value();
  EXPECT_EQ(network.layers[9].stride, 1);
  EXPECT_EQ(network.layers[9].outputs, 16) << "64 channels, expansion 4";
  EXPECT_EQ(network.layers[12].stride, 2);
  EXPECT_EQ(network.layers[12].kernel, 3);
  EXPECT_EQ(network.layers[17].stride, 2);
  const auto shape = networkShape(network, {28, 28, 1}).value();
  EXPECT_EQ(shape.outputs[20], (SampleShape{14, 14, 64}));
}

TEST(ResidualBlocks, ABlockOnTheNetworksInputHasAProjection) {
  const auto network = read(R"([{"residual": "basic", "name": "b", "channels": 3}, {"type": "global_avg_pool"}])");
  EXPECT_EQ(network->layers[5].name, "b.down_sample_layer.0");
  EXPECT_EQ(network->layers[5].from, "input");
  EXPECT_TRUE(networkShape(*network, {8, 8, 3}));
}

TEST(ResidualBlocks, WhatDoesNotFitIsNamed) {
  EXPECT_THAT(problems(R"([{"residual": "bottleneck", "channels": 30}])"),
              HasSubstr("network.layers[0].channels: is not a multiple of the expansion 4"));
  const std::string twice = problems(R"([{"residual": "basic", "name": "b", "channels": 8},
      {"residual": "basic", "name": "b", "channels": 8}])");
  EXPECT_EQ(twice, "network.layers[1].name: is the name of another block (found b); rename one of the two\n");
  EXPECT_THAT(problems(R"([{"residual": "basic"}])"), HasSubstr("network.layers[0].channels: is missing"));
  EXPECT_THAT(problems(R"([{"residual": "basic", "channels": 8, "expansion": 2}])"), HasSubstr("is not a known key"));
  EXPECT_THAT(problems(R"([{"residual": "wide", "channels": 8}])"), HasSubstr("is not one of basic, bottleneck"));
  EXPECT_THAT(problems(R"([{"name": "x"}])"), HasSubstr("network.layers[0].type: is missing"));
  EXPECT_THAT(problems(R"([{"type": "flatten"}, {"residual": "basic", "channels": 8}])"), HasSubstr("needs images"));
}

TEST(Graph, LayersThatReadWhatTheyCannotAreNamed) {
  EXPECT_THAT(problems(R"([{"type": "flatten"}, {"type": "dense", "outputs": 4, "from": "later"}])"),
              HasSubstr("network.layers[1] (dense1): reads in from a layer that is not before it"));
  EXPECT_THAT(problems(R"([{"type": "add"}])"), HasSubstr("adds nothing"));
  EXPECT_THAT(problems(R"([{"type": "relu", "name": "r"}, {"type": "relu", "from": "input"}])"),
              HasSubstr("network.layers[0] (r): has an output that no layer reads"));
  EXPECT_THAT(problems(R"([{"type": "max_pool", "kernel": 2}, {"type": "add", "with": "input"}])"),
              HasSubstr("adds 28 x 28 x 1 to 14 x 14 x 1"));
  EXPECT_THAT(problems(R"([{"type": "relu", "name": "input"}])"), HasSubstr("has the name of the network's input"));
  EXPECT_THAT(problems(R"([{"type": "relu", "name": "r"}, {"type": "relu", "name": "r"}])"),
              HasSubstr("has the name of another layer"));
  EXPECT_THAT(problems(R"([{"type": "relu", "with": "input"}])"), HasSubstr("network.layers[0].with: is not a known"));
  EXPECT_THAT(problems(R"([{"type": "max_pool", "kernel": 2, "pad_mode": "same", "padding": 1}])"),
              HasSubstr("has padding beside pad_mode same"));
}

TEST(Padding, SameMakesTheOddOneStandBehind) {
  const LayerSpec stem{.kind = LayerKind::conv2d, .kernel = 7, .stride = 2, .samePadding = true};
  EXPECT_EQ(paddingOf(stem, 224).before, 2);
  EXPECT_EQ(paddingOf(stem, 224).after, 3);
  EXPECT_EQ(paddingOf(stem, 225).before, 3);
  EXPECT_EQ(paddingOf(stem, 225).after, 3);
  const LayerSpec pool{.kind = LayerKind::maxPool, .kernel = 3, .stride = 2, .samePadding = true};
  EXPECT_EQ(paddingOf(pool, 112).before, 0);
  EXPECT_EQ(paddingOf(pool, 112).after, 1);
  const LayerSpec skip{.kind = LayerKind::conv2d, .kernel = 1, .stride = 2, .samePadding = true};
  EXPECT_EQ(paddingOf(skip, 56).after, 0);
}

TEST(Padding, TorchvisionsIsTheSameOnBothSides) {
  NetworkSpec network = *builtInNetwork("resnet18");
  ASSERT_TRUE(followTorchvision(network));
  const auto layer = [&](const std::string& name) {
    return *std::ranges::find(network.layers, name, &LayerSpec::name);
  };
  EXPECT_EQ(paddingOf(layer("conv1"), 224).before, 3);
  EXPECT_EQ(paddingOf(layer("conv1"), 224).after, 3);
  EXPECT_EQ(paddingOf(layer("max_pool1"), 112).before, 1);
  EXPECT_EQ(paddingOf(layer("max_pool1"), 112).after, 1);
  EXPECT_EQ(paddingOf(layer("layer2.0.conv1"), 56).before, 1);
  EXPECT_EQ(paddingOf(layer("layer2.0.conv1"), 56).after, 1);
  EXPECT_EQ(paddingOf(layer("layer2.0.down_sample_layer.0"), 56).before, 0);
  EXPECT_EQ(layer("layer2.0.bn1").epsilon, 1e-5);
  EXPECT_EQ(layer("layer2.0.bn1").momentum, 0.9);
  for (const char* name : {"resnet18", "resnet34", "resnet50", "resnet101", "resnet152"}) {
    NetworkSpec one = *builtInNetwork(name);
    const auto before = networkShape(one, {224, 224, 3});
    ASSERT_TRUE(followTorchvision(one)) << name;
    EXPECT_TRUE(isOfTorchvision(one)) << name;
    EXPECT_EQ(networkShape(one, {224, 224, 3})->outputs, before->outputs) << name << ": images keep their sizes";
  }
}

TEST(Conventions, DifferWhereAWindowMovesByMoreThanOneOverAnEvenImage) {
  NetworkSpec network = *builtInNetwork("resnet18");
  const auto difference = [&](std::int64_t size) {
    return differenceFromTorchvision(network, *networkShape(network, {size, size, 3})).in();
  };
  // Stem, pool, and the first convolution of three stages: 224, 112, 56, 28, 14.
  EXPECT_EQ(difference(224),
            "images are padded otherwise in 5 layers; batch norms have an epsilon of 0.0001, not 1e-05");
  // 225, 113, 57, 29, 15: an odd row or column is left for nobody.
  EXPECT_EQ(difference(225), "batch norms have an epsilon of 0.0001, not 1e-05");
  ASSERT_TRUE(followTorchvision(network));
  EXPECT_EQ(difference(224), "");
}

TEST(Conventions, AreOfNetworksThatTorchvisionHas) {
  NetworkSpec lenet = *builtInNetwork("lenet5");
  const NetworkSpec before = lenet;
  const Status refused = followTorchvision(lenet);
  ASSERT_FALSE(refused);
  EXPECT_THAT(toText(refused.error()),
              AllOf(HasSubstr("network.conventions"), HasSubstr("lenet5"), HasSubstr("resnet18")));
  EXPECT_EQ(lenet.layers, before.layers);
  EXPECT_FALSE(isOfTorchvision(lenet));
  NetworkSpec rewritten = *builtInNetwork("resnet18", 7);
  EXPECT_TRUE(isOfTorchvision(rewritten)) << "with any number of classes";
  rewritten.layers.back().kind = LayerKind::normalizedDense;
  EXPECT_FALSE(isOfTorchvision(rewritten));
}

TEST(BuiltIn, ResNetsHaveTheirTensors) {
  const std::int64_t stem = 9 * 8 + 16;
  const std::int64_t one = 2 * (9 * 8 * 8 + 16);
  const std::int64_t two = 9 * 8 * 16 + 9 * 16 * 16 + 8 * 16 + 3 * 32;
  const std::int64_t three = 9 * 16 * 32 + 9 * 32 * 32 + 16 * 32 + 3 * 64;
  EXPECT_EQ(elementsOf("small_resnet", {28, 28, 1}), stem + one + two + three + 330);
  EXPECT_EQ(elementsOf("small_resnet", {32, 32, 3}), 2 * 9 * 8 + stem + one + two + three + 330);
  const auto shape = networkShape(*builtInNetwork("resnet50"), {224, 224, 3}).value();
  EXPECT_EQ(shape.tensors.size(), 161U);
  EXPECT_EQ(shape.outputs.back(), (SampleShape{0, 0, 10}));
}

struct KnownNetwork {
  const char* name;
  SampleShape input;
  std::int64_t classes;
  std::size_t tensors;
  std::int64_t elements;
};

/// The counts that everybody prints for these networks; ResNet-20's has projections where the paper pads.
TEST(BuiltIn, DeepResNetsAreTheKnownOnes) {
  const SampleShape photo{224, 224, 3};
  const KnownNetwork known[] = {
      {"resnet18", photo, 1000, 62, 11'689'512},   {"resnet34", photo, 1000, 110, 21'797'672},
      {"resnet50", photo, 1001, 161, 25'559'081},  {"resnet101", photo, 1000, 314, 44'549'160},
      {"resnet152", photo, 1000, 467, 60'192'808}, {"resnet20", {32, 32, 3}, 10, 65, 272'474},
  };
  for (const KnownNetwork& expected : known) {
    const auto shape = networkShape(*builtInNetwork(expected.name, expected.classes), expected.input).value();
    EXPECT_EQ(shape.tensors.size(), expected.tensors) << expected.name;
    EXPECT_EQ(shape.weights(), expected.elements) << expected.name;
  }
}

TEST(BuiltIn, BlocksOfTheDeepestBeginAsTheirShortcut) {
  for (const char* name : {"resnet50", "resnet152"}) {
    const auto network = *builtInNetwork(name);
    const auto zero = std::count_if(network.layers.begin(), network.layers.end(), [](const LayerSpec& layer) {
      return layer.kind == LayerKind::batchNorm && layer.weightInit.kind == InitializerKind::zeros;
    });
    EXPECT_EQ(zero, std::string(name) == "resnet152" ? 50 : 0) << name;
  }
}

TEST(BuiltIn, EveryNetworkSurvivesTheResolvedForm) {
  for (const std::string& name : builtInNetworks()) {
    Experiment experiment;
    experiment.network = *builtInNetwork(name);
    const auto again = parseResolved(toJsonText(experiment));
    ASSERT_TRUE(again) << toText(again.error());
    EXPECT_EQ(again->network.layers, experiment.network.layers) << name;
  }
}

}  // namespace
}  // namespace slipstream
