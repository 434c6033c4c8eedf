// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>

#include "engine/analysis/curve_source.h"

// The visible samples of a chart as a table.
namespace slipstream {
namespace {

constexpr double unbounded = std::numeric_limits<double>::infinity();

std::size_t countWithin(const std::vector<double>& x, std::pair<double, double> range) {
  const auto first = std::lower_bound(x.begin(), x.end(), range.first);
  const auto last = std::upper_bound(first, x.end(), range.second);
  return static_cast<std::size_t>(last - first);
}

/// At least so many samples of the curve lie within the range.
std::size_t countWithin(const CurveOverview& overview, std::pair<double, double> range) {
  const std::size_t whole = overview.piecesWithin(range.first, range.second);
  return whole < 2 ? 0 : std::min(overview.samples, (whole - 1) * overview.piece);
}

}  // namespace

CurveSource::Known CurveSource::knownOrRead(RunStore& store, const CurveQuery& query, const Runs& runs) {
  Known curve = known(query, runs);
  return curve.empty() ? readWhole(store, query, runs, 1) : curve;
}

std::optional<CurveTable> CurveSource::table(RunStore& store, const CurveQuery& query, std::size_t mostCells) {
  const auto range = query.range.value_or(std::pair(-unbounded, unbounded));
  CurveTable table;
  std::vector<std::pair<Runs, SamplesPointer>> all;
  for (Runs& runs : groups(store, query)) {
    const Known curve = knownOrRead(store, query, runs);
    const std::size_t count =
        curve.whole ? countWithin(curve.whole->raw.x, range) : countWithin(*curve.overview, range);
    if (table.x.size() + count > mostCells) return std::nullopt;
    const SamplesPointer samples =
        curve.whole ? curve.whole
                    : part(store, query, runs, *curve.overview, curve.overview->stepsOf(range.first, range.second));
    if (samples->raw.x.empty()) continue;
    for (const double x : samples->raw.x) {
      if (x >= range.first && x <= range.second) table.x.push_back(x);
    }
    all.emplace_back(std::move(runs), samples);
  }
  std::sort(table.x.begin(), table.x.end());
  table.x.erase(std::unique(table.x.begin(), table.x.end()), table.x.end());
  if (!all.empty() && table.x.size() > mostCells / all.size()) return std::nullopt;
  for (const auto& [runs, curve] : all) {
    std::vector<double> column(table.x.size());
    std::vector<bool> present(table.x.size());
    for (std::size_t i = 0; i < curve->raw.x.size(); ++i) {
      const auto row = std::lower_bound(table.x.begin(), table.x.end(), curve->raw.x[i]);
      if (row == table.x.end() || *row != curve->raw.x[i]) continue;
      column[static_cast<std::size_t>(row - table.x.begin())] = curve->raw.y[i];
      present[static_cast<std::size_t>(row - table.x.begin())] = true;
    }
    table.runs.push_back(runs);
    table.values.push_back(std::move(column));
    table.present.push_back(std::move(present));
  }
  return table;
}

}  // namespace slipstream
