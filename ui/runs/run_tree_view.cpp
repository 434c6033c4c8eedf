// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/runs/run_tree_view.h"

#include <QMouseEvent>
#include <QPainter>
#include <QScrollBar>

#include "ui/runs/run_delegate.h"
#include "ui/theme/theme.h"

namespace slipstream::ui {
namespace {

QModelIndex groupOf(QModelIndex row) {
  while (row.parent().isValid()) row = row.parent();
  return row;
}

}  // namespace

RunTreeView::RunTreeView(QWidget* parent) : QTreeView(parent) {
  setVerticalScrollMode(ScrollPerItem);
}

QModelIndex RunTreeView::pinnedHeader() const {
  const QModelIndex top = QTreeView::indexAt({0, 0});
  if (!top.isValid()) return {};
  const QModelIndex header = groupOf(top);
  return header == top ? QModelIndex() : header;  // a row at the top is whole: scrolling is by rows
}

QRect RunTreeView::pinnedRect() const {
  return {0, 0, viewport()->width(), rowHeight(QTreeView::indexAt({0, 0}))};
}

QModelIndex RunTreeView::indexAt(const QPoint& point) const {
  const QModelIndex header = selectsRows_ ? QModelIndex() : pinnedHeader();
  if (header.isValid() && pinnedRect().contains(point)) return header;
  const QModelIndex index = QTreeView::indexAt(point);
  return !isSelecting_ && isCut(visualRect(index)) ? QModelIndex() : index;
}

bool RunTreeView::isCut(const QRect& row) const {
  return row.top() > 0 && row.bottom() >= viewport()->height();
}

void RunTreeView::mousePressEvent(QMouseEvent* event) {
  const QModelIndex index = indexAt(event->position().toPoint());
  const bool isArrow = event->button() == Qt::LeftButton && event->position().x() < RunDelegate::arrowEnd;
  if (!isArrow || !index.parent().isValid() || !model()->hasChildren(index)) return QTreeView::mousePressEvent(event);
  const bool closes = isExpanded(index);
  // From a row that is no more in sight keys would go to the first one.
  if (closes && currentIndex().parent() == index) {
    selectionModel()->setCurrentIndex(index, QItemSelectionModel::NoUpdate);
  }
  setExpanded(index, !closes);
}

/// Qt finds the rows of a selection by their coordinates: one behind the pinned header is meant itself, unless the
/// header is what was clicked.
void RunTreeView::setSelection(const QRect& rect, QItemSelectionModel::SelectionFlags command) {
  isSelecting_ = true;
  selectsRows_ = currentIndex() != pinnedHeader();
  QTreeView::setSelection(rect, command);
  isSelecting_ = selectsRows_ = false;
}

/// A row that is brought into sight is not left behind the pinned header, nor where the lower edge cuts it.
void RunTreeView::scrollTo(const QModelIndex& index, ScrollHint hint) {
  QTreeView::scrollTo(index, hint);
  const bool isBehind = pinnedHeader().isValid() && visualRect(index).top() == 0;
  if (isBehind) verticalScrollBar()->setValue(verticalScrollBar()->value() - 1);
  QScrollBar& bar = *verticalScrollBar();
  while (isCut(visualRect(index)) && bar.value() < bar.maximum()) bar.setValue(bar.value() + 1);
}

/// In the place of the first row there is its group's header.
void RunTreeView::drawRow(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const {
  if (isCut(option.rect)) return;
  const QModelIndex header = option.rect.top() == 0 ? pinnedHeader() : QModelIndex();
  if (!header.isValid()) return QTreeView::drawRow(painter, option, index);
  QStyleOptionViewItem pinned = option;
  pinned.state.setFlag(QStyle::State_Open);
  pinned.state.setFlag(QStyle::State_HasFocus, false);
  pinned.state.setFlag(QStyle::State_Selected, selectionModel()->isSelected(header));
  painter->fillRect(pinned.rect, tokens().base);
  itemDelegate()->paint(painter, pinned, header);
  painter->fillRect(QRect(0, pinned.rect.bottom(), pinned.rect.width(), 1), tokens().hairline);
}

/// Moving what is drawn would move the pinned header with it.
void RunTreeView::scrollContentsBy(int dx, int dy) {
  QTreeView::scrollContentsBy(dx, dy);
  viewport()->update();
}

}  // namespace slipstream::ui
