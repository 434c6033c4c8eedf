// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>
#include <memory>

#include "engine/launch/dry_run.h"
#include "ui/store/latest_request.h"

class QLabel;
class QPushButton;
class QTreeWidget;

namespace slipstream::ui {

class TextView;

/// Where each rank would go, without training. Ranks of this machine are started, report and end.
class DryRunPanel : public QFrame {
  Q_OBJECT

 public:
  explicit DryRunPanel(QWidget* parent = nullptr);

  /// `source` names the table.
  void run(const RankTable& table, const std::string& source);
  /// The table is another one now: what is shown of the old one goes away, and a button starts it again where the table
  /// has no errors.
  void expire(bool hasErrors);

 Q_SIGNALS:
  void closed();
  void againWanted();  ///< with the table as it is now

 private:
  void runHere();
  void clear();
  void showPlan(const DryRun& dry);
  void askRanksOf(const RunPlan& plan);
  void receive(const Result<std::vector<RankReport>>& reports);

  QLabel* summary_;
  QTreeWidget* ranks_;
  TextView* command_;
  QPushButton* here_ = nullptr;
  QPushButton* again_ = nullptr;
  RankTable table_;
  std::string source_;
  LatestRequest latest_;
};

}  // namespace slipstream::ui
