// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/checkpoints/checkpoint_charts.h"

#include <QCoreApplication>
#include <QLocale>
#include <algorithm>

#include "engine/record/metric_info.h"
#include "ui/charts/metric_chart.h"
#include "ui/widgets/widgets.h"

namespace slipstream::ui {
namespace {

constexpr std::size_t fewEvaluations = 64;  ///< below, each has a dot

QString treatmentOf(const MetricDisplay& display, bool smoothed) {
  QStringList parts;
  if (!display.unit.isEmpty()) parts << display.unit;
  if (display.mayBeLogarithmic) parts << QCoreApplication::translate("slipstream::ui::MetricChart", "log scale");
  if (smoothed) {
    const double curveSmoothing = ChartOptions().smoothing;
    parts << QCoreApplication::translate("slipstream::ui::MetricChart", "smoothed %1").arg(curveSmoothing, 0, 'f', 2);
  }
  return listed(parts);
}

ChartCurve checkpointCurve(ThinCurve thin, int pen) {
  ChartCurve curve;
  curve.colourSlot = pen;
  curve.points = thin.samples < fewEvaluations;
  curve.raw = std::move(thin.raw);
  curve.line = std::move(thin.line);
  curve.gaps = std::move(thin.gaps);
  return curve;
}

std::optional<ChartModel> checkpointChart(RunStore& store, CurveSource& source, const CurveRun& run, int pen,
                                          const char* metric) {
  const MetricDisplay display = metricDisplay(metric);
  CurveQuery query;
  query.runs = {run};
  query.metric = metric;
  query.factor = display.factor;
  query.smoothing = display.smooth ? ChartOptions().smoothing : 0;
  query.logarithmic = display.mayBeLogarithmic;
  CurveAnswer answer = source.read(store, query);
  if (answer.curves.empty()) return std::nullopt;
  ChartModel chart;
  chart.title = display.title.toStdString();
  chart.treatment = treatmentOf(display, !answer.curves.front().raw.empty()).toStdString();
  chart.last = std::max(1.0, answer.last);
  chart.logarithmic = display.mayBeLogarithmic;
  if (display.upperLimit > 0) chart.upperLimit = display.upperLimit;
  if (display.hasTarget && answer.targetAccuracy)
    chart.bounds.push_back({display.factor * *answer.targetAccuracy, phrase("target")});
  chart.curves.push_back(checkpointCurve(std::move(answer.curves.front()), pen));
  return chart;
}

}  // namespace

std::vector<ChartModel> checkpointCharts(RunStore& store, CurveSource& source, const CurveRun& run, int pen,
                                         const std::vector<std::int64_t>& steps) {
  std::vector<ChartModel> charts;
  for (const char* metric : {metric::accuracy, metric::loss}) {
    std::optional<ChartModel> chart = checkpointChart(store, source, run, pen, metric);
    if (!chart) continue;
    for (const std::int64_t step : steps)
      chart->borders.push_back({static_cast<double>(step), QLocale().toString(step).toStdString()});
    if (!steps.empty() && charts.empty()) {  // said once: the charts are beside each other
      const QString lines =
          QCoreApplication::translate("CheckpointCharts", "dotted lines: checkpoints, dashed: the chosen one");
      chart->treatment = joined({chart->treatment, lines.toStdString()}, ", ");
    }
    charts.push_back(std::move(*chart));
  }
  return charts;
}

}  // namespace slipstream::ui
