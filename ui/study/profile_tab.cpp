// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/study/profile_tab.h"

#include <fmt/format.h>

#include "ui/widgets/cell_table.h"
#include "ui/widgets/widgets.h"

namespace slipstream::ui {
namespace {

CellGrid gridOf(const std::vector<ProfileCurve>& profile, const VariantPens& pens) {
  CellGrid grid{{{ProfileTab::tr("Variant")},
                 {ProfileTab::tr("The best in, %"), true},
                 {ProfileTab::tr("Reached at all within four times the best, %"), true},
                 {ProfileTab::tr("Area"), true}},
                {}};
  for (const ProfileCurve& curve : profile) {
    grid.rows.push_back({{.text = text(curve.variant), .swatch = pens.at(curve.variant)},
                         {.text = text(fmt::format("{:.0f}", 100 * curve.shares.front()))},
                         {.text = text(fmt::format("{:.0f}", 100 * curve.shares.back()))},
                         {.text = text(fmt::format("{:.3f}", curve.score)), .tone = CellTone::strong}});
  }
  return grid;
}

}  // namespace

void ProfileTab::show(const StudyView& view) {
  const StudyReading& reading = view.reading;
  if (!reading.standing.study.question.target)
    return showNothing(tr("A profile compares times to a target, and the study names none."));
  if (reading.profile.empty()) {
    return showNothing(tr("A profile needs the same seeds of every variant: some have not ended, or were deleted."));
  }
  showCharts({profileChart(reading.profile, reading.pens)});
  showTable(
      gridOf(reading.profile, reading.pens),
      tr("Each combination of factors with each seed is a workload. The area is that under the curve, of all there "
         "could be up to four times the best."));
}

}  // namespace slipstream::ui
