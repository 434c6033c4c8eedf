// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <string>

namespace slipstream::ui {

/// How a metric of the store reads in a chart.
struct MetricWords {
  QString title;
  QString unit;        ///< "%", "ms"; may be empty
  double factor = 1;   ///< from the stored unit to the one that is shown
  bool smooth = true;  ///< a sample a step; evaluations are drawn as they are
  bool mayBeLogarithmic = false;
  double upperLimit = 0;  ///< that values cannot pass; 0: none
};

/// Metrics without words of their own are called by their key. "PREFIX/*" is the mean of all that begin so.
MetricWords wordsOf(const std::string& metric);

}  // namespace slipstream::ui
