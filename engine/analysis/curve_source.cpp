// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/analysis/curve_source.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>

#include <fmt/format.h>

#include "engine/analysis/plan_differences.h"
#include "engine/analysis/seed_band.h"
#include "engine/base/text.h"
#include "engine/plan/run_plan.h"
#include "engine/runs/run_outcome.h"
#include "engine/store/verified_checkpoint.h"

namespace slipstream {
namespace {

constexpr std::size_t mostBytes = std::size_t{512} << 20;
/// What a chart draws at most, over all of its curves: one column of samples a device pixel, fewer of each of many.
constexpr int pointBudget = 12'000;
constexpr int pointsPerColumn = 4, leastColumns = 24;
constexpr std::size_t fewSamples = 64;  ///< below, nothing is smoothed
constexpr std::size_t mostGaps = 500;

/// Columns for raw and full lines where `curves` share a chart.
struct Columns {
  int raw, line;
};
Columns columnsFor(std::size_t curves, int columns, bool both) {
  const int share = pointBudget / pointsPerColumn / static_cast<int>(std::max<std::size_t>(curves, 1));
  const auto within = [](int wanted, int most) { return std::max(leastColumns, std::min(wanted, most)); };
  if (!both) return {0, within(columns, share)};
  return {within(columns, share * 2 / 3), within(columns / 2, share / 3)};  // smooth ones need no more
}

std::string keyOf(const CurveRun& run, const std::string& metric) {
  return fmt::format("series\n{}\n{}\n{}", run.id, run.version, metric);
}

std::size_t countOf(const std::vector<Line>& lines) {
  std::size_t count = 0;
  for (const Line& line : lines) count += line.x.size();
  return count;
}

std::size_t indexAt(const std::vector<double>& x, double place) {
  const auto after = std::lower_bound(x.begin(), x.end(), place);
  auto index = static_cast<std::size_t>(after - x.begin());
  if (index == x.size()) return x.size() - 1;
  if (index > 0 && place - x[index - 1] < x[index] - place) --index;
  return index;
}

/// The series with nanoseconds since its run began in place of the time of day.
Series timedFromStart(Series series, const CurvePlan& plan) {
  const std::vector<double> seconds = placesOf(series, plan, ChartX::relativeTime);
  for (std::size_t i = 0; i < seconds.size(); ++i) {
    series.wallNanoseconds[i] = static_cast<std::int64_t>(std::llround(seconds[i] * 1e9));
  }
  return series;
}

/// Never falling: where fewer seeds have a step, the mean of their times may be earlier than that of the step before.
std::vector<double> secondsOf(const Series& series) {
  std::vector<double> seconds;
  for (const std::int64_t nanoseconds : series.wallNanoseconds) {
    const double second = 1e-9 * static_cast<double>(nanoseconds);
    seconds.push_back(seconds.empty() ? second : std::max(second, seconds.back()));
  }
  return seconds;
}

}  // namespace

/// One curve over the axis that was asked for, whole.
struct CurveSource::Curve {
  Line raw, smoothed, lowest, highest;  ///< the bands' only where there are several seeds
  std::vector<double> gaps;
  std::vector<double> begins;  ///< x of the samples with which a later stage begins: no line leads there
};

CurveSource::CurveSource() : kept_(mostBytes) {}
CurveSource::~CurveSource() = default;

const CurvePlan& CurveSource::planOf(RunStore& store, const CurveRun& run) {
  std::unique_ptr<CurvePlan>& plan = plans_[run.id];
  // Plans never change, but a run begins once.
  if (plan && (plan->startedAt != 0 || plan->version == run.version)) return *plan;
  plan = std::make_unique<CurvePlan>();
  if (const auto record = store.find(run.id)) *plan = curvePlanOf(*record);
  plan->version = run.version;
  return *plan;
}

std::shared_ptr<const Series> CurveSource::seriesOf(RunStore& store, const CurveRun& run, const std::string& metric) {
  const std::string key = keyOf(run, metric);
  if (auto known = kept_.find<Series>(key)) return known;
  auto series = std::make_shared<Series>();
  std::vector<std::string> damaged;
  if (!store.find(run.id)) return series;  // gone since it was chosen
  if (endsWith(metric, "*")) {
    const std::string prefix = metric.substr(0, metric.size() - 1);
    std::vector<Series> all;
    for (const std::string& name : intactMetricNames(store, run.id, damaged)) {
      if (startsWith(name, prefix)) all.push_back(readIntactSeries(store, run.id, name, damaged));
    }
    std::vector<const Series*> parts;
    for (const Series& part : all) parts.push_back(&part);
    *series = bundleOf(parts).mean;
  } else {
    *series = readIntactSeries(store, run.id, metric, damaged);
  }
  if (!damaged.empty()) damaged_.insert(key);
  kept_.keep(key, series, 24 * series->steps.size() + key.size());
  return series;
}

std::vector<std::size_t> CurveSource::damagedOf(const CurveQuery& query) const {
  std::vector<std::size_t> damaged;
  for (std::size_t i = 0; i < query.runs.size(); ++i) {
    if (damaged_.contains(keyOf(query.runs[i], query.metric))) damaged.push_back(i);
  }
  return damaged;
}

/// Each run alone, or runs of one variant that differ in their seed alone together, as comparisons group them.
std::vector<std::vector<std::size_t>> CurveSource::groups(RunStore& store, const CurveQuery& query) {
  std::vector<std::vector<std::size_t>> groups;
  for (std::size_t i = 0; i < query.runs.size(); ++i) {
    const auto same = std::find_if(groups.begin(), groups.end(), [&](const std::vector<std::size_t>& group) {
      if (!query.bands) return false;
      const CurvePlan& plan = planOf(store, query.runs[i]);
      const CurvePlan& first = planOf(store, query.runs[group.front()]);
      return !plan.stages.empty() && first.variant == plan.variant && first.asked == plan.asked;
    });
    if (same == groups.end()) {
      groups.push_back({i});
    } else {
      same->push_back(i);
    }
  }
  return groups;
}

CurveSource::CurvePointer CurveSource::curve(RunStore& store, const CurveQuery& query,
                                             const std::vector<std::size_t>& runs) {
  std::string key =
      fmt::format("curve\n{}\n{}\n{}\n{}", query.metric, query.factor, static_cast<int>(query.x), query.smoothing);
  for (const std::size_t run : runs) key += fmt::format("\n{}\n{}", query.runs[run].id, query.runs[run].version);
  if (auto known = kept_.find<Curve>(key)) return known;

  std::vector<std::shared_ptr<const Series>> seeds;
  for (const std::size_t run : runs) seeds.push_back(seriesOf(store, query.runs[run], query.metric));
  // Seeds ran at other hours: only the time since each began can be averaged.
  const bool sinceStart = seeds.size() > 1 && query.x == ChartX::relativeTime;
  if (sinceStart) {
    for (std::size_t i = 0; i < seeds.size(); ++i) {
      seeds[i] = std::make_shared<Series>(timedFromStart(*seeds[i], planOf(store, query.runs[runs[i]])));
    }
  }
  SeedBand bundle;
  if (seeds.size() > 1) {
    std::vector<const Series*> all;
    for (const auto& seed : seeds) all.push_back(seed.get());
    bundle = bundleOf(all);
  } else {
    bundle.mean = *seeds.front();
  }
  const CurvePlan& plan = planOf(store, query.runs[runs.front()]);
  auto made = std::make_shared<Curve>();
  made->raw.x = sinceStart ? secondsOf(bundle.mean) : placesOf(bundle.mean, plan, query.x);
  const std::vector<double>& x = made->raw.x;
  for (const std::size_t begin : stageBegins(bundle.mean, plan, query.metric)) made->begins.push_back(x[begin]);
  const auto smoothedOf = [&](const Series& series) {
    return smoothedByStage(series, plan, query.metric, query.smoothing);
  };
  const auto shown = [&](Series series) {
    for (double& value : series.values) value *= query.factor;
    return series;
  };
  Series raw = shown(std::move(bundle.mean));
  for (std::size_t i = 0; i < raw.values.size(); ++i) {
    if (!std::isfinite(raw.values[i])) made->gaps.push_back(x[i]);
  }
  const bool smooth = query.smoothing > 0 && raw.values.size() >= fewSamples;
  if (smooth) made->smoothed = {x, smoothedOf(raw)};
  if (seeds.size() > 1) {
    const auto bound = [&](Series series) {
      series = shown(std::move(series));
      return Line{x, smooth ? smoothedOf(series) : std::move(series.values)};
    };
    made->lowest = bound(std::move(bundle.lowest));
    made->highest = bound(std::move(bundle.highest));
  }
  made->raw.y = std::move(raw.values);
  const std::size_t lines = (smooth ? 2U : 1U) + (seeds.size() > 1 ? 2U : 0U);
  kept_.keep(key, made, 16 * lines * made->raw.x.size() + key.size());
  return made;
}

std::vector<std::pair<std::vector<std::size_t>, CurveSource::CurvePointer>> CurveSource::curves(
    RunStore& store, const CurveQuery& query) {
  std::vector<std::pair<std::vector<std::size_t>, CurvePointer>> all;
  for (std::vector<std::size_t>& runs : groups(store, query)) {
    CurvePointer one = curve(store, query, runs);
    if (!one->raw.x.empty()) all.emplace_back(std::move(runs), std::move(one));
  }
  return all;
}

namespace {

/// `thinned` is of `raw`, and keeps what is highest in every column.
std::optional<Spike> spikeOf(const std::vector<Line>& thinned, const Line& smoothed, const CurveQuery& query,
                             double first, double last) {
  std::optional<Spike> spike;
  double farthest = 0;
  for (const Line& line : thinned) {
    for (std::size_t i = 0; i < line.x.size(); ++i) {
      if (line.x[i] < first || line.x[i] > last) continue;
      const double base = smoothed.y[indexAt(smoothed.x, line.x[i])];
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
    answer.last = std::max(answer.last, place(plan.totalSteps));
    if (plan.stages.size() < 2 || !answer.borders.empty()) continue;
    for (const StagePlan& stage : plan.stages) answer.borders.push_back({place(stage.firstStep), stage.name});
  }
}

CurveAnswer CurveSource::read(RunStore& store, const CurveQuery& query) {
  const auto all = curves(store, query);
  CurveAnswer answer;
  answer.damaged = damagedOf(query);
  answer.first = std::numeric_limits<double>::infinity();
  answer.last = -answer.first;
  addPlans(store, query, answer);
  for (const auto& [runs, curve] : all) {
    const std::vector<double>& x = curve->raw.x;
    answer.first = std::min(answer.first, query.x == ChartX::wallTime ? x.front() : std::min(0.0, x.front()));
    answer.last = std::max(answer.last, x.back());
  }
  if (answer.first >= answer.last) std::tie(answer.first, answer.last) = std::pair(0.0, 1.0);
  const auto [from, to] = query.range.value_or(std::pair(answer.first, answer.last));
  for (const auto& [runs, curve] : all) {
    const bool smooth = !curve->smoothed.x.empty();
    const Columns columns = columnsFor(all.size(), query.columns, smooth && query.rawLine);
    const auto thin = [&, &begins = curve->begins](const Line& line, int wide) {
      return cutAt(begins, decimate(line, {from, to, wide}, query.logarithmic));
    };
    ThinCurve thinned;
    thinned.runs = runs;
    thinned.samples = curve->raw.x.size();
    thinned.line = thin(smooth ? curve->smoothed : curve->raw, columns.line);
    if (smooth && query.rawLine) thinned.raw = thin(curve->raw, columns.raw);
    if (smooth) thinned.spike = spikeOf(thinned.raw, curve->smoothed, query, from, to);
    thinned.lowest = thin(curve->lowest, columns.line);
    thinned.highest = thin(curve->highest, columns.line);
    thinned.gaps = within(curve->gaps, from, to);
    answer.samples += thinned.samples;
    answer.drawn += countOf(thinned.raw) + countOf(thinned.line);
    answer.curves.push_back(std::move(thinned));
  }
  return answer;
}

CursorAnswer CurveSource::at(RunStore& store, const CurveQuery& query, double x, int move) {
  const auto all = curves(store, query);
  CursorAnswer answer{x, {}};
  if (all.empty()) return answer;
  if (move != 0) {
    const std::vector<double>& places = all.front().second->raw.x;
    const auto from = static_cast<std::int64_t>(indexAt(places, x));
    answer.x = places[static_cast<std::size_t>(std::clamp<std::int64_t>(from + move, 0, std::ssize(places) - 1))];
  }
  for (const auto& [runs, curve] : all) {
    const Line& raw = curve->raw;
    if (answer.x < raw.x.front() || answer.x > raw.x.back()) continue;
    const std::size_t index = indexAt(raw.x, answer.x);
    const double smoothed = curve->smoothed.y.empty() ? raw.y[index] : curve->smoothed.y[index];
    answer.readings.push_back({runs, raw.x[index], smoothed, raw.y[index]});
  }
  return answer;
}

CurveTable CurveSource::table(RunStore& store, const CurveQuery& query) {
  CurveTable table;
  const auto all = curves(store, query);
  const auto [from, to] = query.range.value_or(
      std::pair(-std::numeric_limits<double>::infinity(), std::numeric_limits<double>::infinity()));
  for (const auto& [runs, curve] : all) {
    for (const double x : curve->raw.x) {
      if (x >= from && x <= to) table.x.push_back(x);
    }
  }
  std::sort(table.x.begin(), table.x.end());
  table.x.erase(std::unique(table.x.begin(), table.x.end()), table.x.end());
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
