// SPDX-License-Identifier: GPL-3.0-or-later
// What is written beside the axes of a chart.
#include <array>
#include <cmath>
#include <ctime>

#include <fmt/format.h>

#include "engine/base/number_format.h"
#include "engine/base/text.h"
#include "engine/document/chart_layout.h"

namespace slipstream {
namespace {

constexpr double minute = 60, hour = 3600, day = 86400;

std::tm localTime(double seconds) {
  const auto whole = static_cast<std::time_t>(std::floor(seconds));
  std::tm time{};
  localtime_r(&whole, &time);
  return time;
}

std::string dayText(const std::tm& time, Language language) {
  constexpr std::array months{"Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
  if (language == Language::chinese) return fmt::format("{}月{}日", time.tm_mon + 1, time.tm_mday);
  return fmt::format("{} {}", time.tm_mday, months.at(static_cast<std::size_t>(time.tm_mon)));
}

/// With its digits in groups and a minus that is as wide as a plus.
std::string fixedText(double value, int decimals) {
  const std::string digits = fmt::format("{:.{}f}", std::abs(value), decimals);
  const std::size_t point = std::min(digits.find('.'), digits.size());
  const std::string whole = point > 3 && point < 19 ? countText(std::stoll(digits)) : digits.substr(0, point);
  const bool zero = digits.find_first_not_of("0.") == std::string::npos;
  return (value < 0 && !zero ? "−" : "") + whole + digits.substr(point);
}

/// Decimals of a second that tell times `step` apart; whole ones need none.
int secondDecimals(double step) {
  return step < 1 ? tickDecimals({0, step}) : 0;
}

/// A time of day, as exact as times `step` apart need; with the day where they reach over one.
std::string clockText(double seconds, double step, bool withDay, Language language) {
  const int decimals = secondDecimals(step);
  const double unit = std::pow(10, decimals);
  const double rounded = std::round(seconds * unit) / unit;
  const std::tm time = localTime(rounded);
  if (step >= day) return dayText(time, language);
  std::string text = fmt::format("{:02}:{:02}", time.tm_hour, time.tm_min);
  if (step < minute) text += fmt::format(":{:02}", time.tm_sec);
  if (decimals > 0) text += fmt::format("{:.{}f}", rounded - std::floor(rounded), decimals).substr(1);
  return withDay ? dayText(time, language) + " " + text : text;
}

std::string relativeText(double seconds, double step) {
  if (step < 1) return fmt::format("{:.{}f} s", seconds, secondDecimals(step));
  // Labels in hours leave out the seconds.
  if (seconds < hour || step >= minute) return durationText(seconds);
  const auto whole = std::llround(seconds);
  return fmt::format("{}:{:02}:{:02}", whole / 3600, whole / 60 % 60, whole % 60);
}

bool isOnOneDay(const std::vector<double>& ticks) {
  if (ticks.empty()) return true;
  const std::tm first = localTime(ticks.front()), last = localTime(ticks.back());
  return first.tm_yday == last.tm_yday && first.tm_year == last.tm_year;
}

bool isEven(const std::vector<double>& ticks) {
  constexpr double tolerance = 1e-6;
  if (ticks.size() < 2) return false;
  const double step = ticks[1] - ticks[0];
  for (std::size_t i = 2; i < ticks.size(); ++i) {
    if (std::abs(ticks[i] - ticks[i - 1] - step) > tolerance * step) return false;
  }
  return true;
}

std::string shortText(double value) {
  const double size = std::abs(value);
  const std::string text = size >= 1e4 && size < 1e7 ? threeDigits(value) : fmt::format("{:.4g}", value);
  return text.starts_with('-') ? "−" + text.substr(1) : text;
}

}  // namespace

std::vector<AxisTick> labelledX(const ChartModel& chart, const std::vector<double>& ticks, Language language) {
  const double step = ticks.size() > 1 ? ticks[1] - ticks[0] : 1;
  const bool isWhole = (chart.x != ChartX::epoch && chart.x != ChartX::number) || chart.logarithmicX;
  const int decimals = isWhole || !chart.xTicks.empty() ? 0 : tickDecimals(ticks);
  const bool withDay = chart.x == ChartX::wallTime && !isOnOneDay(ticks);
  std::vector<AxisTick> labelled;
  for (const double tick : ticks) {
    labelled.push_back({tick, chart.x == ChartX::wallTime       ? clockText(tick, step, withDay, language)
                              : chart.x == ChartX::relativeTime ? relativeText(tick, step)
                                                                : fixedText(tick, decimals)});
  }
  return labelled;
}

std::vector<AxisTick> labelledY(const ValueAxis& axis) {
  constexpr int mostDecimals = 6;
  constexpr double mostWrittenOut = 1e6;
  const int decimals = tickDecimals(axis.ticks);
  const bool even = (isEven(axis.ticks) || !axis.scale.logarithmic) && decimals <= mostDecimals;
  std::vector<AxisTick> labelled;
  for (const double tick : axis.ticks) {
    const bool plain = even && std::abs(tick) < mostWrittenOut;
    labelled.push_back({tick, plain ? fixedText(tick, decimals) : shortText(tick)});
  }
  return labelled;
}

double zoneSeconds(double time) {
  return static_cast<double>(localTime(time).tm_gmtoff);
}

Text xText(ChartX kind, double value, Language language) {
  switch (kind) {
    case ChartX::step:
      return phrase("step {}", {fixedText(value, 0)});
    case ChartX::epoch:
      return phrase("epoch {}", {fixedText(value, 2)});
    case ChartX::samples:
      return phrase("sample {}", {fixedText(value, 0)});
    case ChartX::wallTime:
      return clockText(value, 1, false, language);
    case ChartX::relativeTime:
      return relativeText(value, value < minute ? 0.1 : 1);
    case ChartX::number:
      return value == std::floor(value) ? fixedText(value, 0) : fixedText(value, 2);
  }
  return {};
}

Text axisName(ChartX kind) {
  switch (kind) {
    case ChartX::step:
      return phrase("step");
    case ChartX::epoch:
      return phrase("epoch");
    case ChartX::samples:
      return phrase("samples");
    case ChartX::wallTime:
      return phrase("wall time, s");
    case ChartX::relativeTime:
      return phrase("time since start, s");
    case ChartX::number:
      return {};
  }
  return {};
}

}  // namespace slipstream
