// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <memory>
#include <optional>

#include "engine/study_results/study_cost.h"
#include "ui/store/latest_request.h"
#include "ui/workspace/workspace.h"

class QFrame;
class QLabel;
class QPushButton;
class QVBoxLayout;

namespace slipstream::ui {

class CellTable;
class ElidedLabel;
class KeyValueTable;

/// What the study that is written will cost, what so many seeds can show, what is to be known, and everything that is
/// wrong with it.
class CostPanel : public QWidget {
  Q_OBJECT

 public:
  explicit CostPanel(Workspace& workspace, QWidget* parent = nullptr);

  /// Nothing before the store was asked.
  const std::optional<StudyCost>& cost() const { return cost_; }
  const QLabel& total() const { return *total_; }
  const QLabel& warning() const { return *warning_; }
  const QLabel& problems() const { return *problems_; }
  CellTable& choices() { return *choices_; }
  QPushButton& moreSeeds() { return *moreSeeds_; }
  /// What the command line said when it would not start the study; empty: nothing.
  void setRefusal(const QString& words);

 Q_SIGNALS:
  void seedsWanted(int seeds);
  void answered();

 private:
  class CostBar;
  void build();
  void refresh();
  void showProblems();
  void ask();
  void receive(StudyCost cost);
  void showTotal();
  void showParts();
  void showWarning();
  void showNotes();
  void showChoices();

  Workspace& workspace_;
  std::shared_ptr<EarlierRuns> earlier_ = std::make_shared<EarlierRuns>();
  LatestRequest latest_;
  std::optional<StudyCost> cost_;
  int wantedSeeds_ = 0;  ///< by the button below the warning
  QString refusal_;

  ElidedLabel* source_;
  QLabel* total_;
  CostBar* bar_;
  KeyValueTable* parts_;
  QFrame* problemsBox_;
  QLabel* problems_;
  QFrame* warningBox_;
  QLabel* warning_;
  QPushButton* moreSeeds_;
  QFrame* notesBox_;
  QLabel* notes_;
  QLabel* choicesTitle_;
  CellTable* choices_;
};

}  // namespace slipstream::ui
