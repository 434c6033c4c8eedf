// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPainter>

#include "ui/layers/strip_picture.h"

namespace slipstream::ui {

/// From one row to the next: 18 px of a row and a gap of 2; of very many rows less, and then not all are named.
inline constexpr int usualPitch = 20, leastPitch = 6;

/// Height of the title row.
int stripHead();

/// Title and what the cursor reads at the left, the key at the right, which ends at `right`.
void paintStripHead(QPainter& painter, const StripPicture& picture, const QString& reading, double right);
void paintStrip(QPainter& painter, const StripPicture& picture, int row, int pitch, const QRectF& plot);
void paintStripAxis(QPainter& painter, const StripPicture& picture, const QRectF& plot, double width);
void paintStripCursor(QPainter& painter, const StripPicture& picture, const QRectF& plot, double pixel, double width);

}  // namespace slipstream::ui
