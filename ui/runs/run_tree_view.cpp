// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/runs/run_tree_view.h"

#include <QPainter>
#include <QScrollBar>

#include "ui/theme/theme.h"

namespace slipstream::ui {
namespace {

QModelIndex groupOf(QModelIndex row) {
  while (row.parent().isValid()) row = row.parent();
  return row;
}

}  // namespace

/// A group that is closed by its pinned head would be out of sight.
RunTreeView::RunTreeView(QWidget* parent) : QTreeView(parent) {
  setVerticalScrollMode(ScrollPerItem);
  connect(this, &QTreeView::collapsed, this, [this](const QModelIndex& index) { scrollTo(index); });
}

QModelIndex RunTreeView::pinnedHead() const {
  const QModelIndex top = QTreeView::indexAt({0, 0});
  if (!top.isValid()) return {};
  const QModelIndex head = groupOf(top);
  return visualRect(head).top() < 0 ? head : QModelIndex();
}

QRect RunTreeView::pinnedRect() const {
  return {0, 0, viewport()->width(), rowHeight(QTreeView::indexAt({0, 0}))};
}

QModelIndex RunTreeView::indexAt(const QPoint& point) const {
  const QModelIndex head = pinnedHead();
  if (head.isValid() && pinnedRect().contains(point)) return head;
  return QTreeView::indexAt(point);
}

/// A row that is brought into sight is not left behind the pinned head.
void RunTreeView::scrollTo(const QModelIndex& index, ScrollHint hint) {
  QTreeView::scrollTo(index, hint);
  const bool isBehind = pinnedHead().isValid() && visualRect(index).top() == 0;
  if (isBehind) verticalScrollBar()->setValue(verticalScrollBar()->value() - 1);
}

/// In the place of the first row there is its group's head.
void RunTreeView::drawRow(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const {
  const QModelIndex head = option.rect.top() == 0 ? pinnedHead() : QModelIndex();
  if (!head.isValid()) return QTreeView::drawRow(painter, option, index);
  QStyleOptionViewItem pinned = option;
  pinned.state.setFlag(QStyle::State_Open);
  pinned.state.setFlag(QStyle::State_HasFocus, false);
  pinned.state.setFlag(QStyle::State_Selected, selectionModel()->isSelected(head));
  painter->fillRect(pinned.rect, tokens().base);
  itemDelegate()->paint(painter, pinned, head);
  painter->fillRect(QRect(0, pinned.rect.bottom(), pinned.rect.width(), 1), tokens().hairline);
}

/// Moving what is drawn would move the pinned head with it.
void RunTreeView::scrollContentsBy(int dx, int dy) {
  QTreeView::scrollContentsBy(dx, dy);
  viewport()->update();
}

}  // namespace slipstream::ui
