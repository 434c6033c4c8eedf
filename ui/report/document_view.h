// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include "engine/document/document.h"
#include "ui/charts/shown_chart.h"
#include "ui/widgets/cell_grid.h"

namespace slipstream::ui {

// What the engine's documents say, as the window shows it.

/// A text with its strong parts marked, for labels of rich text.
QString richText(const Text& text);

/// The title of a table over its first column.
CellGrid gridOf(const Table& table);
/// The charts of one page, which end at the same x.
std::vector<ShownChart> shownChartsOf(const std::vector<ChartModel>& charts);

}  // namespace slipstream::ui
