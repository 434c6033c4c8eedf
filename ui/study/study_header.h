// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include "engine/study_results/study_summary.h"

class QPushButton;

namespace slipstream::ui {

class ElidedLabel;
class StateChip;

/// The name and the state of a study, and what can be done with it.
class StudyHeader : public QWidget {
  Q_OBJECT

 public:
  explicit StudyHeader(QWidget* parent = nullptr);

  /// `other`: the study of the store whose queue is alive, unless it is this one; empty: none. `busy`: something was
  /// asked for. `readOnly`: why nothing can be changed; empty: it can.
  void setStudy(const StudySummary& study, const QString& other, bool busy, const QString& readOnly);
  /// The button that shows the details is there where they can be, and are not.
  void setDetailsShown(bool shown);
  QPushButton& goOn() { return *goOn_; }
  QPushButton& pause() { return *pause_; }

 protected:
  void resizeEvent(QResizeEvent* event) override;

 Q_SIGNALS:
  void goOnWanted();
  void pauseWanted();
  void seedsWanted();
  void saveWanted();
  void detailsWanted();
  void newWanted();

 private:
  ElidedLabel* name_;
  StateChip* state_;
  ElidedLabel* progress_;
  bool saysMore_ = false;  ///< than how many runs there are
  QPushButton* goOn_;
  QPushButton* pause_;
  QPushButton* seeds_;
  QPushButton* details_;
  QPushButton* another_;
};

}  // namespace slipstream::ui
