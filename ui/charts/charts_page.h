// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <map>
#include <memory>
#include <set>
#include <vector>

#include "ui/charts/chart_grid.h"
#include "ui/charts/metric_chart.h"
#include "ui/charts/shown_chart.h"
#include "ui/store/latest_request.h"
#include "ui/workspace/page.h"

class QStackedLayout;

namespace slipstream::ui {

class ChartControls;
class ChartHandles;
class EmptyState;
class LegendPanel;
enum class LegendForm;
class RunHeader;

/// The curves of the shown runs: one large chart over small ones, all with one x axis and one cursor.
class ChartsPage : public Page {
  Q_OBJECT

 public:
  ChartsPage(Workspace& workspace, QWidget* parent);
  ~ChartsPage() override;

  PageId id() const override { return PageId::charts; }
  QString title() const override { return tr("Charts"); }

  /// In the order of the page.
  const std::vector<MetricChart*>& charts() const { return charts_; }
  const ChartOptions& options() const;
  void setOptions(const ChartOptions& options);

  const ChartArrangement& arrangement() const { return arrangement_; }
  LegendPanel& legend() { return *legend_; }
  ChartHandles& handlesOf(const MetricChart& chart) { return *handles_.at(chart.metric()); }
  /// Runs that are chosen and hidden from the charts.
  const std::set<std::string>& hidden() const { return hidden_; }

 protected:
  void showEvent(QShowEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  void build();
  void addPageActions();
  QAction* addKey(const QString& text, const QKeySequence& keys, void (ChartsPage::*act)());

  void refresh();
  void askMetrics();
  void receiveMetrics(std::vector<std::string> metrics);
  void chooseCharts();
  bool givesWay(const std::string& metric) const;
  MetricChart* makeChart(const std::string& metric);
  ChartHandles* makeHandles(MetricChart* chart);
  MetricChart* frontChart() const;
  void addChart(const std::string& metric);
  void removeChart(const std::string& metric);
  void rememberAdded();
  void showMetric(const std::string& metric);
  void reveal(const std::string& metric);
  void bringForward(MetricChart* chart);

  // The arrangement, which belongs to the experiment.
  void takeExperiment();
  ChartArrangement usualArrangement() const;
  void arrange(const QString& what, const ChartArrangement& arrangement);
  void setArrangement(const ChartArrangement& arrangement);
  void applyViews();
  void addArrangingKeys();
  void moveFront(int places);
  void resizeFront(int wider, int higher);
  void fillLayouts();
  void toggleEnlarged(MetricChart* chart);
  void toggleFrontEnlarged();
  void showSettings(MetricChart* chart, const QPoint& topRight);
  friend class ArrangementStep;

  // The legend, and what it hides.
  std::vector<ShownRun> visibleRuns() const;
  void hideRuns(const std::vector<std::string>& runs, bool hidden);
  void isolate(const std::vector<std::string>& runs);
  void refreshLegend();
  void orderReadings();
  void placeLegend();
  void setLegendForm(const MetricChart& main, LegendForm form);
  void placeInside(MetricChart& main);
  void keepPlace(const MetricChart& main);
  void connectLegend();

  void showAll();
  void takeExtents();
  void forgetPlaces();
  void fold();
  void zoomTo(double first, double last);
  void moveCursor(MetricChart* from, std::optional<double> x);
  void stepCursor(MetricChart* from, int samples);
  void placeCursor(double x, bool exact = false);
  void alignCursors();
  void showCursor();

  void cycleAxis();
  void toggleLogarithmic();
  void toggleLogarithmicX();
  void toggleSmoothing();
  void resetZoom();
  void pinCursor();
  void copyData();
  void saveFrontChart();
  void showMenu(MetricChart* chart, const QPoint& place);

  RunHeader* header_;
  ChartControls* controls_;
  ChartGrid* grid_;
  LegendPanel* legend_;
  EmptyState* empty_;
  QWidget* body_;
  QStackedLayout* stack_;
  SharedCurveSource source_;
  std::vector<ShownRun> runs_;
  std::set<std::string> hidden_;      ///< of runs_
  std::vector<std::string> metrics_;  ///< that the shown runs have
  std::vector<std::string> added_;    ///< by the person, kept between starts
  std::string wanted_;                ///< to be brought into sight once it is known what there is; empty: none
  std::string experiment_;            ///< whose arrangement it is
  ChartArrangement arrangement_;
  std::map<std::string, MetricChart*> made_;
  std::map<std::string, ChartHandles*> handles_;
  std::vector<MetricChart*> charts_;
  MetricChart* last_ = nullptr;  ///< that had the mouse or the keyboard
  ChartX shownX_ = ChartX::step;
  std::optional<std::pair<double, double>> extent_;  ///< of all charts over that axis
  double usualSmoothing_ = 0.85;
  bool pinned_ = false;
  std::optional<double> cursor_;
  bool legendUnfolded_ = true, legendTouched_ = false;  ///< folded or not by a person
  int legendCorner_ = -1;                               ///< of the chart that it lies in
  LatestRequest askedMetrics_;
};

}  // namespace slipstream::ui
