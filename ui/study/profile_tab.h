// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/study/study_tab.h"

namespace slipstream::ui {

/// The performance profile: how often each variant is within some factor of the best.
class ProfileTab : public StudyTab {
  Q_OBJECT

 public:
  using StudyTab::StudyTab;
  QString title() const override { return tr("Profile"); }
  void show(const StudyView& view) override;
};

}  // namespace slipstream::ui
