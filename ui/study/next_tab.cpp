// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/study/next_tab.h"

#include <QLabel>
#include <QPushButton>
#include <QSpinBox>
#include <QVBoxLayout>
#include <algorithm>

#include <fmt/format.h>

#include "ui/study/study_texts.h"
#include "ui/widgets/cell_table.h"
#include "ui/widgets/widgets.h"

namespace slipstream::ui {
namespace {

double powerAt(const NextSeeds& next, int seeds) {
  const auto found = std::ranges::find(next.power, seeds, &PowerPoint::seeds);
  return found == next.power.end() ? 0 : found->power;
}

QString neededText(const NextSeeds& next) {
  if (!next.needed) return NextTab::tr("no number");
  return QString::number(*next.needed);
}

CellGrid gridOf(const WhatNext& next, const VariantPens& pens) {
  CellGrid grid{{{NextTab::tr("Variant")},
                 {NextTab::tr("Where")},
                 {NextTab::tr("Verdict")},
                 {NextTab::tr("Effect to show"), true},
                 {NextTab::tr("Seeds now"), true},
                 {NextTab::tr("Power now, %"), true},
                 {NextTab::tr("Seeds for 80 %"), true}},
                {}};
  for (const NextSeeds& one : next.comparisons) {
    const StudyComparison& comparison = one.comparison;
    const QString effect = effectText(comparison.measure, one.effect);
    const auto pen = pens.find(comparison.variant);
    grid.rows.push_back(
        {{.text = text(comparison.variant), .swatch = pen == pens.end() ? std::nullopt : std::optional(pen->second)},
         {.text = whereText(comparison.factors), .tone = CellTone::second},
         {.text = verdictWord(comparison.verdict)},
         {.text = one.ofMargin ? NextTab::tr("%1 (margin)").arg(effect) : effect},
         {.text = QString::number(comparison.pairs)},
         {.text = text(fmt::format("{:.0f}", 100 * powerAt(one, comparison.pairs)))},
         {.text = neededText(one), .tone = CellTone::strong}});
  }
  return grid;
}

}  // namespace

NextTab::NextTab(QWidget* parent)
    : StudyTab(parent),
      adding_(new QWidget),
      count_(new QSpinBox),
      add_(button(Symbol::add, tr("Add seeds and go on"))),
      cost_(label({}, TextSize::secondary, true)) {
  QHBoxLayout* row = rowLayout(adding_);
  QLabel* title = label(tr("More seeds"));
  title->setBuddy(count_);
  count_->setAccessibleName(tr("Seeds to add"));
  cost_->setWordWrap(true);
  row->addWidget(title);
  row->addWidget(count_);
  row->addWidget(add_);
  row->addWidget(cost_, 1);
  body().addWidget(adding_);
  connect(count_, &QSpinBox::valueChanged, this, &NextTab::refresh);
  connect(add_, &QPushButton::clicked, this, [this] { Q_EMIT seedsWanted(count_->value()); });
}

void NextTab::show(const StudyView& view) {
  next_ = view.reading.next;
  const int left = std::max(0, next_.most - next_.seeds);
  count_->setRange(std::min(1, left), left);
  refresh();
  if (next_.comparisons.empty()) {
    return showNothing(
        tr("Nothing has been judged yet: how seeds differ is known once all seeds of a round have ended."));
  }
  const ChartModel chart = powerChart(next_, view.factors, view.reading.pens);
  showCharts(chart.curves.empty() ? std::vector<ChartModel>{} : std::vector{chart});
  showTable(
      gridOf(next_, view.reading.pens),
      tr("The effect to show is the margin where the study names one, else what was seen so far. Levels are those "
         "of a look at so many seeds; beyond the %1 that the study was frozen with, those of a new study.")
          .arg(next_.most));
}

void NextTab::setWhyNot(const QString& why) {
  whyNot_ = why;
  refresh();
}

void NextTab::refresh() {
  const int seeds = count_->value();
  const bool full = next_.most <= next_.seeds;
  QString why = whyNot_;
  if (why.isEmpty() && full) {
    why = tr("The study was frozen with %n seed(s) at most: more seeds are a new study that follows it.", nullptr,
             next_.most);
  } else if (why.isEmpty() && next_.looksLeft == 0) {
    why = tr("The study has been looked at as often as it may: more seeds are a new study that follows it.");
  }
  add_->setEnabled(why.isEmpty() && seeds > 0);
  count_->setEnabled(why.isEmpty());
  add_->setToolTip(why);
  if (!why.isEmpty()) return cost_->setText(why);
  const QString runs = tr("%n run(s)", nullptr, seeds * next_.runsOfSeed);
  cost_->setText(next_.hoursOfSeed ? tr("%1, about %2").arg(runs, durationOf(3600 * *next_.hoursOfSeed * seeds))
                                   : tr("%1; how long is known once each setting has been run").arg(runs));
}

}  // namespace slipstream::ui
