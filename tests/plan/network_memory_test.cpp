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
  return planMemory(network, *shape, NumberType::float32);
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
  EXPECT_THAT(memory.outputBlocks, ElementsAre(80, 120, 40));
  EXPECT_THAT(memory.gradientBlocks, ElementsAre(80, 120));
  EXPECT_EQ(memory.layers[0].gradient, noBlock);
  EXPECT_TRUE(memory.layers[1].fused.relu && memory.layers[2].fused.relu);
}

TEST(NetworkMemory, AReluLeavesAnInputAloneThatOthersRead) {
  const auto memory = memoryOf({dense("a", 6), relu("r"), add("a"), dense("b", 2)}, {0, 0, 5});
  EXPECT_THAT(outputsOf(memory), ElementsAre(0, 1, 2, 3))
      << "nor does the sum overwrite what the ReLU's backward reads";
  EXPECT_FALSE(memory.layers[0].fused.relu);
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
  EXPECT_TRUE(memory.layers[6].fused.relu);
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
  const auto memory = planMemory(network, networkShape(network, {224, 224, 3}).value(), NumberType::float32);
  EXPECT_LE(memory.gradientBlocks.size(), 4U);
  const std::int64_t widest = 56 * 56 * 256;
  const auto total = std::accumulate(memory.gradientBlocks.begin(), memory.gradientBlocks.end(), std::int64_t{0});
  EXPECT_LE(total, 4 * 4 * widest);
  EXPECT_EQ(memory.places, 4 * 56 * 56 * 64);
}

TEST(NetworkMemory, ABatchNormBeforeASumDoesTheSum) {
  LayerList layers;
  layers.add(LayerSpec{.kind = LayerKind::conv2d, .name = "stem", .outputs = 4, .kernel = 1});
  layers.add(ResidualSpec{.kind = ResidualKind::basic, .name = "x", .channels = 4});
  layers.add(ResidualSpec{.kind = ResidualKind::basic, .name = "y", .channels = 8, .stride = 2});
  layers.add(LayerSpec{.kind = LayerKind::globalAvgPool});
  layers.add(dense("head", 10));
  const auto memory = memoryOf(layers.take(), picture);
  const auto fusedOf = [&](std::size_t layer) { return memory.layers[layer].fused; };
  // stem | x: conv1 bn1 relu1 conv2 bn2 add relu2
  EXPECT_TRUE(fusedOf(2).reluGradient && fusedOf(3).reluGradient) << "the batch norm cuts its own gradient";
  EXPECT_TRUE(fusedOf(5).sum && fusedOf(6).sum);
  EXPECT_TRUE(fusedOf(5).relu && fusedOf(7).relu) << "the ReLU behind the sum too";
  EXPECT_FALSE(fusedOf(5).reluGradient) << "the shortcut needs the cut gradient as well";
  // y: conv1 bn1 relu1 conv2 bn2 | down conv, down bn add relu2
  EXPECT_FALSE(fusedOf(12).sum);
  EXPECT_TRUE(fusedOf(14).sum && fusedOf(15).sum) << "of the two operands the later one";
  EXPECT_EQ(memory.layers[14].output, memory.layers[12].output) << "over the branch, without memory of its own";
}

TEST(NetworkMemory, AReluOfTwoReadersIsCutWhereTheirGradientsAreSummed) {
  LayerList layers;
  layers.add(LayerSpec{.kind = LayerKind::conv2d, .name = "stem", .outputs = 4, .kernel = 1});
  layers.add(ResidualSpec{.kind = ResidualKind::basic, .name = "x", .channels = 4});
  layers.add(ResidualSpec{.kind = ResidualKind::basic, .name = "y", .channels = 4});
  layers.add(LayerSpec{.kind = LayerKind::globalAvgPool});
  layers.add(dense("head", 10));
  const auto memory = memoryOf(layers.take(), picture);
  // stem | x: conv1 bn1 relu1 conv2 bn2 add relu2 | y: conv1 ... relu2 at 14
  const auto& last = memory.layers[8].deliveries;
  ASSERT_EQ(last.size(), 1U);
  EXPECT_EQ(last[0].layer, 7);
  EXPECT_TRUE(last[0].cut && memory.layers[7].fused.reluGradient);
  EXPECT_FALSE(memory.layers[13].deliveries[0].cut) << "the first reader's gradient is not the sum";
  EXPECT_FALSE(memory.layers[14].fused.reluGradient) << "one reader, the pool: nothing is summed";
  EXPECT_FALSE(memory.layers[1].deliveries.empty() || memory.layers[1].deliveries[0].cut) << "no ReLU made it";
}

TEST(NetworkMemory, PicturesOfHalfTheSizeTakeHalfTheMemory) {
  const std::vector<LayerSpec> layers{{.kind = LayerKind::conv2d, .name = "c", .outputs = 4, .kernel = 1},
                                      relu(),
                                      {.kind = LayerKind::flatten},
                                      dense("head", 10)};
  const NetworkSpec network{"layers", layers};
  const auto shape = networkShape(network, picture).value();
  const auto whole = planMemory(network, shape, NumberType::float32);
  const auto half = planMemory(network, shape, NumberType::bfloat16);
  EXPECT_THAT(whole.outputBlocks, ElementsAre(4 * 256, 40));
  EXPECT_EQ(whole.convertedInput, 0);
  EXPECT_THAT(half.outputBlocks, ElementsAre(2 * 256, 4 * 256, 40)) << "what is flat stays fp32";
  EXPECT_EQ(half.convertedInput, 2 * picture.elements());
  EXPECT_EQ(half.layers[1].type, NumberType::bfloat16);
  EXPECT_EQ(half.layers[2].type, NumberType::float32);
  const NetworkSpec flat{"layers", {{.kind = LayerKind::flatten}, dense("head", 10)}};
  EXPECT_EQ(planMemory(flat, networkShape(flat, picture).value(), NumberType::bfloat16).convertedInput, 0);
}

TEST(NetworkMemory, SamplesThatPassAtOnceFitIntoAGibibyte) {
  NetworkMemory memory;
  EXPECT_EQ(samplesAtOnceIn(memory), 256) << "nothing needs no memory";
  memory.outputBlocks = {1 << 20, 1 << 20};
  EXPECT_EQ(samplesAtOnceIn(memory), 256);
  memory.outputBlocks = {32 << 20, 32 << 20};
  EXPECT_EQ(samplesAtOnceIn(memory), 16);
  memory.outputBlocks = {std::int64_t{2} << 30};
  EXPECT_EQ(samplesAtOnceIn(memory), 1) << "one has to";
}

}  // namespace
}  // namespace slipstream
