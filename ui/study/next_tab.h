// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/study/study_tab.h"

class QPushButton;
class QSpinBox;

namespace slipstream::ui {

/// What more seeds would show, and what they cost.
class NextTab : public StudyTab {
  Q_OBJECT

 public:
  explicit NextTab(QWidget* parent = nullptr);

  QString title() const override { return tr("What next"); }
  void show(const StudyView& view) override;
  /// Why no seeds can be added now; empty: they can.
  void setWhyNot(const QString& why);
  QSpinBox& count() { return *count_; }
  QPushButton& add() { return *add_; }
  const QLabel& cost() const { return *cost_; }

 Q_SIGNALS:
  void seedsWanted(int count);

 private:
  void refresh();

  QWidget* adding_;
  QSpinBox* count_;
  QPushButton* add_;
  QLabel* cost_;
  WhatNext next_;
  QString whyNot_;
};

}  // namespace slipstream::ui
