// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/experiment/rate_chart.h"

#include <algorithm>
#include <cmath>

#include "engine/spec/schedule.h"

namespace slipstream::ui {
namespace {

constexpr std::int64_t mostSamples = 600;  ///< more than such a small chart has pixels

Line rateLine(const StagePlan& stage) {
  const std::int64_t updates = stage.updates();
  const std::int64_t samples = std::min(updates, mostSamples);
  Line line;
  for (std::int64_t i = 0; i < samples; ++i) {
    const std::int64_t update = samples == 1 ? 0 : i * (updates - 1) / (samples - 1);
    line.x.push_back(static_cast<double>(stage.firstStep + update));
    line.y.push_back(learningRate(stage.experiment.optimizer.schedule, stage.scheduleStep + update,
                                  static_cast<double>(stage.stepsPerEpoch), stage.scheduleStep + updates));
  }
  return line;
}

/// In two digits where they say the same within one percent: a peak between two steps is the rate that was asked for.
QString rateText(double rate) {
  constexpr double same = 0.01;
  const QString brief = QString::number(rate, 'g', 2);
  return std::abs(brief.toDouble() - rate) <= same * rate ? brief : QString::number(rate, 'g', 3);
}

}  // namespace

RateChart::RateChart(QWidget* parent) : LineChart(parent) {
  setAccessibleName(tr("Learning rate over the steps"));
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
  connect(this, &LineChart::cursorMoved, this, [this](std::optional<double> x) { setCursor(x); });
  connect(this, &LineChart::cursorStepped, this, [this](int samples) {
    const double at = model().cursor.value_or(samples > 0 ? model().first : model().last);
    setCursor(std::clamp(std::round(at) + samples, model().first, model().last));
  });
}

void RateChart::setStage(const std::optional<StagePlan>& stage) {
  ShownChart chart;
  chart.title = tr("Learning rate").toStdString();
  chart.emptyText = tr("Drawn once the experiment can be planned");
  const Line line = stage ? rateLine(*stage) : Line();
  if (line.x.empty()) return setModel(std::move(chart));
  const auto [least, most] = std::ranges::minmax(line.y);
  chart.treatment = (least == most ? tr("%1 in every step").arg(rateText(most))
                                   : tr("%1 to %2, over steps").arg(rateText(least), rateText(most)))
                        .toStdString();
  chart.first = line.x.front();
  chart.last = std::max(line.x.back(), chart.first + 1);
  chart.range = std::pair(0.0, most > 0 ? 1.05 * most : 1.0);
  ChartCurve curve;
  curve.line = {line};
  chart.curves.push_back(std::move(curve));
  setModel(std::move(chart));
}

}  // namespace slipstream::ui
