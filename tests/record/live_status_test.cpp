#include "engine/record/live_status.h"

#include <gtest/gtest.h>

#include "tests/record/finished_runs.h"
#include "tests/record/temporary_folder.h"

namespace slipstream {
namespace {

using test::FinishedRun;

TEST(LiveStatus, CountsRanksThatKeepUpAndEstimatesTheRest) {
  const test::TemporaryFolder folder;
  const auto store = test::openStore(folder.path());
  NewRun asked = test::sampleRun();
  asked.ranks = 3;
  asked.group = "launch";
  asked.planText = toJsonText(test::planOf(FinishedRun{"mean", 1, 0.9, 2000, 3}));
  asked.experimentText = R"({"variants": [{}, {}]})";
  const std::string id = store->createRun(asked);
  const int attempt = store->startAttempt(id, 0);
  const auto one = [](std::int64_t, std::size_t) { return 1.0; };
  store->appendMetrics(id, attempt, 0, 1, test::block(0, 1500, {"loss"}, one));  // folded into chunks
  store->appendMetrics(id, attempt, 1, 1, test::block(0, 1500, {"loss"}, one));
  store->appendMetrics(id, attempt, 2, 1, test::block(0, 100, {"loss"}, one));  // 7 s behind
  const LiveStatus status = liveStatus(*store, *store->find(id));
  EXPECT_EQ(status.steps, 1500);
  EXPECT_EQ(status.totalSteps, 2000);
  EXPECT_EQ(status.reporting, (std::vector<bool>{true, true, false}));
  ASSERT_TRUE(status.secondsLeft);
  EXPECT_NEAR(*status.secondsLeft, 500 * 0.005, 1e-6);
  EXPECT_GT(status.lagSeconds, 1000);  // the sample lies in the past
  EXPECT_EQ(status.runOfLaunch, 1);
  EXPECT_EQ(status.runsOfLaunch, 2);
}

}  // namespace
}  // namespace slipstream
