// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QListView>
#include <QTimer>
#include <QWidget>

#include "ui/panel/problems_model.h"

class QLabel;

namespace slipstream::ui {

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
  void equip();
  QWidget* buttonsOf(const QModelIndex& index);
  void fix(const QModelIndex& index);
  void copy() const;

  ProblemsModel& model_;
  QListView* list_;
  QLabel* words_;
  QTimer equipping_;
};

}  // namespace slipstream::ui
