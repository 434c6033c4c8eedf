// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include "engine/study_results/study_reading.h"

class QLabel;
class QProgressBar;

namespace slipstream::ui {

class ElidedLabel;
class KeyValueTable;
class TrialRows;

/// What was frozen, what it has cost so far, what variants were tuned to, what was left out, and how it is judged.
class StudyDetails : public QWidget {
  Q_OBJECT

 public:
  explicit StudyDetails(QWidget* parent = nullptr);

  void setReading(const StudyReading& reading);
  /// The column of the matrix that was chosen.
  void setPlace(const StudySettings& factors);
  /// Brings the method to where it is seen.
  QWidget* method() const;

 Q_SIGNALS:
  void closed();

 protected:
  void keyPressEvent(QKeyEvent* event) override;
  void changeEvent(QEvent* event) override;

 private:
  QWidget* makeHead();
  void showLock();
  static QWidget* sectionHead(const QString& title, ElidedLabel* about, QWidget* mark = nullptr);
  static QLabel* section(const QString& title);
  static QLabel* words();
  void showQuestion(const StudyReading& reading);
  void showBudget(const StudyReading& reading);
  static QString valuesText(const TunedVariant& tuned);
  QString triedText(const std::vector<TunedVariant>& tuned) const;
  void showTuning();
  void showJudgement(const StudyReading& reading);

  KeyValueTable* question_;
  QLabel* lock_ = nullptr;
  ElidedLabel* frozen_;
  ElidedLabel* allowed_;
  QProgressBar* budgetBar_;
  QLabel* used_;
  QLabel* budget_;
  ElidedLabel* tried_;
  TrialRows* tuning_;
  QLabel* tunedWhere_;
  KeyValueTable* judgement_;
  QLabel* remarks_ = nullptr;
  QLabel* method_ = nullptr;
  std::vector<TunedVariant> tuned_;
  VariantPens pens_;
  StudySettings place_;
};

}  // namespace slipstream::ui
