// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QComboBox>
#include <QToolButton>

#include "engine/record/arm_figure.h"
#include "ui/parts/parts.h"

namespace slipstream::ui {

/// Title, what is held against what, and what the page can do.
class CompareHead : public QWidget {
  Q_OBJECT

 public:
  explicit CompareHead(QWidget* parent = nullptr);

  void setComparison(const Comparison& comparison);
  FigureAxis axis() const;

 Q_SIGNALS:
  void axisChosen();
  void copyWanted();
  void saveWanted();

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  ElidedLabel* title_;
  ElidedLabel* facts_;
  QWidget* space_ = nullptr;  ///< instead of the facts
  QLabel* baseline_;
  QComboBox* axis_;
};

/// "adasum against mean"
QString compareTitle(const Comparison& comparison);
/// "lenet5 · mnist · 8 ranks · seeds 1 to 5"
QString compareFacts(const Comparison& comparison);

}  // namespace slipstream::ui
