// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QScrollArea>
#include <map>
#include <memory>
#include <vector>

#include "ui/charts/metric_chart.h"
#include "ui/charts/shown_chart.h"
#include "ui/workspace/page.h"

class QStackedLayout;

namespace slipstream::ui {

/// One large chart over rows of small ones: three in a row, or two where it is narrow. What has no room is reached by
/// scrolling.
class ChartGrid : public QScrollArea {
  Q_OBJECT

 public:
  explicit ChartGrid(QWidget* parent = nullptr);
  /// The first one is the large one. Charts that are no longer among them are hidden.
  void setCharts(const std::vector<QWidget*>& charts);
  bool isNarrow() const;

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  void place();

  QWidget* body_;
  std::vector<QWidget*> charts_;
};

class ChartControls;
class EmptyState;
class RunHeader;

/// The curves of the shown runs: one large chart over small ones, all with one x axis and one cursor.
class ChartsPage : public Page {
  Q_OBJECT

 public:
  ChartsPage(Workspace& workspace, QWidget* parent);

  PageId id() const override { return PageId::charts; }
  QString title() const override { return tr("Charts"); }

  /// In the order of the page.
  const std::vector<MetricChart*>& charts() const { return charts_; }
  const ChartOptions& options() const;
  void setOptions(const ChartOptions& options);

 protected:
  void showEvent(QShowEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  void build();
  void addPageActions();
  QAction* addKey(const QString& text, const QKeySequence& keys, void (ChartsPage::*act)());

  void refresh();
  void askMetrics();
  void receiveMetrics(std::vector<std::string> metrics);
  void chooseCharts();
  MetricChart* makeChart(const std::string& metric);
  MetricChart* frontChart() const;
  void addChart(const std::string& metric);
  void removeChart(const std::string& metric);
  void rememberAdded();
  void showMetric(const std::string& metric);
  void reveal(const std::string& metric);

  void showAll();
  void takeExtents();
  void fold();
  void zoomTo(double first, double last);
  void moveCursor(MetricChart* from, std::optional<double> x);
  void stepCursor(MetricChart* from, int samples);
  void placeCursor(double x);

  void cycleAxis();
  void toggleLogarithmic();
  void toggleLogarithmicX();
  void toggleSmoothing();
  void resetZoom();
  void pinCursor();
  void copyData();
  void saveFrontChart();
  void showMenu(MetricChart* chart, const QPoint& place);

  RunHeader* head_;
  ChartControls* controls_;
  ChartGrid* grid_;
  EmptyState* empty_;
  QWidget* body_;
  QStackedLayout* stack_;
  SharedCurveSource source_;
  std::vector<ShownRun> runs_;
  std::vector<std::string> metrics_;  ///< that the shown runs have
  std::vector<std::string> added_;    ///< by the person, kept between starts
  std::string wanted_;                ///< to be brought into sight once it is known what there is; empty: none
  std::map<std::string, MetricChart*> made_;
  std::vector<MetricChart*> charts_;
  MetricChart* last_ = nullptr;  ///< that had the mouse or the keyboard
  ChartX shownX_ = ChartX::step;
  std::optional<std::pair<double, double>> extent_;  ///< of all charts over that axis
  double usualSmoothing_ = 0.85;
  bool pinned_ = false;
  std::optional<double> cursor_;
  LatestRequest askedMetrics_;
};

}  // namespace slipstream::ui
