// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cmath>
#include <stdexcept>
#include <string>

#include "engine/analysis/comparison.h"
#include "engine/base/random.h"

namespace slipstream::test {

/// Variants between which there is no difference, to be compared over and over.
struct NullStudy {
  int variants = 3;  ///< beside the reference
  int seeds = 3;
  double correlation = 0.6;   ///< between the measures of a run
  double testSetError = 0.5;  ///< of a variant's accuracy and loss, as a share of the deviation between seeds
  int stages = 1;             ///< later ones start from the first
};

namespace null_study {

/// What a run measures of each quantity that is judged: mean and standard deviation between seeds.
struct Measured {
  const char* key;
  double mean, deviation;
  bool onTestSet;
};
inline constexpr Measured measured[] = {
    {"accuracy", 95, 0.3, true},          {"test_loss", 0.12, 0.01, true}, {"final_loss", 0.14, 0.01, false},
    {"best_accuracy", 96, 0.3, false},    {"best_loss", 0.1, 0.01, false}, {"step_milliseconds", 40, 5, false},
    {"training_seconds", 10, 1.5, false},
};

inline std::size_t placeOf(const std::string& key) {
  std::size_t place = 0;
  while (measured[place].key != key) {
    if (++place == std::size(measured)) throw std::out_of_range("nothing measures " + key);
  }
  return place;
}

inline StageOutcome stageOf(const NullStudy& study, int index) {
  StageOutcome stage;
  stage.stage.name = "stage " + std::to_string(index);
  if (index > 0) stage.stage.start.stage = "stage 0";
  for (const Measured& one : measured) {
    if (one.onTestSet) stage.testSetError[one.key] = study.testSetError * one.deviation;
  }
  return stage;
}

}  // namespace null_study

/// The runs, without what they measured.
inline std::vector<Variant> nullVariants(const NullStudy& study) {
  std::vector<Variant> variants;
  for (int number = 0; number <= study.variants; ++number) {
    Variant variant;
    variant.label = std::to_string(number);
    variant.outcomes.resize(static_cast<std::size_t>(study.seeds));
    for (int seed = 0; seed < study.seeds; ++seed) {
      RunOutcome& run = variant.outcomes[static_cast<std::size_t>(seed)];
      run.run.seed = static_cast<std::uint64_t>(seed);
      run.run.state = RunState::done;
      run.staged = study.stages > 1;
      for (int index = 0; index < study.stages; ++index) run.stages.push_back(null_study::stageOf(study, index));
    }
    variants.push_back(std::move(variant));
  }
  return variants;
}

/// One draw: measures are correlated normal variables, paired by seed. On the test set a variant's stage is off by as
/// much for every seed.
inline void drawNull(const NullStudy& study, Random& random, Comparison& comparison) {
  using null_study::measured;
  const auto draw = [&](double common) {
    return std::sqrt(study.correlation) * common + std::sqrt(1 - study.correlation) * random.normal();
  };
  for (Variant& variant : comparison.variants) {
    for (RunOutcome& run : variant.outcomes) run.results = std::to_string(random.uniform());
    for (int index = 0; index < study.stages; ++index) {
      const auto at = static_cast<std::size_t>(index);
      const double commonError = random.normal();
      std::array<double, std::size(measured)> offsets{};
      const auto& errors = variant.outcomes.front().stages[at].testSetError;
      for (const auto& [key, error] : errors) offsets[null_study::placeOf(key)] = error * draw(commonError);
      for (RunOutcome& run : variant.outcomes) {
        const double common = random.normal();
        for (std::size_t i = 0; i < std::size(measured); ++i) {
          const null_study::Measured& one = measured[i];
          run.stages[at].measured[one.key] = one.mean + one.deviation * draw(common) + offsets[i];
        }
      }
    }
  }
  comparison.compared.clear();
  comparison.comparedStages.clear();
  judge(comparison);
}

inline Comparison drawNull(const NullStudy& study, Random& random) {
  Comparison comparison;
  comparison.variants = nullVariants(study);
  drawNull(study, random, comparison);
  return comparison;
}

inline bool hasVerdict(const std::vector<ComparedMeasure>& measures) {
  for (const ComparedMeasure& one : measures) {
    const bool claims = one.verdict == ComparisonVerdict::better || one.verdict == ComparisonVerdict::worse ||
                        one.verdict == ComparisonVerdict::costsMore;
    if (claims) return true;
  }
  return false;
}

/// Whether any verdict of the comparison says that there is a difference.
inline bool claimsDifference(const Comparison& comparison) {
  for (const ComparedVariant& compared : comparison.compared) {
    if (hasVerdict(compared.measures)) return true;
  }
  for (const ComparedStages& compared : comparison.comparedStages) {
    if (hasVerdict(compared.measures)) return true;
  }
  return false;
}

/// The share of `draws` comparisons that claim a difference where there is none.
inline double falseVerdicts(const NullStudy& study, int draws, std::uint64_t seed) {
  Random random(seed, RandomStream::test);
  int wrong = 0;
  Comparison comparison;
  comparison.variants = nullVariants(study);
  for (int i = 0; i < draws; ++i) {
    drawNull(study, random, comparison);
    wrong += claimsDifference(comparison) ? 1 : 0;
  }
  return static_cast<double>(wrong) / draws;
}

}  // namespace slipstream::test
