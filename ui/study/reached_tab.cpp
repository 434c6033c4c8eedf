// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/study/reached_tab.h"

#include <algorithm>
#include <numeric>

#include "ui/study/study_texts.h"
#include "ui/widgets/cell_table.h"
#include "ui/widgets/widgets.h"

namespace slipstream::ui {
namespace {

CellGrid gridOf(const TimeToTarget& reached, const VariantPens& pens) {
  CellGrid grid{{{ReachedTab::tr("Variant")},
                 {ReachedTab::tr("Reached"), true},
                 {ReachedTab::tr("Never"), true},
                 {ReachedTab::tr("Failed"), true},
                 {ReachedTab::tr("Median"), true},
                 {ReachedTab::tr("Restricted mean"), true}},
                {}};
  for (const ReachedCurve& curve : reached.curves) {
    grid.rows.push_back({{.text = text(curve.variant), .swatch = pens.at(curve.variant)},
                         {.text = ReachedTab::tr("%1 of %2").arg(curve.reached).arg(curve.seeds)},
                         {.text = QString::number(curve.never)},
                         {.text = QString::number(curve.failed)},
                         {.text = curve.median ? valueText(reached.measure, *curve.median) : QStringLiteral("–")},
                         {.text = valueText(reached.measure, curve.restrictedMean), .tone = CellTone::strong}});
  }
  return grid;
}

/// Later curves are drawn over others, with which they may share long ways: those with bands, which are compared.
/// Returns where each curve has gone.
std::vector<std::size_t> bringBandsToFront(ChartModel& chart) {
  std::vector<std::size_t> drawn(chart.curves.size());
  std::iota(drawn.begin(), drawn.end(), 0U);
  std::ranges::stable_partition(drawn, [&](std::size_t curve) { return chart.curves[curve].lowest.empty(); });
  std::vector<ChartCurve> curves;
  std::vector<std::size_t> places(drawn.size());
  for (std::size_t place = 0; place < drawn.size(); ++place) {
    curves.push_back(std::move(chart.curves[drawn[place]]));
    places[drawn[place]] = place;
  }
  chart.curves = std::move(curves);
  return places;
}

}  // namespace

void ReachedTab::show(const StudyView& view) {
  const StudyReading& reading = view.reading;
  const auto& all = reading.reached;
  const auto found =
      std::find_if(all.begin(), all.end(), [&](const TimeToTarget& one) { return one.factors == view.factors; });
  if (all.empty()) {
    return showNothing(
        tr("The study names no target. A question with a target asks how long it takes to reach it: "
           "\"target\": 0.97."));
  }
  if (found == all.end() || found->curves.empty())
    return showNothing(tr("No round of seeds has ended yet at %1.").arg(whereText(view.factors)));
  const Study& study = reading.standing.study;
  ChartModel chart = reachedChart(*found, study, reading.pens, {study.reference, view.variant});
  chart.treatment = joined(
      {whereText(view.factors).toStdString(), chart.treatment, tr("names with restricted means").toStdString()}, ", ");
  for (std::size_t i = 0; i < chart.curves.size(); ++i) {
    const ReachedCurve& curve = found->curves[i];
    chart.curves[i].label = QStringLiteral("%1 · %2")
                                .arg(text(curve.variant), valueText(found->measure, curve.restrictedMean))
                                .toStdString();
  }
  const std::vector<std::size_t> order = bringBandsToFront(chart);
  constexpr double room = 1.03;  // what happens last is not at the end of the axis
  chart.last *= room;
  showCharts({std::move(chart)}, order);
  const QString horizon = valueText(found->measure, found->horizon);
  QString note = tr("%1, at %2. Means are up to %3, as far as every seed was watched.")
                     .arg(measureText(found->measure), whereText(view.factors), horizon);
  note += QLatin1Char(' ') + tr("A band has no width where none of the seeds has reached the target, or all have.");
  if (found->isCut)
    note += QLatin1Char(' ') + tr("Two upright ticks: seeds were watched as far and had not reached the target.");
  showTable(gridOf(*found, reading.pens), note);
}

}  // namespace slipstream::ui
