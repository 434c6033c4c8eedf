// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <memory>
#include <string>

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

  /// Of all of its samples, and of what the runs were planned to be.
  std::optional<std::pair<double, double>> extent() const { return extent_; }
  /// Any of its curves has so many samples that smoothing may change it.
  bool isSmoothable() const { return !answered_ || smoothable_; }
  bool isEmpty() const { return answered_ && model().curves.empty(); }
  /// "1,000,000 samples, drawn as 7,900 points, extremes kept"; empty where all are drawn.
  QString thinningText() const;

  /// "Training loss, step 240: adasum 0.074, mean 0.146"
  QString readingText() const;

  /// The cursor at x, `move` samples further; tells where it is by `cursorRead`.
  void readCursor(double x, int move);
  CurveQuery query() const;

 Q_SIGNALS:
  void answered();
  void cursorRead(double x);

 private:
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
  std::optional<std::pair<double, double>> wanted_;  ///< the page's range
  std::optional<std::pair<double, double>> extent_;
  std::vector<std::vector<std::size_t>> curveRuns_;  ///< of the model's curves
  std::size_t samples_ = 0, drawn_ = 0;
  std::vector<std::size_t> damaged_;  ///< of runs_
  bool answered_ = false;
  bool smoothable_ = false;  ///< any of the curves
  bool smoothed_ = false;    ///< the same, and it is asked for
  LatestRequest asked_, pointed_;
};

}  // namespace slipstream::ui
