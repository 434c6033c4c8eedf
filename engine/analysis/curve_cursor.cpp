// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <utility>

#include "engine/analysis/curve_source.h"
#include "engine/base/clock.h"

// What curves are worth under a cursor.
namespace slipstream {

/// `move` samples from the one that is nearest to x.
double CurveSource::moved(RunStore& store, const CurveQuery& query, const Runs& runs, const Known& known, double x,
                          int move) {
  const auto within = [](std::int64_t index, std::size_t count) {
    return static_cast<std::size_t>(std::clamp<std::int64_t>(index, 0, static_cast<std::int64_t>(count) - 1));
  };
  if (known.whole) {
    const std::vector<double>& places = known.whole->raw.x;
    return places[within(static_cast<std::int64_t>(nearestIndex(places, x)) + move, places.size())];
  }
  const CurveOverview& overview = *known.overview;
  const auto samplesAt = [&](const StepRange& steps) { return part(store, query, runs, overview, steps); };
  // From the beginning of the piece before x, whose number is known.
  const std::size_t near = overview.nearest(x);
  const std::size_t piece = near > 0 && overview.begins[near].x > x ? near - 1 : near;
  const std::int64_t begin = overview.begins[piece].step;
  const SamplesPointer here = samplesAt({begin, overview.begins[std::min(piece + 1, overview.begins.size() - 1)].step});
  const auto offset = static_cast<std::int64_t>(nearestIndex(here->raw.x, x)) -
                      (std::ranges::lower_bound(here->steps, begin) - here->steps.begin());
  const std::int64_t first = static_cast<std::int64_t>(std::min(piece * overview.piece, overview.samples - 1));
  const std::size_t wanted = within(first + offset + move, overview.samples);
  const std::size_t wantedPiece = wanted / overview.piece;
  const std::int64_t wantedBegin = overview.begins[wantedPiece].step;
  const SamplesPointer there =
      samplesAt({wantedBegin, overview.begins[std::min(wantedPiece + 1, overview.begins.size() - 1)].step});
  const auto at = (std::ranges::lower_bound(there->steps, wantedBegin) - there->steps.begin()) +
                  static_cast<std::int64_t>(wanted % overview.piece);
  return there->raw.x[within(at, there->raw.x.size())];
}

/// The samples around x: those that the chart shows already, else a few, which are read where that is allowed; else
/// null.
CurveSource::SamplesPointer CurveSource::samplesAt(RunStore& store, const CurveQuery& query, const Runs& runs,
                                                   const CurveOverview& overview, double x, bool mayRead) {
  if (query.range && x >= query.range->first && x <= query.range->second) {
    const StepRange shown = overview.stepsOf(query.range->first, query.range->second);
    if (auto known = knownPart(query, runs, shown)) return known;
  }
  const StepRange near = overview.stepsOf(x, x);
  return mayRead ? part(store, query, runs, overview, near) : knownPart(query, runs, near);
}

std::optional<CurveReading> CurveSource::readingAt(RunStore& store, const CurveQuery& query, const Runs& runs,
                                                   const Known& known, double x, ReadingMode mode) {
  if (known.overview) {
    const std::vector<CurveOverview::Sample>& begins = known.overview->begins;
    if (x < begins.front().x || x > begins.back().x) return std::nullopt;
  }
  SamplesPointer samples = known.whole;
  if (!samples) {
    const CurveOverview& overview = *known.overview;
    const bool coarse = !query.range || overview.piecesWithin(query.range->first, query.range->second) >=
                                            static_cast<std::size_t>(query.columns);
    if (coarse && !mode.exact) {
      const CurveOverview::Sample& sample = overview.begins[overview.nearest(x)];
      return CurveReading{runs, sample.x, sample.smoothed, sample.raw};
    }
    samples = samplesAt(store, query, runs, overview, x, mode.mayRead);
    if (!samples) return std::nullopt;
  }
  const Line& raw = samples->raw;
  if (raw.x.empty() || x < raw.x.front() || x > raw.x.back()) return std::nullopt;
  const std::size_t index = nearestIndex(raw.x, x);
  const double smoothed = samples->smoothed.y.empty() ? raw.y[index] : samples->smoothed.y[index];
  return CurveReading{runs, raw.x[index], smoothed, raw.y[index]};
}

CursorAnswer CurveSource::at(RunStore& store, const CurveQuery& query, double x, int move, bool exact) {
  constexpr double timeout = 0.1;
  const Stopwatch watch;
  CursorAnswer answer{x, {}};
  bool first = true;
  const std::vector<Runs> all = groups(store, query);
  for (const Runs& runs : all) {
    Known curve = known(query, runs);
    if (curve.empty() && watch.seconds() < timeout) curve = readWhole(store, query, runs, all.size());
    if (curve.empty() || (curve.whole && curve.whole->raw.x.empty())) continue;
    if (std::exchange(first, false) && move != 0) answer.x = moved(store, query, runs, curve, x, move);
    const ReadingMode mode{exact || move != 0, watch.seconds() < timeout};
    if (auto reading = readingAt(store, query, runs, curve, answer.x, mode)) {
      answer.readings.push_back(std::move(*reading));
    }
  }
  return answer;
}

}  // namespace slipstream
