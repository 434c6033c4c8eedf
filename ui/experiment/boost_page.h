// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/experiment/experiment_page.h"

class QScrollArea;
class QStackedWidget;

namespace slipstream::ui {

class BoostLevelRow;
class BoostSection;
class DictionaryPanel;
class ForecastPanel;
class HelpPanel;

/// Level, mode and every knob of every algorithm as a form, the dictionary as text beside it, and what the plan makes
/// of them.
class BoostPage : public ExperimentPage {
  Q_OBJECT

 public:
  BoostPage(Workspace& workspace, QWidget* parent);

  QString name() const override { return QStringLiteral("boost"); }
  QString title() const override { return tr("Boost"); }

 protected:
  void refreshPlan() override;
  void showPlace(const QString& place) override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  QWidget* buildForm();
  QWidget* buildSide();
  void showHelp(const QString& algorithm);

  BoostLevelRow* level_;
  QScrollArea* scroll_ = nullptr;
  QWidget* form_ = nullptr;
  std::vector<BoostSection*> sections_;
  DictionaryPanel* dictionary_ = nullptr;
  ForecastPanel* forecast_ = nullptr;
  HelpPanel* help_ = nullptr;
  QStackedWidget* side_ = nullptr;
  bool little_ = false;  ///< room: the forecast is folded
};

}  // namespace slipstream::ui
