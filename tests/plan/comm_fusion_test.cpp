// SPDX-License-Identifier: GPL-3.0-or-later
// Which gradients are sent together: ids of layers, inclusive indices, first indices.
#include "engine/spec/comm_fusion.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "engine/plan/plan_file.h"
#include "tests/support/text_files.h"

namespace slipstream {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

class CommFusion : public testing::Test {
 protected:
  Result<PlannedFile> plan() { return planFile(files_.write("case.json", file.dump()), {}, test::environmentOf()); }
  RunPlan one() {
    auto planned = plan();
    if (!planned) throw std::runtime_error(toText(planned.error()));
    return planned->plans.front();
  }
  std::string problems() {
    const auto planned = plan();
    return planned ? "" : toText(planned.error());
  }
  static std::string decisionOn(const RunPlan& plan, const std::string& subject) {
    std::string text;
    for (const Decision& decision : allDecisions(plan)) {
      if (decision.subject == subject) text += decision.state + ": " + decision.why.in() + "\n";
    }
    return text;
  }
  std::vector<int> buckets() { return one().experiment.parallel.allReduceFusion; }

  /// layer1, layer2 and layer3, each with weight and bias.
  Json file = Json::parse(R"({
    "network": "mlp", "parallel": {"ranks": 2},
    "dataset": {"name": "digits", "batch_size": 16, "train_samples": 64, "evaluation_samples": 32}})");

 private:
  test::TextFiles files_;
};

TEST_F(CommFusion, NeighboursOfEqualIdsMakeOneBucket) {
  file["parallel"]["comm_fusion"] = {{"layer1", 0}, {"layer2", 1}, {"layer3", 1}};
  EXPECT_THAT(buckets(), ElementsAre(1, 5));
  EXPECT_EQ(decisionOn(one(), "parallel.comm_fusion"), "on: sent together: layer1 | layer2 layer3\n");
  file["parallel"]["comm_fusion"] = {{"layer1", 0}, {"layer2", 1}, {"layer3", 2}};
  EXPECT_THAT(buckets(), ElementsAre(1, 3, 5));
  file["parallel"]["comm_fusion"] = {{"layer1", 7}, {"layer2", 7}, {"layer3", 7}};
  EXPECT_THAT(buckets(), ElementsAre(5));
}

TEST_F(CommFusion, LayersWithoutIdsAreCutByTheirBytes) {
  file["parallel"]["comm_fusion"] = {{"layer1", 3}};
  EXPECT_THAT(buckets(), ElementsAre(1, 5));
  file["parallel"]["bucket_bytes"] = 40000;
  EXPECT_THAT(buckets(), ElementsAre(1, 2, 5)) << "layer2's weight stands alone, the rest fits";
  EXPECT_EQ(decisionOn(one(), "parallel.comm_fusion"), "on: sent together: layer1 | layer2 | layer2 layer3\n");
}

TEST_F(CommFusion, IdsOfLayersAndBlocksCountLessThanTheMapAndTheLongestName) {
  file["network"] = Json::parse(R"({"layers": [
    {"type": "conv2d", "name": "stem", "outputs": 8, "kernel": 3, "pad_mode": "same", "comm_fusion": 1},
    {"residual": "basic", "name": "block", "channels": 8, "comm_fusion": 2},
    {"type": "global_avg_pool"}, {"type": "dense", "name": "head", "outputs": 10, "comm_fusion": 2}]})");
  // stem's weight and bias, then two convolutions with gamma and beta each, then head's two.
  EXPECT_THAT(buckets(), ElementsAre(1, 9));
  file["parallel"]["comm_fusion"] = {{"block", 5}};
  EXPECT_THAT(buckets(), ElementsAre(1, 7, 9));
  file["parallel"]["comm_fusion"] = {{"block", 5}, {"block.conv1", 1}};
  EXPECT_THAT(buckets(), ElementsAre(2, 7, 9));
  file["parallel"]["comm_fusion"] = {{"bloc", 5}};
  EXPECT_THAT(problems(), AllOf(HasSubstr("parallel.comm_fusion.bloc"), HasSubstr("names no layer with weights")));
  file["parallel"].erase("comm_fusion");
  file["network"]["layers"][2]["comm_fusion"] = 1;
  EXPECT_THAT(problems(), HasSubstr("network.layers[2].comm_fusion: is not a known key"));
}

TEST_F(CommFusion, EqualIdsApartAreRefused) {
  file["parallel"]["comm_fusion"] = {{"layer1", 1}, {"layer2", 2}, {"layer3", 1}};
  EXPECT_THAT(problems(), AllOf(HasSubstr("parallel.comm_fusion"), HasSubstr("layer1 and of layer3"),
                                HasSubstr("layer2 between them"), HasSubstr("neighbouring layers only")));
  file["parallel"]["comm_fusion"].erase("layer2");
  EXPECT_THAT(problems(), HasSubstr("has another or none"));
  file["parallel"]["comm_fusion"] = {{"layer1", -1}, {"layer2", "one"}};
  EXPECT_THAT(problems(), AllOf(HasSubstr("parallel.comm_fusion.layer1: must be at least 0"),
                                HasSubstr("parallel.comm_fusion.layer2: must be a whole number")));
  file["parallel"]["comm_fusion"] = 3;
  EXPECT_THAT(problems(), HasSubstr("must be an object of names and whole numbers"));
}

TEST_F(CommFusion, OfSeveralKeysTheFirstCountsAndTheOthersAreNamed) {
  file["boost"] = {
      {"level", "O2"},
      {"dictionary", {{"common", {{"gradient_split_groups", {2, 4}}}}, {"less_bn", {{"fn_flag", false}}}}}};
  EXPECT_THAT(buckets(), ElementsAre(1, 3));
  EXPECT_THAT(decisionOn(one(), "common.gradient_split_groups"), HasSubstr("layer1 | layer2 | layer3"));
  file["parallel"]["all_reduce_fusion_config"] = {2, 9};
  EXPECT_THAT(buckets(), ElementsAre(2, 9));
  EXPECT_THAT(decisionOn(one(), "common.gradient_split_groups"), HasSubstr("off: no effect"));
  EXPECT_THAT(decisionOn(one(), "parallel.all_reduce_fusion_config"), HasSubstr("9: no effect: the network has 6"));
  file["parallel"]["comm_fusion"] = {{"layer3", 1}};
  EXPECT_THAT(decisionOn(one(), "parallel.all_reduce_fusion_config"), HasSubstr("parallel.comm_fusion says"));
  file["boost"]["dictionary"]["common"]["gradient_split_groups"] = {4, 2};
  EXPECT_THAT(problems(), AllOf(HasSubstr("common.gradient_split_groups"), HasSubstr("must rise")));
}

TEST_F(CommFusion, WhereGradientsAreNotKeptNothingIsGrouped) {
  file["parallel"]["comm_fusion"] = {{"layer1", 0}};
  file["parallel"]["optimizer_parallel"] = "level2";
  EXPECT_THAT(decisionOn(one(), "parallel.comm_fusion"), HasSubstr("off: no effect"));
  EXPECT_TRUE(buckets().empty());
}

TEST_F(CommFusion, APlanKeepsIdsAndBuckets) {
  file["parallel"]["comm_fusion"] = {{"layer1", 0}, {"layer2", 1}};
  const RunPlan plan = one();
  const auto again = parseRunPlan(toJsonText(plan));
  ASSERT_TRUE(again) << toText(again.error());
  EXPECT_EQ(toJsonText(*again), toJsonText(plan));
  EXPECT_EQ(again->experiment.parallel.commFusion, plan.experiment.parallel.commFusion);
}

}  // namespace
}  // namespace slipstream
