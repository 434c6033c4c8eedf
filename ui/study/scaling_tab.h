// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/study/study_tab.h"

namespace slipstream::ui {

/// Weak and strong scaling over the ranks, beside the ideal.
class ScalingTab : public StudyTab {
  Q_OBJECT

 public:
  using StudyTab::StudyTab;
  QString title() const override { return tr("Scaling"); }
  void show(const StudyView& view) override;
};

}  // namespace slipstream::ui
