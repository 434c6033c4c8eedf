// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTreeView>

namespace slipstream::ui {

/// A tree whose groups keep their headers in sight: while rows of a group are scrolled, its header is drawn in the
/// place of the first one, and a click there is a click on the header. Below the groups a click on the arrow of a row
/// opens or closes it, and chooses nothing. A row that the lower edge would cut is not drawn.
class RunTreeView : public QTreeView {
  Q_OBJECT

 public:
  explicit RunTreeView(QWidget* parent = nullptr);

  /// The header that is drawn above its rows; invalid where the header itself is in sight.
  QModelIndex pinnedHeader() const;

  QModelIndex indexAt(const QPoint& point) const override;
  void scrollTo(const QModelIndex& index, ScrollHint hint = EnsureVisible) override;

 protected:
  void mousePressEvent(QMouseEvent* event) override;
  void setSelection(const QRect& rect, QItemSelectionModel::SelectionFlags command) override;
  void drawRow(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
  void scrollContentsBy(int dx, int dy) override;

 private:
  /// Of the first row, in the viewport.
  QRect pinnedRect() const;
  bool isCut(const QRect& row) const;

  bool selectsRows_ = false;  ///< coordinates mean the rows themselves
  bool isSelecting_ = false;  ///< rows are found by their coordinates, out of sight too
};

}  // namespace slipstream::ui
