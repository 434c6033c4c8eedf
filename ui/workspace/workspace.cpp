// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/workspace/workspace.h"

namespace slipstream::ui {

void RunSelection::setCurrent(const std::string& run) {
  setShown(run.empty() ? std::vector<std::string>{} : std::vector<std::string>{run}, run);
}

void RunSelection::setShown(const std::vector<std::string>& runs, const std::string& current) {
  if (runs == shown_ && current == current_) return;
  shown_ = runs;
  current_ = current;
  Q_EMIT changed();
}

void StudySelection::choose(const std::string& name) {
  set(name, false);
}

void StudySelection::chooseDraft() {
  set({}, true);
}

void StudySelection::set(const std::string& name, bool isDraft) {
  if (name == name_ && isDraft == isDraft_) return;
  name_ = name;
  isDraft_ = isDraft;
  Q_EMIT changed();
}

Workspace::Workspace(QObject* parent)
    : QObject(parent),
      store_(this),
      selection_(this),
      studies_(this),
      experiment_(this),
      rankTable_(this),
      studyDraft_(this),
      launcher_(store_, this),
      studyLauncher_(store_, this),
      remotes_(store_, this),
      comingRuns_(store_, this),
      alerts_(store_, this) {
  undo_.addStack(&labelUndo_);
  undo_.addStack(&experiment_.undoStack());
  undo_.addStack(&rankTable_.undoStack());
  undo_.addStack(&studyDraft_.undoStack());
  undo_.setActiveStack(&labelUndo_);
  // Its plan may be of the table that was there before.
  connect(&rankTable_, &Document::saved, &experiment_, &ExperimentDocument::recheck);
  connect(&store_, &StoreWatcher::opened, this, [this] {
    selection_.setCurrent({});
    if (!studies_.isDraft()) studies_.choose({});
    labelUndo_.clear();  // its steps are about runs of another store
  });
  connect(&store_, &StoreWatcher::troubled, this, &Workspace::reported);
  connect(&store_, &StoreWatcher::noticed, this, &Workspace::reported);
  connect(&remotes_, &RemoteWatch::refused, this, &Workspace::reported);
  connect(&launcher_, &Launcher::refused, this, &Workspace::reported);
  connect(&launcher_, &Launcher::reported, this, &Workspace::reported);
  connect(&alerts_, &RunAlerts::raised, this, &Workspace::reported);
  connect(&alerts_, &RunAlerts::finished, this, &Workspace::reported);
  connect(&launcher_, &Launcher::started, this, &Workspace::follow);
  connect(&studyLauncher_, &StudyLauncher::refused, this, &Workspace::reported);
  connect(&studyLauncher_, &StudyLauncher::frozen, this, &Workspace::followStudy);
}

/// Whoever has just launched sees the run. One whose turn has come takes the place of a run that is done, and leaves
/// alone whoever works elsewhere or has a failure to look at.
void Workspace::follow(const QString& run, bool waited) {
  store_.poll();
  const RunRow* current = currentRun();
  if (waited && current != nullptr && current->run.state != RunState::done) return;
  selection_.setCurrent(run.toStdString());
  if (!waited) showPage(PageId::charts);
}

/// What is frozen is not written any more.
void Workspace::followStudy(const QString& study) {
  store_.poll();
  studyDraft_.dropDraft();
  studyDraft_.start({});
  studies_.choose(study.toStdString());
}

void Workspace::recoverDrafts() {
  experiment_.recoverDraft();
  rankTable_.recoverDraft();
  if (studyDraft_.recoverDraft()) studies_.chooseDraft();
}

std::shared_ptr<void> Workspace::beginExport() {
  ++*exports_;
  return {nullptr, [exports = exports_](void*) { --*exports; }};
}

const StudySummary* Workspace::currentStudy() const {
  return store_.snapshot()->findStudy(studies_.name());
}

const RunRow* Workspace::currentRun() const {
  return store_.snapshot()->find(selection_.current());
}

}  // namespace slipstream::ui
