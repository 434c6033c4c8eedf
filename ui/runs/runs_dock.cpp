// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/runs/runs_dock.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QSet>
#include <QStackedWidget>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>

#include "engine/analysis/run_colours.h"
#include "engine/runs/run_selection.h"
#include "ui/runs/label_fields.h"
#include "ui/runs/run_actions.h"
#include "ui/runs/run_delegate.h"
#include "ui/runs/run_filter.h"
#include "ui/runs/run_model.h"
#include "ui/runs/run_tree_view.h"
#include "ui/widgets/notice.h"
#include "ui/widgets/widgets.h"
#include "ui/workspace/actions.h"
#include "ui/workspace/settings.h"
#include "ui/workspace/shown_rows.h"

namespace slipstream::ui {
namespace {

constexpr int leastDockWidth = 240;
/// Of one launch that charts show by themselves.
constexpr std::size_t followedRuns = 10;
/// Of an experiment whose variants begin open.
constexpr int fewRuns = 12;
/// Charts have a pen of its own for as many lines; more would be no chart any more.
constexpr std::size_t mostShown = runColourCount * runDashCount;

void addInOrder(const QAbstractItemModel& model, const QModelIndex& parent, const QSet<QModelIndex>& wanted,
                QModelIndexList& found) {
  for (int row = 0; row < model.rowCount(parent); ++row) {
    const QModelIndex index = model.index(row, 0, parent);
    if (wanted.contains(index)) found << index;
    addInOrder(model, index, wanted, found);
  }
}

/// From top to bottom.
QModelIndexList inOrder(const QAbstractItemModel& model, const QModelIndexList& rows) {
  QModelIndexList found;
  addInOrder(model, {}, {rows.begin(), rows.end()}, found);
  return found;
}

}  // namespace

RunsDock::RunsDock(Workspace& workspace, const Actions& actions, QWidget* parent)
    : QDockWidget(parent),
      workspace_(workspace),
      model_(new RunModel(workspace.store(), this)),
      notice_(new Notice),
      runActions_(new RunActions(workspace, actions, *notice_, this)),
      filter_(new RunFilter(workspace, nullptr)),
      view_(new RunTreeView),
      stack_(new QStackedWidget),
      empty_(label({}, TextSize::section)),
      emptyWhy_(label({}, TextSize::body, true)),
      count_(new ElidedLabel),
      group_(new QToolButton),
      shown_(std::make_shared<StoreSnapshot>()),
      grouping_(Settings::seedsTogether() ? RunGrouping::seeds : RunGrouping::experiment) {
  setObjectName(QStringLiteral("runs"));
  setWindowTitle(tr("Runs and experiments"));
  setFeatures(DockWidgetMovable);
  setMinimumWidth(leastDockWidth);
  buildTitle(actions);
  buildView();
  buildBody();
  connectModel();
  refresh();
}

void RunsDock::connectModel() {
  connect(&workspace_.store(), &StoreWatcher::changed, this, &RunsDock::refresh);
  connect(&workspace_.store(), &StoreWatcher::troubled, this, &RunsDock::refreshEmpty);
  connect(&workspace_.store(), &StoreWatcher::noticed, notice_, &Notice::report);
  connect(&workspace_.launcher(), &Launcher::queueChanged, this, &RunsDock::refresh);
  connect(&workspace_.comingRuns(), &ComingRuns::changed, this, &RunsDock::refresh);
  connect(&workspace_.launcher(), &Launcher::refused, this, [this](const QString& message) {
    refusal_ = message;
    notice_->report(message);
  });
  // The next launch is another one: what was wrong with the last is no news beside it.
  connect(&workspace_.launcher(), &Launcher::startingChanged, this, [this] {
    if (!refusal_.isEmpty() && workspace_.launcher().isStarting() && notice_->message() == refusal_) notice_->hide();
  });
  connect(filter_, &RunFilter::changed, this, &RunsDock::refresh);
  connect(&workspace_.selection(), &RunSelection::changed, this, [this] {
    applySelection();
    refreshFooter();
    view_->viewport()->update();
  });
  connect(view_->selectionModel(), &QItemSelectionModel::selectionChanged, this, &RunsDock::choose);
  connect(view_, &QTreeView::clicked, this, &RunsDock::toggleGroup);
  connect(view_, &QTreeView::doubleClicked, this, [this](const QModelIndex& index) {
    if (model_->runOf(index) != nullptr) workspace_.showPage(PageId::charts);
  });
  connect(view_, &QTreeView::customContextMenuRequested, this, &RunsDock::showMenu);
  connect(view_, &QTreeView::collapsed, this,
          [this](const QModelIndex& index) { closed_.insert(model_->keyOf(index)); });
  connect(view_, &QTreeView::expanded, this, [this](const QModelIndex& index) { closed_.erase(model_->keyOf(index)); });
  connect(model_, &RunModel::rowsInserted, this, &RunsDock::openNew);
  connect(model_, &RunModel::renamed, this, [this](const QString& run, const QString& title) {
    if (const Status valid = checkNewName(title.toStdString(), "name"); !valid) {
      return notice_->report(text(toText(valid.error())));
    }
    editLabels(workspace_, {run.toStdString()}, tr("Rename"),
               [title](RunLabel& label) { label.title = title.toStdString(); });
  });
  connect(runActions_->rename, &QAction::triggered, this, [this] {
    const QModelIndex index = model_->indexOfRun(workspace_.selection().current());
    view_->scrollTo(index);  // opens the variant that it is below
    view_->edit(index);
  });
  connect(runActions_->describe, &QAction::triggered, this, &RunsDock::detailsWanted);
}

void RunsDock::setGrouping(RunGrouping grouping) {
  grouping_ = grouping;
  Settings::setSeedsTogether(grouping == RunGrouping::seeds);
  refresh();
}

void RunsDock::setMarks(RunDelegate::Marks marks) {
  delegate_->setMarks(marks);
  view_->viewport()->update();
}

void RunsDock::focusFilter() {
  filter_->line()->setFocus(Qt::ShortcutFocusReason);
  filter_->line()->selectAll();
}

void RunsDock::refresh() {
  const StoreSnapshotPointer before = std::exchange(shown_, workspace_.store().snapshot());
  merging_ = true;
  model_->take(arrangeRuns(*shown_, workspace_.comingRuns().all(), workspace_.launcher().queue(), grouping_,
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
  if (shown == 0) {
    count_->setWhole(runs, {runs});
  } else {
    count_->setWhole(tr("%1 · %n shown in charts", "number of runs, then of those shown", shown).arg(runs),
                     {tr("%1 · %n in charts", "the same in fewer words", shown).arg(runs), runs});
  }
  group_->setVisible(all > 0);
  group_->setText(grouping_ == RunGrouping::experiment ? tr("Group: experiment") : tr("Group: seeds"));
}

void RunsDock::refreshEmpty() {
  const bool nothing = model_->rowCount() == 0;
  stack_->setCurrentIndex(nothing ? 1 : 0);
  filter_->setEnabled(!shown_->runs.empty());
  if (!nothing) return;
  if (const QString& trouble = workspace_.store().trouble(); !trouble.isEmpty()) {
    empty_->setText(tr("The store cannot be read"));
    return emptyWhy_->setText(trouble);
  }
  const bool filtered = !shown_->runs.empty();
  empty_->setText(filtered ? tr("No run matches") : tr("No runs in this store"));
  emptyWhy_->setText(filtered ? tr("The filter above leaves none of the runs.") : tr("Runs appear here after launch."));
}

RunsDock::Chosen RunsDock::chosenOf(const QModelIndexList& rows) const {
  Chosen chosen;
  std::set<std::string> known;
  for (const QModelIndex& row : rows) {
    if (model_->queueNumberOf(row) > 0) chosen.queued.push_back(model_->queueNumberOf(row));
    for (std::string& run : model_->runsUnder(row)) {
      if (known.insert(run).second) chosen.runs.push_back(std::move(run));
    }
  }
  return chosen;
}

/// A variant is selected with all its runs: one that was clicked brings its runs along or takes them away, and a run
/// that is taken away takes the variant with it.
void RunsDock::completeVariants(const QItemSelection& selected, const QItemSelection& deselected) {
  QItemSelectionModel& selection = *view_->selectionModel();
  const QModelIndexList gone = deselected.indexes();
  const QSet<QModelIndex> without(gone.begin(), gone.end());
  const auto runsOf = [this](const QModelIndex& variant) {
    return QItemSelection(model_->index(0, 0, variant), model_->index(model_->rowCount(variant) - 1, 0, variant));
  };
  const auto isVariant = [this](const QModelIndex& index) {
    return index.isValid() && model_->kindOf(index) == RunModel::Kind::variant;
  };
  QSet<QModelIndex> incomplete;
  applying_ = true;
  for (const QModelIndex& index : gone) {
    const QModelIndexList below = isVariant(index) ? runsOf(index).indexes() : QModelIndexList();
    const bool isAlone = std::ranges::none_of(below, [&](const QModelIndex& run) { return without.contains(run); });
    if (isVariant(index) && isAlone) selection.select(runsOf(index), QItemSelectionModel::Deselect);
    if (isVariant(index.parent())) incomplete.insert(index.parent());
  }
  for (const QModelIndex& variant : incomplete) selection.select(variant, QItemSelectionModel::Deselect);
  QSet<QModelIndex> touched;  // variants with more runs selected than before
  for (const QModelIndex& index : selected.indexes()) {
    if (isVariant(index)) selection.select(runsOf(index), QItemSelectionModel::Select);
    if (isVariant(index.parent())) touched.insert(index.parent());
  }
  for (const QModelIndex& variant : touched) {
    const QModelIndexList below = runsOf(variant).indexes();
    const bool isWhole = std::ranges::all_of(below, [&](const QModelIndex& run) { return selection.isSelected(run); });
    if (isWhole) selection.select(variant, QItemSelectionModel::Select);
  }
  applying_ = false;
}

/// What is chosen in the list is what the pages show, as far as a chart can hold it; actions are about all of it.
void RunsDock::choose(const QItemSelection& selected, const QItemSelection& deselected) {
  if (merging_ || applying_) return;
  completeVariants(selected, deselected);
  chosen_ = chosenOf(inOrder(*model_, view_->selectionModel()->selectedIndexes()));
  runActions_->setChosen(chosen_.runs, chosen_.queued);
  if (chosen_.runs.empty()) return;
  given_ = chosen_.runs;
  given_.resize(std::min(given_.size(), mostShown));
  const RunRow* at = model_->runOf(view_->currentIndex());
  const bool member = at != nullptr && std::find(given_.begin(), given_.end(), at->run.id) != given_.end();
  current_ = member ? at->run.id : given_.front();  // what was clicked is in sight
  workspace_.selection().setShown(given_, current_);
}

/// The rows of runs, those that follow each other as one range, and the variants all of whose runs they are.
QItemSelection RunsDock::rowsOf(const QModelIndexList& runs) const {
  std::map<QModelIndex, std::vector<int>> below;  // rows by the row that they are below
  for (const QModelIndex& run : runs) below[run.parent()].push_back(run.row());
  for (const auto& [above, rows] : std::map(below)) {
    const bool isVariant = above.isValid() && model_->kindOf(above) == RunModel::Kind::variant;
    if (isVariant && std::ssize(rows) == model_->rowCount(above)) below[above.parent()].push_back(above.row());
  }
  QItemSelection selection;
  for (auto& [above, rows] : below) {
    std::ranges::sort(rows);
    for (std::size_t first = 0, next = 1; first < rows.size(); first = next++) {
      while (next < rows.size() && rows[next] == rows[next - 1] + 1) ++next;
      selection.append(
          QItemSelectionRange(model_->index(rows[first], 0, above), model_->index(rows[next - 1], 0, above)));
    }
  }
  return selection;
}

/// The run's row, or that of its variant, where that is closed and chosen whole or was closed by hand; the head of a
/// group that was closed.
QModelIndex RunsDock::rowInSight(const QModelIndex& run, const QItemSelection& chosen) const {
  const QModelIndex above = run.parent();
  QModelIndex group = above;
  while (group.parent().isValid()) group = group.parent();
  if (group.isValid() && closed_.contains(model_->keyOf(group))) return group;
  const bool isVariant = above.isValid() && model_->kindOf(above) == RunModel::Kind::variant;
  if (!isVariant || view_->isExpanded(above)) return run;
  return chosen.contains(above) || closed_.contains(model_->keyOf(above)) ? above : run;
}

/// Rows that came, or came back, are selected like those that were; what somebody else chose replaces all.
void RunsDock::applySelection() {
  const RunSelection& selection = workspace_.selection();
  delegate_->setSlots(shownSlots(workspace_));
  delegate_->setCurrentRun(selection.current());
  if (selection.shown() != given_) {
    given_ = selection.shown();
    chosen_ = {given_, {}};
  }
  Chosen listed;
  QModelIndexList runs;
  for (const std::string& run : chosen_.runs) {
    const QModelIndex index = model_->indexOfRun(run);
    if (!index.isValid()) continue;
    listed.runs.push_back(run);
    runs << index;
  }
  QItemSelection rows = rowsOf(runs);
  for (const int number : chosen_.queued) {
    const QModelIndex index = model_->indexOfQueued(number);
    if (!index.isValid()) continue;
    listed.queued.push_back(number);
    rows.append(QItemSelectionRange(index));
  }
  runActions_->setChosen(listed.runs, listed.queued);
  // Only another run brings its row into sight: of the same one somebody may have closed the variant.
  const bool moves = std::exchange(current_, selection.current()) != selection.current() && chosen_.queued.empty();
  const bool selects = sorted(chosenOf(view_->selectionModel()->selectedIndexes())) != sorted(listed);
  applying_ = true;
  if (selects) view_->selectionModel()->select(rows, QItemSelectionModel::ClearAndSelect);
  if (const QModelIndex current = model_->indexOfRun(selection.current()); moves && current.isValid()) {
    const QModelIndex row = rowInSight(current, rows);
    view_->selectionModel()->setCurrentIndex(row, QItemSelectionModel::NoUpdate);
    view_->scrollTo(row);
  }
  applying_ = false;
}

RunsDock::Chosen RunsDock::sorted(Chosen chosen) {
  std::sort(chosen.runs.begin(), chosen.runs.end());
  std::sort(chosen.queued.begin(), chosen.queued.end());
  return chosen;
}

/// A variant is chosen by a click, and opened by one on its arrow (RunTreeView).
void RunsDock::toggleGroup(const QModelIndex& index) {
  if (model_->rowCount(index) == 0 || model_->kindOf(index) == RunModel::Kind::variant) return;
  view_->setExpanded(index, !view_->isExpanded(index));
  if (!view_->isExpanded(index)) view_->scrollTo(index);  // its pinned header was clicked, far below it
}

/// Groups begin open, the archive closed, and variants where they would be a long list.
bool RunsDock::beginsOpen(const QModelIndex& index, bool isLong) const {
  const RunModel::Kind kind = model_->kindOf(index);
  if (closed_.contains(model_->keyOf(index)) || kind == RunModel::Kind::archive) return false;
  return kind != RunModel::Kind::variant || !isLong;
}

void RunsDock::openNew(const QModelIndex& parent, int first, int last) {
  const bool isLong = parent.isValid() && model_->runCountBelow(parent) > fewRuns;
  for (int row = first; row <= last; ++row) {
    const QModelIndex index = model_->index(row, 0, parent);
    if (model_->rowCount(index) == 0 || !beginsOpen(index, isLong)) continue;
    view_->expand(index);
    openNew(index, 0, model_->rowCount(index) - 1);
  }
  // The first row of an empty group.
  if (!parent.isValid() || model_->rowCount(parent) > last - first + 1) return;
  if (beginsOpen(parent, model_->runCountBelow(parent.parent()) > fewRuns)) view_->expand(parent);
}

void RunsDock::showMenu(const QPoint& place) {
  QMenu menu(this);
  runActions_->fill(menu);
  if (!menu.isEmpty()) menu.exec(view_->viewport()->mapToGlobal(place));
}

}  // namespace slipstream::ui
