// SPDX-License-Identifier: GPL-3.0-or-later
// Curves of runs that have stages.
#include <gtest/gtest.h>

#include "engine/analysis/curve_source.h"
#include "engine/runs/run_outcome.h"
#include "tests/support/staged_run.h"
#include "tests/support/temporary_folder.h"

namespace slipstream {
namespace {

TEST(StageBorders, NoLineLeadsFromOneStageIntoTheNext) {
  const test::TemporaryFolder folder;
  const auto store = test::openStore(folder.path());
  const std::string run = test::recordStagedRun(*store, test::StagedRun{});
  const auto plan = parseRunPlan(store->find(run)->planText);
  const auto stages = stagesOf(*plan);
  ASSERT_GT(stages.size(), 1U);
  CurveSource source;
  for (const double smoothing : {0.0, 0.5}) {
    for (const char* metric : {"loss", "accuracy"}) {
      CurveQuery query;
      query.runs = {{run, "done"}};
      query.metric = metric;
      query.smoothing = smoothing;
      const Series stored = store->series(run, metric);
      int withSamples = 0;
      for (const StagePlan& stage : stages) withSamples += seriesOfStage(stored, metric, stage).steps.empty() ? 0 : 1;
      const CurveAnswer answer = source.read(*store, query);
      ASSERT_EQ(answer.curves.size(), 1U);
      EXPECT_EQ(std::ssize(answer.curves[0].line), withSamples) << metric;
      std::size_t samples = 0;
      for (const Line& line : answer.curves[0].line) samples += line.x.size();
      EXPECT_EQ(samples, stored.steps.size()) << "nothing is lost at the borders";
    }
  }
}

}  // namespace
}  // namespace slipstream
