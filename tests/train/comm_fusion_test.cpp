// SPDX-License-Identifier: GPL-3.0-or-later
// Ids of layers decide which gradients are sent together, and nothing else.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "engine/experiment/experiment_check.h"
#include "engine/plan/plan_file.h"
#include "engine/probe/dataset_kind.h"
#include "engine/train/compose.h"
#include "tests/support/text_files.h"
#include "tests/train/support/thread_run.h"

namespace slipstream {
namespace {

using testing::ElementsAre;

RunPlan planWith(int ranks, const nlohmann::json& ids, const nlohmann::json& boost) {
  nlohmann::json file = nlohmann::json::parse(R"({
    "network": {"name": "mlp", "hidden": [40, 24]}, "train": {"steps": 5},
    "dataset": {"name": "digits", "batch_size": 8, "train_samples": 640, "evaluation_samples": 32}})");
  file["parallel"] = {{"ranks", ranks}, {"comm_fusion", ids}};
  file["boost"] = boost;
  const test::TextFiles files;
  auto planned = planFile(files.write("case.json", file.dump()), {}, test::environmentOf());
  if (!planned) throw std::runtime_error(toText(planned.error()));
  return planned->plans.front();
}

std::vector<int> tensorsOfBuckets(const RunPlan& plan) {
  const ParameterLayout layout(*networkShape(plan.experiment.network, sampleShape(plan.experiment.dataset)));
  std::vector<int> counts;
  for (const Bucket& bucket : chooseBuckets(plan.experiment.parallel, layout)) {
    counts.push_back(layout.tensorAt(bucket.range.end - 1) - layout.tensorAt(bucket.range.begin) + 1);
  }
  return counts;
}

TEST(CommFusion, TheBucketsAreAsAskedAndTheLossesTheSameBitForBit) {
  const nlohmann::json all{{"layer1", 1}, {"layer2", 1}, {"layer3", 1}};
  const nlohmann::json each{{"layer1", 0}, {"layer2", 1}, {"layer3", 2}};
  const nlohmann::json head{{"layer3", 4}};
  EXPECT_THAT(tensorsOfBuckets(planWith(2, all, "O0")), ElementsAre(6));
  EXPECT_THAT(tensorsOfBuckets(planWith(2, each, "O0")), ElementsAre(2, 2, 2));
  EXPECT_THAT(tensorsOfBuckets(planWith(2, head, "O0")), ElementsAre(2, 4));
  const nlohmann::json adasum = nlohmann::json::parse(R"({"level": "O2", "dictionary": {
      "boost": {"mode": "manual", "less_bn": false, "grad_freeze": false}}})");
  for (const nlohmann::json& boost : {nlohmann::json("O0"), adasum}) {
    for (const int ranks : {1, 2, 3, 4}) {
      test::MemoryStore together;
      test::trainRanks(together, planWith(ranks, all, boost));
      ASSERT_EQ(together.meanOf("loss").size(), 5U);
      for (const nlohmann::json& ids : {each, head}) {
        test::MemoryStore apart;
        test::trainRanks(apart, planWith(ranks, ids, boost));
        EXPECT_EQ(apart.meanOf("loss"), together.meanOf("loss")) << ranks << " " << ids << " " << boost;
      }
    }
  }
}

}  // namespace
}  // namespace slipstream
