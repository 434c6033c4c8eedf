// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/workspace/run_page.h"

#include "ui/parts/run_names.h"

namespace slipstream::ui {
namespace {

constexpr int refreshMilliseconds = 1000;

}  // namespace

RunPage::RunPage(Workspace& workspace, QWidget* parent)
    : StorePage(workspace, parent, refreshMilliseconds), title_(new RunTitle(this)) {
  connect(&workspace.store(), &StoreWatcher::changed, this, &RunPage::storeChanged);
  connect(&workspace.selection(), &RunSelection::changed, this, &RunPage::runChanged);
}

void RunPage::begin(QWidget* content, const QString& withoutRun) {
  withoutRun_ = withoutRun;
  setBody(content);
  runChanged();
}

void RunPage::runChanged() {
  const RunRow* row = workspace().currentRun();
  const std::string& chosen = workspace().selection().current();
  if (row == nullptr || chosen != run_) {
    forget();
    dropAnswers();
    showNothing(tr("No run is chosen"), withoutRun_);
  }
  run_ = row == nullptr ? std::string() : chosen;
  if (row != nullptr) title_->setRun(*row, runName(*workspace().store().snapshot(), *row));
  stale_ = true;
  if (isVisible()) askAgain();
}

void RunPage::storeChanged() {
  if (workspace().selection().current() != run_) return runChanged();
  if (const RunRow* row = workspace().currentRun())
    title_->setRun(*row, runName(*workspace().store().snapshot(), *row));
  askLater();
}

void RunPage::showEvent(QShowEvent* event) {
  StorePage::showEvent(event);
  if (stale_) askAgain();
}

void RunPage::askLater() {
  stale_ = true;
  if (isVisible()) wait();
}

void RunPage::askAgain() {
  if (run_.empty()) return;
  stale_ = false;
  ask();
}

void RunPage::showContent(bool hasSteps) {
  if (hasSteps) return showBody();
  showNothing(tr("No step has been recorded"),
              tr("The run has not done its first step, or it ended before. Its log and its events below say more."));
}

}  // namespace slipstream::ui
