#include "engine/record/step_timing.h"

#include <cmath>

#include <gtest/gtest.h>

#include "tests/record/sample_run.h"
#include "tests/record/temporary_folder.h"

namespace slipstream {
namespace {

TEST(StepTiming, PartsAndRestOfOneRankAndOfAll) {
  test::TemporaryFolder folder;
  const auto store = test::openStore(folder.path());
  const std::string run = store->createRun(test::sampleRun());
  const int attempt = store->startAttempt(run, 0);
  for (int rank = 0; rank < 2; ++rank) {
    const auto value = [&](std::int64_t, std::size_t column) { return (rank + 1) * (column == 0 ? 10.0 : 2.0); };
    store->appendMetrics(
        run, attempt, rank, 1,
        test::block(0, 5, {"step_seconds", "compute_seconds", "communication_seconds", "data_seconds"}, value));
  }
  const StepTiming second = stepTiming(*store, run, 1);
  EXPECT_EQ(second.steps, 5);
  EXPECT_DOUBLE_EQ(second.whole, 100);
  EXPECT_DOUBLE_EQ(second.compute, 20);
  EXPECT_DOUBLE_EQ(second.communication, 20);
  EXPECT_DOUBLE_EQ(second.data, 20);
  EXPECT_DOUBLE_EQ(second.recording, 0);
  EXPECT_DOUBLE_EQ(second.other(), 40);
  EXPECT_DOUBLE_EQ(stepTiming(*store, run).whole, 75) << "the mean over ranks";
  store->appendMetrics(run, attempt, 0, 2,
                       test::block(5, 1, {"step_seconds"}, [](auto, auto) { return std::nan(""); }));
  EXPECT_EQ(stepTiming(*store, run, 0).steps, 5);
  EXPECT_DOUBLE_EQ(stepTiming(*store, run, 0).whole, 50);
}

TEST(StepTiming, OfARunWithoutAStepIsNothing) {
  test::TemporaryFolder folder;
  const auto store = test::openStore(folder.path());
  const StepTiming none = stepTiming(*store, store->createRun(test::sampleRun()));
  EXPECT_EQ(none.steps, 0);
  EXPECT_EQ(none.other(), 0);
}

}  // namespace
}  // namespace slipstream
