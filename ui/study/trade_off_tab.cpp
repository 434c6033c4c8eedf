// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/study/trade_off_tab.h"

#include <cmath>

#include <fmt/format.h>

#include "ui/study/study_texts.h"
#include "ui/widgets/cell_table.h"
#include "ui/widgets/widgets.h"

namespace slipstream::ui {
namespace {

QString meanAccuracyText(const std::optional<SeedRange>& accuracy) {
  return accuracy ? text(fmt::format("{:.2f}", accuracy->mean)) : QStringLiteral("–");
}

QString meanSecondsText(const std::optional<SeedRange>& seconds) {
  return seconds ? text(fmt::format("{:.1f}", seconds->mean)) : QStringLiteral("–");
}

QString meanMemoryText(const std::optional<SeedRange>& bytes) {
  return bytes ? bytesOf(std::llround(bytes->mean)) : QStringLiteral("–");
}

CellGrid gridOf(const std::vector<TradeOffPoint>& points, const VariantPens& pens) {
  CellGrid grid{{{TradeOffTab::tr("Variant")},
                 {TradeOffTab::tr("Where")},
                 {TradeOffTab::tr("Test accuracy, %"), true},
                 {TradeOffTab::tr("Training, s"), true},
                 {TradeOffTab::tr("Memory of a rank"), true},
                 {TradeOffTab::tr("Seeds"), true},
                 {TradeOffTab::tr("Not beaten")}},
                {}};
  for (const TradeOffPoint& point : points) {
    grid.rows.push_back(
        {{.text = text(point.variant), .swatch = pens.at(point.variant)},
         {.text = whereText(point.factors), .tone = CellTone::second},
         {.text = meanAccuracyText(point.accuracy)},
         {.text = meanSecondsText(point.seconds)},
         {.text = meanMemoryText(point.bytes)},
         {.text = QString::number(point.seeds)},
         {.text = point.onFront ? TradeOffTab::tr("in all three") : QString(), .tone = CellTone::strong}});
  }
  return grid;
}

}  // namespace

void TradeOffTab::show(const StudyView& view) {
  const StudyReading& reading = view.reading;
  if (reading.tradeOff.empty()) return showNothing(tr("No run has ended yet."));
  if (!reading.standing.study.question.stages.empty())
    return showNothing(tr("The stages of a run share its time and memory: there is nothing to trade."));
  showCharts(tradeOffCharts(reading.tradeOff, reading.pens));
  showTable(
      gridOf(reading.tradeOff, reading.pens),
      tr("A dot is the mean of its seeds, its cross reaches from the lowest to the highest. Not beaten: nothing else "
         "is as good in accuracy, time and memory, and better in one of them."));
}

}  // namespace slipstream::ui
