// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QListView>
#include <QStyledItemDelegate>
#include <QTimer>
#include <QWidget>

#include "ui/panel/problems_model.h"

class QLabel;
class QMenu;
class QPushButton;

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

/// The list of problems: a fix and a way to the place for each, copying, walking by F8.
class ProblemsView : public QWidget {
  Q_OBJECT

 public:
  ProblemsView(ProblemsModel& model, QWidget* parent);

  /// The next (1) or previous (-1) problem is chosen, and its place shown.
  void walk(int step);
  /// That shows all of them.
  int wholeHeight() const;

 private:
  void buildList();
  void refresh();
  void fillFixes();
  void equip();
  QWidget* buttonsOf(const QModelIndex& index);
  void fix(const QModelIndex& index);
  void copy() const;

  ProblemsModel& model_;
  QListView* list_;
  QLabel* summary_;
  QPushButton* fixAll_;
  QMenu* fixes_;
  QTimer equipping_;
};

}  // namespace slipstream::ui
