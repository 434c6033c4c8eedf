// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStyledItemDelegate>

namespace slipstream::ui {

class ProblemsModel;

/// One problem in two lines, or three where the row is narrow: its shape, the place and the sentence; then the remedy.
/// Room for the row's buttons is kept free at the right.
class ProblemDelegate : public QStyledItemDelegate {
  Q_OBJECT

 public:
  ProblemDelegate(const ProblemsModel& model, QObject* parent);

  void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
  QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;

 private:
  const ProblemsModel& model_;
};

}  // namespace slipstream::ui
