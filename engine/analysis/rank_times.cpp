// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/analysis/rank_times.h"

#include <algorithm>
#include <array>
#include <limits>

namespace slipstream {
namespace {

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const std::size_t middle = values.size() / 2;
  return values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

template <class Value>
double medianOf(const std::vector<RankTime>& ranks, const Value& value) {
  std::vector<double> values;
  for (const RankTime& rank : ranks) values.push_back(value(rank));
  return median(std::move(values));
}

double perStep(const RankTime& rank, double StepTiming::*part) {
  return rank.timing.*part / static_cast<double>(rank.timing.steps);
}

}  // namespace

double RankTime::work() const {
  return timing.steps == 0 ? 0 : (timing.whole - timing.communication) / static_cast<double>(timing.steps);
}

std::vector<RankTime> rankTimes(RunStore& store, const std::string& runId, int ranks, std::int64_t firstStep,
                                std::int64_t endStep) {
  std::vector<RankTime> times;
  for (int rank = 0; rank < ranks; ++rank) {
    const StepTiming timing = stepTiming(store, runId, rank, firstStep, endStep);
    if (timing.steps > 0) times.push_back({rank, timing});
  }
  return times;
}

std::vector<RankTime> rankTimes(RunStore& store, const std::string& runId, int ranks) {
  return rankTimes(store, runId, ranks, 0, std::numeric_limits<std::int64_t>::max());
}

std::vector<RankTime> intactRankTimes(RunStore& store, const std::string& runId, int ranks) {
  try {
    return rankTimes(store, runId, ranks);
  } catch (const StoreDamaged&) {
    return {};
  }
}

StepTiming meanTiming(const std::vector<RankTime>& ranks) {
  const auto count = static_cast<double>(ranks.size());
  StepTiming mean;
  for (const RankTime& rank : ranks) {
    mean.steps = std::max(mean.steps, rank.timing.steps);
    for (const auto part :
         {&StepTiming::whole, &StepTiming::compute, &StepTiming::optimizer, &StepTiming::communication,
          &StepTiming::recording, &StepTiming::data, &StepTiming::checkpoints, &StepTiming::evaluation}) {
      mean.*part += rank.timing.*part / count;
    }
  }
  const auto measured = [](const RankTime& rank) { return rank.timing.hidden.has_value(); };
  if (ranks.empty() || !std::all_of(ranks.begin(), ranks.end(), measured)) return mean;
  mean.hidden = 0;
  for (const RankTime& rank : ranks) *mean.hidden += *rank.timing.hidden / count;
  return mean;
}

RankBalance balanceOf(const std::vector<RankTime>& ranks) {
  const auto slowest = std::max_element(ranks.begin(), ranks.end(),
                                        [](const RankTime& a, const RankTime& b) { return a.work() < b.work(); });
  const double usual = medianOf(ranks, [](const RankTime& rank) { return rank.work(); });
  RankBalance balance{slowest->rank, usual > 0 ? slowest->work() / usual : 1, Delay::compute};
  const std::array<std::pair<Delay, double StepTiming::*>, 4> parts{{{Delay::compute, &StepTiming::compute},
                                                                     {Delay::optimizer, &StepTiming::optimizer},
                                                                     {Delay::data, &StepTiming::data},
                                                                     {Delay::recording, &StepTiming::recording}}};
  double most = 0;
  for (const auto& [delay, part] : parts) {
    const auto own = [part = part](const RankTime& rank) { return perStep(rank, part); };
    const double more = own(*slowest) - medianOf(ranks, own);
    if (more <= most) continue;
    most = more;
    balance.cause = delay;
  }
  return balance;
}

}  // namespace slipstream
