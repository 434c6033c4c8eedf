// SPDX-License-Identifier: GPL-3.0-or-later
#include <gtest/gtest.h>

#include "engine/boost/less_bn/spec.h"
#include "tests/support/golden.h"

namespace slipstream {
namespace {

TEST(NetworkGolden, Resnet50HasTheTensorsOfTheModelZoo) {
  SLIPSTREAM_GOLDEN_FOLDER(folder);
  const auto golden = test::readGolden(folder, "parallel_config.json").at("resnet50_1001_trainable");
  const auto shape = networkShape(builtInNetwork("resnet50", 1001).value(), {224, 224, 3}).value();
  ASSERT_EQ(shape.tensors.size(), golden.at("count").get<std::size_t>());
  std::int64_t elements = 0;
  for (std::size_t i = 0; i < shape.tensors.size(); ++i) {
    elements += shape.tensors[i].elements();
    EXPECT_EQ(shape.tensors[i].name, golden.at("params")[i][0]);
    std::vector<std::int64_t> theirs = golden.at("params")[i][1];
    if (theirs.size() == 4) theirs = {theirs[0], theirs[2], theirs[3], theirs[1]};  // OIHW there, OHWI here
    EXPECT_EQ(shape.tensors[i].shape, theirs) << shape.tensors[i].name;
  }
  EXPECT_EQ(elements, golden.at("elements").get<std::int64_t>());
}

TEST(NetworkGolden, LessBnRemovesTheSameBatchNormsOfResnet50) {
  SLIPSTREAM_GOLDEN_FOLDER(folder);
  const auto golden = test::readGolden(folder, "less_bn.json").at("resnet50");
  const auto network = builtInNetwork("resnet50", 1001).value();
  const auto rewritten = lessBn(network, true);
  EXPECT_EQ(rewritten.removedBatchNorms, golden.at("removed").get<std::vector<std::string>>());
  EXPECT_EQ(rewritten.removedBatchNorms.size(), golden.at("removed_count").get<std::size_t>());
  std::vector<std::string> kept;
  for (const LayerSpec& layer : rewritten.network.layers) {
    if (layer.kind == LayerKind::batchNorm) kept.push_back(layer.name);
  }
  EXPECT_EQ(kept, golden.at("kept").get<std::vector<std::string>>());
  EXPECT_EQ(rewritten.replacedHead, golden.at("dense_replaced"));
  const auto shape = networkShape(rewritten.network, {224, 224, 3}).value();
  const TensorSpec& added = shape.tensors.back();
  EXPECT_EQ(added.name, golden.at("new_param"));
  EXPECT_EQ(added.shape, golden.at("new_param_shape").get<std::vector<std::int64_t>>());
  EXPECT_EQ(added.initializer.kind, InitializerKind::ones);
}

}  // namespace
}  // namespace slipstream
