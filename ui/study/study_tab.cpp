// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/study/study_tab.h"

#include <QLabel>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>

#include "ui/report/chart_flow.h"
#include "ui/widgets/cell_table.h"
#include "ui/widgets/widgets.h"

namespace slipstream::ui {
namespace {

/// The matrix and the chart below it are to be seen at once; of what a window is higher than the lowest one the chart
/// has a third.
int chartHeightIn(const QWidget& window) {
  constexpr int least = 180, most = 288, lowWindow = 720;
  return std::clamp(least + (window.height() - lowWindow) / 3, least, most);
}

ShownChart shownOf(const ChartModel& model) {
  ShownChart shown(model);
  shown.legend = LegendPlace::none;
  shown.readingRow = ReadingRow::names;
  for (const ChartCurve& curve : shown.curves) {
    if (!curve.ideal || curve.line.empty()) continue;
    // In the middle of both axes, which count in powers.
    const Line& line = curve.line.front();
    shown.notes.push_back(
        {std::sqrt(line.x.front() * line.x.back()), std::sqrt(line.y.front() * line.y.back()), text(curve.name())});
  }
  return shown;
}

}  // namespace

StudyTab::StudyTab(QWidget* parent)
    : QWidget(parent),
      body_(column(this, gapWide)),
      charts_(new ChartFlow),
      table_(new CellTable),
      note_(label({}, TextSize::secondary, true)) {
  note_->setWordWrap(true);
  note_->setTextInteractionFlags(Qt::TextSelectableByMouse);
  addAll(*body_, {charts_, table_, note_});
  for (QWidget* part : {static_cast<QWidget*>(charts_), static_cast<QWidget*>(table_)}) part->hide();
}

void StudyTab::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  fitToWindow();
}

void StudyTab::fitToWindow() {
  charts_->setChartHeight(chartHeightIn(*window()));
}

bool StudyTab::hasFigures() const {
  return !charts_->isHidden() || !table_->isHidden();
}

void StudyTab::showNothing(const QString& why) {
  charts_->hide();
  table_->hide();
  note_->setText(why);
  note_->show();
}

void StudyTab::showCharts(const std::vector<ChartModel>& models, const std::vector<std::size_t>& order) {
  std::vector<ShownChart> shown;
  for (const ChartModel& model : models) {
    shown.push_back(shownOf(model));
    shown.back().readingOrder = order;
  }
  charts_->setVisible(!shown.empty());
  charts_->setModels(std::move(shown));
}

void StudyTab::showTable(CellGrid grid, const QString& note) {
  table_->setVisible(!grid.rows.empty());
  table_->setGrid(std::move(grid));
  note_->setVisible(!note.isEmpty());
  note_->setText(note);
}

}  // namespace slipstream::ui
