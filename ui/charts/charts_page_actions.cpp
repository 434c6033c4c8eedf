// SPDX-License-Identifier: GPL-3.0-or-later
#include <QAction>
#include <QClipboard>
#include <QFileDialog>
#include <QGuiApplication>
#include <QMenu>
#include <algorithm>
#include <set>

#include "engine/base/text.h"
#include "engine/boost/adasum/spec.h"
#include "engine/boost/metrics.h"
#include "engine/record/metric_info.h"
#include "engine/store/verified_checkpoint.h"
#include "ui/charts/chart_export.h"
#include "ui/charts/chart_handles.h"
#include "ui/charts/charts_header.h"
#include "ui/charts/charts_page.h"
#include "ui/theme/icons.h"
#include "ui/workspace/settings.h"

// What the page can be asked to do by keys, by the command box and by the menu of a chart.
// Which metrics the page has charts of.
namespace slipstream::ui {
namespace {

constexpr std::size_t mostCopiedCells = 2'000'000;  ///< a clipboard holds them as text

/// Families of metrics that are offered as their mean as well.
const std::string orthogonality = metric::orthogonality, cosine = metric::cosine;

bool has(const std::vector<std::string>& metrics, const std::string& metric) {
  if (!endsWith(metric, "*")) return std::find(metrics.begin(), metrics.end(), metric) != metrics.end();
  const std::string prefix = metric.substr(0, metric.size() - 1);
  return std::any_of(metrics.begin(), metrics.end(), [&](const std::string& one) { return startsWith(one, prefix); });
}

}  // namespace

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
  addKey(tr("Pin the cursor"), Qt::Key_P, &ChartsPage::pinCursor);
  addKey(tr("Enlarge the chart, or show all again"), Qt::Key_Return, &ChartsPage::toggleFrontEnlarged)
      ->setIcon(icon(Symbol::enlarge));
  addKey(tr("Copy visible data as CSV"), Qt::Key_C, &ChartsPage::copyData)->setIcon(icon(Symbol::copy));
  addKey(tr("Save image of the chart…"), {}, &ChartsPage::saveFrontChart)->setIcon(icon(Symbol::exportFile));
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
  if (!pinned_) return workspace().report(tr("The cursor is free again"));
  workspace().report(chart->readingText());
}

void ChartsPage::copyData() {
  const MetricChart* chart = frontChart();
  if (chart == nullptr) return;
  QStringList labels;
  for (const ShownRun& run : visibleRuns()) labels << run.label;
  const QString x = text(axisName(options().x));
  workspace().store().reader().read(
      this,
      [source = source_, query = chart->query(), labels, x](RunStore& store) {
        const std::optional<CurveTable> table = source->table(store, query, mostCopiedCells);
        if (!table) return std::optional<std::pair<QString, std::size_t>>();
        QStringList names;
        for (const std::vector<std::size_t>& runs : table->runs) {
          QStringList parts;
          for (const std::size_t run : runs) parts << labels.value(static_cast<qsizetype>(run));
          names << parts.join(QStringLiteral(" + "));
        }
        return std::optional(std::pair(csvText(*table, x, names), table->x.size()));
      },
      [this](const std::optional<std::pair<QString, std::size_t>>& answer) {
        if (!answer) {
          return workspace().report(tr("More than %1 values: zoom in, or save them to a file by slipstream metrics")
                                        .arg(QLocale().toString(static_cast<qulonglong>(mostCopiedCells))));
        }
        QGuiApplication::clipboard()->setText(answer->first);
        workspace().report(tr("%n row(s) copied", nullptr, static_cast<int>(answer->second)));
      },
      [this](const QString& message) { workspace().report(message); });
}

void ChartsPage::saveFrontChart() {
  const MetricChart* chart = frontChart();
  if (chart == nullptr) return;
  QString proposed = QString::fromStdString(chart->metric()).remove(QStringLiteral("/*"));
  proposed.replace(QLatin1Char('/'), QLatin1Char('-'));
  const QString file = QFileDialog::getSaveFileName(this, tr("Save image"), proposed + QStringLiteral(".svg"),
                                                    tr("Images (*.svg *.png *.pdf)"));
  if (file.isEmpty()) return;
  const Status saved = saveChart(*chart, file);
  workspace().report(saved ? tr("Saved %1").arg(file) : QString::fromStdString(toText(saved.error())));
}

void ChartsPage::showMenu(MetricChart* chart, const QPoint& place) {
  last_ = chart;
  QMenu menu(this);
  menu.addAction(icon(Symbol::copy), tr("Copy visible data as CSV"), this, &ChartsPage::copyData);
  menu.addAction(icon(Symbol::exportFile), tr("Save image of the chart…"), this, &ChartsPage::saveFrontChart);
  menu.addAction(tr("Reset zoom"), this, &ChartsPage::resetZoom)->setEnabled(options().zoom.has_value());
  menu.addAction(icon(Symbol::enlarge), grid_->enlarged() == chart ? tr("Back to all charts") : tr("Enlarge"), this,
                 [this, chart] { toggleEnlarged(chart); });
  if (charts_.size() > 1) {
    menu.addSeparator();
    menu.addAction(icon(Symbol::close), tr("Remove chart"), this, [this, chart] { removeChart(chart->metric()); });
  }
  menu.exec(place);
}

void ChartsPage::askMetrics() {
  std::vector<std::string> ids;
  for (const ShownRun& run : runs_) ids.push_back(run.run.id);
  const int ticket = askedMetrics_.take();
  workspace().store().reader().read(
      this,
      [ids](RunStore& store) {
        std::set<std::string> names;
        std::vector<std::string> damaged;  // the charts tell
        for (const std::string& id : ids) {
          for (std::string& name : intactMetricNames(store, id, damaged)) names.insert(std::move(name));
        }
        return std::vector<std::string>(names.begin(), names.end());
      },
      [this, ticket](std::vector<std::string> metrics) {
        if (askedMetrics_.isLatest(ticket)) receiveMetrics(std::move(metrics));
      });
}

void ChartsPage::receiveMetrics(std::vector<std::string> metrics) {
  if (metrics != metrics_ || charts_.empty()) {
    metrics_ = std::move(metrics);
    chooseCharts();
  }
  if (!wanted_.empty()) reveal(std::exchange(wanted_, {}));
}

/// Whether another metric that was measured has a chart in place of this one's.
bool ChartsPage::givesWay(const std::string& metric) const {
  return std::ranges::any_of(metricInfos(), [&](const MetricInfo& info) {
    const std::string other(info.name);
    return info.standsInFor == metric && has(metrics_, other) && arrangement_.has(other);
  });
}

/// What the runs have measured, as the experiment's charts are arranged.
void ChartsPage::chooseCharts() {
  charts_.clear();
  std::vector<std::string> wanted;
  for (const ChartSlot& slot : arrangement_.slots()) {
    const MetricInfo* info = findMetric(slot.metric);
    const bool usual = info != nullptr && info->isUsual;
    if (!usual && !has(metrics_, slot.metric)) continue;
    if (!has(added_, slot.metric) && givesWay(slot.metric)) continue;
    wanted.push_back(slot.metric);
    charts_.push_back(makeChart(slot.metric));
  }
  grid_->setCharts(charts_, arrangement_);
  for (const MetricChart* chart : charts_) handlesOf(*chart).setMovable(charts_.size() > 1);
  applyViews();
  std::vector<std::string> others;
  for (const std::string& metric : {orthogonality, cosine}) {
    if (has(metrics_, metric) && !has(wanted, metric)) others.push_back(metric);
  }
  for (const std::string& metric : metrics_) {
    if (std::find(wanted.begin(), wanted.end(), metric) == wanted.end()) others.push_back(metric);
  }
  controls_->setMetrics(others);
  fold();
  showAll();
  showCursor();
}

MetricChart* ChartsPage::makeChart(const std::string& metric) {
  MetricChart*& chart = made_[metric];
  if (chart != nullptr) return chart;
  chart = new MetricChart(workspace(), source_, metric, grid_->widget());
  MetricChart* own = chart;
  handles_[metric] = makeHandles(own);
  connect(own, &LineChart::rangeWanted, this, &ChartsPage::zoomTo);
  connect(own, &LineChart::wholeRangeWanted, this, [this, own] { toggleEnlarged(own); });
  connect(own, &LineChart::cursorMoved, this, [this, own](std::optional<double> x) { moveCursor(own, x); });
  connect(own, &LineChart::cursorStepped, this, [this, own](int samples) { stepCursor(own, samples); });
  connect(own, &MetricChart::cursorRead, this, [this](double x) { placeCursor(x, true); });
  connect(own, &MetricChart::answered, this, &ChartsPage::takeExtents);
  connect(own, &MetricChart::answered, this, [this, own] {
    if (own == grid_->mainChart()) placeLegend();  // its curves may be elsewhere now
  });
  connect(own, &MetricChart::readingsChanged, this, [this, own] {
    alignCursors();
    if (own == grid_->mainChart()) refreshLegend();
  });
  own->setContextMenuPolicy(Qt::CustomContextMenu);
  connect(own, &QWidget::customContextMenuRequested, this,
          [this, own](const QPoint& place) { showMenu(own, own->mapToGlobal(place)); });
  return own;
}

void ChartsPage::addChart(const std::string& metric) {
  if (std::find(added_.begin(), added_.end(), metric) == added_.end()) added_.push_back(metric);
  rememberAdded();
  ChartArrangement arrangement = arrangement_;
  arrangement.add({metric});
  arrange(tr("Add %1").arg(metricDisplay(metric).title), arrangement);
  chooseCharts();  // it may have a place already, where another one stood in for it
  if (const auto at = std::ranges::find(charts_, metric, &MetricChart::metric); at != charts_.end()) bringForward(*at);
}

void ChartsPage::removeChart(const std::string& metric) {
  std::erase(added_, metric);
  rememberAdded();
  ChartArrangement arrangement = arrangement_;
  arrangement.remove(metric);
  arrange(tr("Remove %1").arg(metricDisplay(metric).title), arrangement);
}

void ChartsPage::rememberAdded() {
  QStringList metrics;
  for (const std::string& metric : added_) metrics << QString::fromStdString(metric);
  Settings::setAddedCharts(metrics);
}

/// What the shown runs have measured may have to be asked first.
void ChartsPage::showMetric(const std::string& metric) {
  wanted_ = metric;
  workspace().showPage(id());
  if (runs_.empty()) return wanted_.clear();
  askMetrics();
}

void ChartsPage::reveal(const std::string& metric) {
  const auto at = [&] { return std::ranges::find(charts_, metric, &MetricChart::metric); };
  if (at() == charts_.end() && has(metrics_, metric)) return addChart(metric);
  if (at() == charts_.end()) {
    return workspace().report(tr("%1 was not measured in the runs that are shown").arg(metricDisplay(metric).title));
  }
  bringForward(*at());
}

void ChartsPage::bringForward(MetricChart* chart) {
  if (grid_->enlarged() != nullptr && grid_->enlarged() != chart) toggleEnlarged(nullptr);
  grid_->ensureWidgetVisible(chart);
  chart->setFocus(Qt::OtherFocusReason);
}

}  // namespace slipstream::ui
