// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/boost/sharding.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/plan/plan_file.h"
#include "tests/support/text_files.h"

namespace slipstream {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

NetworkShape mlp() {
  return *networkShape(*builtInNetwork("mlp"), {28, 28, 1});
}

TEST(Sharding, CutsFromTheThresholdOnAndPads) {
  const Sharding sharding{4, 1024};
  EXPECT_FALSE(sharding.cuts(255));
  EXPECT_TRUE(sharding.cuts(256));
  EXPECT_EQ(sharding.kept(255), 255);
  EXPECT_EQ(sharding.kept(256), 64);
  EXPECT_EQ(sharding.kept(257), 65);
  EXPECT_FALSE((Sharding{1, 0}.cuts(1000)));
}

TEST(Sharding, OfTheSeedMlp) {
  const auto all = summarize(mlp(), {8, 0});
  EXPECT_EQ(all.cutTensors, 6);
  EXPECT_EQ(all.kept, 669'712 / 8);
  EXPECT_EQ(all.padding, 6);
  const auto large = summarize(mlp(), {8, 64 * 1024});
  EXPECT_EQ(large.cutTensors, 2);
  EXPECT_EQ(large.wholeTensors, 4);
  EXPECT_EQ(large.kept, 89'098);
  EXPECT_EQ(large.padding, 0);
}

TEST(Sharding, UnitsHoldWholeLayersAndNoMoreThanTheLargest) {
  const auto units = gradientUnits(mlp());
  EXPECT_THAT(units, ElementsAre(GradientUnit{4, 5130 + 262'656}, GradientUnit{2, 401'920}));
  EXPECT_THAT(gradientSlots(units, true), ElementsAre(5130 + 262'656, 401'920));
  EXPECT_THAT(gradientSlots(units, false), ElementsAre(401'920));
}

class ShardedPlan : public testing::Test {
 protected:
  std::string experiment(const std::string& parallel, const std::string& boost = "{}") {
    return R"({"network": "mlp", "dataset": {"name": "digits", "train_samples": 2000, "batch_size": 8}, "parallel": )" +
           parallel + R"(, "boost": )" + boost + "}";
  }
  Result<PlannedFile> plan(const std::string& text) {
    return planFile(files_.write("case.json", text), {}, test::environmentOf());
  }
  RunPlan one(const std::string& text) {
    auto planned = plan(text);
    if (!planned) throw std::runtime_error(toText(planned.error()));
    return planned->plans.front();
  }
  std::string problems(const std::string& text) {
    const auto planned = plan(text);
    return planned ? "" : toText(planned.error());
  }
  static std::string why(const RunPlan& plan, const std::string& state) {
    for (const Decision& decision : allDecisions(plan)) {
      if (decision.subject == "parallel.optimizer_parallel" && decision.state == state) return decision.why.in();
    }
    return "no decision";
  }

  test::TextFiles files_;
};

TEST_F(ShardedPlan, AbsentIsOffAndAWordIsALevel) {
  EXPECT_EQ(one(experiment(R"({"ranks": 4})")).experiment.parallel.optimizerParallel.level, ShardingLevel::off);
  EXPECT_EQ(one(experiment(R"({"ranks": 4, "optimizer_parallel": {}})")).experiment.parallel.optimizerParallel.level,
            ShardingLevel::level1);
  const RunPlan word = one(experiment(R"({"ranks": 4, "optimizer_parallel": "level3"})"));
  EXPECT_EQ(word.experiment.parallel.optimizerParallel.level, ShardingLevel::level3);
  EXPECT_EQ(word.experiment.parallel.optimizerParallel.shardSize, 4);
  const auto back = parseRunPlan(toJsonText(word));
  ASSERT_TRUE(back) << toText(back.error());
  EXPECT_EQ(toJsonText(*back), toJsonText(word));
}

TEST_F(ShardedPlan, SaysWhatIsCutAndWhatStaysWhole) {
  const RunPlan small = one(experiment(R"({"ranks": 8, "optimizer_parallel": {"level": "level2"}})"));
  EXPECT_THAT(why(small, "level2"), HasSubstr("2 tensors are cut into 8 shards: optimizer state, gradients"));
  EXPECT_THAT(why(small, "level2"), HasSubstr("4 smaller than 64 KB stay whole on every rank; 0 bytes of padding"));
  const RunPlan all =
      one(experiment(R"({"ranks": 8, "optimizer_parallel": {"level": "level3", "threshold": 0, "shard_size": 4}})"));
  EXPECT_THAT(why(all, "level3"), HasSubstr("6 tensors are cut into 4 shards in each of 2 groups"));
  EXPECT_THAT(why(all, "level3"), HasSubstr("8 bytes of padding"));
}

TEST_F(ShardedPlan, ShardSizesThatDoNotDivideAreRefusedWithThoseThatDo) {
  EXPECT_THAT(problems(experiment(R"({"ranks": 6, "optimizer_parallel": {"shard_size": 4}})")),
              HasSubstr("use -1 or one of 1, 2, 3, 6"));
  EXPECT_THAT(problems(experiment(R"({"ranks": 6, "optimizer_parallel": {"shard_size": 0}})")),
              HasSubstr("parallel.optimizer_parallel.shard_size"));
  EXPECT_THAT(problems(experiment(R"({"ranks": 6, "optimizer_parallel": {"level": "level4"}})")), HasSubstr("level1"));
}

TEST_F(ShardedPlan, IsOffWhereThereIsNobodyToShareWith) {
  EXPECT_THAT(why(one(experiment(R"({"ranks": 1, "optimizer_parallel": "level1"})")), "off"), HasSubstr("one rank"));
  EXPECT_THAT(why(one(experiment(R"({"ranks": 4, "optimizer_parallel": {"shard_size": 1}})")), "off"),
              HasSubstr("no effect"));
}

TEST_F(ShardedPlan, FlatDeltasAreRefusedWithBothWaysOut) {
  const std::string sharded = R"({"ranks": 4, "optimizer_parallel": "level1"})";
  const std::string text = problems(experiment(sharded, R"({"level": "O2", "dictionary": {
    "boost": {"mode": "manual", "adasum": true, "less_bn": false, "grad_freeze": false}}})"));
  EXPECT_THAT(text, HasSubstr("\"mode\": \"gradients\""));
  EXPECT_THAT(text, HasSubstr("\"scope\": \"servers\""));
}

TEST_F(ShardedPlan, WhatCutsNothingIsOff) {
  const RunPlan planned =
      one(experiment(R"({"ranks": 4, "optimizer_parallel": {"level": "level3", "threshold": 1000000}})", R"("O0")"));
  EXPECT_EQ(planned.experiment.parallel.optimizerParallel.level, ShardingLevel::off);
  EXPECT_THAT(why(planned, "off"), HasSubstr("threshold of 1000000 KB"));
}

TEST_F(ShardedPlan, DeltasBetweenServersAreCutInsideServers) {
  const std::string boost = R"({"level": "O2", "dictionary": {"common": {"device_number": 2},
    "boost": {"mode": "manual", "adasum": true, "less_bn": false, "grad_freeze": false}}})";
  const RunPlan planned = one(experiment(R"({"ranks": 4, "optimizer_parallel": "level2"})", boost));
  EXPECT_EQ(planned.experiment.parallel.optimizerParallel.shardSize, 2);
  EXPECT_THAT(why(planned, "level2"), HasSubstr("gradients stay whole"));
  EXPECT_THAT(problems(experiment(R"({"ranks": 4, "optimizer_parallel": {"shard_size": 4}})", boost)),
              HasSubstr("use -1 or one of 1, 2"));
}

}  // namespace
}  // namespace slipstream
