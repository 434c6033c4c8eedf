#include "ui/workspace/shown_runs_page.h"

#include <QScrollArea>
#include <QStackedLayout>

namespace slipstream::ui {
namespace {

constexpr int livingMilliseconds = 2000;

}  // namespace

ShownRunsPage::ShownRunsPage(Workspace& workspace, QWidget* parent)
    : Page(workspace, parent), stack_(new QStackedLayout(this)), empty_(new EmptyState({}, {})) {
  stack_->addWidget(empty_);
  later_.setSingleShot(true);
  later_.setInterval(livingMilliseconds);
  connect(&later_, &QTimer::timeout, this, &ShownRunsPage::refresh);
  connect(&workspace.selection(), &RunSelection::changed, this, &ShownRunsPage::refresh);
  connect(&workspace.store(), &StoreWatcher::opened, this, &ShownRunsPage::refresh);
  connect(&workspace.store(), &StoreWatcher::changed, this, [this] {
    if (!later_.isActive()) later_.start();
  });
}

void ShownRunsPage::begin(QWidget* body) {
  body->setProperty("page", true);
  auto* scroll = new QScrollArea;
  scroll->setWidgetResizable(true);
  scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  scroll->setWidget(body);
  stack_->addWidget(scroll);
  refresh();
}

void ShownRunsPage::showEvent(QShowEvent* event) {
  Page::showEvent(event);
  refresh();
}

void ShownRunsPage::showBody() {
  stack_->setCurrentIndex(1);
}

void ShownRunsPage::showNothing(const QString& what, const QString& why) {
  empty_->setWords(what, why);
  stack_->setCurrentIndex(0);
}

/// What was made before stays.
void ShownRunsPage::showUnread(const QString& words) {
  version_ = -1;
  if (stack_->currentIndex() == 0) showNothing(tr("The store cannot be read"), words);
  if (!later_.isActive()) later_.start();
}

void ShownRunsPage::forget() {
  newest_.take();
  version_ = -1;
}

bool ShownRunsPage::mustAsk(bool sameQuestion) {
  const std::int64_t version = workspace().store().snapshot()->version;
  if (sameQuestion && version == version_) return false;
  version_ = version;
  return true;
}

}  // namespace slipstream::ui
