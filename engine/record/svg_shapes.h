// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace slipstream {

/// One row of a heat map: a value in 0..1 a column; NaN where there is none.
struct HeatRow {
  std::string name;
  std::vector<double> values;
};

/// Rows in the given order over steps [0, lastStep], with the key of the colours above.
std::string heatMap(const std::vector<HeatRow>& rows, std::int64_t lastStep);

struct BarPart {
  double value = 0;
  std::string_view colour;
};
struct Bar {
  std::string name;
  std::vector<BarPart> parts;
  std::string total;  ///< written behind the bar
};
/// Horizontal stacked bars on one scale that begins at zero.
std::string stackedBars(const std::vector<Bar>& bars);

/// A diamond with whiskers beside a dashed zero line.
std::string intervalPicture(double low, double value, double high);

}  // namespace slipstream
