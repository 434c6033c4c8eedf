// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/workspace/shown_runs_page.h"

namespace slipstream::ui {
namespace {

constexpr int livingMilliseconds = 2000;

}  // namespace

ShownRunsPage::ShownRunsPage(Workspace& workspace, QWidget* parent) : StorePage(workspace, parent, livingMilliseconds) {
  connect(&workspace.selection(), &RunSelection::changed, this, &ShownRunsPage::refresh);
  connect(&workspace.store(), &StoreWatcher::opened, this, &ShownRunsPage::refresh);
  connect(&workspace.store(), &StoreWatcher::changed, this, &ShownRunsPage::wait);
}

void ShownRunsPage::begin(QWidget* body) {
  setBody(body);
  refresh();
}

void ShownRunsPage::showEvent(QShowEvent* event) {
  StorePage::showEvent(event);
  refresh();
}

void ShownRunsPage::missed() {
  version_ = -1;
  wait();
}

void ShownRunsPage::forget() {
  dropAnswers();
  version_ = -1;
}

bool ShownRunsPage::mustAsk(bool sameQuestion) {
  const std::int64_t version = workspace().store().snapshot()->version;
  if (sameQuestion && version == version_) return false;
  version_ = version;
  return true;
}

}  // namespace slipstream::ui
