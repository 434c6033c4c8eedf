// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPixmap>
#include <algorithm>

#include "tests/ui/wait_until.h"
#include "ui/charts/line_chart.h"

namespace slipstream::test {

/// A picture of a widget with all curves of its charts, of which very many are drawn in another thread.
inline QPixmap drawnWhole(QWidget& widget) {
  auto charts = widget.findChildren<ui::LineChart*>();
  charts.removeIf([](auto* chart) { return chart->visibleRegion().isEmpty(); });  // those scrolled away are not painted
  if (auto* own = qobject_cast<ui::LineChart*>(&widget)) charts.push_back(own);
  QPixmap picture;
  (void)eventually([&] {
    picture = widget.grab();
    return std::ranges::all_of(charts, [](auto* chart) { return chart->isDrawn(); });
  });
  return picture;
}

}  // namespace slipstream::test
