#include "engine/plan/network_memory.h"

#include <numeric>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/plan/network_layers.h"

namespace slipstream {
namespace {

using testing::ElementsAre;

constexpr SampleShape picture{8, 8, 3};

LayerSpec dense(const std::string& name, std::int64_t outputs, const std::string& from = "") {
  return {.kind = LayerKind::dense, .name = name, .from = from, .outputs = outputs};
}
LayerSpec relu(const std::string& name = "", const std::string& from = "") {
  return {.kind = LayerKind::relu, .name = name, .from = from};
}
LayerSpec add(const std::string& with, const std::string& name = "") {
  return {.kind = LayerKind::add, .name = name, .with = with};
}

NetworkMemory memoryOf(const std::vector<LayerSpec>& layers, SampleShape input) {
  const NetworkSpec network{"layers", layers};
  const auto shape = networkShape(network, input);
  EXPECT_TRUE(shape) << toText(shape.error());
  return planMemory(network, *shape);
}

std::vector<int> outputsOf(const NetworkMemory& memory) {
  std::vector<int> outputs;
  for (const LayerMemory& layer : memory.layers) outputs.push_back(layer.output);
  return outputs;
}

TEST(NetworkMemory, AChainTakesTwoGradientsInTurn) {
  const auto memory =
      memoryOf({{.kind = LayerKind::flatten}, dense("a", 20), relu(), dense("b", 30), relu(), dense("c", 10)}, picture);
  EXPECT_THAT(outputsOf(memory), ElementsAre(noBlock, 0, 0, 1, 1, 2)) << "flatten is the input, a ReLU works in place";
  EXPECT_THAT(memory.outputBlocks, ElementsAre(20, 30, 10));
  EXPECT_THAT(memory.gradientBlocks, ElementsAre(20, 30));
  EXPECT_EQ(memory.layers[0].gradient, noBlock);
  EXPECT_TRUE(memory.layers[1].fusedRelu && memory.layers[2].fusedRelu);
}

TEST(NetworkMemory, AReluLeavesAnInputAloneThatOthersRead) {
  const auto memory = memoryOf({dense("a", 6), relu("r"), add("a"), dense("b", 2)}, {0, 0, 5});
  EXPECT_THAT(outputsOf(memory), ElementsAre(0, 1, 2, 3))
      << "nor does the sum overwrite what the ReLU's backward reads";
  EXPECT_FALSE(memory.layers[0].fusedRelu);
}

TEST(NetworkMemory, ASumOverwritesItsFirstOperandAndTakesItsReluIn) {
  LayerList layers;
  layers.add(LayerSpec{.kind = LayerKind::conv2d, .name = "stem", .outputs = 4, .kernel = 1});
  layers.add(ResidualSpec{.kind = ResidualKind::basic, .name = "x", .channels = 4});
  layers.add(LayerSpec{.kind = LayerKind::globalAvgPool});
  layers.add(dense("head", 10));
  // stem | conv1 bn1+relu1 conv2 bn2+add+relu2 | pool head
  const auto memory = memoryOf(layers.take(), picture);
  EXPECT_THAT(outputsOf(memory), ElementsAre(0, 1, 2, 2, 3, 4, 4, 4, 5, 6));
  EXPECT_EQ(memory.gradientBlocks.size(), 3U) << "the sum's gradient waits for the branch";
  EXPECT_TRUE(memory.layers[6].fusedRelu);
}

TEST(NetworkMemory, TheFirstDeliveryWritesLaterOnesAdd) {
  const auto memory = memoryOf({dense("a", 6), dense("b", 6), add("a", "s"), add("a")}, {0, 0, 5});
  const auto& last = memory.layers[3].deliveries;
  ASSERT_EQ(last.size(), 2U);
  EXPECT_EQ(last[0].layer, 0);
  EXPECT_EQ(last[0].gathered, noBlock);
  EXPECT_EQ(last[0].written, memory.layers[3].gradient) << "a sum passes its gradient on";
  const auto& inner = memory.layers[2].deliveries;
  EXPECT_EQ(inner[0].layer, 0);
  EXPECT_NE(inner[0].gathered, noBlock);
  EXPECT_NE(inner[0].sum, memory.layers[1].gradient) << "b still needs its own";
}

TEST(NetworkMemory, BackwardIsNeededFromTheFirstTrainedTensorsUp) {
  // a feeds both b and the sum; below b nothing is trained.
  const NetworkSpec network{"layers", {dense("a", 6), relu("r"), dense("b", 6), add("r"), relu(), dense("c", 2)}};
  const auto shape = networkShape(network, {0, 0, 5}).value();
  EXPECT_THAT(backwardNeeded(shape, 0), ElementsAre(true, true, true, true, true, true));
  EXPECT_THAT(backwardNeeded(shape, 1), ElementsAre(false, false, true, true, true, true));
  EXPECT_THAT(backwardNeeded(shape, 3), ElementsAre(false, false, false, false, false, true));
  EXPECT_THAT(backwardNeeded(shape, 6), ElementsAre(false, false, false, false, false, false));
}

TEST(NetworkMemory, Resnet50KeepsFourGradientsAtMost) {
  const NetworkSpec network = *builtInNetwork("resnet50");
  const auto memory = planMemory(network, networkShape(network, {224, 224, 3}).value());
  EXPECT_LE(memory.gradientBlocks.size(), 4U);
  const std::int64_t widest = 56 * 56 * 256;
  const auto total = std::accumulate(memory.gradientBlocks.begin(), memory.gradientBlocks.end(), std::int64_t{0});
  EXPECT_LE(total, 4 * widest);
  EXPECT_EQ(memory.places, 56 * 56 * 64);
}

}  // namespace
}  // namespace slipstream
