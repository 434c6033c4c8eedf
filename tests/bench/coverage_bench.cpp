// SPDX-License-Identifier: GPL-3.0-or-later
// How often intervals hold the true effect, and how often a study of variants that do not differ claims something.
// `bench_coverage [DRAWS]`: 10,000 simulated studies a case unless told otherwise.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "engine/base/random.h"
#include "engine/statistics/bootstrap.h"
#include "engine/statistics/paired.h"
#include "engine/statistics/several.h"
#include "engine/study_results/verdict.h"

namespace slipstream {
namespace {

constexpr double miss = 0.05;

bool allMet = true;

/// `counts`: whether the bar is one; harder cases are printed beside it.
void print(nlohmann::json line, bool met, bool counts = true) {
  allMet = allMet && (met || !counts);
  line[counts ? "met" : "would meet"] = met;
  std::printf("%s\n", line.dump().c_str());
  std::fflush(stdout);
}

/// One seed of two variants: what both have in common by it, and what each has of its own.
struct Source {
  const char* name;
  double correlation;  ///< between the two by seed
  double effect;       ///< in deviations between seeds
  double censored;     ///< share that does not reach the target
  bool logarithmic;

  /// The scale on which a study compares: a difference, or the logarithm of a ratio of times that are cut off.
  double draw(Random& random, double horizon) const {
    const double common = random.normal();
    const auto own = [&] { return std::sqrt(correlation) * common + std::sqrt(1 - correlation) * random.normal(); };
    const double before = own(), after = own() - effect;
    if (!logarithmic) return after - before;
    constexpr double spread = 0.4;
    const auto time = [&](double value) { return std::min(std::exp(spread * value), horizon); };
    return std::log(time(after)) - std::log(time(before));
  }
  /// Where this share of both variants' times lies beyond.
  double horizon() const {
    if (censored == 0) return INFINITY;
    Random random(5, RandomStream::test);
    std::vector<double> times;
    for (int i = 0; i < 200'000; ++i) times.push_back(std::exp(0.4 * (random.normal() - (i % 2 == 0 ? effect : 0))));
    std::ranges::sort(times);
    return times[static_cast<std::size_t>((1 - censored) * static_cast<double>(times.size()))];
  }
  double truth(double horizon) const {
    if (!logarithmic) return -effect;
    if (censored == 0) return -0.4 * effect;
    Random random(6, RandomStream::test);
    double sum = 0;
    constexpr int draws = 2'000'000;
    for (int i = 0; i < draws; ++i) sum += draw(random, horizon);
    return sum / draws;
  }
};

void measureCoverage(const Source& source, int seeds, int draws, bool bootstrap, bool counts = true) {
  const double horizon = source.horizon(), truth = source.truth(horizon);
  Random random(1, RandomStream::test);
  int held = 0, judged = 0;
  const IntervalReach reach = intervalReach(seeds, miss);
  for (int i = 0; i < draws; ++i) {
    PairedDifferences differences;
    for (int seed = 0; seed < seeds; ++seed) differences.values.push_back(source.draw(random, horizon));
    if (!differences.canBeJudged()) continue;
    ++judged;
    if (bootstrap) {
      const auto interval = bootstrapInterval(differences.values, miss, static_cast<std::uint64_t>(i), 1000);
      held += interval && interval->low <= truth && truth <= interval->high ? 1 : 0;
    } else {
      const PairedInterval interval = pairedInterval(differences, reach);
      held += interval.low <= truth && truth <= interval.high ? 1 : 0;
    }
  }
  const double coverage = static_cast<double>(held) / judged;
  print({{"bench", "coverage"},
         {"interval", bootstrap ? "bootstrap" : "paired t"},
         {"data", source.name},
         {"seeds", seeds},
         {"correlation", source.correlation},
         {"effect", source.effect},
         {"draws", judged},
         {"coverage", coverage}},
        coverage >= 0.94 && coverage <= 0.96, counts);
}

/// Variants beside a reference, `shift` away from it (in deviations), judged as a study does.
void measureClaims(const char* what, int variants, int seeds, double shift, double margin,
                   const std::vector<int>& rounds, int draws) {
  Random random(2, RandomStream::test);
  int claims = 0;
  for (int draw = 0; draw < draws; ++draw) {
    std::vector<PairedComparison> all(static_cast<std::size_t>(variants));
    bool claimed = false;
    std::vector<double> shares;
    int done = 0;
    for (const int round : rounds) {
      for (int seed = 0; seed < round; ++seed) {
        const double common = random.normal(), reference = 0.8 * common + 0.6 * random.normal();
        for (PairedComparison& one : all) {
          one.differences.values.push_back(0.8 * common + 0.6 * random.normal() + shift - reference);
        }
      }
      done += round;
      shares.push_back(static_cast<double>(done) / seeds);
      for (PairedComparison& one : all) one.margin = margin;
      static std::map<std::pair<std::vector<double>, int>, double> levels;
      const auto levelOf = [&](int parts) {
        const auto [found, isNew] = levels.try_emplace({shares, parts}, 0);
        if (isNew) found->second = levelsOfLooks(shares, miss / parts).back();
        return found->second;
      };
      for (const JudgedComparison& one : judgeTogether(all, levelOf)) {
        claimed = claimed || (margin > 0 ? one.equivalent : one.different);
      }
    }
    claims += claimed ? 1 : 0;
  }
  const double share = static_cast<double>(claims) / draws;
  print({{"bench", "false claims"},
         {"claim", what},
         {"variants", variants},
         {"seeds", seeds},
         {"looks", rounds.size()},
         {"draws", draws},
         {"share", share},
         {"bar", 0.055}},
        share <= 0.055);
}

void run(int draws) {
  const std::vector<Source> sources{{"normal", 0.5, 0.3, 0, false},
                                    {"log-normal", 0.5, 0.3, 0, true},
                                    {"log-normal, 30 % censored", 0, 0.3, 0.3, true}};
  for (const Source& source : sources) {
    for (const int seeds : {3, 5, 10}) measureCoverage(source, seeds, draws, false);
    measureCoverage(source, 10, draws, true);
  }
  // Pairs of seeds that are alike and often both cut off: few different values are left.
  for (const double effect : {0.0, 0.7}) {
    const Source hard{"log-normal, 30 % censored", 0.6, effect, 0.3, true};
    for (const int seeds : {3, 5, 10}) measureCoverage(hard, seeds, draws, false, false);
  }
  for (const int seeds : {3, 5, 10}) {
    measureClaims("a difference where there is none", 8, seeds, 0, 0, {seeds}, draws);
    measureClaims("the same at the margin", 1, seeds, 1, 1, {seeds}, draws);
    measureClaims("the same at the margin", 8, seeds, 1, 1, {seeds}, draws);
  }
  measureClaims("a difference where there is none", 8, 15, 0, 0, {3, 3, 3, 3, 3}, draws);
  measureClaims("a difference where there is none", 1, 15, 0, 0, {3, 3, 3, 3, 3}, draws);
  measureClaims("the same at the margin", 1, 15, 1, 1, {3, 3, 3, 3, 3}, draws);
}

}  // namespace
}  // namespace slipstream

int main(int count, char** values) {
  slipstream::run(count > 1 ? std::atoi(values[1]) : 10'000);
  return slipstream::allMet ? 0 : 1;
}
