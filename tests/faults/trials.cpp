// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/faults/trials.h"

#include <cstdio>
#include <exception>

#include "engine/base/clock.h"

namespace slipstream::test {

void repeat(Tally& tally, const TrialSettings& settings, const std::string& kind, int count,
            const std::function<std::string(std::uint64_t seed)>& tryOne) {
  const Stopwatch watch;
  for (int number = 0; number < count; ++number) {
    const std::uint64_t seed = settings.seed + static_cast<std::uint64_t>(number);
    ++tally.tried;
    std::string problem;
    try {
      problem = tryOne(seed);
    } catch (const std::exception& error) {
      problem = error.what();
    }
    if (!problem.empty()) addFailure(tally, {kind, seed, problem});
  }
  tally.seconds += watch.seconds();
}

void addFailure(Tally& tally, const TrialFailure& failure) {
  std::printf("FAILED %s, --seed %llu: %s\n", failure.kind.c_str(), static_cast<unsigned long long>(failure.seed),
              failure.what.c_str());
  std::fflush(stdout);
  tally.failures.push_back(failure);
}

int below(std::mt19937_64& random, int end) {
  return static_cast<int>(random() % static_cast<std::uint64_t>(end));
}

}  // namespace slipstream::test
