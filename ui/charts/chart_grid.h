// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QScrollArea>
#include <optional>
#include <string>
#include <vector>

#include "ui/charts/chart_arrangement.h"

namespace slipstream::ui {

class LegendPanel;
class MetricChart;

/// The charts of a page in their arrangement, or one of them alone; what has no room is reached by scrolling. While a
/// chart is moved or resized its new place is a dashed frame.
class ChartGrid : public QScrollArea {
  Q_OBJECT

 public:
  explicit ChartGrid(QWidget* parent = nullptr);

  /// In the order of the arrangement. Charts that are no longer among them are hidden.
  void setCharts(const std::vector<MetricChart*>& charts, const ChartArrangement& arrangement);
  /// Fills the page with one chart; null: all again.
  void enlarge(MetricChart* chart);
  MetricChart* enlarged() const { return enlarged_; }
  /// Beside the main chart; null: none there.
  void setLegend(LegendPanel* legend);
  bool isNarrow() const;
  /// The one the legend is about: the enlarged one, or the first.
  MetricChart* mainChart() const;

  /// The arrangement where `chart` is dropped at a place of the grid's content.
  ChartArrangement droppedAt(const MetricChart& chart, const QPoint& place) const;
  ChartArrangement resizedTo(const MetricChart& chart, const QSize& size) const;
  /// Shows where a chart would be; nothing: none is under way.
  void preview(const MetricChart& chart, const ChartArrangement& arrangement);
  void endPreview();

 Q_SIGNALS:
  void placed();

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  int inRow() const { return isNarrow() ? 2 : 3; }
  std::vector<std::string> metrics(const ChartArrangement& arrangement) const;
  std::vector<QRect> placesIn(const ChartArrangement& arrangement) const;
  void place();
  void placeWithLegend(MetricChart& chart, QRect room);

  QWidget* body_;
  QWidget* frame_;  ///< where a chart would be
  std::vector<MetricChart*> charts_;
  ChartArrangement arrangement_;
  MetricChart* enlarged_ = nullptr;
  LegendPanel* legend_ = nullptr;
};

}  // namespace slipstream::ui
