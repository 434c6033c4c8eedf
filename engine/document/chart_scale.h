// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cmath>
#include <optional>
#include <vector>

namespace slipstream {

// Where values are on an axis, and which of them are written beside it. Shared by the report's charts and the
// window's, so that both show the same.

/// An axis from `low` to `high`, which differ; on a logarithmic one both are positive.
struct AxisScale {
  double low = 0;
  double high = 1;
  bool logarithmic = false;

  /// 0 at `low`, 1 at `high`; others lie outside.
  double share(double value) const;
  /// The value at a share of the axis.
  double valueAt(double share) const;

  bool operator==(const AxisScale&) const = default;
};

/// A scale laid out from `start` to `end`, in pixels or in any other unit. The logarithms of its ends are taken once,
/// not for every value.
class PixelAxis {
 public:
  PixelAxis(const AxisScale& scale, double start, double end);

  double at(double value) const { return start_ + (measure(value) - low_) * pixels_; }

 private:
  double measure(double value) const { return logarithmic_ ? std::log(value) : value; }

  bool logarithmic_;
  double start_, low_, pixels_;
};

/// 1-2-5 ticks that enclose [low, high], about `most` of them.
std::vector<double> niceTicks(double low, double high, bool logarithmic, int most = 5);

/// 1-2-5 ticks within the scale, at most `most`; where a logarithmic scale has no two of those, evenly spaced ones.
/// `wholeNumbers`: none between.
std::vector<double> ticksWithin(const AxisScale& scale, int most, bool wholeNumbers = false);

/// Ticks in [first, last] at round seconds, minutes, hours or days; `zoneSeconds` is what local clocks are ahead.
std::vector<double> timeTicks(double first, double last, int most, double zoneSeconds);

/// Decimals that tell evenly spaced 1-2-5 ticks apart.
int tickDecimals(const std::vector<double>& ticks);

/// The least and the greatest of many values; not-finite ones are left out.
struct ValueRange {
  std::optional<double> low, high;
  void include(double value);
  bool empty() const { return !low; }
};

/// The range of most of the values: without those few (a twentieth at the most) that lie so far from the others that an
/// axis of all would be more than twice as long. `logarithmic`: as a logarithmic axis measures it.
ValueRange robustRange(std::vector<double> values, bool logarithmic);

/// A scale that shows the whole range with room above and below, and its ticks. Linear ones end at ticks; none goes
/// above `upperLimit`, which values cannot pass. An empty range: 0 to 1, or a decade.
struct ValueAxis {
  AxisScale scale;
  std::vector<double> ticks;
};
/// The ticks of an axis whose ends are given; of an empty one or one that cannot be logarithmic, 0 to 1.
ValueAxis fixedAxis(double low, double high, bool logarithmic, int most, bool wholeNumbers);
ValueAxis valueAxis(const ValueRange& range, bool logarithmic, std::optional<double> upperLimit, int most);

}  // namespace slipstream
