// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QSizeF>
#include <string>

#include "ui/charts/chart_picture.h"

namespace slipstream::ui {

/// The picture as an SVG file, in the colours in force: one path a line, text as text. QSvgGenerator would write an
/// element for each piece of a line.
std::string svgTextOf(const ChartPicture& picture, const QSizeF& size);

}  // namespace slipstream::ui
