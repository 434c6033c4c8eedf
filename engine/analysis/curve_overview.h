// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "engine/record/series.h"
#include "engine/store/run_store.h"

namespace slipstream {

/// The samples of one curve over some axis: all of them, or those of a part.
struct CurveSamples {
  Line raw;
  Line smoothed;                    ///< empty where nothing is smoothed
  Line lowest, highest;             ///< only where there are several seeds
  std::vector<double> gaps;         ///< x of samples that are no numbers
  std::vector<double> begins;       ///< x of the samples with which a later stage begins: no line leads there
  std::vector<std::int64_t> steps;  ///< of a part's samples
  std::size_t bytes() const;
};

/// What is kept of a curve that is too long to be kept whole. It draws the same lines wherever a pixel column holds a
/// piece or more.
struct CurveOverview {
  CurveSamples thinned;     ///< of each piece the first, the lowest, the highest and the last sample
  std::size_t samples = 0;  ///< of the whole curve
  std::size_t piece = 1;    ///< samples of each

  /// The first sample of each piece, and the last of all.
  struct Sample {
    std::int64_t step = 0;
    double x = 0, smoothed = 0, raw = 0;
  };
  std::vector<Sample> begins;

  /// Pieces that begin in a range of x.
  std::size_t piecesWithin(double first, double last) const;
  /// Of the pieces that meet a range of x.
  StepRange stepsOf(double first, double last) const;
  /// The first sample of a piece that is nearest to x.
  std::size_t nearest(double x) const;
  std::size_t bytes() const;
};

/// A curve of fewer samples is always kept whole.
inline constexpr std::size_t longCurve = std::size_t{1} << 15;

/// The place in rising `x`, which has at least one, that is nearest to `place`.
std::size_t nearestIndex(const std::vector<double>& x, double place);

/// `steps`: of the curve's samples, of which there is at least one.
CurveOverview overviewOf(const CurveSamples& curve, const std::vector<std::int64_t>& steps);

/// The range made wider, so that many ranges near it are the same one.
StepRange roundedOut(const StepRange& steps);

}  // namespace slipstream
