// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <optional>
#include <vector>

#include "engine/study_results/study_reading.h"

class QButtonGroup;
class QComboBox;
class QFrame;
class QHBoxLayout;
class QLabel;
class QPushButton;
class QStackedWidget;

namespace slipstream::ui {

class BalancedLabel;
class ElidedLabel;
class MatrixView;
class NextTab;
class SegmentedControl;
class StudyKey;
class StudyTab;

/// What is shown of a study below its header: the sentence, badges, the matrix, and tabs about the chosen cell.
class StudyResults : public QWidget {
  Q_OBJECT

 public:
  explicit StudyResults(QWidget* parent = nullptr);

  /// The states of its runs, before what came of them has been read.
  void setStanding(const StudyStanding& standing);
  void setReading(StudyReading reading);
  const std::optional<StudyReading>& reading() const { return reading_; }

  MatrixView& matrix() { return *matrix_; }
  const QLabel& sentence() const;
  const std::vector<StudyTab*>& tabs() const { return tabs_; }
  NextTab& next() { return *next_; }
  /// What there is room for depends on the height of the window.
  void fitToWindow();
  /// The choice of the column that the tabs are about.
  QComboBox& place() { return *place_; }
  void showTab(int index);
  int currentTab() const;

 Q_SIGNALS:
  void runsWanted(const std::vector<std::string>& runs);
  void runWanted(const QString& run);
  void followingWanted();                          ///< a new study of the files as they are now
  void methodWanted();                             ///< how the chosen cell was judged
  void placeChosen(const StudySettings& factors);  ///< the column that the tabs are about

 private:
  void build();
  void bringToFront(int index);
  void showFirstFigures();
  QWidget* makeMatrixHead();
  QWidget* makeTabs();
  void showMatrix();
  void showPlaces(const StudyMatrix& matrix);
  void showBadges();
  void showChanged();
  void showChosen();
  void compareChosen();
  const StudyMatrix* shownMatrix() const;

  std::optional<StudyReading> reading_;
  bool isTabChosen_ = false;  ///< by a person, by what leads here, or as the first with figures
  BalancedLabel* sentence_;
  QFrame* changedBox_ = nullptr;
  QLabel* changed_ = nullptr;
  QWidget* badges_;
  std::vector<QWidget*> facts_;  ///< those of the badges that are no warnings
  QHBoxLayout* matrixHead_ = nullptr;
  QLabel* measureTitle_ = nullptr;  ///< where there is one measure
  ElidedLabel* about_;
  QComboBox* measure_;
  MatrixView* matrix_;
  StudyKey* key_;
  QButtonGroup* tabGroup_;
  QComboBox* place_;
  QWidget* segments_ = nullptr;  ///< holds those that are in place of that where there are few
  SegmentedControl* fewPlaces_ = nullptr;
  QStackedWidget* stack_;
  std::vector<StudyTab*> tabs_;
  NextTab* next_;
};

}  // namespace slipstream::ui
