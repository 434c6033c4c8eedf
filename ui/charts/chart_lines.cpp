// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/chart_lines.h"

#include <QChart>
#include <QGraphicsLayout>
#include <QLegend>
#include <QLineSeries>
#include <QPainter>
#include <QValueAxis>

#include "ui/theme/theme.h"
#include "ui/widgets/drawing_painter.h"

namespace slipstream::ui {
namespace {

QColor mixedWithBase(const QColor& colour, double share) {
  const QColor& base = tokens().base;
  const auto part = [share](double of, double rest) { return static_cast<float>(of * share + rest * (1 - share)); };
  return QColor::fromRgbF(part(colour.redF(), base.redF()), part(colour.greenF(), base.greenF()),
                          part(colour.blueF(), base.blueF()));
}

constexpr double densePaleness = 0.5, densePoints = 1.5;  ///< a pixel

/// So many points that the line fills the area between its ends.
bool isDense(const DrawnPath& path) {
  double points = 0, wide = 0;
  for (const std::vector<Point>& line : path.lines) {
    if (line.empty()) continue;
    points += static_cast<double>(line.size());
    wide += line.back().x - line.front().x;
  }
  return points > densePoints * wide;
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

void addStrokes(const DrawnPath& path, std::vector<Stroke>& strokes) {
  const bool own = path.stroke == Ink::series;
  const QColor colour = own ? seriesColour(path.colour) : inkColour(path.stroke);
  const double pale = tokens().rawLineOpacity * (isDense(path) ? densePaleness : 1);
  const QPen pen = penOf(path, path.raw ? mixedWithBase(colour, pale) : colour);
  for (const std::vector<Point>& line : path.lines) strokes.push_back({polygonOf(line), pen});
}

}  // namespace slipstream::ui
