// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/faults/trials.h"

#include <algorithm>
#include <cstdio>
#include <exception>

#include <fmt/format.h>

#include "engine/base/clock.h"

namespace slipstream::test {
namespace {

/// On stderr, so that a long series can be watched and stdout keeps only results.
void printProgress(const std::string& kind, const Tally& tally, double seconds) {
  constexpr int interval = 25;
  if (tally.tried % interval != 0) return;
  std::fprintf(stderr, "%s: %d tried, %zu failed, %.0f s\n", kind.c_str(), tally.tried, tally.failures.size(), seconds);
}

}  // namespace

void repeat(Tally& tally, const TrialSettings& settings, const std::string& kind, int count,
            const std::function<std::string(std::uint64_t seed)>& tryOne) {
  const Stopwatch watch;
  for (int number = 0; number < count; ++number) {
    const std::uint64_t seed = settings.seed + static_cast<std::uint64_t>(number);
    ++tally.tried;
    tally.moment.reset();
    std::string problem;
    try {
      problem = tryOne(seed);
    } catch (const std::exception& error) {
      problem = error.what();
    }
    if (!problem.empty()) addFailure(tally, {kind, seed, problem, tally.moment});
    printProgress(kind, tally, tally.seconds + watch.seconds());
  }
  tally.seconds += watch.seconds();
}

void addFailure(Tally& tally, const TrialFailure& failure) {
  const std::string moment = failure.moment ? fmt::format(" --moment {}", *failure.moment) : "";
  fmt::print("FAILED {}, --seed {}{}: {}\n", failure.kind, failure.seed, moment, failure.what);
  std::fflush(stdout);
  tally.failures.push_back(failure);
}

void noteNamed(Tally& tally, const std::string& what, double seconds) {
  double& longest = tally.namedAfter[what];
  longest = std::max(longest, seconds);
}

int below(std::mt19937_64& random, int end) {
  return static_cast<int>(random() % static_cast<std::uint64_t>(end));
}

}  // namespace slipstream::test
