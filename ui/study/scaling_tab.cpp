// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/study/scaling_tab.h"

#include <algorithm>

#include <fmt/format.h>

#include "engine/base/number_format.h"
#include "ui/study/study_texts.h"
#include "ui/widgets/cell_table.h"
#include "ui/widgets/widgets.h"

namespace slipstream::ui {
namespace {

const ScalingPoint* pointAt(const std::vector<ScalingPoint>& points, int ranks) {
  const auto found = std::ranges::find(points, ranks, &ScalingPoint::ranks);
  return found == points.end() ? nullptr : &*found;
}

Cell numberCell(const ScalingPoint* point) {
  return {.text = point == nullptr ? QStringLiteral("–") : text(threeDigits(point->value))};
}

Cell percentCell(const ScalingPoint* point) {
  if (point == nullptr) return {.text = QStringLiteral("–")};
  return {.text = text(fmt::format("{:.1f}", 100 * point->value))};
}

CellGrid gridOf(const Scaling& scaling, const VariantPens& pens) {
  CellGrid grid{{{ScalingTab::tr("Variant")},
                 {ScalingTab::tr("Ranks"), true},
                 {ScalingTab::tr("Samples/s"), true},
                 {ScalingTab::tr("Weak efficiency, %"), true},
                 {ScalingTab::tr("Speed-up"), true},
                 {ScalingTab::tr("Strong efficiency, %"), true},
                 {ScalingTab::tr("Seeds"), true}},
                {}};
  for (const ScalingCurve& curve : scaling.curves) {
    for (const int ranks : scaling.ranks) {
      const ScalingPoint* rate = pointAt(curve.throughput, ranks);
      const ScalingPoint* speed = pointAt(curve.speedUp, ranks);
      if (rate == nullptr && speed == nullptr) continue;
      grid.rows.push_back({{.text = text(curve.variant), .swatch = pens.at(curve.variant)},
                           {.text = QString::number(ranks)},
                           numberCell(rate),
                           percentCell(pointAt(curve.weakEfficiency, ranks)),
                           numberCell(speed),
                           percentCell(pointAt(curve.strongEfficiency, ranks)),
                           {.text = QString::number(rate != nullptr ? rate->seeds : speed->seeds)}});
    }
  }
  return grid;
}

const Scaling* scalingAt(const StudyReading& reading, StudySettings factors) {
  factors.erase(ranksKey);
  for (const auto& [others, scaling] : reading.scaling) {
    if (others == factors) return &scaling;
  }
  return nullptr;
}

}  // namespace

void ScalingTab::show(const StudyView& view) {
  const Scaling* scaling = scalingAt(view.reading, view.factors);
  if (scaling == nullptr) {
    return showNothing(
        tr("Scaling needs different numbers of ranks: make \"parallel.ranks\" a factor with two values or "
           "more."));
  }
  if (scaling->curves.empty()) return showNothing(tr("No run has ended yet."));
  showCharts(scalingCharts(*scaling, view.reading.pens));
  QStringList notes{
      scaling->toTarget
          ? tr("Strong scaling is of the time to the target, of the seeds that reached it; weak scaling of "
               "the samples a second.")
          : tr("Strong scaling is of the time of the whole training; weak scaling of the samples a second.")};
  notes << tr("Both are relative to each variant's own fewest ranks.");
  if (!scaling->growingBatch)
    notes << tr("The samples of a step do not grow with the ranks: weak scaling says little here.");
  showTable(gridOf(*scaling, view.reading.pens), notes.join(QLatin1Char(' ')));
}

}  // namespace slipstream::ui
