// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/rank_table/rank_table_view.h"

#include <QEvent>
#include <QHeaderView>
#include <QPainter>

#include "ui/widgets/widgets.h"

namespace slipstream::ui {
namespace {

constexpr int tableLineHeight = 26;
constexpr int iconSize = 14, branchSize = 12;

std::optional<Verdict> verdictIn(const QModelIndex& index, int role) {
  const QVariant value = index.data(role);
  if (!value.isValid()) return std::nullopt;
  return static_cast<Verdict>(value.toInt());
}

QColor backgroundOf(const QModelIndex& index, bool selected) {
  const auto mark = verdictIn(index, lineMarkRole);
  if (mark == Verdict::reject) return tokens().errorTint;
  if (mark == Verdict::warn) return tokens().warningTint;
  if (selected) return tokens().selection;
  return index.data(isServerRole).toBool() ? tokens().alternate : tokens().base;
}

}  // namespace

void RankTableDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const {
  painter->save();
  const auto mark = verdictIn(index, markRole);
  const bool isServer = index.data(isServerRole).toBool();
  const bool isTree = isServer || index.parent().isValid();
  QRect place = option.rect.adjusted(gapText, 0, -gapSmall, 0);
  const auto draw = [&](const QIcon& shape) {
    const QRect square(place.left(), place.center().y() - iconSize / 2, iconSize, iconSize);
    shape.paint(painter, square);
    place.setLeft(square.right() + gapText);
  };
  if (isTree && index.column() == 0) draw(icon(isServer ? Symbol::server : Symbol::device, IconInk::second));
  if (mark == Verdict::reject) draw(icon(Symbol::error, IconInk::error));
  if (mark == Verdict::warn) draw(icon(Symbol::warning, IconInk::warning));
  const bool heading = isServer && index.column() == 0;
  painter->setFont(textFont(heading || mark ? TextSize::section : TextSize::body));
  const bool isPlaceholder = index.data(isPlaceholderRole).toBool();
  painter->setPen((isServer && index.column() > 0) || isPlaceholder ? tokens().secondText : tokens().text);
  if (mark) painter->setPen(*mark == Verdict::reject ? tokens().error : tokens().warning);
  if (!(option.state & QStyle::State_Enabled)) painter->setPen(tokens().disabled);
  const QString text = index.data(Qt::DisplayRole).toString();
  painter->drawText(place, Qt::AlignVCenter, painter->fontMetrics().elidedText(text, Qt::ElideMiddle, place.width()));
  if (option.state & QStyle::State_HasFocus) {
    painter->setPen(QPen(tokens().accent, 1));
    painter->drawRect(option.rect.adjusted(0, 0, -1, -2));
  }
  painter->restore();
}

QSize RankTableDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const {
  const int width = QStyledItemDelegate::sizeHint(option, index).width();
  return {width + 2 * iconSize + gapWide, std::max(tableLineHeight, option.fontMetrics.height() + gapText)};
}

void RankTableDelegate::updateEditorGeometry(QWidget* editor, const QStyleOptionViewItem& option,
                                             const QModelIndex&) const {
  editor->setGeometry(option.rect);
}

RankTableView::RankTableView(QWidget* parent) : QTreeView(parent) {
  setProperty("framed", true);
  setItemDelegate(new RankTableDelegate(this));
  setUniformRowHeights(true);
  setSelectionMode(ExtendedSelection);
  setSelectionBehavior(SelectRows);
  setEditTriggers(DoubleClicked | EditKeyPressed | AnyKeyPressed);
  setAnimated(false);
  setIndentation(18);
  setDragDropMode(InternalMove);
  setDropIndicatorShown(true);
  setVerticalScrollMode(ScrollPerPixel);
  header()->setHighlightSections(false);
  setTextElideMode(Qt::ElideMiddle);
  setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);  // names give way, and the frame ends with the rows
  setSizeAdjustPolicy(AdjustToContents);
  restyle();
}

void RankTableView::restyle() {
  QPalette colours = palette();
  colours.setColor(QPalette::Highlight, Qt::transparent);  // rows have their backgrounds already
  if (colours != palette()) setPalette(colours);
}

void RankTableView::changeEvent(QEvent* event) {
  QTreeView::changeEvent(event);
  if (event->type() == QEvent::PaletteChange) viewport()->update();
}

/// Rows are tinted from edge to edge, and Qt repaints the cells alone: the branches before them would keep the tint of
/// a fault that is mended.
void RankTableView::dataChanged(const QModelIndex& topLeft, const QModelIndex& bottomRight, const QList<int>& roles) {
  QTreeView::dataChanged(topLeft, bottomRight, roles);
  viewport()->update();
}

/// Left of a device is the background of its row alone, where the style sheet would show what is chosen; its image
/// would fill the whole height of a server's row.
void RankTableView::drawBranches(QPainter* painter, const QRect& rect, const QModelIndex& index) const {
  if (!index.parent().isValid()) {
    const QSize size(branchSize, branchSize);
    const QRect place(QPoint(rect.right() - (indentation() + branchSize) / 2, rect.center().y() - branchSize / 2),
                      size);
    if (model()->hasChildren(index))
      icon(isExpanded(index) ? Symbol::down : Symbol::right, IconInk::second).paint(painter, place);
    return;
  }
  painter->fillRect(
      rect, backgroundOf(index.siblingAtColumn(0), selectionModel()->isRowSelected(index.row(), index.parent())));
}

void RankTableView::drawRow(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const {
  const bool selected = selectionModel()->isRowSelected(index.row(), index.parent());
  painter->fillRect(option.rect, backgroundOf(index.siblingAtColumn(0), selected));
  QTreeView::drawRow(painter, option, index);
  // Where the row is tinted for what is wrong in it, the bar alone says that it is chosen.
  if (selected)
    painter->fillRect(QRect(option.rect.left(), option.rect.top(), 3, option.rect.height()), tokens().accent);
  paintHairline(*painter, option.rect);
}

/// Qt measures to the last row as it is seen, which is higher up where the rows are scrolled.
QSize RankTableView::viewportSizeHint() const {
  return QTreeView::viewportSizeHint() + QSize(0, verticalOffset());
}

}  // namespace slipstream::ui
