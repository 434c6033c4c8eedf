// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/analysis/curve_source.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <exception>
#include <limits>
#include <thread>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "engine/analysis/plan_differences.h"
#include "engine/analysis/seed_band.h"
#include "engine/base/clock.h"
#include "engine/base/text.h"
#include "engine/plan/run_plan.h"
#include "engine/runs/run_outcome.h"
#include "engine/store/verified_checkpoint.h"

namespace slipstream {
namespace {

/// What a chart draws at most, over all of its curves: one column of samples a device pixel, fewer of each of many.
constexpr int pointBudget = 12'000, pointBudgetOfMany = 36'000;
constexpr int pointsPerColumn = 4, leastColumns = 24;
constexpr std::size_t fewSamples = 64;  ///< below, nothing is smoothed
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

std::string keyOf(const CurveQuery& query, const std::vector<std::size_t>& runs) {
  std::string key =
      fmt::format("curve\n{}\n{}\n{}\n{}", query.metric, query.factor, static_cast<int>(query.x), query.smoothing);
  for (const std::size_t run : runs) key += fmt::format("\n{}\n{}", query.runs[run].id, query.runs[run].version);
  return key;
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

CurveSource::CurveSource(std::size_t mostBytes) : mostBytes_(mostBytes), kept_(mostBytes), overviews_(mostBytes) {}
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

/// Where `steps` are given, only of them.
Series CurveSource::readSeries(RunStore& store, const CurveRun& run, const std::string& metric,
                               const std::optional<StepRange>& steps, std::vector<std::string>& damaged) {
  const auto read = [&](const std::string& name) {
    return steps ? readIntactSeries(store, run.id, name, damaged, *steps)
                 : readIntactSeries(store, run.id, name, damaged);
  };
  if (!endsWith(metric, "*")) return read(metric);
  const std::string prefix = metric.substr(0, metric.size() - 1);
  std::vector<Series> all;
  for (const std::string& name : intactMetricNames(store, run.id, damaged)) {
    if (startsWith(name, prefix)) all.push_back(read(name));
  }
  std::vector<const Series*> parts;
  for (const Series& one : all) parts.push_back(&one);
  return bundleOf(parts).mean;
}

std::shared_ptr<const Series> CurveSource::seriesOf(RunStore& store, const CurveRun& run, const std::string& metric) {
  const std::string key = keyOf(run, metric);
  if (auto known = kept_.find<Series>(key)) return known;
  auto series = std::make_shared<Series>();
  if (!store.stateOf(run.id)) return series;  // gone since it was chosen
  std::vector<std::string> damaged;
  *series = readSeries(store, run, metric, {}, damaged);
  if (!damaged.empty()) damaged_.insert(key);
  // A long one would drive out what is drawn of others.
  if (series->steps.size() < longCurve) kept_.keep(key, series, 24 * series->steps.size() + key.size());
  return series;
}

CurveSource::Runs CurveSource::damagedOf(const CurveQuery& query) const {
  Runs damaged;
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

/// `smooth`: the whole curve has enough samples for it. The samples' steps go to `steps` where they are asked for.
CurveSamples CurveSource::samplesOf(RunStore& store, const CurveQuery& query, const Runs& runs,
                                    std::vector<std::shared_ptr<const Series>> seeds, bool smooth,
                                    std::vector<std::int64_t>* steps) {
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
  }
  const Series& mean = seeds.size() > 1 ? bundle.mean : *seeds.front();
  const CurvePlan& plan = planOf(store, query.runs[runs.front()]);
  CurveSamples made;
  made.raw.x = sinceStart ? secondsOf(mean) : placesOf(mean, plan, query.x);
  const std::vector<double>& x = made.raw.x;
  for (const std::size_t begin : stageBegins(mean, plan, query.metric)) made.begins.push_back(x[begin]);
  const auto shown = [&](std::vector<double> values) {
    if (query.factor == 1) return values;
    for (double& value : values) value *= query.factor;
    return values;
  };
  const auto smoothedOf = [&](const Series& series) {
    return shown(smoothedByStage(series, plan, query.metric, query.smoothing));
  };
  if (smooth) made.smoothed = {x, smoothedOf(mean)};
  if (seeds.size() > 1) {
    const auto bound = [&](const Series& series) {
      return Line{x, smooth ? smoothedOf(series) : shown(series.values)};
    };
    made.lowest = bound(bundle.lowest);
    made.highest = bound(bundle.highest);
  }
  made.raw.y = shown(mean.values);
  for (std::size_t i = 0; i < made.raw.y.size(); ++i) {
    if (!std::isfinite(made.raw.y[i])) made.gaps.push_back(x[i]);
  }
  if (steps != nullptr) *steps = mean.steps;
  return made;
}

CurveSource::Known CurveSource::known(const CurveQuery& query, const Runs& runs) {
  const std::string key = keyOf(query, runs);
  return {kept_.find<CurveSamples>(key), overviews_.find<CurveOverview>(key)};
}

/// Touches nothing that is kept, so that several threads may, each with a store of its own. `curves`: how many share
/// the chart. Long ones that would not all fit are kept as overviews alone.
CurveSource::Made CurveSource::make(RunStore& store, const CurveQuery& query, const Runs& runs,
                                    std::vector<std::shared_ptr<const Series>> seeds, std::size_t curves) {
  std::size_t longest = 0;
  for (const auto& seed : seeds) longest = std::max(longest, seed->values.size());
  std::vector<std::int64_t> steps;
  const bool isLong = longest >= longCurve;
  Made made;
  auto whole = std::make_shared<CurveSamples>(samplesOf(
      store, query, runs, std::move(seeds), query.smoothing > 0 && longest >= fewSamples, isLong ? &steps : nullptr));
  if (isLong) made.curve.overview = std::make_shared<CurveOverview>(overviewOf(*whole, steps));
  if (!isLong || whole->bytes() * curves <= mostBytes_ / 2) made.curve.whole = std::move(whole);
  return made;
}

void CurveSource::keep(const CurveQuery& query, const Runs& runs, const Made& made) {
  const std::string key = keyOf(query, runs);
  if (made.curve.overview) overviews_.keep(key, made.curve.overview, made.curve.overview->bytes() + key.size());
  if (made.curve.whole) kept_.keep(key, made.curve.whole, made.curve.whole->bytes() + key.size());
  damaged_.insert(made.damaged.begin(), made.damaged.end());
}

CurveSource::Known CurveSource::readWhole(RunStore& store, const CurveQuery& query, const Runs& runs,
                                          std::size_t curves) {
  std::vector<std::shared_ptr<const Series>> seeds;
  for (const std::size_t run : runs) seeds.push_back(seriesOf(store, query.runs[run], query.metric));
  const Made made = make(store, query, runs, std::move(seeds), curves);
  keep(query, runs, made);
  return made.curve;
}

/// Reads the curves that are not known, as many at once as there are processors, each with a connection of its own,
/// until the time is over.
void CurveSource::readTogether(RunStore& store, const CurveQuery& query, const std::vector<Runs>& all, double seconds) {
  constexpr std::size_t worthwhile = 8, mostThreads = 8;
  std::vector<const Runs*> wanted;
  for (const Runs& runs : all) {
    if (known(query, runs).empty()) wanted.push_back(&runs);
  }
  if (wanted.size() < worthwhile) return helpers_.clear();
  const std::size_t threads = std::clamp<std::size_t>(std::thread::hardware_concurrency(), 1, mostThreads);
  std::erase_if(helpers_,
                [&](const auto& helper) { return helper->folder() != store.folder() || !helper->isInPlace(); });
  while (helpers_.size() + 1 < threads) {
    auto helper = RunStore::open(store.folder(), StoreAccess::read);
    if (!helper) break;  // then with fewer
    helpers_.push_back(std::move(*helper));
  }
  const Stopwatch watch;
  std::atomic<std::size_t> next = 0;
  std::vector<std::optional<Made>> made(wanted.size());
  std::vector<std::exception_ptr> failures(helpers_.size() + 1);
  const auto work = [&](RunStore& own, std::exception_ptr& failure) {
    try {
      for (std::size_t i = next++; i < wanted.size(); i = next++) {
        if (i > 0 && watch.seconds() > seconds) return;
        made[i] = readAlone(own, query, *wanted[i], all.size());
      }
    } catch (...) {
      failure = std::current_exception();
    }
  };
  {
    std::vector<std::jthread> others;
    for (std::size_t i = 0; i < helpers_.size(); ++i) {
      others.emplace_back([&, i] { work(*helpers_[i], failures[i + 1]); });
    }
    work(store, failures[0]);
  }
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    if (made[i]) keep(query, *wanted[i], *made[i]);
  }
  for (const std::exception_ptr& failure : failures) {
    if (failure) std::rethrow_exception(failure);
  }
}

/// For a thread of its own: all plans are known by now.
CurveSource::Made CurveSource::readAlone(RunStore& store, const CurveQuery& query, const Runs& runs,
                                         std::size_t curves) {
  std::vector<std::shared_ptr<const Series>> seeds;
  std::set<std::string> damagedKeys;
  for (const std::size_t run : runs) {
    auto series = std::make_shared<Series>();
    std::vector<std::string> damaged;
    if (store.stateOf(query.runs[run].id)) *series = readSeries(store, query.runs[run], query.metric, {}, damaged);
    if (!damaged.empty()) damagedKeys.insert(keyOf(query.runs[run], query.metric));
    seeds.push_back(std::move(series));
  }
  Made made = make(store, query, runs, std::move(seeds), curves);
  made.damaged = std::move(damagedKeys);
  return made;
}

/// The samples of `steps`, exactly as the whole curve has them, and some beside them.
CurveSource::SamplesPointer CurveSource::part(RunStore& store, const CurveQuery& query, const Runs& runs,
                                              const CurveOverview& overview, const StepRange& steps) {
  const StepRange wide = roundedOut(steps);
  const std::string key = fmt::format("{}\npart\n{}\n{}", keyOf(query, runs), wide.first, wide.last);
  if (auto known = kept_.find<CurveSamples>(key)) return known;
  // An average that forgets needs only so many samples before the first one.
  constexpr double forgotten = 1e-9;
  const double before = query.smoothing > 0 ? std::log(forgotten) / std::log(query.smoothing) : 1;
  const double stride = static_cast<double>(overview.begins.back().step - overview.begins.front().step) /
                        static_cast<double>(overview.samples);
  const StepRange read{wide.first - static_cast<std::int64_t>(2 * stride * before) - 1,
                       wide.last + static_cast<std::int64_t>(2 * stride) + 1};
  std::vector<std::shared_ptr<const Series>> seeds;
  std::vector<std::string> damaged;
  for (const std::size_t run : runs) {
    seeds.push_back(std::make_shared<Series>(readSeries(store, query.runs[run], query.metric, read, damaged)));
  }
  std::vector<std::int64_t> stepsRead;
  auto made =
      std::make_shared<CurveSamples>(samplesOf(store, query, runs, std::move(seeds), query.smoothing > 0, &stepsRead));
  made->steps = std::move(stepsRead);
  kept_.keep(key, made, made->bytes() + key.size());
  return made;
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

std::optional<double> lastOf(const CurveSamples& samples) {
  const Line& line = samples.smoothed.y.empty() ? samples.raw : samples.smoothed;
  return line.y.empty() ? std::nullopt : std::optional(line.y.back());
}
std::optional<double> lastOf(const CurveOverview::Sample& sample) {
  return sample.smoothed;
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
    const bool raw = smooth && query.rawLine && all.size() <= mostWithRawLines;
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

/// `move` samples from the one that is nearest to x.
double CurveSource::moved(RunStore& store, const CurveQuery& query, const Runs& runs, const Known& known, double x,
                          int move) {
  const auto within = [](std::int64_t index, std::size_t count) {
    return static_cast<std::size_t>(std::clamp<std::int64_t>(index, 0, static_cast<std::int64_t>(count) - 1));
  };
  if (known.whole) {
    const std::vector<double>& places = known.whole->raw.x;
    return places[within(static_cast<std::int64_t>(indexAt(places, x)) + move, places.size())];
  }
  const CurveOverview& overview = *known.overview;
  const auto samplesAt = [&](const StepRange& steps) { return part(store, query, runs, overview, steps); };
  // From the beginning of the piece before x, whose number is known.
  const std::size_t near = overview.nearest(x);
  const std::size_t piece = near > 0 && overview.begins[near].x > x ? near - 1 : near;
  const std::int64_t begin = overview.begins[piece].step;
  const SamplesPointer here = samplesAt({begin, overview.begins[std::min(piece + 1, overview.begins.size() - 1)].step});
  const auto offset = static_cast<std::int64_t>(indexAt(here->raw.x, x)) -
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

std::optional<CurveReading> CurveSource::readingAt(RunStore& store, const CurveQuery& query, const Runs& runs,
                                                   const Known& known, double x, bool exact) {
  if (known.overview) {
    const std::vector<CurveOverview::Sample>& begins = known.overview->begins;
    if (x < begins.front().x || x > begins.back().x) return std::nullopt;
  }
  SamplesPointer samples = known.whole;
  if (!samples) {
    const CurveOverview& overview = *known.overview;
    const bool coarse = !query.range || overview.piecesWithin(query.range->first, query.range->second) >=
                                            static_cast<std::size_t>(query.columns);
    if (coarse && !exact) {
      const CurveOverview::Sample& sample = overview.begins[overview.nearest(x)];
      return CurveReading{runs, sample.x, sample.smoothed, sample.raw};
    }
    samples = part(store, query, runs, overview, overview.stepsOf(x, x));
  }
  const Line& raw = samples->raw;
  if (raw.x.empty() || x < raw.x.front() || x > raw.x.back()) return std::nullopt;
  const std::size_t index = indexAt(raw.x, x);
  const double smoothed = samples->smoothed.y.empty() ? raw.y[index] : samples->smoothed.y[index];
  return CurveReading{runs, raw.x[index], smoothed, raw.y[index]};
}

CursorAnswer CurveSource::at(RunStore& store, const CurveQuery& query, double x, int move, bool exact) {
  constexpr double patience = 0.1;
  const Stopwatch watch;
  CursorAnswer answer{x, {}};
  bool first = true;
  const std::vector<Runs> all = groups(store, query);
  for (const Runs& runs : all) {
    Known curve = known(query, runs);
    if (curve.empty() && watch.seconds() < patience) curve = readWhole(store, query, runs, all.size());
    if (curve.empty() || (curve.whole && curve.whole->raw.x.empty())) continue;
    if (std::exchange(first, false) && move != 0) answer.x = moved(store, query, runs, curve, x, move);
    if (auto reading = readingAt(store, query, runs, curve, answer.x, exact || move != 0)) {
      answer.readings.push_back(std::move(*reading));
    }
  }
  return answer;
}

/// What holds every sample of the query's range.
CurveSource::SamplesPointer CurveSource::wholeOrPart(RunStore& store, const CurveQuery& query, const Runs& runs) {
  Known curve = known(query, runs);
  if (curve.empty()) curve = readWhole(store, query, runs, 1);
  if (curve.whole) return curve.whole;
  const std::vector<CurveOverview::Sample>& begins = curve.overview->begins;
  const auto [from, to] = query.range.value_or(std::pair(begins.front().x, begins.back().x));
  return part(store, query, runs, *curve.overview, curve.overview->stepsOf(from, to));
}

CurveTable CurveSource::table(RunStore& store, const CurveQuery& query) {
  CurveTable table;
  std::vector<std::pair<Runs, SamplesPointer>> all;
  for (Runs& runs : groups(store, query)) {
    SamplesPointer samples = wholeOrPart(store, query, runs);
    if (!samples->raw.x.empty()) all.emplace_back(std::move(runs), std::move(samples));
  }
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
