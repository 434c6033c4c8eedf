// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/document/chart_scale.h"

#include <algorithm>
#include <cmath>

namespace slipstream {
namespace {

constexpr double rounding = 1e-9;  ///< of a tick's distance: what sums of steps may be off
constexpr double justBelow = 0.4;  ///< of a nice step: the next finer one is not below it
constexpr int mostFiner = 3;
constexpr int mostTicks = 100;  ///< where numbers are too coarse for the distance, ticks would never end

/// The least of 1, 2, 5 x 10^k that is not below `rough`.
double niceStep(double rough) {
  const double decade = std::pow(10, std::floor(std::log10(rough)));
  const double share = rough / decade;
  return decade * (share <= 1 + rounding ? 1 : share <= 2 + rounding ? 2 : share <= 5 + rounding ? 5 : 10);
}

std::vector<double> logarithmicTicks(double low, double high) {
  std::vector<double> ticks;
  const bool decadesOnly = high / low > 1e5;
  for (double decade = std::pow(10, std::floor(std::log10(low))); ticks.empty() || ticks.back() < high; decade *= 10) {
    for (const double factor : {1.0, 2.0, 5.0}) {
      if (decadesOnly && factor != 1.0) continue;
      const double tick = decade * factor;
      if (tick <= low) ticks.clear();
      if (ticks.empty() || ticks.back() < high) ticks.push_back(tick);
    }
  }
  if (ticks.size() == 1) ticks.push_back(ticks.front() * 10);
  return ticks;
}

std::vector<double> multiplesWithin(double low, double high, double step) {
  std::vector<double> ticks;
  const double first = std::ceil(low / step - rounding);
  for (int i = 0; i < mostTicks && (first + i) * step <= high + step * rounding; ++i) {
    ticks.push_back((first + i) * step);
  }
  ticks.erase(std::unique(ticks.begin(), ticks.end()), ticks.end());
  return ticks;
}

std::vector<double> evenTicksWithin(double low, double high, int most, bool wholeNumbers) {
  double step = niceStep((high - low) / std::max(most - 1, 1));
  if (wholeNumbers) step = std::max(step, 1.0);
  std::vector<double> ticks = multiplesWithin(low, high, step);
  // One tick alone says nothing of the distance to any other.
  for (int finer = 0; finer < mostFiner && ticks.size() < 2 && (!wholeNumbers || step > 1); ++finer) {
    step = niceStep(step * justBelow);
    ticks = multiplesWithin(low, high, step);
  }
  return ticks;
}

/// The decades within and, where there is room for them, their 2 and 5; of very many decades only some.
std::vector<double> logarithmicTicksWithin(const AxisScale& scale, int most) {
  if (!(scale.low > 0) || !std::isfinite(scale.high)) return {};
  std::vector<double> all, decades;
  const auto last = static_cast<int>(std::floor(std::log10(scale.high)));
  for (auto power = static_cast<int>(std::floor(std::log10(scale.low))); power <= last; ++power) {
    for (const double factor : {1.0, 2.0, 5.0}) {
      const double tick = factor * std::pow(10, power);
      if (tick < scale.low * (1 - rounding) || tick > scale.high * (1 + rounding)) continue;
      all.push_back(tick);
      if (factor == 1.0) decades.push_back(tick);
    }
  }
  const auto room = static_cast<std::size_t>(std::max(most, 1));
  if (all.size() <= room) return all;
  // Few decades say little: every other tick of 1-2-5 is nearly as even.
  constexpr std::size_t fewDecades = 3;
  if (decades.size() < fewDecades && (all.size() + 1) / 2 <= room) {
    std::vector<double> others;
    for (std::size_t i = 0; i < all.size(); i += 2) others.push_back(all[i]);
    return others;
  }
  const std::size_t stride = (decades.size() + room - 1) / room;
  std::vector<double> some;
  for (std::size_t i = 0; i < decades.size(); i += stride) some.push_back(decades[i]);
  return some;
}

/// A little room on both sides, in the axis' own measure.
AxisScale padded(const AxisScale& scale) {
  constexpr double room = 0.05;
  return {scale.valueAt(-room), scale.valueAt(1 + room), scale.logarithmic};
}

}  // namespace

double AxisScale::share(double value) const {
  return PixelAxis(*this, 0, 1).at(value);
}

double AxisScale::valueAt(double share) const {
  if (!logarithmic) return low + share * (high - low);
  return low * std::pow(high / low, share);
}

PixelAxis::PixelAxis(const AxisScale& scale, double start, double end)
    : logarithmic_(scale.logarithmic),
      start_(start),
      low_(measure(scale.low)),
      pixels_((end - start) / (measure(scale.high) - low_)) {}

std::vector<double> niceTicks(double low, double high, bool logarithmic, int most) {
  if (logarithmic) return logarithmicTicks(low, high);
  if (high - low <= std::abs(low) * rounding) high = low + std::max(1e-6, std::abs(low) * 0.1);
  const double step = niceStep((high - low) / most);
  std::vector<double> ticks;
  const double first = std::floor(low / step + rounding);
  for (int i = 0; i < mostTicks && (i < 2 || ticks.back() < high - step * rounding); ++i) {
    ticks.push_back((first + i) * step);
  }
  return ticks;
}

std::vector<double> ticksWithin(const AxisScale& scale, int most, bool wholeNumbers) {
  if (scale.logarithmic) {
    std::vector<double> ticks = logarithmicTicksWithin(scale, most);
    if (ticks.size() > 1) return ticks;
  }
  return evenTicksWithin(scale.low, scale.high, most, wholeNumbers);
}

std::vector<double> timeTicks(double first, double last, int most, double zoneSeconds) {
  const double rough = (last - first) / std::max(most - 1, 1);
  if (rough <= 1) return ticksWithin({first, last}, most);
  constexpr double minute = 60, hour = 3600, day = 86400;
  double step = 0;
  for (const double round : {2.0, 5.0, 10.0, 15.0, 30.0, minute, 2 * minute, 5 * minute, 10 * minute, 15 * minute,
                             30 * minute, hour, 2 * hour, 3 * hour, 6 * hour, 12 * hour, day}) {
    step = round;
    if (round >= rough) break;
  }
  if (rough > day) step = day * niceStep(rough / day);
  std::vector<double> ticks;
  for (double i = std::ceil((first + zoneSeconds) / step); i * step - zoneSeconds <= last; ++i) {
    ticks.push_back(i * step - zoneSeconds);
  }
  return ticks;
}

int tickDecimals(const std::vector<double>& ticks) {
  if (ticks.size() < 2) return 2;
  const double step = std::abs(ticks[1] - ticks[0]);
  return std::clamp(static_cast<int>(std::ceil(-std::log10(step) - rounding)), 0, 12);
}

void ValueRange::include(double value) {
  if (!std::isfinite(value)) return;
  low = std::min(low.value_or(value), value);
  high = std::max(high.value_or(value), value);
}

ValueRange robustRange(std::vector<double> values, bool logarithmic) {
  constexpr double tail = 0.1, fence = 3, mostOutside = 0.1, worthwhile = 2;
  constexpr std::size_t least = 20;
  ValueRange all;
  std::erase_if(values, [&](double value) { return !std::isfinite(value) || (logarithmic && value <= 0); });
  for (const double value : values) all.include(value);
  if (values.size() < least) return all;
  const auto measure = [&](double value) { return logarithmic ? std::log(value) : value; };
  const auto at = [&](double share) {  // without sorting all: charts ask for it whenever they are moved
    const auto place = values.begin() + static_cast<std::ptrdiff_t>(share * static_cast<double>(values.size() - 1));
    std::nth_element(values.begin(), place, values.end());
    return measure(*place);
  };
  const double lowTail = at(tail), highTail = at(1 - tail), spread = highTail - lowTail;
  if (!(spread > 0)) return all;
  const double low = lowTail - fence * spread, high = highTail + fence * spread;
  ValueRange most;
  std::size_t outside = 0;
  for (const double value : values) {
    const bool within = measure(value) >= low && measure(value) <= high;
    if (within) most.include(value);
    outside += within ? 0 : 1;
  }
  const double whole = measure(*all.high) - measure(*all.low), robust = measure(*most.high) - measure(*most.low);
  const bool few = static_cast<double>(outside) <= mostOutside * static_cast<double>(values.size());
  return few && whole > worthwhile * robust ? most : all;
}

ValueAxis fixedAxis(double low, double high, bool logarithmic, int most, bool wholeNumbers) {
  if (!(high > low) || (logarithmic && low <= 0)) return {{0, 1}, {0, 0.5, 1}};
  const AxisScale scale{low, high, logarithmic};
  return {scale, ticksWithin(scale, most, wholeNumbers)};
}

ValueAxis valueAxis(const ValueRange& range, bool logarithmic, std::optional<double> upperLimit, int most) {
  if (logarithmic && !range.empty() && *range.low > 0) {
    const bool flat = *range.high <= *range.low;
    const AxisScale scale = padded({flat ? *range.low / 2 : *range.low, flat ? *range.high * 2 : *range.high, true});
    return {scale, ticksWithin(scale, most)};
  }
  if (range.empty())
    return logarithmic ? ValueAxis{{0.1, 1, true}, {0.1, 0.2, 0.5, 1}} : ValueAxis{{0, 1}, {0, 0.5, 1}};
  std::vector<double> ticks = niceTicks(*range.low, *range.high, false, most);
  while (upperLimit && ticks.size() > 2 && ticks.back() > *upperLimit && *range.high <= *upperLimit) ticks.pop_back();
  return {{ticks.front(), upperLimit ? std::max(ticks.back(), *range.high) : ticks.back()}, ticks};
}

}  // namespace slipstream
