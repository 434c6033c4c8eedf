// SPDX-License-Identifier: GPL-3.0-or-later
// What the page can be asked to do by keys, by the command box and by the menu of a chart.
#include <QAction>
#include <QClipboard>
#include <QFileDialog>
#include <QGuiApplication>
#include <QMenu>

#include "ui/charts/chart_export.h"
#include "ui/charts/charts_page.h"
#include "ui/theme/icons.h"

namespace slipstream::ui {

QAction* ChartsPage::addKey(const QString& text, const QKeySequence& keys, void (ChartsPage::*act)()) {
  auto* action = new QAction(text, this);
  action->setShortcut(keys);
  // Single letters belong to those who type everywhere else.
  action->setShortcutContext(Qt::WidgetWithChildrenShortcut);
  connect(action, &QAction::triggered, this, act);
  addAction(action);
  return action;
}

void ChartsPage::addPageActions() {
  addKey(tr("Next x axis"), Qt::Key_X, &ChartsPage::cycleAxis);
  addKey(tr("Logarithmic y axis"), Qt::Key_L, &ChartsPage::toggleLogarithmic);
  addKey(tr("Logarithmic x axis"), Qt::SHIFT | Qt::Key_L, &ChartsPage::toggleLogarithmicX);
  addKey(tr("Smoothing on or off"), Qt::Key_S, &ChartsPage::toggleSmoothing);
  addKey(tr("Reset zoom"), Qt::Key_R, &ChartsPage::resetZoom);
  addKey(tr("Pin the cursor"), Qt::Key_Return, &ChartsPage::pinCursor);
  addKey(tr("Copy visible data as CSV"), Qt::Key_C, &ChartsPage::copyData)->setIcon(icon(Symbol::copy));
  addKey(tr("Save picture of the chart…"), {}, &ChartsPage::saveFrontPicture)->setIcon(icon(Symbol::exportFile));
}

void ChartsPage::cycleAxis() {
  ChartOptions next = options();
  next.x = next.x == ChartX::relativeTime ? ChartX::step : static_cast<ChartX>(static_cast<int>(next.x) + 1);
  next.zoom.reset();
  setOptions(next);
}

void ChartsPage::toggleLogarithmic() {
  ChartOptions next = options();
  next.logarithmic = !next.logarithmic;
  setOptions(next);
}

void ChartsPage::toggleLogarithmicX() {
  ChartOptions next = options();
  next.logarithmicX = !next.logarithmicX;
  setOptions(next);
}

void ChartsPage::toggleSmoothing() {
  ChartOptions next = options();
  if (next.smoothing > 0) usualSmoothing_ = next.smoothing;
  next.smoothing = next.smoothing > 0 ? 0 : usualSmoothing_;
  setOptions(next);
}

void ChartsPage::resetZoom() {
  ChartOptions next = options();
  next.zoom.reset();
  setOptions(next);
}

/// The cursor stays where it is until it is pinned again, and its readings are said.
void ChartsPage::pinCursor() {
  const MetricChart* chart = frontChart();
  if (chart == nullptr || !cursor_) return;
  pinned_ = !pinned_;
  if (!pinned_) return workspace().say(tr("The cursor is free again"));
  workspace().say(chart->readingWords());
}

void ChartsPage::copyData() {
  const MetricChart* chart = frontChart();
  if (chart == nullptr) return;
  QStringList labels;
  for (const ShownRun& run : runs_) labels << run.label;
  const QString x = axisName(options().x);
  workspace().store().reader().read(
      this,
      [source = source_, query = chart->query(), labels, x](RunStore& store) {
        const CurveTable table = source->table(store, query);
        QStringList names;
        for (const std::vector<std::size_t>& runs : table.runs) {
          QStringList parts;
          for (const std::size_t run : runs) parts << labels.value(static_cast<qsizetype>(run));
          names << parts.join(QStringLiteral(" + "));
        }
        return std::pair(csvText(table, x, names), table.x.size());
      },
      [this](const std::pair<QString, std::size_t>& answer) {
        QGuiApplication::clipboard()->setText(answer.first);
        workspace().say(tr("%n row(s) copied", nullptr, static_cast<int>(answer.second)));
      },
      [this](const QString& words) { workspace().say(words); });
}

void ChartsPage::saveFrontPicture() {
  const MetricChart* chart = frontChart();
  if (chart == nullptr) return;
  QString proposed = QString::fromStdString(chart->metric()).remove(QStringLiteral("/*"));
  proposed.replace(QLatin1Char('/'), QLatin1Char('-'));
  const QString file = QFileDialog::getSaveFileName(this, tr("Save picture"), proposed + QStringLiteral(".svg"),
                                                    tr("Pictures (*.svg *.png *.pdf)"));
  if (file.isEmpty()) return;
  const Status saved = savePicture(*chart, file);
  workspace().say(saved ? tr("Saved %1").arg(file) : QString::fromStdString(toText(saved.error())));
}

void ChartsPage::showMenu(MetricChart* chart, const QPoint& place) {
  last_ = chart;
  QMenu menu(this);
  menu.addAction(icon(Symbol::copy), tr("Copy visible data as CSV"), this, &ChartsPage::copyData);
  menu.addAction(icon(Symbol::exportFile), tr("Save picture of the chart…"), this, &ChartsPage::saveFrontPicture);
  menu.addAction(tr("Reset zoom"), this, &ChartsPage::resetZoom)->setEnabled(options().zoom.has_value());
  const bool added = std::find(added_.begin(), added_.end(), chart->metric()) != added_.end();
  if (added) {
    menu.addSeparator();
    menu.addAction(icon(Symbol::close), tr("Remove chart"), this, [this, chart] { removeChart(chart->metric()); });
  }
  menu.exec(place);
}

}  // namespace slipstream::ui
