// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <vector>

#include "ui/documents/document.h"

class QLabel;
class QPushButton;
class QScrollArea;

namespace slipstream::ui {

class ElidedLabel;
class ExperimentEditing;
class JsonEditor;
class RateChart;

/// The experiment as text, with marks at what is wrong; below it what is wrong at the line at hand, with a button where
/// something mends it, the learning rate, and the help of the setting that has the focus.
class PlanText : public QWidget {
  Q_OBJECT

 public:
  PlanText(ExperimentEditing& editing, QWidget* parent = nullptr);

  void refresh();
  /// Marks the problems of the text as it is now, and draws what is planned.
  void refreshProblems();
  void showHelp(const QString& path);
  /// Selects the value at a place of the file; only takes the focus where there is none.
  void showPlace(const QString& place);

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  QWidget* buildProblem();
  QWidget* buildHelp();
  void typed();
  void fitHelp();
  void showProblem();
  void showRate();
  const Problem* problemAtHand() const;
  std::pair<int, int> partOf(const QString& place) const;

  ExperimentEditing& editing_;
  JsonEditor* text_;
  RateChart* rate_;
  /// Problems that have a line, with it. Copies: those of the document go with its next text.
  std::vector<std::pair<int, Problem>> places_ = {};
  QWidget* problem_ = nullptr;
  QLabel* shape_ = nullptr;
  ElidedLabel* sentence_ = nullptr;
  QPushButton* fix_ = nullptr;
  QWidget* helpBox_ = nullptr;
  QLabel* helpTitle_ = nullptr;
  QLabel* helpKey_ = nullptr;
  QLabel* help_ = nullptr;
  QScrollArea* helpArea_ = nullptr;
};

}  // namespace slipstream::ui
