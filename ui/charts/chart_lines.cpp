// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/chart_lines.h"

#include <QChart>
#include <QGraphicsLayout>
#include <QLegend>
#include <QLineSeries>
#include <QPainter>
#include <QValueAxis>
#include <cmath>

#include "ui/theme/theme.h"

namespace slipstream::ui {
namespace {

constexpr double fullWidth = 2, thinWidth = 1;
constexpr std::size_t manyCurves = 12;  ///< above, thin lines tell more apart than wide ones
/// Of a line's length to the plot's width: noise so dense fills an area, which wide pens only make slow; dashes of less
/// cannot be seen already.
constexpr double dense = 8, rough = 3;

/// Pale lines are mixed with what is behind them instead of being let through, so that a line that goes up and down
/// in one pixel column is not darker there.
QColor mixedWithBase(const QColor& colour, double share) {
  const QColor& base = tokens().base;
  const auto part = [share](double of, double rest) { return static_cast<float>(of * share + rest * (1 - share)); };
  return QColor::fromRgbF(part(colour.redF(), base.redF()), part(colour.greenF(), base.greenF()),
                          part(colour.blueF(), base.blueF()));
}

double lengthOf(const QPolygonF& points) {
  double length = 0;
  for (qsizetype i = 1; i < points.size(); ++i) {
    length += std::abs(points[i].x() - points[i - 1].x()) + std::abs(points[i].y() - points[i - 1].y());
  }
  return length;
}

/// A sample between two gaps is a dot as wide as the line.
QPolygonF dotted(QPolygonF points) {
  if (points.size() == 1) points.append(points.front() + QPointF(0.01, 0));
  return points;
}

QPen penOf(const RunPen& pen, double width, bool dashed) {
  QPen made(pen.colour, width, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin);
  if (!dashed || pen.dash.isEmpty()) return made;
  made.setCapStyle(Qt::FlatCap);
  QList<double> pattern = pen.dash;
  for (double& length : pattern) length /= width;  // Qt counts in pen widths
  made.setDashPattern(pattern);
  return made;
}

}  // namespace

ChartLines::ChartLines() : chart_(new QChart), x_(new QValueAxis), y_(new QValueAxis) {
  chart_->setAnimationOptions(QChart::NoAnimation);
  chart_->setBackgroundVisible(false);
  chart_->setPlotAreaBackgroundVisible(false);
  chart_->setMargins({});
  chart_->legend()->hide();
  x_->setVisible(false);
  y_->setVisible(false);
  y_->setReverse(true);
  chart_->addAxis(x_, Qt::AlignBottom);
  chart_->addAxis(y_, Qt::AlignLeft);
  scene_.setItemIndexMethod(QGraphicsScene::NoIndex);
  scene_.addItem(chart_);
}

ChartLines::~ChartLines() = default;

QLineSeries* ChartLines::lineAt(std::size_t index) {
  if (index < lines_.size()) return lines_[index];
  auto* line = new QLineSeries;
  chart_->addSeries(line);
  line->attachAxis(x_);
  line->attachAxis(y_);
  lines_.push_back(line);
  return line;
}

void ChartLines::setStrokes(const QRectF& plot, const std::vector<Stroke>& strokes) {
  if (plot != plot_) {
    plot_ = plot;
    for (std::size_t i = 0; i < used_; ++i) lines_[i]->clear();  // not placed again for the new size
    chart_->setGeometry(plot);
    chart_->setPlotArea(plot.translated(-plot.topLeft()));
    x_->setRange(plot.left(), plot.right());
    y_->setRange(plot.top(), plot.bottom());
    scene_.setSceneRect(plot);
  }
  for (std::size_t i = 0; i < strokes.size(); ++i) {
    QLineSeries* line = lineAt(i);
    line->setPen(strokes[i].pen);
    line->replace(strokes[i].points);
  }
  for (std::size_t i = strokes.size(); i < used_; ++i) lines_[i]->clear();
  used_ = strokes.size();
}

void ChartLines::paint(QPainter& painter) {
  if (plot_.isEmpty()) return;
  painter.save();
  painter.setBrush(Qt::NoBrush);  // Qt Charts draws dashed lines as paths, which the brush at hand would fill
  scene_.render(&painter, plot_, plot_, Qt::IgnoreAspectRatio);
  painter.restore();
}

std::vector<Stroke> rawStrokesOf(const ChartModel& model, const ChartFrame& frame) {
  std::vector<Stroke> strokes;
  for (const LineCurve& curve : model.curves) {
    const QPen pen(mixedWithBase(runPen(curve.colourSlot).colour, tokens().rawLineOpacity), thinWidth);
    for (const Line& line : curve.raw) strokes.push_back({dotted(polylineOf(line, frame)), pen});
  }
  return strokes;
}

std::vector<Stroke> fullStrokesOf(const ChartModel& model, const ChartFrame& frame) {
  std::vector<Stroke> strokes;
  for (const LineCurve& curve : model.curves) {
    std::vector<QPolygonF> pieces;
    double length = 0;
    for (const Line& line : curve.line) {
      pieces.push_back(dotted(polylineOf(line, frame)));
      length += lengthOf(pieces.back());
    }
    const bool full = length < dense * frame.plot.width();
    const double width = full && model.curves.size() <= manyCurves ? fullWidth : thinWidth;
    const bool dashed = length < rough * frame.plot.width();
    const QPen pen = penOf(runPen(curve.colourSlot), width, dashed);
    for (QPolygonF& piece : pieces) strokes.push_back({std::move(piece), pen});
  }
  return strokes;
}

std::vector<QPolygonF> bandsOf(const LineCurve& curve, const ChartFrame& frame) {
  std::vector<QPolygonF> bands;
  for (std::size_t i = 0; i < std::min(curve.lowest.size(), curve.highest.size()); ++i) {
    QPolygonF band = polylineOf(curve.highest[i], frame);
    const QPolygonF low = polylineOf(curve.lowest[i], frame);
    for (auto point = low.crbegin(); point != low.crend(); ++point) band.append(*point);
    bands.push_back(std::move(band));
  }
  return bands;
}

}  // namespace slipstream::ui
