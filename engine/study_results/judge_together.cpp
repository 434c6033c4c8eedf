// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/statistics/several.h"
#include "engine/study_results/verdict.h"

namespace slipstream {

std::vector<JudgedComparison> judgeTogether(const std::vector<PairedComparison>& comparisons,
                                            const std::function<double(int)>& levelOf) {
  std::vector<double> levels(comparisons.size() + 1);  // by the number of shares
  for (std::size_t shares = 1; shares <= comparisons.size(); ++shares)
    levels[shares] = levelOf(static_cast<int>(shares));
  const auto isShown = [&](double p, int shares) { return p <= levels[static_cast<std::size_t>(shares)]; };
  std::vector<double> different, equivalent;
  for (const PairedComparison& one : comparisons) {
    different.push_back(pValue(one.differences));
    equivalent.push_back(one.margin > 0 ? equivalencePValue(one.differences, one.margin) : 1);
  }
  const std::vector<HolmStep> shownDifferent = holm(different, isShown);
  const std::vector<HolmStep> shownEquivalent = holm(equivalent, isShown);
  std::vector<JudgedComparison> judged;
  for (std::size_t i = 0; i < comparisons.size(); ++i) {
    judged.push_back({shownDifferent[i].shown, comparisons[i].margin > 0 && shownEquivalent[i].shown,
                      levels[static_cast<std::size_t>(shownDifferent[i].shares)], different[i],
                      comparisons[i].margin > 0 ? std::optional(equivalent[i]) : std::nullopt});
  }
  return judged;
}

}  // namespace slipstream
