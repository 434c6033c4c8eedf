// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/reading_row.h"

#include <QFontMetricsF>
#include <algorithm>

#include "engine/base/number_format.h"
#include "ui/widgets/widgets.h"

namespace slipstream::ui {
namespace {

constexpr std::size_t mostReadings = 3;
constexpr double rowSwatchWidth = 14, rowSwatchHeight = 3;

}  // namespace

double readingRowHeight() {
  return QFontMetricsF(textFont(TextSize::secondary)).height() + gapSmall;
}

void paintReadingRow(QPainter& painter, const ShownChart& model, const QSizeF& size,
                     const std::vector<std::optional<CursorReading>>& readings) {
  const QFont font = textFont(TextSize::secondary);
  const QFontMetricsF metrics(font);
  const double top = QFontMetricsF(textFont(TextSize::section)).height() + gapSmall;
  const double base = top + metrics.ascent();
  const std::size_t curves = model.curves.size();
  const auto restText = [&](std::size_t shown) { return QStringLiteral("+ %1").arg(curves - shown); };
  painter.setFont(font);
  double left = model.titleLeft;
  std::size_t shown = 0;
  for (; shown < std::min(curves, mostReadings); ++shown) {
    const bool read = shown < readings.size() && readings[shown];
    const QString value = read ? QString::fromStdString(threeDigits(readings[shown]->smoothed)) : QStringLiteral("–");
    const double end = left + rowSwatchWidth + gapSmall + metrics.horizontalAdvance(value);
    const bool more = shown + 1 < curves;
    if (end + (more ? gapWide + metrics.horizontalAdvance(restText(shown + 1)) : 0) > size.width()) break;
    paintSwatch(painter, QRectF(left, top + (metrics.height() - rowSwatchHeight) / 2, rowSwatchWidth, rowSwatchHeight),
                model.curves[shown].colourSlot);
    painter.setPen(tokens().text);
    painter.drawText(QPointF(left + rowSwatchWidth + gapSmall, base), value);
    left = end + gapWide;
  }
  if (shown == curves) return;
  painter.setPen(tokens().secondText);
  painter.drawText(QPointF(left, base), restText(shown));
}

}  // namespace slipstream::ui
