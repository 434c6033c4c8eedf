// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/study_results/study_profile.h"

#include <algorithm>
#include <limits>
#include <map>
#include <utility>

#include "engine/statistics/profile.h"

namespace slipstream {
namespace {

/// Values of the factors, and the pair of the seed.
using Workload = std::pair<std::string, std::uint64_t>;
using Times = std::map<Workload, double>;

/// Of one variant; nothing where a run was deleted.
std::optional<Times> timesOf(StudyRuns& runs, const Study& study, const StudyMeasure& measure,
                             const std::string& variant) {
  Times times;
  for (const StudySettings& settings : combinationsOf(study)) {
    const std::string factors = storedForm(settings);
    for (const auto& [pair, cell] : runs.measured(variant, factors)) {
      if (cell->end == CellEnd::deleted) return std::nullopt;
      const auto value = runs.valueOf(*cell, measure, "");
      times[{factors, pair}] = value && value->reached ? value->value : std::numeric_limits<double>::infinity();
    }
  }
  return times;
}

bool haveSameWorkloads(const Times& one, const Times& other) {
  return std::ranges::equal(one, other, {}, &Times::value_type::first, &Times::value_type::first);
}

}  // namespace

std::vector<ProfileCurve> profileOf(StudyRuns& runs, const Study& study, const StudyMeasure& measure) {
  if (!study.question.stages.empty()) return {};
  std::vector<std::vector<double>> times;
  std::optional<Times> first;
  for (const StudyVariant& variant : study.variants) {
    const auto own = timesOf(runs, study, measure, variant.name);
    if (!own || own->empty()) return {};
    if (!first) first = own;
    if (!haveSameWorkloads(*first, *own)) return {};
    times.emplace_back();
    for (const auto& [workload, time] : *own) times.back().push_back(time);
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
