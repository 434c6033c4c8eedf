// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/checkpoints/checkpoints_page.h"

#include <QAction>
#include <QHeaderView>
#include <QLabel>
#include <QPainter>
#include <QScrollBar>
#include <QStackedLayout>
#include <QStyledItemDelegate>
#include <QTableView>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>

#include "engine/base/text.h"
#include "engine/boost/metrics.h"
#include "engine/runs/live_status.h"
#include "engine/store/checkpoint_removal.h"
#include "ui/charts/shown_runs.h"
#include "ui/checkpoints/checkpoint_charts.h"
#include "ui/report/chart_flow.h"
#include "ui/store/store_snapshot.h"
#include "ui/widgets/notice.h"
#include "ui/widgets/widgets.h"
#include "ui/workspace/shown_rows.h"

namespace slipstream::ui {
namespace {

std::optional<double> valueAtStep(const Series& series, std::int64_t step) {
  const auto found = std::ranges::lower_bound(series.steps, step);
  if (found == series.steps.end() || *found != step) return std::nullopt;
  return series.values[static_cast<std::size_t>(found - series.steps.begin())];
}

std::vector<std::int64_t> stepsOf(const std::vector<CheckpointEntry>& entries) {
  std::vector<std::int64_t> steps;
  for (const CheckpointEntry& entry : entries) steps.push_back(entry.weights.step);
  std::ranges::sort(steps);
  steps.erase(std::ranges::unique(steps).begin(), steps.end());
  return steps;
}

constexpr int pollMilliseconds = 1000, rowHeight = 26;
constexpr int wholeRows = 4;  ///< that are seen without scrolling
/// Of the charts: what the page has left, within these.
constexpr int leastChartHeight = 140, mostChartHeight = 560;

/// Aligns cells with their headings, which have padding at both sides.
class PaddedDelegate : public QStyledItemDelegate {
 public:
  using QStyledItemDelegate::QStyledItemDelegate;

  void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override {
    if (option.state & QStyle::State_Selected) painter->fillRect(option.rect, tokens().selection);
    QStyleOptionViewItem inner(option);
    inner.rect.adjust(padding, 0, -padding, 0);
    QStyledItemDelegate::paint(painter, inner, index);
    if (index.row() + 1 == index.model()->rowCount()) return;
    paintHairline(*painter, option.rect);
  }
  QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override {
    return QStyledItemDelegate::sizeHint(option, index) + QSize(2 * padding, 0);
  }

 private:
  static constexpr int padding = 6;  ///< beside what the style leaves
};

}  // namespace

CheckpointsPage::CheckpointsPage(Workspace& workspace, QWidget* parent)
    : Page(workspace, parent),
      model_(new CheckpointModel(this)),
      view_(new QTableView),
      stack_(new QStackedLayout(this)),
      source_(std::make_shared<CurveSource>()) {
  QPushButton* experiment = button(tr("Show the experiment"));
  connect(experiment, &QPushButton::clicked, this, [this] { this->workspace().showPage(PageId::boost); });
  empty_ = new EmptyState({}, {}, experiment);
  stack_->addWidget(empty_);
  stack_->addWidget(makeBody());
  later_.setSingleShot(true);
  later_.setInterval(pollMilliseconds);
  connect(&later_, &QTimer::timeout, this, &CheckpointsPage::refresh);
  connect(&workspace.selection(), &RunSelection::changed, this, &CheckpointsPage::refresh);
  connect(&workspace.store(), &StoreWatcher::opened, this, &CheckpointsPage::refresh);
  connect(&workspace.store(), &StoreWatcher::changed, this, [this] {
    if (!later_.isActive()) later_.start();
  });
  refresh();
}

QWidget* CheckpointsPage::makeBody() {
  auto* body = new QWidget;
  body->setProperty("page", true);
  QVBoxLayout* layout = column(body, gapWide);
  layout->setContentsMargins(pageMargin, gapWide, pageMargin, pageMargin);
  title_ = new RunTitle(workspace());
  notice_ = new Notice;
  makeView();
  addAll(*layout, {title_, makeButtons(), notice_});
  charts_ = new ChartFlow;
  connect(charts_, &ChartFlow::cursorLeft, this, &CheckpointsPage::showChosen);
  layout->addWidget(view_, 1);
  layout->addWidget(charts_);
  layout->addStretch();
  return body;
}

void CheckpointsPage::makeView() {
  view_->setProperty("framed", true);
  view_->setAccessibleName(tr("Checkpoints"));
  view_->setModel(model_);
  view_->setItemDelegate(new PaddedDelegate(view_));
  view_->verticalHeader()->hide();
  view_->verticalHeader()->setDefaultSectionSize(std::max(rowHeight, view_->fontMetrics().height() + 8));
  view_->horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
  view_->horizontalHeader()->setStretchLastSection(true);
  view_->horizontalHeader()->setHighlightSections(false);
  view_->setShowGrid(false);
  view_->setWordWrap(false);
  view_->setTabKeyNavigation(false);
  view_->setTextElideMode(Qt::ElideMiddle);
  view_->setSelectionBehavior(QAbstractItemView::SelectRows);
  view_->setSelectionMode(QAbstractItemView::SingleSelection);
  view_->setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
  view_->setContextMenuPolicy(Qt::ActionsContextMenu);
  connect(view_->horizontalScrollBar(), &QScrollBar::rangeChanged, this, &CheckpointsPage::fitView);
  connect(view_->selectionModel(), &QItemSelectionModel::selectionChanged, this, [this] {
    refreshButtons();
    showChosen();
  });
}

QWidget* CheckpointsPage::makeButtons() {
  auto* row = new QWidget;
  QHBoxLayout* layout = rowLayout(row);
  resume_ = addButton(Symbol::resume, tr("Resume from checkpoint"), &CheckpointsPage::resume);
  evaluate_ = addButton(Symbol::evaluate, tr("Evaluate"), &CheckpointsPage::evaluate);
  export_ = addButton(Symbol::exportFile, tr("Export weights…"), &CheckpointsPage::exportWeights);
  remove_ = addButton(Symbol::trash, tr("Delete…"), &CheckpointsPage::remove);
  remove_.button->setProperty("danger", true);
  remove_.button->setIcon(icon(Symbol::trash, IconInk::error));
  for (const Action* action : {&resume_, &evaluate_, &export_, &remove_}) layout->addWidget(action->button);
  whyNoResume_ = new ElidedLabel;
  whyNoResume_->setFont(textFont(TextSize::secondary));
  whyNoResume_->setProperty("second", true);
  layout->addWidget(whyNoResume_, 1);
  return row;
}

CheckpointsPage::Action CheckpointsPage::addButton(Symbol symbol, const QString& message,
                                                   void (CheckpointsPage::*slot)()) {
  Action made{new QAction(icon(symbol), message, this), button(symbol, message)};
  connect(made.action, &QAction::triggered, this, slot);
  connect(made.button, &QPushButton::clicked, this, slot);
  addAction(made.action);
  view_->addAction(made.action);
  return made;
}

void CheckpointsPage::showEvent(QShowEvent* event) {
  Page::showEvent(event);
  refresh();
}

/// As the charts and the list draw the run.
int CheckpointsPage::penOf(const RunRecord& run) {
  const std::map<std::string, int> pens = shownSlots(workspace());
  const auto shown = pens.find(run.id);
  return shown == pens.end() ? run.colourSlot : shown->second;
}

void CheckpointsPage::refresh() {
  const RunRow* run = workspace().currentRun();
  const std::string id = run == nullptr ? std::string() : run->run.id;
  if (id != listed_) {
    notice_->hide();
    model_->setEntries({});
    charts_->setModels({});
    listed_ = id;
  }
  if (run == nullptr) {
    latest_.take();
    empty_->setText(tr("No run is chosen"), tr("Choose a run on the left: its checkpoints are listed here."));
    return stack_->setCurrentWidget(empty_);
  }
  title_->setRun(*run);
  if (!isVisible()) return;
  const int ticket = latest_.take();
  workspace().store().longReader().read(
      this,
      [id, pen = penOf(run->run), source = source_,
       curve = curveRunOf(run->run, workspace().store().snapshot()->version)](RunStore& store) {
        Listed listed;
        const auto record = store.find(id);
        if (!record) return listed;
        const auto plan = parseRunPlan(record->planText);
        if (!plan) {
          listed.failure = toText(plan.error());
          return listed;
        }
        listed.living = !isTerminal(record->state);
        listed.endStep = endStepOf(store, *record);
        const auto accuracy = source->seriesOf(store, curve, metric::accuracy);
        for (StoredWeights& one : storedWeights(store, id, *plan)) {
          const std::string kept = whyKept(*record, one.step);
          const auto measured = valueAtStep(*accuracy, one.step);
          listed.entries.push_back({std::move(one), kept, {}, measured});
        }
        listed.charts = checkpointCharts(store, *source, curve, pen, stepsOf(listed.entries));
        return listed;
      },
      [this, ticket](Listed listed) {
        if (latest_.isLatest(ticket)) receive(std::move(listed));
      },
      [this, ticket](const QString& message) {
        if (!latest_.isLatest(ticket) || model_->rowCount() > 0) return;  // what was read before stays
        empty_->setText(tr("The store cannot be read"), message);
        stack_->setCurrentWidget(empty_);
      });
}

void CheckpointsPage::receive(Listed listed) {
  living_ = listed.living;
  endStep_ = listed.endStep;
  bool anyStage = false, anyLater = false;
  for (CheckpointEntry& entry : listed.entries) {
    entry.evaluation = evaluationOf(entry.weights);
    if (entry.weights.kind == WeightsKind::snapshot)
      entry.keptFor = tr("Snapshots are deleted with the run").toStdString();
    anyStage = anyStage || !entry.weights.stage.empty();
    anyLater = anyLater || entry.weights.attempt > 1;
  }
  const bool none = listed.entries.empty();
  model_->setEntries(std::move(listed.entries));
  view_->setColumnHidden(CheckpointModel::stageColumn, !anyStage);
  view_->setColumnHidden(CheckpointModel::attemptColumn, !anyLater);
  for (const int column : {CheckpointModel::ownColumn, CheckpointModel::newColumn}) {
    view_->setColumnHidden(column, !model_->sharesAny());  // all sizes would be equal
  }
  if (none) {
    empty_->setText(tr("This run has no checkpoint"),
                    listed.failure.empty() ? tr("The experiment says how often one is kept: train.checkpoint.")
                                           : text(listed.failure));
    return stack_->setCurrentWidget(empty_);
  }
  std::vector<ShownChart> charts(listed.charts.begin(), listed.charts.end());
  for (ShownChart& chart : charts) chart.cursorTag = false;  // the step is above each line
  charts_->setModels(std::move(charts));
  fitView();
  if (!view_->selectionModel()->hasSelection()) view_->selectRow(model_->rowCount() - 1);
  showChosen();
  showSum();
  refreshButtons();
  stack_->setCurrentIndex(1);
}

/// The cursor is where the chosen one was written, in charts with a sample there or of the step before its end.
void CheckpointsPage::showChosen() {
  const CheckpointEntry* entry = chosen();
  if (entry == nullptr) return;
  const auto step = static_cast<double>(entry->weights.step);
  charts_->setCursor(step);
  for (LineChart* chart : charts_->charts()) {
    const std::optional<double> nearest = chart->model().cursor;
    if (nearest && std::abs(*nearest - step) > 1) chart->setCursor(std::nullopt);
  }
}

/// The table ends with its rows, and the charts have what is left; where that is too little, they go.
void CheckpointsPage::fitView() {
  const QHeaderView& header = *view_->horizontalHeader();
  const int row = view_->verticalHeader()->defaultSectionSize();
  const QScrollBar& sideways = *view_->horizontalScrollBar();
  const int bar = sideways.maximum() > sideways.minimum() ? sideways.sizeHint().height() : 0;
  const int around = header.height() + 2 * view_->frameWidth();
  const int asked = around + std::min(model_->rowCount(), wholeRows) * row;
  view_->setMinimumHeight(asked + bar);
  view_->setMaximumHeight(around + bar + model_->rowCount() * row);
  const int notice = notice_->isHidden() ? 0 : notice_->height() + gapWide;
  const int others = title_->height() + resume_.button->height() + notice + 4 * gapWide + pageMargin;
  const int rows = std::max(1, charts_->rows());
  // Whether a bar is there depends on the room: the charts do not depend on it in turn.
  const int room = (height() - others - asked - sideways.sizeHint().height()) / rows - gapWide;
  charts_->setVisible(room >= leastChartHeight && charts_->rows() > 0);
  charts_->setChartHeight(std::clamp(room, leastChartHeight, mostChartHeight));
}

void CheckpointsPage::resizeEvent(QResizeEvent* event) {
  Page::resizeEvent(event);
  fitView();
}

void CheckpointsPage::showSum() {
  std::int64_t bytes = 0, stored = 0;
  int checkpoints = 0, snapshots = 0;
  bool known = true;
  for (const CheckpointEntry& entry : model_->entries()) {
    ++(entry.weights.kind == WeightsKind::snapshot ? snapshots : checkpoints);
    bytes += entry.weights.bytes;
    known = known && entry.weights.ownBytes.has_value();
    stored += entry.weights.ownBytes.value_or(0);
  }
  QStringList parts{tr("%n checkpoint(s)", nullptr, checkpoints)};
  if (snapshots > 0) parts << tr("%n snapshot(s) for later stages", nullptr, snapshots);
  parts << tr("%1 total").arg(text(sizeText(bytes)));
  if (known && stored < bytes) parts << tr("%1 deduplicated").arg(text(sizeText(bytes - stored)));
  title_->setSummary(parts.join(QStringLiteral(" · ")));
}

const CheckpointEntry* CheckpointsPage::chosen() const {
  const QModelIndexList rows = view_->selectionModel()->selectedRows();
  return rows.isEmpty() ? nullptr : &model_->entries()[static_cast<std::size_t>(rows.front().row())];
}

QString CheckpointsPage::reference() const {
  return QStringLiteral("%1@%2").arg(text(listed_)).arg(chosen()->weights.step);
}

void CheckpointsPage::enable(const Action& action, const QString& whyNot) {
  action.action->setEnabled(whyNot.isEmpty());
  action.button->setEnabled(whyNot.isEmpty());
  action.button->setToolTip(whyNot);
}

void CheckpointsPage::refreshButtons() {
  const CheckpointEntry* entry = chosen();
  const QString nothing = entry == nullptr ? tr("No line is chosen") : QString();
  QString noResume = nothing;
  if (entry != nullptr && entry->weights.kind != WeightsKind::full) {
    noResume = tr("It holds weights alone: nothing can be resumed from it");
  }
  if (entry != nullptr && endStep_ > 0 && entry->weights.step >= endStep_) {
    noResume = tr("Nothing to resume: the run ends with this step");
  }
  if (living_) noResume = tr("The run is alive");
  const QString& readOnly = workspace().store().whyReadOnly();
  enable(resume_, readOnly.isEmpty() ? noResume : readOnly);
  whyNoResume_->setWhole(entry == nullptr ? QString() : noResume, {QString()});
  enable(evaluate_, nothing);
  enable(export_, nothing);
  const QString kept = entry == nullptr ? nothing : text(entry->keptFor);
  enable(remove_, readOnly.isEmpty() ? kept : readOnly);
}

}  // namespace slipstream::ui
