// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/chart_grid.h"

#include <QPainter>
#include <QScrollBar>
#include <algorithm>
#include <cmath>

#include "ui/charts/legend_panel.h"
#include "ui/charts/metric_chart.h"
#include "ui/theme/theme.h"
#include "ui/widgets/widgets.h"

namespace slipstream::ui {
namespace {

constexpr int narrowWidth = 860;
constexpr int legendWidth = 236, leastBesideLegend = 260;

/// A dashed frame in the accent.
class PlaceFrame : public QWidget {
 public:
  using QWidget::QWidget;

 protected:
  void paintEvent(QPaintEvent*) override {
    QPainter painter(this);
    QPen pen(tokens().accent, 2, Qt::CustomDashLine, Qt::FlatCap);
    pen.setDashPattern({3, 2});
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(pen);
    painter.drawRoundedRect(rect().adjusted(1, 1, -1, -1), 4, 4);
  }
};

}  // namespace

ChartGrid::ChartGrid(QWidget* parent) : QScrollArea(parent), body_(new QWidget), frame_(new PlaceFrame(body_)) {
  setFrameShape(QFrame::NoFrame);
  setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  setFocusPolicy(Qt::NoFocus);
  body_->setProperty("page", true);
  body_->setAttribute(Qt::WA_StyledBackground);
  frame_->setAttribute(Qt::WA_TransparentForMouseEvents);
  frame_->hide();
  setWidget(body_);
}

bool ChartGrid::isNarrow() const {
  return width() < narrowWidth;
}

MetricChart* ChartGrid::mainChart() const {
  if (enlarged_ != nullptr) return enlarged_;
  return charts_.empty() ? nullptr : charts_.front();
}

void ChartGrid::setCharts(const std::vector<MetricChart*>& charts, const ChartArrangement& arrangement) {
  for (MetricChart* chart : charts_) {
    if (std::find(charts.begin(), charts.end(), chart) == charts.end()) chart->hide();
  }
  charts_ = charts;
  arrangement_ = arrangement;
  if (std::find(charts_.begin(), charts_.end(), enlarged_) == charts_.end()) enlarged_ = nullptr;
  for (MetricChart* chart : charts_) {
    if (chart->parentWidget() != body_) chart->setParent(body_);
  }
  // Tab goes through them as they stand.
  for (std::size_t i = 1; i < charts_.size(); ++i) QWidget::setTabOrder(charts_[i - 1], charts_[i]);
  place();
}

void ChartGrid::enlarge(MetricChart* chart) {
  enlarged_ = chart;
  place();
  verticalScrollBar()->setValue(0);
  if (enlarged_ == nullptr && !charts_.empty()) ensureWidgetVisible(charts_.front());
}

void ChartGrid::setLegend(LegendPanel* legend) {
  if (legend_ == legend) return;
  legend_ = legend;
  if (legend_ != nullptr) legend_->setParent(body_);
  place();
  if (legend_ != nullptr) legend_->show();
}

void ChartGrid::resizeEvent(QResizeEvent* event) {
  QScrollArea::resizeEvent(event);
  place();
}

std::vector<std::string> ChartGrid::metrics(const ChartArrangement& arrangement) const {
  std::vector<std::string> metrics;
  for (const ChartSlot& slot : arrangement.slots()) {
    if (std::ranges::find(charts_, slot.metric, &MetricChart::metric) != charts_.end()) metrics.push_back(slot.metric);
  }
  return metrics;
}

std::vector<QRect> ChartGrid::placesIn(const ChartArrangement& arrangement) const {
  return arrangement.places(metrics(arrangement), viewport()->size(), inRow());
}

void ChartGrid::place() {
  const QSize room = viewport()->size();
  const std::vector<QRect> places =
      enlarged_ != nullptr ? std::vector<QRect>(charts_.size(), QRect(QPoint(), room)) : placesIn(arrangement_);
  body_->resize(room);
  int bottom = 0;
  for (std::size_t i = 0; i < charts_.size(); ++i) {
    const bool shown = enlarged_ == nullptr || charts_[i] == enlarged_;
    charts_[i]->setVisible(shown);
    if (!shown) continue;
    bottom = std::max(bottom, places[i].bottom() + 1);
    if (charts_[i] == mainChart()) {
      placeWithLegend(*charts_[i], places[i]);
    } else {
      charts_[i]->setGeometry(places[i]);
    }
  }
  body_->resize(room.width(), std::max(bottom, 1));
  Q_EMIT placed();
}

void ChartGrid::placeWithLegend(MetricChart& chart, QRect room) {
  const int wanted = std::max(widthForFont(legendWidth), room.width() * 3 / 10);
  if (legend_ != nullptr && room.width() - wanted >= leastBesideLegend) {
    const int margin = room.right() + 1 == body_->width() ? pageMargin : 0;
    legend_->setGeometry(room.right() + 1 - wanted - margin, room.top(), wanted, room.height());
    room.setRight(room.right() - wanted - margin);
  } else if (legend_ != nullptr) {
    // Above the chart's lower half, where there is no room beside it.
    const int height = room.height() / 2;
    legend_->setGeometry(room.left(), room.bottom() + 1 - height, room.width(), height);
    room.setHeight(room.height() - height - gapText);
  }
  chart.setGeometry(room);
}

/// Before the chart whose place it is.
ChartArrangement ChartGrid::droppedAt(const MetricChart& chart, const QPoint& place) const {
  const std::vector<std::string> order = metrics(arrangement_);
  const std::vector<QRect> places = placesIn(arrangement_);
  std::size_t nearest = 0;
  double least = -1;
  for (std::size_t i = 0; i < places.size(); ++i) {
    const QPoint centre = places[i].center() - place;
    const double distance = places[i].contains(place) ? 0 : std::hypot(centre.x(), centre.y());
    if (least >= 0 && distance >= least) continue;
    least = distance;
    nearest = i;
  }
  ChartArrangement arrangement = arrangement_;
  if (!order.empty()) arrangement.move(chart.metric(), arrangement_.indexOf(order[nearest]));
  return arrangement;
}

ChartArrangement ChartGrid::resizedTo(const MetricChart& chart, const QSize& size) const {
  const double cell = static_cast<double>(viewport()->width() + gapText) / inRow();
  const int columns = std::clamp(static_cast<int>(std::lround((size.width() + gapText) / cell)), 1, inRow());
  // Of two columns the second is the page's width, as three of three are.
  const int width = columns == inRow() ? mostChartSize : columns;
  const double share = static_cast<double>(size.height()) / std::max(1, viewport()->height());
  const int height = share < 0.5 ? 1 : share < 0.8 ? 2 : mostChartSize;
  ChartArrangement arrangement = arrangement_;
  arrangement.resize(chart.metric(), width, height);
  return arrangement;
}

void ChartGrid::preview(const MetricChart& chart, const ChartArrangement& arrangement) {
  const std::vector<std::string> order = metrics(arrangement);
  const auto at = std::ranges::find(order, chart.metric());
  if (at == order.end()) return;
  frame_->setGeometry(placesIn(arrangement)[static_cast<std::size_t>(at - order.begin())]);
  frame_->raise();
  frame_->show();
}

void ChartGrid::endPreview() {
  frame_->hide();
}

}  // namespace slipstream::ui
