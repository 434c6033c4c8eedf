// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/runs/run_actions.h"

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QLocale>
#include <QMenu>
#include <algorithm>

#include "engine/runs/live_status.h"
#include "ui/runs/label_fields.h"
#include "ui/runs/run_removing.h"
#include "ui/theme/icons.h"
#include "ui/widgets/notice.h"
#include "ui/workspace/actions.h"

namespace slipstream::ui {
namespace {

bool isLiving(const RunRow* row) {
  return isLiving(row->run.state);
}

}  // namespace

RunActions::RunActions(Workspace& workspace, const Actions& actions, Notice& notice, QWidget* parent)
    : QObject(parent),
      stopAfterStep(actions.stopAfterStep),
      stopAfterCheckpoint(actions.stopAfterCheckpoint),
      stopNow(actions.stopNow),
      resume(actions.resume),
      workspace_(workspace),
      notice_(notice),
      steps_(new QMenu(parent)) {
  rename = new QAction(tr("Rename"), this);
  rename->setShortcut(Qt::Key_F2);
  describe = new QAction(icon(Symbol::tag), tr("Tags and note"), this);
  pin = new QAction(icon(Symbol::pin), tr("Pin as baseline"), this);
  unpin = new QAction(tr("Unpin"), this);
  connect(resume, &QAction::triggered, this, &RunActions::resumeTheRun);
  resumeFrom = new QAction(tr("Resume from step"), this);
  resumeFrom->setMenu(steps_);
  unqueue = make(tr("Remove from queue"), &RunActions::dropFromQueue);
  copyCommand = make(tr("Copy launch command"), &RunActions::copyTheCommand);
  copyCommand->setIcon(icon(Symbol::copy));
  archive = new QAction(icon(Symbol::archive), tr("Archive"), this);
  archive->setShortcut(Qt::Key_Delete);
  unarchive = new QAction(tr("Unarchive"), this);
  remove = make(tr("Delete permanently…"), &RunActions::askToRemove);
  remove->setIcon(icon(Symbol::trash));
  for (QAction* action : {rename, archive}) action->setShortcutContext(Qt::WidgetWithChildrenShortcut);
  connectLabels();
  connect(steps_, &QMenu::aboutToShow, this, &RunActions::fillSteps);
  connect(&workspace.store(), &StoreWatcher::changed, this, &RunActions::refresh);
  refresh();
}

QAction* RunActions::make(const QString& text, void (RunActions::*slot)()) {
  auto* action = new QAction(text, this);
  connect(action, &QAction::triggered, this, slot);
  return action;
}

void RunActions::connectLabels() {
  connect(pin, &QAction::triggered, this, [this] { pinBaseline(workspace_, runs_.front()); });
  connect(unpin, &QAction::triggered, this,
          [this] { editLabels(workspace_, runs_, tr("Unpin"), [](RunLabel& label) { label.pinned = false; }); });
  connect(archive, &QAction::triggered, this, [this] { setArchived(true); });
  connect(unarchive, &QAction::triggered, this, [this] { setArchived(false); });
  const std::pair<QAction*, StopKind> stops[] = {
      {stopAfterStep, StopKind::afterStep}, {stopAfterCheckpoint, StopKind::afterCheckpoint}, {stopNow, StopKind::now}};
  for (const auto& [action, kind] : stops) {
    connect(action, &QAction::triggered, this, [this, kind = kind] { workspace_.launcher().stop(runs_, kind); });
  }
}

QList<QAction*> RunActions::all() const {
  return {rename, describe,   pin,     unpin,       stopAfterStep, stopAfterCheckpoint, stopNow,
          resume, resumeFrom, unqueue, copyCommand, archive,       unarchive,           remove};
}

void RunActions::setChosen(std::vector<std::string> runs, std::vector<int> queued) {
  runs_ = std::move(runs);
  queued_ = std::move(queued);
  refresh();
}

std::vector<const RunRow*> RunActions::rows(const StoreSnapshot& snapshot) const {
  std::vector<const RunRow*> found;
  for (const std::string& run : runs_) {
    if (const RunRow* row = snapshot.find(run)) found.push_back(row);
  }
  return found;
}

void RunActions::refresh() {
  const StoreSnapshotPointer snapshot = workspace_.store().snapshot();
  const std::vector<const RunRow*> chosen = rows(*snapshot);
  const bool one = chosen.size() == 1;
  const auto any = [&](auto test) { return std::any_of(chosen.begin(), chosen.end(), test); };
  const bool living = any(isLiving);
  for (QAction* action : {rename, copyCommand}) action->setEnabled(one);
  describe->setEnabled(!chosen.empty());
  for (QAction* action : {rename, describe, pin, unpin, resumeFrom, archive, unarchive, remove}) {
    action->setToolTip(action->text());
  }
  pin->setEnabled(one && !chosen.front()->label.pinned);
  unpin->setEnabled(any([](const RunRow* row) { return row->label.pinned; }));
  for (QAction* action : {stopAfterStep, stopAfterCheckpoint, stopNow}) {
    action->setEnabled(living);
    action->setToolTip(living ? action->text() : tr("No living run is chosen"));
  }
  resume->setEnabled(one && !living && chosen.front()->run.state != RunState::done);
  resume->setToolTip(resume->isEnabled() ? resume->text() : tr("Choose one run that ended before it was done"));
  resumeFrom->setEnabled(one && !living);
  unqueue->setEnabled(!queued_.empty());
  archive->setEnabled(any([](const RunRow* row) { return !row->label.archived && !isLiving(row); }));
  unarchive->setEnabled(any([](const RunRow* row) { return row->label.archived; }));
  remove->setEnabled(!chosen.empty() && !living);
  refuseChangesOfCopies(chosen);
  refuseWrites();
}

/// A copy is changed where it is from; it is stopped and resumed from here.
void RunActions::refuseChangesOfCopies(const std::vector<const RunRow*>& chosen) {
  const auto copy =
      std::find_if(chosen.begin(), chosen.end(), [](const RunRow* row) { return !row->run.remote.empty(); });
  if (copy == chosen.end()) return;
  const QString whyNot =
      tr("A copy of a run of %1, which is changed there").arg(QString::fromStdString((*copy)->run.remote));
  for (QAction* action : {rename, pin, unpin, archive, unarchive, remove}) {
    action->setEnabled(false);
    action->setToolTip(whyNot);
  }
}

/// What cannot be written is off, whatever is chosen.
void RunActions::refuseWrites() {
  const QString& whyNot = workspace_.store().whyReadOnly();
  if (whyNot.isEmpty()) return;
  for (QAction* action : all()) {
    if (action == describe || action == copyCommand || action == unqueue) continue;
    action->setEnabled(false);
    action->setToolTip(whyNot);
  }
}

/// What cannot be done to what is chosen is left out.
void RunActions::fill(QMenu& menu) const {
  const std::vector<std::vector<QAction*>> groups{{unqueue},
                                                  {stopAfterStep, stopAfterCheckpoint, stopNow, resume, resumeFrom},
                                                  {rename, describe, pin, unpin, copyCommand},
                                                  {archive, unarchive, remove}};
  for (const auto& group : groups) {
    for (QAction* action : group) {
      if (action->isEnabled()) menu.addAction(action);
    }
    menu.addSeparator();
  }
}

/// A living run stays in sight.
void RunActions::setArchived(bool archived) {
  const StoreSnapshotPointer snapshot = workspace_.store().snapshot();
  std::vector<std::string> ended;
  for (const RunRow* row : rows(*snapshot)) {
    if (!isLiving(row)) ended.push_back(row->run.id);
  }
  editLabels(workspace_, ended, archived ? tr("Archive") : tr("Unarchive"),
             [archived](RunLabel& label) { label.archived = archived; });
}

void RunActions::askToRemove() {
  ui::askToRemove(workspace_, notice_, runs_);
}

void RunActions::fillSteps() {
  steps_->clear();
  if (runs_.size() != 1) return;
  steps_->addAction(tr("Looking for checkpoints"))->setEnabled(false);
  workspace_.store().reader().read(
      this,
      [run = runs_.front()](RunStore& store) {
        std::vector<CheckpointRow> checkpoints = store.checkpoints(run);
        const auto record = store.find(run);
        // After the last step nothing is left to resume.
        const std::int64_t end = record ? endStepOf(store, *record) : 0;
        std::erase_if(checkpoints,
                      [end](const CheckpointRow& row) { return !row.full || (end > 0 && row.step >= end); });
        return checkpoints;
      },
      [this, run = runs_.front()](const std::vector<CheckpointRow>& checkpoints) {
        steps_->clear();
        if (checkpoints.empty()) steps_->addAction(tr("There is no checkpoint to resume from"))->setEnabled(false);
        for (auto row = checkpoints.rbegin(); row != checkpoints.rend(); ++row) {
          QAction* action = steps_->addAction(tr("Step %1").arg(QLocale().toString(static_cast<qlonglong>(row->step))));
          connect(action, &QAction::triggered, this, [this, run, step = row->step] {
            workspace_.launcher().resume(run, workspace_.store().folder(), step);
          });
        }
      });
}

void RunActions::copyTheCommand() {
  workspace_.store().reader().read(
      this,
      [run = runs_.front()](RunStore& store) {
        const auto whole = store.find(run);
        return whole ? whole->commandText : std::string();
      },
      [this](const std::string& command) {
        QApplication::clipboard()->setText(QString::fromStdString(command));
        workspace_.report(tr("The command is in the clipboard"));
      });
}

void RunActions::resumeTheRun() {
  workspace_.launcher().resume(runs_.front(), workspace_.store().folder());
}

void RunActions::dropFromQueue() {
  for (const int number : std::exchange(queued_, {})) workspace_.launcher().removeFromQueue(number);
  refresh();
}

}  // namespace slipstream::ui
