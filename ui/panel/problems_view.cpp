// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panel/problems_view.h"

#include <QAction>
#include <QClipboard>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QScrollBar>
#include <QVBoxLayout>
#include <algorithm>

#include "ui/panel/problem_delegate.h"
#include "ui/parts/parts.h"

namespace slipstream::ui {
namespace {

/// More than a window can show.
constexpr int mostCounted = 20;

}  // namespace

ProblemsView::ProblemsView(ProblemsModel& model, QWidget* parent)
    : QWidget(parent), model_(model), list_(new QListView), words_(label({}, TextSize::secondary, true)) {
  setProperty("page", true);
  setAttribute(Qt::WA_StyledBackground);
  QVBoxLayout* layout = column(this, 0);
  buildList();
  layout->addWidget(list_, 1);
  words_->setContentsMargins(pageMargin, gapSmall, pageMargin, gapSmall);
  words_->setWordWrap(true);
  layout->addWidget(words_);
  layout->addStretch();
  equipping_.setSingleShot(true);
  connect(&equipping_, &QTimer::timeout, this, &ProblemsView::equip);
  connect(&model, &ProblemsModel::countsChanged, this, &ProblemsView::refresh);
  refresh();
}

void ProblemsView::buildList() {
  list_->setModel(&model_);
  list_->setItemDelegate(new ProblemDelegate(model_, list_));
  list_->setSelectionMode(QAbstractItemView::ExtendedSelection);
  list_->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
  list_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  list_->setResizeMode(QListView::Adjust);
  list_->setAccessibleName(tr("Problems"));
  connect(list_, &QListView::activated, this, [this](const QModelIndex& index) { model_.show(index.row()); });
  connect(list_->verticalScrollBar(), &QScrollBar::valueChanged, &equipping_, qOverload<>(&QTimer::start));
  connect(list_->verticalScrollBar(), &QScrollBar::rangeChanged, &equipping_, qOverload<>(&QTimer::start));
  connect(&model_, &QAbstractItemModel::rowsInserted, &equipping_, qOverload<>(&QTimer::start));
  auto* copyAction = new QAction(icon(Symbol::copy), tr("Copy"), list_);
  copyAction->setShortcut(QKeySequence::Copy);
  copyAction->setShortcutContext(Qt::WidgetShortcut);
  connect(copyAction, &QAction::triggered, this, &ProblemsView::copy);
  list_->addAction(copyAction);
  list_->setContextMenuPolicy(Qt::ActionsContextMenu);
}

void ProblemsView::refresh() {
  const bool none = model_.rowCount() == 0;
  list_->setVisible(!none);
  words_->setText(none ? tr("Nothing is wrong in the open documents.")
                       : tr("Every fix is one undo step. The command line says the same words: slipstream plan, "
                            "slipstream rank-table check"));
  equipping_.start();
}

/// Rows in sight get their buttons; of thousands of problems, few are.
void ProblemsView::equip() {
  const QRect sight = list_->viewport()->rect();
  const int first = std::max(0, list_->indexAt(sight.topLeft() + QPoint(1, 1)).row());
  for (int row = first; row < model_.rowCount(); ++row) {
    const QModelIndex index = model_.index(row);
    if (list_->visualRect(index).top() > sight.bottom()) return;
    if (list_->indexWidget(index) == nullptr) list_->setIndexWidget(index, buttonsOf(index));
  }
}

QWidget* ProblemsView::buttonsOf(const QModelIndex& index) {
  const Problem& problem = model_.entry(index.row()).problem;
  const QPersistentModelIndex row(index);
  auto* holder = new QWidget;
  auto* layout = new QHBoxLayout(holder);
  layout->setContentsMargins(0, 0, pageMargin, 0);
  layout->addStretch();
  if (problem.fix) {
    auto* repair = new QPushButton(icon(Symbol::bulb, IconInk::accent), problem.fixLabel);
    connect(repair, &QPushButton::clicked, this, [this, row] { fix(row); });
    layout->addWidget(repair);
  }
  QPushButton* show = button(tr("Show"));
  show->setProperty("link", true);
  show->setAccessibleName(tr("Show the place of this problem"));
  connect(show, &QPushButton::clicked, this, [this, row] {
    if (row.isValid()) model_.show(row.row());
  });
  layout->addWidget(show);
  return holder;
}

/// The fix changes the document, whose new problems replace this one while its button is still at work.
void ProblemsView::fix(const QModelIndex& index) {
  if (!index.isValid()) return;
  const std::function<void()> repair = model_.entry(index.row()).problem.fix;
  QMetaObject::invokeMethod(
      this, [repair] { repair(); }, Qt::QueuedConnection);
}

void ProblemsView::walk(int step) {
  const int count = model_.rowCount();
  if (count == 0) return;
  const int now = list_->currentIndex().row();
  const int next = now < 0 ? (step > 0 ? 0 : count - 1) : (now + step + count) % count;
  list_->setCurrentIndex(model_.index(next));
  list_->scrollTo(model_.index(next));
  model_.show(next);
}

int ProblemsView::wholeHeight() const {
  const int rows = model_.rowCount();
  const int words = words_->hasHeightForWidth() ? words_->heightForWidth(width()) : words_->sizeHint().height();
  int height = words;
  for (int row = 0; row < std::min(rows, mostCounted); ++row) height += list_->sizeHintForRow(row);
  return height;
}

void ProblemsView::copy() const {
  QModelIndexList rows = list_->selectionModel()->selectedIndexes();
  std::sort(rows.begin(), rows.end());
  QStringList words;
  for (const QModelIndex& row : rows) words << model_.entry(row.row()).words();
  QGuiApplication::clipboard()->setText(words.join(QLatin1Char('\n')));
}

}  // namespace slipstream::ui
