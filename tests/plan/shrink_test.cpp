// SPDX-License-Identifier: GPL-3.0-or-later
// Going on with fewer ranks where hosts are lost: what is refused, and what the plan is then.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/boost/algorithms.h"
#include "engine/plan/placement.h"
#include "engine/plan/plan_file.h"
#include "tests/support/text_files.h"

namespace slipstream {
namespace {

using namespace std::string_literals;
using testing::AllOf;
using testing::HasSubstr;

class Shrinking : public testing::Test {
 protected:
  /// On hosts of so many ranks each; `keys` are more of the experiment's, with a comma behind.
  Result<PlannedFile> plan(const std::vector<int>& hosts, const std::string& train, const std::string& keys = "") {
    std::string servers;
    int rank = 0;
    for (std::size_t host = 0; host < hosts.size(); ++host) {
      std::string devices;
      for (int device = 0; device < hosts[host]; ++device, ++rank) {
        devices += (device > 0 ? ", " : "") + R"({"device_id": ")"s + std::to_string(device) + R"(", "rank_id": ")" +
                   std::to_string(rank) + R"(", "device_ip": "10.0.0.)" + std::to_string(rank + 1) + R"("})";
      }
      servers += (host > 0 ? ", " : "") + R"({"server_id": "10.9.0.)"s + std::to_string(host + 1) +
                 R"(", "device": [)" + devices + "]}";
    }
    files_.write("table.json", R"({"version": "1.0", "server_count": ")" + std::to_string(hosts.size()) +
                                   R"(", "server_list": [)" + servers + R"(], "status": "completed"})");
    const std::string text = R"({"network": "lenet5", )" + keys +
                             R"("dataset": {"name": "digits", "train_samples": 640, "batch_size": 16},
                                "parallel": {"ranks": )" +
                             std::to_string(rank) + R"(, "rank_table": "table.json"}, "train": {"steps": 9, )" + train +
                             "}}";
    return planFile(files_.write("case.json", text), {}, test::environmentOf({}));
  }
  std::string problemOf(const std::vector<int>& hosts, const std::string& train, const std::string& keys = "") {
    const auto planned = plan(hosts, train, keys);
    return planned ? "" : toText(planned.error());
  }
  static Decision decisionOn(const RunPlan& plan, const std::string& subject) {
    for (const Decision& decision : allDecisions(plan)) {
      if (decision.subject == subject) return decision;
    }
    return {};
  }

  static constexpr const char* shrink = R"("on_lost": "shrink")";
  test::TextFiles files_;
};

TEST_F(Shrinking, KeepsTheBatchOfAllRanksStepsAndEpochs) {
  const auto planned = plan({2, 2, 2}, shrink);
  ASSERT_TRUE(planned) << toText(planned.error());
  const RunPlan& before = planned->plans.front();
  EXPECT_EQ(decisionOn(before, "train.on_lost").state, "shrink");
  const auto after = shrunkPlan(before, {"10.9.0.2"});
  ASSERT_TRUE(after);
  EXPECT_EQ(after->ranks(), 4);
  EXPECT_EQ(samplesPerBatch(after->experiment.dataset, 4), 96);
  EXPECT_EQ(after->experiment.train.microSize, 2);
  EXPECT_LE(samplesPerPass(after->experiment), 16);
  EXPECT_EQ(stepsPerEpoch(after->experiment.dataset, 640, 4), before.stepsPerEpoch);
  EXPECT_EQ(after->places[2], (RankPlacement{2, 1, "10.9.0.3", 0}));
  EXPECT_EQ(exchangeHosts(*after).text(), "2+2");
  EXPECT_TRUE(parseRunPlan(toJsonText(*after)));
}

TEST_F(Shrinking, OneHostLeftExchangesInItsMemory) {
  const auto planned = plan({2, 2, 2}, shrink);
  const auto after = shrunkPlan(planned->plans.front(), {"10.9.0.1", "10.9.0.2"});
  ASSERT_TRUE(after);
  EXPECT_EQ(after->ranks(), 2);
  EXPECT_EQ(after->experiment.parallel.exchange, GradientExchange::automatic);
}

TEST_F(Shrinking, TakesTheMostRanksThatShareTheBatchEvenly) {
  const auto planned = plan({2, 3}, shrink);  // 80 samples a step: 3 ranks cannot share them, 2 can
  ASSERT_TRUE(planned) << toText(planned.error());
  const auto after = shrunkPlan(planned->plans.front(), {"10.9.0.1"});
  ASSERT_TRUE(after);
  EXPECT_EQ(after->ranks(), 2);
  EXPECT_EQ(after->experiment.dataset.batchSize, 40);
}

TEST_F(Shrinking, WithNothingLostIsThePlanItself) {
  const auto planned = plan({2, 2}, shrink);
  const auto same = shrunkPlan(planned->plans.front(), {});
  EXPECT_EQ(toJsonText(*same), toJsonText(planned->plans.front()));
}

TEST_F(Shrinking, EndsAtTheFewestRanks) {
  const auto planned = plan({2, 2, 2}, R"("on_lost": "shrink", "min_ranks": 4)");
  ASSERT_TRUE(planned) << toText(planned.error());
  EXPECT_TRUE(shrunkPlan(planned->plans.front(), {"10.9.0.2"}));
  EXPECT_FALSE(shrunkPlan(planned->plans.front(), {"10.9.0.2", "10.9.0.3"}));
}

TEST_F(Shrinking, RefusesWhatFewerRanksCannotShare) {
  EXPECT_THAT(problemOf({2, 3}, R"("on_lost": "shrink", "min_ranks": 3)"),
              AllOf(HasSubstr("train.min_ranks"), HasSubstr("3 ranks"), HasSubstr("lower it")));
  EXPECT_THAT(problemOf({2, 2}, R"("on_lost": "shrink", "min_ranks": 5)"), HasSubstr("more than the 4 ranks"));
}

TEST_F(Shrinking, RefusesStateThatIsEachRanksOwn) {
  const std::string deltas = R"("boost": {"level": "O1", "dictionary": {"boost": {"mode": "manual", "adasum": true,
    "less_bn": false, "grad_freeze": false}, "adasum": {"mode": "MODE"}}}, )";
  const auto with = [&](const std::string& mode) {
    std::string keys = deltas;
    return keys.replace(keys.find("MODE"), 4, mode);
  };
  EXPECT_THAT(problemOf({2, 2}, shrink, with("deltas")), HasSubstr(R"("mode": "gradients")"));
  EXPECT_EQ(problemOf({2, 2}, shrink, with("gradients")), "");
}

TEST_F(Shrinking, RefusesSumsThatWouldBeOtherOnes) {
  EXPECT_THAT(problemOf({2, 2}, R"("on_lost": "shrink", "micro_size": 2, "micro_reduction": "sum")"),
              HasSubstr("micro-batches are summed"));
}

TEST_F(Shrinking, OnOneMachineItStartsAgain) {
  const std::string text = R"({"network": "lenet5", "parallel": {"ranks": 2}, "dataset": {"name": "digits"},
    "train": {"on_lost": "shrink"}})";
  const auto planned = planFile(files_.write("case.json", text), {}, test::environmentOf({}));
  ASSERT_TRUE(planned) << toText(planned.error());
  EXPECT_EQ(planned->plans.front().experiment.train.onLost, OnLost::restart);
  EXPECT_EQ(decisionOn(planned->plans.front(), "train.on_lost").effect, Effect::noEffect);
}

}  // namespace
}  // namespace slipstream
