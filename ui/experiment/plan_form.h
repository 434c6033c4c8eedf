// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QScrollArea>
#include <vector>

namespace slipstream::ui {

class ExperimentEditing;
class KeyRow;
class ScheduleCurve;
class StagesCard;

/// Every key of the file but boosting's, section by section, each row made from its description.
class PlanForm : public QScrollArea {
  Q_OBJECT

 public:
  PlanForm(ExperimentEditing& editing, QWidget* parent = nullptr);

  void refresh();
  void refreshPlan();
  /// Brings the key's control into view and focuses it; false where there is none.
  bool reveal(const std::string& path);

 Q_SIGNALS:
  void rankTableWanted();

 private:
  QWidget* buildCard(const std::string& section);

  ExperimentEditing& editing_;
  std::vector<KeyRow*> rows_;
  ScheduleCurve* curve_ = nullptr;
  StagesCard* stages_ = nullptr;
};

}  // namespace slipstream::ui
