// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStyledItemDelegate>
#include <QTreeView>

#include "ui/rank_table/rank_table_model.h"

namespace slipstream::ui {

/// A cell with its shape and colour where something is wrong with it.
class RankTableDelegate : public QStyledItemDelegate {
  Q_OBJECT

 public:
  using QStyledItemDelegate::QStyledItemDelegate;
  void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
  QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;
  void updateEditorGeometry(QWidget* editor, const QStyleOptionViewItem& option,
                            const QModelIndex& index) const override;
};

/// Tree or list of a rank table: whole lines are tinted where something is wrong.
class RankTableView : public QTreeView {
  Q_OBJECT

 public:
  explicit RankTableView(QWidget* parent = nullptr);

 protected:
  QSize viewportSizeHint() const override;
  void dataChanged(const QModelIndex& topLeft, const QModelIndex& bottomRight, const QList<int>& roles) override;
  void drawBranches(QPainter* painter, const QRect& rect, const QModelIndex& index) const override;
  void drawRow(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
  void changeEvent(QEvent* event) override;

 private:
  void restyle();
};

}  // namespace slipstream::ui
