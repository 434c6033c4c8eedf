// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/expected_chart.h"

#include <QLocale>
#include <QPainter>
#include <algorithm>
#include <cmath>

#include "ui/parts/parts.h"
#include "ui/window/example.h"

namespace slipstream::ui {
namespace {

constexpr int chartHeight = 142;
constexpr int leftRoom = 40, rightRoom = 12, topRoom = 12, bottomRoom = 26;
constexpr int labelGap = 18;
constexpr double logTicks[] = {0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5};
constexpr double tickGap = 22;

}  // namespace

ExpectedChart::ExpectedChart(QWidget* parent) : QWidget(parent) {
  setAccessibleName(tr("Expected training loss of the example"));
  lowest_ = INFINITY;
  highest_ = 0;
  for (const ExpectedCurve& curve : expectation().curves) {
    for (const double loss : curve.loss) {
      lowest_ = std::min(lowest_, loss);
      highest_ = std::max(highest_, loss);
    }
  }
  lowest_ *= 0.8;
  highest_ *= 1.2;
}

QSize ExpectedChart::sizeHint() const {
  return {400, chartHeight};
}

QRectF ExpectedChart::plot() const {
  return QRectF(rect()).adjusted(leftRoom, topRoom, -rightRoom, -bottomRoom);
}

double ExpectedChart::yOf(double loss) const {
  const double share = std::log(loss / lowest_) / std::log(highest_ / lowest_);
  return plot().bottom() - share * plot().height();
}

double ExpectedChart::xOf(double step) const {
  return plot().left() + plot().width() * step / static_cast<double>(std::max<std::int64_t>(1, expectation().steps));
}

void ExpectedChart::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.fillRect(rect(), tokens().base);
  painter.setPen(tokens().hairline);
  painter.drawRect(rect().adjusted(0, 0, -1, -1));
  painter.setFont(textFont(TextSize::caption));
  paintAxes(painter);
  paintCurves(painter);
}

void ExpectedChart::paintAxes(QPainter& painter) const {
  const int half = painter.fontMetrics().height() / 2;
  double last = height() + tickGap;
  for (const double tick : logTicks) {
    if (tick < lowest_ || tick > highest_ || last - yOf(tick) < tickGap) continue;
    last = yOf(tick);
    const double y = std::round(last) + 0.5;
    painter.setPen(tokens().chartGrid);
    painter.drawLine(QPointF(plot().left(), y), QPointF(plot().right(), y));
    painter.setPen(tokens().secondText);
    painter.drawText(QRectF(0, last - half, leftRoom - gapText, 2 * half), Qt::AlignRight | Qt::AlignVCenter,
                     QLocale().toString(tick));
  }
  const double base = std::round(plot().bottom()) + 0.5;
  painter.setPen(tokens().chartAxis);
  painter.drawLine(QPointF(plot().left(), base), QPointF(plot().right(), base));
  for (int third = 0; third <= 3; ++third) {
    const auto step = expectation().steps * third / 3;
    const double x = std::round(xOf(static_cast<double>(step))) + 0.5;
    painter.setPen(tokens().chartAxis);
    painter.drawLine(QPointF(x, base), QPointF(x, base + 4));
    painter.setPen(tokens().secondText);
    const double middle = std::min(x, width() - 18.0);
    painter.drawText(QRectF(middle - 40, base + 6, 80, 2 * half), Qt::AlignHCenter | Qt::AlignTop,
                     QLocale().toString(static_cast<qlonglong>(step)));
  }
}

/// The first run of a store is blue, the second umber: as they will be seen.
void ExpectedChart::paintCurves(QPainter& painter) const {
  painter.setRenderHint(QPainter::Antialiasing);
  const auto& curves = expectation().curves;
  const QFontMetrics metrics(textFont(TextSize::secondary));
  for (std::size_t i = 0; i < curves.size(); ++i) {
    const int slot = static_cast<int>(i);
    QPolygonF points;
    for (std::size_t k = 0; k < curves[i].steps.size(); ++k)
      points << QPointF(xOf(curves[i].steps[k]), yOf(curves[i].loss[k]));
    painter.setPen(QPen(runPen(slot).colour, 2));
    painter.drawPolyline(points);
    const QString words = tr("%1 %2 %").arg(curves[i].variant, QLocale().toString(curves[i].accuracy, 'f', 1));
    const double y = plot().top() + labelGap * slot + labelGap / 2.0;
    const double left = plot().right() - metrics.horizontalAdvance(words);
    paintSwatch(painter, QRectF(left - 22, y - 2, 14, 4), slot);
    painter.setFont(textFont(TextSize::secondary));
    painter.setPen(tokens().text);
    painter.drawText(QRectF(left, y - labelGap / 2.0, plot().right() - left + 1, labelGap), Qt::AlignVCenter, words);
  }
}

}  // namespace slipstream::ui
