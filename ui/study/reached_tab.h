// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/study/study_tab.h"

namespace slipstream::ui {

/// How the seeds of each variant reached the target, and who never did.
class ReachedTab : public StudyTab {
  Q_OBJECT

 public:
  using StudyTab::StudyTab;
  QString title() const override { return tr("Time to target"); }
  void show(const StudyView& view) override;
};

}  // namespace slipstream::ui
