// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include "engine/document/document.h"
#include "ui/charts/chart_model.h"
#include "ui/widgets/cell_grid.h"

namespace slipstream::ui {

// What the engine's documents say, as the window shows it.

/// The language that documents are put into words in: the window's where it is one of theirs, else English.
Language windowLanguage();
QString text(const Text& text);
/// The same with its strong parts marked, for labels of rich text.
QString richText(const Text& text);

/// The title of a table over its first column.
CellGrid gridOf(const Table& table);
/// The charts of one page, which end at the same x.
std::vector<ChartModel> picturesOf(const std::vector<slipstream::ChartModel>& charts);

}  // namespace slipstream::ui
