// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QSizeF>
#include <QString>
#include <string>

#include "engine/base/failure.h"
#include "ui/charts/line_chart.h"
#include "ui/charts/shown_chart.h"

namespace slipstream::ui {

/// The model as an SVG file, in the colours in force: one path a line, text as text. QSvgGenerator would write an
/// element for each piece of a line.
std::string svgTextOf(const ShownChart& model, const QSizeF& size);

/// Writes the chart as it is shown; the ending names the format: .svg, .pdf or .png (twice the size of the screen).
Status saveChart(const LineChart& chart, const QString& file);

/// Comma-separated, one row a sample; `xName` heads the first column, `names` the others. Numbers read back as the same
/// ones; a sample that is missing is an empty field.
QString csvText(const CurveTable& table, const QString& xName, const QStringList& names);

}  // namespace slipstream::ui
