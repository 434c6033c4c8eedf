// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTreeView>

namespace slipstream::ui {

/// A tree whose groups keep their heads in sight: while rows of a group are scrolled, its head is drawn above them, and
/// whatever is done there is done to the head.
class RunTreeView : public QTreeView {
  Q_OBJECT

 public:
  explicit RunTreeView(QWidget* parent = nullptr);

  /// The head that is drawn above its rows; invalid where the head itself is in sight.
  QModelIndex pinnedHead() const;

  QModelIndex indexAt(const QPoint& point) const override;
  void scrollTo(const QModelIndex& index, ScrollHint hint = EnsureVisible) override;

 protected:
  void drawRow(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
  void scrollContentsBy(int dx, int dy) override;

 private:
  /// In the viewport, in the place of the first row.
  QRect pinnedRect() const;
};

}  // namespace slipstream::ui
