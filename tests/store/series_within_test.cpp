// SPDX-License-Identifier: GPL-3.0-or-later
// A part of a long series is read without the rest of it.
#include <gtest/gtest.h>

#include "engine/record/series.h"
#include "engine/store/run_store.h"
#include "tests/support/sample_run.h"
#include "tests/support/temporary_folder.h"

namespace slipstream {
namespace {

class SeriesWithin : public ::testing::Test {
 protected:
  SeriesWithin() : store_(test::openStore(folder_.path())), run_(store_->createRun(test::sampleRun())) {}

  void append(int attempt, std::int64_t first, std::int64_t count, std::int64_t sequence) {
    store_->appendMetrics(run_, attempt, 0, sequence, test::block(first, count, {"loss"}, [&](std::int64_t step, auto) {
                            return attempt + 1e-6 * static_cast<double>(step);
                          }));
  }
  /// What the whole series has there, and little beside it.
  void expectPart(std::int64_t first, std::int64_t last) {
    const Series whole = between(store_->series(run_, "loss"), first, last + 1);
    const Series read = store_->seriesWithin(run_, "loss", {first, last});
    const Series part = between(read, first, last + 1);
    EXPECT_EQ(part.steps, whole.steps) << first;
    EXPECT_EQ(part.values, whole.values) << first;
    EXPECT_EQ(part.wallNanoseconds, whole.wallNanoseconds) << first;
    EXPECT_LE(read.steps.size(), static_cast<std::size_t>(last - first) + 3 * 2048) << first;
  }

  test::TemporaryFolder folder_;
  std::unique_ptr<RunStore> store_;
  std::string run_;
};

TEST_F(SeriesWithin, IsThePartOfTheWhole) {
  const int attempt = store_->startAttempt(run_, 0);
  append(attempt, 0, 50'000, 1);
  store_->compact(run_);
  for (const std::int64_t first : {0, 1, 1023, 1024, 30'000, 49'990}) expectPart(first, first + 500);
  EXPECT_LE(store_->seriesWithin(run_, "loss", {60'000, 70'000}).steps.size(), 2048U);
  EXPECT_TRUE(store_->seriesWithin(run_, "nothing", {0, 10}).steps.empty());
}

TEST_F(SeriesWithin, CountsWhatWaitsAndWhatALaterAttemptTookBack) {
  append(store_->startAttempt(run_, 0), 0, 10'000, 1);
  append(store_->startAttempt(run_, 6'000), 6'000, 9'000, 1);
  store_->compact(run_);
  append(2, 15'000, 20, 2);  // waits in the tail
  for (const std::int64_t first : {5'800, 5'999, 6'000, 9'500, 14'990}) expectPart(first, first + 200);
}

}  // namespace
}  // namespace slipstream
