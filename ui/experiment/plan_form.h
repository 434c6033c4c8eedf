// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <string>
#include <vector>

class QScrollArea;

namespace slipstream::ui {

class ExperimentEditing;
class KeyRow;
class PlanJump;
class PlanSection;
class StagesCard;
struct SettingFilter;

/// Every key of the file but boosting's, section by section, each row made from its description; beside it, where there
/// is room, the list that leads to the sections.
class PlanForm : public QWidget {
  Q_OBJECT

 public:
  PlanForm(ExperimentEditing& editing, QWidget* parent = nullptr);

  void refresh();
  void refreshPlan();
  /// Brings the key's control into view and focuses it; false where there is none.
  bool reveal(const std::string& path);

 Q_SIGNALS:
  void rankTableWanted();
  void helpWanted(const QString& path);

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  void addSection(const std::string& section, QWidget& content);
  void buildJump();
  void setFilter(const SettingFilter& filter);
  void refreshJump();
  void followScrolling();
  int sectionAtHand() const;
  QWidget* cardAt(int index) const;

  ExperimentEditing& editing_;
  std::vector<PlanSection*> sections_;
  StagesCard* stages_ = nullptr;
  QScrollArea* area_;
  PlanJump* jump_ = nullptr;
  std::string opened_;  ///< the text that the experiment at hand began with
};

}  // namespace slipstream::ui
