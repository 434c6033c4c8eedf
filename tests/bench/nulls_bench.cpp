// SPDX-License-Identifier: GPL-3.0-or-later
// How often a comparison of variants that do not differ says that they do, by the product's own comparison.
// `bench_nulls [DRAWS]`: 20,000 draws each unless told otherwise.
#include <cstdio>
#include <cstdlib>

#include <nlohmann/json.hpp>

#include "tests/support/null_comparison.h"

int main(int count, char** values) {
  using slipstream::test::NullStudy;
  const int draws = count > 1 ? std::atoi(values[1]) : 20'000;
  constexpr double mostFalse = 0.055;
  bool met = true;
  const auto measure = [&](const NullStudy& study) {
    const double share = slipstream::test::falseVerdicts(study, draws, 1);
    met = met && share <= mostFalse;
    const nlohmann::json line{{"bench", "nulls"},
                              {"seeds", study.seeds},
                              {"variants", study.variants},
                              {"stages", study.stages},
                              {"correlation", study.correlation},
                              {"test_set_error", study.testSetError},
                              {"draws", draws},
                              {"false_verdicts", share},
                              {"bar", mostFalse}};
    std::printf("%s\n", line.dump().c_str());
    std::fflush(stdout);
  };
  for (const int seeds : {3, 5, 10}) {
    for (const double error : {0.0, 0.5, 5.0}) {
      measure({.variants = 1, .seeds = seeds, .correlation = 0.6, .testSetError = error});
      measure({.variants = 4, .seeds = seeds, .correlation = 0.6, .testSetError = error});
      measure({.variants = 4, .seeds = seeds, .correlation = 0, .testSetError = error});
    }
    measure({.variants = 0, .seeds = seeds, .testSetError = 0, .stages = 6});
    measure({.variants = 2, .seeds = seeds, .testSetError = 0.2, .stages = 3});
  }
  return met ? 0 : 1;
}
