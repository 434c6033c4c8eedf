// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/study/study_tab.h"

namespace slipstream::ui {

/// Accuracy beside what it costs in time and memory.
class TradeOffTab : public StudyTab {
  Q_OBJECT

 public:
  using StudyTab::StudyTab;
  QString title() const override { return tr("Trade-off"); }
  void show(const StudyView& view) override;
};

}  // namespace slipstream::ui
