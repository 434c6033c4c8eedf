// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <utility>

#include "engine/record/curve_source.h"

namespace slipstream::ui {

/// How all charts of a page show their curves.
struct ChartOptions {
  ChartX x = ChartX::step;
  double smoothing = 0.85;  ///< 0..0.99
  bool rawLine = true;
  bool logarithmicX = false;
  bool logarithmic = true;  ///< of charts whose metric may be
  bool bands = false;
  std::optional<std::pair<double, double>> zoom;  ///< of x; nothing: the whole run

  bool operator==(const ChartOptions&) const = default;
};

}  // namespace slipstream::ui
