// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <memory>
#include <string>

#include "ui/charts/chart_arrangement.h"
#include "ui/charts/legend_model.h"
#include "ui/charts/line_chart.h"
#include "ui/charts/shown_chart.h"
#include "ui/charts/shown_runs.h"

namespace slipstream::ui {

/// How a chart shows a metric of the store.
struct MetricDisplay {
  QString title;
  QString unit;        ///< "%", "ms"; may be empty
  double factor = 1;   ///< from the stored unit to the one that is shown
  bool smooth = true;  ///< a sample a step; evaluations are drawn as they are
  bool mayBeLogarithmic = false;
  double upperLimit = 0;  ///< that values cannot pass; 0: none
  bool hasTarget = false;
  bool isShareOfRanks = false;  ///< 1 / ranks where all ranks do the same
};

/// Metrics without a title are shown by their key. "PREFIX/*" is the mean of all that begin so.
MetricDisplay metricDisplay(const std::string& metric);

/// A source that lives in the store reader's thread; charts of a page share one, and so what it has read.
using SharedCurveSource = std::shared_ptr<CurveSource>;

/// The curves of one metric over several runs: asks the reader for them, thinned for its own width, whenever what it
/// shows changes. While it waits it shows the old ones in the new range.
class MetricChart : public LineChart {
  Q_OBJECT

 public:
  MetricChart(Workspace& workspace, SharedCurveSource source, std::string metric, QWidget* parent = nullptr);

  const std::string& metric() const { return metric_; }
  /// `extent`: what all charts of the page show where nothing is zoomed.
  void show(const std::vector<ShownRun>& runs, const ChartOptions& options,
            std::optional<std::pair<double, double>> extent);
  void setLegend(LegendPlace place);
  /// The chart of the page that the legend is about: its cursor has a tag with x, and its legend the values.
  void setMain(bool main);
  /// The first runs of curves, in whose order the values below the title are.
  void orderReadings(std::vector<std::string> runs);
  void setView(const ChartView& view);
  const ChartView& view() const { return view_; }
  const MetricDisplay& display() const { return display_; }
  /// How much of its title row is taken by what holds the chart.
  void setTitleRoom(double left, double right);
  /// Of curves of some runs, all others paler; none: all alike.
  void pointOutRuns(const std::vector<std::string>& runs);
  /// Pointed out while nothing else is: the run that the page is about, among very many.
  void setResting(std::vector<std::string> runs);
  /// Its curves, with what they are worth at the cursor.
  std::vector<LegendRow> legendRows() const;

  /// Of all of its samples, and of what the runs were planned to be.
  std::optional<std::pair<double, double>> extent() const { return extent_; }
  /// Where the longest of the runs would end; 0: not known on this axis.
  double planned() const { return planned_; }
  /// Curves that have not been read yet.
  std::size_t unread() const { return unread_; }
  /// Any of its curves has so many samples that smoothing may change it.
  bool isSmoothable() const { return !answered_ || smoothable_; }
  bool isEmpty() const { return answered_ && model().curves.empty(); }
  /// "1,000,000 samples, drawn as 7,900 points, extremes kept"; empty where all are drawn.
  QString thinningText() const;

  /// "Training loss, step 240: adasum 0.074, mean 0.146"
  QString readingText() const;

  /// The cursor at x, `move` samples further; tells where it is by `cursorRead`. `exact`: at the nearest sample, also
  /// where a pixel holds many.
  void readCursor(double x, int move, bool exact = false);
  CurveQuery query() const;

 Q_SIGNALS:
  void answered();
  void cursorRead(double x);
  void readingsChanged();

 private:
  bool isLivingCurve(std::size_t curve) const;
  QString valuesText(std::size_t most) const;
  void applyPlaces(ShownChart& model) const;
  std::vector<std::size_t> readingOrder() const;
  std::vector<int> withoutCurve() const;
  void restyle();
  void forgetQuestions();
  std::vector<std::string> idsOf(const std::vector<std::size_t>& runs) const;
  void takeReadings(const CursorAnswer& answer, double x);
  bool isLogarithmic() const;
  void ask();
  void receive(CurveAnswer answer);
  ShownChart blank() const;
  ChartCurve curveOf(ThinCurve thin) const;
  std::optional<ChartNote> noteOf(const CurveAnswer& answer) const;
  QString treatment() const;
  void addBounds(const CurveAnswer& answer, ShownChart& model) const;
  QString emptyText() const;

  Workspace& workspace_;
  SharedCurveSource source_;
  std::string metric_;
  MetricDisplay display_;
  std::vector<ShownRun> runs_;
  ChartOptions options_;
  LegendPlace legend_ = LegendPlace::none;
  ChartView view_;
  bool main_ = false;
  double titleLeft_ = 0, titleRight_ = 0;
  std::optional<std::pair<double, double>> wanted_;  ///< the page's range
  std::optional<std::pair<double, double>> extent_;
  std::vector<std::vector<std::string>> curveIds_;  ///< runs of the model's curves
  std::vector<std::string> readingRuns_;            ///< in whose order values are
  std::vector<std::string> pointedOut_;             ///< runs
  std::vector<std::string> resting_;                ///< runs
  std::size_t samples_ = 0, drawn_ = 0, unread_ = 0;
  double planned_ = 0;
  std::vector<std::size_t> damaged_;  ///< of runs_
  bool answered_ = false;
  bool failed_ = false;                  ///< what was asked last could not be read
  bool smoothable_ = false;              ///< any of the curves
  bool smoothed_ = false;                ///< the same, and it is asked for
  int epoch_ = 0;                        ///< another number for other runs: answers about those before do not count
  bool asking_ = false, again_ = false;  ///< one question at a time, however fast a hand is
  bool reading_ = false;                 ///< the same of the cursor
  std::optional<std::pair<double, bool>> waitingPlace_;  ///< and whether exactly there
  int waitingSteps_ = 0;
};

}  // namespace slipstream::ui
