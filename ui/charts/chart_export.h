// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include "engine/base/failure.h"
#include "ui/charts/line_chart.h"

namespace slipstream::ui {

/// Writes the chart as it is shown; the ending names the format: .svg, .pdf or .png (twice the size of the screen).
Status savePicture(const LineChart& chart, const QString& file);

/// Comma-separated, one row a sample; `xName` heads the first column, `names` the others. Numbers read back as the same
/// ones; a sample that is missing is an empty field.
QString csvText(const CurveTable& table, const QString& xName, const QStringList& names);

}  // namespace slipstream::ui
