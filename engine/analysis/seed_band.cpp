// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/analysis/seed_band.h"

#include <algorithm>
#include <deque>
#include <map>

namespace slipstream {

SeedBand bundleOf(const std::vector<const Series*>& seeds) {
  struct Step {
    double sum = 0, low = 0, high = 0;
    std::int64_t wall = 0;     // of the first seed that has the step
    std::int64_t offsets = 0;  // of the others from it; sums of times since 1970 would overflow
    int count = 0;
  };
  std::map<std::int64_t, Step> steps;
  SeedBand bundle;
  for (const Series* series : seeds) {
    if (!series->steps.empty()) ++bundle.seeds;
    auto hint = steps.begin();
    for (std::size_t i = 0; i < series->steps.size(); ++i) {
      hint = steps.try_emplace(hint, series->steps[i]);
      Step& step = hint->second;
      const double value = series->values[i];
      if (step.count == 0) step = {0, value, value, series->wallNanoseconds[i], 0, 0};
      step.low = std::min(step.low, value);
      step.high = std::max(step.high, value);
      step.sum += value;
      step.offsets += series->wallNanoseconds[i] - step.wall;
      ++step.count;
    }
  }
  for (const auto& [number, step] : steps) {
    for (Series* series : {&bundle.mean, &bundle.lowest, &bundle.highest}) {
      series->steps.push_back(number);
      series->wallNanoseconds.push_back(step.wall + step.offsets / step.count);
    }
    bundle.mean.values.push_back(step.sum / step.count);
    bundle.lowest.values.push_back(step.low);
    bundle.highest.values.push_back(step.high);
  }
  return bundle;
}

SeedBand bundleBySeed(const std::vector<SeriesOfSeed>& runs) {
  std::map<std::uint64_t, std::vector<const Series*>> runsOf;
  for (const SeriesOfSeed& run : runs) runsOf[run.seed].push_back(run.series);
  std::vector<const Series*> seeds;
  std::deque<Series> means;
  for (const auto& [seed, same] : runsOf) {
    seeds.push_back(same.size() == 1 ? same.front() : &means.emplace_back(bundleOf(same).mean));
  }
  return bundleOf(seeds);
}

}  // namespace slipstream
