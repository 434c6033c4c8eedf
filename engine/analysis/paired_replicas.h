// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/analysis/comparison.h"
#include "engine/statistics/paired.h"

namespace slipstream {

/// A stage of a variant.
struct StageOfVariant {
  const Variant& variant;
  std::size_t stage = 0;

  const std::string& name() const { return variant.outcomes.front().stages.at(stage).stage.name; }
};

/// One measure of two stages, paired by seed: of comparable runs, several of one seed being averaged. Where
/// two seeds gave the same bits on both sides, the second is the first again and is left out; times of such runs are
/// measurements of their own.
struct PairedReplicas {
  std::vector<std::uint64_t> seeds;
  std::vector<double> reference, value;
  /// Standard error of the difference from the test set, by independent samples on both sides, which is an upper bound:
  /// both were judged on the same ones. NaN where it was not recorded.
  double testSetError = 0;

  PairedDifferences differences() const;
};

PairedReplicas pairReplicas(const StageOfVariant& reference, const StageOfVariant& other, const Measure& measure);

/// Seeds of one variant whose runs gave the same bits.
std::vector<IdenticalSeeds> identicalSeeds(const std::vector<Variant>& variants);

}  // namespace slipstream
