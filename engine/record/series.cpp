// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/record/series.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/base/processor_clones.h"
#include "engine/base/text.h"

namespace slipstream {
namespace {

constexpr std::size_t lanes = 8;

/// The lowest and highest of some values, where all are finite.
struct Extremes {
  double lowest = std::numeric_limits<double>::infinity();
  double highest = -std::numeric_limits<double>::infinity();
  bool finite = true;
};

/// Side by side in lanes, so that a processor takes several values at once.
SLIPSTREAM_PROCESSOR_CLONES Extremes extremesOf(const double* values, std::size_t count) {
  double lowest[lanes], highest[lanes], odd[lanes];
  std::fill_n(lowest, lanes, std::numeric_limits<double>::infinity());
  std::fill_n(highest, lanes, -std::numeric_limits<double>::infinity());
  std::fill_n(odd, lanes, 0.0);
  const auto take = [&](double value, std::size_t lane) {
    lowest[lane] = value < lowest[lane] ? value : lowest[lane];
    highest[lane] = value > highest[lane] ? value : highest[lane];
    odd[lane] += value - value;  // zero of a number, else NaN for good
  };
  const std::size_t whole = count / lanes * lanes;
  for (std::size_t i = 0; i < whole; i += lanes) {
    for (std::size_t lane = 0; lane < lanes; ++lane) take(values[i + lane], lane);
  }
  for (std::size_t i = whole; i < count; ++i) take(values[i], i - whole);
  Extremes extremes;
  for (std::size_t lane = 0; lane < lanes; ++lane) {
    extremes.lowest = std::min(extremes.lowest, lowest[lane]);
    extremes.highest = std::max(extremes.highest, highest[lane]);
    extremes.finite = extremes.finite && odd[lane] == 0;
  }
  return extremes;
}

/// Collects the samples of one pixel column after the other.
template <class X>
class ColumnCollector {
 public:
  ColumnCollector(const std::vector<X>& x, const std::vector<double>& y, bool logarithmic)
      : x_(x), y_(y), logarithmic_(logarithmic) {}

  /// The samples [begin, end), which are all of one column's.
  void add(std::size_t begin, std::size_t end) {
    if (begin == end) return;
    const Extremes extremes = extremesOf(y_.data() + begin, end - begin);
    if (!extremes.finite || (logarithmic_ && extremes.lowest <= 0)) return addOneByOne(begin, end);
    const auto first = y_.begin() + static_cast<std::ptrdiff_t>(begin);
    const auto last = y_.begin() + static_cast<std::ptrdiff_t>(end);
    const auto indexOf = [&](double value) {
      return static_cast<std::size_t>(std::find(first, last, value) - y_.begin());
    };
    keep(begin, indexOf(extremes.lowest), indexOf(extremes.highest), end - 1);
  }
  std::vector<Line> finish() {
    breakLine();
    return std::move(lines_);
  }

 private:
  bool isShown(double value) const { return std::isfinite(value) && !(logarithmic_ && value <= 0); }

  /// Where some are no numbers, which break the line.
  void addOneByOne(std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      if (!isShown(y_[i])) {
        breakLine();
        continue;
      }
      std::size_t lowest = i, highest = i, next = i + 1;
      for (; next < end && isShown(y_[next]); ++next) {
        if (y_[next] < y_[lowest]) lowest = next;
        if (y_[next] > y_[highest]) highest = next;
      }
      keep(i, lowest, highest, next - 1);
      i = next - 1;
    }
  }
  void breakLine() {
    if (!line_.x.empty()) lines_.push_back(std::move(line_));
    line_ = {};
  }
  void keep(std::size_t first, std::size_t lowest, std::size_t highest, std::size_t last) {
    const std::size_t kept[] = {first, std::min(lowest, highest), std::max(lowest, highest), last};
    for (std::size_t i = 0; i < 4; ++i) {
      if (i > 0 && kept[i] == kept[i - 1]) continue;
      line_.x.push_back(static_cast<double>(x_[kept[i]]));
      line_.y.push_back(y_[kept[i]]);
    }
  }

  const std::vector<X>& x_;
  const std::vector<double>& y_;
  bool logarithmic_;
  std::vector<Line> lines_;
  Line line_;
};

template <class X>
std::vector<Line> decimateOver(const std::vector<X>& x, const std::vector<double>& y, const VisibleRange& range,
                               bool logarithmic) {
  const auto before = [](X sample, double place) { return static_cast<double>(sample) < place; };
  const auto begin = x.begin();
  auto from = std::lower_bound(begin, x.end(), range.first, before);
  auto to = std::upper_bound(from, x.end(), range.last,
                             [](double last, X sample) { return last < static_cast<double>(sample); });
  if (from != begin) --from;
  if (to != x.end()) ++to;

  const double width = range.last > range.first ? range.last - range.first : 1;
  const double scale = range.columns / width;
  ColumnCollector<X> collector(x, y, logarithmic);
  double columnEnd = range.first;  // what lies before the range is a column of its own
  for (auto at = from; at != to;) {
    if (const auto place = static_cast<double>(*at); place >= columnEnd) {
      const auto column = static_cast<std::int64_t>(std::min<double>((place - range.first) * scale, range.columns));
      columnEnd = column < range.columns ? range.first + static_cast<double>(column + 1) / scale
                                         : std::numeric_limits<double>::infinity();
    }
    auto end = std::lower_bound(at, to, columnEnd, before);
    if (end == at) end = std::upper_bound(at, to, *at);  // rounding put the column's end before its first sample
    collector.add(static_cast<std::size_t>(at - begin), static_cast<std::size_t>(end - begin));
    at = end;
  }
  return collector.finish();
}

}  // namespace

std::vector<Line> decimate(const Series& series, const VisibleRange& range, bool logarithmic) {
  return decimateOver(series.steps, series.values, range, logarithmic);
}

std::vector<Line> decimate(const Line& samples, const VisibleRange& range, bool logarithmic) {
  return decimateOver(samples.x, samples.y, range, logarithmic);
}

Line thinnedByPieces(const Line& samples, std::size_t piece) {
  ColumnCollector<double> collector(samples.x, samples.y, false);
  for (std::size_t begin = 0; begin < samples.x.size(); begin += piece) {
    collector.add(begin, std::min(begin + piece, samples.x.size()));
  }
  Line thinned;
  for (const Line& line : collector.finish()) {
    if (!thinned.x.empty()) {
      thinned.x.push_back(line.x.front());
      thinned.y.push_back(std::numeric_limits<double>::quiet_NaN());
    }
    thinned.x.insert(thinned.x.end(), line.x.begin(), line.x.end());
    thinned.y.insert(thinned.y.end(), line.y.begin(), line.y.end());
  }
  return thinned;
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

std::vector<double> smoothed(std::vector<double> values, double factor) {
  double sum = 0;
  double weight = 0;
  for (double& value : values) {
    if (!std::isfinite(value)) continue;
    sum = factor * sum + (1 - factor) * value;
    weight = factor * weight + (1 - factor);
    value = sum / weight;
  }
  return values;
}

Series smoothed(const Series& series, double factor) {
  return {series.steps, series.wallNanoseconds, smoothed(series.values, factor)};
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

}  // namespace slipstream
