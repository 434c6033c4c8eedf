// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QRectF>
#include <QString>
#include <optional>
#include <vector>

#include "engine/document/document.h"

class QPainter;
class QFont;

namespace slipstream::ui {

enum class CellTone { plain, strong, second, fixed };

struct Cell {
  QString text = {};
  CellTone tone = CellTone::plain;
  std::optional<int> swatch = {};  ///< a run's colour before the text
  std::optional<ComparisonVerdict> verdict = {};
  std::optional<Interval> interval = {};
  bool operator==(const Cell&) const = default;
};

struct ColumnHeading {
  QString text;
  bool number = false;  ///< its cells are right-aligned
  std::optional<int> swatch = {};
  bool operator==(const ColumnHeading&) const = default;
};

/// A table to read: a value, so that it is drawn alike on the screen and in print. Rows are as long as the headings.
struct CellGrid {
  std::vector<ColumnHeading> headings;
  std::vector<std::vector<Cell>> rows;
  bool operator==(const CellGrid&) const = default;
};

/// Room that shapes take beside texts.
inline constexpr int swatchRoom = 20, intervalWidth = 88, cellPadding = 8;

QFont cellFont(CellTone tone);
/// What the cell needs to be read whole, padding included.
double cellWidth(const Cell& cell);
double headingWidth(const ColumnHeading& heading);
/// In two lines, broken between words.
double wrappedHeadingWidth(const ColumnHeading& heading);
double headingLineHeight();

/// Draws a cell into its place, elided in the middle where it must be.
void paintCell(QPainter& painter, const QRectF& place, const Cell& cell, bool number);
/// In two lines where the place has the height for them and the words ask for it.
void paintHeading(QPainter& painter, const QRectF& place, const ColumnHeading& heading);

}  // namespace slipstream::ui
