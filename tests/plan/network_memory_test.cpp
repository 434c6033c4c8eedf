// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/plan/network_memory.h"

#include <algorithm>
#include <map>
#include <numeric>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/plan/forecast.h"
#include "engine/spec/network_layers.h"

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
  return planMemory(network, *shape, NumberType::float32, Convolutions::plain);
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
  const auto memory =
      planMemory(network, networkShape(network, {224, 224, 3}).value(), NumberType::float32, Convolutions::plain);
  EXPECT_LE(memory.gradientBlocks.size(), 4U);
  const std::int64_t widest = 56 * 56 * 256;
  const auto total = std::accumulate(memory.gradientBlocks.begin(), memory.gradientBlocks.end(), std::int64_t{0});
  EXPECT_LE(total, 4 * 4 * widest);
  EXPECT_EQ(memory.layers[3].maxima, 4 * 56 * 56 * 64) << "the one pool's";
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
  const auto whole = planMemory(network, shape, NumberType::float32, Convolutions::plain);
  const auto half = planMemory(network, shape, NumberType::bfloat16, Convolutions::plain);
  EXPECT_THAT(whole.outputBlocks, ElementsAre(4 * 256, 40));
  EXPECT_EQ(whole.convertedInput, 0);
  EXPECT_THAT(half.outputBlocks, ElementsAre(2 * 256, 4 * 256, 40)) << "what is flat stays fp32";
  EXPECT_EQ(half.convertedInput, 2 * picture.elements());
  EXPECT_EQ(half.layers[1].type, NumberType::bfloat16);
  EXPECT_EQ(half.layers[2].type, NumberType::float32);
  const NetworkSpec flat{"layers", {{.kind = LayerKind::flatten}, dense("head", 10)}};
  EXPECT_EQ(
      planMemory(flat, networkShape(flat, picture).value(), NumberType::bfloat16, Convolutions::plain).convertedInput,
      0);
}

/// conv1 (7x7 of 3 channels) bn1 relu pool | conv1 bn1 relu1 conv2 bn2 relu2 conv3 bn3 | ...
TEST(NetworkMemory, InFp16ConvolutionsOfResnet50ApplyTheirBatchNorms) {
  const NetworkSpec network = *builtInNetwork("resnet50");
  const auto shape = networkShape(network, {224, 224, 3}).value();
  const auto memory = planMemory(network, shape, NumberType::float16, Convolutions::fused);
  const auto fusedOf = [&](std::size_t layer) { return memory.layers[layer].fused; };
  EXPECT_FALSE(fusedOf(1).deferred) << "a pool reads it";
  EXPECT_TRUE(fusedOf(5).deferred && fusedOf(7).deferred);
  EXPECT_FALSE(fusedOf(4).deferred) << "others read the pool too";
  EXPECT_EQ(memory.layers[5].output, memory.layers[4].output);
  EXPECT_EQ(memory.layers[6].output, memory.layers[4].output);
  EXPECT_TRUE(fusedOf(8).deferred && fusedOf(10).deferred);
  EXPECT_FALSE(fusedOf(11).deferred) << "a sum reads it";

  std::map<LayerKind, int> deferred;
  for (std::size_t i = 0; i < network.layers.size(); ++i) {
    deferred[network.layers[i].kind] += fusedOf(i).deferred ? 1 : 0;
    const bool defers = network.layers[i].kind == LayerKind::batchNorm && fusedOf(i).deferred;
    EXPECT_TRUE(!defers || (fusedOf(i).relu && fusedOf(i).reluGradient)) << "the convolution takes both";
  }
  EXPECT_EQ(deferred[LayerKind::conv2d], 29) << "two of each of 16 blocks, but for three 3x3 padded on one side";
  EXPECT_EQ(deferred[LayerKind::batchNorm], 29);
}

TEST(NetworkMemory, DeferredPicturesTakeNone) {
  const NetworkSpec network = *builtInNetwork("resnet50");
  const auto shape = networkShape(network, {224, 224, 3}).value();
  const auto plain = planMemory(network, shape, NumberType::float16, Convolutions::plain);
  const auto fused = planMemory(network, shape, NumberType::float16, Convolutions::fused);
  std::int64_t saved = 0;
  for (std::size_t i = 0; i < network.layers.size(); ++i) {
    const bool norm = network.layers[i].kind == LayerKind::batchNorm;
    if (norm && fused.layers[i].fused.deferred) saved += 2 * shape.outputs[i].elements();
  }
  EXPECT_EQ(saved, 2 * 2'584'064);
  EXPECT_EQ(plain.bytes() - fused.bytes(), saved);
  EXPECT_EQ(plain.gradientBlocks, fused.gradientBlocks);
}

TEST(NetworkMemory, TheForecastLeavesDeferredPicturesOut) {
  Experiment experiment;
  experiment.network = *builtInNetwork("small_resnet_bottleneck");
  experiment.device = "cuda:0";
  experiment.ampLevel = "O2";
  const auto shape = networkShape(experiment.network, {28, 28, 1}).value();
  const std::int64_t bf16 = activationBytes(experiment, shape);
  experiment.lossScale.kind = LossScaleKind::dynamic;
  ASSERT_EQ(imageType(experiment), NumberType::float16);
  const auto bytes = [&](Convolutions convolutions) {
    return planMemory(experiment.network, shape, NumberType::float16, convolutions).bytes();
  };
  const std::int64_t saved = bytes(Convolutions::plain) - bytes(Convolutions::fused);
  EXPECT_GT(saved, 0);
  EXPECT_EQ(bf16 - activationBytes(experiment, shape), samplesPerPass(experiment) * saved);
}

TEST(NetworkMemory, OnlyFp16Fuses) {
  const NetworkSpec network = *builtInNetwork("resnet18");
  const auto shape = networkShape(network, {64, 64, 3}).value();
  for (const auto type : {NumberType::float32, NumberType::bfloat16}) {
    for (const LayerMemory& layer : planMemory(network, shape, type, Convolutions::fused).layers) {
      EXPECT_FALSE(layer.fused.deferred);
    }
  }
}

TEST(NetworkMemory, ABatchNormThatOthersReadIsNotDeferred) {
  const auto convolution = [](const std::string& name) {
    return LayerSpec{.kind = LayerKind::conv2d, .name = name, .outputs = 8, .kernel = 1, .bias = false};
  };
  const LayerSpec norm{.kind = LayerKind::batchNorm, .name = "bn"};
  const auto deferred = [&](const std::vector<LayerSpec>& layers) {
    const NetworkSpec network{"layers", layers};
    const auto shape = networkShape(network, {8, 8, 8}).value();
    const auto memory = planMemory(network, shape, NumberType::float16, Convolutions::fused);
    return std::ranges::any_of(memory.layers, [](const LayerMemory& layer) { return layer.fused.deferred; });
  };
  const LayerSpec head{.kind = LayerKind::globalAvgPool};
  EXPECT_TRUE(deferred({convolution("a"), norm, relu(), convolution("b"), head}));
  EXPECT_FALSE(deferred({norm, relu(), convolution("b"), head})) << "the network's input has no memory here";
  EXPECT_FALSE(deferred({convolution("a"), norm, convolution("b"), head})) << "no ReLU";
  EXPECT_FALSE(deferred({convolution("a"), norm, relu("r"), convolution("b"), add("r"), head})) << "two read the ReLU";
  EXPECT_FALSE(deferred({convolution("a"), norm, relu(), convolution("b"), add("bn"), head})) << "or the batch norm";
  EXPECT_FALSE(deferred({convolution("a"), norm, relu(), head})) << "no convolution";
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
