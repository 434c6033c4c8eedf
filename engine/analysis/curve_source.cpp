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

constexpr std::size_t fewSamples = 64;  ///< below, nothing is smoothed

std::string keyOf(const CurveQuery& query, const std::vector<std::size_t>& runs) {
  std::string key =
      fmt::format("curve\n{}\n{}\n{}\n{}", query.metric, query.factor, static_cast<int>(query.x), query.smoothing);
  for (const std::size_t run : runs) key += fmt::format("\n{}\n{}", query.runs[run].id, query.runs[run].version);
  return key;
}

std::string partKeyOf(const CurveQuery& query, const std::vector<std::size_t>& runs, const StepRange& steps) {
  const StepRange wide = roundedOut(steps);
  return fmt::format("{}\npart\n{}\n{}", keyOf(query, runs), wide.first, wide.last);
}

std::string keyOf(const CurveRun& run, const std::string& metric) {
  return fmt::format("series\n{}\n{}\n{}", run.id, run.version, metric);
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
                                    std::vector<std::shared_ptr<const Series>> series, bool smooth,
                                    std::vector<std::int64_t>* steps) {
  // Seeds ran at other hours: only the time since each began can be averaged.
  const bool sinceStart = series.size() > 1 && query.x == ChartX::relativeTime;
  if (sinceStart) {
    for (std::size_t i = 0; i < series.size(); ++i) {
      series[i] = std::make_shared<Series>(timedFromStart(*series[i], planOf(store, query.runs[runs[i]])));
    }
  }
  SeedBand bundle;
  if (series.size() > 1) {
    std::vector<SeriesOfSeed> all;
    for (std::size_t i = 0; i < series.size(); ++i) {
      all.push_back({planOf(store, query.runs[runs[i]]).seed, series[i].get()});
    }
    bundle = bundleBySeed(all);
  }
  const Series& mean = series.size() > 1 ? bundle.mean : *series.front();
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
  const auto smoothedOf = [&](const Series& one) {
    return shown(smoothedByStage(one, plan, query.metric, query.smoothing));
  };
  if (smooth) made.smoothed = {x, smoothedOf(mean)};
  if (series.size() > 1) {
    const auto bound = [&](const Series& one) { return Line{x, smooth ? smoothedOf(one) : shown(one.values)}; };
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
                                    std::vector<std::shared_ptr<const Series>> series, std::size_t curves) {
  std::size_t longest = 0;
  for (const auto& one : series) longest = std::max(longest, one->values.size());
  std::vector<std::int64_t> steps;
  const bool isLong = longest >= longCurve;
  Made made;
  auto whole = std::make_shared<CurveSamples>(samplesOf(
      store, query, runs, std::move(series), query.smoothing > 0 && longest >= fewSamples, isLong ? &steps : nullptr));
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
  std::vector<std::shared_ptr<const Series>> series;
  for (const std::size_t run : runs) series.push_back(seriesOf(store, query.runs[run], query.metric));
  const Made made = make(store, query, runs, std::move(series), curves);
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
  std::vector<std::shared_ptr<const Series>> series;
  std::set<std::string> damagedKeys;
  for (const std::size_t run : runs) {
    auto one = std::make_shared<Series>();
    std::vector<std::string> damaged;
    if (store.stateOf(query.runs[run].id)) *one = readSeries(store, query.runs[run], query.metric, {}, damaged);
    if (!damaged.empty()) damagedKeys.insert(keyOf(query.runs[run], query.metric));
    series.push_back(std::move(one));
  }
  Made made = make(store, query, runs, std::move(series), curves);
  made.damaged = std::move(damagedKeys);
  return made;
}

CurveSource::SamplesPointer CurveSource::knownPart(const CurveQuery& query, const Runs& runs, const StepRange& steps) {
  return kept_.find<CurveSamples>(partKeyOf(query, runs, steps));
}

/// The samples of `steps`, exactly as the whole curve has them, and some beside them.
CurveSource::SamplesPointer CurveSource::part(RunStore& store, const CurveQuery& query, const Runs& runs,
                                              const CurveOverview& overview, const StepRange& steps) {
  if (auto known = knownPart(query, runs, steps)) return known;
  const StepRange wide = roundedOut(steps);
  const std::string key = partKeyOf(query, runs, steps);
  // An average that forgets needs only so many samples before the first one.
  constexpr double forgotten = 1e-9;
  const double before = query.smoothing > 0 ? std::log(forgotten) / std::log(query.smoothing) : 1;
  const double stride = static_cast<double>(overview.begins.back().step - overview.begins.front().step) /
                        static_cast<double>(overview.samples);
  const StepRange read{wide.first - static_cast<std::int64_t>(2 * stride * before) - 1,
                       wide.last + static_cast<std::int64_t>(2 * stride) + 1};
  std::vector<std::shared_ptr<const Series>> series;
  std::vector<std::string> damaged;
  for (const std::size_t run : runs) {
    series.push_back(std::make_shared<Series>(readSeries(store, query.runs[run], query.metric, read, damaged)));
  }
  std::vector<std::int64_t> stepsRead;
  auto made =
      std::make_shared<CurveSamples>(samplesOf(store, query, runs, std::move(series), query.smoothing > 0, &stepsRead));
  made->steps = std::move(stepsRead);
  kept_.keep(key, made, made->bytes() + key.size());
  return made;
}

}  // namespace slipstream
