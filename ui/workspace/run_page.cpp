#include "ui/workspace/run_page.h"

#include <QScrollArea>
#include <QStackedLayout>

namespace slipstream::ui {
namespace {

constexpr int refreshMilliseconds = 1000;

}  // namespace

RunPage::RunPage(Workspace& workspace, QWidget* parent)
    : Page(workspace, parent),
      layers_(new QStackedLayout(this)),
      empty_(new EmptyState({}, {})),
      title_(new RunTitle(this)) {
  setProperty("page", true);
  setAttribute(Qt::WA_StyledBackground);
  layers_->addWidget(empty_);
  timer_.setSingleShot(true);
  timer_.setInterval(refreshMilliseconds);
  connect(&timer_, &QTimer::timeout, this, &RunPage::askAgain);
  connect(&workspace.store(), &StoreWatcher::changed, this, &RunPage::storeChanged);
  connect(&workspace.selection(), &RunSelection::changed, this, &RunPage::runChanged);
}

void RunPage::begin(QWidget* content, const QString& withoutRun) {
  withoutRun_ = withoutRun;
  content->setProperty("page", true);
  content->setAttribute(Qt::WA_StyledBackground);
  auto* area = new QScrollArea;
  area->setWidgetResizable(true);
  area->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  area->setWidget(content);
  layers_->addWidget(area);
  runChanged();
}

void RunPage::runChanged() {
  const RunRow* row = workspace().currentRun();
  const std::string& chosen = workspace().selection().current();
  if (row == nullptr || chosen != run_) {
    forget();
    newest_.take();
    layers_->setCurrentIndex(0);
    empty_->setWords(tr("No run is chosen"), withoutRun_);
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
  Page::showEvent(event);
  if (stale_) askAgain();
}

void RunPage::askLater() {
  stale_ = true;
  if (isVisible() && !timer_.isActive()) timer_.start();
}

void RunPage::askAgain() {
  if (run_.empty()) return;
  stale_ = false;
  ask();
}

/// What was read before stays.
void RunPage::showUnread(const QString& words) {
  if (layers_->currentIndex() == 0) empty_->setWords(tr("The store cannot be read"), words);
  askLater();
}

void RunPage::showContent(bool hasSteps) {
  if (!hasSteps) {
    empty_->setWords(tr("No step has been recorded"),
                     tr("The run has not done its first step, or it ended before. Its log and its events below say "
                        "more."));
  }
  layers_->setCurrentIndex(hasSteps ? 1 : 0);
}

}  // namespace slipstream::ui
