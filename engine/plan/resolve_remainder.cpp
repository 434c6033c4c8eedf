// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include "engine/base/text.h"
#include "engine/plan/resolve.h"

namespace slipstream {
namespace {

/// Who has nothing of a last batch of fewer samples than ranks.
Text withoutSamples(std::int64_t samples, std::int64_t ranks) {
  if (samples >= ranks) return {};
  return phrase("; {} without any of them: a sample of another's takes the place, and counts for nothing",
                {countedText(ranks - samples, "rank")});
}

}  // namespace

void describeRemainder(RunPlan& plan) {
  const DatasetSpec& dataset = plan.experiment.dataset;
  const std::int64_t ranks = plan.ranks();
  if (dataset.dropRemainder || !dataset.shard || ranks == 1) return;
  const std::int64_t left = plan.trainSamples % samplesPerBatch(dataset, plan.ranks());
  if (left % ranks == 0) return;
  const Text what = phrase("the last batch of an epoch has {} for {}{}",
                           {countedText(left, "sample"), countedText(ranks, "rank"), withoutSamples(left, ranks)});
  const char* adasum = message(
      "{}; adasum combines the means of the ranks as they are, however few samples they are of; the loss is the mean "
      "over its samples");
  const char* mean = message("{}; gradient and loss are means over its samples, not over ranks");
  decide(plan, adjusted("dataset.drop_remainder", "false", Reason::data,
                        phrase(plan.experiment.boost.isOn("adasum") ? adasum : mean, {what})));
}

}  // namespace slipstream
