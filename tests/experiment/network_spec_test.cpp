// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/spec/network_spec.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "engine/experiment/network_file.h"

namespace slipstream {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

constexpr SampleShape digit{28, 28, 1};

NetworkShape shapeOf(const NetworkSpec& network) {
  auto shape = networkShape(network, digit);
  EXPECT_TRUE(shape) << toText(shape.error());
  return std::move(*shape);
}

Result<NetworkSpec> read(const std::string& json) {
  NetworkSection section;
  Failures failures;
  readFields(Json::parse(json), "network", failures, [&](Fields& fields) { describeNetwork(fields, section); });
  if (!failures.empty()) return tl::unexpected(failures);
  return networkOf(section);
}

TEST(Network, Lenet5HasItsPublishedShapesAndElements) {
  const NetworkShape shape = shapeOf(*builtInNetwork("lenet5"));
  EXPECT_EQ(shape.outputs[0], (SampleShape{28, 28, 6}));
  EXPECT_EQ(shape.outputs[2], (SampleShape{14, 14, 6}));
  EXPECT_EQ(shape.outputs[3], (SampleShape{10, 10, 16}));
  EXPECT_EQ(shape.outputs[6], (SampleShape{0, 0, 400}));
  EXPECT_EQ(shape.outputs.back(), (SampleShape{0, 0, 10}));
  std::int64_t elements = 0;
  for (const TensorSpec& tensor : shape.tensors) elements += tensor.elements();
  // 6*25+6 + 16*6*25+16 + 400*120+120 + 120*84+84 + 84*10+10
  EXPECT_EQ(elements, 61706);
}

TEST(Network, ConvolutionWeightsAreStoredAsOhwiWithTheFansOfTheirWindow) {
  const NetworkShape shape = shapeOf(*builtInNetwork("lenet5"));
  const TensorSpec& weight = shape.tensors[2];
  EXPECT_EQ(weight.name, "conv2.weight");
  EXPECT_THAT(weight.shape, ElementsAre(16, 5, 5, 6));
  EXPECT_EQ(weight.fanIn, 150);
  EXPECT_EQ(weight.fanOut, 400);
  EXPECT_EQ(shape.tensors[3].name, "conv2.bias");
  EXPECT_EQ(shape.tensors[3].fanIn, 150);
  EXPECT_EQ(weight.initializer.kind, InitializerKind::uniformFanIn);
}

TEST(Network, MlpIsTheTutorials) {
  const NetworkShape shape = shapeOf(*builtInNetwork("mlp"));
  ASSERT_EQ(shape.tensors.size(), 6U);
  EXPECT_THAT(shape.tensors[0].shape, ElementsAre(512, 784));
  EXPECT_EQ(shape.tensors[4].name, "layer3.weight");
}

TEST(Network, OptionsOfBuiltInNetworks) {
  const auto network = read(R"({"name": "mlp", "hidden": [20], "weight_init": "normal", "bias_init": "zeros"})");
  ASSERT_TRUE(network) << toText(network.error());
  const NetworkShape shape = shapeOf(*network);
  EXPECT_THAT(shape.tensors[0].shape, ElementsAre(20, 784));
  EXPECT_EQ(shape.tensors[0].initializer, (Initializer{InitializerKind::normal, 0.01}));
  EXPECT_EQ(shape.tensors[1].initializer.kind, InitializerKind::zeros);
  EXPECT_FALSE(read(R"({"name": "lenet5", "hidden": [20]})"));
}

TEST(Network, LayersGetNamesAndDefaults) {
  const auto network = read(R"({"layers": [
    {"type": "conv2d", "outputs": 4, "kernel": 3, "padding": 1}, {"type": "batch_norm"}, {"type": "relu"},
    {"type": "avg_pool", "kernel": 2}, {"type": "flatten"}, {"type": "dense", "outputs": 10, "name": "head"}]})");
  ASSERT_TRUE(network) << toText(network.error());
  EXPECT_EQ(network->layers[3].stride, 2) << "windows of a pool do not overlap";
  EXPECT_EQ(network->layers[0].stride, 1);
  const NetworkShape shape = shapeOf(*network);
  std::vector<std::string> names;
  for (const TensorSpec& tensor : shape.tensors) names.push_back(tensor.name);
  EXPECT_THAT(names, ElementsAre("conv1.weight", "conv1.bias", "bn1.gamma", "bn1.beta", "head.weight", "head.bias"));
  EXPECT_EQ(shape.tensors[2].initializer.kind, InitializerKind::ones);
  EXPECT_EQ(shape.tensors[3].initializer.kind, InitializerKind::zeros);
}

TEST(Network, EveryLayerThatCannotTakeItsInputIsNamed) {
  const NetworkSpec network{"layers",
                            {{.kind = LayerKind::dense, .name = "early", .outputs = 5},
                             {.kind = LayerKind::maxPool, .name = "pool", .kernel = 2},
                             {.kind = LayerKind::dense, .name = "early", .outputs = 0}}};
  const auto shape = networkShape(network, digit);
  ASSERT_FALSE(shape);
  const std::string text = toText(shape.error());
  EXPECT_THAT(text, HasSubstr("layers[0] (early): needs a flat input"));
  EXPECT_THAT(text, HasSubstr("layers[1] (pool): needs images"));
  EXPECT_THAT(text, HasSubstr("has the name of another layer"));
  EXPECT_THAT(text, HasSubstr("has no outputs"));
}

TEST(Network, KernelsLargerThanTheirInputAreRefused) {
  const NetworkSpec network{"layers", {{.kind = LayerKind::conv2d, .name = "c", .outputs = 1, .kernel = 29}}};
  EXPECT_FALSE(networkShape(network, digit));
}

TEST(Network, KeysOfAnotherKindOfLayerAreUnknown) {
  const auto network = read(R"({"layers": [{"type": "relu", "outputs": 3}]})");
  ASSERT_FALSE(network);
  EXPECT_THAT(toText(network.error()), HasSubstr("network.layers[0].outputs: is not a known key"));
}

}  // namespace
}  // namespace slipstream
