// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QComboBox>
#include <QToolButton>

#include "engine/analysis/comparison.h"
#include "engine/analysis/curve_plan.h"
#include "ui/widgets/widgets.h"

namespace slipstream::ui {

/// Title, what is held against what, and what the page can do.
class CompareHeader : public QWidget {
  Q_OBJECT

 public:
  explicit CompareHeader(QWidget* parent = nullptr);

  void setComparison(const Comparison& comparison);
  ChartX axis() const;

 Q_SIGNALS:
  void axisChosen();
  void copyWanted();
  void saveWanted();

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  QWidget* makeBaseline();

  ElidedLabel* title_;
  ElidedLabel* about_;
  QWidget* space_ = nullptr;  ///< instead of it
  QLabel* baseline_;
  QComboBox* axis_;
  QLabel* axisLabel_ = nullptr;
};

}  // namespace slipstream::ui
