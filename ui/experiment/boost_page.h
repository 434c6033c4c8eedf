// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <optional>

#include "ui/experiment/boost_section.h"
#include "ui/experiment/experiment_page.h"

class QComboBox;
class QLabel;
class QTextBrowser;
class QScrollArea;
class QSplitter;
class QStackedWidget;

namespace slipstream::ui {

class ElidedLabel;
class ExperimentEditing;
class SegmentedControl;

/// Level and mode, and in a sentence what they switch on.
class BoostLevelRow : public QWidget {
  Q_OBJECT

 public:
  BoostLevelRow(ExperimentEditing& editing, QWidget* parent = nullptr);

  void refresh();
  /// The control of boost.level or of the mode; null for other keys.
  QWidget* control(const std::string& path) const;

 private:
  ExperimentEditing& editing_;
  SegmentedControl* level_;
  QComboBox* mode_;
  ElidedLabel* sentence_;
};

/// An algorithm's own page: formula, settings, cost, what was measured.
class HelpPanel : public QWidget {
  Q_OBJECT

 public:
  explicit HelpPanel(QWidget* parent = nullptr);

  void showSection(const BoostSectionSpec& section);

 Q_SIGNALS:
  void closed();

 protected:
  void changeEvent(QEvent* event) override;

 private:
  QLabel* title_;
  QTextBrowser* text_;
  std::optional<BoostSectionSpec> section_;
};

class DictionaryPanel;
class ForecastPanel;

/// Level, mode and every option of every algorithm as a form, the dictionary as text beside it, and what the plan makes
/// of them.
class BoostPage : public ExperimentPage {
  Q_OBJECT

 public:
  BoostPage(Workspace& workspace, QWidget* parent);

  PageId id() const override { return PageId::boost; }
  QString title() const override { return tr("Boost"); }

 protected:
  void buildBody(QVBoxLayout& rows) override;
  void refreshPlan() override;
  void showPlace(const QString& place) override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  void buildForm(QSplitter& split);
  void buildSide(QSplitter& split);
  void fitForecast();
  void showHelp(const BoostSectionSpec& section);

  BoostLevelRow* level_ = nullptr;
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
