#include "ui/runs/runs_dock.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QStackedWidget>
#include <QToolButton>
#include <QTreeView>
#include <QVBoxLayout>
#include <algorithm>

#include "ui/parts/notice.h"
#include "ui/parts/parts.h"
#include "ui/runs/label_edit.h"
#include "ui/runs/run_actions.h"
#include "ui/runs/run_delegate.h"
#include "ui/runs/run_filter.h"
#include "ui/runs/run_model.h"
#include "ui/window/actions.h"

namespace slipstream::ui {
namespace {

constexpr int leastWidth = 240;
/// Of one launch that charts show by themselves.
constexpr std::size_t followedRuns = 10;
/// More lines than these are no chart any more.
constexpr std::size_t mostShown = 64;

}  // namespace

RunsDock::RunsDock(Workspace& workspace, const Actions& actions, QWidget* parent)
    : QDockWidget(parent),
      workspace_(workspace),
      model_(new RunModel(workspace.store(), this)),
      notice_(new Notice),
      runActions_(new RunActions(workspace, *notice_, this)),
      filter_(new RunFilter(workspace, nullptr)),
      view_(new QTreeView),
      stack_(new QStackedWidget),
      empty_(label({}, TextSize::section)),
      emptyWhy_(label({}, TextSize::body, true)),
      count_(new ElidedLabel),
      group_(new QToolButton),
      shown_(std::make_shared<StoreSnapshot>()) {
  setObjectName(QStringLiteral("runs"));
  setWindowTitle(tr("Runs and experiments"));
  setFeatures(DockWidgetMovable);
  setMinimumWidth(leastWidth);
  buildTitle(actions);
  buildView();
  buildBody();
  connectModel();
  refresh();
}

void RunsDock::connectModel() {
  connect(&workspace_.store(), &StoreWatcher::changed, this, &RunsDock::refresh);
  connect(&workspace_.launcher(), &Launcher::queueChanged, this, &RunsDock::refresh);
  connect(&workspace_.launcher(), &Launcher::refused, notice_, &Notice::tell);
  connect(filter_, &RunFilter::changed, this, &RunsDock::refresh);
  connect(&workspace_.selection(), &RunSelection::changed, this, [this] {
    applySelection();
    refreshFooter();
    view_->viewport()->update();
  });
  connect(view_->selectionModel(), &QItemSelectionModel::selectionChanged, this, &RunsDock::choose);
  connect(view_, &QTreeView::clicked, this, &RunsDock::toggleGroup);
  connect(view_, &QTreeView::doubleClicked, this, [this](const QModelIndex& index) {
    if (model_->runOf(index) != nullptr) workspace_.goTo(QStringLiteral("charts"));
  });
  connect(view_, &QTreeView::customContextMenuRequested, this, &RunsDock::showMenu);
  connect(view_, &QTreeView::collapsed, this,
          [this](const QModelIndex& index) { closed_.insert(model_->keyOf(index)); });
  connect(view_, &QTreeView::expanded, this, [this](const QModelIndex& index) { closed_.erase(model_->keyOf(index)); });
  connect(model_, &RunModel::rowsInserted, this, &RunsDock::openNew);
  connect(model_, &RunModel::renamed, this, [this](const QString& run, const QString& title) {
    editLabels(workspace_, {run.toStdString()}, tr("Rename"),
               [title](RunLabel& label) { label.title = title.toStdString(); });
  });
  connect(runActions_->rename, &QAction::triggered, this,
          [this] { view_->edit(model_->indexOfRun(workspace_.selection().current())); });
  connect(runActions_->describe, &QAction::triggered, this, &RunsDock::detailsWanted);
}

void RunsDock::setGrouping(RunGrouping grouping) {
  grouping_ = grouping;
  refresh();
}

void RunsDock::focusFilter() {
  filter_->line()->setFocus(Qt::ShortcutFocusReason);
  filter_->line()->selectAll();
}

void RunsDock::refresh() {
  const StoreSnapshotPointer before = std::exchange(shown_, workspace_.store().snapshot());
  merging_ = true;
  model_->take(arrangeRuns(*shown_, workspace_.launcher().queue(), grouping_,
                           [this](const RunRow& row) { return filter_->shows(row); }),
               shown_);
  merging_ = false;
  followLaunch(*before, *shown_);
  applySelection();
  refreshFooter();
  refreshEmpty();
}

/// The runs of the newest launch are shown where nothing else was chosen, and runs that a launch adds join those of it
/// that are shown.
void RunsDock::followLaunch(const StoreSnapshot& before, const StoreSnapshot& now) {
  if (now.runs.empty()) return;
  std::vector<std::string> shown = workspace_.selection().shown();
  const RunRow* current = now.find(workspace_.selection().current());
  const std::string launch = current != nullptr ? current->run.group : now.runs.back().run.group;
  const bool begins = current == nullptr && workspace_.selection().current().empty();
  if (!begins && (current == nullptr || before.runs.empty())) return;
  for (const RunRow& row : now.runs) {
    const bool member = row.run.id == now.runs.back().run.id || (!launch.empty() && row.run.group == launch);
    if (!begins && (launch.empty() || row.run.group != launch || before.find(row.run.id) != nullptr)) continue;
    if (!member || row.label.archived || shown.size() >= followedRuns) continue;
    if (std::find(shown.begin(), shown.end(), row.run.id) == shown.end()) shown.push_back(row.run.id);
  }
  if (shown.empty()) return;
  workspace_.selection().setShown(shown, begins ? shown.back() : workspace_.selection().current());
}

void RunsDock::refreshFooter() {
  const int all = static_cast<int>(shown_->runs.size());
  const int shown = static_cast<int>(workspace_.selection().shown().size());
  const QString runs =
      filter_->isActive() ? tr("%1 of %n run(s)", nullptr, all).arg(model_->runCount()) : tr("%n run(s)", nullptr, all);
  count_->setWhole(shown == 0 ? runs
                              : tr("%1 · %n shown in charts", "number of runs, then of those shown", shown).arg(runs));
  group_->setText(grouping_ == RunGrouping::experiment ? tr("Group: experiment") : tr("Group: seeds"));
}

void RunsDock::refreshEmpty() {
  const bool nothing = model_->rowCount() == 0;
  stack_->setCurrentIndex(nothing ? 1 : 0);
  filter_->setEnabled(!shown_->runs.empty());
  if (!nothing) return;
  const bool filtered = !shown_->runs.empty();
  empty_->setText(filtered ? tr("No run matches") : tr("No runs in this store"));
  emptyWhy_->setText(filtered ? tr("The filter above leaves none of the runs.")
                              : tr("A run appears here when you launch one. It keeps its colour for life."));
}

/// What is chosen in the list is what the pages show.
void RunsDock::choose() {
  if (merging_ || applying_) return;
  std::vector<std::string> runs;
  std::vector<int> queued;
  QModelIndexList chosen = view_->selectionModel()->selectedIndexes();
  std::sort(chosen.begin(), chosen.end(), [this](const QModelIndex& a, const QModelIndex& b) {
    return view_->visualRect(a).top() < view_->visualRect(b).top();
  });
  for (const QModelIndex& index : chosen) {
    if (model_->queueNumberOf(index) > 0) queued.push_back(model_->queueNumberOf(index));
    for (std::string& run : model_->runsUnder(index)) {
      if (std::find(runs.begin(), runs.end(), run) == runs.end()) runs.push_back(std::move(run));
    }
  }
  runActions_->setChosen(runs, std::move(queued));
  if (runs.empty()) return;
  runs.resize(std::min(runs.size(), mostShown));
  const RunRow* at = model_->runOf(view_->currentIndex());
  const bool member = at != nullptr && std::find(runs.begin(), runs.end(), at->run.id) != runs.end();
  const std::string current = member ? at->run.id : runs.front();
  workspace_.selection().setShown(runs, current);
}

void RunsDock::applySelection() {
  const RunSelection& selection = workspace_.selection();
  std::vector<std::string> selected;
  for (const QModelIndex& index : view_->selectionModel()->selectedIndexes()) {
    for (std::string& run : model_->runsUnder(index)) selected.push_back(std::move(run));
  }
  std::vector<std::string> wanted;
  QItemSelection rows;
  for (const std::string& run : selection.shown()) {
    const QModelIndex index = model_->indexOfRun(run);
    if (!index.isValid()) continue;
    wanted.push_back(run);
    rows.select(index, index);
  }
  std::vector<std::string> sorted = wanted;
  std::sort(sorted.begin(), sorted.end());
  std::sort(selected.begin(), selected.end());
  selected.erase(std::unique(selected.begin(), selected.end()), selected.end());
  if (sorted == selected) return;
  applying_ = true;
  const QModelIndex current = model_->indexOfRun(selection.current());
  if (current.isValid()) view_->selectionModel()->setCurrentIndex(current, QItemSelectionModel::NoUpdate);
  view_->selectionModel()->select(rows, QItemSelectionModel::ClearAndSelect);
  if (current.isValid()) view_->scrollTo(current);
  applying_ = false;
  runActions_->setChosen(wanted, {});
}

void RunsDock::toggleGroup(const QModelIndex& index) {
  if (model_->rowCount(index) > 0) view_->setExpanded(index, !view_->isExpanded(index));
}

/// Groups begin open, the archive closed.
void RunsDock::openNew(const QModelIndex& parent, int first, int last) {
  for (int row = first; row <= last; ++row) {
    const QModelIndex index = model_->index(row, 0, parent);
    if (model_->rowCount(index) == 0 || model_->kindOf(index) == RunModel::Kind::archive) continue;
    if (closed_.contains(model_->keyOf(index))) continue;
    view_->expand(index);
    openNew(index, 0, model_->rowCount(index) - 1);
  }
  // The first row of an empty group.
  if (parent.isValid() && model_->rowCount(parent) == last - first + 1 && !closed_.contains(model_->keyOf(parent)) &&
      model_->kindOf(parent) != RunModel::Kind::archive) {
    view_->expand(parent);
  }
}

void RunsDock::showMenu(const QPoint& place) {
  QMenu menu(this);
  runActions_->fill(menu);
  if (!menu.isEmpty()) menu.exec(view_->viewport()->mapToGlobal(place));
}

}  // namespace slipstream::ui
