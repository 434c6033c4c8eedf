// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "engine/record/run_record.h"

namespace slipstream {

/// Where a chart shows samples: x in [first, last] over `columns` device pixels.
struct VisibleRange {
  double first = 0;
  double last = 0;
  int columns = 1000;
};

/// Samples over any axis, x never falling. One that is drawn has no gaps: values that are NaN or infinite separate
/// two lines.
struct Line {
  std::vector<double> x;
  std::vector<double> y;
};

/// M4: of the samples in each pixel column the first, the lowest, the highest and the last, which draws the same pixels
/// as all samples do (Jugel, Jerzak, Hackenbroich, Markl: M4, VLDB 2014). `logarithmic` drops values that a log axis
/// cannot show, as a gap. The neighbours just outside the range are kept, so that lines reach its edges.
std::vector<Line> decimate(const Series& series, const VisibleRange& range, bool logarithmic = false);
/// The same over any axis; `samples` may have gaps.
std::vector<Line> decimate(const Line& samples, const VisibleRange& range, bool logarithmic = false);

/// M4 of every `piece` samples in place of every pixel column; a value that is NaN stands where lines are separate.
Line thinnedByPieces(const Line& samples, std::size_t piece);

/// The samples of steps [firstStep, endStep).
Series between(const Series& series, std::int64_t firstStep, std::int64_t endStep);

/// Exponential moving average with the bias of its start removed; not-finite values pass through and are left out.
Series smoothed(const Series& series, double factor);
std::vector<double> smoothed(std::vector<double> values, double factor);

struct SeriesSummary {
  double last = 0;
  double best = 0;  ///< of the finite values; NaN where there is none
  std::int64_t bestStep = 0;
};
/// Nothing for an empty series.
std::optional<SeriesSummary> summarize(const Series& series, bool higherIsBetter);

}  // namespace slipstream
