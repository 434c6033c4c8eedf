// SPDX-License-Identifier: GPL-3.0-or-later
#include <QAction>
#include <QKeyEvent>
#include <QMenu>
#include <QPointer>
#include <QToolButton>
#include <QUndoCommand>
#include <QUndoStack>
#include <algorithm>

#include "engine/boost/adasum/spec.h"
#include "engine/record/metric_info.h"
#include "ui/charts/chart_handles.h"
#include "ui/charts/chart_settings.h"
#include "ui/charts/charts_header.h"
#include "ui/charts/charts_page.h"
#include "ui/widgets/widgets.h"
#include "ui/workspace/settings.h"

// How the page's charts are arranged: by hand, by keys, and as it was kept for the experiment.
namespace slipstream::ui {

/// One change of an experiment's arrangement, which can be taken back.
class ArrangementStep : public QUndoCommand {
 public:
  ArrangementStep(ChartsPage* page, const QString& what, ChartArrangement before, ChartArrangement after)
      : QUndoCommand(what),
        page_(page),
        experiment_(page->experiment_),
        before_(std::move(before)),
        after_(std::move(after)) {}

  void undo() override { apply(before_); }
  void redo() override { apply(after_); }

 private:
  /// The page may show another experiment by now, or be gone.
  void apply(const ChartArrangement& arrangement) const {
    Settings::setChartLayout(QString::fromStdString(experiment_), arrangement.toText());
    if (page_ != nullptr && page_->experiment_ == experiment_) page_->setArrangement(arrangement);
  }

  QPointer<ChartsPage> page_;
  std::string experiment_;
  ChartArrangement before_, after_;
};

/// The loss large, and what tells most beside it; then what was added.
ChartArrangement ChartsPage::usualArrangement() const {
  ChartArrangement arrangement;
  arrangement.add({metric::loss, mostChartSize, 2});
  arrangement.add({metric::accuracy});
  arrangement.add({metric::orthogonality});
  arrangement.add({metric::evaluationLoss});
  arrangement.add({metric::stepSeconds});
  for (const std::string& metric : added_) arrangement.add({metric});
  return arrangement;
}

void ChartsPage::takeExperiment() {
  const RunRow* row = workspace().currentRun();
  const std::string experiment = row == nullptr ? std::string() : row->run.experimentName;
  if (experiment == experiment_ && !arrangement_.slots().empty()) return;
  experiment_ = experiment;
  const auto kept = ChartArrangement::fromText(Settings::chartLayout(text(experiment_)));
  setArrangement(kept.value_or(usualArrangement()));
  fillLayouts();
}

void ChartsPage::arrange(const QString& what, const ChartArrangement& arrangement) {
  if (arrangement == arrangement_) return;
  workspace().labelUndo().push(new ArrangementStep(this, what, arrangement_, arrangement));
  fillLayouts();
}

void ChartsPage::setArrangement(const ChartArrangement& arrangement) {
  arrangement_ = arrangement;
  if (!charts_.empty() || !metrics_.empty()) chooseCharts();
}

void ChartsPage::applyViews() {
  for (MetricChart* chart : charts_) {
    if (const ChartSlot* slot = arrangement_.find(chart->metric())) chart->setView(slot->view);
  }
}

ChartHandles* ChartsPage::makeHandles(MetricChart* chart) {
  auto* handles = new ChartHandles(chart);
  const auto inGrid = [this, chart](const QPoint& place) { return chart->mapTo(grid_->widget(), place); };
  connect(handles, &ChartHandles::dragged, this, [this, chart, inGrid](const QPoint& place) {
    grid_->preview(*chart, grid_->droppedAt(*chart, inGrid(place)));
    workspace().report(tr("Moving “%1” · Esc cancels").arg(chart->display().title));
  });
  connect(handles, &ChartHandles::dropped, this, [this, chart, inGrid](const QPoint& place) {
    grid_->endPreview();
    arrange(tr("Move %1").arg(chart->display().title), grid_->droppedAt(*chart, inGrid(place)));
  });
  connect(handles, &ChartHandles::dragCancelled, grid_, &ChartGrid::endPreview);
  connect(handles, &ChartHandles::resizeWanted, this, [this, chart](const QSize& size, bool done) {
    const ChartArrangement next = grid_->resizedTo(*chart, size);
    if (!done) return grid_->preview(*chart, next);
    grid_->endPreview();
    arrange(tr("Resize %1").arg(chart->display().title), next);
  });
  connect(handles, &ChartHandles::enlargeWanted, this, [this, chart] { toggleEnlarged(chart); });
  connect(handles, &ChartHandles::settingsWanted, this, [this, chart, handles] {
    const QToolButton* button = handles->settingsButton();
    showSettings(chart, button->mapToGlobal(QPoint(button->width(), button->height())));
  });
  return handles;
}

void ChartsPage::addArrangingKeys() {
  const auto add = [this](const QString& text, const QKeySequence& keys, auto act) {
    auto* action = new QAction(text, this);
    action->setShortcut(keys);
    action->setShortcutContext(Qt::WidgetWithChildrenShortcut);
    connect(action, &QAction::triggered, this, act);
    addAction(action);
  };
  add(tr("Move the chart forward"), Qt::CTRL | Qt::Key_Left, [this] { moveFront(-1); });
  add(tr("Move the chart back"), Qt::CTRL | Qt::Key_Right, [this] { moveFront(1); });
  add(tr("Make the chart narrower"), Qt::CTRL | Qt::SHIFT | Qt::Key_Left, [this] { resizeFront(-1, 0); });
  add(tr("Make the chart wider"), Qt::CTRL | Qt::SHIFT | Qt::Key_Right, [this] { resizeFront(1, 0); });
  add(tr("Make the chart lower"), Qt::CTRL | Qt::SHIFT | Qt::Key_Up, [this] { resizeFront(0, -1); });
  add(tr("Make the chart higher"), Qt::CTRL | Qt::SHIFT | Qt::Key_Down, [this] { resizeFront(0, 1); });
}

/// Past charts that are shown, whatever lies between them in the arrangement.
void ChartsPage::moveFront(int places) {
  MetricChart* chart = frontChart();
  if (chart == nullptr) return;
  const auto at = std::ranges::find(charts_, chart) - charts_.begin();
  const auto wanted = at + places;
  if (wanted < 0 || wanted >= std::ssize(charts_)) return;
  ChartArrangement arrangement = arrangement_;
  arrangement.move(chart->metric(), arrangement.indexOf(charts_[static_cast<std::size_t>(wanted)]->metric()));
  arrange(tr("Move %1").arg(chart->display().title), arrangement);
  grid_->ensureWidgetVisible(chart);
}

void ChartsPage::resizeFront(int wider, int higher) {
  const MetricChart* chart = frontChart();
  const ChartSlot* slot = chart == nullptr ? nullptr : arrangement_.find(chart->metric());
  if (slot == nullptr) return;
  ChartArrangement arrangement = arrangement_;
  arrangement.resize(slot->metric, slot->width + wider, slot->height + higher);
  arrange(tr("Resize %1").arg(chart->display().title), arrangement);
}

void ChartsPage::toggleFrontEnlarged() {
  MetricChart* chart = grid_->enlarged() != nullptr ? grid_->enlarged() : frontChart();
  if (chart != nullptr) toggleEnlarged(chart);
}

void ChartsPage::toggleEnlarged(MetricChart* chart) {
  MetricChart* before = grid_->enlarged();
  MetricChart* next = chart == before ? nullptr : chart;
  grid_->enlarge(next);
  for (const MetricChart* one : charts_) handlesOf(*one).setEnlarged(one == next);
  fold();
  showAll();
  takeExtents();
  showCursor();
  if (MetricChart* shown = next != nullptr ? next : before) shown->setFocus(Qt::OtherFocusReason);
}

/// Esc goes back from one chart to all.
void ChartsPage::keyPressEvent(QKeyEvent* event) {
  if (event->key() == Qt::Key_Escape && grid_->enlarged() != nullptr) return toggleEnlarged(nullptr);
  Page::keyPressEvent(event);
}

void ChartsPage::showSettings(MetricChart* chart, const QPoint& topRight) {
  last_ = chart;
  auto* settings = new ChartSettings({.title = chart->display().title,
                                      .view = chart->view(),
                                      .mayBeLogarithmic = chart->display().mayBeLogarithmic,
                                      .logarithmic = chart->model().logarithmic,
                                      .logarithmicX = options().logarithmicX,
                                      .mayBeLogarithmicX = options().x != ChartX::wallTime,
                                      .zoom = options().zoom,
                                      .removable = charts_.size() > 1},
                                     this);
  connect(settings, &ChartSettings::viewChanged, this, [this, chart](const ChartView& view) {
    ChartArrangement arrangement = arrangement_;
    arrangement.setView(chart->metric(), view);
    arrange(tr("Axes of %1").arg(chart->display().title), arrangement);
  });
  connect(settings, &ChartSettings::logarithmicXChanged, this, [this](bool logarithmic) {
    ChartOptions next = options();
    next.logarithmicX = logarithmic;
    setOptions(next);
  });
  connect(settings, &ChartSettings::zoomChanged, this, [this](auto zoom) {
    if (zoom) return zoomTo(zoom->first, zoom->second);
    resetZoom();
  });
  connect(settings, &ChartSettings::copyWanted, this, &ChartsPage::copyData);
  connect(settings, &ChartSettings::saveWanted, this, &ChartsPage::saveFrontChart);
  connect(settings, &ChartSettings::removeWanted, this, [this, chart] { removeChart(chart->metric()); });
  settings->popup(topRight);
}

/// The menu of layouts: this experiment's usual one, and those of other experiments.
void ChartsPage::fillLayouts() {
  QMenu& menu = controls_->layouts();
  menu.clear();
  const QString own = text(experiment_);
  controls_->setLayoutName(own);
  QAction* usual =
      menu.addAction(tr("Usual layout"), this, [this] { arrange(tr("Usual layout"), usualArrangement()); });
  usual->setEnabled(!(arrangement_ == usualArrangement()));
  const QStringList others = Settings::chartLayouts();
  if (others.isEmpty() || others == QStringList{own}) return;
  menu.addSeparator();
  for (const QString& other : others) {
    if (other == own) continue;
    menu.addAction(tr("As in %1").arg(other), this, [this, other] {
      if (const auto kept = ChartArrangement::fromText(Settings::chartLayout(other))) {
        arrange(tr("Layout of %1").arg(other), *kept);
      }
    });
  }
}

}  // namespace slipstream::ui
