// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/study/study_profile.h"

#include <algorithm>
#include <limits>

#include "engine/statistics/profile.h"

namespace slipstream {
namespace {

/// Of one variant, one a workload; nothing where a run was deleted.
std::optional<std::vector<double>> timesOf(StudyRuns& runs, const Study& study, const StudyMeasure& measure,
                                           const std::string& variant) {
  std::vector<double> times;
  for (const StudySettings& factors : combinationsOf(study)) {
    for (const auto& [pair, cell] : runs.measured(variant, storedForm(factors))) {
      if (cell->end == CellEnd::deleted) return std::nullopt;
      const auto value = runs.valueOf(*cell, measure, "");
      times.push_back(value && value->reached ? value->value : std::numeric_limits<double>::infinity());
    }
  }
  return times;
}

}  // namespace

std::vector<ProfileCurve> profileOf(StudyRuns& runs, const Study& study, const StudyMeasure& measure) {
  if (!study.question.stages.empty()) return {};
  std::vector<std::vector<double>> times;
  for (const StudyVariant& variant : study.variants) {
    auto own = timesOf(runs, study, measure, variant.name);
    if (!own || own->empty()) return {};
    if (!times.empty() && own->size() != times.front().size()) return {};
    times.push_back(std::move(*own));
  }
  const std::vector<double> factors = profileFactors();
  const auto profiles = performanceProfiles(times, factors);
  std::vector<ProfileCurve> curves;
  for (std::size_t i = 0; i < profiles.size(); ++i) {
    curves.push_back({study.variants[i].name, factors, profiles[i], profileScore(profiles[i], factors)});
  }
  return curves;
}

}  // namespace slipstream
