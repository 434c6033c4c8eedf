// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/compare/compare_query.h"

#include <algorithm>

namespace slipstream::ui {

std::vector<RunRecord> runsToCompare(RunStore& store, const std::vector<std::string>& ids) {
  std::vector<RunRecord> runs;
  for (const std::string& id : ids) {
    if (auto run = store.find(id)) runs.push_back(std::move(*run));
  }
  const std::map<std::string, RunLabel> labels = store.labels();
  const auto isPinned = [&](const RunRecord& run) {
    const auto label = labels.find(run.id);
    return label != labels.end() && label->second.pinned;
  };
  std::stable_partition(runs.begin(), runs.end(), isPinned);
  return runs;
}

CompareAnswer answer(RunStore& store, const CompareQuery& query) {
  CompareAnswer answer;
  auto comparison = compareRuns(store, runsToCompare(store, query.runs));
  if (!comparison) {
    answer.failures = std::move(comparison.error());
    return answer;
  }
  answer.comparison = std::move(*comparison);
  answer.accuracy = figureOf(store, answer.comparison, "accuracy", query.axis, query.columns);
  answer.loss = figureOf(store, answer.comparison, "loss", query.axis, query.columns);
  answer.reached = reachedCurves(answer.comparison, query.axis);
  return answer;
}

}  // namespace slipstream::ui
