#pragma once

#include "ui/workspace/page.h"

class QScrollArea;
class QSplitter;
class QStackedWidget;

namespace slipstream::ui {

class BoostLevelRow;
class BoostSection;
class DictionaryPanel;
class ElidedLabel;
class ExperimentEditing;
class ForecastPanel;
class HelpPanel;

/// Level, mode and every knob of every algorithm as a form, the dictionary as text beside it, and what the plan makes
/// of them.
class BoostPage : public Page {
  Q_OBJECT

 public:
  BoostPage(Workspace& workspace, QWidget* parent);

  QString name() const override { return QStringLiteral("boost"); }
  QString title() const override { return tr("Boost"); }
  bool needsRuns() const override { return false; }
  Document* document() override { return &workspace().experiment(); }

 protected:
  void showEvent(QShowEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  QWidget* buildBody();
  QWidget* buildForm();
  QWidget* buildSide();
  void refresh();
  void showHelp(const QString& algorithm);
  void showPlace(const QString& place);
  void vary();

  ExperimentEditing& editing_;
  QStackedWidget* pages_;
  BoostLevelRow* level_ = nullptr;
  ElidedLabel* why_ = nullptr;
  QScrollArea* scroll_ = nullptr;
  QWidget* form_ = nullptr;
  std::vector<BoostSection*> sections_;
  DictionaryPanel* dictionary_ = nullptr;
  ForecastPanel* forecast_ = nullptr;
  HelpPanel* help_ = nullptr;
  QStackedWidget* side_ = nullptr;
};

}  // namespace slipstream::ui
