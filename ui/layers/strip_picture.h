// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <QString>
#include <functional>
#include <optional>
#include <vector>

#include "engine/record/svg_shapes.h"

namespace slipstream::ui {

/// One entry of the key above the strips.
struct StripKey {
  bool map = false;  ///< the colours from 0 to 1 between `low` and `high`; else the word alone
  QString low, high;
  QString words;
};

/// Rows of cells over the steps of a run: a heat map, a timeline. A value, as ChartPicture is.
struct StripPicture {
  QString title;
  StripKey key;
  std::vector<HeatRow> rows;               ///< NaN: an empty cell
  std::function<QColor(double)> colour;    ///< of a value in 0..1
  std::function<QString(double)> reading;  ///< of a value, in words
  bool emptyKey = false;                   ///< the key shows what an empty cell means
  QString emptyWord;                       ///< "frozen"
  bool threads = false;                    ///< a hairline through each row

  double first = 0, last = 1;  ///< steps at the edges of the cells
  double leftRoom = 0;
  bool xLabels = true;
  std::optional<double> cursor;
};

}  // namespace slipstream::ui
