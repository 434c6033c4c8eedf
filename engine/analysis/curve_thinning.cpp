// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <set>
#include <tuple>
#include <utility>

#include "engine/analysis/curve_source.h"
#include "engine/base/clock.h"

// The curves of a chart, thinned for what it shows.
namespace slipstream {
namespace {

/// What a chart draws at most, over all of its curves: one column of samples a device pixel, fewer of each of many.
constexpr int pointBudget = 12'000, pointBudgetOfMany = 36'000;
constexpr int pointsPerColumn = 4, leastColumns = 24;
constexpr std::size_t mostGaps = 500;

/// Columns for raw and full lines where `curves` share a chart.
struct Columns {
  int raw, line;
};
Columns columnsFor(std::size_t curves, int columns, bool both) {
  const int budget = curves > mostWithRawLines ? pointBudgetOfMany : pointBudget;
  const int share = budget / pointsPerColumn / static_cast<int>(std::max<std::size_t>(curves, 1));
  const auto within = [](int wanted, int most) { return std::max(leastColumns, std::min(wanted, most)); };
  if (!both) return {0, within(columns, share)};
  return {within(columns, share * 2 / 3), within(columns / 2, share / 3)};  // smooth ones need no more
}

std::size_t countOf(const std::vector<Line>& lines) {
  std::size_t count = 0;
  for (const Line& line : lines) count += line.x.size();
  return count;
}

/// `thinned` is of `raw`, and keeps what is highest in every column.
std::optional<Spike> spikeOf(const std::vector<Line>& thinned, const Line& smoothed, const CurveQuery& query,
                             double first, double last) {
  std::optional<Spike> spike;
  double farthest = 0;
  for (const Line& line : thinned) {
    for (std::size_t i = 0; i < line.x.size(); ++i) {
      if (line.x[i] < first || line.x[i] > last) continue;
      const double base = smoothed.y[nearestIndex(smoothed.x, line.x[i])];
      if (query.logarithmic && base <= 0) continue;
      const double above = query.logarithmic ? line.y[i] / base - 1 : line.y[i] - base;
      if (!(above > farthest)) continue;
      farthest = above;
      spike = Spike{line.x[i], line.y[i], base};
    }
  }
  return spike;
}

/// A line ends where a stage does: what the next one begins with is none of its values.
std::vector<Line> cutAt(const std::vector<double>& begins, std::vector<Line> lines) {
  if (begins.empty()) return lines;
  std::vector<Line> cut;
  for (const Line& line : lines) {
    for (std::size_t i = 0; i < line.x.size(); ++i) {
      const auto next = std::upper_bound(begins.begin(), begins.end(), i == 0 ? line.x[0] : line.x[i - 1]);
      if (i == 0 || (next != begins.end() && line.x[i] >= *next)) cut.emplace_back();
      cut.back().x.push_back(line.x[i]);
      cut.back().y.push_back(line.y[i]);
    }
  }
  return cut;
}

std::optional<CurveSample> lastOf(const CurveSamples& samples) {
  if (samples.raw.y.empty()) return std::nullopt;
  const double raw = samples.raw.y.back();
  return CurveSample{samples.raw.x.back(), samples.smoothed.y.empty() ? raw : samples.smoothed.y.back(), raw};
}
std::optional<CurveSample> lastOf(const CurveOverview::Sample& sample) {
  return CurveSample{sample.x, sample.smoothed, sample.raw};
}

std::vector<double> within(const std::vector<double>& gaps, double first, double last) {
  const auto from = std::lower_bound(gaps.begin(), gaps.end(), first);
  const auto to = std::upper_bound(from, gaps.end(), last);
  const auto stride = std::max<std::ptrdiff_t>(1, (to - from) / static_cast<std::ptrdiff_t>(mostGaps));
  std::vector<double> some;
  for (auto gap = from; gap < to; gap += std::min(stride, to - gap)) some.push_back(*gap);
  return some;
}

}  // namespace

/// What the plans say: how far a run will go, where stages begin, what is aimed at.
void CurveSource::addPlans(RunStore& store, const CurveQuery& query, CurveAnswer& answer) {
  for (const CurveRun& run : query.runs) {
    const CurvePlan& plan = planOf(store, run);
    if (answer.ranks == 0) answer.ranks = plan.ranks;
    if (plan.stages.empty()) continue;
    if (!answer.targetAccuracy) answer.targetAccuracy = plan.stages.back().experiment.train.targetAccuracy;
    if (query.x == ChartX::wallTime || query.x == ChartX::relativeTime) continue;
    const auto place = [&](std::int64_t step) {
      return query.x == ChartX::step ? static_cast<double>(step) : plan.amount(step, query.x);
    };
    answer.first = std::min(answer.first, 0.0);
    answer.planned = std::max(answer.planned, place(plan.totalSteps));
    if (plan.stages.size() < 2 || !answer.borders.empty()) continue;
    for (const StagePlan& stage : plan.stages) answer.borders.push_back({place(stage.firstStep), stage.name});
  }
}

std::size_t CurveSource::seedsOf(RunStore& store, const CurveQuery& query, const Runs& runs) {
  std::set<std::uint64_t> seeds;
  for (const std::size_t run : runs) seeds.insert(planOf(store, query.runs[run]).seed);
  return seeds.size();
}

CurveAnswer CurveSource::read(RunStore& store, const CurveQuery& query, double seconds) {
  constexpr double almost = 0.9;  ///< of the plan: a run ends a step before its end, and its evaluations lie apart
  const Stopwatch watch;
  CurveAnswer answer;
  answer.first = std::numeric_limits<double>::infinity();
  answer.last = -answer.first;
  addPlans(store, query, answer);
  const std::vector<Runs> all = groups(store, query);
  readTogether(store, query, all, seconds);
  std::vector<std::pair<Runs, Known>> found;
  int read = 0;
  for (const Runs& runs : all) {
    Known curve = known(query, runs);
    if (curve.empty()) {
      if (read > 0 && watch.seconds() > seconds) {
        ++answer.unread;
        continue;
      }
      curve = readWhole(store, query, runs, all.size());
      ++read;
    }
    const bool none = curve.whole && curve.whole->raw.x.empty();
    if (none) continue;
    const auto [front, back] = curve.whole
                                   ? std::pair(curve.whole->raw.x.front(), curve.whole->raw.x.back())
                                   : std::pair(curve.overview->begins.front().x, curve.overview->begins.back().x);
    answer.first = std::min(answer.first, query.x == ChartX::wallTime ? front : std::min(0.0, front));
    answer.last = std::max(answer.last, back);
    found.emplace_back(runs, std::move(curve));
  }
  answer.damaged = damagedOf(query);
  if (answer.last >= almost * answer.planned) answer.last = std::max(answer.last, answer.planned);
  if (answer.first >= answer.last) std::tie(answer.first, answer.last) = std::pair(0.0, 1.0);
  const auto [from, to] = query.range.value_or(std::pair(answer.first, answer.last));
  for (const auto& [runs, curve] : found) {
    const bool smooth = curve.whole ? !curve.whole->smoothed.x.empty() : query.smoothing > 0;
    const bool raw = smooth && query.rawLine && !query.bands && all.size() <= mostWithRawLines;  // bands say more
    const Columns columns = columnsFor(all.size(), query.columns, raw);
    SamplesPointer samples = curve.whole;
    if (!samples) {
      const bool coarse =
          curve.overview->piecesWithin(from, to) >= static_cast<std::size_t>(std::max(columns.raw, columns.line));
      samples = coarse ? SamplesPointer(curve.overview, &curve.overview->thinned)
                       : part(store, query, runs, *curve.overview, curve.overview->stepsOf(from, to));
    }
    const auto thin = [&, from = from, to = to](const Line& line, int wide) {
      return cutAt(samples->begins, decimate(line, {from, to, wide}, query.logarithmic));
    };
    ThinCurve thinned;
    thinned.runs = runs;
    thinned.seeds = seedsOf(store, query, runs);
    thinned.samples = curve.overview ? curve.overview->samples : samples->raw.x.size();
    thinned.line = thin(smooth ? samples->smoothed : samples->raw, columns.line);
    if (raw) thinned.raw = thin(samples->raw, columns.raw);
    if (smooth) thinned.spike = spikeOf(thinned.raw, samples->smoothed, query, from, to);
    thinned.lowest = thin(samples->lowest, columns.line);
    thinned.highest = thin(samples->highest, columns.line);
    thinned.gaps = within(samples->gaps, from, to);
    thinned.last = curve.overview ? lastOf(curve.overview->begins.back()) : lastOf(*samples);
    answer.samples += thinned.samples;
    answer.drawn += countOf(thinned.raw) + countOf(thinned.line);
    answer.curves.push_back(std::move(thinned));
  }
  return answer;
}

}  // namespace slipstream
