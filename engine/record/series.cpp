#include "engine/record/series.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/base/text.h"

namespace slipstream {
namespace {

/// Collects the samples of one pixel column after the other.
template <class X>
class ColumnCollector {
 public:
  ColumnCollector(const std::vector<X>& x, const std::vector<double>& y) : x_(x), y_(y) {}

  void add(std::int64_t column, std::size_t index) {
    if (open_ && column == column_) {
      if (y_[index] < y_[lowest_]) lowest_ = index;
      if (y_[index] > y_[highest_]) highest_ = index;
      last_ = index;
      return;
    }
    closeColumn();
    column_ = column;
    first_ = lowest_ = highest_ = last_ = index;
    open_ = true;
  }
  void breakLine() {
    closeColumn();
    if (!line_.x.empty()) lines_.push_back(std::move(line_));
    line_ = {};
  }
  std::vector<Line> finish() {
    breakLine();
    return std::move(lines_);
  }

 private:
  void closeColumn() {
    if (!open_) return;
    open_ = false;
    std::size_t kept[] = {first_, std::min(lowest_, highest_), std::max(lowest_, highest_), last_};
    for (std::size_t i = 0; i < 4; ++i) {
      if (i > 0 && kept[i] == kept[i - 1]) continue;
      line_.x.push_back(static_cast<double>(x_[kept[i]]));
      line_.y.push_back(y_[kept[i]]);
    }
  }

  const std::vector<X>& x_;
  const std::vector<double>& y_;
  std::vector<Line> lines_;
  Line line_;
  bool open_ = false;
  std::int64_t column_ = 0;
  std::size_t first_ = 0, lowest_ = 0, highest_ = 0, last_ = 0;
};

template <class X>
std::vector<Line> decimateOver(const std::vector<X>& x, const std::vector<double>& y, const ChartWindow& window,
                               bool logarithmic) {
  const auto begin = x.begin();
  auto from = std::lower_bound(begin, x.end(), window.first,
                               [](X sample, double first) { return static_cast<double>(sample) < first; });
  auto to = std::upper_bound(from, x.end(), window.last,
                             [](double last, X sample) { return last < static_cast<double>(sample); });
  if (from != begin) --from;
  if (to != x.end()) ++to;

  const double width = std::max(window.last - window.first, std::numeric_limits<double>::min());
  const double scale = window.columns / width;
  ColumnCollector<X> collector(x, y);
  std::int64_t column = -1;
  double columnEnd = window.first;
  for (auto i = static_cast<std::size_t>(from - begin), end = static_cast<std::size_t>(to - begin); i < end; ++i) {
    const double value = y[i];
    if (!std::isfinite(value) || (logarithmic && value <= 0)) {
      collector.breakLine();
      continue;
    }
    if (const auto place = static_cast<double>(x[i]); place >= columnEnd) {
      column = static_cast<std::int64_t>(std::min<double>((place - window.first) * scale, window.columns));
      columnEnd = column < window.columns ? window.first + static_cast<double>(column + 1) / scale
                                          : std::numeric_limits<double>::infinity();
    }
    collector.add(column, i);
  }
  return collector.finish();
}

}  // namespace

std::vector<Line> decimate(const Series& series, const ChartWindow& window, bool logarithmic) {
  return decimateOver(series.steps, series.values, window, logarithmic);
}

std::vector<Line> decimate(const Line& samples, const ChartWindow& window, bool logarithmic) {
  return decimateOver(samples.x, samples.y, window, logarithmic);
}

Series between(const Series& series, std::int64_t firstStep, std::int64_t endStep) {
  const auto begin = series.steps.begin();
  const auto from = std::lower_bound(begin, series.steps.end(), firstStep) - begin;
  const auto to = std::lower_bound(begin + from, series.steps.end(), endStep) - begin;
  // Made series (means over seeds) have no times.
  const bool timed = !series.wallNanoseconds.empty();
  Series part;
  part.steps.assign(begin + from, begin + to);
  part.values.assign(series.values.begin() + from, series.values.begin() + to);
  if (timed) part.wallNanoseconds.assign(series.wallNanoseconds.begin() + from, series.wallNanoseconds.begin() + to);
  return part;
}

Series smoothed(const Series& series, double factor) {
  Series result = series;
  double sum = 0;
  double weight = 0;
  for (double& value : result.values) {
    if (!std::isfinite(value)) continue;
    sum = factor * sum + (1 - factor) * value;
    weight = factor * weight + (1 - factor);
    value = sum / weight;
  }
  return result;
}

std::optional<SeriesSummary> summarize(const Series& series, bool higherIsBetter) {
  if (series.values.empty()) return std::nullopt;
  SeriesSummary summary{series.values.back(), std::numeric_limits<double>::quiet_NaN(), series.steps.back()};
  for (std::size_t i = 0; i < series.values.size(); ++i) {
    const double value = series.values[i];
    if (!std::isfinite(value)) continue;
    const bool better = std::isnan(summary.best) || (higherIsBetter ? value > summary.best : value < summary.best);
    if (!better) continue;
    summary.best = value;
    summary.bestStep = series.steps[i];
  }
  return summary;
}

Better betterOf(std::string_view metric) {
  if (metric == "accuracy" || metric == "samples_per_second") return Better::higher;
  const bool low = metric == "loss" || metric == "evaluation_loss" || endsWith(metric, "_seconds");
  return low ? Better::lower : Better::neither;
}

}  // namespace slipstream
