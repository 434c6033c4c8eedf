// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/page_stack.h"

#include <QCoreApplication>
#include <QEvent>
#include <QMainWindow>
#include <QStackedWidget>
#include <QStyle>
#include <QTabBar>
#include <QVBoxLayout>
#include <algorithm>

#include "ui/widgets/widgets.h"
#include "ui/workspace/document_dialogs.h"
#include "ui/workspace/page.h"

namespace slipstream::ui {
namespace {

constexpr int tabHeight = 34;
constexpr int leastPageHeight = 300;  ///< below, a page scrolls or is folded; the panel below it may need the room
constexpr int welcome = 0;

/// What lies on either side of a tab's title; the style sheet has a rule for each but the first.
struct TabPadding {
  const char* name;
  int pixels;
};
constexpr TabPadding paddings[] = {{"wide", 14}, {"narrow", 11}, {"tight", 6}};  // widest first

/// Asks for as much room as the page in front does: what others need is none of its business.
class FrontStack : public QStackedWidget {
 public:
  FrontStack() {
    connect(this, &QStackedWidget::currentChanged, this, [this] { updateGeometry(); });
  }
  QSize minimumSizeHint() const override {
    return currentWidget() == nullptr ? QSize() : currentWidget()->minimumSizeHint();
  }
};

int widthOfTabs(const QTabBar& tabs, int padding) {
  int width = 0;
  for (int tab = 0; tab < tabs.count(); ++tab) {
    if (!tabs.isTabVisible(tab)) continue;
    width += QFontMetrics(tabs.font()).horizontalAdvance(tabs.tabText(tab)) + 2 * padding + 1;  // which the style adds
  }
  return width;
}

}  // namespace

PageStack::PageStack(Workspace& workspace, QWidget* parent)
    : QWidget(parent),
      workspace_(workspace),
      tabs_(new QTabBar),
      draftNotice_(new DraftNotice),
      stack_(new FrontStack) {
  setProperty("panel", true);
  setAttribute(Qt::WA_StyledBackground);
  tabs_->setDrawBase(false);
  tabs_->setExpanding(false);
  tabs_->setUsesScrollButtons(true);
  tabs_->setMinimumHeight(tabHeight);
  tabs_->setAccessibleName(tr("Pages"));
  QVBoxLayout* layout = column(this, 0);
  addAll(*layout, {tabs_, hairline(), draftNotice_});
  stack_->setMinimumHeight(leastPageHeight);
  sides_ = new QMainWindow;
  sides_->setWindowFlags(Qt::Widget);
  sides_->setCentralWidget(stack_);
  layout->addWidget(sides_, 1);
  connect(tabs_, &QTabBar::currentChanged, this, &PageStack::showFront);
}

QWidget* PageStack::holder() const {
  return stack_;
}

void PageStack::add(Page* page) {
  pages_.push_back(page);
  stack_->addWidget(page);
  const int index = tabs_->addTab(page->title());
  tabs_->setTabToolTip(index, page->title());
  const auto retitle = [this, page, index] {
    const Document* document = page->document();
    const bool modified = document != nullptr && document->isModified();
    tabs_->setTabText(index, modified ? page->title() + QStringLiteral(" •") : page->title());
    fitTabs();
  };
  for (const Document* document : workspace_.documents()) connect(document, &Document::fileChanged, page, retitle);
  connect(page, &Page::documentChanged, this, [this, page, retitle] {
    retitle();
    if (page == &front()) showFront(tabs_->currentIndex());
  });
  retitle();
}

Page* PageStack::page(PageId id) const {
  const auto found = std::find_if(pages_.begin(), pages_.end(), [id](const Page* page) { return page->id() == id; });
  return found == pages_.end() ? nullptr : *found;
}

Page& PageStack::front() const {
  return *pages_[static_cast<std::size_t>(std::max(0, tabs_->currentIndex()))];
}

void PageStack::showPage(PageId id) {
  const auto found = std::find(pages_.begin(), pages_.end(), page(id));
  if (found != pages_.end()) tabs_->setCurrentIndex(static_cast<int>(found - pages_.begin()));
}

void PageStack::showFront(int index) {
  if (index < 0 || index >= static_cast<int>(pages_.size())) return;
  stack_->setCurrentIndex(index);
  Document* document = front().document();
  workspace_.undo().setActiveStack(document == nullptr ? &workspace_.labelUndo() : &document->undoStack());
  draftNotice_->follow(document);
  Q_EMIT frontChanged();
}

void PageStack::setHasRuns(bool hasRuns) {
  for (std::size_t i = 0; i < pages_.size(); ++i) {
    // The page in front stays: after a launch it waits for the run's first row.
    const int index = static_cast<int>(i);
    tabs_->setTabEnabled(index, hasRuns || !pages_[i]->needsRuns() || index == tabs_->currentIndex());
  }
  // Said twice, Qt 6.4 forgets to close the gap that a hidden tab leaves.
  const bool welcomes = !hasRuns || tabs_->currentIndex() == welcome;
  if (tabs_->isTabVisible(welcome) != welcomes) tabs_->setTabVisible(welcome, welcomes);
  fitTabs();
}

void PageStack::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  fitTabs();
}

void PageStack::fitTabs() {
  QString fitting;
  for (const TabPadding& padding : paddings) {
    fitting = QString::fromLatin1(padding.name);
    if (widthOfTabs(*tabs_, padding.pixels) <= width()) break;
  }
  if (tabs_->property("padding") == fitting) return;
  tabs_->setProperty("padding", fitting);
  repolish(tabs_);
  QEvent changed(QEvent::StyleChange);  // the tabs are laid out anew
  QCoreApplication::sendEvent(tabs_, &changed);
}

}  // namespace slipstream::ui
