// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QRectF>

#include "ui/parts/cell_grid.h"

class QPainter;
class QFont;

namespace slipstream::ui {

QFont cellFont(CellTone tone);
/// What the cell needs to be read whole, padding included.
double cellWidth(const Cell& cell);
double headWidth(const CellHead& head);

/// Draws a cell into its place, elided in the middle where it must be.
void paintCell(QPainter& painter, const QRectF& place, const Cell& cell, bool number);
void paintHead(QPainter& painter, const QRectF& place, const CellHead& head);

}  // namespace slipstream::ui
