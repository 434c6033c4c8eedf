// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/workspace/page.h"

#include <QScrollArea>
#include <QScrollBar>
#include <QStackedLayout>

#include "ui/store/store_snapshot.h"

namespace slipstream::ui {
namespace {

constexpr int livingMilliseconds = 2000;

constexpr int refreshMilliseconds = 1000;

}  // namespace

Page::Page(Workspace& workspace, QWidget* parent) : QWidget(parent), workspace_(workspace) {
  setProperty("page", true);
  setAttribute(Qt::WA_StyledBackground);
}

StorePage::StorePage(Workspace& workspace, QWidget* parent, int pauseMilliseconds)
    : Page(workspace, parent), layers_(new QStackedLayout(this)), empty_(new EmptyState({}, {})) {
  layers_->addWidget(empty_);
  pause_.setSingleShot(true);
  pause_.setInterval(pauseMilliseconds);
  connect(&pause_, &QTimer::timeout, this, &StorePage::makeAnew);
}

void StorePage::setBody(QWidget* body) {
  body->setProperty("page", true);
  body->setAttribute(Qt::WA_StyledBackground);
  area_ = new QScrollArea;
  area_->setWidgetResizable(true);
  area_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  area_->setWidget(body);
  layers_->addWidget(area_);
}

void StorePage::showTop() {
  area_->verticalScrollBar()->setValue(0);
}

void StorePage::showBody() {
  layers_->setCurrentIndex(1);
}

void StorePage::showNothing(const QString& what, const QString& why) {
  empty_->setText(what, why);
  layers_->setCurrentIndex(0);
}

void StorePage::wait() {
  if (!pause_.isActive()) pause_.start();
}

/// What was read before stays.
void StorePage::showUnread(const QString& message) {
  if (layers_->currentIndex() == 0) showNothing(tr("This cannot be read"), message);
  missed();
}

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

RunPage::RunPage(Workspace& workspace, QWidget* parent)
    : StorePage(workspace, parent, refreshMilliseconds), title_(new RunTitle(workspace, this)) {
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
  if (row != nullptr) title_->setRun(*row);
  stale_ = true;
  if (isVisible()) askAgain();
}

void RunPage::storeChanged() {
  if (workspace().selection().current() != run_) return runChanged();
  if (const RunRow* row = workspace().currentRun()) title_->setRun(*row);
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
